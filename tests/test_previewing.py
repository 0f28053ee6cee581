"""Previews shown readably: diffs, Markdown, source code and JSON; everything else as it is."""

from __future__ import annotations

import builtins
import json
import subprocess
import sys
from collections.abc import Iterator
from time import process_time
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ask_core.dialects import load_form
from ask_core.events import Resized
from ask_core.frame import Role
from ask_core.keys import Key
from ask_core.layout import layout
from ask_core.layout.preview import preview_lines
from ask_core.reduce import reduce
from ask_core.state import start
from ask_core.text import code
from ask_core.text.clean import clean_block
from ask_core.text.markup import line_spans, markup
from ask_core.text.wrap import wrap
from ask_core.view import view
from tests.ptys import ROOT
from tests.scenarios import SCENARIOS

DIFF = "diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ def f():\n same\n-old\n+new\n\\ No newline"
MARKDOWN = "# Plan\n\nUse **both** and `one`.\n\n- first\n2. second\n\n> said\n\n---\n"
PYTHON = 'def f(n):  # why\n    """One\n    two."""\n    return n + 12 if None else "x"\n'
FENCED = f"Like this:\n\n```python\n{PYTHON}```\nand on"

PIECES = (
    *(
        "# T\n\n",
        "**b**",
        "`c`",
        "``",
        "```\n",
        "```python\n",
        "~~~\n",
        "~~~diff\n",
        "- ",
        "1. ",
        "> ",
        "---",
        "*",
        "    ",
    ),
    *("--- a\n+++ b\n@@ -1 +1 @@\n", "diff --git ", "@@ ", "+", "-", "\\", "#!/bin/sh\n", "<?xml", "{", "}", "[", "]"),
    *(
        '"',
        "'",
        "1",
        ",",
        ":",
        "\n",
        "\n",
        "\n\n",
        " ",
        "word ",
        "def f",
        "日本語",
        "e\u0301",
        "👩\u200d🚀",
        "\t",
        "\x1b",
    ),
)
texts = st.lists(st.sampled_from(PIECES), max_size=40).map(lambda pieces: clean_block("".join(pieces)))


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What was highlighted in one test is not there in another."""
    code.highlight.cache_clear()
    yield
    code.highlight.cache_clear()


def parts(text: str) -> list[list[tuple[str, str]]]:
    """The lines of a text as pairs of role and text."""
    marked = markup(text)
    return [[(role, part) for part, role in line_spans(marked, number)] for number in range(len(marked.lines))]


def roles(text: str) -> list[str]:
    """The role of each line that has only one, and all of them of the others."""
    return [" ".join(dict.fromkeys(role for role, _ in line)) for line in parts(text)]


@given(texts)
def test_no_character_is_added_dropped_or_moved(text: str) -> None:
    """Law: joined, the parts of all lines are the text."""
    assert "\n".join("".join(part for _, part in line) for line in parts(text)) == text
    assert all(part for line in parts(text) for _, part in line)


@given(texts, st.integers(1, 30))
def test_rows_are_those_of_plain_text(text: str, columns: int) -> None:
    """Law: what a text is told to be changes nothing about where its rows break."""
    assert ["".join(part for part, _ in line) for line in preview_lines(text, columns)] == list(wrap(text, columns))


@pytest.mark.parametrize(
    "text",
    [
        *(DIFF, MARKDOWN, FENCED, "#!/bin/sh\n" + PYTHON, json.dumps({"a": [1, None, "x\ty", True]}, indent=2)),
        *(
            f"```{language}\n{PYTHON * 3}{DIFF}\n```"
            for language in sorted(code._LANGUAGES | {"java", "diff", "brainfog"})
        ),
    ],
)
@pytest.mark.parametrize("columns", [9, 60])
def test_the_laws_hold_for_every_kind_of_text(text: str, columns: int) -> None:
    """Law: also with the lexer of every language, joined rows are the plain rows."""
    assert "\n".join("".join(part for _, part in line) for line in parts(text)) == text
    assert ["".join(part for part, _ in line) for line in preview_lines(text, columns)] == list(wrap(text, columns))


def test_a_diff_shows_what_goes_and_what_comes() -> None:
    """Headers, hunks, removed and added lines have roles of their own."""
    assert roles(DIFF) == ["strong", "rule", "strong", "strong", "rule", "preview", "removed", "added", "rule"]


def test_a_removed_line_may_look_like_a_header() -> None:
    """Inside a hunk, `--- x` is a removed line unless names and a new hunk follow it."""
    text = "--- a\n+++ b\n@@ -1,2 +1 @@\n--- comment\n+++ counter\n same\n--- c\n+++ d\n@@ -1 +1 @@\n-x"
    strong, same = ["strong", "strong", "rule"], ["removed", "added", "preview"]
    assert roles(text) == [*strong, *same, *strong, "removed"]


def test_what_stands_before_a_diff_is_plain() -> None:
    """The message of a commit is not part of its changes."""
    assert roles("- a message\n" + DIFF)[0] == "preview"


def test_markdown_has_headings_lists_quotes_bold_words_and_inline_code() -> None:
    """The marks stay in the text; roles say what they mean."""
    assert parts(MARKDOWN) == [
        [("strong", "# Plan")],
        [],
        [("preview", "Use "), ("strong", "**both**"), ("preview", " and "), ("code", "`one`"), ("preview", ".")],
        [],
        [("strong", "- "), ("preview", "first")],
        [("strong", "2. "), ("preview", "second")],
        [],
        [("rule", "> "), ("preview", "said")],
        [],
        [("rule", "---")],
        [],
    ]


def test_fenced_code_is_highlighted_in_its_language() -> None:
    """Keywords, strings over several lines, comments and numbers are told apart; fences are quiet."""
    found = parts(FENCED)
    assert found[2] == [("rule", "```python")]
    assert ("code-keyword", "def") in found[3]
    assert ("code-comment", "# why") in found[3]
    assert {role for line in found[4:6] for role, part in line if part.strip()} == {"code-string"}
    assert ("code-number", "12") in found[6]
    assert found[7] == [("rule", "```")]
    assert found[8] == [("preview", "and on")]


def test_a_fenced_diff_needs_no_header() -> None:
    """In a passage that says it is a diff, the first sign of each line is enough."""
    assert roles("So:\n~~~diff\n-a\n+b\n c\n~~~") == ["preview", "rule", "removed", "added", "preview", "rule"]


def test_a_diff_of_markdown_is_a_diff_and_markdown_with_a_diff_is_markdown() -> None:
    """What comes first decides: a fence around a diff, or a diff with a fence in it."""
    fenced = f"See:\n```diff\n{DIFF}\n```"
    assert roles(fenced)[:3] == ["preview", "rule", "strong"]
    assert roles("--- a.md\n+++ b.md\n@@ -1,3 +1,3 @@\n ```sh\n-ls\n+ls -l\n ```")[3:] == [
        *("preview", "removed", "added", "preview"),
    ]


def test_a_fence_without_a_language_or_with_an_unknown_one_is_code_as_it_is() -> None:
    """Nothing is guessed."""
    for language in ("", "brainfog", "text"):
        assert parts(f"```{language}\ndef f\n```")[1] == [("code", "def f")]


def test_json_and_programs_that_say_what_they_are_are_highlighted() -> None:
    """A whole JSON text, a script by its first line, an XML or HTML document."""
    assert ("code-keyword", '"a"') in parts('{"a": "b"}')[0]
    assert ("code-string", '"b"') in parts('{"a": "b"}')[0]
    assert ("code-keyword", "import") in parts("#!/usr/bin/env -S python3 -I\nimport x")[1]
    assert ("code-keyword", "done") in parts("#!/bin/bash\nwhile :; do\n:\ndone")[3]
    assert ("code-number", "7") in parts("#! /usr/bin/env node\nlet a = 7")[1]
    assert any(role == "code-keyword" for role, _ in parts("<!DOCTYPE html>\n<p>x</p>")[1])


PLAIN = {
    "drawing": "+----+\n| ab |\n+----+\n\n* * *\n",
    "log": "12:00 INFO started\n--- done ---\n+++ more +++\n@@ not a hunk",
    "signs without names": "@@ -1 +1 @@\n-a\n+b",
    "settings": "# Settings\n\nretries: 3\n- `x`\n- b\n\n# More\n",
    "comments": "# one comment\n# two\nPATH=`pwd`\n",
    "one list": "- a\n- b\n1. c",
    "paths": "src/**/x/**\n**/foo/**\n- `a`",
    "powers": "f(**a, **b)\n2**x**3 - 1\n- c",
    "shell": "# Set up\n\nx=`date`\n",
    "almost json": '{"a": 1,}',
    "a number": "12",
    "brackets": "[ ] todo\n[x] done",
    "deep": "[" * 9000 + "]" * 9000,
    "source without a word about it": PYTHON,
    "an opened fence": "It begins with\n```\nand so on",
}


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_plain_text_stays_plain(text: str) -> None:
    """Signs that drawings, logs and settings have as well are not taken for more."""
    assert set(roles(text)) <= {"preview", ""}


def test_without_pygments_code_is_code_and_all_else_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra `highlight` is optional."""
    real = builtins.__import__

    def without(name: str, *args: Any, **named: Any) -> Any:
        if name.partition(".")[0] == "pygments":
            raise ImportError(name)
        return real(name, *args, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    assert parts(FENCED)[3] == [("code", "def f(n):  # why")]
    assert roles('{"a": 1}') == ["code"]
    assert roles(DIFF)[6:8] == ["removed", "added"]
    assert parts(MARKDOWN)[0] == [("strong", "# Plan")]


def test_a_lexer_that_fails_or_changes_the_text_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody's text never breaks the form, whatever a lexer makes of it."""

    results = iter((None, [(0, ("Keyword",), "other")]))
    lexer = SimpleNamespace(get_tokens_unprocessed=lambda text: next(results))
    monkeypatch.setattr("pygments.lexers.get_lexer_by_name", lambda name: lexer)
    assert code.highlight("one", "python") == ()
    assert code.highlight("two", "python") == ()


def test_code_is_highlighted_as_far_as_a_person_would_have_written_it() -> None:
    """Lexers see no more than LONGEST characters, no line beyond measure, and no gap of many lines."""
    line = "x = 1  # one\n"
    long = line * 2000
    seen = code.highlight(long, "python")
    assert len(seen) == code.LONGEST // len(line)
    assert len(code.highlight(line + "y" * 5000 + "\n" + line, "python")) == 1
    assert len(code.highlight(line + "\n" * 50 + line, "python")) == 1
    assert code.highlight("y" * 5000, "python") == ()
    assert roles(f"```python\n{long}```")[-3:] == ["code", "code", "rule"]


@pytest.mark.parametrize("text", [DIFF, "drawing\n+--+", MARKDOWN, "```\nx\n```"])
def test_pygments_is_loaded_for_code_in_a_language_only(text: str) -> None:
    """T9: a form without such previews never pays for it."""
    form = {
        "questions": [
            {"id": "q", "prompt": "P", "type": "preview", "options": [{"value": "a", "label": "A", "preview": text}]}
        ]
    }
    program = (
        "import sys, json, ask_core as ask\n"
        "ask.layout(ask.view(ask.start(ask.load_form(json.loads(sys.argv[1])))), 100, 30)\n"
        "sys.exit('pygments' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", program, json.dumps(form)], cwd=ROOT)
    assert run.returncode == 0


def test_a_long_preview_is_looked_into_only_where_it_is_read() -> None:
    """A megabyte of Markdown opens at once, and a page of it costs next to nothing; the bounds are generous."""
    text = clean_block("# Title\n\n**bold** and `code` and more words that are wrapped somewhere\n- item\n" * 15_000)
    assert len(text) > 1_000_000
    began = process_time()
    lines = preview_lines(text, 60)
    opened = process_time()
    page = [preview_lines(text, 60)[number] for number in range(len(lines) - 40, len(lines))]
    assert any(span.role is Role.CODE for line in page for span in line)
    assert opened - began < 3
    assert process_time() - opened < 0.1


@pytest.mark.parametrize("kind", ["python", "diff", "markdown"])
def test_sixty_lines_are_read_to_their_end_without_moving_the_highlight(kind: str) -> None:
    """R8: reading on goes through highlighted previews as through plain ones."""
    body = {
        "python": "```python\n" + "".join(f"line_{n:02} = {n}\n" for n in range(60)) + "```",
        "diff": "--- a\n+++ b\n@@ -1 +1,60 @@\n" + "\n".join(f"+line_{n:02}" for n in range(60)),
        "markdown": "# T\n\n" + "\n".join(f"- **line_{n:02}**" for n in range(60)),
    }[kind]
    options = [{"value": "a", "label": "A", "preview": "p"}, {"value": "b", "label": "B", "preview": body}]
    form = load_form({"questions": [{"id": "q", "prompt": "P", "type": "preview", "options": options}]})
    state = opened = reduce(reduce(start(form), Resized(100, 24)), Key("down"))
    shown = ""
    for _ in range(10):
        shown += layout(view(state), 100, 24).text()
        state = reduce(state, Key("shift+down"))
    assert all(f"line_{number:02}" in shown for number in range(60))
    assert reduce(state, Key("shift+down")) is state
    assert state.mode == opened.mode


@pytest.mark.parametrize("width", [32, 60, 100])
def test_the_stories_show_every_role_of_previews(width: int) -> None:
    """The films of diffs, Markdown and code have all the roles that previews brought."""
    seen = {
        span.role
        for story in SCENARIOS
        if story.name.startswith("preview")
        for state in story.states(width)
        for line in layout(view(state), width, story.height).lines
        for span in line
    }
    assert {Role.STRONG, Role.CODE, Role.REMOVED, Role.CODE_KEYWORD, Role.CODE_STRING, Role.CODE_COMMENT} <= seen


@pytest.mark.parametrize("text", ["```" + "a" * 60_000 + "`", "~~~" + "a" * 60_000 + "~", "**a** " + "](" * 30_000])
def test_no_text_makes_the_search_for_marks_slow(text: str) -> None:
    """Patterns are tried once, whatever a preview holds."""
    began = process_time()
    markup(text)
    assert process_time() - began < 0.5
