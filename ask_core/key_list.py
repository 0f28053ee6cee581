"""What every key does, in words: the list behind the settings screen, `ask settings --keys` and docs/keys.md.

The keys come from the key maps in effect and from the tables of the editors; nothing is bound here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ask_core.editing import EDITS, ROW_EDITS
from ask_core.keymap import ACTIONS, Command, Context, KeyMaps, key_label, keys_in_filter, keys_of
from ask_core.text import buffer as edits


class KeyLine(NamedTuple):
    """The keys of one action as a person reads them, what they do, and the action's name in a settings file, if any."""

    keys: tuple[str, ...]
    does: str
    action: str = ""


class KeyGroup(NamedTuple):
    """The keys of one place, with the name of its context in a settings file where they can be changed."""

    title: str
    lines: tuple[KeyLine, ...]
    context: str = ""


_TITLES = {
    Context.MAIN: "Questions and review",
    Context.GLOBAL: "Everywhere",
    Context.EDITOR: "Writing an answer",
    Context.NOTE_EDITOR: "Writing a note",
    Context.SETTINGS_MODAL: "Settings",
}

_MEANINGS = {
    (Context.GLOBAL, Command.DISMISS): "leave, without keeping what is being written",
    (Context.GLOBAL, Command.SETTINGS): "settings and keys",
    (Context.GLOBAL, Command.READ_ON): "read on in a long text",
    (Context.GLOBAL, Command.READ_BACK): "read back",
    (Context.GLOBAL, Command.UNDO): "undo",
    (Context.GLOBAL, Command.REDO): "redo",
    (Context.MAIN, Command.CONFIRM): "choose and go on, or write own words",
    (Context.MAIN, Command.CANCEL): "leave",
    (Context.MAIN, Command.CHANGE_QUESTION_TYPE): "allow several answers, or one again",
    (Context.MAIN, Command.TOGGLE): "choose, or take back",
    (Context.MAIN, Command.NEXT_TAB): "next question, then the review",
    (Context.MAIN, Command.PREVIOUS_TAB): "question before",
    (Context.MAIN, Command.NEXT_OPTION): "down",
    (Context.MAIN, Command.PREVIOUS_OPTION): "up",
    (Context.MAIN, Command.OPTION_NOTE): "note on the option",
    (Context.MAIN, Command.QUESTION_NOTE): "note on the question",
    (Context.MAIN, Command.NEXT_PAGE): "page down",
    (Context.MAIN, Command.PREVIOUS_PAGE): "page up",
    (Context.MAIN, Command.FIRST_OPTION): "first line",
    (Context.MAIN, Command.LAST_OPTION): "last line",
    (Context.MAIN, Command.FILTER): "filter a long list",
    (Context.EDITOR, Command.SUBMIT): "save and go on",
    (Context.EDITOR, Command.CLOSE): "keep and close",
    (Context.NOTE_EDITOR, Command.SAVE): "save",
    (Context.NOTE_EDITOR, Command.CLOSE): "keep and close",
    (Context.SETTINGS_MODAL, Command.CLOSE): "close",
    (Context.SETTINGS_MODAL, Command.NEXT_OPTION): "down",
    (Context.SETTINGS_MODAL, Command.PREVIOUS_OPTION): "up",
    (Context.SETTINGS_MODAL, Command.TOGGLE): "change",
    (Context.SETTINGS_MODAL, Command.NEXT_PAGE): "page down, then through the keys",
    (Context.SETTINGS_MODAL, Command.PREVIOUS_PAGE): "page up",
    (Context.SETTINGS_MODAL, Command.FIRST_OPTION): "first line",
    (Context.SETTINGS_MODAL, Command.LAST_OPTION): "last line",
} | {
    (context, command): does
    for context in (Context.EDITOR, Context.NOTE_EDITOR)
    for command, does in (
        (Command.NEXT_TAB_WHEN_EMPTY, "next question, while nothing is written"),
        (Command.PREVIOUS_TAB_WHEN_EMPTY, "question before, while nothing is written"),
        (Command.NEXT_OPTION_WHEN_EMPTY, "down, while nothing is written"),
        (Command.PREVIOUS_OPTION_WHEN_EMPTY, "up, while nothing is written"),
        (Command.EDIT_EXTERNALLY, "go on in your own editor"),
    )
}

_WHILE_EMPTY = (
    Command.NEXT_TAB_WHEN_EMPTY,
    Command.PREVIOUS_TAB_WHEN_EMPTY,
    Command.NEXT_OPTION_WHEN_EMPTY,
    Command.PREVIOUS_OPTION_WHEN_EMPTY,
)

_EDITS: dict[Callable[..., Any], str] = {
    edits.move_left: "one character back",
    edits.move_right: "one character on",
    edits.move_up: "one line up",
    edits.move_down: "one line down",
    edits.move_word_left: "one word back",
    edits.move_word_right: "one word on",
    edits.move_to_line_start: "beginning of the line",
    edits.move_to_line_end: "end of the line",
    edits.break_line: "new line",
    edits.delete_back: "delete the character before",
    edits.delete_forward: "delete the character after",
    edits.kill_word_back: "cut the word before",
    edits.kill_word_forward: "cut the word after",
    edits.kill_to_line_start: "cut to the beginning of the line",
    edits.kill_to_line_end: "cut to the end of the line",
    edits.yank: "put in what was cut last",
}

_ALWAYS = (
    KeyLine(("1-9",), "choose that line, or do that on the review"),
    KeyLine(("Ctrl+Z",), "put ask to sleep, as in any shell"),
)


def key_list(keymaps: KeyMaps) -> tuple[KeyGroup, ...]:
    """All keys by the place where they work. An action without a key is listed with none."""
    groups = [_group(keymaps, context) for context in _TITLES]
    fixed = [
        KeyGroup("In every text", tuple(_editing(keymaps))),
        KeyGroup("Filter", tuple(_filtering(keymaps))),
        KeyGroup("List of files", tuple(_completing(keymaps))),
        KeyGroup("Always the same", _ALWAYS),
    ]
    return (*groups, *fixed)


def _filtering(keymaps: KeyMaps) -> list[KeyLine]:
    return [
        KeyLine(("1-9",), "choose among what is shown"),
        KeyLine(_labels(keys_in_filter(keymaps, Command.CONFIRM)), "choose what is highlighted"),
        KeyLine(_labels(keys_in_filter(keymaps, Command.CANCEL)), "close the filter"),
    ]


def _completing(keymaps: KeyMaps) -> list[KeyLine]:
    takes = dict.fromkeys((*_keys(keymaps, Context.EDITOR, Command.SUBMIT), key_label("tab")))
    return [
        KeyLine(("@",), "begin the name of a file"),
        KeyLine(tuple(takes), "take what is highlighted"),
        KeyLine(_keys(keymaps, Context.EDITOR, Command.CLOSE), "close the list"),
    ]


def _keys(keymaps: KeyMaps, context: Context, command: Command) -> tuple[str, ...]:
    return _labels(keys_of(keymaps, context, command))


def _group(keymaps: KeyMaps, context: Context) -> KeyGroup:
    lines = (
        KeyLine(_keys(keymaps, context, command), _MEANINGS[context, command], command.value)
        for at, command in ACTIONS
        if at is context
    )
    return KeyGroup(_TITLES[context], tuple(lines), context.value)


def _editing(keymaps: KeyMaps) -> list[KeyLine]:
    """What edits in every text: not the keys that are bound to something else in any of them."""
    elsewhere = {
        key
        for context in (Context.GLOBAL, Context.EDITOR, Context.NOTE_EDITOR)
        for at, command in ACTIONS
        if at is context and command not in _WHILE_EMPTY
        for key in keys_of(keymaps, context, command)
    }
    bound = [pair for pair in (*EDITS.items(), *ROW_EDITS.items()) if pair[0] not in elsewhere]
    return [KeyLine(_labels(tuple(key for key, at in bound if at is edit)), does) for edit, does in _EDITS.items()]


def _labels(keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(key_label, keys))
