"""The restore layer on a real pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ask_core.edge.tty import NoTerminal, Terminal, open_terminal
from tests.ptys import ROOT, Pty, python

ENTERED = b"\x1b[?2004h\x1b[>1u\x1b[?25l"


class Line:
    """Both ends of a pseudo-terminal in this process."""

    def __init__(self) -> None:
        self.master, self.slave = os.openpty()
        os.set_blocking(self.master, False)
        self.name = os.ttyname(self.slave)

    def shown(self) -> bytes:
        try:
            return os.read(self.master, 1 << 20)
        except BlockingIOError:
            return b""


@pytest.fixture
def line() -> Iterator[Line]:
    line = Line()
    yield line
    for fd in (line.master, line.slave):
        os.close(fd)


@pytest.fixture
def terminal(line: Line) -> Iterator[Terminal]:
    terminal = open_terminal(line.name, environ={})
    yield terminal
    terminal.close()


def test_enter_and_leave_are_balanced(line: Line, terminal: Terminal) -> None:
    """Leaving puts back the line settings and undoes each mode in reverse order."""
    before = termios.tcgetattr(line.slave)
    terminal.enter()
    assert line.shown() == ENTERED
    terminal.leave()
    assert line.shown() == b"\x1b[?2026l\x1b[0m\x1b[?7h\x1b[?25h\x1b[<u\x1b[?2004l"
    assert termios.tcgetattr(line.slave) == before


def test_entering_and_leaving_twice_changes_nothing_more(line: Line, terminal: Terminal) -> None:
    """Both are idempotent, so a handler and the normal way out do not undo each other."""
    before = termios.tcgetattr(line.slave)
    terminal.leave()
    assert line.shown() == b""
    terminal.enter()
    terminal.enter()
    assert line.shown() == ENTERED
    terminal.leave()
    line.shown()
    terminal.leave()
    assert line.shown() == b""
    assert termios.tcgetattr(line.slave) == before


def test_raw_mode_hands_over_every_key_and_keeps_output_processing(line: Line, terminal: Terminal) -> None:
    """Ctrl-C, Ctrl-Z, Ctrl-S and Enter arrive as the bytes they are; a newline written still returns the carriage."""
    terminal.enter()
    line.shown()
    os.write(line.master, b"\x03\x1a\x13\r")
    assert terminal.read() == b"\x03\x1a\x13\r"
    assert line.shown() == b"", "nothing is echoed"
    terminal.send(b"a\nb")
    assert line.shown() == b"a\r\nb"


def test_full_screen_uses_the_alternate_screen_around_everything(line: Line) -> None:
    """The keyboard flags belong to a screen, so they are pushed after the switch and popped before the way back."""
    terminal = open_terminal(line.name, environ={}, fullscreen=True)
    terminal.enter()
    assert line.shown() == b"\x1b[?1049h" + ENTERED
    terminal.close()
    assert line.shown().endswith(b"\x1b[<u\x1b[?2004l\x1b[?1049l")


def test_input_from_before_is_thrown_away(line: Line, terminal: Terminal) -> None:
    """R6: what was typed before entering never arrives, and what is left over does not reach the shell."""
    os.write(line.master, b"yes\n1")
    terminal.enter()
    assert terminal.read() == b""
    os.write(line.master, b"left over\n")
    terminal.leave()
    assert terminal.read() == b""


def test_reassert_sets_the_modes_anew_and_keeps_the_flags_balanced(line: Line, terminal: Terminal) -> None:
    """After a stop without warning the modes are set again, and leaving still goes back to the first settings."""
    before = termios.tcgetattr(line.slave)
    terminal.enter()
    termios.tcsetattr(line.slave, termios.TCSANOW, before)
    line.shown()
    terminal.reassert()
    assert line.shown() == b"\x1b[<u" + ENTERED
    assert not termios.tcgetattr(line.slave)[3] & termios.ICANON
    terminal.leave()
    assert termios.tcgetattr(line.slave) == before


def test_size_falls_back_where_the_terminal_does_not_tell(line: Line, terminal: Terminal) -> None:
    """0x0 is what a line without a size says."""
    fcntl.ioctl(line.master, termios.TIOCSWINSZ, struct.pack("HHHH", 0, 0, 0, 0))
    assert terminal.size() == (80, 24)
    fcntl.ioctl(line.master, termios.TIOCSWINSZ, struct.pack("HHHH", 15, 40, 0, 0))
    assert terminal.size() == (40, 15)


def test_a_stalled_terminal_blocks_nothing(line: Line, terminal: Terminal) -> None:
    """What it does not take waits, and leaving gives up on it after a moment."""
    terminal.enter()
    terminal.send(b"x" * 200_000)
    assert terminal.unsent
    began = time.monotonic()
    terminal.leave()
    assert time.monotonic() - began < 2
    assert (terminal.unsent, terminal.entered) == (False, False)


def test_what_did_not_fit_follows_in_order(line: Line, terminal: Terminal) -> None:
    """Nothing of a frame is lost when the terminal takes it in pieces."""
    data = b"".join(b"%06d" % number for number in range(20_000))
    terminal.send(data)
    shown = b""
    while terminal.unsent or len(shown) < len(data):
        shown += line.shown()
        terminal.flush()
    assert shown == data


def test_a_terminal_that_went_away_is_data(line: Line) -> None:
    """A hang-up raises nothing, whatever is done afterwards."""
    terminal = open_terminal(line.name, environ={})
    terminal.enter()
    os.close(line.master)
    line.master = os.open(os.devnull, os.O_RDONLY)
    gone = (terminal.read(), terminal.gone)
    assert gone == (b"", True)
    terminal.send(b"anybody there")
    assert not terminal.unsent
    assert terminal.size() == (80, 24)
    terminal.reassert()
    terminal.close()
    assert not terminal.entered


@pytest.mark.parametrize("path", ["/nowhere/at/all", "/dev/null", str(Path(__file__)), "nul\0byte"])
def test_no_terminal_says_why(path: str) -> None:
    """What cannot be opened or is no terminal is refused with its path and a reason."""
    with pytest.raises(NoTerminal) as caught:
        open_terminal(path, environ={})
    assert caught.value.reason.startswith(path)


def test_the_environment_names_the_terminal(line: Line) -> None:
    """ASK_TTY counts where no path is given."""
    terminal = open_terminal(environ={"ASK_TTY": line.name})
    assert os.ttyname(terminal.fd) == line.name
    terminal.close()


OPEN = "from ask_core.edge.tty import *\nterminal = open_terminal(environ={})\n"


def test_without_a_controlling_terminal_there_is_none() -> None:
    """A session without a terminal is told so at once."""
    code = OPEN.replace("terminal =", "try:\n ") + "except NoTerminal as error:\n  print(error.reason)"
    done = subprocess.run(python(code), start_new_session=True, capture_output=True, text=True, cwd=ROOT, timeout=10)
    assert done.stdout == "/dev/tty: No such device or address\n"


def test_a_background_process_group_is_refused() -> None:
    """The terminal belongs to another process group, so nobody would see the question."""
    code = f"""
import os, subprocess, sys
done = subprocess.run([sys.executable, "-c", {OPEN!r}], process_group=0, capture_output=True, text=True)
print(done.stderr.strip().splitlines()[-1])
"""
    with Pty(python(code)) as pty:
        pty.until("NoTerminal: /dev/tty: we run in the background")


@pytest.mark.parametrize(
    "ending",
    [
        "raise RuntimeError('broken')",
        "sys.exit(3)",
        "signal.signal(signal.SIGTERM, lambda *_: terminal.leave()); signal.raise_signal(signal.SIGTERM)",
    ],
)
def test_the_terminal_is_restored_whatever_the_end(ending: str) -> None:
    """An exception, an exit and a signal handler all find the way back."""
    with Pty(python(f"import signal, sys\n{OPEN}terminal.enter()\n{ending}"), stderr=subprocess.DEVNULL) as pty:
        pty.wait()
        assert b"\x1b[?2004h" in pty.log
        assert pty.left_on() == set()
        assert pty.line() == pty.line_before


def test_a_forked_child_leaves_the_terminal_alone() -> None:
    """Neither its own call nor its end of the interpreter restores what its parent still uses."""
    code = f"""{OPEN}
import os, sys, termios
terminal.enter()
raw = termios.tcgetattr(terminal.fd)
if os.fork() == 0:
    terminal.leave()
    sys.exit()
os.wait()
terminal.send(b"child ended, still raw: " + str(termios.tcgetattr(terminal.fd) == raw).encode())
"""
    with Pty(python(code)) as pty:
        assert pty.wait() == 0
        assert "child ended, still raw: True" in pty.text()
        assert pty.log.count(b"\x1b[?2004l") == 1
        assert pty.left_on() == set()
        assert pty.line() == pty.line_before


def test_a_line_that_somebody_has_set_is_disturbed(line: Line, terminal: Terminal) -> None:
    """That is how a stop under a shell is told from a mere SIGCONT."""
    before = termios.tcgetattr(line.slave)
    seen = [terminal.undisturbed()]
    terminal.enter()
    seen.append(terminal.undisturbed())
    termios.tcsetattr(line.slave, termios.TCSANOW, before)
    seen.append(terminal.undisturbed())
    terminal.reassert()
    seen.append(terminal.undisturbed())
    assert seen == [False, True, False, True]


def test_leaving_from_the_background_leaves_the_line_to_those_in_front() -> None:
    """A process that has lost the foreground ends without being stopped; the line stays as the shell wants it."""
    child = OPEN + "terminal.enter(); print(1, flush=True); input(); terminal.leave()"
    code = f"""
import os, signal, subprocess, sys, termios
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
def take_the_terminal():
    os.setpgid(0, 0)
    os.tcsetpgrp(2, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
child = subprocess.Popen([sys.executable, "-c", {child!r}], stdin=-1, stdout=-1, preexec_fn=take_the_terminal)
child.stdout.readline()
os.tcsetpgrp(2, os.getpgrp())
line = termios.tcgetattr(2)
line[3] &= ~termios.ECHO
termios.tcsetattr(2, termios.TCSANOW, line)
child.communicate(b"x")
print("exit", child.returncode, termios.tcgetattr(2) == line)
"""
    with Pty(python(code)) as pty:
        pty.until("exit 0 True")
        assert pty.left_on() == set()


@pytest.mark.parametrize("fullscreen", [False, True])
def test_the_mouse_is_switched_on_last_and_off_first(line: Line, fullscreen: bool) -> None:
    """Clicks and the focus are reported between entering and leaving only, in the reverse order of switching on."""
    terminal = open_terminal(line.name, environ={}, fullscreen=fullscreen, mouse=True)
    terminal.enter()
    assert line.shown().endswith(ENTERED + b"\x1b[?1000h\x1b[?1006h\x1b[?1004h")
    terminal.reassert()
    assert line.shown().startswith(b"\x1b[<u")
    terminal.leave()
    off = b"\x1b[?2026l\x1b[0m\x1b[?7h\x1b[?1004l\x1b[?1006l\x1b[?1000l\x1b[?25h\x1b[<u\x1b[?2004l"
    assert line.shown() == off + (b"\x1b[?1049l" if fullscreen else b"")
    terminal.close()
