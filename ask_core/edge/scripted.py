"""Forms that nobody is asked: answers or keys from the command line, given through the same machine."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from ask_core.dialects import details, load_form
from ask_core.edge.asking import Asked, asked_of, refused
from ask_core.errors import InvalidPayload, UnknownKey
from ask_core.events import Abort
from ask_core.keys import Key
from ask_core.questions import Form
from ask_core.reduce import reduce
from ask_core.result import Result, result_of, unasked
from ask_core.script import InvalidAnswers, answer_form
from ask_core.settings import Settings
from ask_core.state import State, start

_BAD_USAGE = 2
_TEXT = "text:"


class UnusableKeys(Exception):
    """A list of keys that cannot be read; `str()` says what of it."""


def answered(payload: object, dialect: str, answers: object) -> Asked:
    """What comes of answering a form with `answers` (`ask_core.script.answer_form`); all faults are in the reply."""
    try:
        form = load_form(payload, dialect)
    except InvalidPayload as error:
        return refused(error.dialect, error.issues)
    try:
        state = answer_form(form, answers)
    except InvalidAnswers as error:
        result = unasked(form, "invalid_input", error.issues)
        text = "\n".join(["These answers do not fit the form:", *(f"{path}: {why}" for path, why in error.issues)])
        reply = {"content": [{"type": "text", "text": text}], "details": details(result)}
        return Asked(reply, _BAD_USAGE)
    return _ended(result_of(state))


def pressed(payload: object, dialect: str, keys: str) -> Asked:
    """What comes of pressing `keys` on a form: names or characters between blanks, `text:` before what is typed.

    Raises UnusableKeys.
    """
    presses = list(_presses(keys))
    try:
        form = load_form(payload, dialect)
    except InvalidPayload as error:
        return refused(error.dialect, error.issues)
    state = start(form, Settings())
    for number, press in enumerate(presses):
        if state.finished:
            count = len(presses) - number
            left = f"the form has ended before the last {'key' if count == 1 else f'{count} keys'}"
            ended = _ended(result_of(state))
            return ended._replace(notices=(*ended.notices, left))
        state = reduce(state, press)
    if state.finished:
        return _ended(result_of(state))
    place = _place(form, state)
    ended = asked_of(result_of(reduce(state, Abort(f"the keys end {place}"))))
    return ended._replace(exit_code=_BAD_USAGE, notices=(f"the keys end {place}, and the form is still open",))


def _place(form: Form, state: State) -> str:
    return "on the review" if state.on_review else f"at question {state.tab + 1} of {len(form.questions)}"


def _presses(keys: str) -> Iterator[Key]:
    try:
        words = shlex.split(keys)
    except ValueError as error:
        raise UnusableKeys(f"--keys: {error}") from error
    for word in words:
        for name in word.removeprefix(_TEXT) if word.startswith(_TEXT) else [word]:
            try:
                yield Key(name)
            except UnknownKey as error:
                raise UnusableKeys(f"--keys: {error}") from error


def _ended(result: Result) -> Asked:
    """The ending, with a word about what should have been answered: that is reported and never enforced."""
    asked = asked_of(result)
    missing = [
        question.label
        for question, answer in zip(result.form.questions, result.answers, strict=True)
        if question.required and not answer.answered
    ]
    if not missing or result.cancelled:
        return asked
    return asked._replace(notices=(f"marked as required and not answered: {', '.join(missing)}",))
