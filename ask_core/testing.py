"""The public test kit: play a form by keys and look at what came of it, without a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from ask_core.answers import NOTHING
from ask_core.dialects import load_form
from ask_core.events import Paste, Resized, SettingsChanged, SettingsNotSaved
from ask_core.frame import Frame, Line, Role, Span
from ask_core.keys import Key
from ask_core.layout import layout
from ask_core.reduce import reduce
from ask_core.result import result_of
from ask_core.settings import Settings
from ask_core.settings_file import load_settings
from ask_core.state import Choosing, Configuring, Filtering, Noting, Reviewing, State, Typing, start
from ask_core.summary import transcript
from ask_core.text.graphemes import width as columns_of
from ask_core.value import Value
from ask_core.view import view

_PASTED = 24


def event(key: str | Mapping[str, Any]) -> Key | Paste | SettingsChanged | SettingsNotSaved:
    """A press as an event: a key by its name or character, or a mapping with one entry.

    These are `{"paste": text}`, `{"settings": stored}` (in effect from now on) and `{"unsaved": reason}` (settings
    cannot be stored).
    """
    match key:
        case str():
            return Key(key)
        case {"settings": stored}:
            return SettingsChanged(*load_settings(stored))
        case {"unsaved": str(reason)}:
            return SettingsNotSaved(reason)
        case _:
            return Paste(key["paste"])


@frozen(eq=False, repr=False)
class Played(Value):
    """A flow after its last key: `states` holds the opening state and one more for each key that was fed."""

    states: tuple[State, ...]

    @property
    def state(self) -> State:
        """The last state."""
        return self.states[-1]


def play(
    payload: object,
    keys: Iterable[str | Mapping[str, Any]],
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

    Keys: tab, option, action, view, editor, types, answers, warned, armed, typeArmed; while the settings are open also
    settings, and the others are those of what is under them.
    """
    row, action = 0, 0
    editor: str | None = None
    armed: int | None = None
    type_armed: str | None = None
    open_settings = isinstance(state.mode, Configuring)
    mode = state.mode.back if isinstance(state.mode, Configuring) else state.mode
    match mode:
        case Choosing():
            view, row = "navigate", mode.row
            type_armed = state.question.id if mode.type_armed else None
        case Filtering():
            view, row = "navigate", mode.highlighted
        case Typing():
            view, row, editor = "input", state.question.last_row, mode.buffer.text
        case Noting():
            noted = "question" if mode.option is None else f"option:{state.question.options[mode.option].value}"
            view, row, editor = f"note:{noted}", mode.row, mode.buffer.text
        case Reviewing():
            view, action, armed = "submit", mode.action, mode.armed
        case None:
            view = "settings"
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
        **({"settings": True} if open_settings else {}),
    }


def film(
    payload: object,
    stops: Iterable[tuple[str, Iterable[str | Mapping[str, Any]]]],
    *,
    width: int = 80,
    height: int = 24,
    settings: Settings | None = None,
    dialect: str = "contract",
    allow_freeform: bool = False,
    path: str | None = None,
    notices: tuple[str, ...] = (),
    roles: bool = False,
) -> str:
    """What a person sees at each stop, as text to read and to compare.

    A stop is a name and the presses that lead to it: those of `event`, and `{"type": text}`. `path` and `notices` are
    those of the settings' file. Each frame
    stands under a caption with its stop and keys, and has a border at the right and below; `<` and `^` in them mark the
    cursor's row and column. With `roles`, each piece of text stands after its role in brackets instead. Of a flow that
    has ended, the transcript is shown. Raises InvalidPayload and UnknownKey.
    """
    form = load_form(payload, dialect, allow_freeform)
    state = reduce(start(form, settings, path=path, notices=notices), Resized(width, height))
    lines: list[str] = []
    for name, keys in stops:
        presses = list(keys)
        for press in presses:
            typed = press["type"] if isinstance(press, Mapping) and "type" in press else [press]
            for key in typed:
                state = reduce(state, event(key))
        caption = " ".join(map(_caption, presses))
        lines.append(f"## {name}: {caption}" if caption else f"## {name}")
        frame = layout(view(state), width, height)
        if state.finished:
            frame = Frame(width, height, transcript(result_of(state), width))
            lines.append(f"({state.outcome})")
        lines += [_tagged(line) for line in frame.lines] if roles else _bordered(frame)
        lines.append("")
    return "\n".join(lines)


def _caption(press: str | Mapping[str, Any]) -> str:
    if isinstance(press, str):
        return press
    if "type" in press:
        return f'"{press["type"]}"'
    if "paste" not in press:
        return json.dumps(press, ensure_ascii=False)
    text = press["paste"]
    start = text[:_PASTED].encode("unicode_escape").decode("ascii")
    return f'paste "{start}"' if len(text) <= _PASTED else f'paste "{start}..." ({len(text)} characters)'


def _bordered(frame: Frame) -> list[str]:
    cursor = frame.cursor
    rows = []
    for number, line in enumerate(frame.lines):
        text = "".join(span.text for span in line)
        edge = "<" if cursor and cursor.row == number else "│"
        rows.append(f"{text}{' ' * (frame.width - columns_of(text))}{edge}")
    below = "─" * frame.width + "╯"
    return [*rows, f"{below[: cursor.column]}^{below[cursor.column + 1 :]}" if cursor else below]


def _tagged(line: Line) -> str:
    runs: list[Span] = []
    for text, role in line:
        if runs and runs[-1].role is role:
            runs[-1] = Span(runs[-1].text + text, role)
        else:
            runs.append(Span(text, role))
    margin = runs.pop(0).text if runs and runs[0].role is Role.TEXT else ""
    return margin + "".join(f"[{role}]{text}" for text, role in runs) + "│"
