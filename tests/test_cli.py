"""The command: what it reads, what it prints, and its exit codes."""

from __future__ import annotations

import contextlib
import io
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ask_core as ask
from ask_core.edge.cli import main
from ask_core.edge.demo import FORM
from tests.ptys import ROOT, Pty, python

COMMAND = [sys.executable, "-m", "ask_core.edge.cli"]

READER = (
    "import json, sys; details = json.load(sys.stdin); "
    'print(details["outcome"] + ":", details["answers"]["place"]["values"])'
)

Printed = pytest.CaptureFixture[bytes]


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests in this process must not find the terminal that pytest runs in."""
    monkeypatch.setenv("ASK_TTY", "/dev/null")
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def form(tmp_path: Path) -> Path:
    return write(tmp_path, FORM)


def write(folder: Path, payload: object) -> Path:
    path = folder / "form.json"
    path.write_text(json.dumps(payload))
    return path


def printed(capsysbinary: Printed) -> Any:
    return json.loads(capsysbinary.readouterr().out)


def test_the_demo_form_is_valid() -> None:
    """`ask demo` shows every kind of question."""
    form = ask.load_form(FORM)
    assert {question.type for question in form.questions} == {"single", "multi", "preview"}


def test_the_demo_takes_no_form(capsysbinary: Printed) -> None:
    """`ask demo` brings its own."""
    assert main(["demo"]) == 3
    assert printed(capsysbinary)["title"] == FORM["title"]


def test_the_command_loads_nothing_that_only_a_flow_needs() -> None:
    """T9: neither a renderer nor asyncio nor cattrs is there before it is used."""
    code = "import sys, ask_core.edge.cli, ask_core.edge.driver; print(*sys.modules, sep='\\n')"
    done = subprocess.run(python(code), capture_output=True, text=True, cwd=ROOT, check=True)
    late = {"asyncio", "blessed", "cattrs", "importlib.metadata", "socket", "ask_render_blessed", "ask_core.edge.demo"}
    assert not late & set(done.stdout.split())


def test_without_a_terminal_the_questions_are_printed(form: Path, capsysbinary: Printed) -> None:
    """Exit 3; the result says no_screen and holds the questions, the text holds the options too."""
    assert main(["run", str(form), "--format", "reply"]) == 3
    reply = printed(capsysbinary)
    assert reply["details"]["outcome"] == "no_screen"
    assert reply["details"]["cancelled"] is True
    assert [question["id"] for question in reply["details"]["questions"]] == ["place", "food", "route", "start"]
    assert "Needs user input" in reply["content"][0]["text"]
    assert "Soup in a flask" in reply["content"][0]["text"]


def test_a_session_without_a_terminal_is_told_at_once(form: Path, tmp_path: Path) -> None:
    """`setsid ask run form.json </dev/null` ends by itself, exit 3, with nothing on standard error."""
    began = time.monotonic()
    done = subprocess.run(
        [*COMMAND, "run", str(form)],
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=ROOT,
        env={"TERM": "xterm"},
        timeout=10,
        check=False,
    )
    assert time.monotonic() - began < 3
    assert done.returncode == 3
    assert done.stderr.startswith(b"Needs user input")
    assert json.loads(done.stdout)["outcome"] == "no_screen"


def test_an_invalid_payload_is_a_result_with_its_issues(tmp_path: Path, capsysbinary: Printed) -> None:
    """Exit 2; the JSON carries every issue."""
    assert main(["run", str(write(tmp_path, {"questions": [{"id": "", "prompt": 1}]}))]) == 2
    details = printed(capsysbinary)
    assert details["outcome"] == "invalid_input"
    assert (details["cancelled"], details["mode"], details["questions"], details["answers"]) == (True, "submit", [], {})
    assert details["error"]["kind"] == "invalid_input"
    assert len(details["error"]["issues"]) == 3


@pytest.mark.parametrize("text", [b"{", b"", b"\xff\xfe\xfd", b"[" * 100_000, b"1" * 10_000])
def test_what_is_no_json_is_a_result_too(text: bytes, tmp_path: Path, capsysbinary: Printed) -> None:
    """Exit 2, one issue at the root, and a message."""
    path = tmp_path / "form.json"
    path.write_bytes(text)
    assert main(["run", str(path)]) == 2
    out, err = capsysbinary.readouterr()
    (issue,) = json.loads(out)["error"]["issues"]
    assert issue["path"] == "payload"
    assert issue["message"].startswith(("not valid", "nested"))
    assert err.decode() == f"ask: {path}: {issue['message']}\n", "it is said once"


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_cannot_be_read_is_bad_usage(name: str, tmp_path: Path, capsysbinary: Printed) -> None:
    """Exit 2 with a message and without a result."""
    assert main(["run", str(tmp_path / name)]) == 2
    out, err = capsysbinary.readouterr()
    assert out == b""
    assert err.startswith(b"ask: cannot read ")


@pytest.mark.parametrize("arguments", [["run", "\x1b]52;c;eA==\x07"], ["run", "form", "--\x1b[31m"]])
def test_what_it_complains_about_is_made_visible(arguments: list[str], capsysbinary: Printed) -> None:
    """T10: no control character of an argument reaches the terminal through standard error."""
    with contextlib.suppress(SystemExit):
        assert main(arguments) == 2
    err = capsysbinary.readouterr().err
    assert b"^[" in err
    assert b"\x1b" not in err


def test_paths_may_be_bytes_but_nothing_else(form: Path) -> None:
    """A path of a wrong type is misuse, said before anything is opened; the reason names a path as a person would."""
    payload = json.loads(form.read_text())
    assert ask.ask_user(payload, tty=b"/dev/null")["details"]["reason"] == "/dev/null: not a terminal"
    for wrong in ({"tty": 5}, {"cwd": object()}):
        (name,) = wrong
        with pytest.raises(TypeError, match=f"{name} must be a path, not (int|object)"):
            ask.ask_user(payload, **wrong)


# Signals this process when it comes to load a module; the rest of the arguments are the command's.
INTERRUPTED = """
import signal, sys
_, module, number, *sys.argv[1:] = sys.argv
class Interruption:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            signal.raise_signal(int(number))
sys.meta_path.insert(0, Interruption())
import ask_command
ask_command.run()
"""


def interrupted(module: str, number: int, form: Path) -> subprocess.CompletedProcess[bytes]:
    command = [*python(INTERRUPTED), module, str(int(number)), "run", str(form), "--tty", "/dev/null"]
    environ = {"TERM": "xterm", "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, capture_output=True, cwd=ROOT, env=environ, timeout=10)


@pytest.mark.parametrize("module", ["ask_core", "ask_core.questions", "ask_core.dialects"])
def test_an_interrupt_while_it_is_loading_is_no_traceback(module: str, form: Path) -> None:
    """Ctrl+C before the form is read ends the command at once, exit 130, and nothing is printed."""
    done = interrupted(module, signal.SIGINT, form)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1])
def test_a_signal_does_not_lose_the_result(number: int, form: Path) -> None:
    """One that comes while the JSON is made is too late to change anything."""
    done = interrupted("cattrs", number, form)
    assert done.returncode == 3
    assert json.loads(done.stdout)["outcome"] == "no_screen"


@contextlib.contextmanager
def slowly_read(command: list[str], folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The command on a form with a long result, printing to a pipe that does not block; and the other end of it."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    form = write(folder, {**FORM, "title": "long " * 40_000})
    command = [*command, "run", str(form), "--tty", "/dev/null"]
    environ = {"TERM": "xterm"}
    with subprocess.Popen(command, stdout=writer, stderr=subprocess.DEVNULL, cwd=ROOT, env=environ) as process:
        os.close(writer)
        select.select([reader], [], [], 10)
        yield process, reader
    os.close(reader)


def test_a_standard_output_that_does_not_block_takes_all_of_it(tmp_path: Path) -> None:
    """A long result waits for its reader."""
    with slowly_read(COMMAND, tmp_path) as (process, reader):
        time.sleep(0.1)
        with open(reader, "rb", closefd=False) as file:
            details = json.load(file)
        assert process.wait(5) == 3
    assert len(details["title"]) > 190_000


UNREAD = "from ask_core.edge import cli; cli._PATIENCE = 0.1; cli.run()"


def test_a_signal_ends_the_wait_for_a_reader_that_takes_nothing(tmp_path: Path) -> None:
    """The command can be ended at any time; without a reader that is as if by the signal."""
    with slowly_read(python(UNREAD), tmp_path) as (process, _):
        process.terminate()
        assert process.wait(5) == 143


@pytest.mark.parametrize("arguments", [[], ["run"], ["fly"], ["run", "f", "--dialect", "x"], ["demo", "--format", "x"]])
def test_bad_usage_exits_with_2(arguments: list[str], capsysbinary: Printed) -> None:
    """argparse's own messages on standard error, nothing on standard output."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert capsysbinary.readouterr().out == b""


def test_version(capsysbinary: Printed) -> None:
    """`ask --version` says the package's version."""
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsysbinary.readouterr().out.decode() == f"ask {ask.__version__}\n"


def test_the_form_can_come_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsysbinary: Printed) -> None:
    """`ask run -` reads all of it, with a byte order mark or without."""
    text = b"\xef\xbb\xbf" + json.dumps(FORM).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["run", "-"]) == 3
    assert printed(capsysbinary)["title"] == FORM["title"]


def test_a_closed_standard_input_is_bad_usage(monkeypatch: pytest.MonkeyPatch, capsysbinary: Printed) -> None:
    """`ask run - <&-` says so."""
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["run", "-"]) == 2
    assert b"standard input is closed" in capsysbinary.readouterr().err


def test_text_is_printed_as_it_is(form: Path, capsysbinary: Printed) -> None:
    """`--format text` is the text for the model and nothing else."""
    assert main(["run", str(form), "--format", "text"]) == 3
    text = capsysbinary.readouterr().out.decode()
    assert text.startswith("Needs user input")
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_letters_stay_letters_and_half_characters_stay_json(tmp_path: Path, capsysbinary: Printed) -> None:
    """Nothing is escaped that need not be; a lone surrogate comes out as the escape it came in as."""
    path = tmp_path / "form.json"
    option = {"value": "a", "label": "a"}
    path.write_text(json.dumps({"title": "é \ud800", "questions": [{"id": "a", "prompt": "a", "options": [option]}]}))
    assert main(["run", str(path)]) == 3
    out = capsysbinary.readouterr().out
    assert "é \\ud800".encode() in out
    assert json.loads(out)["title"] == "é \ud800"


def test_a_reader_that_has_gone_is_no_traceback(form: Path) -> None:
    """Standard output closed early leaves the exit code of the flow, and silence."""
    command = f"{' '.join(COMMAND)} run {form} 2>err | true; echo ${{PIPESTATUS[0]}}; cat err"
    done = subprocess.run(
        ["bash", "-c", f"cd {form.parent}; {command}"],
        start_new_session=True,
        capture_output=True,
        text=True,
        env={"TERM": "xterm", "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
        timeout=10,
        check=False,
    )
    assert done.stdout.startswith("3\nNeeds user input")
    assert "Traceback" not in done.stdout


def test_a_closed_standard_output_is_no_traceback(form: Path) -> None:
    """`>&-` is bad luck for the result only."""
    done = subprocess.run(
        ["sh", "-c", f"exec {' '.join(COMMAND)} run {form} >&-"],
        start_new_session=True,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={"TERM": "xterm", "PATH": "/usr/bin:/bin"},
        timeout=10,
        check=False,
    )
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr


def test_questions_through_a_pipe_and_answers_through_another(form: Path) -> None:
    """`ask run - | reader` asks on the terminal while neither standard input nor output is one (T7)."""
    command = f"cat {form} | {' '.join(COMMAND)} run - | {sys.executable} -c '{READER}'"
    with Pty(["bash", "-c", command]) as pty:
        pty.until("Where do we go?")
        pty.send("\x1b[B\r")
        pty.until("What do we take along?")
        pty.send("\x03")
        pty.settle()
        pty.send("\x03")
        pty.until("cancelled: ['mountains']")
        assert pty.left_on() == set()
        assert pty.line() == pty.line_before


def test_another_terminal_can_be_named(form: Path) -> None:
    """`--tty` asks there, also where the command itself has no terminal; the terminal here stays untouched."""
    with Pty(["sleep", "20"]) as there:
        name = Path(f"/proc/{there.process.pid}/fd/0").readlink()
        with subprocess.Popen(
            [*COMMAND, "run", str(form), "--tty", str(name)],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={"TERM": "xterm-256color"},
        ) as process:
            there.until("Where do we go?")
            there.send("\x03")
            there.until(lambda: process.poll() is not None)
            assert process.returncode == 130
            assert there.left_on() == set()
            assert there.line() == there.line_before


def test_what_a_person_reads_on_the_terminal_is_made_visible(tmp_path: Path) -> None:
    """A result that is printed to a terminal holds no character that the terminal acts on (T10); a file gets it all."""
    payload = {
        "questions": [{"id": "q", "prompt": "?", "options": [{"value": "v\u202e", "label": "x\x1b]2;owned\x07"}]}]
    }
    form = tmp_path / "form.json"
    form.write_text(json.dumps(payload))
    for shape in ("text", "details"):
        with Pty([*COMMAND, "run", str(form), "--format", shape], width=80, height=24) as pty:
            pty.until("own answer")
            pty.send("1")
            pty.until("Submit")
            pty.send("\r")
            assert pty.wait() == 0
            said = bytes(pty.log)
        assert b"\x1b]2" not in said
        assert "\u202e".encode() not in said
