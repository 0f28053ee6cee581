"""The keys of every text editor in the flow: one table from key names to edits of the buffer.

These keys are the same in answers and notes. What submits, closes or leaves an editor is in the key maps instead.
"""

from __future__ import annotations

from collections.abc import Callable

from ask_core.keys import Key
from ask_core.text import buffer as edits
from ask_core.text.buffer import TextBuffer

EDITS: dict[str, Callable[[TextBuffer], TextBuffer]] = {
    "left": edits.move_left,
    "right": edits.move_right,
    "up": edits.move_up,
    "down": edits.move_down,
    "alt+b": edits.move_word_left,
    "alt+f": edits.move_word_right,
    "home": edits.move_to_line_start,
    "ctrl+a": edits.move_to_line_start,
    "end": edits.move_to_line_end,
    "ctrl+e": edits.move_to_line_end,
    "backspace": edits.delete_back,
    "shift+backspace": edits.delete_back,
    "delete": edits.delete_forward,
    "ctrl+w": edits.delete_word_back,
    "ctrl+u": edits.delete_to_line_start,
    "ctrl+k": edits.delete_to_line_end,
}


def press(buffer: TextBuffer, key: Key) -> TextBuffer:
    """The buffer after `key`: edited by the table, with the typed character put in, or the very same one."""
    edit = EDITS.get(key.name)
    if edit is not None:
        return edit(buffer)
    text = key.text
    return buffer if text is None else edits.insert(buffer, text)
