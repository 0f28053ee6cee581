"""Key maps: which key is which command, by context.

The one table of bindings: the machine looks commands up here, the footer and the documentation read the keys from
here, and settings files are checked against it. Keys are canonical names (`ask_core.keys`); the digits 1 to 9 are
never bound, because they always choose an option.

An optional action is one that settings files need not name. Its default key gives way to any key a person has bound
to something else in the same context, or in the global one; that of a global action, in any context.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from attrs import field, frozen

from ask_core.errors import UnknownKey
from ask_core.keys import Key, canonical_key


class Context(StrEnum):
    """Where a key is pressed. The global context also holds while one of the others is in effect."""

    GLOBAL = "global"
    MAIN = "main"
    EDITOR = "editor"
    NOTE_EDITOR = "noteEditor"
    SETTINGS_MODAL = "settingsModal"


class Command(StrEnum):
    """What a key can be bound to, by the name of the action in settings files."""

    DISMISS = "dismiss"
    SETTINGS = "settings"
    CONFIRM = "confirm"
    CANCEL = "cancel"
    CHANGE_QUESTION_TYPE = "changeQuestionType"
    TOGGLE = "toggle"
    NEXT_TAB = "nextTab"
    PREVIOUS_TAB = "previousTab"
    NEXT_OPTION = "nextOption"
    PREVIOUS_OPTION = "previousOption"
    OPTION_NOTE = "optionNote"
    QUESTION_NOTE = "questionNote"
    NEXT_PAGE = "nextPage"
    PREVIOUS_PAGE = "previousPage"
    FIRST_OPTION = "firstOption"
    LAST_OPTION = "lastOption"
    READ_ON = "readOn"
    READ_BACK = "readBack"
    UNDO = "undo"
    REDO = "redo"
    FILTER = "filter"
    EDIT_EXTERNALLY = "editExternally"
    SUBMIT = "submit"
    SAVE = "save"
    CLOSE = "close"
    NEXT_TAB_WHEN_EMPTY = "nextTabWhenEmpty"
    PREVIOUS_TAB_WHEN_EMPTY = "previousTabWhenEmpty"
    NEXT_OPTION_WHEN_EMPTY = "nextOptionWhenEmpty"
    PREVIOUS_OPTION_WHEN_EMPTY = "previousOptionWhenEmpty"


class Binding(NamedTuple):
    """The keys of one command in one context, the one to show first; none where it has no key."""

    context: Context
    command: Command
    keys: tuple[str, ...]


_WHEN_EMPTY = (
    (Command.NEXT_TAB_WHEN_EMPTY, ("tab", "right")),
    (Command.PREVIOUS_TAB_WHEN_EMPTY, ("shift+tab", "left")),
    (Command.NEXT_OPTION_WHEN_EMPTY, ("down",)),
    (Command.PREVIOUS_OPTION_WHEN_EMPTY, ("up",)),
)

_DEFAULTS = (
    Binding(Context.GLOBAL, Command.DISMISS, ("ctrl+c",)),
    Binding(Context.GLOBAL, Command.SETTINGS, ("?",)),
    Binding(Context.MAIN, Command.CONFIRM, ("enter",)),
    Binding(Context.MAIN, Command.CANCEL, ("esc",)),
    Binding(Context.MAIN, Command.CHANGE_QUESTION_TYPE, ("t",)),
    Binding(Context.MAIN, Command.TOGGLE, ("space",)),
    Binding(Context.MAIN, Command.NEXT_TAB, ("tab", "right")),
    Binding(Context.MAIN, Command.PREVIOUS_TAB, ("shift+tab", "left")),
    Binding(Context.MAIN, Command.NEXT_OPTION, ("down",)),
    Binding(Context.MAIN, Command.PREVIOUS_OPTION, ("up",)),
    Binding(Context.MAIN, Command.OPTION_NOTE, ("n",)),
    Binding(Context.MAIN, Command.QUESTION_NOTE, ("shift+n",)),
    Binding(Context.EDITOR, Command.SUBMIT, ("enter",)),
    Binding(Context.EDITOR, Command.CLOSE, ("esc",)),
    *(Binding(Context.EDITOR, command, keys) for command, keys in _WHEN_EMPTY),
    Binding(Context.NOTE_EDITOR, Command.SAVE, ("enter",)),
    Binding(Context.NOTE_EDITOR, Command.CLOSE, ("esc",)),
    *(Binding(Context.NOTE_EDITOR, command, keys) for command, keys in _WHEN_EMPTY),
    Binding(Context.SETTINGS_MODAL, Command.CLOSE, ("esc", "ctrl+c", "?")),
    Binding(Context.SETTINGS_MODAL, Command.NEXT_OPTION, ("down",)),
    Binding(Context.SETTINGS_MODAL, Command.PREVIOUS_OPTION, ("up",)),
    Binding(Context.SETTINGS_MODAL, Command.TOGGLE, ("enter", "space")),
)

_OPTIONAL = (
    Binding(Context.MAIN, Command.NEXT_PAGE, ("pageDown",)),
    Binding(Context.MAIN, Command.PREVIOUS_PAGE, ("pageUp",)),
    Binding(Context.MAIN, Command.FIRST_OPTION, ("home",)),
    Binding(Context.MAIN, Command.LAST_OPTION, ("end",)),
    Binding(Context.MAIN, Command.FILTER, ("/",)),
    Binding(Context.GLOBAL, Command.READ_ON, ("shift+down",)),
    Binding(Context.GLOBAL, Command.READ_BACK, ("shift+up",)),
    Binding(Context.GLOBAL, Command.UNDO, ("ctrl+_",)),
    Binding(Context.GLOBAL, Command.REDO, ("ctrl+alt+_",)),
    Binding(Context.EDITOR, Command.EDIT_EXTERNALLY, ("ctrl+g",)),
    Binding(Context.NOTE_EDITOR, Command.EDIT_EXTERNALLY, ("ctrl+g",)),
    Binding(Context.SETTINGS_MODAL, Command.NEXT_PAGE, ("pageDown",)),
    Binding(Context.SETTINGS_MODAL, Command.PREVIOUS_PAGE, ("pageUp",)),
    Binding(Context.SETTINGS_MODAL, Command.FIRST_OPTION, ("home",)),
    Binding(Context.SETTINGS_MODAL, Command.LAST_OPTION, ("end",)),
)

# Every action there is, and the order in which they are listed.
ACTIONS = tuple((binding.context, binding.command) for binding in (*_DEFAULTS, *_OPTIONAL))


def _in_effect(bindings: tuple[Binding, ...]) -> dict[Context, dict[Command, tuple[str, ...]]]:
    keys: dict[Context, dict[Command, tuple[str, ...]]] = {context: {} for context in Context}
    for binding in bindings:
        keys[binding.context][binding.command] = binding.keys
    for context, command, defaults in _OPTIONAL:
        if command not in keys[context]:
            rivals = Context if context is Context.GLOBAL else (Context.GLOBAL, context)
            taken = {key for at in rivals for bound in keys[at].values() for key in bound}
            keys[context][command] = tuple(key for key in defaults if key not in taken)
    return keys


def _by_key(keys: Mapping[Context, Mapping[Command, tuple[str, ...]]]) -> dict[Context, dict[str, Command]]:
    return {context: {key: command for command in at for key in at[command]} for context, at in keys.items()}


# The hash is kept because states hold key maps, and states are hashed often.
@frozen(cache_hash=True)
class KeyMaps:
    """The bindings in effect, in the order of the default table.

    `bindings` names every mandatory action, and the optional ones that a person has set. Make one with
    `load_keymaps`, which checks it.
    """

    bindings: tuple[Binding, ...] = _DEFAULTS
    _keys: Mapping[Context, Mapping[Command, tuple[str, ...]]] = field(init=False, eq=False, repr=False)
    _commands: Mapping[Context, Mapping[str, Command]] = field(init=False, eq=False, repr=False)

    @_keys.default
    def _derive_keys(self) -> Mapping[Context, Mapping[Command, tuple[str, ...]]]:
        return _in_effect(self.bindings)

    @_commands.default
    def _derive_commands(self) -> Mapping[Context, Mapping[str, Command]]:
        return _by_key(self._keys)


DEFAULT_KEYMAPS = KeyMaps()


def command(keymaps: KeyMaps, context: Context, key_name: str) -> Command | None:
    """The command that a key has in this very context; the global context is asked apart."""
    return keymaps._commands[context].get(key_name)


def keys_of(keymaps: KeyMaps, context: Context, command: Command) -> tuple[str, ...]:
    """The canonical names of the keys of a command, the one to show first."""
    return keymaps._keys[context].get(command, ())


_IN_FILTERS = (Command.CONFIRM, Command.CANCEL, Command.NEXT_OPTION, Command.PREVIOUS_OPTION)


def keys_in_filter(keymaps: KeyMaps, command: Command) -> tuple[str, ...]:
    """The keys of a command while a filter is typed: those that type nothing.

    Where a person has bound only letters to what a filter cannot do without, its default keys do it.
    """
    keys = tuple(key for key in keys_of(keymaps, Context.MAIN, command) if Key(key).text is None)
    return keys or (keys_of(DEFAULT_KEYMAPS, Context.MAIN, command) if command in _IN_FILTERS else ())


def command_in_filter(keymaps: KeyMaps, key: Key) -> Command | None:
    """The command that a key has while a filter is typed."""
    if key.text is not None:
        return None
    bound = command(keymaps, Context.MAIN, key.name)
    return bound or next((name for name in _IN_FILTERS if key.name in keys_in_filter(keymaps, name)), None)


_LABELS = {
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "delete": "Del",
    "insert": "Ins",
    "pageUp": "PgUp",
    "pageDown": "PgDn",
}


@lru_cache(maxsize=256)
def key_label(name: str) -> str:
    """How a key is shown to a person: `shift+tab` -> `Shift+Tab`, `up` -> `↑`, `n` -> `n`."""
    if len(name) == 1:
        return name
    *modifiers, key = name.split("+")
    label = _LABELS.get(key) or (key.upper() if len(key) == 1 else key.capitalize())
    return "+".join([*(modifier.capitalize() for modifier in modifiers), label])


def keymaps_as_mapping(keymaps: KeyMaps) -> dict[str, dict[str, list[str]]]:
    """Key maps as settings files hold them: context -> action -> keys."""
    mapping: dict[str, dict[str, list[str]]] = {context.value: {} for context in Context}
    for binding in keymaps.bindings:
        mapping[binding.context.value][binding.command.value] = list(binding.keys)
    return mapping


def with_keymaps(stored: object, keymaps: KeyMaps) -> dict[str, dict[str, object]]:
    """Key maps to be stored where `stored` is now: contexts and actions in it that we do not know stay."""
    old = stored if isinstance(stored, Mapping) else {}
    written: dict[str, dict[str, object]] = {}
    for context, actions in keymaps_as_mapping(keymaps).items():
        known = {command.value for at, command in ACTIONS if at.value == context}
        there = old.get(context)
        others = {name: keys for name, keys in there.items() if name not in known} if isinstance(there, Mapping) else {}
        written[context] = {**actions, **others}
    unknown = {name: actions for name, actions in old.items() if name not in (*written, *_FLAT)}
    return {**written, **unknown}


class LoadedKeyMaps(NamedTuple):
    """Key maps read from a settings file. Where `problems` has texts, the file's are unusable and these the default.

    `remarks` are about bindings that are in effect and may not do what was meant.
    """

    keymaps: KeyMaps
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


# What one action of the oldest files, which knew no contexts, stands for today.
_FLAT = {
    "dismiss": ((Context.GLOBAL, Command.DISMISS),),
    "confirm": (
        (Context.MAIN, Command.CONFIRM),
        (Context.EDITOR, Command.SUBMIT),
        (Context.NOTE_EDITOR, Command.SAVE),
    ),
    "cancel": (
        (Context.MAIN, Command.CANCEL),
        (Context.EDITOR, Command.CLOSE),
        (Context.NOTE_EDITOR, Command.CLOSE),
    ),
    "toggle": ((Context.MAIN, Command.TOGGLE),),
    "optionNote": ((Context.MAIN, Command.OPTION_NOTE),),
    "questionNote": ((Context.MAIN, Command.QUESTION_NOTE),),
}

# Missing actions up to which each is named.
_FEW = 3

# The action that version 5 added: a person's own key may have left it without one.
_MAY_HAVE_NO_KEY = Command.CHANGE_QUESTION_TYPE


def load_keymaps(value: object) -> LoadedKeyMaps:
    """The key maps of a settings file: context -> action -> one key or a list of keys.

    Any falsy value stands for the default; the flat shape of the oldest files (action -> key) changes the default.
    Unknown actions and contexts are ignored, and remarked on. Each problem says which binding is wrong
    (`keymaps.main.toggle`), its key, and why.
    """
    if not value:
        return LoadedKeyMaps(DEFAULT_KEYMAPS)
    if not isinstance(value, Mapping):
        return LoadedKeyMaps(DEFAULT_KEYMAPS, ("keymaps: must be an object of contexts",))
    contexts = _with_contexts(value)
    problems: list[str] = []
    for context in Context:
        if contexts.get(context.value) is None:
            problems.append(f"keymaps.{context}: this context is missing")
        elif not isinstance(contexts[context.value], Mapping):
            problems.append(f"keymaps.{context}: must be an object of actions")
    bindings = tuple(
        Binding(context, command, keys)
        for context, command, _ in (*_DEFAULTS, *_OPTIONAL)
        if isinstance(actions := contexts.get(context.value), Mapping)
        and (keys := _read_keys(context, command, actions.get(command.value), problems)) is not None
    )
    problems = _missing_together(problems) + _conflicts(bindings)
    if problems:
        return LoadedKeyMaps(DEFAULT_KEYMAPS, tuple(problems))
    return LoadedKeyMaps(KeyMaps(bindings), remarks=(*_unknown(contexts), *_useless(bindings)))


def upgrade_keymaps(value: object) -> object:
    """Key maps of a file older than version 5, as version 5 would hold them; what is no key map comes back as it is.

    The action that version 5 added gets its default key, or none where the person uses that key already (own keys win).
    """
    if not value or not isinstance(value, Mapping):
        return value
    contexts = _with_contexts(value)
    main = contexts.get(Context.MAIN.value)
    if not isinstance(main, Mapping):
        return contexts
    new = _MAY_HAVE_NO_KEY.value
    if contexts is value and main.get(new) is not None:
        return contexts
    own = {action: keys for action, keys in main.items() if action != new}
    outer = contexts.get(Context.GLOBAL.value)
    taken = {
        _canonical_or_none(key)
        for actions in (own, outer)
        if isinstance(actions, Mapping)
        for keys in actions.values()
        for key in _as_list(keys)
    }
    defaults = keys_of(DEFAULT_KEYMAPS, Context.MAIN, _MAY_HAVE_NO_KEY)
    return {**contexts, Context.MAIN.value: {**own, new: [key for key in defaults if key not in taken]}}


def _with_contexts(value: Mapping[str, object]) -> Mapping[str, object]:
    """The same key maps in contexts: `value` itself unless it has the flat shape."""
    if any(context.value in value for context in Context) or not any(action in value for action in _FLAT):
        return value
    contexts: dict[str, dict[str, object]] = {
        context: dict(actions) for context, actions in keymaps_as_mapping(DEFAULT_KEYMAPS).items()
    }
    for action, targets in _FLAT.items():
        keys = value.get(action)
        if keys is None:
            continue
        # A key that types text stays out of the editors: nobody could write with it any more.
        silent = [key for key in _as_list(keys) if (name := _canonical_or_none(key)) and Key(name).text is None]
        for context, command in targets:
            if context in (Context.MAIN, Context.GLOBAL):
                contexts[context.value][command.value] = keys
            elif silent:
                contexts[context.value][command.value] = silent
    return contexts


def _as_list(keys: object) -> list[object]:
    return keys if isinstance(keys, list) else [keys]


def _canonical_or_none(key: object) -> str | None:
    try:
        return canonical_key(key) if isinstance(key, str) else None
    except UnknownKey:
        return None


def _read_keys(context: Context, command: Command, value: object, problems: list[str]) -> tuple[str, ...] | None:
    """The keys of one action, or None where it keeps its default keys or is wrong, which is added to `problems`."""
    where = f"keymaps.{context}.{command}"
    optional = any(binding[:2] == (context, command) for binding in _OPTIONAL)
    if value is None:
        if not optional:
            problems.append(f"{where}: {_IS_MISSING}")
        return None
    keys = _as_list(value)
    if not keys and not optional and command is not _MAY_HAVE_NO_KEY:
        problems.append(f"{where}: this action needs at least one key")
        return None
    names: dict[str, None] = {}
    wrong = []
    for key in keys:
        if isinstance(key, str):
            try:
                names[canonical_key(key)] = None
            except UnknownKey as error:
                wrong.append(_clip(f"{where}: {error}"))
        else:
            wrong.append(f"{where}: must be the name of a key or a list of names")
    problems += wrong
    return None if wrong else tuple(names)


_IS_MISSING = "this action is missing"


def _missing_together(problems: list[str]) -> list[str]:
    """The same problems, with one for all missing actions where they are many."""
    missing = [problem.removesuffix(f": {_IS_MISSING}") for problem in problems if problem.endswith(_IS_MISSING)]
    if len(missing) <= _FEW:
        return problems
    others = [problem for problem in problems if not problem.endswith(_IS_MISSING)]
    return [f"keymaps: all actions have to be there; {len(missing)} are missing, such as {missing[0]}", *others]


def _unknown(contexts: Mapping[str, object]) -> Iterator[str]:
    """Names that mean nothing, which may be slips."""
    known = {(context.value, command.value) for context, command in ACTIONS}
    for context, actions in contexts.items():
        if context not in [at.value for at in Context]:
            yield _clip(f"keymaps.{context}: there is no such context")
        elif isinstance(actions, Mapping):
            yield from (
                _clip(f"keymaps.{context}.{action}: there is no such action")
                for action in actions
                if (context, action) not in known
            )


def _useless(bindings: tuple[Binding, ...]) -> Iterator[str]:
    """Bindings that never act, or not where they are needed."""
    for context, command, keys in bindings:
        where = f"keymaps.{context}.{command}"
        if "ctrl+z" in keys:
            yield f"{where}: ctrl+z always puts ask to sleep"
        texts = [key for key in keys if Key(key).text is not None]
        if context in (Context.EDITOR, Context.NOTE_EDITOR) and texts:
            yield f"{where}: {texts[0]} types in a text, so it works only while nothing is written"


def _conflicts(bindings: tuple[Binding, ...]) -> list[str]:
    """Keys that stand for two commands at once. The settings list covers everything, so it may use global keys."""
    problems = []
    seen: dict[tuple[Context, str], Binding] = {}
    # Global keys first: they hold everywhere, whichever binding stands earlier in the table.
    for binding in sorted(bindings, key=lambda binding: binding.context is not Context.GLOBAL):
        context = binding.context
        places = (context,) if context is Context.SETTINGS_MODAL else (Context.GLOBAL, context)
        for key in binding.keys:
            other = next((seen[at, key] for at in places if (at, key) in seen), None)
            if other is None:
                seen[context, key] = binding
            else:
                where = f"keymaps.{context}.{binding.command}"
                problems.append(f"{where}: {key} is already the key of {other.context}.{other.command}")
    return problems


def _clip(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:99]}…"
