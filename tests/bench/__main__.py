"""The command line: measure, and print what came of it."""

from __future__ import annotations

import argparse
import compileall
import json
import sys
from pathlib import Path

from tests.bench import inside, report, whole
from tests.bench.programs import ROOT
from tests.bench.rounds import Rounds

_QUICK = 3


def main() -> int:
    """0 unless a measurement failed; goals that are not met are no failure."""
    options = _options()
    count = _QUICK if options.quick else options.rounds
    rounds = Rounds()
    # To compile is no part of what a person waits for, but once.
    for package in ("ask_command", "ask_core", "ask_render_blessed", "ask_render_plain", "tests/bench/children"):
        compileall.compile_dir(ROOT / package, quiet=2)
    # First of all, while this process has measured nothing yet.
    inside.measure(rounds, count, options.only)
    whole.measure(rounds, count, options.only, peers=options.peers, say=_say)
    sys.stdout.write(report.text(rounds))
    if options.json:
        Path(options.json).write_text(json.dumps(report.data(rounds), indent=1) + "\n", "utf-8")
    return 1 if rounds.failures else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description="Measure what a person waits for, beside programs that do the same without logic.",
    )
    parser.add_argument("--rounds", type=_count, default=15, metavar="N", help="rounds (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help=f"{_QUICK} rounds, for a look while working")
    parser.add_argument("--peers", action="store_true", help="also other libraries, where installed; takes longer")
    parser.add_argument(
        "--only",
        default=["*"],
        nargs="+",
        metavar="PATTERN",
        help="only programs whose name matches one of these, such as 'ask: 10*', 'imports' or 'in process'",
    )
    parser.add_argument("--json", metavar="FILE", help="write all figures to this file as well")
    return parser.parse_args()


def _count(text: str) -> int:
    if (count := int(text)) < 1:
        raise argparse.ArgumentTypeError("at least one round")
    return count


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    raise SystemExit(main())
