"""Undo and redo in the flow: nothing given is lost for good."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ask_core.events import Event
from ask_core.keys import Key
from ask_core.questions import Form
from ask_core.reduce import reduce
from ask_core.state import Noting, State, Typing, start
from ask_core.testing import facts, play
from tests.strategies import forms, open_walks

FORM: dict[str, Any] = {
    "questions": [
        {"id": "s", "prompt": "One?", "options": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]},
        {
            "id": "m",
            "prompt": "Many?",
            "type": "multi",
            "options": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}],
        },
    ]
}

UNDO, REDO = Key("ctrl+_"), Key("ctrl+alt+_")


def _played(*keys: str | dict[str, str]) -> State:
    return play(FORM, keys).state


@pytest.mark.parametrize(
    "keys",
    [
        ("down", "space"),
        ("1",),
        ("down", "down", "m", "y", "enter"),
        ("n", "w", "h", "y", "enter"),
        ("N", "w", "h", "y", "esc"),
        ("tab", "1"),
        ("tab", "t"),
    ],
)
def test_one_key_takes_the_last_change_back_and_one_makes_it_again(keys: tuple[str, ...]) -> None:
    """A choice, words, a note and a change of type are each one step; undo goes where it was made."""
    opened, given = _played(), _played(*keys)
    back = reduce(given, UNDO)
    assert (back.answers, back.types) == (opened.answers, opened.types)
    assert back.tab == (1 if keys[0] == "tab" else 0)
    again = reduce(back, REDO)
    assert (again.answers, again.types) == (given.answers, given.types)


def test_words_that_a_cleared_editor_lost_come_back() -> None:
    """Emptying the editor and leaving it clears the saved words; undo brings them back."""
    cleared = _played("down", "down", "m", "y", "esc", "enter", "ctrl+u", "up")
    assert facts(cleared)["answers"] == {}
    assert facts(reduce(cleared, UNDO))["answers"]["s"]["custom"] == "my"


def test_choices_that_a_type_change_cleared_come_back_with_the_type() -> None:
    """A change of type that clears several choices is one step with them (R15)."""
    changed = _played("tab", "1", "2", "t", "t")
    assert facts(changed)["answers"] == {}
    back = facts(reduce(changed, UNDO))
    assert back["answers"]["m"]["selected"] == ["a", "b"]
    assert back["types"]["m"] == "multi"


def test_undo_in_an_editor_stays_in_the_text_while_it_can() -> None:
    """The steps of the open text come first, then those of the flow."""
    typing = _played("1", "down", "down", "x")
    once = reduce(typing, UNDO)
    assert facts(once)["editor"] == ""
    assert facts(once)["answers"] != {}
    assert facts(reduce(once, UNDO))["answers"] == {}


def test_a_new_change_drops_what_was_undone() -> None:
    """After something new is given there is nothing to redo."""
    state = reduce(reduce(_played("tab", "1"), UNDO), Key("2"))
    assert reduce(state, REDO) is state


def test_undo_without_a_step_changes_nothing() -> None:
    """Neither at the beginning nor after moving about."""
    for state in (_played(), _played("down", "tab", "shift+tab")):
        assert reduce(state, UNDO) is state
        assert reduce(state, REDO) is state


@given(forms, open_walks, st.integers(1, 6))
def test_undo_and_redo_are_opposites(form: Form, events: list[Event], steps: int) -> None:
    """As many steps back and forth lead to what was given before, whatever happened until then."""
    state = start(form)
    for event in events:
        state = reduce(state, event)
    state = reduce(state, Key("esc")) if isinstance(state.mode, Typing | Noting) else state
    assume(not state.finished)
    back = state
    possible = min(steps, len(state.past))
    for _ in range(possible):
        back = reduce(back, UNDO)
    for _ in range(possible):
        back = reduce(back, REDO)
    assert (back.answers, back.types) == (state.answers, state.types)


def test_redo_does_not_throw_away_what_is_being_written() -> None:
    """Words are newer than what was taken back, so there is nothing to redo while they are written."""
    state = reduce(_played("tab", "1"), UNDO)
    for key in ("end", *"hello"):
        state = reduce(state, Key(key))
    assert reduce(state, REDO) is state
    assert facts(reduce(state, Key("esc")))["answers"]["m"]["custom"] == "hello"


def test_words_that_undo_went_past_come_back_by_redo() -> None:
    """One undo too many closes the editor; redo leads back into it and through its text."""
    state = _played("tab", "1", "end", *"hello")
    for key in (UNDO, UNDO, REDO, REDO):
        state = reduce(state, key)
    assert facts(state)["editor"] == "hello"


def test_undo_stops_where_more_was_written_than_it_keeps() -> None:
    """Past its last step the text stays, and so does its editor."""
    state = _played("1", "shift+tab", "end")
    for number in range(230):
        for character in f"w{number} ":
            state = reduce(state, Key(character))
    for _ in range(260):
        state = reduce(state, UNDO)
    assert str(facts(state)["editor"]).startswith("w0 w1 ")
