"""The dialects side by side: told apart by shape, what models really send, and what forms without a review do."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ask_core as ask
from ask_core.dialects import NAMES, load_form
from ask_core.edge.cli import main
from ask_core.errors import InvalidPayload, UnknownDialect
from ask_core.events import Event
from ask_core.keymap import load_keymaps
from ask_core.keys import Key
from ask_core.layout import layout
from ask_core.questions import Flow, Form, Option, Question
from ask_core.reduce import reduce
from ask_core.script import InvalidAnswers, answer_form
from ask_core.settings import Behaviour, Settings
from ask_core.state import Choosing, Filtering, State, Typing, start
from ask_core.testing import facts
from ask_core.view import view
from tests.strategies import (
    all_settings,
    bounded_forms,
    bounded_payloads,
    changed,
    compact_forms,
    compact_payloads,
    json_values,
    payloads,
    walks,
)

CONTRACT: dict[str, Any] = {
    "title": "Plan",
    "questions": [
        {
            "id": "q",
            "prompt": "Which?",
            "type": "single",
            "options": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}],
        }
    ],
}
COMPACT: dict[str, Any] = {
    "questions": [
        {
            "question": "Which?",
            "header": "Choice",
            "options": [{"label": "A", "description": "a"}, {"label": "B", "description": "b"}],
        }
    ]
}
OTHER: dict[str, Any] = {"label": "Other", "value": "other", "description": "d"}
BOUNDED: dict[str, Any] = {
    "questions": [{"id": "q", "label": "Choice", "prompt": "Which?", "options": [{"label": "A"}, {"label": "B"}]}]
}
CALLS = {"contract": CONTRACT, "compact": COMPACT, "bounded": BOUNDED}

dialects = pytest.mark.parametrize("dialect", NAMES)
# Those that have neither notes nor a type key.
others = pytest.mark.parametrize("dialect", ["compact", "bounded"])


def _issues(payload: object, dialect: str) -> dict[str, str]:
    with pytest.raises(InvalidPayload) as caught:
        load_form(payload, dialect)
    if dialect != "auto":
        assert caught.value.dialect == dialect
    for _, message in caught.value.issues:
        assert message in str(caught.value)
    return dict(caught.value.issues)


def _judged_as(payload: object) -> str:
    """The dialect that `auto` reads a payload as, taken or refused."""
    try:
        return load_form(payload, "auto").dialect
    except InvalidPayload as error:
        return error.dialect


def _call(dialect: str, *changes: dict[str, Any]) -> dict[str, Any]:
    """A call of a dialect with a question for each of the changes; `...` takes a field away."""
    [question] = CALLS[dialect]["questions"]
    questions = []
    for number, change in enumerate(changes):
        changed = question | ({"id": f"q{number}"} if dialect == "contract" else {}) | change
        questions.append({name: value for name, value in changed.items() if value is not ...})
    return CALLS[dialect] | {"questions": questions}


def _after(state: State, *keys: str) -> State:
    for key in keys:
        state = reduce(state, Key(key))
    return state


# By shape


@dialects
def test_auto_finds_each_dialect_by_its_shape(dialect: str) -> None:
    """A call of each dialect is read as that dialect, to the same form."""
    assert load_form(CALLS[dialect], "auto") == load_form(CALLS[dialect], dialect)


@pytest.mark.parametrize(
    ("payload", "dialect"),
    [
        ({"title": "T", "questions": [{"prompt": "P"}]}, "contract"),
        ({"questions": [{"prompt": "P", "type": "multi"}]}, "contract"),
        ({"questions": [{"prompt": "P", "required": True}]}, "contract"),
        ({"questions": [{"prompt": "P", "options": [{"label": "A", "value": "a"}]}]}, "contract"),
        ({"questions": [{"prompt": "P", "options": [{"label": "A", "preview": "a"}]}]}, "contract"),
        ({"questions": [{"prompt": "P"}, {"prompt": "P", "options": [{"label": "A"}, {"value": "b"}]}]}, "contract"),
        ({"questions": [{"question": "Q"}]}, "compact"),
        ({"questions": [{"header": "H"}]}, "compact"),
        ({"questions": [{"text": "Q"}, {"multiSelect": False}]}, "compact"),
        ({"questions": [{"prompt": "P", "allowOther": False}]}, "bounded"),
        ({"questions": [{"prompt": "P", "options": [{"label": "A"}]}]}, "bounded"),
        ({"questions": [{"id": "a", "label": "L", "prompt": "P", "options": [{"label": "A"}]}]}, "bounded"),
        ({"questions": [{"prompt": "P"}]}, "bounded"),
    ],
)
def test_auto_goes_by_the_fields_that_only_one_dialect_has(payload: object, dialect: str) -> None:
    """One such field anywhere decides, whether the call is sound or not; without one, a prompt does."""
    assert _judged_as(payload) == dialect


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"questions": []},
        {"questions": None},
        {"questions": [{}]},
        {"questions": [{"id": "a", "label": "L"}]},
        {"questions": ["Which?"]},
        {"questions": "Which?"},
        {"hint": 1},
    ],
)
def test_auto_reads_what_nothing_tells_apart_as_the_contract(payload: object) -> None:
    """The main dialect judges what could be any of them."""
    assert _judged_as(payload) == "contract"
    assert _issues(payload, "auto") == _issues(payload, "contract")


@pytest.mark.parametrize("payload", [None, [], [COMPACT], "questions", 7, True, 1.5])
def test_auto_reads_what_is_no_object_as_the_contract(payload: object) -> None:
    """It is refused like that, and nothing else is raised."""
    assert _judged_as(payload) == "contract"
    assert [*_issues(payload, "auto")] == ["payload"]


@dialects
def test_auto_is_not_misled_by_fields_that_nobody_has(dialect: str) -> None:
    """Unknown fields on every level, of any value, decide nothing."""
    call = json.loads(json.dumps(CALLS[dialect]))
    call |= {"version": 2, "mode": "fast"}
    call["questions"][0] |= {"kind": "choice", "hint": {"value": 1, "title": "T"}, "text": "Which?"}
    call["questions"][0]["options"][0] |= {"icon": "x", "name": "A", "id": "a"}
    assert load_form(call, "auto") == load_form(CALLS[dialect], dialect)


@pytest.mark.parametrize(
    ("payload", "dialect"),
    [
        (COMPACT | {"title": "Plan"}, "compact"),
        (_call("compact", {"required": True, "type": "single"}), "compact"),
        (_call("contract", {"question": "Which?", "header": "Choice"}), "contract"),
        (_call("contract", {"multiSelect": False}), "contract"),
        (_call("bounded", {"allowOther": True}) | {"title": "Plan"}, "bounded"),
        (_call("bounded", {"allowOther": True, "header": "Choice"}), "bounded"),
    ],
)
def test_auto_takes_mixed_fields_where_one_of_their_dialects_takes_the_call(payload: object, dialect: str) -> None:
    """A field of another dialect too many is an unknown field of the one whose call it is."""
    form = load_form(payload, "auto")
    assert form == load_form(payload, dialect)
    assert form.dialect == dialect


@pytest.mark.parametrize(
    ("payload", "dialect", "paths"),
    [
        ({"questions": [{"prompt": "P", "header": "H", "type": "multi"}]}, "compact", ["questions[0].question"]),
        ({"title": "T", "questions": [{"question": "Q", "allowOther": True}]}, "compact", ["questions[0].header"]),
        (
            COMPACT | {"title": "T", "questions": [{"question": "Q", "header": "h" * 17}]},
            "compact",
            ["questions[0].header"],
        ),
        (_call("contract", {"question": "Q", "id": ...}), "contract", ["questions[0].id"]),
    ],
)
def test_auto_judges_mixed_fields_by_the_dialect_with_the_fewest_faults(
    payload: object, dialect: str, paths: list[str]
) -> None:
    """Where none of the dialects takes the call, what is to be mended is told for the one it is nearest to."""
    with pytest.raises(InvalidPayload) as caught:
        load_form(payload, "auto")
    assert caught.value.dialect == dialect
    assert [issue.path for issue in caught.value.issues] == paths


def test_auto_asks_for_the_name_where_several_dialects_take_the_call() -> None:
    """The issue names those it may be written in."""
    issues = _issues(_call("contract", {"allowOther": True}), "auto")
    assert issues == {
        "payload": "can be read in several dialects (contract, bounded). Name the one that is meant, instead of auto."
    }


@dialects
def test_an_error_says_which_dialect_it_was_judged_as(dialect: str) -> None:
    """`InvalidPayload.dialect` is the dialect that was asked for, or found."""
    broken = _call(dialect, {"prompt": 3, "question": 3} if dialect == "compact" else {"prompt": 3})
    if dialect == "bounded":
        broken["questions"][0]["allowOther"] = True
    for asked in (dialect, "auto"):
        with pytest.raises(InvalidPayload) as caught:
            load_form(broken, asked)
        assert caught.value.dialect == dialect
        assert len(caught.value.issues) == 1


@pytest.mark.parametrize("name", ["", "Compact", "AUTO", "bounded ", "contract,compact", "ask_core.wire"])
def test_an_unknown_dialect_is_an_error_that_names_those_there_are(name: str) -> None:
    """The name comes from the caller, so it is no fault of the payload; a sound payload does not help."""
    with pytest.raises(UnknownDialect) as caught:
        load_form(CONTRACT, name)
    assert all(known in str(caught.value) for known in (*NAMES, "auto"))
    with pytest.raises(UnknownDialect):
        ask.ask_user({}, name)


@dialects
def test_an_error_keeps_its_dialect_between_processes(dialect: str) -> None:
    """An error that travels through an executor says which dialect it was judged as, and the same text."""
    with pytest.raises(InvalidPayload) as caught:
        load_form({"questions": [3]}, dialect)
    copied = pickle.loads(pickle.dumps(caught.value))
    assert (copied.dialect, copied.issues, str(copied)) == (dialect, caught.value.issues, str(caught.value))


@dialects
def test_details_of_a_refused_call_have_the_shape_of_the_dialect_that_was_found(dialect: str, tmp_path: Path) -> None:
    """`auto` answers a bad call in the shape and the words of the dialect it is written in."""
    broken = _call(dialect, {"options": [3]})
    if dialect == "bounded":
        broken["questions"][0]["allowOther"] = True
    found = ask.ask_user(broken, "auto", tty=str(tmp_path / "none"))
    assert found == ask.ask_user(broken, dialect, tty=str(tmp_path / "none"))
    assert found["details"]["outcome"] == "invalid_input"


# Models send JSON as texts, too.
values_and_texts = json_values | json_values.map(json.dumps)


@given(values_and_texts, st.sampled_from((*NAMES, "auto")))
def test_no_json_value_raises_anything_but_invalid_payload(value: object, dialect: str) -> None:
    """Law: any JSON value makes a form, or an error with issues that have a path and a message, in every dialect."""
    _judge(value, dialect)


@given(
    changed(payloads() | compact_payloads() | bounded_payloads(), values_and_texts),
    st.sampled_from((*NAMES, "auto")),
)
def test_no_change_of_a_valid_payload_raises_anything_but_invalid_payload(
    payload: dict[str, Any], dialect: str
) -> None:
    """Law: the same with one place of a valid payload of any dialect replaced or left out."""
    _judge(payload, dialect)


def _judge(payload: object, dialect: str) -> None:
    refused = None
    try:
        form = load_form(payload, dialect)
    except InvalidPayload as error:
        refused = error
    if refused is not None:
        assert refused.issues
        assert all(path and message for path, message in refused.issues)
        # No text of a payload makes lines; a heading, or in bounded a line before that of a fault, is ours.
        assert 1 <= len(str(refused).splitlines()) <= 2 * len(refused.issues)
        assert refused.dialect in NAMES
        return
    assert form.questions
    assert len({question.id for question in form.questions}) == len(form.questions)
    for question in form.questions:
        assert question.id
        assert question.label
        assert question.prompt
        assert question.options or question.own_words
        assert len({option.value for option in question.options}) == len(question.options)


@given(compact_payloads() | bounded_payloads())
def test_every_valid_payload_is_accepted_and_found_by_its_shape(payload: dict[str, Any]) -> None:
    """Law: the forms that other tests play are valid ones, and `auto` reads them as what they are."""
    dialect = "compact" if "question" in payload["questions"][0] else "bounded"
    assert load_form(payload, "auto") == load_form(payload, dialect)


# Details


def _object(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [*required],
        "properties": required | optional,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


TEXT = {"type": "string", "minLength": 1}
FLAG = {"type": "boolean"}
ENDING = {"outcome": {"enum": ["submitted", "cancelled", "aborted", "timed_out"]}, "reason": TEXT}
SHAPES = {
    "compact": _object(
        {
            "questions": _list(_object({"question": TEXT, "header": TEXT})),
            "answers": _list(_object({"header": TEXT, "selected": _list(TEXT)}, text=TEXT)),
            "cancelled": FLAG,
        },
        **ENDING,
    ),
    "bounded": _object(
        {
            "questions": _list({"type": "object", "required": ["id", "label", "prompt"]}),
            "answers": _list(
                {
                    "oneOf": [
                        _object({"id": TEXT, "label": TEXT, "wasCustom": {"const": True}}),
                        _object(
                            {
                                "id": TEXT,
                                "label": TEXT,
                                "wasCustom": {"const": False},
                                "index": {"type": "integer", "minimum": 1, "maximum": 10},
                            }
                        ),
                    ]
                }
            ),
            "cancelled": FLAG,
            "warnings": _list(TEXT),
        },
        **ENDING,
    ),
}


@given(compact_forms | bounded_forms, all_settings, walks)
def test_details_have_the_shape_of_their_dialect_at_any_moment(
    form: Form, settings: Settings, happened: list[Event]
) -> None:
    """Law: whatever happens, the details are JSON of that shape, say what was given, and the text is never empty."""
    state = start(form, settings)
    for event in happened:
        state = reduce(state, event)
    result = ask.result_of(state)
    made = ask.details(result)
    jsonschema.Draft202012Validator(SHAPES[form.dialect]).validate(made)
    assert json.loads(json.dumps(made)) == made
    assert made.get("outcome") == state.outcome
    assert made["cancelled"] == (state.outcome not in (None, "submitted"))
    assert len(made["questions"]) == len(form.questions)
    answered = [
        (question, answer) for question, answer in zip(form.questions, state.answers, strict=True) if answer.answered
    ]
    if form.dialect == "bounded" and made["cancelled"]:
        assert made["answers"] == []
    for (question, answer), told in zip(answered, made["answers"], strict=not made["cancelled"]):
        chosen = [question.options[option].label for option in answer.selected]
        own = answer.custom if answer.custom_selected else None
        if form.dialect == "compact":
            assert (told["header"], told["selected"], told.get("text")) == (question.label, chosen, own)
        else:
            assert (told["id"], told["wasCustom"]) == (question.id, own is not None)
            assert [told["label"]] == (chosen if own is None else [own])
            assert own is not None or answer.selected == (told["index"] - 1,)
    assert ask.content(result)


# What models really send: refused


@dialects
@pytest.mark.parametrize("space", ["", " \n"])
def test_questions_as_json_text(dialect: str, space: str) -> None:
    """A sound list that was written as a text is one issue, which says that the list itself is wanted."""
    text = space + json.dumps(CALLS[dialect]["questions"])
    [(path, message)] = _issues({"questions": text}, dialect).items()
    assert path == "questions"
    assert "got a string" in message
    assert "array itself" in message


@dialects
def test_faults_in_questions_as_json_text_are_told_as_well(dialect: str) -> None:
    """What is wrong inside the text comes at once, with the path it has in the list itself."""
    text = json.dumps(_call(dialect, {}, {"prompt": 3, "question": 3})["questions"])
    wrong = "question" if dialect == "compact" else "prompt"
    assert [*_issues({"questions": text}, dialect)] == ["questions", f"questions[1].{wrong}"]


@dialects
@pytest.mark.parametrize(
    "text", ["Which?", "", "[", '[{"question": "Which?"', '{"prompt": "P"}', "[" * 5000, "[]", "null"]
)
def test_questions_as_a_text_that_holds_none(dialect: str, text: str) -> None:
    """A text that was cut off, or holds no list, is one issue that says what came."""
    [(path, message)] = _issues({"questions": text}, dialect).items()
    assert path == "questions"
    assert "got a string" in message


@dialects
def test_options_and_questions_as_json_texts(dialect: str) -> None:
    """The same for the options of a question, and for a question."""
    options = json.dumps(CALLS[dialect]["questions"][0]["options"])
    [(path, message)] = _issues(_call(dialect, {"options": options}), dialect).items()
    assert path == "questions[0].options"
    assert "array itself" in message
    [(path, message)] = _issues({"questions": [json.dumps(CALLS[dialect]["questions"][0])]}, dialect).items()
    assert path == "questions[0]"
    assert "object itself" in message


@dialects
def test_the_whole_call_as_json_text(dialect: str) -> None:
    """A call that arrives as a text is no object, whatever is in it."""
    [(path, message)] = _issues(json.dumps(CALLS[dialect]), dialect).items()
    assert path == "payload"
    assert "got a string" in message


@dialects
def test_options_as_bare_strings(dialect: str) -> None:
    """Each is an issue of its own that shows the object to write for it."""
    issues = _issues(_call(dialect, {"options": ["Yes", "No, never"]}), dialect)
    assert [*issues] == ["questions[0].options[0]", "questions[0].options[1]"]
    for text, message in zip(("Yes", "No, never"), issues.values(), strict=True):
        assert "got a string" in message
        assert f'"label": "{text}"' in message


@dialects
@pytest.mark.parametrize("text", ['say "no"', "back\\slash", "two\nlines", "\x1b[31m", "\u202e", "x" * 500], ids=ascii)
def test_a_bare_string_is_shown_only_where_it_can_stand_in_json_as_it_is(dialect: str, text: str) -> None:
    """No text of a payload breaks a line or the example, and a long one is not repeated (R10)."""
    [first, second] = _issues(_call(dialect, {"options": [text, text]}), dialect).values()
    assert first == second
    assert len(first) < 250
    assert first.isprintable()
    assert '"label": "' in first


@dialects
@pytest.mark.parametrize("name", ["text", "name"])
def test_options_with_another_name_for_their_label(dialect: str, name: str) -> None:
    """The field that was sent is named, and the one that it has to be called."""
    issues = _issues(_call(dialect, {"options": [{name: "A"}, {name: "B"}]}), dialect)
    for place in ("questions[0].options[0]", "questions[0].options[1]"):
        assert f'"{name}"' in issues[f"{place}.label"]
        assert '"label"' in issues[f"{place}.label"]
    missing = {"contract": "value", "compact": "description"}.get(dialect)
    wanted = ["label"] if missing is None else ["label", missing]
    assert sorted(issues) == sorted(f"questions[0].options[{index}].{field}" for index in (0, 1) for field in wanted)


def test_options_with_nothing_but_a_label() -> None:
    """That is all that bounded needs; the others say what is missing, for each option."""
    options = {"options": [{"label": "A"}, {"label": "B"}]}
    assert len(load_form(_call("bounded", options), "bounded").questions[0].options) == 2
    for dialect, field in (("contract", "value"), ("compact", "description")):
        assert [*_issues(_call(dialect, options), dialect)] == [
            f"questions[0].options[0].{field}",
            f"questions[0].options[1].{field}",
        ]


@pytest.mark.parametrize(
    ("dialect", "missing"),
    [("contract", ["id", "prompt", "options"]), ("compact", ["question", "header"]), ("bounded", ["prompt"])],
)
def test_fields_that_are_missing_from_the_second_question_on(dialect: str, missing: list[str]) -> None:
    """Every missing field of every question is told at once."""
    gone = {"id": ..., "prompt": ..., "question": ..., "header": ..., "options": ...}
    issues = _issues(_call(dialect, {}, gone, gone), dialect)
    assert [*issues] == [f"questions[{index}].{field}" for index in (1, 2) for field in missing]
    assert all(message.startswith("is missing") for message in issues.values())


@pytest.mark.parametrize(
    ("dialect", "right", "name"),
    [
        ("contract", "prompt", "question"),
        ("contract", "prompt", "text"),
        ("compact", "question", "prompt"),
        ("compact", "question", "text"),
        ("bounded", "prompt", "question"),
        ("bounded", "prompt", "text"),
    ],
)
def test_another_name_for_the_text_of_a_question(dialect: str, right: str, name: str) -> None:
    """The field that was sent is named, and the one that it has to be called."""
    [(path, message)] = _issues(_call(dialect, {right: ..., name: "Which?"}), dialect).items()
    assert path == f"questions[0].{right}"
    assert f'"{name}"' in message
    assert f'"{right}"' in message


@dialects
@pytest.mark.parametrize(
    "payload",
    [
        COMPACT["questions"][0],
        BOUNDED["questions"][0],
        CONTRACT["questions"][0],
        {"question": "Which?", "options": ["A", "B"]},
        {"prompt": "Which?"},
    ],
)
def test_one_question_in_place_of_the_list(dialect: str, payload: object) -> None:
    """The old shape, a question's fields at the top, is refused and the issue says where they belong."""
    [(path, message)] = _issues(payload, dialect).items()
    assert path == "questions"
    assert "looks like one question" in message
    assert '"questions"' in message


def test_the_old_shape_is_explained_by_auto_too() -> None:
    """Fields at the top say enough to explain, if not to tell the dialect."""
    assert "looks like one question" in _issues(COMPACT["questions"][0], "auto")["questions"]


@pytest.mark.parametrize("length", [17, 60])
def test_over_long_headers_name_the_limit_and_the_length(length: int) -> None:
    """Each header too many is told, with what is allowed and what came."""
    issues = _issues(_call("compact", {"header": "h" * length}, {}, {"header": "日" * length}), "compact")
    assert [*issues] == ["questions[0].header", "questions[2].header"]
    for message in issues.values():
        assert "16" in message
        assert str(length) in message


@pytest.mark.parametrize(("dialect", "least"), [("contract", "at least one option"), ("compact", "2 to 4 options")])
def test_empty_options_where_options_are_needed(dialect: str, least: str) -> None:
    """An empty list is refused with how many are needed."""
    [(path, message)] = _issues(_call(dialect, {"options": []}), dialect).items()
    assert path == "questions[0].options"
    assert least in message


@dialects
def test_all_the_usual_faults_of_a_call_are_told_at_once(dialect: str) -> None:
    """Bare strings, missing fields, wrong types and things that are no question come in one error."""
    gone = {"prompt": ..., "question": ..., "options": "A or B"}
    call = _call(dialect, {"options": ["A", "B"]}, gone)
    call["questions"] += ["And then?", None]
    text = "question" if dialect == "compact" else "prompt"
    assert [*_issues(call, dialect)] == [
        "questions[0].options[0]",
        "questions[0].options[1]",
        f"questions[1].{text}",
        "questions[1].options",
        "questions[2]",
        "questions[3]",
    ]


# What models really send: taken


@dialects
def test_equal_question_texts_under_different_names(dialect: str) -> None:
    """The same text may be asked twice; each question has an answer of its own."""
    call = _call(dialect, {"header": "One"}, {"header": "Two"})
    form = load_form(call, dialect)
    assert form.questions[0].prompt == form.questions[1].prompt == "Which?"
    assert form.questions[0].id != form.questions[1].id


@dialects
def test_equal_labels_with_different_values(dialect: str) -> None:
    """Both options are there and can be chosen, whatever their labels say."""
    twins = [{"label": "Same", "description": "d", "value": value} for value in ("a", "b")]
    form = load_form(_call(dialect, {"options": twins}), dialect)
    assert [option.label for option in form.questions[0].options] == ["Same", "Same"]
    assert len({option.value for option in form.questions[0].options}) == 2
    for digit in ("1", "2"):
        assert _after(start(form), digit).answers[0].selected == (int(digit) - 1,)


@dialects
def test_unknown_extra_fields_do_no_harm(dialect: str) -> None:
    """Fields that a dialect does not have are passed over on every level, whatever they hold."""
    call = json.loads(json.dumps(CALLS[dialect]))
    call |= {"reason": None, "context": ["x"]}
    call["questions"][0] |= {"placeholder": 1, "default": {"label": "A"}, "freeform": True}
    call["questions"][0]["options"][1] |= {"recommended": True, "hint": None}
    assert load_form(call, dialect) == load_form(CALLS[dialect], dialect)


@dialects
def test_a_literal_backslash_n_is_shown_as_it_is(dialect: str) -> None:
    """Two characters stay two characters: nothing is unescaped, on the screen or in the result."""
    text = "one\\ntwo"
    option = {"label": text, "value": text, "description": text}
    more = {"header": text} if dialect == "compact" else {"label": text}
    call = _call(dialect, {"prompt": text, "question": text, "options": [option, OTHER]} | more)
    form = load_form(call, dialect)
    assert (form.questions[0].prompt, form.questions[0].options[0].label) == (text, text)
    shown = layout(view(start(form)), 80, 24).text()
    assert shown.count(text) >= 3
    ended = _after(start(form), "1", "enter")
    assert text in ask.content(ask.result_of(ended))


@pytest.mark.parametrize(
    ("dialect", "of_question", "of_option"),
    [
        ("contract", ("label", "type", "required"), ("description", "preview")),
        ("compact", ("multiSelect",), ()),
        ("bounded", ("id", "label", "allowOther"), ("description",)),
    ],
)
def test_null_for_optional_fields(dialect: str, of_question: Iterable[str], of_option: Iterable[str]) -> None:
    """All of them at once are as good as left out (R10)."""
    without = {name: text for name, text in OTHER.items() if name not in of_option}
    nulls = without | dict.fromkeys(of_option)
    more = [OTHER | {"value": "more"}]
    left_out = _call(dialect, {"options": [without, *more]} | dict.fromkeys(of_question, ...))
    assert load_form(_call(dialect, {"options": [nulls, *more]} | dict.fromkeys(of_question)), dialect) == load_form(
        left_out, dialect
    )


@others
def test_null_for_options_makes_a_question_for_own_words(dialect: str) -> None:
    """Where options may be left out, null leaves them out."""
    form = load_form(_call(dialect, {"options": None}), dialect)
    assert form == load_form(_call(dialect, {"options": ...}), dialect)
    assert form.questions[0].freeform


# The person's settings and the keys of the contract


@others
@pytest.mark.parametrize("key", ["t", "n", "N"])
@pytest.mark.parametrize("before", [(), ("down",), ("space",), ("space", "down")], ids=repr)
def test_the_type_key_and_the_note_keys_have_no_effect(dialect: str, key: str, before: tuple[str, ...]) -> None:
    """The same state comes back, wherever the highlight is and whatever is chosen."""
    for count in (1, 2):
        questions: list[dict[str, Any]] = [{}] * count
        state = _after(start(load_form(_call(dialect, *questions), dialect)), *before)
        assert _after(state, key) is state


def test_the_type_key_has_no_effect_on_several_answers() -> None:
    """A compact question that takes several answers keeps them."""
    state = _after(start(load_form(_call("compact", {"multiSelect": True}), "compact")), "1", "2")
    assert _after(state, "t") is state
    assert state.answers[0].selected == (0, 1)


@others
def test_the_setting_to_present_single_as_multi_has_no_effect(dialect: str) -> None:
    """A question that takes one answer takes one answer, whatever the person has set."""
    settings = Settings(Behaviour(present_single_as_multi=True))
    form = load_form(_call(dialect, {}, {}), dialect)
    state = start(form, settings)
    assert state.types == ("single", "single")
    assert state.answers == start(form).answers
    assert _after(state, "space", "down", "space").answers[0].selected == (1,)
    assert _after(state, "1").tab == 1


@others
def test_the_other_settings_have_their_effect(dialect: str) -> None:
    """Submitting by itself, the warning and the second press of a digit are the person's in every dialect."""
    form = load_form(_call(dialect, {}, {}), dialect)
    by_itself = start(form, Settings(Behaviour(auto_submit_when_answered_without_notes=True)))
    assert _after(by_itself, "1", "1").outcome == "submitted"
    assert not _after(start(form), "1", "1").finished
    unwarned = start(form, Settings(Behaviour(confirm_dismiss_when_dirty=False)))
    assert _after(unwarned, "space", "esc").outcome == "cancelled"
    assert not _after(start(form), "space", "esc").finished
    once = start(form, Settings(Behaviour(double_press_review_shortcuts=False)))
    assert _after(once, "1", "1", "1").outcome == "submitted"
    assert not _after(start(form), "1", "1", "1").finished


# Forms without a review


def _one(settings: Settings | None = None, **changes: Any) -> State:
    return start(load_form(_call("bounded", changes), "bounded"), settings)


def _ten(settings: Settings | None = None, **changes: Any) -> State:
    return _one(settings, options=[{"label": f"Option {index}"} for index in range(10)], **changes)


# Words that are kept and not sent.
KEPT = ("3", *"mine", "esc")


@pytest.mark.parametrize("key", ["tab", "shift+tab", "left", "right"])
@pytest.mark.parametrize("before", [(), ("down",), ("space",), ("space", "down", "esc")], ids=repr)
def test_without_a_review_tab_keys_do_nothing(key: str, before: tuple[str, ...]) -> None:
    """There is no other tab: the same state comes back, and a warning stays."""
    state = _after(_one(), *before)
    assert _after(state, key) is state


# Words that are kept and not sent.
KEPT = ("3", *"mine", "esc")


@pytest.mark.parametrize("key", ["tab", "shift+tab", "left", "right"])
def test_without_a_review_tab_keys_lead_out_of_no_editor(key: str) -> None:
    """An empty editor stays open, and no key for tabs sends or loses anything."""
    for state in (_one(options=...), _after(_one(), "3")):
        assert isinstance(state.mode, Typing)
        after = _after(state, key)
        assert isinstance(after.mode, Typing)
        assert (after.outcome, after.answers) == (None, state.answers)


@pytest.mark.parametrize("behaviour", [Behaviour(), Behaviour(auto_submit_when_answered_without_notes=True)])
def test_without_a_review_a_click_ticks_and_stays(behaviour: Behaviour) -> None:
    """A click takes no flow further, also of a person whose forms submit by themselves; Enter sends what it ticked."""
    state = reduce(_one(Settings(behaviour)), ask.Click(8, 6))
    assert state.outcome is None
    assert (state.mode, state.answers[0].selected) == (Choosing(1), (1,))
    sent = _after(state, "enter")
    assert (sent.outcome, sent.answers[0].selected) == ("submitted", (1,))
    assert _after(state, "space").answers[0].selected == ()


@pytest.mark.parametrize(
    ("keys", "selected"),
    [
        (("enter",), (0,)),
        (("down", "enter"), (1,)),
        (("2",), (1,)),
        (("down", "space"), (1,)),
        (("/", "7", "enter"), (6,)),
        (("/", *"option", "down", "enter"), (1,)),
        (("/", *"zzz", *["backspace"] * 3, "enter"), (0,)),
        (("end", "up", "enter"), (9,)),
    ],
)
def test_without_a_review_choosing_submits(keys: tuple[str, ...], selected: tuple[int, ...]) -> None:
    """Enter, Space, a digit and Enter in the filter choose and send; the key before the last does not yet."""
    assert not _after(_ten(), *keys[:-1]).finished
    state = _after(_ten(), *keys)
    assert (state.outcome, state.answers[0].selected) == ("submitted", selected)


def test_without_a_review_own_words_submit() -> None:
    """Enter after the words sends them trimmed; Esc keeps them unsent, and Enter twice then sends them."""
    sent = _after(_one(), "3", *" mine ", "enter")
    assert (sent.outcome, sent.answers[0].custom) == ("submitted", "mine")
    kept = _after(_one(), "3", *"mine", "esc")
    assert (kept.outcome, kept.answers[0].custom) == (None, "mine")
    assert _after(kept, "enter", "enter").outcome == "submitted"
    through_filter = _after(_ten(), "/", *"zzz", "enter", *"mine", "enter")
    assert (through_filter.outcome, through_filter.answers[0].custom) == ("submitted", "mine")


@pytest.mark.parametrize("keys", [("3", "enter"), ("3", *"   ", "enter"), ("3", "x", "backspace", "enter")])
def test_without_a_review_blank_words_send_nothing(keys: tuple[str, ...]) -> None:
    """Nothing is sent where nothing is chosen and nothing written; the editor stays open."""
    state = _after(_one(), *keys)
    assert (state.outcome, state.answers[0].answered) == (None, False)
    assert isinstance(state.mode, Typing)


@pytest.mark.parametrize("ending", [("esc", "esc"), ("ctrl+c", "ctrl+c")])
def test_without_a_review_leaving_warns_where_something_is_kept(ending: tuple[str, ...]) -> None:
    """Words are something to lose: the first press warns, the second leaves."""
    warned = _after(_one(), *KEPT, ending[0])
    assert facts(warned)["warned"]
    assert not warned.finished
    assert _after(warned, ending[1]).outcome == "cancelled"


@pytest.mark.parametrize(
    ("more", "lost"), [(("enter", *["backspace"] * 4, "up"), False), (("enter", "x"), True), (("ctrl+_",), False)]
)
def test_without_a_review_the_warning_goes_when_something_changes(more: tuple[str, ...], lost: bool) -> None:
    """No change of tab can take it back, so what is given or written does; leaving has to warn anew."""
    warned = _after(_one(), *KEPT, "esc")
    after = _after(warned, *more)
    assert not facts(after)["warned"]
    assert facts(_after(warned, "up"))["warned"]
    assert facts(_after(warned, "enter"))["warned"]
    assert facts(_after(warned, "enter", "esc"))["warned"]
    left = after
    while not facts(left)["warned"] and not left.finished:
        left = _after(left, "esc")
    # With the words taken back there is nothing to lose any more.
    assert left.finished != lost


ROWS_KEYS = (
    *("enter", "space", "up", "down", "left", "right", "home", "end", "pageUp", "pageDown", "backspace", "delete"),
    *("tab", "shift+tab", "shift+up", "shift+down", "ctrl+u", "ctrl+w", "ctrl+_", "?", "/", "t", "n", "N", "x"),
    *"0123456789",
)


@pytest.mark.parametrize("key", ROWS_KEYS)
def test_a_filter_that_matches_nothing_takes_every_key(key: str) -> None:
    """Without a row for own words a filter may leave no row at all; nothing can be chosen or sent then."""
    empty = _after(_ten(allowOther=False), "down", "/", *"zzz")
    assert isinstance(empty.mode, Filtering)
    assert empty.mode.rows == ()
    assert "Nothing matches" in layout(view(empty), 80, 24).text()
    state = empty
    for _ in range(3):
        state = _after(state, key)
        assert state.outcome is None
        assert not state.answers[0].answered
        for size in ((80, 24), (20, 6), (32, 9)):
            frame = layout(view(state), *size)
            assert len(frame.lines) <= size[1]


def test_a_filter_that_matches_nothing_takes_a_key_for_ticking() -> None:
    """Where the person's key for that types nothing, it finds nothing to tick."""
    loaded = load_keymaps({"toggle": "f2"})
    assert not loaded.problems
    empty = _after(_ten(Settings(keymaps=loaded.keymaps), allowOther=False), "/", *"zzz")
    assert _after(empty, "f2") is empty
    assert _after(empty, *["backspace"] * 3, "f2").answers[0].selected == (0,)


def test_the_filter_that_matched_nothing_gives_the_list_back() -> None:
    """Esc closes it on the row that was highlighted, Backspace brings the rows back, and the answer can be given."""
    empty = _after(_ten(allowOther=False), "down", "down", "/", *"zzz")
    assert _after(empty, "esc").mode == Choosing(2)
    again = _after(empty, *["backspace"] * 3)
    assert isinstance(again.mode, Filtering)
    assert again.mode.rows == tuple(range(10))
    assert again.mode.highlighted == 2
    assert _after(again, "enter").answers[0].selected == (2,)
    assert _after(again, "enter").outcome == "submitted"
    assert _after(empty, "esc", "esc").outcome == "cancelled"


def test_a_filter_without_own_words_still_chooses() -> None:
    """Where rows match, Enter sends the highlighted one, and a digit ticks one and stays."""
    state = _after(_ten(allowOther=False), "/", *"option")
    assert isinstance(state.mode, Filtering)
    assert state.mode.rows == tuple(range(10))
    assert _after(state, "end", "down", "enter").answers[0].selected == (9,)
    ticked = _after(state, "3")
    assert (ticked.outcome, ticked.answers[0].selected) == (None, (2,))
    assert isinstance(ticked.mode, Filtering)


# Answers that are given beforehand


def _given(dialect: str, payload: object, answers: object) -> dict[str, Any]:
    state = answer_form(load_form(payload, dialect), answers)
    return ask.details(ask.result_of(state))


def _faults(dialect: str, payload: object, answers: object) -> dict[str, str]:
    with pytest.raises(InvalidAnswers) as caught:
        answer_form(load_form(payload, dialect), answers)
    return dict(caught.value.issues)


def test_answers_to_a_compact_form_go_by_header_and_label() -> None:
    """A question's id is its header, an option's value its label."""
    payload = _call("compact", {"header": "One"}, {"header": "Many", "multiSelect": True}, {"header": "Words"})
    answers = {"Words": {"customText": "my own"}, "Many": ["B", "A"], "One": "B"}
    made = _given("compact", payload, answers)
    assert made["outcome"] == "submitted"
    assert made["answers"] == [
        {"header": "One", "selected": ["B"]},
        {"header": "Many", "selected": ["A", "B"]},
        {"header": "Words", "selected": [], "text": "my own"},
    ]


def test_answers_to_a_bounded_form_go_by_id_and_label() -> None:
    """A question's id is the one it was given or that of its position, an option's value its label."""
    payload = _call("bounded", {"id": "one"}, {"id": ...}, {"id": "words", "options": ...})
    made = _given("bounded", payload, {"words": {"customText": "my own"}, "q2": ["A"], "one": "B"})
    assert made["outcome"] == "submitted"
    assert made["answers"] == [
        {"id": "one", "label": "B", "wasCustom": False, "index": 2},
        {"id": "q2", "label": "A", "wasCustom": False, "index": 1},
        {"id": "words", "label": "my own", "wasCustom": True},
    ]


@others
def test_repeated_labels_and_headers_are_numbered_in_answers(dialect: str) -> None:
    """The second option of a label is `A-2`, and the number never takes a label that is there."""
    labels = ["A", "A", "A-2", "A"]
    options = [{"label": label, "description": "d"} for label in labels]
    form = load_form(_call(dialect, {"options": options}), dialect)
    values = [option.value for option in form.questions[0].options]
    assert values[0] == "A"
    assert values[2] == "A-2"
    assert len({*values}) == 4
    plain = load_form(_call(dialect, {"options": [{"label": "A", "description": "d"}] * 3}), dialect)
    assert [option.value for option in plain.questions[0].options] == ["A", "A-2", "A-3"]
    state = answer_form(plain, {plain.questions[0].id: "A-2"})
    assert state.answers[0].selected == (1,)
    twins = load_form(_call("compact", {}, {}), "compact")
    assert [question.id for question in twins.questions] == ["Choice", "Choice-2"]


def test_answers_to_one_bounded_question_send_it() -> None:
    """By a label and by own words, as a person's choice would."""
    for answer, label in (("B", "B"), ({"customText": "mine"}, "mine")):
        made = _given("bounded", BOUNDED, {"q": answer})
        assert (made["outcome"], made["answers"][0]["label"]) == ("submitted", label)
    ten = _call("bounded", {"options": [{"label": f"L{index}"} for index in range(10)]})
    assert _given("bounded", ten, {"q": "L9"})["answers"][0]["index"] == 10


@pytest.mark.parametrize("answers", [{}, {"q": None}, {"answers": {}}, {"mode": "submit", "answers": {"q": None}}])
def test_a_missing_answer_to_one_question_is_a_fault(answers: object) -> None:
    """Nothing else sends that form, so it is said that the answer is missing."""
    [(path, message)] = _faults("bounded", BOUNDED, answers).items()
    assert path == "answers"
    assert "missing" in message


@others
@pytest.mark.parametrize("answer", [None, "A", {"customText": "mine"}], ids=repr)
def test_answers_with_mode_cancel_cancel(dialect: str, answer: object) -> None:
    """With an answer or without, a form of one question or of two ends as cancelled."""
    for more in ([], [{"id": "other", "header": "Other"}]):
        payload = _call(dialect, {"header": "Choice"}, *more)
        id = "Choice" if dialect == "compact" else "q"
        made = _given(dialect, payload, {"mode": "cancel", "answers": {id: answer}})
        assert (made["outcome"], made["cancelled"]) == ("cancelled", True)


@others
@pytest.mark.parametrize("mode", ["elaborate", "send", 3])
def test_a_mode_that_a_form_does_not_have_is_a_fault(dialect: str, mode: object) -> None:
    """There is nothing to elaborate here; the modes that there are are named."""
    [(path, message)] = _faults(dialect, CALLS[dialect], {"mode": mode, "answers": {}}).items()
    assert path == "mode"
    assert "submit" in message
    assert "cancel" in message
    assert "elaborate" not in message


def test_own_words_where_there_is_no_row_for_them_are_a_fault() -> None:
    """They are refused with their place, and the labels that can be chosen are named."""
    payload = _call("bounded", {"allowOther": False}, {"id": "other"})
    issues = _faults("bounded", payload, {"q": {"customText": "mine"}, "other": {"customText": "mine"}})
    assert [*issues] == ["answers.q.customText"]
    assert "no own words" in issues["answers.q.customText"]
    assert '"A", "B"' in issues["answers.q.customText"]


@others
def test_notes_are_a_fault(dialect: str) -> None:
    """A form that takes no notes takes none from a file."""
    id = "Choice" if dialect == "compact" else "q"
    for note in ({"note": "why"}, {"optionNotes": {"A": "why"}}):
        assert [*_faults(dialect, CALLS[dialect], {id: {"values": ["A"], **note}})] == [f"answers.{id}"]


@others
def test_values_and_questions_that_are_not_there_are_named(dialect: str) -> None:
    """Every fault has its path, all at once, and the values that there are."""
    id = "Choice" if dialect == "compact" else "q"
    issues = _faults(dialect, CALLS[dialect], {id: ["C"], "nothing": "A"})
    assert {*issues} == {f"answers.{id}.values[0]", "answers.nothing"}
    assert '"A", "B"' in issues[f"answers.{id}.values[0]"]
    assert f'"{id}"' in issues["answers.nothing"]


@others
def test_the_command_answers_a_form_of_any_dialect(
    dialect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`ask run --dialect NAME --answers FILE` prints the details in the dialect's shape and exits as it ended."""
    monkeypatch.setenv("ASK_TTY", "/dev/null")
    form, answers = tmp_path / "form.json", tmp_path / "answers.json"
    form.write_text(json.dumps(CALLS[dialect]))
    id = "Choice" if dialect == "compact" else "q"
    for answer, code, outcome in (
        ({id: "B"}, 0, "submitted"),
        ({"mode": "cancel", "answers": {}}, 130, "cancelled"),
        ({id: "C"}, 2, "invalid_input"),
    ):
        answers.write_text(json.dumps(answer))
        assert main(["run", str(form), "--dialect", dialect, "--answers", str(answers)]) == code
        made = json.loads(capsys.readouterr().out)
        assert made["outcome"] == outcome
        expected = {"compact": {"header": "Choice", "selected": ["B"]}, "bounded": _chosen("q", "B", 2)}[dialect]
        assert made["answers"] == ([expected] if outcome == "submitted" else [])


def _chosen(id: str, label: str, index: int) -> dict[str, Any]:
    return {"id": id, "label": label, "wasCustom": False, "index": index}


@dialects
def test_every_form_knows_its_dialect(dialect: str) -> None:
    """The form carries the name of the dialect that its result is given in."""
    assert load_form(CALLS[dialect], dialect).dialect == dialect


QUESTION = {"question": "Which?", "header": "h" * 17}


@pytest.mark.parametrize(
    "payload",
    [
        {"title": None, "questions": [QUESTION]},
        {"questions": [QUESTION | {"type": None, "required": None}]},
        {"questions": json.dumps([QUESTION])},
        {"questions": [json.dumps(QUESTION)]},
        json.dumps({"questions": [QUESTION]}),
        QUESTION,
    ],
)
def test_auto_goes_by_fields_wherever_they_are(payload: object) -> None:
    """Null is left out (R10); fields in a text of JSON or at the top are fields all the same."""
    with pytest.raises(InvalidPayload) as caught:
        load_form(payload, "auto")
    assert caught.value.dialect == "compact"


@pytest.mark.parametrize("payload", [{"prompt": "Which?", "options": []}, {"prompt": "Which?", "allowOther": True}])
def test_auto_shows_the_shape_of_the_dialect_of_fields_at_the_top(payload: object) -> None:
    """What to write instead is what that dialect takes."""
    with pytest.raises(InvalidPayload, match=r'\{"questions": \[\{"prompt"') as caught:
        load_form(payload, "auto")
    assert caught.value.dialect == "bounded"


@pytest.mark.parametrize(
    ("payload", "dialect", "message"),
    [
        ({"questions": "[]"}, "compact", "not a text of it. It must hold 1 to 4 questions, got none."),
        ({"questions": "[]"}, "contract", "not a text of it. It must hold at least one question."),
        (
            {"questions": json.dumps([{"question": "Q", "header": "H"}] * 5)},
            "compact",
            "not a text of it. It must hold 1 to 4 questions, got 5.",
        ),
        ([{"prompt": "P"}], "bounded", 'Write {"questions": [...]} around it.'),
        ({"questions": {"question": "P", "header": "H"}}, "compact", "Put it into an array."),
        ({"questions": [], "question": "P", "header": "H"}, "compact", "What you sent looks like one question."),
    ],
)
def test_lists_in_the_wrong_form_are_explained_at_once(payload: object, dialect: str, message: str) -> None:
    """One issue says both what form the list has to have and how much has to be in it."""
    with pytest.raises(InvalidPayload) as caught:
        load_form(payload, dialect)
    (issue,) = caught.value.issues
    assert message in issue.message


def test_bounded_says_that_there_are_no_questions_once() -> None:
    """However much is wrong with the call around them."""
    with pytest.raises(InvalidPayload) as caught:
        load_form('{"questions": false}', "bounded")
    assert str(caught.value).count("Error: No questions provided") == 1
    assert len(caught.value.issues) == 2


# No dialect has such forms, but what a flow is like is data (design, "Public names").
LONGER = Form(
    "bounded",
    (
        Question("one", "One", "First?", "single", (Option("a", "A"), Option("b", "B"))),
        Question("more", "More", "Which ones?", "multi", (Option("a", "A"), Option("b", "B"))),
    ),
    flow=Flow(review=None),
)


def test_a_form_without_a_review_may_have_several_questions() -> None:
    """Only the last answer sends it, and nothing is sent while that is missing."""
    state = start(LONGER)
    assert "Review" not in layout(view(state), 80, 24).text()
    second = _after(state, "2")
    assert (second.tab, second.outcome) == (1, None)
    assert _after(second, "enter") == second
    assert _after(second, "tab").tab == 0
    ticked = _after(second, "space", "down", "space")
    assert ticked.outcome is None
    sent = _after(ticked, "enter")
    assert (sent.outcome, [answer.selected for answer in sent.answers]) == ("submitted", [(1,), (0, 1)])
