"""The options of the `ask` command. Of its commands only the one that is called is described in full (T9)."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NoReturn

from ask_core.dialects import AUTO, NAMES
from ask_core.edge import renderers
from ask_core.text.clean import clean_line

_FORMATS = ("details", "reply", "text")

_EPILOG = """\
exit codes:
  0      submitted, or elaboration asked for
  1      a fault of ask itself
  2      bad usage or an invalid form
  3      no terminal to ask in
  4      nobody did anything for as long as --idle-limit allows
  130    cancelled by the person
  128+n  ended by signal n
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        super().error(clean_line(message))


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options in `arguments`, those of the process if None; bad usage raises SystemExit, as argparse does."""
    given = sys.argv[1:] if arguments is None else arguments
    parser = _Parser(
        prog="ask",
        description="Ask a person structured questions in the terminal and print the answers as JSON.",
        epilog=_EPILOG,
        formatter_class=_of_any_width,
    )
    # The version is a name of the package as a whole, which no layer of it may import (import-linter, "layers").
    version = import_module("ask_core").__version__
    parser.add_argument("--version", action="version", version=f"ask {version}")
    # With its name given, it needs no formatter to find it out.
    commands = parser.add_subparsers(prog="ask", title="commands", dest="command", required=True, metavar="COMMAND")
    called = given[0] if given and given[0] in _COMMANDS else None
    for name, (summary, describe) in _COMMANDS.items():
        if called in (None, name):
            command = commands.add_parser(name, help=summary, formatter_class=_of_any_width)
            describe(command)
            command.formatter_class = argparse.HelpFormatter
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    return parser.parse_args(given)


def _of_any_width(prog: str) -> argparse.HelpFormatter:
    """What argparse checks every new option with. To ask for the terminal's width it would import shutil (T9)."""
    return argparse.HelpFormatter(prog, width=80)


def _run(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Ask the questions of a form and print the result. Everything is shown on the terminal itself, so standard "
        "output can go to a file or another program."
    )
    _add_display(parser)
    _add_common(parser)
    parser.add_argument(
        "form",
        metavar="FORM",
        help="a JSON file with the questions, or - for standard input; typed at a terminal, it ends with Ctrl-D",
    )
    parser.add_argument(
        "--dialect",
        choices=(*NAMES, AUTO),
        default=NAMES[0],
        help=f"how the form is written; {AUTO} finds out by its fields (default: %(default)s)",
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--answers", metavar="FILE", help="answer with this JSON file (or - for standard input) instead of asking"
    )
    instead.add_argument(
        "--keys", help="press these keys instead of asking, such as 'down enter text:\"own words\" enter'"
    )


def _demo(parser: argparse.ArgumentParser) -> None:
    parser.description = "Ask the questions of an example form."
    _add_display(parser)
    _add_common(parser)
    parser.set_defaults(form=None, dialect=NAMES[0], answers=None, keys=None)


def _schema(parser: argparse.ArgumentParser) -> None:
    parser.description = "Print the definition of the tool, as JSON in the form that a model's API takes."
    _add_tool_dialect(parser)
    parser.add_argument(
        "--for",
        dest="provider",
        metavar="PROVIDER",
        type=_provider,
        default="anthropic",
        help="whose form: anthropic (the default), openai (chat completions), openai-responses or mcp",
    )


def _skill(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print advice for a model that has the tool, as a Markdown document: when to ask, how to ask well, what to do "
        "with the answers."
    )
    _add_tool_dialect(parser)
    parser.add_argument("--guidelines", action="store_true", help="print only the lines for a system prompt")


def _settings(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Change the settings on the terminal; each change is stored at once. The options print something or change the "
        "file instead, and need no terminal."
    )
    _add_display(parser)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--keys", action="store_true", help="print every key and its name in the settings file")
    instead.add_argument("--path", action="store_true", help="print the absolute path of the settings file")
    instead.add_argument("--preset", choices=("default", "vi"), help="use ready-made keys")
    instead.add_argument(
        "--import", dest="imported", metavar="FILE", help="take the settings of another file over, also one of pi-ask"
    )


_COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "run": ("ask the questions of a form", _run),
    "demo": ("try it with an example", _demo),
    "schema": ("print the tool's definition for a model", _schema),
    "skill": ("print advice for a model: when and how to ask", _skill),
    "settings": ("change how ask behaves, and see its keys", _settings),
}


def _add_display(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--renderer",
        metavar="NAME",
        type=_renderer,
        default=renderers.AUTO,
        help="what shows it: blessed, plain (line by line), an installed one, or auto, by settings and terminal",
    )
    parser.add_argument("--tty", metavar="PATH", help="the terminal to ask in, instead of ASK_TTY or this one")
    parser.add_argument("--fullscreen", action="store_true", help="use the whole screen, and give it back at the end")
    parser.add_argument(
        "--no-mouse", dest="mouse", action="store_false", help="leave the mouse to the terminal, for selecting text"
    )
    parser.add_argument("--settings", metavar="FILE", help="the settings file, instead of ASK_SETTINGS or your own")


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        default=_FORMATS[0],
        help="what to print: the structured result, all of the reply, or its text (default: %(default)s)",
    )
    parser.add_argument("--output", metavar="FILE", help="write the result to this file, whole or not at all")
    parser.add_argument("--asked-by", metavar="NAME", help="who asks, to be shown")
    parser.add_argument(
        "--idle-limit", metavar="SECONDS", type=_seconds, help="give up after so long without any key (default: never)"
    )


def _add_tool_dialect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dialect", choices=NAMES, default=NAMES[0], help="how forms are written (default: %(default)s)"
    )


def _renderer(name: str) -> str:
    try:
        renderers.check(name)
    except renderers.UnknownRenderer as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return name


def _provider(name: str) -> str:
    from ask_core.tools import PROVIDERS

    if name not in PROVIDERS:
        raise argparse.ArgumentTypeError(f"there is no provider {name!r}; there are: {', '.join(PROVIDERS)}")
    return name


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 < (seconds := float(text)) < float("inf"):
            return seconds
    raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
