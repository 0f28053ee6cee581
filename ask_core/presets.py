"""Key maps that come ready-made, by name."""

from __future__ import annotations

from ask_core.keymap import ACTIONS, DEFAULT_KEYMAPS, Binding, Command, Context, KeyMaps

# Letters only where no text is written, and each beside the key that everybody else knows.
_VI = {
    (Context.MAIN, Command.NEXT_OPTION): ("down", "j"),
    (Context.MAIN, Command.PREVIOUS_OPTION): ("up", "k"),
    (Context.MAIN, Command.NEXT_TAB): ("tab", "right", "l"),
    (Context.MAIN, Command.PREVIOUS_TAB): ("shift+tab", "left", "h"),
    (Context.MAIN, Command.FIRST_OPTION): ("home", "g"),
    (Context.MAIN, Command.LAST_OPTION): ("end", "shift+g"),
    (Context.MAIN, Command.NEXT_PAGE): ("pageDown", "ctrl+f"),
    (Context.MAIN, Command.PREVIOUS_PAGE): ("pageUp", "ctrl+b"),
    (Context.SETTINGS_MODAL, Command.NEXT_OPTION): ("down", "j"),
    (Context.SETTINGS_MODAL, Command.PREVIOUS_OPTION): ("up", "k"),
    (Context.SETTINGS_MODAL, Command.CLOSE): ("esc", "ctrl+c", "?", "q"),
    (Context.SETTINGS_MODAL, Command.NEXT_PAGE): ("pageDown", "ctrl+f"),
    (Context.SETTINGS_MODAL, Command.PREVIOUS_PAGE): ("pageUp", "ctrl+b"),
}


def _changed(keys: dict[tuple[Context, Command], tuple[str, ...]]) -> KeyMaps:
    """The default key maps with other keys for some actions."""
    bound = {(binding.context, binding.command): binding.keys for binding in DEFAULT_KEYMAPS.bindings} | keys
    return KeyMaps(tuple(Binding(*action, bound[action]) for action in ACTIONS if action in bound))


PRESETS = {"default": DEFAULT_KEYMAPS, "vi": _changed(_VI)}
