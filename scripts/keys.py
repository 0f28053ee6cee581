"""Writes docs/keys.md: every key from the tables that the program uses. Run it in .venv after a key has changed.

Only the standard library and ask_core are needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ask_core.key_list import KeyGroup, KeyLine, key_list
from ask_core.keymap import DEFAULT_KEYMAPS
from ask_core.keys import MODIFIERS, NAMED_KEYS
from ask_core.presets import PRESETS

MODIFIER_NAMES = ", ".join(f"`{name}+`" for name in MODIFIERS)
NAMES = [f"`{name}`" for name in NAMED_KEYS if not name.startswith("f")]
KEY_NAMES_1, KEY_NAMES_2 = f"{', '.join(NAMES[:10])},", ", ".join(NAMES[10:])

PAGE = Path(__file__).resolve().parent.parent / "docs" / "keys.md"

HEAD = f"""# Keys

Made by `scripts/keys.py` from the tables that the program itself uses. `ask settings --keys` prints the keys that are
in effect for you, and `?` shows them while you answer.

Keys with a name can be changed in the settings file, which `ask settings --path` names. They stand there under
`keymaps`, by context; those marked `optional` are not in the file until somebody puts them in. A value is a key or a
list of keys, the first of which is shown in hints:

```text
"main": {{
  "confirm": "ctrl+k",
  "cancel": ["q", "esc"],
```

- All contexts and all names but the optional ones have to be there, else none of the keys counts. An optional action
  that is left out gives its key up to any other action that takes it. `main.changeQuestionType` may be an empty list.
- A key is a letter from a to z, 0, a sign of an English keyboard other than `+` and `"`, or a name, behind any of
  {MODIFIER_NAMES}. The names are
  {KEY_NAMES_1}
  {KEY_NAMES_2} and `f1` to `f12`. Upper and lower case are the same, and usual other
  names are known (`escape`, `return`, `control`, `option`, `pgdn` ...).
- The digits 1 to 9 always choose and cannot be bound. A key can stand for one action in a context only, and for none
  that is bound in `global`; only the settings list, which covers everything else, may use those again.
- Where the keys of a file contradict each other, the default keys are in effect and the screen says which binding is
  wrong and why. The rest of the file still counts.
- A key that types a character types in a text, whatever it is bound to. In an open text that is still empty, those of
  the text's own context act, and `global.settings`.
- Ctrl+Z always puts ask to sleep, whatever it is bound to.
"""


def page() -> str:
    """The page, as Markdown."""
    lines = [HEAD]
    for group in key_list(DEFAULT_KEYMAPS):
        lines += [*_group(group), ""]
    lines += [*_preset("vi"), ""]
    return "\n".join(lines)


def _group(group: KeyGroup) -> Iterator[str]:
    yield f"## {group.title}"
    yield ""
    if not group.context:
        yield from _table(("key", "what it does"), ((_keys(line), line.does) for line in group.lines))
        return
    yield f"Context `{group.context}`."
    yield ""
    rows = ((_keys(line), line.does, _name(group.context, line)) for line in group.lines)
    yield from _table(("key", "what it does", "name in the file"), rows)


def _preset(name: str) -> Iterator[str]:
    yield f"## Preset `{name}`"
    yield ""
    yield f"`ask settings --preset {name}` replaces the keys in the settings file; `--preset default` brings the usual"
    yield "ones back. Here is what is different. In a text, letters type as ever."
    yield ""
    default = {line for group in key_list(DEFAULT_KEYMAPS) for line in group.lines}
    changed = (
        (_keys(line), line.does, _name(group.context, line))
        for group in key_list(PRESETS[name])
        for line in group.lines
        if line not in default
    )
    yield from _table(("key", "what it does", "name in the file"), changed)


def _name(context: str, line: KeyLine) -> str:
    mandatory = {(binding.context.value, binding.command.value) for binding in DEFAULT_KEYMAPS.bindings}
    optional = "" if (context, line.action) in mandatory else ", optional"
    return f"`{context}.{line.action}`{optional}"


def _keys(line: KeyLine) -> str:
    return " ".join(f"`{key}`" for key in line.keys)


def _table(heads: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    for cells in (heads, ("---",) * len(heads), *rows):
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    print(PAGE)
