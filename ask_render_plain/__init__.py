"""A screen as plain lines, in reading order: no columns, no colour, no cursor. For logs, pipes and screen readers.

`lines` puts any screen into lines; `renderer` makes the one that is also answered by lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ask_core.screen import Editor, QuestionBody, ReviewBody, Row, Screen, SettingsBody

if TYPE_CHECKING:
    from ask_render_plain.typed import PlainRenderer

__all__ = ["lines", "renderer"]

_VALUES: dict[bool | str, str] = {True: "on", False: "off"}


def lines(screen: Screen) -> Iterator[str]:
    """Everything that `screen` shows, line by line, states in words.

    The lines are printable text. They are made as they are asked for, one option after the other.
    """
    if screen.title:
        yield screen.title
    if screen.asked_by:
        yield f"{screen.asked_by} asks"
    if screen.position:
        yield screen.position
    match screen.body:
        case QuestionBody() as body:
            if screen.tabs:
                yield screen.tabs[screen.tab].label
            yield from _question(body)
        case ReviewBody() as body:
            yield from _review(body)
        case body:
            yield from _settings(body)
    if screen.notice:
        yield screen.notice[0]
    if screen.warning:
        yield screen.warning
    if screen.countdown:
        yield screen.countdown
    for keys, does in screen.hints:
        yield f"{keys}: {does}"


def _question(body: QuestionBody) -> Iterator[str]:
    yield from body.prompt.split("\n")
    if body.help:
        yield f"{body.help}."
    if body.filter:
        yield from _editor("Filter", body.filter.editor)
        yield f"{body.filter.found}."
    for row in body.rows:
        yield from _row(row, freeform=bool(body.freeform))
    if body.preview:
        yield f"Preview of {body.preview_label}:"
        yield from body.preview.split("\n")
    if body.note_editor:
        yield from _editor("Note on this question", body.note_editor)
    elif body.note is not None:
        yield from _labelled("Note", body.note)


def _row(row: Row, *, freeform: bool) -> Iterator[str]:
    number = f"{row.number}. " if row.number else ""
    words = [word for word, so in (("chosen", row.chosen), ("highlighted", row.highlighted)) if so and not freeform]
    state = f" ({', '.join(words)})" if words else ""
    yield from _labelled("", f"{number}{row.label}{state}")
    for text in (row.description or "").split("\n") if row.description else ():
        yield f"   {text}"
    if row.editor:
        yield from _editor("Your own answer", row.editor)
    if row.note_editor:
        yield from _editor("Note on this option", row.note_editor)
    elif row.note is not None:
        yield from _labelled("   Note", row.note)


def _review(body: ReviewBody) -> Iterator[str]:
    for question in body.questions:
        yield from _labelled(question.label, ", ".join(question.answers) or "not answered")
        for option, note in question.notes:
            yield from _labelled(f"   Note on {option}" if option else "   Note", note)
    if body.unanswered:
        rest = f" and {body.unanswered_more} more" if body.unanswered_more else ""
        yield f"Not answered: {', '.join(body.unanswered)}{rest}"
    for action in body.actions:
        state = " (highlighted)" if action.highlighted else ""
        yield f"{action.number}. {action.label}: {action.pending or action.help}{state}"


def _settings(body: SettingsBody) -> Iterator[str]:
    for row in body.rows:
        value = "" if row.value is None else f": {_VALUES.get(row.value, row.value)}"
        yield f"{row.label}{value}{' (highlighted)' if row.highlighted else ''}"
        if row.highlighted:
            yield f"   {row.help}"
    for heading, lines in body.manual:
        yield f"{heading}:"
        for keys, does in lines:
            yield f"   {keys}: {does}" if keys else f"   {does}"


def _editor(label: str, editor: Editor) -> Iterator[str]:
    yield from _labelled(f"{label}, being written", editor.before + editor.after)


def _labelled(label: str, text: str) -> Iterator[str]:
    first, *rest = text.split("\n")
    yield f"{label}: {first}" if label else first
    for line in rest:
        yield f"   {line}"


def renderer(**_: object) -> PlainRenderer:
    """A renderer that prints lines and is answered by lines; for it every terminal is the same."""
    from ask_render_plain.typed import PlainRenderer

    return PlainRenderer()
