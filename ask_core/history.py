"""Undo and redo of what was given: choices, saved and cleared words, notes and changes of type."""

from __future__ import annotations

from attrs import evolve

from ask_core.state import Choosing, Filtering, Moment, Noting, State, Writing, at_tab, highlighting

_STEPS = 200


def remember(before: State, after: State) -> State:
    """`after`, from which undo leads back to `before` if anything given has changed."""
    if after.answers is before.answers and after.types is before.types:
        return after
    return evolve(after, past=(*after.past[1 - _STEPS :], _moment(before)), future=())


def undo(state: State) -> State:
    """Take the last change back and go where it was made; the same state where there is none."""
    if not state.past:
        return state
    back = state.past[-1]
    mode = state.mode
    writing = (state.tab, mode) if isinstance(mode, Writing) and mode.buffer.future else None
    here = Moment(state.answers, state.types, back.tab, back.row, writing)
    return evolve(_at(state, back), past=state.past[:-1], future=(*state.future, here))


def redo(state: State) -> State:
    """Make the change again that was taken back last."""
    if not state.future:
        return state
    onward = state.future[-1]
    here = Moment(state.answers, state.types, onward.tab, onward.row)
    again = evolve(_at(state, onward), past=(*state.past, here), future=state.future[:-1])
    if onward.writing is None:
        return again
    tab, editor = onward.writing
    return evolve(again if again.tab == tab else at_tab(again, tab), mode=editor)


def _moment(state: State) -> Moment:
    match state.mode:
        case Choosing(row=row) | Noting(row=row) | Filtering(highlighted=row):
            return Moment(state.answers, state.types, state.tab, row)
        case _:
            row = 0 if state.on_review else state.question.last_row
            return Moment(state.answers, state.types, state.tab, row)


def _at(state: State, moment: Moment) -> State:
    """What was given then, the highlight where it was changed."""
    there = state if state.tab == moment.tab else at_tab(state, moment.tab)
    there = evolve(there, answers=moment.answers, types=moment.types)
    if isinstance(there.mode, Filtering) and moment.row in there.mode.rows:
        filtering = evolve(there.mode, row=there.mode.rows.index(moment.row))
        return evolve(highlighting(there, moment.row), mode=filtering)
    return highlighting(there, moment.row)
