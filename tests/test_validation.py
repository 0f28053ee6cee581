"""Payloads: what is accepted, and what is said about the others."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ask_core.dialects import load_form
from ask_core.errors import AskError, InvalidPayload, UnknownDialect
from ask_core.payload import distinct
from ask_core.questions import Form
from tests.strategies import changed, json_values, payloads

# Cases the recorded program crashed on or let pass: R10 decides (wrong types are issues, null means left out).
_BY_RULING = {
    "payload-string": ["payload"],
    "question-string": ["questions[0]"],
    "id-object": ["questions[0].id"],
    "label-object": ["questions[0].label"],
    "prompt-number": ["questions[0].prompt"],
    "prompt-array": ["questions[0].prompt"],
    "options-null": ["questions[0].options"],
    "options-object": ["questions[0].options"],
    "options-object-with-length-0": ["questions[0].options"],
    "options-string": ["questions[0].options"],
    "options-map-of-labels": ["questions[0].options"],
    "option-null-after-good": ["questions[0].options[1]"],
    "freeform-zero-in-tool-calls": ["questions[0].options[0].freeform"],
}


def _cases() -> list[dict[str, Any]]:
    with Path(__file__).with_name("data").joinpath("validation-cases.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


CASES = _cases()


def _question(**changes: Any) -> dict[str, Any]:
    question = {"id": "q", "prompt": "Which?", "options": [{"value": "a", "label": "A"}]}
    return {name: value for name, value in (question | changes).items() if value is not ...}


def _option(**changes: Any) -> dict[str, Any]:
    option = {"value": "a", "label": "A"} | changes
    return _question(options=[{name: value for name, value in option.items() if value is not ...}])


def _issues(payload: object, *, allow_freeform: bool = False) -> dict[str, str]:
    with pytest.raises(InvalidPayload) as caught:
        load_form(payload, allow_freeform=allow_freeform)
    return dict(caught.value.issues)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_recorded_payload_is_judged_as_recorded(case: dict[str, Any]) -> None:
    """The issues have the recorded paths, or the questions the recorded metadata; R10 decides where it must."""
    expected = _BY_RULING.get(case["name"], case.get("paths"))
    assert expected is not None
    if expected:
        with pytest.raises(InvalidPayload) as caught:
            load_form(case["payload"], allow_freeform=case.get("allowFreeform", False))
        assert sorted(issue.path for issue in caught.value.issues) == sorted(expected)
        return
    form = load_form(case["payload"], allow_freeform=case.get("allowFreeform", False))
    assert [
        {"id": question.id, "label": question.label, "prompt": question.prompt, "type": question.type}
        for question in form.questions
    ] == case["questions"]
    assert form.title == case["payload"].get("title")


def test_the_recorded_cases_are_whole_and_every_ruling_is_needed() -> None:
    """No case was lost, and exactly the cases that the recording leaves open are decided here."""
    assert len(CASES) == 39
    assert {case["name"] for case in CASES if "reference" in case or "tags" in case} == set(_BY_RULING)


@pytest.mark.parametrize(
    ("payload", "path", "message"),
    [
        (None, "payload", 'must be an object with "questions", got null.'),
        ([], "payload", 'must be an object with "questions", got an array. Write {"questions": [...]} around it.'),
        (True, "payload", 'must be an object with "questions", got a boolean.'),
        (float("nan"), "payload", 'must be an object with "questions", got a number.'),
        ({}, "questions", "is missing. Give an array with at least one question."),
        ({"questions": None}, "questions", "must be an array with at least one question, got null."),
        ({"questions": []}, "questions", "must hold at least one question."),
        (
            {"questions": {}},
            "questions",
            "must be an array with at least one question, got an object.",
        ),
        ({"questions": [[]]}, "questions[0]", "must be an object with id, prompt and options, got an array."),
        (
            {"title": 1, "questions": [_question()]},
            "title",
            "must be a text, got a number. Correct it or leave it out.",
        ),
        ({"questions": [_question(id=...)]}, "questions[0].id", "is missing. Give a text that is not blank."),
        ({"questions": [_question(id=True)]}, "questions[0].id", "must be a text that is not blank, got a boolean."),
        ({"questions": [_question(id=" \n")]}, "questions[0].id", "must not be blank."),
        (
            {"questions": [_question(label=" ")]},
            "questions[0].label",
            "must not be blank. Give a text or leave it out.",
        ),
        (
            {"questions": [_question(type="Multi")]},
            "questions[0].type",
            'must be "single", "multi" or "preview", got "Multi".',
        ),
        (
            {"questions": [_question(type=["multi"])]},
            "questions[0].type",
            'must be "single", "multi" or "preview", got an array.',
        ),
        (
            {"questions": [_question(required="yes")]},
            "questions[0].required",
            "must be true or false, got a string.",
        ),
        ({"questions": [_question(options=[])]}, "questions[0].options", "must hold at least one option."),
        (
            {"questions": [_question(options=[7])]},
            "questions[0].options[0]",
            "must be an object with value and label, got a number.",
        ),
        (
            {"questions": [_option(description=["d"])]},
            "questions[0].options[0].description",
            "must be a text, got an array. Correct it or leave it out.",
        ),
        (
            {"questions": [_option(preview="")]},
            "questions[0].options[0].preview",
            "must not be blank. Give a text or leave it out.",
        ),
        (
            {"questions": [_question(), _question()]},
            "questions[1].id",
            '"q" is already used by questions[0].id. Make it unique.',
        ),
        (
            {"questions": [_question(options=[{"value": "a", "label": "A"}, {"value": " a ", "label": "B"}])]},
            "questions[0].options[1].value",
            '"a" is already used by questions[0].options[0].value. Make it unique.',
        ),
    ],
)
def test_an_issue_says_where_what_was_expected_and_what_came(payload: object, path: str, message: str) -> None:
    """One fault makes one issue: its path, what is wrong and how to mend it (R10)."""
    assert _issues(payload) == {path: message}


@pytest.mark.parametrize("preview", [..., None])
def test_a_preview_question_without_preview_text_says_both_ways_to_mend_it(preview: object) -> None:
    """The hint names preview text and type "single"; a description does not count (contract, "What goes in")."""
    question = _option(description="d", preview=preview) | {"type": "preview"}
    message = _issues({"questions": [question]})["questions[0].options[0].preview"]
    assert "preview text" in message
    assert 'type "single"' in message
    assert "description does not count" in message


@pytest.mark.parametrize("field", ["label", "type", "required"])
def test_null_for_an_optional_field_of_a_question_means_left_out(field: str) -> None:
    """`null` is the same as no field (R10)."""
    assert load_form({"questions": [_question(**{field: None})]}) == load_form({"questions": [_question()]})


@pytest.mark.parametrize("field", ["description", "preview", "freeform"])
def test_null_for_an_optional_field_of_an_option_means_left_out(field: str) -> None:
    """`null` is the same as no field (R10)."""
    payload = {"title": None, "questions": [_option(**{field: None})]}
    assert load_form(payload) == load_form({"questions": [_question()]})


def test_required_is_kept_and_unknown_fields_do_no_harm() -> None:
    """`required` is metadata; fields the contract does not know are passed over."""
    payload = {"questions": [_question(required=True, hint="x") | {"x": {}}], "mode": "fast"}
    assert load_form(payload).questions[0].required


def test_texts_are_trimmed_and_nothing_else() -> None:
    """Texts lose the white space at their ends, a preview keeps its indentation; the rest is original (R9)."""
    option = {"value": " a\x1b ", "label": "\u3000A\u202e\n", "description": " d\te ", "preview": "\n \n  p\n q \n"}
    question = load_form(
        {"questions": [_question(id="\tq ", label=" L ", prompt=" P\nQ ", options=[option])]}
    ).questions[0]
    assert (question.id, question.label, question.prompt) == ("q", "L", "P\nQ")
    made = question.options[0]
    assert (made.value, made.label, made.description, made.preview) == ("a\x1b", "A\u202e", "d\te", "  p\n q")


def test_freeform_options_are_refused_in_tool_calls() -> None:
    """The internal marker is no part of the public contract."""
    payload = {"questions": [_option(freeform=True)]}
    assert list(_issues(payload)) == ["questions[0].options"]
    assert load_form(payload, allow_freeform=True).questions[0].freeform
    assert not load_form({"questions": [_option(freeform=False)]}).questions[0].freeform


def test_the_error_text_has_a_line_for_each_issue() -> None:
    """`str()` of the error is the text for the model: a heading and `- PATH: MESSAGE` lines, every issue at once."""
    payload = {"title": [], "questions": [_question(id=3, prompt=""), "x", _question(id="r", options=[{}])]}
    with pytest.raises(InvalidPayload) as caught:
        load_form(payload)
    assert isinstance(caught.value, AskError)
    assert [issue.path for issue in caught.value.issues] == [
        "title",
        "questions[0].id",
        "questions[0].prompt",
        "questions[1]",
        "questions[2].options[0].value",
        "questions[2].options[0].label",
    ]
    heading, *lines = str(caught.value).split("\n")
    assert heading == "Invalid ask_user payload:"
    assert lines == [f"- {path}: {message}" for path, message in caught.value.issues]


def test_the_error_text_keeps_a_line_for_each_issue_whatever_the_payload_holds() -> None:
    """Text of the payload that is echoed cannot pretend to be another line."""
    forged = "x\n- questions[9].id: y"
    payload = {"questions": [_question(id=forged, type=forged), _question(id=forged, type="\u2028\x1b")]}
    with pytest.raises(InvalidPayload) as caught:
        load_form(payload)
    assert len(str(caught.value).splitlines()) == 1 + len(caught.value.issues)


@pytest.mark.parametrize("text", ["z" * 5000, "日" * 200])
def test_long_text_of_the_payload_is_not_echoed(text: str) -> None:
    """An issue shows the beginning of a text at most (R10)."""
    repeated = [{"value": text, "label": "A"}] * 2
    payload = {"questions": [_question(id=text, type=text, options=repeated), _question(id=text)]}
    for path, message in _issues(payload).items():
        assert text[:60] not in message
        assert len(path) + len(message) < 250


def test_the_error_can_be_copied_between_processes() -> None:
    """An error that travels through an executor arrives whole."""
    with pytest.raises(InvalidPayload) as caught:
        load_form({})
    copied = pickle.loads(pickle.dumps(caught.value))
    assert (copied.issues, str(copied)) == (caught.value.issues, str(caught.value))


def test_an_unknown_dialect_is_an_error_of_its_own() -> None:
    """The dialect comes from the caller, so it is no fault of the payload."""
    with pytest.raises(UnknownDialect, match="contract"):
        load_form({}, dialect="nope")


@given(json_values, st.booleans())
def test_no_json_value_raises_anything_but_invalid_payload(value: object, allow_freeform: bool) -> None:
    """Any JSON value makes a form, or an error with issues that have a path and a message."""
    _judge(value, allow_freeform=allow_freeform)


@given(changed(payloads(), json_values), st.booleans())
def test_no_change_of_a_valid_payload_raises_anything_but_invalid_payload(
    payload: dict[str, Any], allow_freeform: bool
) -> None:
    """The same with one place of a valid payload replaced or left out."""
    _judge(payload, allow_freeform=allow_freeform)


def _judge(payload: object, *, allow_freeform: bool) -> None:
    refused = None
    try:
        form = load_form(payload, allow_freeform=allow_freeform)
    except InvalidPayload as error:
        refused = error
    if refused is None:
        assert_valid(form)
        return
    assert refused.issues
    assert all(path and message for path, message in refused.issues)
    assert str(refused).startswith("Invalid ask_user payload:\n- ")


def assert_valid(form: Form) -> None:
    """What the contract promises about every accepted payload."""
    assert form.questions
    assert len({question.id for question in form.questions}) == len(form.questions)
    for question in form.questions:
        assert question.id
        assert question.label
        assert question.prompt
        assert question.options
        assert len({option.value for option in question.options}) == len(question.options)
        assert question.type != "preview" or all(option.preview for option in question.options)


@given(payloads())
def test_every_valid_payload_is_accepted(payload: dict[str, Any]) -> None:
    """The forms that other tests play are valid ones."""
    assert_valid(load_form(payload, allow_freeform=True))


def test_a_model_is_told_no_more_than_it_can_use() -> None:
    """Of very many faults the first hundred are told and the others are counted; as data all of them are there."""
    with pytest.raises(InvalidPayload) as caught:
        load_form({"questions": [{"prompt": "P?", "options": []}] * 300})
    lines = str(caught.value).split("\n")
    assert len(caught.value.issues) == 600
    assert (len(lines), lines[-1]) == (102, "... and 500 more of the kind")


def test_names_that_are_there_again_cost_one_look_each() -> None:
    """Numbers go on where they were left, so many equal names are no trouble."""
    tried: list[int] = []

    def numbered(name: str, number: int) -> str:
        tried.append(number)
        return f"{name}-{number}"

    assert distinct(["a"] * 500, numbered)[-1] == "a-500"
    assert tried == [*range(2, 501)]
