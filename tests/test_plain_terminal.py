"""Answering line by line on a real pseudo-terminal: what is written to it, bursts, signals, stops and its modes."""

from __future__ import annotations

import json
import select
import signal
import subprocess
import sys
import termios
import time
import tty
from pathlib import Path
from typing import Any

import pytest

from ask_core.settings import Setting, Settings, turned
from ask_core.settings_file import load_settings
from tests.ptys import Pty, python

FORM: dict[str, Any] = {
    "title": "Logging",
    "questions": [
        {
            "id": "level",
            "label": "Level",
            "prompt": "Default log level?",
            "options": [
                {"value": "info", "label": "info", "description": "What happens, without detail"},
                {"value": "debug", "label": "debug"},
            ],
        },
        {
            "id": "sinks",
            "label": "Sinks",
            "prompt": "Where do logs go?",
            "type": "multi",
            "options": [{"value": name, "label": name.title()} for name in ("stdout", "file", "syslog")],
        },
        {
            "id": "format",
            "label": "Format",
            "prompt": "Which line format?",
            "type": "preview",
            "options": [
                {"value": "plain", "label": "Plain", "preview": "12:00 INFO started"},
                {"value": "json", "label": "JSON", "preview": '{"level": "info"}'},
            ],
        },
        {"id": "rotate", "prompt": "Rotate files?", "options": [{"value": "daily", "label": "Daily"}]},
    ],
}
COMMAND = [sys.executable, "-m", "ask_core.edge.cli"]
DUMB = {"TERM": "dumb"}

# What a prompt ends with, so that what is typed is typed behind it.
ONE, SEVERAL, REVIEW = "Type a number (? for help): ", "Type numbers, such as 1 2 (? for help): ", "back or cancel (? f"
CTRL_C, CTRL_D, CTRL_Z = "\x03", "\x04", "\x1a"

pytestmark = pytest.mark.xdist_group("plain-pty")


@pytest.fixture
def form(tmp_path: Path) -> Path:
    path = tmp_path / "form.json"
    path.write_text(json.dumps(FORM))
    return path


class Run:
    """The command on a terminal that takes it line by line; or a `shell` there that runs a script."""

    def __init__(
        self, folder: Path, command: list[str], environ: dict[str, str] | None = None, *, shell: bool = False
    ) -> None:
        self._out, self._err = folder / "out", folder / "err"
        environ = {"ASK_SETTINGS": str(folder / "settings.json")} | (environ or DUMB)
        if shell:
            self.pty = Pty(["bash", "--norc", "-c", f"cd {folder}; {command[0]}"], environ=environ)
        else:
            with self._out.open("wb") as out, self._err.open("wb") as err:
                self.pty = Pty(command, stdout=out, stderr=err, environ=environ)
        self._heard = 0

    def __enter__(self) -> Run:
        self.pty.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.pty.__exit__(*error)

    def hear(self, wanted: str) -> str:
        """Wait until something new is written that holds `wanted`, and give all that is new."""
        self.pty.until(lambda: wanted in self.text[self._heard :])
        new = self.text[self._heard :]
        self._heard = len(self.text)
        return new

    def type(self, line: str, wanted: str) -> str:
        """Type a line, and wait for what is wanted."""
        self.pty.send(f"{line}\n")
        return self.hear(wanted)

    @property
    def text(self) -> str:
        """Everything that was written, without the bell and the carriage returns that the terminal adds."""
        return self.pty.log.decode().replace("\a", "").replace("\r\n", "\n")

    @property
    def details(self) -> dict[str, Any]:
        details: dict[str, Any] = json.loads(self._out.read_text())
        return details

    @property
    def stderr(self) -> str:
        return self._err.read_text()


def ask(form: Path, *options: str) -> list[str]:
    return [*COMMAND, "run", str(form), *options]


def assert_plain(pty: Pty) -> None:
    """No escape sequence and no control character but the ends of lines, and a bell for the notification at most."""
    text = pty.log.decode()
    assert all(character.isprintable() for character in text.replace("\r\n", "").replace("\a", ""))
    assert text.count("\a") <= 1
    assert pty.line() == pty.line_before


def test_a_form_is_answered_and_elaborated_by_lines_only(form: Path, tmp_path: Path) -> None:
    """As with a screen reader on a dumb terminal: nothing but lines in either direction."""
    with Run(tmp_path, ask(form, "--asked-by", "The installer")) as run:
        first = run.hear(ONE)
        assert first.startswith("Logging\nThe installer asks.\n\nQuestion 1 of 4: Level\nDefault log level?\n")
        assert "1. info - What happens, without detail\n2. debug\n3. Your own words\nNothing is chosen.\n" in first
        assert "Note on debug: is it slow?\n" in run.type("note 2 is it slow?", ONE)
        assert "Level: info\n\nQuestion 2 of 4: Sinks\n" in run.type("1", SEVERAL)
        assert "Sinks: Stdout, Syslog\n\nQuestion 3 of 4: Format\n" in run.type("3 1", ONE)
        assert 'Preview of JSON:\n{"level": "info"}\n' in run.type("show 2", ONE)
        assert "Format: two columns\n\nQuestion 4 of 4\n" in run.type("own two columns", ONE)
        assert "Not sent yet." in run.type("elaborate", REVIEW)
        run.type("elaborate", "Asked for an explanation. Your answers are kept.\n")
        assert run.pty.wait() == 0
        assert_plain(run.pty)
    details = run.details
    assert details["outcome"] == "elaborated"
    assert {id: answer["values"] for id, answer in details["answers"].items()} == {
        "level": ["info"],
        "sinks": ["stdout", "syslog"],
        "format": ["two columns"],
    }
    [item] = details["elaboration"]["items"]
    assert (item["note"], item["target"]["optionValue"], item["selected"]) == ("is it slow?", "debug", False)
    assert run.stderr == ""


def test_a_burst_answers_no_question_that_was_not_shown(form: Path, tmp_path: Path) -> None:
    """Lines that come at once are none of them taken, and it is said why; lines one by one are."""
    with Run(tmp_path, ask(form)) as run:
        run.hear(ONE)
        run.pty.send("log line\n2\n1\n")
        assert "Several lines came at once, so none of them was taken." in run.hear(ONE)
        run.pty.settle()
        assert "Question 2" not in run.text
        run.type("2", SEVERAL)
        run.type("review", REVIEW)
        run.type("submit", "Submitted")
        assert run.pty.wait() == 0
        assert_plain(run.pty)
    assert {id: answer["values"] for id, answer in run.details["answers"].items()} == {"level": ["debug"]}


def test_what_was_typed_ahead_answers_nothing(form: Path, tmp_path: Path) -> None:
    """R6: a line typed before the first question is thrown away, and so is half a line before the next one."""
    with Run(tmp_path, ask(form)) as run:
        run.pty.send("2\n2")
        run.hear(ONE)
        run.pty.settle()
        assert "Question 2" not in run.text
        assert "Sinks" in run.type("1", SEVERAL)
        run.pty.send("3\n1")
        run.hear(ONE)
        run.type("", "Nothing was typed.")
        run.pty.send(CTRL_C)
        run.hear("Press Ctrl+C again")
        run.pty.send(CTRL_C)
        assert run.pty.wait() == 130
    assert {id: answer["values"] for id, answer in run.details["answers"].items()} == {
        "level": ["info"],
        "sinks": ["syslog"],
    }


@pytest.mark.parametrize("lines", [["not only", "this"], ["not only", "  this:", "", "2", "submit", "é日"]])
@pytest.mark.parametrize("opening", ["3", "own"])
@pytest.mark.parametrize("ended", [False, True])
def test_several_lines_at_once_are_one_text_where_one_is_written(
    form: Path, tmp_path: Path, lines: list[str], opening: str, ended: bool
) -> None:
    """A paste becomes own words with all of its lines, also the last one, whose end may have to be typed by hand."""
    with Run(tmp_path, ask(form)) as run:
        run.hear(ONE)
        run.type(opening, "Type your own words, or just Enter for none: ")
        run.pty.send("\n".join(lines) + "\n" * ended)
        if not ended:
            run.hear(f"{len(lines)} lines so far. Type one more, or just Enter to save them: ")
            run.pty.send("\n")
        run.hear(SEVERAL)
        run.type("submit", REVIEW)
        run.type("submit", "Submitted")
        assert run.pty.wait() == 0
        assert_plain(run.pty)
    assert run.details["answers"]["level"]["customText"] == "\n".join(lines)


def test_a_paste_is_dropped_by_ctrl_c_and_saved_by_ctrl_d(form: Path, tmp_path: Path) -> None:
    """Ctrl+C takes back what is not saved yet and nothing else; Ctrl+D is the end of a text."""
    with Run(tmp_path, ask(form)) as run:
        run.hear(ONE)
        run.type("note", "or just Enter for none: ")
        run.pty.send("one\ntwo")
        run.hear("2 lines so far.")
        run.pty.send(CTRL_C)
        assert "These lines are dropped.\nType your note on this question" in run.hear("for none: ")
        run.pty.send("three\nfour")
        run.hear("2 lines so far.")
        run.pty.send("five\nsix")
        run.hear("4 lines so far.")
        run.pty.send(CTRL_D)
        assert "Note on this question: three\n   four\n   five\n   six\n" in run.hear(ONE)
        run.pty.signal(signal.SIGTERM)
        assert run.pty.wait() == 143
    assert run.details["answers"]["level"]["note"] == "three\nfour\nfive\nsix"


def test_ctrl_d_twice_in_a_moment_is_no_hang_up(form: Path, tmp_path: Path) -> None:
    """A key that repeats warns, and confirms nothing that nobody has read."""
    with Run(tmp_path, ask(form)) as run:
        run.hear(ONE)
        run.type("2", SEVERAL)
        run.pty.send(CTRL_D + CTRL_D)
        assert "Type cancel again to leave." in run.hear(SEVERAL)
        run.pty.send(CTRL_D + CTRL_D)
        assert run.pty.wait() == 130
    assert run.details["outcome"] == "cancelled"


@pytest.mark.parametrize(("key", "again"), [(CTRL_C, "Press Ctrl+C again"), (CTRL_D, "Type cancel again")])
def test_leaving_is_warned_of_where_something_is_given(form: Path, tmp_path: Path, key: str, again: str) -> None:
    """R14: the first time it only warns, in a line of its own; the other way of leaving warns anew."""
    with Run(tmp_path, ask(form)) as run:
        run.hear(ONE)
        run.type("2", SEVERAL)
        run.pty.send(CTRL_D if key == CTRL_C else CTRL_C)
        run.hear(SEVERAL)
        run.pty.send(key)
        assert f"\nNothing has been sent. {again} to leave.\n" in run.hear(SEVERAL)
        run.pty.send(key)
        run.hear("Cancelled. Nothing was submitted.\n")
        assert run.pty.wait() == 130
        assert_plain(run.pty)
    assert run.details["outcome"] == "cancelled"
    assert run.details["answers"]["level"]["values"] == ["debug"]


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D])
def test_nothing_holds_back_who_has_given_nothing(form: Path, tmp_path: Path, key: str) -> None:
    """One key leaves at once."""
    with Run(tmp_path, ask(form)) as run:
        run.hear(ONE)
        run.pty.send(key)
        assert run.pty.wait() == 130
        assert_plain(run.pty)
    assert run.details["outcome"] == "cancelled"


def test_ctrl_d_closes_first_what_was_opened(form: Path, tmp_path: Path) -> None:
    """In a text, a note and the settings it goes back to the question."""
    with Run(tmp_path, ask(form)) as run:
        run.hear(ONE)
        for line, opened in (("own", "for none: "), ("note 1", "for none: "), ("settings", "close the settings: ")):
            run.type(line, opened)
            run.pty.send(CTRL_D)
            run.hear(ONE)
        run.pty.send("half a line" + CTRL_D)
        assert "\nThat is no number and no command." in run.hear(ONE)
        run.pty.send(CTRL_D)
        assert run.pty.wait() == 130
        assert_plain(run.pty)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131), (signal.SIGUSR1, 138)]
)
def test_a_signal_ends_it_and_the_answers_are_kept(form: Path, tmp_path: Path, number: int, code: int) -> None:
    """R4: the exit code tells which, and the terminal is as before."""
    with Run(tmp_path, ask(form)) as run:
        run.hear(ONE)
        run.type("2", SEVERAL)
        run.pty.signal(number)
        assert run.pty.wait() == code
        assert run.text.endswith(f"{SEVERAL}\nEnded. Nothing was submitted.\n")
        assert_plain(run.pty)
    assert run.details["outcome"] == "aborted"
    assert run.details["answers"]["level"]["values"] == ["debug"]
    assert run.stderr == ""


@pytest.mark.parametrize("nohup", [False, True])
def test_a_terminal_that_goes_away_ends_it(form: Path, tmp_path: Path, nohup: bool) -> None:
    """A hang-up, with the signal or without, exits like SIGHUP."""
    ignore = "import signal, os, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    with Run(tmp_path, [*(python(ignore) if nohup else []), *ask(form)]) as run:
        run.hear(ONE)
        run.type("2", SEVERAL)
        run.pty.hang_up()
        assert run.pty.process.wait(10) == 129
    assert run.details["outcome"] == "aborted"
    assert run.details["answers"]["level"]["values"] == ["debug"]
    assert run.stderr == ""


JOB = """
set -m
stty -g >before
{command} >out
echo "stopped with $?"
stty -g >stopped
read -r next
fg
echo "ended with $?"
"""


@pytest.mark.parametrize("stop", [CTRL_Z, signal.SIGTSTP])
def test_a_stop_asks_the_question_again(form: Path, tmp_path: Path, stop: str | int) -> None:
    """Ctrl+Z and SIGTSTP stop the job with the terminal as it was; after `fg` the question is there again, in full."""
    with Run(tmp_path, [JOB.format(command=" ".join(ask(form)))], shell=True) as run:
        run.hear(ONE)
        run.type("2", SEVERAL)
        if isinstance(stop, str):
            run.pty.send(f"1 2{stop}")
        else:
            subprocess.run(["pkill", "-TSTP", "-P", str(run.pty.process.pid)], check=True)
        run.hear("stopped with 148")
        assert "Question 2 of 4: Sinks\nWhere do logs go?\n" in run.type("next", SEVERAL)
        assert "Logging" not in run.text.partition("stopped with 148")[2]
        run.type("3", ONE)
        run.type("submit", REVIEW)
        run.type("submit", "ended with 0")
        run.pty.wait()
        assert run.pty.line() == run.pty.line_before
    assert (tmp_path / "before").read_text() == (tmp_path / "stopped").read_text()
    answers = json.loads((tmp_path / "out").read_text())["answers"]
    assert answers["sinks"]["values"] == ["syslog"]


def test_a_stop_without_warning_is_mended_on_continuing(form: Path, tmp_path: Path) -> None:
    """After SIGSTOP, and whatever was done to the terminal, SIGCONT takes lines again; at the end it is as before."""
    with Run(tmp_path, ask(form)) as run:
        run.hear(ONE)
        run.pty.signal(signal.SIGSTOP)
        run.pty.send("2\n")  # meant for the shell
        tty.setraw(run.pty.slave)
        run.pty.signal(signal.SIGCONT)
        run.hear(ONE)
        run.type("1", SEVERAL)
        run.pty.signal(signal.SIGTERM)
        assert run.pty.wait() == 143
        assert_plain(run.pty)


def test_a_raw_terminal_hands_over_lines_and_is_raw_again(form: Path, tmp_path: Path) -> None:
    """A program may have left the terminal without echo, lines and signals: all of them are there for the form."""
    script = f"stty raw -echo; stty -g >before; {' '.join(ask(form))} >out 2>err; echo $? >code; stty -g >after"
    with Run(tmp_path, [script], shell=True) as run:
        run.hear(ONE)
        assert run.type("2", SEVERAL).startswith("2\nLevel: debug\n"), "it is seen, and lines begin on the left"
        run.pty.send(CTRL_C)
        run.hear("Press Ctrl+C again")
        run.pty.send(CTRL_C)
        run.pty.wait()
    assert (tmp_path / "code").read_text() == "130\n"
    assert (tmp_path / "before").read_text() == (tmp_path / "after").read_text()


@pytest.mark.parametrize(
    ("options", "environ", "stored"),
    [
        ((), {"TERM": "dumb"}, None),
        ((), {"TERM": ""}, None),
        ((), {"TERM": "unknown"}, None),
        (("--renderer", "plain"), {"TERM": "xterm-256color"}, None),
        ((), {"TERM": "xterm-256color"}, {"renderer": "plain"}),
        (("--fullscreen",), {"TERM": "xterm-256color"}, {"renderer": "plain", "mouse": True}),
    ],
    ids=["dumb", "empty", "unknown", "asked for", "in the settings", "whatever else is asked for"],
)
def test_lines_are_chosen(
    form: Path,
    tmp_path: Path,
    options: tuple[str, ...],
    environ: dict[str, str],
    stored: dict[str, Any] | None,
) -> None:
    """By the terminal's type, by the option, and by the settings file."""
    if stored is not None:
        (tmp_path / "settings.json").write_text(json.dumps({"schemaVersion": 5, "display": stored}))
    with Run(tmp_path, ask(form, *options), environ) as run:
        run.hear(ONE)
        run.type("2", SEVERAL)
        run.pty.signal(signal.SIGTERM)
        assert run.pty.wait() == 143
        assert_plain(run.pty)


def test_a_screen_is_not_drawn_where_none_can_be(form: Path, tmp_path: Path) -> None:
    """Who insists on it on a dumb terminal is told why there is none."""
    with Run(tmp_path, ask(form, "--renderer", "blessed")) as run:
        assert run.pty.wait() == 3
        assert run.text == ""
    assert run.details["outcome"] == "no_screen"
    assert run.details["reason"] == "the terminal type is dumb"


def test_the_settings_by_themselves(tmp_path: Path) -> None:
    """They are listed, changed and stored by lines."""
    stored = tmp_path / "settings.json"
    with Run(tmp_path, [*COMMAND, "settings"]) as run:
        listed = run.hear("close the settings: ")
        assert listed.startswith("Settings\n1. Auto-submit when answered without notes: off")
        assert "File: " in listed
        assert "Confirm dismiss when dirty: off\n" in run.type("2", "close the settings: ")
        run.type("x", "Type a number from 1 to 9")
        run.type("", "\n")
        assert run.pty.wait() == 0
        assert_plain(run.pty)
    settings, notices = load_settings(json.loads(stored.read_text()))
    assert (settings, notices) == (turned(Settings(), Setting.CONFIRM_DISMISS), ())
    assert run.stderr == ""


def test_a_fault_in_the_settings_is_told_in_words(form: Path, tmp_path: Path) -> None:
    """Before the first question, and after the next line where the file has changed meanwhile."""
    stored = tmp_path / "settings.json"
    stored.write_text(json.dumps({"schemaVersion": 5, "display": 1}))
    with Run(tmp_path, ask(form)) as run:
        fault = "Your settings have a fault: display: must be an object; the default is in effect\n"
        assert f"{fault}\nQuestion 1 of 4: Level\n" in run.hear(ONE)
        stored.write_text(json.dumps({"schemaVersion": 5, "display": {}, "behaviour": {"showFooterHints": 1}}))
        assert "Your settings have a fault: behaviour.showFooterHints: " in run.type("gibberish", ONE)
        run.pty.send(CTRL_C)
        assert run.pty.wait() == 130


@pytest.mark.parametrize(("kind", "sent"), [("dumb", b"\a"), ("xterm", b"\x1b]9;")])
def test_a_notification_is_a_bell_where_a_sequence_would_be_printed(
    form: Path, tmp_path: Path, kind: str, sent: bytes
) -> None:
    """A dumb terminal shows sequences; another one that is used by lines gets them."""
    notifications = {"channels": ["osc9"]}
    (tmp_path / "settings.json").write_text(json.dumps({"schemaVersion": 5, "notifications": notifications}))
    with Run(tmp_path, ask(form, "--renderer", "plain"), {"TERM": kind}) as run:
        run.pty.until(lambda: sent in run.pty.log)
        assert (b"\x1b" in run.pty.log) == (kind != "dumb")
        run.pty.send(CTRL_C)
        assert run.pty.wait() == 130


# Time passes only while the flow has nothing to do, and up to the second that a file names.
OWN_TIME = """
import selectors, sys, time
now, nap = 0.0, selectors.PollSelector.select
def select(self, timeout=None):
    global now
    if timeout is None or timeout < 0.5:
        return nap(self, timeout)
    while True:
        if ready := nap(self, 0.01):
            return ready
        with open(sys.argv[2]) as file:
            if now < float(file.read() or 0):
                now += timeout
                return ready
selectors.PollSelector.select, time.monotonic = select, lambda: now
from ask_core.edge.cli import main
sys.exit(main(["run", "--idle-limit", "25", sys.argv[1]]))
"""


@pytest.fixture
def clock(tmp_path: Path) -> Path:
    path = tmp_path / "clock"
    path.write_text("0")
    return path


def test_the_idle_limit_counts_down_in_few_words(form: Path, tmp_path: Path, clock: Path) -> None:
    """At 20, 10 and 5 seconds and at no others, each time with the prompt; then it has ended, with what was given."""
    with Run(tmp_path, [*python(OWN_TIME), str(form), str(clock)]) as run:
        run.hear(ONE)
        run.type("2", SEVERAL)
        clock.write_text("25")
        assert run.pty.wait() == 4
        counted = [line for line in run.text.splitlines() if line.startswith("Time is up")]
        assert counted == [
            *(f"Time is up in {seconds} seconds. Press Enter to stop that." for seconds in (20, 10, 5)),
            "Time is up. Nothing was submitted.",
        ]
        assert run.text.count(SEVERAL) == 4
        assert_plain(run.pty)
    assert run.details["outcome"] == "timed_out"
    assert run.details["answers"]["level"]["values"] == ["debug"]


def test_enter_stops_the_countdown(form: Path, tmp_path: Path, clock: Path) -> None:
    """The limit begins anew, and an empty line does nothing else, though the question is answered."""
    with Run(tmp_path, [*python(OWN_TIME), str(form), str(clock)]) as run:
        run.hear(ONE)
        run.type("2", SEVERAL)
        again = "Type a number, or just Enter to go on (? for help): "
        run.type("back", again)
        for second in ("5", "10"):
            # What was begun before does not show any more, and is no answer either.
            run.pty.send("1")
            clock.write_text(second)
            run.hear("Time is up in 20 seconds.")
            assert "There is time again.\n" in run.type("", again)
        run.pty.send(CTRL_C)
        run.hear("Press Ctrl+C again")
        run.pty.send(CTRL_C)
        assert run.pty.wait() == 130


def test_a_terminal_that_is_slow_to_take_it_gets_all_of_it(form: Path, tmp_path: Path) -> None:
    """A long text goes on as soon as the line takes more, without anything being typed."""
    preview = "".join(f"line {number}\n" for number in range(20_000))
    question = FORM["questions"][2] | {"options": [{"value": "long", "label": "Long", "preview": preview}]}
    form.write_text(json.dumps({"questions": [question]}))
    with Run(tmp_path, ask(form)) as run:
        run.hear(ONE)
        run.pty.send("show 1\n")
        # Longer than it waits for a line that stands still.
        time.sleep(0.8)
        assert run.hear(f"line 19999\n{ONE}").count("\n") == 20_002
        run.pty.send(CTRL_C)
        assert run.pty.wait() == 130


def test_nothing_answers_a_page_that_is_not_all_there(form: Path, tmp_path: Path) -> None:
    """R6: on a slow line, what is typed while the question is still being written is thrown away."""
    question = FORM["questions"][0] | {"prompt": "A long story. " * 20_000}
    form.write_text(json.dumps({"questions": [question]}))
    with Run(tmp_path, ask(form)) as run:
        select.select([run.pty.master], [], [], 10)
        time.sleep(0.8)
        run.pty.send("2\n")
        run.hear(ONE)
        run.pty.settle()
        assert run.text.endswith(ONE)
        run.type("1", REVIEW)
        run.type("submit", "Submitted.")
        assert run.pty.wait() == 0
    assert run.details["answers"]["level"]["values"] == ["info"]


def test_a_line_that_has_lost_its_end_is_not_taken(form: Path, tmp_path: Path) -> None:
    """A terminal hands over so many bytes of a line and drops the others without a word; that is said."""
    with Run(tmp_path, ask(form)) as run:
        run.hear(ONE)
        run.type("own", "for none: ")
        assert "longer than the terminal takes" in run.type("x" * 5000, "for none: ")
        run.type("x" * 4000, SEVERAL)
        run.pty.signal(signal.SIGTERM)
        assert run.pty.wait() == 143
    assert run.details["answers"]["level"]["customText"] == "x" * 4000


def test_a_stalled_terminal_does_not_keep_us(form: Path, tmp_path: Path) -> None:
    """A line that takes no more output still lets a signal end the flow within moments."""
    with Run(tmp_path, ask(form)) as run:
        run.hear(ONE)
        termios.tcflow(run.pty.slave, termios.TCOOFF)
        run.pty.send("?\n")
        time.sleep(0.1)
        run.pty.signal(signal.SIGTERM)
        assert run.pty.wait(2.5) == 143
        assert run.pty.line() == run.pty.line_before
    assert run.details["outcome"] == "aborted"


BROKEN = """
import sys
from ask_render_plain.typed import PlainRenderer
from ask_core.edge.cli import main
def break_down(*arguments):
    raise RuntimeError("out of words")
PlainRenderer.follow = break_down
sys.exit(main(["run", sys.argv[1]]))
"""


def test_a_fault_of_the_renderer_loses_nothing(form: Path, tmp_path: Path) -> None:
    """The terminal is put back, the answers are printed, the traceback follows, the exit code is 1."""
    with Run(tmp_path, [*python(BROKEN), str(form)]) as run:
        run.hear(ONE)
        run.pty.send("2\n")
        assert run.pty.wait() == 1
        assert_plain(run.pty)
    assert run.details["answers"]["level"]["values"] == ["debug"]
    assert "RuntimeError: out of words" in run.stderr


FIRST_PROMPT = """
import json, sys
from ask_command.late import install
install()
from ask_core.edge import line_driver
begin = line_driver._LineFlow._begin
def look(self):
    with open(sys.argv[2], "w") as file:
        json.dump(sorted(sys.modules), file)
    begin(self)
line_driver._LineFlow._begin = look
from ask_core.edge.cli import main
sys.exit(main(["run", sys.argv[1]]))
"""


def test_nothing_is_imported_before_the_first_prompt_that_it_does_not_need(form: Path, tmp_path: Path) -> None:
    """T9: neither what draws screens nor what only the end needs."""
    with Run(tmp_path, [*python(FIRST_PROMPT), str(form), str(tmp_path / "modules")]) as run:
        run.hear(ONE)
        run.pty.send(CTRL_C)
        assert run.pty.wait() == 130
    modules = set(json.loads((tmp_path / "modules").read_text()))
    assert "ask_render_plain.typed" in modules
    late = {"blessed", "cattrs", "asyncio", "ssl", "curses", "pygments", "importlib.metadata", "ask_core.wire", "ast"}
    assert not late & modules
    assert not any(name.startswith("ask_render_blessed") for name in modules)
