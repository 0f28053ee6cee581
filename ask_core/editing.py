"""The keys of every text editor in the flow: one table from key names to edits of the buffer.

These keys are the same in answers and notes. What submits, closes or leaves an editor, and undo, which goes on beyond
it, are in the key maps instead.
"""

from __future__ import annotations

from collections.abc import Callable

from ask_core.keys import Key
from ask_core.text import buffer as edits
from ask_core.text.buffer import TextBuffer

EDITS: dict[str, Callable[[TextBuffer], TextBuffer]] = {
    "left": edits.move_left,
    "right": edits.move_right,
    "ctrl+left": edits.move_word_left,
    "alt+left": edits.move_word_left,
    "alt+b": edits.move_word_left,
    "ctrl+right": edits.move_word_right,
    "alt+right": edits.move_word_right,
    "alt+f": edits.move_word_right,
    "home": edits.move_to_line_start,
    "ctrl+a": edits.move_to_line_start,
    "end": edits.move_to_line_end,
    "ctrl+e": edits.move_to_line_end,
    "shift+enter": edits.break_line,
    "alt+enter": edits.break_line,
    "ctrl+j": edits.break_line,
    "backspace": edits.delete_back,
    "shift+backspace": edits.delete_back,
    "delete": edits.delete_forward,
    "ctrl+w": edits.kill_word_back,
    "alt+backspace": edits.kill_word_back,
    "ctrl+backspace": edits.kill_word_back,
    "alt+d": edits.kill_word_forward,
    "ctrl+delete": edits.kill_word_forward,
    "ctrl+u": edits.kill_to_line_start,
    "ctrl+k": edits.kill_to_line_end,
    "ctrl+y": edits.yank,
}

# These need to know how wide the rows are.
ROW_EDITS: dict[str, Callable[[TextBuffer, int], TextBuffer]] = {
    "up": edits.move_up,
    "down": edits.move_down,
}


def press(buffer: TextBuffer, key: Key, columns: int = edits.UNWRAPPED) -> TextBuffer:
    """The buffer after `key`: edited by a table, with the typed character put in, or an equal one.

    `columns` is the width of the editor's rows.
    """
    if key.name in ROW_EDITS:
        return ROW_EDITS[key.name](buffer, columns)
    if key.name in EDITS:
        return EDITS[key.name](buffer)
    text = key.text
    return buffer if text is None else edits.type_text(buffer, text)
