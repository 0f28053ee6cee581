"""One program under a pseudo-terminal, timed from outside and watched on an emulated screen.

The emulator is fed only after the time of a read is taken and the output has paused, so that its own work is in no
figure. All times are seconds by `time.perf_counter`. Linux only: the kernel's files about a process are read.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NamedTuple

import pyte
from ptyprocess import PtyProcess

ROWS, COLUMNS = 24, 80

# Seconds of silence that end a redraw; and those that end a start, where programs of several writes pause.
QUIET = 0.03
QUIET_START = 0.06

KEYS = {
    "up": b"\x1b[A",
    "down": b"\x1b[B",
    "end": b"\x1b[F",
    "tab": b"\t",
    "esc": b"\x1b",
    "space": b" ",
    "ctrl+_": b"\x1f",
    "f9": b"\x1b[20~",
}
PASTE_BEGIN, PASTE_END = b"\x1b[200~", b"\x1b[201~"

# Seconds between two looks at whether there has been time enough, while nothing comes.
_LOOK = 0.25

# What pyte would print or misread: control strings, and CSI with a private marker or an intermediate byte.
_FOREIGN = re.compile(
    rb"\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)"
    rb"|\x1b\[[<=>][0-9;:]*[ -/]*[@-~]"
    rb"|\x1b\[\??[0-9;:]*[ -/]+[@-~]"
    rb"|\x1b\[\?[0-9;]*u"
)
_PARTIAL = re.compile(rb"\x1b(?:[\]PX^_][^\x07\x1b]*\x1b?|\[[<=>?0-9;: -/]*)?\Z")

_QUERY = re.compile(
    rb"(?P<position>\x1b\[\??6n)"
    rb"|(?P<status>\x1b\[5n)"
    rb"|(?P<attributes>\x1b\[0?c)"
    rb"|(?P<version>\x1b\[>0?c)"
    rb"|(?P<name>\x1b\[>0?q)"
    rb"|(?P<kitty>\x1b\[\?u)"
    rb"|\x1b\[\?(?P<mode>[0-9]+)\$p"
    rb"|\x1b\](?P<colour>1[01]);\?(?:\x07|\x1b\\)"
    rb"|(?P<capability>\x1bP\+q[0-9A-Fa-f;]*\x1b\\)"
    rb"|(?P<setting>\x1bP\$q[^\x1b]*\x1b\\)"
    rb"|\x1b\[(?P<window>1[468])t"
)
_REPLIES = {
    "status": b"\x1b[0n",
    "attributes": b"\x1b[?62;22c",
    "version": b"\x1b[>41;388;0c",
    "name": b"\x1bP>|XTerm(388)\x1b\\",
    "kitty": b"\x1b[?0u",
    "capability": b"\x1bP0+r\x1b\\",
    "setting": b"\x1bP0$r\x1b\\",
}
_KNOWN_MODES = frozenset((1, 7, 25, 1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026, 2027, 2048))
_APPLICATION_KEYS = 1 << 5  # pyte's number for the mode

# Of the environment only what a program needs to run, so that figures do not depend on whose it is.
_KEPT = ("PATH", "HOME", "TMPDIR", "VIRTUAL_ENV")

Answering = Literal["all", "none"]
# Whether the screen is the one waited for.
Right = Callable[["Session"], bool]


def surroundings(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of every process that is measured: the same wherever it is measured, and `environ`."""
    base = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    return base | {name: os.environ[name] for name in _KEPT if name in os.environ} | dict(environ)


class Redraw(NamedTuple):
    """What input led to.

    `right`: seconds from the input to the read that made the screen right; `settled`: to the last byte; `length`: bytes
    of output.
    """

    right: float
    settled: float
    length: int


class WrongScreenError(Exception):
    """The screen never became the one waited for; the text says what stood there."""


class _EndedError(WrongScreenError):
    """The program has gone."""


class Session:
    """A program under a pseudo-terminal; a context manager that ends it."""

    def __init__(self, argv: Sequence[str], environ: Mapping[str, str], *, answering: Answering = "all") -> None:
        self._answering = answering
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._held = b""  # an unfinished sequence, not shown yet
        self._asked = b""  # the same, for finding queries
        env = surroundings(environ)
        self.started = time.perf_counter()
        self._process: Any = PtyProcess.spawn(list(argv), env=env, dimensions=(ROWS, COLUMNS))
        self._fd: int = self._process.fd
        self._files = Path(f"/proc/{self._process.pid}")
        os.set_blocking(self._fd, False)

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process.close(force=True)

    def first(self, right: Right, *, seconds: float = 30.0) -> Redraw:
        """Wait for the first screen; times count from the start of the process. Raises WrongScreenError."""
        return self._wait(right, b"", self.started, seconds, QUIET_START)

    def send(self, data: bytes, right: Right, *, seconds: float = 30.0) -> Redraw:
        """Write input as a terminal would and wait for the screen it leads to.

        Raises WrongScreenError, also where that screen is there already: it would tell nothing.
        """
        if right(self):
            raise WrongScreenError(f"the screen is there before the key:\n{self.text()}")
        if _APPLICATION_KEYS in self._screen.mode:
            data = re.sub(rb"\x1b\[([A-DHF])", rb"\x1bO\1", data)
        return self._wait(right, data, time.perf_counter(), seconds, QUIET)

    def watch(self, seconds: float) -> int:
        """Bytes that come within `seconds` by themselves, or after what was just sent."""
        end, length = time.perf_counter() + seconds, 0
        while (left := end - time.perf_counter()) > 0:
            if data := self._read(left):
                length += len(data)
                self._show(data)
        return length

    def type(self, data: bytes) -> None:
        """Write little input and wait for nothing."""
        os.write(self._fd, data)

    def _wait(self, right: Right, data: bytes, since: float, seconds: float, quiet: float) -> Redraw:
        """Write `data`, as it is taken, and read until the screen is right and the output has paused."""
        first_right: float | None = None
        last, length, ended = since, 0, False
        waiting: list[tuple[float, bytes]] = []
        while True:
            if data and select.select([self._fd], [self._fd], [])[1]:
                data = data[os.write(self._fd, data) :]
            try:
                came = self._read(0 if data else quiet if waiting else _LOOK)
            except _EndedError:
                came, ended = b"", True
            now = time.perf_counter()
            if came:
                last, length = now, length + len(came)
                waiting.append((now, came))
                # What may be a question is shown at once, since the program may wait for the answer.
                if not self._asks(came) and now - since < seconds:
                    continue
            elif data and not ended:
                continue
            for at, part in waiting:
                self._show(part)
                if first_right is None and right(self):
                    first_right = at
            waiting.clear()
            if not came and first_right is not None and right(self):
                return Redraw(first_right - since, last - since, length)
            if ended or now - since > seconds:
                why = "the program has ended" if ended else f"not the right screen after {seconds:g} s"
                raise WrongScreenError(f"{why}:\n{self.text()}")

    def _read(self, seconds: float) -> bytes:
        """One read, or nothing in so many seconds. Raises _EndedError where the program has gone."""
        ready, _, _ = select.select([self._fd], [], [], max(0.0, seconds))
        if not ready:
            return b""
        try:
            data = os.read(self._fd, 65536)
        except OSError as error:
            raise _EndedError from error
        if not data:
            raise _EndedError
        return data

    def _asks(self, data: bytes) -> bool:
        """Whether this data completes a query, for whose answer the program may be waiting."""
        if self._answering == "none" or (b"\x1b" not in data and not self._asked):
            return False
        text = self._asked + data
        end = max((found.end() for found in _QUERY.finditer(text)), default=0)
        tail = _PARTIAL.search(text, end)
        self._asked = text[tail.start() :] if tail else b""
        return end > 0

    def _show(self, data: bytes) -> None:
        """Show data on the emulated screen, answering queries where they stand."""
        text = self._held + data
        tail = _PARTIAL.search(text)
        cut = tail.start() if tail else len(text)
        text, self._held = text[:cut], text[cut:]
        if self._answering == "all":
            at = 0
            for found in _QUERY.finditer(text):
                self._stream.feed(_FOREIGN.sub(b"", text[at : found.start()]))
                at = found.end()
                os.write(self._fd, self._reply(found))
            text = text[at:]
        self._stream.feed(_FOREIGN.sub(b"", text))

    def _reply(self, found: re.Match[bytes]) -> bytes:
        """What a modern terminal answers."""
        match found.lastgroup:
            case "position":
                cursor = self._screen.cursor
                head = b"\x1b[?" if b"?" in found.group() else b"\x1b["
                return head + b"%d;%dR" % (cursor.y + 1, cursor.x + 1)
            case "mode":
                mode = int(found["mode"])
                return b"\x1b[?%d;%d$y" % (mode, 2 if mode in _KNOWN_MODES else 0)
            case "colour":
                rgb = b"0000/0000/0000" if found["colour"] == b"11" else b"ffff/ffff/ffff"
                return b"\x1b]" + found["colour"] + b";rgb:" + rgb + b"\x1b\\"
            case "window":
                pixels = b"\x1b[4;%d;%dt" % (ROWS * 16, COLUMNS * 8)
                return {b"14": pixels, b"16": b"\x1b[6;16;8t"}.get(found["window"], b"\x1b[8;%d;%dt" % (ROWS, COLUMNS))
            case kind:
                return _REPLIES[str(kind)]

    def rows(self) -> tuple[str, ...]:
        """The rows of the screen without their blank ends."""
        return tuple(line.rstrip() for line in self._screen.display)

    def text(self) -> str:
        """The screen as text."""
        return "\n".join(self.rows()).rstrip()

    def marked(self, pattern: re.Pattern[str]) -> str | None:
        """The match whose row looks unlike the other matching rows, by colours or by what stands before it."""
        rows: list[tuple[str, tuple[object, ...]]] = []
        for number, line in enumerate(self._screen.display):
            if not (found := pattern.search(line)):
                continue
            cell = self._screen.buffer[number][found.start()]
            before = re.sub(r"[\d.\s│|█░▒▕▁▔▎]", "", line[max(0, found.start() - 8) : found.start()])
            rows.append((found.group(), (before, cell.fg, cell.bg, cell.bold, cell.reverse, cell.underscore)))
        # By colours alone first: pointers may share a column with hints of scrolling.
        for part in (slice(1, None), slice(0, None)):
            counts = Counter(look[part] for _, look in rows)
            unique = [text for text, look in rows if counts[look[part]] == 1]
            if len(unique) == 1:
                return unique[0]
        return None

    def peak(self) -> float:
        """The greatest resident memory of the program so far, in MiB."""
        return int(self._about("status", r"VmHWM:\s+(\d+) kB")) / 1024

    def writes(self) -> int:
        """How often the program has called the kernel to write anything."""
        return int(self._about("io", r"syscw: (\d+)"))

    def wake_ups(self) -> int:
        """How often any thread of the program has gone to sleep, and so has been awake."""
        tasks = (self._files / "task").iterdir()
        return sum(
            int(re.findall(r"\nvoluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text())[0]) for task in tasks
        )

    def processor_time(self) -> float:
        """Seconds that the threads of the program have run so far; hardly any of it depends on what else runs."""
        tasks = (self._files / "task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def _about(self, name: str, pattern: str) -> str:
        found = re.search(pattern, (self._files / name).read_text())
        if found is None:
            raise WrongScreenError(f"the kernel does not tell {pattern}")
        return found[1]
