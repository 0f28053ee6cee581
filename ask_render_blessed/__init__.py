"""The terminal renderer: a screen laid out, styled by role and painted with as few bytes as it takes.

It only makes strings; the driver owns the terminal, its modes and the writing (T3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ask_core.edge.renderers import Standing
from ask_core.frame import Line, Role
from ask_core.layout import layout
from ask_render_blessed.painter import Painter, Style
from ask_render_blessed.theme import colour_depth, styles_for

if TYPE_CHECKING:
    from ask_core.screen import Screen
    from ask_core.settings import ThemeName

__all__ = ["BlessedRenderer", "renderer"]


class BlessedRenderer:
    """Draws screens on one terminal. Keeps what it last painted, and nothing else."""

    def __init__(self, painter: Painter, styles: Callable[[ThemeName], Mapping[Role, Style]]) -> None:
        self._painter = painter
        self._styles = styles

    def draw(self, screen: Screen, width: int, height: int) -> str:
        """What to write, in one write, to show `screen` at this size in cells; "" when it is there already (T4)."""
        return self._painter.paint(layout(screen, width, height))

    def resized(self, width: int, height: int) -> None:
        """The terminal has this many columns and rows since the last draw."""
        self._painter.resized(width, height)

    def restyle(self, theme: ThemeName) -> None:
        """Draw in the looks of this theme from the next draw on."""
        self._painter.restyle(self._styles(theme))

    def forget(self) -> None:
        """What is on the terminal is unknown: the next draw starts afresh on the cursor's line."""
        self._painter.forget()

    def finish(self, lines: Sequence[Line]) -> str:
        """What to write to leave `lines` in place of the screen, the cursor at the beginning of the line after.

        In full screen it is to be written once the alternate screen is left.
        """
        return self._painter.finish(lines)

    def standing(self) -> Standing:
        """The row of the frame that the cursor is left on, and how many rows there are."""
        return Standing(self._painter.row, self._painter.height)


def renderer(*, fd: int, environ: Mapping[str, str], fullscreen: bool, theme: ThemeName = "auto") -> BlessedRenderer:
    """A renderer for the terminal behind `fd`. Asks that terminal nothing and writes nothing to it (T1)."""
    # Importing blessed costs more than all else before the first frame, so only those who draw pay for it.
    from ask_render_blessed.capabilities import Capabilities

    capabilities = Capabilities(fd=fd, kind=environ.get("TERM", ""), colours=colour_depth(environ))

    def styles(theme: ThemeName) -> Mapping[Role, Style]:
        names = styles_for(environ, capabilities.colours, theme)
        return {role: capabilities.style(names[role]) for role in names}

    painter = Painter(styles(theme), capabilities.controls(), fullscreen=fullscreen, reflows=_reflows(environ))
    return BlessedRenderer(painter, styles)


def _reflows(environ: Mapping[str, str]) -> bool:
    """Whether the terminal wraps lines anew when its width changes.

    When in doubt it does not: the painter then leaves a stale row behind at worst, and never takes somebody's line.
    """
    if "STY" in environ or environ.get("TERM") == "linux":
        return False
    return "XTERM_VERSION" not in environ or "TMUX" in environ
