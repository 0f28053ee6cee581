"""How a flow ended and what it holds: the one value that texts and JSON are made of."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from ask_core.answers import NOTHING, Answer
from ask_core.errors import Issue
from ask_core.questions import Form, Question, QuestionType
from ask_core.state import State
from ask_core.value import Value

# Every ending is told apart (R4). The last two are endings of calls that never became a flow.
ResultOutcome = Literal["submitted", "elaborated", "cancelled", "aborted", "timed_out", "no_screen", "invalid_input"]


@frozen(eq=False, repr=False)
class Result(Value):
    """What came of asking `form`; `outcome` is None while the flow is still open.

    `answers` and `types` run parallel to the questions. `reason` says why the host ended the flow, `issues` what was
    wrong with the payload.
    """

    form: Form
    outcome: ResultOutcome | None
    answers: tuple[Answer, ...]
    types: tuple[QuestionType, ...]
    reason: str | None = None
    issues: tuple[Issue, ...] = ()

    @property
    def cancelled(self) -> bool:
        """Whether it ended in any other way than by submitting or asking for elaboration (R4)."""
        return self.outcome not in (None, "submitted", "elaborated")


def result_of(state: State) -> Result:
    """The result of a flow, finished or not."""
    return Result(state.form, state.outcome, state.answers, state.types, state.reason)


def unasked(form: Form, outcome: ResultOutcome, issues: tuple[Issue, ...] = ()) -> Result:
    """The result of a form that nobody saw."""
    types = tuple(question.type for question in form.questions)
    return Result(form, outcome, (NOTHING,) * len(types), types, issues=issues)


def answer_labels(question: Question, answer: Answer) -> list[str]:
    """What a person reads as the answer: the chosen labels in the order of the options, own words last (R3)."""
    labels = [question.options[option].label for option in answer.selected]
    if answer.custom_selected and answer.custom is not None:
        labels.append(answer.custom)
    return labels
