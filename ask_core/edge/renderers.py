"""Which renderer draws: the protocol that the driver needs, and the renderers that come with the package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ask_core.errors import AskError

if TYPE_CHECKING:
    from ask_core.frame import Line
    from ask_core.screen import Screen
    from ask_core.settings import ThemeName

NAMES = ("blessed",)
AUTO = "auto"


class Standing(NamedTuple):
    """The row of what was drawn that the cursor is on, counted from 0, and how many rows there are."""

    row: int
    rows: int


class Renderer(Protocol):
    """Turns screens into text for one terminal. It writes nothing itself and sets no mode (T3)."""

    def draw(self, screen: Screen, width: int, height: int) -> str:
        """What to write so that `screen` shows at this size; "" where it does already."""

    def resized(self, width: int, height: int) -> None:
        """The terminal has changed its size and may have moved what stood on it."""

    def restyle(self, theme: ThemeName) -> None:
        """Draw in the looks of this theme from now on, what stands on the terminal already as well."""

    def forget(self) -> None:
        """Nothing is known any more about what stands on the terminal."""

    def finish(self, lines: Sequence[Line]) -> str:
        """What to write to leave these lines in place of the screen."""

    def standing(self) -> Standing:
        """Where the last drawing leaves the cursor; the driver finds the mouse's rows by it."""


class UnknownRenderer(AskError, ValueError):
    """A renderer name that is neither `auto` nor one of `NAMES`."""


def check(name: str) -> None:
    """Raises UnknownRenderer unless there is such a renderer."""
    if name not in (AUTO, *NAMES):
        raise UnknownRenderer(f"there is no renderer {name!r}; there are: {', '.join((AUTO, *NAMES))}")


def create(name: str, *, fd: int, environ: Mapping[str, str], fullscreen: bool, theme: ThemeName = "auto") -> Renderer:
    """The renderer of this name for the terminal behind `fd`. Raises UnknownRenderer."""
    check(name)
    from ask_render_blessed import renderer

    return renderer(fd=fd, environ=environ, fullscreen=fullscreen, theme=theme)
