"""The settings over a flow and by themselves: what opens, changes and closes them, and what they never do."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

import ask_core as ask
from ask_core.effects import SaveSettings
from ask_core.events import Abort, Click, Event, Resized, SettingsChanged, SettingsNotSaved, SettingsSaved, Wheel
from ask_core.frame import Role, Target
from ask_core.key_list import key_list
from ask_core.keymap import ACTIONS, DEFAULT_KEYMAPS, Context, load_keymaps
from ask_core.keys import Key
from ask_core.layout import layout
from ask_core.modes.configuring import open_settings
from ask_core.presets import PRESETS
from ask_core.reduce import reduce
from ask_core.screen import SettingsBody
from ask_core.settings import RESET_ROW, THEMES, Behaviour, Setting, Settings, turned, value_of
from ask_core.settings_file import load_settings, read_settings, settings_as_mapping, with_changes
from ask_core.state import (
    Choosing,
    Configuring,
    Filtering,
    Noting,
    Reviewing,
    State,
    Typing,
    disarmed,
    start,
    start_settings,
)
from ask_core.view import view
from tests.strategies import all_settings, forms, open_walks

QUESTION = {"prompt": "Which?", "options": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]}
FORM = {"questions": [QUESTION | {"id": "one"}, QUESTION | {"id": "two"}]}
KEYMAPS = settings_as_mapping(Settings())["keymaps"]


def opened(*keys: str, settings: Settings | None = None, form: dict[str, Any] = FORM) -> State:
    return after(start(ask.load_form(form), settings), *keys)


def after(state: State, *events: Event | str) -> State:
    for event in events:
        state = reduce(state, Key(event) if isinstance(event, str) else event)
    return state


def on(state: State, setting: Setting) -> State:
    """The settings open with this line highlighted."""
    state = after(state, "?") if not isinstance(state.mode, Configuring) else state
    return after(state, *["down"] * list(Setting).index(setting))


def with_keys(**changes: dict[str, Any]) -> Settings:
    assert isinstance(KEYMAPS, dict)
    stored = {"schemaVersion": 5, "keymaps": KEYMAPS | {at: KEYMAPS[at] | keys for at, keys in changes.items()}}
    settings, notices = load_settings(stored)
    assert all("types in a text" in notice for notice in notices)
    return settings


# Opening and closing


@pytest.mark.parametrize("place", [(), ("1", "2"), ("end",), ("N",), ("n",), ("tab", "N"), ("N", "x", "backspace")])
@pytest.mark.parametrize("closing", ["esc", "ctrl+c", "?"])
def test_the_list_opens_anywhere_and_closing_it_leaves_all_as_it_was(place: tuple[str, ...], closing: str) -> None:
    """Questions, the review and empty editors: opened over them and closed by any of its keys, nothing has changed."""
    below = opened(*place)
    above = after(below, "?")
    assert isinstance(above.mode, Configuring)
    assert above.mode.back == below.mode
    assert after(above, closing) == below


def test_the_key_types_where_there_is_text() -> None:
    """In an answer, a note and a filter with text it is a character; an empty filter opens the list."""
    for keys in (("end", "x"), ("N", "x")):
        state = opened(*keys, "?")
        assert isinstance(state.mode, Typing | Noting)
        assert state.mode.buffer.text == "x?"
    many = {"questions": [QUESTION | {"id": "q", "options": [{"value": str(n), "label": f"L{n}"} for n in range(12)]}]}
    assert isinstance(opened("/", "?", form=many).mode, Configuring)
    assert not isinstance(opened("/", "x", "?", form=many).mode, Configuring)


def test_a_key_that_types_nothing_opens_it_over_a_text_and_keeps_it() -> None:
    """Bound to F1, the list opens over words that are being written, and they are there afterwards."""
    writing = opened("end", "x", "y", settings=with_keys(**{"global": {"settings": "f1"}}))
    state = after(writing, "f1")
    assert isinstance(state.mode, Configuring)
    assert after(state, "f1") == writing


def test_dismissing_closes_only_the_list_whatever_it_is_bound_to() -> None:
    """The dismiss key and the settings key close the list even where the list's own keys name neither."""
    settings = with_keys(**{"global": {"dismiss": "ctrl+q", "settings": "f1"}, "settingsModal": {"close": "x"}})
    for key in ("ctrl+q", "f1", "x"):
        below = opened("1", settings=settings)
        assert after(below, "f1", key) == below
    assert isinstance(opened("f1", "esc", settings=settings).mode, Configuring)


def test_opening_takes_pending_second_presses_back() -> None:
    """A digit of the review or a change of type that waits is forgotten; the warning about leaving stays."""
    assert after(opened("1", "2", "1"), "?", "esc").mode == Reviewing()
    several = opened("t", "1", "2", "t")
    assert isinstance(several.mode, Choosing)
    assert several.mode.type_armed
    assert after(several, "?", "esc").mode == Choosing(several.mode.row)
    assert after(opened("1", "esc"), "?", "esc").warned == "cancel"


def test_where_it_cannot_be_seen_only_closing_works() -> None:
    """In a terminal that is too small, changing keys mean nothing, and Ctrl+C gets out of the list and of the flow."""
    state = after(opened("?"), Resized(19, 5))
    for key in ("enter", "space", "down", "shift+down", "x"):
        assert after(state, key) is state
    assert after(state, "ctrl+c", "ctrl+c").outcome == "cancelled"


@given(forms, all_settings, open_walks, st.lists(st.sampled_from(["1", "n", "N", "t", "tab", "x", "/", "ctrl+_"])))
def test_no_key_reaches_the_flow_below(
    form: ask.Form, settings: Settings, happened: list[Event], keys: list[str]
) -> None:
    """While the list is open, keys and pastes that it does not know change nothing at all; then all is as it was."""
    below = after(start(form, settings), *happened, Resized(80, 24))
    assume(not below.finished)
    if isinstance(below.mode, Configuring):
        below = after(below, "esc")
    state = open_settings(below)
    assert after(state, *keys, ask.Paste("1\n2")) == state
    closed = after(state, "esc")
    assert closed == evolve(disarmed(below), origin=closed.origin)


@pytest.mark.parametrize(("event", "outcome"), [(ask.TimedOut(), "timed_out"), (Abort("gone"), "aborted")])
def test_the_host_can_end_the_flow_below(event: Event, outcome: str) -> None:
    """Whatever is shown, an end from outside is the flow's end, with what was given."""
    state = after(opened("1", "?"), event)
    assert state.outcome == outcome
    assert ask.details(ask.result_of(state))["answers"]["one"]["values"] == ["a"]


# Changing


@pytest.mark.parametrize("setting", list(Setting))
@pytest.mark.parametrize("key", ["enter", "space"])
def test_every_line_is_changed_at_once_and_stored(setting: Setting, key: str) -> None:
    """Both keys turn the line; the change is in effect, shown, and ordered to be stored; turning goes round."""
    state = on(opened(), setting)
    rounds = len(THEMES) if setting is Setting.THEME else 2
    seen = set()
    for _ in range(rounds):
        before = state.settings
        state = after(state, key)
        assert state.settings == turned(before, setting) != before
        assert state.outbox == (SaveSettings(before, state.settings),)
        body = view(state).body
        assert isinstance(body, SettingsBody)
        assert body.rows[body.highlighted].value == value_of(state.settings, setting)
        seen.add(value_of(state.settings, setting))
    assert len(seen) == rounds
    assert state.settings == Settings()


def test_the_list_goes_round_its_ends() -> None:
    """Up from the first line is the last one, and down from there the first."""
    state = after(opened("?"), "up")
    assert isinstance(state.mode, Configuring)
    assert state.mode.row == RESET_ROW
    assert after(state, "down").mode == after(opened("?")).mode


def test_resetting_needs_the_key_twice() -> None:
    """The first press only asks; moving away, closing or a click elsewhere takes it back; the second one resets all."""
    own = with_keys(main={"confirm": "ctrl+k"})
    state = after(opened(settings=own), "?", "up", "enter")
    assert state.settings == own
    assert state.outbox == ()
    assert view(state).warning == "! Press Enter again to reset everything."
    for way in (("up", "down"), ("esc", "?", "up")):
        again = after(state, *way, "enter")
        assert again.settings == own
    done = after(state, "enter")
    assert done.settings == Settings()
    assert done.outbox == (SaveSettings(own, Settings(), reset=True),)
    assert view(done).warning is None


def test_turning_auto_submit_on_sends_a_complete_form() -> None:
    """On the review with all answered and nothing noted it ends the flow at once, said so beforehand; else it waits."""
    state = on(opened("1", "2"), Setting.AUTO_SUBMIT)
    body = view(state).body
    assert isinstance(body, SettingsBody)
    assert body.rows[0].help.startswith("Sends your answers now")
    sent = after(state, "enter")
    assert sent.outcome == "submitted"
    assert [type(effect) for effect in sent.outbox] == [SaveSettings]
    for keys in (("1",), ("1", "tab"), ("N", "x", "enter", "1", "2")):
        waiting = after(on(opened(*keys), Setting.AUTO_SUBMIT), "enter")
        assert not waiting.finished
    assert after(waiting, "esc", "left", "N", "ctrl+u", "enter", "tab").finished is False
    assert after(opened("1", "2"), SettingsChanged(Settings(Behaviour(True)))).outcome == "submitted"


def test_presenting_single_as_multi_is_for_later_flows() -> None:
    """The open form keeps its types; one that is opened with the new settings does not."""
    state = after(on(opened(), Setting.SINGLE_AS_MULTI), "enter")
    assert state.types == ("single", "single")
    assert start(state.form, state.settings).types == ("multi", "multi")


def test_other_settings_reach_the_open_list() -> None:
    """A change from outside shows in the list, whose highlight stays."""
    state = after(on(opened(), Setting.MOUSE), SettingsChanged(Settings(Behaviour(show_footer_hints=False))))
    body = view(state).body
    assert isinstance(body, SettingsBody)
    assert body.highlighted == list(Setting).index(Setting.MOUSE)
    assert [row.value for row in body.rows if row.label == "Show footer hints"] == [False]
    assert view(state).hints == ()


# What is wrong with the file


def told(state: State) -> str | None:
    notice = view(state).notice
    return None if notice is None else notice[0]


def test_faults_are_told_once() -> None:
    """Those known at the start until a tab changes or the list opens; a new one anew, the same one not again."""
    state = start(ask.load_form(FORM), notices=("display.theme: no", "behaviour: no"))
    assert told(state) == "! Settings: display.theme: no (? for more)"
    assert told(after(state, "down", "t")) is not None
    assert told(after(state, "tab")) is None
    seen = after(state, "?", "esc")
    assert told(seen) is None
    assert told(after(seen, SettingsChanged(Settings(), ("behaviour: no",)))) is None
    assert told(after(seen, SettingsChanged(Settings(), ("answer: no", "behaviour: no")))) == (
        "! Settings: answer: no (? for more)"
    )
    assert told(after(state, SettingsChanged(Settings()))) is None


def test_a_failing_save_is_told_once_and_the_change_stays() -> None:
    """In the list as long as it is so, in the flow until it was seen; after a save that worked, a new one is news."""
    state = after(opened("?", "enter"), SettingsNotSaved("disk full"))
    assert state.settings.behaviour.auto_submit_when_answered_without_notes
    assert view(state).notice == ("! Not saved: disk full", "! Not saved")
    closed = after(state, "esc")
    assert told(closed) is None
    assert told(after(closed, SettingsNotSaved("disk full"))) is None
    assert told(after(closed, SettingsNotSaved("gone"))) == "! Settings are not saved: gone (? for more)"
    saved = after(closed, SettingsSaved())
    assert view(after(saved, "?")).notice is None
    assert told(after(saved, SettingsNotSaved("disk full"))) == "! Settings are not saved: disk full (? for more)"


def test_hostile_texts_are_made_visible() -> None:
    """T10: paths, notices and reasons come from outside."""
    evil = "/home/\x1b]0;x\x07\u202e/settings.json"
    state = after(start(ask.load_form(FORM), path=evil, notices=(evil,)), SettingsNotSaved(evil))
    for shown in (state, after(state, "?")):
        frame = layout(view(shown), 60, 24)
        assert all(span.text.isprintable() for line in frame.lines for span in line)


@pytest.mark.parametrize("size", [(20, 6), (20, 10), (32, 15), (60, 24), (140, 40)])
def test_a_long_notice_takes_two_lines_at_most(size: tuple[int, int]) -> None:
    """Where the fault is long, the frame only says that there is one; the row in question stays in sight."""
    state = start(ask.load_form(FORM), notices=("keymaps.main.toggle: " + "long " * 60,))
    frame = layout(view(state), *size)
    lines = [line for line in frame.lines if any(span.role is Role.WARNING for span in line)]
    assert 1 <= len(lines) <= 2
    assert any(span.role is Role.OPTION_FOCUSED for line in frame.lines for span in line)


# By themselves


def test_the_settings_alone_end_when_they_are_closed() -> None:
    """There is no flow below: all lines work, auto-submit sends nothing, and any closing key is the end."""
    state = start_settings(Settings(), path="/x/settings.json", notices=("keymaps: no",))
    for _ in range(RESET_ROW + 1):
        state = after(state, "enter", "down")
        assert not state.finished
    assert after(state, "enter", "?").finished
    for key in ("esc", "ctrl+c", "?"):
        assert after(state, key).finished
    assert ask.testing.facts(state)["view"] == "settings"


@pytest.mark.parametrize("size", [(20, 6), (24, 10), (40, 15), (80, 24), (100, 30), (140, 40)])
def test_all_of_the_manual_can_be_read(size: tuple[int, int]) -> None:
    """Paging on shows every line of it at any size, and paging back ends where it began."""
    state = after(start_settings(Settings(), path="/a/b"), Resized(*size))
    pages = [state]
    while (following := after(pages[-1], "pageDown")) != pages[-1]:
        pages.append(following)
    wanted = manual_rows(state, size[0], 400) - {""}
    assert "/a/b" in wanted
    assert len(wanted) > 60
    assert wanted <= {row for page in pages for row in manual_rows(page, *size)}
    for _ in pages:
        following = after(following, "pageUp")
    assert following == state


def manual_rows(state: State, width: int, height: int) -> set[str]:
    """The rows of the manual in a frame."""
    frame = layout(view(state), width, height)
    firsts = {hit.row: hit.first for hit in frame.hits if hit.target is Target.MANUAL}
    lines = {row: "".join(span.text for span in frame.lines[row]) for row in firsts}
    return {line[firsts[row] :].strip() for row, line in lines.items()}


# The mouse


def hit_at(state: State, target: Target, item: int = 0) -> tuple[int, int]:
    frame = layout(view(state), state.width, state.height)
    hit = next(hit for hit in frame.hits if hit.target is target and hit.item == item)
    return hit.first, hit.row


@pytest.mark.parametrize("size", [(80, 24), (40, 15), (120, 30)])
def test_a_click_changes_a_line_and_the_wheel_reads(size: tuple[int, int]) -> None:
    """A click turns the line it hits; resetting needs two; the wheel moves the highlight or scrolls the manual."""
    state = after(opened("?"), Resized(*size))
    index = list(Setting).index(Setting.NOTIFICATIONS)
    clicked = after(state, Click(*hit_at(state, Target.SETTING, index)))
    assert clicked.settings == turned(Settings(), Setting.NOTIFICATIONS)
    once = after(clicked, "up", "up", "up", "up")
    once = after(once, Click(*hit_at(once, Target.SETTING, RESET_ROW)))
    assert once.settings == clicked.settings
    assert after(once, Click(*hit_at(once, Target.SETTING, RESET_ROW))).settings == Settings()
    down = after(state, Wheel(*hit_at(state, Target.SETTING), 1))
    assert isinstance(down.mode, Configuring)
    assert down.mode.row == 1
    assert after(down, Wheel(*hit_at(down, Target.SETTING, 1), -1), Wheel(*hit_at(state, Target.SETTING), -1)) == state
    if size != (40, 15):
        read = after(state, Wheel(*hit_at(state, Target.MANUAL), 1))
        assert isinstance(read.mode, Configuring)
        assert read.mode.read == 3


# The keys in words, and ready-made ones


def test_every_action_has_words_and_every_key_is_listed() -> None:
    """The list names each action of each context once, by the name that settings files use."""
    groups = key_list(DEFAULT_KEYMAPS)
    named = [(group.context, line.action) for group in groups if group.context for line in group.lines]
    assert sorted(named) == sorted((context.value, command.value) for context, command in ACTIONS)
    assert all(line.does for group in groups for line in group.lines)
    assert all(line.keys for group in groups for line in group.lines)


def test_the_list_follows_the_keys_in_effect() -> None:
    """Another key shows in the list, in the manual of the settings and in the hints; a command without one is out."""
    settings = with_keys(main={"confirm": "ctrl+k", "changeQuestionType": []})
    [main] = [group for group in key_list(settings.keymaps) if group.context == Context.MAIN]
    assert [line.keys for line in main.lines if line.action == "confirm"] == [("Ctrl+K",)]
    state = opened(settings=settings)
    assert ("Ctrl+K", "choose") in view(state).hints
    body = view(after(state, "?")).body
    assert isinstance(body, SettingsBody)
    manual = [line for part in body.manual for line in part.lines]
    assert ("Ctrl+K", "choose and go on, or write own words") in manual
    assert not [does for _, does in manual if does.startswith("allow several")]


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_presets_are_sound_and_survive_a_file(name: str) -> None:
    """No preset has a conflict, all of them read back as they are, and letters are bound outside of texts only."""
    keymaps = PRESETS[name]
    stored = settings_as_mapping(Settings(keymaps=keymaps))
    loaded, notices = load_settings(json.loads(json.dumps(stored)))
    assert notices == ()
    assert loaded.keymaps == keymaps
    assert load_keymaps(stored["keymaps"]).problems == ()
    for context in (Context.EDITOR, Context.NOTE_EDITOR):
        assert all(
            Key(key).text is None for binding in keymaps.bindings if binding.context is context for key in binding.keys
        )


def test_vi_keys_move_and_type_in_texts() -> None:
    """With the vi preset j, k, h, l, g and G move, and write where a text is open."""
    settings = Settings(keymaps=PRESETS["vi"])
    assert opened("j", settings=settings) == opened("down", settings=settings)
    assert opened("j", "k", settings=settings) == opened(settings=settings)
    assert opened("l", settings=settings) == opened("tab", settings=settings)
    assert opened("l", "h", settings=settings) == opened("tab", "shift+tab", settings=settings)
    assert opened("G", settings=settings) == opened("end", settings=settings)
    writing = opened("G", *"jkhlgG", settings=settings)
    assert isinstance(writing.mode, Typing)
    assert writing.mode.buffer.text == "jkhlgG"
    assert opened("?", "q", settings=settings) == opened(settings=settings)


# What is stored


def test_only_what_changed_is_stored() -> None:
    """Unknown fields, wrong values and wrong key maps stay as they are for the person to mend."""
    stored = {
        "schemaVersion": 5,
        "own": [1, {"two": 3}],
        "behaviour": {"showFooterHints": "perhaps", "sparkle": True},
        "keymaps": {"main": {"toggle": "x"}},
    }
    before, _ = load_settings(stored)
    written = with_changes(stored, before, turned(before, Setting.CONFIRM_DISMISS))
    expected = stored | {"behaviour": {"showFooterHints": "perhaps", "sparkle": True, "confirmDismissWhenDirty": False}}
    assert written == expected
    whole = with_changes(stored, before, Settings(), whole=True)
    assert load_settings(whole) == (Settings(), ())
    assert whole["own"] == stored["own"]


def test_an_older_file_is_carried_forward_when_it_is_stored() -> None:
    """The written file is of the newest version and keeps what was set, known or not."""
    stored = {"schemaVersion": 3, "own": 1, "keymaps": {"confirm": "ctrl+k"}, "behaviour": {"x": 2}, "answer": None}
    file = read_settings(stored)
    written = with_changes(stored, file.settings, turned(file.settings, Setting.MOUSE))
    again = read_settings(written)
    assert not again.migrated
    assert again.notices == ()
    assert again.settings == turned(file.settings, Setting.MOUSE)
    assert written["own"] == 1
    assert written["behaviour"] == {"x": 2}
    wrong = {"schemaVersion": 3, "keymaps": {"confirm": "x", "toggle": "x"}}
    file = read_settings(wrong)
    kept = with_changes(wrong, file.settings, turned(file.settings, Setting.MOUSE))["keymaps"]
    assert isinstance(kept, dict)
    assert kept["main"]["toggle"] == "x"


@given(st.sampled_from(list(Setting)), st.sampled_from(list(Setting)))
def test_changes_made_apart_come_together(one: Setting, other: Setting) -> None:
    """Two flows that change different lines of one file both have their way."""
    first = turned(Settings(), one)
    stored = with_changes(settings_as_mapping(Settings()), Settings(), first)
    both = with_changes(stored, Settings(), turned(Settings(), other))
    expected = first if one is other else turned(first, other)
    assert read_settings(both).settings == expected


# Keys that are letters


def test_letters_type_in_a_text_whatever_they_are_bound_to() -> None:
    """In an open text no global letter acts but that of the settings, and those of editors only while it is empty."""
    settings = with_keys(
        **{"global": {"dismiss": ["ctrl+c", "q"]}}, main={"cancel": ["w"]}, editor={"submit": ["x", "enter"]}
    )
    for keys in (("end", "q"), ("N", "q"), ("end", "a", "x", "q")):
        state = opened(*keys, settings=settings)
        assert isinstance(state.mode, Typing | Noting)
        assert state.mode.buffer.text == "".join(key for key in keys if len(key) == 1 and key != "N")
    assert opened("q", settings=settings).outcome == "cancelled"


def test_a_filter_can_be_left_where_own_keys_are_letters() -> None:
    """Letters are typed into it, so the usual keys do what the letters cannot, and the hints say so."""
    letters = {"cancel": "q", "confirm": "w", "nextOption": "e", "previousOption": "r"}
    options = [{"value": str(number), "label": f"L{number}"} for number in range(12)]
    state = opened(
        "/", settings=with_keys(main=letters), form={"questions": [QUESTION | {"id": "q", "options": options}]}
    )
    typed = after(state, "q", "w").mode
    assert isinstance(typed, Filtering)
    assert typed.buffer.text == "qw"
    assert ("Enter", "choose") in view(state).hints
    assert ("Esc", "close the filter") in view(state).hints
    assert isinstance(after(state, "esc").mode, Choosing)
    assert after(state, "down", "enter").answers[0].selected == (1,)


def test_what_would_send_the_answers_is_read_before_it_is_clicked() -> None:
    """The first click on auto-submit over a complete review only goes there; a second one sends."""
    state = after(opened("1", "2", "?", "down"), Resized(80, 24))
    there = after(state, Click(*hit_at(state, Target.SETTING, 0)))
    assert not there.finished
    assert there.settings == Settings()
    assert after(there, Click(*hit_at(there, Target.SETTING, 0))).outcome == "submitted"


def test_paths_found_meanwhile_are_there_afterwards() -> None:
    """What was looked for in an editor below the list arrives there."""
    writing = opened("end", "@", "r", settings=with_keys(**{"global": {"settings": "f1"}}))
    back = after(writing, "f1", ask.PathsFound("r", ("readme.md",)), "f1")
    assert isinstance(back.mode, Typing)
    assert back.mode == after(writing, ask.PathsFound("r", ("readme.md",))).mode


def test_of_very_many_faults_the_first_are_told() -> None:
    """A file can hold any number of them, and nobody reads all; a change of it costs no more than another."""
    settings, notices = load_settings({"schemaVersion": 5, "notifications": {"channels": [0] * 50_000}})
    assert settings == Settings()
    assert len(notices) == 41
    assert notices[-1] == "and 49961 more faults"
