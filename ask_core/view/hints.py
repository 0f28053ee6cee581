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
            wanted = _writing(Context.EDITOR, Command.SUBMIT, "save and go on", empty=not buffer)
        case Noting(buffer=buffer):
            wanted = _writing(Context.NOTE_EDITOR, Command.SAVE, "save note", empty=not buffer)
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
        wanted.append((main, (Command.CONFIRM,), "write"))
        if multi and state.answer.custom is not None:
            wanted.append((main, (Command.TOGGLE,), "choose or not"))
    elif multi:
        wanted += [(main, (Command.TOGGLE,), "choose or not"), (main, (Command.CONFIRM,), "go on")]
    else:
        wanted += [(main, (Command.CONFIRM,), "choose and go on"), (main, (Command.TOGGLE,), "choose")]
    if state.question.own_words_row:
        wanted.append((main, (Command.PREVIOUS_OPTION, Command.NEXT_OPTION), "move"))
    wanted.append((main, (Command.NEXT_TAB,), "next"))
    if state.form.flow.notes:
        if not own_words:
            wanted.append((main, (Command.OPTION_NOTE,), "note"))
        wanted.append((main, (Command.QUESTION_NOTE,), "note on question"))
    if state.form.flow.retyping:
        back = {"single": "one answer", "multi": "one answer", "preview": "one answer"}
        wanted.append((main, (Command.CHANGE_QUESTION_TYPE,), back[state.type] if multi else "allow several"))
    wanted.append((main, (Command.CANCEL,), "cancel"))
    return wanted


def _writing(context: Context, save: Command, does: str, *, empty: bool) -> _Wanted:
    wanted: _Wanted = [(context, (save,), does), (context, (Command.CLOSE,), "close")]
    if empty:
        wanted += [
            (context, (Command.PREVIOUS_OPTION_WHEN_EMPTY, Command.NEXT_OPTION_WHEN_EMPTY), "move"),
            (context, (Command.NEXT_TAB_WHEN_EMPTY,), "next"),
        ]
    return wanted


def _reviewing() -> _Wanted:
    main = Context.MAIN
    return [
        (main, (Command.CONFIRM,), "confirm"),
        (main, (Command.PREVIOUS_OPTION, Command.NEXT_OPTION), "move"),
        (main, (Command.PREVIOUS_TAB,), "back to the questions"),
        (main, (Command.CANCEL,), "cancel"),
    ]


def _keys(state: State, context: Context, commands: tuple[Command, ...]) -> str:
    bound = [keys_of(state.settings.keymaps, context, command) for command in commands]
    if not all(bound):
        return ""
    return "/".join(key_label(keys[0]) for keys in bound)
