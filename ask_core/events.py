"""What happened: the only things `reduce` takes in."""

from __future__ import annotations

from typing import NamedTuple

from attrs import frozen

from ask_core.keys import Key
from ask_core.settings import Settings
from ask_core.value import Value


@frozen(eq=False, repr=False)
class Paste(Value):
    """Text that arrived in one piece; it never acts as keys."""

    text: str


@frozen(eq=False, repr=False)
class Resized(Value):
    """The terminal has this many columns and rows."""

    width: int
    height: int


class Click(NamedTuple):
    """The main button of the mouse was pressed and let go here, counted from 0, in columns and rows of the frame."""

    column: int
    row: int


class Wheel(NamedTuple):
    """The wheel was turned over this place of the frame: `step` is 1 on its way down, -1 up."""

    column: int
    row: int
    step: int


@frozen(eq=False, repr=False)
class SettingsChanged(Value):
    """Other settings are in effect from now on; `notices` say what is wrong with where they come from."""

    settings: Settings
    notices: tuple[str, ...] = ()


class SettingsSaved(NamedTuple):
    """Changed settings are stored."""


class SettingsNotSaved(NamedTuple):
    """Settings cannot be stored; `reason` says why in a few words."""

    reason: str


@frozen(eq=False, repr=False)
class PathsFound(Value):
    """The paths that match `query`, the best first; a directory ends with a slash."""

    query: str
    paths: tuple[str, ...]


@frozen(eq=False, repr=False)
class Edited(Value):
    """The text came back from the person's own editor."""

    text: str


@frozen(eq=False, repr=False)
class EditFailed(Value):
    """The person's own editor could not be used; `reason` says why in a few words."""

    reason: str


class Countdown(NamedTuple):
    """So many seconds are left before the idle limit strikes; None: enough not to speak of them."""

    seconds: int | None


@frozen(eq=False, repr=False)
class TimedOut(Value):
    """The idle limit the caller set has struck."""


@frozen(eq=False, repr=False)
class Abort(Value):
    """The host ends the flow: a signal, a cancelled task, a closed terminal."""

    reason: str


SettingsEvent = SettingsChanged | SettingsSaved | SettingsNotSaved
Ending = Countdown | TimedOut | Abort
Event = Key | Paste | Resized | Click | Wheel | SettingsEvent | PathsFound | Edited | EditFailed | Ending


class Mouse(NamedTuple):
    """A report of the mouse: the terminal's number of what was `pressed` or let go, modifiers included, and where.

    Columns and rows are those of the screen, counted from 0. 0 is the main button, 64 and 65 are the wheel up and down.
    """

    button: int
    column: int
    row: int
    pressed: bool


class Position(NamedTuple):
    """Where the terminal says that its cursor is, counted from 0, in columns and rows of the screen."""

    column: int
    row: int


class FocusGained(NamedTuple):
    """The terminal has come to the front."""


# What a terminal tells about itself. Only those who know where the frame stands on its screen can make events of it.
Report = Mouse | Position | FocusGained
