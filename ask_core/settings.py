"""Settings: what a person can change about the way ask behaves. Values only; `settings_file` reads stored ones."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, NamedTuple, get_args

from attrs import evolve, frozen

from ask_core.keymap import DEFAULT_KEYMAPS, KeyMaps
from ask_core.value import Value


@frozen(eq=False, repr=False)
class Behaviour(Value):
    """The switches of the contract's settings list."""

    auto_submit_when_answered_without_notes: bool = False
    confirm_dismiss_when_dirty: bool = True
    double_press_review_shortcuts: bool = True
    present_single_as_multi: bool = False
    show_footer_hints: bool = True


ChannelKind = Literal["bell", "osc9", "osc777", "command"]


class Channel(NamedTuple):
    """One way to notify: by the terminal, or by a `command` for the shell."""

    kind: ChannelKind
    command: str = ""


@frozen(eq=False, repr=False)
class Notifications(Value):
    """Whether a flow that opens and waits says so, and through which channels, in this order."""

    enabled: bool = True
    channels: tuple[Channel, ...] = (Channel("bell"),)


class Model(NamedTuple):
    """A model that extracts questions from a message."""

    provider: str
    id: str


@frozen(eq=False, repr=False)
class ExtractionSettings(Value):
    """How `answer` extracts questions: the models to try in order, retries after bad JSON, milliseconds to wait."""

    models: tuple[Model, ...] = (
        Model("openai-codex", "gpt-5.4-mini"),
        Model("github-copilot", "gpt-5.4-mini"),
        Model("anthropic", "claude-haiku-4-5"),
    )
    retries: int = 1
    timeout_ms: float = 30000


ThemeName = Literal["auto", "dark", "light", "mono"]
THEMES: tuple[ThemeName, ...] = get_args(ThemeName)


class Display(NamedTuple):
    """How screens are drawn.

    `theme`: colours for a dark or a light ground, or none (`mono`); `auto` goes by what the environment tells. `mouse`:
    whether a terminal that can is asked to report it. `renderer` is what draws, by name; `auto` goes by the terminal.
    """

    theme: ThemeName = "auto"
    mouse: bool = True
    renderer: str = "auto"


DEFAULT_DISPLAY = Display()


@frozen(eq=False, repr=False)
class Settings(Value):
    """The settings in effect."""

    behaviour: Behaviour = Behaviour()
    keymaps: KeyMaps = DEFAULT_KEYMAPS
    notifications: Notifications = Notifications()
    answer: ExtractionSettings = ExtractionSettings()
    display: Display = DEFAULT_DISPLAY


class Setting(StrEnum):
    """What the settings list changes, in its order."""

    AUTO_SUBMIT = "auto-submit"
    CONFIRM_DISMISS = "confirm-dismiss"
    DOUBLE_PRESS = "double-press"
    NOTIFICATIONS = "notifications"
    FOOTER_HINTS = "footer-hints"
    SINGLE_AS_MULTI = "single-as-multi"
    THEME = "theme"
    MOUSE = "mouse"


# The line of the list after the last setting: it resets all of them.
RESET_ROW = len(Setting)

_SWITCHES: dict[Setting, str] = {
    Setting.AUTO_SUBMIT: "auto_submit_when_answered_without_notes",
    Setting.CONFIRM_DISMISS: "confirm_dismiss_when_dirty",
    Setting.DOUBLE_PRESS: "double_press_review_shortcuts",
    Setting.FOOTER_HINTS: "show_footer_hints",
    Setting.SINGLE_AS_MULTI: "present_single_as_multi",
}


def value_of(settings: Settings, setting: Setting) -> bool | ThemeName:
    """What one line of the settings list stands at."""
    match setting:
        case Setting.NOTIFICATIONS:
            return settings.notifications.enabled
        case Setting.THEME:
            return settings.display.theme
        case Setting.MOUSE:
            return settings.display.mouse
        case _:
            return bool(getattr(settings.behaviour, _SWITCHES[setting]))


def turned(settings: Settings, setting: Setting) -> Settings:
    """The settings with one line of the list turned over, or gone on to its next choice."""
    behaviour, notifications, display = settings.behaviour, settings.notifications, settings.display
    match setting:
        case Setting.NOTIFICATIONS:
            return evolve(settings, notifications=evolve(notifications, enabled=not notifications.enabled))
        case Setting.THEME:
            following = THEMES[(THEMES.index(display.theme) + 1) % len(THEMES)]
            return evolve(settings, display=display._replace(theme=following))
        case Setting.MOUSE:
            return evolve(settings, display=display._replace(mouse=not display.mouse))
        case _:
            switch = {_SWITCHES[setting]: not value_of(settings, setting)}
            return evolve(settings, behaviour=evolve(behaviour, **switch))
