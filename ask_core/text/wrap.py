"""Breaking text into rows. Takes printable text (see clean): no tabs, no controls but the newline in prose."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category

from ask_core.text.graphemes import clusters, is_plain, next_boundary, width
from ask_core.text.kept import kept

if TYPE_CHECKING:
    from collections.abc import Iterator

# Spaces a row may break after. The no-break spaces U+00A0, U+2007 and U+202F are not among them.
_BLANKS = " \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u205f\u3000"
# Categories that do not begin a row beside a wide character (closing brackets, stops, marks of length and repetition),
# and those that do not end one.
_NOT_FIRST = frozenset(("Pe", "Pf", "Po", "Lm"))
_NOT_LAST = frozenset(("Ps", "Pi"))


def segments(line: str, columns: int) -> tuple[tuple[int, int], ...]:
    """Rows of one logical line for an editor, as (start, end) slices that cover the whole line.

    Breaks after spaces, around wide characters, else between graphemes. No row is wider than `columns` (at least 1),
    but for one space behind the words of a full row, where text follows; and a grapheme wider than that has a row of
    its own, which the caller clips.
    """
    if columns < 1:
        raise ValueError(f"columns must be at least 1, not {columns}")
    if is_plain(line):
        return tuple(_plain_rows(line, columns, keep=True))
    return tuple(_mixed_rows(line, columns, keep=True))


class _Written(NamedTuple):
    """A line that was cut into rows, and what of it stood before its cursor."""

    line: str = ""
    before: str = ""
    columns: int = 0
    rows: tuple[tuple[int, int], ...] = ((0, 0),)


# The one that was asked for last: it is nearly always the one before the next key.
_last = [_Written()]

# What comes behind a row's successor by so much cannot reach into it, whatever it makes of the characters before it.
_REACH = 64


def segments_around(before: str, after: str, columns: int) -> tuple[tuple[int, int], ...]:
    """`segments` of the line `before + after` that is being written, whose cursor is between the two.

    Where a row ends depends on what is in it and in the next one. So of the line that was asked for last, rows that are
    far enough before a change stay, and a key in a long line costs what comes behind the cursor.
    """
    known, line = _last[0], before + after
    if columns != known.columns:
        rows = segments(line, columns)
    elif line == known.line:
        rows = known.rows
    else:
        kept = _unchanged(known, before)
        start = kept[-1][1] if kept else 0
        rows = (*kept, *((first + start, end + start) for first, end in segments(line[start:], columns)))
    _last[0] = _Written(line, before, columns, rows)
    return rows


def _unchanged(known: _Written, before: str) -> tuple[tuple[int, int], ...]:
    """The rows of a known line that another one has as well of which this stands before the cursor."""
    if before.startswith(known.before):
        common = len(known.before)
    elif known.line.startswith(before):
        common = len(before)
    else:
        return ()
    return known.rows[: max(0, bisect_right(known.rows, common - _REACH, key=itemgetter(1)) - 1)]


@kept(short=512, long=16)
def wrap(text: str, columns: int) -> tuple[str, ...]:
    """Rows of prose, at least one for each line of `text`, none wider than `columns` (at least 1).

    Spaces at a break go, the indentation of a line stays on its first row unless it fills the row, a word too
    long for a row is broken between graphemes. Only a grapheme wider than `columns` makes a wider row.
    """
    if columns < 1:
        raise ValueError(f"columns must be at least 1, not {columns}")
    return tuple(line[start:end] for line in text.split("\n") for start, end in prose_segments(line, columns))


def prose_segments(line: str, columns: int) -> list[tuple[int, int]]:
    """The same rows of one line, at least one, as (start, end) slices."""
    plain = is_plain(line)
    if plain and len(line) <= columns:
        return [(0, len(line))]
    cut = _plain_rows if plain else _mixed_rows
    *rows, last = list(cut(line, columns, keep=False)) or [(0, 0)]
    return [*((start, start + len(line[start:end].rstrip(_BLANKS))) for start, end in rows), last]


def _indentation(line: str, columns: int) -> tuple[int, int]:
    """Where the first row of prose begins, and where its words do."""
    words = 0
    for cluster in clusters(line):
        if cluster not in _BLANKS:
            break
        words += len(cluster)
    fits = width(line[: next_boundary(line, words)]) <= columns
    return (0 if fits else words), words


def _plain_rows(line: str, columns: int, *, keep: bool) -> Iterator[tuple[int, int]]:
    """Rows of a line whose characters are one column each; spaces at breaks are kept or left out."""
    start, words = (0, 0) if keep else _indentation(line, columns)
    end = len(line)
    while end - start > columns:
        cut = start + columns
        if line[cut] != " ":
            cut = line.rfind(" ", max(start, words), cut) + 1 or cut
        elif keep and line[cut + 1 : cut + 2] not in ("", " "):
            cut += 1
        yield start, cut
        if not keep:
            while cut < end and line[cut] == " ":
                cut += 1
        start = cut
    if start < end or (keep and not line):
        yield start, end


def _mixed_rows(line: str, columns: int, *, keep: bool) -> Iterator[tuple[int, int]]:
    """The same rows for any text: one pass over its graphemes."""
    start, words = (0, 0) if keep else _indentation(line, columns)
    position = chance = start  # chance: the last place in the row where a break is welcome
    used = used_at_chance = 0
    before_columns, may_part = 1, True
    for cluster in clusters(line[start:]):
        cluster_columns, blank, may_begin, may_end = _traits(cluster)
        if (before_columns > 1 or cluster_columns > 1) and position > words and may_part and may_begin:
            chance, used_at_chance = position, used
        if keep and cluster == " " and used == columns and line[position + 1 : position + 2] not in ("", " "):
            position += 1
            yield start, position
            start = chance = position
            used = used_at_chance = 0
            before_columns, may_part = cluster_columns, may_end
            continue
        while used + cluster_columns > columns and position > start:
            if blank or chance <= start:
                chance, used_at_chance = position, used
            yield start, chance
            start = chance
            used -= used_at_chance
            used_at_chance = 0
        leading = start == position
        position += len(cluster)
        if blank and leading and not keep and position > words:
            start = chance = position
        else:
            used += cluster_columns
            if blank and (keep or position > words):
                chance, used_at_chance = position, used
        before_columns, may_part = cluster_columns, may_end
    if start < len(line):
        yield start, len(line)


@lru_cache(maxsize=4096)
def _traits(cluster: str) -> tuple[int, bool, bool, bool]:
    """Columns; whether a row may break after it as a space; whether beside a wide character it may begin or end one."""
    group = category(cluster[0])
    return width(cluster), cluster in _BLANKS, group not in _NOT_FIRST, group not in _NOT_LAST
