"""What is asked: a form of questions and their options. Frozen values, already checked; the payload made them."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from ask_core.value import Value

# As many rows as have a digit.
_SHORT_LIST = 9

QuestionType = Literal["single", "multi", "preview"]
ReviewAction = Literal["submit", "elaborate", "cancel"]


@frozen(eq=False, repr=False)
class Option(Value):
    """One thing to choose. `value` is for the caller, `label` and `description` are for the person."""

    value: str
    label: str
    description: str | None = None
    preview: str | None = None


@frozen(eq=False, repr=False)
class Question(Value):
    """One question.

    After its options comes one more row, where the person writes own words, unless `own_words` is False. A freeform
    question shows only that row. `required` is passed on and never enforced.
    """

    id: str
    label: str
    prompt: str
    type: QuestionType
    options: tuple[Option, ...]
    required: bool = False
    freeform: bool = False
    own_words: bool = True

    @property
    def last_row(self) -> int:
        """Index of the last row."""
        return 0 if self.freeform else len(self.options) + self.own_words - 1

    @property
    def own_words_row(self) -> int | None:
        """Index of the row for own words, which is the last one; None where the question has none."""
        return self.last_row if self.own_words else None

    @property
    def filterable(self) -> bool:
        """Whether the list is so long that it can be filtered (R7)."""
        return not self.freeform and len(self.options) > _SHORT_LIST


def default_label(index: int) -> str:
    """The label of a question that was given none: Q1, Q2, ... (contract, "What goes in")."""
    return f"Q{index + 1}"


@frozen(eq=False, repr=False)
class Flow(Value):
    """How a flow behaves in the dialect its form came in.

    `review` names the last tab, where the answers are sent, and `to_review` says what a key does that leads there.
    Where `review` is None there is none, and the answer to the last question sends them. `review_actions` are the
    choices on it in their order. `notes` allows notes on questions and options; `retyping` allows several answers to a
    question that was asked for one, and back. `own_words` is what the row for own words says, `freeform` what a
    question without choices says.
    """

    review: str | None = "Review"
    to_review: str = "review"
    review_actions: tuple[ReviewAction, ...] = ("submit", "elaborate", "cancel")
    notes: bool = True
    retyping: bool = True
    own_words: str = "Type your own answer"
    freeform: str = "Type your answer:"


@frozen(eq=False, repr=False)
class Form(Value):
    """Questions in the order they are asked, and the dialect that the result will be given in.

    `warnings` say what of the payload was changed to make it fit, `truncated` counts the texts that were cut for that.
    """

    dialect: str
    questions: tuple[Question, ...]
    title: str | None = None
    flow: Flow = Flow()
    warnings: tuple[str, ...] = ()
    truncated: int = 0
