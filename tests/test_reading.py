"""Reading texts that are longer than their place."""

from __future__ import annotations

import pytest

from ask_core.dialects import load_form
from ask_core.events import Resized
from ask_core.keys import Key
from ask_core.layout import layout
from ask_core.reduce import reduce
from ask_core.state import State, start
from ask_core.view import view

LINES = "\n".join(f"line {number:02}" for number in range(60))


def _read(state: State, *names: str) -> tuple[State, str]:
    """The state after the keys, and all the text that its frames showed on the way."""
    shown = []
    for name in names:
        shown.append(layout(view(state), state.width, state.height).text())
        state = reduce(state, Key(name))
    shown.append(layout(view(state), state.width, state.height).text())
    return state, "\n".join(shown)


@pytest.mark.parametrize("size", [(100, 24), (80, 24), (60, 12), (40, 15), (32, 10)])
@pytest.mark.parametrize("place", ["prompt", "description", "preview"])
def test_a_long_text_is_read_to_its_end_and_back_without_moving_the_highlight(
    place: str, size: tuple[int, int]
) -> None:
    """R8: every line of a prompt, a description or a preview can be seen at any size."""
    option = {"value": "b", "label": "B", "preview": "short"}
    option[place] = LINES if place != "prompt" else option.get("prompt", "")
    question = {"id": "q", "prompt": LINES if place == "prompt" else "Which?", "type": "preview"}
    options = [{"value": "a", "label": "A", "preview": "p"}, {k: v for k, v in option.items() if v}]
    state = start(load_form({"questions": [question | {"options": options}]}))
    state = reduce(reduce(state, Resized(*size)), Key("down"))
    end, shown = _read(state, *("shift+down",) * 70)
    assert all(f"line {number:02}" in shown for number in range(60))
    assert end.mode == state.mode
    assert reduce(end, Key("shift+down")) is end
    back, shown = _read(end, *("shift+up",) * 70)
    assert all(f"line {number:02}" in shown for number in range(60))
    assert back == state


def test_moving_the_highlight_keeps_the_place_in_the_prompt() -> None:
    """A prompt that was read on stays where it is while an option is looked for, until the tab changes."""
    form = {
        "questions": [{"id": "q", "prompt": LINES, "options": [{"value": str(n), "label": str(n)} for n in (1, 2)]}]
    }
    state = reduce(start(load_form(form)), Key("shift+down"))
    assert state.offsets.prompt > 0
    assert reduce(state, Key("down")).offsets == state.offsets
    assert reduce(reduce(state, Key("tab")), Key("tab")).offsets.prompt == 0
