"""Signals and the host's word as something to wait for: one descriptor that wakes the loop (T8)."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from types import FrameType

from ask_core.events import Event

# These end a process that leaves them alone, and so end the flow. Those of the second kind have no meaning of their
# own: a host that handles one of them has its own use for it.
_FOR_EVERYBODY = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT})
_FOR_HOSTS = frozenset({signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM})
ENDING = _FOR_EVERYBODY | _FOR_HOSTS
_ALWAYS_TAKEN = _FOR_EVERYBODY | {signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH}

_POKE = 0


class Wake:
    """The one descriptor besides the terminal that wakes the loop; `abort` and `poke` may come from any thread.

    `reason` is why the host ends the flow, None while it does not. `taken` are the signals that are reported here;
    `outer` is the descriptor that others are passed on to, as a host with a wake-up descriptor of its own expects
    them there.
    """

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        os.set_blocking(self.writer, False)
        self.reason: str | None = None
        self.taken: frozenset[int] = _ALWAYS_TAKEN
        self.outer = -1
        self._posted: deque[Event] = deque()
        self._calls: deque[Callable[[], None]] = deque()
        self._lock = threading.RLock()
        self._closed = False

    def abort(self, reason: str) -> None:
        """End the flow from the host's side."""
        self.reason = reason
        self.poke()

    def post(self, event: Event) -> None:
        """Have the loop take in an event that was found out on another thread."""
        self._posted.append(event)
        self.poke()

    def posted(self) -> list[Event]:
        """The events that were posted since the last time."""
        return [self._posted.popleft() for _ in range(len(self._posted))]

    def call(self, function: Callable[[], None]) -> None:
        """Have the loop call this, for what only its thread may do."""
        self._calls.append(function)
        self.poke()

    def calls(self) -> list[Callable[[], None]]:
        """What is to be called since the last time."""
        return [self._calls.popleft() for _ in range(len(self._calls))]

    def poke(self, number: int = _POKE) -> None:
        """Wake the loop, as the signal of this number would."""
        # Under the lock, so that a descriptor which is closed by now, and may be somebody else's, is not written to.
        with self._lock, contextlib.suppress(BlockingIOError):
            if not self._closed:
                os.write(self.writer, bytes([number]))

    def take(self) -> list[int]:
        """The signals that came since the last time."""
        came = b""
        with contextlib.suppress(BlockingIOError):
            while more := os.read(self.reader, 4096):
                came += more
        others = bytes(number for number in came if number != _POKE and number not in self.taken)
        if others and self.outer >= 0:
            with contextlib.suppress(OSError):
                os.write(self.outer, others)
        return [number for number in came if number in self.taken]

    def close(self) -> None:
        """Give the descriptors back."""
        with self._lock:
            self._closed = True
            os.close(self.reader)
            os.close(self.writer)


@contextlib.contextmanager
def reported_to(wake: Wake, unread: list[int]) -> Iterator[None]:
    """Have signals reported to `wake`, and put the host's handling of them back; the last ones go into `unread`.

    Only the main thread can do that; in any other the host keeps its signals (T8). One that is ignored stays ignored
    (`nohup`), and one that is handled outside Python stays there.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wake.outer = signal.set_wakeup_fd(wake.writer, warn_on_full_buffer=False)
    handlers = {number: signal.getsignal(number) for number in _ALWAYS_TAKEN | _FOR_HOSTS}
    handlers = {number: handler for number, handler in handlers.items() if _is_free(number, handler)}
    wake.taken |= handlers.keys()
    try:
        for number in handlers:
            signal.signal(number, _report_only)
        yield
    finally:
        # What comes during the change waits, so that it reaches either the flow or the host, and only one of them.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, handlers)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wake.outer)
        unread += [number for number in wake.take() if number in ENDING]
        wake.outer = -1
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextlib.contextmanager
def held_for(wake: Wake) -> Iterator[None]:
    """Keep signals from ending this process before it has said what it has to say; `wake` hears of them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in ENDING}
    handlers = {number: handler for number, handler in handlers.items() if _is_free(number, handler)}
    wake.taken |= handlers.keys()
    try:
        for number in handlers:
            signal.signal(number, lambda number, _frame: wake.poke(number))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _is_free(number: int, handler: object) -> bool:
    """Whether a signal may be taken that is handled so at the moment."""
    if number in _FOR_HOSTS:
        return handler is signal.SIG_DFL
    return handler not in (None, signal.SIG_IGN)


def _report_only(number: int, frame: FrameType | None) -> None:
    """Python writes the number to the wake-up descriptor of those signals only that have a handler."""
