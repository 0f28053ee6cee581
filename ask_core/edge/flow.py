"""What every loop between a person and the core has in common: events in, effects out, signals, settings, time.

A loop sleeps until something comes, takes it in, and shows what came of it. This is the only place where time enters.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ask_core.edge.signals import ENDING, Wake, reported_to
from ask_core.edge.tty import Terminal
from ask_core.effects import Effect, SaveSettings
from ask_core.errors import AskError
from ask_core.events import Abort, Countdown, Event, SettingsNotSaved, SettingsSaved, TimedOut
from ask_core.reduce import reduce
from ask_core.state import State

if TYPE_CHECKING:
    from ask_core.edge.notifications import Notifier
    from ask_core.edge.settings_store import SettingsStore

# Seconds before the idle limit from which on the person is told how many are left (R5).
COUNTDOWN = 20

# Seconds that are slept at most while an idle limit is set: selectors refuse to sleep for some weeks.
_LONGEST_SLEEP = 86_400.0

_STOP_TAKES_EFFECT = 0.05


class FlowFailed(AskError):
    """The flow broke through a fault of ours or of the renderer; the terminal is restored.

    `state` is the last good one, so that answers are not lost; the fault itself is the `__cause__`.
    """

    def __init__(self, state: State) -> None:
        super().__init__("the flow broke; the answers given until then are kept")
        self.state = state


class Ended(NamedTuple):
    """How a flow came to its end.

    `by` is the signal that ended it (SIGHUP also where the terminal went away), None where it was none. `signals` are
    all ending signals that came, also later ones, in their order; none of them has had any other effect. `unsaved`
    says why the last change of a setting could not be stored, where nobody has seen that yet.
    """

    state: State
    by: int | None
    signals: tuple[int, ...]
    unsaved: str | None = None


class Surroundings(NamedTuple):
    """What a flow may use besides its terminal.

    `folder` is where file references are looked for. `store` keeps the settings; without one, changes last as long as
    the flow. `mouse`: the settings may have the terminal report it. `idle_limit` is in seconds, None for no limit;
    `clock` tells them.
    """

    environ: Mapping[str, str]
    folder: str = os.curdir
    store: SettingsStore | None = None
    mouse: bool = False
    idle_limit: float | None = None
    clock: Callable[[], float] = time.monotonic


class Flow(ABC):
    """One flow on one terminal. A subclass shows the state and turns what comes in into events."""

    def __init__(self, state: State, terminal: Terminal, wake: Wake, around: Surroundings) -> None:
        self.state = state
        self.by: int | None = None
        self.signals: list[int] = []
        self._terminal = terminal
        self._wake = wake
        self._around = around
        self._notifier: Notifier | None = None
        self._stop = False
        self._continued = False
        self._deadline: float | None = None
        self._restart_idle_limit()

    @abstractmethod
    def run(self) -> None:
        """Go on until the flow has ended."""

    @abstractmethod
    def clear(self) -> None:
        """Take a broken screen away, as far as that is still possible."""

    def drive(self) -> Ended:
        """Run to the end, and put everything back. Raises FlowFailed."""
        unread: list[int] = []
        with reported_to(self._wake, unread):
            try:
                self.run()
            except (Exception, SystemExit) as error:
                # A renderer that leaves the process would leave it without the answers.
                self.clear()
                raise FlowFailed(self.state) from error
            finally:
                # The terminal first: nobody waits for what runs beside.
                self._terminal.leave()
                self.close()
        return Ended(self.state, self.by, (*self.signals, *unread), self._unsaved())

    def close(self) -> None:
        """Stop what runs beside the loop."""
        if self._notifier is not None:
            self._notifier.close()
        if self._around.store is not None:
            self._around.store.close()

    def _unsaved(self) -> str | None:
        """Why the last change of a setting could not be stored, where that came out too late to be shown."""
        reason = None
        for event in self._wake.posted():
            if isinstance(event, SettingsNotSaved | SettingsSaved):
                reason = event.reason if isinstance(event, SettingsNotSaved) else None
        return reason

    def _begin(self) -> None:
        """What has waited for the first screen to be there."""
        if self._around.store is not None:
            self._around.store.create(self._wake.post)
        notifications = self.state.settings.notifications
        if notifications.enabled and self.state.form.questions and not self.state.finished:
            from ask_core.edge.notifications import Notifier, announcement

            about = announcement(self.state.form)
            self._notifier = Notifier(notifications.channels, about, self._around.environ, self._send, self._wake.call)
            self._notifier.start()

    def _heed(self) -> None:
        """Take in what signals, other threads and the host have to say."""
        for number in self._wake.take():
            if number == signal.SIGTSTP:
                self._stop = True
            elif number == signal.SIGCONT:
                self._continued = True
            elif number in ENDING:
                self._ending_signal(number)
        for event in self._wake.posted():
            self._reduce(event)
        for call in self._wake.calls():
            call()
        if self._wake.reason is not None:
            self._reduce(Abort(self._wake.reason))

    def _ending_signal(self, number: int) -> None:
        self.signals.append(number)
        self._end_by(number, f"ended by {signal.Signals(number).name}")

    def _end_by(self, number: int, reason: str) -> None:
        if not self.state.finished:
            self.by = number
            self._reduce(Abort(reason))

    def _look_at_settings(self) -> None:
        """Take in what somebody else has made of the settings; before the key that woke us, which may be a new one."""
        store = self._around.store
        changed = None if store is None else store.changed()
        if changed is not None:
            self._reduce(changed)

    def _reduce(self, event: Event) -> None:
        self.state = reduce(self.state, event)
        for effect in self.state.outbox:
            if isinstance(effect, SaveSettings):
                if self._around.store is not None:
                    self._around.store.save(effect, self._wake.post)
            else:
                self._do(effect)

    @abstractmethod
    def _do(self, effect: Effect) -> None:
        """Carry out what the core asks for; nothing where there is no way to."""

    def _send(self, text: str) -> None:
        if text:
            self._terminal.send(text.encode("utf-8", "replace"))

    def _restart_idle_limit(self) -> None:
        """The person has done something (R5)."""
        if self._around.idle_limit is not None:
            self._deadline = self._around.clock() + self._around.idle_limit
            if self.state.seconds_left is not None:
                self._reduce(Countdown(None))

    def _until_idle(self) -> float | None:
        """Seconds until the idle limit has something to show or strikes; None without one."""
        if self._deadline is None:
            return None
        left = self._deadline - self._around.clock()
        if left > COUNTDOWN:
            return min(left - COUNTDOWN, _LONGEST_SLEEP)
        return (left % 1 or 1.0) if left > 0 else 0.0

    def _count_down(self) -> None:
        """Say how many seconds are left, and end the flow when there are none; for when nothing has come in.

        A stop takes no time from the person: the limit begins anew when the flow comes back.
        """
        if self._deadline is None or self._stop or self._continued:
            return
        left = self._deadline - self._around.clock()
        if left <= 0:
            self._reduce(TimedOut())
        elif left <= COUNTDOWN:
            self._reduce(Countdown(-int(-left // 1)))


@contextlib.contextmanager
def default_stop() -> Iterator[None]:
    """Stop like any process of the job while another program has the terminal."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)


def stop_process_group(number: signal.Signals) -> None:
    """Stop all of the job, as the terminal would, until it is continued; nothing where the signal is ignored."""
    before = signal.getsignal(number)
    if before is signal.SIG_IGN:
        return
    main = threading.current_thread() is threading.main_thread()
    if main and before is not None:
        signal.signal(number, signal.SIG_DFL)
    with contextlib.suppress(OSError):
        os.kill(0, number)
    if not main:
        # The signal goes to the main thread, and this one runs on until the stop has reached it.
        time.sleep(_STOP_TAKES_EFFECT)
    elif before is not None:
        signal.signal(number, before)
