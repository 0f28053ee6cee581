"""The lines of a preview in so many columns, made when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ask_core.frame import Line, Span
from ask_core.screen import OnDemand
from ask_core.text.markup import line_spans, markup
from ask_core.text.wrap import prose_segments

# Characters up to which a preview is measured that is not shown, and the height of a longer one.
_MEASURED = 20_000
_ENDLESS = 1 << 16


def preview_lines(text: str, columns: int) -> Sequence[Line]:
    """The rows of printable block text, broken as all prose is, in parts where the text is more than plain.

    Only the rows that are asked for are looked into, so a text may be long.
    """
    marked = markup(text)
    rows = _rows(text, max(1, columns))

    def line(row: int) -> Line:
        number, start, end = rows[row]
        return _between(line_spans(marked, number), start, end)

    return OnDemand(len(rows), line)


@lru_cache(maxsize=256)
def _rows(text: str, columns: int) -> tuple[tuple[int, int, int], ...]:
    """For every row the number of its line, and where in that line it starts and ends."""
    return tuple(
        (number, start, end)
        for number, line in enumerate(text.split("\n"))
        for start, end in prose_segments(line, columns)
    )


def preview_height(text: str, columns: int) -> int:
    """How many rows a preview has; a very long one, which fills any screen, is not measured."""
    return _ENDLESS if len(text) > _MEASURED else len(_rows(text, max(1, columns)))


def _between(line: Line, start: int, end: int) -> Line:
    """The part of a line from one character to another."""
    spans = []
    position = 0
    for text, role in line:
        part = text[max(0, start - position) : max(0, end - position)]
        if part:
            spans.append(Span(part, role))
        position += len(text)
    return tuple(spans)
