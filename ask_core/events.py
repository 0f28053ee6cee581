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
class PathsFound:
    """The paths that match `query`, the best first; a directory ends with a slash."""

    query: str
    paths: tuple[str, ...]


@frozen
class Edited:
    """The text came back from the person's own editor."""

    text: str


@frozen
class EditFailed:
    """The person's own editor could not be used; `reason` says why in a few words."""

    reason: str


@frozen
class TimedOut:
    """The idle limit the caller set has struck."""


@frozen
class Abort:
    """The host ends the flow: a signal, a cancelled task, a closed terminal."""

    reason: str


Event = Key | Paste | Resized | SettingsChanged | PathsFound | Edited | EditFailed | TimedOut | Abort
