"""Settings and their stored form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ask_core.keymap import DEFAULT_KEYMAPS
from ask_core.settings import Behaviour, Channel, ExtractionSettings, Model, Notifications, Settings
from ask_core.settings_file import load_settings, read_settings, settings_as_mapping

# Recorded where a key added by a migration made the person's own key maps unusable. The ruling decides instead: own
# keys win, and the new action is then without a key.
OWN_KEYS_WIN = {
    "v3-flat-key-t-clashes": {
        "main": {"confirm": ["ctrl+k"], "toggle": ["t"], "changeQuestionType": []},
        "editor": {"submit": ["ctrl+k"]},
        "noteEditor": {"save": ["ctrl+k"]},
    },
    "v4-t-already-used": {"main": {"confirm": ["ctrl+k"], "toggle": ["t"], "changeQuestionType": []}},
}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def _cases() -> list[dict[str, Any]]:
    with Path(__file__).with_name("data").joinpath("config-cases.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


CASES = _cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_stored_settings_come_to_what_was_recorded(case: dict[str, Any]) -> None:
    """Every recorded file is accepted or refused as recorded and comes to the recorded settings, rulings applied."""
    file = read_settings(case["input"])
    assert file.accepted == case["accepted"]
    assert file.reason == case.get("reason")
    if not case["accepted"]:
        assert file.settings == Settings()
        assert file.notices
        return
    config, replaced = case["config"], case["keymapsReplaced"]
    if own := OWN_KEYS_WIN.get(case["name"]):
        replaced = False
        keymaps = config["keymaps"]
        config = config | {"keymaps": keymaps | {context: keymaps[context] | own[context] for context in own}}
    assert file.migrated == case["migrated"]
    assert file.keymaps_replaced == replaced
    display = {"theme": "auto", "mouse": True, "renderer": "auto"}
    assert settings_as_mapping(file.settings) == config | {"display": display}


def test_every_case_against_the_recording_has_a_ruling() -> None:
    """The cases where the recording does not decide are exactly those tagged as quirks."""
    assert {case["name"] for case in CASES if "quirk:new-default-key-clash" in case.get("tags", ())} == set(
        OWN_KEYS_WIN
    )


def test_defaults_are_the_settings_of_an_empty_file() -> None:
    """Settings() is what a file with nothing but its version comes to, without a notice."""
    assert load_settings({"schemaVersion": 5}) == (Settings(), ())


def test_partial_mapping_changes_only_what_it_names() -> None:
    """A mapping may hold a single switch."""
    settings, notices = load_settings({"schemaVersion": 5, "behaviour": {"presentSingleAsMulti": True}})
    assert settings == Settings(behaviour=Behaviour(present_single_as_multi=True))
    assert notices == ()


def test_parts_of_different_kinds_are_never_equal() -> None:
    """Settings are values: hashable, equal by content, and no part equals one of another kind."""
    assert Settings(behaviour=Behaviour(show_footer_hints=False)) != Settings()
    assert hash(Settings()) == hash(Settings(behaviour=Behaviour()))
    parts: list[object] = [Behaviour(), Notifications(), ExtractionSettings(), DEFAULT_KEYMAPS]
    assert all((one == other) == (one is other) for one in parts for other in parts)


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_older_file_keeps_what_the_person_set(version: int) -> None:
    """A file of any older version is carried forward with all its values."""
    file = read_settings(
        {
            "schemaVersion": version,
            "behaviour": {"confirmDismissWhenDirty": False},
            "keymaps": {"optionNote": "o"},
            "notifications": {"enabled": False, "channels": ["osc9"]},
            "answer": {"extractionRetries": 0},
        }
    )
    assert file.migrated
    assert file.notices == ()
    assert file.settings.behaviour == Behaviour(confirm_dismiss_when_dirty=False)
    assert file.settings.notifications == Notifications(enabled=False, channels=(Channel("osc9"),))
    assert file.settings.answer == ExtractionSettings(retries=0)
    written = settings_as_mapping(file.settings)
    assert written["schemaVersion"] == 5
    assert read_settings(json.loads(json.dumps(written))) == file._replace(migrated=False)


def test_unusable_key_maps_cost_only_the_keys_and_are_explained() -> None:
    """The rest of the file counts, the default keys are in effect, and the notices name the binding and the reason."""
    file = read_settings(
        {
            "schemaVersion": 3,
            "keymaps": {"confirm": "x", "toggle": "x"},
            "behaviour": {"showFooterHints": False},
        }
    )
    assert file.settings == Settings(behaviour=Behaviour(show_footer_hints=False))
    assert file.notices == (
        "keymaps.main.toggle: x is already the key of main.confirm",
        "keymaps: the default keys are in effect",
    )


def test_channels_keep_their_order_and_unknown_ones_are_skipped() -> None:
    """Known channels stay in order; an unknown or blank one is told and skipped."""
    channels = ["osc777", "pigeon", {"type": "command", "command": "say hello"}, {"type": "command"}, "bell", None]
    settings, notices = load_settings({"schemaVersion": 5, "notifications": {"channels": channels}})
    assert settings.notifications.channels == (Channel("osc777"), Channel("command", "say hello"), Channel("bell"))
    assert notices == tuple(f"notifications.channels[{at}]: this channel is unknown and skipped" for at in (1, 3, 5))
    assert settings_as_mapping(settings)["notifications"] == {
        "enabled": True,
        "channels": ["osc777", {"type": "command", "command": "say hello"}, "bell"],
    }


def test_bell_rings_where_no_channel_is_usable() -> None:
    """Without a usable channel the default one is used; notifications are turned off with `enabled`."""
    for channels in ([], ["pigeon"]):
        settings, _ = load_settings({"schemaVersion": 5, "notifications": {"channels": channels}})
        assert settings.notifications == Notifications()


def test_values_of_a_wrong_type_cost_only_themselves() -> None:
    """One wrong value keeps its default with a notice; null counts as left out; the other values count."""
    settings, notices = load_settings(
        {
            "schemaVersion": 5,
            "behaviour": {"showFooterHints": "no", "confirmDismissWhenDirty": None, "presentSingleAsMulti": True},
            "notifications": {"channels": "bell"},
            "answer": {"extractionModels": [{"provider": " p ", "id": "m"}, "x"], "extractionRetries": True},
        }
    )
    assert settings == Settings(
        behaviour=Behaviour(present_single_as_multi=True),
        answer=ExtractionSettings(models=(Model("p", "m"),)),
    )
    assert notices == (
        "behaviour.showFooterHints: must be true or false; true is in effect",
        "notifications.channels: must be a list; the default is in effect",
        "answer.extractionModels[1]: must have a provider and an id; it is skipped",
        "answer.extractionRetries: must be a whole number from 0 to 3; 1 is in effect",
    )


@pytest.mark.parametrize(
    ("retries", "effective"),
    [(0, 0), (3, 3), (2.0, 2), (4, 3), (-1, 0), (0.9, 0), (10**400, 3), (float("inf"), 1), (float("nan"), 1)],
)
def test_retries_are_whole_and_within_bounds(retries: float, effective: int) -> None:
    """Retries are cut to a whole number from 0 to 3."""
    settings, _ = load_settings({"schemaVersion": 5, "answer": {"extractionRetries": retries}})
    assert settings.answer.retries == effective
    assert type(settings.answer.retries) is int


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        ({"schemaVersion": True}, "invalid_or_unsupported"),
        ({"schemaVersion": 4.5}, "invalid_or_unsupported"),
        ({"schemaVersion": float("nan")}, "invalid_or_unsupported"),
        ({"schemaVersion": float("inf")}, "invalid_or_unsupported"),
        ({"schemaVersion": 10**400}, "invalid_or_unsupported"),
        ({"schemaVersion": -3}, "migration_failed"),
        ({"schemaVersion": 5, "answer": []}, "invalid_or_unsupported"),
        ({"schemaVersion": 2, "notifications": 1}, "invalid_or_unsupported"),
    ],
)
def test_file_that_is_none_is_refused(stored: object, reason: str) -> None:
    """A wrong version or a section that is no object refuses the whole file, and the last notice says what then."""
    file = read_settings(stored)
    assert file.reason == reason
    assert file.settings == Settings()
    assert file.notices[-1] == "The settings are not used; the defaults are in effect"


def test_all_wrong_sections_are_told_at_once() -> None:
    """A refused file names each section that is wrong."""
    notices = read_settings({"schemaVersion": 5, "behaviour": None, "answer": 1}).notices
    assert notices[:-1] == ("behaviour must be an object", "answer must be an object")


@given(JSON, st.sampled_from([1, 2, 3, 4, 5, 5.0]))
def test_no_value_raises_and_what_is_read_is_stable(value: object, version: float) -> None:
    """Any JSON value comes to settings, and their written form comes to the same settings without a notice."""
    names = ("behaviour", "keymaps", "notifications", "answer")
    for stored in (value, {"schemaVersion": version} | dict.fromkeys(names, value), {"schemaVersion": value}):
        settings, _ = load_settings(stored)
        assert load_settings(json.loads(json.dumps(settings_as_mapping(settings)))) == (settings, ())


SWITCHES = list(CASES[0]["config"]["behaviour"])
SWITCH = st.none() | st.booleans() | st.text(max_size=3)


@given(
    st.dictionaries(st.sampled_from([*SWITCHES, "sparkle"]), SWITCH),
    st.lists(st.sampled_from(["bell", "osc9", {"type": "command", "command": "x"}, {"type": "command"}, 5])),
    st.floats() | st.integers(),
)
def test_any_mixture_of_values_is_stable(behaviour: dict[str, Any], channels: list[Any], number: float) -> None:
    """What is read from a file with good and bad values is read again from its written form, without a notice."""
    settings, _ = load_settings(
        {
            "schemaVersion": 5,
            "behaviour": behaviour,
            "notifications": {"channels": channels},
            "answer": {"extractionRetries": number, "extractionTimeoutMs": number},
        }
    )
    assert settings.answer.timeout_ms > 0
    assert load_settings(json.loads(json.dumps(settings_as_mapping(settings)))) == (settings, ())
