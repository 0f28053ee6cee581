"""Every story, as films of its frames, with the roles of their texts, and with what comes of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

import ask_core as ask
from ask_core.layout import layout
from ask_core.text import graphemes
from ask_core.view import view
from tests.scenarios import ROLES_WIDTH, SCENARIOS, Scenario

FILMS = [pytest.param(story, width, id=f"{story.name}-{width}") for story in SCENARIOS for width in story.widths]
STORIES = [pytest.param(story, id=story.name) for story in SCENARIOS]


class TextFile(SingleFileSnapshotExtension):
    """A snapshot that is a text file and nothing more."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"


class JsonFile(TextFile):
    """A snapshot that is a JSON file."""

    file_extension = "json"

    def serialize(self, data: Any, **_: Any) -> str:
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


@pytest.mark.parametrize(("story", "width"), FILMS)
def test_frames(story: Scenario, width: int, snapshot: SnapshotAssertion) -> None:
    """The frames at all stops of a story look as they did when they were last read."""
    assert story.film(width) == snapshot(extension_class=TextFile)


@pytest.mark.parametrize("story", STORIES)
def test_roles(story: Scenario, snapshot: SnapshotAssertion) -> None:
    """Each piece of text on the frames has the role that it had when they were last read."""
    assert story.film(ROLES_WIDTH, roles=True) == snapshot(extension_class=TextFile)


@pytest.mark.parametrize("story", STORIES)
def test_results(story: Scenario, snapshot: SnapshotAssertion) -> None:
    """The result at the end of a story, in words and as details, is the one that was last read."""
    result = ask.result_of(story.states(80)[-1])
    found = {"content": ask.content(result).split("\n"), "details": ask.details(result)}
    assert found == snapshot(extension_class=JsonFile)


@pytest.mark.parametrize(("story", "width"), FILMS)
def test_frames_fit(story: Scenario, width: int) -> None:
    """No frame of a story has more rows or columns than the terminal, and its cursor is inside (R8)."""
    for state in story.states(width):
        frame = layout(view(state), width, story.height)
        assert len(frame.lines) <= story.height
        assert all(columns_of(line) <= width for line in frame.lines)
        if frame.cursor:
            assert frame.cursor.column < width
            assert frame.cursor.row < len(frame.lines)


def columns_of(line: tuple[ask.Span, ...]) -> int:
    """Columns that a line takes."""
    return sum(graphemes.width(span.text) for span in line)
