"""Reading untrusted values: every fault becomes an issue with its path, and reading goes on.

A dialect's loader walks a payload with a Reader; the values it gets back are usable or placeholders, and the issues
decide. `null` for an optional field means left out (R10). Messages name what was expected and what came, and never
repeat long text of the payload.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from ask_core.errors import Issue
from ask_core.text.clean import clean_line
from ask_core.text.trim import trim

JsonObject = Mapping[str, object]

_SHOWN = 40


def kind_of(value: object) -> str:
    """The JSON name of a value's type, with an article: `a number`, `null`, `an array`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, Sequence):
        return "an array"
    return f"a {type(value).__name__}"


def quoted(text: str) -> str:
    """A text of the payload in quotes, on one line and made visible (R9); a long one is cut."""
    shown = clean_line(text[:_SHOWN])
    return f'"{shown}"' if len(text) <= _SHOWN else f'"{shown}…"'


class Reader:
    """Collects issues while a loader reads fields."""

    def __init__(self) -> None:
        self.issues: list[Issue] = []

    def refuse(self, path: str, message: str) -> None:
        """Report one fault."""
        self.issues.append(Issue(path, message))

    def mapping(self, value: object, path: str, expected: str) -> JsonObject | None:
        """`value` as an object with text keys, or None and an issue."""
        if isinstance(value, Mapping):
            return cast(JsonObject, value)
        self.refuse(path, f"must be {expected}, got {kind_of(value)}.")
        return None

    def items(self, owner: JsonObject, name: str, path: str, expected: str) -> Sequence[object] | None:
        """The required list `owner[name]`, or None and an issue. An empty list is an issue as well."""
        value = owner.get(name)
        if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
            if value:
                return value
            self.refuse(path, f"must hold at least {expected}.")
        elif name not in owner:
            self.refuse(path, f"is missing. Give an array with at least {expected}.")
        else:
            self.refuse(path, f"must be an array with at least {expected}, got {kind_of(value)}.")
        return None

    def required_text(self, owner: JsonObject, name: str, path: str) -> str:
        """The required text `owner[name]`, trimmed; blank or of another type is an issue."""
        value = owner.get(name)
        if isinstance(value, str):
            if text := trim(value):
                return text
            self.refuse(path, "must not be blank.")
        elif name not in owner:
            self.refuse(path, "is missing. Give a text that is not blank.")
        else:
            self.refuse(path, f"must be a text that is not blank, got {kind_of(value)}.")
        return ""

    def optional_text(
        self, owner: JsonObject, name: str, path: str, *, trimmed: Callable[[str], str] = trim
    ) -> str | None:
        """The optional text `owner[name]` as `trimmed` leaves it; what is blank then is an issue."""
        value = owner.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            self.refuse(path, f"must be a text, got {kind_of(value)}. Correct it or leave it out.")
            return None
        text = trimmed(value)
        if not text:
            self.refuse(path, "must not be blank. Give a text or leave it out.")
        return text or None

    def optional_title(self, owner: JsonObject, name: str, path: str) -> str | None:
        """The optional text `owner[name]` as it came; it may be blank."""
        value = owner.get(name)
        if value is None or isinstance(value, str):
            return value
        self.refuse(path, f"must be a text, got {kind_of(value)}. Correct it or leave it out.")
        return None

    def optional_flag(self, owner: JsonObject, name: str, path: str) -> bool:
        """The optional boolean `owner[name]`, false where it is left out."""
        value = owner.get(name)
        if value is None or isinstance(value, bool):
            return bool(value)
        self.refuse(path, f"must be true or false, got {kind_of(value)}.")
        return False
