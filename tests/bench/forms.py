"""Forms of any size, and the screens that a person must see while answering them."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterable
from typing import Any

import ask_core as ask
from ask_render_blessed import renderer
from tests.bench.session import COLUMNS, ROWS

LINE = "A line of sixty characters, as they stand in a text, and on."
PARAGRAPH = "words of one line that never ends, "


def form(options: int = 10, questions: int = 1) -> dict[str, Any]:
    """A payload of `questions` questions with so many options each."""
    listed = [{"value": f"v{number}", "label": f"Option-{number:05}"} for number in range(1, options + 1)]
    return {
        "title": "Bench",
        "questions": [
            {"id": f"q{number}", "label": f"Part {number}", "prompt": "Which one?", "options": listed}
            for number in range(1, questions + 1)
        ],
    }


def lines(length: int) -> str:
    """A text of `length` characters in lines of sixty."""
    return "\n".join([LINE] * (length // len(LINE) + 1))[:length]


def one_line(length: int) -> str:
    """A text of `length` characters in a single line of words."""
    return (PARAGRAPH * (length // len(PARAGRAPH) + 1))[:length]


class Person:
    """What a person does in a form, done in this process: the state, and so the screen that has to be there."""

    def __init__(self, payload: dict[str, Any]) -> None:
        self.state = ask.reduce(ask.start(ask.load_form(payload)), ask.Resized(COLUMNS, ROWS))

    def press(self, *keys: str) -> Person:
        """Press keys by name; the person, for chaining."""
        for key in keys:
            self.state = ask.reduce(self.state, ask.Key(key))
        return self

    def paste(self, text: str) -> Person:
        """Paste a text; the person, for chaining."""
        self.state = ask.reduce(self.state, ask.Paste(text))
        return self

    def rows(self) -> tuple[str, ...]:
        """The rows of the screen at 80x24 without their blank ends, empty ones below."""
        frame = ask.layout(ask.view(self.state), COLUMNS, ROWS)
        rows = ["".join(span.text for span in line).rstrip() for line in frame.lines]
        return (*rows, *[""] * (ROWS - len(rows)))

    def painted(self) -> str:
        """What `ask run` writes to show the screen where there was none."""
        ends = pty.openpty()
        try:
            painter = renderer(fd=ends[1], environ={"TERM": "xterm-256color"}, fullscreen=False)
            return painter.draw(ask.view(self.state), COLUMNS, ROWS)
        finally:
            for end in ends:
                os.close(end)


def painted_rows(options: Iterable[str], person: Person) -> dict[str, tuple[int, str]]:
    """By label: the screen's row of an option, counted from 0, and what paints it from its first column."""
    painted = [row.strip("\r") for row in person.painted().split("\n")]
    shown = person.rows()
    found = {label: next(number for number, row in enumerate(shown) if label in row) for label in options}
    return {label: (number, painted[number]) for label, number in found.items()}
