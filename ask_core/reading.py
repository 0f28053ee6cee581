"""Reading on in what is longer than its place: prompts, descriptions, previews, and the answers on the review tab.

How much is out of sight depends on the terminal's size, so the frame of the state is asked. One key reads through all
the texts of a screen in reading order, the next page of the first one that goes on below; another key reads back.
"""

from __future__ import annotations

from bisect import bisect_left

from attrs import evolve

from ask_core.frame import Area, Extent, Frame
from ask_core.layout import MINIMUM_HEIGHT, MINIMUM_WIDTH, layout
from ask_core.settings import RESET_ROW
from ask_core.state import UNREAD, Configuring, Reviewing, State
from ask_core.view import view


def read(state: State, step: int) -> State:
    """The next page (`step` 1) or the one before (-1) of what does not fit; the highlight stays where it is."""
    extents = [extent for extent in _extents(state) if extent.area is not Area.ROWS]
    if step > 0:
        below = next((extent for extent in extents if extent.below), None)
        return state if below is None else _at(state, below.area, below.above + min(below.page, below.below))
    # On the review tab the first question is read back before the ones above it come.
    texts = [extent for extent in reversed(extents) if extent.area is not Area.ANSWERS]
    answers = [extent for extent in extents if extent.area is Area.ANSWERS]
    above = next((extent for extent in (*texts, *answers) if extent.above), None)
    if above is None:
        return state
    if above.area is Area.ANSWERS:
        return _answers_before(state, above.above)
    return _at(state, above.area, above.above - min(above.page_back, above.above))


def scroll(state: State, area: Area, by: int) -> State:
    """So many lines further down an area, or questions of the review tab; the same state at its end."""
    extent = next((extent for extent in _extents(state) if extent.area is area), None)
    if extent is None:
        return state
    offset = max(0, min(extent.above + by, extent.above + extent.below))
    return state if offset == extent.above else _at(state, area, offset)


def is_shown(state: State) -> bool:
    """Whether the terminal is large enough to show anything but a notice."""
    return state.width >= MINIMUM_WIDTH and state.height >= MINIMUM_HEIGHT


def page_of_rows(state: State) -> int:
    """How many rows a page of the open question moves by: to the end where all of them are in sight."""
    rows = next((extent for extent in _extents(state) if extent.area is Area.ROWS), None)
    return state.question.last_row + 1 if rows is None else rows.page


def page_of_settings(state: State) -> int:
    """How many lines a page of the settings list moves by: to the end where all of them are in sight."""
    rows = next((extent for extent in _extents(state) if extent.area is Area.ROWS), None)
    return RESET_ROW if rows is None else rows.page


def editor_columns(state: State) -> int:
    """How wide the rows of the open editor are."""
    return frame_of(state).editor_columns or state.width


def _extents(state: State) -> tuple[Extent, ...]:
    return frame_of(state).extents


def frame_of(state: State) -> Frame:
    """What the state looks like at the size it knows of."""
    return layout(view(state), state.width, state.height)


def _at(state: State, area: Area, offset: int) -> State:
    match area:
        case Area.PROMPT:
            return evolve(state, offsets=state.offsets._replace(prompt=offset))
        case Area.ROW:
            return evolve(state, offsets=state.offsets._replace(row=offset))
        case Area.PREVIEW:
            return evolve(state, offsets=state.offsets._replace(preview=offset))
        case Area.MANUAL:
            assert isinstance(state.mode, Configuring)
            return evolve(state, mode=state.mode._replace(read=offset))
        case _:
            assert isinstance(state.mode, Reviewing)
            return evolve(state, mode=evolve(state.mode, top=offset), offsets=UNREAD)


def _answers_before(state: State, top: int) -> State:
    """The page of answers that ends with the one before `top`: as many as fit, at least one."""

    def reaches(first: int) -> bool:
        page = next((extent.page for extent in _extents(_at(state, Area.ANSWERS, first)) if _is_answers(extent)), top)
        return first + page >= top

    first = bisect_left(range(top - 1), True, lo=max(0, top - state.height), key=reaches)
    return _at(state, Area.ANSWERS, first)


def _is_answers(extent: Extent) -> bool:
    return extent.area is Area.ANSWERS
