"""The terminal a person sits at: opening it, every mode that is changed on it, and putting all of them back (T3, T7).

`Terminal` is the one owner of raw mode, paste mode, the Kitty keyboard flags, the mouse, the alternate screen and the
cursor's visibility. `enter` and `leave` are balanced and may be called at any time and any number of times; `leave`
neither blocks for long nor raises, so it can be called from a signal handler, from `atexit` and after any failure.

Reading and writing never block and never raise because of the terminal: one that has gone away says so in `gone`.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import os
import selectors
import signal
import stat
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ask_core.errors import AskError

DEFAULT_PATH = "/dev/tty"

_SYNC_END = b"\x1b[?2026l"
_STYLE_OFF = b"\x1b[0m"
_WRAP_ON = b"\x1b[?7h"
_PASTE_ON, _PASTE_OFF = b"\x1b[?2004h", b"\x1b[?2004l"
_KITTY_PUSH, _KITTY_POP = b"\x1b[>1u", b"\x1b[<u"
_ALTERNATE_ON, _ALTERNATE_OFF = b"\x1b[?1049h", b"\x1b[?1049l"
_CURSOR_OFF, _CURSOR_ON = b"\x1b[?25l", b"\x1b[?25h"

# Buttons and the wheel, as SGR writes them; and the focus, to tell the click apart that only brings us to the front.
_MOUSE_ON, _MOUSE_OFF = b"\x1b[?1000h\x1b[?1006h\x1b[?1004h", b"\x1b[?1004l\x1b[?1006l\x1b[?1000l"

_ENTER = _PASTE_ON + _KITTY_PUSH + _CURSOR_OFF
# These close what a frame opens: a write may have been cut short.
_FRAME_END = _SYNC_END + _STYLE_OFF + _WRAP_ON
_LEAVE = _CURSOR_ON + _KITTY_POP + _PASTE_OFF

# Seconds to wait, all in all, for a terminal that does not take what we have to say while leaving.
_PATIENCE = 0.5

_BLOCK = 65536

# poll does not work on terminals under macOS; select cannot watch descriptors past 1023, which a big host may have.
if sys.platform == "darwin":
    Selector = selectors.SelectSelector
else:
    Selector = selectors.PollSelector


class NoTerminal(AskError):
    """There is no terminal to ask on; `reason` says why in a few words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Size(NamedTuple):
    """Columns and rows of a terminal."""

    width: int
    height: int


def open_terminal(
    path: str | None = None, *, environ: Mapping[str, str], fullscreen: bool = False, mouse: bool = False
) -> Terminal:
    """The terminal at `path`, else at ASK_TTY, else the controlling one (docs/contract.md).

    Raises NoTerminal where it cannot be opened, is no terminal, or belongs to another process group at the moment.
    """
    path = path or environ.get("ASK_TTY") or DEFAULT_PATH
    try:
        # Without O_NONBLOCK a serial line would wait for its carrier here, and every stalled line while writing.
        fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise NoTerminal(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    terminal = Terminal(fd, fullscreen=fullscreen, mouse=mouse)
    reason = None
    if not (stat.S_ISCHR(os.fstat(fd).st_mode) and os.isatty(fd)):
        reason = f"{path}: not a terminal"
    elif not terminal.foreground():
        reason = f"{path}: we run in the background"
    if reason:
        terminal.close()
        raise NoTerminal(reason)
    return terminal


class Terminal:
    """An open terminal, seen through a descriptor of its own that does not block.

    `mouse`: it is asked to report clicks, the wheel and the focus while it is entered.
    """

    def __init__(self, fd: int, *, fullscreen: bool = False, mouse: bool = False) -> None:
        self.fd = fd
        self.fullscreen = fullscreen
        self.gone = False
        self._line: list[int | list[bytes | int]] | None = None
        self._raw_line: list[int | list[bytes | int]] | None = None
        self._owner = 0
        self._switched = False
        self._patience = _PATIENCE
        # bytes, not a bytearray: `leave` may interrupt a write that still looks at the old value.
        self._unsent = b""
        self._mouse = mouse

    @property
    def mouse(self) -> bool:
        """Whether the terminal is asked to report its mouse while it is entered; may be changed at any time."""
        return self._mouse

    @mouse.setter
    def mouse(self, on: bool) -> None:
        if on != self._mouse:
            self._mouse = on
            if self._switched:
                self.send(_MOUSE_ON if on else _MOUSE_OFF)

    @property
    def entered(self) -> bool:
        """Whether any mode is set that `leave` has to put back."""
        return self._switched or self._line is not None

    @property
    def unsent(self) -> bool:
        """Whether the terminal has not taken all that was sent yet."""
        return bool(self._unsent)

    def foreground(self) -> bool:
        """Whether we may read and switch modes: our process group has the terminal, or no job control rules it."""
        try:
            return os.tcgetpgrp(self.fd) == os.getpgrp()
        except OSError:
            # ENOTTY: it is not our controlling terminal. Any other failure shows when it is read.
            return True

    def size(self) -> Size:
        """The size at this moment, 80x24 where the terminal does not tell."""
        try:
            width, height = os.get_terminal_size(self.fd)
        except OSError:
            width = height = 0
        return Size(width or 80, height or 24)

    def undisturbed(self) -> bool:
        """Whether the line settings are those that were set on entering; a shell sets its own after a stop."""
        try:
            return self._line is not None and termios.tcgetattr(self.fd) == self._raw_line
        except termios.error:
            return False

    def enter(self) -> None:
        """Switch every mode on and throw away what was typed until now (R6); nothing if already entered."""
        line = self._take_line()
        if line is not None:
            self._set_raw(line)
            self._switched = True
            self.send(self._entering())
            self.discard_input()

    def enter_lines(self) -> None:
        """Have the terminal hand over whole lines that the person can edit and see, and throw away what was typed.

        Nothing if already entered.
        """
        line = self._take_line()
        if line is not None:
            self._set_line(_by_lines(line))
            self.discard_input()

    def _take_line(self) -> list[int | list[bytes | int]] | None:
        """The line settings, kept to be put back by `leave`; None if that is so already or there is no terminal."""
        if self.entered or self.gone:
            return None
        try:
            self._line = termios.tcgetattr(self.fd)
        except termios.error:
            self.gone = True
            return None
        atexit.register(self.leave)
        self._owner = os.getpid()
        return self._line

    def reassert(self) -> None:
        """Set the modes again after a stop that gave no warning; what was saved on entering stays saved."""
        if self._line is None:
            self.enter()
            return
        self._set_raw(self._line)
        # The pop keeps the stack of keyboard flags balanced: our own entry may still be on it.
        self.send(_KITTY_POP + self._entering())
        self.discard_input()

    def leave(self) -> None:
        """Put everything back, in reverse order; a step that fails or that is done already is passed over.

        In a forked child it does nothing: the flow is its parent's.
        """
        if self.entered and os.getpid() != self._owner:
            return
        if self._switched:
            self.wait_sent()
            self._switched = False
            # What a stalled terminal has not taken of a frame is of no use any more.
            self._unsent = self._restoring()
            self.wait_sent()
            self._unsent = b""
        if self._line is not None:
            self.discard_input()
            # In the background the line belongs to whoever is in front: the shell has set it as it likes it.
            if self.foreground():
                self._set_line(self._line)
            self._line = None
            atexit.unregister(self.leave)

    @contextlib.contextmanager
    def lent(self) -> Iterator[None]:
        """Let another program have the terminal: its reads and writes wait, and its line settings do not stay."""
        line = None
        with contextlib.suppress(termios.error, OSError):
            line = termios.tcgetattr(self.fd)
            os.set_blocking(self.fd, True)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                os.set_blocking(self.fd, False)
            if line is not None:
                self._set_line(line)

    def close(self) -> None:
        """Leave, and give the descriptor back."""
        self.leave()
        with contextlib.suppress(OSError):
            os.close(self.fd)

    def discard_input(self) -> None:
        """Throw away what the terminal has sent and nobody has read."""
        with contextlib.suppress(termios.error), _undisturbed():
            termios.tcflush(self.fd, termios.TCIFLUSH)

    def read(self) -> bytes:
        """What has come in, b"" where there is nothing at the moment; sets `gone` at a hang-up."""
        try:
            data = os.read(self.fd, _BLOCK)
        except BlockingIOError:
            return b""
        except OSError as error:
            # EIO is also the answer to a background process that ignores SIGTTIN.
            self.gone = error.errno != errno.EIO or self.foreground()
            return b""
        self.gone = not data
        return data

    def read_line(self) -> bytes | None:
        """A line that was typed, with its end, as far as there is one; b"" for the key that ends input, else None.

        For a terminal that hands over whole lines; sets `gone` at a hang-up.
        """
        try:
            data = os.read(self.fd, _BLOCK)
        except BlockingIOError:
            return None
        except OSError as error:
            self.gone = error.errno != errno.EIO or self.foreground()
            return None
        if not data:
            # The key that ends input, or a line that is gone and has no settings any more.
            try:
                termios.tcgetattr(self.fd)
            except termios.error:
                self.gone = True
        return None if self.gone else data

    def read_rest(self) -> bytes:
        """What has been typed of a line that has no end yet, for a terminal that hands over whole lines."""
        try:
            line = termios.tcgetattr(self.fd)
        except termios.error:
            self.gone = True
            return b""
        # Without lines all of it is handed over; with them again, what is typed next begins a line.
        iflag, oflag, cflag, lflag, *others = line
        assert isinstance(lflag, int)
        self._set_line([iflag, oflag, cflag, lflag & ~termios.ICANON, *others])
        data = self.read()
        self._set_line(line)
        return data

    def send(self, data: bytes) -> None:
        """Write `data`, as one write where the terminal takes it; what it does not take waits for `flush`."""
        self._unsent += data
        self.flush()

    def flush(self) -> None:
        """Write what is waiting, as far as the terminal takes it now."""
        while self._unsent and not self.gone:
            try:
                written = os.write(self.fd, self._unsent)
            except BlockingIOError:
                return
            except OSError:
                self.gone = True
                break
            self._unsent = self._unsent[written:]
        if self.gone:
            self._unsent = b""

    def wait_sent(self) -> None:
        """Write what is waiting, and wait a moment for a terminal that is slow to take it."""
        self.flush()
        if not self._unsent:
            return
        until = time.monotonic() + self._patience
        with contextlib.suppress(OSError, ValueError), Selector() as selector:
            selector.register(self.fd, selectors.EVENT_WRITE)
            while self._unsent and (left := until - time.monotonic()) > 0:
                selector.select(left)
                self.flush()
        self._patience = max(until - time.monotonic(), 0) if self._unsent else _PATIENCE

    def _entering(self) -> bytes:
        return (_ALTERNATE_ON if self.fullscreen else b"") + _ENTER + (_MOUSE_ON if self._mouse else b"")

    def _restoring(self) -> bytes:
        mouse, screen = _MOUSE_OFF if self._mouse else b"", _ALTERNATE_OFF if self.fullscreen else b""
        return _FRAME_END + mouse + _LEAVE + screen

    def _set_raw(self, line: list[int | list[bytes | int]]) -> None:
        self._set_line(_raw(line))
        # Read back, as a line need not take all of it.
        with contextlib.suppress(termios.error):
            self._raw_line = termios.tcgetattr(self.fd)

    def _set_line(self, line: list[int | list[bytes | int]]) -> None:
        # TCSANOW: the other choices wait for output that a stalled terminal never takes.
        with contextlib.suppress(termios.error), _undisturbed():
            termios.tcsetattr(self.fd, termios.TCSANOW, line)


def _raw(line: list[int | list[bytes | int]]) -> list[int | list[bytes | int]]:
    """Line settings that hand over every byte as it comes, Ctrl-C and Ctrl-Z included; output stays as it was."""
    iflag, oflag, cflag, lflag, ispeed, ospeed, characters = line
    assert isinstance(iflag, int)
    assert isinstance(cflag, int)
    assert isinstance(lflag, int)
    assert isinstance(characters, list)
    iflag &= ~(
        termios.BRKINT
        | termios.IGNBRK
        | termios.PARMRK
        | termios.INPCK
        | termios.ISTRIP
        | termios.INLCR
        | termios.IGNCR
        | termios.ICRNL
        | termios.IXON
    )
    cflag = (cflag & ~(termios.CSIZE | termios.PARENB)) | termios.CS8
    lflag &= ~(termios.ECHO | termios.ECHONL | termios.ICANON | termios.IEXTEN | termios.ISIG)
    characters = list(characters)
    characters[termios.VMIN], characters[termios.VTIME] = 1, 0
    return [iflag, oflag, cflag, lflag, ispeed, ospeed, characters]


def _by_lines(line: list[int | list[bytes | int]]) -> list[int | list[bytes | int]]:
    """Line settings that hand over whole lines, echoed, with the usual keys for editing and signals."""
    iflag, oflag, cflag, lflag, *rest = line
    assert isinstance(iflag, int)
    assert isinstance(oflag, int)
    assert isinstance(lflag, int)
    iflag = (iflag | termios.ICRNL) & ~(termios.INLCR | termios.IGNCR | termios.ISTRIP | getattr(termios, "IUCLC", 0))
    oflag |= termios.OPOST | termios.ONLCR
    lflag |= termios.ICANON | termios.ECHO | termios.ECHOE | termios.ECHOK | termios.ISIG | termios.IEXTEN
    return [iflag, oflag, cflag, lflag, *rest]


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Keep the kernel from stopping us in the middle of a change if we lose the foreground just now."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
