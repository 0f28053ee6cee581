"""Keys and their names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ask_core.errors import AskError, UnknownKey
from ask_core.keys import MODIFIERS, Key, canonical_key


def _binding_cases() -> list[dict[str, Any]]:
    with Path(__file__).with_name("data").joinpath("keymap-cases.jsonl").open(encoding="utf-8") as lines:
        return [case for case in map(json.loads, lines) if "binding" in case]


@pytest.mark.parametrize("case", _binding_cases(), ids=lambda case: ascii(case["binding"]))
def test_binding_is_normalised_or_refused_as_recorded(case: dict[str, Any]) -> None:
    """Every recorded binding gets its recorded spelling, or is refused."""
    if case.get("valid", True):
        assert canonical_key(case["binding"]) == case["normalized"]
    else:
        with pytest.raises(UnknownKey):
            canonical_key(case["binding"])


@pytest.mark.parametrize("case", _binding_cases(), ids=lambda case: ascii(case["binding"]))
def test_canonical_spelling_is_stable(case: dict[str, Any]) -> None:
    """The canonical spelling of a binding is its own canonical spelling, and that of the pressed key."""
    if case.get("valid", True):
        name = case["normalized"]
        assert canonical_key(name) == name
        assert Key(name).name == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (" ", "space"),
        ("N", "shift+n"),
        ("Shift+N", "shift+n"),
        ("return", "enter"),
        ("Escape", "esc"),
        ("Control+C", "ctrl+c"),
        ("pgdn", "pageDown"),
        ("alt+ctrl+x", "ctrl+alt+x"),
    ],
)
def test_spellings_of_one_key_are_equal(one: str, other: str) -> None:
    """Two spellings of a key are the same event, with the same hash."""
    assert Key(one) == Key(other)
    assert hash(Key(one)) == hash(Key(other))


@pytest.mark.parametrize(("one", "other"), [("n", "N"), ("n", "ctrl+n"), ("é", "É"), ("tab", "shift+tab"), ("1", "2")])
def test_different_keys_differ(one: str, other: str) -> None:
    """A modifier or another character makes another key."""
    assert Key(one) != Key(other)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a", "a"),
        ("A", "A"),
        ("shift+n", "N"),
        ("space", " "),
        (" ", " "),
        ("7", "7"),
        ("+", "+"),
        ('"', '"'),
        ("é", "é"),
        ("É", "É"),
        ("日", "日"),
        ("😀", "😀"),
        ("enter", None),
        ("tab", None),
        ("shift+tab", None),
        ("backspace", None),
        ("f1", None),
        ("ctrl+a", None),
        ("ctrl+space", None),
        ("alt+b", None),
        ("ctrl+shift+n", None),
        ("super+k", None),
    ],
)
def test_text_is_what_the_key_types(name: str, text: str | None) -> None:
    """A character key types its character, in capitals with shift; other keys type nothing."""
    assert Key(name).text == text


@pytest.mark.parametrize("name", ["", "nope", "ctrl+", "ctrl+nope", "hyper+a", "ab", "f13"])
def test_unknown_key_is_refused(name: str) -> None:
    """A name that no key has raises UnknownKey, which callers catch as AskError or ValueError."""
    with pytest.raises(UnknownKey) as caught:
        Key(name)
    assert isinstance(caught.value, AskError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("digit", "123456789")
def test_digit_can_be_pressed_but_not_bound(digit: str) -> None:
    """A bare digit is a key press like any other, and refused as a binding with a reason."""
    assert Key(digit).name == digit
    with pytest.raises(UnknownKey, match=f"{digit} always chooses an option"):
        canonical_key(digit)


@given(st.sets(st.sampled_from(MODIFIERS)), st.sampled_from("abcxyz"), st.randoms())
def test_order_of_modifiers_does_not_matter(modifiers: set[str], letter: str, random: Any) -> None:
    """Modifiers in any order and any case name the same key."""
    shuffled = sorted(modifiers)
    random.shuffle(shuffled)
    binding = "+".join([*shuffled, letter])
    ordered = [modifier for modifier in MODIFIERS if modifier in modifiers]
    assert canonical_key(binding) == canonical_key(binding.upper()) == "+".join([*ordered, letter])


@given(st.characters(exclude_categories=["Cs", "Cc"]))
def test_every_character_is_a_key_that_types_it(character: str) -> None:
    """Any printable character can be pressed and types itself."""
    assert Key(character).text == character
