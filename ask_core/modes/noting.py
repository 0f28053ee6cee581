"""Noting: a note on a question or on one of its options is being written."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from ask_core import answers, writing
from ask_core.keymap import Command, Context
from ask_core.keys import Key
from ask_core.state import Choosing, Noting, State, at_row, at_tab, with_answer
from ask_core.text.trim import trim


def press(state: State, mode: Noting, key: Key, columns: int) -> State:
    """The state after a key; every key without another meaning goes into the text, in rows `columns` wide."""
    return writing.press(state, mode, key, columns, Context.NOTE_EDITOR, _TRANSITIONS, _TRANSITIONS_WHEN_EMPTY)


def _keep(state: State, mode: Noting, text: str) -> State:
    if mode.option is None:
        return with_answer(state, answers.note_question(state.answer, text))
    return with_answer(state, answers.note_option(state.answer, mode.option, text))


def _save(state: State, mode: Noting) -> State:
    """Save the note, trimmed; the flow goes on where it was."""
    return evolve(_keep(state, mode, trim(mode.buffer.text)), mode=Choosing(mode.row))


def close(state: State, mode: Noting) -> State:
    """Keep the note as typed."""
    return evolve(_keep(state, mode, mode.buffer.text), mode=Choosing(mode.row))


def _to_tab(state: State, mode: Noting, step: int) -> State:
    return at_tab(_keep(state, mode, ""), state.tab + step)


def _to_row(state: State, mode: Noting, step: int) -> State:
    return at_row(_keep(state, mode, ""), mode.row + step)


_TRANSITIONS: dict[Command | None, Callable[[State, Noting], State]] = {
    Command.SAVE: _save,
    Command.CLOSE: close,
}

_TRANSITIONS_WHEN_EMPTY: dict[Command | None, Callable[[State, Noting], State]] = {
    Command.NEXT_TAB_WHEN_EMPTY: lambda state, mode: _to_tab(state, mode, 1),
    Command.PREVIOUS_TAB_WHEN_EMPTY: lambda state, mode: _to_tab(state, mode, -1),
    Command.NEXT_OPTION_WHEN_EMPTY: lambda state, mode: _to_row(state, mode, 1),
    Command.PREVIOUS_OPTION_WHEN_EMPTY: lambda state, mode: _to_row(state, mode, -1),
}
