"""Fuzzy matching: a query's characters in their order, with others between them.

Lower case in the query matches both cases, upper case only itself. Better are matches in one piece, at the beginning of
a word or of a file name, and in shorter texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

_SEPARATORS = frozenset(" /\\_-.:,()[]")

_AT_START, _AT_WORD, _NEXT, _GAP = 12, 8, 6, -1


class Match(NamedTuple):
    """How good a match is, more being better, and the indices of the matched characters."""

    score: int
    positions: tuple[int, ...]


@lru_cache(maxsize=32)
def _patterns(query: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What finds the characters in order, and what finds the query in one piece."""
    sets = [_either_case(character) for character in query if not character.isspace()]
    # What is passed over never holds the next character: matched from the beginning, nothing is tried twice, however
    # long the text.
    in_order = "".join(f"[^{characters}\n]*+([{characters}])" for characters in sets)
    return re.compile(in_order), re.compile("".join(f"[{characters}]" for characters in sets))


def _either_case(character: str) -> str:
    """The characters that a character of a query stands for, as they are written inside a set of a pattern."""
    if character.islower() and len(character.upper()) == 1:
        return re.escape(character) + re.escape(character.upper())
    return re.escape(character)


def filtered(query: str, texts: Sequence[str], among: Iterable[int]) -> tuple[int, ...]:
    """Indices out of `among` of the texts that match, in rising order.

    Those that hold each word of the query in one piece come first. Costs one search a text; where the characters stand
    is for `match` to say.
    """
    in_order = _patterns(query)[0].match
    found = sorted(index for index in among if in_order(texts[index]))
    whole = found
    for word in query.split():
        in_one_piece = _patterns(word)[1].search
        whole = [index for index in whole if in_one_piece(texts[index])]
    if len(whole) == len(found):
        return tuple(found)
    first = set(whole)
    return (*whole, *(index for index in found if index not in first))


def narrows(query: str, longer: str) -> bool:
    """Whether all that matches `longer` is sure to match `query` as well."""
    return _patterns(query)[0].match(longer) is not None


def match(query: str, text: str) -> Match | None:
    """How `text` matches `query`, or None. White space in the query is passed over; an empty query matches all."""
    in_order, in_one_piece = _patterns(query)
    found = in_order.match(text)
    if found is None:
        return None
    length = found.re.groups
    pieces = [(_bonus(text, piece.start()), -piece.start()) for piece in in_one_piece.finditer(text)] if length else []
    if pieces:
        bonus, start = max(pieces)
        return Match((bonus + _NEXT * (length - 1)) * 8 - len(text), tuple(range(-start, length - start)))
    positions = tuple(found.start(group) for group in range(1, length + 1))
    score = 0
    for before, position in zip((None, *positions), positions, strict=False):
        if before is not None and position == before + 1:
            score += _NEXT
        else:
            score += _bonus(text, position) + (_GAP if before is not None else 0)
    return Match(score * 8 - len(text), positions)


def _bonus(text: str, position: int) -> int:
    if position == 0 or text[position - 1] in "/\\":
        return _AT_START
    before, here = text[position - 1], text[position]
    return _AT_WORD if before in _SEPARATORS or (before.islower() and here.isupper()) else 0
