"""From a state to its screen."""

from __future__ import annotations

from ask_core.keymap import Command, Context, key_label, keys_of
from ask_core.screen import OnDemand, Screen, Tab
from ask_core.state import Choosing, Filtering, Noting, State, Typing
from ask_core.text.clean import clean_line
from ask_core.view.hints import hints
from ask_core.view.question import question_body
from ask_core.view.review import review_body

_LEAVING = {"cancel": (Context.MAIN, Command.CANCEL), "dismiss": (Context.GLOBAL, Command.DISMISS)}


def view(state: State) -> Screen:
    """What `state` shows, by meaning.

    Costs the same whatever the number of options and questions; only the review looks at every answer once.
    """
    count = len(state.form.questions)
    title = clean_line(state.form.title or "").strip()
    return Screen(
        title=title or None,
        position="Review" if state.on_review else f"Question {state.tab + 1} of {count}",
        tabs=OnDemand(count + 1, lambda index: _tab(state, index)),
        tab=state.tab,
        body=review_body(state) if state.on_review else question_body(state),
        warning=_warning(state),
        read_on=_first(keys_of(state.settings.keymaps, Context.GLOBAL, Command.READ_ON)),
        hints=hints(state) if state.settings.behaviour.show_footer_hints else (),
    )


def _tab(state: State, index: int) -> Tab:
    if index == len(state.form.questions):
        return Tab("Review", None)
    return Tab(clean_line(state.form.questions[index].label), state.answers[index].answered)


def _warning(state: State) -> str | None:
    """What waits for a key to be pressed again: leaving (R14), or a type change that clears choices (R15), or both."""
    keymaps = state.settings.keymaps
    type_armed = isinstance(state.mode, Choosing) and state.mode.type_armed
    retype = _first(keys_of(keymaps, Context.MAIN, Command.CHANGE_QUESTION_TYPE))
    if state.warned is None and isinstance(state.mode, Typing | Noting) and state.mode.failure:
        return f"! The editor could not be used: {clean_line(state.mode.failure)}"
    if state.warned is None:
        return f"! This clears your choices. Press {retype} again to change." if type_armed else None
    leaving = _first(keys_of(keymaps, *_LEAVING[state.warned]))
    if type_armed:
        return f"! Press again: {retype} clears your choices, {leaving} leaves."
    if state.warned == "cancel" and isinstance(state.mode, Typing | Noting | Filtering):
        return "! Not submitted."  # here the key that raised it closes the editor or the filter
    return f"! Not submitted. Press {leaving} again to leave."


def _first(keys: tuple[str, ...]) -> str:
    return key_label(keys[0]) if keys else "the key"
