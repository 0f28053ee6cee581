"""Choosing: the highlight is on a row of a question."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from ask_core import answers
from ask_core.keymap import Command, Context, command
from ask_core.keys import Key
from ask_core.questions import QuestionType
from ask_core.state import (
    Choosing,
    State,
    at_row,
    at_tab,
    chooses_and_sends,
    go_on,
    highlighting,
    leave,
    open_editor,
    open_filter,
    open_note,
    with_answer,
)


def press(state: State, mode: Choosing, key: Key) -> State:
    """The state after a key; the same one where the key has no meaning here."""
    if key.digit:
        return _press_digit(state, key.digit - 1)
    transition = _TRANSITIONS.get(command(state.settings.keymaps, Context.MAIN, key.name))
    return state if transition is None else transition(state, mode)


def highlight(state: State, mode: Choosing, row: int) -> State:
    """Move the highlight; a row that was closed stays closed while the highlight cannot move away from it (R16)."""
    row = max(0, min(row, state.question.last_row))
    return evolve(state, mode=Choosing(row)) if row == mode.row else at_row(state, row)


def _press_digit(state: State, row: int) -> State:
    question = state.question
    if row > question.last_row:
        return state
    if row == question.own_words_row:
        return _toggle_own_words(state)
    if state.type == "multi":
        return highlighting(with_answer(state, answers.toggle(state.answer, row, state.type)), row)
    return _choose_and_go_on(state, row)


def _confirm(state: State, mode: Choosing) -> State:
    if mode.row == state.question.own_words_row:
        return _open_editor(state)
    if state.type == "multi":
        return go_on(state)
    return _choose_and_go_on(state, mode.row)


def _toggle(state: State, mode: Choosing) -> State:
    if mode.row == state.question.own_words_row:
        return _toggle_own_words(state)
    if chooses_and_sends(state, mode.row):
        return _choose_and_go_on(state, mode.row)
    toggled = with_answer(state, answers.toggle(state.answer, mode.row, state.type))
    return evolve(toggled, mode=Choosing(mode.row))


def _toggle_own_words(state: State) -> State:
    """In a multi question, choose the saved own words or take them back; otherwise write."""
    if state.type != "multi" or state.answer.custom is None:
        return _open_editor(state)
    toggled = with_answer(state, answers.toggle_custom(state.answer))
    return evolve(toggled, mode=Choosing(state.question.last_row))


def _choose_and_go_on(state: State, row: int) -> State:
    return go_on(with_answer(state, answers.choose(state.answer, row)))


def _open_editor(state: State) -> State:
    return open_editor(state, state.answer.custom or "")


def _change_type(state: State, mode: Choosing) -> State:
    """Handle the question as another type; what cannot be held any more needs the key twice (R15)."""
    if not state.form.flow.retyping:
        return state
    question = state.question
    back: QuestionType = "single" if question.type == "multi" else question.type
    type: QuestionType = back if state.type == "multi" else "multi"
    answer = state.answer
    if type != "multi" and answers.holds_several(answer):
        if not mode.type_armed:
            return evolve(state, mode=Choosing(mode.row, type_armed=True))
        answer = answers.drop_options(answer)
    types = (*state.types[: state.tab], type, *state.types[state.tab + 1 :])
    return evolve(with_answer(state, answer), types=types, mode=Choosing(mode.row))


def _filter(state: State, mode: Choosing) -> State:
    return open_filter(state, mode.row) if state.question.filterable else state


def _note_option(state: State, mode: Choosing) -> State:
    if mode.row == state.question.own_words_row or not state.form.flow.notes:
        return state
    return open_note(state, mode.row, mode.row)


def _note_question(state: State, mode: Choosing) -> State:
    return open_note(state, None, mode.row) if state.form.flow.notes else state


_TRANSITIONS: dict[Command | None, Callable[[State, Choosing], State]] = {
    Command.CONFIRM: _confirm,
    Command.TOGGLE: _toggle,
    Command.CANCEL: lambda state, mode: leave(state, "cancel"),
    Command.CHANGE_QUESTION_TYPE: _change_type,
    Command.NEXT_TAB: lambda state, mode: at_tab(state, state.tab + 1),
    Command.PREVIOUS_TAB: lambda state, mode: at_tab(state, state.tab - 1),
    Command.NEXT_OPTION: lambda state, mode: highlight(state, mode, mode.row + 1),
    Command.PREVIOUS_OPTION: lambda state, mode: highlight(state, mode, mode.row - 1),
    Command.FIRST_OPTION: lambda state, mode: highlight(state, mode, 0),
    Command.LAST_OPTION: lambda state, mode: highlight(state, mode, state.question.last_row),
    Command.FILTER: _filter,
    Command.OPTION_NOTE: _note_option,
    Command.QUESTION_NOTE: _note_question,
}
