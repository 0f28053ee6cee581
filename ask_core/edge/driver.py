"""The loop between a terminal and the core: bytes -> events -> state -> screen -> one write.

All that can wake it are the terminal and one descriptor, on which signals and the host report (T8). It sleeps without a
time limit unless an unfinished escape sequence waits for its rest, so nothing happens while nobody does anything (T4).
This is the only place where time enters.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from types import FrameType
from typing import NamedTuple

from ask_core.decode import Decoder
from ask_core.edge.renderers import Renderer
from ask_core.edge.tty import Selector, Size, Terminal
from ask_core.errors import AskError
from ask_core.events import Abort, Event, Resized
from ask_core.keys import Key
from ask_core.reduce import reduce
from ask_core.state import State
from ask_core.view import view

ENDING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
_TAKEN = (*ENDING, signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH)

_SUSPEND = Key("ctrl+z")

# Seconds. Enough for a terminal's own sequence to arrive whole, too short for a person to feel (T2).
ESCAPE_DELAY = 0.05
_BACKGROUND_CHECK = 0.5
_STOP_TAKES_EFFECT = 0.05

_POKE = 0


class FlowFailed(AskError):
    """The flow broke through a fault of ours or of the renderer; the terminal is restored.

    `state` is the last good one, so that answers are not lost; the fault itself is the `__cause__`.
    """

    def __init__(self, state: State) -> None:
        super().__init__("the flow broke; the answers given until then are kept")
        self.state = state


class Ended(NamedTuple):
    """How a flow came to its end.

    `by` is the signal that ended it (SIGHUP also where the terminal went away), None where it was none. `signals` are
    all ending signals that came, also later ones, in their order; none of them has had any other effect.
    """

    state: State
    by: int | None
    signals: tuple[int, ...]


class Wake:
    """The one descriptor besides the terminal that wakes the loop; `abort` and `poke` may come from any thread.

    `reason` is why the host ends the flow, None while it does not. `outer` is the descriptor that other signals than
    ours are passed on to, as a host with a wake-up descriptor of its own expects them there.
    """

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        os.set_blocking(self.writer, False)
        self.reason: str | None = None
        self.outer = -1
        self._lock = threading.RLock()
        self._closed = False

    def abort(self, reason: str) -> None:
        """End the flow from the host's side."""
        self.reason = reason
        self.poke()

    def poke(self, number: int = _POKE) -> None:
        """Wake the loop, as the signal of this number would."""
        # Under the lock, so that a descriptor which is closed by now, and may be somebody else's, is not written to.
        with self._lock, contextlib.suppress(BlockingIOError):
            if not self._closed:
                os.write(self.writer, bytes([number]))

    def take(self) -> list[int]:
        """The signals that came since the last time."""
        taken = b""
        with contextlib.suppress(BlockingIOError):
            while more := os.read(self.reader, 4096):
                taken += more
        others = bytes(number for number in taken if number not in (_POKE, *_TAKEN))
        if others and self.outer >= 0:
            with contextlib.suppress(OSError):
                os.write(self.outer, others)
        return [number for number in taken if number in _TAKEN]

    def close(self) -> None:
        """Give the descriptors back."""
        with self._lock:
            self._closed = True
            os.close(self.reader)
            os.close(self.writer)


def escape_delay(environ: Mapping[str, str]) -> float:
    """Seconds after which a lone ESC is the esc key: ESCDELAY, in milliseconds, where it is set to a number."""
    try:
        return min(max(int(environ["ESCDELAY"]), 0), 60_000) / 1000
    except (KeyError, ValueError):
        return ESCAPE_DELAY


def drive(state: State, terminal: Terminal, renderer: Renderer, wake: Wake, *, delay: float = ESCAPE_DELAY) -> Ended:
    """Run a flow on a terminal until it has ended; leave a transcript there, and every mode as it was.

    `delay` is in seconds. Raises FlowFailed.
    """
    flow = _Flow(state, terminal, renderer, wake, delay)
    unread: list[int] = []
    with _signals_to(wake, unread):
        try:
            flow.run()
        except Exception as error:
            flow.clear()
            raise FlowFailed(flow.state) from error
        finally:
            terminal.leave()
    return Ended(flow.state, flow.by, (*flow.signals, *unread))


class _Flow:
    def __init__(self, state: State, terminal: Terminal, renderer: Renderer, wake: Wake, delay: float) -> None:
        self.state = state
        self.by: int | None = None
        self.signals: list[int] = []
        self._terminal = terminal
        self._renderer = renderer
        self._wake = wake
        self._delay = delay
        self._decoder = Decoder()
        self._size: Size | None = None
        self._drawn: State | None = None
        self._early = True
        self._stop = False
        self._continued = False

    def run(self) -> None:
        with Selector() as selector:
            selector.register(self._wake.reader, selectors.EVENT_READ)
            selector.register(self._terminal.fd, selectors.EVENT_READ)
            self._heed()
            if not self.state.finished:
                self._open()
                self._show()
            while not self.state.finished:
                self._turn(selector)
                self._show()
        self._say_farewell()

    def clear(self) -> None:
        """Take the broken screen away, as far as the renderer still can."""
        try:
            text = self._renderer.finish(())
        except Exception:  # noqa: BLE001 - it has failed once already, and that failure is the one to report
            text = "\r\n"
        self._send(text)

    def _turn(self, selector: selectors.BaseSelector) -> None:
        """Sleep until something comes, and take it in."""
        terminal = self._terminal
        writing = selectors.EVENT_WRITE if terminal.unsent else 0
        selector.modify(terminal.fd, selectors.EVENT_READ | writing)
        ready = selector.select(self._delay if self._decoder.pending else None)
        if not ready:
            self._take(self._decoder.flush())
        self._heed()
        terminal.flush()
        if any(key.fd == terminal.fd and mask & selectors.EVENT_READ for key, mask in ready):
            self._read()
        if self._stop:
            self._suspend()
        elif self._continued:
            self._come_back()

    def _read(self) -> None:
        if not self._terminal.foreground():
            self._continued = True
            return
        self._take(self._decoder.feed(self._terminal.read()))

    def _take(self, events: Iterable[Event]) -> None:
        if self._early:
            # R6. A key whose first byte came too early is too early with its last one too.
            self._early = self._unfinished()
            return
        for event in events:
            if event == _SUSPEND:
                self._stop = True
                break
            # Nobody asked for reports of the size: `_measure` knows it better.
            if not isinstance(event, Resized):
                self._reduce(event)

    def _heed(self) -> None:
        """Take in what signals and the host have to say."""
        for number in self._wake.take():
            if number in ENDING:
                self.signals.append(number)
                self._end_by(number, f"ended by {signal.Signals(number).name}")
            elif number == signal.SIGTSTP:
                self._stop = True
            elif number == signal.SIGCONT:
                self._continued = True
        if self._wake.reason is not None:
            self._reduce(Abort(self._wake.reason))

    def _end_by(self, number: int, reason: str) -> None:
        if not self.state.finished:
            self.by = number
            self._reduce(Abort(reason))

    def _reduce(self, event: Event) -> None:
        self.state = reduce(self.state, event)

    def _open(self) -> None:
        """Set the modes (anew) and forget all that was shown or half typed before."""
        self._terminal.reassert()
        self._renderer.forget()
        self._decoder = Decoder()
        self._drawn = None
        self._early = True

    def _show(self) -> None:
        """Draw, where there is something new to see and somebody to see it."""
        if self._terminal.gone:
            self._end_by(signal.SIGHUP, "the terminal went away")
        if self.state.finished:
            return
        size = self._terminal.size()
        if size != self._size:
            self._size = size
            self._reduce(Resized(*size))
            self._renderer.resized(*size)
        # A terminal that is behind gets the newest screen once it has taken the last one.
        if self.state is self._drawn or self._terminal.unsent:
            return
        text = self._renderer.draw(view(self.state), *size)
        self._drawn = self.state
        if self._early:
            # R6, before the write and not after it: a quick answer to what the write shows is none too early.
            self._decoder.feed(self._terminal.read())
        self._send(text)
        if self._early:
            self._early = self._unfinished()

    def _unfinished(self) -> bool:
        """Whether the screen is not all there yet, or a key has arrived in part."""
        return self._terminal.unsent or self._decoder.pending

    def _send(self, text: str) -> None:
        if text:
            self._terminal.send(text.encode("utf-8", "replace"))

    def _suspend(self) -> None:
        """Hand the terminal back, stop as any program does, and come back when continued (T8)."""
        self._stop = False
        self._send(self._renderer.finish(()))
        self._terminal.leave()
        _stop_process_group(signal.SIGTSTP)
        self._come_back()

    def _come_back(self) -> None:
        """After a stop, with or without warning: wait for the foreground, and begin a fresh screen there."""
        while not self._terminal.foreground() and not self.state.finished:
            # What the kernel does to those who write or read back there. A shell's `fg` continues only what is stopped.
            _stop_process_group(signal.SIGTTOU)
            if not self._terminal.foreground():
                self._sleep_in_background()
            self._heed()
        self._heed()
        self._stop = self._continued = False
        if not self.state.finished:
            self._open()

    def _sleep_in_background(self) -> None:
        with Selector() as selector:
            selector.register(self._wake.reader, selectors.EVENT_READ)
            selector.select(_BACKGROUND_CHECK)

    def _say_farewell(self) -> None:
        """Leave a transcript in place of the screen; in the background that place is somebody else's."""
        terminal = self._terminal
        if terminal.gone or not terminal.entered or not terminal.foreground():
            return
        from ask_core.result import result_of
        from ask_core.summary import transcript

        text = self._renderer.finish(transcript(result_of(self.state), terminal.size().width))
        if terminal.fullscreen:
            terminal.leave()
        self._send(text)
        terminal.wait_sent()


@contextlib.contextmanager
def _signals_to(wake: Wake, unread: list[int]) -> Iterator[None]:
    """Have signals reported to `wake`, and put the host's handling of them back; the last ones go into `unread`.

    Only the main thread can do that; in any other the host keeps its signals (T8). One that is ignored stays ignored
    (`nohup`), and one that is handled outside Python stays there.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wake.outer = signal.set_wakeup_fd(wake.writer, warn_on_full_buffer=False)
    before = {number: signal.getsignal(number) for number in _TAKEN}
    taken = {number: handler for number, handler in before.items() if handler not in (None, signal.SIG_IGN)}
    try:
        for number in taken:
            signal.signal(number, _report_only)
        yield
    finally:
        # What comes during the change waits, so that it reaches either the flow or the host, and only one of them.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, _TAKEN)
        for number, handler in taken.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wake.outer)
        unread += [number for number in wake.take() if number in ENDING]
        wake.outer = -1
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _report_only(number: int, frame: FrameType | None) -> None:
    """Python writes the number to the wake-up descriptor of those signals only that have a handler."""


def _stop_process_group(number: signal.Signals) -> None:
    """Stop all of the job, as the terminal would, until it is continued; nothing where the signal is ignored."""
    before = signal.getsignal(number)
    if before is signal.SIG_IGN:
        return
    main = threading.current_thread() is threading.main_thread()
    if main and before is not None:
        signal.signal(number, signal.SIG_DFL)
    with contextlib.suppress(OSError):
        os.kill(0, number)
    if not main:
        # The signal goes to the main thread, and this one runs on until the stop has reached it.
        time.sleep(_STOP_TAKES_EFFECT)
    elif before is not None:
        signal.signal(number, before)
