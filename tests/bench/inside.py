"""What the core takes in one process, without a terminal: per key and per size. Figures are milliseconds."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, islice
from statistics import median
from time import perf_counter
from typing import TypeVar

import ask_core as ask
from ask_render_blessed.capabilities import Capabilities
from ask_render_blessed.painter import Painter
from ask_render_blessed.theme import styles_for
from tests.bench.forms import Person, form, lines, one_line
from tests.bench.programs import ROOT
from tests.bench.rounds import Rounds, matches
from tests.bench.session import COLUMNS, ROWS, surroundings

T = TypeVar("T")

SIZES = ((10, 1), (1_000, 1), (10_000, 1), (10, 30), (10, 300))
LENGTHS = (10, 1_000, 10_000, 100_000, 1_000_000)
STEPS_OF_A_KEY = ("reduce", "view + layout", "paint")
WHOLE_KEY = "whole key"
IMPORT, PROCESS = "import ms", "process ms"

_KEYS = 120
_ROUNDS = 5


def measure(rounds: Rounds, count: int, only: Sequence[str]) -> None:
    """Measure what matches `only`: "imports" in `count` rounds of two processes, "in process" in a few rounds here."""
    if matches("imports", only):
        for number in range(count):
            _imports(rounds, number)
    if matches("in process", only):
        with _painter() as painter:
            for number in range(min(count, _ROUNDS)):
                _sizes(rounds, number, painter)
                _texts(rounds, number, painter)
                _values(rounds, number)


def size_name(options: int, questions: int) -> str:
    """What a form of this size is called in the table."""
    return f"{options:,} options" if questions == 1 else f"{questions} questions"


def text_name(length: int, kind: str) -> str:
    """What a text of this many characters is called in the table."""
    return f"text of {length:,}, {kind}"


def _imports(rounds: Rounds, number: int) -> None:
    for module in ("attrs", "ask_core"):
        code = f"import time; began = time.perf_counter(); import {module}; print(time.perf_counter() - began)"
        began = perf_counter()
        # From the tree, so that what is measured is what stands in it.
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=surroundings({}), capture_output=True, text=True, check=True
        )
        rounds.add(number, f"import {module}", PROCESS, (perf_counter() - began) * 1000)
        rounds.add(number, f"import {module}", IMPORT, float(run.stdout) * 1000)


@contextmanager
def _painter() -> Iterator[Painter]:
    ends = pty.openpty()
    try:
        capabilities = Capabilities(fd=ends[1], kind="xterm-256color", colours=256)
        styles = {role: capabilities.style(names) for role, names in styles_for({}, 256).items()}
        yield Painter(styles, capabilities.controls())
    finally:
        for end in ends:
            os.close(end)


def _sizes(rounds: Rounds, number: int, painter: Painter) -> None:
    for options, questions in SIZES:
        # In the middle, so that there is something to scroll and there are tabs on both sides.
        person = Person(form(options, questions)).press(*["tab"] * (questions // 2), *["down"] * min(40, options // 3))
        _keys(
            rounds, number, size_name(options, questions), person.state, _down_and_up(min(options, _KEYS) - 1), painter
        )


def _texts(rounds: Rounds, number: int, painter: Painter) -> None:
    for kind, make in (("lines", lines), ("one line", one_line)):
        for length in LENGTHS:
            state = Person(form()).press("end").paste(make(length)).state
            _keys(rounds, number, text_name(length, kind), state, ["a", "backspace"], painter)


def _down_and_up(steps: int) -> list[str]:
    """So many steps down a list and up again; in a long list no screen comes twice before its end."""
    return ["down"] * steps + ["up"] * steps


def _keys(rounds: Rounds, number: int, name: str, state: ask.State, pressed: list[str], painter: Painter) -> None:
    """The medians of the steps from a key to what is written for it."""
    painter.forget()
    painter.paint(ask.layout(ask.view(state), COLUMNS, ROWS))
    times: dict[str, list[float]] = {step: [] for step in (*STEPS_OF_A_KEY, WHOLE_KEY)}
    # Long texts take many milliseconds each.
    count = _KEYS if "1,000,000" not in name else 12
    for key in islice(cycle(map(ask.Key, pressed)), count):
        began = perf_counter()
        state = ask.reduce(state, key)
        reduced = perf_counter()
        frame = ask.layout(ask.view(state), COLUMNS, ROWS)
        laid = perf_counter()
        painter.paint(frame)
        painted = perf_counter()
        steps = (reduced - began, laid - reduced, painted - laid, painted - began)
        for step, seconds in zip(times, steps, strict=True):
            times[step].append(seconds * 1000)
    for step, taken in times.items():
        rounds.add(number, name, step, median(taken))


def _values(rounds: Rounds, number: int) -> None:
    for options, questions in SIZES:
        payload = form(options, questions)
        name = size_name(options, questions)
        rounds.add(number, name, "load_form", _taken(ask.load_form, payload))
        # Every question answered, then the review's first action.
        person = Person(payload).press(*["space", "tab"] * questions, "enter")
        result = ask.result_of(person.state)
        rounds.add(number, name, "details", _taken(ask.details, result))


def _taken(function: Callable[[T], object], argument: T) -> float:
    """The median of a few calls in milliseconds."""
    times = []
    for _ in range(5):
        began = perf_counter()
        function(argument)
        times.append((perf_counter() - began) * 1000)
    return median(times)
