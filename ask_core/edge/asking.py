"""Asking a person, from a payload to a reply: what the command and the Python functions have in common."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import evolve

from ask_core.dialects import AUTO, NAMES, content, details, load_form
from ask_core.edge import renderers
from ask_core.errors import InvalidPayload, Issue
from ask_core.events import Abort, SettingsChanged
from ask_core.questions import Form
from ask_core.reduce import reduce
from ask_core.result import Result, result_of, unasked
from ask_core.settings import Settings
from ask_core.state import State, start, start_settings

if TYPE_CHECKING:
    import asyncio

    from ask_core.edge.flow import Ended, FlowFailed
    from ask_core.edge.settings_store import SettingsStore
    from ask_core.edge.signals import Wake
    from ask_core.edge.tty import Terminal

Reply = dict[str, Any]

_EXIT_CODES = {
    "submitted": 0,
    "elaborated": 0,
    "invalid_input": 2,
    "no_screen": 3,
    "timed_out": 4,
    "cancelled": 130,
}
_FAULT = 1


class Asked(NamedTuple):
    """What came of asking.

    `exit_code` is the command's (docs/contract.md). `signals` are those that came to end the process and have only
    ended the flow so far. `failure` is set where the flow broke; `reply` then holds what was answered until then.
    `notices` are for the person, where there is no screen to show them on any more.
    """

    reply: Reply
    exit_code: int
    signals: tuple[int, ...] = ()
    failure: FlowFailed | None = None
    notices: tuple[str, ...] = ()


class Wishes(NamedTuple):
    """What can be said about how to ask: the keywords of `ask_user`, the options of the command."""

    renderer: str = renderers.AUTO
    settings: Settings | str | os.PathLike[str] | None = None
    asked_by: str | None = None
    cwd: str | os.PathLike[str] | None = None
    idle_limit: float | None = None
    tty: str | bytes | os.PathLike[str] | None = None
    fullscreen: bool = False
    mouse: bool = True

    def checked(self) -> Wishes:
        """The same with paths as texts. Raises UnknownRenderer, and TypeError or ValueError for what means nothing."""
        renderers.check(self.renderer)
        if self.asked_by is not None and not isinstance(self.asked_by, str):
            raise TypeError(f"asked_by must be a text, not {type(self.asked_by).__name__}")
        limit = self.idle_limit
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int | float)):
            raise TypeError(f"idle_limit must be a number of seconds, not {type(limit).__name__}")
        if limit is not None and not limit > 0:
            raise ValueError("idle_limit must be above 0 seconds")
        settings = self.settings if isinstance(self.settings, Settings) else _path("settings", self.settings)
        return self._replace(settings=settings, cwd=_path("cwd", self.cwd), tty=_path("tty", self.tty))


def ask_user(
    payload: object,
    dialect: str = "contract",
    *,
    renderer: str = renderers.AUTO,
    settings: Settings | str | os.PathLike[str] | None = None,
    asked_by: str | None = None,
    cwd: str | os.PathLike[str] | None = None,
    idle_limit: float | None = None,
    tty: str | bytes | os.PathLike[str] | None = None,
    fullscreen: bool = False,
    mouse: bool = True,
) -> Reply:
    """Ask the person at the terminal and wait for the answer.

    Returns `{"content": [{"type": "text", "text": ...}], "details": {...}}`, with details in the shape of the dialect;
    a bad payload and a missing terminal are such replies too (contract, "What comes out"). The terminal is `tty`, else
    ASK_TTY, else the controlling one. It reports the mouse where it can, unless `mouse` is False. While another flow of
    this process is open, this one waits for its turn; the screen says who asks, if `asked_by` does.

    `settings` are those in effect, or the path of the file that holds them; else they are the person's own, which the
    flow may change and store (docs/settings.md). After `idle_limit` seconds without any key the flow ends as
    `timed_out`, with what was given until then as far as its dialect reports that.

    In the main thread a signal that would end the process ends the flow, and then has the effect it has on this process
    anyway. Raises UnknownDialect and UnknownRenderer, and FlowFailed where the flow broke.
    """
    wishes = Wishes(renderer, settings, asked_by, cwd, idle_limit, tty, fullscreen, mouse)
    asked = conduct(payload, dialect, wishes)
    for number in dict.fromkeys(asked.signals):
        signal.raise_signal(number)
    if asked.failure is not None:
        raise asked.failure
    return asked.reply


async def ask_user_async(
    payload: object,
    dialect: str = "contract",
    *,
    renderer: str = renderers.AUTO,
    settings: Settings | str | os.PathLike[str] | None = None,
    asked_by: str | None = None,
    cwd: str | os.PathLike[str] | None = None,
    idle_limit: float | None = None,
    tty: str | bytes | os.PathLike[str] | None = None,
    fullscreen: bool = False,
    mouse: bool = True,
) -> Reply:
    """`ask_user` for a program with an event loop, which goes on running; the flow has a thread of its own.

    Cancelling the task ends the flow and restores the terminal before CancelledError goes on. Signals stay the
    host's; a change of the window's size is followed where the host does not watch for it itself.
    """
    import asyncio
    from concurrent.futures import ThreadPoolExecutor
    from contextvars import copy_context

    from ask_core.edge import turns
    from ask_core.edge.signals import Wake

    wishes = Wishes(renderer, settings, asked_by, cwd, idle_limit, tty, fullscreen, mouse)
    wake = Wake()
    # Here and not in the thread: the order is that of the calls.
    turns.queue(wake)

    def work() -> Asked:
        try:
            return conduct(payload, dialect, wishes, wake=wake)
        finally:
            turns.step_out(wake)
            wake.close()

    # Not the pool of the event loop: a flow lasts as long as a person takes, and those that wait would fill it.
    own = ThreadPoolExecutor(1, "ask")
    try:
        working = asyncio.get_running_loop().run_in_executor(own, copy_context().run, work)
    except RuntimeError:
        # There is no thread to be had, so nobody else would leave the line.
        turns.step_out(wake)
        wake.close()
        raise
    own.shutdown(wait=False)
    try:
        with _window_changes_to(wake, asyncio.get_running_loop()):
            asked = await asyncio.shield(working)
    except asyncio.CancelledError:
        wake.abort("the host cancelled it")
        # However often it is cancelled meanwhile: the terminal is restored before anything else goes on.
        while not working.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait({working})
        working.exception()
        raise
    finally:
        wake.abort("the host has gone on")
    if asked.failure is not None:
        raise asked.failure
    return asked.reply


def conduct(
    payload: object,
    dialect: str = "contract",
    wishes: Wishes | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    wake: Wake | None = None,
) -> Asked:
    """Ask, and say in what way it ended. `wake` lets another thread end the flow; it stays the caller's.

    Raises UnknownDialect and UnknownRenderer, and TypeError and ValueError for wishes that mean nothing.
    """
    wishes = (wishes or Wishes()).checked()
    try:
        form = load_form(payload, dialect)
    except InvalidPayload as error:
        return refused(error.dialect, error.issues)
    return _show(form, wishes, os.environ if environ is None else environ, wake)


def configure(wishes: Wishes, *, environ: Mapping[str, str], wake: Wake | None = None) -> Asked:
    """Show the settings by themselves until they are closed, which counts as submitted. Raises UnknownRenderer."""
    return _show(None, wishes.checked(), environ, wake)


def _show(form: Form | None, wishes: Wishes, environ: Mapping[str, str], wake: Wake | None) -> Asked:
    """Ask the questions of a form, or show the settings where there is none."""
    asked = form or Form("contract", ())
    if sys.platform == "win32":
        return _no_screen(asked, "terminals of this system are not supported yet")

    from ask_core.edge.flow import FlowFailed
    from ask_core.edge.signals import Wake
    from ask_core.edge.tty import NoTerminal, open_terminal
    from ask_core.edge.turns import turn

    with contextlib.ExitStack() as stack:
        if wake is None:
            wake = Wake()
            stack.callback(wake.close)
        try:
            stack.enter_context(turn(wake))
            if wake.reason is not None:
                return asked_of(evolve(unasked(asked, "aborted"), reason=wake.reason))
            assert wishes.tty is None or isinstance(wishes.tty, str)
            terminal = open_terminal(wishes.tty, environ=environ, fullscreen=wishes.fullscreen)
        except NoTerminal as error:
            return _no_screen(asked, error.reason)
        stack.callback(terminal.close)
        store, settings, notices = _opened(wishes.settings, environ)
        path = None if store is None else store.path or ""
        if form is None:
            state = start_settings(settings, path=path, notices=notices)
        else:
            state = start(form, settings, path=path, notices=notices, asked_by=wishes.asked_by)
        try:
            ended = _drive(state, terminal, store, wishes, environ, wake)
        except renderers.CannotDraw as error:
            return _no_screen(asked, str(error))
        except FlowFailed as error:
            return _failed(error)
    came_of_it = asked_of(result_of(ended.state), ended.by, ended.signals)
    if ended.unsaved is None:
        return came_of_it
    return came_of_it._replace(notices=(f"the settings are not saved: {ended.unsaved}",))


def _drive(
    state: State,
    terminal: Terminal,
    store: SettingsStore | None,
    wishes: Wishes,
    environ: Mapping[str, str],
    wake: Wake,
) -> Ended:
    """Run the flow with the renderer that is wished for, or that the settings and the terminal call for."""
    from ask_core.edge.flow import Surroundings
    from ask_core.edge.pointer import wanted

    display = state.settings.display
    mouse = wishes.mouse and wanted(environ)
    around = Surroundings(environ, str(wishes.cwd or os.curdir), store, mouse, wishes.idle_limit)
    name = renderers.choose(wishes.renderer, display.renderer, environ)
    make = functools.partial(
        renderers.create, fd=terminal.fd, environ=environ, fullscreen=wishes.fullscreen, theme=display.theme
    )
    try:
        renderer = make(name)
    except renderers.CannotDraw as error:
        if wishes.renderer != renderers.AUTO:
            raise
        # Only the settings want it.
        fault = f"display.renderer: {error}"
        state = reduce(state, SettingsChanged(state.settings, (*state.origin.notices, fault)))
        renderer = make(renderers.choose(renderers.AUTO, renderers.AUTO, environ))
    if isinstance(renderer, renderers.LineRenderer):
        from ask_core.edge.line_driver import drive_lines

        return drive_lines(state, terminal, renderer, wake, around)
    from ask_core.edge.driver import drive

    terminal.mouse = mouse and display.mouse
    return drive(state, terminal, renderer, wake, around)


def _opened(
    settings: Settings | str | os.PathLike[str] | None, environ: Mapping[str, str]
) -> tuple[SettingsStore | None, Settings, tuple[str, ...]]:
    """The settings in effect, what is wrong with them, and the store of those that come from a file."""
    if isinstance(settings, Settings):
        return None, settings, ()
    from ask_core.edge.settings_store import open_store

    store = open_store(environ, None if settings is None else str(settings))
    in_effect, notices = store.open()
    try:
        renderers.check(in_effect.display.renderer)
    except renderers.UnknownRenderer as error:
        # It was installed once, or is elsewhere; the person is asked all the same.
        in_effect = evolve(in_effect, display=in_effect.display._replace(renderer=renderers.AUTO))
        notices = (*notices, f"display.renderer: {error}")
    return store, in_effect, notices


def _path(name: str, value: str | bytes | os.PathLike[str] | None) -> str | None:
    try:
        return None if value is None else os.fsdecode(value)
    except TypeError:
        wanted = "Settings or a path" if name == "settings" else "a path"
        raise TypeError(f"{name} must be {wanted}, not {type(value).__name__}") from None


def unreadable(message: str, dialect: str) -> Asked:
    """What is to be said about a payload that is no JSON at all, and so has no shape either."""
    return refused(NAMES[0] if dialect == AUTO else dialect, (Issue("payload", message),))


def _no_screen(form: Form, reason: str) -> Asked:
    return asked_of(evolve(unasked(form, "no_screen"), reason=reason))


def _failed(error: FlowFailed) -> Asked:
    """The answers of a broken flow; where the core itself broke, ending it properly may fail as well."""
    state: State = error.state
    with contextlib.suppress(Exception):
        state = reduce(state, Abort("ask itself failed"))
    return Asked(_reply(result_of(state)), _FAULT, failure=error)


def refused(dialect: str, issues: tuple[Issue, ...]) -> Asked:
    """What is to be said about a payload that cannot be asked."""
    return asked_of(unasked(Form(dialect, ()), "invalid_input", issues))


def asked_of(result: Result, by: int | None = None, signals: tuple[int, ...] = ()) -> Asked:
    """What came of a flow that ended like this; `by` is the signal that ended it."""
    code = _FAULT if result.outcome is None else _EXIT_CODES.get(result.outcome, _FAULT)
    return Asked(_reply(result), code if by is None else 128 + by, signals)


def _reply(result: Result) -> Reply:
    return {"content": [{"type": "text", "text": content(result)}], "details": details(result)}


@contextlib.contextmanager
def _window_changes_to(wake: Wake, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Report resizes and continuations to `wake`, as far as nobody in the host handles them."""
    free: list[signal.Signals] = []
    if threading.current_thread() is threading.main_thread():
        numbers = (signal.SIGWINCH, signal.SIGCONT)
        free = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in free:
        loop.add_signal_handler(number, wake.poke, number)
    try:
        yield
    finally:
        for number in free:
            loop.remove_signal_handler(number)
