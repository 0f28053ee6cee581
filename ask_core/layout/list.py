"""A list of which as many rows are shown as fit around the highlighted one. The others are never asked for."""

from __future__ import annotations

from collections.abc import Callable

from ask_core.frame import Area, Cursor, Extent, Line, Role, Span, Target
from ask_core.layout.block import BLANK, Block, hidden_rows, moved, places

# From this height on there is a mark above the rows and one below.
_TWO_MARKS = 5


def list_block(
    row: Callable[[int, int], Block],
    count: int,
    highlighted: int,
    columns: int,
    height: int,
    target: Target,
    *,
    fill: bool,
) -> Block:
    """The rows around the highlighted one in at most `height` lines; `row(index, room)` makes one in so many lines.

    Rows grow from the highlighted one to both sides while they fit. Where some are out of sight, marks count them and
    the block is filled up (`fill`), so that its height does not change while the highlight moves. What is in a row's
    columns belongs to `target`.
    """
    first = last = highlighted
    # Two lines at least, where there are two: an editor and what it belongs to.
    room = max(min(2, height), height - _marks(first, last, count, height))
    block = row(first, room)
    above: list[tuple[Line, ...]] = []
    below: list[tuple[Line, ...]] = []
    used, used_above, used_below = len(block.lines), 0, 0
    up, down = first > 0, last < count - 1
    while up or down:
        downwards = down and (not up or used_below <= used_above)
        near = last + 1 if downwards else first - 1
        lines = row(near, room).lines
        reach = (first, near) if downwards else (near, last)
        if used + len(lines) + _marks(*reach, count, height) > height:
            up, down = (up, False) if downwards else (False, down)
            continue
        used += len(lines)
        if downwards:
            below.append(lines)
            last, used_below, down = near, used_below + len(lines), near < count - 1
        else:
            above.append(lines)
            first, used_above, up = near, used_above + len(lines), near > 0
    shown = (*reversed(above), block.lines, *below)
    lines = tuple(line for lines in shown for line in lines)
    numbers = tuple([number for number, lines in enumerate(shown, first) for _ in lines])
    hits = (*moved(block.hits, 0, used_above), *places(numbers, columns, target))
    cursor = block.cursor and Cursor(block.cursor.column, block.cursor.row + used_above)
    extents = block.extents
    if first > 0 or last < count - 1:
        # As many as there are in sight where both sides go on, less one, so that paging back leads back.
        page_of_rows = last - first - (first == 0) - (last == count - 1)
        extents = (Extent(Area.ROWS, first, count - 1 - last, max(1, page_of_rows)), *extents)
    whole = block._replace(lines=lines, cursor=cursor, extents=extents, hits=hits)
    return _marked(whole, first, count - 1 - last, height, fill=fill)


def _marks(first: int, last: int, count: int, height: int) -> int:
    """Lines that the marks take; a low block has one for both sides."""
    above, below = first > 0, last < count - 1
    return above + below if height >= _TWO_MARKS else above or below


def _marked(block: Block, above: int, below: int, height: int, *, fill: bool) -> Block:
    """The block with marks that count the rows out of sight."""
    lines, cursor, hits = list(block.lines), block.cursor, block.hits
    if not (above or below) or len(lines) >= height:
        return block
    if height < _TWO_MARKS:
        sides = [f"{arrow} {hidden:,}" for arrow, hidden in (("↑", above), ("↓", below)) if hidden]
        return block._replace(lines=(*lines, (Span(f"  {'  '.join(sides)} more", Role.MORE),)))
    if above:
        lines.insert(0, hidden_rows("↑", above, "above"))
        cursor = cursor and Cursor(cursor.column, cursor.row + 1)
        hits = moved(hits, 0, 1)
    if fill:
        lines += [BLANK] * (height - len(lines) - bool(below))
    if below:
        lines.append(hidden_rows("↓", below, "below"))
    return block._replace(lines=tuple(lines), cursor=cursor, hits=hits)
