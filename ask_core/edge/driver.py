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
from typing import TYPE_CHECKING, NamedTuple

from ask_core.decode import Decoder
from ask_core.edge.pointer import POSITION_QUERY, Pointer
from ask_core.edge.renderers import Renderer
from ask_core.edge.signals import ENDING, Wake, reported_to
from ask_core.edge.tty import Selector, Size, Terminal
from ask_core.effects import EditExternally, FindPaths, SaveSettings
from ask_core.errors import AskError
from ask_core.events import Abort, Event, FocusGained, Mouse, Paste, Position, Report, Resized
from ask_core.keys import Key
from ask_core.reduce import reduce
from ask_core.state import Filtering, Noting, State, Typing
from ask_core.view import view

if TYPE_CHECKING:
    from ask_core.edge.notifications import Notifier
    from ask_core.edge.paths import PathSearch
    from ask_core.edge.settings_store import SettingsStore

_SUSPEND = Key("ctrl+z")
_GIVE_UP = Key("ctrl+c")

# Seconds. Enough for a terminal's own sequence to arrive whole, too short for a person to feel (T2).
ESCAPE_DELAY = 0.05
# What is a sequence beyond doubt may take longer; one that has lost its end must not swallow keys for ever.
_SEQUENCE_DELAY = 1.0
# Seconds of silence after which a paste may have lost its end, so that Ctrl+C is a way out of it.
_PASTE_DELAY = 5.0
_BACKGROUND_CHECK = 0.5
_STOP_TAKES_EFFECT = 0.05

# Characters on later lines of a burst from which on it is a paste: several lines, or a single long one; and the seconds
# of quiet after which a paste without marks is over.
_PASTED, _LONG = 3, 24
_PASTE_GAP = 0.02
# Terminals that mark no paste at all, so that lines may come from one wherever the person is.
_WITHOUT_PASTE = ("linux", "vt", "ansi", "cons", "pcansi", "sun")


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


def escape_delay(environ: Mapping[str, str]) -> float:
    """Seconds after which a lone ESC is the esc key: ESCDELAY, in milliseconds, where it is set to a number."""
    try:
        return min(max(int(environ["ESCDELAY"]), 0), 60_000) / 1000
    except (KeyError, ValueError):
        return ESCAPE_DELAY


def drive(
    state: State,
    terminal: Terminal,
    renderer: Renderer,
    wake: Wake,
    *,
    environ: Mapping[str, str],
    folder: str | None = None,
    store: SettingsStore | None = None,
    mouse: bool = False,
) -> Ended:
    """Run a flow on a terminal until it has ended; leave a transcript there, and every mode as it was.

    File references are looked for in `folder`, the working directory unless given. `store` keeps the settings; without
    one, changes last as long as the flow. `mouse`: the settings may have the terminal report it. Raises FlowFailed.
    """
    flow = _Flow(state, terminal, renderer, wake, environ, folder or os.curdir, store, mouse=mouse)
    unread: list[int] = []
    with reported_to(wake, unread):
        try:
            flow.run()
        except Exception as error:
            flow.clear()
            raise FlowFailed(flow.state) from error
        finally:
            flow.close()
            terminal.leave()
            if store is not None:
                store.close()
    return Ended(flow.state, flow.by, (*flow.signals, *unread))


class _Flow:
    def __init__(
        self,
        state: State,
        terminal: Terminal,
        renderer: Renderer,
        wake: Wake,
        environ: Mapping[str, str],
        folder: str,
        store: SettingsStore | None,
        *,
        mouse: bool,
    ) -> None:
        self.state = state
        self.by: int | None = None
        self.signals: list[int] = []
        self._terminal = terminal
        self._renderer = renderer
        self._wake = wake
        self._environ = environ
        self._delay = escape_delay(environ)
        self._folder = folder
        self._store = store
        self._may_point = mouse
        self._display = state.settings.display
        self._notifier: Notifier | None = None
        self._marks_no_paste = environ.get("TERM", "").startswith(_WITHOUT_PASTE)
        self._paths: PathSearch | None = None
        self._editing: str | None = None
        self._decoder = Decoder()
        self._heard = time.monotonic()
        self._pointer = Pointer(fullscreen=terminal.fullscreen)
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
                self._begin()
            while not self.state.finished:
                self._locate()
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
        ready = selector.select(self._patience())
        if not ready:
            self._take(self._decoder.flush())
        self._heed()
        if ready and self._store is not None and (changed := self._store.changed()) is not None:
            # Before the key that woke us: who has changed the file presses the new keys.
            self._reduce(changed)
        terminal.flush()
        if any(key.fd == terminal.fd and mask & selectors.EVENT_READ for key, mask in ready):
            self._read()
        if self._editing is not None:
            self._edit(self._editing)
        if self._stop:
            self._suspend()
        elif self._continued:
            self._come_back()

    def _patience(self) -> float | None:
        """Seconds until what has come in part counts as all there is; None, for ever, where nothing has."""
        if self._decoder.ambiguous:
            return self._delay
        return max(self._delay, _SEQUENCE_DELAY) if self._decoder.pending else None

    def _read(self) -> None:
        if not self._terminal.foreground():
            self._continued = True
            return
        data = self._terminal.read()
        events: list[Event | Report] = []
        now = time.monotonic()
        silence, self._heard = now - self._heard, now
        if self._decoder.pasting and silence > _PASTE_DELAY and Decoder().feed(data) == [_GIVE_UP]:
            events += self._decoder.end_paste()
        events += self._decoder.feed(data)
        if self._marks_no_paste or isinstance(self.state.mode, Typing | Noting | Filtering):
            events = self._lines_joined(events)
        self._take(events)

    def _lines_joined(self, events: list[Event | Report]) -> list[Event | Report]:
        """The events, or one paste in their place where they are lines of text that came in faster than anybody types.

        They come so from a terminal that does not mark pastes, and must not act as keys then.
        """
        if not _is_text(events) or "\n" not in _text_of(events).lstrip("\n"):
            return events
        with Selector() as selector:
            selector.register(self._terminal.fd, selectors.EVENT_READ)
            while selector.select(_PASTE_GAP) and not self._terminal.gone and _is_text(events):
                events = [*events, *self._decoder.feed(self._terminal.read())]
        if not _is_text(events) or not _is_pasted(_text_of(events), doubted=not self._marks_no_paste):
            return events
        return [Paste(_text_of(events))]

    def _take(self, events: Iterable[Event | Report]) -> None:
        if self._early:
            # R6. A key whose first byte came too early is too early with its last one too.
            self._early = self._unfinished()
            return
        for event in events:
            if event == _SUSPEND:
                self._stop = True
            # What came behind either was not meant for this screen any more.
            if self._stop or self._editing is not None:
                break
            match event:
                case Mouse():
                    pointed = self._pointer.event(event, time.monotonic())
                    if pointed is not None:
                        self._reduce(pointed)
                case Position():
                    self._pointer.answered(event, self._terminal.size().height)
                case FocusGained():
                    self._pointer.focused(time.monotonic())
                case Resized():
                    # Nobody asked for reports of the size: `_show` knows it better.
                    pass
                case _:
                    self._pointer.interrupted()
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
        for event in self._wake.posted():
            self._reduce(event)
        for call in self._wake.calls():
            call()
        if self._wake.reason is not None:
            self._reduce(Abort(self._wake.reason))

    def _end_by(self, number: int, reason: str) -> None:
        if not self.state.finished:
            self.by = number
            self._reduce(Abort(reason))

    def _reduce(self, event: Event) -> None:
        self.state = reduce(self.state, event)
        for effect in self.state.outbox:
            match effect:
                case FindPaths(query=query):
                    self._find_paths(query)
                case EditExternally(text=text):
                    self._editing = text
                case SaveSettings() as order if self._store is not None:
                    self._store.save(order, self._wake.post)
        if self.state.settings.display is not self._display:
            self._redisplay()

    def _redisplay(self) -> None:
        """Draw and listen as the settings now say."""
        before, after = self._display, self.state.settings.display
        self._display = after
        if after.theme != before.theme:
            self._renderer.restyle(after.theme)
            self._drawn = None
        mouse = self._may_point and after.mouse
        if mouse != self._terminal.mouse:
            self._terminal.mouse = mouse
            self._pointer.opened()

    def _begin(self) -> None:
        """What has waited for the first screen to be there."""
        if self._store is not None:
            self._store.create(self._wake.post)
        notifications = self.state.settings.notifications
        if notifications.enabled and self.state.form.questions and not self.state.finished:
            from ask_core.edge.notifications import Notifier, announcement

            about = announcement(self.state.form)
            self._notifier = Notifier(notifications.channels, about, self._environ, self._send, self._wake.call)
            self._notifier.start()

    def _find_paths(self, query: str) -> None:
        if self._paths is None:
            from ask_core.edge.paths import PathSearch

            self._paths = PathSearch(self._folder, self._wake.post)
        self._paths.find(query)

    def _edit(self, text: str) -> None:
        """Hand the terminal to the person's own editor, and come back to the same place."""
        from ask_core.edge.own_editor import edit

        self._editing = None
        self._send(self._renderer.finish(()))
        self._terminal.leave()
        with self._terminal.lent(), _default_stop():
            event = edit(text, self._terminal.fd, self._environ)
        # Ctrl+C and the like in the editor were meant for the editor.
        for number in self._wake.take():
            if number not in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGCONT):
                self._wake.poke(number)
        self._open()
        self._reduce(event)

    def close(self) -> None:
        """Stop what runs beside the loop."""
        if self._paths is not None:
            self._paths.close()
        if self._notifier is not None:
            self._notifier.close()

    def _open(self) -> None:
        """Set the modes (anew) and forget all that was shown or half typed before."""
        self._terminal.reassert()
        self._renderer.forget()
        self._decoder = Decoder()
        self._pointer.opened()
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
            self._pointer.resized()
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
        if self._terminal.mouse:
            self._pointer.drawn(self._renderer.standing(), size.height)

    def _locate(self) -> None:
        """Ask a terminal with a mouse where the screen stands, once it is all there; nothing waits for the answer."""
        if self._terminal.mouse and not self._early and not self._terminal.unsent and self._pointer.ask():
            self._decoder.expect_position()
            self._terminal.send(POSITION_QUERY)

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
        if self._terminal.foreground() and self._terminal.undisturbed():
            # Nobody else has had the terminal: there was no stop, and the old screen is still where it was.
            self._send(self._renderer.finish(()))
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

        # The settings by themselves leave nothing behind.
        asked = self.state.form.questions
        lines = transcript(result_of(self.state), terminal.size().width) if asked else ()
        text = self._renderer.finish(lines)
        if terminal.fullscreen:
            terminal.leave()
        self._send(text)
        terminal.wait_sent()


_LINE_KEYS = {Key("enter"): "\n", Key("ctrl+j"): "\n", Key("tab"): "\t"}


def _is_text(events: list[Event | Report]) -> bool:
    """Whether there are only keys that a text is made of."""
    return all(isinstance(event, Key) and (event.text or event in _LINE_KEYS) for event in events)


def _is_pasted(text: str, *, doubted: bool) -> bool:
    """Whether a burst of lines is a paste.

    Where the terminal would mark one, that is `doubted`: it has to be more than somebody types ahead, or than a program
    that acts for a person sends in one go.
    """
    lines = [line for line in text.lstrip("\n").split("\n")[1:] if line.strip()]
    written = sum(map(len, lines))
    if not doubted:
        return written > 0
    return written >= _PASTED and (len(lines) > 1 or written >= _LONG)


def _text_of(events: list[Event | Report]) -> str:
    """The text that keys and pastes put in; other keys of a burst mean nothing."""
    parts = []
    for event in events:
        if isinstance(event, Key):
            parts.append(_LINE_KEYS.get(event, event.text or ""))
        elif isinstance(event, Paste):
            parts.append(event.text)
    return "".join(parts)


@contextlib.contextmanager
def _default_stop() -> Iterator[None]:
    """Stop like any process of the job while another program has the terminal."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)


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
