"""Whole processes, in turn, round after round."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench.programs import FIRST, RUN, START, Program, environ, is_there, programs
from tests.bench.rounds import Failure, Rounds, matches
from tests.bench.session import Session, WrongScreenError

SLOW_ROUNDS = 5

_IMPORTED = re.compile(r"^import time:.*\|\s*([\w.]+)$", re.MULTILINE)


def measure(rounds: Rounds, count: int, only: Sequence[str], *, peers: bool, say: Callable[[str], None]) -> None:
    """Run all programs whose name matches one of `only` in turn, `count` times; `say` is told how far it is."""
    with tempfile.TemporaryDirectory(prefix="ask-bench-") as name:
        folder = Path(name)
        chosen = []
        for program in programs(folder, peers=peers, slow_rounds=min(count, SLOW_ROUNDS)):
            if not matches(program.name, only):
                continue
            if is_there(program):
                chosen.append(program)
            else:
                rounds.missing.append(program.name)
        for number in range(count):
            say(f"round {number + 1} of {count}")
            for program in chosen:
                if program.rounds is None or number < program.rounds:
                    _run(rounds, number, program, folder)
        for program in chosen:
            if program.name in ("ask: 10 options", "ask: plain"):
                _modules(rounds, program, folder)


def _run(rounds: Rounds, number: int, program: Program, folder: Path) -> None:
    def record(what: str, figure: float) -> None:
        rounds.add(number, program.name, what, figure)

    try:
        with Session(program.argv, environ(folder), answering=program.answering) as session:
            record(FIRST, session.first(program.first).right * 1000)
            if not program.ends:
                record(START + RUN, session.processor_time() * 1000)
            program.play(session, record)
    except WrongScreenError as error:
        rounds.failures.append(Failure(number, program.name, str(error)))


def _modules(rounds: Rounds, program: Program, folder: Path) -> None:
    """What the program has imported when its first screen is there, as the interpreter itself tells."""
    told = folder / "imports"
    python, *arguments = program.argv
    shell = ["sh", "-c", 'exec "$@" 2>"$0"', str(told), python, "-X", "importtime", *arguments]
    try:
        with Session(shell, environ(folder)) as session:
            session.first(program.first)
            rounds.modules[program.name] = set(_IMPORTED.findall(told.read_text()))
    except WrongScreenError as error:
        rounds.failures.append(Failure(0, program.name, f"with its imports listed: {error}"))
