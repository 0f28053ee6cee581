"""A result in words: the text for the model, and the short transcript that stays on a person's terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ask_core.answers import Answer
from ask_core.frame import Line, Role, Span
from ask_core.layout.block import columns_of, fit
from ask_core.questions import Form, Question, QuestionType
from ask_core.result import Result, answer_labels
from ask_core.text.clean import clean_line
from ask_core.text.graphemes import clip

_TRANSCRIPT_ROWS = 12
# Columns that a label has at least.
_LABEL = 8

_ENDINGS = {
    "cancelled": "The user cancelled without submitting.",
    "aborted": "The question flow was ended before the user submitted.",
    "timed_out": "The user did not answer in time.",
}


def contract_content(result: Result) -> str:
    """The text for the model in the contract dialect (contract, "The text for the model"; ruling R12)."""
    match result.outcome:
        case "no_screen":
            return needs_input(result)
        case "elaborated":
            return "\n".join(_elaboration(result))
        case None:
            return "\n".join(_answers(result)) or "No question is answered yet."
        case "submitted":
            return "\n".join(_answers(result)) or "The user submitted without answering any question."
        case _:
            return not_sent(result, _answers(result))


def not_sent(result: Result, answers: Iterable[str]) -> str:
    """The text for the model where a flow ended without submitting: why, and the lines of the answers until then."""
    reason = f" Reason: {result.reason}." if result.reason else ""
    given = list(answers)
    heading = "Given so far, not submitted:" if given else "No question was answered."
    return "\n".join([_ENDINGS[result.outcome or ""] + reason, heading, *given])


def needs_input(result: Result) -> str:
    """The text for the model where there was no way to ask: the questions, for it to ask them itself."""
    return "\n".join(_needs_input(result))


def _asked(result: Result) -> Iterator[tuple[Question, Answer, QuestionType]]:
    return zip(result.form.questions, result.answers, result.types, strict=True)


def _answers(result: Result) -> Iterator[str]:
    for question, answer, type in _asked(result):
        if answer.answered:
            yield f"{question.label}: {', '.join(answer_labels(question, answer))}"
        if answer.note is not None:
            yield f"{question.label} note: {answer.note}"
        for option, note in answer.option_notes:
            if option in answer.selected:
                yield f"{question.label} / {question.options[option].label} note: {note}"
        if type != question.type and (answer.answered or answer.note is not None):
            yield f"{question.label} was answered as a {type} question; it was asked as {question.type}."


def _elaboration(result: Result) -> Iterator[str]:
    """A sentence a note; without notes a sentence an answer. Answers that no note touches are to be kept."""
    noted = any(answer.noted for answer in result.answers)
    kept = []
    for question, answer, _ in _asked(result):
        about = f'User asked to elaborate on question "{question.prompt}"'
        labels = ", ".join(answer_labels(question, answer))
        current = f' (current answer: "{labels}")' if labels else ""
        if answer.note is not None:
            yield f'{about} with note "{answer.note}"{current}'
        for option, note in answer.option_notes:
            yield f'{about} option "{question.options[option].label}" with note "{note}"{current}'
        if labels and not noted:
            yield f'{about} with current answer "{labels}"'
        elif labels and not answer.noted:
            kept.append(f"{question.label}: {labels}")
    if kept:
        yield "Already answered, keep as they are:"
        yield from kept
    if not noted and not any(answer.answered for answer in result.answers):
        yield "User asked to elaborate; no question was answered and there are no notes."


def _needs_input(result: Result) -> Iterator[str]:
    why = f" ({result.reason})" if result.reason else ""
    yield f"Needs user input: there is no terminal to ask in{why}. Ask the user these questions another way."
    for number, question in enumerate(result.form.questions, 1):
        yield ""
        several = " (several may be chosen)" if question.type == "multi" else ""
        yield f"{number}. {question.label}: {question.prompt}{several}"
        if question.freeform:
            yield "   Answer in own words."
            continue
        for position, option in enumerate(question.options, 1):
            description = f" - {option.description}" if option.description else ""
            yield f"   {position}) {option.label}{description}"
        if question.own_words:
            yield "   Or own words."


def transcript(result: Result, columns: int, rows: int = _TRANSCRIPT_ROWS) -> tuple[Line, ...]:
    """What stays on the terminal after a flow: one line an answer, none wider than `columns`.

    Text is made visible here (T10). Of a long form the first `rows` answers are shown and the rest is counted.
    """
    heading = {
        "submitted": Span("✓ Submitted", Role.MARK_CHOSEN),
        "elaborated": Span("✓ Asked to elaborate", Role.MARK_CHOSEN),
        "cancelled": Span("✗ Cancelled, nothing submitted", Role.WARNING),
        "timed_out": Span("✗ Time is up, nothing submitted", Role.WARNING),
    }.get(result.outcome or "", Span("✗ Ended, nothing submitted", Role.WARNING))
    title = clean_line((result.form.title or "").strip())
    lines: list[Line] = [fit((heading, Span(f"  {title}", Role.HINT)) if title else (heading,), columns)]
    if result.cancelled:
        return tuple(lines)
    answered = [(question, answer) for question, answer, _ in _asked(result) if answer.answered or answer.noted]
    for question, answer in answered[:rows]:
        text = ", ".join(clean_line(label) for label in answer_labels(question, answer)) or "(no answer)"
        note = (Span("  + note", Role.NOTE),) if answer.noted else ()
        label = Span(f"  {clip(clean_line(question.label), max(_LABEL, columns // 2))}: ", Role.HELP)
        lines.append((*fit((label, Span(text, Role.ANSWER)), columns - columns_of(note)), *note))
    if len(answered) > rows:
        lines.append(fit((Span(f"  … and {len(answered) - rows} more", Role.MORE),), columns))
    unanswered = sum(not answer.answered for answer in result.answers)
    if unanswered:
        lines.append(fit((Span(f"  {unanswered} not answered", Role.UNANSWERED),), columns))
    return tuple(lines)


# Wide enough for any line to stay whole.
_ENDLESS = 1 << 20


def call_summary(form: Form) -> str:
    """What is asked, in one printable line for a log: `Logging: 2 questions (Level, Sinks)`."""
    labels = [clean_line(question.label) for question in form.questions]
    named = ", ".join(labels[:_TRANSCRIPT_ROWS]) + (" …" if len(labels) > _TRANSCRIPT_ROWS else "")
    count = f"{len(labels)} question{'' if len(labels) == 1 else 's'} ({named})"
    title = clean_line((form.title or "").strip())
    return f"{title}: {count}" if title else count


def result_lines(result: Result) -> tuple[str, ...]:
    """What came of it, in printable lines for a log: the ending, then a line an answer.

    Where an elaboration is asked for, a sentence a note in its full words: a heading would not say what is to be
    explained (contract, "The text for the model").
    """
    lines = ["".join(span.text for span in line) for line in transcript(result, _ENDLESS, _ENDLESS)]
    if result.outcome != "elaborated":
        return tuple(lines)
    return (lines[0], *(f"  {clean_line(sentence)}" for sentence in _elaboration(result)))
