"""The loop of a terminal that is used line by line: typed lines -> events -> state -> printed lines.

For screen readers, dumb terminals, serial lines and logs. The terminal edits and echoes the line; nothing here moves a
cursor or sets a colour.
"""

from __future__ import annotations

import selectors
import signal

from ask_core.edge.flow import Ended, Flow, Surroundings, default_stop, stop_process_group
from ask_core.edge.renderers import LineRenderer
from ask_core.edge.signals import Wake
from ask_core.edge.tty import Selector, Terminal
from ask_core.effects import EditExternally, Effect
from ask_core.events import Event
from ask_core.keymap import Command, Context, keys_of
from ask_core.keys import Key
from ask_core.state import Noting, State, Typing

# Seconds within which more lines belong to the same burst.
_BURST_GAP = 0.03

_BURST = "Several lines came at once, so none of them was taken. Type one line at a time."


def drive_lines(state: State, terminal: Terminal, renderer: LineRenderer, wake: Wake, around: Surroundings) -> Ended:
    """Run a flow line by line until it has ended, and leave the terminal as it was. Raises FlowFailed."""
    return _LineFlow(state, terminal, renderer, wake, around).drive()


class _LineFlow(Flow):
    def __init__(
        self, state: State, terminal: Terminal, renderer: LineRenderer, wake: Wake, around: Surroundings
    ) -> None:
        super().__init__(state, terminal, wake, around)
        self._renderer = renderer
        self._printed = state
        self._editing: str | None = None

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
        self._print("\n")

    def _open(self) -> None:
        """Begin, or begin again: nothing that was typed before answers what is asked now (R6)."""
        self._terminal.enter_lines()
        self._restart_idle_limit()
        self._terminal.discard_input()
        self._printed = self.state
        self._print(self._renderer.open(self.state))

    def _turn(self, selector: selectors.BaseSelector) -> None:
        """Sleep until something comes, take it in, and say what came of it."""
        ready = {key.fd for key, _ in selector.select(self._until_idle())}
        self._heed()
        if ready:
            self._look_at_settings()
        said = ""
        if self._terminal.fd in ready:
            self._restart_idle_limit()
            said = self._read()
        else:
            self._count_down()
        if self._terminal.gone:
            self._end_by(signal.SIGHUP, "the terminal went away")
        if self._editing is not None:
            self._edit(self._editing)
        elif self._stop or self._continued:
            self._pause()
        elif not self.state.finished and (said or self.state != self._printed):
            self._follow(said)

    def _follow(self, said: str) -> None:
        before, self._printed = self._printed, self.state
        if (before.tab, type(before.mode)) != (self.state.tab, type(self.state.mode)):
            # What was typed ahead was meant for what is not there any more.
            self._terminal.discard_input()
        self._print(self._renderer.follow(before, self.state, said))

    def _read(self) -> str:
        """Take in what was typed; what is to be said about it."""
        if not self._terminal.foreground():
            self._continued = True
            return ""
        lines = self._lines()
        if not lines:
            return ""
        if lines == [None]:
            self._press(Context.MAIN, Command.CANCEL)
            return "\n"
        text = [line for line in lines if line is not None]
        if len(text) > 1 and not isinstance(self.state.mode, Typing | Noting):
            return _BURST
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
                text = data.decode("utf-8", "replace").removesuffix("\n")
                lines += [None] if not data else text.split("\n")
        return lines

    def _press(self, context: Context, command: Command) -> None:
        keys = keys_of(self.state.settings.keymaps, context, command)
        self._reduce(Key(keys[0]))

    def _ending_signal(self, number: int) -> None:
        if number == signal.SIGINT and self._terminal.entered:
            # The terminal makes it of Ctrl+C, and the person means that key.
            self._press(Context.GLOBAL, Command.DISMISS)
            return
        super()._ending_signal(number)

    def _do(self, effect: Effect) -> None:
        if isinstance(effect, EditExternally):
            self._editing = effect.text

    def _edit(self, text: str) -> None:
        """Let the person write in an editor of their own."""
        from ask_core.edge.own_editor import edit

        self._editing = None
        self._terminal.leave()
        with self._terminal.lent(), default_stop():
            event: Event = edit(text, self._terminal.fd, self._around.environ)
        for number in self._wake.take():
            if number not in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGCONT):
                self._wake.poke(number)
        self._reduce(event)
        self._open()

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
            self._open()

    def _print(self, text: str) -> None:
        self._send(text)
        self._terminal.wait_sent()
