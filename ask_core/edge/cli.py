"""The `ask` command (docs/contract.md): forms in, a result as JSON on standard output, and an exit code.

The screen is never on standard output, and the result goes there only at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from ask_core.dialects import NAMES as DIALECTS
from ask_core.edge import renderers
from ask_core.edge.asking import Asked, Reply, conduct, unreadable

_BAD_USAGE = 2
_FORMATS = ("details", "reply", "text")

_EPILOG = """\
exit codes:
  0      submitted, or elaboration asked for
  1      a fault of ask itself
  2      bad usage or an invalid form
  3      no terminal to ask in
  130    cancelled by the person
  128+n  ended by signal n
"""


class _NoForm(Exception):
    """A form that cannot be read."""


class _NoJson(Exception):
    """A form that is no JSON."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code; bad usage raises SystemExit, as argparse does."""
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except KeyboardInterrupt:
        # Before the flow or after it; during the flow it is a key or a signal like others.
        return 128 + signal.SIGINT


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ask",
        description="Ask a person structured questions in the terminal and print the answers as JSON.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    # The version is a name of the package as a whole, which no layer of it may import (import-linter, "layers").
    version = import_module("ask_core").__version__
    parser.add_argument("--version", action="version", version=f"ask {version}")
    commands = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    common = _common_options()
    run = commands.add_parser(
        "run",
        parents=[common],
        help="ask the questions of a form",
        description="Ask the questions of a form and print the result. Everything is shown on the terminal itself, "
        "so standard output can go to a file or another program.",
    )
    run.add_argument(
        "form",
        metavar="FORM",
        help="a JSON file with the questions, or - for standard input; typed at a terminal, it ends with Ctrl-D",
    )
    run.add_argument("--dialect", choices=DIALECTS, default=DIALECTS[0], help="how the form is written")
    demo = commands.add_parser(
        "demo", parents=[common], help="try it with an example", description="Ask the questions of an example form."
    )
    demo.set_defaults(form=None, dialect=DIALECTS[0])
    return parser


def _common_options() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--format",
        choices=_FORMATS,
        default=_FORMATS[0],
        help="what to print: the structured result, all of the reply, or its text (default: %(default)s)",
    )
    common.add_argument(
        "--renderer", choices=(renderers.AUTO, *renderers.NAMES), default=renderers.AUTO, help="what draws the screen"
    )
    common.add_argument("--tty", metavar="PATH", help="the terminal to ask in, instead of ASK_TTY or this one")
    common.add_argument("--fullscreen", action="store_true", help="use the whole screen, and give it back at the end")
    return common


def _run(options: argparse.Namespace) -> int:
    try:
        asked = conduct(
            _payload(options.form),
            options.dialect,
            renderer=options.renderer,
            tty=options.tty,
            fullscreen=options.fullscreen,
        )
    except _NoForm as error:
        _complain(f"cannot read {options.form}: {error}")
        return _BAD_USAGE
    except _NoJson as error:
        _complain(f"{options.form}: {error}")
        asked = unreadable(str(error), options.dialect)
    if asked.failure is not None:
        _report(asked.failure)
    return asked.exit_code if _write(_rendered(asked.reply, options.format)) else _undelivered(asked)


def _payload(form: str | None) -> object:
    if form is None:
        from ask_core.edge.demo import FORM

        return FORM
    return _parsed(_read(form))


def _read(form: str) -> bytes:
    try:
        if form != "-":
            return Path(form).read_bytes()
        if sys.stdin is not None:
            return sys.stdin.buffer.read()
    except (OSError, ValueError) as error:
        raise _NoForm(getattr(error, "strerror", None) or error) from error
    raise _NoForm("standard input is closed")


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except UnicodeDecodeError as error:
        raise _NoJson(f"not valid {error.encoding} text at byte {error.start}.") from error
    except ValueError as error:
        raise _NoJson(f"not valid JSON: {error}.") from error
    except RecursionError as error:
        raise _NoJson("nested too deeply.") from error


def _rendered(reply: Reply, shape: str) -> str:
    if shape == "text":
        return "\n".join(str(part["text"]) for part in reply["content"]) + "\n"
    value = reply if shape == "reply" else reply["details"]
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _write(text: str) -> bool:
    """Print to standard output; whether it took all of it."""
    if sys.stdout is None:
        return False
    try:
        # Half a surrogate pair is no UTF-8; as an escape it is what JSON calls it.
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    except OSError as error:
        # What is still buffered would fail once more when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            _complain(f"cannot write the result: {error.strerror or error}")
        return False
    return True


def _undelivered(asked: Asked) -> int:
    """The exit code where nobody took the result: as if by SIGPIPE, unless it is no success anyway."""
    return asked.exit_code or 128 + signal.SIGPIPE


def _report(failure: BaseException) -> None:
    import traceback

    if sys.stderr is not None:
        traceback.print_exception(failure.__cause__ or failure)


def _complain(message: str) -> None:
    if sys.stderr is not None:
        print(f"ask: {message}", file=sys.stderr)  # noqa: T201 - messages of a command belong there


if __name__ == "__main__":
    sys.exit(main())
