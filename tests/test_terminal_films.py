"""The stories on a real pseudo-terminal: what an emulator shows is what `layout` says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import ask_core as ask
from ask_core.frame import Cursor, Frame
from ask_core.layout import layout
from ask_core.reduce import reduce
from ask_core.summary import transcript
from ask_core.view import view
from tests.ptys import Pty, python
from tests.scenarios import SCENARIOS, Press, Scenario, single_keys

# The emulator knows no joined emoji and no combining marks.
STORIES = [
    pytest.param(story, width, id=f"{story.name}-{width}")
    for story in SCENARIOS
    if story.name != "wide_characters"
    for width in story.widths
]

# The command has no option for single settings.
WITH_BEHAVIOUR = """
import json, sys
import ask_core as ask
with open(sys.argv[1]) as form:
    payload = json.load(form)
settings = ask.Settings(behaviour=ask.Behaviour(**json.loads(sys.argv[2])))
print(json.dumps(ask.ask_user(payload, dialect=sys.argv[3], settings=settings)["details"]))
"""

BYTES = {
    "enter": "\r",
    "esc": "\x1b",
    "tab": "\t",
    "space": " ",
    "shift+tab": "\x1b[Z",
    "shift+up": "\x1b[1;2A",
    "shift+down": "\x1b[1;2B",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pageUp": "\x1b[5~",
    "pageDown": "\x1b[6~",
}


def typed(key: Press) -> str:
    """What a terminal sends for a key or a paste."""
    if isinstance(key, dict):
        return f"\x1b[200~{key['paste']}\x1b[201~"
    if key.startswith("ctrl+"):
        return chr(ord(key[-1]) & 0x1F)
    if key.startswith("alt+"):
        return f"\x1b{key[-1]}"
    return BYTES.get(key, key)


def shown(state: ask.State) -> Frame:
    """What the terminal has to show."""
    if state.finished:
        return Frame(state.width, state.height, transcript(ask.result_of(state), state.width))
    return layout(view(state), state.width, state.height)


def await_frame(pty: Pty, frame: Frame, *, finished: bool) -> None:
    """Wait until the terminal shows `frame`, with its cursor."""
    text = frame.text().rstrip()
    pty.until(lambda: pty.text() == text)
    if finished:
        return
    pty.until(lambda: cursor_of(pty) == frame.cursor)


def cursor_of(pty: Pty) -> Cursor | None:
    """The terminal's cursor, None where it is hidden."""
    cursor = pty.screen.cursor
    return None if cursor.hidden else Cursor(cursor.x, cursor.y)


# What no command can be given: freeform questions, and the settings' path and faults. What happens to the settings is
# told on standard input.
DRIVEN = """
import json, os, sys, threading
import ask_core as ask
from ask_core.edge.driver import drive
from ask_core.edge.flow import Surroundings
from ask_core.edge.renderers import create
from ask_core.edge.signals import Wake
from ask_core.edge.tty import open_terminal
with open(sys.argv[1]) as file:
    story = json.load(file)
form = ask.load_form(story["payload"], story["dialect"], story["allow_freeform"])
settings = ask.Settings(behaviour=ask.Behaviour(**story["behaviour"]))
state = ask.start(form, settings, path=story["file"], notices=tuple(story["notices"]))
wake = Wake()
def listen():
    for line in sys.stdin:
        wake.post(ask.testing.event(json.loads(line)))
threading.Thread(target=listen, daemon=True).start()
terminal = open_terminal(None, environ=os.environ)
renderer = create("auto", fd=terminal.fd, environ=os.environ, fullscreen=False)
ended = drive(state, terminal, renderer, wake, Surroundings(os.environ))
print(json.dumps(ask.details(ask.result_of(ended.state))))
"""


@pytest.mark.parametrize(("story", "width"), STORIES)
def test_a_terminal_shows_the_film(story: Scenario, width: int, tmp_path: Path) -> None:
    """At every stop the screen and its cursor are those of the frame; at the end, transcript and printed result."""
    form, out = tmp_path / "form.json", tmp_path / "out.json"
    driven = story.allow_freeform or story.file is not None
    form.write_text(json.dumps(story._asdict() if driven else story.payload))
    command = [sys.executable, "-m", "ask_core.edge.cli", "run", str(form), "--dialect", story.dialect]
    if driven:
        command = [*python(DRIVEN), str(form)]
    elif story.behaviour:
        command = [*python(WITH_BEHAVIOUR), str(form), json.dumps(story.behaviour), story.dialect]
    state = reduce(story.opened(), ask.Resized(width, story.height))
    stdin = subprocess.PIPE if driven else None
    with out.open("wb") as stdout, Pty(command, width=width, height=story.height, stdin=stdin, stdout=stdout) as pty:
        await_frame(pty, shown(state), finished=False)
        for stop in story.stops:
            for key in single_keys(stop.keys):
                before, state = shown(state), reduce(state, ask.testing.event(key))
                told = isinstance(key, dict) and "paste" not in key
                if told:
                    assert pty.process.stdin is not None
                    pty.process.stdin.write(f"{json.dumps(key)}\n".encode())
                    pty.process.stdin.flush()
                else:
                    pty.send(typed(key))
                if (told or key in ("esc", "enter")) and shown(state) != before:
                    # What comes right after Esc would make another key of it, after Enter a paste of several lines.
                    await_frame(pty, shown(state), finished=state.finished)
            await_frame(pty, shown(state), finished=state.finished)
        if state.finished:
            pty.wait()
    if state.finished:
        assert json.loads(out.read_text()) == ask.details(ask.result_of(state))
