"""`--output FILE`: the result is there whole or not at all, or it is printed after all."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ask_core.edge.cli import main
from tests.ptys import ROOT, Pty, python

COMMAND = [sys.executable, "-m", "ask_core.edge.cli", "run"]

PROMPT = "Where do we go?"
FORM: dict[str, Any] = {
    "title": "Aufbruch 🌄",
    "questions": [
        {
            "id": "place",
            "label": "Place",
            "prompt": PROMPT,
            "options": [{"value": "sea", "label": "The sea"}, {"value": "hills", "label": "The hills"}],
        }
    ],
}
SUBMIT = ("--keys", "2 enter")
ENTER, CTRL_C = "\r", "\x03"
OLD = b"what was there before\n"
LONGEST_NAME = 255
# Bytes; less than any result has.
LIMIT = 64

Printed = pytest.CaptureFixture[bytes]


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests in this process must not find the terminal that pytest runs in."""
    monkeypatch.setenv("ASK_TTY", "/dev/null")
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def form(tmp_path: Path) -> str:
    path = tmp_path / "form.json"
    path.write_text(json.dumps(FORM))
    return str(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for the result, with nothing in it."""
    folder = tmp_path / "results"
    folder.mkdir()
    return folder


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, start_new_session=True, cwd=ROOT, timeout=20, **options
    )


def submitted(result: bytes) -> bool:
    details = json.loads(result)
    given: list[str] = details["answers"]["place"]["values"]
    return details["outcome"] == "submitted" and given == ["hills"]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("shape", ["details", "reply", "text"])
def test_the_file_gets_what_would_be_printed(form: str, folder: Path, shape: str, capsysbinary: Printed) -> None:
    """Byte for byte, in each format; nothing is printed, and nothing else is left in the folder."""
    assert main(["run", form, *SUBMIT, "--format", shape]) == 0
    printed, _ = capsysbinary.readouterr()
    assert main(["run", form, *SUBMIT, "--format", shape, "--output", str(folder / "out")]) == 0
    assert capsysbinary.readouterr() == (b"", b"")
    assert (folder / "out").read_bytes() == printed
    assert names_in(folder) == ["out"]


@pytest.mark.parametrize(
    ("payload", "keys", "code", "outcome"),
    [
        (json.dumps(FORM), "ctrl+c", 130, "cancelled"),
        (json.dumps(FORM), "2", 2, "aborted"),
        (json.dumps(FORM), None, 3, "no_screen"),
        ('{"questions": []}', None, 2, "invalid_input"),
        ("{", None, 2, "invalid_input"),
    ],
)
def test_every_ending_is_written(
    form: str, folder: Path, payload: str, keys: str | None, code: int, outcome: str, capsysbinary: Printed
) -> None:
    """The exit code is as ever, and standard error says why there is no answer, whatever the format."""
    Path(form).write_text(payload)
    options = [] if keys is None else ["--keys", keys]
    for shape in ("details", "reply"):
        assert main(["run", form, *options, "--format", shape, "--output", str(folder / "out")]) == code
        out, err = capsysbinary.readouterr()
        assert out == b""
        assert bool(err) == (code != 130)
        value = json.loads((folder / "out").read_bytes())
        assert value.get("details", value)["outcome"] == outcome


def test_answers_from_a_file_are_written_too(form: str, folder: Path, tmp_path: Path, capsysbinary: Printed) -> None:
    """Also the result that lists what does not fit."""
    answers = tmp_path / "answers.json"
    for given, code in (({"place": "hills"}, 0), ({"place": "moon"}, 2)):
        answers.write_text(json.dumps(given))
        assert main(["run", form, "--answers", str(answers), "--output", str(folder / "out")]) == code
        out, err = capsysbinary.readouterr()
        assert (out, b"answers.place.values[0]" in err) == (b"", bool(code))
        assert ("error" in json.loads((folder / "out").read_bytes())) == bool(code)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755])
def test_a_file_that_is_there_keeps_its_rights(form: str, folder: Path, mode: int) -> None:
    """Whatever the umask says; and who has the old one open reads the old one to its end."""
    path = folder / "out"
    path.write_bytes(OLD)
    path.chmod(mode)
    with path.open("rb") as file:
        assert file.read(4) == OLD[:4]
        assert run(form, *SUBMIT, "--output", str(path), umask=0o077).returncode == 0
        assert file.read() == OLD[4:]
    assert submitted(path.read_bytes())
    assert mode_of(path) == mode
    assert names_in(folder) == ["out"]


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o027, 0o640), (0o077, 0o600), (0, 0o666)])
def test_a_new_file_gets_the_rights_that_the_umask_leaves(form: str, folder: Path, umask: int, mode: int) -> None:
    """As if the shell had made it."""
    assert run(form, *SUBMIT, "--output", str(folder / "out"), umask=umask).returncode == 0
    assert mode_of(folder / "out") == mode


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("way", ["absolute", "relative", "over another link"])
def test_a_link_stays_a_link(
    form: str, folder: Path, tmp_path: Path, there: bool, way: str, capsysbinary: Printed
) -> None:
    """What it leads to is written in its own folder, whether or not it is there already."""
    elsewhere, link = tmp_path / "elsewhere", folder / "out"
    elsewhere.mkdir()
    target = elsewhere / "real"
    if there:
        target.write_bytes(OLD)
        target.chmod(0o604)
    if way == "over another link":
        (folder / "between").symlink_to(target)
        link.symlink_to("between")
    else:
        link.symlink_to(target if way == "absolute" else "../elsewhere/real")
    before = link.readlink()
    assert main(["run", form, *SUBMIT, "--output", str(link)]) == 0
    assert link.is_symlink()
    assert link.readlink() == before
    assert submitted(target.read_bytes())
    assert not there or mode_of(target) == 0o604
    assert names_in(elsewhere) == ["real"]


def test_a_file_in_the_working_folder_needs_no_path(form: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bare name, one with dots in it, and one as long as names can be."""
    monkeypatch.chdir(folder)
    for name in ("out", ".hidden", "a b.json", "é" * (LONGEST_NAME // 2), "x" * LONGEST_NAME):
        assert main(["run", form, *SUBMIT, "--output", name]) == 0
        assert names_in(folder) == [name]
        assert submitted((folder / name).read_bytes())
        (folder / name).unlink()


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))


@pytest.mark.parametrize(("keys", "code"), [("2 enter", 1), ("ctrl+c", 130)])
@pytest.mark.parametrize("there", [True, False])
def test_a_write_that_fails_half_way_loses_nothing(form: str, folder: Path, keys: str, code: int, there: bool) -> None:
    """The old file stays as it was, nothing else is left, and the result is printed with a word about it."""
    path = folder / "out"
    if there:
        path.write_bytes(OLD)
        path.chmod(0o640)
    done = run(form, "--keys", keys, "--output", str(path), preexec_fn=_limited)
    assert done.returncode == code
    assert json.loads(done.stdout)["title"] == FORM["title"]
    assert len(done.stdout) > LIMIT
    assert done.stderr == f"ask: cannot write the result: {os.strerror(errno.EFBIG)}; here it is\n".encode()
    assert names_in(folder) == (["out"] if there else [])
    assert not there or (path.read_bytes(), mode_of(path)) == (OLD, 0o640)


def test_a_place_that_is_taken_meanwhile_loses_nothing(
    form: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: Printed
) -> None:
    """A folder that was not there when the form was asked is told by name, and the result is printed."""
    path = folder / "out"
    monkeypatch.setattr("ask_core.edge.files.why_not_writable", lambda path: None)
    path.mkdir()
    assert main(["run", form, *SUBMIT, "--output", str(path)]) == 1
    out, err = capsysbinary.readouterr()
    assert submitted(out)
    assert err == f"ask: cannot write the result: {path}: Is a directory; here it is\n".encode()
    assert names_in(folder) == ["out"]


NOWHERE = {
    "missing/out": "there is no such folder",
    "missing/": "it is a folder",
    "there": "it is a folder",
    ".": "it is a folder",
    "": "it is a folder",
    "link": "it is a folder",
    "form.json/out": "Not a directory",
    "form.json/": "Not a directory",
    "astray": "there is no such folder",
    "loop": "Too many levels of symbolic links",
    "x" * (LONGEST_NAME + 1): "File name too long",
}


@pytest.fixture
def nowhere(tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there")
    (tmp_path / "astray").symlink_to("missing/out")
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("name", "why"), NOWHERE.items(), ids=[name[:20] or "nothing" for name in NOWHERE])
@pytest.mark.parametrize("options", [(), SUBMIT, ("--answers", "-")], ids=["asked", "keys", "answers"])
def test_a_place_that_cannot_be_is_refused(
    nowhere: None,
    name: str,
    why: str,
    options: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: Printed,
    tmp_path: Path,
) -> None:
    """Exit 2 with one line, before the form or its answers are read, and nothing is made."""
    before = names_in(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    form = "form.json" if "--answers" in options else "-"
    assert main(["run", form, *options, "--output", name]) == 2
    assert capsysbinary.readouterr() == (b"", f"ask: cannot write {name or repr('')}: {why}\n".encode())
    assert names_in(tmp_path) == before


@pytest.mark.parametrize("name", ["missing/out", "there"])
def test_nobody_answers_for_nothing(nowhere: None, name: str, tmp_path: Path) -> None:
    """On a terminal nothing is shown either; the refusal is all there is to see."""
    with Pty([*COMMAND, "form.json", "--output", name]) as pty:
        assert pty.wait() == 2
        assert pty.log.startswith(f"ask: cannot write {name}: ".encode())
        assert pty.log.count(b"\n") == 1
        assert pty.line() == pty.line_before


# The rights of root know no bounds. Another user need not find what is imported late, so all of it is used before.
ORDINARY = """
import os, sys
from ask_core.edge.cli import main
main(["run", "-", "--output", ""])
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
sys.exit(main(["run", "-", "--output", sys.argv[1]]))
"""


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user can get to."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder
        folder.chmod(0o700)


def refusal(path: Path) -> str:
    """What somebody without special rights is told, who gets no result."""
    done = subprocess.run([*python(ORDINARY), str(path)], capture_output=True, cwd=ROOT, timeout=20)
    assert (done.returncode, done.stdout) == (2, b"")
    return done.stderr.decode().splitlines()[-1]


def test_a_folder_that_may_not_be_written_to_is_refused(public: Path) -> None:
    """Also where the file itself could be: it would not be whole at every moment."""
    path = public / "out"
    path.write_bytes(OLD)
    path.chmod(0o666)
    public.chmod(0o555)
    assert refusal(path) == f"ask: cannot write {path}: its folder may not be written to"
    assert path.read_bytes() == OLD


def test_a_folder_that_may_not_be_entered_is_refused(public: Path) -> None:
    """Without a traceback, although nothing can be known about what is in it."""
    (public / "closed").mkdir(0o700)
    (public / "closed").chmod(0)
    path = public / "closed" / "out"
    assert refusal(path) == f"ask: cannot write {path}: Permission denied"


def test_a_pipe_that_may_not_be_written_to_is_refused(public: Path) -> None:
    """Rights are looked at before anything is asked there, too."""
    path = public / "pipe"
    os.mkfifo(path, 0o444)
    assert refusal(path) == f"ask: cannot write {path}: it may not be written to"


def test_the_null_device_takes_it_and_stays_a_device(form: str) -> None:
    """Only the exit code tells how it ended then."""
    done = run(form, *SUBMIT, "--output", os.devnull)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_device_that_is_full_loses_nothing(form: str, capsysbinary: Printed) -> None:
    """The result is printed with a word about it, exit 1."""
    assert main(["run", form, *SUBMIT, "--output", "/dev/full"]) == 1
    out, err = capsysbinary.readouterr()
    assert submitted(out)
    assert err == b"ask: cannot write the result: No space left on device; here it is\n"


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs standard output under a name")
@pytest.mark.parametrize("shape", ["details", "text"])
def test_standard_output_by_its_name(form: str, tmp_path: Path, shape: str) -> None:
    """`--output /dev/stdout` prints what is printed anyway, into a pipe and into a file."""
    printed = run(form, *SUBMIT, "--format", shape).stdout
    assert run(form, *SUBMIT, "--format", shape, "--output", "/dev/stdout").stdout == printed
    script = f"{' '.join(COMMAND)} {form} --keys '2 enter' --format {shape} --output /dev/stdout >{tmp_path}/out"
    assert subprocess.run(["sh", "-c", script], cwd=ROOT, timeout=20).returncode == 0
    assert (tmp_path / "out").read_bytes() == printed


def test_a_pipe_gets_all_of_it_however_late_and_slow(form: str, folder: Path) -> None:
    """A named pipe waits for its reader, takes more than it can hold, and stays a pipe."""
    path = folder / "pipe"
    os.mkfifo(path)
    Path(form).write_text(json.dumps({**FORM, "title": "long " * 40_000}))
    with subprocess.Popen([*COMMAND, form, *SUBMIT, "--output", str(path)], stdout=-1, stderr=-1, cwd=ROOT) as process:
        time.sleep(0.4)
        assert process.poll() is None
        with path.open("rb", buffering=0) as file:
            taken = file.read(1000)
            time.sleep(0.1)
            taken += b"".join(iter(lambda: file.read(65536), b""))
        assert process.communicate(timeout=20) == (b"", b"")
        assert process.returncode == 0
    assert submitted(taken)
    assert path.is_fifo()


def test_a_pipe_whose_reader_goes_away_loses_nothing(form: str, folder: Path) -> None:
    """The result is printed with a word about it, exit 1."""
    path = folder / "pipe"
    os.mkfifo(path)
    Path(form).write_text(json.dumps({**FORM, "title": "long " * 40_000}))

    def read_a_little() -> None:
        with path.open("rb", buffering=0) as file:
            file.read(10)

    reader = threading.Thread(target=read_a_little)
    reader.start()
    done = run(form, *SUBMIT, "--output", str(path))
    reader.join()
    assert done.returncode == 1
    assert done.stderr == b"ask: cannot write the result: Broken pipe; here it is\n"
    assert submitted(done.stdout)


class Flow:
    """The command asking on a pseudo-terminal, with its output and errors in files."""

    def __init__(self, folder: Path, command: list[str], **options: Any) -> None:
        self._out, self._err = folder / "stdout", folder / "stderr"
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self.pty = Pty(command, **{"stdout": out, "stderr": err} | options)

    @property
    def printed(self) -> bytes:
        return self._out.read_bytes()

    @property
    def said(self) -> str:
        return self._err.read_text()


@pytest.mark.parametrize(("keys", "code", "outcome"), [("2" + ENTER, 0, "submitted"), (CTRL_C, 130, "cancelled")])
def test_what_a_person_answers_is_written(
    form: str, folder: Path, tmp_path: Path, keys: str, code: int, outcome: str
) -> None:
    """Not before the end, then whole; the terminal shows what it always shows."""
    path = folder / "out"
    path.write_bytes(OLD)
    flow = Flow(tmp_path, [*COMMAND, form, "--output", str(path)])
    with flow.pty as pty:
        pty.until(PROMPT)
        assert path.read_bytes() == OLD
        pty.send(keys)
        assert pty.wait() == code
        assert pty.left_on() == set()
        assert pty.line() == pty.line_before
    assert json.loads(path.read_bytes())["outcome"] == outcome
    assert (flow.printed, flow.said) == (b"", "")
    assert names_in(folder) == ["out"]


LIMITED = f"""
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ({LIMIT}, {LIMIT}))
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def test_what_a_person_answered_is_printed_where_it_cannot_be_written(form: str, folder: Path, tmp_path: Path) -> None:
    """A disc that is full at the end: exit 1, the answers on standard output, the old file as it was."""
    path = folder / "out"
    path.write_bytes(OLD)
    command = [*python(LIMITED), *COMMAND[1:], form, "--output", str(path)]
    with Flow(tmp_path, command, stdout=subprocess.PIPE, stderr=subprocess.PIPE).pty as pty:
        pty.until(PROMPT)
        pty.send("2" + ENTER)
        assert pty.wait() == 1
        assert pty.process.stdout is not None
        assert pty.process.stderr is not None
        assert submitted(pty.process.stdout.read())
        why = os.strerror(errno.EFBIG)
        assert pty.process.stderr.read().endswith(f"ask: cannot write the result: {why}; here it is\n".encode())
        assert pty.line() == pty.line_before
    assert path.read_bytes() == OLD
    assert names_in(folder) == ["out"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_pipe_that_nobody_reads_can_be_given_up(
    form: str, folder: Path, tmp_path: Path, number: int, code: int
) -> None:
    """What a person has answered waits for a reader; a signal ends that, and the result is printed instead."""
    path = folder / "pipe"
    os.mkfifo(path)
    flow = Flow(tmp_path, [*COMMAND, form, "--output", str(path)])
    with flow.pty as pty:
        pty.until(PROMPT)
        pty.send("2" + ENTER)
        pty.until(lambda: b"\x1b[?2004l" in pty.log)
        pty.settle(0.2)
        assert pty.process.poll() is None
        pty.signal(number)
        assert pty.wait() == code
    assert submitted(flow.printed)
    assert flow.said == f"ask: cannot write the result: nobody reads {path}; here it is\n"


def test_a_pipe_that_is_read_gets_what_a_person_answers(form: str, folder: Path, tmp_path: Path) -> None:
    """A program may wait at the other end from before the first question."""
    path, got = folder / "pipe", tmp_path / "got"
    os.mkfifo(path)
    with got.open("wb") as file, subprocess.Popen(["cat", path], stdout=file) as reader:
        with Flow(tmp_path, [*COMMAND, form, "--output", str(path)]).pty as pty:
            pty.until(PROMPT)
            pty.send("2" + ENTER)
            assert pty.wait() == 0
        assert reader.wait(10) == 0
    assert submitted(got.read_bytes())


def test_a_terminal_as_target_is_protected(form: str, tmp_path: Path) -> None:
    """T10: what a person will see is made visible, also where a terminal is named as the file."""
    hostile = {"id": "q", "prompt": "?", "options": [{"value": "v\u202e", "label": "x\x1b]2;owned\x07"}]}
    Path(form).write_text(json.dumps({"questions": [hostile]}))
    for shape in ("details", "text"):
        command = [*COMMAND, form, "--keys", "1 enter", "--format", shape, "--output", "/dev/tty"]
        flow = Flow(tmp_path, command)
        with flow.pty as pty:
            assert pty.wait() == 0
            assert b"owned" in pty.log
            assert b"\x1b]2" not in pty.log
            assert "\u202e".encode() not in pty.log
        assert (flow.printed, flow.said) == (b"", "")


def test_half_characters_are_written_as_escapes(form: str, folder: Path) -> None:
    """What is no UTF-8 comes out as the escape it came in as; everything else as letters."""
    Path(form).write_text(json.dumps({**FORM, "title": "é \ud800"}))
    assert main(["run", form, *SUBMIT, "--output", str(folder / "out")]) == 0
    written = (folder / "out").read_bytes()
    assert "é \\ud800".encode() in written
    assert json.loads(written)["title"] == "é \ud800"


def test_the_example_can_be_written_too(folder: Path, capsysbinary: Printed) -> None:
    """`ask demo --output` is like `ask run`."""
    assert main(["demo", "--output", str(folder / "out")]) == 3
    out, err = capsysbinary.readouterr()
    assert out == b""
    assert err.startswith(b"Needs user input")
    assert json.loads((folder / "out").read_bytes())["outcome"] == "no_screen"
