"""Answering by what is wanted instead of by keys: the keys that do it, in the order a person would press them.

Whoever has no screen to steer by (typed lines, answers from a file) says what is to be chosen, written or opened. The
typist finds the keys for it in the key maps in effect and presses them, so every rule of the machine holds for it too.
"""

from __future__ import annotations

from typing import assert_never

from ask_core.errors import AskError
from ask_core.events import Edited, Event
from ask_core.keymap import Command, Context, keys_of
from ask_core.keys import Key
from ask_core.questions import ReviewAction
from ask_core.reduce import reduce
from ask_core.state import Choosing, Configuring, Filtering, Noting, Reviewing, State, Typing, ends_here


class NoKey(AskError):
    """The key maps in effect have no key for what is wanted, or none that works where it is wanted."""


class Typist:
    """Presses keys on a state. `state` is what came of them, `events` are the presses so far.

    Everything that presses keys raises NoKey where there is none.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def press(self, context: Context, command: Command) -> None:
        """Press the first key of a command that does not go into the text that is being written."""
        keys = map(Key, keys_of(self.state.settings.keymaps, context, command))
        key = next((key for key in keys if not (key.text and _is_typed(self.state, context, command))), None)
        if key is None:
            raise NoKey(f"{context}.{command}")
        self.happen(key)

    def happen(self, event: Event) -> None:
        """Let an event happen, unless the flow has ended."""
        if not self.state.finished:
            self.events.append(event)
            self.state = reduce(self.state, event)

    def step_back(self) -> None:
        """Close whatever is open over the rows of the question or the actions of the review, keeping its text."""
        while not self.state.finished:
            match self.state.mode:
                case Typing():
                    self._step(Context.EDITOR, Command.CLOSE)
                case Noting():
                    self._step(Context.NOTE_EDITOR, Command.CLOSE)
                case Filtering():
                    self._step(Context.MAIN, Command.CANCEL)
                case Configuring():
                    self._step(Context.SETTINGS_MODAL, Command.CLOSE)
                case Choosing() | Reviewing():
                    return
                case never:
                    assert_never(never)

    def go_to_tab(self, tab: int) -> None:
        """Open the question with this index, or the review where it is the number of questions."""
        self.step_back()
        while self.state.tab != tab and not self.state.finished:
            self._step(Context.MAIN, Command.NEXT_TAB if self.state.tab < tab else Command.PREVIOUS_TAB)
            self.step_back()

    def highlight(self, row: int) -> None:
        """Highlight a row of the open question. The editor of the last one may open by that."""
        mode = self.state.mode
        if isinstance(mode, Typing) and row == self.state.question.own_words_row:
            return
        self.step_back()
        while isinstance(mode := self.state.mode, Choosing) and mode.row != row:
            self._step(Context.MAIN, Command.NEXT_OPTION if mode.row < row else Command.PREVIOUS_OPTION)

    def press_digit(self, digit: int) -> None:
        """Press a digit from 1 to 9."""
        self.happen(Key(str(digit)))

    def go_on(self) -> None:
        """Leave the open question for the next tab, or send its answer where that ends the form."""
        if ends_here(self.state):
            self._send()
        else:
            self.go_to_tab(self.state.tab + 1)

    def open_own_words(self) -> None:
        """Open the editor for own words on the open question, which has a row for them."""
        self.highlight(self.state.question.last_row)
        if isinstance(self.state.mode, Choosing):
            self.press(Context.MAIN, Command.CONFIRM)

    def open_note(self, option: int | None) -> None:
        """Open the editor of the note on an option, or on the open question."""
        if option is None:
            self.step_back()
        else:
            self.highlight(option)
        self.press(Context.MAIN, Command.QUESTION_NOTE if option is None else Command.OPTION_NOTE)

    def change_setting(self, row: int) -> None:
        """Change a line of the open settings."""
        while isinstance(mode := self.state.mode, Configuring) and mode.row != row:
            down = mode.row < row
            self._step(Context.SETTINGS_MODAL, Command.NEXT_OPTION if down else Command.PREVIOUS_OPTION)
        self.press(Context.SETTINGS_MODAL, Command.TOGGLE)

    def choose(self, option: int) -> None:
        """Choose the one answer of a question, which goes on to the next tab."""
        self.highlight(option)
        self.press(Context.MAIN, Command.CONFIRM)

    def toggle(self, row: int) -> None:
        """Choose a row beside the others, or take it back, and stay."""
        self.highlight(row)
        self.press(Context.MAIN, Command.TOGGLE)

    def write(self, text: str, *, as_it_is: bool = False) -> None:
        """Write own words in place of those that are there, and save them: trimmed and going on, or as they are."""
        self.open_own_words()
        self.happen(Edited(text))
        self.press(Context.EDITOR, Command.CLOSE if as_it_is else Command.SUBMIT)

    def note(self, option: int | None, text: str, *, as_it_is: bool = False) -> None:
        """Write the note on an option, or on the open question, trimmed or as it is; blank text clears it."""
        self.open_note(option)
        self.happen(Edited(text))
        self.press(Context.NOTE_EDITOR, Command.CLOSE if as_it_is else Command.SAVE)

    def point_at(self, action: ReviewAction) -> None:
        """Open the review with an action highlighted."""
        self.go_to_tab(len(self.state.form.questions))
        wanted = self.state.form.flow.review_actions.index(action)
        while isinstance(mode := self.state.mode, Reviewing) and mode.action != wanted and not self.state.finished:
            self._step(Context.MAIN, Command.NEXT_OPTION if mode.action < wanted else Command.PREVIOUS_OPTION)

    def act(self, action: ReviewAction) -> None:
        """Take an action of the review, or end a form without one in the same way, as far as it can be."""
        if self.state.form.flow.review is not None:
            self.point_at(action)
            self.press(Context.MAIN, Command.CONFIRM)
            return
        self.go_to_tab(len(self.state.form.questions) - 1)
        if action == "submit":
            self._send()
            return
        self.cancel()
        if self.state.warned:
            self.cancel()

    def change_type(self) -> None:
        """Handle the open question as another type."""
        self.step_back()
        self.press(Context.MAIN, Command.CHANGE_QUESTION_TYPE)

    def cancel(self) -> None:
        """Cancel the flow from wherever it is."""
        self.step_back()
        self.press(Context.MAIN, Command.CANCEL)

    def dismiss(self) -> None:
        """Dismiss the flow, or close the settings; a text is closed first where it would take the key."""
        if isinstance(self.state.mode, Configuring):
            self.press(Context.SETTINGS_MODAL, Command.CLOSE)
            return
        try:
            self.press(Context.GLOBAL, Command.DISMISS)
        except NoKey:
            self.step_back()
            self.press(Context.GLOBAL, Command.DISMISS)

    def _send(self) -> None:
        """Confirm what the open question holds, if it holds anything."""
        answer = self.state.answer
        if answer.custom_selected:
            self.open_own_words()
            self.press(Context.EDITOR, Command.SUBMIT)
        elif answer.selected:
            self.choose(answer.selected[0])

    def _step(self, context: Context, command: Command) -> None:
        """Press a key on the way to something; where it does nothing, there is no way."""
        before = self.state
        self.press(context, command)
        if self.state is before:
            raise NoKey(f"{context}.{command}")


def _is_typed(state: State, context: Context, command: Command) -> bool:
    """Whether a key that types a character types it here, whatever it is bound to."""
    match state.mode:
        case Typing(buffer=buffer) | Noting(buffer=buffer):
            return bool(buffer) or (context is Context.GLOBAL and command is not Command.SETTINGS)
        case mode:
            return isinstance(mode, Filtering)
