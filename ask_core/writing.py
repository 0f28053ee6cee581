"""What is the same wherever a text is written: the list of paths, the person's own editor, and the editing keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from attrs import evolve

from ask_core import completion, editing
from ask_core.effects import EditExternally
from ask_core.keymap import Command, Context, command
from ask_core.keys import Key
from ask_core.state import Noting, State, Typing, Writing, with_buffer

Editor = TypeVar("Editor", Typing, Noting)
Transitions = Mapping[Command | None, Callable[[State, Editor], State]]

_STEPS = {"up": -1, "down": 1}


def press(
    state: State,
    mode: Editor,
    key: Key,
    columns: int,
    context: Context,
    transitions: Transitions[Editor],
    when_empty: Transitions[Editor],
) -> State:
    """The state after a key: one for the open list of paths, a command of the mode, or one that goes into the text.

    `columns` is the width of the text's rows, 0 where the key does not ask for it.
    """
    # A key that types a character belongs to a text that is being written, whatever it is bound to.
    name = None if mode.buffer and key.text else command(state.settings.keymaps, context, key.name)
    if name is Command.EDIT_EXTERNALLY:
        return evolve(state, outbox=(EditExternally(mode.buffer.text),))
    chosen = _choose_path(state, mode, key, name) if completion.is_open(mode) else None
    if chosen is not None:
        return chosen
    transition = transitions.get(name) or (None if mode.buffer else when_empty.get(name))
    if transition is not None:
        return transition(state, mode)
    return with_buffer(state, editing.press(mode.buffer, key, columns))


def _choose_path(state: State, mode: Writing, key: Key, name: Command | None) -> State | None:
    """The state after a key of the open list of paths; None where the key means nothing to it."""
    if name in (Command.SUBMIT, Command.SAVE) or key.name == "tab":
        return completion.take(state, mode)
    if name is Command.CLOSE:
        return completion.close(state, mode)
    if key.name in _STEPS:
        return completion.move(state, mode, _STEPS[key.name])
    return None
