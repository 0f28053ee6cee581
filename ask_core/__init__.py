"""Ask a person structured questions in a terminal and get a normalised answer.

The core is pure: `load_form` checks a payload, `start` and `reduce` are the state machine, `view` and `layout` say
what it looks like, `result_of`, `details` and `content` what came of it. `ask_user` runs all of it in a terminal.

Names are imported when they are first used, so that a program pays only for what it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ask_core import testing
    from ask_core.dialects import content, details, load_form
    from ask_core.edge.asking import ask_user, ask_user_async
    from ask_core.errors import AskError, InvalidPayload, Issue, UnknownDialect, UnknownKey
    from ask_core.events import Abort, Event, Paste, Resized, SettingsChanged, TimedOut
    from ask_core.frame import Cursor, Frame, Role, Span
    from ask_core.keys import Key, canonical_key
    from ask_core.layout import layout
    from ask_core.questions import Form, Option, Question
    from ask_core.reduce import reduce
    from ask_core.result import Result, result_of
    from ask_core.screen import Screen
    from ask_core.settings import Behaviour, Settings
    from ask_core.settings_file import load_settings
    from ask_core.state import State, start
    from ask_core.view import view

__version__ = "0.1.0"

__all__ = [
    "Abort",
    "AskError",
    "Behaviour",
    "Cursor",
    "Event",
    "Form",
    "Frame",
    "InvalidPayload",
    "Issue",
    "Key",
    "Option",
    "Paste",
    "Question",
    "Resized",
    "Result",
    "Role",
    "Screen",
    "Settings",
    "SettingsChanged",
    "Span",
    "State",
    "TimedOut",
    "UnknownDialect",
    "UnknownKey",
    "ask_user",
    "ask_user_async",
    "canonical_key",
    "content",
    "details",
    "layout",
    "load_form",
    "load_settings",
    "reduce",
    "result_of",
    "start",
    "testing",
    "view",
]

_HOMES = {
    "dialects": ("content", "details", "load_form"),
    "edge.asking": ("ask_user", "ask_user_async"),
    "errors": ("AskError", "InvalidPayload", "Issue", "UnknownDialect", "UnknownKey"),
    "events": ("Abort", "Event", "Paste", "Resized", "SettingsChanged", "TimedOut"),
    "frame": ("Cursor", "Frame", "Role", "Span"),
    "keys": ("Key", "canonical_key"),
    "layout": ("layout",),
    "questions": ("Form", "Option", "Question"),
    "reduce": ("reduce",),
    "result": ("Result", "result_of"),
    "screen": ("Screen",),
    "settings": ("Behaviour", "Settings"),
    "settings_file": ("load_settings",),
    "state": ("State", "start"),
    "view": ("view",),
}

_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name == "testing":
        return import_module("ask_core.testing")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'ask_core' has no attribute {name!r}")
    value = getattr(import_module(f"ask_core.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
