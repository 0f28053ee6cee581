"""The bounded dialect: its bounds and their words, how its forms are answered, and what comes of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ask_core as ask
from ask_core.dialects import content, details, load_form
from ask_core.dialects.bounded import LIMITS
from ask_core.errors import InvalidPayload
from ask_core.events import Abort, TimedOut
from ask_core.layout import layout
from ask_core.questions import Form
from ask_core.reduce import reduce
from ask_core.result import result_of
from ask_core.screen import QuestionBody, ReviewBody
from ask_core.settings import Behaviour, Settings
from ask_core.state import Reviewing, State, Typing
from ask_core.testing import facts, play
from ask_core.view import view
from tests.strategies import BOUNDED_CALL as CALL
from tests.strategies import FAMILY

ONE: dict[str, Any] = {"questions": CALL["questions"][:1]}

# The family is five characters, one with a mark two, a flag two; each is one grapheme.
UNITS = {"latin": "x", "wide": "日", "family": FAMILY, "mark": "e\u0301", "flag": "🇫🇷", "marks": "x" + "\u0301" * 4}

units = pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)


def _question(**changes: Any) -> dict[str, Any]:
    question = {"prompt": "Which?", "options": [{"label": "A"}, {"label": "B"}]} | changes
    return {name: value for name, value in question.items() if value is not ...}


def _call(*questions: dict[str, Any]) -> dict[str, Any]:
    return {"questions": [*questions]}


def _loaded(payload: object) -> Form:
    return load_form(payload, "bounded")


def _refused(payload: object) -> InvalidPayload:
    with pytest.raises(InvalidPayload) as caught:
        _loaded(payload)
    assert caught.value.dialect == "bounded"
    return caught.value


def _played(payload: object, *keys: str, behaviour: Behaviour | None = None) -> State:
    settings = Settings(behaviour or Behaviour(double_press_review_shortcuts=False))
    return play(payload, keys, settings=settings, dialect="bounded").state


def _text(state: State) -> str:
    return content(result_of(state))


def _details(state: State) -> dict[str, Any]:
    made = details(result_of(state))
    assert json.loads(json.dumps(made)) == made
    return made


def _answers(state: State) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = _details(state)["answers"]
    return answers


def _body(state: State) -> QuestionBody:
    body = view(state).body
    assert isinstance(body, QuestionBody)
    return body


def _shown(state: State, width: int = 80, height: int = 24) -> str:
    return layout(view(state), width, height).text()


def _size(payload: object) -> int:
    return len(json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode())


# Bounds


def test_the_limits_are_those_of_the_document() -> None:
    """The bounds live in one public object and have the defaults of the document's table."""
    assert LIMITS._asdict() == {
        "questions": 8,
        "options": 10,
        "id": 32,
        "label": 24,
        "option_label": 80,
        "prompt": 300,
        "description": 120,
        "budget_bytes": 8192,
    }


@pytest.mark.parametrize(
    "payload", [{}, {"questions": []}, {"questions": None}, {"title": "Plan", "question": None}], ids=repr
)
def test_no_questions_provided(payload: object) -> None:
    """Questions that are missing or empty are refused with the document's words and one issue at `questions`."""
    error = _refused(payload)
    assert str(error).startswith("Error: No questions provided")
    assert [issue.path for issue in error.issues] == ["questions"]


def test_no_questions_provided_is_the_whole_text_where_nothing_was_sent() -> None:
    """An empty call and an empty list say just what the document says."""
    assert str(_refused({})) == "Error: No questions provided"
    assert str(_refused({"questions": []})) == "Error: No questions provided"
    assert str(_refused({"questions": None})) == "Error: No questions provided"


@pytest.mark.parametrize("payload", [None, [], "x", 7, True, '{"questions": [', {"questions": "["}, {"questions": {}}])
def test_arguments_that_arrive_truncated_are_no_questions(payload: object) -> None:
    """What holds no list of questions at all begins with the document's words and says what came instead."""
    error = _refused(payload)
    first, *more = str(error).split("\n")
    assert first == "Error: No questions provided"
    assert len(more) == 1
    assert "got " in more[0]


@pytest.mark.parametrize("count", [1, 8])
def test_as_many_questions_as_the_limit_are_taken(count: int) -> None:
    """One to eight questions make a form."""
    form = _loaded(_call(*[_question()] * count))
    assert len(form.questions) == count
    assert (form.warnings, form.truncated) == ((), 0)


@pytest.mark.parametrize("count", [9, 20])
def test_too_many_questions(count: int) -> None:
    """More than eight questions are refused in the document's words, with their number."""
    error = _refused(_call(*[_question()] * count))
    assert str(error) == f"Error: too many questions ({count}) — the limit is 8"
    assert [issue.path for issue in error.issues] == ["questions"]


@pytest.mark.parametrize("count", [1, 10])
def test_as_many_options_as_the_limit_are_taken(count: int) -> None:
    """One to ten options make a question with so many rows and one for own words."""
    form = _loaded(_call(_question(options=[{"label": f"L{index}"} for index in range(count)])))
    assert len(form.questions[0].options) == count
    assert len(_body(_played(_call(_question(options=[{"label": "A"}] * count)))).rows) == count + 1


@pytest.mark.parametrize("count", [11, 30])
def test_too_many_options(count: int) -> None:
    """More than ten options are refused in the document's words; among several it is said which question has them."""
    many = _question(options=[{"label": f"L{index}"} for index in range(count)])
    error = _refused(_call(many))
    assert str(error) == f"Error: too many options ({count}) — the limit is 10"
    assert [issue.path for issue in error.issues] == ["questions[0].options"]
    error = _refused(_call(_question(), many))
    assert str(error) == f"Error: too many options ({count}) — the limit is 10 (questions[1])"
    assert [issue.path for issue in error.issues] == ["questions[1].options"]


def test_every_count_that_is_too_large_is_told() -> None:
    """Too many questions and too many options of two of them are three lines of one text."""
    many = [{"label": f"L{index}"} for index in range(11)]
    payload = _call(_question(options=many), *[_question()] * 8, _question(options=[*many, *many[:1]]))
    assert str(_refused(payload)).split("\n") == [
        "Error: too many questions (10) — the limit is 8",
        "Error: too many options (11) — the limit is 10 (questions[0])",
        "Error: too many options (12) — the limit is 10 (questions[9])",
    ]


BEFORE, BEHIND = '{"questions":[{"prompt":"P","options":[{"label":"A","description":"', '"}]}]}'


def _sized(size: int, filling: str = "x") -> dict[str, Any]:
    """A call of so many bytes, made of a long description."""
    room = size - len((BEFORE + BEHIND).encode())
    each = len(json.dumps(filling, ensure_ascii=False).encode()) - 2
    text = filling * (room // each) + "x" * (room % each)
    payload = _call({"prompt": "P", "options": [{"label": "A", "description": text}]})
    assert _size(payload) == size
    return payload


@pytest.mark.parametrize("filling", ["x", "é", "日", FAMILY, '"', "\\", "\n", "\u2028"], ids=ascii)
def test_the_budget_is_8192_bytes_of_compact_json_in_utf_8(filling: str) -> None:
    """A call of exactly 8192 bytes is taken, one of 8193 is refused, whatever its characters are."""
    assert _loaded(_sized(8192, filling)).questions[0].prompt == "P"
    error = _refused(_sized(8193, filling))
    assert str(error) == "Error: arguments too large (8193 bytes) — the limit is 8192"
    assert [issue.path for issue in error.issues] == ["payload"]


@pytest.mark.parametrize("unknown", [{"note": "x" * 9000}, {"questions": [_question(hint="日" * 3000)]}])
def test_the_budget_counts_the_whole_call(unknown: dict[str, Any]) -> None:
    """Fields that are not read count as well: 40 KB of anything never reach the screen."""
    payload = _call(_question()) | unknown
    assert str(_refused(payload)) == f"Error: arguments too large ({_size(payload)} bytes) — the limit is 8192"


def test_white_space_of_the_file_does_not_count() -> None:
    """A call is measured as compact JSON, not as the text it was read from."""
    written = json.dumps(CALL, indent=400)
    assert len(written) > 8192
    assert len(_loaded(json.loads(written)).questions) == 2


@pytest.mark.parametrize(
    "payload",
    [
        _call(*[_question(prompt="x" * 1000)] * 9),
        {"questions": "x" * 9000},
        ["x" * 9000],
        _call({"prompt": 3, "options": [{"label": "x" * 9000}] * 11}),
    ],
)
def test_the_size_is_judged_before_anything_else(payload: object) -> None:
    """Bytes come before shape and counts: a call that is too large has this one fault only."""
    assert str(_refused(payload)) == f"Error: arguments too large ({_size(payload)} bytes) — the limit is 8192"


def _nested() -> object:
    value: object = "x"
    for _ in range(100_000):
        value = [value]
    return _call(_question()) | {"deep": value}


def _endless() -> object:
    payload = _call(_question())
    payload["questions"].append(payload)
    return payload


def _raw() -> object:
    return _call(_question()) | {"raw": b"x"}


def _set() -> object:
    return {1, 2}


@pytest.mark.parametrize("make", [_nested, _endless, _raw, _set])
def test_what_cannot_be_json_is_refused_and_raises_nothing_else(make: Callable[[], object]) -> None:
    """A call that cannot be measured is one issue with the payload."""
    assert [issue.path for issue in _refused(make()).issues] == ["payload"]


FIELDS: dict[str, tuple[int, str, Callable[[str], dict[str, Any]], Callable[[Form], str | None]]] = {
    "id": (32, "questions[0].id", lambda text: _question(id=text), lambda form: form.questions[0].id),
    "label": (24, "questions[0].label", lambda text: _question(label=text), lambda form: form.questions[0].label),
    "prompt": (300, "questions[0].prompt", lambda text: _question(prompt=text), lambda form: form.questions[0].prompt),
    "optionLabel": (
        80,
        "questions[0].options[0].label",
        lambda text: _question(options=[{"label": text}]),
        lambda form: form.questions[0].options[0].label,
    ),
    "description": (
        120,
        "questions[0].options[0].description",
        lambda text: _question(options=[{"label": "A", "description": text}]),
        lambda form: form.questions[0].options[0].description,
    ),
}
fields = pytest.mark.parametrize(("limit", "path", "make", "found"), FIELDS.values(), ids=FIELDS)

Make = Callable[[str], dict[str, Any]]
Found = Callable[[Form], str | None]


@units
@fields
def test_a_text_as_long_as_its_limit_stays_whole(unit: str, limit: int, path: str, make: Make, found: Found) -> None:
    """Lengths count graphemes, so a text of exactly the limit is neither cut nor reported."""
    form = _loaded(_call(make(unit * limit)))
    assert found(form) == unit * limit
    assert (form.warnings, form.truncated) == ((), 0)


@units
@fields
@pytest.mark.parametrize("more", [1, 7])
def test_a_longer_text_is_cut_with_an_ellipsis_and_reported(
    unit: str, limit: int, path: str, make: Make, found: Found, more: int
) -> None:
    """One grapheme too many is cut to the limit, the ellipsis included, with a warning that says where."""
    form = _loaded(_call(make(unit * (limit + more))))
    assert found(form) == unit * (limit - 1) + "…"
    assert form.truncated == 1
    assert len(form.warnings) == 1
    assert path in form.warnings[0]
    assert str(limit) in form.warnings[0]


@fields
def test_a_cut_never_falls_inside_a_grapheme(limit: int, path: str, make: Make, found: Found) -> None:
    """The last grapheme before the ellipsis is whole and the first one after it is gone altogether."""
    text = "a" * (limit - 2) + FAMILY + "e\u0301" + "🇫🇷"
    assert found(_loaded(_call(make(text)))) == "a" * (limit - 2) + FAMILY + "…"


def test_only_what_was_cut_is_reported() -> None:
    """Every cut of a call is one warning with its path, in the order of the call, and all of them are counted."""
    long = {"label": "o" * 81, "description": "d" * 121}
    form = _loaded(_call(_question(id="i" * 33, options=[{"label": "A"}, long]), _question(prompt="p" * 301)))
    paths = ("questions[0].id", "questions[0].options[1].label", "questions[0].options[1].description")
    assert form.truncated == len(form.warnings) == 4
    for path, warning in zip((*paths, "questions[1].prompt"), form.warnings, strict=True):
        assert warning.startswith(f"{path}: ")


def test_a_cut_is_told_in_the_result() -> None:
    """The text ends with the document's note and the number of fields; details hold the warnings."""
    payload = _call(_question(label="L" * 25, options=[{"label": "o" * 81}]))
    state = _played(payload, "1")
    assert _text(state).split("\n") == [
        f"{'L' * 23}…: user selected: 1. {'o' * 79}…",
        "note: 2 field(s) truncated",
    ]
    assert [warning.split(": ")[0] for warning in _details(state)["warnings"]] == [
        "questions[0].label",
        "questions[0].options[0].label",
    ]


def test_without_a_cut_there_is_no_note() -> None:
    """A call within its bounds has no note and no warnings."""
    state = _played(ONE, "1")
    assert "note:" not in _text(state)
    assert _details(state)["warnings"] == []


def test_the_note_is_not_repeated_where_the_user_cancelled() -> None:
    """The text of a cancelled call stays the document's; the warnings are still in the details."""
    state = _played(_call(_question(label="L" * 25)), "esc")
    assert _text(state) == "User cancelled the questionnaire"
    assert len(_details(state)["warnings"]) == 1


# Ids and labels


def test_omitted_labels_are_q1_q2_and_omitted_ids_q1_q2() -> None:
    """Without a label the tab is Q1, Q2, and so on; without an id it is q1, q2."""
    form = _loaded(_call(*[_question()] * 3))
    assert [question.label for question in form.questions] == ["Q1", "Q2", "Q3"]
    assert [question.id for question in form.questions] == ["q1", "q2", "q3"]
    assert form.warnings == ()


@pytest.mark.parametrize("nothing", [None, "", " \n"])
def test_a_blank_id_or_label_is_an_omitted_one(nothing: str | None) -> None:
    """Null and blank text give the names of the position."""
    form = _loaded(_call(_question(), _question(id=nothing, label=nothing)))
    assert (form.questions[1].id, form.questions[1].label) == ("q2", "Q2")
    assert form.warnings == ()


def test_an_id_and_a_label_that_are_given_are_kept() -> None:
    """The position gives names only to questions without one of their own."""
    form = _loaded(_call(_question(id="a", label="First"), _question(), _question(id="c")))
    assert [question.id for question in form.questions] == ["a", "q2", "c"]
    assert [question.label for question in form.questions] == ["First", "Q2", "Q3"]


def test_ids_that_collide_get_a_number_and_a_warning() -> None:
    """Each later use of an id has a number of its own, so every answer can be told apart."""
    form = _loaded(_call(*[_question(id="same")] * 3))
    ids = [question.id for question in form.questions]
    assert ids == ["same", "same-2", "same-3"]
    assert len(form.warnings) == 2
    assert form.truncated == 0
    assert all(id in warning for id, warning in zip(ids[1:], form.warnings, strict=True))


def test_a_number_is_never_one_that_is_given_already() -> None:
    """An id that was given stays as it is, also where it looks like a numbered one."""
    form = _loaded(_call(_question(id="a"), _question(id="a"), _question(id="a-2"), _question(id="a-3")))
    assert [question.id for question in form.questions] == ["a", "a-4", "a-2", "a-3"]


def test_a_given_id_goes_before_the_one_of_a_position() -> None:
    """A question that is called q1 keeps its id, and the first question gets another."""
    form = _loaded(_call(_question(), _question(id="q1")))
    assert form.questions[1].id == "q1"
    assert form.questions[0].id not in ("q1", "")
    assert len({question.id for question in form.questions}) == 2


@units
def test_ids_that_collide_after_they_were_cut_get_a_number_within_the_limit(unit: str) -> None:
    """Ids that differ only past the limit become different ids of at most 32 graphemes."""
    form = _loaded(_call(*(_question(id=unit * 32 + end) for end in "abc")))
    ids = [question.id for question in form.questions]
    assert ids[0] == unit * 31 + "…"
    assert [id[-2:] for id in ids[1:]] == ["-2", "-3"]
    assert all(id.startswith(unit * 30) for id in ids)
    assert len(set(ids)) == 3
    # In graphemes: what is left of an id without its units is what follows them.
    assert all(len(id.replace(unit, "1")) <= 32 for id in ids)


def test_equal_labels_stay_questions_of_their_own() -> None:
    """Labels need not differ: two tabs of one name are answered each for itself."""
    state = _played(_call(*[_question(label="Same")] * 2), "1", "2", "enter")
    assert _text(state) == "Same: user selected: 1. A\nSame: user selected: 2. B"
    assert [answer["id"] for answer in _answers(state)] == ["q1", "q2"]


def test_equal_option_labels_stay_options_of_their_own() -> None:
    """The position tells options of one label apart, also where the labels are equal only after the cut."""
    payload = _call(_question(options=[{"label": "A"}, {"label": "A"}]))
    assert _answers(_played(payload, "2")) == [{"id": "q1", "label": "A", "wasCustom": False, "index": 2}]
    cut = _call(_question(options=[{"label": "o" * 90 + "1"}, {"label": "o" * 90 + "2"}]))
    assert _answers(_played(cut, "2"))[0] == {"id": "q1", "label": "o" * 79 + "…", "wasCustom": False, "index": 2}


# What is asked


def test_prompt_is_the_one_required_field() -> None:
    """A prompt alone is a question; without one it is refused."""
    assert _loaded(_call({"prompt": "Why?"})).questions[0].prompt == "Why?"
    assert [issue.path for issue in _refused(_call({"label": "L"}, {"prompt": " "})).issues] == [
        "questions[0].prompt",
        "questions[1].prompt",
    ]


def test_a_question_has_a_row_for_own_words_after_its_options() -> None:
    """The screen of the document: two options and "Type something." under the third number."""
    rows = _body(_played(ONE)).rows
    assert [(row.number, row.label) for row in rows] == [
        (1, "Keep the current layout"),
        (2, "Merge prompt and options"),
        (3, "Type something."),
    ]
    assert [row.own_words for row in rows] == [False, False, True]
    assert rows[0].description == "No visual change"
    shown = _shown(_played(ONE))
    for text in ("What should the overlay keep?", "Keep the current layout", "Type something.", "Enter", "Esc", "↑/↓"):
        assert text in shown


@pytest.mark.parametrize("allow_other", [..., True, None])
def test_allow_other_is_true_unless_said(allow_other: object) -> None:
    """Without the field, and with null in it, own words are taken."""
    payload = _call(_question(allowOther=allow_other))
    assert _answers(_played(payload, "3", *"mine", "enter")) == [{"id": "q1", "label": "mine", "wasCustom": True}]


def test_allow_other_false_takes_the_options_only() -> None:
    """There is no row for own words, and neither its digit nor the end of the list leads to one."""
    payload = _call(_question(allowOther=False))
    state = _played(payload)
    assert [row.label for row in _body(state).rows] == ["A", "B"]
    assert _played(payload, "3") == state
    last = _played(payload, "end", "down")
    assert not isinstance(last.mode, Typing)
    assert _answers(_played(payload, "end", "down", "enter"))[0]["label"] == "B"


@pytest.mark.parametrize("options", [..., None, []])
@pytest.mark.parametrize("allow_other", [..., True, False])
def test_a_question_without_options_has_the_one_row_for_own_words(options: object, allow_other: object) -> None:
    """Without options it can always be answered in own words, whatever `allowOther` says: nothing is unanswerable."""
    payload = _call(_question(options=options, allowOther=allow_other))
    rows = _body(_played(payload)).rows
    assert [(row.label, row.own_words) for row in rows] == [("Type something.", True)]
    assert "Type something." in _shown(_played(payload))
    state = _played(payload, *"a date", "enter")
    assert state.outcome == "submitted"
    assert _answers(state) == [{"id": "q1", "label": "a date", "wasCustom": True}]


# One question


@pytest.mark.parametrize(
    ("keys", "index"),
    [(("enter",), 1), (("down", "enter"), 2), (("1",), 1), (("2",), 2), (("down", "space"), 2)],
)
def test_one_question_submits_on_selection(keys: tuple[str, ...], index: int) -> None:
    """A single question is a plain choice list: choosing is sending."""
    before, after = _played(ONE, *keys[:-1]), _played(ONE, *keys)
    assert not before.finished
    assert after.outcome == "submitted"
    assert _answers(after)[0]["index"] == index


def test_one_question_submits_with_own_words() -> None:
    """Enter after the words sends them."""
    state = _played(ONE, "3", *"both", "enter")
    assert (state.outcome, _text(state)) == ("submitted", "Scope: user wrote: both")


def test_one_question_has_no_tabs() -> None:
    """There is no tab bar and no Submit tab, and no key leads to one."""
    state = _played(ONE)
    assert len(view(state).tabs) == 0
    assert "Submit" not in _shown(state)
    for key in ("tab", "shift+tab", "left", "right"):
        assert _played(ONE, key) == state


# Two questions or more


def test_two_questions_have_tabs_and_a_submit_tab() -> None:
    """The tab bar names every question by its label and ends with Submit."""
    screen = view(_played(CALL))
    assert [tab.label for tab in screen.tabs] == ["Scope", "When", "Submit"]
    shown = _shown(_played(CALL))
    assert all(label in shown for label in ("Scope", "When", "Submit"))


@pytest.mark.parametrize("answering", [("1",), ("enter",), ("3", "x", "enter")], ids=" ".join)
def test_each_answer_goes_on_to_the_next_tab(answering: tuple[str, ...]) -> None:
    """The flow advances by itself, through the questions to the Submit tab."""
    state = _played(_call(*[_question()] * 3), *answering)
    assert (state.tab, state.finished) == (1, False)
    assert _played(_call(*[_question()] * 3), *answering, *answering).tab == 2
    review = _played(_call(*[_question()] * 3), *answering, *answering, *answering)
    assert isinstance(review.mode, Reviewing)
    assert not review.finished


def test_tab_and_arrows_move_between_tabs() -> None:
    """Tab, Shift+Tab, left and right go through the tabs and round."""
    payload = _call(*[_question()] * 2)
    assert [_played(payload, *["tab"] * steps).tab for steps in range(4)] == [0, 1, 2, 0]
    assert [_played(payload, *["right"] * steps).tab for steps in range(4)] == [0, 1, 2, 0]
    assert _played(payload, "shift+tab").tab == _played(payload, "left").tab == 2


def test_the_submit_tab_shows_all_answers_and_which_are_missing() -> None:
    """What was chosen, what was written, and which questions have neither are on the last tab."""
    payload = _call(_question(label="One"), _question(label="Two"), _question(label="Three"), _question(label="Four"))
    state = _played(payload, "2", "3", *"my own", "enter", "shift+tab", "shift+tab", "shift+tab")
    body = view(state).body
    assert isinstance(body, ReviewBody)
    assert [(line.label, line.answers) for line in body.questions][:2] == [("One", ("B",)), ("Two", ("my own",))]
    assert body.unanswered == ("Three", "Four")
    shown = _shown(state)
    assert "One: B" in shown
    assert "Two: my own" in shown
    assert "Three, Four" in shown


def test_the_submit_tab_submits_or_cancels_and_nothing_else() -> None:
    """Its actions are Submit and Cancel; there is nothing to elaborate."""
    review = _played(CALL, "shift+tab")
    body = view(review).body
    assert isinstance(body, ReviewBody)
    assert [action.label for action in body.actions] == ["Submit", "Cancel"]
    assert _played(CALL, "shift+tab", "enter").outcome == "submitted"
    assert _played(CALL, "shift+tab", "down", "enter").outcome == "cancelled"
    assert _played(CALL, "shift+tab", "3") == review


def test_nothing_is_sent_before_the_submit_tab() -> None:
    """The answer to the last of several questions sends nothing yet."""
    state = _played(CALL, "1", *"later", "enter")
    assert state.outcome is None
    assert reduce(state, ask.Key("enter")).outcome == "submitted"


# Results


def test_the_result_of_the_documents_example() -> None:
    """The document's call, answered as in the document, comes out word for word."""
    state = _played(CALL, "1", *"after the release cut", "enter", "enter")
    assert _text(state) == "Scope: user selected: 1. Keep the current layout\nWhen: user wrote: after the release cut"


def test_details_have_the_documents_shape() -> None:
    """Questions, answers with id, label, wasCustom and the index of an option, cancelled, warnings, and the outcome."""
    made = _details(_played(CALL, "2", *"after the release cut", "enter", "enter"))
    assert {*made} == {"questions", "answers", "cancelled", "warnings", "outcome"}
    assert made["answers"] == [
        {"id": "scope", "label": "Merge prompt and options", "wasCustom": False, "index": 2},
        {"id": "when", "label": "after the release cut", "wasCustom": True},
    ]
    assert (made["cancelled"], made["warnings"], made["outcome"]) == (False, [], "submitted")
    assert [(question["id"], question["label"], question["prompt"]) for question in made["questions"]] == [
        ("scope", "Scope", "What should the overlay keep?"),
        ("when", "When", "When should this land?"),
    ]
    assert made["questions"][0]["options"] == CALL["questions"][0]["options"]


def test_details_have_the_questions_as_they_were_shown() -> None:
    """Texts as they were cut, ids and labels as they were given by position."""
    payload = _call(
        _question(prompt="p" * 301, options=[{"label": "o" * 81, "description": "d" * 121}, {"label": "B"}]),
        _question(allowOther=False),
        _question(options=...),
    )
    first, second, third = _details(_played(payload))["questions"]
    assert first == {
        "id": "q1",
        "label": "Q1",
        "prompt": "p" * 299 + "…",
        "options": [{"label": "o" * 79 + "…", "description": "d" * 119 + "…"}, {"label": "B"}],
    }
    assert (second["id"], third["id"], third["options"]) == ("q2", "q3", [])


def test_an_index_counts_from_one_over_all_options() -> None:
    """The tenth option, which has no digit, is number 10."""
    payload = _call(_question(options=[{"label": f"L{index}"} for index in range(10)], allowOther=False))
    state = _played(payload, "end", "enter")
    assert _answers(state)[0]["index"] == 10
    assert _text(state) == "Q1: user selected: 10. L9"


def test_own_words_that_are_a_label_are_still_own_words() -> None:
    """Typing what an option says is no selection."""
    state = _played(_call(_question()), "3", "A", "enter")
    assert _answers(state) == [{"id": "q1", "label": "A", "wasCustom": True}]
    assert _text(state) == "Q1: user wrote: A"


def test_own_words_that_an_option_has_replaced_are_no_answer() -> None:
    """A draft stays out of the result."""
    state = _played(_call(_question()), "3", *"mine", "esc", "1")
    assert _answers(state) == [{"id": "q1", "label": "A", "wasCustom": False, "index": 1}]


def test_unanswered_questions_have_no_answer() -> None:
    """A question that was passed over is in no answer and has no line."""
    state = _played(CALL, "1", "tab", "enter")
    assert [answer["id"] for answer in _answers(state)] == ["scope"]
    assert _text(state) == "Scope: user selected: 1. Keep the current layout"


def test_submitting_nothing_is_allowed_and_says_so() -> None:
    """There is no answer then, it is not cancelled, and the text says that there is none (R12)."""
    state = _played(CALL, "shift+tab", "enter")
    made = _details(state)
    assert (made["outcome"], made["cancelled"], made["answers"]) == ("submitted", False, [])
    assert _text(state) == "The user submitted without answering any question."


def test_an_open_flow_has_a_result_without_an_outcome() -> None:
    """What is given so far can be read before the end."""
    state = _played(CALL, "1")
    made = _details(state)
    assert "outcome" not in made
    assert not made["cancelled"]
    assert [answer["id"] for answer in made["answers"]] == ["scope"]
    assert _text(state).startswith("Scope: user selected: 1. Keep the current layout")


def test_texts_of_the_call_come_back_as_they_were() -> None:
    """Hostile and padded texts within the bounds are in the result unchanged (R9)."""
    label = " Red\x1b[31m\u202e\\n "
    state = _played(_call(_question(id=" i ", label=" L ", prompt=label, options=[{"label": label}])), "1")
    assert _answers(state) == [{"id": " i ", "label": label, "wasCustom": False, "index": 1}]
    assert _text(state) == f" L : user selected: 1. {label}"
    assert _details(state)["questions"][0]["prompt"] == label


# Endings


@pytest.mark.parametrize("keys", [("esc",), ("ctrl+c",), ("space", "esc", "esc"), ("shift+tab", "2")], ids=" ".join)
def test_cancelled(keys: tuple[str, ...]) -> None:
    """Whoever cancels has given no answers, and the text is the document's."""
    state = _played(CALL, *keys)
    made = _details(state)
    assert (made["outcome"], made["cancelled"], made["answers"]) == ("cancelled", True, [])
    assert _text(state) == "User cancelled the questionnaire"


def test_one_question_is_cancelled_with_esc() -> None:
    """Esc leaves a plain choice list at once; with words kept it warns first, since they would be lost."""
    assert _played(ONE, "esc").outcome == "cancelled"
    kept = ("3", *"mine", "esc")
    warned = _played(ONE, *kept, "esc")
    assert facts(warned)["warned"]
    assert not warned.finished
    assert _text(_played(ONE, *kept, "esc", "esc")) == "User cancelled the questionnaire"


def test_timed_out() -> None:
    """Where the caller's limit strikes, the outcome says so and no answer is handed back."""
    state = reduce(_played(CALL, "1"), TimedOut())
    made = _details(state)
    assert (made["outcome"], made["cancelled"], made["answers"]) == ("timed_out", True, [])
    assert "in time" in _text(state)
    assert "Keep the current layout" not in _text(state)


def test_aborted() -> None:
    """Where the host ends the flow, the outcome and the reason say so and no answer is handed back."""
    state = reduce(_played(CALL, "1"), Abort("SIGTERM"))
    made = _details(state)
    assert (made["outcome"], made["cancelled"], made["answers"]) == ("aborted", True, [])
    assert made["reason"] == "SIGTERM"
    assert "SIGTERM" in _text(state)
    assert "Keep the current layout" not in _text(state)


def test_no_screen(tmp_path: Path) -> None:
    """Outside a terminal the call is an error in the document's words, with the questions and no answers."""
    reply = ask.ask_user(CALL, "bounded", tty=str(tmp_path / "none"))
    assert reply["content"] == [
        {"type": "text", "text": "Error: UI not available (running in non-interactive mode)"},
    ]
    made = reply["details"]
    assert (made["outcome"], made["cancelled"], made["answers"]) == ("no_screen", True, [])
    assert [question["id"] for question in made["questions"]] == ["scope", "when"]


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ({}, "Error: No questions provided"),
        (_call(*[_question()] * 9), "Error: too many questions (9) — the limit is 8"),
        (_call(_question(options=[{"label": "A"}] * 11)), "Error: too many options (11) — the limit is 10"),
        (_sized(40_000), "Error: arguments too large (40000 bytes) — the limit is 8192"),
    ],
    ids=["none", "questions", "options", "bytes"],
)
def test_invalid_input(payload: object, text: str, tmp_path: Path) -> None:
    """A bad call is an error result before any screen is looked for, and never an exception."""
    reply = ask.ask_user(payload, "bounded", tty=str(tmp_path / "none"))
    assert reply["content"] == [{"type": "text", "text": text}]
    made = reply["details"]
    assert (made["outcome"], made["cancelled"], made["answers"]) == ("invalid_input", True, [])
    assert made["error"]["kind"] == "invalid_input"
    assert [{*issue} for issue in made["error"]["issues"]] == [{"path", "message"}]


def test_the_endings_have_different_texts() -> None:
    """No two endings read the same."""
    opened = _played(CALL)
    ends = [_played(CALL, "esc"), reduce(opened, TimedOut()), reduce(opened, Abort("x"))]
    assert len({_text(end) for end in (*ends, _played(CALL, "shift+tab", "enter"))}) == 4


# Faults


@pytest.mark.parametrize(
    ("question", "path", "came"),
    [
        (_question(prompt=3), "questions[0].prompt", "a number"),
        (_question(prompt=...), "questions[0].prompt", "missing"),
        (_question(id=3), "questions[0].id", "a number"),
        (_question(label=["L"]), "questions[0].label", "an array"),
        (_question(allowOther="no"), "questions[0].allowOther", "a string"),
        (_question(options="A, B"), "questions[0].options", "a string"),
        (_question(options={"label": "A"}), "questions[0].options", "an object"),
        (_question(options=[3]), "questions[0].options[0]", "a number"),
        (_question(options=[{}]), "questions[0].options[0].label", "missing"),
        (_question(options=[{"label": " "}]), "questions[0].options[0].label", "blank"),
        (_question(options=[{"label": "A", "description": 3}]), "questions[0].options[0].description", "a number"),
        ([], "questions[0]", "an array"),
    ],
)
def test_a_wrong_field_is_an_issue_with_its_path(question: Any, path: str, came: str) -> None:
    """Anything of a wrong type is refused, with its place and what came; the text begins like the document's (R10)."""
    error = _refused(_call(question))
    assert [issue.path for issue in error.issues] == [path]
    assert came in error.issues[0].message
    assert str(error) == f"Error: {path}: {error.issues[0].message}"


def test_all_faults_are_told_at_once() -> None:
    """Each has a line of its own, also beside a count that is too large."""
    payload = _call(_question(prompt=3, options=["A", {}]), *[_question()] * 8)
    lines = str(_refused(payload)).split("\n")
    assert len(lines) == 4
    assert all(line.startswith("Error: ") for line in lines)
    assert "Error: too many questions (9) — the limit is 8" in lines


def test_unknown_fields_are_passed_over() -> None:
    """Fields that the dialect does not have change nothing."""
    more = _question(multiSelect=True, hint="x", options=[{"label": "A", "value": "a", "preview": "p"}, {"label": "B"}])
    assert _loaded(_call(more) | {"title": "T"}) == _loaded(_call(_question()))
