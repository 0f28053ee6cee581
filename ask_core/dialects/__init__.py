"""The tool dialects: one module each, chosen by name or by the shape of a payload."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, cast

from ask_core.errors import InvalidPayload, Issue, UnknownDialect
from ask_core.payload import JsonObject, inside, is_list, issues_text
from ask_core.questions import Form
from ask_core.result import Result

NAMES = ("contract", "compact", "bounded")
AUTO = "auto"

# Fields that only one dialect has: of the whole payload, of its questions, of their options.
_MARKS: tuple[dict[str, str], ...] = (
    {"title": "contract"},
    {
        **dict.fromkeys(("type", "required"), "contract"),
        **dict.fromkeys(("question", "header", "multiSelect"), "compact"),
        "allowOther": "bounded",
    },
    dict.fromkeys(("value", "preview"), "contract"),
)


class Dialect(Protocol):
    """What the module of a dialect has."""

    def load(self, payload: object) -> tuple[Form, tuple[Issue, ...]]:
        """The form in a payload and everything wrong with it; the form counts only where nothing is."""
        ...

    def error_text(self, issues: Iterable[Issue]) -> str:
        """The text for the model that sent a payload with these faults."""
        ...

    def content(self, result: Result) -> str:
        """The text for the model of any other result."""
        ...


def load_form(payload: object, dialect: str = "contract", allow_freeform: bool = False) -> Form:
    """Check an untrusted payload (any JSON value) and make a form of it.

    `dialect` is one of `NAMES`, or `auto` for the one whose shape the payload has. `allow_freeform` permits questions
    without choices in the contract dialect, for forms that were extracted from a text. Raises InvalidPayload with every
    issue at once, and UnknownDialect for a name that is none of these.
    """
    name = _by_shape(payload) if dialect == AUTO else dialect
    chosen = _dialect(name)
    if allow_freeform and name == "contract":
        from ask_core.dialects import contract

        form, issues = contract.load(payload, allow_freeform=True)
    else:
        form, issues = chosen.load(payload)
    if issues:
        raise InvalidPayload(issues, chosen.error_text(issues), name)
    return form


def details(result: Result) -> dict[str, Any]:
    """The structured result as JSON-ready values, in the shape of the dialect the form came in."""
    from ask_core import wire  # cattrs is not needed before a flow has ended (T9)

    return wire.details(result)


def content(result: Result) -> str:
    """The text of the result for the model, in the words of the dialect the form came in."""
    dialect = _dialect(result.form.dialect)
    return dialect.error_text(result.issues) if result.outcome == "invalid_input" else dialect.content(result)


def _dialect(name: str) -> Dialect:
    # Only the one that is asked for is imported (T9).
    match name:
        case "contract":
            from ask_core.dialects import contract

            return contract
        case "compact":
            from ask_core.dialects import compact

            return compact
        case "bounded":
            from ask_core.dialects import bounded

            return bounded
        case _:
            raise UnknownDialect(f"there is no dialect {name!r}; there are: {', '.join(NAMES)}, and {AUTO}")


def _by_shape(payload: object) -> str:
    """The dialect whose own fields the payload has, and of several the one that finds the least wrong with it.

    Without any such field it is the one that needs none but `prompt`. Raises InvalidPayload where several take it.
    """
    found, prompts = _marked(payload)
    if not found:
        return "bounded" if prompts else NAMES[0]
    if len(found) == 1:
        return found[0]
    faults = {name: len(_dialect(name).load(payload)[1]) for name in found}
    taking = [name for name in found if not faults[name]]
    if len(taking) < 2:
        return min(faults, key=faults.__getitem__)
    message = f"can be read in several dialects ({', '.join(taking)}). Name the one that is meant, instead of {AUTO}."
    issues = (Issue("payload", message),)
    raise InvalidPayload(issues, issues_text(issues), NAMES[0])


def _marked(payload: object) -> tuple[list[str], bool]:
    """The dialects that fields of the payload belong to alone, and whether any question has a prompt."""
    level = [payload]
    found = set()
    prompts = False
    for marks, below in zip(_MARKS, ("questions", "options", ""), strict=True):
        objects = [value for value in map(_or_inside, level) if isinstance(value, Mapping)]
        # `null` means left out (R10).
        found |= {dialect for value in objects for name, dialect in marks.items() if value.get(name) is not None}
        prompts = prompts or (below == "options" and any("prompt" in value for value in objects))
        level = [item for value in objects for item in _below(value, below)]
    return [name for name in NAMES if name in found], prompts


def _below(value: JsonObject, name: str) -> Sequence[object]:
    """What is in the list of a payload or a question; a question in place of the list stands for one of it."""
    listed = _or_inside(value.get(name))
    if is_list(listed):
        return cast(Sequence[object], listed)
    return [value] if name == "questions" else ()


def _or_inside(value: object) -> object:
    return inside(value) if isinstance(value, str) else value
