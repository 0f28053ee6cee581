"""Telling the person that a flow has opened and waits, through the channels of the settings.

Channels have their turn in order and as well as it goes: none delays the flow, and what fails is passed over.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ask_core.questions import Form
from ask_core.settings import Channel
from ask_core.text.clean import clean_line
from ask_core.text.graphemes import clip

if TYPE_CHECKING:
    import subprocess
    import threading

SHELL = "/bin/sh"

# Seconds that a command may take, and those it is then given to end by itself.
LIMIT, GRACE = 5.0, 0.5
# Seconds it is given where the flow ends meanwhile, and those that the flow waits for it, whatever happens.
CLOSING_GRACE, CLOSING_LIMIT = 0.1, 0.2
_TICK = 0.01

_TITLE_WIDTH, _MESSAGE_WIDTH = 60, 200
# GNU screen keeps 255 bytes of a string, newer ones more, and shows what comes after them as text.
_SCREEN_LENGTH = 240


class Announcement(NamedTuple):
    """What there is to say, each one printable line."""

    title: str
    message: str


def announcement(form: Form) -> Announcement:
    """The form's title, and its first question behind the number of questions where there are several."""
    prompt, count = form.questions[0].prompt, len(form.questions)
    message = prompt if count == 1 else f"{count} questions: {prompt}"
    return Announcement(_line(form.title or "", _TITLE_WIDTH) or "Questions", _line(message, _MESSAGE_WIDTH))


def _line(text: str, columns: int) -> str:
    return clip(clean_line(" ".join(text.split())), columns)


def sequence(channel: Channel, announcement: Announcement, environ: Mapping[str, str]) -> str:
    """What a channel that is no command sends to the terminal, through the tmux or GNU screen that we run in."""
    title, message = announcement
    if channel.kind == "bell":
        return "\a"
    if channel.kind == "osc9":
        # A word of ours comes first: ConEmu takes a number at the start for another command.
        text = f"9;ask: {title} - {message}"
    else:
        text = f"777;notify;{title.replace(';', ',')};{message}"
    if environ.get("TMUX"):
        return f"\x1bPtmux;\x1b\x1b]{text}\a\x1b\\"
    if environ.get("STY"):
        # ASCII only: of any other character screen passes on the lowest byte, which may be ESC.
        text = text.encode("ascii", "replace").decode("ascii")
        return f"\x1bP\x1b]{text[:_SCREEN_LENGTH]}\a\x1b\\"
    return f"\x1b]{text}\a"


class Notifier:
    """Gives each channel its turn; for the loop's thread, which alone writes to the terminal.

    `send` writes a text there. `call_in_loop` is called on another thread and has the loop call something.
    """

    def __init__(
        self,
        channels: tuple[Channel, ...],
        announcement: Announcement,
        environ: Mapping[str, str],
        send: Callable[[str], None],
        call_in_loop: Callable[[Callable[[], None]], None],
    ) -> None:
        self._channels = channels
        self._announcement = announcement
        self._environ = environ
        self._send = send
        self._call_in_loop = call_in_loop
        self._closed = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Send what comes before the first command, and leave the rest to a thread that waits for commands."""
        for index, channel in enumerate(self._channels):
            if channel.kind == "command":
                self._leave_to_thread(self._channels[index:])
                return
            self._tell(channel)

    def close(self) -> None:
        """Give no channel its turn any more, and stop the command that is running."""
        self._closed = True
        if self._thread is not None:
            self._thread.join(CLOSING_LIMIT)

    def _tell(self, channel: Channel) -> None:
        if not self._closed:
            with contextlib.suppress(OSError):
                self._send(sequence(channel, self._announcement, self._environ))

    def _leave_to_thread(self, channels: tuple[Channel, ...]) -> None:
        import threading

        environ = _command_environ(self._environ, self._announcement)
        thread = threading.Thread(target=self._work, args=(channels, environ), name="ask-notify", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            for channel in channels:
                if channel.kind != "command":
                    self._tell(channel)
        else:
            self._thread = thread

    def _work(self, channels: tuple[Channel, ...], environ: Mapping[str, str | bytes]) -> None:
        for channel in channels:
            if self._closed:
                return
            if channel.kind == "command":
                self._run(channel.command, environ)
            else:
                with contextlib.suppress(OSError):
                    self._call_in_loop(partial(self._tell, channel))

    def _run(self, command: str, environ: Mapping[str, str | bytes]) -> None:
        """Run a command to its end, or until its time is over."""
        try:
            process = _popen(command, environ)
        except (OSError, ValueError):
            return
        began = time.monotonic()
        # A shell that has ended by itself may have left something running on purpose.
        while process.poll() is None:
            if self._closed or time.monotonic() - began > LIMIT:
                self._stop(process)
                return
            time.sleep(_TICK)

    def _stop(self, process: subprocess.Popen[bytes]) -> None:
        """End a command and all of its group, which may outlive the shell; in a hurry where the flow ends."""
        import subprocess

        began = time.monotonic()
        there = _signal_group(process, signal.SIGTERM)
        while there and time.monotonic() - began < (CLOSING_GRACE if self._closed else GRACE):
            time.sleep(_TICK)
            # Reaps the shell, which would count as there.
            process.poll()
            there = _signal_group(process, 0)
        if there:
            _signal_group(process, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)


def _popen(command: str, environ: Mapping[str, str | bytes]) -> subprocess.Popen[bytes]:
    """The command in a session of its own, so that it has no terminal and Ctrl+C does not reach it."""
    import subprocess

    nothing = subprocess.DEVNULL
    return subprocess.Popen(
        [SHELL, "-c", command], stdin=nothing, stdout=nothing, stderr=nothing, env=environ, start_new_session=True
    )


def _command_environ(environ: Mapping[str, str], announcement: Announcement) -> dict[str, str | bytes]:
    said = {
        "ASK_NOTIFY_EVENT": "waiting",
        "ASK_NOTIFY_TITLE": announcement.title,
        "ASK_NOTIFY_MESSAGE": announcement.message,
    }
    # Encoded here, as the locale may lack a character.
    encoding = sys.getfilesystemencoding()
    return {**environ, **{name: text.encode(encoding, "replace") for name, text in said.items()}}


def _signal_group(process: subprocess.Popen[bytes], number: int) -> bool:
    """Whether there was anybody in the group of the process to get the signal."""
    try:
        os.killpg(process.pid, number)
    except OSError:
        return False
    return True
