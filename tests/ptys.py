"""Run a command under a pseudo-terminal of its own and watch what it does to it.

The command gets the pseudo-terminal as its controlling terminal; its standard input, output and error are that terminal
too unless pipes or files are given. Everything it writes to the terminal is kept in `log` and shown on a pyte `screen`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import pyte

ROOT = Path(__file__).resolve().parent.parent

# Not understood by pyte, which would print parts of it: CSI with a private marker other than "?", or with an
# intermediate byte, the Kitty forms with "?", and control strings.
_FOREIGN = re.compile(
    rb"\x1b\[(?:[<=>][^@-~]*|[?0-9;:]*[ -/]+)[@-~]|\x1b\[\?[0-9;]*u|\x1b[]P_^X].*?(?:\x07|\x1b\\)", re.DOTALL
)
_UNFINISHED = re.compile(rb"\x1b(?:\[[^@-~]*|[]P_^X][^\x07]*)?\Z", re.DOTALL)
_ALTERNATE = re.compile(rb"(\x1b\[\?1049[hl])")

_PRIVATE_MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")
_KITTY = re.compile(rb"\x1b\[([<>])[0-9]*u")
_NORMALLY_ON = {"7", "25"}

Stdio = int | IO[Any] | None


class Pty:
    """A command under a pseudo-terminal; a context manager that ends it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        width: int = 80,
        height: int = 24,
        environ: Mapping[str, str] | None = None,
        stdin: Stdio = None,
        stdout: Stdio = None,
        stderr: Stdio = None,
    ) -> None:
        self.log = b""
        # pyte has no alternate screen, so there are two; the main one keeps its cursor meanwhile.
        self._screens = [pyte.Screen(width, height), pyte.Screen(width, height)]
        self._streams = [pyte.ByteStream(screen) for screen in self._screens]
        self._alternate = False
        self._held = b""
        self.master, self.slave = os.openpty()
        self._set_size(width, height)
        self.line_before = self.line()
        base = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}
        base |= {name: os.environ[name] for name in ("PATH", "ASK_SETTINGS")}
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            command,
            stdin=self.slave if stdin is None else stdin,
            stdout=self.slave if stdout is None else stdout,
            stderr=self.slave if stderr is None else stderr,
            env=base | dict(environ or {}),
            start_new_session=True,
            preexec_fn=self._take_terminal,  # noqa: PLW1509 - one ioctl, which takes no lock
        )

    @property
    def screen(self) -> Any:
        """The emulated screen that shows at the moment."""
        return self._screens[self._alternate]

    def _take_terminal(self) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)

    def __enter__(self) -> Pty:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()
        for fd in (self.master, self.slave):
            with contextlib.suppress(OSError):
                os.close(fd)

    def line(self) -> list[Any]:
        """The terminal's line settings, as `stty -a` would tell them."""
        return termios.tcgetattr(self.slave)

    def _set_size(self, width: int, height: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def resize(self, width: int, height: int) -> None:
        """Give the terminal another size; the kernel tells the foreground processes."""
        for screen in self._screens:
            screen.resize(height, width)
        self._set_size(width, height)

    def send(self, data: bytes | str) -> None:
        """Type `data`."""
        data = data.encode() if isinstance(data, str) else data
        while data:
            data = data[os.write(self.master, data) :]
            self.pump(0)

    def signal(self, number: int) -> None:
        """Send a signal to the command itself."""
        self.process.send_signal(number)

    def hang_up(self) -> None:
        """Close the person's end of the line."""
        os.close(self.slave)
        os.close(self.master)

    def pump(self, seconds: float) -> bool:
        """Take in what is written within `seconds`; whether anything was."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.log += data
        self._held = _FOREIGN.sub(b"", self._held + data)
        cut = _UNFINISHED.search(self._held)
        end = cut.start() if cut else len(self._held)
        for part in _ALTERNATE.split(self._held[:end]):
            if switch := _ALTERNATE.fullmatch(part):
                self._alternate = switch[1] == b"\x1b[?1049h"
                self._screens[True].reset()
            else:
                self._streams[self._alternate].feed(part)
        self._held = self._held[end:]
        return bool(data)

    def until(self, found: str | Callable[[], bool], seconds: float = 10.0) -> None:
        """Wait until the screen shows a text, or until a condition holds; fails with the screen otherwise."""
        holds = found if callable(found) else lambda: found in self.text()
        end = time.monotonic() + seconds
        while not holds():
            left = end - time.monotonic()
            if left <= 0:
                raise AssertionError(f"waited for {found!r}, the screen is:\n{self.text()}")
            self.pump(min(left, 0.02))

    def settle(self, seconds: float = 0.1) -> None:
        """Take in output until there was none for `seconds`."""
        while self.pump(seconds):
            pass

    def text(self) -> str:
        """What the screen shows, without blank ends."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def wait(self, seconds: float = 10.0) -> int:
        """The exit code, negative for a signal, once the command has ended; its last output is taken in."""
        end = time.monotonic() + seconds
        while self.process.poll() is None:
            if time.monotonic() > end:
                raise AssertionError(f"still running, the screen is:\n{self.text()}")
            self.pump(0.01)
        with contextlib.suppress(OSError):
            self.settle(0.02)
        return self.process.returncode

    def left_on(self) -> set[str]:
        """What the byte log leaves switched on, or switched off that is normally on; empty when all is balanced."""
        modes: dict[str, bool] = {}
        for numbers, letter in _PRIVATE_MODE.findall(self.log):
            modes.update(dict.fromkeys(numbers.decode().split(";"), letter == b"h"))
        pushes = Counter(_KITTY.findall(self.log))
        wrong = {f"?{mode}" for mode, on in modes.items() if on != (mode in _NORMALLY_ON)}
        return wrong | ({"kitty"} if pushes[b">"] != pushes[b"<"] else set())


def python(code: str) -> list[str]:
    """The command that runs `code` with the interpreter of the tests."""
    return [sys.executable, "-c", code]
