"""The review tab in so many columns and rows."""

from __future__ import annotations

from typing import NamedTuple

from ask_core.frame import Area, Extent, Hit, Line, Role, Span, Target
from ask_core.layout.block import BLANK, Block, aim, beside, columns_of, cut, hidden_rows, page, prose, stack
from ask_core.layout.question import WIDE
from ask_core.screen import Action, ReviewBody, Reviewed
from ask_core.text.graphemes import width

_ROWS = 3
_UNANSWERED_ROWS = 2
_ACTION_COLUMNS = 40


def review_block(body: ReviewBody, columns: int, height: int, *, roomy: bool, key: str) -> Block:
    """Answers and actions, side by side where it is wide enough. The actions are always whole."""
    if columns >= WIDE - 2:
        left = columns - _ACTION_COLUMNS - 3
        answers = _answers(body, left, height, key)
        gap = Span(" │ ", Role.RULE)
        return beside(answers, _decision(body, _ACTION_COLUMNS, height, roomy=True), left, gap)
    decision = _decision(body, columns, height - 1, roomy=roomy)
    gap_lines = 1 if roomy else 0
    answers = _answers(body, columns, height - len(decision.lines) - gap_lines, key)
    return stack((answers, Block((BLANK,) * gap_lines), decision))


def _answers(body: ReviewBody, columns: int, height: int, key: str) -> Block:
    """The questions from `top` on, as many as fit; marks count the others.

    Long answers and notes are cut, but for those of the first question, which are there to be read.
    """
    count = len(body.questions)
    shown = _answers_from(body, body.top, columns, height, key)
    # After a resize there may be room for more than the person has paged to.
    while shown.top and len(shown.lines) < height and len(shown.ends) == count - shown.top:
        earlier = _answers_from(body, shown.top - 1, columns, height, key)
        if len(earlier.lines) > height:
            break
        shown = earlier
    lines, top = shown.lines, shown.top
    fit = sum(end <= height for end in shown.ends)
    if top + fit < count:
        fit = sum(end < height for end in shown.ends)
        mark = hidden_rows("↓", count - top - fit, f"below ({key})" if key else "below")
        lines = [*lines[: max(0, height - 1)], mark]
    whole = min(fit, shown.whole)
    extent = Extent(Area.ANSWERS, top, count - top - whole, max(1, whole))
    extents = (*shown.extents, *((extent,) if whole < count else ()))
    return aim(Block(tuple(lines[: max(0, height)]), extents=extents), columns, Target.ANSWERS)


class _Page(NamedTuple):
    """Lines from the question `top` on, where each question ends, and how many from the first on are not cut."""

    top: int
    lines: list[Line]
    ends: list[int]
    whole: int
    extents: tuple[Extent, ...]


def _answers_from(body: ReviewBody, top: int, columns: int, height: int, key: str) -> _Page:
    """The questions from `top` on, until their lines are more than `height`."""
    count = len(body.questions)
    lines: list[Line] = [hidden_rows("↑", top, "above")] if top and height > 1 else []
    room = max(1, height - len(lines) - (top + 1 < count))
    full = _reviewed(body.questions[top], columns, None)
    first = page(full, room, body.offset if top == body.top else 0, Area.ROW, key, 4)
    lines += first.lines
    ends, whole = [len(lines)], 1
    while top + len(ends) < count and len(lines) <= height:
        question = body.questions[top + len(ends)]
        short = _reviewed(question, columns, _ROWS)
        whole += whole == len(ends) and len(short) == len(_reviewed(question, columns, None))
        lines += short
        ends.append(len(lines))
    return _Page(top, lines, ends, whole, first.extents)


def _reviewed(question: Reviewed, columns: int, rows: int | None) -> list[Line]:
    """A question with its answer and the notes to show, each in at most so many rows."""
    mark = Span("✓ ", Role.MARK_CHOSEN) if question.answers else Span("○ ", Role.MARK)
    label = Span(f"{question.label}: ", Role.HELP)
    if question.answers:
        text, role = ", ".join(question.answers), Role.ANSWER
    else:
        text, role = "not answered", Role.UNANSWERED
    lines = _hanging((mark, label), text, columns, role, rows)
    for option, note in question.notes:
        about = f"Note on {option}: " if option else "Note: "
        lines += _hanging((Span("    ", Role.TEXT), Span(about, Role.NOTE)), note, columns, Role.NOTE, rows)
    return lines


def _hanging(lead: tuple[Span, Span], text: str, columns: int, role: Role, rows: int | None) -> list[Line]:
    """A mark, a label and its text: beside the label, or under it where the label takes more than half the width."""
    if columns_of(lead) * 2 <= columns or ("\n" not in text and columns_of(lead) + width(text) <= columns):
        lines = prose(text, columns, role, lead=lead)
        return lines if rows is None else cut(lines, rows, 4)
    mark, label = lead
    indent = width(mark.text) + 2
    below = prose(text, columns, role, lead=(Span(" " * indent, Role.TEXT),))
    lines = [*prose(label.text, columns, label.role, lead=(mark,)), *below]
    return lines if rows is None else cut(lines, rows + 2, indent)


def _decision(body: ReviewBody, columns: int, height: int, *, roomy: bool) -> Block:
    """What is not answered, and the actions."""
    label_columns = max(width(action.label) for action in body.actions)
    blocks = [_action(action, columns, label_columns) for action in body.actions]
    chosen = next(index for index, action in enumerate(body.actions) if action.highlighted)
    if sum(map(len, blocks)) > height:
        blocks = [lines if index == chosen else lines[:1] for index, lines in enumerate(blocks)]
    actions = [line for lines in blocks for line in lines]
    indices = [index for index, lines in enumerate(blocks) for _ in lines]
    if len(actions) > height:
        start = min(sum(map(len, blocks[:chosen])), len(actions) - height)
        actions, indices = actions[start:][:height], indices[start:][:height]
    hits = tuple(Hit(row, 0, columns, Target.ACTION, index) for row, index in enumerate(indices))
    decision = Block(tuple(actions), hits=hits)
    missing = _unanswered(body, columns)
    gap = [BLANK] if roomy and missing else []
    room = height - len(actions) - len(gap)
    return stack((Block((*cut(missing, room), *gap)), decision)) if room > 0 else decision


def _unanswered(body: ReviewBody, columns: int) -> list[Line]:
    if not body.unanswered:
        return []
    if len(body.unanswered) + body.unanswered_more == len(body.questions):
        return prose("No question is answered yet.", columns, Role.UNANSWERED)
    for named in range(len(body.unanswered), 0, -1):
        rest = len(body.unanswered) - named + body.unanswered_more
        names = ", ".join(body.unanswered[:named]) + (f" and {rest} more" if rest else "")
        lines = prose(f"Not answered: {names}", columns, Role.UNANSWERED)
        if len(lines) <= _UNANSWERED_ROWS:
            return lines
    return prose(f"{len(body.unanswered) + body.unanswered_more} not answered", columns, Role.UNANSWERED)


def _action(action: Action, columns: int, label_columns: int) -> list[Line]:
    """An action and what it does beside it; where that does not fit, under it if the action is highlighted."""
    text, role = (action.pending, Role.WARNING) if action.pending else (action.help, Role.DESCRIPTION)
    label = Span(action.label, Role.OPTION_FOCUSED if action.highlighted else Role.OPTION)
    pointer = Span("› " if action.highlighted else "  ", Role.POINTER)
    head = (pointer, Span(f"{action.number} ", Role.NUMBER), label)
    whole = (*head, Span(" " * (label_columns - width(action.label) + 2), Role.TEXT), Span(text, role))
    if columns_of(whole) <= columns:
        return [whole]
    below = prose(text, columns, role, lead=(Span("    ", Role.TEXT),))
    return [head, *below] if action.highlighted else [head]
