"""The loop on a real pseudo-terminal: every way out, stops and continuations, timing, and threads."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.ptys import Pty, python

PROMPT = "Where do we go?"
FORM = {
    "questions": [
        {
            "id": "place",
            "label": "Place",
            "prompt": PROMPT,
            "options": [{"value": "sea", "label": "The sea"}, {"value": "hills", "label": "The hills"}],
        }
    ]
}
OWN_WORDS = "3"  # opens the editor of the row after the options

ESC, ENTER, CTRL_C, CTRL_Z = "\x1b", "\r", "\x03", "\x1a"


@pytest.fixture
def form(tmp_path: Path) -> Path:
    path = tmp_path / "form.json"
    path.write_text(json.dumps(FORM))
    return path


def ask(form: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "ask_core.edge.cli", "run", str(form), *options]


class Run:
    """The command on a form, asking on a pseudo-terminal and printing into files."""

    def __init__(self, folder: Path, command: list[str], **options: Any) -> None:
        self._out, self._err = folder / "out", folder / "err"
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self.pty = Pty(command, stdout=out, stderr=err, **options)

    @property
    def details(self) -> dict[str, Any]:
        details: dict[str, Any] = json.loads(self._out.read_text())
        return details

    @property
    def stderr(self) -> str:
        return self._err.read_text()


def assert_as_before(pty: Pty) -> None:
    assert b"\x1b[?2004h" in pty.log, "nothing was ever switched on"
    assert pty.left_on() == set()
    assert pty.line() == pty.line_before


@pytest.mark.parametrize(
    ("ending", "code", "outcome"),
    [
        (ENTER + ENTER, 0, "submitted"),
        (CTRL_C, 130, "cancelled"),
        (signal.SIGINT, 130, "aborted"),
        (signal.SIGTERM, 143, "aborted"),
        (signal.SIGHUP, 129, "aborted"),
        (signal.SIGQUIT, 131, "aborted"),
        (signal.SIGUSR1, 138, "aborted"),
        (signal.SIGALRM, 142, "aborted"),
    ],
)
@pytest.mark.parametrize("options", [(), ("--fullscreen",)])
def test_the_terminal_is_as_before_after_every_end(
    form: Path, tmp_path: Path, ending: str | int, code: int, outcome: str, options: tuple[str, ...]
) -> None:
    """Modes are balanced, the line settings equal, the result is printed, the exit code tells the end."""
    run = Run(tmp_path, ask(form, *options))
    with run.pty as pty:
        pty.until(PROMPT)
        if isinstance(ending, str):
            pty.send(ending)
        else:
            pty.signal(ending)
        assert pty.wait() == code
        assert_as_before(pty)
        assert run.details["outcome"] == outcome
        assert run.stderr == ""
        assert PROMPT not in pty.text(), "the area is cleared"
        assert pty.text(), "a transcript is left"
        assert (b"\x1b[?1049h" in pty.log) == bool(options)


LATE = """
import signal, sys
class Interruption:
    def find_spec(self, name, path=None, target=None):
        if name == "cattrs":
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
                signal.raise_signal(number)
sys.meta_path.insert(0, Interruption())
from ask_core.edge.cli import run
run()
"""


@pytest.mark.parametrize(("keys", "code", "outcome"), [(ENTER + ENTER, 0, "submitted"), (CTRL_C, 130, "cancelled")])
def test_signals_after_the_flow_lose_nothing(form: Path, tmp_path: Path, keys: str, code: int, outcome: str) -> None:
    """R4: what comes between the last key and the end of the process changes neither the result nor the exit code."""
    run = Run(tmp_path, [*python(LATE), "run", str(form)])
    with run.pty as pty:
        pty.until(PROMPT)
        pty.send(keys)
        assert pty.wait() == code
        assert_as_before(pty)
    assert run.details["outcome"] == outcome
    assert run.stderr == ""


def test_answers_given_before_a_signal_are_kept(form: Path, tmp_path: Path) -> None:
    """R4: no ending loses what was answered."""
    run = Run(tmp_path, ask(form))
    with run.pty as pty:
        pty.until(PROMPT)
        pty.send(ENTER)
        pty.until("Submit")
        pty.signal(signal.SIGTERM)
        assert pty.wait() == 143
    assert run.details["answers"]["place"]["values"] == ["sea"]
    assert run.details["cancelled"] is True


BROKEN = """
import sys
from ask_render_blessed import BlessedRenderer
from ask_core.edge.cli import main
draw, count = BlessedRenderer.draw, 0
def break_down(self, *arguments):
    global count
    count += 1
    if count > 2:
        raise RuntimeError("out of paint")
    return draw(self, *arguments)
BlessedRenderer.draw = break_down
sys.exit(main(["run", sys.argv[1]]))
"""


def test_an_exception_in_the_renderer_restores_first(form: Path, tmp_path: Path) -> None:
    """The terminal is put back, the answers are printed, the traceback follows, the exit code is 1."""
    run = Run(tmp_path, [*python(BROKEN), str(form)])
    with run.pty as pty:
        pty.until(PROMPT)
        pty.send(ENTER)
        pty.settle()
        pty.send("\x1b[B")
        assert pty.wait() == 1
        assert_as_before(pty)
        assert "Submit" not in pty.text(), "the area is cleared"
    assert "RuntimeError: out of paint" in run.stderr
    assert run.details["outcome"] == "aborted"
    assert run.details["answers"]["place"]["values"] == ["sea"]


def test_a_renderer_that_cannot_even_finish_is_survived(form: Path, tmp_path: Path) -> None:
    """The first fault is the one reported, and the terminal is as before all the same."""
    code = BROKEN.replace("draw, count =", "BlessedRenderer.finish = None\ndraw, count =").replace("count > 2", "True")
    run = Run(tmp_path, [*python(code), str(form)])
    with run.pty as pty:
        assert pty.wait() == 1
        assert_as_before(pty)
    assert run.stderr.rstrip().endswith("RuntimeError: out of paint")
    assert run.details["answers"] == {}


NOHUP = "import signal, os, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"


@pytest.mark.parametrize("wrapper", [[], python(NOHUP)])
def test_a_terminal_that_goes_away_ends_the_flow(form: Path, tmp_path: Path, wrapper: list[str]) -> None:
    """A hang-up, with the signal or without, prints the result and exits like SIGHUP, without a traceback."""
    run = Run(tmp_path, [*wrapper, *ask(form)])
    with run.pty as pty:
        pty.until(PROMPT)
        pty.hang_up()
        assert run.pty.process.wait(10) == 129
    assert run.details["outcome"] == "aborted"
    assert run.stderr == ""


def test_a_stalled_terminal_does_not_keep_us(form: Path, tmp_path: Path) -> None:
    """A line that takes no more output still lets a signal end the flow within moments."""
    run = Run(tmp_path, ask(form))
    with run.pty as pty:
        pty.until(PROMPT)
        termios.tcflow(pty.slave, termios.TCOOFF)
        pty.send("\x1b[B" * 3)
        time.sleep(0.1)
        pty.signal(signal.SIGTERM)
        assert pty.wait(1.5) == 143
        assert pty.line() == pty.line_before
    assert run.details["outcome"] == "aborted"


JOB = """
set -m
{command} >out
echo "stopped with $?"
stty -a >stopped
read -r next
{then}
echo "ended with $?"
"""


def job(folder: Path, form: Path, then: str) -> Pty:
    """A shell with job control that runs the command, and `then` once it has stopped and a line was typed."""
    command = " ".join(ask(form))
    script = JOB.format(command=command, then=then)
    return Pty(["bash", "--norc", "-c", f"cd {folder}; {script}"])


@pytest.mark.parametrize("stop", [CTRL_Z, signal.SIGTSTP])
def test_a_stop_gives_the_terminal_back_and_fg_takes_it_again(form: Path, tmp_path: Path, stop: str | int) -> None:
    """Ctrl-Z and SIGTSTP stop the job with everything restored; continued, it redraws and goes on (T8)."""
    with job(tmp_path, form, "fg") as pty:
        pty.until(PROMPT)
        if isinstance(stop, str):
            pty.send(stop)
        else:
            subprocess.run(["pkill", "-TSTP", "-P", str(pty.process.pid)], check=True)
        pty.until("stopped with 148")
        assert PROMPT not in pty.text(), "the area is cleared"
        pty.settle()
        assert_as_before(pty)
        pty.send("next\n")
        pty.until(PROMPT)
        pty.send(ENTER)
        pty.until("Submit")
        pty.send(ENTER)
        pty.until("ended with 0")
        assert_as_before(pty)
    assert json.loads((tmp_path / "out").read_text())["outcome"] == "submitted"


def test_a_stop_that_nobody_could_continue_is_none(form: Path, tmp_path: Path) -> None:
    """Where no shell controls jobs, Ctrl-Z only draws anew."""
    run = Run(tmp_path, ask(form))
    with run.pty as pty:
        pty.until(PROMPT)
        pty.send(CTRL_Z)
        pty.until(lambda: pty.log.count(b"\x1b[?2004h") == 2)
        pty.until(PROMPT)
        pty.settle()
        pty.send(ENTER)
        pty.until("Submit")
        pty.send(ENTER)
        assert pty.wait() == 0
        assert_as_before(pty)


def test_continued_in_the_background_it_waits_for_the_foreground(form: Path, tmp_path: Path) -> None:
    """`bg` draws nothing, changes no mode and stops as the kernel stops who writes; after `fg` the flow is there."""
    with job(tmp_path, form, 'bg; sleep 0.3; stty -a >background; jobs >jobs; echo "in front: $$"; fg') as pty:
        pty.until(PROMPT)
        pty.send(CTRL_Z)
        pty.until("stopped with 148")
        pty.send("next\n")
        pty.until("in front")
        before, _, _ = pty.log.partition(b"in front")
        assert before.count(b"\x1b[?2004h") == 1
        pty.until(PROMPT)
        pty.send(ENTER + ENTER)
        pty.until("ended with 0")
        assert_as_before(pty)
    assert (tmp_path / "background").read_text() == (tmp_path / "stopped").read_text()
    assert "Stopped" in (tmp_path / "jobs").read_text()


def test_a_stop_without_warning_is_mended_on_continuing(form: Path, tmp_path: Path) -> None:
    """After SIGSTOP and whatever a shell did meanwhile, SIGCONT sets the modes and the screen anew."""
    run = Run(tmp_path, ask(form))
    with run.pty as pty:
        pty.until(PROMPT)
        pty.signal(signal.SIGSTOP)
        termios.tcsetattr(pty.slave, termios.TCSANOW, pty.line_before)
        pty.screen.reset()
        pty.send(ENTER + ENTER + ENTER)  # meant for the shell
        pty.signal(signal.SIGCONT)
        pty.until(PROMPT)
        pty.settle()
        assert PROMPT in pty.text()
        pty.send(ENTER)
        pty.until("Submit")
        pty.send(ENTER)
        assert pty.wait() == 0
        pushes = len(re.findall(rb"\x1b\[>1u", pty.log))
        assert pushes == len(re.findall(rb"\x1b\[<u", pty.log)) == 2
        assert pty.line() == pty.line_before


@pytest.mark.parametrize("options", [(), ("--fullscreen",)])
def test_a_continuation_without_a_stop_leaves_no_copy(form: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    """A stray SIGCONT draws in the same place."""
    with Run(tmp_path, ask(form, *options)).pty as pty:
        pty.until(PROMPT)
        pty.settle()
        before = pty.text()
        for _ in range(2):
            pty.signal(signal.SIGCONT)
            pty.settle()
        assert pty.text() == before
        pty.send(ENTER + ENTER)
        assert pty.wait() == 0
        assert_as_before(pty)


def test_a_paste_with_a_pause_stays_one_text(form: Path, tmp_path: Path) -> None:
    """200 lines with a second of silence in their middle become one answer, and no newline acts as a key (T2)."""
    lines = [f"line {number}" for number in range(200)]
    text = "\r".join(lines)
    run = Run(tmp_path, ask(form))
    with run.pty as pty:
        pty.until(PROMPT)
        pty.send(OWN_WORDS)
        pty.settle()
        pty.send("\x1b[200~" + text[:700])
        time.sleep(1)
        pty.send(text[700:] + "\x1b[201~")
        pty.settle()
        pty.send(ENTER)
        pty.until("Submit")
        pty.send(ENTER)
        assert pty.wait() == 0
    assert run.details["answers"]["place"]["customText"] == "\n".join(lines)


SPLIT = {
    "kitty": ("\x1b[57352;", "1:3u"),
    "colour": ("\x1b]11;rgb:", "1111/2222/3333\x1b\\"),
    "attributes": ("\x1b[?62;", "1;2;22c"),
    "mouse": ("\x1b[<0;1", "2;1M"),
    "status": ("\x1bP1$r", "1m\x1b\\"),
    "paste": ("\x1b[200", "~1 2\x1b[201~"),
    "start of a paste": ("\x1b[", "200~1 2\x1b[201~"),
}


@pytest.mark.parametrize("parts", SPLIT.values(), ids=SPLIT)
def test_the_rest_of_a_sequence_is_no_key_after_a_pause(form: Path, tmp_path: Path, parts: tuple[str, str]) -> None:
    """A slow line may stop in a sequence for longer than a lone Esc waits; its digits choose nothing (T2)."""
    run = Run(tmp_path, ask(form))
    with run.pty as pty:
        pty.until(PROMPT)
        pty.settle()
        pty.send(parts[0])
        time.sleep(0.15)
        pty.send(parts[1])
        pty.settle()
        pty.send("2")
        pty.until("Submit")
        pty.send(ENTER)
        assert pty.wait() == 0
    assert run.details["answers"]["place"]["values"] == ["hills"]


def test_a_paste_whose_start_came_in_parts(form: Path, tmp_path: Path) -> None:
    """Its lines are text and not keys, however long the pause in the mark was."""
    run = Run(tmp_path, ask(form))
    with run.pty as pty:
        pty.until(PROMPT)
        pty.send(OWN_WORDS)
        pty.settle()
        pty.send("\x1b[20")
        time.sleep(1.3)
        pty.send("0~abc\r1\x1b[201~")
        pty.settle()
        pty.send(ENTER)
        pty.until("Submit")
        pty.send(ENTER)
        assert pty.wait() == 0
    assert run.details["answers"]["place"]["customText"] == "abc\n1"


@pytest.mark.parametrize("lost", ["\x1b]52;c;", "\x1b[1;"])
def test_a_sequence_that_never_ends_holds_up_no_key_for_long(form: Path, tmp_path: Path, lost: str) -> None:
    """After a second of silence, Ctrl+C acts."""
    run = Run(tmp_path, ask(form))
    with run.pty as pty:
        pty.until(PROMPT)
        pty.send(lost)
        time.sleep(1.2)
        pty.send(CTRL_C)
        assert pty.wait() == 130


SOON = """
import sys
from ask_core.edge import cli, driver
driver._PASTE_DELAY = 0.3
sys.exit(cli.main(["run", sys.argv[1]]))
"""


@pytest.mark.parametrize("give_up", [CTRL_C, "\x1b[99;5u"])
def test_a_paste_that_never_ends_is_ended_by_ctrl_c(form: Path, tmp_path: Path, give_up: str) -> None:
    """After some silence that one key, by itself, acts; before, and among other text, it belongs to the paste."""
    run = Run(tmp_path, [*python(SOON), str(form)])
    with run.pty as pty:
        pty.until(PROMPT)
        pty.send(OWN_WORDS)
        pty.settle()
        pty.send("\x1b[200~words")
        time.sleep(0.1)
        pty.send(give_up)
        time.sleep(0.4)
        pty.send("x")
        time.sleep(0.4)
        pty.send(give_up)
        pty.until("words")
        pty.send(CTRL_C)
        assert pty.wait() == 130
        assert_as_before(pty)
    assert run.details["outcome"] == "cancelled"


SLOW_START = """
import sys, time
from ask_render_blessed import BlessedRenderer
from ask_core.edge.cli import main
draw = BlessedRenderer.draw
def draw_slowly(self, *arguments):
    time.sleep(0.3)
    BlessedRenderer.draw = draw
    return draw(self, *arguments)
BlessedRenderer.draw = draw_slowly
sys.exit(main(["run", sys.argv[1]]))
"""


@pytest.mark.parametrize("early", [ENTER, CTRL_C, "2\x1b[B", ESC, "\x1b[", "\x1b]52;c;"])
def test_keys_typed_before_the_first_frame_answer_nothing(form: Path, tmp_path: Path, early: str) -> None:
    """R6: nothing answers a question that nobody saw, nor does the rest of what was begun before."""
    run = Run(tmp_path, [*python(SLOW_START), str(form)])
    with run.pty as pty:
        pty.send(ENTER + ENTER)
        pty.until(lambda: b"\x1b[?2004h" in pty.log)
        time.sleep(0.1)
        pty.send(early)
        pty.until(PROMPT)
        # A string may take a second to end.
        pty.settle(1.2 if early.startswith("\x1b]") else 0.1)
        assert "Review" in pty.text()
        assert "Submit" not in pty.text()
        pty.send("2")
        pty.until("Submit")
        pty.send(ENTER)
        assert pty.wait() == 0
    assert run.details["answers"]["place"]["values"] == ["hills"]


def test_a_key_pressed_the_moment_the_first_frame_shows_counts(form: Path, tmp_path: Path) -> None:
    """A robot that answers what it reads is not too early."""
    run = Run(tmp_path, ask(form))
    with run.pty as pty:
        while PROMPT.encode() not in pty.log:
            pty.pump(1)
        pty.send("2")
        pty.until("Submit")
        pty.send(ENTER)
        assert pty.wait() == 0
    assert run.details["answers"]["place"]["values"] == ["hills"]


def test_what_follows_the_last_key_is_dropped(form: Path, tmp_path: Path) -> None:
    """A burst that goes past the end of the flow neither counts nor reaches the shell."""
    run = Run(tmp_path, ask(form))
    with run.pty as pty:
        pty.until(PROMPT)
        pty.send(ENTER + ENTER + "rm -r x" + ENTER + CTRL_C)
        assert pty.wait() == 0
        assert "rm -r" not in pty.text()
    assert run.details["outcome"] == "submitted"


def test_a_lone_escape_is_felt_at_once(form: Path, tmp_path: Path) -> None:
    """Esc closes the editor without a further key; what is between it and its sequence's rest is milliseconds."""
    with Run(tmp_path, ask(form)).pty as pty:
        pty.until(PROMPT)
        pty.send(OWN_WORDS + "words")
        pty.until("words")
        pty.settle()
        size = len(pty.log)
        began = time.monotonic()
        pty.send(ESC)
        pty.until(lambda: len(pty.log) > size)
        assert 0.03 < time.monotonic() - began < 0.5


def test_escdelay_is_honoured(form: Path, tmp_path: Path) -> None:
    """A slow line may have its escape sequences in pieces."""
    with Run(tmp_path, ask(form), environ={"ESCDELAY": "5000"}).pty as pty:
        pty.until(PROMPT)
        before = pty.text()
        pty.send(ESC)
        time.sleep(0.3)
        pty.send("[B")
        pty.until(lambda: pty.text() != before)
        assert pty.process.poll() is None


def test_nothing_is_asked_of_the_terminal_and_nothing_is_waited_for(form: Path, tmp_path: Path) -> None:
    """No query is among the first bytes, so a terminal that never answers starts as fast as any (T1)."""
    with Run(tmp_path, ask(form)).pty as pty:
        pty.until(PROMPT)
        assert time.monotonic() - pty.started < 3
        pty.settle()
        frame, end, rest = pty.log.partition(b"\x1b[?2026l")
        assert not re.search(rb"\x1b\[[?>=]?[0-9;]*[cnq]|\x1b\[\?[0-9;]*\$p|\x1b\[\?u|\x1bP|\x1b\][0-9]+;\?", frame)
        assert (end, rest) == (b"\x1b[?2026l", b"\a\x1b[6n"), "the bell, and for the mouse, behind the frame"


def test_nothing_happens_while_nobody_does_anything(form: Path, tmp_path: Path) -> None:
    """The loop sleeps: no write and no wake-up (T4)."""
    with Run(tmp_path, ask(form)).pty as pty:
        pty.until(PROMPT)
        pty.settle(0.2)
        status = Path(f"/proc/{pty.process.pid}/status")
        if not status.exists():
            pytest.skip("counts wake-ups in /proc")

        def switches() -> list[str]:
            return re.findall(r"ctxt_switches:\s*(\d+)", status.read_text())

        before, log = switches(), pty.log
        time.sleep(0.4)
        pty.pump(0)
        assert switches() == before
        assert pty.log == log


@pytest.mark.parametrize("size", [(40, 15), (140, 40), (60, 10)])
def test_a_resize_redraws(form: Path, tmp_path: Path, size: tuple[int, int]) -> None:
    """The kernel's notice is enough; no key is needed, and what is shown is what a fresh start shows."""
    with Run(tmp_path, ask(form)).pty as pty:
        pty.until(PROMPT)
        pty.settle()
        log = len(pty.log)
        pty.resize(*size)
        pty.until(lambda: PROMPT.encode() in pty.log[log:])
        pty.settle()
        resized = pty.text()
    with Run(tmp_path, ask(form), width=size[0], height=size[1]).pty as pty:
        pty.until(PROMPT)
        pty.settle()
        assert resized.strip() == pty.text().strip()


HOST = """
import json, os, signal, sys
import ask_core as ask
payload = json.load(open(sys.argv[1]))
seen = []
signal.signal(signal.SIGTERM, lambda number, frame: seen.append(number))
handlers = [signal.getsignal(number) for number in range(1, 32)]
reader, writer = os.pipe()
os.set_blocking(writer, False)
signal.set_wakeup_fd(writer)
signal.signal(signal.SIGUSR1, lambda number, frame: None)
handlers[signal.SIGUSR1 - 1] = signal.getsignal(signal.SIGUSR1)
details = ask.ask_user(payload)["details"]
assert handlers == [signal.getsignal(number) for number in range(1, 32)]
assert signal.set_wakeup_fd(-1) == writer
json.dump([details["outcome"], seen, list(os.read(reader, 99))], sys.stdout)
"""


def test_a_host_gets_its_signals_back(form: Path, tmp_path: Path) -> None:
    """The signal that ended the flow reaches the host's handler, others its descriptor, and all handlers are back."""
    run = Run(tmp_path, [*python(HOST), str(form)])
    with run.pty as pty:
        pty.until(PROMPT)
        pty.signal(signal.SIGUSR1)
        time.sleep(0.05)
        pty.signal(signal.SIGTERM)
        assert pty.wait() == 0
        assert_as_before(pty)
    assert json.loads((tmp_path / "out").read_text()) == [
        "aborted",
        [signal.SIGTERM],
        [signal.SIGUSR1, signal.SIGTERM],
    ]


DYING = "import json, sys, ask_core as ask; ask.ask_user(json.load(open(sys.argv[1])))"


@pytest.mark.parametrize("number", [signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM])
def test_a_host_dies_by_its_signal_with_the_terminal_restored(form: Path, tmp_path: Path, number: int) -> None:
    """A signal that nobody handles keeps its effect, once everything is put back."""
    with Run(tmp_path, [*python(DYING), str(form)]).pty as pty:
        pty.until(PROMPT)
        pty.signal(number)
        assert pty.wait() == -number
        assert_as_before(pty)


def test_an_ignored_signal_stays_ignored(form: Path, tmp_path: Path) -> None:
    """What was started with `nohup` is not ended by SIGHUP."""
    run = Run(tmp_path, [*python(NOHUP), *ask(form)])
    with run.pty as pty:
        pty.until(PROMPT)
        pty.signal(signal.SIGHUP)
        pty.send(ENTER)
        pty.until("Submit")
        pty.send(ENTER)
        assert pty.wait() == 0


THREAD = """
import json, sys, threading
import ask_core as ask
payload = json.load(open(sys.argv[1]))
replies = []
thread = threading.Thread(target=lambda: replies.append(ask.ask_user(payload)))
thread.start()
thread.join()
json.dump(replies[0]["details"], sys.stdout)
"""


def test_a_flow_in_another_thread(form: Path, tmp_path: Path) -> None:
    """ask_user works in any thread, and follows a resize with the next key."""
    run = Run(tmp_path, [*python(THREAD), str(form)])
    with run.pty as pty:
        pty.until(PROMPT)
        pty.resize(50, 20)
        pty.send(ENTER)
        pty.until("Submit")
        pty.send(ENTER)
        assert pty.wait() == 0
        assert_as_before(pty)
    assert run.details["outcome"] == "submitted"


ASYNC = """
import asyncio, json, sys
import ask_core as ask
payload = json.load(open(sys.argv[1]))
async def main():
    task = asyncio.create_task(ask.ask_user_async(payload))
    asyncio.get_running_loop().add_signal_handler(10, task.cancel)
    try:
        details = (await task)["details"]
    except asyncio.CancelledError:
        details = {"outcome": "CancelledError"}
    json.dump(details, sys.stdout)
asyncio.run(main())
"""


def test_a_flow_beside_an_event_loop(form: Path, tmp_path: Path) -> None:
    """ask_user_async gives the same reply, and follows a resize at once where the host leaves that to it."""
    run = Run(tmp_path, [*python(ASYNC), str(form)])
    with run.pty as pty:
        pty.until(PROMPT)
        pty.settle()
        log = len(pty.log)
        pty.resize(50, 20)
        pty.until(lambda: PROMPT.encode() in pty.log[log:])
        pty.send(ENTER)
        pty.until("Submit")
        pty.send(ENTER)
        assert pty.wait() == 0
        assert_as_before(pty)
    assert run.details["outcome"] == "submitted"


def test_cancelling_the_task_restores_the_terminal(form: Path, tmp_path: Path) -> None:
    """The flow ends, the terminal is as before, and CancelledError goes on."""
    run = Run(tmp_path, [*python(ASYNC), str(form)])
    with run.pty as pty:
        pty.until(PROMPT)
        pty.signal(signal.SIGUSR1)
        assert pty.wait() == 0
        assert_as_before(pty)
    assert run.details == {"outcome": "CancelledError"}
    assert run.stderr == ""


TWO_THREADS = """
import json, sys, threading
import ask_core as ask
payload = json.load(open(sys.argv[1]))
replies = [None, None]
def work(number):
    replies[number] = ask.ask_user({**payload, "title": f"Flow {number}"})["details"]["outcome"]
threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
threads[0].start()
threading.Event().wait(0.3)
threads[1].start()
for thread in threads:
    thread.join()
json.dump(replies, sys.stdout)
"""

TWO_TASKS = """
import asyncio, json, sys
import ask_core as ask
payload = json.load(open(sys.argv[1]))
async def main():
    flows = [ask.ask_user_async({**payload, "title": f"Flow {number}"}) for number in range(2)]
    json.dump([reply["details"]["outcome"] for reply in await asyncio.gather(*flows)], sys.stdout)
asyncio.run(main())
"""


@pytest.mark.parametrize("code", [TWO_THREADS, TWO_TASKS], ids=["threads", "tasks"])
def test_a_second_flow_waits_for_the_first(form: Path, tmp_path: Path, code: str) -> None:
    """R11: one at a time, in the order of the calls; the line is as before at the end."""
    run = Run(tmp_path, [*python(code), str(form)])
    with run.pty as pty:
        for number in range(2):
            pty.until(f"Flow {number}")
            pty.settle(0.4)
            assert (b"Flow 1" in pty.log) == bool(number)
            pty.send(ENTER if number else CTRL_C)
        pty.until("Submit")
        pty.send(ENTER)
        assert pty.wait() == 0
        assert_as_before(pty)
    assert json.loads((tmp_path / "out").read_text()) == ["cancelled", "submitted"]


WAITING = """
import asyncio, json, sys
import ask_core as ask
payload = json.load(open(sys.argv[1]))
async def main():
    first = asyncio.create_task(ask.ask_user_async(payload))
    others = {asyncio.create_task(ask.ask_user_async({**payload, "title": "Second"})) for _ in range(40)}
    await asyncio.sleep(0.4)
    for task in others:
        task.cancel()
    await asyncio.wait(others, timeout=2)
    print(all(task.cancelled() for task in others), first.done(), file=sys.stderr, flush=True)
    json.dump((await first)["details"], sys.stdout)
asyncio.run(main())
"""


def test_flows_that_wait_can_be_given_up(form: Path, tmp_path: Path) -> None:
    """However many there are, cancelling goes through at once; they never show, and the first is not disturbed."""
    run = Run(tmp_path, [*python(WAITING), str(form)])
    with run.pty as pty:
        pty.until(PROMPT)
        pty.until(lambda: bool(run.stderr))
        pty.send(ENTER + ENTER)
        assert pty.wait() == 0
        assert_as_before(pty)
        assert b"Second" not in pty.log
    assert run.stderr == "True False\n"
    assert run.details["outcome"] == "submitted"


AGAIN = """
import json, sys
import ask_core as ask
from ask_render_blessed import BlessedRenderer
payload = json.load(open(sys.argv[1]))
draw = BlessedRenderer.draw
def ask_again(self, *arguments):
    BlessedRenderer.draw = draw
    print(ask.ask_user(payload)["details"]["reason"], file=sys.stderr, flush=True)
    return draw(self, *arguments)
BlessedRenderer.draw = ask_again
json.dump(ask.ask_user(payload)["details"], sys.stdout)
"""


def test_a_flow_inside_a_flow_does_not_wait_for_itself(form: Path, tmp_path: Path) -> None:
    """What runs in the middle of a flow cannot ask; it is told so and everything goes on."""
    run = Run(tmp_path, [*python(AGAIN), str(form)])
    with run.pty as pty:
        pty.until(PROMPT)
        pty.send(CTRL_C)
        assert pty.wait() == 0
    assert run.stderr == "this thread is asking already\n"
    assert run.details["outcome"] == "cancelled"


FIRST_PAINT = """
import json, sys
from ask_render_blessed import BlessedRenderer
from ask_core.edge.cli import main
draw = BlessedRenderer.draw
def look(self, *arguments):
    print(json.dumps(sorted(sys.modules)), file=sys.stderr, flush=True)
    BlessedRenderer.draw = draw
    return draw(self, *arguments)
BlessedRenderer.draw = look
main(["run", sys.argv[1]])
"""


COMMAND_FIRST_PAINT = """
import json, sys
import ask_command, ask_command.late
install = ask_command.late.install
def hooked():
    install()
    from ask_render_blessed import BlessedRenderer
    draw = BlessedRenderer.draw
    def look(self, *arguments):
        print(json.dumps(sorted(sys.modules)), file=sys.stderr, flush=True)
        BlessedRenderer.draw = draw
        return draw(self, *arguments)
    BlessedRenderer.draw = look
ask_command.late.install = hooked
ask_command.run()
"""


def test_the_command_leaves_out_what_blessed_imports_and_nobody_uses(form: Path, tmp_path: Path) -> None:
    """In a process of its own asyncio is there by name only, and the form is answered all the same."""
    run = Run(tmp_path, [*python(COMMAND_FIRST_PAINT), "run", str(form)])
    with run.pty as pty:
        pty.until(PROMPT)
        pty.resize(60, 20)
        pty.until(PROMPT)
        pty.send(ENTER)
        pty.until("Submit")
        pty.send(ENTER)
        assert pty.wait() == 0
    modules = set(json.loads(run.stderr))
    assert "blessed" in modules
    assert not {"asyncio.events", "ssl"} & modules


@pytest.mark.parametrize(
    "program",
    [
        """
        import asyncio, unittest.mock
        assert "asyncio.events" not in sys.modules
        async def answer(): return 42
        assert asyncio.run(answer()) == 42
        assert unittest.mock.Mock(return_value=1)() == 1
        """,
        """
        import attrs, inspect
        import inspect
        assert "ast" not in sys.modules, "imported twice"
        assert inspect.getsource(attrs.validators.instance_of).startswith("def instance_of")
        assert type(sys.modules["inspect"]) is type(sys)
        assert "unwrap" in dir(inspect)
        """,
        """
        import asyncio
        from asyncio.exceptions import CancelledError
        assert asyncio.CancelledError is CancelledError, "nothing is loaded twice"
        import asyncio.events
        assert asyncio.run and asyncio.__path__ and asyncio.events.__spec__.origin.endswith("events.py")
        """,
        """
        from inspect import signature
        assert list(signature(lambda one, two: None).parameters) == ["one", "two"]
        """,
        """
        import inspect
        try:
            inspect.nothing
        except AttributeError as error:
            assert str(error) == "module 'inspect' has no attribute 'nothing'"
        else:
            raise AssertionError
        """,
        """
        import inspect
        def mine(): pass
        inspect.signature = mine
        assert inspect.signature is mine and sys.modules["inspect"].signature is mine
        del inspect.signature
        assert not hasattr(inspect, "signature")
        """,
        """
        import importlib.resources, pkgutil, runpy, asyncio
        assert pkgutil.get_data("asyncio", "__init__.py")
        assert importlib.resources.files("asyncio").joinpath("__init__.py").is_file()
        assert runpy.run_module("inspect")["unwrap"]
        """,
        """
        import inspect, threading
        found = []
        def look(): found.append(inspect.unwrap)
        threads = [threading.Thread(target=look) for _ in range(20)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert found == [inspect.unwrap] * 20, "whoever comes second waits"
        """,
    ],
)
def test_what_comes_late_comes_when_it_is_used(program: str) -> None:
    """A module that was left out works as ever once something of it is wanted, and is an ordinary one then."""
    code = f"import ask_command.late as late, sys; late.install(); sys.setswitchinterval(1e-6)\n{dedent(program)}"
    done = subprocess.run(python(code), capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert (done.stderr, done.returncode) == ("", 0)


def test_nothing_is_imported_before_the_first_frame_that_it_does_not_need(form: Path, tmp_path: Path) -> None:
    """T9: what only the end needs comes at the end."""
    run = Run(tmp_path, [*python(FIRST_PAINT), str(form)])
    with run.pty as pty:
        pty.until(PROMPT)
    modules = set(json.loads(run.stderr))
    late = {"cattrs", "importlib.metadata", "platformdirs", "ask_core.wire", "ask_core.edge.demo"}
    late |= {"ask_core.tools", "ask_core.guidance", "ask_core.dialects.compact", "ask_core.dialects.bounded"}
    assert not late & modules
