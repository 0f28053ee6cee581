"""The tables as text, and all of it as JSON."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from statistics import median
from typing import Any

from tests.bench.goals import NOT_MEASURED, rows
from tests.bench.rounds import Rounds

_MET = {True: "met", False: "NOT MET", None: ""}


def text(rounds: Rounds) -> str:
    """The goals, then every figure, then what failed or is not there."""
    judged = rows(rounds)
    measured = [row for row in judged if row.figure != NOT_MEASURED]
    goals = [(row.what, row.figure, row.ratio, row.goal, _MET[row.met]) for row in measured]
    left_out = len(judged) - len(measured)
    figures = [
        (program, what, *(f"{figure:.3g}" for figure in _spread(values)), str(len(values)))
        for program, what, values in rounds.figures()
    ]
    parts = [
        _table(("what", "figure", "ratio", "goal", ""), goals),
        *([f"{left_out} more were not measured in this run.\n"] if left_out else []),
        _table(("program", "figure", "median", "least", "most", "rounds"), figures),
        *(f"not installed: {program}" for program in rounds.missing),
        *(f"FAILED, round {number + 1}, {program}: {why}" for number, program, why in rounds.failures),
    ]
    return "\n".join(parts) + "\n"


def data(rounds: Rounds) -> dict[str, Any]:
    """The same as JSON: goals, figures by program with all their rounds, modules, failures."""
    by_program: dict[str, dict[str, Any]] = {}
    for program, what, values in rounds.figures():
        middle, least, most = _spread(values)
        by_program.setdefault(program, {})[what] = {
            "median": middle,
            "least": least,
            "most": most,
            "rounds": {str(number + 1): figure for number, figure in values.items()},
        }
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "goals": [row._asdict() for row in rows(rounds)],
        "figures": by_program,
        "modules": {program: sorted(modules) for program, modules in rounds.modules.items()},
        "not_installed": rounds.missing,
        "failures": [failure._asdict() for failure in rounds.failures],
    }


def _spread(values: dict[int, float]) -> tuple[float, float, float]:
    return median(values.values()), min(values.values()), max(values.values())


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table with its columns under each other."""
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    made = [heads, ["-" * width for width in widths], *lines]
    return "\n".join(f"| {' | '.join(map(str.ljust, line, widths))} |" for line in made) + "\n"
