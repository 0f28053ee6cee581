"""The JSON shape of a result in each dialect: camelCase, absent fields left out.

Contract, "Output"; the other dialects have the details of their own documents, with `outcome` and what goes with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import cattrs
from attrs import fields, frozen, has
from cattrs.gen import make_dict_unstructure_fn, override

from ask_core.answers import Answer
from ask_core.questions import Option, Question, QuestionType
from ask_core.result import Result, ResultOutcome
from ask_core.text.trim import trim

_INSTRUCTION = (
    "First answer the clarification the user asked for. Then, only if a choice is still open, ask again about the "
    "affected questions alone, with ask_user; keep the preserved answers as they are."
)

QuestionStatus = Literal["answered", "needs_clarification", "unanswered"]


@frozen
class AnswerShape:
    values: list[str]
    labels: list[str]
    indices: list[int]
    custom_text: str | None = None
    note: str | None = None
    option_notes: dict[str, str] | None = None


@frozen
class OptionShape:
    value: str
    label: str
    description: str | None = None
    preview: str | None = None


@frozen
class QuestionShape:
    id: str
    label: str
    prompt: str
    type: QuestionType
    presented_type: QuestionType | None = None
    options: list[OptionShape] | None = None


@frozen
class TargetShape:
    kind: Literal["question", "option"]
    option_value: str | None = None


@frozen
class ItemShape:
    target: TargetShape
    question: QuestionShape
    answered: bool
    note: str
    option: OptionShape | None = None
    selected: bool | None = None
    answer: AnswerShape | None = None


@frozen
class ElaborationShape:
    instruction: str
    next_action: Literal["clarify", "clarify_then_reask"]
    items: list[ItemShape]


@frozen
class StatusShape:
    status: QuestionStatus


@frozen
class ContinuationShape:
    strategy: Literal["refine_only", "resume"]
    affected_question_ids: list[str]
    preserved_answers: dict[str, AnswerShape]
    question_states: dict[str, StatusShape]


@frozen
class IssueShape:
    path: str
    message: str


@frozen
class ErrorShape:
    kind: Literal["invalid_input"]
    issues: list[IssueShape]


@frozen
class DetailsShape:
    cancelled: bool
    mode: Literal["submit", "elaborate"]
    questions: list[QuestionShape]
    answers: dict[str, AnswerShape]
    title: str | None = None
    outcome: ResultOutcome | None = None
    reason: str | None = None
    error: ErrorShape | None = None
    continuation: ContinuationShape | None = None
    elaboration: ElaborationShape | None = None


@frozen
class CompactQuestionShape:
    question: str
    header: str


@frozen
class CompactAnswerShape:
    header: str
    selected: list[str]
    text: str | None = None


@frozen
class CompactShape:
    questions: list[CompactQuestionShape]
    answers: list[CompactAnswerShape]
    cancelled: bool
    outcome: ResultOutcome | None = None
    reason: str | None = None
    error: ErrorShape | None = None


@frozen
class BoundedOptionShape:
    label: str
    description: str | None = None


@frozen
class BoundedQuestionShape:
    id: str
    label: str
    prompt: str
    options: list[BoundedOptionShape]


@frozen
class BoundedAnswerShape:
    id: str
    label: str
    was_custom: bool
    index: int | None = None


@frozen
class BoundedShape:
    questions: list[BoundedQuestionShape]
    answers: list[BoundedAnswerShape]
    cancelled: bool
    warnings: list[str]
    outcome: ResultOutcome | None = None
    reason: str | None = None
    error: ErrorShape | None = None


def details(result: Result) -> dict[str, Any]:
    """The structured result as JSON-ready values, in the shape of the dialect its form came in."""
    unstructured: dict[str, Any] = _CONVERTER.unstructure(_SHAPES[result.form.dialect](result))
    return unstructured


def _contract(result: Result) -> DetailsShape:
    elaborated = result.outcome == "elaborated"
    asked = list(zip(result.form.questions, result.answers, result.types, strict=True))
    return DetailsShape(
        cancelled=result.cancelled,
        mode="elaborate" if elaborated else "submit",
        questions=[_question(question, type) for question, _, type in asked],
        # Elaborating, notes without an answer move to the items; submitting, a note on a question stands for itself.
        answers={
            question.id: _answer(question, answer)
            for question, answer, _ in asked
            if answer.answered or (answer.note is not None and not elaborated)
        },
        title=result.form.title,
        outcome=result.outcome,
        reason=result.reason,
        error=_error(result),
        continuation=_continuation(asked) if elaborated else None,
        elaboration=_elaboration(asked) if elaborated else None,
    )


def _compact(result: Result) -> CompactShape:
    questions = result.form.questions
    return CompactShape(
        questions=[CompactQuestionShape(question.prompt, question.label) for question in questions],
        answers=[
            CompactAnswerShape(
                question.label,
                [question.options[option].label for option in answer.selected],
                answer.custom if answer.custom_selected else None,
            )
            for question, answer in zip(questions, result.answers, strict=True)
            if answer.answered
        ],
        cancelled=result.cancelled,
        outcome=result.outcome,
        reason=result.reason,
        error=_error(result),
    )


def _bounded(result: Result) -> BoundedShape:
    """Whoever leaves has given no answers."""
    questions = result.form.questions
    given = [] if result.cancelled else [*zip(questions, result.answers, strict=True)]
    return BoundedShape(
        questions=[_bounded_question(question) for question in questions],
        answers=[_bounded_answer(question, answer) for question, answer in given if answer.answered],
        cancelled=result.cancelled,
        warnings=list(result.form.warnings),
        outcome=result.outcome,
        reason=result.reason,
        error=_error(result),
    )


def _bounded_question(question: Question) -> BoundedQuestionShape:
    options = [BoundedOptionShape(option.label, option.description) for option in question.options]
    return BoundedQuestionShape(question.id, question.label, question.prompt, options)


def _bounded_answer(question: Question, answer: Answer) -> BoundedAnswerShape:
    if answer.custom_selected:
        return BoundedAnswerShape(question.id, answer.custom or "", was_custom=True)
    (option,) = answer.selected
    return BoundedAnswerShape(question.id, question.options[option].label, was_custom=False, index=option + 1)


_SHAPES: dict[str, Callable[[Result], DetailsShape | CompactShape | BoundedShape]] = {
    "contract": _contract,
    "compact": _compact,
    "bounded": _bounded,
}


def _error(result: Result) -> ErrorShape | None:
    return ErrorShape("invalid_input", [IssueShape(*issue) for issue in result.issues]) if result.issues else None


_Asked = list[tuple[Question, Answer, QuestionType]]


def _question(question: Question, type: QuestionType, *, with_options: bool = False) -> QuestionShape:
    return QuestionShape(
        question.id,
        question.label,
        question.prompt,
        question.type,
        presented_type=type if type != question.type else None,
        options=[_option(option) for option in question.options] if with_options else None,
    )


def _option(option: Option) -> OptionShape:
    return OptionShape(option.value, option.label, option.description, option.preview and trim(option.preview))


def _answer(question: Question, answer: Answer) -> AnswerShape:
    """Chosen options in their order, own words last; only notes on chosen options count."""
    chosen = [question.options[option] for option in answer.selected]
    custom = answer.custom if answer.custom_selected else None
    own = [] if custom is None else [custom]
    notes = {question.options[option].value: note for option, note in answer.option_notes if option in answer.selected}
    return AnswerShape(
        values=[option.value for option in chosen] + own,
        labels=[option.label for option in chosen] + own,
        indices=[option + 1 for option in answer.selected],
        custom_text=custom,
        note=answer.note,
        option_notes=notes or None,
    )


def _continuation(asked: _Asked) -> ContinuationShape:
    return ContinuationShape(
        strategy="refine_only",
        affected_question_ids=[question.id for question, answer, _ in asked if answer.noted],
        preserved_answers={
            question.id: _answer(question, answer)
            for question, answer, _ in asked
            if answer.answered and not answer.noted
        },
        question_states={question.id: StatusShape(_status(answer)) for question, answer, _ in asked},
    )


def _status(answer: Answer) -> QuestionStatus:
    if answer.noted:
        return "needs_clarification"
    return "answered" if answer.answered else "unanswered"


def _elaboration(asked: _Asked) -> ElaborationShape:
    items = [item for question, answer, type in asked for item in _items(question, answer, type)]
    return ElaborationShape(_INSTRUCTION, "clarify_then_reask", items)


def _items(question: Question, answer: Answer, type: QuestionType) -> list[ItemShape]:
    """One item a note: the question's own first, then those on options, chosen or not."""
    if not answer.noted:
        return []
    shape = _question(question, type, with_options=True)
    committed = _answer(question, answer) if answer.answered else None
    items = []
    if answer.note is not None:
        items.append(ItemShape(TargetShape("question"), shape, answer.answered, answer.note, answer=committed))
    for index, note in answer.option_notes:
        option = question.options[index]
        items.append(
            ItemShape(
                TargetShape("option", option.value),
                shape,
                answer.answered,
                note,
                option=_option(option),
                selected=index in answer.selected,
                answer=committed,
            )
        )
    return items


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


_CONVERTER = cattrs.Converter()


def _unstructure_fn(shape: type) -> Callable[[Any], dict[str, Any]]:
    renamed: dict[str, Any] = {field.name: override(rename=_camel(field.name)) for field in fields(shape)}
    return make_dict_unstructure_fn(shape, _CONVERTER, _cattrs_omit_if_default=True, **renamed)


_CONVERTER.register_unstructure_hook_factory(has, _unstructure_fn)
