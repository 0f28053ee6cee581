"""Answers from a file: given by keys like a person's, or refused with every fault and its path."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ask_core as ask
from ask_core.questions import Form
from ask_core.script import InvalidAnswers, answer_form
from ask_core.text.clean import normalise_paste
from ask_core.text.trim import trim
from tests.strategies import forms

FORM = {
    "questions": [
        {
            "id": "level",
            "prompt": "Which level?",
            "options": [{"value": "info", "label": "Info"}, {"value": "debug", "label": "Debug"}],
        },
        {
            "id": "sinks",
            "prompt": "Where to?",
            "type": "multi",
            "options": [{"value": name, "label": name.title()} for name in ("stdout", "file", "net")],
        },
    ]
}
TEXTS = st.text(min_size=1, max_size=12).filter(lambda text: bool(trim(normalise_paste(text))))


NO_VALUE = 'is no value of this question; there are "stdout", "file", "net".'


def answered(answers: object, form: Form | None = None) -> dict[str, Any]:
    state = answer_form(form or ask.load_form(FORM), answers)
    assert state.finished
    return ask.details(ask.result_of(state))


def faults(answers: object) -> list[tuple[str, str]]:
    with pytest.raises(InvalidAnswers) as caught:
        answer_form(ask.load_form(FORM), answers)
    assert str(caught.value)
    return [*caught.value.issues]


def test_answers_by_id_are_the_result() -> None:
    """Values, own words, notes and the mode, in any order of the questions."""
    details = answered(
        {
            "mode": "elaborate",
            "answers": {
                "sinks": {
                    "values": ["net", "stdout"],
                    "customText": "the audit service",
                    "note": "For now.",
                    "optionNotes": {"file": "Which one?"},
                },
                "level": {"values": ["debug"]},
            },
        }
    )
    assert details["outcome"] == "elaborated"
    assert details["answers"]["level"]["values"] == ["debug"]
    assert details["answers"]["sinks"]["values"] == ["stdout", "net", "the audit service"]
    assert details["answers"]["sinks"]["customText"] == "the audit service"
    assert [item["note"] for item in details["elaboration"]["items"]] == ["For now.", "Which one?"]


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ({"level": "info"}, {"answers": {"level": {"values": ["info"]}}}),
        ({"sinks": ["file", "net"]}, {"mode": "submit", "answers": {"sinks": {"values": ["file", "net"]}}}),
        ({"level": None}, {"answers": {}}),
        ({"answers": {"level": "info"}, "mode": "cancel"}, {"mode": "cancel", "answers": {"level": ["info"]}}),
    ],
)
def test_short_forms_say_the_same(short: object, long: object) -> None:
    """A value alone, a list of values, answers without a mode."""
    assert answered(short) == answered(long)


def test_no_answers_submit_an_empty_form() -> None:
    """Nothing is invented, also where nothing is given (R12)."""
    details = answered({})
    assert details["outcome"] == "submitted"
    assert details["answers"] == {}
    assert answered({"answers": {}, "mode": "cancel"})["outcome"] == "cancelled"


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([], [("answers", "must be an object of answers by question id, got an array.")]),
        ({"answers": 1}, [("answers", "must be an object of answers by question id, got a number.")]),
        ({"lvl": "info"}, [("answers.lvl", 'there is no such question; there are "level", "sinks".')]),
        ({"level": 1}, [("answers.level", "must be an object, a list of values or a value, got a number.")]),
        ({"level": ["info", "debug"]}, [("answers.level", "takes one answer, got 2.")]),
        ({"level": {"values": ["info"], "customText": "both"}}, [("answers.level", "takes one answer, got 2.")]),
        (
            {"sinks": ["disk", 4, "net", "net"]},
            [
                (
                    f"answers.sinks.values[{position}]",
                    f"{NO_VALUE} Own words go into customText.",
                )
                for position in (0, 1)
            ]
            + [("answers.sinks.values[3]", "is there twice.")],
        ),
        (
            {"sinks": {"values": "net", "note": " ", "customText": 3, "optionNotes": {"disk": "x", "net": ""}}},
            [
                ("answers.sinks.customText", "must be a text that is not blank, got a number."),
                ("answers.sinks.values", "must be a list of values, got a string."),
                ("answers.sinks.note", "must be a text that is not blank, got a string."),
                (
                    "answers.sinks.optionNotes.disk",
                    NO_VALUE,
                ),
                ("answers.sinks.optionNotes.net", "must be a text that is not blank, got a string."),
            ],
        ),
        (
            {"answers": {"level": {"vals": []}}, "modus": 1, "mode": "send"},
            [
                ("mode", "must be one of submit, elaborate, cancel."),
                ("modus", "is unknown; there are answers, mode."),
                ("answers.level.vals", "is unknown; there are values, customText, note, optionNotes."),
            ],
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_its_path(answers: object, expected: list[tuple[str, str]]) -> None:
    """All faults at once; nothing is given then."""
    assert faults(answers) == expected


TRACES = [
    trace
    for trace in map(
        json.loads, Path(__file__).with_name("data").joinpath("flow-traces.jsonl").read_text("utf-8").split("\n")[:-1]
    )
    if trace["finished"]
    and trace["details"]["mode"] == "submit"
    and not any("presentedType" in question for question in trace["details"]["questions"])
]


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace["name"])
def test_a_result_given_as_answers_comes_out_again(trace: dict[str, Any]) -> None:
    """What a recorded flow was answered with, however, is what its details answer the form with."""
    details = trace["details"]
    form = ask.load_form(trace["payload"], allow_freeform=trace.get("allowFreeform", False))
    again = answered(details | ({"mode": "cancel"} if details["cancelled"] else {}), form)
    again.pop("outcome")
    assert again == details


@given(forms, st.data())
def test_every_answer_that_fits_is_given_as_it_is(form: Form, data: st.DataObject) -> None:
    """Law: whatever is chosen, written and noted, the result says just that."""
    answers: dict[str, Any] = {}
    sends = form.flow.review is None
    # A form without a review is sent by Enter, which trims the words (R16), and not without an answer.
    texts = TEXTS.map(lambda text: trim(normalise_paste(text))) if sends else TEXTS
    noted = form.flow.notes
    for question in form.questions:
        values = [] if question.freeform else [option.value for option in question.options]
        custom = data.draw(st.none() | texts if values or not sends else texts) if question.own_words else None
        most = len(values) if question.type == "multi" else int(custom is None)
        least = int(sends and custom is None)
        some = st.lists(st.sampled_from(values), unique=True, min_size=least, max_size=most) if values else st.just([])
        chosen = data.draw(some)
        notes = data.draw(st.dictionaries(st.sampled_from(values), TEXTS, max_size=2)) if values and noted else {}
        note = data.draw(st.none() | TEXTS) if noted else None
        given = {"values": chosen, "customText": custom, "note": note, "optionNotes": notes}
        answers[question.id] = {name: value for name, value in given.items() if value}
    state = answer_form(form, answers)
    assert state.outcome == "submitted"
    for question, answer in zip(form.questions, state.answers, strict=True):
        wanted = answers[question.id]
        assert [question.options[option].value for option in answer.selected] == [
            option.value for option in question.options if option.value in wanted.get("values", ())
        ]
        for held, text in ((answer.custom, wanted.get("customText")), (answer.note, wanted.get("note"))):
            assert (held is None) == (text is None)
            assert held is None or held == normalise_paste(text)
        assert {question.options[option].value for option, _ in answer.option_notes} == set(
            wanted.get("optionNotes", ())
        )


def test_a_result_of_a_changed_type_is_given_as_that_type() -> None:
    """Details say where a question took several answers after all; so do the answers that they are."""
    played = ask.testing.play(FORM, ["t", "space", "down", "space", "tab", "1", "tab", "1", "1"])
    details = ask.details(ask.result_of(played.state))
    assert details["answers"]["level"]["values"] == ["info", "debug"]
    assert answered(details) == details


@pytest.mark.parametrize(
    ("answers", "where", "why"),
    [
        ({"level": {"labels": ["Info"]}}, "answers.level.labels", "follows from values"),
        ({"level": {"indices": [1]}}, "answers.level.indices", "follows from values"),
        ({"sinks": {"values": ["file"], "customText": "file"}}, "answers.sinks", "leave one of them out"),
        ({"answers": {"level": "info"}, "cancelled": True}, "cancelled", "this result was not sent"),
        ({"answers": {}, "level": "info"}, "level", "put its answer under answers"),
    ],
)
def test_what_could_mean_two_things_is_refused(answers: object, where: str, why: str) -> None:
    """Nothing is guessed, and nothing that was given is dropped without a word."""
    [*issues] = faults(answers)
    assert any(path == where and why in message for path, message in issues), issues


def test_notes_of_an_elaborated_result_come_out_again() -> None:
    """Those on questions without an answer stand only in what is to be explained."""
    given = {"mode": "elaborate", "answers": {"level": {"note": "Why?"}, "sinks": {"optionNotes": {"net": "Which?"}}}}
    details = answered(given)
    assert details["answers"] == {}
    assert answered(details) == details


def test_own_words_that_are_an_options_value_come_out_again() -> None:
    """A result tells by its indices that the last value is own words."""
    details = answered({"sinks": {"values": ["net"], "customText": "mine"}})
    details["answers"]["sinks"] = {"values": ["net", "file"], "labels": [], "indices": [3], "customText": "file"}
    assert answered(details)["answers"]["sinks"]["customText"] == "file"
