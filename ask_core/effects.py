"""What the edge is asked to do. Plain values in `State.outbox`; what comes of them returns as events."""

from __future__ import annotations

from typing import NamedTuple

from attrs import frozen

from ask_core.settings import Settings
from ask_core.value import Value


@frozen(eq=False, repr=False)
class FindPaths(Value):
    """Look for files and directories that match `query`; answered by PathsFound with the same query."""

    query: str


@frozen(eq=False, repr=False)
class EditExternally(Value):
    """Let the person write `text` in an editor of their own; answered by Edited or EditFailed."""

    text: str


class SaveSettings(NamedTuple):
    """Store what has changed from `before` to `after`; answered by SettingsSaved or SettingsNotSaved.

    `reset`: all that is stored goes back to the defaults, so a copy of it is to be kept.
    """

    before: Settings
    after: Settings
    reset: bool = False


Effect = FindPaths | EditExternally | SaveSettings
