"""Filtering: only the rows of a long list are shown that match what is being typed.

Every key that types a character goes into the filter, but the digits, which choose among the rows shown. The row for
own words, where there is one, is always the last of them; here its editor only opens when the row is acted on, since a
text without a match must not turn into own words while it is being typed.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from ask_core import answers, editing
from ask_core.keymap import Command, command_in_filter
from ask_core.keys import Key
from ask_core.state import (
    Choosing,
    Filtering,
    Offsets,
    State,
    at_tab,
    chooses_and_sends,
    go_on,
    open_editor,
    with_answer,
)
from ask_core.text import buffer as edits
from ask_core.text.buffer import TextBuffer
from ask_core.text.fuzzy import filtered, narrows

# Longer than anything worth typing, and short enough for a pattern.
_LONGEST = 200


def press(state: State, mode: Filtering, key: Key) -> State:
    """The state after a key."""
    if len(key.name) == 1 and key.name in "0123456789":
        return _press_digit(state, mode, int(key.name) - 1)
    name = command_in_filter(state.settings.keymaps, key)
    # As in other editors, the arrows lead out only while there is no text.
    if name in _TABS and not (mode.buffer and key.name in editing.EDITS):
        return at_tab(state, state.tab + _TABS[name])
    transition = _TRANSITIONS.get(name)
    if transition is not None:
        return transition(state, mode)
    return _search(state, mode, editing.press(mode.buffer, key))


def paste(state: State, mode: Filtering, text: str) -> State:
    """Put pasted text into the filter, its line breaks as spaces."""
    room = _LONGEST - len(mode.buffer.text)
    return _search(state, mode, edits.insert(mode.buffer, text[:room].replace("\n", " ")))


def highlight(state: State, mode: Filtering, row: int) -> State:
    """Highlight one of the rows shown; there is no way round the ends."""
    row = max(0, min(row, len(mode.rows) - 1))
    return state if row == mode.row else _at(state, mode, row)


def _at(state: State, mode: Filtering, row: int) -> State:
    """The highlight on a row that the person wants."""
    index = mode.rows[row]
    back = mode.back if index == state.question.own_words_row else index
    offsets = state.offsets if row == mode.row else Offsets(state.offsets.prompt)
    return evolve(state, mode=evolve(mode, row=row, back=back), offsets=offsets)


def _search(state: State, mode: Filtering, buffer: TextBuffer) -> State:
    """Show what matches the text now, the first row highlighted; without a text, the option that was."""
    query, before = buffer.text, mode.buffer.text
    if "\n" in query or len(query) > _LONGEST:
        return state
    if query == before:
        return evolve(state, mode=evolve(mode, buffer=buffer))
    own_words = () if state.question.own_words_row is None else (state.question.own_words_row,)
    options = mode.rows[: len(mode.rows) - len(own_words)] if narrows(before, query) else range(len(mode.labels))
    rows = (*filtered(query, mode.labels, options), *own_words)
    row = 0 if query.strip() else _without_filter(state, mode)
    searched = evolve(mode, buffer=buffer, rows=rows, row=row)
    return evolve(state, mode=searched, offsets=Offsets(state.offsets.prompt))


def _without_filter(state: State, mode: Filtering) -> int:
    """The row of the question to highlight without the filter."""
    return mode.highlighted if len(mode.rows) > state.question.own_words else mode.back


def _close(state: State, mode: Filtering) -> State:
    row = _without_filter(state, mode)
    offsets = state.offsets if row == mode.highlighted else Offsets(state.offsets.prompt)
    return evolve(state, mode=Choosing(row), offsets=offsets)


def _press_digit(state: State, mode: Filtering, row: int) -> State:
    """Choose a row shown and stay: who types a number out of habit has answered nothing that comes after it."""
    if not 0 <= row < len(mode.rows):
        return state
    if state.type == "multi" or mode.rows[row] == state.question.own_words_row:
        return _act(state, mode, row)
    return with_answer(_at(state, mode, row), answers.choose(state.answer, mode.rows[row]))


def _act(state: State, mode: Filtering, row: int) -> State:
    """Choose a row shown: of a multi question it is toggled and the filter stays, else the flow goes on."""
    state, option = _at(state, mode, row), mode.rows[row]
    if option == state.question.own_words_row:
        return _write(state)
    if state.type == "multi":
        return with_answer(state, answers.toggle(state.answer, option, state.type))
    return go_on(with_answer(state, answers.choose(state.answer, option)))


def _write(state: State) -> State:
    """In a multi question, choose the saved own words or take them back; otherwise write."""
    if state.type == "multi" and state.answer.custom is not None:
        return with_answer(state, answers.toggle_custom(state.answer))
    return open_editor(state, state.answer.custom or "")


def _confirm(state: State, mode: Filtering) -> State:
    if mode.highlighted == state.question.own_words_row:
        return open_editor(state, state.answer.custom or "")
    return _act(state, mode, mode.row) if mode.rows else state


def _toggle(state: State, mode: Filtering) -> State:
    if mode.highlighted == state.question.own_words_row:
        return _write(state)
    if not mode.rows:
        return state
    if chooses_and_sends(state, mode.highlighted):
        return _act(state, mode, mode.row)
    toggled = with_answer(state, answers.toggle(state.answer, mode.highlighted, state.type))
    return _at(toggled, mode, mode.row)


_TABS: dict[Command | None, int] = {Command.NEXT_TAB: 1, Command.PREVIOUS_TAB: -1}

_TRANSITIONS: dict[Command | None, Callable[[State, Filtering], State]] = {
    Command.CONFIRM: _confirm,
    Command.TOGGLE: _toggle,
    Command.CANCEL: _close,
    Command.NEXT_OPTION: lambda state, mode: highlight(state, mode, mode.row + 1),
    Command.PREVIOUS_OPTION: lambda state, mode: highlight(state, mode, mode.row - 1),
    Command.FIRST_OPTION: lambda state, mode: highlight(state, mode, 0),
    Command.LAST_OPTION: lambda state, mode: highlight(state, mode, len(mode.rows) - 1),
}
