"""Trimming, by the one definition of white space that payloads and answers share.

The set is that of the contract's recorded cases (the white space of ECMAScript): it holds U+FEFF and leaves out the
C0 separators and U+0085, which `str.strip` without an argument would take too.
"""

from __future__ import annotations

_WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def trim(text: str) -> str:
    """`text` without white space at its ends."""
    return text.strip(_WHITE_SPACE)


def trim_lines(text: str) -> str:
    """`text` without white space at its end and without blank lines at its beginning; indentation stays."""
    kept = text.rstrip(_WHITE_SPACE)
    blank = len(kept) - len(kept.lstrip(_WHITE_SPACE))
    return kept[kept.rfind("\n", 0, blank) + 1 :]


def is_blank(text: str) -> bool:
    """Whether `text` holds nothing but white space."""
    return not trim(text)
