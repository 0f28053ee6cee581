"""Remembering what was made of texts, in memory that stays small however long they are."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

# Characters; a few screens' lines are far below that.
_SHORT = 2_000


def is_short(*texts: str | None) -> bool:
    """Whether texts are short enough to be kept with what was made of them, which outlives the form they come from."""
    return sum(map(len, filter(None, texts))) <= _SHORT


def kept(*, short: int, long: int) -> Callable[[F], F]:
    """Have a function of a text keep what it made of the last ones: of so many short ones, and of so many long ones."""

    def decorate(function: F) -> F:
        of_short, of_long = lru_cache(short)(function), lru_cache(long)(function)

        @wraps(function)
        def find(text: str, *others: Hashable, **named: Hashable) -> object:
            return (of_short if len(text) <= _SHORT else of_long)(text, *others, **named)

        return cast("F", find)

    return decorate
