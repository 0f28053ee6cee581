"""What the frozen values of the core have in common: they are compared, hashed and shown by their fields.

attrs would write and compile these three methods for every class, which takes about half a millisecond each before the
first frame, and compare all fields of both sides one by one. Here two values are compared as tuples, and Python is done
at once with every part that is the same object: of a state that is nearly all of it.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, ClassVar

from attrs import fields


class Value:
    """Base of classes that are `attrs.frozen(eq=False, repr=False)`. Fields with `eq` or `repr` False are left out."""

    __slots__ = ()
    __attrs_attrs__: ClassVar[Any]

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        parts = _PARTS.get(self.__class__) or _parts_of(self.__class__)
        return bool(parts(self) == parts(other))

    def __hash__(self) -> int:
        parts = _PARTS.get(self.__class__) or _parts_of(self.__class__)
        return hash((self.__class__, parts(self)))

    def __repr__(self) -> str:
        shown = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(type(self)) if field.repr)
        return f"{type(self).__qualname__}({', '.join(shown)})"


_PARTS: dict[type[Value], Callable[[Any], Any]] = {}


def _parts_of(kind: type[Value]) -> Callable[[Any], Any]:
    """What is compared of a class: its fields as a tuple, or its only one."""
    names = [field.name for field in fields(kind) if field.eq]
    found = attrgetter(*names) if names else lambda value: ()
    _PARTS[kind] = found
    return found
