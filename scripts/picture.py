"""Draws docs/form.svg: a question of the demo form as a terminal shows it. Run it in .venv after the layout changed.

The same frame gives the same bytes. Only the standard library and ask_core are needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from ask_core.edge.demo import FORM
from ask_core.frame import Frame, Line, Role
from ask_core.layout import layout
from ask_core.testing import play
from ask_core.text.graphemes import width
from ask_core.view import view

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "form.svg"
TITLE = "A question in the terminal: options at the left, the preview of the highlighted one at the right"

KEYS = ("2", "1", "2", "tab", "down", "space", "n", *"Is the bridge open?", "enter")
COLUMNS, ROWS = 92, 24

# In pixels. A cell is as wide as the usual monospaced fonts are at this size; `textLength` sees to it with others.
SIZE, CELL, LEADING, PADDING = 14, 8.4, 20, 18
FONTS = "ui-monospace, 'SFMono-Regular', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace"
GROUND, EDGE, INK, QUIET, ACCENT = "#16181d", "#2c313a", "#d7dae0", "#8a8f98", "#87afff"
GREEN, YELLOW, RED, SOFT = "#87c787", "#e5c76b", "#e88f8f", "#afc7d7"


class Look(NamedTuple):
    """How a role looks; `reverse` stands in the ground's colour on the ink's."""

    ink: str
    bold: bool = False
    reverse: bool = False


LOOKS = {
    Role.TEXT: Look(INK),
    Role.TITLE: Look(INK, bold=True),
    Role.TAB: Look(QUIET),
    Role.TAB_ACTIVE: Look(ACCENT, bold=True),
    Role.RULE: Look(QUIET),
    Role.PROMPT: Look(INK, bold=True),
    Role.HELP: Look(QUIET),
    Role.POINTER: Look(ACCENT, bold=True),
    Role.NUMBER: Look(QUIET),
    Role.MARK: Look(QUIET),
    Role.MARK_CHOSEN: Look(GREEN, bold=True),
    Role.OPTION: Look(INK),
    Role.OPTION_FOCUSED: Look(ACCENT, bold=True),
    Role.MATCH: Look(ACCENT, bold=True),
    Role.DESCRIPTION: Look(QUIET),
    Role.PLACEHOLDER: Look(QUIET),
    Role.EDITOR: Look(INK),
    Role.NOTE: Look(SOFT),
    Role.PREVIEW: Look(INK),
    Role.STRONG: Look(INK, bold=True),
    Role.CODE: Look(SOFT),
    Role.CODE_KEYWORD: Look(ACCENT),
    Role.CODE_STRING: Look(GREEN),
    Role.CODE_NUMBER: Look(YELLOW),
    Role.CODE_COMMENT: Look(QUIET),
    Role.ADDED: Look(GREEN),
    Role.REMOVED: Look(RED),
    Role.ANSWER: Look(GREEN),
    Role.UNANSWERED: Look(YELLOW),
    Role.WARNING: Look(YELLOW, bold=True),
    Role.MORE: Look(QUIET),
    Role.KEY: Look(SOFT),
    Role.HINT: Look(QUIET),
}


def picture() -> str:
    """The picture, as SVG text."""
    state = play(FORM, KEYS).state
    return svg(layout(view(state), COLUMNS, ROWS))


def svg(frame: Frame) -> str:
    """A frame in a window, as SVG text."""
    across = frame.width * CELL + 2 * PADDING
    down = len(frame.lines) * LEADING + 2 * PADDING
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {across:g} {down:g}" '
        f'width="{across:g}" height="{down:g}" font-family="{FONTS}" font-size="{SIZE}">',
        f"<title>{escape(TITLE)}</title>",
        f'<rect x="0.5" y="0.5" width="{across - 1:g}" height="{down - 1:g}" rx="10" fill="{GROUND}" stroke="{EDGE}"/>',
    ]
    for row, line in enumerate(frame.lines):
        parts += _texts(line, PADDING + row * LEADING)
    if frame.cursor:
        x, y = PADDING + frame.cursor.column * CELL, PADDING + frame.cursor.row * LEADING
        parts.append(f'<rect x="{x:g}" y="{y:g}" width="2" height="{LEADING}" fill="{INK}"/>')
    return "\n".join([*parts, "</svg>", ""])


def _texts(line: Line, top: int) -> Iterator[str]:
    """The pieces of a line, each in its place whatever the font. Blank ends are left out."""
    column = 0
    for span in line:
        look = LOOKS[span.role]
        columns = width(span.text)
        if look.reverse:
            x = PADDING + column * CELL
            yield f'<rect x="{x:g}" y="{top}" width="{columns * CELL:g}" height="{LEADING}" rx="3" fill="{look.ink}"/>'
        text = span.text.strip(" ")
        if text:
            x = PADDING + (column + len(span.text) - len(span.text.lstrip(" "))) * CELL
            weight = ' font-weight="bold"' if look.bold else ""
            yield (
                f'<text x="{x:g}" y="{top + 15}" textLength="{width(text) * CELL:g}" lengthAdjust="spacingAndGlyphs" '
                f'xml:space="preserve" fill="{GROUND if look.reverse else look.ink}"{weight}>{escape(text)}</text>'
            )
        column += columns


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(), "utf-8")
    print(PICTURE)
