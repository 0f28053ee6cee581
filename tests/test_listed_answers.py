"""Results of the compact and the bounded dialect as answers to their forms."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from hypothesis import event, given
from hypothesis import strategies as st

import ask_core as ask

COMPACT = {
    "questions": [
        {
            "question": "Which?",
            "header": "Pick",
            "options": [{"label": "A", "description": "a"}, {"label": "B", "description": "b"}],
        },
        {
            "question": "Which ones?",
            "header": "Picks",
            "multiSelect": True,
            "options": [
                {"label": "A", "description": "a"},
                {"label": "A", "description": "again"},
                {"label": "C", "description": "c"},
            ],
        },
        {"question": "Name?", "header": "Name"},
        {"question": "Other name?", "header": "Name"},
    ]
}
BOUNDED = {
    "questions": [
        {"id": "pick", "prompt": "Which?", "options": [{"label": "A"}, {"label": "A"}, {"label": "C"}]},
        {"prompt": "Name?"},
    ]
}


def _answered(payload: object, dialect: str, answers: object) -> dict[str, Any]:
    form = ask.load_form(payload, dialect)
    return ask.details(ask.result_of(ask.answer_form(form, answers)))


def _issues(payload: object, dialect: str, answers: object) -> dict[str, str]:
    with pytest.raises(ask.InvalidAnswers) as caught:
        _answered(payload, dialect, answers)
    return dict(caught.value.issues)


KEYS = st.lists(
    st.sampled_from(("enter", "space", "down", "up", "tab", "shift+tab", "1", "2", "3", "x", "esc")), max_size=25
)


@pytest.mark.parametrize(("payload", "dialect"), [(COMPACT, "compact"), (BOUNDED, "bounded")])
@given(keys=KEYS)
def test_a_result_given_as_answers_gives_itself(payload: dict[str, Any], dialect: str, keys: list[str]) -> None:
    """Whatever was submitted comes out again, or it is said what cannot be told apart."""
    state = ask.testing.play(payload, keys, dialect=dialect).state
    submitted = ask.details(evolve(ask.result_of(state), outcome="submitted"))
    try:
        again = _answered(payload, dialect, submitted)
    except ask.InvalidAnswers as error:
        event(", ".join(sorted({message.partition(" have")[0].partition(" are")[0] for _, message in error.issues})))
        again = None
        doubtful = all(message.startswith("several ") for _, message in error.issues)
    assert doubtful if again is None else again == submitted


def test_equal_headers_are_told_apart_by_their_number_only() -> None:
    """Two answers for two questions of one header are theirs in order; one alone could be either's."""
    both = [{"header": "Name", "selected": [], "text": "x"}, {"header": "Name", "selected": [], "text": "y"}]
    assert _answered(COMPACT, "compact", {"answers": both})["answers"] == both
    assert _issues(COMPACT, "compact", {"answers": both[:1]}) == {
        "answers[0].header": "several questions have it; give the answers by question id."
    }


def test_equal_labels_are_told_apart_where_all_are_chosen() -> None:
    """One of two options with the same label could be either; by position there is no doubt."""
    assert _issues(COMPACT, "compact", {"answers": [{"header": "Picks", "selected": ["A"]}]}) == {
        "answers[0].selected": 'several options are called "A"; give the answers by question id.'
    }
    both = [{"header": "Picks", "selected": ["A", "A", "C"]}]
    assert _answered(COMPACT, "compact", {"answers": both})["answers"] == both
    second = [{"id": "pick", "label": "A", "wasCustom": False, "index": 2}]
    assert _answered(BOUNDED, "bounded", {"answers": second})["answers"] == second


@pytest.mark.parametrize(
    ("payload", "dialect", "answer", "path"),
    [
        (COMPACT, "compact", {"header": "X", "selected": []}, "answers[0].header"),
        (COMPACT, "compact", {"header": "Pick", "selected": ["Z"]}, "answers.Pick.values[0]"),
        (COMPACT, "compact", "A", "answers[0]"),
        (BOUNDED, "bounded", {"id": "x", "label": "A", "wasCustom": True}, "answers.x"),
        (BOUNDED, "bounded", {"id": "pick", "label": "C", "wasCustom": False, "index": 1}, "answers[0].index"),
        (BOUNDED, "bounded", {"id": "pick", "label": "A", "wasCustom": False, "index": 0}, "answers[0].index"),
        (BOUNDED, "bounded", {"id": "pick", "label": "C", "wasCustom": False}, "answers[0]"),
        (BOUNDED, "bounded", {"id": "pick", "label": "C", "wasCustom": False, "index": -1}, "answers[0].index"),
        (BOUNDED, "bounded", {"id": "pick", "label": "A", "wasCustom": False, "index": True}, "answers[0].index"),
        (BOUNDED, "bounded", {"id": "q2", "label": "x", "wasCustom": False, "index": 1}, "answers[0].index"),
        (BOUNDED, "bounded", {"id": "pick", "label": "C", "wasCustom": True, "index": 3}, "answers[0]"),
        (BOUNDED, "bounded", {"id": "pick", "label": "x", "wasCustom": True, "note": "n"}, "answers[0].note"),
        (COMPACT, "compact", {"header": "Pick", "selected": ["A"], "note": "n"}, "answers[0].note"),
        (COMPACT, "compact", {"header": "Pick", "selected": [5]}, "answers.Pick.values[0]"),
    ],
)
def test_what_fits_no_question_is_an_issue(payload: object, dialect: str, answer: object, path: str) -> None:
    """Nothing is guessed: an option is found by its label and, where there is one, its number."""
    assert [*_issues(payload, dialect, {"answers": [answer]})] == [path]


def test_an_id_that_is_there_twice_is_an_issue() -> None:
    """None of two answers is dropped in silence."""
    one = {"id": "pick", "label": "C", "wasCustom": False, "index": 3}
    assert [*_issues(BOUNDED, "bounded", {"answers": [one, {**one, "label": "A", "index": 1}]})] == ["answers[1].id"]


def test_paths_are_printable_and_short() -> None:
    """What stands in an answer as a name is text of somebody else's (R9)."""
    (path,) = _issues(BOUNDED, "bounded", {"\x1b[31m" + "z" * 5000: "x"})
    assert path.isprintable()
    assert len(path) < 250


def test_a_cancelled_result_is_no_answer() -> None:
    """As in the contract dialect, what was not sent is not sent by mistake."""
    cancelled = ask.details(ask.result_of(ask.testing.play(BOUNDED, ["esc"], dialect="bounded").state))
    assert [*_issues(BOUNDED, "bounded", cancelled)] == ["cancelled"]
