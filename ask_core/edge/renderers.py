"""Which renderer shows a flow: the two protocols that the loops need, and renderers by name.

Two kinds. A `Renderer` draws screens on a terminal that hands over every key; a `LineRenderer` prints lines and is
answered by typed lines. Other packages register one under the entry-point group `ask.renderers` (docs/embedding.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from ask_core.errors import AskError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from ask_core.events import Event
    from ask_core.frame import Line
    from ask_core.screen import Screen
    from ask_core.settings import ThemeName
    from ask_core.state import State

AUTO = "auto"
BLESSED, PLAIN = "blessed", "plain"
# Those that come with the package; others are looked up where they are asked for.
NAMES = (BLESSED, PLAIN)
GROUP = "ask.renderers"

# Terminals that cannot move a cursor, and what says nothing about one.
_NO_SCREEN = ("", "dumb", "unknown")


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


class Typed(NamedTuple):
    """What a typed line means: the events to let happen, and what to say to the person by itself."""

    events: Sequence[Event] = ()
    said: str = ""


@runtime_checkable
class LineRenderer(Protocol):
    """Says in lines what a state shows, and understands typed lines. It writes nothing itself."""

    def open(self, state: State) -> str:
        """All that `state` shows, and the prompt for an answer behind it."""

    def typed(self, state: State, line: str) -> Typed:
        """What a line means that was typed at the last prompt; several lines only while a text is written."""

    def follow(self, before: State, after: State, said: str) -> str:
        """What to print now that events have led from one state to another: what was said, what is new, the prompt."""


class UnknownRenderer(AskError, ValueError):
    """A renderer name that is neither `auto`, nor one of `NAMES`, nor registered by an installed package."""


class CannotDraw(AskError):
    """The renderer that was asked for cannot draw here, or cannot be used at all; `str()` says why in a few words."""


def check(name: str) -> None:
    """Raises UnknownRenderer unless there is such a renderer."""
    if name not in (AUTO, *NAMES) and name not in (others := _registered()):
        known = ", ".join(dict.fromkeys((AUTO, *NAMES, *sorted(others))))
        raise UnknownRenderer(f"there is no renderer {name!r}; there are: {known}")


def choose(wished: str, in_settings: str, environ: Mapping[str, str]) -> str:
    """The renderer to take: the one wished for, else the settings' one, else by the terminal.

    On a terminal that cannot move its cursor that is `plain`. A terminal type that a package has registered a renderer
    for, under the very name of the type, gets that one; all others `blessed`.
    """
    for name in (wished, in_settings):
        if name != AUTO:
            return name
    kind = environ.get("TERM", "")
    if kind in _NO_SCREEN:
        return PLAIN
    if kind.split("-")[0].split(".")[0] not in _KNOWN_KINDS and kind in _registered():
        return kind
    return BLESSED


# Looking for other packages takes longer than drawing, so it is left out where it can bring nothing.
_KNOWN_KINDS = (
    *("xterm", "tmux", "screen", "linux", "vt100", "vt102", "vt220", "rxvt"),
    *("alacritty", "foot", "ghostty", "kitty", "konsole", "st", "wezterm"),
)


def create(
    name: str, *, fd: int, environ: Mapping[str, str], fullscreen: bool, theme: ThemeName = "auto"
) -> Renderer | LineRenderer:
    """The renderer of this name for the terminal behind `fd`. Raises UnknownRenderer and CannotDraw."""
    check(name)
    make: Callable[..., Renderer | LineRenderer]
    if name == PLAIN:
        import ask_render_plain

        make = ask_render_plain.renderer
    elif name in (AUTO, BLESSED):
        kind = environ.get("TERM", "")
        if kind in _NO_SCREEN:
            raise CannotDraw(f"the terminal type is {kind or 'not set'}")
        import ask_render_blessed

        make = ask_render_blessed.renderer
    else:
        try:
            make = _registered()[name].load()
            return make(fd=fd, environ=environ, fullscreen=fullscreen, theme=theme)
        except Exception as error:
            # Somebody else's package: whatever is wrong with it, the person can be asked in another way.
            raise CannotDraw(f"the renderer {name} cannot be used: {type(error).__name__}: {error}") from error
    return make(fd=fd, environ=environ, fullscreen=fullscreen, theme=theme)


def _registered() -> Mapping[str, EntryPoint]:
    """What installed packages have registered, by name."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}
