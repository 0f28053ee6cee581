"""Looks by role: one accent for where the person is, grey for what helps, other colours only for what counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ask_core.frame import Role
from ask_core.settings import ThemeName

TRUECOLOR = 1 << 24

Name = str  # "bold" "dim" "reverse" "underline", an ANSI colour such as "cyan", or "#rrggbb"


class Look(NamedTuple):
    """One role's looks: in hex where 256 colours or more are there, in ANSI names below that."""

    rich: tuple[Name, ...] = ()
    ansi: tuple[Name, ...] = ()


Theme = Mapping[Role, Look]


def _theme(
    *, accent: str, grey: str, soft: str, green: str, yellow: str, red: str, ansi_accent: str, ansi_yellow: str
) -> Theme:
    plain = Look()
    quiet = Look((grey,), ("dim",))
    return {
        Role.TEXT: plain,
        Role.TITLE: Look(("bold",), ("bold",)),
        Role.TAB: quiet,
        Role.TAB_ACTIVE: Look(("bold", accent), ("bold", ansi_accent)),
        Role.RULE: quiet,
        Role.PROMPT: Look(("bold",), ("bold",)),
        Role.HELP: quiet,
        Role.POINTER: Look(("bold", accent), ("bold", ansi_accent)),
        Role.NUMBER: quiet,
        Role.MARK: quiet,
        Role.MARK_CHOSEN: Look(("bold", green), ("bold", "green")),
        Role.OPTION: plain,
        Role.OPTION_FOCUSED: Look(("bold", accent), ("bold", ansi_accent)),
        Role.MATCH: Look(("bold", "underline", accent), ("bold", "underline", ansi_accent)),
        Role.DESCRIPTION: quiet,
        Role.PLACEHOLDER: quiet,
        Role.EDITOR: plain,
        Role.NOTE: Look((soft,), (ansi_accent,)),
        Role.PREVIEW: plain,
        Role.STRONG: Look(("bold",), ("bold",)),
        Role.CODE: Look((soft,), ()),
        Role.CODE_KEYWORD: Look((accent,), (ansi_accent,)),
        Role.CODE_STRING: Look((green,), ("green",)),
        Role.CODE_NUMBER: Look((yellow,), (ansi_yellow,)),
        Role.CODE_COMMENT: quiet,
        Role.ADDED: Look((green,), ("green",)),
        Role.REMOVED: Look((red,), ("red",)),
        Role.ANSWER: Look((green,), ("green",)),
        Role.UNANSWERED: Look((yellow,), (ansi_yellow,)),
        Role.WARNING: Look(("bold", yellow), ("bold", ansi_yellow)),
        Role.MORE: quiet,
        Role.KEY: Look((soft,), ()),
        Role.HINT: quiet,
    }


DARK = _theme(
    accent="#87afff",
    grey="#8a8a8a",
    soft="#afc7d7",
    green="#87c787",
    yellow="#e5c76b",
    red="#e88f8f",
    ansi_accent="cyan",
    ansi_yellow="yellow",
)
# ANSI yellow cannot be read on white, where magenta warns as well.
LIGHT = _theme(
    accent="#005fd7",
    grey="#6c6c6c",
    soft="#3a5a78",
    green="#1f7a1f",
    yellow="#8a5a00",
    red="#b3261e",
    ansi_accent="blue",
    ansi_yellow="magenta",
)
MONO: Mapping[Role, tuple[Name, ...]] = {
    Role.TEXT: (),
    Role.TITLE: ("bold",),
    Role.TAB: ("dim",),
    Role.TAB_ACTIVE: ("bold", "reverse"),
    Role.RULE: ("dim",),
    Role.PROMPT: ("bold",),
    Role.HELP: ("dim",),
    Role.POINTER: ("bold",),
    Role.NUMBER: ("dim",),
    Role.MARK: ("dim",),
    Role.MARK_CHOSEN: ("bold",),
    Role.OPTION: (),
    Role.OPTION_FOCUSED: ("bold",),
    Role.MATCH: ("bold", "underline"),
    Role.DESCRIPTION: ("dim",),
    Role.PLACEHOLDER: ("dim",),
    Role.EDITOR: (),
    Role.NOTE: (),
    Role.PREVIEW: (),
    Role.STRONG: ("bold",),
    Role.CODE: (),
    Role.CODE_KEYWORD: ("bold",),
    Role.CODE_STRING: (),
    Role.CODE_NUMBER: (),
    Role.CODE_COMMENT: ("dim",),
    Role.ADDED: ("bold",),
    Role.REMOVED: (),
    Role.ANSWER: ("bold",),
    Role.UNANSWERED: ("underline",),
    Role.WARNING: ("bold", "underline"),
    Role.MORE: ("dim",),
    Role.KEY: (),
    Role.HINT: ("dim",),
}

_TRUECOLOR_KINDS = ("kitty", "ghostty", "alacritty", "wezterm", "foot", "iterm2", "contour", "-direct", "ms-terminal")
_MONO_KINDS = ("vt1", "vt2", "vt3", "vt4", "vt5", "dumb")


def colour_depth(environ: Mapping[str, str]) -> int:
    """How many colours to use: 0, 16, 256 or 2**24, from NO_COLOR, COLORTERM and TERM alone (T5)."""
    kind = environ.get("TERM", "").lower()
    if environ.get("NO_COLOR") or kind.startswith(_MONO_KINDS) or kind.endswith(("-m", "-mono")):
        return 0
    if environ.get("COLORTERM", "").lower() in {"truecolor", "24bit"} or any(name in kind for name in _TRUECOLOR_KINDS):
        return TRUECOLOR
    return 256 if "256color" in kind else 16


def styles_for(environ: Mapping[str, str], colours: int, chosen: ThemeName = "auto") -> Mapping[Role, tuple[Name, ...]]:
    """The names of each role's looks at this depth in the chosen theme.

    `auto` goes by the ground that ASK_THEME or COLORFGBG tells of; dark unless told.
    """
    if not colours or chosen == "mono":
        return MONO
    theme = LIGHT if chosen == "light" or (chosen == "auto" and _is_light(environ)) else DARK
    return {role: look.rich if colours >= 256 else look.ansi for role, look in theme.items()}


def _is_light(environ: Mapping[str, str]) -> bool:
    chosen = environ.get("ASK_THEME", "").lower()
    if chosen in {"dark", "light"}:
        return chosen == "light"
    # "foreground;background" or "foreground;other;background": 7 and the bright colours but 8 are light grounds.
    ground = environ.get("COLORFGBG", "").rpartition(";")[2]
    return ground.isdecimal() and int(ground) in {7, *range(9, 16)}
