"""Reading untrusted values: every fault becomes an issue with its path, and reading goes on.

A dialect's loader walks a payload with a Reader; the values it gets back are usable or placeholders, and the issues
decide. `null` for an optional field means left out (R10). Messages name what was expected and what came, and never
repeat long text of the payload.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import cast

from ask_core.errors import Issue
from ask_core.text.clean import clean_line
from ask_core.text.trim import is_blank, trim

JsonObject = Mapping[str, object]

_SHOWN = 40
# Lines of faults that a model is told.
_TOLD = 100
# The path of the whole payload.
_ROOT = "payload"

# Fields of a question, which models put where the list of questions belongs.
_QUESTION_FIELDS = frozenset(("question", "prompt", "options", "header"))


def kind_of(value: object) -> str:
    """The JSON name of a value's type, with an article: `a number`, `null`, `an array`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, Sequence):
        return "an array"
    return f"a {type(value).__name__}"


def quoted(text: str) -> str:
    """A text of the payload in quotes, on one line and made visible (R9); a long one is cut."""
    shown = clean_line(text[:_SHOWN])
    return f'"{shown}"' if len(text) <= _SHOWN else f'"{shown}…"'


def is_list(value: object) -> bool:
    """Whether a value is what JSON calls an array."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def inside(value: object) -> object:
    """What a text holds that is JSON; models send such texts in the place of the thing itself."""
    if not (isinstance(value, str) and value.lstrip().startswith(("[", "{"))):
        return None
    import json  # a call without this fault does not need it (T9)

    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def _exemplary(text: str) -> str:
    """A text of the payload as it would stand in JSON, if it can stand there as it is."""
    return quoted(text) if text.isprintable() and not {*'"\\'} & {*text} else '"..."'


def alone(root: JsonObject, shape: str) -> str:
    """How to mend a call that holds a question where the list of questions belongs; else "". `shape` is that of one."""
    if _QUESTION_FIELDS.isdisjoint(root):
        return ""
    return f' What you sent looks like one question. Write {{"questions": [{shape}]}} instead.'


def issues_text(issues: Iterable[Issue]) -> str:
    """The text for the model that has called `ask_user` with these faults."""
    lines = [f"- {path}: {message}" for path, message in issues]
    return "\n".join(["Invalid ask_user payload:", *first_of(lines)])


def first_of(lines: Sequence[str]) -> list[str]:
    """As many of the lines as a model can use, and how many more there are."""
    more = len(lines) - _TOLD
    return [*lines] if more <= 0 else [*lines[:_TOLD], f"... and {more} more of the kind"]


def _with_number(name: str, number: int) -> str:
    return f"{name}-{number}"


def distinct(names: Sequence[str], numbered: Callable[[str, int], str] = _with_number) -> list[str]:
    """The names, those that are there already with a number: `a`, `b`, `a-2`. No name in use is given to another."""
    taken = set(names)
    numbers: dict[str, Iterator[int]] = {}
    found = []
    for name in names:
        unique = name
        if name in numbers:
            unique = next(other for number in numbers[name] if (other := numbered(name, number)) not in taken)
            taken.add(unique)
        else:
            numbers[name] = count(2)
        found.append(unique)
    return found


class Reader:
    """Collects issues while a loader reads fields.

    Fields are read by the object they belong to, their name, and the path of that object, which is "" at the top. Of a
    long list nearly all items are right, so the path of a field is only made where something is wrong with it.
    """

    def __init__(self) -> None:
        self.issues: list[Issue] = []

    def refuse(self, path: str, message: str) -> None:
        """Report one fault."""
        self.issues.append(Issue(path, message))

    def mapping(self, value: object, path: str, expected: str, example: str = "") -> JsonObject | None:
        """`value` as an object with text keys, or None and an issue.

        `example` is such an object made of one text, which stands in it as TEXT, for models that send the text alone.
        The object in a text that is JSON is given back, for its own faults to be found as well.
        """
        if isinstance(value, Mapping):
            return cast(JsonObject, value)
        within, mend = inside(value), ""
        if isinstance(within, Mapping):
            mend = " Send the object itself, not a text of it."
        elif isinstance(value, str) and example:
            mend = f" Write {example.replace('TEXT', _exemplary(value))} for it."
        elif is_list(value) and path == _ROOT:
            mend = ' Write {"questions": [...]} around it.'
        self.refuse(path, f"must be {expected}, got {kind_of(value)}.{mend}")
        return within if isinstance(within, Mapping) else None

    def items(
        self,
        owner: JsonObject,
        name: str,
        path: str,
        expected: str,
        *,
        least: int = 1,
        most: int | None = None,
        mend: str = "",
        shape: str = "",
    ) -> Sequence[object]:
        """The required list `owner[name]` of `expected`; what is no list is an issue and empty.

        Fewer than `least` or more than `most` items are an issue, which `mend` tells more about. They are given back to
        be read all the same, and so is the list in a text that is JSON. `shape` is that of one item, for models that
        send its fields alone.
        """
        value = owner.get(name)
        place = _place(path, name)
        put = alone(owner, shape) if shape else ""
        if name not in owner:
            self.refuse(place, f"is missing. Give an array with {expected}.{put}")
            return ()
        listed = value if is_list(value) else inside(value)
        items = cast(Sequence[object], listed) if is_list(listed) else ()
        said = []
        if value is not listed or not is_list(listed):
            itself = " Send the array itself, not a text of it." if isinstance(listed, list | Mapping) else ""
            around = put if value is None else ""
            if isinstance(value, Mapping) and not _QUESTION_FIELDS.isdisjoint(value):
                itself, around = "", " Put it into an array."
            said.append(f"must be an array with {expected}, got {kind_of(value)}.{itself}{around}")
        if is_list(listed) and (len(items) < least or (most is not None and len(items) > most)):
            got = "" if most is None else f", got {len(items) or 'none'}"
            said.append(f"{'It must' if said else 'must'} hold {expected}{got}.{mend}{'' if items else put}")
        if said:
            self.refuse(place, " ".join(said))
        return items

    def required_text(
        self,
        owner: JsonObject,
        name: str,
        path: str,
        near: Iterable[str] = (),
        *,
        trimmed: Callable[[str], str] = trim,
        most: int | None = None,
    ) -> str:
        """The required text `owner[name]` as `trimmed` leaves it; blank or of another type is an issue.

        So are more than `most` characters. `near` are names that models use in its place.
        """
        value = owner.get(name)
        if isinstance(value, str):
            text = trimmed(value)
            if text and (trimmed is trim or not is_blank(text)):
                if most is not None:
                    self.limit(text, most, path, name)
                return text
            self.refuse(_place(path, name), "must not be blank.")
        elif name not in owner:
            other = next((other for other in near if isinstance(owner.get(other), str)), None)
            mend = f' "{other}" is not read: call it "{name}".' if other else ""
            self.refuse(_place(path, name), f"is missing. Give a text that is not blank.{mend}")
        else:
            self.refuse(_place(path, name), f"must be a text that is not blank, got {kind_of(value)}.")
        return ""

    def optional_text(
        self, owner: JsonObject, name: str, path: str, *, trimmed: Callable[[str], str] = trim
    ) -> str | None:
        """The optional text `owner[name]` as `trimmed` leaves it; what is blank then is an issue."""
        if owner.get(name) is None:
            return None
        text = self.any_text(owner, name, path)
        if text is None:
            return None
        text = trimmed(text)
        if not text:
            self.refuse(_place(path, name), "must not be blank. Give a text or leave it out.")
        return text or None

    def any_text(
        self, owner: JsonObject, name: str, path: str, *, needed: bool = False, most: int | None = None
    ) -> str | None:
        """The text `owner[name]` as it came; it may be blank. Where it is `needed`, it must not be left out.

        More than `most` characters are an issue.
        """
        value = owner.get(name)
        if isinstance(value, str):
            if most is not None:
                self.limit(value, most, path, name)
            return value
        if needed:
            fault = f"must be a text, got {kind_of(value)}." if name in owner else "is missing. Give a text."
            self.refuse(_place(path, name), f"{fault} It may be empty.")
        elif value is not None:
            self.refuse(_place(path, name), f"must be a text, got {kind_of(value)}. Correct it or leave it out.")
        return None

    def optional_flag(self, owner: JsonObject, name: str, path: str, *, default: bool = False) -> bool:
        """The optional boolean `owner[name]`, `default` where it is left out."""
        value = owner.get(name)
        if value is None:
            return default
        if isinstance(value, bool):
            return value
        self.refuse(_place(path, name), f"must be true or false, got {kind_of(value)}.")
        return default

    def limit(self, text: str, most: int, path: str, name: str) -> None:
        """Report a text of more than `most` characters (code points, as JSON Schema counts them)."""
        if len(text) > most:
            self.refuse(_place(path, name), f"must be at most {most} characters, got {len(text)}. Shorten it.")


def _place(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
