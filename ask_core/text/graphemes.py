"""Graphemes and columns: how text is cut and measured for a terminal. The only module that uses wcwidth (T6)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING
from unicodedata import category

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

ELLIPSIS = "…"

# How far a cursor step looks, in characters. Even, so that a run of flags is cut between flags.
_REACH = 4096

_PLAIN = frozenset(
    chr(code)
    for first, last in (
        (0x20, 0x7E),
        (0xA0, 0xAC),  # Latin-1 and Latin Extended-A, without the soft hyphen
        (0xAE, 0x17F),
        (0x2010, 0x2027),  # dashes, quotation marks, bullets, the ellipsis
        (0x2030, 0x205E),
        (0x20AC, 0x20AC),
        (0x2190, 0x2193),
        (0x23CE, 0x23CE),
        (0x2500, 0x259F),  # box drawing and block elements
        (0x25A0, 0x25A1),
        (0x25B2, 0x25B3),
        (0x25B8, 0x25B9),
        (0x25BC, 0x25BD),
        (0x25CB, 0x25CB),
        (0x25CF, 0x25CF),
        (0x2713, 0x2713),
        (0x2717, 0x2717),
    )
    for code in range(first, last + 1)
)


def is_plain(text: str) -> bool:
    """Whether every character of `text` is known, without wcwidth, to be a grapheme one column wide.

    These are printable ASCII, western letters and punctuation, and the glyphs of our own screens. Importing
    wcwidth costs more than drawing a frame, so such text never causes it (T9).
    """
    return (text.isascii() and text.isprintable()) or _PLAIN.issuperset(text)


def width(text: str) -> int:
    """Columns that printable `text` takes: the sum over its graphemes, whatever terminal the environment names."""
    if is_plain(text):
        return len(text)
    return sum(map(_columns, _wcwidth().iter_graphemes(text)))


def clusters(text: str) -> Iterator[str]:
    """The graphemes of `text` in order, found lazily; joined they are `text`."""
    return iter(text) if is_plain(text) else _clusters(text)


def next_boundary(text: str, start: int = 0) -> int:
    """Where the grapheme that begins at `start` ends. `start` is itself a boundary; at the end it is returned.

    Looks at a window that doubles until the grapheme ends inside it, so the cost follows the grapheme and not
    the text. One longer than 4096 characters is passed in pieces of that length.
    """
    window = 16
    while True:
        piece = text[start : start + window]
        if not piece:
            return len(text)
        length = len(next(clusters(piece)))
        if length < window or window == _REACH:
            return start + length
        window *= 2


def previous_boundary(text: str, end: int | None = None) -> int:
    """Where the grapheme that ends at `end` (the end of the text unless given) begins; 0 at the start.

    Goes back to the first place that is a boundary whatever stands before it and cuts forward from there:
    one or two characters in most text, the run in a run of flags, Hangul letters or marks, at most 4096.
    """
    if end is None or end > len(text):
        end = len(text)
    start = max(end - 1, 0)
    limit = max(end - _REACH, 0)
    while start > limit and not _apart(text[start - 1], text[start]):
        start -= 1
    boundary = start
    for cluster in clusters(text[start:end]):
        boundary = start
        start += len(cluster)
    return boundary


def take(text: str, columns: int) -> int:
    """The greatest index on a grapheme boundary up to which `text` fits in `columns` columns."""
    columns = max(columns, 0)
    if is_plain(text[: columns + 1]):
        return min(columns, len(text))
    index = 0
    for cluster in _clusters(text):
        columns -= _columns(cluster)
        if columns < 0:
            break
        index += len(cluster)
    return index


def clip(text: str, columns: int) -> str:
    """`text` in at most `columns` columns; ends in an ellipsis when something was cut."""
    if columns <= 0:
        return ""
    if take(text, columns) == len(text):
        return text
    return text[: take(text, columns - 1)] + ELLIPSIS


def clip_start(text: str, columns: int) -> str:
    """The end of `text` in at most `columns` columns; begins with an ellipsis when something was cut."""
    if width(text) <= columns:
        return text
    start, room = len(text), columns - 1
    while start and (room := room - width(text[previous_boundary(text, start) : start])) >= 0:
        start = previous_boundary(text, start)
    return ELLIPSIS + text[start:] if columns > 0 else ""


@cache
def _wcwidth() -> ModuleType:
    import wcwidth

    return wcwidth


def _clusters(text: str) -> Iterator[str]:
    cut: Iterator[str] = _wcwidth().iter_graphemes(text)
    return cut


@lru_cache(maxsize=4096)
def _columns(cluster: str) -> int:
    if len(cluster) == 1 and cluster in _PLAIN:
        return 1
    columns: int = _wcwidth().width(cluster, control_codes="ignore", ambiguous_width=1, term_program=False)
    if columns == 0 and category(cluster[0]) == "Mc":
        # wcwidth counts a spacing mark with its base; a few of them are graphemes of their own.
        return 1
    return columns


def _apart(left: str, right: str) -> bool:
    if left < "\x7f" and right < "\x7f":
        return left != "\r" or right != "\n"
    return _apart_in_any_context(left, right)


@lru_cache(maxsize=4096)
def _apart_in_any_context(left: str, right: str) -> bool:
    # The rules that look further back than one character (flags, joined emoji, Indic conjuncts) all need a left
    # character that joins what stands before it, or two regional indicators, which are together as a pair.
    return not _together("a" + left) and not _together(left + right)


def _together(pair: str) -> bool:
    return len(next(_clusters(pair))) == 2
