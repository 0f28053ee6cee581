"""Stored settings: a mapping of any schema version -> the settings in effect, and back to the newest version.

A file of an older version is carried forward and keeps what the person set. A file that is no settings file, or that
a newer version wrote, is not accepted and the defaults are in effect. One wrong value inside an accepted file costs
only that value. Everything that was wrong is told in a notice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeGuard

from ask_core.keymap import keymaps_as_mapping, load_keymaps, upgrade_keymaps, with_keymaps
from ask_core.settings import (
    DEFAULT_DISPLAY,
    THEMES,
    Behaviour,
    Channel,
    Display,
    ExtractionSettings,
    Model,
    Notifications,
    Settings,
)

SCHEMA_VERSION = 5
MAXIMUM_RETRIES = 3
_MOST_NOTICES = 40

_SWITCHES = {
    "autoSubmitWhenAnsweredWithoutNotes": "auto_submit_when_answered_without_notes",
    "confirmDismissWhenDirty": "confirm_dismiss_when_dirty",
    "doublePressReviewShortcuts": "double_press_review_shortcuts",
    "presentSingleAsMulti": "present_single_as_multi",
    "showFooterHints": "show_footer_hints",
}
_ENDLESS = float("inf")

Reason = Literal["invalid_or_unsupported", "migration_failed"]


class SettingsFile(NamedTuple):
    """What a stored mapping came to.

    `reason` says why it was not accepted; then the defaults are in effect. `migrated`: it was of an older version.
    `keymaps_replaced`: its key maps are unusable and the default ones are in effect.
    """

    settings: Settings
    notices: tuple[str, ...] = ()
    reason: Reason | None = None
    migrated: bool = False
    keymaps_replaced: bool = False

    @property
    def accepted(self) -> bool:
        return self.reason is None


class _Notices(list[str]):
    """What is wrong, in the order it was found."""

    def told(self) -> tuple[str, ...]:
        """As many of them as anybody reads, and how many more there are."""
        if len(self) <= _MOST_NOTICES:
            return tuple(self)
        return (*self[:_MOST_NOTICES], f"and {len(self) - _MOST_NOTICES} more faults")


def load_settings(stored: object) -> tuple[Settings, tuple[str, ...]]:
    """The settings in effect for any stored value, and what was wrong with it. Never raises."""
    file = read_settings(stored)
    return file.settings, file.notices


def read_settings(stored: object) -> SettingsFile:
    """The settings of any stored value of any schema version. Never raises."""
    if not isinstance(stored, Mapping):
        return _refused("invalid_or_unsupported", "a settings file holds one object")
    version = stored.get("schemaVersion")
    if not _is_number(version) or version % 1:
        return _refused("invalid_or_unsupported", "schemaVersion must be a whole number")
    if version > SCHEMA_VERSION:
        return _refused("invalid_or_unsupported", f"schemaVersion is newer than {SCHEMA_VERSION}")
    if version < 1:
        return _refused("migration_failed", f"schemaVersion must be a number from 1 to {SCHEMA_VERSION}")
    migrated = version < SCHEMA_VERSION
    if migrated:
        # Older versions took null for left out; a file of the newest version has no reason to hold it.
        stored = {name: value for name, value in stored.items() if value is not None}
        stored["keymaps"] = upgrade_keymaps(stored.get("keymaps"))

    sections: dict[str, Mapping[str, object]] = {}
    wrong: list[str] = []
    for name in ("behaviour", "notifications", "answer"):
        section = stored.get(name, {})
        if isinstance(section, Mapping):
            sections[name] = section
        else:
            wrong.append(f"{name} must be an object")
    if wrong:
        return _refused("invalid_or_unsupported", *wrong)

    notices = _Notices()
    keymaps, problems, remarks = load_keymaps(stored.get("keymaps"))
    notices += remarks
    if problems:
        notices += [*problems, "keymaps: the default keys are in effect"]
    settings = Settings(
        behaviour=_behaviour(sections["behaviour"], notices),
        keymaps=keymaps,
        notifications=_notifications(sections["notifications"], notices),
        answer=_extraction(sections["answer"], notices),
        display=_display(stored.get("display"), notices),
    )
    return SettingsFile(settings, notices.told(), migrated=migrated, keymaps_replaced=bool(problems))


def settings_as_mapping(settings: Settings) -> dict[str, object]:
    """Settings in the shape of a file of the newest schema version, ready for JSON."""
    behaviour, notifications, answer = settings.behaviour, settings.notifications, settings.answer
    return {
        "schemaVersion": SCHEMA_VERSION,
        "answer": {
            "extractionModels": [model._asdict() for model in answer.models],
            "extractionRetries": answer.retries,
            "extractionTimeoutMs": answer.timeout_ms,
        },
        "behaviour": {name: getattr(behaviour, attribute) for name, attribute in _SWITCHES.items()},
        "keymaps": keymaps_as_mapping(settings.keymaps),
        "notifications": {
            "enabled": notifications.enabled,
            "channels": [
                {"type": channel.kind, "command": channel.command} if channel.kind == "command" else channel.kind
                for channel in notifications.channels
            ],
        },
        "display": settings.display._asdict(),
    }


def with_changes(stored: object, before: Settings, after: Settings, *, whole: bool = False) -> dict[str, object]:
    """What to store where `stored` is now, so that what `after` has changed since `before` is in effect from now on.

    Nothing else in it changes: neither fields that we do not know nor key maps that are wrong, for the person to mend.
    With `whole`, all that `after` holds is written. What is no settings file of ours is replaced by one that holds all
    of it. Never raises.
    """
    file = read_settings(stored)
    if not file.accepted or not isinstance(stored, Mapping):
        return settings_as_mapping(after)
    written = dict(stored)
    if file.migrated:
        written = _upgraded(written)
    old, new = settings_as_mapping(before), settings_as_mapping(after)
    for name, value in new.items():
        if value == old[name] and not whole:
            continue
        if name == "keymaps":
            written[name] = with_keymaps(written.get(name), after.keymaps)
            continue
        if not isinstance(value, Mapping):
            written[name] = value
            continue
        was, section = old[name], written.get(name)
        assert isinstance(was, Mapping)
        changed = {field: value[field] for field in value if whole or value[field] != was[field]}
        written[name] = {**(section if isinstance(section, Mapping) else {}), **changed}
    return written


def _upgraded(stored: Mapping[str, object]) -> dict[str, object]:
    """A file of an older version as the newest one holds it; what need not change stays, wrong or unknown."""
    upgraded = {name: value for name, value in stored.items() if value is not None}
    upgraded["schemaVersion"] = SCHEMA_VERSION
    if upgraded.get("keymaps"):
        upgraded["keymaps"] = upgrade_keymaps(upgraded["keymaps"])
    return upgraded


def _refused(reason: Reason, *faults: str) -> SettingsFile:
    return SettingsFile(Settings(), (*faults, "The settings are not used; the defaults are in effect"), reason)


def _switch(value: object, default: bool, where: str, notices: list[str]) -> bool:
    if isinstance(value, bool):
        return value
    if value is not None:
        notices.append(f"{where}: must be true or false; {str(default).lower()} is in effect")
    return default


def _behaviour(section: Mapping[str, object], notices: list[str]) -> Behaviour:
    default = Behaviour()
    return Behaviour(
        **{
            attribute: _switch(section.get(name), getattr(default, attribute), f"behaviour.{name}", notices)
            for name, attribute in _SWITCHES.items()
        }
    )


def _list(value: object, where: str, notices: list[str]) -> list[object] | None:
    if isinstance(value, list):
        return value
    if value is not None:
        notices.append(f"{where}: must be a list; the default is in effect")
    return None


def _notifications(section: Mapping[str, object], notices: list[str]) -> Notifications:
    default = Notifications()
    where = "notifications.channels"
    channels = []
    items = _list(section.get("channels"), where, notices)
    for index, item in enumerate(items or ()):
        channel = _channel(item)
        if channel is None:
            notices.append(f"{where}[{index}]: this channel is unknown and skipped")
        else:
            channels.append(channel)
    enabled = _switch(section.get("enabled"), default.enabled, "notifications.enabled", notices)
    if items and not channels:
        notices.append(f"{where}: none of them is usable; the default is in effect")
    return Notifications(enabled, tuple(channels) or default.channels)


def _display(section: object, notices: list[str]) -> Display:
    default = DEFAULT_DISPLAY
    if not isinstance(section, Mapping):
        # Younger than the schema, so that nothing of it makes a file unusable.
        if section is not None:
            notices.append("display: must be an object; the default is in effect")
        return default
    theme = next((name for name in THEMES if name == section.get("theme")), None)
    if theme is None and section.get("theme") is not None:
        notices.append(f"display.theme: must be one of {', '.join(THEMES)}; {default.theme} is in effect")
    renderer = section.get("renderer", default.renderer)
    if not isinstance(renderer, str) or not renderer.strip():
        notices.append(f"display.renderer: must be a name; {default.renderer} is in effect")
        renderer = default.renderer
    mouse = _switch(section.get("mouse"), default.mouse, "display.mouse", notices)
    return Display(theme or default.theme, mouse, renderer)


def _channel(item: object) -> Channel | None:
    match item:
        case "bell" | "osc9" | "osc777" as kind:
            return Channel(kind)
        case {"type": "command", "command": str(command)} if command.strip():
            return Channel("command", command)
        case _:
            return None


def _extraction(section: Mapping[str, object], notices: list[str]) -> ExtractionSettings:
    default = ExtractionSettings()
    where = "answer.extractionModels"
    models = default.models
    items = _list(section.get("extractionModels"), where, notices)
    if items is not None:
        read = [_model(item) for item in items]
        notices += [
            f"{where}[{index}]: must have a provider and an id; it is skipped"
            for index, model in enumerate(read)
            if model is None
        ]
        models = tuple(model for model in read if model is not None)
    return ExtractionSettings(models, _retries(section, default, notices), _timeout(section, default, notices))


def _model(item: object) -> Model | None:
    match item:
        case {"provider": str(provider), "id": str(name)} if provider.strip() and name.strip():
            return Model(provider.strip(), name.strip())
        case _:
            return None


def _retries(section: Mapping[str, object], default: ExtractionSettings, notices: list[str]) -> int:
    value = section.get("extractionRetries")
    if value is None:
        return default.retries
    if _is_number(value):
        retries = int(min(max(value, 0), MAXIMUM_RETRIES))
        if retries == value:
            return retries
    else:
        retries = default.retries
    notices.append(
        f"answer.extractionRetries: must be a whole number from 0 to {MAXIMUM_RETRIES}; {retries} is in effect"
    )
    return retries


def _timeout(section: Mapping[str, object], default: ExtractionSettings, notices: list[str]) -> float:
    value = section.get("extractionTimeoutMs")
    if _is_number(value) and value > 0:
        return value
    if value is not None:
        notices.append(f"answer.extractionTimeoutMs: must be above 0; {default.timeout_ms} is in effect")
    return default.timeout_ms


def _is_number(value: object) -> TypeGuard[int | float]:
    """Whether JSON would call it a number: no truth value, and neither endless nor no number at all."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -_ENDLESS < value < _ENDLESS
