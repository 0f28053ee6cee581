"""Reviewing: the tab that sums the answers up and offers what to do with them."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from ask_core.keymap import Command, Context, command
from ask_core.keys import Key
from ask_core.state import Reviewing, State, at_tab, finish, leave


def press(state: State, mode: Reviewing, key: Key) -> State:
    """The state after a key; the same one where the key has no meaning here."""
    if key.digit:
        return press_digit(state, mode, key.digit - 1)
    transition = _TRANSITIONS.get(command(state.settings.keymaps, Context.MAIN, key.name))
    return state if transition is None else transition(state, mode)


def press_digit(state: State, mode: Reviewing, action: int) -> State:
    """Take a review action by its digit, which may be needed twice; the digits past the last action take it back."""
    if action >= len(state.form.flow.review_actions):
        return evolve(state, mode=evolve(mode, armed=None))
    twice = state.settings.behaviour.double_press_review_shortcuts
    if twice and mode.armed != action:
        return evolve(state, mode=evolve(mode, action=action, armed=action))
    return _act(state, action)


def _act(state: State, action: int) -> State:
    match state.form.flow.review_actions[action]:
        case "submit":
            return finish(state, "submitted")
        case "elaborate":
            return finish(state, "elaborated")
        case "cancel":
            return finish(state, "cancelled")


def _highlight(state: State, mode: Reviewing, action: int) -> State:
    last = len(state.form.flow.review_actions) - 1
    return evolve(state, mode=evolve(mode, action=max(0, min(action, last)), armed=None))


_TRANSITIONS: dict[Command | None, Callable[[State, Reviewing], State]] = {
    Command.CONFIRM: lambda state, mode: _act(state, mode.action),
    # Nothing to toggle here, but a pending digit does not survive it.
    Command.TOGGLE: lambda state, mode: _highlight(state, mode, mode.action),
    Command.CANCEL: lambda state, mode: leave(state, "cancel"),
    Command.NEXT_TAB: lambda state, mode: at_tab(state, state.tab + 1),
    Command.PREVIOUS_TAB: lambda state, mode: at_tab(state, state.tab - 1),
    Command.NEXT_OPTION: lambda state, mode: _highlight(state, mode, mode.action + 1),
    Command.PREVIOUS_OPTION: lambda state, mode: _highlight(state, mode, mode.action - 1),
    Command.FIRST_OPTION: lambda state, mode: _highlight(state, mode, 0),
    Command.LAST_OPTION: lambda state, mode: _highlight(state, mode, len(state.form.flow.review_actions) - 1),
}
