"""Pieces of a frame and how they are put together: lines of spans, with the cursor where one is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ask_core.frame import Area, Cursor, Extent, Line, Role, Span
from ask_core.text.graphemes import clip, previous_boundary, width
from ask_core.text.wrap import wrap


class Block(NamedTuple):
    """Lines that belong together; `cursor` counts from their own first line and column.

    `extents` and `editor_columns` are those of a frame.
    """

    lines: tuple[Line, ...]
    cursor: Cursor | None = None
    extents: tuple[Extent, ...] = ()
    editor_columns: int | None = None


EMPTY = Block(())
BLANK: Line = ()


def columns_of(line: Line) -> int:
    """Columns that a line takes."""
    return sum(width(span.text) for span in line)


def fit(line: Line, columns: int) -> Line:
    """The line cut to `columns`."""
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


def prose(text: str, columns: int, role: Role, *, lead: Line = ()) -> list[Line]:
    """Block text as wrapped lines; `lead` stands before the first line and the others are set in by its width."""
    indent = columns_of(lead)
    rows = wrap(text, max(1, columns - indent))
    rest: Line = (Span(" " * indent, Role.TEXT),) if indent else ()
    return [((lead if number == 0 else rest) + ((Span(row, role),) if row else ())) for number, row in enumerate(rows)]


def more(count: int, what: str = "more") -> Line:
    """The mark that says how much is out of sight."""
    return (Span(f"… {count} {what}", Role.MORE),)


def _more_lines(count: int, where: str = "") -> Line:
    return more(count, f"more {'line' if count == 1 else 'lines'}{where}")


def cut(lines: Sequence[Line], height: int, indent: int = 0) -> list[Line]:
    """The first `height` lines; where some are left out, the last one counts them.

    A single line is worth more than its count: it stays and ends in an ellipsis.
    """
    if len(lines) <= height or height <= 0:
        return list(lines[: max(0, height)])
    if height == 1:
        return [_continued(lines[0])]
    return [*lines[: height - 1], _set_in(_more_lines(len(lines) - height + 1), indent)]


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
    if offset and (height > 2 or not below):
        shown.insert(0, _set_in(_more_lines(offset, " above"), indent))
    if below:
        shown.append(_set_in(_more_lines(below, f" ({key})" if key else ""), indent))
    return Block(tuple(shown), extents=(Extent(area, offset, below, max(1, room - 1)),))


def _continued(line: Line) -> Line:
    """The line with an ellipsis in place of its last character."""
    if not line:
        return (Span("…", Role.MORE),)
    *before, (text, role) = line
    return (*before, Span(text[: previous_boundary(text)] + "…", role))


def _set_in(line: Line, indent: int) -> Line:
    return (Span(" " * indent, Role.TEXT), *line) if indent else line


def stack(blocks: Iterable[Block]) -> Block:
    """Blocks one under the other."""
    lines: list[Line] = []
    extents: list[Extent] = []
    cursor = editor_columns = None
    for block in blocks:
        editor_columns = editor_columns or block.editor_columns
        if block.cursor:
            cursor = Cursor(block.cursor.column, block.cursor.row + len(lines))
        lines += block.lines
        extents += block.extents
    return Block(tuple(lines), cursor, tuple(extents), editor_columns)


def shift(block: Block, columns: int) -> Block:
    """The block moved right by `columns`; empty lines stay empty."""
    if not columns:
        return block
    pad = Span(" " * columns, Role.TEXT)
    lines = tuple((pad, *line) if line else line for line in block.lines)
    cursor = block.cursor and Cursor(block.cursor.column + columns, block.cursor.row)
    return Block(lines, cursor, block.extents, block.editor_columns)


def beside(left: Block, right: Block, left_columns: int, gap: Span) -> Block:
    """Two blocks side by side with `gap` between them; the left one is `left_columns` wide and may have a cursor."""
    height = max(len(left.lines), len(right.lines))
    lines = []
    for row in range(height):
        first = left.lines[row] if row < len(left.lines) else BLANK
        second = right.lines[row] if row < len(right.lines) else BLANK
        pad = left_columns - columns_of(first)
        filler = (Span(" " * pad, Role.TEXT),) if pad > 0 else ()
        lines.append((*first, *filler, gap, *second))
    return Block(tuple(lines), left.cursor, left.extents + right.extents, left.editor_columns)
