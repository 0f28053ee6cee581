"""The one module that knows blessed: a dozen capabilities of a terminal, by names a type checker can check."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from blessed import Terminal

from ask_render_blessed.painter import Controls, Style
from ask_render_blessed.theme import TRUECOLOR, Name

# Blanks show these, so blanks that have one are painted like text.
_FILLING = frozenset({"reverse", "underline"})


class _QuietTerminal(Terminal):
    """blessed's terminal without its questions at the start, which cost five seconds each when nobody answers (T1)."""

    @property
    def does_styling(self) -> bool:
        # blessed takes NO_COLOR for "no sequence at all", cursor movement included; here the depth drops colour (T5).
        return True

    def detect_term_program(self, timeout: float = 0, force: bool = False) -> bool | str:  # noqa: ARG002 - blessed's own
        return False


def _movement(make: Callable[[int], str]) -> Callable[[int], str]:
    """A movement by any count; blessed works each one out anew, which would take longer than all else of a key.

    Nearly every terminal writes the count as a number between two texts that never change.
    """
    (one, text), (other, expected) = ((count, str(make(count))) for count in (9, 23))
    head, number, tail = text.partition(str(one))
    if number and expected == f"{head}{other}{tail}":
        return lambda count: f"{head}{count}{tail}"
    return lru_cache(maxsize=512)(lambda count: str(make(count)))


class Capabilities:
    """What the terminal behind `fd` can do. `kind` is its terminfo name, `colours` 0, 16, 256 or 2**24.

    `colours` is lowered when the terminal description has no sequence for so many.
    """

    def __init__(self, *, fd: int, kind: str, colours: int) -> None:
        # To blessed a stream that is not a standard one has no keyboard, so it has nowhere to wait for an answer.
        with open(fd, "w", closefd=False) as stream:
            self._terminal = _QuietTerminal(kind=kind or None, stream=stream, force_styling=True)
        described = self._terminal.number_of_colors
        self.colours = 16 if 16 < colours < TRUECOLOR and described < colours else colours
        self._terminal.number_of_colors = self.colours

    def controls(self) -> Controls:
        """The cursor movements and erasures that painting takes."""
        terminal = self._terminal
        return Controls(
            up=_movement(terminal.move_up),
            down=_movement(terminal.move_down),
            right=_movement(terminal.move_right),
            home=str(terminal.home),
            erase_line=str(terminal.clear_eol),
            erase_below=str(terminal.clear_eos),
        )

    def style(self, names: Iterable[Name]) -> Style:
        """The sequences that switch these looks on and off; a colour in hex is taken down to the depth at hand."""
        names = tuple(names)
        on = "".join(self._on(name) for name in names)
        return Style(on, str(self._terminal.normal) if on else "", fills=not _FILLING.isdisjoint(names))

    def _on(self, name: Name) -> str:
        if name.startswith("#"):
            return str(self._terminal.color_hex(name)) if self.colours else ""
        terminal = self._terminal
        match name:
            case "bold":
                return str(terminal.bold)
            case "dim":
                return str(terminal.dim)
            case "reverse":
                return str(terminal.reverse)
            case "underline":
                return str(terminal.underline)
        if not self.colours:
            return ""
        match name:
            case "red":
                return str(terminal.red)
            case "green":
                return str(terminal.green)
            case "yellow":
                return str(terminal.yellow)
            case "blue":
                return str(terminal.blue)
            case "magenta":
                return str(terminal.magenta)
            case "cyan":
                return str(terminal.cyan)
        raise ValueError(f"no such look: {name}")
