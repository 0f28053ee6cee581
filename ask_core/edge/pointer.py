"""The mouse between a terminal and the core: reports of the screen -> clicks and turns of the wheel on the frame.

In full screen the frame begins at the top. Inline nobody knows where it begins until the terminal has said where its
cursor is; until then, and on a terminal that never says, reports mean nothing. From then on the top is followed by
reckoning: drawing below the last row moves it up.

What is no click: letting go elsewhere than where the button was pressed (a drag), the second press of a double-click,
the press that brought the terminal to the front, other buttons, and presses with a modifier.
"""

from __future__ import annotations

from collections.abc import Mapping

from ask_core.edge.renderers import Standing
from ask_core.events import Click, Mouse, Position, Wheel

# Asks where the cursor is; `Decoder.expect_position` hears the answer.
POSITION_QUERY = b"\x1b[6n"

# Seconds.
_DOUBLE_CLICK = 0.4
_FOCUS_CLICK = 0.2

_MAIN, _RELEASED, _WHEEL_UP, _WHEEL_DOWN = 0, 3, 64, 65

# Columns that a hand may shake by between pressing and letting go.
_SHAKE = 1

_REPORTING = (
    *("xterm", "tmux", "screen", "rxvt", "kitty", "foot", "alacritty", "wezterm", "ghostty", "konsole", "vte", "gnome"),
    *("iterm", "mintty", "contour", "rio", "st-", "ms-terminal", "putty"),
)


def wanted(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is known to report its mouse and nobody has turned that off; ASK_MOUSE says so outright."""
    chosen = environ.get("ASK_MOUSE", "")
    if chosen in ("0", "1"):
        return chosen == "1"
    return environ.get("TERM", "").startswith(_REPORTING)


class Pointer:
    """Where the frame stands, and what the mouse has done so far. Times are seconds of one clock."""

    def __init__(self, *, fullscreen: bool) -> None:
        self._fullscreen = fullscreen
        self._overdue = 0
        self._standing = Standing(0, 0)
        self._highest = 0
        self._asked: int | None = None
        self._top: int | None = None
        self._pressed: Mouse | None = None
        self._last: Mouse | None = None
        self._clicked = self._focused = float("-inf")
        self.opened()

    def opened(self) -> None:
        """The screen is begun anew, and no answer is under way."""
        self.resized()
        self._overdue = 0

    def resized(self) -> None:
        """The terminal may have moved what stood on it; an answer that is under way tells nothing any more."""
        self._overdue += self._asked is not None
        self._asked = self._pressed = None
        self._top = 0 if self._fullscreen else None

    def drawn(self, standing: Standing, height: int) -> None:
        """A frame was drawn on a terminal of this height."""
        self._standing = standing
        self._highest = max(self._highest, standing.rows)
        if self._top is not None:
            self._top = min(self._top, max(0, height - standing.rows))

    def ask(self) -> bool:
        """Whether the terminal has to be asked now where its cursor is, which counts as done then."""
        if self._top is not None or self._asked is not None or not self._standing.rows:
            return False
        self._asked, self._highest = self._standing
        return True

    def answered(self, position: Position, height: int) -> None:
        """The terminal says where its cursor was when it was asked."""
        if self._overdue:
            self._overdue -= 1
        elif self._asked is not None:
            # What was drawn since then may have scrolled the screen.
            top = min(position.row - self._asked, height - self._highest)
            self._top, self._asked = max(0, top), None

    def focused(self, now: float) -> None:
        """The terminal has come to the front, maybe by a click."""
        self._focused = now

    def interrupted(self) -> None:
        """Something else happened: a button that is down at the moment does not make a click any more."""
        self._pressed = None

    def event(self, mouse: Mouse, now: float) -> Click | Wheel | None:
        """What the report means for the frame, if anything."""
        pressed, self._pressed = self._pressed, None
        row = -1 if self._top is None else mouse.row - self._top
        if not 0 <= row < self._standing.rows:
            return None
        if mouse.button in (_WHEEL_UP, _WHEEL_DOWN):
            return Wheel(mouse.column, row, 1 if mouse.button == _WHEEL_DOWN else -1)
        if mouse.pressed:
            if mouse.button == _MAIN and now - self._focused > _FOCUS_CLICK:
                self._pressed = mouse
            return None
        if pressed is None or mouse.button not in (_MAIN, _RELEASED) or not _near(mouse, pressed):
            return None
        again = self._last is not None and _near(pressed, self._last) and now - self._clicked <= _DOUBLE_CLICK
        self._last, self._clicked = pressed, now
        return None if again else Click(pressed.column, row)


def _near(one: Mouse, other: Mouse) -> bool:
    return one.row == other.row and abs(one.column - other.column) <= _SHAKE
