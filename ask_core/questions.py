"""What is asked: a form of questions and their options. Frozen values, already checked; the payload made them."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

# As many rows as have a digit.
_SHORT_LIST = 9

QuestionType = Literal["single", "multi", "preview"]
ReviewAction = Literal["submit", "elaborate", "cancel"]


@frozen
class Option:
    """One thing to choose. `value` is for the caller, `label` and `description` are for the person."""

    value: str
    label: str
    description: str | None = None
    preview: str | None = None


@frozen
class Question:
    """One question.

    After its options comes one more row, where the person writes own words. A freeform question shows only that row.
    `required` is passed on and never enforced.
    """

    id: str
    label: str
    prompt: str
    type: QuestionType
    options: tuple[Option, ...]
    required: bool = False
    freeform: bool = False

    @property
    def own_words_row(self) -> int:
        """Index of the row for own words, which is the last one."""
        return 0 if self.freeform else len(self.options)

    @property
    def filterable(self) -> bool:
        """Whether the list is so long that it can be filtered (R7)."""
        return self.own_words_row > _SHORT_LIST


@frozen
class Flow:
    """How a flow behaves in the dialect its form came in.

    `review_actions` are the choices on the review tab in their order; `notes` allows notes on questions and options;
    `retyping` allows changing a question's type.
    """

    review_actions: tuple[ReviewAction, ...] = ("submit", "elaborate", "cancel")
    notes: bool = True
    retyping: bool = True


@frozen
class Form:
    """Questions in the order they are asked, and the dialect that the result will be given in."""

    dialect: str
    questions: tuple[Question, ...]
    title: str | None = None
    flow: Flow = Flow()
