"""The text being written and its cursor: a value and its pure edits.

The text is kept as the two parts before and after the cursor, so that no index can go stale. The cursor always stands
on a grapheme boundary: an edit that joins characters across it moves it forward to the next boundary. Lines are
separated by LF.
"""

from __future__ import annotations

from attrs import evolve, frozen

from ask_core.text.graphemes import next_boundary, previous_boundary

# A grapheme that reaches further than this behind the cursor is not typed by a person.
_WINDOW = 64

_PUNCTUATION = frozenset("(){}[]<>.,;:'\"!?+-=*/\\|&%^$#@~`")


@frozen
class TextBuffer:
    """A text with a cursor between `before` and `after`.

    `goal` is the column that moving up and down returns to after a shorter line, counted in characters.
    """

    before: str = ""
    after: str = ""
    goal: int | None = None

    @property
    def text(self) -> str:
        """The whole text."""
        return self.before + self.after

    def __bool__(self) -> bool:
        """Whether there is any text."""
        return bool(self.before or self.after)


def holding(text: str) -> TextBuffer:
    """A buffer with this text and the cursor at its end."""
    return TextBuffer(text)


def insert(buffer: TextBuffer, text: str) -> TextBuffer:
    """Put `text` in at the cursor."""
    return _snapped(buffer.before + text, buffer.after)


def move_left(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor one grapheme back."""
    return _cut_at(buffer, previous_boundary(buffer.before))


def move_right(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor one grapheme forward."""
    return _cut_at(buffer, len(buffer.before) + next_boundary(buffer.after))


def move_word_left(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor to the beginning of the word before it."""
    return _cut_at(buffer, _word_start(buffer.before))


def move_word_right(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor to the end of the word after it."""
    return _cut_at(buffer, len(buffer.before) + _word_end(buffer.after))


def move_to_line_start(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor to the beginning of its line."""
    return _cut_at(buffer, _line_start(buffer))


def move_to_line_end(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor to the end of its line."""
    return _cut_at(buffer, len(buffer.before) + _line_rest(buffer))


def move_up(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor to the line above; on the first line, to its beginning."""
    start = _line_start(buffer)
    if start == 0:
        return _cut_at(buffer, 0)
    column = len(buffer.before) - start if buffer.goal is None else buffer.goal
    above = buffer.before.rfind("\n", 0, start - 1) + 1
    return evolve(_cut_at(buffer, min(above + column, start - 1)), goal=column)


def move_down(buffer: TextBuffer) -> TextBuffer:
    """Move the cursor to the line below; on the last line, to its end."""
    rest = _line_rest(buffer)
    if rest == len(buffer.after):
        return _cut_at(buffer, len(buffer.before) + rest)
    column = len(buffer.before) - _line_start(buffer) if buffer.goal is None else buffer.goal
    below = rest + 1
    end = buffer.after.find("\n", below)
    target = min(below + column, len(buffer.after) if end < 0 else end)
    return evolve(_cut_at(buffer, len(buffer.before) + target), goal=column)


def delete_back(buffer: TextBuffer) -> TextBuffer:
    """Delete the grapheme before the cursor."""
    return _without(buffer, previous_boundary(buffer.before), 0)


def delete_forward(buffer: TextBuffer) -> TextBuffer:
    """Delete the grapheme after the cursor."""
    return _without(buffer, len(buffer.before), next_boundary(buffer.after))


def delete_word_back(buffer: TextBuffer) -> TextBuffer:
    """Delete from the beginning of the word before the cursor."""
    return _without(buffer, _word_start(buffer.before), 0)


def delete_to_line_start(buffer: TextBuffer) -> TextBuffer:
    """Delete from the beginning of the line; at the beginning, join the line to the one above."""
    start = _line_start(buffer)
    return _without(buffer, start - 1 if 0 < start == len(buffer.before) else start, 0)


def delete_to_line_end(buffer: TextBuffer) -> TextBuffer:
    """Delete to the end of the line; at the end, join the line below to it."""
    rest = _line_rest(buffer)
    return _without(buffer, len(buffer.before), rest or min(1, len(buffer.after)))


def _line_start(buffer: TextBuffer) -> int:
    return buffer.before.rfind("\n") + 1


def _line_rest(buffer: TextBuffer) -> int:
    end = buffer.after.find("\n")
    return len(buffer.after) if end < 0 else end


def _without(buffer: TextBuffer, keep: int, drop: int) -> TextBuffer:
    if keep == len(buffer.before) and not drop:
        return buffer
    return _snapped(buffer.before[:keep], buffer.after[drop:])


def _cut_at(buffer: TextBuffer, index: int) -> TextBuffer:
    """The same text with the cursor at `index`, or at the next boundary."""
    if index == len(buffer.before):
        return buffer if buffer.goal is None else evolve(buffer, goal=None)
    if index < len(buffer.before):
        return _snapped(buffer.before[:index], buffer.before[index:] + buffer.after)
    moved = index - len(buffer.before)
    return _snapped(buffer.before + buffer.after[:moved], buffer.after[moved:])


def _snapped(before: str, after: str) -> TextBuffer:
    if not before or not after or (before[-1].isascii() and after[0].isascii()):
        return TextBuffer(before, after)
    last = before[previous_boundary(before) :]
    reach = next_boundary(last + after[:_WINDOW]) - len(last)
    return TextBuffer(before + after[:reach], after[reach:]) if reach > 0 else TextBuffer(before, after)


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
