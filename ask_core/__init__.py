"""Ask a person structured questions in a terminal and get a normalised answer.

The core is pure: `load_form` checks a payload, `start` and `reduce` are the state machine, `view` and `layout` say
what it looks like, `result_of`, `details` and `content` what came of it. `ask_user` runs all of it in a terminal.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ask_core.effects import EditExternally, FindPaths, SaveSettings
from ask_core.errors import AskError, InvalidPayload, Issue, UnknownDialect, UnknownKey, UnknownProvider
from ask_core.events import (
    Abort,
    Click,
    Countdown,
    Edited,
    EditFailed,
    Event,
    Paste,
    PathsFound,
    Resized,
    SettingsChanged,
    SettingsNotSaved,
    SettingsSaved,
    TimedOut,
    Wheel,
)
from ask_core.frame import Cursor, Frame, Role, Span
from ask_core.keys import Key, canonical_key

# These three are functions with the name of their module, so they have to be bound before anybody imports the module.
from ask_core.layout import layout
from ask_core.questions import Form, Option, Question
from ask_core.reduce import reduce
from ask_core.result import Result, result_of
from ask_core.screen import Screen
from ask_core.settings import Behaviour, Channel, Display, Notifications, Settings
from ask_core.state import State, start
from ask_core.view import view

if TYPE_CHECKING:
    from ask_core import testing
    from ask_core.dialects import content, details, load_form
    from ask_core.edge.asking import ask_user, ask_user_async
    from ask_core.guidance import tool_guidance
    from ask_core.script import InvalidAnswers, answer_form
    from ask_core.settings_file import load_settings, with_changes
    from ask_core.summary import call_summary, result_lines
    from ask_core.tools import tool_schema

__version__ = "0.1.0"

__all__ = [
    "Abort",
    "AskError",
    "Behaviour",
    "Channel",
    "Click",
    "Countdown",
    "Cursor",
    "Display",
    "EditExternally",
    "EditFailed",
    "Edited",
    "Event",
    "FindPaths",
    "Form",
    "Frame",
    "InvalidAnswers",
    "InvalidPayload",
    "Issue",
    "Key",
    "Notifications",
    "Option",
    "Paste",
    "PathsFound",
    "Question",
    "Resized",
    "Result",
    "Role",
    "SaveSettings",
    "Screen",
    "Settings",
    "SettingsChanged",
    "SettingsNotSaved",
    "SettingsSaved",
    "Span",
    "State",
    "TimedOut",
    "UnknownDialect",
    "UnknownKey",
    "UnknownProvider",
    "Wheel",
    "answer_form",
    "ask_user",
    "ask_user_async",
    "call_summary",
    "canonical_key",
    "content",
    "details",
    "layout",
    "load_form",
    "load_settings",
    "reduce",
    "result_lines",
    "result_of",
    "start",
    "testing",
    "tool_guidance",
    "tool_schema",
    "view",
    "with_changes",
]

# What not every program needs is imported when it is first used (T9).
_HOMES = {
    "InvalidAnswers": "script",
    "answer_form": "script",
    "ask_user": "edge.asking",
    "ask_user_async": "edge.asking",
    "call_summary": "summary",
    "content": "dialects",
    "details": "dialects",
    "load_form": "dialects",
    "load_settings": "settings_file",
    "result_lines": "summary",
    "tool_guidance": "guidance",
    "tool_schema": "tools",
    "with_changes": "settings_file",
}


def __getattr__(name: str) -> object:
    if name == "testing":
        return import_module("ask_core.testing")
    if name not in _HOMES:
        raise AttributeError(f"module 'ask_core' has no attribute {name!r}")
    value = getattr(import_module(f"ask_core.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
