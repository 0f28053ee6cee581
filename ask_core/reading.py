"""Reading on in what is longer than its place: prompts, descriptions, previews, and the answers on the review tab.

How much is out of sight depends on the terminal's size, so the frame of the state is asked. One key reads through all
the texts of a screen in reading order, the next page of the first one that goes on below; another key reads back.
"""

from __future__ import annotations

from attrs import evolve

from ask_core.frame import Area, Extent, Frame
from ask_core.layout import MINIMUM_HEIGHT, MINIMUM_WIDTH, layout
from ask_core.state import Reviewing, State
from ask_core.view import view


def read(state: State, step: int) -> State:
    """The next page (`step` 1) or the one before (-1) of what does not fit; the highlight stays where it is."""
    extents = [extent for extent in _extents(state) if extent.area is not Area.ROWS]
    if step > 0:
        below = next((extent for extent in extents if extent.below), None)
        return state if below is None else _at(state, below.area, below.above + min(below.page, below.below))
    above = next((extent for extent in reversed(extents) if extent.above), None)
    if above is None:
        return state
    if above.area is Area.ANSWERS:
        return _answers_before(state, above.above)
    return _at(state, above.area, above.above - min(above.page, above.above))


def page_of_rows(state: State) -> int:
    """How many rows a page of the open question moves by: to the end where all of them are in sight."""
    rows = next((extent for extent in _extents(state) if extent.area is Area.ROWS), None)
    return len(state.question.options) + 1 if rows is None else rows.page


def editor_columns(state: State) -> int:
    """How wide the rows of the open editor are."""
    return _frame(state).editor_columns or state.width


def _extents(state: State) -> tuple[Extent, ...]:
    return _frame(state).extents


def _frame(state: State) -> Frame:
    return layout(view(state), max(state.width, MINIMUM_WIDTH), max(state.height, MINIMUM_HEIGHT))


def _at(state: State, area: Area, offset: int) -> State:
    match area:
        case Area.PROMPT:
            return evolve(state, offsets=state.offsets._replace(prompt=offset))
        case Area.ROW:
            return evolve(state, offsets=state.offsets._replace(row=offset))
        case Area.PREVIEW:
            return evolve(state, offsets=state.offsets._replace(preview=offset))
        case _:
            assert isinstance(state.mode, Reviewing)
            return evolve(state, mode=evolve(state.mode, top=offset))


def _answers_before(state: State, top: int) -> State:
    """The page of answers that ends with the one before `top`: as many as fit, at least one."""
    earlier = _at(state, Area.ANSWERS, top - 1)
    for first in range(top - 2, -1, -1):
        candidate = _at(state, Area.ANSWERS, first)
        shown = next((extent.page for extent in _extents(candidate) if extent.area is Area.ANSWERS), top)
        if first + shown < top:
            break
        earlier = candidate
    return earlier
