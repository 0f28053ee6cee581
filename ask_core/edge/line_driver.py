"""The loop of a terminal that is used line by line: typed lines -> events -> state -> printed lines.

For screen readers, dumb terminals, serial lines and logs. The terminal edits and echoes the line; nothing here moves a
cursor or sets a colour.
"""

from __future__ import annotations

import selectors
import signal
from collections.abc import Callable

from ask_core.edge.flow import Ended, Flow, Surroundings, stop_process_group
from ask_core.edge.renderers import LineRenderer
from ask_core.edge.signals import Wake
from ask_core.edge.tty import Selector, Terminal
from ask_core.effects import Effect
from ask_core.state import Configuring, Noting, State, Typing, Writing
from ask_core.typist import NoKey, Typist

# Seconds within which more lines belong to the same burst.
_BURST_GAP = 0.03

# Bytes of a line that a terminal hands over; what comes behind them it drops without a word.
_LONGEST = 4095
_CUT = "That line was longer than the terminal takes and has lost its end, so it was not taken. Type it in parts."

_BURST = "Several lines came at once, so none of them was taken. Type one line at a time."

# Types of terminals that would print an escape sequence instead of acting on it.
_DUMB = ("", "dumb", "unknown")


def drive_lines(state: State, terminal: Terminal, renderer: LineRenderer, wake: Wake, around: Surroundings) -> Ended:
    """Run a flow line by line until it has ended, and leave the terminal as it was. Raises FlowFailed."""
    return _LineFlow(state, terminal, renderer, wake, around).drive()


class _LineFlow(Flow):
    def __init__(
        self, state: State, terminal: Terminal, renderer: LineRenderer, wake: Wake, around: Surroundings
    ) -> None:
        super().__init__(state, terminal, wake, around)
        self._renderer = renderer
        self._dumb = around.environ.get("TERM", "") in _DUMB
        self._printed = state
        # Whether a page is not all there yet, so that what is typed meanwhile comes too early for it (R6).
        self._early = False
        # Lines of a text that came at once, the last one without its end: the person has to say that it is all.
        self._held: list[str] = []
        # Whether the cursor stands behind a prompt, so that what is said by itself begins a line of its own.
        self._in_line = False

    def run(self) -> None:
        with Selector() as selector:
            selector.register(self._wake.reader, selectors.EVENT_READ)
            selector.register(self._terminal.fd, selectors.EVENT_READ)
            self._heed()
            if not self.state.finished:
                self._open()
                self._begin()
            while not self.state.finished:
                self._turn(selector)
        if self._terminal.entered and not self._terminal.gone and self._terminal.foreground():
            self._print(self._renderer.follow(self._printed, self.state, ""))

    def clear(self) -> None:
        if self._in_line:
            self._send("\n")

    def _do(self, effect: Effect) -> None:
        """Nothing: line by line no files are listed and no editor of the person's own is opened."""

    def _open(self) -> None:
        """Begin, or begin again: nothing that was typed before answers what is asked now (R6)."""
        self._terminal.enter_lines()
        self._restart_idle_limit()
        self._terminal.discard_input()
        self._printed = self.state
        self._print(self._renderer.open(self.state))
        self._ask_for_rest()
        self._early = self._terminal.unsent

    def _turn(self, selector: selectors.BaseSelector) -> None:
        """Sleep until something comes, take it in, and say what came of it."""
        # A slow line takes a long text in parts.
        writing = selectors.EVENT_WRITE if self._terminal.unsent else 0
        selector.modify(self._terminal.fd, selectors.EVENT_READ | writing)
        ready = {key.fd: events for key, events in selector.select(self._until_idle())}
        self._heed()
        self._terminal.flush()
        said = ""
        if self._early:
            self._terminal.discard_input()
            self._restart_idle_limit()
            self._early = self._terminal.unsent
        elif ready.get(self._terminal.fd, 0) & selectors.EVENT_READ and not self._continued:
            self._look_at_settings()
            hurried = self.state.seconds_left is not None
            self._restart_idle_limit()
            said = self._read(hurried=hurried)
        else:
            self._count_down()
        if self._terminal.gone:
            self._end_by(signal.SIGHUP, "the terminal went away")
        if self._stop or self._continued:
            self._pause()
        elif not self.state.finished and (said or self.state != self._printed):
            self._follow(said)

    def _follow(self, said: str) -> None:
        before, self._printed = self._printed, self.state
        elsewhere = (before.tab, type(before.mode)) != (self.state.tab, type(self.state.mode))
        if elsewhere:
            # What was typed ahead was meant for what is not there any more.
            self._terminal.discard_input()
        text = self._renderer.follow(before, self.state, said)
        counting = self.state.seconds_left is not None and not isinstance(self.state.mode, Writing)
        if text and counting:
            # Enter is to stop the countdown, and not to hand over what was begun before it and does not show any more.
            # Only words are worth keeping.
            self._terminal.discard_input()
        self._print(text)
        if text:
            self._ask_for_rest()
        self._early = elsewhere and self._terminal.unsent

    def _ask_for_rest(self) -> None:
        if self._held:
            self._print(f"\n{len(self._held)} lines so far. Type one more, or just Enter to save them: ")

    def _read(self, *, hurried: bool) -> str:
        """Take in what was typed; what is to be said about it, "" where no line was typed.

        `hurried`: the person was told to press Enter, or the time would be up.
        """
        if not self._terminal.foreground():
            self._continued = True
            return ""
        lines = self._lines()
        if not lines:
            return ""
        ended = None in lines
        text = [line for line in lines if line is not None]
        writing = isinstance(self.state.mode, Writing)
        if len(text) > 1 and not writing:
            return _BURST
        if any(len(line.encode("utf-8", "replace")) >= _LONGEST for line in text):
            return _CUT
        if self._held and hurried and not any(text):
            self._ask_for_rest()
            return ""
        if writing and text and not ended and (rest := self._terminal.read_rest()):
            self._held += [*text, rest.decode("utf-8", "replace")]
            self._ask_for_rest()
            return ""
        if ended and not self._held and not any(text):
            self._end_input()
            return ""
        if self._held:
            text, self._held = [*self._held, *filter(None, text)], []
        typed = self._renderer.typed(self.state, "\n".join(text))
        for event in typed.events:
            self._reduce(event)
        return typed.said or "\n"

    def _lines(self) -> list[str | None]:
        """The lines that came in one go, without their ends; None for the key that ends input."""
        lines: list[str | None] = []
        with Selector() as selector:
            selector.register(self._terminal.fd, selectors.EVENT_READ)
            while selector.select(_BURST_GAP if lines else 0):
                data = self._terminal.read_line()
                if data is None or self._terminal.gone:
                    break
                text = data.decode("utf-8", "replace")
                # The key that ends input hands over a line as it is.
                self._in_line = not text.endswith("\n")
                lines += [None] if not data else text.removesuffix("\n").split("\n")
        return lines

    def _end_input(self) -> None:
        """Ctrl+D closes the text or the settings that were opened, and cancels everywhere else."""
        match self.state.mode:
            case Typing() if self.state.question.freeform:
                self._act(Typist.cancel)
            case Typing() | Noting() | Configuring():
                self._act(Typist.step_back)
            case _:
                self._act(Typist.cancel)

    def _ending_signal(self, number: int) -> None:
        if number == signal.SIGINT and self._terminal.entered:
            # The terminal makes it of Ctrl+C, and the person means that key.
            self._restart_idle_limit()
            if self._held:
                self._held = []
                self._follow("These lines are dropped.")
                return
            if self._act(Typist.dismiss):
                return
        super()._ending_signal(number)

    def _act(self, act: Callable[[Typist], None]) -> bool:
        """Press the keys for something; whether there are any."""
        typist = Typist(self.state)
        try:
            act(typist)
        except NoKey:
            return False
        for event in typist.events:
            self._reduce(event)
        return True

    def _pause(self) -> None:
        """Stop as any program does, or wait for the foreground, and begin again."""
        stopping, self._stop = self._stop, False
        if stopping:
            self._terminal.leave()
            stop_process_group(signal.SIGTSTP)
        while not self._terminal.foreground() and not self.state.finished:
            stop_process_group(signal.SIGTTOU)
            self._heed()
        self._heed()
        self._stop = self._continued = False
        if not self.state.finished:
            # After a stop that gave no warning, the line may be as the shell likes it.
            self._terminal.leave()
            self._open()

    def _print(self, text: str) -> None:
        if text:
            self._send(f"\n{text}" if self._in_line else text)
            self._in_line = not text.endswith("\n")
        self._terminal.wait_sent()

    def _send(self, text: str) -> None:
        # A desktop notification is an escape sequence. Where it would be printed, the bell stands for it.
        super()._send("\a" if self._dumb and text.startswith("\x1b") else text)
