"""From a screen to a frame of a given size. A frame never has more columns or rows than the size (R8)."""

from __future__ import annotations

from ask_core.frame import Cursor, Frame, Line, Role, Span
from ask_core.layout.block import BLANK, Block, columns_of, fit, prose, shift, stack
from ask_core.layout.question import question_block
from ask_core.layout.review import review_block
from ask_core.layout.tabs import tab_line
from ask_core.screen import QuestionBody, Screen

MINIMUM_WIDTH = 20
MINIMUM_HEIGHT = 6
_ROOMY = 16
_WIDEST = 120


def layout(screen: Screen, width: int, height: int) -> Frame:
    """What `screen` looks like at `width` columns and `height` rows, both at least 1.

    Below 20 by 6 a short notice is shown instead.
    """
    width, height = max(1, width), max(1, height)
    if width < MINIMUM_WIDTH or height < MINIMUM_HEIGHT:
        return _too_small(width, height)
    margin = 1 if width >= 40 else 0
    columns = min(width - 2 * margin, _WIDEST)
    roomy = height >= _ROOMY
    head, foot = _head(screen, columns, height), _foot(screen, columns, height)
    while len(head) + len(foot) > height - 3 and len(head) > 1:
        head = head[1:] if len(head) > 2 else head[:1]
        if len(head) <= 1:
            break
    body_height = max(1, height - len(head) - len(foot))
    if isinstance(screen.body, QuestionBody):
        body = question_block(screen.body, columns, body_height, roomy=roomy)
    else:
        body = review_block(screen.body, columns, body_height, roomy=roomy)
    whole = shift(stack((Block(tuple(head)), body, Block(tuple(foot)))), margin)
    return _frame(whole, width, height)


def _frame(block: Block, width: int, height: int) -> Frame:
    lines = tuple(fit(line, width) for line in block.lines[:height])
    cursor = block.cursor
    if cursor is not None:
        cursor = Cursor(min(cursor.column, width - 1), min(cursor.row, height - 1))
    return Frame(width, height, lines, cursor)


def _head(screen: Screen, columns: int, height: int) -> list[Line]:
    """Title and position, tabs, and a rule; the low frames have less of it."""
    lines = []
    if height >= 10:
        lines.append(_title(screen, columns))
    lines.append(tab_line(screen, columns))
    if height >= 12:
        lines.append((Span("─" * columns, Role.RULE),))
    return lines


def _title(screen: Screen, columns: int) -> Line:
    position = Span(screen.position, Role.HELP)
    if screen.title is None:
        return fit((position,), columns)
    room = columns - len(screen.position) - 2
    if room < 8:
        return fit((Span(screen.title, Role.TITLE),), columns)
    title = fit((Span(screen.title, Role.TITLE),), room)
    gap = columns - columns_of(title) - len(screen.position)
    return (*title, Span(" " * gap, Role.TEXT), position)


def _foot(screen: Screen, columns: int, height: int) -> list[Line]:
    """The pending warning and the keys; the warning is never left out."""
    warning = prose(screen.warning, columns, Role.WARNING) if screen.warning else []
    rows = 2 if height >= 12 else 1 if height >= 8 or not warning else 0
    hints = _hints(screen, columns, rows)
    gap = [BLANK] if height >= _ROOMY and (warning or hints) else []
    return [*gap, *warning[: height - 3], *hints]


def _hints(screen: Screen, columns: int, rows: int) -> list[Line]:
    """As many whole hints as fit in `rows` lines, the first ones first."""
    lines: list[list[Span]] = [[]]
    used = 0
    for keys, does in screen.hints:
        gap = "   " if lines[-1] else ""
        needed = len(gap) + len(keys) + 1 + len(does)
        if used + needed > columns:
            if not lines[-1] or len(lines) == rows:
                break
            lines.append([])
            used, gap, needed = 0, "", needed - len(gap)
        lines[-1] += [Span(f"{gap}{keys}", Role.KEY), Span(f" {does}", Role.HINT)]
        used += needed
    return [tuple(line) for line in lines[:rows] if line]


def _too_small(width: int, height: int) -> Frame:
    text = f"Too small: needs {MINIMUM_WIDTH}x{MINIMUM_HEIGHT}"
    return _frame(Block(tuple(prose(text, width, Role.WARNING))), width, height)
