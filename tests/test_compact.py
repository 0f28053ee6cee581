"""The compact dialect: the limits of its tool definition, how its forms are answered, and what comes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ask_core as ask
from ask_core.dialects import content, details, load_form
from ask_core.dialects.compact import LIMITS
from ask_core.errors import InvalidPayload
from ask_core.events import Abort, Event, TimedOut
from ask_core.layout import layout
from ask_core.questions import Form
from ask_core.reduce import reduce
from ask_core.result import result_of
from ask_core.screen import QuestionBody, ReviewBody
from ask_core.settings import Behaviour, Settings
from ask_core.state import Noting, State, Typing
from ask_core.testing import play
from ask_core.view import view
from tests.strategies import FAMILY

APPROACH: dict[str, Any] = {
    "question": "Which approach should we take?",
    "header": "Approach",
    "options": [
        {"label": "Rewrite", "description": "Slow and clean"},
        {"label": "Patch", "description": "Fast and small"},
    ],
}
LIBRARIES: dict[str, Any] = {
    "question": "Which libraries may be used?",
    "header": "Library",
    "options": [{"label": name, "description": f"The {name} library"} for name in ("attrs", "cattrs", "blessed")],
    "multiSelect": True,
}
FREE: dict[str, Any] = {"question": "When should it be done?", "header": "When"}


def _question(**changes: Any) -> dict[str, Any]:
    return {name: value for name, value in (APPROACH | changes).items() if value is not ...}


def _options(count: int, **more: Any) -> list[dict[str, Any]]:
    return [{"label": f"L{index}", "description": f"D{index}"} | more for index in range(count)]


def _call(*questions: dict[str, Any]) -> dict[str, Any]:
    return {"questions": [*questions]}


def _loaded(payload: object) -> Form:
    return load_form(payload, "compact")


def _refused(payload: object) -> dict[str, str]:
    with pytest.raises(InvalidPayload) as caught:
        _loaded(payload)
    assert caught.value.dialect == "compact"
    heading, *lines = str(caught.value).split("\n")
    assert heading == "Invalid ask_user payload:"
    assert lines == [f"- {path}: {message}" for path, message in caught.value.issues]
    assert len(dict(caught.value.issues)) == len(caught.value.issues)
    return dict(caught.value.issues)


def _played(payload: object, *keys: str) -> State:
    settings = Settings(Behaviour(double_press_review_shortcuts=False))
    return play(payload, keys, settings=settings, dialect="compact").state


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


# Limits


def test_the_limits_are_those_of_the_tool_definition() -> None:
    """The limits live in one public object and have the numbers of the document."""
    assert LIMITS._asdict() == {
        "questions": 4,
        "least_options": 2,
        "options": 4,
        "question": 1000,
        "header": 16,
        "label": 60,
        "description": 300,
    }


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_one_to_four_questions_are_taken(count: int) -> None:
    """minItems 1 and maxItems 4."""
    assert len(_loaded(_call(*[APPROACH] * count)).questions) == count


@pytest.mark.parametrize("count", [0, 5, 9])
def test_no_questions_or_more_than_four_are_an_issue(count: int) -> None:
    """The issue names the limit and how many came."""
    issues = _refused(_call(*[APPROACH] * count))
    assert [*issues] == ["questions"]
    assert "1 to 4 questions" in issues["questions"]
    assert f"got {count or 'none'}" in issues["questions"]


@pytest.mark.parametrize("payload", [{}, {"questions": None}, {"title": "T"}])
def test_questions_are_required(payload: object) -> None:
    """A call without the list is an issue at `questions`."""
    assert [*_refused(payload)] == ["questions"]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_two_to_four_options_are_taken(count: int) -> None:
    """minItems 2 and maxItems 4, in the order they were sent: the recommended one comes first."""
    question = _loaded(_call(_question(options=_options(count)))).questions[0]
    assert [option.label for option in question.options] == [f"L{index}" for index in range(count)]
    assert [option.description for option in question.options] == [f"D{index}" for index in range(count)]


@pytest.mark.parametrize("count", [0, 1, 5, 30])
def test_fewer_than_two_or_more_than_four_options_are_an_issue(count: int) -> None:
    """The issue names the limit and how many came, and what to do for an answer in own words."""
    issues = _refused(_call(FREE, _question(options=_options(count))))
    assert [*issues] == ["questions[1].options"]
    message = issues["questions[1].options"]
    assert "2 to 4 options" in message
    assert f"got {count or 'none'}" in message
    assert "leave options out" in message


TEXTS = {
    "question": (1000, "questions[0].question"),
    "header": (16, "questions[0].header"),
    "label": (60, "questions[0].options[1].label"),
    "description": (300, "questions[0].options[1].description"),
}
texts = pytest.mark.parametrize(("name", "limit", "path"), [(name, *rest) for name, rest in TEXTS.items()], ids=TEXTS)


def _with_text(name: str, text: str) -> dict[str, Any]:
    if name in ("label", "description"):
        return _call(_question(options=[*_options(1), _options(1)[0] | {name: text}]))
    return _call(_question(**{name: text}))


def _of_characters(unit: str, count: int) -> str:
    """A text of so many characters made of whole units as far as they go."""
    return unit * (count // len(unit)) + "x" * (count % len(unit))


@texts
@pytest.mark.parametrize("unit", ["x", "日", FAMILY, "e\u0301", "\U0001f44d"], ids=ascii)
def test_a_text_of_as_many_characters_as_its_limit_is_taken_as_it_is(
    name: str, limit: int, path: str, unit: str
) -> None:
    """Lengths count characters as the tool definition's JSON Schema does: code points, whatever they draw."""
    text = _of_characters(unit, limit)
    assert len(text) == limit
    question = _loaded(_with_text(name, text)).questions[0]
    found = {
        "question": question.prompt,
        "header": question.label,
        "label": question.options[-1].label,
        "description": question.options[-1].description,
    }
    assert found[name] == text


@texts
@pytest.mark.parametrize("more", [1, 50])
@pytest.mark.parametrize("unit", ["x", "日", FAMILY, "e\u0301"], ids=ascii)
def test_a_longer_text_is_an_issue_and_is_never_cut(name: str, limit: int, path: str, unit: str, more: int) -> None:
    """The issue names the limit and the length that came."""
    issues = _refused(_with_text(name, _of_characters(unit, limit + more)))
    assert [*issues] == [path]
    assert f"at most {limit} characters" in issues[path]
    assert f"got {limit + more}" in issues[path]


@pytest.mark.parametrize(
    ("question", "path"),
    [
        (_question(question=...), "questions[0].question"),
        (_question(question=None), "questions[0].question"),
        (_question(question=""), "questions[0].question"),
        (_question(question=" \n"), "questions[0].question"),
        (_question(question=3), "questions[0].question"),
        (_question(header=...), "questions[0].header"),
        (_question(header=None), "questions[0].header"),
        (_question(header="  "), "questions[0].header"),
        (_question(header=["H"]), "questions[0].header"),
        (_question(options=[*_options(1), {"description": "D"}]), "questions[0].options[1].label"),
        (_question(options=[*_options(1), {"label": "L"}]), "questions[0].options[1].description"),
        (_question(options=[*_options(1), {"label": "L", "description": 3}]), "questions[0].options[1].description"),
        (_question(options=[*_options(1), None]), "questions[0].options[1]"),
        (_question(options="Rewrite, Patch"), "questions[0].options"),
        (_question(options={"a": "Rewrite"}), "questions[0].options"),
        (_question(multiSelect="yes"), "questions[0].multiSelect"),
        (_question(multiSelect=1), "questions[0].multiSelect"),
    ],
)
def test_a_missing_or_wrong_field_is_an_issue_with_its_path(question: dict[str, Any], path: str) -> None:
    """question, header, label and description are required, and every field has its type (R10)."""
    assert [*_refused(_call(question))] == [path]


def test_all_faults_are_told_at_once() -> None:
    """Counts, lengths and types of the whole call are in one text, in the order of the call."""
    bad = _question(header="h" * 17, multiSelect=0, options=[*_options(4), {"label": "l" * 61}])
    assert [*_refused(_call(bad, {}, *[APPROACH] * 3))] == [
        "questions",
        "questions[0].header",
        "questions[0].multiSelect",
        "questions[0].options",
        "questions[0].options[4].label",
        "questions[0].options[4].description",
        "questions[1].question",
        "questions[1].header",
    ]


@pytest.mark.parametrize("description", ["", " \n"])
def test_an_empty_description_breaks_no_rule(description: str) -> None:
    """The tool definition has no least length for it, so the option is taken and shows none."""
    question = _loaded(_call(_question(options=_options(2, description=description)))).questions[0]
    assert [option.description or None for option in question.options] == [None, None]


@pytest.mark.parametrize("field", ["options", "multiSelect"])
def test_null_for_an_optional_field_means_left_out(field: str) -> None:
    """`null` is the same as no field (R10)."""
    assert _loaded(_call(_question(**{field: None}))) == _loaded(_call(_question(**{field: ...})))


# What is asked


def test_a_question_is_asked_with_its_text_header_and_options() -> None:
    """The person sees the question, its header, the labels and their descriptions."""
    state = _played(_call(APPROACH, FREE))
    shown = layout(view(state), 80, 24).text()
    for text in ("Which approach should we take?", "Approach", "Rewrite", "Slow and clean", "Patch", "When"):
        assert text in shown
    assert [tab.label for tab in view(state).tabs] == ["Approach", "When", "Review"]


def test_a_row_for_own_words_is_added() -> None:
    """After the options comes one row for own words, in single and multiple choice."""
    for question in (APPROACH, LIBRARIES):
        rows = _body(_played(_call(question))).rows
        assert [row.own_words for row in rows] == [False] * len(question["options"]) + [True]
    state = _played(_call(APPROACH), "3", *"Neither", "enter", "enter")
    assert _text(state) == "Approach: Neither"


def test_a_question_without_options_is_free_text() -> None:
    """Its one row is for own words, and the editor is open."""
    state = _played(_call(FREE))
    assert isinstance(state.mode, Typing)
    assert [row.own_words for row in _body(state).rows] == [True]
    assert _text(_played(_call(FREE), *"in May", "enter", "enter")) == "When: in May"


@pytest.mark.parametrize("flag", [..., False, None])
def test_one_option_is_selected_unless_multi_select_is_true(flag: object) -> None:
    """multiSelect defaults to false: another choice replaces the first."""
    state = _played(_call(_question(multiSelect=flag)), "space", "down", "space", "tab", "enter")
    assert _answers(state) == [{"header": "Approach", "selected": ["Patch"]}]


def test_several_options_are_selected_where_multi_select_is_true() -> None:
    """They are in the order of the options, whatever the order of the keys, own words last (R3)."""
    state = _played(_call(LIBRARIES), "3", "1", "4", *"rich", "enter", "tab", "enter")
    assert _text(state) == "Library: attrs, blessed, rich"
    assert _answers(state) == [{"header": "Library", "selected": ["attrs", "blessed"], "text": "rich"}]


def test_free_text_is_free_text_with_multi_select_too() -> None:
    """multiSelect means nothing where there is nothing to select."""
    state = _played(_call(FREE | {"multiSelect": True}), *"soon", "enter", "tab", "enter")
    assert _answers(state) == [{"header": "When", "selected": [], "text": "soon"}]


def test_the_review_submits_or_cancels_and_nothing_else() -> None:
    """There is nothing to elaborate."""
    body = view(_played(_call(APPROACH), "tab")).body
    assert isinstance(body, ReviewBody)
    assert [action.label for action in body.actions] == ["Submit", "Cancel"]
    assert _played(_call(APPROACH), "tab", "2").outcome == "cancelled"


@pytest.mark.parametrize("key", ["n", "N", "t"])
def test_there_are_no_notes_and_no_type_key(key: str) -> None:
    """Their keys change nothing on a question of either kind, and no hint names them."""
    for question in (APPROACH, LIBRARIES):
        state = _played(_call(question), "space")
        after = reduce(state, ask.Key(key))
        assert after is state
        assert not isinstance(after.mode, Noting)
        assert not any("note" in hint.does or "type" in hint.does for hint in view(state).hints)


def test_equal_labels_stay_options_of_their_own() -> None:
    """Both can be chosen, each for itself."""
    twice = _question(options=_options(2, label="Same"), multiSelect=True)
    assert len(_loaded(_call(twice)).questions[0].options) == 2
    assert _answers(_played(_call(twice), "1", "2", "tab", "enter"))[0]["selected"] == ["Same", "Same"]
    assert _played(_call(twice), "2").answers[0].selected == (1,)


def test_equal_headers_stay_questions_of_their_own() -> None:
    """Each is answered for itself, and the answers come in the order of the questions under the header as sent."""
    payload = _call(APPROACH, _question(question="And then?"))
    state = _played(payload, "1", "2", "enter")
    assert _answers(state) == [
        {"header": "Approach", "selected": ["Rewrite"]},
        {"header": "Approach", "selected": ["Patch"]},
    ]
    assert _text(state) == "Approach: Rewrite\nApproach: Patch"


# Results


def test_the_result_has_a_line_a_question() -> None:
    """`HEADER: A, B`, `HEADER: WORDS`, in the order of the questions."""
    state = _played(_call(APPROACH, LIBRARIES, FREE), "2", "1", "3", "tab", *"in May", "enter", "enter")
    assert state.outcome == "submitted"
    assert _text(state).split("\n") == ["Approach: Patch", "Library: attrs, blessed", "When: in May"]


def test_a_question_without_an_answer_says_so() -> None:
    """Its line is there and is no answer."""
    state = _played(_call(APPROACH, LIBRARIES, FREE), "tab", "1", "tab", "tab", "enter")
    first, second, third = _text(state).split("\n")
    assert second == "Library: attrs"
    for line, header in ((first, "Approach"), (third, "When")):
        assert line.startswith(f"{header}: ")
        assert "not answered" in line
    assert [answer["header"] for answer in _answers(state)] == ["Library"]


def test_submitting_nothing_is_allowed_and_says_so() -> None:
    """There is no answer, it is not cancelled, and every line says that there is none."""
    state = _played(_call(APPROACH, FREE), "shift+tab", "enter")
    made = _details(state)
    assert (made["outcome"], made["cancelled"], made["answers"]) == ("submitted", False, [])
    assert all("not answered" in line for line in _text(state).split("\n"))


def test_details_have_the_compact_shape() -> None:
    """questions with question and header; answers with header, selected and the text of own words; how it ended."""
    state = _played(_call(APPROACH, LIBRARIES, FREE), "2", "3", "2", "tab", *"in May", "enter", "enter")
    assert _details(state) == {
        "questions": [
            {"question": "Which approach should we take?", "header": "Approach"},
            {"question": "Which libraries may be used?", "header": "Library"},
            {"question": "When should it be done?", "header": "When"},
        ],
        "answers": [
            {"header": "Approach", "selected": ["Patch"]},
            {"header": "Library", "selected": ["cattrs", "blessed"]},
            {"header": "When", "selected": [], "text": "in May"},
        ],
        "cancelled": False,
        "outcome": "submitted",
    }


def test_own_words_that_an_option_has_replaced_are_no_answer() -> None:
    """A draft stays out of the result."""
    state = _played(_call(APPROACH), "3", *"mine", "esc", "1", "enter")
    assert _answers(state) == [{"header": "Approach", "selected": ["Rewrite"]}]
    assert _text(state) == "Approach: Rewrite"


def test_texts_of_the_call_come_back_as_they_were() -> None:
    """Hostile and padded texts within the limits are in the result unchanged (R9)."""
    text = " A\x1b[31m\u202e\\n "
    payload = _call(_question(question=text, header=text, options=_options(2, label=text)))
    state = _played(payload, "1", "enter")
    assert _details(state)["questions"] == [{"question": text, "header": text}]
    assert _answers(state) == [{"header": text, "selected": [text]}]
    assert _text(state) == f"{text}: {text}"


def test_an_open_flow_has_a_result_without_an_outcome() -> None:
    """What is given so far can be read before the end."""
    state = _played(_call(APPROACH, FREE), "1")
    made = _details(state)
    assert "outcome" not in made
    assert not made["cancelled"]
    assert made["answers"] == [{"header": "Approach", "selected": ["Rewrite"]}]
    assert _text(state).split("\n")[0] == "Approach: Rewrite"


# Endings


@pytest.mark.parametrize("keys", [("esc",), ("ctrl+c",), ("tab", "2"), ("tab", "down", "enter")], ids=" ".join)
def test_cancelled(keys: tuple[str, ...]) -> None:
    """A person's leaving is told apart and invents no answer (R4)."""
    state = _played(_call(APPROACH), *keys)
    made = _details(state)
    assert (made["outcome"], made["cancelled"], made["answers"]) == ("cancelled", True, [])
    assert "cancelled" in _text(state)


def test_timed_out() -> None:
    """Where the caller's limit strikes, the outcome and the text say so."""
    state = reduce(_played(_call(APPROACH)), TimedOut())
    made = _details(state)
    assert (made["outcome"], made["cancelled"], made["answers"]) == ("timed_out", True, [])
    assert "in time" in _text(state)


def test_aborted() -> None:
    """Where the host ends the flow, the outcome and the reason say so."""
    state = reduce(_played(_call(APPROACH)), Abort("SIGTERM"))
    made = _details(state)
    assert (made["outcome"], made["cancelled"], made["answers"]) == ("aborted", True, [])
    assert made["reason"] == "SIGTERM"
    assert "SIGTERM" in _text(state)


@pytest.mark.parametrize("ending", [None, TimedOut(), Abort("x")], ids=["cancelled", "timed_out", "aborted"])
def test_answers_given_before_the_end_are_in_the_result(ending: Event | None) -> None:
    """However it ends, what was chosen and written until then is there; a question without an answer is not."""
    payload = _call(APPROACH, FREE, LIBRARIES)
    state = _played(payload, "2", *"in May", "enter")
    state = _played(payload, "2", *"in May", "enter", "esc", "esc") if ending is None else reduce(state, ending)
    made = _details(state)
    assert made["cancelled"]
    assert made["answers"] == [
        {"header": "Approach", "selected": ["Patch"]},
        {"header": "When", "selected": [], "text": "in May"},
    ]
    assert {"Approach: Patch", "When: in May"} <= {*_text(state).split("\n")}


def test_no_ending_but_submitting_reads_like_an_answer() -> None:
    """With an answer given before, the text of every other ending begins with what happened, and all differ."""
    opened = _played(_call(APPROACH), "space")
    ends = [_played(_call(APPROACH), "space", "esc", "esc"), reduce(opened, TimedOut()), reduce(opened, Abort("x"))]
    first_lines = [_text(end).split("\n")[0] for end in ends]
    assert len({*first_lines}) == 3
    assert not any(line.startswith("Approach") for line in first_lines)
    assert all("not submitted" in _text(end) for end in ends)


def test_no_screen(tmp_path: Path) -> None:
    """Without a terminal the text asks for input with every question and option, and there are no answers."""
    reply = ask.ask_user(_call(APPROACH, LIBRARIES, FREE), "compact", tty=str(tmp_path / "none"))
    [part] = reply["content"]
    for text in ("Which approach should we take?", "Rewrite", "Fast and small", "blessed", "When should it be done?"):
        assert text in part["text"]
    made = reply["details"]
    assert (made["outcome"], made["cancelled"], made["answers"]) == ("no_screen", True, [])
    assert [question["header"] for question in made["questions"]] == ["Approach", "Library", "When"]


def test_invalid_input(tmp_path: Path) -> None:
    """A bad call is an error result before any terminal is looked for, with its issues, and never an exception."""
    reply = ask.ask_user(_call(_question(header="h" * 17)), "compact", tty=str(tmp_path / "none"))
    made = reply["details"]
    assert (made["outcome"], made["cancelled"], made["answers"]) == ("invalid_input", True, [])
    assert [issue["path"] for issue in made["error"]["issues"]] == ["questions[0].header"]
    assert reply["content"][0]["text"].startswith("Invalid ask_user payload:\n- questions[0].header: ")
