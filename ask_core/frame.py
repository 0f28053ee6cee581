"""A frame: what a screen looks like at one size, as text with roles. Values only; painting is a renderer's work."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from attrs import frozen

from ask_core.value import Value


class Role(StrEnum):
    """What a piece of text is, so that a renderer can choose its looks. Nothing is told by looks alone."""

    TEXT = "text"
    TITLE = "title"
    TAB = "tab"
    TAB_ACTIVE = "tab-active"
    RULE = "rule"
    PROMPT = "prompt"
    HELP = "help"
    POINTER = "pointer"
    NUMBER = "number"
    MARK = "mark"
    MARK_CHOSEN = "mark-chosen"
    OPTION = "option"
    OPTION_FOCUSED = "option-focused"
    MATCH = "match"
    DESCRIPTION = "description"
    PLACEHOLDER = "placeholder"
    EDITOR = "editor"
    NOTE = "note"
    PREVIEW = "preview"
    STRONG = "strong"
    CODE = "code"
    CODE_KEYWORD = "code-keyword"
    CODE_STRING = "code-string"
    CODE_NUMBER = "code-number"
    CODE_COMMENT = "code-comment"
    ADDED = "added"
    REMOVED = "removed"
    ANSWER = "answer"
    UNANSWERED = "unanswered"
    WARNING = "warning"
    MORE = "more"
    KEY = "key"
    HINT = "hint"


class Span(NamedTuple):
    """A run of text with one role. The text is printable and holds no control character."""

    text: str
    role: Role


Line = tuple[Span, ...]


class Cursor(NamedTuple):
    """Where the terminal's cursor stands, counted from 0, in columns and rows of the frame."""

    column: int
    row: int


class Area(StrEnum):
    """A part of a frame that may be longer than its place: texts counted in lines, the others in rows."""

    PROMPT = "prompt"
    ROW = "row"
    PREVIEW = "preview"
    ROWS = "rows"
    ANSWERS = "answers"
    MANUAL = "manual"


class Extent(NamedTuple):
    """How much of an area is out of sight above and below, and how far a page goes on and back."""

    area: Area
    above: int
    below: int
    page: int
    page_back: int = 1


class Target(StrEnum):
    """What a place of a frame belongs to."""

    TAB = "tab"
    PROMPT = "prompt"
    ROW = "row"
    EDITOR = "editor"
    PATH = "path"
    PREVIEW = "preview"
    ANSWERS = "answers"
    ACTION = "action"
    SETTING = "setting"
    MANUAL = "manual"


class Hit(NamedTuple):
    """A run of columns in a row of a frame, from `first` up to `end`, and what it belongs to.

    `item` is the index of the tab, of the row among those the question shows, of the path, of the review action or of
    the setting; 0 elsewhere.
    """

    row: int
    first: int
    end: int
    target: Target
    item: int = 0


@frozen(eq=False, repr=False)
class Frame(Value):
    """What to show at `width` columns: at most `height` lines, none wider than `width`.

    `cursor` is where a text is being written, or None, which hides the cursor. `extents` are the areas that do not
    fit, in reading order; `editor_columns` is the width of the rows of the open editor. `hits` say what can be pointed
    at; where two of them overlap, the first one counts.
    """

    width: int
    height: int
    lines: tuple[Line, ...]
    cursor: Cursor | None = None
    extents: tuple[Extent, ...] = ()
    editor_columns: int | None = None
    hits: tuple[Hit, ...] = ()

    def hit(self, column: int, row: int) -> Hit | None:
        """What this place belongs to, if anything."""
        return next((hit for hit in self.hits if hit.row == row and hit.first <= column < hit.end), None)

    def text(self) -> str:
        """The frame without roles, a line of text per line, trailing blanks removed."""
        return "\n".join("".join(span.text for span in line).rstrip() for line in self.lines)
