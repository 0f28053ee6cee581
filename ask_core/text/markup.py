"""What kind of text a preview is, and what the parts of its lines are. No character is added, dropped or moved.

Told apart are unified diffs, Markdown, JSON, and programs whose first line says what they are. All else is plain: it
takes more than a sign or two, as drawings, logs and settings are full of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ask_core.frame import Line, Role, Span
from ask_core.text.code import highlight


class Code(NamedTuple):
    """A passage of source code and the number of its first line in the whole text."""

    text: str
    language: str
    first: int


# What a line is: all of one role, a line of a passage of code, or (None) Markdown to look into.
Kind = Role | Code | None


class Markup(NamedTuple):
    """A text's lines and what each of them is; no kinds at all where the text is plain."""

    lines: tuple[str, ...]
    kinds: tuple[Kind, ...]


# Beyond these, in characters, a text is not looked into, so that none holds up a key.
_LONGEST_JSON = 20_000
_LONGEST_PROSE_LINE = 2_000

_DIFF = re.compile(r"^(?:diff --git |--- .*\n\+\+\+ .*\n@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)", re.MULTILINE)
_DIFF_LANGUAGES = frozenset(("diff", "patch", "udiff"))

_FENCE = re.compile(r" *+(`{3,}+|~{3,}+) *+([\w+#.-]*+)([^`]*+)")
_ANY_FENCE = re.compile(r"^ *(?:```|~~~)", re.MULTILINE)
_HEADING = re.compile(r" {0,3}#{1,6} +\S")
_RULE = re.compile(r" {0,3}([-*_])(?: *\1){2,} *")
_BULLET = re.compile(r" *(?:[-*+]|\d{1,9}[.)]) +(?=\S)(?:\[[ xX]\] )?")
_QUOTE = re.compile(r" {0,3}(?:> ?)+")
_INLINE = re.compile(r"(?<!`)(?P<ticks>`+)(?!`).*?[^`](?P=ticks)(?!`)|(?<![\w*])\*\*[^\s*](?:[^*]*[^\s*])?\*\*(?!\w)")

# Signs of Markdown. A heading stands by itself, as comments of programs and settings mostly do not; and words in bold
# begin and end with something like a word, as patterns for paths do not.
_TITLE = re.compile(r"(?:\A|\n\n) {0,3}#{1,6} +\S.*(?:\n\n|\n*\Z)")
_BOLD = re.compile(r"(?<![\w*])\*\*[\w`\"'(](?:[^*\n]*[\w`\"').:;,!?%])?\*\*(?!\w)")
_MINOR = re.compile(
    r"^ *(?:[-*+]|\d{1,2}[.)]) +\S"  # a list
    r"|(?:^|[ (])`[^`\s][^`\n]*`(?:[\s.,:;)]|$)"  # inline code
    r"|\]\([^()\s]{1,500}\)",  # a link
    re.MULTILINE,
)
_SETTING = re.compile(r"^[a-z_][\w.-]*(?::(?: |$)| ?=)", re.MULTILINE)

_OPENINGS = (("<?xml", "xml"), ("<!doctype html", "html"), ("<?php", "php"))
_INTERPRETERS = {"node": "javascript", "nodejs": "javascript", "deno": "typescript", "dash": "sh"}


@lru_cache(maxsize=16)
def markup(text: str) -> Markup:
    """The lines of printable block text, and what they are."""
    lines = tuple(text.split("\n"))
    if language := _language(text, lines[0]):
        return Markup(lines, (Code(text, language, 0),) * len(lines))
    diff = _DIFF.search(text)
    if diff and not _ANY_FENCE.search(text, 0, diff.start()):
        return Markup(lines, _diff(lines, inside=False))
    if _is_markdown(text, lines):
        return Markup(lines, _markdown(lines))
    if _is_json(text):
        return Markup(lines, (Code(text, "json", 0),) * len(lines))
    return Markup(lines, ())


def line_spans(marked: Markup, number: int) -> Line:
    """A line in parts; joined they are the line. An empty line has none."""
    line = marked.lines[number]
    if not line:
        return ()
    kind = marked.kinds[number] if marked.kinds else Role.PREVIEW
    match kind:
        case Role():
            return (Span(line, kind),)
        case Code():
            highlighted = highlight(kind.text, kind.language)
            number -= kind.first
            return highlighted[number] if number < len(highlighted) else (Span(line, Role.CODE),)
        case None:
            return _prose(line)


def _language(text: str, first: str) -> str | None:
    """The language of a program that says so itself."""
    if first.startswith(("#!/", "#! /")):
        words = [word for word in first[2:].split() if not word.startswith("-")]
        names = [word.rpartition("/")[2].rstrip("0123456789.") for word in words]
        name = names[1] if names[0] == "env" and len(names) > 1 else names[0]
        return _INTERPRETERS.get(name, name) or None
    beginning = text[:16].lower()
    return next((language for opening, language in _OPENINGS if beginning.startswith(opening)), None)


def _is_json(text: str) -> bool:
    beginning, end = text[:1], text.rstrip()[-1:]
    if beginning + end not in ("{}", "[]") or len(text) > _LONGEST_JSON:
        return False
    import json

    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _is_markdown(text: str, lines: Sequence[str]) -> bool:
    """Whether there is a whole fenced passage, or signs of two kinds, at least one of them a strong one."""
    if _ANY_FENCE.search(text) and any(end < len(lines) for _, end, _ in _fences(lines)):
        return True
    title, bold = _TITLE.search(text), _BOLD.search(text)
    if title and bold:
        return True
    if bold:
        return _MINOR.search(text) is not None
    return bool(title and _MINOR.search(text) and not _SETTING.search(text))


def _fences(lines: Sequence[str]) -> list[tuple[int, int, str]]:
    """Fenced passages: the numbers of their first and last fence (of the end of the text where none closes), and the
    language."""
    fences = []
    number = 0
    while number < len(lines):
        opened = _FENCE.fullmatch(lines[number])
        if opened:
            first, marks = number, opened[1]
            number += 1
            while number < len(lines) and not _closes(lines[number].strip(" "), marks):
                number += 1
            fences.append((first, number, opened[2]))
        number += 1
    return fences


def _closes(line: str, marks: str) -> bool:
    return line.startswith(marks) and not line.strip(marks[0])


def _markdown(lines: Sequence[str]) -> tuple[Kind, ...]:
    kinds: list[Kind] = []
    for first, end, language in (*_fences(lines), (len(lines), len(lines), "")):
        kinds += map(_kind, lines[len(kinds) : first])
        code = lines[first + 1 : end]
        kinds += [Role.RULE] * (first < len(lines))
        if language.lower() in _DIFF_LANGUAGES:
            kinds += _diff(code, inside=True)
        else:
            kinds += [Code("\n".join(code), language, first + 1) if language else Role.CODE] * len(code)
        kinds += [Role.RULE] * (end < len(lines))
    return tuple(kinds)


def _kind(line: str) -> Kind:
    if _HEADING.match(line):
        return Role.STRONG
    if len(line) > _LONGEST_PROSE_LINE:
        return Role.PREVIEW
    return Role.RULE if _RULE.fullmatch(line) else None


def _prose(line: str) -> Line:
    """A line of Markdown: its bullet or mark of quotation, inline code, words in bold, and the rest."""
    spans = []
    start = 0
    if lead := _BULLET.match(line):
        spans.append(Span(lead[0], Role.STRONG))
        start = lead.end()
    elif lead := _QUOTE.match(line):
        spans.append(Span(lead[0], Role.RULE))
        start = lead.end()
    for found in _INLINE.finditer(line, start):
        spans.append(Span(line[start : found.start()], Role.PREVIEW))
        spans.append(Span(found[0], Role.CODE if found["ticks"] else Role.STRONG))
        start = found.end()
    spans.append(Span(line[start:], Role.PREVIEW))
    return tuple(span for span in spans if span.text)


def _diff(lines: Sequence[str], *, inside: bool) -> tuple[Kind, ...]:
    """What the lines of a unified diff are; `inside`: from the first line on there are changes.

    The counts of hunks are not relied on, as people and models get them wrong.
    """
    kinds: list[Kind] = []
    in_hunk, in_header = inside, False
    for number, line in enumerate(lines):
        if line.startswith("diff --git "):
            in_hunk, in_header = False, True
            kinds.append(Role.STRONG)
        elif line.startswith("@@ "):
            in_hunk = True
            kinds.append(Role.RULE)
        elif _begins_file(lines, number) or _begins_file(lines, number - 1):
            in_hunk, in_header = False, True
            kinds.append(Role.STRONG)
        elif in_hunk:
            kinds.append(_CHANGES.get(line[:1], Role.PREVIEW))
        else:
            kinds.append(Role.RULE if in_header else Role.PREVIEW)
    return tuple(kinds)


_CHANGES = {"+": Role.ADDED, "-": Role.REMOVED, "\\": Role.RULE}


def _begins_file(lines: Sequence[str], number: int) -> bool:
    """Whether a file's names before and after are here, and not a line taken out and one put in that look alike."""
    return (
        0 <= number < len(lines) - 1
        and lines[number].startswith("--- ")
        and lines[number + 1].startswith("+++ ")
        and (number + 2 == len(lines) or lines[number + 2].startswith("@@ "))
    )
