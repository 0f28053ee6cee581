"""The box a text is written in."""

from __future__ import annotations

from functools import lru_cache

from ask_core.frame import Cursor, Line, Role, Span
from ask_core.layout.block import Block, more
from ask_core.screen import Editor
from ask_core.text.buffer import row_at
from ask_core.text.graphemes import width
from ask_core.text.wrap import segments

_BAR = "│ "


def editor_box(editor: Editor, columns: int, height: int) -> Block:
    """The text around the cursor in at most `height` rows, each behind a bar.

    The cursor is always in it. Where rows are out of sight, a mark counts them, as far as the height allows.
    """
    inner = max(1, columns - len(_BAR) - 1)  # one column is kept for a cursor behind the last character
    rows, row, column = _rows(editor, inner)
    total = len(rows)
    above = below = 0
    if total > height:
        marks = 2 if height >= 4 else 0
        shown = max(1, height - marks)
        above = max(0, min(row - shown // 2, total - shown))
        below = total - shown - above
        rows = rows[above : above + shown]
        row -= above
    bar = Span(_BAR, Role.RULE)
    lines: list[Line] = [(bar, Span(text, Role.EDITOR)) if text else (bar,) for text in rows]
    if total > height >= 4:
        lines.insert(0, (bar, *(more(above, "more above") if above else ())))
        lines.append((bar, *(more(below, "more below") if below else ())))
        row += 1
    return Block(tuple(lines), Cursor(len(_BAR) + column, row), editor_columns=inner)


_rows_of_line = lru_cache(maxsize=1024)(segments)


def _rows(editor: Editor, columns: int) -> tuple[list[str], int, int]:
    """Every row of the text, and the row and column of the cursor."""
    before = editor.before.split("\n")
    after = editor.after.split("\n")
    rows: list[str] = []
    for line in before[:-1]:
        rows += (line[start:end] for start, end in _rows_of_line(line, columns))
    line = before[-1] + after[0]
    here = len(before[-1])
    slices = segments(line, columns)
    inside = row_at(slices, here)
    row = len(rows) + inside
    column = width(line[slices[inside][0] : here])
    rows += (line[start:end] for start, end in slices)
    for line in after[1:]:
        rows += (line[start:end] for start, end in _rows_of_line(line, columns))
    return rows, row, column
