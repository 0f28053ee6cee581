"""The stories of tests/scenarios: forms with keys that lead to named stops.

A story file holds `about`, `payload`, and `stops`, each a name and its keys: a key's name, a character,
`{type = text}` or another mapping that `ask_core.testing.event` takes. `behaviour` sets switches of the settings,
`file` is the path they are stored at, `notices` are what is wrong with it; `dialect` is the one the payload is written
in (contract unless said), `allow_freeform` permits freeform questions, `height` and `widths` give the sizes to film at.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import ask_core as ask
from ask_core.reduce import reduce

FOLDER = Path(__file__).with_suffix("")
WIDTHS = (32, 60, 100)
ROLES_WIDTH = 60

Press = str | dict[str, Any]


class Stop(NamedTuple):
    """A moment of a story and the keys that lead to it from the one before."""

    name: str
    keys: tuple[Press, ...]


class Scenario(NamedTuple):
    """A story."""

    name: str
    payload: dict[str, Any]
    stops: tuple[Stop, ...]
    behaviour: dict[str, bool]
    dialect: str
    allow_freeform: bool
    widths: tuple[int, ...]
    height: int
    file: str | None
    notices: tuple[str, ...]

    @property
    def settings(self) -> ask.Settings:
        """The settings in effect."""
        return ask.Settings(behaviour=ask.Behaviour(**self.behaviour))

    def film(self, width: int, *, roles: bool = False) -> str:
        """The frames at all stops."""
        return ask.testing.film(
            self.payload,
            self.stops,
            width=width,
            height=self.height,
            settings=self.settings,
            dialect=self.dialect,
            allow_freeform=self.allow_freeform,
            path=self.file,
            notices=self.notices,
            roles=roles,
        )

    def opened(self) -> ask.State:
        """The state at the beginning."""
        form = ask.load_form(self.payload, self.dialect, self.allow_freeform)
        return ask.start(form, self.settings, path=self.file, notices=self.notices)

    def states(self, width: int) -> list[ask.State]:
        """The states at all stops."""
        state = reduce(self.opened(), ask.Resized(width, self.height))
        states = []
        for stop in self.stops:
            for key in single_keys(stop.keys):
                state = reduce(state, ask.testing.event(key))
            states.append(state)
        return states


def single_keys(presses: tuple[Press, ...]) -> list[Press]:
    """The presses with typed text taken apart into its characters."""
    keys: list[Press] = []
    for press in presses:
        keys += press["type"] if isinstance(press, dict) and "type" in press else [press]
    return keys


def _read(path: Path) -> Scenario:
    story = tomllib.loads(path.read_text("utf-8"))
    return Scenario(
        path.stem,
        story["payload"],
        tuple(Stop(stop["name"], tuple(stop["keys"])) for stop in story["stops"]),
        story.get("behaviour", {}),
        story.get("dialect", "contract"),
        story.get("allow_freeform", False),
        tuple(story.get("widths", WIDTHS)),
        story.get("height", 24),
        story.get("file"),
        tuple(story.get("notices", ())),
    )


SCENARIOS = tuple(map(_read, sorted(FOLDER.glob("*.toml"))))
