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


_Cells = tuple[_Cell, ...]

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
        self._known: dict[Line, _Cells] = {}
        self._controls = controls
        self._fullscreen = fullscreen
        self._reflows = reflows
        self.forget()

    def forget(self) -> None:
        """What is on the terminal is unknown: the next frame starts on the cursor's line."""
        self._frame: Frame | None = None
        self._rows: tuple[_Cells, ...] = ()
        self._row = 0
        self._column: int | None = 0  # the frame's width: at the right edge, yet to wrap; None: unknown
        self._shown: bool | None = None
        self._size: tuple[int, int] | None = None  # what the terminal became after the last frame
        self._lost: list[_Cells] = []  # rows of ours that a smaller terminal pushed out of its upper edge

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
        rows = self._cells_of(frame)
        for row, cells in enumerate(rows):
            if row >= len(self._rows):
                self._append(out, row, cells)
            elif cells != self._rows[row]:
                self._change(out, row, cells)
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
            self._write(out, self._cells(line), 0)
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
            above = [self._height_of(cells, columns) for cells in (*self._lost, *self._rows[: self._row])]
            own = _until(self._rows[self._row], self._column) if self._rows else ()
            total = sum(above) + self._height_of(own, columns) - 1
            start = f"\r{self._controls.up(total)}" if total else "\r"
            self._lose(above, total - (height - 1))
        self._rows, self._row, self._column, self._size = (), 0, 0, None
        return start + self._controls.erase_below

    def _height_of(self, cells: _Cells, columns: int) -> int:
        """The rows that a painted row takes up now that the terminal has this many columns."""
        return _wrapped_height(cells, columns) if self._reflows else 1

    def _lose(self, heights: Sequence[int], hidden: int) -> None:
        """Remember the rows that cannot have been on the screen: they are still above the new area, out of sight.

        A row of which some part was on the screen is not counted, so as never to count too many.
        """
        lost: list[_Cells] = []
        for cells, height in zip((*self._lost, *self._rows), heights, strict=False):
            hidden -= height
            if hidden < 0:
                break
            lost.append(cells)
        self._lost = lost

    def _cells_of(self, frame: Frame) -> tuple[_Cells, ...]:
        """The rows of a frame, at least one."""
        before = () if self._frame is None else self._frame.lines[: len(self._rows)]
        # Nearly always it is the same line in the same place.
        rows = [
            self._rows[number] if number < len(before) and line is before[number] else self._cells_again(line)
            for number, line in enumerate(frame.lines)
        ]
        return tuple(rows) or ((),)

    def _cells_again(self, line: Line) -> _Cells:
        """A line's cells, known as a rule: the highlight goes back and forth, and so do the lines it is on."""
        cells = self._known.get(line)
        if cells is None:
            if len(self._known) == _KNOWN:
                self._known.clear()
            cells = self._known[line] = self._cells(line)
        return cells

    def _cells(self, line: Line) -> _Cells:
        """A line's cells without trailing blanks, so that no terminal wraps them."""
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
        return tuple(cells)

    def _append(self, out: list[str], row: int, cells: _Cells) -> None:
        """Write a row below the last one; the line feed scrolls the screen where it ends there."""
        if row:
            self._move(out, row - 1)
            out.append("\r\n")
        self._row, self._column = row, 0
        self._row_of(out, cells)

    def _change(self, out: list[str], row: int, cells: _Cells) -> None:
        """Turn a row into other cells, writing only runs that differ."""
        old = self._rows[row]
        if _is_uncertain(old) or _is_uncertain(cells):
            self._move(out, row, 0)
            out.append(self._controls.erase_line)
            self._row_of(out, cells)
            return
        for column, run in _differing(old, cells):
            self._move(out, row, column)
            self._column = self._write(out, run, column)
        length = _length(cells)
        if length < _length(old):
            self._move(out, row, length)
            out.append(self._controls.erase_line)

    def _row_of(self, out: list[str], cells: _Cells) -> None:
        """Write a whole row from column 0."""
        if not _is_uncertain(cells):
            self._column = self._write(out, cells, 0)
            return
        # Where the terminal counts other columns than we do, a line must still not spill into the next row.
        out.append(_WRAP_OFF)
        self._write(out, cells, 0)
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


def _length(cells: _Cells) -> int:
    return sum(cell.columns for cell in cells)


def _is_uncertain(cells: _Cells) -> bool:
    """Whether terminals disagree about the columns: graphemes of several code points, or of no column."""
    return any(len(cell.text) > 1 or not cell.columns for cell in cells)


def _differing(old: _Cells, new: _Cells) -> list[tuple[int, list[_Cell]]]:
    """The runs of `new` to write over `old`, with their first columns.

    Whole graphemes are compared at the column where they begin, so writing a run from left to right destroys no half
    of a wide one that was to stay.
    """
    at: dict[int, _Cell] = {}
    column = 0
    for cell in old:
        at[column] = cell
        column += cell.columns
    runs: list[tuple[int, list[_Cell]]] = []
    gap: list[_Cell] = []
    column = 0
    for cell in new:
        if at.get(column) == cell:
            gap.append(cell)
        else:
            if runs and _is_cheap(gap, runs[-1][1][-1].style):
                runs[-1][1].extend([*gap, cell])
            else:
                runs.append((column, [cell]))
            gap = []
        column += cell.columns
    return runs


def _is_cheap(gap: Sequence[_Cell], style: Style) -> bool:
    return len(gap) <= _GAP and all(cell.style in (style, _PLAIN) for cell in gap)


def _wrapped_height(cells: _Cells, columns: int) -> int:
    """The rows a terminal of this width makes of one; a wide grapheme that does not fit goes to the next."""
    height, used = 1, 0
    for cell in cells:
        if used + cell.columns > columns:
            height, used = height + 1, 0
        used += cell.columns
    return height


def _until(cells: _Cells, column: int | None) -> _Cells:
    """The cells up to the one at a column, which the cursor goes with; None: all."""
    used = 0
    for index, cell in enumerate(cells):
        if column is not None and used > column:
            return cells[:index]
        used += cell.columns
    return cells
