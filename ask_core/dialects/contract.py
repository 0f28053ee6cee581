"""The contract dialect: title, questions[id, label, prompt, type, required, options[value, label, ...]].

Contract, "Input rules"; rulings R9 and R10.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from ask_core.errors import Issue
from ask_core.payload import JsonObject, Reader, issues_text, kind_of, quoted
from ask_core.questions import Form, Option, Question, QuestionType, default_label
from ask_core.result import Result
from ask_core.summary import contract_content
from ask_core.text.trim import is_blank, trim_lines

NAME = "contract"

_TYPES = ("single", "multi", "preview")
_SHAPE = '{"id": "...", "prompt": "...", "options": [{"value": "...", "label": "..."}]}'
_PREVIEW = ', "preview": "..."'


def load(payload: object, *, allow_freeform: bool = False) -> tuple[Form, tuple[Issue, ...]]:
    """The form in `payload` and everything wrong with it; the form counts only where nothing is.

    `allow_freeform` permits the internal option marker `freeform`, which no tool call may use.
    """
    reader = Reader()
    title = None
    questions: list[Question] = []
    root = reader.mapping(payload, "payload", 'an object with "questions"')
    if root is not None:
        title = reader.any_text(root, "title", "")
        places: list[str] = []
        for index, item in enumerate(reader.items(root, "questions", "", "at least one question", shape=_SHAPE)):
            path = f"questions[{index}]"
            fields = reader.mapping(item, path, "an object with id, prompt and options")
            if fields is not None:
                questions.append(_question(reader, fields, index, path, allow_freeform))
                places.append(path)
        _refuse_repeats(reader, "id", zip(places, (question.id for question in questions), strict=True))
    return Form(NAME, tuple(questions), title), tuple(reader.issues)


def error_text(issues: Iterable[Issue]) -> str:
    """The text for the model that sent a payload with these faults."""
    return issues_text(issues)


def content(result: Result) -> str:
    """The text for the model."""
    return contract_content(result)


def _question(reader: Reader, item: JsonObject, index: int, path: str, allow_freeform: bool) -> Question:
    id = reader.required_text(item, "id", path, near=("name", "key"))
    label = reader.optional_text(item, "label", path)
    prompt = reader.required_text(item, "prompt", path, near=("question", "text", "message"))
    type = _type(reader, item, f"{path}.type")
    required = reader.optional_flag(item, "required", path)
    options, freeform = _options(reader, item, path, type, allow_freeform)
    return Question(id, label or default_label(index), prompt, type, options, required, freeform)


def _type(reader: Reader, item: JsonObject, path: str) -> QuestionType:
    value = item.get("type")
    if value is None:
        return "single"
    if isinstance(value, str) and value in _TYPES:
        return cast(QuestionType, value)
    got = quoted(value) if isinstance(value, str) else kind_of(value)
    reader.refuse(path, f'must be "single", "multi" or "preview", got {got}.')
    return "single"


def _options(
    reader: Reader, item: JsonObject, path: str, type: QuestionType, allow_freeform: bool
) -> tuple[tuple[Option, ...], bool]:
    options: list[Option] = []
    places: list[str] = []
    markers = 0
    preview_needed = type == "preview"
    items = reader.items(item, "options", path, "at least one option")
    example = f'{{"value": TEXT, "label": TEXT{_PREVIEW if type == "preview" else ""}}}'
    for index, value in enumerate(items):
        place = f"{path}.options[{index}]"
        fields = reader.mapping(value, place, "an object with value and label", example)
        if fields is None:
            continue
        markers += reader.optional_flag(fields, "freeform", place)
        options.append(_option(reader, fields, place, preview_needed=preview_needed))
        places.append(place)
    if markers and not allow_freeform:
        reader.refuse(f"{path}.options", 'must not use "freeform": every question gets a row for own words anyway.')
    elif markers and len(items) > 1:
        reader.refuse(f"{path}.options", "a freeform option must be the only option of its question.")
    _refuse_repeats(reader, "value", zip(places, (option.value for option in options), strict=True))
    return tuple(options), markers > 0


def _option(reader: Reader, fields: JsonObject, path: str, *, preview_needed: bool) -> Option:
    value = reader.required_text(fields, "value", path, near=("id", "key"))
    label = reader.required_text(fields, "label", path, near=("text", "name", "title"))
    description = reader.optional_text(fields, "description", path)
    preview = _preview(reader, fields, path, needed=preview_needed)
    return Option(value, label, description, preview)


def _preview(reader: Reader, fields: JsonObject, path: str, *, needed: bool) -> str | None:
    """The preview text; a question of type preview needs one for every option."""
    value = fields.get("preview")
    if value is None and not needed:
        return None
    if needed and (value is None or (isinstance(value, str) and is_blank(value))):
        reader.refuse(
            f"{path}.preview",
            'every option of a "preview" question needs preview text, a description does not count. '
            'Add the text, or set the question to type "single".',
        )
        return None
    return reader.optional_text(fields, "preview", path, trimmed=trim_lines)


def _refuse_repeats(reader: Reader, name: str, values: Iterable[tuple[str, str]]) -> None:
    """Report every later use of a value that must be unique among its neighbours, by their paths and its name."""
    first: dict[str, str] = {}
    for path, value in values:
        if value and first.setdefault(value, path) != path:
            reader.refuse(
                f"{path}.{name}", f"{quoted(value)} is already used by {first[value]}.{name}. Make it unique."
            )
