"""The box a text is written in."""

from __future__ import annotations

from functools import lru_cache

from ask_core.completion import MOST
from ask_core.frame import Cursor, Hit, Line, Role, Span, Target
from ask_core.layout.block import Block, more, stack
from ask_core.screen import Editor
from ask_core.text.buffer import row_at
from ask_core.text.graphemes import clip_start, width
from ask_core.text.wrap import segments

_BAR = "│ "
_PATHS = 7
# Rows from which on there are marks above and below the text.
_MARKED = 4
_NEAR = 200


def editor_box(editor: Editor, columns: int, height: int) -> Block:
    """The text around the cursor in at most `height` rows, each behind a bar, and the paths to choose from under it.

    The cursor is always in it. Where rows are out of sight, marks count them, as far as the height allows.
    """
    # The text keeps a third of the height, and the list is never without its highlighted path.
    paths = min(len(editor.paths), _PATHS, max(1, height - max(1, height // 3)), height - 1)
    text = _text_box(editor, columns, height - paths)
    return text if paths < 1 else stack((text, _paths(editor, columns, paths)))


def _paths(editor: Editor, columns: int, height: int) -> Block:
    """The paths around the highlighted one; of a long one the end is shown."""
    first = max(0, min(editor.path - height // 2, len(editor.paths) - height))
    lines: list[Line] = []
    for index in range(first, first + height):
        here = index == editor.path
        pointer = Span("  › " if here else "    ", Role.POINTER)
        role = Role.OPTION_FOCUSED if here else Role.OPTION
        lines.append((pointer, Span(clip_start(editor.paths[index], max(1, columns - 4)), role)))
    below = len(editor.paths) - first - height
    if below and height > 1 and editor.path < first + height - 1:
        # Only the best of many are listed.
        mark = more(below + 1) if len(editor.paths) < MOST else ((Span("… write on for others", Role.MORE)),)
        lines[-1] = (Span("    ", Role.TEXT), *mark)
        height -= 1
    hits = tuple(Hit(row, 0, columns, Target.PATH, first + row) for row in range(height))
    return Block(tuple(lines), hits=hits)


def _text_box(editor: Editor, columns: int, height: int) -> Block:
    inner = max(1, columns - len(_BAR) - 1)  # one column is kept for a cursor behind the last character
    before, after = editor.before.split("\n"), editor.after.split("\n")
    # Lines far out of sight are counted as lines and not wrapped.
    near_lines = max(_NEAR, height)
    near, beyond = before[-near_lines - 1 : -1], after[1 : near_lines + 1]
    above = editor.above + len(before) - 1 - len(near)
    below = editor.below + len(after) - 1 - len(beyond)
    rows, row, column = _rows(near, before[-1], after[0], beyond, inner)
    cut = len(rows) + above + below > height
    if cut:
        # At the beginning and at the end of a text there is one mark, in a low box one for both sides.
        shown = max(1, height - 1)
        first = _first(row, shown, len(rows))
        if height >= _MARKED and (above or first) and (below or first + shown < len(rows)):
            shown -= 1
            first = _first(row, shown, len(rows))
        above, below = above + first, below + max(0, len(rows) - first - shown)
        rows = rows[first : first + shown]
        row -= first
    bar = Span(_BAR, Role.RULE)
    lines: list[Line] = [
        (bar, Span(line[start:end], Role.EDITOR)) if start < end else (bar,) for line, start, end in rows
    ]
    if cut and height >= _MARKED:
        if above:
            lines.insert(0, (bar, *more(above, "more above")))
            row += 1
        if below:
            lines.append((bar, *more(below, "more below")))
    elif cut and height > 1:
        sides = [f"{hidden} {where}" for hidden, where in ((above, "above"), (below, "below")) if hidden]
        lines.append((bar, Span(f"… {', '.join(sides)}", Role.MORE)))
    hits = tuple(Hit(line, len(_BAR), columns, Target.EDITOR) for line in range(len(lines)))
    return Block(tuple(lines), Cursor(len(_BAR) + column, row), editor_columns=inner, hits=hits)


def _first(row: int, shown: int, count: int) -> int:
    """The first row to show, so that `row` is in the middle as far as the ends allow."""
    return max(0, min(row - shown // 2, count - shown))


_rows_of_line = lru_cache(maxsize=1024)(segments)


_Row = tuple[str, int, int]


def _rows(near: list[str], before: str, after: str, beyond: list[str], columns: int) -> tuple[list[_Row], int, int]:
    """The rows of the lines near the cursor, as slices of lines, and the row and column of the cursor among them."""
    rows: list[_Row] = []
    for line in near:
        rows += ((line, start, end) for start, end in _rows_of_line(line, columns))
    line = before + after
    slices = segments(line, columns)
    inside = row_at(slices, len(before))
    row = len(rows) + inside
    column = width(line[slices[inside][0] : len(before)])
    rows += ((line, start, end) for start, end in slices)
    for line in beyond:
        rows += ((line, start, end) for start, end in _rows_of_line(line, columns))
    return rows, row, column
