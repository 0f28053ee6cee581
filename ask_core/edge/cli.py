"""The `ask` command (docs/contract.md): forms in, a result as JSON on standard output, and an exit code.

The screen is never on standard output, and the result goes there only at the end.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import json
import os
import select
import signal
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from ask_core.edge.asking import Asked, Reply, Wishes, conduct, configure, unreadable
from ask_core.edge.options import parse
from ask_core.text.clean import clean_block, clean_line

if TYPE_CHECKING:
    from ask_core.edge.signals import Wake

_BAD_USAGE = 2
_UNWRITTEN = 1
# Exit codes of forms that nobody saw: the details alone would not say to a person what to do now.
_UNASKED = (2, 3)

# Seconds for a reader that takes nothing, once a signal has come; and between two looks for one of a named pipe.
_PATIENCE = 2.0
_PAUSE = 0.05


class _NoForm(Exception):
    """A form that cannot be read."""


class _NoJson(Exception):
    """A form that is no JSON."""


class _GivenUp(Exception):
    """A signal has ended the wait for a reader."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code; bad usage raises SystemExit, as argparse does."""
    with contextlib.ExitStack() as held:
        return _main(arguments, held)


def run() -> NoReturn:
    """Run the command as a process of its own, and end it.

    Signals stay held until the very end, which therefore is not Python's: that would let them in again, and it takes
    long enough for a second one to turn a delivered answer into a failure.
    """
    held = contextlib.ExitStack()
    code = _main(None, held)
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.flush()
    os._exit(code)


def _main(arguments: Sequence[str] | None, held: contextlib.ExitStack) -> int:
    options = parse(arguments)
    try:
        return _run(options, held)
    except KeyboardInterrupt:
        # Before the form is there; from then on it is a key or a signal like others.
        return 128 + signal.SIGINT


def _run(options: argparse.Namespace, held: contextlib.ExitStack) -> int:
    match options.command:
        case "settings":
            return _settings(options, held)
        case "schema":
            from ask_core.tools import tool_schema

            return _printed([json.dumps(tool_schema(options.dialect, options.provider), ensure_ascii=False, indent=2)])
        case "skill":
            from ask_core.guidance import tool_guidance

            guidance = tool_guidance(options.dialect)
            return _printed(guidance.guidelines if options.guidelines else [guidance.skill.removesuffix("\n")])
        case _:
            return _ask(options, held)


def _ask(options: argparse.Namespace, held: contextlib.ExitStack) -> int:
    if why_not := _unusable(options):
        # Nobody answers for nothing.
        _complain(why_not)
        return _BAD_USAGE
    try:
        payload = _payload(options.form)
    except _NoForm as error:
        _complain(f"cannot read {options.form}: {error}")
        return _BAD_USAGE
    except _NoJson as error:
        _complain(f"{options.form}: {error}")
        return _delivered(unreadable(str(error), options.dialect), options, None)
    wake = None
    if options.answers is not None or options.keys is not None:
        scripted = _scripted(payload, options)
        if scripted is None:
            return _BAD_USAGE
        asked = scripted
    else:
        # From here on there is something to say, whatever ends the flow.
        wake = _signals_held(held)
        asked = conduct(payload, options.dialect, _wishes(options), wake=wake)
    _tell(asked)
    if asked.exit_code in _UNASKED and not asked.notices and (options.format == "details" or options.output):
        _explain(asked.reply)
    try:
        return _delivered(asked, options, wake)
    except _GivenUp as error:
        return 128 + error.number


def _delivered(asked: Asked, options: argparse.Namespace, wake: Wake | None) -> int:
    """Hand the result over, and give the exit code. Raises _GivenUp."""
    if options.output in (None, "-"):
        return asked.exit_code if _write(_rendered(asked.reply, options.format), wake) else _undelivered(asked)
    from ask_core.edge.files import FAULTS, is_stream, reason_of, replace_file

    try:
        if is_stream(options.output):
            with _stream(options.output, wake) as fd:
                _deliver(_encoded(_rendered(asked.reply, options.format, seen=os.isatty(fd))), fd, wake)
        else:
            replace_file(options.output, _encoded(_rendered(asked.reply, options.format, seen=False)))
    except FAULTS as error:
        _complain(f"cannot write the result: {reason_of(error)}; here it is")
        _write(_rendered(asked.reply, options.format), wake)
        return asked.exit_code or _UNWRITTEN
    except _GivenUp:
        _complain(f"cannot write the result: nobody reads {options.output}; here it is")
        _write(_rendered(asked.reply, options.format), wake)
        raise
    return asked.exit_code


@contextlib.contextmanager
def _stream(path: str, wake: Wake | None) -> Iterator[int]:
    """The descriptor of a device, or of a pipe as soon as somebody reads it.

    Raises _GivenUp where a signal comes before.
    """
    import selectors

    from ask_core.edge.tty import Selector

    with Selector() as selector:
        if wake is not None:
            selector.register(wake.reader, selectors.EVENT_READ)
        while (fd := _opened(path)) is None:
            selector.select(_PAUSE)
            if wake is not None and (came := wake.take()):
                raise _GivenUp(came[0])
    try:
        yield fd
    finally:
        os.close(fd)


def _opened(path: str) -> int | None:
    """None while nobody reads a pipe; without O_NONBLOCK opening it would wait, and no signal would end that."""
    try:
        return os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError as error:
        if error.errno != errno.ENXIO or not stat.S_ISFIFO(os.stat(path).st_mode):
            raise
        return None


def _unusable(options: argparse.Namespace) -> str | None:
    """Why nothing can come of this, as far as that can be known before a form is read."""
    if options.form == options.answers == "-":
        return "only one of the form and its answers can come from standard input"
    if options.output in (None, "-"):
        return None
    from ask_core.edge.files import why_not_writable

    why_not = why_not_writable(options.output)
    return why_not and f"cannot write {options.output or repr('')}: {why_not}"


def _scripted(payload: object, options: argparse.Namespace) -> Asked | None:
    """What comes of answers or keys that were given beforehand; None where they cannot be read."""
    from ask_core.edge.scripted import UnusableKeys, answered, pressed

    try:
        if options.keys is not None:
            return pressed(payload, options.dialect, options.keys)
        return answered(payload, options.dialect, _parsed(_read(options.answers), strictly=True))
    except UnusableKeys as error:
        _complain(str(error))
    except _NoForm as error:
        _complain(f"cannot read {options.answers}: {error}")
    except _NoJson as error:
        _complain(f"{options.answers}: {error}")
    return None


def _settings(options: argparse.Namespace, held: contextlib.ExitStack) -> int:
    if options.keys or options.path or options.preset or options.imported is not None:
        return _settings_file(options)
    asked = configure(_wishes(options), environ=os.environ, wake=_signals_held(held))
    _tell(asked)
    if asked.reply["details"]["outcome"] == "no_screen":
        _complain("there is no terminal to show the settings in; ask settings --path names their file")
    return asked.exit_code


def _settings_file(options: argparse.Namespace) -> int:
    """What `ask settings` does without a screen."""
    from ask_core.edge.settings_store import SettingsUnreadable, SettingsUnwritable, open_store

    store = open_store(os.environ, options.settings)
    try:
        if options.path and store.path is None:
            _complain("there is no home folder, so there is no settings file")
            return _BAD_USAGE
        if options.path:
            return _printed([store.path or ""])
        if options.keys:
            from ask_core.edge.keys_text import keys_in_words

            settings, notices = store.open(touch=False)
            _warn(notices)
            return _printed(keys_in_words(settings.keymaps))
        if options.imported is not None:
            _warn(store.import_from(options.imported))
        else:
            from ask_core.presets import PRESETS

            _warn(store.replace_keys(PRESETS[options.preset]))
    except SettingsUnreadable as error:
        _complain(f"cannot read {error}")
        return _BAD_USAGE
    except SettingsUnwritable as error:
        _complain(f"cannot store the settings: {error}")
        return _BAD_USAGE
    return _printed([f"Stored in {store.path}"])


def _printed(lines: Iterable[str]) -> int:
    text = "".join(f"{line}\n" for line in lines)
    seen = sys.stdout is not None and sys.stdout.isatty()
    return 0 if _write(clean_block(text) if seen else text, None) else 128 + signal.SIGPIPE


def _warn(notices: Iterable[str]) -> None:
    for notice in notices:
        _complain(notice)


def _tell(asked: Asked) -> None:
    if asked.failure is not None:
        _report(asked.failure)
    _warn(asked.notices)


def _wishes(options: argparse.Namespace) -> Wishes:
    return Wishes(
        renderer=options.renderer,
        settings=options.settings,
        asked_by=getattr(options, "asked_by", None),
        idle_limit=getattr(options, "idle_limit", None),
        tty=options.tty,
        fullscreen=options.fullscreen,
        mouse=options.mouse,
    )


def _signals_held(held: contextlib.ExitStack) -> Wake | None:
    """Have signals only reported until `held` is closed."""
    if sys.platform == "win32":
        return None
    from ask_core.edge.signals import Wake, held_for

    wake = Wake()
    held.callback(wake.close)
    held.enter_context(held_for(wake))
    return wake


def _payload(form: str | None) -> object:
    if form is None:
        from ask_core.edge.demo import FORM

        return FORM
    return _parsed(_read(form))


def _read(form: str) -> bytes:
    try:
        if form != "-":
            with open(form, "rb") as file:
                return file.read()
        if sys.stdin is not None:
            return sys.stdin.buffer.read()
    except (OSError, ValueError) as error:
        raise _NoForm(getattr(error, "strerror", None) or error) from error
    raise _NoForm("standard input is closed")


def _parsed(text: bytes, *, strictly: bool = False) -> Any:
    """The JSON value; `strictly` refuses what names a field twice, of which one would be dropped."""
    try:
        return json.loads(text, object_pairs_hook=_once if strictly else None)
    except UnicodeDecodeError as error:
        raise _NoJson(f"not valid {error.encoding} text at byte {error.start}.") from error
    except ValueError as error:
        raise _NoJson(f"not valid JSON: {error}.") from error
    except RecursionError as error:
        raise _NoJson("nested too deeply.") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} is there twice")
    return fields


def _rendered(reply: Reply, shape: str, *, seen: bool | None = None) -> str:
    # On a terminal a person sees it, so it is made visible (T10); a file or a program gets the text itself.
    seen = sys.stdout is not None and sys.stdout.isatty() if seen is None else seen
    if shape == "text":
        text = "\n".join(str(part["text"]) for part in reply["content"]) + "\n"
        return clean_block(text) if seen else text
    value = reply if shape == "reply" else reply["details"]
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    return _escaped(text) if seen else text


def _escaped(json_text: str) -> str:
    """The same JSON with characters that a terminal might act on, or that nobody can see, as escapes."""
    if clean_block(json_text) == json_text:
        return json_text
    return "".join(character if _is_harmless(character) else json.dumps(character)[1:-1] for character in json_text)


def _is_harmless(character: str) -> bool:
    return character == "\n" or clean_line(f"a{character}") == f"a{character}"


def _write(text: str, wake: Wake | None) -> bool:
    """Print to standard output; whether it took all of it."""
    if sys.stdout is None:
        return False
    data = _encoded(text)
    try:
        sys.stdout.flush()
        fd = _descriptor()
        if fd is None:
            sys.stdout.buffer.write(data)
            sys.stdout.flush()
        else:
            _deliver(data, fd, wake)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            _complain(f"cannot write the result: {error.strerror or error}")
        return False
    return True


def _encoded(text: str) -> bytes:
    # Half a surrogate pair is no UTF-8; as an escape it is what JSON calls it.
    return text.encode("utf-8", "backslashreplace")


def _descriptor() -> int | None:
    """That of standard output, where it has one that can be waited for."""
    try:
        return None if sys.platform == "win32" else sys.stdout.fileno()
    except (OSError, ValueError):
        return None


def _deliver(data: bytes, fd: int, wake: Wake | None) -> None:
    """Write all of it, however slowly it is taken and whether or not the descriptor blocks.

    Raises _GivenUp where a signal comes and nobody takes anything any more.
    """
    import selectors

    from ask_core.edge.tty import Selector

    came: list[int] = []
    left = memoryview(data)
    with Selector() as selector:
        selector.register(fd, selectors.EVENT_WRITE)
        if wake is not None:
            selector.register(wake.reader, selectors.EVENT_READ)
        while left:
            ready = {key.fd for key, _ in selector.select(_PATIENCE if came else None)}
            if not ready:
                raise _GivenUp(came[0])
            if wake is not None and wake.reader in ready:
                came += wake.take()
            if fd in ready:
                with contextlib.suppress(BlockingIOError):
                    # What is ready takes this much without making us wait.
                    left = left[os.write(fd, left[: select.PIPE_BUF]) :]


def _undelivered(asked: Asked) -> int:
    """The exit code where nobody took the result: as if by SIGPIPE, unless it is no success anyway."""
    return asked.exit_code or 128 + signal.SIGPIPE


def _explain(reply: Reply) -> None:
    for part in reply["content"]:
        _say(clean_block(part["text"]))


def _report(failure: BaseException) -> None:
    import traceback

    _say(clean_block("".join(traceback.format_exception(failure.__cause__ or failure)).removesuffix("\n")))


def _complain(message: str) -> None:
    _say(f"ask: {clean_line(message)}")


def _say(text: str) -> None:
    """Tell the person. Where that cannot be done, the result must not be lost by it."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    run()
