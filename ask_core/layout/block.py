"""Pieces of a frame and how they are put together: lines of spans, with the cursor where one is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ask_core.frame import Area, Cursor, Extent, Hit, Line, Role, Span, Target
from ask_core.screen import OnDemand
from ask_core.text.graphemes import clip, width
from ask_core.text.kept import is_short
from ask_core.text.wrap import wrap


class Block(NamedTuple):
    """Lines that belong together; `cursor` counts from their own first line and column.

    `extents`, `editor_columns` and `hits` are those of a frame.
    """

    lines: tuple[Line, ...]
    cursor: Cursor | None = None
    extents: tuple[Extent, ...] = ()
    editor_columns: int | None = None
    hits: tuple[Hit, ...] = ()


EMPTY = Block(())
BLANK: Line = ()


def columns_of(line: Line) -> int:
    """Columns that a line takes."""
    return sum(width(span.text) for span in line)


def fit(line: Line, columns: int) -> Line:
    """The line cut to `columns`."""
    return _known_fit(line, columns) if is_short(*[span.text for span in line]) else _fit(line, columns)


def _fit(line: Line, columns: int) -> Line:
    if columns_of(line) <= columns:
        return line
    fitted = []
    for span in line:
        text = clip(span.text, columns)
        columns -= width(text)
        if text:
            fitted.append(Span(text, span.role))
        if text != span.text:
            break
    return tuple(fitted)


# Nearly all lines of a frame are those of the one before.
_known_fit = lru_cache(maxsize=512)(_fit)


def prose(text: str, columns: int, role: Role, *, lead: Line = ()) -> list[Line]:
    """Block text as wrapped lines; `lead` stands before the first line and the others are set in by its width."""
    indent = columns_of(lead)
    rows = wrap(text, max(1, columns - indent))
    rest: Line = (Span(" " * indent, Role.TEXT),) if indent else ()
    return [((lead if number == 0 else rest) + ((Span(row, role),) if row else ())) for number, row in enumerate(rows)]


def prose_lines(text: str, columns: int, role: Role) -> Sequence[Line]:
    """The same lines of a text that may be long, made when they are asked for."""
    rows = wrap(text, max(1, columns))
    return OnDemand(len(rows), lambda row: (Span(rows[row], role),) if rows[row] else ())


def more(count: int, what: str = "more") -> Line:
    """The mark that says how much of a text is out of sight."""
    return _mark(f"{count} {what}")


def _mark(text: str) -> Line:
    return (Span(f"… {text}", Role.MORE),)


def hidden_rows(arrow: str, count: int, where: str) -> Line:
    """The mark that says how much of a list is out of sight on one side: `↓ 12 more below`."""
    return (Span(f"  {arrow} {count:,} more {where}", Role.MORE),)


def cut(lines: Sequence[Line], height: int, indent: int = 0) -> list[Line]:
    """The first `height` lines; where some are left out, the last one counts them.

    A single line is worth more than its count: it stays and ends in an ellipsis.
    """
    if len(lines) <= height or height <= 0:
        return list(lines[: max(0, height)])
    if height == 1:
        return [_continued(lines[0])]
    return [*lines[: height - 1], _set_in(more(len(lines) - height + 1), indent)]


def page(lines: Sequence[Line], height: int, offset: int, area: Area, key: str, indent: int = 0) -> Block:
    """Up to `height` lines of a text that is read from `offset` on; marks count the lines above and below.

    `key` is named where the text goes on. The last page is a full one.
    """
    count = len(lines)
    if count <= height:
        return Block(tuple(lines))
    if height <= 1:
        offset = min(offset, count - 1)
        extent = Extent(area, offset, count - 1 - offset, 1)
        return Block((_continued(lines[offset]),) if height else (), extents=(extent,))
    room = height - 1
    offset = min(offset, count - room)
    below = count - offset - room
    if offset and below and height > 2:
        room -= 1
        below += 1
    shown = [*lines[offset : offset + room]]
    marks = [f"{offset} above"] if offset else []
    if offset and height > 2:
        shown.insert(0, _set_in(_mark(marks.pop()), indent))
    if below:
        marks.append(f"{below} more ({key})" if key else f"{below} more")
    if marks:
        shown.append(_set_in(_mark(", ".join(marks)), indent))
    between = height - 2 if height > 2 else 1
    return Block(tuple(shown), extents=(Extent(area, offset, below, _page_of(room), _page_of(between)),))


def _page_of(room: int) -> int:
    """How far a page goes: a line of it stays in sight where there are enough of them."""
    return room - 1 if room > 3 else room


def _continued(line: Line) -> Line:
    """The line with an ellipsis after it; where the line is full, fitting it puts one in place of its end."""
    return (*line, Span(" …" if line else "…", Role.MORE))


def _set_in(line: Line, indent: int) -> Line:
    return (Span(" " * indent, Role.TEXT), *line) if indent else line


def aim(block: Block, columns: int, target: Target, item: int = 0) -> Block:
    """The block, all of it this wide something to point at; what is one already stays what it is."""
    return block._replace(hits=(*block.hits, *places((item,) * len(block.lines), columns, target)))


# Between two keys a frame as a rule keeps its shape, and with it all that can be pointed at.
@lru_cache(maxsize=64)
def places(items: tuple[int, ...], columns: int, target: Target) -> tuple[Hit, ...]:
    """Lines that are something to point at in all their columns, each a part of the item with this index."""
    return tuple(Hit(row, 0, columns, target, item) for row, item in enumerate(items))


def moved(hits: tuple[Hit, ...], columns: int, rows: int) -> tuple[Hit, ...]:
    """The places, so many columns to the right and rows further down."""
    return _known_moved(hits, columns, rows) if hits and (columns or rows) else hits


@lru_cache(maxsize=128)
def _known_moved(hits: tuple[Hit, ...], columns: int, rows: int) -> tuple[Hit, ...]:
    return tuple(
        Hit(row + rows, first + columns, end + columns, target, item) for row, first, end, target, item in hits
    )


def stack(blocks: Iterable[Block]) -> Block:
    """Blocks one under the other."""
    lines: list[Line] = []
    extents: list[Extent] = []
    hits: list[Hit] = []
    cursor = editor_columns = None
    for block in blocks:
        editor_columns = editor_columns or block.editor_columns
        if block.cursor:
            cursor = Cursor(block.cursor.column, block.cursor.row + len(lines))
        hits += moved(block.hits, 0, len(lines))
        lines += block.lines
        extents += block.extents
    return Block(tuple(lines), cursor, tuple(extents), editor_columns, tuple(hits))


def shift(block: Block, columns: int) -> Block:
    """The block moved right by `columns`; empty lines stay empty."""
    if not columns:
        return block
    pad = Span(" " * columns, Role.TEXT)
    lines = tuple((pad, *line) if line else line for line in block.lines)
    cursor = block.cursor and Cursor(block.cursor.column + columns, block.cursor.row)
    return Block(lines, cursor, block.extents, block.editor_columns, moved(block.hits, columns, 0))


def beside(left: Block, right: Block, left_columns: int, gap: Span) -> Block:
    """Two blocks side by side with `gap` between them; the left one is `left_columns` wide and may have a cursor."""
    height = max(len(left.lines), len(right.lines))
    lines = []
    for row in range(height):
        first = fit(left.lines[row], left_columns) if row < len(left.lines) else BLANK
        second = right.lines[row] if row < len(right.lines) else BLANK
        pad = left_columns - columns_of(first)
        filler = (Span(" " * pad, Role.TEXT),) if pad > 0 else ()
        lines.append((*first, *filler, gap, *second))
    hits = (*left.hits, *moved(right.hits, left_columns + width(gap.text), 0))
    return Block(tuple(lines), left.cursor, left.extents + right.extents, left.editor_columns, hits)
