"""Keys and their names.

A key has one canonical name: `enter`, `shift+tab`, `ctrl+c`, `pageUp`, or the character it types. The modifiers stand
in the order ctrl, shift, alt, super. `Key` is an event (somebody pressed it); `canonical_key` is for bindings in
settings files, where a bare digit is refused because the digits choose options.
"""

from __future__ import annotations

import functools

from attrs import frozen

from ask_core.errors import UnknownKey
from ask_core.value import Value

MODIFIERS = ("ctrl", "shift", "alt", "super")

_MODIFIER_ALIASES = {
    "ctrl": "ctrl",
    "ctl": "ctrl",
    "control": "ctrl",
    "shift": "shift",
    "alt": "alt",
    "option": "alt",
    "super": "super",
    "cmd": "super",
    "command": "super",
    "meta": "super",
    "win": "super",
}

NAMED_KEYS = (
    "enter",
    "esc",
    "tab",
    "space",
    "backspace",
    "delete",
    "insert",
    "clear",
    "home",
    "end",
    "pageUp",
    "pageDown",
    "up",
    "down",
    "left",
    "right",
    *(f"f{number}" for number in range(1, 13)),
)

_ALIASES = {name.lower(): name for name in NAMED_KEYS} | {
    "return": "enter",
    "escape": "esc",
    "del": "delete",
    "pgup": "pageUp",
    "pgdn": "pageDown",
    "pgdown": "pageDown",
    "arrowup": "up",
    "arrowdown": "down",
    "arrowleft": "left",
    "arrowright": "right",
}

# Characters that a settings file may bind. The plus sign joins modifiers and the double quote is left to JSON.
_BINDABLE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789`-=[]\\;',./!@#$%^&*()_|~{}:<>?")


def canonical_key(binding: str) -> str:
    """The canonical spelling of a key binding in a settings file: `Control+C` -> `ctrl+c`.

    Raises UnknownKey where the binding names no key, or is a bare digit from 1 to 9.
    """
    name = _join(binding.strip().lower())
    if name == "shift+space":
        # No terminal tells them apart for sure, so a press of it is one of space.
        name = "space"
    if name in "123456789":
        raise UnknownKey(f"{name} always chooses an option and cannot be bound")
    return name


def _canonical_press(name: str) -> str:
    """The canonical name of a pressed key: any character, or a name of several characters."""
    if len(name) != 1:
        return _canonical_name(name)
    if name == " ":
        return "space"
    if "A" <= name <= "Z":
        return f"shift+{name.lower()}"
    if name < " " or "\x7f" <= name <= "\x9f" or "\ud800" <= name <= "\udfff":
        raise UnknownKey(f"{name!r} is no character that a key types")
    return name


@functools.lru_cache(maxsize=512)
def _canonical_name(name: str) -> str:
    canonical = _join(name.lower())
    return "space" if canonical == "shift+space" else canonical


def _join(name: str) -> str:
    *modifiers, key = [part for part in name.split("+") if part] or [""]
    known = {_MODIFIER_ALIASES.get(modifier, "") for modifier in modifiers}
    key = _ALIASES.get(key, key)
    if "" in known or not (key in _BINDABLE or key in NAMED_KEYS):
        raise UnknownKey(f"there is no key called {name!r}")
    return "+".join([*(modifier for modifier in MODIFIERS if modifier in known), key])


@frozen(eq=False, repr=False, init=False)
class Key(Value):
    """One key press, by name (`down`, `ctrl+c`) or by the character it types.

    `Key(" ")` equals `Key("space")` and `Key("N")` equals `Key("shift+n")`. Raises UnknownKey for other names.
    """

    name: str

    # attrs would look at the signature of a converter, and load inspect for it (T9).
    def __init__(self, name: str) -> None:
        self.__attrs_init__(_canonical_press(name))

    @property
    def digit(self) -> int | None:
        """The number that the keys 1 to 9 stand for."""
        return int(self.name) if len(self.name) == 1 and self.name in "123456789" else None

    @property
    def text(self) -> str | None:
        """What the key types into a text, or None."""
        name = self.name
        if len(name) == 1:
            return name
        if name == "space":
            return " "
        if len(name) == 7 and name.startswith("shift+") and name[6].isascii():
            return name[6].upper() if name[6].isalpha() else name[6]
        return None
