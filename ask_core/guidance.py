"""What a host tells a model beside the tool itself: a line for its list of tools, lines for its prompt, and a skill.

All of it is advice. What a call may hold is decided by the loaders (`ask_core.dialects`).
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from ask_core.tools import tool


class Guidance(NamedTuple):
    """Advice for a model that has the tool of one dialect.

    `tool` is the tool's name, `snippet` one line that says what it is for, `guidelines` are lines for a system prompt,
    each one piece of advice. `skill` is the whole advice as a Markdown document with a name and a description in its
    front matter.
    """

    tool: str
    snippet: str
    guidelines: tuple[str, ...]
    skill: str


class _Words(NamedTuple):
    """What differs between the dialects: the most questions, names of fields, and an example call."""

    most: str
    short: str
    fields: tuple[str, ...]
    after: tuple[str, ...]
    example: dict[str, Any]


def tool_guidance(dialect: str = "contract") -> Guidance:
    """The advice for the tool of a dialect. Raises UnknownDialect."""
    name = tool(dialect).name
    words = _WORDS[dialect]
    return Guidance(name, _snippet(words), tuple(_guidelines(name, words)), _skill(name, words))


def _snippet(words: _Words) -> str:
    return f"Ask the user {words.most} short questions when you cannot go on well without the answers"


def _guidelines(name: str, words: _Words) -> list[str]:
    return [*_when(name), *_how(words), *_after(words)]


def _when(name: str) -> list[str]:
    return [
        f"If the work hangs on something that only the user can decide, use the tool {name}. Do not guess, and do not "
        "write the choices into a message.",
        "Look first: do not ask what the conversation, the files or the usual practice of the project already answer.",
        "Ask before a step that is hard to undo, and where two readings of the request lead to different work.",
    ]


def _how(words: _Words) -> list[str]:
    return [
        "Put what is open now into one call: 1 to 3 questions as a rule, each about one decision.",
        f"Keep the {words.short} to 1 or 2 words, and make every question clear by itself.",
        "Give 2 to 4 clearly different options, each with a description of what it means; put the one you recommend "
        "first. Leave out answers such as Other: a row for own words is added.",
        *words.fields,
    ]


def _after(words: _Words) -> list[str]:
    return [
        "Then go on by exactly what was answered, and name it where it decides something.",
        "An open question is no consent: take the most careful way, say so, or ask once more about that one alone.",
        "If the user cancels, do not send the same questions again. Say what you can do without the answers, or stop.",
        "If there is nobody to ask, write the open questions into your message and stop there.",
        *words.after,
    ]


def _skill(name: str, words: _Words) -> str:
    about = (
        "When to stop and ask the user, and how to ask well. For unclear requirements, choices with consequences, "
        "preferences, and steps that are hard to undo."
    )
    sections = (
        ("When to ask", _when(name)),
        ("How to ask well", _how(words)),
        ("After the answers", _after(words)),
    )
    lines = ["---", "name: ask-the-user", f"description: {about}", "---", "", "# Ask the user", ""]
    lines += [
        f"`{name}` asks the user questions and waits. It costs the user attention, so each call has to be worth it."
    ]
    for heading, advice in sections:
        lines += ["", f"## {heading}", "", *(f"- {line}" for line in advice)]
    lines += ["", "## Example", "", "```json", json.dumps(words.example, ensure_ascii=False, indent=2), "```", ""]
    return "\n".join(lines)


_AFTER_ELABORATE = (
    "If the user asks to elaborate, explain first what the notes ask, in plain words. Then, if a choice is still open, "
    "ask again about the questions concerned and leave the settled ones alone.",
    "Once answers have narrowed the matter, ask the next 2 or 3 questions that belong together in one call, not one by "
    "one, and not as a list in a message.",
)

_STORES = [
    {
        "label": "In memory (recommended)",
        "description": "Fastest and nothing to set up; lost when the service restarts.",
    },
    {
        "label": "In Redis",
        "description": "Shared by all instances and survives a restart; one more service to run.",
    },
]

_WORDS = {
    "contract": _Words(
        "one or more",
        "label",
        (
            'Use type "single" unless several options may really hold at once; then use "multi".',
            'Use type "preview" only where every option has preview text, such as code or a diff to compare.',
            "Give each option a value of its own that you will recognise in the answer.",
        ),
        _AFTER_ELABORATE,
        {
            "title": "Cache",
            "questions": [
                {
                    "id": "store",
                    "label": "Store",
                    "prompt": "Where should cached pages be kept?",
                    "options": [{"value": "memory", **_STORES[0]}, {"value": "redis", **_STORES[1]}],
                },
                {
                    "id": "clear",
                    "label": "Clear on",
                    "prompt": "Which changes should clear it?",
                    "type": "multi",
                    "options": [
                        {"value": "edit", "label": "An edit of the page", "description": "Only that page is dropped."},
                        {"value": "deploy", "label": "A deployment", "description": "Everything is dropped."},
                    ],
                },
            ],
        },
    ),
    "compact": _Words(
        "up to 4",
        "header",
        (
            "Give each question a header of its own: answers come under it.",
            "Set multiSelect to true only if several options may really hold at once.",
            "Leave options out to have a question answered in own words, such as a name or a path.",
        ),
        (),
        {
            "questions": [
                {
                    "question": "Where should cached pages be kept?",
                    "header": "Store",
                    "options": _STORES,
                },
                {"question": "Which host name does it get?", "header": "Host"},
            ]
        },
    ),
    "bounded": _Words(
        "up to 8",
        "label",
        (
            "An option's label is the answer you get back, so it has to make sense alone.",
            "Leave options out to have a question answered in own words. Set allowOther to false only where nothing "
            "but your options can be done.",
        ),
        (),
        {
            "questions": [
                {
                    "id": "store",
                    "label": "Store",
                    "prompt": "Where should cached pages be kept?",
                    "options": _STORES,
                },
                {"id": "host", "label": "Host", "prompt": "Which host name does it get?"},
            ]
        },
    ),
}
