"""The compact dialect: 1 to 4 questions[question, header, options[label, description], multiSelect].

A question without options is answered in own words. Texts stay as they came (R9), and anything over a limit is an
issue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from attrs import evolve

from ask_core.errors import Issue
from ask_core.payload import JsonObject, Reader, distinct, issues_text
from ask_core.questions import Flow, Form, Option, Question
from ask_core.result import Result, answer_labels
from ask_core.summary import needs_input, not_sent
from ask_core.text.trim import is_blank

NAME = "compact"


class Limits(NamedTuple):
    """The most questions, the least and the most options of a question, and the most characters of each text."""

    questions: int = 4
    least_options: int = 2
    options: int = 4
    question: int = 1000
    header: int = 16
    label: int = 60
    description: int = 300


LIMITS = Limits()

_FLOW = Flow(review_actions=("submit", "cancel"), notes=False, retyping=False)
_SHAPE = '{"question": "...", "header": "...", "options": [{"label": "...", "description": "..."}]}'
_QUESTIONS = f"1 to {LIMITS.questions} questions"
_OPTIONS = f"{LIMITS.least_options} to {LIMITS.options} options"


def load(payload: object) -> tuple[Form, tuple[Issue, ...]]:
    """The form in `payload` and everything wrong with it; the form counts only where nothing is."""
    reader = Reader()
    questions: list[Question] = []
    root = reader.mapping(payload, "payload", 'an object with "questions"')
    if root is not None:
        items = reader.items(root, "questions", "", _QUESTIONS, most=LIMITS.questions, shape=_SHAPE)
        for index, item in enumerate(items):
            path = f"questions[{index}]"
            example = '{"question": TEXT, "header": "..."}'
            fields = reader.mapping(item, path, "an object with question and header", example)
            if fields is not None:
                questions.append(_question(reader, fields, path))
    ids = distinct([question.label for question in questions])
    named = tuple(evolve(question, id=id) for question, id in zip(questions, ids, strict=True))
    return Form(NAME, named, flow=_FLOW), tuple(reader.issues)


def error_text(issues: Iterable[Issue]) -> str:
    """The text for the model that sent a payload with these faults."""
    return issues_text(issues)


def content(result: Result) -> str:
    """The text for the model: a line a question."""
    match result.outcome:
        case "no_screen":
            return needs_input(result)
        case "submitted" | None:
            return "\n".join(_answers(result, unanswered="not answered"))
        case _:
            return not_sent(result, _answers(result, unanswered=""))


def _answers(result: Result, *, unanswered: str) -> Iterator[str]:
    for question, answer in zip(result.form.questions, result.answers, strict=True):
        given = ", ".join(answer_labels(question, answer)) or unanswered
        if given:
            yield f"{question.label}: {given}"


def _question(reader: Reader, item: JsonObject, path: str) -> Question:
    """A question that has its header for an id as well."""
    text = reader.required_text(item, "question", path, ("prompt", "text", "title"), trimmed=str, most=LIMITS.question)
    near = ("label", "title", "name")
    header = reader.required_text(item, "header", path, near, trimmed=str, most=LIMITS.header)
    several = reader.optional_flag(item, "multiSelect", path)
    options = _options(reader, item, path)
    return Question(header, header, text, "multi" if several else "single", options, freeform=not options)


def _options(reader: Reader, item: JsonObject, path: str) -> tuple[Option, ...]:
    """The options, none where they are left out. Equal labels stay options of their own."""
    if item.get("options") is None:
        return ()
    options: list[Option] = []
    least, most = LIMITS.least_options, LIMITS.options
    mend = " For an answer in own words, leave options out."
    for index, value in enumerate(reader.items(item, "options", path, _OPTIONS, least=least, most=most, mend=mend)):
        place = f"{path}.options[{index}]"
        example = '{"label": TEXT, "description": "..."}'
        fields = reader.mapping(value, place, "an object with label and description", example)
        if fields is not None:
            options.append(_option(reader, fields, place))
    values = distinct([option.label for option in options])
    return tuple(evolve(option, value=value) for option, value in zip(options, values, strict=True))


def _option(reader: Reader, fields: JsonObject, path: str) -> Option:
    near = ("text", "name", "value", "title")
    label = reader.required_text(fields, "label", path, near, trimmed=str, most=LIMITS.label)
    description = reader.any_text(fields, "description", path, needed=True, most=LIMITS.description)
    # A blank one breaks no rule of the tool's definition.
    return Option(label, label, None if description is None or is_blank(description) else description)
