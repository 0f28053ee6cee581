"""Configuring: the settings are open over the flow, or by themselves.

Each change is in effect at once and the edge is asked to store it. What closes the list never reaches the flow below:
dismissing and the key that opened it close it too, whatever they are bound to.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from ask_core.effects import SaveSettings
from ask_core.keymap import Command, Context, command
from ask_core.keys import Key
from ask_core.settings import RESET_ROW, Setting, Settings, turned
from ask_core.state import Configuring, State, disarmed, finish

_SETTINGS = tuple(Setting)
_CLOSING = (Command.DISMISS, Command.SETTINGS)


def open_settings(state: State) -> State:
    """Open the settings over what is shown; nothing waits for a second press any more when they are closed."""
    state = disarmed(state)
    if isinstance(state.mode, Configuring):
        return state
    return evolve(state, mode=Configuring(state.mode), origin=state.origin._replace(news=()))


def close(state: State, mode: Configuring) -> State:
    """Go back to what was shown before, or end where there was nothing."""
    return finish(state, "submitted") if mode.back is None else evolve(state, mode=mode.back)


def command_of(state: State, key: Key) -> Command | None:
    """What a key does to the list."""
    keymaps = state.settings.keymaps
    name = command(keymaps, Context.SETTINGS_MODAL, key.name)
    if name is None and command(keymaps, Context.GLOBAL, key.name) in _CLOSING:
        return Command.CLOSE
    return name


def press(state: State, mode: Configuring, key: Key) -> State:
    """The state after a key; the same one where the key has no meaning here."""
    transition = _TRANSITIONS.get(command_of(state, key))
    return state if transition is None else transition(state, mode)


def highlight(state: State, mode: Configuring, row: int) -> State:
    """Highlight a line of the list, counted round both ends; the manual is read from its beginning again."""
    return evolve(state, mode=mode._replace(row=row % (RESET_ROW + 1), resetting=False, read=0))


def change(state: State, mode: Configuring) -> State:
    """Turn the highlighted setting over or on to its next choice; resetting all needs the key twice."""
    if mode.row < RESET_ROW:
        return _changed(state, turned(state.settings, _SETTINGS[mode.row]))
    if not mode.resetting:
        return evolve(state, mode=mode._replace(resetting=True))
    return _changed(evolve(state, mode=mode._replace(resetting=False)), Settings(), reset=True)


def _changed(state: State, settings: Settings, *, reset: bool = False) -> State:
    save = SaveSettings(state.settings, settings, reset)
    return evolve(state, settings=settings, outbox=(*state.outbox, save))


_TRANSITIONS: dict[Command | None, Callable[[State, Configuring], State]] = {
    Command.CLOSE: close,
    Command.TOGGLE: change,
    Command.NEXT_OPTION: lambda state, mode: highlight(state, mode, mode.row + 1),
    Command.PREVIOUS_OPTION: lambda state, mode: highlight(state, mode, mode.row - 1),
    Command.FIRST_OPTION: lambda state, mode: highlight(state, mode, 0),
    Command.LAST_OPTION: lambda state, mode: highlight(state, mode, RESET_ROW),
}
