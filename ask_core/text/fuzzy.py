"""Fuzzy matching: a query's characters in their order, with others between them.

Lower case in the query matches both cases, upper case only itself. Better are matches in one piece, at the beginning of
a word or of a file name, and in shorter texts.
"""

from __future__ import annotations

import re
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
    parts = [_either_case(character) for character in query if not character.isspace()]
    return re.compile("[^\n]*?".join(f"({part})" for part in parts)), re.compile("".join(parts))


def _either_case(character: str) -> str:
    if character.islower() and len(character.upper()) == 1:
        return f"[{re.escape(character)}{re.escape(character.upper())}]"
    return re.escape(character)


def match(query: str, text: str) -> Match | None:
    """How `text` matches `query`, or None. White space in the query is passed over; an empty query matches all."""
    in_order, in_one_piece = _patterns(query)
    found = in_order.search(text)
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
