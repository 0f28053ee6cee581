"""The box a text is written in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ask_core.completion import MOST
from ask_core.frame import Cursor, Hit, Line, Role, Span, Target
from ask_core.layout.block import Block, more, stack
from ask_core.screen import Editor
from ask_core.text.buffer import row_at
from ask_core.text.graphemes import clip_start, width
from ask_core.text.kept import kept
from ask_core.text.wrap import segments, segments_around

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
    written = _rows(editor, inner, max(_NEAR, height))
    above, below = editor.above + written.above.hidden, editor.below + written.below.hidden
    count, row = written.total, written.row
    cut = count + above + below > height
    first, shown = 0, count
    if cut:
        # At the beginning and at the end of a text there is one mark, in a low box one for both sides.
        shown = max(1, height - 1)
        first = _first(row, shown, count)
        if height >= _MARKED and (above or first) and (below or first + shown < count):
            shown -= 1
            first = _first(row, shown, count)
        above, below = above + first, below + max(0, count - first - shown)
        row -= first
    bar = Span(_BAR, Role.RULE)
    lines: list[Line] = [
        (bar, Span(text, Role.EDITOR)) if text else (bar,) for text in written.texts(first, first + shown)
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
    return Block(tuple(lines), Cursor(len(_BAR) + written.column, row), editor_columns=inner, hits=hits)


def _first(row: int, shown: int, count: int) -> int:
    """The first row to show, so that `row` is in the middle as far as the ends allow."""
    return max(0, min(row - shown // 2, count - shown))


_rows_of_line = kept(short=1024, long=16)(segments)


class _Lines(NamedTuple):
    """The rows of some lines, and how many lines more there are, further away from the cursor."""

    rows: tuple[str, ...] = ()
    hidden: int = 0


class _Rows(NamedTuple):
    """The rows near the cursor: of the lines above its own one, of that line as slices, and of those below.

    `total` is how many they are, `row` which of them the cursor is in, and `column` where.
    """

    above: _Lines
    line: str
    slices: tuple[tuple[int, int], ...]
    below: _Lines
    total: int
    row: int
    column: int

    def texts(self, first: int, last: int) -> Iterator[str]:
        """The rows from `first` up to `last`. Of a line with very many of them the others are not looked at."""
        before = len(self.above.rows)
        yield from self.above.rows[first:last]
        for start, end in self.slices[max(0, first - before) : max(0, last - before)]:
            yield self.line[start:end]
        before += len(self.slices)
        yield from self.below.rows[max(0, first - before) : max(0, last - before)]


def _rows(editor: Editor, columns: int, near: int) -> _Rows:
    """The rows of so many lines on each side of the cursor's own one."""
    head, more_above, before = editor.before.rpartition("\n")
    after, more_below, tail = editor.after.partition("\n")
    above = _lines_of(head, columns, near, last=True) if more_above else _Lines()
    below = _lines_of(tail, columns, near, last=False) if more_below else _Lines()
    line, slices = before + after, segments_around(before, after, columns)
    inside = row_at(slices, len(before))
    return _Rows(
        above,
        line,
        slices,
        below,
        total=len(above.rows) + len(slices) + len(below.rows),
        row=len(above.rows) + inside,
        column=width(line[slices[inside][0] : len(before)]),
    )


# Lines above and below the one that is written in stay as they are between two keys.
@kept(short=64, long=8)
def _lines_of(text: str, columns: int, near: int, *, last: bool) -> _Lines:
    """The rows of the last or the first lines of a text. Lines that are further away are counted and not wrapped."""
    lines = text.split("\n")
    wrapped = lines[-near:] if last else lines[:near]
    rows = [line[start:end] for line in wrapped for start, end in _rows_of_line(line, columns)]
    return _Lines(tuple(rows), len(lines) - len(wrapped))
