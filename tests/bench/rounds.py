"""What was measured, round by round, and what can be said about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fnmatch import fnmatch
from statistics import median
from typing import NamedTuple


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Whether what is called `name` is to be measured."""
    return any(fnmatch(name, pattern) for pattern in patterns)


class Failure(NamedTuple):
    """A measurement that failed, and so is in no figure."""

    round: int
    program: str
    why: str


class Rounds:
    """Figures by program and by what was measured, one a round."""

    def __init__(self) -> None:
        self.failures: list[Failure] = []
        self.missing: list[str] = []  # programs that are not installed
        self.modules: dict[
            str, set[str]
        ] = {}  # by program: what it had imported when its first line or frame was there
        self._figures: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)

    def add(self, number: int, program: str, what: str, figure: float) -> None:
        """Keep the figure of one round."""
        self._figures[program, what][number] = figure

    def figures(self) -> Iterable[tuple[str, str, dict[int, float]]]:
        """All there is: program, what was measured, and the figures by round."""
        return ((program, what, figures) for (program, what), figures in self._figures.items())

    def middle(self, program: str, what: str) -> float | None:
        """The median of all rounds; None where there is none."""
        figures = self._figures.get((program, what))
        return median(figures.values()) if figures else None

    def greatest(self, program: str, what: str) -> float | None:
        """The greatest of all rounds; None where there is none."""
        figures = self._figures.get((program, what))
        return max(figures.values()) if figures else None

    def ratio(self, program: str, what: str, base: str, base_what: str | None = None) -> float | None:
        """The median of the ratios of the rounds in which both were measured; None where there is no such round."""
        mine = self._figures.get((program, what), {})
        other = self._figures.get((base, base_what or what), {})
        ratios = [mine[number] / other[number] for number in mine if other.get(number)]
        return median(ratios) if ratios else None
