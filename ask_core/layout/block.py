"""Pieces of a frame and how they are put together: lines of spans, with the cursor where one is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ask_core.frame import Cursor, Line, Role, Span
from ask_core.text.graphemes import clip, width
from ask_core.text.wrap import wrap


class Block(NamedTuple):
    """Lines that belong together; `cursor` counts from their own first line and column."""

    lines: tuple[Line, ...]
    cursor: Cursor | None = None


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


def cut(lines: Sequence[Line], height: int, indent: int = 0) -> list[Line]:
    """The first `height` lines; where some are left out, the last one counts them.

    A single line is worth more than its count: it stays and ends in an ellipsis.
    """
    if len(lines) <= height or height <= 0:
        return list(lines[: max(0, height)])
    if height == 1:
        *before, (text, role) = lines[0] or (Span("", Role.TEXT),)
        return [(*before, Span(text[:-1].rstrip() + "…", role))]
    hidden = len(lines) - height + 1
    mark = more(hidden, "more lines" if hidden != 1 else "more line")
    return [*lines[: height - 1], ((Span(" " * indent, Role.TEXT), *mark) if indent else mark)]


def stack(blocks: Iterable[Block]) -> Block:
    """Blocks one under the other."""
    lines: list[Line] = []
    cursor = None
    for block in blocks:
        if block.cursor:
            cursor = Cursor(block.cursor.column, block.cursor.row + len(lines))
        lines += block.lines
    return Block(tuple(lines), cursor)


def shift(block: Block, columns: int) -> Block:
    """The block moved right by `columns`; empty lines stay empty."""
    if not columns:
        return block
    pad = Span(" " * columns, Role.TEXT)
    lines = tuple((pad, *line) if line else line for line in block.lines)
    cursor = block.cursor and Cursor(block.cursor.column + columns, block.cursor.row)
    return Block(lines, cursor)


def beside(left: Block, right: Block, left_columns: int, gap: Span) -> Block:
    """Two blocks side by side; the left one is filled up to `left_columns` and followed by `gap`."""
    height = max(len(left.lines), len(right.lines))
    lines = []
    for row in range(height):
        first = left.lines[row] if row < len(left.lines) else BLANK
        second = right.lines[row] if row < len(right.lines) else BLANK
        pad = left_columns - columns_of(first)
        filler = (Span(" " * pad, Role.TEXT),) if pad > 0 else ()
        lines.append((*first, *filler, gap, *second))
    cursor = left.cursor
    if right.cursor:
        cursor = Cursor(right.cursor.column + left_columns + width(gap.text), right.cursor.row)
    return Block(tuple(lines), cursor)
