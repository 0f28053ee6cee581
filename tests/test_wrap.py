"""Breaking text into rows."""

# Look-alike letters are what these tests are about.
# ruff: noqa: RUF001

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ask_core.text.clean import clean_block
from ask_core.text.graphemes import clusters, width
from ask_core.text.wrap import _BLANKS, _mixed_rows, _plain_rows, segments, segments_around, wrap

LETTERS = "ab cd   日本。（語）한e\u0301👍🏽👨\u200d👩🇫🇷क्षि\u3000\u00a0\n"
plain = st.text(st.sampled_from("ab  c\u00e9─"), max_size=60)
mixed = st.text(st.one_of(st.sampled_from(LETTERS), st.characters()), max_size=60).map(clean_block)
columns_of_rows = st.integers(1, 20)


def rows(line: str, columns: int) -> list[str]:
    return [line[start:end] for start, end in segments(line, columns)]


@pytest.mark.parametrize(
    ("line", "columns", "expected"),
    [
        ("", 5, [""]),
        ("abc", 5, ["abc"]),
        ("ab cd ef", 4, ["ab ", "cd ", "ef"]),
        ("ab cd ef", 5, ["ab cd ", "ef"]),
        ("ab cd ", 5, ["ab cd", " "]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("ab   cd", 3, ["ab ", "  ", "cd"]),
        ("abc   ", 3, ["abc", "   "]),
        ("日本語", 1, ["日", "本", "語"]),
        ("日本語", 5, ["日本", "語"]),
        ("ab 日本語", 5, ["ab 日", "本語"]),
        ("e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]),
    ],
)
def test_segments_of_an_editor_line(line: str, columns: int, expected: list[str]) -> None:
    """A line breaks after spaces where it can and keeps every character."""
    assert rows(line, columns) == expected


@given(st.one_of(plain, mixed), columns_of_rows)
def test_segments_cover_the_line(text: str, columns: int) -> None:
    """The rows joined are the line; each fits or is a single grapheme that is wider than a row."""
    line = text.replace("\n", "")
    cut = segments(line, columns)
    assert [cut[0][0], *[end for _, end in cut]] == [*[start for start, _ in cut], len(line)]
    for row in rows(line, columns):
        assert width(row.removesuffix(" ")) <= columns or len(list(filter(width, clusters(row)))) == 1
        assert row or not line


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("", 5, ("",)),
        ("a\n\nb", 5, ("a", "", "b")),
        ("ab cd ef", 5, ("ab cd", "ef")),
        ("ab    cd", 4, ("ab", "cd")),
        ("  ab cd", 5, ("  ab", "cd")),
        ("  abcdef", 5, ("  abc", "def")),
        ("      ab", 4, ("ab",)),
        ("      ", 4, ("",)),
        ("ab ", 5, ("ab ",)),
        ("abcdefgh ij", 4, ("abcd", "efgh", "ij")),
        ("日本語のテキスト", 5, ("日本", "語の", "テキ", "スト")),
        ("日本。語", 4, ("日", "本。", "語")),
        ("ab 日本", 5, ("ab 日", "本")),
        ("a\u00a0b c", 4, ("a\u00a0b", "c")),
        ("日\u3000本", 2, ("日", "本")),
    ],
)
def test_wrapped_prose(text: str, columns: int, expected: tuple[str, ...]) -> None:
    """Prose breaks between words, keeps indentation and empty lines, and drops the spaces at a break."""
    assert wrap(text, columns) == expected


@given(st.one_of(plain, mixed), columns_of_rows)
def test_wrap_loses_only_spaces(text: str, columns: int) -> None:
    """Nothing but spaces at breaks is lost, rows fit, and a row that fits is left as it is."""
    wrapped = wrap(text, columns)

    def without_blanks(text: str) -> str:
        return "".join(cluster for cluster in clusters(text) if cluster not in _BLANKS and cluster != "\n")

    assert "".join(map(without_blanks, wrapped)) == without_blanks(text)
    assert len(wrapped) >= text.count("\n") + 1
    for row in wrapped:
        if width(row) <= columns:
            assert wrap(row, columns) == (row,)
        else:
            assert len(list(filter(width, clusters(row)))) == 1


@given(plain, columns_of_rows, st.booleans())
def test_both_ways_to_break_agree(line: str, columns: int, keep: bool) -> None:
    """The short way for plain text gives the rows of the general way."""
    assert list(_plain_rows(line, columns, keep=keep)) == (
        list(_mixed_rows(line, columns, keep=keep)) or ([(0, 0)] if keep else [])
    )


def test_a_row_has_at_least_one_column() -> None:
    """Rows without columns are a fault of the caller."""
    with pytest.raises(ValueError, match="at least 1"):
        segments("abc", 0)
    with pytest.raises(ValueError, match="at least 1"):
        wrap("abc", 0)


def test_a_long_line_is_broken_at_once() -> None:
    """A hundred thousand characters take milliseconds, with words or without."""
    for line in ("abc def " * 12_500, "a" * 100_000, " " * 100_000):
        began = process_time()
        segments(line, 80)
        wrap(line, 80)
        assert process_time() - began < 0.1


pieces = mixed.map(lambda text: text.replace("\n", " ")) | st.sampled_from(("words to be cut into rows ", "x" * 90))
edits = st.tuples(
    st.sampled_from(("type", "delete", "left", "right", "home", "end", "put", "widen")), st.integers(0, 400), pieces
)


@given(line=st.lists(pieces, max_size=30).map("".join), written=st.lists(edits, max_size=12))
def test_a_line_that_is_written_has_the_rows_of_any_other(line: str, written: list[tuple[str, int, str]]) -> None:
    """However it came to be what it is, key by key and at whatever width, and wherever its cursor is."""
    place, columns = len(line), 20
    for edit, number, text in written:
        if edit in ("type", "put"):
            place = place if edit == "type" else min(number, len(line))
            line, place = line[:place] + text + line[place:], place + len(text)
        elif edit == "delete":
            line, place = line[: max(0, place - number % 5)] + line[place:], max(0, place - number % 5)
        elif edit == "widen":
            columns = 1 + number % 90
        else:
            place = {"left": max(0, place - 1), "right": min(len(line), place + 1), "home": 0, "end": len(line)}[edit]
        assert segments_around(line[:place], line[place:], columns) == segments(line, columns)
