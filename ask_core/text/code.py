"""Source code by the meaning of its parts. Pygments tells them apart where it is installed (the extra `highlight`)."""

from __future__ import annotations

import re
from functools import lru_cache

from ask_core.frame import Line, Role, Span

# What lies behind so many characters stays as it is, and so does what lies behind a line or a gap that nobody writes.
# Lexers are not made for strangers' texts: some take minutes for a few kilobytes of them.
LONGEST = 8_000
_UNREADABLE = re.compile(r"[^\n]{201}|(?:\n *){5}")

# The languages whose lexers took about a second at most, on a busy machine, for the worst texts of that size.
_LANGUAGES = frozenset(
    name
    for names in (
        "bash c c++ clojure cmake console cpp css dart docker dockerfile elixir erlang fsharp go golang",
        "graphql haskell hs html http ini javascript js json jsonc jsx julia kotlin kt latex lua make",
        "makefile nginx nix ocaml perl php powershell properties protobuf ps1 py python python3 r rb rs ruby",
        "rust sass scala scss sh shell sql swift tex toml ts tsx typescript vue xml yaml yml zig zsh",
    )
    for name in names.split()
)
# For these it takes the lexer of a relative, whose words are mostly the same.
_RELATIVES = dict.fromkeys(("c#", "cs", "csharp", "groovy", "java"), "typescript") | {"json5": "javascript"}

# Kinds of token by the beginning of their path.
_ROLES = {
    ("Comment",): Role.CODE_COMMENT,
    ("Comment", "Preproc"): Role.CODE_KEYWORD,
    ("Keyword",): Role.CODE_KEYWORD,
    ("Keyword", "Constant"): Role.CODE_NUMBER,
    ("Literal", "Number"): Role.CODE_NUMBER,
    ("Literal", "String"): Role.CODE_STRING,
    ("Name", "Tag"): Role.CODE_KEYWORD,
    ("Operator", "Word"): Role.CODE_KEYWORD,
}


@lru_cache(maxsize=32)
def highlight(code: str, language: str) -> tuple[Line, ...]:
    """The lines of `code` as spans, from the first one on as far as lexers are trusted with it.

    Joined, the spans of a line are the line. There are none where pygments is not installed or the language, a name
    such as `python` or `ts`, is not one of ours.
    """
    language = language.lower()
    language = _RELATIVES.get(language, language)
    code = _readable(code) if language != "json" else code
    if not code or language not in _LANGUAGES:
        return ()
    try:
        from pygments.lexers import get_lexer_by_name
    except ImportError:
        return ()
    lines: list[list[Span]] = [[]]
    try:
        # The line feed at the end is one that lexers count on. The other ways to ask for tokens change the text first.
        for _, kind, value in get_lexer_by_name(language).get_tokens_unprocessed(code + "\n"):
            role = _role(kind)
            first, *others = value.split("\n")
            lines[-1].append(Span(first, role))
            lines.extend([Span(part, role)] for part in others)
    except Exception:  # noqa: BLE001 - a lexer that fails on somebody's text must not take the form with it
        return ()
    if "\n".join("".join(text for text, _ in line) for line in lines) != code + "\n":
        return ()
    return tuple(tuple(span for span in line if span.text) for line in lines[:-1])


def _readable(code: str) -> str:
    """The lines at the beginning that a lexer may see."""
    odd = _UNREADABLE.search(code, 0, LONGEST)
    end = odd.start() if odd else LONGEST
    return code if end >= len(code) else code[: max(0, code.rfind("\n", 0, end + 1))]


@lru_cache(maxsize=512)
def _role(kind: tuple[str, ...]) -> Role:
    return _ROLES.get(kind[:2]) or _ROLES.get(kind[:1]) or Role.CODE
