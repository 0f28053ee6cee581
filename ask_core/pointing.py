"""The mouse: what a click and a turn of the wheel mean, by what the frame shows at that place.

A click chooses and never takes the flow further: on a single question it stays and takes nothing back, so that hitting
a row twice is like hitting it once. What is being written is kept, as by the key that closes the editor. The wheel
scrolls what it is over; a list follows its highlight. Neither does anything where there is nothing to point at.
"""

from __future__ import annotations

from attrs import evolve

from ask_core import answers, completion, reading
from ask_core.events import Click, Wheel
from ask_core.frame import Area, Frame, Hit, Target
from ask_core.modes import choosing, configuring, filtering, noting, reviewing, typing
from ask_core.settings import RESET_ROW, Setting
from ask_core.state import (
    Choosing,
    Configuring,
    Filtering,
    Noting,
    Reviewing,
    State,
    Typing,
    Writing,
    at_row,
    at_tab,
    is_complete,
    open_editor,
    with_answer,
    with_buffer,
)
from ask_core.text import buffer as edits
from ask_core.text.wrap import segments

# Lines of a text that one step of the wheel goes.
_LINES = 3

_AREAS = {
    Target.PROMPT: (Area.PROMPT, _LINES),
    Target.PREVIEW: (Area.PREVIEW, _LINES),
    Target.ANSWERS: (Area.ANSWERS, 1),
    Target.MANUAL: (Area.MANUAL, _LINES),
}


def click(state: State, event: Click) -> State:
    """The state after a click; the same one where there is nothing to choose."""
    frame = reading.frame_of(state)
    hit = frame.hit(event.column, event.row)
    if hit is None:
        return state
    mode = state.mode
    match hit.target:
        case Target.TAB:
            return state if hit.item == state.tab else at_tab(_kept(state), hit.item)
        case Target.ROW:
            return _choose(state, hit.item)
        case Target.EDITOR if isinstance(mode, Writing):
            return _place_cursor(state, mode, frame, hit, event)
        case Target.PATH if isinstance(mode, Writing) and mode.completion is not None:
            pointed = evolve(mode, completion=mode.completion._replace(highlighted=hit.item))
            return completion.take(state, pointed)
        case Target.ACTION if isinstance(mode, Reviewing):
            return reviewing.press_digit(state, mode, hit.item)
        case Target.SETTING if isinstance(mode, Configuring):
            return _change(state, mode, hit.item)
        case _:
            return state


def wheel(state: State, event: Wheel) -> State:
    """The state after a step of the wheel; the same one at either end of what is scrolled."""
    frame = reading.frame_of(state)
    hit = frame.hit(event.column, event.row)
    if hit is None:
        return state
    mode = state.mode
    if hit.target in _AREAS:
        area, lines = _AREAS[hit.target]
        return reading.scroll(state, area, event.step * lines)
    if hit.target is Target.PATH and isinstance(mode, Writing):
        return completion.move(state, mode, event.step)
    if isinstance(mode, Configuring):
        return configuring.highlight(state, mode, max(0, min(mode.row + event.step, RESET_ROW)))
    if hit.target not in (Target.ROW, Target.EDITOR):
        return state
    match mode:
        case Choosing():
            return choosing.highlight(state, mode, mode.row + event.step)
        case Filtering():
            return filtering.highlight(state, mode, mode.row + event.step)
        case Typing() if _untouched(state, mode):
            return at_row(state, state.question.last_row - 1) if event.step < 0 else state
        case Typing() | Noting() if hit.target is Target.EDITOR:
            return _scroll_editor(state, mode, frame, event.step)
        case _:
            return state


def _kept(state: State) -> State:
    """The state without an open editor, the text kept."""
    match state.mode:
        case Typing() as mode:
            return typing.close(state, mode)
        case Noting() as mode:
            return noting.close(state, mode)
        case _:
            return state


def _choose(state: State, place: int) -> State:
    """Choose the row at a place of the list: a multi question takes a chosen option back, own words are written."""
    mode = state.mode
    row = mode.rows[place] if isinstance(mode, Filtering) else place
    if row == state.question.own_words_row:
        return state if isinstance(mode, Typing) else open_editor(_kept(state), state.answer.custom or "")
    kept = _kept(state)
    multi = kept.type == "multi"
    answer = answers.toggle(kept.answer, row, kept.type) if multi else answers.choose(kept.answer, row)
    chosen = with_answer(kept, answer)
    match chosen.mode:
        case Filtering() as filter:
            return filtering.highlight(chosen, filter, place)
        case Choosing(row=highlighted) if highlighted == row:
            return evolve(chosen, mode=Choosing(row))
        case _:
            return at_row(chosen, row)


def _change(state: State, mode: Configuring, row: int) -> State:
    """Change a line of the settings list."""
    pointed = mode if row == mode.row else mode._replace(row=row, resetting=False)
    there = evolve(state, mode=pointed)
    if pointed is not mode and row == list(Setting).index(Setting.AUTO_SUBMIT) and is_complete(state):
        # It would send the answers: that has to be read first.
        return there
    return configuring.change(there, pointed)


def _place_cursor(state: State, mode: Writing, frame: Frame, hit: Hit, event: Click) -> State:
    """Put the cursor of the open editor where the click was."""
    assert frame.cursor is not None
    assert frame.editor_columns is not None
    column = event.column - hit.first
    buffer = evolve(mode.buffer, goal=column)
    move = edits.move_up if event.row < frame.cursor.row else edits.move_down
    for _ in range(abs(event.row - frame.cursor.row)):
        buffer = move(buffer, frame.editor_columns)
    return with_buffer(state, edits.move_in_row(buffer, column, frame.editor_columns))


def _scroll_editor(state: State, mode: Writing, frame: Frame, step: int) -> State:
    """Move the cursor, which the box follows, through a text that is longer than its box."""
    columns = frame.editor_columns or state.width
    shown = sum(hit.target is Target.EDITOR for hit in frame.hits)
    if sum(len(segments(line, columns)) for line in mode.buffer.text.split("\n")) <= shown:
        return state
    buffer = mode.buffer
    for _ in range(_LINES):
        buffer = edits.move_up(buffer, columns) if step < 0 else edits.move_down(buffer, columns)
    return with_buffer(state, buffer)


def _untouched(state: State, mode: Typing) -> bool:
    """Whether the editor for own words holds nothing and hides nothing, so that the list may scroll on past it."""
    return not mode.buffer and state.answer.custom is None and not state.question.freeform
