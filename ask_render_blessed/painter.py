"""Frames -> bytes for a terminal, as the difference to what stands there already. Knows no terminal library.

Inline, the painter owns an area: the rows it has painted, the first of which is wherever the cursor was at the first
frame. Only relative movement is used, so it does not matter where on the screen that is or whether the screen scrolls.
All positions below are rows and columns of the area, counted from 0.

The area's history after a resize: a terminal that wraps its lines anew moves rows about, and one that shrinks may
push rows of ours out of its upper edge, to bring them back when it grows. So the painter keeps count of what is ours
above the area, moves up over all of it (a terminal stops at its upper edge) and clears from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from attrs import evolve

from ask_core.frame import Frame, Line, Role
from ask_core.text.graphemes import clusters, width


class Style(NamedTuple):
    """What switches a look on and off. `fills`: blanks show it too, as with reverse or underline."""

    on: str = ""
    off: str = ""
    fills: bool = False


class Controls(NamedTuple):
    """The sequences painting needs beyond text. The movements take a count of 1 or more."""

    up: Callable[[int], str]
    down: Callable[[int], str]
    right: Callable[[int], str]
    home: str
    erase_line: str
    erase_below: str


class _Cell(NamedTuple):
    """A grapheme, its looks and its columns."""

    text: str
    style: Style
    columns: int


class _Row(NamedTuple):
    """A painted row, and the columns it takes in all.

    `uncertain`: terminals disagree about the columns, as of graphemes of several code points, or of no column.
    """

    cells: tuple[_Cell, ...]
    columns: int
    uncertain: bool


# Terminfo has no names for these or bad ones (cnorm also stops the cursor from blinking); unknown, they do no harm.
_SYNC_BEGIN, _SYNC_END = "\x1b[?2026h", "\x1b[?2026l"
_SHOW, _HIDE = "\x1b[?25h", "\x1b[?25l"
_WRAP_ON, _WRAP_OFF = "\x1b[?7h", "\x1b[?7l"

_PLAIN = Style()
# Writing so many unchanged columns again is not longer than moving over them.
_GAP = 4


class Painter:
    """Paints frame after frame in one place. `reflows`: the terminal wraps its lines anew when its width changes."""

    def __init__(
        self, styles: Mapping[Role, Style], controls: Controls, *, fullscreen: bool = False, reflows: bool = True
    ) -> None:
        self._styles = styles
        self._known: dict[Line, _Row] = {}
        self._controls = controls
        self._fullscreen = fullscreen
        self._reflows = reflows
        self.forget()

    def forget(self) -> None:
        """What is on the terminal is unknown: the next frame starts on the cursor's line."""
        self._frame: Frame | None = None
        self._rows: tuple[_Row, ...] = ()
        self._row = 0
        self._column: int | None = 0  # the frame's width: at the right edge, yet to wrap; None: unknown
        self._shown: bool | None = None
        self._size: tuple[int, int] | None = None  # what the terminal became after the last frame
        self._lost: list[_Row] = []  # rows of ours that a smaller terminal pushed out of its upper edge

    @property
    def row(self) -> int:
        """The row of the area that the cursor is on."""
        return self._row

    @property
    def height(self) -> int:
        """The rows of the area."""
        return len(self._rows)

    def resized(self, width: int, height: int) -> None:
        """The terminal has changed its size since the last frame, which it may have rearranged."""
        if self._frame is not None:
            self._size = (width, height)

    def restyle(self, styles: Mapping[Role, Style]) -> None:
        """Paint in other looks from now on, what stands there already as well."""
        self._styles = styles
        self._known = {}
        if self._frame is not None:
            # No line is known any more, but what stands where is.
            self._frame = evolve(self._frame, lines=())

    def paint(self, frame: Frame) -> str:
        """The one string that turns what stands there into `frame`; "" when that is nothing (T4)."""
        if self._frame is not None and (frame.width, frame.height) != (self._frame.width, self._frame.height):
            self._size = (frame.width, frame.height)
        if frame == self._frame and self._size is None:
            return ""
        out: list[str] = []
        if self._frame is None or self._size is not None:
            out.append(self._start(frame.width, frame.height))
        if frame.cursor is None and self._shown is not False:
            out.append(_HIDE)
        rows = self._rows_of(frame)
        for number, row in enumerate(rows):
            if number >= len(self._rows):
                self._append(out, number, row)
            elif row is not self._rows[number] and row != self._rows[number]:
                self._change(out, number, row)
        if len(rows) < len(self._rows):
            self._move(out, len(rows), 0)
            out.append(self._controls.erase_below)
        # A hidden cursor waits on the last row, where whatever else writes does least harm, and at its beginning, which
        # every terminal finds again when it wraps its lines anew.
        if frame.cursor is None:
            self._move(out, len(rows) - 1, 0)
        else:
            self._move(out, min(frame.cursor.row, len(rows) - 1), min(frame.cursor.column, frame.width - 1))
            if self._shown is not True:
                out.append(_SHOW)
        self._shown = frame.cursor is not None
        self._frame, self._rows = frame, rows
        return f"{_SYNC_BEGIN}{''.join(out)}{_SYNC_END}" if out else ""

    def finish(self, lines: Sequence[Line]) -> str:
        """What leaves `lines` in the area's place, the cursor shown at the beginning of the line after.

        In full screen there is no such place; the text is for the screen that comes back.
        """
        out: list[str] = []
        if self._fullscreen or self._frame is None:
            out.append("\r")
        else:
            out.append(self._start(*(self._size or (self._frame.width, self._frame.height))))
        for line in lines:
            self._write(out, self._row_of(line).cells, 0)
            out.append("\r\n")
        if self._shown is False:
            out.append(_SHOW)
        self.forget()
        return "".join(out)

    def _start(self, columns: int, height: int) -> str:
        """Go to where the area begins, or begin it here, and clear all from there on."""
        if self._fullscreen:
            start = self._controls.home
        else:
            above = [self._height_of(row.cells, columns) for row in (*self._lost, *self._rows[: self._row])]
            own = _until(self._rows[self._row].cells, self._column) if self._rows else ()
            total = sum(above) + self._height_of(own, columns) - 1
            start = f"\r{self._controls.up(total)}" if total else "\r"
            self._lose(above, total - (height - 1))
        self._rows, self._row, self._column, self._size = (), 0, 0, None
        return start + self._controls.erase_below

    def _height_of(self, cells: Sequence[_Cell], columns: int) -> int:
        """The rows that a painted row takes up now that the terminal has this many columns."""
        return _wrapped_height(cells, columns) if self._reflows else 1

    def _lose(self, heights: Sequence[int], hidden: int) -> None:
        """Remember the rows that cannot have been on the screen: they are still above the new area, out of sight.

        A row of which some part was on the screen is not counted, so as never to count too many.
        """
        lost: list[_Row] = []
        for row, height in zip((*self._lost, *self._rows), heights, strict=False):
            hidden -= height
            if hidden < 0:
                break
            lost.append(row)
        self._lost = lost

    def _rows_of(self, frame: Frame) -> tuple[_Row, ...]:
        """The rows of a frame, at least one."""
        before = () if self._frame is None else self._frame.lines[: len(self._rows)]
        # Nearly always it is the same line in the same place.
        rows = [
            self._rows[number] if number < len(before) and line is before[number] else self._row_again(line)
            for number, line in enumerate(frame.lines)
        ]
        return tuple(rows) or (_row([]),)

    def _row_again(self, line: Line) -> _Row:
        """A line's row, known as a rule: the highlight goes back and forth, and so do the lines it is on."""
        row = self._known.get(line)
        if row is None:
            if len(self._known) == _KNOWN:
                self._known.clear()
            row = self._known[line] = self._row_of(line)
        return row

    def _row_of(self, line: Line) -> _Row:
        """A line's row without trailing blanks, so that no terminal wraps them."""
        cells: list[_Cell] = []
        for text, role in line:
            style = self._styles[role]
            blank = _Cell(" ", style if style.fills else _PLAIN, 1)
            if text.isascii():
                cells.extend(blank if character == " " else _Cell(character, style, 1) for character in text)
                continue
            cells.extend(blank if part == " " else _Cell(part, style, width(part)) for part in clusters(text))
        while cells and cells[-1] == _BLANK:
            cells.pop()
        return _row(cells)

    def _append(self, out: list[str], number: int, row: _Row) -> None:
        """Write a row below the last one; the line feed scrolls the screen where it ends there."""
        if number:
            self._move(out, number - 1)
            out.append("\r\n")
        self._row, self._column = number, 0
        self._write_row(out, row)

    def _change(self, out: list[str], number: int, row: _Row) -> None:
        """Turn a row into another, writing only runs that differ."""
        old = self._rows[number]
        if old.uncertain or row.uncertain:
            self._move(out, number, 0)
            out.append(self._controls.erase_line)
            self._write_row(out, row)
            return
        for column, run in _differing(old, row):
            self._move(out, number, column)
            self._column = self._write(out, run, column)
        if row.columns < old.columns:
            self._move(out, number, row.columns)
            out.append(self._controls.erase_line)

    def _write_row(self, out: list[str], row: _Row) -> None:
        """Write a whole row from column 0."""
        if not row.uncertain:
            self._column = self._write(out, row.cells, 0)
            return
        # Where the terminal counts other columns than we do, a line must still not spill into the next row.
        out.append(_WRAP_OFF)
        self._write(out, row.cells, 0)
        out.append(_WRAP_ON)
        self._column = None

    def _write(self, out: list[str], cells: Sequence[_Cell], column: int) -> int:
        """Write cells with their looks; the column after them."""
        current = _PLAIN
        for text, style, columns in cells:
            if style != current and not (text == " " and style == _PLAIN and not current.fills):
                out.append(current.off + style.on)
                current = style
            out.append(text)
            column += columns
        if current.off:
            out.append(current.off)
        return column

    def _move(self, out: list[str], row: int, column: int | None = None) -> None:
        """Move within the rows there are; `column` None: any."""
        if row < self._row:
            out.append(self._controls.up(self._row - row))
        elif row > self._row:
            out.append(self._controls.down(row - self._row))
        self._row = row
        if column is None or column == self._column:
            return
        if self._column is None or column < self._column:
            out.append("\r")
            self._column = 0
        if column > self._column:
            out.append(self._controls.right(column - self._column))
        self._column = column


_BLANK = _Cell(" ", _PLAIN, 1)
# Lines whose cells are kept.
_KNOWN = 256


def _row(cells: list[_Cell]) -> _Row:
    columns = sum([cell.columns for cell in cells])
    uncertain = any(len(text) > 1 or not wide for text, _, wide in cells)
    return _Row(tuple(cells), columns, uncertain)


def _differing(old: _Row, new: _Row) -> list[tuple[int, list[_Cell]]]:
    """The runs of `new` to write over `old`, with their first columns.

    Whole graphemes are compared at the column where they begin, so writing a run from left to right destroys no half
    of a wide one that was to stay.
    """
    before = _by_column(old)
    runs: list[tuple[int, list[_Cell]]] = []
    gap: list[_Cell] = []
    column = 0
    for cell in new.cells:
        if column < old.columns and before[column] == cell:
            gap.append(cell)
        elif runs and (not gap or _is_cheap(gap, runs[-1][1][-1].style)):
            runs[-1][1].extend([*gap, cell])
            gap = []
        else:
            runs.append((column, [cell]))
            gap = []
        column += cell.columns
    return runs


def _by_column(row: _Row) -> Sequence[_Cell | None]:
    """What begins in each column of a row."""
    if len(row.cells) == row.columns:
        return row.cells
    return [part for cell in row.cells for part in (cell, *[None] * (cell.columns - 1))]


def _is_cheap(gap: Sequence[_Cell], style: Style) -> bool:
    return len(gap) <= _GAP and all(cell.style in (style, _PLAIN) for cell in gap)


def _wrapped_height(cells: Sequence[_Cell], columns: int) -> int:
    """The rows a terminal of this width makes of one; a wide grapheme that does not fit goes to the next."""
    height, used = 1, 0
    for cell in cells:
        if used + cell.columns > columns:
            height, used = height + 1, 0
        used += cell.columns
    return height


def _until(cells: Sequence[_Cell], column: int | None) -> Sequence[_Cell]:
    """The cells up to the one at a column, which the cursor goes with; None: all."""
    used = 0
    for index, cell in enumerate(cells):
        if column is not None and used > column:
            return cells[:index]
        used += cell.columns
    return cells
