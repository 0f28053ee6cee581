"""From a screen to a frame of a given size. A frame never has more columns or rows than the size (R8)."""

from __future__ import annotations

from functools import lru_cache

from ask_core.frame import Cursor, Frame, Hit, Line, Role, Span
from ask_core.layout.block import BLANK, Block, columns_of, fit, moved, prose, stack
from ask_core.layout.question import question_block
from ask_core.layout.tabs import tab_line
from ask_core.screen import Hint, QuestionBody, ReviewBody, Screen
from ask_core.text.graphemes import width as width_of
from ask_core.text.kept import is_short

MINIMUM_WIDTH = 20
MINIMUM_HEIGHT = 6
_ROOMY = 16
_WIDEST = 120
# Lines that the body gets before the head and the keys do.
_BODY = 4
_HINT_ROWS = 2
_NOTICE_ROWS = 2
_TWO_HINT_ROWS = 12
_GAP = 3


def layout(screen: Screen, width: int, height: int) -> Frame:
    """What `screen` looks like at `width` columns and `height` rows, both at least 1.

    Below 20 by 6 a short notice is shown instead.
    """
    width, height = max(1, width), max(1, height)
    if width < MINIMUM_WIDTH or height < MINIMUM_HEIGHT:
        return _too_small(width, height)
    margin = 1 if width >= 40 else 0
    columns = min(width - 2 * margin, _WIDEST)
    head = _head(screen, columns, height)
    warning = _warnings(screen, columns)
    hints = _hints(screen.hints, columns)
    gap = [BLANK] if height >= _ROOMY and (warning or hints) else []
    room = height - len(gap) - len(warning)
    keys = min(len(hints), _HINT_ROWS if height >= _TWO_HINT_ROWS else 1)
    # Where it is cramped, the keys go first and then the head, its last line (the tabs) last of all.
    while room - len(head) - keys < _BODY and (keys or head):
        if keys > 1 or (keys and len(head) <= 1):
            keys -= 1
        else:
            head = head[1:]
    body = _body(screen, columns, max(1, room - len(head) - keys), roomy=height >= _ROOMY)
    # More lines of keys only take what the body leaves.
    keys = min(len(hints), _HINT_ROWS, max(keys, room - len(head) - len(body.lines)))
    foot = (*gap, *warning, *hints[:keys])
    return _frame(stack((*head, body, Block(foot))), width, height, margin)


def _body(screen: Screen, columns: int, height: int, *, roomy: bool) -> Block:
    # The first frame is that of a question (T9).
    match screen.body:
        case QuestionBody() as body:
            return question_block(body, columns, height, roomy=roomy, key=screen.read_on)
        case ReviewBody() as body:
            from ask_core.layout.review import review_block

            return review_block(body, columns, height, roomy=roomy, key=screen.read_on)
        case body:
            from ask_core.layout.settings import settings_block

            return settings_block(body, columns, height, roomy=roomy, key=screen.read_on)


def _warnings(screen: Screen, columns: int) -> list[Line]:
    told = (text for text in (screen.warning, screen.countdown) if text)
    return [*_notice(screen, columns), *(line for text in told for line in prose(text, columns, Role.WARNING))]


def _notice(screen: Screen, columns: int) -> list[Line]:
    """The notice about the settings, in full where that takes little room."""
    if screen.notice is None:
        return []
    full, short = (prose(text, columns, Role.WARNING) for text in screen.notice)
    return full if len(full) <= _NOTICE_ROWS else short[:_NOTICE_ROWS]


def _frame(block: Block, width: int, height: int, margin: int = 0) -> Frame:
    """The block `margin` columns from the left, cut to the size."""
    lines = tuple([_placed(line, margin, width) if line else BLANK for line in block.lines[:height]])
    cursor = block.cursor
    if cursor is not None:
        cursor = Cursor(min(cursor.column + margin, width - 1), min(cursor.row, height - 1))
    hits = _within(moved(block.hits, margin, 0), width, len(lines))
    return Frame(width, height, lines, cursor, block.extents, block.editor_columns, hits)


@lru_cache(maxsize=64)
def _within(hits: tuple[Hit, ...], width: int, height: int) -> tuple[Hit, ...]:
    """What can be pointed at of these in so many columns and rows."""
    return tuple(
        Hit(row, first, min(end, width), target, item)
        for row, first, end, target, item in hits
        if row < height and first < width
    )


# The very line of the frame before is what the painter need not look at again.
@lru_cache(maxsize=512)
def _placed(line: Line, margin: int, width: int) -> Line:
    """A line of the frame."""
    whole = (Span(" " * margin, Role.TEXT), *line) if margin else line
    return tuple(span for span in fit(whole, width) if span.text)


def _head(screen: Screen, columns: int, height: int) -> list[Block]:
    """Title and position, tabs, and a rule, each a line; the low frames have less of it."""
    lines = []
    named = screen.title or screen.asked_by or screen.position
    if height >= 10 and named:
        title = _known_title if is_short(screen.title, screen.asked_by) else _title
        lines.append(Block((title(screen.title, screen.asked_by, screen.position, columns),)))
    if screen.tabs:
        lines.append(tab_line(screen, columns))
    if height >= 12 and lines:
        lines.append(Block(((Span("─" * columns, Role.RULE),),)))
    return lines


def _title(title: str | None, asked_by: str | None, position: str, columns: int) -> Line:
    here = Span(position, Role.HELP)
    asks = f"{asked_by} asks" if asked_by else ""
    said = (
        *((Span(title, Role.TITLE),) if title else ()),
        *((Span("  " if title else "", Role.TEXT), Span(asks, Role.HELP)) if asks else ()),
    )
    if not said:
        return fit((here,), columns)
    room = columns - len(position) - 2
    if room < 8 or not position:
        return fit(said, columns)
    fitted = fit(said, room)
    gap = columns - columns_of(fitted) - len(position)
    return (*fitted, Span(" " * gap, Role.TEXT), here)


_known_title = lru_cache(maxsize=16)(_title)


@lru_cache(maxsize=64)
def _hints(hints: tuple[Hint, ...], columns: int) -> tuple[Line, ...]:
    """The hints in lines, none broken over two; one that is wider than a line is left out."""
    lines: list[list[Span]] = []
    used = columns
    for keys, does in hints:
        needed = width_of(keys) + 1 + width_of(does)
        if needed > columns:
            continue
        if used + _GAP + needed > columns:
            lines.append([])
            used = 0
        else:
            lines[-1].append(Span(" " * _GAP, Role.TEXT))
            used += _GAP
        lines[-1] += [Span(keys, Role.KEY), Span(f" {does}", Role.HINT)]
        used += needed
    return tuple(tuple(line) for line in lines)


def _too_small(width: int, height: int) -> Frame:
    text = f"Too small: needs {MINIMUM_WIDTH}x{MINIMUM_HEIGHT}"
    return _frame(Block(tuple(prose(text, width, Role.WARNING))), width, height)
