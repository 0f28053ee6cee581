"""Settings: what a person can change about the way ask behaves. Values only; `settings_file` reads stored ones."""

from __future__ import annotations

from typing import NamedTuple

from attrs import frozen

from ask_core.keymap import DEFAULT_KEYMAPS, KeyMaps


@frozen
class Behaviour:
    """The switches of the contract's settings list."""

    auto_submit_when_answered_without_notes: bool = False
    confirm_dismiss_when_dirty: bool = True
    double_press_review_shortcuts: bool = True
    present_single_as_multi: bool = False
    show_footer_hints: bool = True


class Channel(NamedTuple):
    """One way to notify: `bell`, `osc9`, `osc777`, or `command` with the shell command to run."""

    kind: str
    command: str = ""


@frozen
class Notifications:
    """Whether a flow that opens and waits says so, and through which channels, in this order."""

    enabled: bool = True
    channels: tuple[Channel, ...] = (Channel("bell"),)


class Model(NamedTuple):
    """A model that extracts questions from a message."""

    provider: str
    id: str


@frozen
class ExtractionSettings:
    """How `answer` extracts questions: the models to try in order, retries after bad JSON, milliseconds to wait."""

    models: tuple[Model, ...] = (
        Model("openai-codex", "gpt-5.4-mini"),
        Model("github-copilot", "gpt-5.4-mini"),
        Model("anthropic", "claude-haiku-4-5"),
    )
    retries: int = 1
    timeout_ms: float = 30000


@frozen
class Settings:
    """The settings in effect."""

    behaviour: Behaviour = Behaviour()
    keymaps: KeyMaps = DEFAULT_KEYMAPS
    notifications: Notifications = Notifications()
    answer: ExtractionSettings = ExtractionSettings()
