"""What a key costs, in counts: the same for any size, on a fast machine and on a slow one.

Counted is all the way from a key to the text that is written for it, by the interpreter's own hook, so that what is
counted need not know of it. A count that grows with the options, the questions or the text fails here long before a
person could feel it. `tests.bench` measures the same in milliseconds.
"""

from __future__ import annotations

import gc
import os
import sys
import tracemalloc
from collections.abc import Iterator, Sequence
from functools import _lru_cache_wrapper, partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

from ask_core.dialects import load_form
from ask_core.events import Paste, Resized
from ask_core.frame import Line
from ask_core.keys import Key
from ask_core.layout.block import prose
from ask_core.reduce import reduce
from ask_core.screen import Reviewed, Row
from ask_core.state import Choosing, Filtering, Reviewing, State, Typing, start
from ask_core.text import fuzzy
from ask_core.text.graphemes import width
from ask_core.view import view
from ask_render_blessed import BlessedRenderer, renderer
from ask_render_blessed.painter import Painter

COLUMNS, ROWS = 80, 24
# A few rows are made to find out that they do not fit, or to look at the one that is highlighted.
_LOOKED_AT = 2

MANY = 10_000


class Cost(NamedTuple):
    """What one key took.

    `widths`: calls of the width function; `rows`: rows and reviewed questions made; `matches`: labels searched for the
    places of a filter; `lines`: lines that prose was laid out in; `spans`: pieces of lines painted; `length`: bytes
    written; `steps`: lines of Python run.
    """

    widths: int
    rows: int
    matches: int
    lines: int
    spans: int
    length: int
    steps: int


class _Counter:
    """Counts while Python runs; `trace` is for `sys.settrace`."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(Cost._fields, 0)
        self._calls = {
            width.__code__: "widths",
            _code_of(Row.__new__): "rows",
            _code_of(Reviewed.__new__): "rows",
            fuzzy.match.__code__: "matches",
        }

    def trace(self, frame: FrameType, event: str, result: Any) -> Any:
        code = frame.f_code
        if event == "line":
            self.counts["steps"] += 1
        elif event == "call" and code in self._calls:
            self.counts[self._calls[code]] += 1
        elif event == "call" and code is Painter._row_of.__code__:
            line: Line = frame.f_locals["line"]
            self.counts["spans"] += len(line)
        elif event == "return" and code is prose.__code__ and result is not None:
            self.counts["lines"] += len(result)
        return self.trace


def _code_of(function: Any) -> CodeType:
    code: CodeType = function.__code__
    return code


@pytest.fixture
def face() -> Iterator[BlessedRenderer]:
    with Path(os.devnull).open("w") as stream:
        yield renderer(fd=stream.fileno(), environ={"TERM": "xterm-256color"}, fullscreen=False)


def _forget_all() -> None:
    """Empty what is kept between keys, of modules and of renderers: it would be there for one size and not another."""
    for kept in gc.get_objects():
        if _is_our_cache(kept):
            kept.cache_clear()
        elif isinstance(kept, Painter):
            kept.restyle(kept._styles)


def _cost(face: BlessedRenderer, state: State, key: str) -> Cost:
    """What it takes from a key to what is written for it, the screen of `state` being there."""
    # Once before, for what other libraries keep.
    _written(face, state, key, _Counter())
    _forget_all()
    counter = _Counter()
    written = _written(face, state, key, counter)
    return Cost(**counter.counts | {"length": len(written.encode())})


def _written(face: BlessedRenderer, state: State, key: str, counter: _Counter) -> str:
    face.forget()
    face.draw(view(state), COLUMNS, ROWS)
    before = sys.gettrace()
    sys.settrace(counter.trace)
    try:
        return face.draw(view(reduce(state, Key(key))), COLUMNS, ROWS)
    finally:
        sys.settrace(before)


def _open(options: int, questions: int = 1, keys: Sequence[str] = (), paste: str = "") -> State:
    listed = [{"value": f"v{number}", "label": f"Region {number:05}"} for number in range(options)]
    asked = [
        {"id": f"q{number:03}", "label": f"Part {number:03}", "prompt": "Which one?", "options": listed}
        for number in range(questions)
    ]
    state = reduce(start(load_form({"questions": asked})), Resized(COLUMNS, ROWS))
    for key in keys:
        state = reduce(state, Key(key))
    return reduce(state, Paste(paste)) if paste else state


def _assert_same(large: Cost, small: Cost, more_steps: int = 0) -> None:
    """The counts do not grow from one size to a much larger one of which a screen shows as much.

    Numbers have more digits, which is some characters and what it takes to write them.
    """
    exact = ("rows", "matches", "lines", "spans")
    assert [getattr(large, name) for name in exact] == [getattr(small, name) for name in exact]
    assert abs(large.widths - small.widths) <= 10
    assert abs(large.length - small.length) <= 40
    assert large.steps <= small.steps * 1.05 + more_steps


def _assert_bounded(large: Cost, small: Cost, factor: float = 1.5) -> None:
    """The counts grow by no more than there is more on the screen."""
    assert all(more <= factor * less for more, less in zip(large, small, strict=True)), (large, small)


# Options


@pytest.mark.parametrize("key", ["down", "space", "end", "n"])
def test_a_key_among_ten_thousand_options_costs_what_it_costs_among_ten(face: BlessedRenderer, key: str) -> None:
    """From the first row, a screen of ten options and a full one."""
    ten, many = (_cost(face, _open(count), key) for count in (10, MANY))
    if key == "end":
        # The end of ten is on the screen already, that of ten thousand is another screen.
        assert many.steps <= 3 * ten.steps
    else:
        _assert_bounded(many, ten)
    assert 10 < many.rows <= ROWS + _LOOKED_AT


@pytest.mark.parametrize(
    ("before", "key"),
    [
        (("down",) * 200, "down"),
        (("down",) * 200, "space"),
        (("down",) * 200, "pageDown"),
        (("pageDown",) * 20, "up"),
        (("end", "esc"), "up"),
        (("end", "esc"), "n"),
        (("end",), "x"),
    ],
)
def test_a_key_far_down_costs_the_same_in_any_list(face: BlessedRenderer, before: tuple[str, ...], key: str) -> None:
    """Where every step moves the list, in the middle and at the end."""
    thousand, many = (_cost(face, _open(count, keys=before), key) for count in (1_000, MANY))
    _assert_same(many, thousand)
    # How far a page goes is found out from the screen that it leaves.
    screens = 2 if key == "pageDown" else 1
    assert 0 < many.rows <= screens * ROWS + _LOOKED_AT


def test_a_filter_costs_what_it_finds_and_what_is_shown(face: BlessedRenderer) -> None:
    """Rows are made, and the places of the characters found, for what is in sight."""
    thousand, many = (_open(count, keys=("/", "r", "0")) for count in (1_000, MANY))
    assert isinstance(many.mode, Filtering)
    _assert_same(_cost(face, many, "down"), _cost(face, thousand, "down"))
    typed = _cost(face, many, "9")
    assert 10 < typed.rows <= ROWS + _LOOKED_AT
    assert 10 < typed.matches <= ROWS


def test_what_is_written_for_a_key_is_short(face: BlessedRenderer) -> None:
    """In bytes: a step of the focus, one that moves the list, a character behind another, a key that does nothing."""
    for count in (10, MANY):
        assert 0 < _cost(face, _open(count), "down").length <= 120
        assert 0 < _cost(face, _open(count, keys=("end", "x")), "x").length <= 40
    assert 0 < _cost(face, _open(MANY, keys=("down",) * 200), "down").length <= 300
    assert _cost(face, _open(MANY), "f9").length == 0


def test_a_step_of_the_focus_lays_out_and_paints_two_rows(face: BlessedRenderer) -> None:
    """What the screen before has is not made again: only the row that is left and the one that is reached."""
    cost = _cost(face, _open(10), "down")
    assert 0 < cost.lines <= 3
    assert 0 < cost.spans <= 12
    assert 0 < cost.steps <= 5_000
    idle = _cost(face, _open(10), "f9")
    assert (idle.lines, idle.spans) == (0, 0)


# Questions


@pytest.mark.parametrize("key", ["down", "tab", "space"])
def test_a_key_among_three_hundred_questions_costs_what_it_costs_among_a_few(face: BlessedRenderer, key: str) -> None:
    """In the middle, with tabs on both sides; one question has no such line of tabs."""
    middle = partial(_open, 10)
    thirty, many = (_cost(face, middle(count, ["tab"] * (count // 2)), key) for count in (30, 300))
    _assert_same(many, thirty)
    if key != "tab":
        # A full line of tabs beside one with two of them.
        _assert_bounded(many, _cost(face, _open(10), key), 4)


@pytest.mark.parametrize("key", ["down", "pageDown", "tab"])
def test_the_review_of_many_questions_costs_what_is_in_sight(face: BlessedRenderer, key: str) -> None:
    """The answers are made for those that fit; only which have none is looked up for all, in a few steps each."""
    thirty, many = (_open(1, count, ["shift+tab"]) for count in (30, 300))
    assert isinstance(many.mode, Reviewing)
    _assert_same(_cost(face, many, key), _cost(face, thirty, key), more_steps=10 * 270)


# Texts

LINE = "A line of sixty characters, as they stand in a text, and on.\n"


@pytest.mark.parametrize("key", ["x", "backspace", "up"])
def test_a_key_in_a_long_text_costs_what_it_costs_in_a_page(face: BlessedRenderer, key: str) -> None:
    """Lines far from the cursor are not looked at one by one."""
    page, much, more = (_open(3, keys=["end"], paste=LINE * count) for count in (40, 2_000, 20_000))
    assert isinstance(more.mode, Typing)
    _assert_same(_cost(face, more, key), _cost(face, much, key))
    # A page has its lines on the screen or close to it; a text has 200 on each side that are near.
    _assert_bounded(_cost(face, more, key), _cost(face, page, key), 3)


@pytest.mark.parametrize("key", ["x", "backspace"])
def test_a_key_in_a_long_line_costs_what_it_costs_in_a_paragraph(face: BlessedRenderer, key: str) -> None:
    """The rows before the one that is written in are those of the key before."""
    short, long = (_open(3, keys=["end"], paste="words that go on " * count) for count in (200, 20_000))
    _assert_same(_cost(face, long, key), _cost(face, short, key))


@pytest.mark.parametrize(("words", "count"), [("Wörter, die weitergehen ", 200), ("言葉がずっと続く", 180)])
@pytest.mark.parametrize("key", ["x", "backspace"])
def test_a_key_in_a_long_line_costs_the_same_in_other_scripts(
    face: BlessedRenderer, key: str, words: str, count: int
) -> None:
    """A text that is not ASCII is not looked through either."""
    # The last row is as full in the one as in the other.
    short, long = (_open(3, keys=["end"], paste=words * times) for times in (count, 100 * count))
    _assert_same(_cost(face, long, key), _cost(face, short, key))


def test_a_text_that_is_written_is_not_kept_at_every_key(face: BlessedRenderer) -> None:
    """Memory does not grow with the keys that were typed in a long line, whatever it is made of."""
    state = _open(3, keys=["end"], paste="Wo\u0308rter, 言葉, 👍🏽, " * 5_000)
    used = []
    tracemalloc.start()
    try:
        for _ in range(3):
            for _ in range(50):
                state = reduce(state, Key("x"))
                face.draw(view(state), COLUMNS, ROWS)
            used.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    # A single copy of the text takes 400 kB.
    assert used[2] - used[1] < 2_000_000


def test_what_a_person_writes_is_not_kept_when_it_is_plain(face: BlessedRenderer) -> None:
    """Of a long text no copy stays behind when its flow is over, also where something else in it needs cleaning."""
    _forget_all()
    state = reduce(reduce(_open(3, keys=["end"], paste="e\u0301"), Key("home")), Paste("secret" * 20_000))
    for _ in range(5):
        state = reduce(state, Key("x"))
        face.draw(view(state), COLUMNS, ROWS)
    assert "secret" * 50 not in "\n".join(_kept_texts())


def test_forms_with_long_texts_leave_little_behind(face: BlessedRenderer) -> None:
    """What is kept between keys has a limit in characters, not only in entries."""
    _forget_all()
    kept = []
    for forms in (range(40), range(40, 80)):
        for form in forms:
            long = f"{form} Wörter, die weitergehen. " * 1_000
            options = [{"value": "v", "label": "L", "description": long}, {"value": "w", "label": long}]
            asked = {"prompt": long, "label": long, "options": options}
            payload = {"title": long, "questions": [{"id": "q", **asked}, {"id": "p", **asked}]}
            state = start(load_form(payload), asked_by=long)
            for key in ("down", "end", "x", "esc", "tab"):
                state = reduce(state, Key(key))
                face.draw(view(state), COLUMNS, ROWS)
        kept.append(sum(map(len, _kept_texts())))
    # 25,000 characters a text.
    assert kept[1] < 3_000_000
    assert abs(kept[1] - kept[0]) < 300_000


def _kept_texts() -> list[str]:
    """All texts in the caches of the core and of the renderer, each once."""
    found: dict[int, str] = {}
    seen: set[int] = set()
    inside: list[object] = [kept for kept in gc.get_objects() if _is_our_cache(kept)]
    while inside:
        one = inside.pop()
        if isinstance(one, str):
            found[id(one)] = one
        elif id(one) not in seen and (isinstance(one, tuple | list | dict) or _is_our_cache(one)):
            seen.add(id(one))
            inside += gc.get_referents(one)
    return list(found.values())


def _is_our_cache(thing: object) -> bool:
    return isinstance(thing, _lru_cache_wrapper) and thing.__module__.startswith(("ask_core", "ask_render_blessed"))


def test_nothing_is_counted_as_done_that_is_not(face: BlessedRenderer) -> None:
    """The counts are counts: they follow what there is, where it fits on the screen."""
    two, ten = (_cost(face, _open(count), "down") for count in (2, 10))
    assert isinstance(_open(2).mode, Choosing)
    assert (two.rows, ten.rows) == (3, 11)
    assert two.lines == ten.lines
    assert _lines_of_the_first_frame(face, 10) - _lines_of_the_first_frame(face, 2) == 8
    assert 0 < two.widths <= ten.widths
    assert 0 < two.steps < ten.steps
    assert two.spans > 1


def _lines_of_the_first_frame(face: BlessedRenderer, options: int) -> int:
    """Lines laid out for a screen of which nothing is known."""
    _forget_all()
    face.forget()
    counter = _Counter()
    before = sys.gettrace()
    sys.settrace(counter.trace)
    try:
        face.draw(view(_open(options)), COLUMNS, ROWS)
    finally:
        sys.settrace(before)
    return counter.counts["lines"]
