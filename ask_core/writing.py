"""What is the same wherever a text is written: the list of paths, the person's own editor, and the editing keys."""

from __future__ import annotations

from attrs import evolve

from ask_core import completion, editing
from ask_core.effects import EditExternally
from ask_core.keymap import Command
from ask_core.keys import Key
from ask_core.state import Noting, State, Typing, with_buffer


def command(state: State, mode: Typing | Noting, key: Key, name: Command | None) -> State | None:
    """The state after a key that means something to every editor before it means anything else; None where not."""
    if name is Command.EDIT_EXTERNALLY:
        return evolve(state, outbox=(EditExternally(mode.buffer.text),))
    if not completion.is_open(mode):
        return None
    if name in (Command.SUBMIT, Command.SAVE) or key.name == "tab":
        return completion.take(state, mode)
    if name is Command.CLOSE:
        return completion.close(state, mode)
    if key.name in _STEPS:
        return completion.move(state, mode, _STEPS[key.name])
    return None


_STEPS = {"up": -1, "down": 1}


def write(state: State, mode: Typing | Noting, key: Key, columns: int) -> State:
    """The state after a key that goes into the text, whose rows are `columns` wide."""
    return with_buffer(state, editing.press(mode.buffer, key, columns))
