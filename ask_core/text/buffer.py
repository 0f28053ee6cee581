"""The text being written and its cursor: a value and its pure edits.

The text is kept as the two parts before and after the cursor, so that no index can go stale. The cursor always stands
on a grapheme boundary: an edit that joins characters across it moves it forward to the next boundary. Lines are
separated by LF.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter
from typing import Literal, NamedTuple

from attrs import evolve, field, frozen

from ask_core.text.clean import is_clean
from ask_core.text.graphemes import next_boundary, previous_boundary, take, width
from ask_core.text.wrap import segments, segments_around
from ask_core.value import Value

# A grapheme that reaches further than this behind the cursor is not typed by a person.
_WINDOW = 64

_PUNCTUATION = frozenset("(){}[]<>.,;:'\"!?+-=*/\\|&%^$#@~`")


# How many steps back undo can go, and how much text may be kept for that, in characters.
_STEPS = 200
_KEPT = 4_000_000

# Rows so wide that no line is ever wrapped.
UNWRAPPED = 1 << 30

# What the last edit was a part of, so that the next one of the same kind joins it in one step.
Run = Literal["", "typing", "deleting", "killing"]


class Step(NamedTuple):
    """A text that undo or redo goes back to, and where its cursor was."""

    before: str
    after: str


@frozen(eq=False, repr=False)
class TextBuffer(Value):
    """A text with a cursor between `before` and `after`.

    `goal` is the column that moving up and down returns to after a shorter row. `killed` is the text that yanking puts
    in. `past` and `future` are what undo and redo go to, the nearest last; `held` counts the characters of `past`.
    `clean`: the text is known to need no cleaning before it is shown. To find that out takes milliseconds where the
    text is long, so it is kept from edit to edit.
    """

    before: str = ""
    after: str = ""
    goal: int | None = None
    killed: str = ""
    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()
    run: Run = ""
    held: int = field(default=0, eq=False, repr=False)
    clean: bool = field(eq=False, repr=False)

    @clean.default
    def _found_clean(self) -> bool:
        return is_clean(self.before) and is_clean(self.after)

    @property
    def text(self) -> str:
        """The whole text."""
        return self.before + self.after

    def __bool__(self) -> bool:
        """Whether there is any text."""
        return bool(self.before or self.after)


def type_text(buffer: TextBuffer, text: str) -> TextBuffer:
    """Put typed text in at the cursor; a word and the spaces before it are one step of undo."""
    ends_word = text.isspace() and not buffer.before[-1:].isspace()
    return _edited(buffer, buffer.before + text, buffer.after, "typing", new=text, joins=not ends_word)


def insert(buffer: TextBuffer, text: str) -> TextBuffer:
    """Put `text` in at the cursor, as one step of undo."""
    return _edited(buffer, buffer.before + text, buffer.after, new=text) if text else buffer


def replace(buffer: TextBuffer, text: str) -> TextBuffer:
    """Put `text` in place of the whole text, as one step of undo, the cursor at its end."""
    return buffer if text == buffer.text else _edited(evolve(buffer, clean=True), text, "", new=text)


def replace_before(buffer: TextBuffer, start: int, text: str) -> TextBuffer:
    """Put `text` in place of what stands from `start` to the cursor, as one step of undo."""
    return _edited(buffer, buffer.before[:start] + text, buffer.after, new=text)


def break_line(buffer: TextBuffer) -> TextBuffer:
    """Begin a new line at the cursor."""
    return insert(buffer, "\n")


def undo(buffer: TextBuffer) -> TextBuffer:
    """Go back before the last step."""
    if not buffer.past:
        return buffer
    past, back = buffer.past[:-1], buffer.past[-1]
    there = _taken(buffer, back)
    return evolve(there, past=past, future=(*buffer.future, _step(buffer)), held=buffer.held - _size(back))


def redo(buffer: TextBuffer) -> TextBuffer:
    """Take the last undo back."""
    if not buffer.future:
        return buffer
    onward, here = buffer.future[-1], _step(buffer)
    there = _taken(buffer, onward)
    return evolve(there, past=(*buffer.past, here), future=buffer.future[:-1], held=buffer.held + _size(here))


def yank(buffer: TextBuffer) -> TextBuffer:
    """Put the text in that was killed last."""
    return insert(buffer, buffer.killed)


def move_left(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor one grapheme back."""
    return _moved(buffer, previous_boundary(buffer.before))


def move_right(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor one grapheme forward."""
    return _moved(buffer, len(buffer.before) + next_boundary(buffer.after))


def move_word_left(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor to the beginning of the word before it."""
    return _moved(buffer, _word_start(buffer.before))


def move_word_right(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor to the end of the word after it."""
    return _moved(buffer, len(buffer.before) + _word_end(buffer.after))


def move_to_line_start(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor to the beginning of its line."""
    return _moved(buffer, _line_start(buffer))


def move_to_line_end(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor to the end of its line."""
    return _moved(buffer, len(buffer.before) + _line_rest(buffer))


def move_up(buffer: TextBuffer, columns: int = UNWRAPPED) -> TextBuffer:
    """Move the cursor to the row above, where rows are `columns` wide; on the first row, to its beginning."""
    start, line, rows, row, column = _place(buffer, columns)
    if row:
        return _to_column(buffer, start, line, rows[row - 1], column, last=False)
    if not start:
        return _moved(buffer, 0)
    above = buffer.before.rfind("\n", 0, start - 1) + 1
    line = buffer.before[above : start - 1]
    return _to_column(buffer, above, line, segments(line, columns)[-1], column, last=True)


def move_down(buffer: TextBuffer, columns: int = UNWRAPPED) -> TextBuffer:
    """Move the cursor to the row below, where rows are `columns` wide; on the last row, to its end."""
    start, line, rows, row, column = _place(buffer, columns)
    if row + 1 < len(rows):
        return _to_column(buffer, start, line, rows[row + 1], column, last=row + 2 == len(rows))
    rest = _line_rest(buffer)
    if rest == len(buffer.after):
        return _moved(buffer, len(buffer.before) + rest)
    end = buffer.after.find("\n", rest + 1)
    line = buffer.after[rest + 1 : len(buffer.after) if end < 0 else end]
    rows = segments(line, columns)
    return _to_column(buffer, len(buffer.before) + rest + 1, line, rows[0], column, last=len(rows) == 1)


def move_in_row(buffer: TextBuffer, column: int, columns: int) -> TextBuffer:
    """Move the cursor to a column of its row, where rows are `columns` wide, or to the end of a shorter row."""
    start, line, rows, row, _ = _place(buffer, columns)
    return _to_column(buffer, start, line, rows[row], column, last=row + 1 == len(rows))


def delete_back(buffer: TextBuffer) -> TextBuffer:
    """Delete the grapheme before the cursor."""
    return _without(buffer, previous_boundary(buffer.before), 0)


def delete_forward(buffer: TextBuffer) -> TextBuffer:
    """Delete the grapheme after the cursor."""
    return _without(buffer, len(buffer.before), next_boundary(buffer.after))


def kill_word_back(buffer: TextBuffer) -> TextBuffer:
    """Kill from the beginning of the word before the cursor."""
    return _kill(buffer, _word_start(buffer.before), 0)


def kill_word_forward(buffer: TextBuffer) -> TextBuffer:
    """Kill to the end of the word after the cursor."""
    return _kill(buffer, len(buffer.before), _word_end(buffer.after))


def kill_to_line_start(buffer: TextBuffer) -> TextBuffer:
    """Kill from the beginning of the line; at the beginning, join the line to the one above."""
    start = _line_start(buffer)
    return _kill(buffer, start - 1 if 0 < start == len(buffer.before) else start, 0)


def kill_to_line_end(buffer: TextBuffer) -> TextBuffer:
    """Kill to the end of the line; at the end, join the line below to it."""
    rest = _line_rest(buffer)
    return _kill(buffer, len(buffer.before), rest or min(1, len(buffer.after)))


def _line_start(buffer: TextBuffer) -> int:
    return buffer.before.rfind("\n") + 1


def _line_rest(buffer: TextBuffer) -> int:
    end = buffer.after.find("\n")
    return len(buffer.after) if end < 0 else end


def _place(buffer: TextBuffer, columns: int) -> tuple[int, str, tuple[tuple[int, int], ...], int, int]:
    """Where the cursor's line begins, the line, its rows, and the cursor's row and column among them."""
    start = _line_start(buffer)
    before, after = buffer.before[start:], buffer.after[: _line_rest(buffer)]
    line, here = before + after, len(before)
    rows = segments_around(before, after, columns)
    row = row_at(rows, here)
    column = width(line[rows[row][0] : here]) if buffer.goal is None else buffer.goal
    return start, line, rows, row, column


def row_at(rows: Sequence[tuple[int, int]], index: int) -> int:
    """The row of a wrapped line that a cursor at `index` stands in: at a break it is the later one."""
    return min(bisect_right(rows, index, key=itemgetter(1)), len(rows) - 1)


def _to_column(
    buffer: TextBuffer, start: int, line: str, row: tuple[int, int], column: int, *, last: bool
) -> TextBuffer:
    """The cursor at a column of a row, or at the end of the row where it is shorter."""
    first, end = row
    target = first + take(line[first:end], column)
    if target == end and not last:
        # The place behind the last character is the beginning of the next row.
        target = max(first, end - (end - first - previous_boundary(line[first:end])))
    return evolve(_moved(buffer, start + target), goal=column)


def _kill(buffer: TextBuffer, keep: int, drop: int) -> TextBuffer:
    """Delete and keep for yanking; kills that follow each other are yanked together."""
    back, forward = buffer.before[keep:], buffer.after[:drop]
    if not (back or forward):
        return buffer
    killed = back + (buffer.killed if buffer.run == "killing" else "") + forward
    return evolve(_edited(buffer, buffer.before[:keep], buffer.after[drop:], "killing"), killed=killed)


def _without(buffer: TextBuffer, keep: int, drop: int) -> TextBuffer:
    if keep == len(buffer.before) and not drop:
        return buffer
    return _edited(buffer, buffer.before[:keep], buffer.after[drop:], "deleting")


def _edited(
    buffer: TextBuffer, before: str, after: str, run: Run = "", *, new: str = "", joins: bool = True
) -> TextBuffer:
    """Another text, of which only `new` was not there before.

    There is a step of undo unless the edit `joins` the run it is a part of.
    """
    past, held = buffer.past, buffer.held
    if not (run and joins and run == buffer.run):
        past = (*past, _step(buffer))
        held += _size(past[-1])
        while len(past) > _STEPS or (held > _KEPT and len(past) > 1):
            held -= _size(past[0])
            past = past[1:]
    before, after = _whole(before, after)
    clean = buffer.clean and is_clean(new)
    return evolve(buffer, before=before, after=after, goal=None, past=past, future=(), run=run, held=held, clean=clean)


def _step(buffer: TextBuffer) -> Step:
    """What undoing the next edit goes back to."""
    return Step(buffer.before, buffer.after)


def _size(step: Step) -> int:
    return len(step.before) + len(step.after)


def _taken(buffer: TextBuffer, step: Step) -> TextBuffer:
    """The text of a step of undo or redo."""
    return evolve(_at(buffer, *step), clean=is_clean(step.before) and is_clean(step.after))


def _moved(buffer: TextBuffer, index: int) -> TextBuffer:
    """The same text with the cursor at `index`, or at the next boundary."""
    here = len(buffer.before)
    if index == here:
        return buffer if buffer.goal is None and not buffer.run else evolve(buffer, goal=None, run="")
    if index < here:
        return _at(buffer, buffer.before[:index], buffer.before[index:] + buffer.after)
    return _at(buffer, buffer.before + buffer.after[: index - here], buffer.after[index - here :])


def _at(buffer: TextBuffer, before: str, after: str) -> TextBuffer:
    """The buffer with this text, its cursor on a grapheme boundary, and no run going on."""
    before, after = _whole(before, after)
    return evolve(buffer, before=before, after=after, goal=None, run="")


def _whole(before: str, after: str) -> tuple[str, str]:
    """The two parts of a text with no grapheme cut in two between them."""
    if before and after and not (before[-1].isascii() and after[0].isascii()):
        last = before[previous_boundary(before) :]
        reach = max(0, next_boundary(last + after[:_WINDOW]) - len(last))
        before, after = before + after[:reach], after[reach:]
    return before, after


def _kind(character: str) -> str:
    if character.isspace():
        return "space"
    return "punctuation" if character in _PUNCTUATION else "word"


def _word_start(text: str) -> int:
    """Where the last run of word or punctuation characters in `text` begins, white space after it included."""
    index = len(text)
    if index and text[index - 1] == "\n":
        return index - 1
    while index and _kind(text[index - 1]) == "space" and text[index - 1] != "\n":
        index -= 1
    kind = _kind(text[index - 1]) if index else ""
    while index and kind != "space" and _kind(text[index - 1]) == kind:
        index -= 1
    return index


def _word_end(text: str) -> int:
    """Where the first run of word or punctuation characters in `text` ends, white space before it included."""
    index = 0
    if text[:1] == "\n":
        return 1
    while index < len(text) and _kind(text[index]) == "space" and text[index] != "\n":
        index += 1
    kind = _kind(text[index]) if index < len(text) else ""
    while index < len(text) and kind != "space" and _kind(text[index]) == kind:
        index += 1
    return index
