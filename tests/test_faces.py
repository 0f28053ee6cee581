"""Law: a frame and the plain lines say the same; every text of a screen is in both."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from ask_core.layout import layout
from ask_core.screen import QuestionBody, Row, Screen, SettingsBody
from ask_core.view import view
from ask_render_plain import lines
from tests.scenarios import SCENARIOS, Scenario

# Just narrow enough for nothing to stand side by side, and as high as anything needs.
COLUMNS, ROWS = 89, 400
LONG = 200
MORE = re.compile(r"…\d+more")

STORIES = pytest.mark.parametrize("story", [pytest.param(story, id=story.name) for story in SCENARIOS])


def texts(screen: Screen) -> Iterator[str]:
    """Every text that `screen` holds for a person to read.

    Left out are title and tabs, which a frame may cut, and what the person has scrolled out of a review.
    """
    yield screen.position
    yield screen.warning or ""
    yield screen.notice[0] if screen.notice else ""
    for keys, does in screen.hints:
        yield from (keys, does)
    body = screen.body
    if isinstance(body, QuestionBody):
        yield from (body.prompt, body.help, body.preview or "", body.preview_label if body.preview else "")
        yield from (body.note or "", *(body.note_editor or ())[:2])
        for row in body.rows:
            yield from row_texts(row)
        return
    if isinstance(body, SettingsBody):
        yield from setting_texts(body)
        return
    for question in body.questions[body.top :]:
        yield from (question.label, *question.answers)
        for note in question.notes:
            yield from (note.option or "", note.note)
    for action in body.actions:
        yield from (action.label, str(action.number), action.pending or action.help)
    yield from body.unanswered


def setting_texts(body: SettingsBody) -> Iterator[str]:
    """The texts of the settings, without the manual that the person has read past."""
    for row in body.rows:
        yield from (row.label, row.help if row.highlighted else "", row.value if isinstance(row.value, str) else "")
    for part in () if body.offset else body.manual:
        yield part.heading
        for line in part.lines:
            yield from line


def row_texts(row: Row) -> Iterator[str]:
    """The texts of a row. The label of own words gives way to their editor."""
    if row.editor:
        yield row.editor.before + row.editor.after
    else:
        yield row.label
    yield str(row.number or "")
    yield row.description or ""
    if row.note_editor:
        yield row.note_editor.before + row.note_editor.after
    else:
        yield row.note or ""


def squeezed(text: str) -> str:
    """A text without what wrapping and boxes put between its characters."""
    return re.sub(r"[\s│]+", "", text)


@STORIES
def test_both_faces_say_everything(story: Scenario) -> None:
    """Every text of every screen of a story is in both; of long texts the frame says that there is more."""
    for state in story.states(COLUMNS):
        screen = view(state)
        frame = squeezed(layout(screen, COLUMNS, ROWS).text())
        plain = squeezed("\n".join(lines(screen)))
        wanted = [squeezed(text) for text in texts(screen)]
        assert [text for text in wanted if text not in plain] == []
        missing = [text for text in wanted if text not in frame]
        assert [text for text in missing if len(text) < LONG] == []
        assert not missing or MORE.search(frame)


@STORIES
def test_both_faces_say_where_one_is(story: Scenario) -> None:
    """The title and the label of the open question or the review are in both; a frame may cut them."""
    for state in story.states(COLUMNS):
        screen = view(state)
        frame = squeezed(layout(screen, COLUMNS, ROWS).text())
        plain = squeezed("\n".join(lines(screen)))
        for text in (screen.title or "", screen.tabs[screen.tab].label if screen.tabs else ""):
            assert squeezed(text)[:10] in frame
            assert squeezed(text) in plain
