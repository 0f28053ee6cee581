"""From a state to its screen."""

from __future__ import annotations

from ask_core.keymap import Command, Context, key_label, keys_of
from ask_core.screen import OnDemand, Screen, Tab
from ask_core.state import Choosing, State
from ask_core.text.clean import clean_line
from ask_core.view.hints import hints
from ask_core.view.question import question_body
from ask_core.view.review import review_body


def view(state: State) -> Screen:
    """What `state` shows, by meaning. Costs the same whatever the number of questions and options."""
    count = len(state.form.questions)
    title = clean_line(state.form.title or "").strip()
    return Screen(
        title=title or None,
        position="Review" if state.on_review else f"Question {state.tab + 1} of {count}",
        tabs=OnDemand(count + 1, lambda index: _tab(state, index)),
        tab=state.tab,
        body=review_body(state) if state.on_review else question_body(state),
        warning=_warning(state),
        hints=hints(state) if state.settings.behaviour.show_footer_hints else (),
    )


def _tab(state: State, index: int) -> Tab:
    if index == len(state.form.questions):
        return Tab("Review", None)
    return Tab(clean_line(state.form.questions[index].label), state.answers[index].answered)


def _warning(state: State) -> str | None:
    keymaps = state.settings.keymaps
    if isinstance(state.mode, Choosing) and state.mode.type_armed:
        keys = keys_of(keymaps, Context.MAIN, Command.CHANGE_QUESTION_TYPE)
        return f"! This clears your choices. Press {_first(keys)} again to change."
    if state.warned == "dismiss":
        keys = keys_of(keymaps, Context.GLOBAL, Command.DISMISS)
    elif state.warned == "cancel":
        keys = keys_of(keymaps, Context.MAIN, Command.CANCEL)
    else:
        return None
    return f"! Not submitted. Press {_first(keys)} again to leave."


def _first(keys: tuple[str, ...]) -> str:
    return key_label(keys[0]) if keys else "the key"
