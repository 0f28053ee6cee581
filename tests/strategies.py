"""Strategies of the tests: JSON values, valid forms of every dialect, keys, events and settings."""

from __future__ import annotations

import json
import operator
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from ask_core.dialects import load_form
from ask_core.events import (
    Abort,
    Event,
    Paste,
    Resized,
    SettingsChanged,
    SettingsNotSaved,
    SettingsSaved,
    TimedOut,
)
from ask_core.keys import Key
from ask_core.questions import Form
from ask_core.settings import Behaviour, Settings

FAMILY = "👨\u200d👩\u200d👧"
# The call in the document of the bounded dialect.
BOUNDED_CALL: dict[str, Any] = {
    "questions": [
        {
            "id": "scope",
            "label": "Scope",
            "prompt": "What should the overlay keep?",
            "options": [
                {"label": "Keep the current layout", "description": "No visual change"},
                {"label": "Merge prompt and options", "description": "One block, fewer lines"},
            ],
        },
        {"id": "when", "label": "When", "prompt": "When should this land?"},
    ]
}

HOSTILE = "\x1b]52;c;aGk=\x07\u202e\x00\n"

PIECES = (
    *("a", "B", "yes", "no thanks", "a longer label that wraps", " ", "-", "?", "1", "word" * 12),
    *("é", "e\u0301", "日本語", "한국어", "\u1112\u1161\u11ab", "क्षि", "עברית", "مرحبا", FAMILY, "🇫🇷🇩🇪", "👍🏽", "❤️"),
    *(HOSTILE, "\t", "\n", "\r\n", "\u200b", "\ufeff", "\u2028", "\u2066", "\u0301" * 12, "\U000e0041", "\x85"),
)

texts = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
filled_texts = texts.map(lambda text: f"{text}x")

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(PIECES),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                (
                    *("title", "questions", "id", "prompt", "type", "label", "options", "value", "preview"),
                    *("question", "header", "description", "multiSelect", "allowOther"),
                )
            )
            | st.text(max_size=4),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)

_option_counts = st.integers(1, 4) | st.sampled_from((1, 2, 3, 9, 10, 25))


@st.composite
def _options(draw: st.DrawFn, type: str | None) -> list[dict[str, Any]]:
    options = []
    for index in range(draw(_option_counts)):
        # Texts of every option of a long list would make examples slow without making them any more telling.
        rich = index < 4
        option: dict[str, Any] = {
            "value": f"v{index}.{draw(texts) if rich else ''}",
            "label": draw(filled_texts) if rich else f"Option {index}",
        }
        if rich and draw(st.booleans()):
            option["description"] = draw(filled_texts)
        if type == "preview" or (rich and draw(st.booleans())):
            option["preview"] = draw(filled_texts) if rich else f"preview\nof {index}"
        options.append(option)
    return options


@st.composite
def _questions(draw: st.DrawFn, index: int) -> dict[str, Any]:
    if index > 2:
        return {"id": f"q{index}", "prompt": "Which?", "options": [{"value": "v", "label": f"Label {index}"}]}
    type = draw(st.sampled_from((None, "single", "multi", "multi", "preview", "freeform")))
    question: dict[str, Any] = {"id": f"q{index}.{draw(texts)}", "prompt": draw(filled_texts)}
    if type == "freeform":
        question["options"] = [{"value": "text", "label": "Answer", "freeform": True}]
    else:
        question["options"] = draw(_options(type))
        question["type"] = type
    if draw(st.booleans()):
        question["label"] = draw(filled_texts)
    if draw(st.booleans()):
        question["required"] = draw(st.booleans())
    return question


@st.composite
def payloads(draw: st.DrawFn) -> dict[str, Any]:
    """Valid payloads of the contract dialect; they need `allow_freeform`."""
    count = draw(st.integers(1, 3) | st.sampled_from((1, 2, 12)))
    payload: dict[str, Any] = {"questions": [draw(_questions(index)) for index in range(count)]}
    if draw(st.booleans()):
        payload["title"] = draw(texts)
    return payload


def _cut(limit: int) -> st.SearchStrategy[str]:
    return filled_texts.map(lambda text: text[-limit:])


@st.composite
def compact_payloads(draw: st.DrawFn) -> dict[str, Any]:
    """Valid payloads of the compact dialect."""
    flags: st.SearchStrategy[bool | None] = st.none() | st.booleans()
    questions = []
    for _ in range(draw(st.integers(1, 4))):
        question: dict[str, Any] = {"question": draw(_cut(1000)), "header": draw(_cut(16) | st.just("Same"))}
        if draw(st.booleans()):
            label, description = _cut(60) | st.just("Same"), _cut(300) | st.just("")
            option = st.fixed_dictionaries({"label": label, "description": description})
            question["options"] = draw(st.lists(option, min_size=2, max_size=4))
        if draw(st.booleans()):
            question["multiSelect"] = draw(flags)
        questions.append(question)
    return {"questions": questions}


@st.composite
def bounded_payloads(draw: st.DrawFn) -> dict[str, Any]:
    """Valid payloads of the bounded dialect, with texts over their limits."""
    questions = []
    for index in range(draw(st.sampled_from((1, 1, 1, 2, 3, 8)))):
        question: dict[str, Any] = {"prompt": draw(filled_texts) if index < 2 else "Which?"}
        for name in ("id", "label"):
            if index < 3 and draw(st.booleans()):
                question[name] = draw(filled_texts | st.sampled_from(("same", "q2", " ")))
        if draw(st.booleans()):
            question["allowOther"] = draw(st.none() | st.booleans())
        count = draw(st.sampled_from((0, 1, 2, 3, 9, 10, 10)))
        # Few of them are rich, or the call would be too large.
        rich = 2 if index < 2 else 0
        options: list[dict[str, Any]] = [{"label": draw(filled_texts)} for _ in range(min(rich, count))]
        for option in options:
            if draw(st.booleans()):
                option["description"] = draw(filled_texts)
        options += [{"label": f"Option {number}"} for number in range(len(options), count)]
        if draw(st.booleans()) or options:
            question["options"] = options
        questions.append(question)
    payload = {"questions": questions}
    size = len(json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
    assume(size <= 8192)
    return payload


def _loaded(payload: dict[str, Any]) -> Form:
    return load_form(payload, allow_freeform=True)


contract_forms = payloads().map(_loaded)
compact_forms = compact_payloads().map(lambda payload: load_form(payload, "compact"))
bounded_forms = bounded_payloads().map(lambda payload: load_form(payload, "bounded"))
forms = contract_forms | compact_forms | bounded_forms

KEY_NAMES = (
    *("enter", "esc", "tab", "shift+tab", "up", "down", "left", "right", "space", "backspace", "delete"),
    *("home", "end", "pageUp", "pageDown", "insert", "clear", "f1", "f12"),
    *("ctrl+a", "ctrl+c", "ctrl+e", "ctrl+k", "ctrl+u", "ctrl+w", "ctrl+z", "ctrl+_", "alt+b", "alt+f", "alt+enter"),
    *("shift+enter", "shift+backspace", "ctrl+left", "super+a", "shift+1"),
    *(
        "1",
        "2",
        "3",
        "4",
        "9",
        "0",
        "n",
        "N",
        "t",
        "T",
        "?",
        "/",
        "x",
        "é",
        "日",
        "\u0301",
        "\u200d",
        "🇫",
        "👩",
        "\u202e",
    ),
)
key_presses = st.sampled_from(KEY_NAMES).map(Key)

behaviours = st.builds(
    Behaviour,
    auto_submit_when_answered_without_notes=st.booleans(),
    confirm_dismiss_when_dirty=st.booleans(),
    double_press_review_shortcuts=st.booleans(),
    present_single_as_multi=st.booleans(),
    show_footer_hints=st.booleans(),
)
all_settings = behaviours.map(Settings)

_OTHER_SETTINGS = (
    Settings(Behaviour(auto_submit_when_answered_without_notes=True)),
    Settings(Behaviour(double_press_review_shortcuts=False, show_footer_hints=False)),
    Settings(Behaviour(confirm_dismiss_when_dirty=False)),
)


def _pressed(*names: str) -> tuple[Event, ...]:
    return tuple(Key(name) for name in names)


# What people do, so that flows get far in few draws; every key alone, most of which rarely mean much.
_MOVES: tuple[tuple[Event, ...], ...] = (
    *(
        _pressed(name)
        for name in ("down", "down", "up", "tab", "tab", "shift+tab", "space", "space", "enter", "1", "2")
    ),
    *(_pressed(name) for name in ("3", "t", "esc", "end", "pageDown")),
    *(_pressed("n", *text, end) for text in ("", "y", " why ") for end in ("enter", "esc", "tab")),
    *(_pressed("N", *text, end) for text in ("", "all of it") for end in ("enter", "esc", "down")),
    *(_pressed("end", *text, end) for text in ("", " own words ", "é日") for end in ("enter", "esc", "up", "tab")),
    *(_pressed("end", "enter", *names) for names in (("ctrl+u", "enter"), ("ctrl+w", "esc"), ("backspace", "tab"))),
    *(_pressed("/", *text, end) for text in ("", "o 1", "zz") for end in ("enter", "esc", "down", "tab", "1")),
    _pressed("2", "1", "t", "t"),
    _pressed("space", "down", "space"),
    *(_pressed("?", *("down",) * steps, *("space",) * times, "esc") for steps in (0, 2, 6) for times in (1, 2)),
    _pressed("?", "up", "enter", "enter", "?"),
    _pressed("3", "1", "tab"),
    _pressed("n", "x", "ctrl+c"),
)
_RARE: tuple[tuple[Event, ...], ...] = (
    *(_pressed(name) for name in KEY_NAMES if name not in ("esc", "ctrl+c")),
    *((Paste(text),) for text in ("two\r\nlines", HOSTILE, FAMILY, "\u0301", "")),
    *((Resized(*size),) for size in ((0, -1), (20, 6), (200, 80))),
    *((SettingsChanged(settings),) for settings in _OTHER_SETTINGS),
    (SettingsChanged(Settings(), ("keymaps: must be an object of contexts",)),),
    *((happens,) for happens in (SettingsNotSaved("No space left on device"), SettingsSaved())),
)
_ENDS: tuple[tuple[Event, ...], ...] = (
    *(_pressed("shift+tab", digit, digit) for digit in ("1", "2", "2", "2", "3")),
    _pressed("esc", "esc"),
    _pressed("ctrl+c"),
    (TimedOut(),),
    (Abort("SIGTERM"),),
)


def _flat(phrases: list[tuple[Event, ...]]) -> list[Event]:
    return [event for phrase in phrases for event in phrase]


open_walks: st.SearchStrategy[list[Event]] = st.lists(
    st.sampled_from(_MOVES) | st.sampled_from(_MOVES) | st.sampled_from(_RARE), min_size=3, max_size=25
).map(_flat)
walks = st.builds(operator.add, open_walks, st.sampled_from(((), *_ENDS)).map(list))


@st.composite
def changed(
    draw: st.DrawFn, payloads: st.SearchStrategy[dict[str, Any]], values: st.SearchStrategy[Any]
) -> dict[str, Any]:
    """One of the payloads with one place of it replaced by one of the values, or left out."""
    payload = draw(payloads)
    places: list[tuple[Any, Any]] = []

    def collect(node: Any) -> None:
        for key, inner in node.items() if isinstance(node, dict) else enumerate(node):
            places.append((node, key))
            if isinstance(inner, dict | list):
                collect(inner)

    collect(payload)
    value = draw(values)
    node, key = draw(st.sampled_from(places))
    if draw(st.booleans()):
        node[key] = value
    else:
        del node[key]
    return payload
