"""Editing through a pseudo-terminal: the same keys as a terminal sends them, in its old and its new way."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

from tests.ptys import Pty
from tests.strategies import FAMILY

COMMAND = [sys.executable, "-c", "import sys; from ask_core.edge.cli import main; sys.exit(main())"]

# What a person does, as legacy bytes and as the Kitty protocol writes them, and what is in the text then.
STORIES = [
    ("left and insert", ["a", "b", "\x1b[D", "x"], ["a", "b", "\x1b[1;1:1D", "x"], "axb"),
    ("word left and kill", ["one two", "\x1bb", "\x0b"], ["one two", "\x1b[98;3u", "\x1b[107;5u"], "one "),
    ("control arrows", ["one two", "\x1b[1;5D", "x"], ["one two", "\x1b[1;5:1D\x1b[1;5:3D", "x"], "one xtwo"),
    ("kill and yank", ["ab", "\x15", "\x19\x19"], ["ab", "\x1b[117;5u", "\x1b[121;5u\x1b[121;5u"], "abab"),
    ("new line", ["a", "\x1b\r", "b"], ["a", "\x1b[13;2u", "b"], "a\nb"),
    ("undo", ["ab", "\x7f", "\x1f"], ["ab", "\x1b[127u", "\x1b[45;6u"], "ab"),
    ("family", [f"{FAMILY}x", "\x1b[D", "\x7f"], [f"{FAMILY}x", "\x1b[1;1:2D\x1b[1;1:3D", "\x1b[127;1:1u"], "x"),
    ("upper case", ["N"], ["\x1b[110:78;2u\x1b[110:78;2:3u"], "N"),
    ("home and end", ["bc", "\x1b[H", "a", "\x1b[F", "d"], ["bc", "\x1b[1;1:1H", "a", "\x1b[1;1:1F", "d"], "abcd"),
]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story[0])
@pytest.mark.parametrize("way", ["legacy", "kitty"])
@pytest.mark.xdist_group("pty")
def test_a_key_is_the_same_however_it_is_sent(
    tmp_path: Path, way: str, story: tuple[str, list[str], list[str], str]
) -> None:
    """A release never acts, a repeat does, and both ways end in the same text."""
    _, legacy, kitty, text = story
    form = tmp_path / "form.json"
    form.write_text(json.dumps({"questions": [{"id": "q", "prompt": "?", "options": [{"value": "v", "label": "V"}]}]}))
    out = tmp_path / "out.json"
    with out.open("wb") as stdout, Pty([*COMMAND, "run", str(form)], stdout=stdout) as pty:
        pty.until("Type your own")
        pty.send("\x1b[B")
        pty.until("Your own answer")
        for part in legacy if way == "legacy" else kitty:
            pty.send(part)
            pty.settle(0.03)
        pty.send("\r")
        pty.until("Submit")
        pty.send("\r")
        assert pty.wait() == 0
    assert json.loads(out.read_text())["answers"]["q"]["customText"] == text.strip()


@pytest.mark.parametrize(
    "writes",
    [["first line\r2 second\rthird"], ["first line\r", "2 second\r", "third"], ["first", " line\r2 second\rthird"]],
    ids=["in one piece", "line by line", "in two pieces"],
)
@pytest.mark.xdist_group("pty")
def test_lines_from_a_terminal_that_does_not_mark_pastes_stay_one_text(tmp_path: Path, writes: list[str]) -> None:
    """They go into the editor that was open and answer nothing after it."""
    question = {"prompt": "?", "options": [{"value": "v", "label": "V"}, {"value": "w", "label": "W"}]}
    form = tmp_path / "form.json"
    form.write_text(json.dumps({"questions": [question | {"id": "one"}, question | {"id": "two"}]}))
    out = tmp_path / "out.json"
    with out.open("wb") as stdout, Pty([*COMMAND, "run", str(form)], stdout=stdout) as pty:
        pty.until("Type your own")
        pty.send("3")
        pty.until("Your own answer")
        for part in writes:
            pty.send(part)
            time.sleep(0.004)
        pty.until("third")
        pty.send("\x1b")
        pty.until("Enter edit")
        pty.send("\t\t")
        pty.until("Submit")
        pty.send("\r")
        assert pty.wait() == 0
    answers = json.loads(out.read_text())["answers"]
    assert {id: answer["customText"] for id, answer in answers.items()} == {"one": "first line\n2 second\nthird"}


@pytest.mark.parametrize("lines", ["line one\rsecond\r2\r1\r1\r11\r", "2\r1\r", "\r\r1\r2"])
@pytest.mark.xdist_group("pty")
def test_where_no_paste_is_marked_lines_answer_no_question_either(tmp_path: Path, lines: str) -> None:
    """On a console without marks, lines that arrive while a question is open are dropped."""
    question = {"prompt": "?", "options": [{"value": "v", "label": "V"}, {"value": "w", "label": "W"}]}
    form = tmp_path / "form.json"
    form.write_text(json.dumps({"questions": [question | {"id": "one"}, question | {"id": "two"}]}))
    out = tmp_path / "out.json"
    with (
        out.open("wb") as stdout,
        Pty([*COMMAND, "run", str(form)], stdout=stdout, environ={"TERM": "linux"}) as pty,
    ):
        pty.until("Type your own")
        pty.send(lines)
        pty.settle(0.2)
        pty.send("\t\t")
        pty.until("Submit")
        assert "No question is answered yet" in pty.text()
        pty.send("\r")
        assert pty.wait() == 0
    assert json.loads(out.read_text())["answers"] == {}
