"""Every exception the package raises on purpose; they share one base, AskError."""

from __future__ import annotations

from typing import NamedTuple


class Issue(NamedTuple):
    """One thing wrong with a payload: where (`questions[0].id`) and how to mend it."""

    path: str
    message: str


class AskError(Exception):
    """Base of all errors raised by ask."""


class UnknownKey(AskError, ValueError):
    """A key name that no terminal key has."""


class UnknownDialect(AskError, ValueError):
    """A dialect name that is not one of `ask_core.dialects.NAMES`."""


class UnknownProvider(AskError, ValueError):
    """A provider that is not one of `ask_core.tools.PROVIDERS`."""


class InvalidPayload(AskError, ValueError):
    """A payload that cannot be asked.

    `issues` lists every fault with its path, `dialect` names the one the payload was read as; `str()` is the text for
    the model, in the words of that dialect.
    """

    def __init__(self, issues: tuple[Issue, ...], text: str, dialect: str) -> None:
        super().__init__(issues, text, dialect)
        self.issues = issues
        self.dialect = dialect
        self._text = text

    def __str__(self) -> str:
        return self._text
