"""Values of the core: compared, hashed and shown by their fields, like those that attrs makes whole."""

from __future__ import annotations

import attrs
import pytest
from attrs import evolve, field, frozen

from ask_core.dialects import load_form
from ask_core.effects import EditExternally
from ask_core.events import Abort, Edited, Paste, TimedOut
from ask_core.state import start
from ask_core.value import Value


@frozen(eq=False, repr=False)
class Point(Value):
    """A value with a field that takes no part."""

    x: int
    y: int = 0
    note: str = field(default="", eq=False, repr=False)


@frozen
class Whole:
    """The same made by attrs."""

    x: int
    y: int = 0
    note: str = field(default="", eq=False, repr=False)


def test_values_are_compared_by_the_fields_that_count() -> None:
    """Equal fields make equal values with one hash; a field that takes no part changes neither."""
    assert Point(1, 2) == Point(1, 2, "other")
    assert hash(Point(1, 2)) == hash(Point(1, 2, "other"))
    assert Point(1, 2) != Point(1, 3)
    assert len({Point(1), Point(1), Point(2)}) == 2


def test_values_of_different_classes_differ() -> None:
    """A text that was pasted is not one that came from an editor, nor is anything its tuple of fields."""
    assert Paste("x") != Edited("x")
    assert hash(Paste("x")) != hash(Edited("x"))
    assert TimedOut() == TimedOut()
    assert Abort("x") != ("x",)
    assert Point(1) != (1, 0)


def test_values_are_shown_like_those_of_attrs() -> None:
    """The name and the fields that count, as they would be written."""
    assert repr(Point(1, 2, "note")) == repr(Whole(1, 2, "note")).replace("Whole", "Point")
    assert repr(TimedOut()) == "TimedOut()"


@pytest.mark.parametrize("name", ["x", "y", "note", "else"])
def test_values_are_frozen(name: str) -> None:
    """They change by making others."""
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        setattr(Point(1), name, 2)
    assert evolve(Point(1, 2), x=3) == Point(3, 2)


def test_a_state_is_compared_by_all_but_its_outbox() -> None:
    """The outbox is what one event asked for; it is no part of what the state is."""
    form = load_form({"questions": [{"id": "q", "prompt": "P", "options": [{"value": "a", "label": "A"}]}]})
    state = start(form)
    assert state == evolve(state, outbox=(EditExternally("x"),))
    assert state != evolve(state, tab=1)
