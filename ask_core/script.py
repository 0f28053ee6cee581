"""Answers from a file in place of a person: checked against the form, then given by keys like a person's.

Every fault is an issue with its path; nothing is guessed and nothing is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ask_core.errors import AskError, Issue
from ask_core.payload import kind_of, quoted
from ask_core.questions import Form, Question, QuestionType, ReviewAction
from ask_core.settings import Settings
from ask_core.state import State, start
from ask_core.text.clean import clean_line, normalise_paste
from ask_core.text.trim import is_blank
from ask_core.typist import Typist

# Characters of a path that are told.
_PATH = 200
_FIELDS = ("values", "customText", "note", "optionNotes")
# What a result holds besides, so that a result can be given as answers: all of it follows from the others.
_DERIVED = ("labels", "indices")
_RESULT_FIELDS = (
    *("answers", "mode", "title", "cancelled", "questions", "outcome", "reason"),
    *("continuation", "elaboration", "warnings"),
)


class InvalidAnswers(AskError, ValueError):
    """Answers that do not fit their form; `issues` lists every fault with its path."""

    def __init__(self, issues: tuple[Issue, ...]) -> None:
        super().__init__("; ".join(f"{path}: {message}" for path, message in issues))
        self.issues = issues


class _Given(NamedTuple):
    """What is to be given to one question: options by their index, own words, notes, handled as this type."""

    type: QuestionType
    options: tuple[int, ...]
    custom: str | None
    note: str | None
    option_notes: tuple[tuple[int, str], ...]


def answer_form(form: Form, answers: object) -> State:
    """The state of a flow that these answers have been given to and that has ended in their mode.

    `answers` is an object of answers by question id, or one with these under `answers` and a `mode`: `submit` (unless
    said), `elaborate` or `cancel`. An answer is an object with `values`, `customText`, `note` and `optionNotes`, all of
    them optional, or just its values: a list, or a single text. The details of a result are answers, too, in each
    dialect. Raises InvalidAnswers.
    """
    issues: list[Issue] = []
    given, mode = _read(form, answers, issues)
    if issues:
        # Ids and fields of the answers stand in the paths.
        raise InvalidAnswers(tuple(Issue(clean_line(path[:_PATH]), message) for path, message in issues))
    typist = Typist(start(form, Settings()))
    # Without a review, giving the last answer is sending it.
    for tab, answer in sorted(given.items()) if form.flow.review is not None or mode != "cancel" else ():
        _give(typist, tab, answer)
    typist.act(mode)
    if not typist.state.finished:
        raise InvalidAnswers((Issue("answers", "the answer to the last question sends this form; it is missing."),))
    return typist.state


def _give(typist: Typist, tab: int, given: _Given) -> None:
    typist.go_to_tab(tab)
    if given.note is not None:
        typist.note(None, given.note, as_it_is=True)
    for option, note in given.option_notes:
        typist.note(option, note, as_it_is=True)
    if typist.state.type != given.type:
        typist.change_type()
    # Down the list in one go; the order of an answer is that of the options anyway (R3).
    for option in sorted(given.options):
        typist.toggle(option)
    if given.custom is not None:
        typist.write(given.custom, as_it_is=True)


def _read(form: Form, answers: object, issues: list[Issue]) -> tuple[dict[int, _Given], ReviewAction]:
    mode: ReviewAction = "submit"
    where = "answers"
    if not isinstance(answers, Mapping):
        issues.append(Issue(where, f"must be an object of answers by question id, got {kind_of(answers)}."))
        return {}, mode
    by_id: Any = answers
    if "answers" in answers or ("mode" in answers and "mode" not in {question.id for question in form.questions}):
        by_id = answers.get("answers", {})
        mode = _mode(form, answers.get("mode"), issues)
        if answers.get("cancelled") and mode != "cancel":
            issues.append(Issue("cancelled", "this result was not sent; take the field away to send its answers."))
        issues += [
            Issue(question.id, "is a question of this form; put its answer under answers.")
            for question in form.questions
            if question.id in answers and question.id not in ("answers", "mode")
        ]
        _refuse_unknown(answers, _RESULT_FIELDS, "", f"there are {', '.join(_RESULT_FIELDS[:2])}", issues)
        if isinstance(by_id, list):
            by_id = _by_id(form, by_id, issues)
        if not isinstance(by_id, Mapping):
            issues.append(Issue(where, f"must be an object of answers by question id, got {kind_of(by_id)}."))
            return {}, mode
        by_id = _with_elaboration(by_id, answers.get("elaboration"))
    tabs = {question.id: tab for tab, question in enumerate(form.questions)}
    presented = _presented(answers)
    given = {}
    for id, answer in by_id.items():
        if id not in tabs:
            issues.append(Issue(f"{where}.{id}", f"there is no such question; there are {_names(tabs)}."))
        elif answer is not None:
            question = form.questions[tabs[id]]
            type = presented.get(id, question.type) if form.flow.retyping else question.type
            given[tabs[id]] = _answer(form, question, type, answer, f"{where}.{id}", issues)
    return given, mode


def _mode(form: Form, mode: object, issues: list[Issue]) -> ReviewAction:
    actions = form.flow.review_actions
    wanted = next((action for action in actions if action == mode), None)
    if wanted is None and mode is not None:
        issues.append(Issue("mode", f"must be one of {', '.join(actions)}."))
    return wanted or "submit"


def _by_id(form: Form, listed: list[Any], issues: list[Issue]) -> dict[str, Any]:
    """The answers of a result that lists them, as those of the compact and the bounded dialect do."""
    by_id: dict[str, Any] = {}
    headers = [item.get("header") for item in listed if isinstance(item, Mapping)]
    for position, item in enumerate(listed):
        where = f"answers[{position}]"
        if isinstance(item, Mapping):
            known = ("id", "label", "wasCustom", "index") if "id" in item else ("header", "selected", "text")
            _refuse_unknown(item, known, f"{where}.", f"there are {', '.join(known)}", issues)
        match item:
            case {"id": str(id)} if id in by_id:
                issues.append(Issue(f"{where}.id", "is there twice."))
            case {"id": str(id), "label": str(text), "wasCustom": True} if item.get("index") is None:
                by_id[id] = {"customText": text}
            case {"id": str(id), "label": str(text), "wasCustom": False, "index": int(index)}:
                options = next((question.options for question in form.questions if question.id == id), None)
                numbered = enumerate(options or (), 1)
                chosen = [option.value for number, option in numbered if number == index and option.label == text]
                by_id[id] = {"values": chosen}
                if options is not None and (not chosen or isinstance(index, bool)):
                    issues.append(Issue(f"{where}.index", f"is not the number of {quoted(text)}."))
            case {"header": str(header), "selected": list(labels)}:
                named = [question for question in form.questions if question.label == header]
                if len(named) != headers.count(header):
                    # With fewer of them nothing tells whose they are.
                    wrong = "there is no such question" if not named else "several questions have it"
                    issues.append(Issue(f"{where}.header", f"{wrong}; give the answers by question id."))
                    continue
                question = next(question for question in named if question.id not in by_id)
                values = _values(question, labels, f"{where}.selected", issues)
                by_id[question.id] = {"values": values, "customText": item.get("text")}
            case _:
                issues.append(Issue(where, "is no answer as a result lists them."))
    return by_id


def _values(question: Question, labels: list[Any], where: str, issues: list[Issue]) -> list[Any]:
    """The values of options by their labels."""
    values: list[Any] = []
    for position, label in enumerate(labels):
        named = [option.value for option in question.options if option.label == label]
        if len(named) > 1 and len(named) == labels.count(label):
            values.append(named[labels[:position].count(label)])
        elif len(named) > 1:
            issues.append(Issue(where, f"several options are called {quoted(label)}; give the answers by question id."))
            return []
        else:
            values += named or [label]
    return values


def _with_elaboration(by_id: Mapping[str, Any], elaboration: object) -> dict[str, Any]:
    """The answers with the notes that a result lists only as what is to be explained."""
    merged = dict(by_id)
    items = elaboration.get("items") if isinstance(elaboration, Mapping) else None
    for item in items if isinstance(items, list) else ():
        match item:
            case {"question": {"id": str(id)}, "target": {"kind": "question"}, "note": note}:
                merged[id] = {"note": note, **_fields(merged.get(id))}
            case {"question": {"id": str(id)}, "target": {"kind": "option", "optionValue": str(value)}, "note": note}:
                there = _fields(merged.get(id))
                notes = there.get("optionNotes") or {}
                merged[id] = {**there, "optionNotes": {value: note, **notes} if isinstance(notes, Mapping) else notes}
    return merged


def _fields(answer: object) -> dict[str, Any]:
    match answer:
        case Mapping():
            return dict(answer)
        case str():
            return {"values": [answer]}
        case None:
            return {}
        case _:
            return {"values": answer}


def _presented(answers: Mapping[str, object]) -> dict[str, QuestionType]:
    """The questions that a result says were handled as another type than they were asked as."""
    questions = answers.get("questions")
    types: dict[str, QuestionType] = {}
    for question in questions if isinstance(questions, list) else ():
        match question:
            case {"id": str(id), "presentedType": "single" | "multi" | "preview" as type}:
                types[id] = type
    return types


def _answer(
    form: Form, question: Question, type: QuestionType, answer: object, where: str, issues: list[Issue]
) -> _Given:
    if isinstance(answer, str | list):
        answer = {"values": [answer] if isinstance(answer, str) else answer}
    if not isinstance(answer, Mapping):
        issues.append(Issue(where, f"must be an object, a list of values or a value, got {kind_of(answer)}."))
        return _Given(type, (), None, None, ())
    _refuse_unknown(answer, (*_FIELDS, *_DERIVED), f"{where}.", f"there are {', '.join(_FIELDS)}", issues)
    issues += [
        Issue(f"{where}.{name}", "follows from values, which are not there.")
        for name in _DERIVED
        if answer.get(name) and not answer.get("values")
    ]
    custom = _text(answer.get("customText"), f"{where}.customText", issues)
    values = answer.get("values")
    if _is_doubtful(question, values, custom, answer.get("indices")):
        issues.append(Issue(where, "its last value is an option and its customText as well; leave one of them out."))
    options = _options(question, values, custom, f"{where}.values", issues)
    if type != "multi" and len(options) + (custom is not None) > 1:
        issues.append(Issue(where, f"takes one answer, got {len(options) + (custom is not None)}."))
    if custom is not None and not question.own_words:
        issues.append(Issue(f"{where}.customText", f"this question takes no own words; {_of(_indices(question))}."))
    note = _text(answer.get("note"), f"{where}.note", issues)
    option_notes = _option_notes(question, answer.get("optionNotes"), f"{where}.optionNotes", issues)
    if (note or option_notes) and not form.flow.notes:
        issues.append(Issue(where, "this form takes no notes."))
    return _Given(type, options, custom, note, option_notes)


def _is_doubtful(question: Question, values: object, custom: str | None, indices: object) -> bool:
    """Whether the last value may be meant as an option or as own words, and nothing tells which."""
    if not (isinstance(values, list) and values and custom is not None and values[-1] == custom):
        return False
    told = isinstance(indices, list) and len(indices) == len(values) - 1
    return custom in _indices(question) and not told


def _refuse_unknown(
    given: Mapping[str, object], known: tuple[str, ...], where: str, hint: str, issues: list[Issue]
) -> None:
    issues += [Issue(f"{where}{name}", f"is unknown; {hint}.") for name in given if name not in known]


def _text(value: object, where: str, issues: list[Issue]) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or is_blank(normalise_paste(value)):
        issues.append(Issue(where, f"must be a text that is not blank, got {kind_of(value)}."))
        return None
    return value


def _options(
    question: Question, values: object, custom: str | None, where: str, issues: list[Issue]
) -> tuple[int, ...]:
    if values is None:
        return ()
    if not isinstance(values, list):
        issues.append(Issue(where, f"must be a list of values, got {kind_of(values)}."))
        return ()
    indices = _indices(question)
    options: list[int] = []
    for position, value in enumerate(values):
        at = f"{where}[{position}]"
        if custom is not None and value == custom and position == len(values) - 1:
            # A result lists own words among the values, last.
            continue
        if not isinstance(value, str) or value not in indices:
            issues.append(Issue(at, f"is no value of this question; {_of(indices)}. Own words go into customText."))
        elif indices[value] in options:
            issues.append(Issue(at, "is there twice."))
        else:
            options.append(indices[value])
    return tuple(options)


def _option_notes(question: Question, notes: object, where: str, issues: list[Issue]) -> tuple[tuple[int, str], ...]:
    if notes is None:
        return ()
    if not isinstance(notes, Mapping):
        issues.append(Issue(where, f"must be an object of notes by value, got {kind_of(notes)}."))
        return ()
    indices = _indices(question)
    read = []
    for value, note in notes.items():
        text = _text(note, f"{where}.{value}", issues)
        if value not in indices:
            issues.append(Issue(f"{where}.{value}", f"is no value of this question; {_of(indices)}."))
        elif text is not None:
            read.append((indices[value], text))
    return tuple(read)


def _indices(question: Question) -> dict[str, int]:
    return {} if question.freeform else {option.value: index for index, option in enumerate(question.options)}


_NAMED = 12


def _of(values: Mapping[str, int]) -> str:
    return f"there are {_names(values)}" if values else "it has none"


def _names(names: Mapping[str, int]) -> str:
    shown = ", ".join(quoted(name) for name in [*names][:_NAMED])
    return f"{shown} and {len(names) - _NAMED} more" if len(names) > _NAMED else shown
