"""The programs that are measured from outside, and what is done with each in a round.

Figures are milliseconds, MiB, bytes, or counts, as their names say. A screen that is not exactly the one that the core
makes of the same keys is a failure and gives no figure.
"""

from __future__ import annotations

import json
import marshal
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.forms import Person, form, lines, one_line, painted_rows
from tests.bench.session import KEYS, PASTE_BEGIN, PASTE_END, Answering, Right, Session

ROOT = Path(__file__).resolve().parents[2]
CHILDREN = Path(__file__).resolve().parent / "children"

STEPS = 12  # single keys timed in one round
IDLE = 2.0  # seconds
_SETTLED = 0.3  # seconds after the first frame, in which what is left of the start comes to its end
_NOTHING = 0.15  # seconds in which a key that changes nothing might still be drawn

# What is done, and with `MS`, `RUN`, `BYTES` and `WRITES` after it what is measured of it.
KEY, SCROLLING, TAB, TYPED, NOTHING = "key", "key with scrolling", "next tab", "typed character", "key without effect"
MS, RUN, BYTES, WRITES = ", ms", ", ms of processor", ", bytes", ", writes"
START = "first screen"
FIRST, BURST, LONG_BURST = START + MS, "burst of 50, ms", "burst of 100, ms"
ESC, PASTE, FLOOD = "lone Esc, ms", "paste, ms", "flood, ms"
PEAK, WAKE_UPS, IDLE_BYTES = "peak, MiB", "idle, wake-ups", "idle, bytes"

Record = Callable[[str, float], None]
Play = Callable[[Session, Record], None]


class Program(NamedTuple):
    """A command line, the first screen it has to show, and what to do and measure from then on.

    `ends`: it does by itself; `rounds`: in how many it takes part, None for all; `needs`: the module without which it
    is not there.
    """

    name: str
    argv: Sequence[str]
    first: Right
    play: Play
    answering: Answering = "all"
    ends: bool = False
    rounds: int | None = None
    needs: str | None = None


def environ(settings: Path) -> dict[str, str]:
    """What every program finds in its environment; the settings file is one that is not there."""
    return {"PYTHONPATH": f"{ROOT}:{CHILDREN}", "ASK_SETTINGS": str(settings / "settings.json")}


def ask(*arguments: str) -> list[str]:
    """The command line of `ask`, as the installed command runs it."""
    return [sys.executable, "-c", "from ask_command import run; run()", *arguments]


def programs(folder: Path, *, peers: bool, slow_rounds: int) -> list[Program]:
    """All programs in the order of their turns; their files are made in `folder`.

    `slow_rounds`: the rounds of those that take seconds.
    """
    return [
        *_floors(folder),
        *_sizes(folder),
        *_texts(folder),
        *_moments(folder, slow_rounds),
        *_lines(folder),
        *(_peers(slow_rounds) if peers else ()),
    ]


def shows(rows: Sequence[str]) -> Right:
    """Whether the screen has exactly these rows."""
    return lambda session: session.rows() == rows


def _file(folder: Path, options: int, questions: int = 1) -> str:
    path = folder / f"{options}-{questions}.json"
    if not path.exists():
        path.write_text(json.dumps(form(options, questions)))
    return str(path)


@cache
def _walk(options: int, questions: int, before: tuple[str, ...]) -> tuple[tuple[str, ...], list[tuple[str, Right]]]:
    """The screen after the keys `before`, and steps from there, each with the screen it leads to.

    They go down and up again; where a long list is scrolled only down, so that no screen comes twice.
    """
    person = Person(form(options, questions)).press(*before)
    start = person.rows()
    down = STEPS if before and options > STEPS else STEPS // 2
    keys = ["down"] * down + ["up"] * (STEPS - down)
    return start, [(key, shows(person.press(key).rows())) for key in keys]


def _steps(session: Session, record: Record, steps: Sequence[tuple[str, Right]], what: str) -> None:
    """Press one key after the other; the median time of a key, the most bytes, and the writes of one."""
    times, lengths = [], []
    writes, run = session.writes(), session.processor_time()
    for key, right in steps:
        redraw = session.send(KEYS.get(key, key.encode()), right, seconds=20)
        times.append(redraw.settled * 1000)
        lengths.append(redraw.length)
    record(what + MS, median(times))
    record(what + RUN, (session.processor_time() - run) * 1000 / len(steps))
    record(what + BYTES, max(lengths))
    record(what + WRITES, (session.writes() - writes) / len(steps))


# Floors


def _floors(folder: Path) -> list[Program]:
    person = Person(form())
    labels = [option.label for option in person.state.form.questions[0].options]
    focused: dict[str, tuple[int, str]] = {}
    for label in labels:
        focused |= painted_rows([label], person)
        person.press("down")
    plain = painted_rows(labels[:-1], person.press("up")) | painted_rows(labels[-1:], Person(form()))
    data = {
        "frame": Person(form()).painted(),
        "rows": [(row, plain[label][1], text) for label, (row, text) in focused.items()],
    }
    path = folder / "floor.bin"
    path.write_bytes(marshal.dumps(data))
    start, steps = _walk(10, 1, ())

    def play(session: Session, record: Record) -> None:
        _steps(session, record, steps, KEY)
        record(PEAK, session.peak())

    first_line = _said()[0]
    return [
        Program(
            "bare python", [sys.executable, "-c", f"print({first_line!r})"], _begins(first_line), _only_start, ends=True
        ),
        Program("floor: bare", _child("floor", "bare", str(path)), shows(start), play),
        Program("floor: blessed", _child("floor", "with_blessed", str(path)), shows(start), play),
    ]


def _child(module: str, function: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", f"import {module}; {module}.{function}()", *arguments]


def _only_start(session: Session, record: Record) -> None:
    """Nothing to do once it is there."""


# ask at every size


def _sizes(folder: Path) -> list[Program]:
    return [
        *(_size(folder, "options", count, 1) for count in (10, 1_000, 10_000)),
        *(_size(folder, "questions", 10, count) for count in (30, 300)),
    ]


def _size(folder: Path, unit: str, options: int, questions: int) -> Program:
    # In the middle of what is long, where every step moves the whole list and there are tabs on both sides.
    scroll = ("down",) * min(40, options // 2) if options > 10 else ()
    tabs = ("tab",) * (questions // 2) if questions > 1 else ()
    first = shows(_walk(options, questions, ())[0])

    def play(session: Session, record: Record) -> None:
        _, steps = _walk(options, questions, ())
        _steps(session, record, steps, KEY if not tabs else "key at the first tab")
        before = scroll + tabs
        if before:
            there, steps = _walk(options, questions, before)
            session.send(b"".join(KEYS[key] for key in before), shows(there))
            _steps(session, record, steps, SCROLLING if scroll else KEY)
        if tabs:
            person = Person(form(options, questions)).press(*before)
            _steps(session, record, [("tab", shows(person.press("tab").rows())) for _ in range(5)], TAB)
        if options == 1_000:
            _bursts(session, record, Person(form(options, questions)).press(*before, *["down"] * STEPS))
        record(PEAK, session.peak())

    name = f"ask: {options if unit == 'options' else questions:,} {unit}"
    return Program(name, ask("run", _file(folder, options, questions)), first, play)


def _bursts(session: Session, record: Record, person: Person) -> None:
    for count, what in ((50, BURST), (100, LONG_BURST)):
        right = shows(person.press(*["down"] * count).rows())
        record(what, session.send(KEYS["down"] * count, right).settled * 1000)


# ask with a long text


def _texts(folder: Path) -> list[Program]:
    kinds = (("lines", lines, 10), ("lines", lines, 100_000), ("one line", one_line, 100_000))
    return [_text(folder, kind, make, length) for kind, make, length in kinds]


def _text(folder: Path, kind: str, make: Callable[[int], str], length: int) -> Program:
    text = make(length)

    @cache
    def expected() -> tuple[Right, Right, list[tuple[str, Right]]]:
        person = Person(form()).press("end")
        empty = shows(person.rows())
        pasted = shows(person.paste(text).rows())
        return empty, pasted, [(key, shows(person.press(key).rows())) for key in "abcdefghij"]

    def play(session: Session, record: Record) -> None:
        empty, pasted, typed = expected()
        session.send(KEYS["end"], empty)
        session.send(PASTE_BEGIN + text.encode() + PASTE_END, pasted)
        _steps(session, record, typed, TYPED)

    first = shows(Person(form()).rows())
    return Program(f"ask: text of {length:,}, {kind}", ask("run", _file(folder, 10)), first, play)


# Moments


def _moments(folder: Path, slow_rounds: int) -> list[Program]:
    command = ask("run", _file(folder, 10))
    first = shows(Person(form()).rows())
    return [
        Program("ask: no answers", command, first, _only_start, answering="none"),
        Program("ask: esc", command, first, _esc),
        Program("ask: nothing changed", command, first, _nothing_changed),
        Program("ask: idle", command, first, _idle, rounds=slow_rounds),
        Program("ask: paste of 1 MB", command, first, _paste, rounds=slow_rounds),
        Program("ask: 20,000 characters", command, first, _flood, rounds=slow_rounds),
    ]


def _esc(session: Session, record: Record) -> None:
    """A lone Esc while there is an answer, which warns; another tab takes the warning away again."""
    person = Person(form()).press("space")
    session.send(KEYS["space"], shows(person.rows()))
    times = []
    for _ in range(3):
        right = shows(person.press("esc").rows())
        times.append(session.send(KEYS["esc"], right).settled * 1000)
        session.send(KEYS["tab"], shows(person.press("tab").rows()))
    record(ESC, median(times))


def _nothing_changed(session: Session, record: Record) -> None:
    session.watch(_SETTLED)
    writes = session.writes()
    session.type(KEYS["f9"])
    record(NOTHING + BYTES, session.watch(_NOTHING))
    record(NOTHING + WRITES, session.writes() - writes)


def _idle(session: Session, record: Record) -> None:
    session.watch(_SETTLED)
    before = session.wake_ups()
    record(IDLE_BYTES, session.watch(IDLE))
    record(WAKE_UPS, session.wake_ups() - before)


@cache
def _pasted() -> tuple[str, Right, Right]:
    """A megabyte, the empty editor, and the editor with it."""
    text = lines(1_000_000)
    person = Person(form()).press("end")
    empty = shows(person.rows())
    return text, empty, shows(person.paste(text).rows())


def _paste(session: Session, record: Record) -> None:
    text, empty, pasted = _pasted()
    session.send(KEYS["end"], empty)
    record(PASTE, session.send(PASTE_BEGIN + text.encode() + PASTE_END, pasted).settled * 1000)
    # One step back leads to the empty editor again, or this is no figure.
    session.send(KEYS["ctrl+_"], empty)


@cache
def _flooded() -> tuple[str, Right, Right]:
    """20,000 characters, the empty editor, and the editor with them."""
    text = one_line(20_000)
    person = Person(form()).press("end")
    empty = shows(person.rows())
    return text, empty, shows(person.press(*("space" if key == " " else key for key in text)).rows())


def _flood(session: Session, record: Record) -> None:
    text, empty, full = _flooded()
    session.send(KEYS["end"], empty)
    record(FLOOD, session.send(text.encode(), full).settled * 1000)


# The plain face


def _lines(folder: Path) -> list[Program]:
    first = _begins(_said()[0])
    command = ask("run", "--renderer", "plain", _file(folder, 10))
    return [Program("ask: plain", command, first, _plain_question)]


def _said() -> list[str]:
    """What the plain face begins with, and what it ends with before it waits."""
    return ["Bench", "Type a number (? for help):"]


def _begins(line: str) -> Right:
    return lambda session: session.rows()[0] == line


def _plain_question(session: Session, record: Record) -> None:
    """Fails where the question is not all there."""
    last = _said()[-1]
    if last not in session.rows():
        session.send(b"", lambda session: last in session.rows())


# Other libraries

_LABEL = re.compile(r"Option-[0-9]{5}")
_PEERS: Mapping[str, tuple[str, str]] = {
    "questionary": ("questionary", "questionary"),
    "InquirerPy": ("inquirerpy", "InquirerPy"),
    "inquirer": ("inquirer", "inquirer"),
    "textual": ("textual", "textual"),
    "prompt_toolkit": ("prompt_toolkit", "prompt_toolkit"),
}
PEERS = tuple(_PEERS)
# Their long lists take seconds for a start and for a key.
_FEW = 4


def _peers(slow_rounds: int) -> list[Program]:
    return [
        Program(
            f"{name}: {options:,} options",
            _child("peers", function, str(options)),
            _focus_at(1, *((10,) if options == 10 else ())),
            _peer_steps(STEPS if options == 10 else _FEW),
            rounds=None if options == 10 else slow_rounds,
            needs=module,
        )
        for options in (10, 1_000, 10_000)
        for name, (function, module) in _PEERS.items()
    ]


def _focus_at(option: int, *seen: int) -> Right:
    """Whether this option is the one that is set off, and the others can be seen."""

    def right(session: Session) -> bool:
        text = session.text()
        there = all(f"Option-{number:05}" in text for number in seen)
        return there and session.marked(_LABEL) == f"Option-{option:05}"

    return right


def _peer_steps(count: int) -> Play:
    down, up = range(2, count // 2 + 2), range(count // 2, 0, -1)
    steps = [*(("down", _focus_at(row)) for row in down), *(("up", _focus_at(row)) for row in up)]

    def play(session: Session, record: Record) -> None:
        _steps(session, record, steps, KEY)
        record(PEAK, session.peak())

    return play


def is_there(program: Program) -> bool:
    """Whether what the program needs is installed."""
    return program.needs is None or find_spec(program.needs) is not None
