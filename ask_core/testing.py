"""The public test kit: play a form by keys and look at what came of it, without a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from ask_core.answers import NOTHING
from ask_core.dialects import load_form
from ask_core.events import Paste
from ask_core.keys import Key
from ask_core.reduce import reduce
from ask_core.settings import Settings
from ask_core.state import Choosing, Noting, Reviewing, State, Typing, start


def event(key: str | Mapping[str, str]) -> Key | Paste:
    """A key by its name or character, or `{"paste": text}`, as an event."""
    return Key(key) if isinstance(key, str) else Paste(key["paste"])


@frozen
class Played:
    """A flow after its last key: `states` holds the opening state and one more for each key that was fed."""

    states: tuple[State, ...]

    @property
    def state(self) -> State:
        """The last state."""
        return self.states[-1]


def play(
    payload: object,
    keys: Iterable[str | Mapping[str, str]],
    *,
    settings: Settings | None = None,
    dialect: str = "contract",
    allow_freeform: bool = False,
) -> Played:
    """Open a form and press keys until they run out or the flow has ended.

    Raises InvalidPayload and UnknownKey.
    """
    states = [start(load_form(payload, dialect, allow_freeform), settings)]
    for key in keys:
        if states[-1].finished:
            break
        states.append(reduce(states[-1], event(key)))
    return Played(tuple(states))


def facts(state: State) -> dict[str, Any]:
    """What can be said about a state in plain JSON: where the highlight is, what is open, and what was given.

    Keys: tab, option, action, view, editor, types, answers, warned, armed, typeArmed.
    """
    row, action = 0, 0
    editor: str | None = None
    armed: int | None = None
    type_armed: str | None = None
    mode = state.mode
    match mode:
        case Choosing():
            view, row = "navigate", mode.row
            type_armed = state.question.id if mode.type_armed else None
        case Typing():
            view, row, editor = "input", state.question.own_words_row, mode.buffer.text
        case Noting():
            noted = "question" if mode.option is None else f"option:{state.question.options[mode.option].value}"
            view, row, editor = f"note:{noted}", mode.row, mode.buffer.text
        case Reviewing():
            view, action, armed = "submit", mode.action, mode.armed
    return {
        "tab": state.tab,
        "option": row,
        "action": action,
        "view": view,
        "editor": editor,
        "types": {question.id: type for question, type in zip(state.form.questions, state.types, strict=True)},
        "answers": {
            question.id: {
                "selected": [question.options[option].value for option in answer.selected],
                "custom": answer.custom,
                "customSelected": answer.custom_selected,
                "note": answer.note,
                "optionNotes": {question.options[option].value: note for option, note in answer.option_notes},
            }
            for question, answer in zip(state.form.questions, state.answers, strict=True)
            if answer != NOTHING
        },
        "warned": state.warned is not None,
        "armed": armed,
        "typeArmed": type_armed,
    }
