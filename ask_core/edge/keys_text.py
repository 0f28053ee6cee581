"""What `ask settings --keys` prints."""

from __future__ import annotations

from collections.abc import Iterator

from ask_core.key_list import KeyGroup, KeyLine, key_list
from ask_core.keymap import KeyMaps
from ask_core.text.graphemes import width


def keys_in_words(keymaps: KeyMaps) -> Iterator[str]:
    """Every key and what it does, line by line, with its name in the settings file where it has one."""
    for number, group in enumerate(key_list(keymaps)):
        if number:
            yield ""
        yield group.title
        keys = max(width(_pressed(line)) for line in group.lines)
        does = max(width(line.does) for line in group.lines)
        for line in group.lines:
            text = f"  {_padded(_pressed(line), keys)}  {_padded(line.does, does)}  {_name(group, line)}"
            yield text.rstrip()


def _pressed(line: KeyLine) -> str:
    return " ".join(line.keys) or "(none)"


def _name(group: KeyGroup, line: KeyLine) -> str:
    return f"{group.context}.{line.action}" if group.context else ""


def _padded(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))
