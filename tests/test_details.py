"""What a result says: its JSON shape at any moment, and its text for the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given

from ask_core.dialects import content, details, load_form
from ask_core.errors import Issue
from ask_core.events import Abort, Event, TimedOut
from ask_core.questions import Form
from ask_core.reduce import reduce
from ask_core.result import result_of, unasked
from ask_core.settings import Behaviour, Settings
from ask_core.state import State, start
from ask_core.testing import play
from tests.strategies import all_settings, contract_forms, walks

SCHEMA = json.loads(Path(__file__).with_name("data").joinpath("details.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

PAYLOAD = {
    "title": "Plan",
    "questions": [
        {
            "id": "db",
            "label": "Database",
            "prompt": "Which database?",
            "options": [
                {"value": "pg", "label": "Postgres", "description": "A server"},
                {"value": "lite", "label": "SQLite"},
            ],
        },
        {
            "id": "os",
            "label": "Systems",
            "prompt": "Which systems?",
            "type": "multi",
            "required": True,
            "options": [
                {"value": "l", "label": "Linux"},
                {"value": "m", "label": "macOS"},
                {"value": "w", "label": "Windows"},
            ],
        },
        {
            "id": "look",
            "prompt": "Which look?",
            "type": "preview",
            "options": [
                {"value": "a", "label": "Flat", "preview": "____"},
                {"value": "b", "label": "Round", "preview": "(  )"},
            ],
        },
    ],
}
SUBMIT = ("1", "1")
ELABORATE = ("2", "2")
CANCEL = ("3", "3")


def _end(*keys: str, settings: Settings | None = None) -> State:
    played = play(PAYLOAD, keys, settings=settings)
    assert played.state.finished
    return played.state


def _text(*keys: str) -> list[str]:
    return content(result_of(_end(*keys))).split("\n")


def _details(state: State) -> dict[str, Any]:
    made = details(result_of(state))
    VALIDATOR.validate(made)
    return made


def test_the_schema_is_one() -> None:
    """The schema itself is sound."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "changes",
    [
        {"extra": 1},
        {"title": None},
        {"cancelled": True},
        {"outcome": "cancelled"},
        {"outcome": "done"},
        {"mode": "elaborate"},
        {"error": {"kind": "invalid_input", "issues": [{"path": "p", "message": "m"}]}},
        {"answers": {"db": {"values": [], "labels": []}}},
        {"answers": {"db": {"values": [], "labels": [], "indices": [0]}}},
        {"questions": [{"id": "q", "label": "L", "prompt": "P", "type": "single", "options": []}]},
    ],
)
def test_the_schema_refuses_other_shapes(changes: dict[str, Any]) -> None:
    """The schema is tight enough to mean something."""
    made = _details(_end("shift+tab", *SUBMIT))
    assert not VALIDATOR.is_valid(made | changes)


@given(contract_forms, all_settings, walks)
def test_details_match_the_schema_at_any_moment(form: Form, settings: Settings, happened: list[Event]) -> None:
    """Whatever happens on a valid form, the details are JSON of the contract's shape, open or ended."""
    state = start(form, settings)
    for event in happened:
        state = reduce(state, event)
    made = details(result_of(state))
    VALIDATOR.validate(made)
    assert json.loads(json.dumps(made)) == made
    _check_what_no_schema_says(state, made)
    assert content(result_of(state))


def _check_what_no_schema_says(state: State, made: dict[str, Any]) -> None:
    ids = [question.id for question in state.form.questions]
    assert [question["id"] for question in made["questions"]] == ids
    assert made.get("outcome") == state.outcome
    assert made.get("reason") == state.reason
    assert set(made["answers"]) <= set(ids)
    for question in state.form.questions:
        answer = made["answers"].get(question.id)
        if answer is None:
            continue
        own = [answer["customText"]] if "customText" in answer else []
        chosen = [question.options[index - 1] for index in answer["indices"]]
        assert answer["indices"] == sorted(answer["indices"])
        assert answer["values"] == [option.value for option in chosen] + own
        assert answer["labels"] == [option.label for option in chosen] + own
        assert set(answer.get("optionNotes", ())) <= {option.value for option in chosen}
        assert answer["values"] or "note" in answer
    if made["mode"] == "elaborate":
        states = made["continuation"]["questionStates"]
        assert list(states) == ids
        affected = made["continuation"]["affectedQuestionIds"]
        assert affected == [id for id in ids if states[id]["status"] == "needs_clarification"]
        assert list(dict.fromkeys(item["question"]["id"] for item in made["elaboration"]["items"])) == affected
        preserved = made["continuation"]["preservedAnswers"]
        assert list(preserved) == [id for id in ids if states[id]["status"] == "answered"]
        assert all(made["answers"][id] == preserved[id] for id in preserved)
        assert all(answer["values"] for answer in made["answers"].values())


def test_answers_carry_the_original_values_and_positions_from_one() -> None:
    """Values, labels and 1-based indices of what was chosen; unanswered questions are absent."""
    made = _details(_end("2", "shift+tab", "shift+tab", *SUBMIT))
    assert made["answers"] == {"db": {"values": ["lite"], "labels": ["SQLite"], "indices": [2]}}
    assert made["title"] == "Plan"
    assert (made["mode"], made["cancelled"], made["outcome"]) == ("submit", False, "submitted")
    assert {"error", "continuation", "elaboration", "reason"}.isdisjoint(made)


def test_several_answers_are_in_the_order_of_the_options_own_words_last() -> None:
    """R3: whatever the order of the keys, options come in their own order and own words after them."""
    keys = ["tab", "4", *"BeOS", "enter", "3", "1", "tab", "tab", *SUBMIT]
    state = _end(*keys)
    assert _details(state)["answers"]["os"] == {
        "values": ["l", "w", "BeOS"],
        "labels": ["Linux", "Windows", "BeOS"],
        "indices": [1, 3],
        "customText": "BeOS",
    }
    assert content(result_of(state)) == "Systems: Linux, Windows, BeOS"


def test_the_type_a_question_was_changed_to_is_told_in_both() -> None:
    """`type` stays, `presentedType` is added where it differs, and the text has one line more."""
    state = _end("t", "1", "2", "shift+tab", *SUBMIT)
    made = _details(state)
    assert made["questions"][0] == {
        "id": "db",
        "label": "Database",
        "prompt": "Which database?",
        "type": "single",
        "presentedType": "multi",
    }
    assert "presentedType" not in made["questions"][1]
    lines = content(result_of(state)).split("\n")
    assert lines[0] == "Database: Postgres, SQLite"
    assert len(lines) == 2
    assert "Database" in lines[1]
    assert "single" in lines[1]
    assert "multi" in lines[1]


def test_single_questions_shown_as_multi_say_so() -> None:
    """The setting changes the presented type of single questions only."""
    state = _end("shift+tab", *SUBMIT, settings=Settings(Behaviour(present_single_as_multi=True)))
    assert [question.get("presentedType") for question in _details(state)["questions"]] == ["multi", None, None]


def test_text_of_a_submitted_result() -> None:
    """`LABEL: ANSWER, ANSWER`, `LABEL note: NOTE`, `LABEL / OPTION note: NOTE`, in the order of the questions."""
    note_on_look = ["tab", "tab", "n", *"soft", "enter", "2"]  # on Flat, then Round is chosen
    back_to_systems = ["shift+tab", "shift+tab", "2", "1", "n", *"why", "enter", "N", *"all of them", "enter"]
    back_to_database = ["shift+tab", "1"]
    keys = [*note_on_look, *back_to_systems, *back_to_database, "shift+tab", "shift+tab", *SUBMIT]
    assert _text(*keys) == [
        "Database: Postgres",
        "Systems: Linux, macOS",
        "Systems note: all of them",
        "Systems / Linux note: why",
        "Q3: Round",
    ]


def test_a_note_on_a_question_without_an_answer_is_submitted() -> None:
    """A question's note may exist without an answer; an option's needs its option chosen."""
    state = _end("n", *"lost", "enter", "N", *"unsure", "enter", "shift+tab", *SUBMIT)
    assert _details(state)["answers"] == {"db": {"values": [], "labels": [], "indices": [], "note": "unsure"}}
    assert content(result_of(state)) == "Database note: unsure"


def test_submitting_nothing_says_so() -> None:
    """R12: it is allowed, the answers are empty, and the text says that no question was answered."""
    state = _end("shift+tab", *SUBMIT)
    made = _details(state)
    assert (made["answers"], made["outcome"], made["cancelled"]) == ({}, "submitted", False)
    assert content(result_of(state)) == "The user submitted without answering any question."


def test_text_of_an_elaboration_has_a_sentence_for_each_note() -> None:
    """The contract's sentence, with the full prompt and the option's label, and the current answer if there is one."""
    keys = ["n", *"why this one?", "enter", "N", *"cost?", "enter", "1"]
    lines = _text(*keys, "N", *"later", "enter", "shift+tab", "shift+tab", *ELABORATE)
    assert lines == [
        'User asked to elaborate on question "Which database?" with note "cost?" (current answer: "Postgres")',
        'User asked to elaborate on question "Which database?" option "Postgres" with note "why this one?"'
        ' (current answer: "Postgres")',
        'User asked to elaborate on question "Which systems?" with note "later"',
    ]


def test_an_elaboration_of_the_contracts_example() -> None:
    """The example sentence of the contract comes out word for word."""
    payload = {
        "questions": [
            {
                "id": "q",
                "prompt": "Which option would you like to select?",
                "options": [{"value": "a", "label": "Option A"}],
            }
        ]
    }
    state = play(payload, ["n", *"why this one?", "enter", "tab", *ELABORATE]).state
    assert content(result_of(state)) == (
        'User asked to elaborate on question "Which option would you like to select?"'
        ' option "Option A" with note "why this one?"'
    )


def test_text_of_an_elaboration_without_notes_has_a_sentence_for_each_answer() -> None:
    """Without notes the agent elaborates on the answers, so the text gives them."""
    assert _text("2", "1", "2", "tab", "2", *ELABORATE) == [
        'User asked to elaborate on question "Which database?" with current answer "SQLite"',
        'User asked to elaborate on question "Which systems?" with current answer "Linux, macOS"',
        'User asked to elaborate on question "Which look?" with current answer "Round"',
    ]


def test_text_of_an_elaboration_of_nothing_is_not_empty() -> None:
    """Without notes and answers the text still says what the person wants."""
    assert _text("shift+tab", *ELABORATE) == [
        "User asked to elaborate; no question was answered and there are no notes."
    ]


def test_an_elaboration_moves_notes_to_items_and_keeps_the_other_answers() -> None:
    """Notes become items with the full question; answers no note touches are preserved; states name every question."""
    keys = ["down", "n", *"cheap?", "enter", "up", "1", "2", "tab", "N", *"show more", "enter", "tab", *ELABORATE]
    made = _details(_end(*keys))
    postgres = {"values": ["pg"], "labels": ["Postgres"], "indices": [1]}
    systems = {"values": ["m"], "labels": ["macOS"], "indices": [2]}
    database, _, look = PAYLOAD["questions"]
    assert isinstance(database, dict)
    assert isinstance(look, dict)
    assert made["mode"] == "elaborate"
    assert made["answers"] == {"db": postgres, "os": systems}
    assert made["continuation"] == {
        "strategy": "refine_only",
        "affectedQuestionIds": ["db", "look"],
        "preservedAnswers": {"os": systems},
        "questionStates": {
            "db": {"status": "needs_clarification"},
            "os": {"status": "answered"},
            "look": {"status": "needs_clarification"},
        },
    }
    assert made["elaboration"]["nextAction"] == "clarify_then_reask"
    assert made["elaboration"]["items"] == [
        {
            "target": {"kind": "option", "optionValue": "lite"},
            "question": {**database, "type": "single"},
            "option": {"value": "lite", "label": "SQLite"},
            "selected": False,
            "answered": True,
            "answer": postgres,
            "note": "cheap?",
        },
        {
            "target": {"kind": "question"},
            "question": {**look, "label": "Q3"},
            "answered": False,
            "note": "show more",
        },
    ]


@pytest.mark.parametrize(
    ("last", "outcome", "reason"),
    [
        (None, "cancelled", None),
        (TimedOut(), "timed_out", None),
        (Abort("SIGTERM"), "aborted", "SIGTERM"),
    ],
)
def test_every_ending_is_told_apart_and_keeps_what_was_given(
    last: Event | None, outcome: str, reason: str | None
) -> None:
    """R4: an answer given before the end is in the result, whatever the end was."""
    state = play(PAYLOAD, ["2"]).state
    state = reduce(state, last) if last else _end("2", "ctrl+c", "ctrl+c")
    made = _details(state)
    assert (made["outcome"], made["cancelled"], made["mode"]) == (outcome, True, "submit")
    assert made.get("reason") == reason
    assert made["answers"] == {"db": {"values": ["lite"], "labels": ["SQLite"], "indices": [2]}}
    text = content(result_of(state))
    assert "Database: SQLite" in text.split("\n")
    assert "not submitted" in text


@pytest.mark.parametrize("keys", [("esc",), ("shift+tab", *CANCEL), ("ctrl+c",)])
def test_cancelling_with_nothing_given_invents_no_answer(keys: tuple[str, ...]) -> None:
    """R4: no ending invents an answer."""
    state = _end(*keys)
    assert (_details(state)["answers"], _details(state)["outcome"]) == ({}, "cancelled")
    assert "No question was answered." in content(result_of(state))


def test_the_five_endings_of_a_flow_have_five_texts() -> None:
    """No two endings read the same."""
    opened = play(PAYLOAD, ()).state
    ends = [
        _end("shift+tab", *SUBMIT),
        _end("shift+tab", *ELABORATE),
        _end("esc"),
        reduce(opened, TimedOut()),
        reduce(opened, Abort("SIGHUP")),
    ]
    assert len({content(result_of(end)) for end in ends}) == 5


def test_an_open_flow_has_a_result_without_an_outcome() -> None:
    """`result_of` works on an open state; nothing is cancelled then, and no text says that it was submitted."""
    made = _details(play(PAYLOAD, ["1"]).state)
    assert "outcome" not in made
    assert not made["cancelled"]
    assert list(made["answers"]) == ["db"]
    text = content(result_of(play(PAYLOAD, ()).state))
    assert text
    assert "user submitted" not in text


def test_without_a_screen_the_text_asks_for_input_with_every_question_and_option() -> None:
    """The fallback says "Needs user input" and lists all that can be chosen; details keep the questions, no answers."""
    form = load_form(PAYLOAD)
    result = unasked(form, "no_screen")
    made = details(result)
    VALIDATOR.validate(made)
    assert (made["outcome"], made["cancelled"], made["answers"]) == ("no_screen", True, {})
    assert [question["id"] for question in made["questions"]] == ["db", "os", "look"]
    text = content(result)
    assert "Needs user input" in text
    for question in form.questions:
        assert question.prompt in text
        assert all(option.label in text for option in question.options)
    assert "A server" in text


def test_an_invalid_payload_has_its_issues_in_details_and_text() -> None:
    """The error block and the text of a payload that was refused."""
    issues = (Issue("questions[0].id", "must not be blank."), Issue("title", "must be a text, got null."))
    result = unasked(Form("contract", ()), "invalid_input", issues)
    made = details(result)
    VALIDATOR.validate(made)
    assert made == {
        "cancelled": True,
        "mode": "submit",
        "questions": [],
        "answers": {},
        "outcome": "invalid_input",
        "error": {
            "kind": "invalid_input",
            "issues": [
                {"path": "questions[0].id", "message": "must not be blank."},
                {"path": "title", "message": "must be a text, got null."},
            ],
        },
    }
    assert content(result) == (
        "Invalid ask_user payload:\n- questions[0].id: must not be blank.\n- title: must be a text, got null."
    )


def test_the_result_carries_hostile_text_unchanged() -> None:
    """R9: marks are for screens only; the result has the payload's own characters."""
    label = "Red\x1b]52;c;aGk=\x07\u202e\x00\nBlue"
    payload = {
        "questions": [{"id": "q", "label": label, "prompt": label, "options": [{"value": label, "label": label}]}]
    }
    state = play(payload, ["1", *SUBMIT]).state
    made = _details(state)
    assert made["answers"] == {"q": {"values": [label], "labels": [label], "indices": [1]}}
    assert made["questions"][0]["prompt"] == label
    assert content(result_of(state)) == f"{label}: {label}"


def test_previews_in_items_are_trimmed() -> None:
    """The indentation that a preview keeps for the screen is not in the result."""
    option = {"value": "a", "label": "A", "preview": "\n  p\n  q\n"}
    payload = {"questions": [{"id": "q", "prompt": "P", "type": "preview", "options": [option]}]}
    item = _details(play(payload, ["n", "x", "enter", "1", *ELABORATE]).state)["elaboration"]["items"][0]
    assert item["option"]["preview"] == item["question"]["options"][0]["preview"] == "p\n  q"


def test_enter_trims_own_words_and_esc_keeps_them() -> None:
    """R16: Enter trims the text at its ends, Esc keeps it."""
    entered = _end("3", *"  so it is ", "enter", "shift+tab", "shift+tab", *SUBMIT)
    assert _details(entered)["answers"]["db"]["customText"] == "so it is"
    closed = _end("3", *"  so it is ", "esc", "shift+tab", *SUBMIT)
    assert _details(closed)["answers"]["db"] == {
        "values": ["  so it is "],
        "labels": ["  so it is "],
        "indices": [],
        "customText": "  so it is ",
    }
