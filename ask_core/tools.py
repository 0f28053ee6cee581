"""The tool of each dialect as a model sees it: its name, what it is for, and the JSON Schema of its arguments.

The schemas are flat (no anyOf, oneOf or $ref), because not every model reads more. They declare what no loader can
mend: types and counts. The texts of the bounded dialect have no limit in them, since they are cut and not refused.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ask_core.dialects import NAMES, bounded, compact
from ask_core.errors import UnknownDialect, UnknownProvider

PROVIDERS = ("anthropic", "openai", "openai-responses", "mcp")

Schema = dict[str, Any]


class Tool(NamedTuple):
    """A tool: its name, its description for the model, and the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: Schema


def tool(dialect: str = "contract") -> Tool:
    """The tool of a dialect. Raises UnknownDialect."""
    match dialect:
        case "contract":
            return _contract()
        case "compact":
            return _compact()
        case "bounded":
            return _bounded()
        case _:
            raise UnknownDialect(f"there is no tool of a dialect {dialect!r}; there are: {', '.join(NAMES)}")


def tool_schema(dialect: str = "contract", provider: str = "anthropic") -> Schema:
    """The definition of a dialect's tool, as JSON-ready values in the form that a provider's API takes.

    `provider` is `anthropic` (name, description, input_schema), `openai` (chat completions: type, function),
    `openai-responses` (type, name, description, parameters, strict) or `mcp` (name, title, description, inputSchema,
    annotations). Raises UnknownDialect and UnknownProvider.
    """
    name, description, parameters = tool(dialect)
    named = {"name": name, "description": description}
    match provider:
        case "anthropic":
            return {**named, "input_schema": parameters}
        case "openai":
            return {"type": "function", "function": {**named, "parameters": parameters}}
        case "openai-responses":
            # Strict mode knows no optional fields.
            return {"type": "function", **named, "parameters": parameters, "strict": False}
        case "mcp":
            about = {"title": "Ask the user", "annotations": {"readOnlyHint": True}}
            return {**named, **about, "inputSchema": parameters}
        case _:
            raise UnknownProvider(f"there is no provider {provider!r}; there are: {', '.join(PROVIDERS)}")


_WHEN = (
    "Use it whenever you cannot go on well without something that only the user can tell: a choice between ways to do "
    "the work, a missing requirement, a preference, a go-ahead. Do not guess instead, and do not put the choices into "
    "a message. Put everything that is open now into one call, as a rule 1 to 3 questions. Never ask for passwords or "
    "other secrets."
)
_CHOICES = (
    "2 to 4 different answers to choose from, the one you recommend first. A row for own words is added, so leave out "
    "answers such as Other."
)
_MEANING = "What choosing this means: what is gained, what it costs."


def _contract() -> Tool:
    option = _object(
        ("value", "label"),
        value=_text("What you get back if this is chosen; different for each option of the question."),
        label=_text("What the user reads: 1 to 5 words."),
        description=_text(_MEANING),
        preview=_text(
            "A longer text shown beside the list, such as code, a diff or a plan. Needed on every option of a question "
            'of type "preview"; of no use elsewhere.'
        ),
    )
    question = _object(
        ("id", "prompt", "options"),
        id=_text('Your name for the question, such as "database"; different for each question. Answers come under it.'),
        label=_text("1 or 2 words for the question's tab; Q1, Q2 and so on where it is left out."),
        prompt=_text("The whole question, clear by itself."),
        type={
            **_text(
                '"single": one answer. "multi": several may hold at once. "preview": one answer, each option with a '
                "preview text."
            ),
            "enum": ["single", "multi", "preview"],
            "default": "single",
        },
        required=_flag("Marks a question whose answer matters most. The user can still leave it open.", default=False),
        options=_list(_CHOICES, option, least=1),
    )
    parameters = _object(
        ("questions",),
        title=_text("A heading for all questions, a few words."),
        questions=_list("The questions, each about one decision.", question, least=1),
    )
    description = (
        f"Ask the user one or more questions and wait for the answers. {_WHEN} The user picks from your options or "
        "writes own words, may add notes, and may leave questions open. You get a line for each answered question. If "
        "the user asks to elaborate, first explain what the notes ask, then ask again about those questions only."
    )
    return Tool("ask_user", description, parameters)


def _compact() -> Tool:
    limits = compact.LIMITS
    option = _object(
        ("label", "description"),
        label=_text(f"1 to 5 words that the user picks; at most {limits.label} characters.", most=limits.label),
        description=_text(f"{_MEANING} At most {limits.description} characters.", most=limits.description),
    )
    question = _object(
        ("question", "header"),
        question=_text(
            f"The whole question, clear by itself, as a question; at most {limits.question} characters.",
            most=limits.question,
        ),
        header=_text(
            f'A very short name for the question, such as "Database"; different for each question, since answers come '
            f"under it. At most {limits.header} characters.",
            most=limits.header,
        ),
        options=_list(
            f"{_CHOICES} Leave options out to have the question answered in own words only.",
            option,
            least=limits.least_options,
            most=limits.options,
        ),
        multiSelect=_flag("true if several options may hold at once.", default=False),
    )
    parameters = _object(
        ("questions",),
        questions=_list("The questions, each about one decision.", question, least=1, most=limits.questions),
    )
    description = (
        f"Ask the user 1 to {limits.questions} questions and wait for the answers. {_WHEN} The user picks from your "
        "options or writes own words. You get a line for each question: its header and the answer."
    )
    return Tool("ask_user", description, parameters)


def _bounded() -> Tool:
    limits = bounded.LIMITS
    cut = "characters; what is longer is cut"
    option = _object(
        ("label",),
        label=_text(f"The answer itself, as you get it back; at most {limits.option_label} {cut}."),
        description=_text(f"{_MEANING} At most {limits.description} {cut}."),
    )
    question = _object(
        ("prompt",),
        prompt=_text(f"The whole question, clear by itself; at most {limits.prompt} {cut}."),
        options=_list(
            f"{_CHOICES} There may be up to {limits.options}. Leave options out to have the question answered in own "
            "words only.",
            option,
            least=1,
            most=limits.options,
        ),
        id=_text(f"Your name for the question; q1, q2 and so on where it is left out. At most {limits.id} {cut}."),
        label=_text(
            f"1 or 2 words for the question's tab; Q1, Q2 and so on where it is left out. At most {limits.label} {cut}."
        ),
        allowOther=_flag("false to take away the row for own words; then only your options count.", default=True),
    )
    parameters = _object(
        ("questions",),
        questions=_list(
            f"The questions, each about one decision. All of the call has at most {limits.budget_bytes} bytes.",
            question,
            least=1,
            most=limits.questions,
        ),
    )
    description = (
        f"Ask the user 1 to {limits.questions} questions and wait for the answers. {_WHEN} The user picks from your "
        "options or writes own words. You get a line for each answer, with the number of the option or with what was "
        "written."
    )
    return Tool("ask", description, parameters)


def _object(needed: tuple[str, ...], **properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(needed)}


def _list(description: str, items: Schema, *, least: int, most: int | None = None) -> Schema:
    counts = {"minItems": least} if most is None else {"minItems": least, "maxItems": most}
    return {"type": "array", "description": description, **counts, "items": items}


def _text(description: str, *, most: int | None = None) -> Schema:
    limit = {} if most is None else {"maxLength": most}
    return {"type": "string", "description": description, **limit}


def _flag(description: str, *, default: bool) -> Schema:
    return {"type": "boolean", "description": description, "default": default}
