"""What happened: the only things `reduce` takes in."""

from __future__ import annotations

from attrs import frozen

from ask_core.keys import Key
from ask_core.settings import Settings


@frozen
class Paste:
    """Text that arrived in one piece; it never acts as keys."""

    text: str


@frozen
class Resized:
    """The terminal has this many columns and rows."""

    width: int
    height: int


@frozen
class SettingsChanged:
    """Other settings are in effect from now on."""

    settings: Settings


@frozen
class TimedOut:
    """The idle limit the caller set has struck."""


@frozen
class Abort:
    """The host ends the flow: a signal, a cancelled task, a closed terminal."""

    reason: str


Event = Key | Paste | Resized | SettingsChanged | TimedOut | Abort
