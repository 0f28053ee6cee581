"""The screen of the settings."""

from __future__ import annotations

from ask_core.keymap import Command, Context, key_label, keys_of
from ask_core.screen import Hint, Manual, SettingRow, SettingsBody
from ask_core.settings import RESET_ROW, ChannelKind, Setting, value_of
from ask_core.state import Configuring, State, is_complete
from ask_core.text.clean import clean_line

_LABELS: dict[Setting, tuple[str, str]] = {
    Setting.AUTO_SUBMIT: (
        "Auto-submit when answered without notes",
        "Sends a form once all is answered and nothing is noted.",
    ),
    Setting.CONFIRM_DISMISS: (
        "Confirm dismiss when dirty",
        "Asks again before you leave with something not sent.",
    ),
    Setting.DOUBLE_PRESS: (
        "Double-press review shortcuts",
        "The digits on the review need a second press.",
    ),
    Setting.NOTIFICATIONS: ("Notifications", "Says when a form waits for you: {channels}."),
    Setting.FOOTER_HINTS: ("Show footer hints", "The keys at the bottom of the screen."),
    Setting.SINGLE_AS_MULTI: (
        "Present single as multi",
        "Several answers to single questions, in later forms.",
    ),
    Setting.THEME: ("Theme", "Colours for dark or light screens; mono: no colours."),
    Setting.MOUSE: ("Mouse", "Click and scroll. Off: select text without Shift."),
}

_SENDS_NOW = "Sends your answers now, as all is answered."
_RESET = ("Reset to defaults", "Your keys as well. A copy of the file is kept.")
_CHANNELS: dict[ChannelKind, str] = {"bell": "bell", "osc9": "OSC 9", "osc777": "OSC 777", "command": "a command"}


def settings_body(state: State, mode: Configuring) -> SettingsBody:
    """The list of settings as they stand, and the texts beside it."""
    rows = [_row(state, mode, index, setting) for index, setting in enumerate(Setting)]
    rows.append(SettingRow(_RESET[0], None, _RESET[1], mode.row == RESET_ROW))
    return SettingsBody(tuple(rows), mode.row, tuple(_manual(state)), mode.read, bool(state.origin.notices))


def settings_warning(state: State, mode: Configuring) -> str | None:
    """What waits for a second press."""
    if mode.resetting:
        again = keys_of(state.settings.keymaps, Context.SETTINGS_MODAL, Command.TOGGLE)
        return f"! Press {key_label(again[0])} again to reset everything."
    return None


def settings_notice(state: State) -> tuple[str, str] | None:
    """That changes cannot be stored, in full and in short."""
    reason = state.origin.unsaved
    return None if reason is None else (f"! Not saved: {clean_line(reason)}", "! Not saved")


def _row(state: State, mode: Configuring, index: int, setting: Setting) -> SettingRow:
    label, meaning = _LABELS[setting]
    settings = state.settings
    if setting is Setting.NOTIFICATIONS:
        channels = [_CHANNELS[channel.kind] for channel in settings.notifications.channels]
        meaning = meaning.format(channels=", ".join(channels))
    if setting is Setting.AUTO_SUBMIT and not value_of(settings, setting) and is_complete(state):
        meaning = _SENDS_NOW
    return SettingRow(label, value_of(settings, setting), meaning, mode.row == index)


def _manual(state: State) -> list[Manual]:
    # Only who opens the settings needs the words of all keys (T9).
    from ask_core.key_list import key_list

    origin = state.origin
    manual = []
    if origin.notices:
        manual.append(Manual("Faults", tuple(Hint("", clean_line(notice)) for notice in origin.notices)))
    if origin.path is None:
        where = ["Set by the program that asks. Changes hold for this form."]
    elif not origin.path:
        where = ["There is no home folder to keep them in. Changes hold for this form."]
    else:
        where = [clean_line(origin.path), "Keys are changed in it: ask settings --keys has their names."]
    manual.append(Manual("File", tuple(Hint("", text) for text in where)))
    for group in key_list(state.settings.keymaps):
        lines = tuple(Hint(" ".join(line.keys), line.does) for line in group.lines if line.keys)
        manual.append(Manual(f"Keys: {group.title}", lines))
    return manual
