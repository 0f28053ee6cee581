"""The loop between a terminal and the core: bytes -> events -> state -> screen -> one write.

All that can wake it are the terminal and one descriptor, on which signals and the host report (T8). It sleeps without a
time limit unless an unfinished escape sequence waits for its rest or the caller has set an idle limit, so nothing
happens while nobody does anything (T4).
"""

from __future__ import annotations

import selectors
import signal
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ask_core.decode import Decoder
from ask_core.edge.flow import Ended, Flow, Surroundings, default_stop, stop_process_group
from ask_core.edge.pointer import POSITION_QUERY, Pointer
from ask_core.edge.renderers import Renderer
from ask_core.edge.signals import Wake
from ask_core.edge.tty import Selector, Size, Terminal
from ask_core.effects import EditExternally, Effect, FindPaths
from ask_core.events import Event, FocusGained, Mouse, Paste, Position, Report, Resized
from ask_core.keys import Key
from ask_core.state import State, TextMode
from ask_core.view import view

if TYPE_CHECKING:
    from ask_core.edge.paths import PathSearch

_SUSPEND = Key("ctrl+z")
_GIVE_UP = Key("ctrl+c")

# Seconds. Enough for a terminal's own sequence to arrive whole, too short for a person to feel (T2).
ESCAPE_DELAY = 0.05
# What is a sequence beyond doubt may take longer; one that has lost its end must not swallow keys for ever.
_SEQUENCE_DELAY = 1.0
# Seconds of silence after which a paste may have lost its end, so that Ctrl+C is a way out of it.
_PASTE_DELAY = 5.0
_BACKGROUND_CHECK = 0.5

# Characters on later lines of a burst from which on it is a paste: several lines, or a single long one; and the seconds
# of quiet after which a paste without marks is over.
_PASTED, _LONG = 3, 24
_PASTE_GAP = 0.02
# Terminals that mark no paste at all, so that lines may come from one wherever the person is.
_WITHOUT_PASTE = ("linux", "vt", "ansi", "cons", "pcansi", "sun")


def escape_delay(environ: Mapping[str, str]) -> float:
    """Seconds after which a lone ESC is the esc key: ESCDELAY, in milliseconds, where it is set to a number."""
    try:
        return min(max(int(environ["ESCDELAY"]), 0), 60_000) / 1000
    except (KeyError, ValueError):
        return ESCAPE_DELAY


def drive(state: State, terminal: Terminal, renderer: Renderer, wake: Wake, around: Surroundings) -> Ended:
    """Run a flow on a terminal until it has ended; leave a transcript there, and every mode as it was.

    Raises FlowFailed.
    """
    return _ScreenFlow(state, terminal, renderer, wake, around).drive()


class _ScreenFlow(Flow):
    """A flow on a whole screen: bytes in any chunking become keys, and every state is drawn."""

    def __init__(self, state: State, terminal: Terminal, renderer: Renderer, wake: Wake, around: Surroundings) -> None:
        super().__init__(state, terminal, wake, around)
        self._renderer = renderer
        self._delay = escape_delay(around.environ)
        self._display = state.settings.display
        self._marks_no_paste = around.environ.get("TERM", "").startswith(_WITHOUT_PASTE)
        self._paths: PathSearch | None = None
        self._editing: str | None = None
        self._decoder = Decoder()
        self._heard = time.monotonic()
        self._pointer = Pointer(fullscreen=terminal.fullscreen)
        self._size: Size | None = None
        self._drawn: State | None = None
        self._early = True

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
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if terminal.unsent else 0)
        if selector.get_key(terminal.fd).events != wanted:
            selector.modify(terminal.fd, wanted)
        patience, idle = self._patience(), self._until_idle()
        wait = min((limit for limit in (patience, idle) if limit is not None), default=None)
        ready = selector.select(wait)
        if not ready and wait == patience:
            self._take(self._decoder.flush())
        if not ready or any(key.fd == self._wake.reader for key, _ in ready):
            self._heed()
        front = bool(ready) and terminal.foreground()
        if front:
            # In the background nothing may be written, and a changed setting may want that.
            self._look_at_settings()
        if terminal.unsent:
            terminal.flush()
        # What was typed while the terminal was somebody else's is thrown away as the screen comes back (R6).
        ours = not self._continued or terminal.undisturbed()
        if ours and any(key.fd == terminal.fd and mask & selectors.EVENT_READ for key, mask in ready):
            # A key in the last moment counts.
            self._restart_idle_limit()
            if front:
                self._read()
            else:
                self._continued = True
        else:
            self._count_down()
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
        data = self._terminal.read()
        events: list[Event | Report] = []
        now = time.monotonic()
        silence, self._heard = now - self._heard, now
        if self._decoder.pasting and silence > _PASTE_DELAY and Decoder().feed(data) == [_GIVE_UP]:
            events += self._decoder.end_paste()
        events += self._decoder.feed(data)
        if self._marks_no_paste or isinstance(self.state.mode, TextMode):
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

    def _reduce(self, event: Event) -> None:
        super()._reduce(event)
        if self.state.settings.display is not self._display:
            self._redisplay()

    def _do(self, effect: Effect) -> None:
        match effect:
            case FindPaths(query=query):
                self._find_paths(query)
            case EditExternally(text=text):
                self._editing = text

    def _redisplay(self) -> None:
        """Draw and listen as the settings now say."""
        before, after = self._display, self.state.settings.display
        self._display = after
        if after.theme != before.theme:
            self._renderer.restyle(after.theme)
            self._drawn = None
        mouse = self._around.mouse and after.mouse
        if mouse != self._terminal.mouse:
            self._terminal.mouse = mouse
            self._pointer.opened()

    def _find_paths(self, query: str) -> None:
        if self._paths is None:
            from ask_core.edge.paths import PathSearch

            self._paths = PathSearch(self._around.folder, self._wake.post)
        self._paths.find(query)

    def _edit(self, text: str) -> None:
        """Hand the terminal to the person's own editor, and come back to the same place."""
        from ask_core.edge.own_editor import edit

        self._editing = None
        self._send(self._renderer.finish(()))
        self._terminal.leave()
        with self._terminal.lent(), default_stop():
            event = edit(text, self._terminal.fd, self._around.environ)
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
        super().close()

    def _open(self) -> None:
        """Set the modes (anew) and forget all that was shown or half typed before."""
        self._terminal.reassert()
        self._renderer.forget()
        self._decoder = Decoder()
        self._pointer.opened()
        self._drawn = None
        self._early = True
        self._restart_idle_limit()

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

    def _suspend(self) -> None:
        """Hand the terminal back, stop as any program does, and come back when continued (T8)."""
        self._stop = False
        self._send(self._renderer.finish(()))
        self._terminal.leave()
        stop_process_group(signal.SIGTSTP)
        self._come_back()

    def _come_back(self) -> None:
        """After a stop, with or without warning: wait for the foreground, and begin a fresh screen there."""
        if self._terminal.foreground() and self._terminal.undisturbed():
            # Nobody else has had the terminal: there was no stop, and the old screen is still where it was.
            self._send(self._renderer.finish(()))
        while not self._terminal.foreground() and not self.state.finished:
            # What the kernel does to those who write or read back there. A shell's `fg` continues only what is stopped.
            stop_process_group(signal.SIGTTOU)
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
