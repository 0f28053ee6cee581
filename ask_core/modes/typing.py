"""Typing: own words are being written."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from ask_core import answers, writing
from ask_core.keymap import Command, Context
from ask_core.keys import Key
from ask_core.state import Choosing, State, Typing, at_row, at_tab, go_on, open_editor, with_answer
from ask_core.text.trim import is_blank, trim


def press(state: State, mode: Typing, key: Key, columns: int) -> State:
    """The state after a key; every key without another meaning goes into the text, in rows `columns` wide."""
    return writing.press(state, mode, key, columns, Context.EDITOR, _TRANSITIONS, _TRANSITIONS_WHEN_EMPTY)


def _submit(state: State, mode: Typing) -> State:
    """Commit the words, trimmed; blank text keeps a chosen option or clears and stays (R16)."""
    text = mode.buffer.text
    written = with_answer(state, answers.write(state.answer, trim(text), state.type))
    if state.type == "multi":
        return open_editor(written) if is_blank(text) else evolve(written, mode=Choosing(_row(state)))
    if is_blank(text) and not state.answer.selected:
        return open_editor(written)
    return go_on(written)


def close(state: State, mode: Typing) -> State:
    """Keep the words as typed; text that has not changed changes nothing (R16)."""
    return evolve(_kept(state, mode), mode=Choosing(_row(state)))


def _kept(state: State, mode: Typing) -> State:
    text = mode.buffer.text
    if text == (state.answer.custom or ""):
        return state
    return with_answer(state, answers.write(state.answer, text, state.type))


def _row(state: State) -> int:
    return state.question.last_row


_TRANSITIONS: dict[Command | None, Callable[[State, Typing], State]] = {
    Command.SUBMIT: _submit,
    Command.CLOSE: close,
}

_TRANSITIONS_WHEN_EMPTY: dict[Command | None, Callable[[State, Typing], State]] = {
    Command.NEXT_TAB_WHEN_EMPTY: lambda state, mode: at_tab(_kept(state, mode), state.tab + 1),
    Command.PREVIOUS_TAB_WHEN_EMPTY: lambda state, mode: at_tab(_kept(state, mode), state.tab - 1),
    Command.NEXT_OPTION_WHEN_EMPTY: lambda state, mode: at_row(_kept(state, mode), _row(state) + 1),
    Command.PREVIOUS_OPTION_WHEN_EMPTY: lambda state, mode: at_row(_kept(state, mode), _row(state) - 1),
}
