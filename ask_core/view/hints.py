"""The keys worth knowing at the moment, read from the key maps in effect."""

from __future__ import annotations

from ask_core.keymap import Command, Context, key_label, keys_of
from ask_core.screen import Hint
from ask_core.state import Choosing, Noting, Reviewing, State, Typing


def hints(state: State) -> tuple[Hint, ...]:
    """What the keys do here, the most useful first. A command without a key has no hint."""
    match state.mode:
        case Choosing() as mode:
            wanted = _choosing(state, mode)
        case Typing(buffer=buffer):
            wanted = _typing(state, empty=not buffer)
        case Noting(buffer=buffer):
            wanted = _noting(state, empty=not buffer)
        case Reviewing():
            wanted = _reviewing()
    shown = ((_keys(state, context, commands), does) for context, commands, does in wanted)
    return tuple(Hint(keys, does) for keys, does in shown if keys)


_Wanted = list[tuple[Context, tuple[Command, ...], str]]


def _choosing(state: State, mode: Choosing) -> _Wanted:
    main = Context.MAIN
    own_words = mode.row == state.question.own_words_row
    multi = state.type == "multi"
    wanted: _Wanted = []
    if own_words:
        wanted.append((main, (Command.CONFIRM,), "write" if state.answer.custom is None else "edit"))
        if multi and state.answer.custom is not None:
            wanted.append((main, (Command.TOGGLE,), "mark"))
    elif multi:
        wanted += [(main, (Command.TOGGLE,), "mark"), (main, (Command.CONFIRM,), "go on")]
    else:
        wanted += [(main, (Command.CONFIRM,), "choose"), (main, (Command.TOGGLE,), "mark")]
    wanted.append((main, (Command.CANCEL,), "cancel"))
    if not state.question.freeform:
        wanted.append((main, (Command.PREVIOUS_OPTION, Command.NEXT_OPTION), "move"))
    wanted.append((main, (Command.NEXT_TAB,), _next(state)))
    if state.form.flow.notes:
        if not own_words:
            wanted.append((main, (Command.OPTION_NOTE,), "note"))
        wanted.append((main, (Command.QUESTION_NOTE,), "note on question"))
    if state.form.flow.retyping and not state.question.freeform:
        wanted.append((main, (Command.CHANGE_QUESTION_TYPE,), "one answer" if multi else "allow several"))
    return wanted


def _typing(state: State, *, empty: bool) -> _Wanted:
    saves = "save" if state.type == "multi" else "save and go on"
    return [
        (Context.EDITOR, (Command.SUBMIT,), saves),
        (Context.EDITOR, (Command.CLOSE,), "close" if empty else "keep and close"),
        *(_leaving(state, Context.EDITOR) if empty else ()),
    ]


def _noting(state: State, *, empty: bool) -> _Wanted:
    return [
        (Context.NOTE_EDITOR, (Command.SAVE,), "save note"),
        (Context.NOTE_EDITOR, (Command.CLOSE,), "close" if empty else "keep and close"),
        *(_leaving(state, Context.NOTE_EDITOR) if empty else ()),
    ]


def _leaving(state: State, context: Context) -> _Wanted:
    """The keys that lead out of an editor without text."""
    moves: _Wanted = [(context, (Command.PREVIOUS_OPTION_WHEN_EMPTY, Command.NEXT_OPTION_WHEN_EMPTY), "move")]
    return [*(() if state.question.freeform else moves), (context, (Command.NEXT_TAB_WHEN_EMPTY,), _next(state))]


def _next(state: State) -> str:
    return "review" if state.tab + 1 == len(state.form.questions) else "next question"


def _reviewing() -> _Wanted:
    main = Context.MAIN
    return [
        (main, (Command.CONFIRM,), "confirm"),
        (main, (Command.CANCEL,), "cancel"),
        (main, (Command.PREVIOUS_OPTION, Command.NEXT_OPTION), "move"),
        (main, (Command.PREVIOUS_TAB,), "back to the questions"),
    ]


def _keys(state: State, context: Context, commands: tuple[Command, ...]) -> str:
    bound = [keys_of(state.settings.keymaps, context, command) for command in commands]
    if not all(bound):
        return ""
    return "/".join(key_label(keys[0]) for keys in bound)
