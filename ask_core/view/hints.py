"""The keys worth knowing at the moment, read from the key maps in effect."""

from __future__ import annotations

from enum import StrEnum, auto
from functools import lru_cache

from ask_core.completion import is_open
from ask_core.keymap import Command, Context, KeyMaps, key_label, keys_in_filter, keys_of
from ask_core.keys import Key
from ask_core.screen import Hint
from ask_core.settings import RESET_ROW
from ask_core.state import Choosing, Configuring, Filtering, Noting, Reviewing, State, Typing, Writing, ends_here


def hints(state: State) -> tuple[Hint, ...]:
    """What the keys do here, the most useful first. A command without a key has no hint."""
    match state.mode:
        case Choosing() as mode:
            wanted = _choosing(state, mode)
        case Filtering() as mode:
            wanted = _filtering(state, mode)
        case Typing() | Noting() as mode if is_open(mode):
            wanted = _completing(mode)
        case Typing(buffer=buffer):
            wanted = _typing(state, empty=not buffer)
        case Noting(buffer=buffer):
            wanted = _noting(state, empty=not buffer)
        case Reviewing():
            wanted = _reviewing()
        case Configuring() as mode:
            wanted = _configuring(mode)
    shown = _shown(state.settings.keymaps, tuple(wanted), _use_of_keys(state))
    if not (isinstance(state.mode, Filtering) and state.mode.rows):
        return shown
    # Here digits are no text, which has to be said.
    return (*shown[:1], Hint("1-9", "tick" if state.type == "multi" else "choose"), *shown[1:])


_Wish = tuple[Context, tuple[Command, ...], str]
_Wanted = list[_Wish]
_SETTINGS = (Context.GLOBAL, (Command.SETTINGS,), "settings")


def _choosing(state: State, mode: Choosing) -> _Wanted:
    main = Context.MAIN
    own_words = mode.row == state.question.own_words_row
    multi = state.type == "multi"
    wanted: _Wanted = []
    if own_words:
        edit = _sending(state, "edit", "edit, then send")
        wanted.append((main, (Command.CONFIRM,), "write" if state.answer.custom is None else edit))
        if multi and state.answer.custom is not None:
            wanted.append((main, (Command.TOGGLE,), "tick"))
    elif multi:
        wanted += [(main, (Command.TOGGLE,), "tick"), (main, (Command.CONFIRM,), _sending(state, "go on", "send"))]
    else:
        wanted.append((main, (Command.CONFIRM,), _sending(state, "choose", "send this")))
        if not ends_here(state):
            wanted.append((main, (Command.TOGGLE,), "tick"))
    wanted.append((main, (Command.CANCEL,), "cancel"))
    if not state.question.freeform:
        wanted.append((main, (Command.PREVIOUS_OPTION, Command.NEXT_OPTION), "move"))
    if state.question.filterable:
        wanted.append((main, (Command.FILTER,), "filter"))
    wanted += [*_to_next(state, main, Command.NEXT_TAB), _SETTINGS]
    if state.form.flow.notes:
        if not own_words:
            wanted.append((main, (Command.OPTION_NOTE,), "note on option"))
        wanted.append((main, (Command.QUESTION_NOTE,), "note on question"))
    if state.form.flow.retyping and not state.question.freeform:
        wanted.append((main, (Command.CHANGE_QUESTION_TYPE,), "one answer" if multi else "allow several"))
    return wanted


def _filtering(state: State, mode: Filtering) -> _Wanted:
    main = Context.MAIN
    if not mode.rows:
        return [(main, (Command.CANCEL,), "close the filter"), *_to_next(state, main, Command.NEXT_TAB)]
    if mode.highlighted == state.question.own_words_row:
        does = "write" if state.answer.custom is None else "edit"
    else:
        does = "tick" if state.type == "multi" else _sending(state, "choose", "send this")
    return [
        (main, (Command.CONFIRM,), does),
        (main, (Command.CANCEL,), "close the filter"),
        (main, (Command.PREVIOUS_OPTION, Command.NEXT_OPTION), "move"),
        *_to_next(state, main, Command.NEXT_TAB),
    ]


def _completing(mode: Writing) -> _Wanted:
    """The keys of the list of paths; the arrows are those of the editor itself."""
    typing = isinstance(mode, Typing)
    context = Context.EDITOR if typing else Context.NOTE_EDITOR
    return [(context, (Command.SUBMIT if typing else Command.SAVE,), "take"), (context, (Command.CLOSE,), "close list")]


def _typing(state: State, *, empty: bool) -> _Wanted:
    goes_on = _sending(state, "go on", "send")
    saves = "save" if state.type == "multi" else f"save and {goes_on}"
    if empty:
        saves = f"keep the choice and {goes_on}" if state.type != "multi" and state.answer.selected else ""
    submit: _Wanted = [(Context.EDITOR, (Command.SUBMIT,), saves)] if saves else []
    return [
        *submit,
        (Context.EDITOR, (Command.CLOSE,), "close" if empty else "keep and close"),
        *((*_leaving(state, Context.EDITOR), _SETTINGS) if empty else ()),
        (Context.EDITOR, (Command.EDIT_EXTERNALLY,), "your editor"),
    ]


def _noting(state: State, *, empty: bool) -> _Wanted:
    return [
        (Context.NOTE_EDITOR, (Command.SAVE,), "save note"),
        (Context.NOTE_EDITOR, (Command.CLOSE,), "close" if empty else "keep and close"),
        *((*_leaving(state, Context.NOTE_EDITOR), _SETTINGS) if empty else ()),
        (Context.NOTE_EDITOR, (Command.EDIT_EXTERNALLY,), "your editor"),
    ]


def _leaving(state: State, context: Context) -> _Wanted:
    """The keys that lead out of an editor without text."""
    moves: _Wanted = [(context, (Command.PREVIOUS_OPTION_WHEN_EMPTY, Command.NEXT_OPTION_WHEN_EMPTY), "move")]
    return [*(() if state.question.freeform else moves), *_to_next(state, context, Command.NEXT_TAB_WHEN_EMPTY)]


def _to_next(state: State, context: Context, command: Command) -> _Wanted:
    if state.tabs == 1:
        return []
    last = state.tab + 1 == len(state.form.questions)
    return [(context, (command,), state.form.flow.to_review if last else "next question")]


def _sending(state: State, goes_on: str, sends: str) -> str:
    """What a key that ends with going on does: to the last question of a form without a review it is the end."""
    return sends if ends_here(state) else goes_on


def _reviewing() -> _Wanted:
    main = Context.MAIN
    return [
        (main, (Command.CONFIRM,), "confirm"),
        (main, (Command.CANCEL,), "cancel"),
        (main, (Command.PREVIOUS_OPTION, Command.NEXT_OPTION), "move"),
        (main, (Command.PREVIOUS_TAB,), "back to the questions"),
        _SETTINGS,
    ]


def _configuring(mode: Configuring) -> _Wanted:
    modal = Context.SETTINGS_MODAL
    return [
        (modal, (Command.TOGGLE,), "reset" if mode.row == RESET_ROW else "change"),
        (modal, (Command.PREVIOUS_OPTION, Command.NEXT_OPTION), "move"),
        (modal, (Command.CLOSE,), "close"),
    ]


class _Use(StrEnum):
    """Which keys do what they are bound to: all, or those that type nothing, as while a text or a filter is written."""

    ALL = auto()
    NOT_TYPED = auto()
    IN_FILTER = auto()


def _use_of_keys(state: State) -> _Use:
    match state.mode:
        case Filtering():
            return _Use.IN_FILTER
        case Typing(buffer=buffer) | Noting(buffer=buffer) if buffer:
            return _Use.NOT_TYPED
        case _:
            return _Use.ALL


# Between two keys there is nearly always nothing new to say.
@lru_cache(maxsize=64)
def _shown(keymaps: KeyMaps, wanted: tuple[_Wish, ...], use: _Use) -> tuple[Hint, ...]:
    """The hints that are wanted, with their keys; a command without a key has none."""
    shown = []
    for context, commands, does in wanted:
        bound = [_usable(keymaps, context, command, use) for command in commands]
        if all(bound):
            shown.append(Hint("/".join(key_label(keys[0]) for keys in bound), does))
    return tuple(shown)


def _usable(keymaps: KeyMaps, context: Context, command: Command, use: _Use) -> tuple[str, ...]:
    """The keys of a command that do it here."""
    if use is _Use.IN_FILTER:
        return keys_in_filter(keymaps, command)
    keys = keys_of(keymaps, context, command)
    return tuple(key for key in keys if Key(key).text is None) if use is _Use.NOT_TYPED else keys
