"""The bounded dialect: 1 to 8 questions[prompt, options[label, description], id, label, allowOther].

Bounds come first, in this order: the size of the whole call, its shape, its counts; any of these refuses it. Texts that
are too long are cut, with a warning. One question is sent by choosing its answer. Lengths count graphemes, the
ellipsis included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from attrs import evolve

from ask_core.errors import Issue
from ask_core.payload import JsonObject, Reader, alone, distinct, first_of, quoted
from ask_core.questions import Flow, Form, Option, Question, default_label
from ask_core.result import Result
from ask_core.text.graphemes import clusters
from ask_core.text.trim import is_blank

NAME = "bounded"


class Limits(NamedTuple):
    """The most questions and options, the most graphemes of each text, and the most bytes of the whole call."""

    questions: int = 8
    options: int = 10
    id: int = 32
    label: int = 24
    option_label: int = 80
    prompt: int = 300
    description: int = 120
    budget_bytes: int = 8192


LIMITS = Limits()

# The words of the dialect's document. Issues that begin with one of them stand for themselves, without their path.
_NO_QUESTIONS = "No questions provided"
_TOO_LARGE = "arguments too large"
_TOO_MANY = "too many"
_OWN_TEXTS = (_NO_QUESTIONS, _TOO_LARGE, _TOO_MANY)
_OWN_WORDS = "Type something."
_SHAPE = '{"prompt": "...", "options": [{"label": "..."}]}'
_ELLIPSIS = "…"


def load(payload: object) -> tuple[Form, tuple[Issue, ...]]:
    """The form in `payload` and everything wrong with it; the form counts only where nothing is."""
    reader = _Bounds()
    questions: tuple[Question, ...] = ()
    size = _bytes_of(payload)
    if size is None:
        reader.refuse(
            "payload", "must be JSON: text, numbers, booleans, null, arrays and objects, not too deeply nested."
        )
    elif size > LIMITS.budget_bytes:
        reader.refuse("payload", f"{_TOO_LARGE} ({size} bytes) — the limit is {LIMITS.budget_bytes}")
    else:
        root = reader.mapping(payload, "payload", 'an object with "questions"')
        questions = () if root is None else _questions(reader, root)
    flow = Flow(
        review="Submit" if len(questions) > 1 else None,
        to_review="to Submit",
        review_actions=("submit", "cancel"),
        notes=False,
        retyping=False,
        own_words=_OWN_WORDS,
        freeform=_OWN_WORDS,
    )
    form = Form(NAME, questions, flow=flow, warnings=tuple(reader.warnings), truncated=reader.truncated)
    return form, tuple(reader.issues)


def error_text(issues: Iterable[Issue]) -> str:
    """The text for the model that sent a payload with these faults."""
    lines: list[str] = []
    for path, message in issues:
        if message.startswith(_OWN_TEXTS):
            lines += [line for line in (f"Error: {message}",) if line not in lines]
        elif path in ("payload", "questions"):
            headline = f"Error: {_NO_QUESTIONS}"
            lines += [*([] if headline in lines else [headline]), f"{path}: {message}"]
        else:
            lines.append(f"Error: {path}: {message}")
    return "\n".join(first_of(lines))


def content(result: Result) -> str:
    """The text for the model: a line for each answer, and how many texts were cut."""
    match result.outcome:
        case "no_screen":
            return "Error: UI not available (running in non-interactive mode)"
        case "cancelled":
            return "User cancelled the questionnaire"
        case "timed_out":
            return "The user did not answer the questionnaire in time"
        case "aborted":
            reason = f": {result.reason}" if result.reason else ""
            return f"The questionnaire was ended before the user sent it{reason}"
        case _:
            cut = f"note: {result.form.truncated} field(s) truncated"
            lines = [*_answers(result)] or ["The user submitted without answering any question."]
            return "\n".join([*lines, *([cut] if result.form.truncated else [])])


def _answers(result: Result) -> Iterator[str]:
    for question, answer in zip(result.form.questions, result.answers, strict=True):
        if answer.custom_selected:
            yield f"{question.label}: user wrote: {answer.custom}"
        elif answer.selected:
            (option,) = answer.selected
            yield f"{question.label}: user selected: {option + 1}. {question.options[option].label}"


class _Bounds(Reader):
    """A reader that cuts what is too long. `warnings` say what, `truncated` counts it."""

    def __init__(self) -> None:
        super().__init__()
        self.warnings: list[str] = []
        self.truncated = 0

    def warn(self, path: str, message: str) -> None:
        """Report a change that was made to the call."""
        self.warnings.append(f"{path}: {message}")

    def cut(self, text: str, limit: int, path: str) -> str:
        """The text in at most `limit` graphemes, the last of them an ellipsis where some are missing."""
        if len(text) <= limit:
            return text
        kept = [*islice(clusters(text), limit + 1)]
        if len(kept) <= limit:
            return text
        self.truncated += 1
        self.warn(path, f"cut to {limit} characters")
        return "".join(kept[: limit - 1]) + _ELLIPSIS

    def given(self, owner: JsonObject, name: str, path: str, limit: int) -> str | None:
        """The optional text `owner[name]` within its limit; None where it is left out or blank."""
        text = self.any_text(owner, name, path)
        return None if text is None or is_blank(text) else self.cut(text, limit, f"{path}.{name}")


def _bytes_of(payload: object) -> int | None:
    """The size of the call as compact JSON in UTF-8; None where it is nothing that JSON can hold."""
    import json  # only this dialect needs it before the first frame (T9)

    try:
        text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"), default=_as_json)
    except (TypeError, ValueError, RecursionError):
        return None
    return len(text.encode("utf-8", "surrogatepass"))


def _as_json(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return list(value)
    raise TypeError(type(value).__name__)


def _questions(reader: _Bounds, root: JsonObject) -> tuple[Question, ...]:
    items: Sequence[object] = ()
    if root.get("questions") in (None, [], ()) and not alone(root, _SHAPE):
        reader.refuse("questions", _NO_QUESTIONS)
    else:
        items = reader.items(root, "questions", "", f"1 to {LIMITS.questions} questions", shape=_SHAPE)
    if len(items) > LIMITS.questions:
        reader.refuse("questions", _too_many("questions", items, LIMITS.questions))
    questions = []
    for index, item in enumerate(items):
        path = f"questions[{index}]"
        fields = reader.mapping(item, path, "an object with prompt", '{"prompt": TEXT}')
        if fields is not None:
            questions.append(_question(reader, fields, index, path, only=len(items) == 1))
    return _with_ids(reader, questions)


def _too_many(of: str, items: Sequence[object], limit: int) -> str:
    return f"{_TOO_MANY} {of} ({len(items)}) — the limit is {limit}"


def _question(reader: _Bounds, item: JsonObject, index: int, path: str, *, only: bool) -> Question:
    """A question whose id is blank where none is given; faults say which it is unless it is the `only` one."""
    id = reader.given(item, "id", path, LIMITS.id) or ""
    label = reader.given(item, "label", path, LIMITS.label) or default_label(index)
    prompt = reader.required_text(item, "prompt", path, near=("question", "text", "message"), trimmed=str)
    prompt = reader.cut(prompt, LIMITS.prompt, f"{path}.prompt")
    allow_other = reader.optional_flag(item, "allowOther", path, default=True)
    options = _options(reader, item, path, "" if only else f" ({path})")
    return Question(id, label, prompt, "single", options, freeform=not options, own_words=allow_other or not options)


def _options(reader: _Bounds, item: JsonObject, path: str, which: str) -> tuple[Option, ...]:
    if item.get("options") is None:
        return ()
    items = reader.items(item, "options", path, f"up to {LIMITS.options} options", least=0)
    if len(items) > LIMITS.options:
        reader.refuse(f"{path}.options", f"{_too_many('options', items, LIMITS.options)}{which}")
    labels, descriptions = [], []
    for index, value in enumerate(items):
        place = f"{path}.options[{index}]"
        fields = reader.mapping(value, place, "an object with label", '{"label": TEXT}')
        if fields is not None:
            label = reader.required_text(fields, "label", place, near=("text", "name", "value", "title"), trimmed=str)
            labels.append(reader.cut(label, LIMITS.option_label, f"{place}.label"))
            descriptions.append(reader.given(fields, "description", place, LIMITS.description))
    # Equal labels stay options of their own.
    return tuple(map(Option, distinct(labels), labels, descriptions))


def _with_ids(reader: _Bounds, questions: list[Question]) -> tuple[Question, ...]:
    """The questions, each with an id of its own: q1, q2, ... where none was given, with a number where it is taken."""

    def numbered(id: str, number: int) -> str:
        end = f"-{number}"
        return "".join(islice(clusters(id), LIMITS.id - len(end))) + end

    # Those that were given stay if they can.
    order = sorted(range(len(questions)), key=lambda index: not questions[index].id)
    wanted = [questions[index].id or f"q{index + 1}" for index in order]
    for index, id, unique in zip(order, wanted, distinct(wanted, numbered), strict=True):
        if id != unique:
            reader.warn(f"questions[{index}].id", f"{quoted(id)} is taken, so it is {quoted(unique)} now")
        questions[index] = evolve(questions[index], id=unique)
    return tuple(questions)
