"""The goals, and what of them is met."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from tests.bench import inside
from tests.bench.programs import (
    BURST,
    BYTES,
    ESC,
    FIRST,
    FLOOD,
    IDLE_BYTES,
    KEY,
    LONG_BURST,
    MS,
    NOTHING,
    PASTE,
    PEAK,
    PEERS,
    RUN,
    SCROLLING,
    START,
    TAB,
    TYPED,
    WAKE_UPS,
    WRITES,
)
from tests.bench.rounds import Rounds

NOT_MEASURED = "not measured"
HEAVY = frozenset(("blessed", "cattrs", "asyncio", "ssl"))

TEN, MANY, THOUSAND = "ask: 10 options", "ask: 10,000 options", "ask: 1,000 options"
QUESTIONS, FLOOR = "ask: 300 questions", "floor: blessed"
LONG_LINES, LONG_LINE = "ask: text of 100,000, lines", "ask: text of 100,000, one line"


class Row(NamedTuple):
    """One line of the table. `met` is None where there is no goal, or nothing to judge it by."""

    what: str
    figure: str
    ratio: str = ""
    goal: str = ""
    met: bool | None = None


def rows(rounds: Rounds) -> list[Row]:
    """Every goal, in the order in which a person meets what it is about."""
    return [row for part in _PARTS for row in part(rounds)]


def _first_frames(rounds: Rounds) -> Iterator[Row]:
    what = "first frame"
    yield _ratio(rounds, f"{what}, 10 options, beside the blessed floor", (TEN, FIRST), (FLOOR, FIRST), 1.2)
    yield _ratio(
        rounds, f"{what} in time of the processor, the same two", (TEN, START + RUN), (FLOOR, START + RUN), None
    )
    for peer in PEERS:
        name = f"{peer}: 10 options"
        judged = 1.0 if peer in ("InquirerPy", "inquirer", "textual") else None
        yield _ratio(rounds, f"{what}, 10 options, beside {peer}", (TEN, FIRST), (name, FIRST), judged)
    yield _ratio(rounds, f"{what}, 10,000 options, beside 10", (MANY, FIRST), (TEN, FIRST), 1.3)
    yield _ratio(rounds, f"{what}, 300 questions, beside 10 options", (QUESTIONS, FIRST), (TEN, FIRST), 1.3)
    yield _ratio(
        rounds,
        f"{what}, terminal that never answers, beside one that does",
        ("ask: no answers", FIRST),
        (TEN, FIRST),
        1.1,
    )


def _plain(rounds: Rounds) -> Iterator[Row]:
    bare = ("bare python", FIRST)
    yield _ratio(rounds, "first line, plain, beside bare Python", ("ask: plain", FIRST), bare, 5.5)
    modules = rounds.modules.get("ask: plain")
    goal = f"none of {', '.join(sorted(HEAVY))}"
    if modules is None:
        yield Row("modules loaded by then", NOT_MEASURED, "", goal)
        return
    loaded = sorted(HEAVY & modules)
    yield Row("modules loaded by then", f"{len(modules)}", ", ".join(loaded) or "none of them", goal, not loaded)


def _keys(rounds: Rounds) -> Iterator[Row]:
    own, what = (TEN, KEY + MS), "key to last byte"
    yield _ratio(rounds, f"{what}, 10 options, beside the blessed floor", own, (FLOOR, KEY + MS), 2)
    yield _ratio(rounds, "key in time of the processor, the same two", (TEN, KEY + RUN), (FLOOR, KEY + RUN), None)
    for peer in PEERS:
        judged = 0.25 if peer == "questionary" else None
        yield _ratio(rounds, f"{what}, 10 options, beside {peer}", own, (f"{peer}: 10 options", KEY + MS), judged)
    yield _ratio(rounds, f"{what}, 10,000 options (scrolling), beside 10", (MANY, SCROLLING + MS), own, 1.5)
    yield _ratio(rounds, f"{what}, 10,000 options (at the top), beside 10", (MANY, KEY + MS), own, 1.5)
    yield _ratio(rounds, f"{what}, 300 questions, beside 10 options", (QUESTIONS, KEY + MS), own, 1.5)
    yield _ratio(rounds, f"{what}, 300 questions (next tab), beside 10 options", (QUESTIONS, TAB + MS), own, None)
    for kind, program in (("lines", LONG_LINES), ("one line", LONG_LINE)):
        yield _ratio(rounds, f"{what}, text of 100,000 in {kind}, beside 10 options", (program, TYPED + MS), own, 1.5)
    yield _ratio(
        rounds, "50 keys in a burst, 1,000 options, beside one key", (THOUSAND, BURST), (THOUSAND, SCROLLING + MS), 5
    )
    yield _ratio(rounds, "100 keys in a burst, the same", (THOUSAND, LONG_BURST), (THOUSAND, SCROLLING + MS), None)


def _writing(rounds: Rounds) -> Iterator[Row]:
    own_words = "ask: text of 10, lines"
    steps = (
        ("a step of the focus", (TEN, KEY), 150),
        ("a step with scrolling", (MANY, SCROLLING), 700),
        ("a typed character", (own_words, TYPED), 60),
        ("a key that changes nothing", ("ask: nothing changed", NOTHING), 0),
    )
    for what, (program, step), most in steps:
        yield _limit(f"bytes, {what}, at most", rounds.greatest(program, step + BYTES), most, "bytes")
    for what, (program, step), _ in steps:
        writes = 0 if step == NOTHING else 1
        yield _limit(f"writes, {what}, at most", rounds.greatest(program, step + WRITES), writes, "")


def _moments(rounds: Rounds) -> Iterator[Row]:
    yield _limit("paste of 1 MB, one step of undo", rounds.middle("ask: paste of 1 MB", PASTE), 500, "ms")
    yield _limit("20,000 characters at once", rounds.middle("ask: 20,000 characters", FLOOD), 500, "ms")
    yield _limit("a lone Esc, to the redraw", rounds.middle("ask: esc", ESC), 60, "ms")
    yield _limit("idle for 2 s, wake-ups", rounds.greatest("ask: idle", WAKE_UPS), 0, "")
    yield _limit("idle for 2 s, bytes", rounds.greatest("ask: idle", IDLE_BYTES), 0, "bytes")


def _sizes(rounds: Rounds) -> Iterator[Row]:
    imported = ("import ask_core", "import attrs")
    yield _ratio(
        rounds, "import ask_core, beside import attrs", (imported[0], inside.IMPORT), (imported[1], inside.IMPORT), 2
    )
    yield _ratio(
        rounds, "the same, whole processes", (imported[0], inside.PROCESS), (imported[1], inside.PROCESS), None
    )
    yield _ratio(
        rounds, "peak memory, 10 options, beside the blessed floor", (TEN, PEAK), (FLOOR, PEAK), 1.15, unit="MiB"
    )
    ten, many = rounds.middle(TEN, PEAK), rounds.middle(MANY, PEAK)
    more = None if ten is None or many is None else many - ten
    yield _limit("peak memory, 10,000 options, above that of 10", more, 10, "MiB")
    names = [inside.size_name(*size) for size in inside.SIZES]
    names += [inside.text_name(length, kind) for kind in ("lines", "one line") for length in inside.LENGTHS]
    for name in names:
        figure = rounds.middle(name, inside.WHOLE_KEY)
        yield _limit(f"reduce + view + layout + paint, {name}", figure, 1, "ms")


_PARTS: Sequence[Callable[[Rounds], Iterable[Row]]] = (_first_frames, _plain, _keys, _writing, _moments, _sizes)


def _ratio(
    rounds: Rounds, what: str, mine: tuple[str, str], base: tuple[str, str], most: float | None, unit: str = "ms"
) -> Row:
    """A row about a figure beside another one; met where the ratio is at most `most`."""
    ratio, figure, other = rounds.ratio(*mine, *base), rounds.middle(*mine), rounds.middle(*base)
    goal = "reported" if most is None else f"x {most:g}"
    if ratio is None or figure is None or other is None:
        missing = base[0] in rounds.missing or mine[0] in rounds.missing
        return Row(what, "not installed" if missing else NOT_MEASURED, "", goal)
    # What is shown is what is judged.
    ratio = round(ratio, 2)
    return Row(
        what,
        f"{_number(figure)} / {_number(other)} {unit}",
        f"x {ratio:.2f}",
        goal,
        None if most is None else ratio <= most,
    )


def _limit(what: str, figure: float | None, most: float, unit: str) -> Row:
    """A row about a figure by itself; met where it is at most `most`."""
    goal = f"{most:g} {unit}".rstrip()
    if figure is None:
        return Row(what, NOT_MEASURED, "", goal)
    return Row(what, f"{_number(figure)} {unit}".rstrip(), "", goal, round(figure, 2) <= most)


def _number(figure: float) -> str:
    return (
        f"{figure:.0f}"
        if figure >= 100 or figure == int(figure)
        else f"{figure:.1f}"
        if figure >= 10
        else f"{figure:.2f}"
    )
