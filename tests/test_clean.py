"""Untrusted text made visible."""

# Look-alike letters are what these tests are about.
# ruff: noqa: RUF001

from __future__ import annotations

from itertools import accumulate
from time import process_time
from unicodedata import category

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ask_core.text.clean import clean_block, clean_line, clean_pieces, is_clean, normalise_paste
from ask_core.text.graphemes import clusters, width

TRICKY = (
    "a1 日한\u1112\u1161\u11ab\u1160क्षि\u093f\u0301\u200d\u200c\ufe0f\ufe0e\u20e3🇫🇷👨👩❤🏽🏴"
    "\U000e0067\U000e0062\U000e007f\u0600می\u0e33\u102b\u1cf5\uff9e\r\n\t\x0b\x0c\x1b\x9b\x7f\x85\u2028\u202e\u200b\ufeff\xad\ud800\ufffe\ue000"
    "\u180b\U000e0100葛\u3164\u2800\u00a0\u3000>"
)
texts = st.text(st.one_of(st.sampled_from(TRICKY), st.characters(codec=None, exclude_categories=[])), max_size=30)
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
KISS = "👩🏻\u200d❤\ufe0f\u200d💋\u200d👩🏽"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]52;c;QUJD\x07", "^[]52;c;QUJD^G"),
        ("\x00\x08\x0b\x0c\x7f", "^@^H^K^L^?"),
        ("\x9b31m", "<U+009B>31m"),
        ("a\nb\rc\r\nd\x85e\u2028f\u2029g", "a⏎ b⏎ c⏎ d⏎ e⏎ f⏎ g"),
        ("a\tb", "a b"),
        ("a\u202eb\u2066c\u200fd\u061c", "a<U+202E>b<U+2066>c<U+200F>d<U+061C>"),
        ("a\u200bb\u2060\ufeff\xad", "a<U+200B>b<U+2060><U+FEFF><U+00AD>"),
        ("a\U000e0041\U000e007f", "a<U+E0041><U+E007F>"),
        ("\ud800x\udfff", "\ufffdx\ufffd"),
        ("\ufffe\U0010ffff\ue000\u0378", "<U+FFFE><U+10FFFF><U+E000><U+0378>"),
        ("\u3164\u115f\u034f", "<U+3164><U+115F><U+034F>"),
        ("pay\u200dpal\u200c", "pay<U+200D>pal<U+200C>"),
        ("a\ufe0fb\U000e0101", "a<U+FE0F>b<U+E0101>"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f<U+FE0F>"),
        ("\u0301a", "<U+0301>a"),
        ("\x1b\u0301", "^[<U+0301>"),
        ("e" + "\u0301" * 10, "e" + "\u0301" * 8 + "<U+0301>" * 2),
        ("\u1112" + "\u1161" * 10, "\u1112" + "\u1161" * 8 + "<U+1161>" * 2),
        ("👨\u200d" * 5 + "👨", "👨\u200d👨\u200d👨\u200d👨<U+200D>👨\u200d👨"),
        ("👨\u200dx", "👨<U+200D>x"),
        ("🏴\U000e0067\U000e007f", "🏴<U+E0067><U+E007F>"),
        ("می\u200c\u200cخواهم", "می\u200c<U+200C>خواهم"),
    ],
)
def test_what_acts_or_hides_becomes_a_mark(text: str, shown: str) -> None:
    """Controls, invisible characters and hidden payloads can be seen and can do nothing."""
    assert clean_line(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "שלום עולם",
        "می\u200cخواهم",
        "क्\u200dष र\u200d्य",
        "naïve e\u0301 ệ",
        "日本\u3000語\u00a0。",
        "葛\U000e0100",
        KISS,
        SCOTLAND,
        "🏳\ufe0f\u200d🌈 👍🏽 1\ufe0f\u20e3 🇫🇷 ☁\ufe0e ℹ\ufe0f",
        "\u1112\u1161\u11ab 한",
        "🫨",
        "⏎ <U+202E> ^[",
    ],
)
def test_text_of_any_script_stays(text: str) -> None:
    """Writing and emoji in use are shown as they are, in both kinds of field."""
    assert clean_line(text) == text
    assert clean_block(text) == text


def test_a_block_keeps_its_lines() -> None:
    """Line breaks of every kind become newlines and tabs four spaces, plain text or not."""
    assert clean_block("a\r\nb\rc\nd\te") == "a\nb\nc\nd    e"
    assert clean_block("é\r\nb\rc\nd\x85e\u2028f\u2029\tg\x0bh\x1b") == "é\nb\nc\nd\ne\nf\n    g^Kh^["


@given(texts)
@example("\ud800\u0301")
@example("\u200b🏽\ufe0f")
def test_nothing_unsafe_is_left(text: str) -> None:
    """No character of the output is a control, a direction mark, a surrogate, private or unassigned."""
    line, block = clean_line(text), clean_block(text)
    line.encode()
    for char in line + block.replace("\n", ""):
        joiner_or_tag = char in "\u200c\u200d" or "\U000e0020" <= char <= "\U000e007f"
        young_emoji = "\U0001f000" <= char <= "\U0001faff" and width(char) == 2
        assert joiner_or_tag or young_emoji or category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    assert bool(line) is bool(text)


@given(texts)
@example("\u200b🏽\ufe0f")
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    """What is clean stays as it is."""
    assert clean_line(clean_line(text)) == clean_line(text)
    assert clean_block(clean_block(text)) == clean_block(text)
    assert clean_line(clean_block(text)).replace("⏎ ", "\n") == clean_block(text).replace("⏎ ", "\n")


@given(texts)
def test_the_beginning_of_a_text_is_cleaned_alike(text: str) -> None:
    """The cleaned text up to a grapheme boundary begins the cleaned whole, so a cursor can be placed by it."""
    for boundary in accumulate(map(len, clusters(text)), initial=0):
        assert clean_block(text).startswith(clean_block(text[:boundary]))
        assert clean_line(text).startswith(clean_line(text[:boundary]))


@given(texts, st.integers(1, 7), st.booleans())
@example(f"a{KISS}b", 2, False)
@example(f"{SCOTLAND}\u0301e", 1, True)
@example("a\r\nb", 2, True)
def test_cleaning_by_pieces_is_cleaning(text: str, length: int, from_end: bool) -> None:
    """Wherever a text is cut for it, no character is shown otherwise."""
    assert clean_pieces(text, clean_block, length=length, from_end=from_end) == clean_block(text)


@pytest.mark.parametrize("from_end", [False, True])
def test_of_a_long_text_only_what_is_new_is_cleaned(from_end: bool) -> None:
    """Whatever is written at one end of a text, the pieces towards the other one stay as they are."""
    text = "".join(f"Wo\u0308rter ohne Ende, 日本語 und 👍🏽 dazu, {number} " for number in range(2_000))
    known: set[str] = set()

    def piece(part: str) -> str:
        known.add(part)
        return part

    clean_pieces(text, piece, from_end=from_end)
    before = len(known)
    for count in range(1, 100):
        clean_pieces("x" * count + text if from_end else text + "x" * count, piece, from_end=from_end)
    assert before > 50
    assert len(known) - before <= 110


@given(texts, texts)
def test_clean_texts_are_clean_together(one: str, other: str) -> None:
    """What is clean by itself is shown as it is behind anything clean, and in pieces."""
    if is_clean(one) and is_clean(other):
        assert clean_block(one + other) == one + other
        assert is_clean(one[1:] + other[:-1])


def test_plain_text_costs_next_to_nothing() -> None:
    """A million plain characters are recognised, not walked through."""
    line, block = "a b c d " * 125_000, "a b c d\n" * 125_000
    began = process_time()
    assert clean_line(line) is line
    assert clean_block(block) == block
    assert process_time() - began < 0.1


def test_hostile_text_costs_no_more_than_its_length() -> None:
    """Chains that could make a cleaner look back again and again are linear."""
    for unit in ("👨\u200d", "क\u200d", "🏴\U000e0067", "\u0301", "🇫"):
        began = process_time()
        clean_line(unit * 20_000)
        assert process_time() - began < 1


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("a\tb", "a    b"),
        ("a\x00\x1b[31m\x7f\x9bb\x85", "a[31mb"),
        ("日\u202e\u200b\u2028\ud800", "日\u202e\u200b\u2028\ud800"),
    ],
)
def test_pasted_text_is_kept_without_controls(text: str, kept: str) -> None:
    """Pasted line ends and tabs are made uniform, controls go, everything else stays as it came."""
    assert normalise_paste(text) == kept
