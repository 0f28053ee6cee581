"""Untrusted text made printable (T10, R9), and pasted text made storable (R17).

Cleaning is applied once, before anything is measured or wrapped. It allows what is known to be harmless and shows
everything else as a mark; nothing is dropped. The rules:

- letters, digits, punctuation, symbols and spaces of any script stay, right-to-left letters included;
- C0 controls and DEL become caret marks (`^[`, `^?`), a lone surrogate U+FFFD, everything else `<U+XXXX>`;
- a combining mark stays with a base before it, at most eight to a base;
- one variation selector stays directly after a base that has variants;
- ZWJ stays inside a joined emoji (at most three, as many as any emoji in use has), ZWJ and ZWNJ also after letters
  of scripts that are written with them;
- tag characters stay in a well-formed subdivision flag.

What becomes of a character depends on its own grapheme and never on text after that, so the cleaned beginning of
a text is the beginning of the cleaned text: a cursor can be placed by cleaning what stands before it.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from functools import lru_cache
from unicodedata import category

from ask_core.text.graphemes import next_boundary, width
from ask_core.text.kept import kept

_PIECE = 1_000
_MARKS_PER_BASE = 8
_JOINS_PER_EMOJI = 3
_TAB = "    "
_BREAKS = "\n\r\u0085\u2028\u2029"
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_BLACK_FLAG, _CANCEL_TAG = "\U0001f3f4", "\U000e007f"

# Letters, marks and a symbol by category that show nothing: fillers, the grapheme joiner, the null notehead.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\U0001d159")
# First and last character of the ranges whose letters may be followed by a joiner: Arabic to Arabic Extended-A,
# the Indic scripts, Myanmar, Khmer and Mongolian, Adlam.
_JOINING_SCRIPTS = (
    ("\u0600", "\u08ff"),
    ("\u0900", "\u0dff"),
    ("\u1000", "\u109f"),
    ("\u1780", "\u18af"),
    ("\U0001e900", "\U0001e95f"),
)


class _Kind(Enum):
    BASE = auto()
    MARK = auto()
    VOWEL = auto()
    SELECTOR = auto()
    JOINER = auto()
    BREAK = auto()
    TAB = auto()
    OTHER = auto()


def clean_line(text: str) -> str:
    """`text` for a one-line field: a line break becomes `⏎ `, a tab one space, see above for the rest."""
    if text.isascii() and text.isprintable():
        return text
    return _clean(text, "⏎ ", " ")


def clean_block(text: str) -> str:
    """`text` for a field of several lines: a line break of any kind becomes a newline, a tab four spaces.

    VT and FF are no line breaks here; like other controls they become marks (`^K`, `^L`).
    """
    if text.isascii():
        lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", _TAB)
        if lines.replace("\n", "").isprintable():
            return lines
    return _clean(text, "\n", _TAB)


def is_clean(text: str) -> bool:
    """Whether block text is shown as it is whatever stands beside it, so that texts of such texts are clean as well.

    It has no controls, and no marks, joiners or selectors, which depend on what is before them.
    """
    if text.isascii():
        return text.isprintable() or text.replace("\n", "").isprintable()
    return all(_kind(char) is _Kind.BASE or char == "\n" for char in set(text))


def clean_pieces(text: str, piece: Callable[[str], str], *, length: int = _PIECE, from_end: bool = False) -> str:
    """`clean_block` of a text by pieces of about this length, each cleaned by `piece`, which may know it already.

    The pieces are counted from the end of the text that stays as it is while the person writes at the other one.
    """
    cleaned = []
    start, end = 0, len(text) % length if from_end else length
    while start < len(text):
        while 0 < end < len(text) and (_kind(text[end]) is not _Kind.BASE or text[end - 1] == _ZWJ):
            end += 1
        cleaned.append(piece(text[start:end]))
        start, end = end, end + length
    return "".join(cleaned)


def normalise_paste(text: str) -> str:
    """Pasted text as an editor keeps it (R17): CR and CRLF become LF, a tab four spaces, other controls go."""
    if text.isascii() and text.isprintable():
        return text
    return text.replace("\r\n", "\n").translate(_PASTE)


_PASTE = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0))) | {0x09: _TAB, 0x0A: "\n", 0x0D: "\n"}


@kept(short=128, long=16)
def _clean(text: str, newline: str, tab: str) -> str:
    if all(_kind(char) is _Kind.BASE or char == newline for char in set(text)):
        return text
    shown: list[str] = []
    base = ""  # what marks may attach to, or nothing
    base_index = marks = joins = join_end = 0
    index = 0
    while index < len(text):
        char = text[index]
        kind = _kind(char)
        length = 1
        mark = ""
        if kind is _Kind.BASE:
            if index != join_end:
                base_index, joins = index, 0
            base, marks = char, 0
        elif kind is _Kind.BREAK:
            mark = newline
            length = 2 if text.startswith("\r\n", index) else 1
        elif kind is _Kind.TAB:
            mark = tab
        elif not base:
            mark = _mark(char)
        elif kind is _Kind.MARK or (kind is _Kind.VOWEL and _is_hangul(base)):
            marks += 1
            if marks > _MARKS_PER_BASE:
                mark = _mark(char)
        elif kind is _Kind.SELECTOR and text[index - 1] == base and _has_variant(base, char):
            pass
        elif kind is _Kind.JOINER and _kind(text[index - 1]) is not _Kind.JOINER:
            if char == _ZWJ and joins < _JOINS_PER_EMOJI and _joins(text[base_index : index + 2]):
                joins += 1
                join_end = index + 1
            elif not _joins_letters(base):
                mark = _mark(char)
        elif base == _BLACK_FLAG == text[index - 1] and (tags := _flag_tags(text, index)):
            length = tags
        else:
            mark = _mark(char)
        if mark:
            base = ""
        shown.append(mark or text[index : index + length])
        index += length
    return "".join(shown)


@lru_cache(maxsize=4096)
def _kind(char: str) -> _Kind:
    if " " <= char <= "~":
        return _Kind.BASE
    if char in _BREAKS:
        return _Kind.BREAK
    if char == "\t":
        return _Kind.TAB
    if char in (_ZWNJ, _ZWJ):
        return _Kind.JOINER
    if char in _INVISIBLE:
        return _Kind.OTHER
    if "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or char in "\u180b\u180c\u180d\u180f":
        return _Kind.SELECTOR
    if "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7fb":
        return _Kind.VOWEL
    if "\U0001f3fb" <= char <= "\U0001f3ff":
        return _Kind.MARK  # a skin tone changes the emoji before it
    group = category(char)
    if group[0] == "M":
        return _Kind.MARK
    if group[0] in "LNPS" or group == "Zs":
        return _Kind.BASE
    # Emoji younger than this Python's tables: shown when the width tables know them.
    if group == "Cn" and "\U0001f000" <= char <= "\U0001faff" and width(char) == 2:
        return _Kind.BASE
    return _Kind.OTHER


def _mark(char: str) -> str:
    code = ord(char)
    if code < 0x20 or code == 0x7F:
        return "^" + chr(code ^ 0x40)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"<U+{code:04X}>"


def _is_hangul(base: str) -> bool:
    return "\u1100" <= base <= "\u115e" or "\ua960" <= base <= "\ua97c" or "\uac00" <= base <= "\ud7a3"


def _has_variant(base: str, selector: str) -> bool:
    """Whether a selector after this base can mean anything: after other letters it only hides a payload."""
    if selector < "\u1900":
        return "\u1800" <= base <= "\u18af"
    if selector <= "\ufe0f":
        return not base.isascii() or base in "#*0123456789"
    return category(base) == "Lo" and width(base) == 2


def _joins(text: str) -> bool:
    """Whether `text`, an emoji and its marks, ZWJ and one character more, is a single grapheme."""
    return text[-1] != _ZWJ and _kind(text[-1]) is _Kind.BASE and next_boundary(text) == len(text)


def _joins_letters(base: str) -> bool:
    return base.isalpha() and any(first <= base <= last for first, last in _JOINING_SCRIPTS)


def _flag_tags(text: str, index: int) -> int:
    """The number of tag characters that complete a subdivision flag: three to six of a-z and 0-9, then cancel."""
    end = text.find(_CANCEL_TAG, index, index + 7)
    well_formed = end - index >= 3 and all(
        "\U000e0061" <= tag <= "\U000e007a" or "\U000e0030" <= tag <= "\U000e0039" for tag in text[index:end]
    )
    return end - index + 1 if well_formed else 0
