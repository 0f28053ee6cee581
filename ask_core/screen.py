"""A screen: what is shown, by meaning and in reading order, without columns, colours or sizes.

A screen belongs to one state. What may be long (tabs, rows, answers) is a sequence that makes its items when they are
asked for, so a screen costs the same for ten options and for ten thousand. All texts are made visible (T10): one-line
texts hold no line break, block texts break lines with LF only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar, overload

from attrs import frozen

from ask_core.questions import QuestionType
from ask_core.state import UNREAD, Offsets
from ask_core.value import Value

T = TypeVar("T")


class OnDemand(Sequence[T], Generic[T]):
    """A sequence of `length` items, each made by `make(index)` when it is asked for."""

    def __init__(self, length: int, make: Callable[[int], T]) -> None:
        self._length = length
        self._make = make

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return [self._make(position) for position in range(*index.indices(self._length))]
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._make(index if index >= 0 else index + self._length)

    def __iter__(self) -> Iterator[T]:
        return map(self._make, range(self._length))


class Editor(NamedTuple):
    """A text being written: what stands before and after the cursor, as block text.

    Of a long text only the lines near the cursor are here; `above` and `below` count the others.
    `paths` are the file references to choose from at the moment, the one with the index `path` highlighted.
    """

    before: str
    after: str
    paths: tuple[str, ...] = ()
    path: int = 0
    above: int = 0
    below: int = 0


class Tab(NamedTuple):
    """One tab. Where `answered` is None it is the review."""

    label: str
    answered: bool | None


class Row(NamedTuple):
    """One row of a question: an option, or the row for own words (`own_words`).

    `number` is the digit that chooses it, if one does. On the row for own words `label` is the saved text or what the
    row is for, and `editor` is there while it is being written. `note_editor` is there while the row's note is.
    `matched` are the indices of the label's characters that a filter has found.
    """

    label: str
    number: int | None
    chosen: bool
    highlighted: bool
    own_words: bool = False
    written: bool = False
    description: str | None = None
    note: str | None = None
    editor: Editor | None = None
    note_editor: Editor | None = None
    matched: tuple[int, ...] = ()
    preview: str = ""


class Filter(NamedTuple):
    """The filter of a list: what is being typed, what came of it in words, and how many options there are in all."""

    editor: Editor
    found: str
    total: int


@frozen(eq=False, repr=False)
class QuestionBody(Value):
    """An open question.

    `help` says how to answer, unless a filter has its place. `freeform` is what a question without choices says, "" for
    all others. `highlighted` is the index of the highlighted row, `offsets` say how far the long texts have been read.
    `preview` is the block text to show beside the options, or None where the question has none; `preview_label` names
    what it previews. `note` and `note_editor` belong to the question. With a `filter`, `rows` are those that match it.
    """

    prompt: str
    type: QuestionType
    help: str
    freeform: str
    rows: Sequence[Row]
    highlighted: int
    offsets: Offsets = UNREAD
    preview: str | None = None
    preview_label: str = ""
    note: str | None = None
    note_editor: Editor | None = None
    filter: Filter | None = None


class NoteLine(NamedTuple):
    """A note on the review tab; `option` names the option it is on, None for the question."""

    option: str | None
    note: str


class Reviewed(NamedTuple):
    """A question on the review tab: its label, the chosen labels, and the notes that the highlighted action shows."""

    label: str
    answers: tuple[str, ...]
    notes: tuple[NoteLine, ...]


class Action(NamedTuple):
    """A review action. `pending` says what confirms it once its digit has been pressed."""

    label: str
    help: str
    number: int
    highlighted: bool
    pending: str | None


@frozen(eq=False, repr=False)
class ReviewBody(Value):
    """The review tab.

    `top` is the index of the first question to show, `offset` the lines of it that have been read past. `unanswered`
    are labels, `unanswered_more` counts the rest.
    """

    questions: Sequence[Reviewed]
    top: int
    offset: int
    actions: tuple[Action, ...]
    unanswered: tuple[str, ...]
    unanswered_more: int


class SettingRow(NamedTuple):
    """A line of the settings list. `value` is on or off, the name of a choice, or None where it has none."""

    label: str
    value: bool | str | None
    help: str
    highlighted: bool


class Manual(NamedTuple):
    """A heading and what stands under it: keys and what they do, or a text alone (no keys)."""

    heading: str
    lines: tuple[Hint, ...]


class SettingsBody(NamedTuple):
    """The list of settings, and what there is to read beside it: faults, the file, all keys.

    `highlighted` is the index of the highlighted row, `offset` counts the lines of the manual read past. `faulty`: the
    manual begins with what is wrong.
    """

    rows: tuple[SettingRow, ...]
    highlighted: int
    manual: tuple[Manual, ...]
    offset: int = 0
    faulty: bool = False


class Hint(NamedTuple):
    """A key and what it does here, the most useful first."""

    keys: str
    does: str


@frozen(eq=False, repr=False)
class Screen(Value):
    """Everything shown at one moment.

    `asked_by` says who asks, if the caller did; `position` where in the form this is. `warning` is the pending notice,
    `countdown` says how long one may still do nothing, `notice` is one about the settings' file: in full, and in short
    for where there is little room. `read_on` names the key that shows more of a text that does not fit. There are no
    tabs while the settings are open, nor where there would be only one; its label is the title of a form without one.
    """

    title: str | None
    asked_by: str | None
    position: str
    tabs: Sequence[Tab]
    tab: int
    body: QuestionBody | ReviewBody | SettingsBody
    warning: str | None
    countdown: str | None
    notice: tuple[str, str] | None
    read_on: str
    hints: tuple[Hint, ...]
