"""Fuzzy matching, for filtering lists and finding paths."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ask_core.text.fuzzy import filtered, match, narrows


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("ma", "src/main.py", "src/llama.py"),
        ("main", "src/main.py", "src/my_admin.py"),
        ("main", "main.py", "src/main.py"),
        ("rd", "read.me", "hard.me"),
        ("sm", "src/main", "chasms"),
        ("fb", "fooBar", "fooobar"),
        ("eu", "Europe", "Region EU of the old plan"),
    ],
)
def test_a_better_match_has_a_better_score(query: str, better: str, worse: str) -> None:
    """Whole pieces, beginnings of words and names, and short texts come first."""
    one, other = match(query, better), match(query, worse)
    assert one is not None
    assert other is not None
    assert one.score > other.score


@pytest.mark.parametrize(("query", "text"), [("ba", "ab"), ("A", "a"), ("x", ""), ("ab", "a\nb")])
def test_what_does_not_match(query: str, text: str) -> None:
    """Order counts, upper case is meant, and a match does not go over a line break."""
    assert match(query, text) is None


@given(st.text(max_size=30), st.data())
def test_a_text_matches_what_is_picked_out_of_it(text: str, data: st.DataObject) -> None:
    """Any characters of a line in their order match it, and the positions say which."""
    line = text.replace("\n", "")
    picked = sorted(data.draw(st.sets(st.integers(0, max(0, len(line) - 1)), max_size=6)) if line else [])
    query = "".join(line[index] for index in picked if not line[index].isspace())
    found = match(query, line)
    assert found is not None
    assert list(found.positions) == sorted(set(found.positions))
    for character, position in zip(query, found.positions, strict=True):
        assert line[position] == character or line[position] == character.upper()


def test_a_text_that_almost_matches_is_given_up_at_once() -> None:
    """Nothing is tried twice: a text full of the query's characters costs no more than another."""
    assert match("a" * 20 + "b", "a" * 300) is None


@pytest.mark.parametrize(
    ("query", "longer", "sure"),
    [
        ("", "a", True),
        ("ab", "xaxb", True),
        ("ab", "ba", False),
        ("a", "A", True),
        ("A", "a", False),
        ("a b", "ab", True),
    ],
)
def test_narrowing(query: str, longer: str, sure: bool) -> None:
    """What matches a query matches whatever that query itself matches."""
    assert narrows(query, longer) is sure
    for text in ("ab", "AB", "xaxb", "ba", "b a", ""):
        assert not (sure and match(longer, text)) or match(query, text)


def test_indices_of_what_matches() -> None:
    """Only those asked for are searched; each word in one piece comes first, then the order of the texts counts."""
    texts = ("o-n", "one", "x", "on on", "noon")
    assert filtered("on", texts, range(5)) == (1, 3, 4, 0)
    assert filtered("on", texts, (4, 1, 0)) == (1, 4, 0)
    assert filtered(" ", texts, (2, 1)) == (1, 2)


def test_a_search_is_linear_in_the_text() -> None:
    """A label of one letter over and over is no trap: what it costs grows with its length."""
    began = process_time()
    for query in ("eq", "eeeeeeeeq", "qe"):
        assert match(query, "e" * 200_000) is None
    assert process_time() - began < 0.5
