"""Graphemes and columns."""

# Look-alike letters are what these tests are about.
# ruff: noqa: RUF001

from __future__ import annotations

import subprocess
import sys
from time import process_time

import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st

from ask_core.text import graphemes
from ask_core.text.graphemes import clip, clusters, is_plain, next_boundary, previous_boundary, take, width

FAMILY = "👨\u200d👩\u200d👧"
# Everything that joins to something: marks, joiners, selectors, tags, flags, Hangul letters, Indic, prepended signs.
JOINING = (
    "a1 é日한\u1112\u1161\u11abक्षि\u093f\u0301\u200d\u200c\ufe0f\u20e3🇫🇷🇩👨👩❤🏽🏴\U000e0067\U000e007f"
    "\u0600\u0e01\u0e33\u102b\u1cf5\uff76\uff9e\r\n\u200b"
)
texts = st.text(st.one_of(st.sampled_from(JOINING), st.characters(exclude_categories=["Cs"])), max_size=30)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("abc", 3),
        ("naïve – “x”", 11),
        ("日本", 4),
        ("e\u0301", 1),
        (FAMILY, 2),
        ("🇫🇷", 2),
        ("1\ufe0f\u20e3", 2),
        ("👍🏽", 2),
        ("क्षि", 2),
        ("\u1112\u1161\u11ab", 2),
        ("က\u102b", 2),
        ("<U+202E>", 8),
    ],
)
def test_width_counts_columns_of_graphemes(text: str, columns: int) -> None:
    """A grapheme has the width of what is drawn for it, not of its code points."""
    assert width(text) == columns


def test_plain_characters_are_one_column_for_wcwidth_too() -> None:
    """What is measured without wcwidth is measured as wcwidth would."""
    for character in graphemes._PLAIN:
        assert wcwidth.width(character, term_program=False) == 1
        assert list(wcwidth.iter_graphemes("a" + character + "a")) == ["a", character, "a"]


def test_plain_text_never_imports_wcwidth() -> None:
    """Western text and our own glyphs cost no import of wcwidth, other text does."""
    code = (
        "import sys\n"
        "from ask_core.text import clean, graphemes, wrap\n"
        "text = '─│…✓●○■□›↑↓←→·⏎▏ • ‹ Größe – naïve'\n"
        "graphemes.width(text), graphemes.clip(text, 9), graphemes.next_boundary(text)\n"
        "graphemes.previous_boundary('abc'), list(graphemes.clusters(text))\n"
        "clean.clean_line(text + chr(27)), clean.clean_block(text), wrap.wrap(text, 7), wrap.segments(text, 7)\n"
        "assert 'wcwidth' not in sys.modules\n"
        "graphemes.width('日')\n"
        "assert 'wcwidth' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_width_does_not_depend_on_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A joined emoji has the same width in every terminal program."""
    for program in ("xterm", "vscode", "iTerm.app"):
        monkeypatch.setenv("TERM_PROGRAM", program)
        graphemes._columns.cache_clear()
        assert width(FAMILY) == 2


@given(texts)
def test_boundaries_agree_with_clusters(text: str) -> None:
    """Stepping forward and stepping back both stop exactly at the ends of the graphemes."""
    ends = [0]
    for cluster in clusters(text):
        ends.append(ends[-1] + len(cluster))
    assert "".join(clusters(text)) == text
    assert [next_boundary(text, start) for start in ends] == [*ends[1:], len(text)]
    assert [previous_boundary(text, end) for end in ends] == [0, *ends[:-1]]


@given(texts, texts)
def test_width_is_the_sum_of_the_parts(left: str, right: str) -> None:
    """Cutting a text at a grapheme boundary changes no widths."""
    text = left + right
    cut = next_boundary(text)
    assert width(text[:cut]) + width(text[cut:]) == width(text)


@given(texts, st.integers(-1, 40))
def test_take_and_clip_fit(text: str, columns: int) -> None:
    """Taken text fits, one more grapheme would not; clipped text fits and says when something is missing."""
    index = take(text, columns)
    assert width(text[:index]) <= max(columns, 0)
    if index < len(text):
        assert width(text[: next_boundary(text, index)]) > columns
    clipped = clip(text, columns)
    assert width(clipped) <= max(columns, 0)
    assert clipped == text or clipped == "" or (clipped[-1] == "…" and text.startswith(clipped[:-1]))


@pytest.mark.parametrize(
    ("text", "columns", "clipped"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("abc", 0, ""),
        ("abc", 1, "…"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        (f"a{FAMILY}b", 3, "a…"),
        ("e\u0301e\u0301", 1, "…"),
    ],
)
def test_clip_ends_in_an_ellipsis(text: str, columns: int, clipped: str) -> None:
    """A cut text shows that it was cut and never half a grapheme."""
    assert clip(text, columns) == clipped


@pytest.mark.parametrize(
    "text", ["日本" * 500_000, "a" * 1_000_000, "🇫🇷" * 500_000, "\u0301" * 1_000_000, "क्" * 500_000]
)
def test_a_cursor_step_does_not_read_the_text(text: str) -> None:
    """A step in a million characters looks at a bounded window, even in a run that has no end."""
    began = process_time()
    end = next_boundary(text, 500_000)
    start = previous_boundary(text, 500_000)
    assert process_time() - began < 0.1
    assert 0 < 500_000 - start <= 4096
    assert 0 < end - 500_000 <= 4096


def test_a_step_in_a_long_run_of_flags_is_one_flag() -> None:
    """The limit of the window does not cut a flag in two."""
    text = "🇫🇷" * 5000
    assert previous_boundary(text) == len(text) - 2
    assert is_plain(text) is False
