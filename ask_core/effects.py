"""What the edge is asked to do. Plain values in `State.outbox`; what comes of them returns as events."""

from __future__ import annotations

from attrs import frozen


@frozen
class FindPaths:
    """Look for files and directories that match `query`; answered by PathsFound with the same query."""

    query: str


@frozen
class EditExternally:
    """Let the person write `text` in an editor of their own; answered by Edited or EditFailed."""

    text: str


Effect = FindPaths | EditExternally
