"""Key maps: the table of bindings and its checks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ask_core.keymap import (
    DEFAULT_KEYMAPS,
    Command,
    Context,
    KeyMaps,
    command,
    key_label,
    keymaps_as_mapping,
    keys_of,
    load_keymaps,
    upgrade_keymaps,
    with_keymaps,
)
from ask_core.keys import Key, canonical_key

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def _cases() -> list[dict[str, Any]]:
    with Path(__file__).with_name("data").joinpath("keymap-cases.jsonl").open(encoding="utf-8") as lines:
        return [case for case in map(json.loads, lines) if "keymaps" in case]


def _stored(**changes: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The default key maps as a file holds them, with some actions of some contexts changed."""
    stored: dict[str, dict[str, Any]] = {**keymaps_as_mapping(DEFAULT_KEYMAPS)}
    return stored | {context: stored[context] | actions for context, actions in changes.items()}


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case["name"])
def test_whole_key_map_is_accepted_or_refused_as_recorded(case: dict[str, Any]) -> None:
    """Every recorded key map is normalised as recorded, or refused with a reason and replaced by the default."""
    loaded = load_keymaps(case["keymaps"])
    assert (not loaded.problems) == case["valid"]
    if case["valid"]:
        assert keymaps_as_mapping(loaded.keymaps) == case["normalized"]
    else:
        assert loaded.keymaps == DEFAULT_KEYMAPS


@pytest.mark.parametrize(
    ("stored", "problems"),
    [
        (
            _stored(main={"toggle": ["Return"]}),
            ("keymaps.main.toggle: enter is already the key of main.confirm",),
        ),
        (
            _stored(editor={"submit": "ctrl+c"}),
            ("keymaps.editor.submit: ctrl+c is already the key of global.dismiss",),
        ),
        (
            _stored(main={"confirm": "1", "toggle": ["space", "nope"]}),
            (
                "keymaps.main.confirm: 1 always chooses an option and cannot be bound",
                "keymaps.main.toggle: there is no key called 'nope'",
            ),
        ),
        (
            _stored(main={"confirm": 7, "toggle": []}),
            (
                "keymaps.main.confirm: must be the name of a key or a list of names",
                "keymaps.main.toggle: this action needs at least one key",
            ),
        ),
        (
            {"main": {}, "global": 3},
            (
                "keymaps: all actions have to be there; 10 are missing, such as keymaps.main.confirm",
                "keymaps.global: must be an object of actions",
                "keymaps.editor: this context is missing",
                "keymaps.noteEditor: this context is missing",
                "keymaps.settingsModal: this context is missing",
            ),
        ),
        (True, ("keymaps: must be an object of contexts",)),
    ],
)
def test_problems_name_the_binding_the_key_and_the_reason(stored: object, problems: tuple[str, ...]) -> None:
    """All problems are told at once, each with its place in the file."""
    assert load_keymaps(stored).problems == problems


def test_long_key_name_is_clipped() -> None:
    """A key name of any length makes a short problem."""
    (problem,) = load_keymaps(_stored(main={"toggle": "x" * 5000})).problems
    assert problem.startswith("keymaps.main.toggle: there is no key called 'xxx")
    assert len(problem) == 100


@pytest.mark.parametrize("context", ["main", "editor", "noteEditor"])
def test_key_of_the_global_context_is_refused_elsewhere(context: str) -> None:
    """A global key cannot be bound in the flow or its editors."""
    action = "toggle" if context == "main" else "close"
    assert load_keymaps(_stored(**{context: {action: "?"}})).problems == (
        f"keymaps.{context}.{action}: ? is already the key of global.settings",
    )


def test_commands_are_found_by_context() -> None:
    """The same key is another command, or none, in another context."""
    assert command(DEFAULT_KEYMAPS, Context.MAIN, "enter") is Command.CONFIRM
    assert command(DEFAULT_KEYMAPS, Context.EDITOR, "enter") is Command.SUBMIT
    assert command(DEFAULT_KEYMAPS, Context.NOTE_EDITOR, "enter") is Command.SAVE
    assert command(DEFAULT_KEYMAPS, Context.SETTINGS_MODAL, "enter") is Command.TOGGLE
    assert command(DEFAULT_KEYMAPS, Context.GLOBAL, "ctrl+c") is Command.DISMISS
    assert command(DEFAULT_KEYMAPS, Context.MAIN, "ctrl+c") is None
    assert command(DEFAULT_KEYMAPS, Context.MAIN, "1") is None


def test_every_binding_leads_to_its_command() -> None:
    """Keys and commands agree in both directions, for every context."""
    for context in Context:
        for each in Command:
            for key in keys_of(DEFAULT_KEYMAPS, context, each):
                assert command(DEFAULT_KEYMAPS, context, key) is each
                assert canonical_key(key) == Key(key).name == key


def test_every_command_has_a_default_key_somewhere() -> None:
    """No command is out of reach by default."""
    assert all(any(keys_of(DEFAULT_KEYMAPS, context, each) for context in Context) for each in Command)


def test_new_default_keys_are_no_text_and_no_editing_keys() -> None:
    """The keys of optional actions type nothing but the `/` of filters (R7), and files need not name the actions."""
    named = {(binding.context, binding.command) for binding in DEFAULT_KEYMAPS.bindings}
    new = {
        key
        for context in Context
        for each in Command
        if (context, each) not in named
        for key in keys_of(DEFAULT_KEYMAPS, context, each)
    }
    assert new == {"/", "pageDown", "pageUp", "home", "end", "shift+down", "shift+up", "ctrl+_", "ctrl+alt+_", "ctrl+g"}


def test_optional_action_loses_its_default_key_to_a_person() -> None:
    """A key that a person has bound, in main or globally, is not also the default key of an optional action."""
    loaded = load_keymaps(_stored(main={"toggle": ["space", "home"]}, **{"global": {"settings": "pgup"}}))
    assert loaded.problems == ()
    assert command(loaded.keymaps, Context.MAIN, "home") is Command.TOGGLE
    assert keys_of(loaded.keymaps, Context.MAIN, Command.FIRST_OPTION) == ()
    assert command(loaded.keymaps, Context.MAIN, "pageUp") is None
    assert keys_of(loaded.keymaps, Context.MAIN, Command.LAST_OPTION) == ("end",)
    assert "firstOption" not in keymaps_as_mapping(loaded.keymaps)["main"]


def test_optional_action_can_be_set_and_is_kept() -> None:
    """An optional action that a file names has those keys, is written back, and takes them from other defaults."""
    loaded = load_keymaps(_stored(main={"firstOption": "End", "nextPage": []}))
    assert loaded.problems == ()
    assert keys_of(loaded.keymaps, Context.MAIN, Command.FIRST_OPTION) == ("end",)
    assert keys_of(loaded.keymaps, Context.MAIN, Command.LAST_OPTION) == ()
    assert command(loaded.keymaps, Context.MAIN, "pageDown") is None
    written = keymaps_as_mapping(loaded.keymaps)
    assert written["main"]["firstOption"] == ["end"]
    assert written["main"]["nextPage"] == []
    assert load_keymaps(written).keymaps == loaded.keymaps


def test_optional_action_that_a_person_set_is_checked() -> None:
    """Set by a person, an optional action takes part in the conflicts like any other."""
    assert load_keymaps(_stored(main={"firstOption": "t"})).problems == (
        "keymaps.main.firstOption: t is already the key of main.changeQuestionType",
    )


def test_flat_key_map_reaches_every_context_it_stood_for() -> None:
    """A key map of the oldest shape changes the flow and both editors, and leaves the rest at the default."""
    loaded = load_keymaps({"confirm": "Ctrl+K", "cancel": "ctrl+q", "dismiss": "ctrl+x"})
    assert loaded.problems == ()
    assert keymaps_as_mapping(loaded.keymaps) == _stored(
        **{"global": {"dismiss": ["ctrl+x"]}},
        main={"confirm": ["ctrl+k"], "cancel": ["ctrl+q"]},
        editor={"submit": ["ctrl+k"], "close": ["ctrl+q"]},
        noteEditor={"save": ["ctrl+k"], "close": ["ctrl+q"]},
    )


def test_flat_key_that_types_text_stays_out_of_the_editors() -> None:
    """Cancel on q in the oldest shape leaves q for writing."""
    keymaps = load_keymaps({"cancel": "q"}).keymaps
    assert keys_of(keymaps, Context.MAIN, Command.CANCEL) == ("q",)
    assert keys_of(keymaps, Context.EDITOR, Command.CLOSE) == ("esc",)
    assert keys_of(keymaps, Context.NOTE_EDITOR, Command.CLOSE) == ("esc",)


def test_upgrade_lets_own_keys_win() -> None:
    """The action that version 5 added is without a key where t is in use, and the file it is saved to loads again."""
    for old in ({"toggle": "T"}, _stored(main={"toggle": "t", "changeQuestionType": None})):
        loaded = load_keymaps(upgrade_keymaps(old))
        assert loaded.problems == ()
        assert command(loaded.keymaps, Context.MAIN, "t") is Command.TOGGLE
        assert keys_of(loaded.keymaps, Context.MAIN, Command.CHANGE_QUESTION_TYPE) == ()
        assert load_keymaps(keymaps_as_mapping(loaded.keymaps)).keymaps == loaded.keymaps


def test_upgrade_keeps_what_the_person_said() -> None:
    """A question type key in an older file stays; a key map that is none stays what it is."""
    old = _stored(main={"changeQuestionType": "y"})
    assert upgrade_keymaps(old) == old
    others: list[object] = [None, [], "x", 3, {"main": 1}]
    for value in others:
        assert upgrade_keymaps(value) == value


@given(JSON)
def test_no_value_raises(value: object) -> None:
    """Any JSON value is key maps or problems, and upgrading it first changes nothing about that."""
    for stored in (value, upgrade_keymaps(value), {"main": value, "global": value}, _stored(main={"toggle": value})):
        loaded = load_keymaps(stored)
        assert isinstance(loaded.keymaps, KeyMaps)
        assert not loaded.problems or loaded.keymaps is DEFAULT_KEYMAPS


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"global": {"undo": "enter"}}, "keymaps.main.confirm: enter is already the key of global.undo"),
        ({"global": {"readOn": "n"}}, "keymaps.main.optionNote: n is already the key of global.readOn"),
        (
            {"global": {"redo": "u"}, "main": {"toggle": "u"}},
            "keymaps.main.toggle: u is already the key of global.redo",
        ),
        (
            {"main": {"cancel": "Shift+Space"}},
            "keymaps.main.toggle: space is already the key of main.cancel",
        ),
    ],
)
def test_global_keys_hold_everywhere_whether_optional_or_not(changes: dict[str, Any], problem: str) -> None:
    """A key of an optional global action is none of another context, and shift+space is space."""
    assert problem in load_keymaps(_stored(**changes)).problems


def test_what_is_in_effect_and_useless_is_remarked_on() -> None:
    """Slips in names, keys that never arrive, and keys that type where a text is written."""
    loaded = load_keymaps(
        _stored(main={"toggel": "x", "cancel": "ctrl+z"}, editor={"close": ["q", "esc"]}) | {"mian": {}}
    )
    assert loaded.problems == ()
    assert loaded.remarks == (
        "keymaps.main.toggel: there is no such action",
        "keymaps.mian: there is no such context",
        "keymaps.main.cancel: ctrl+z always puts ask to sleep",
        "keymaps.editor.close: q types in a text, so it works only while nothing is written",
    )


def test_unknown_names_stay_where_key_maps_are_stored() -> None:
    """Other key maps replace what we know, and nothing else."""
    stored = {"main": {"confirm": "x", "filter": "y", "own": "z"}, "other": {"a": 1}}
    written = with_keymaps(stored, DEFAULT_KEYMAPS)
    assert written["main"] == {**keymaps_as_mapping(DEFAULT_KEYMAPS)["main"], "own": "z"}
    assert written["other"] == {"a": 1}


KEYS = st.sampled_from(["a", "T", "ctrl+a", "alt+x", "f1", "f2", "home", "pgdn", "enter", "left", "?", "Ctrl+C", "esc"])


@given(
    st.dictionaries(st.sampled_from([*keymaps_as_mapping(DEFAULT_KEYMAPS)["main"], "firstOption", "nextPage"]), KEYS),
    st.dictionaries(st.sampled_from(["dismiss", "settings", "undo", "readOn"]), KEYS),
)
def test_accepted_key_maps_are_sound(main: dict[str, str], outer: dict[str, str]) -> None:
    """Accepted key maps come back equal from their written form and give every key one command at a time."""
    keymaps, problems, _ = load_keymaps(_stored(main=main, **{"global": outer}))
    if problems:
        return
    again = load_keymaps(keymaps_as_mapping(keymaps)).keymaps
    assert again == keymaps
    assert hash(again) == hash(keymaps)
    for context in (Context.MAIN, Context.EDITOR, Context.NOTE_EDITOR):
        bound = [key for at in (Context.GLOBAL, context) for each in Command for key in keys_of(keymaps, at, each)]
        assert len(bound) == len(set(bound))
    for action, key in main.items():
        assert command(keymaps, Context.MAIN, canonical_key(key)) is Command(action)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("up", "↑"),
        ("down", "↓"),
        ("left", "←"),
        ("right", "→"),
        ("enter", "Enter"),
        ("esc", "Esc"),
        ("space", "Space"),
        ("tab", "Tab"),
        ("shift+tab", "Shift+Tab"),
        ("ctrl+c", "Ctrl+C"),
        ("n", "n"),
        ("shift+n", "Shift+N"),
        ("?", "?"),
        ("pageUp", "PgUp"),
        ("pageDown", "PgDn"),
        ("delete", "Del"),
        ("ctrl+left", "Ctrl+←"),
        ("ctrl+shift+alt+super+k", "Ctrl+Shift+Alt+Super+K"),
        ("f10", "F10"),
        ("ctrl+_", "Ctrl+_"),
    ],
)
def test_label_shows_the_key_as_people_know_it(name: str, label: str) -> None:
    """A footer shows arrows as arrows, short names for long ones, and plain characters as they are typed."""
    assert key_label(name) == label
