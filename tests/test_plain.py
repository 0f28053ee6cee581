"""Answering by typed lines: what is said in whole stories, the laws of it, and the recorded flows typed as lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

import ask_core as ask
from ask_core.events import Abort, Countdown, Event, SettingsChanged, SettingsNotSaved, SettingsSaved, TimedOut
from ask_core.keymap import KeyMaps, keymaps_as_mapping, load_keymaps
from ask_core.presets import PRESETS
from ask_core.questions import Form, Question
from ask_core.reduce import reduce
from ask_core.settings import Behaviour, Settings
from ask_core.state import Choosing, Noting, Reviewing, State, Typing, start, start_settings
from ask_core.text.clean import clean_block, normalise_paste
from ask_core.text.trim import is_blank, trim
from ask_render_plain.typed import PlainRenderer
from tests.strategies import HOSTILE, PIECES, behaviours, forms

Step = str | Event


class TextFile(SingleFileSnapshotExtension):
    """A snapshot that is a text file and nothing more."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"


class Player:
    """A form that is answered by lines as the loop of a terminal does it; `text` is all that the terminal shows."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.text = ""
        self._renderer = PlainRenderer()
        self._print(self._renderer.open(state))

    def take(self, *steps: Step) -> Player:
        """Type lines, and let events happen by themselves."""
        for step in steps:
            assert not self.state.finished, f"the flow has ended before {step!r}"
            before, said = self.state, ""
            if isinstance(step, str):
                typed = self._renderer.typed(before, step)
                events, said = typed.events, typed.said or "\n"
                self.text += f"{clean_block(step)}\n"
            else:
                events = [step]
            for event in events:
                self.state = reduce(self.state, event)
            self._print(self._renderer.follow(before, self.state, said))
        return self

    @property
    def details(self) -> dict[str, Any]:
        """What comes of it."""
        return ask.details(ask.result_of(self.state))

    @property
    def last(self) -> str:
        """What was printed since the last line was typed."""
        return self._printed

    def _print(self, text: str) -> None:
        assert clean_block(text) == text, "something unprintable"
        self._printed = text
        apart = self.text and text and not self.text.endswith("\n")
        self.text += f"\n{text}" if apart else text


def opened(payload: dict[str, Any], settings: Settings | None = None, **options: Any) -> Player:
    """A form that has just opened."""
    return Player(start(ask.load_form(payload, allow_freeform=True), settings, **options))


LEVEL: dict[str, Any] = {
    "id": "level",
    "label": "Level",
    "prompt": "Default log level?",
    "options": [
        {"value": "info", "label": "info", "description": "What happens, without detail"},
        {"value": "debug", "label": "debug"},
    ],
}
SINKS: dict[str, Any] = {
    "id": "sinks",
    "label": "Sinks",
    "prompt": "Where do logs go?",
    "type": "multi",
    "options": [
        {"value": "stdout", "label": "Standard output"},
        {"value": "file", "label": "File", "description": "A new one each day,\nkept for a week"},
        {"value": "syslog", "label": "Syslog"},
    ],
}
FORMAT: dict[str, Any] = {
    "id": "format",
    "label": "Format",
    "prompt": "Which line format?",
    "type": "preview",
    "options": [
        {"value": "plain", "label": "Plain", "preview": "12:00 INFO started"},
        {"value": "json", "label": "JSON", "preview": '{\n  "level": "info"\n}'},
    ],
}
NAME: dict[str, Any] = {
    "id": "name",
    "prompt": "What is the service called?\nIts users see this name.",
    "options": [{"value": "text", "label": "Answer", "freeform": True}],
}
LOGGING = {"title": "Logging", "questions": [LEVEL, SINKS, FORMAT, NAME]}
SHORT = {"questions": [LEVEL, SINKS]}
PACKAGES: dict[str, Any] = {
    "id": "package",
    "label": "Package",
    "prompt": "Which package is broken?",
    "options": [{"value": f"p{number}", "label": f"package {number}"} for number in range(1, 1001)],
}
TWELVE = {
    "title": "Twelve steps",
    "questions": [
        {
            "id": f"step{number}",
            "label": f"Step {number}",
            "prompt": f"Is step {number} done?",
            "options": [{"value": "yes", "label": "Yes"}, {"value": "no", "label": "No"}],
        }
        for number in range(1, 13)
    ],
}
UNFRIENDLY = {
    "title": f"{HOSTILE}Title",
    "questions": [
        {
            "id": "h",
            "label": f"{HOSTILE}label",
            "prompt": f"{HOSTILE}\x9b2J prompt",
            "type": "preview",
            "options": [
                {
                    "value": "a",
                    "label": f"{HOSTILE}a",
                    "description": f"\x1b[31m{HOSTILE}\x7f described",
                    "preview": f"\x1b]0;t\x07{HOSTILE} previewed",
                },
                {"value": "b", "label": "\u202eb", "preview": "\u0301 accent"},
            ],
        }
    ],
}

FILE = "/home/me/.config/ask/settings.json"
FAULTS = ("keymaps: must be an object of contexts", "display: must be an object; the default is in effect")
FULL = SettingsNotSaved("No space left on device")


class Story(NamedTuple):
    """A form and what is typed or happens, line by line."""

    payload: dict[str, Any]
    steps: tuple[Step, ...]
    behaviour: Behaviour = Behaviour()
    options: dict[str, Any] = {}

    def played(self, keymaps: KeyMaps | None = None) -> Player:
        """The story from its beginning to its end."""
        settings = Settings(self.behaviour)
        if keymaps is not None:
            settings = evolve(settings, keymaps=keymaps)
        return opened(self.payload, settings, **self.options).take(*self.steps)


STORIES = {
    "answers": Story(LOGGING, ("2", "1 3", "show 2", "2", "mailer", "submit"), options={"asked_by": "The installer"}),
    "own_words": Story(
        LOGGING,
        (
            *("3", "warnings only", "back", "3", "", "2", "back", "own", "errors only"),
            *("1 4", "a pipe\nto the mailer", "back", "1 2", "back", "own the audit log", "back", "4", "back", "4 2"),
            *("own", "", "own three columns", "own review", "back", "mailer", "submit", "submit"),
        ),
    ),
    "notes": Story(
        LOGGING,
        (
            *("note ask operations first", "note 2 only while testing", "note", "", "note 2", "never", "note 2 -"),
            *("note 3 x", "1", "note 1", "is that seen?", "note -", "next", "note", "two\nlines", "next"),
            *("note why a name?", "note", "-", "note 2 names?", "review", "elaborate", "elaborate"),
        ),
    ),
    "wrong_entries": Story(
        LOGGING,
        (
            *("", "info", "7", "0", "1 2", "3 9", "show", "show x", "show 2", "show 9", "more", "/", "/warn", "note 9 x"),
            *("back", "question 9", "undo", "redo", "clear", "submit now", "next 2", "1" * 5000, "2", "1 9", "next"),
            *("show 3", "own", "next", "next", "question 4", "clear", "", "undo", "review", "", "7", "own x", "next"),
            *("submit",),
        ),
    ),
    "nothing_answered": Story(LOGGING, ("next", "next", "back", "review", "back", "review", "submit")),
    "nothing_but_submit": Story(SHORT, ("submit", "submit")),
    "help": Story(LOGGING, ("?", "2", "HELP", "next", "?", "next", "?", "next", "?", "cancel", "cancel")),
    "elaborate": Story(
        LOGGING,
        (
            *("1", "note 2 how long is it kept?", "next", "1", "note must it be unique?"),
            *("elaborate", "submit?", "question 2", "elaborate", "elaborate"),
        ),
    ),
    "changed_mind": Story(
        LOGGING,
        (
            *("type", "1 2", "back", "clear", "undo", "undo", "redo", "redo", "undo", "undo", "type", "type"),
            *("2", "1 2", "back", "2", "back", "", "type", "show", "2", "question 1", "1", "review", "undo", "cancel"),
            *("note not sure", "cancel"),
        ),
    ),
    "cancel": Story(SHORT, ("2", "cancel", "next", "cancel", "?", "cancel")),
    "settings": Story(
        SHORT,
        (
            *("2", "settings", "1", "2", "7", "x", "0", "9", "", "settings", "9", "3", "9", "9"),
            *("4", FULL, SettingsSaved(), "close", "back", "cancel"),
            *("cancel",),
        ),
        options={"path": FILE},
    ),
    "settings_notices": Story(
        SHORT,
        (FULL, SettingsSaved(), SettingsChanged(Settings(), FAULTS[:1]), "1", "settings", "", "cancel", "cancel"),
        options={"path": FILE, "notices": FAULTS},
    ),
    "long_list": Story(
        {"questions": [PACKAGES, LEVEL]},
        (
            *("more", "/package 99", "/10", "/e", "1000", "back", "more", "1001", "a package of ours", "back", "show"),
            *("1002", "note 31 broken, too", "settings", "", "next", "1", "submit"),
        ),
    ),
    "end_of_a_list": Story(
        {"questions": [PACKAGES | {"options": PACKAGES["options"][:40]}]}, ("more", "more", "more", "40", "submit")
    ),
    "twelve_questions": Story(TWELVE, (*("1", "2", "next") * 4, "question 3", "2", "review", "1", "2", "1", "1")),
    "hostile_texts": Story(
        UNFRIENDLY,
        (
            *("show 1", f"note 1 {HOSTILE}why?", f"own {HOSTILE}own", "back", f"note {HOSTILE}\x1b", "/\x1b", HOSTILE),
            *(SettingsNotSaved(HOSTILE), "1", "elaborate", "elaborate"),
        ),
        options={"asked_by": HOSTILE, "notices": (HOSTILE,)},
    ),
    "single_as_multi": Story(
        LOGGING,
        ("1 2", "1 4", "more of it", "1", "two words", "back", "", "submit"),
        Behaviour(present_single_as_multi=True),
    ),
    "auto_submit": Story(SHORT, ("2", "1 3"), Behaviour(auto_submit_when_answered_without_notes=True)),
    "auto_submit_waits": Story(
        SHORT,
        ("2", "next", "back", "2", "back", "back", "elaborate", "note why?", "1", "elaborate", "elaborate"),
        Behaviour(auto_submit_when_answered_without_notes=True),
    ),
    "auto_submit_is_not_elaborating": Story(
        SHORT,
        ("next", "2", "back", "back", "own x", "back", "elaborate", "note what is x?", "elaborate", "elaborate"),
        Behaviour(auto_submit_when_answered_without_notes=True),
    ),
    "one_press": Story(SHORT, ("2", "1", "9", "1"), Behaviour(double_press_review_shortcuts=False)),
    "two_presses": Story(SHORT, ("2", "1", "1", "2", "2")),
    "at_once": Story(SHORT, ("2", "cancel"), Behaviour(confirm_dismiss_when_dirty=False)),
    "idle": Story(SHORT, ("2", *map(Countdown, range(20, 3, -1)), Countdown(None), Countdown(20), TimedOut())),
    "ended": Story(SHORT, ("2", Abort("ended by SIGTERM"))),
}
NAMES = pytest.mark.parametrize("name", STORIES)


@NAMES
def test_what_is_said(name: str, snapshot: SnapshotAssertion) -> None:
    """A story, line by line, is as it was when it was last read; what a person types stands behind the prompts."""
    assert STORIES[name].played().text == snapshot(extension_class=TextFile)
