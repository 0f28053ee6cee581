"""What a state says in lines to somebody who answers by typing lines: all in words, nothing by place or colour."""

from __future__ import annotations

from collections.abc import Iterator

from ask_core.screen import QuestionBody, ReviewBody, Row, Screen, SettingsBody

# Options that are listed at once. More would be read out for minutes, or run off the screen.
PAGE = 30

_HOW = {
    "single": "Choose one: type its number.",
    "preview": "Choose one: type its number.",
    "multi": "Choose any number: type the numbers, such as 1 3.",
}
OWN_WORDS = "Your own words"


def screen_lines(screen: Screen, first: int = 0) -> Iterator[str]:
    """Everything to know about a screen that has just opened; of a long list a page from the row `first` on."""
    match screen.body:
        case QuestionBody() as body:
            yield f"{screen.position}: {screen.tabs[screen.tab].label}"
            yield from _question(body, first)
        case ReviewBody() as body:
            yield f"{screen.position}: your answers"
            yield from review_lines(body)
        case body:
            yield "Settings"
            yield from settings_lines(body)


def _question(body: QuestionBody, first: int) -> Iterator[str]:
    yield from body.prompt.split("\n")
    if not body.freeform:
        yield _HOW[body.type]
        yield from row_lines(body, first)
        if body.preview is not None:
            yield "Type show and a number to read the preview of an option."
    if body.note is not None:
        yield from _after("Note on this question: ", body.note)
    yield from choice_lines(body)


def row_lines(body: QuestionBody, first: int = 0) -> Iterator[str]:
    """A page of the rows, each with its number; what comes after it is counted."""
    last = min(first + PAGE, len(body.rows)) if len(body.rows) > PAGE + 1 else len(body.rows)
    for index in range(first, last):
        yield from row_line(body.rows[index], index)
    if last < len(body.rows):
        yield f"{len(body.rows) - last:,} more: type more, or / and a word to search."


def row_line(row: Row, index: int) -> Iterator[str]:
    """A row with its number, its description, its note, and whether it is chosen."""
    chosen = " (chosen)" if row.chosen else ""
    if row.own_words:
        yield from _after(f"{index + 1}. {OWN_WORDS}{chosen}{': ' if row.written else ''}", row.label * row.written)
        return
    description = f" - {row.description}" if row.description else ""
    yield from _after(f"{index + 1}. ", f"{row.label}{description}{chosen}")
    if row.note is not None:
        yield from _after("   Note: ", row.note)


def choice_lines(body: QuestionBody) -> Iterator[str]:
    """The current choice in words."""
    chosen = [row.label for row in body.rows if row.chosen]
    if body.freeform:
        yield from _after("Your answer: ", chosen[0]) if chosen else iter(["Nothing is written yet."])
    else:
        yield from _after("Chosen: ", ", ".join(chosen)) if chosen else iter(["Nothing is chosen yet."])


def review_lines(body: ReviewBody) -> Iterator[str]:
    """All answers with their notes, and what can be done with them."""
    for question in body.questions:
        yield from _after(f"{question.label}: ", ", ".join(question.answers) or "not answered")
        for option, note in question.notes:
            yield from _after(f"   Note on {option}: " if option else "   Note: ", note)
    for action in body.actions:
        yield f"{action.number}. {action.label} - {action.help}"


def settings_lines(body: SettingsBody) -> Iterator[str]:
    """Every setting with its number, and the file; not the keys, which nobody presses here."""
    values: dict[bool | str, str] = {True: "on", False: "off"}
    for number, row in enumerate(body.rows, 1):
        value = "" if row.value is None else f": {values.get(row.value, row.value)}"
        yield f"{number}. {row.label}{value} - {row.help}"
    for part in body.manual:
        yield from (f"{part.heading}: {does}" for keys, does in part.lines if not keys)


def _after(lead: str, text: str) -> Iterator[str]:
    """Block text behind a lead, its further lines set in."""
    first, *rest = text.split("\n")
    yield f"{lead}{first}"
    yield from (f"   {line}" for line in rest)
