"""Recorded flows: every step and every result of the contract's recorded cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ask_core.dialects import content, details
from ask_core.result import result_of
from ask_core.settings import Behaviour, Settings
from ask_core.testing import Played, event, facts, play

_BEHAVIOUR = {
    "autoSubmitWhenAnsweredWithoutNotes": "auto_submit_when_answered_without_notes",
    "confirmDismissWhenDirty": "confirm_dismiss_when_dirty",
    "doublePressReviewShortcuts": "double_press_review_shortcuts",
    "presentSingleAsMulti": "present_single_as_multi",
    "showFooterHints": "show_footer_hints",
}


def _recorded() -> list[Any]:
    with Path(__file__).with_name("data").joinpath("flow-traces.jsonl").open(encoding="utf-8") as lines:
        traces = [json.loads(line) for line in lines]
    return [pytest.param(trace, id=trace["name"]) for trace in traces]


TRACES = _recorded()


def _play(trace: dict[str, Any]) -> Played:
    behaviour = Behaviour(**{_BEHAVIOUR[name]: value for name, value in trace["behaviour"].items()})
    return play(
        trace["payload"],
        trace["keys"],
        settings=Settings(behaviour),
        allow_freeform=trace.get("allowFreeform", False),
    )


@pytest.mark.parametrize("trace", TRACES)
def test_every_step_is_as_recorded(trace: dict[str, Any]) -> None:
    """After each key the state says what was recorded, and the flow ends with the recorded key."""
    played = _play(trace)
    # The states after the finishing key are not compared: only the result counts there.
    compared = len(trace["steps"]) - trace["finished"]
    for number in range(compared):
        assert facts(played.states[number + 1]) == trace["steps"][number], (number, trace["keys"][: number + 1])
    assert len(played.states) - 1 == len(trace["steps"])
    assert [state.finished for state in played.states] == [False] * (len(played.states) - 1) + [trace["finished"]]


@pytest.mark.parametrize("trace", TRACES)
def test_the_result_is_as_recorded(trace: dict[str, Any]) -> None:
    """Details are the recorded ones; the one field more is the outcome, which agrees with them (R4)."""
    played = _play(trace)
    if trace["details"] is None:
        assert not played.state.finished
        return
    ours = details(result_of(played.state))
    if "elaboration" in ours:
        assert ours["elaboration"]["instruction"]
        ours["elaboration"]["instruction"] = "<instruction>"
    outcome = ours.pop("outcome")
    assert ours == trace["details"]
    assert outcome == (
        "cancelled" if ours["cancelled"] else {"submit": "submitted", "elaborate": "elaborated"}[ours["mode"]]
    )
    assert content(result_of(played.state)).strip()


def test_the_recorded_cases_are_whole() -> None:
    """No recorded case was lost on its way here."""
    assert len(TRACES) == 290
    assert len({param.id for param in TRACES}) == 290


def test_steps_say_nothing_about_a_paste_that_acts_as_keys() -> None:
    """The kit's `{"paste": text}` is one event of text, whatever keys the text names."""
    payload = {"questions": [{"id": "q", "prompt": "Which?", "options": [{"value": "a", "label": "A"}]}]}
    played = play(payload, [{"paste": "1"}, {"paste": "\r"}])
    assert played.state is played.states[0]
    assert event({"paste": "enter"}) != event("enter")
