"""The review tab in so many columns and rows."""

from __future__ import annotations

from ask_core.frame import Area, Extent, Hit, Line, Role, Span, Target
from ask_core.layout.block import BLANK, Block, aim, beside, columns_of, cut, hidden_rows, prose, stack
from ask_core.layout.question import WIDE
from ask_core.screen import Action, ReviewBody, Reviewed
from ask_core.text.graphemes import width

_ANSWER_ROWS = 3
_NOTE_ROWS = 3
_UNANSWERED_ROWS = 2
_ACTION_COLUMNS = 40


def review_block(body: ReviewBody, columns: int, height: int, *, roomy: bool) -> Block:
    """Answers and actions, side by side where it is wide enough. The actions are always whole."""
    if columns >= WIDE - 2:
        left = columns - _ACTION_COLUMNS - 3
        answers = _answers(body, left, height)
        gap = Span(" │ ", Role.RULE)
        return beside(answers, _decision(body, _ACTION_COLUMNS, height, roomy=True), left, gap)
    decision = _decision(body, columns, height - 1, roomy=roomy)
    gap_lines = 1 if roomy else 0
    answers = _answers(body, columns, height - len(decision.lines) - gap_lines)
    return stack((answers, Block((BLANK,) * gap_lines), decision))


def _answers(body: ReviewBody, columns: int, height: int) -> Block:
    """The questions from `top` on, as many as fit; marks count the others."""
    count = len(body.questions)
    top = body.top
    lines, ends = _answers_from(body, top, columns, height)
    # After a resize there may be room for more than the person has paged to.
    while top and len(lines) < height and len(ends) == count - top:
        earlier = _answers_from(body, top - 1, columns, height)
        if len(earlier[0]) > height:
            break
        (lines, ends), top = earlier, top - 1
    whole = sum(end <= height for end in ends)
    if top + whole < count:
        whole = sum(end < height for end in ends)
        lines = [*lines[: max(0, height - 1)], hidden_rows("↓", count - top - whole, "below")]
    extent = Extent(Area.ANSWERS, top, count - top - whole, max(1, whole))
    shown = Block(tuple(lines[: max(0, height)]), extents=(extent,) if whole < count else ())
    return aim(shown, columns, Target.ANSWERS)


def _answers_from(body: ReviewBody, top: int, columns: int, height: int) -> tuple[list[Line], list[int]]:
    """Lines from the question `top` on, until they are more than `height`, and where each question ends."""
    lines: list[Line] = [hidden_rows("↑", top, "above")] if top and height > 1 else []
    ends: list[int] = []
    while top + len(ends) < len(body.questions) and len(lines) <= height:
        lines += _reviewed(body.questions[top + len(ends)], columns)
        ends.append(len(lines))
    return lines, ends


def _reviewed(question: Reviewed, columns: int) -> list[Line]:
    """A question with its answer and the notes to show."""
    mark = Span("✓ ", Role.MARK_CHOSEN) if question.answers else Span("○ ", Role.MARK)
    label = Span(f"{question.label}: ", Role.HELP)
    if question.answers:
        text, role = ", ".join(question.answers), Role.ANSWER
    else:
        text, role = "not answered", Role.UNANSWERED
    lines = _hanging((mark, label), text, columns, role, _ANSWER_ROWS)
    for option, note in question.notes:
        about = f"Note on {option}: " if option else "Note: "
        lines += _hanging((Span("    ", Role.TEXT), Span(about, Role.NOTE)), note, columns, Role.NOTE, _NOTE_ROWS)
    return lines


def _hanging(lead: tuple[Span, Span], text: str, columns: int, role: Role, height: int) -> list[Line]:
    """A mark, a label and its text: beside the label, or under it where the label takes more than half the width."""
    if columns_of(lead) * 2 <= columns or ("\n" not in text and columns_of(lead) + width(text) <= columns):
        return cut(prose(text, columns, role, lead=lead), height, 4)
    mark, label = lead
    indent = width(mark.text) + 2
    below = prose(text, columns, role, lead=(Span(" " * indent, Role.TEXT),))
    return cut([*prose(label.text, columns, label.role, lead=(mark,)), *below], height + 2, indent)


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
