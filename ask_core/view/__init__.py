"""From a state to its screen."""

from __future__ import annotations

from ask_core.keymap import Command, Context, key_label, keys_of
from ask_core.questions import default_label
from ask_core.screen import Hint, OnDemand, Screen, Tab
from ask_core.state import Choosing, Configuring, State, TextMode, Writing
from ask_core.text.clean import clean_line
from ask_core.view.hints import hints
from ask_core.view.question import question_body
from ask_core.view.review import review_body
from ask_core.view.settings import settings_body, settings_notice, settings_warning

_LEAVING = {"cancel": (Context.MAIN, Command.CANCEL), "dismiss": (Context.GLOBAL, Command.DISMISS)}


def view(state: State) -> Screen:
    """What `state` shows, by meaning.

    Costs the same whatever the number of options and questions; only the review looks at every answer once.
    """
    if isinstance(state.mode, Configuring):
        return _settings(state, state.mode)
    return Screen(
        title=_title(state) or None,
        asked_by=clean_line((state.asked_by or "").strip()) or None,
        position=_position(state),
        tabs=OnDemand(state.tabs, lambda index: _tab(state, index)) if state.tabs > 1 else (),
        tab=state.tab,
        body=review_body(state) if state.on_review else question_body(state),
        warning=_warning(state),
        countdown=_countdown(state),
        notice=_notice(state),
        read_on=_read_on(state),
        hints=_hints(state),
    )


def _title(state: State) -> str:
    """The form's own title; without tabs the label of its question does as well, unless it only says its number."""
    title = clean_line((state.form.title or "").strip())
    if title or state.tabs > 1:
        return title
    label = clean_line(state.form.questions[0].label.strip())
    return "" if label == default_label(0) else label


def _position(state: State) -> str:
    if state.on_review:
        return state.form.flow.review or ""
    return f"Question {state.tab + 1} of {len(state.form.questions)}" if state.tabs > 1 else ""


def _settings(state: State, mode: Configuring) -> Screen:
    return Screen(
        title="Settings",
        asked_by=None,
        position="",
        tabs=(),
        tab=0,
        body=settings_body(state, mode),
        warning=settings_warning(state, mode),
        countdown=_countdown(state),
        notice=settings_notice(state),
        read_on=_read_on(state),
        hints=_hints(state),
    )


def _countdown(state: State) -> str | None:
    left = state.seconds_left
    if left is None:
        return None
    return f"! Time is up in {left} second{'' if left == 1 else 's'}. Any key stops that."


def _hints(state: State) -> tuple[Hint, ...]:
    return hints(state) if state.settings.behaviour.show_footer_hints else ()


def _read_on(state: State) -> str:
    return _first(keys_of(state.settings.keymaps, Context.GLOBAL, Command.READ_ON))


def _notice(state: State) -> tuple[str, str] | None:
    """What is wrong with the settings' file, until the person has had the chance to read it."""
    if not state.origin.news:
        return None
    fault = state.origin.news[0]
    full, short = "! Settings: ", "! Your settings have a fault"
    if fault == state.origin.unsaved:
        full, short = "! Settings are not saved: ", "! Settings are not saved"
    more = f"({_first(keys_of(state.settings.keymaps, Context.GLOBAL, Command.SETTINGS))} for more)"
    return f"{full}{clean_line(fault).rstrip('.')} {more}", f"{short} {more}"


def _tab(state: State, index: int) -> Tab:
    if index == len(state.form.questions):
        return Tab(clean_line(state.form.flow.review or ""), None)
    return Tab(clean_line(state.form.questions[index].label), state.answers[index].answered)


def _warning(state: State) -> str | None:
    """What waits for a key to be pressed again: leaving (R14), or a type change that clears choices (R15), or both."""
    keymaps = state.settings.keymaps
    type_armed = isinstance(state.mode, Choosing) and state.mode.type_armed
    retype = _first(keys_of(keymaps, Context.MAIN, Command.CHANGE_QUESTION_TYPE))
    if state.warned is None and isinstance(state.mode, Writing) and state.mode.failure:
        return f"! The editor could not be used: {clean_line(state.mode.failure)}"
    if state.warned is None:
        return f"! This clears your choices. Press {retype} again to change." if type_armed else None
    leaving = _first(keys_of(keymaps, *_LEAVING[state.warned]))
    if type_armed:
        return f"! Press again: {retype} clears your choices, {leaving} leaves."
    if state.warned == "cancel" and isinstance(state.mode, TextMode):
        return "! Not submitted."  # here the key that raised it closes the editor or the filter
    return f"! Not submitted. Press {leaving} again to leave."


def _first(keys: tuple[str, ...]) -> str:
    return key_label(keys[0]) if keys else "the key"
