"""Notifications: what is said, the exact bytes for terminals, and real commands that end, fail and hang."""

from __future__ import annotations

import os
import queue
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ask_core.edge import notifications
from ask_core.edge.notifications import Announcement, Notifier, announcement, sequence
from ask_core.questions import Form, Question
from ask_core.settings import Channel
from ask_core.text.graphemes import width
from tests.ptys import ROOT, Pty, python

BELL, OSC9, OSC777 = Channel("bell"), Channel("osc9"), Channel("osc777")
SAID = Announcement("Trip", "Where do we go?")
TMUX, SCREEN = {"TMUX": "/tmp/tmux-0/default,1,0"}, {"STY": "1.pts-0.host"}

HOSTILE = "a;b\x07c\x1b]0;x\x1b\\d\x9ce\u202ef\ud800g\x00h"
HOSTILE_SHOWN = "a;b^Gc^[]0;x^[\\d<U+009C>e<U+202E>f\ufffdg^@h"


def form(*prompts: str, title: str | None = None) -> Form:
    return Form(
        "contract", tuple(Question(str(n), "Label", prompt, "single", ()) for n, prompt in enumerate(prompts)), title
    )


class Loop:
    """What a notifier sends, on which thread, and what it wants to be called in the loop."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.calls: queue.Queue[Callable[[], None]] = queue.Queue()
        self.notifiers: list[Notifier] = []

    def send(self, text: str) -> None:
        assert threading.current_thread() is threading.main_thread()
        self.sent.append(text)

    def notifier(self, *channels: Channel, said: Announcement = SAID) -> Notifier:
        """A notifier that is not started yet."""
        notifier = Notifier(channels, said, {"PATH": os.environ["PATH"]}, self.send, self.calls.put)
        self.notifiers.append(notifier)
        return notifier

    def start(self, *channels: Channel, said: Announcement = SAID) -> Notifier:
        notifier = self.notifier(*channels, said=said)
        notifier.start()
        return notifier

    def turn(self) -> None:
        """Wait until something is to be called, and call it."""
        self.calls.get(timeout=10)()


@pytest.fixture
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    for notifier in loop.notifiers:
        notifier.close()


class Lifeline:
    """A pipe with a name: what commands write into it, and its end once all of them are gone."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def read(self, seconds: float = 10.0) -> bytes:
        """What comes next, b"" at the end; raises TimeoutError while there is neither."""
        if not select.select([self._fd], [], [], seconds)[0]:
            raise TimeoutError
        return os.read(self._fd, 4096)

    def rest(self) -> bytes:
        """All that comes until the end."""
        # So that it has an end even if no command has got as far as opening it.
        os.close(os.open(self.path, os.O_WRONLY | os.O_NONBLOCK))
        data = b""
        while block := self.read():
            data += block
        return data

    def close(self) -> None:
        os.close(self._fd)


@pytest.fixture
def lifeline(tmp_path: Path) -> Iterator[Lifeline]:
    lifeline = Lifeline(tmp_path / "lifeline")
    yield lifeline
    lifeline.close()


def command(text: str, lifeline: Lifeline | None = None) -> Channel:
    """A channel with a command, which may write into a lifeline."""
    return Channel("command", text if lifeline is None else f"exec > '{lifeline.path}'; {text}")


@pytest.mark.parametrize(
    ("asked", "title", "message"),
    [
        (form("Where?"), "Questions", "Where?"),
        (form("Where?", title=" \n "), "Questions", "Where?"),
        (form("Where?", "When?", title="Trip"), "Trip", "2 questions: Where?"),
        (form(" Where\n\tdo\r\n\r\nwe \u2028 go? ", title="A\nB"), "A B", "Where do we go?"),
        (form(HOSTILE, title=HOSTILE), HOSTILE_SHOWN, HOSTILE_SHOWN),
        (form("x" * 10_000, title="y" * 10_000), "y" * 59 + "…", "x" * 199 + "…"),
        (form("語" * 10_000, title="\x1b" * 10_000), "^[" * 29 + "^…", "語" * 99 + "…"),
    ],
)
def test_an_announcement_is_two_printable_lines(asked: Form, title: str, message: str) -> None:
    """Title and first question, on one line each, visible and not too long, whatever they hold."""
    said = announcement(asked)
    assert said == (title, message)
    assert width(said.title) <= 60
    assert width(said.message) <= 200
    assert all(text.isprintable() for text in said)


@pytest.mark.parametrize(
    ("channel", "environ", "written"),
    [
        (BELL, {}, "\x07"),
        (BELL, TMUX, "\x07"),
        (BELL, SCREEN, "\x07"),
        (OSC9, {}, "\x1b]9;ask: Trip - Where do we go?\x07"),
        (OSC9, {"TMUX": "", "STY": ""}, "\x1b]9;ask: Trip - Where do we go?\x07"),
        (OSC9, TMUX, "\x1bPtmux;\x1b\x1b]9;ask: Trip - Where do we go?\x07\x1b\\"),
        (OSC9, SCREEN, "\x1bP\x1b]9;ask: Trip - Where do we go?\x07\x1b\\"),
        (OSC9, TMUX | SCREEN, "\x1bPtmux;\x1b\x1b]9;ask: Trip - Where do we go?\x07\x1b\\"),
        (OSC777, {}, "\x1b]777;notify;Trip;Where do we go?\x07"),
        (OSC777, TMUX, "\x1bPtmux;\x1b\x1b]777;notify;Trip;Where do we go?\x07\x1b\\"),
        (OSC777, SCREEN, "\x1bP\x1b]777;notify;Trip;Where do we go?\x07\x1b\\"),
    ],
)
def test_bytes_for_the_terminal(channel: Channel, environ: dict[str, str], written: str) -> None:
    """Each channel as it is written plainly, in tmux and in GNU screen."""
    assert sequence(channel, SAID, environ) == written


@pytest.mark.parametrize("channel", [OSC9, OSC777])
@pytest.mark.parametrize(
    ("environ", "start", "end"),
    [({}, "\x1b]", "\x07"), (TMUX, "\x1bPtmux;\x1b\x1b]", "\x07\x1b\\"), (SCREEN, "\x1bP\x1b]", "\x07\x1b\\")],
)
def test_a_hostile_text_cannot_end_its_sequence(
    channel: Channel, environ: dict[str, str], start: str, end: str
) -> None:
    """Between our own start and end there is nothing but printable text."""
    written = sequence(channel, announcement(form(HOSTILE, title=HOSTILE)), environ)
    assert written.startswith(start)
    assert written.endswith(end)
    assert written[len(start) : -len(end)].isprintable()


def test_a_hostile_title_stays_a_title() -> None:
    """No number comes first for ConEmu, and a title has no semicolon that would end it."""
    said = announcement(form("a;b", title="4;1;50"))
    assert sequence(OSC9, said, {}) == "\x1b]9;ask: 4;1;50 - a;b\x07"
    assert sequence(OSC777, said, {}) == "\x1b]777;notify;4,1,50;a;b\x07"


@pytest.mark.parametrize("channel", [OSC9, OSC777])
def test_screen_gets_short_ascii(channel: Channel) -> None:
    """GNU screen makes ESC and BEL of U+041B and U+0407, and prints what is too long for it."""
    written = sequence(channel, announcement(form("\u041b[2J\u0407" * 100, title="\u041bc" * 100)), SCREEN)
    assert written.isascii()
    assert len(written) <= 255
    assert "?[2J?" in written


def test_channels_of_the_terminal_are_sent_at_once(loop: Loop) -> None:
    """In their order, by the loop itself, and without a thread."""
    threads = threading.active_count()
    loop.start(BELL, OSC777, OSC9)
    assert loop.sent == ["\x07", sequence(OSC777, SAID, {}), sequence(OSC9, SAID, {})]
    assert threading.active_count() == threads


def test_channels_of_the_terminal_load_nothing() -> None:
    """Neither subprocess nor threading is imported where there is no command."""
    code = """
import sys
from ask_core.edge.notifications import Announcement, Notifier
from ask_core.settings import Channel
assert "subprocess" not in sys.modules
sys.modules["subprocess"] = sys.modules["threading"] = None
channels = Channel("bell"), Channel("osc9")
notifier = Notifier(channels, Announcement("a", "b"), {}, lambda text: print(ascii(text)), lambda call: None)
notifier.start()
notifier.close()
"""
    assert subprocess.check_output(python(code), cwd=ROOT) == b"'\\x07'\n'\\x1b]9;ask: a - b\\x07'\n"


def test_a_command_gets_what_there_is_to_say(loop: Loop, tmp_path: Path) -> None:
    """Three variables on top of the environment, cleaned and encoded."""
    said = announcement(form(HOSTILE, title="Où ?"))
    loop.start(command(f"env > '{tmp_path}/env'"), BELL, said=said)
    loop.turn()
    lines = (tmp_path / "env").read_text("utf-8").splitlines()
    assert {line for line in lines if line.startswith(("ASK_", "PATH="))} == {
        f"PATH={os.environ['PATH']}",
        "ASK_NOTIFY_EVENT=waiting",
        "ASK_NOTIFY_TITLE=Où ?",
        f"ASK_NOTIFY_MESSAGE={HOSTILE_SHOWN}",
    }


def test_each_channel_waits_for_the_command_before_it(loop: Loop, tmp_path: Path, lifeline: Lifeline) -> None:
    """What stands before a command is sent first; nothing behind it has its turn before it has ended."""
    gate, log = tmp_path / "gate", tmp_path / "log"
    os.mkfifo(gate)
    loop.start(
        BELL, command(f"echo; cat '{gate}'; echo a >> '{log}'", lifeline), OSC9, command(f"echo b >> '{log}'"), OSC777
    )
    assert loop.sent == ["\x07"]
    assert lifeline.read() == b"\n"
    assert loop.calls.empty()
    gate.write_text("go")
    loop.turn()
    assert log.read_text().startswith("a\n")
    loop.turn()
    assert log.read_text() == "a\nb\n"
    assert loop.sent == ["\x07", sequence(OSC9, SAID, {}), sequence(OSC777, SAID, {})]


HANGING = [
    "echo; sleep 100",
    "echo; exec sleep 100",
    "sleep 100 & echo; wait",
    'trap "" TERM; echo; sleep 100',
    '(trap "" TERM; echo; sleep 100) & wait',
]
IN_GOOD_ORDER = 'trap "echo bye; exit" TERM; echo; while :; do sleep 0.01; done'


@pytest.mark.parametrize("text", HANGING)
def test_a_hanging_command_is_stopped(
    loop: Loop, lifeline: Lifeline, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """With all that belongs to it, even where only that hangs on, and the next channel has its turn."""
    monkeypatch.setattr(notifications, "GRACE", 0.1)
    loop.start(command(text, lifeline), BELL)
    assert lifeline.read() == b"\n"
    assert loop.calls.empty()
    monkeypatch.setattr(notifications, "LIMIT", 0)
    loop.turn()
    assert loop.sent == ["\x07"]
    assert lifeline.rest() == b""


def test_a_hanging_command_may_end_in_good_order(
    loop: Loop, lifeline: Lifeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGTERM comes first, and the next channel waits for no longer than that takes."""
    monkeypatch.setattr(notifications, "GRACE", 50)
    loop.start(command(IN_GOOD_ORDER, lifeline), BELL)
    assert lifeline.read() == b"\n"
    monkeypatch.setattr(notifications, "LIMIT", 0)
    loop.turn()
    assert lifeline.rest() == b"bye\n"


def test_limits() -> None:
    """A command may take five seconds and a little to end; the end of a flow is not felt."""
    assert (notifications.LIMIT, notifications.GRACE) == (5, 0.5)
    assert notifications.CLOSING_GRACE < notifications.CLOSING_LIMIT <= 0.2


def test_nothing_is_left_of_a_command(loop: Loop, tmp_path: Path) -> None:
    """A command that has ended is reaped."""
    loop.start(command(f"echo $$ > '{tmp_path}/pid'"), BELL)
    loop.turn()
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_what_a_command_has_left_behind_lives_on(loop: Loop, lifeline: Lifeline) -> None:
    """What runs in the background after the shell has ended was meant to."""
    notifier = loop.start(command("sleep 100 & echo $!", lifeline), BELL)
    loop.turn()
    notifier.close()
    pid = int(lifeline.read())
    try:
        with pytest.raises(TimeoutError):
            lifeline.read(0.05)
    finally:
        os.kill(pid, signal.SIGKILL)
    assert lifeline.rest() == b""


@pytest.mark.parametrize("text", HANGING)
def test_closing_stops_a_command_at_once(
    loop: Loop, lifeline: Lifeline, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """The end of a flow is quick, whatever runs; what has not had its turn gets none."""
    monkeypatch.setattr(notifications, "LIMIT", 50)
    notifier = loop.start(command(text, lifeline), BELL, command("echo never", lifeline))
    assert lifeline.read() == b"\n"
    began = time.monotonic()
    notifier.close()
    notifier.close()
    assert time.monotonic() - began < 1
    assert lifeline.rest() == b""
    assert loop.sent == []
    assert loop.calls.empty()


def test_closing_lets_a_command_end_in_good_order(
    loop: Loop, lifeline: Lifeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGTERM comes first here as well, and the flow waits for no longer than that takes."""
    monkeypatch.setattr(notifications, "CLOSING_GRACE", 50)
    monkeypatch.setattr(notifications, "CLOSING_LIMIT", 50)
    notifier = loop.start(command(IN_GOOD_ORDER, lifeline))
    assert lifeline.read() == b"\n"
    notifier.close()
    assert lifeline.read(0) == b"bye\n"


def test_closing_cuts_the_stopping_of_a_command_short(
    loop: Loop, lifeline: Lifeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that is given time to end has no more of it than any other once the flow ends."""
    monkeypatch.setattr(notifications, "GRACE", 50)
    text = 'trap "echo stopping" TERM; echo; while :; do sleep 0.01; done'
    notifier = loop.start(command(text, lifeline), BELL)
    assert lifeline.read() == b"\n"
    monkeypatch.setattr(notifications, "LIMIT", 0)
    assert lifeline.read() == b"stopping\n"
    began = time.monotonic()
    notifier.close()
    assert time.monotonic() - began < 1
    assert lifeline.rest() == b""


def test_closing_waits_for_nobody(loop: Loop, lifeline: Lifeline, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even for a command that does not end, and that is stopped by the thread alone."""
    monkeypatch.setattr(notifications, "CLOSING_GRACE", 50)
    notifier = loop.start(command('trap "" TERM; echo; sleep 100', lifeline))
    assert lifeline.read() == b"\n"
    began = time.monotonic()
    notifier.close()
    assert time.monotonic() - began < 1
    monkeypatch.setattr(notifications, "CLOSING_GRACE", 0)
    assert lifeline.rest() == b""


def test_nothing_happens_after_closing(loop: Loop, lifeline: Lifeline) -> None:
    """Neither what was handed to the loop already nor a late start gets a turn; closing needs no start."""
    notifier = loop.start(command("true"), BELL)
    call = loop.calls.get(timeout=10)
    notifier.close()
    call()
    late = loop.notifier(BELL, command("echo never", lifeline))
    late.close()
    late.start()
    late.close()
    assert loop.sent == []
    with pytest.raises(TimeoutError):
        lifeline.read(0)


@pytest.mark.parametrize("text", ["exit 3", "kill -KILL $$", "/nowhere/at/all", "'", "a\0b", "x" * 10_000_000])
def test_a_failing_command_is_passed_over(loop: Loop, text: str) -> None:
    """The next channel has its turn."""
    loop.start(command(text), BELL)
    loop.turn()
    assert loop.sent == ["\x07"]


def test_a_text_that_no_command_can_be_told_is_passed_over(loop: Loop) -> None:
    """Even one that was never cleaned raises nothing."""
    loop.start(command("true"), BELL, said=Announcement("a", "b\0c"))
    loop.turn()
    assert loop.sent == ["\x07"]


def test_a_locale_without_a_character_costs_only_that(
    loop: Loop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command gets a question mark in its place."""
    monkeypatch.setattr("sys.getfilesystemencoding", lambda: "latin-1")
    loop.start(command(f"printenv ASK_NOTIFY_TITLE > '{tmp_path}/title'"), BELL, said=Announcement("à 語\ud800", "b"))
    loop.turn()
    assert (tmp_path / "title").read_text("latin-1") == "à ??\n"


def test_a_missing_shell_is_passed_over(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next channel has its turn."""
    monkeypatch.setattr(notifications, "SHELL", "/nowhere/sh")
    loop.start(command("true"), BELL)
    loop.turn()
    assert loop.sent == ["\x07"]


def test_without_a_thread_commands_are_passed_over(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other channels have their turn at once."""

    def fail(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", fail)
    notifier = loop.start(BELL, command("true"), OSC9, command("true"), OSC777)
    assert loop.sent == ["\x07", sequence(OSC9, SAID, {}), sequence(OSC777, SAID, {})]
    notifier.close()


def test_a_terminal_that_fails_is_passed_over(tmp_path: Path) -> None:
    """What follows has its turn nevertheless."""
    calls: queue.Queue[str] = queue.Queue()

    def fail(*_: Any) -> None:
        calls.put("call")
        raise OSError

    done = tmp_path / "done"
    notifier = Notifier((BELL, command("true"), BELL, command(f"mkfifo '{done}'; cat '{done}'")), SAID, {}, fail, fail)
    notifier.start()
    assert [calls.get(timeout=10), calls.get(timeout=10)] == ["call", "call"]
    until = time.monotonic() + 10
    while not done.exists() and time.monotonic() < until:
        time.sleep(0.01)
    notifier.close()
    assert done.exists()


IN_A_TERMINAL = """
import os, sys, threading
from ask_core.edge.notifications import Announcement, Notifier
from ask_core.settings import Channel
os.dup2(os.open("/dev/tty", os.O_RDWR), 9, inheritable=True)
done = threading.Event()
channels = Channel("command", sys.argv[1]), Channel("bell")
Notifier(channels, Announcement("a", "b"), os.environ, print, lambda call: done.set()).start()
sys.exit(not done.wait(10))
"""


def test_a_command_has_no_terminal(tmp_path: Path) -> None:
    """It reads nothing of what is typed, writes nothing on the screen, and Ctrl+C is not for it."""
    log = tmp_path / "log"
    text = f"cat; echo out; echo err >&2; echo kept >&9; echo > /dev/tty || echo none > '{log}'"
    with Pty([*python(IN_A_TERMINAL), text]) as pty:
        os.write(pty.master, b"typed\n")
        assert pty.wait() == 0
        assert pty.log == b"typed\r\n"
    assert log.read_text() == "none\n"
