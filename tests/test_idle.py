"""The idle limit (R5): what restarts it, what is seen of it, and how it ends a flow; mostly in time that costs none."""

from __future__ import annotations

import asyncio
import json
import math
import os
import re
import selectors
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import ask_core as ask
from ask_core.edge import driver, line_driver
from ask_core.edge.asking import Asked, asked_of
from ask_core.edge.cli import main
from ask_core.edge.flow import COUNTDOWN, Surroundings
from ask_core.edge.renderers import Standing
from ask_core.edge.signals import Wake
from ask_core.edge.tty import Selector, Terminal, open_terminal
from ask_core.events import Countdown, Edited, Event
from ask_core.frame import Line
from ask_core.screen import Screen
from ask_core.state import State
from ask_render_plain import renderer as plain_renderer
from tests.ptys import Pty, python

PROMPT = "Where do we go?"
PLACES = [{"value": "sea", "label": "The sea"}, {"value": "hills", "label": "The hills"}]
FORM: dict[str, Any] = {
    "questions": [
        {"id": "place", "label": "Place", "prompt": PROMPT, "options": PLACES},
        {"id": "way", "label": "Way", "prompt": "How?", "options": [{"value": "car", "label": "By car"}]},
    ]
}
OWN_WORDS = "3"
ENTER, CTRL_C, CTRL_G, CTRL_Z = "\r", "\x03", "\x07", "\x1a"

LONG = 1000.0

# Bytes from the terminal, or something else; both in place of a part of a nap.
Happening = tuple[float, "str | Callable[[], None]"]


class World:
    """A terminal and a time that passes only while a flow sleeps, as exactly as a selector sleeps.

    `naps` are the moments at which the flow fell asleep, with the longest that it wanted to. `seen` are the countdowns
    that were drawn or taken away, with their moments. `printed` is what the terminal was sent. `drawing_takes` so many
    seconds when one is left.
    """

    def __init__(self, *happenings: Happening) -> None:
        self.now = 0.0
        self.naps: list[tuple[float, float | None]] = []
        self.seen: list[tuple[float, str | None]] = []
        self.printed = ""
        self.drawing_takes = 0.0
        self.wake = Wake()
        self._happenings = [*happenings]
        self._master, self._slave = os.openpty()
        os.set_blocking(self._master, False)
        self.terminal: Terminal = open_terminal(os.ttyname(self._slave), environ={})

    def close(self) -> None:
        self.terminal.close()
        self.wake.close()
        os.close(self._master)
        os.close(self._slave)

    def pass_by(self, seconds: float = LONG) -> None:
        """Let time pass in which the flow does nothing."""
        self.now += seconds

    def ask(self, limit: float | None = None, loop: str = "screen") -> Asked:
        """What comes of asking the form with this limit."""
        state = ask.start(ask.load_form(FORM))
        around = Surroundings({}, idle_limit=limit, clock=lambda: self.now)
        if loop == "lines":
            ended = line_driver.drive_lines(state, self.terminal, plain_renderer(), self.wake, around)
        else:
            ended = driver.drive(state, self.terminal, Watcher(self), self.wake, around)
        self._read()
        return asked_of(ask.result_of(ended.state), ended.by, ended.signals)

    def sleep(self, selector: Sleeper, timeout: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        """What ends the nap: what is there already, the next happening, or else the time."""
        self._read()
        if ready := selector.look(0):
            return ready
        self.naps.append((self.now, timeout))
        end = math.inf if timeout is None else self.now + math.ceil(timeout * 1000) / 1000
        if not self._happenings or self._happenings[0][0] > end:
            assert end < math.inf, "nothing would ever wake it"
            self.now = end
            return []
        moment, what = self._happenings.pop(0)
        self.now = max(self.now, moment)
        if not isinstance(what, str):
            what()
            # The time was over before anybody looked.
            return []
        os.write(self._master, what.encode())
        return selector.look(5)

    def _read(self) -> None:
        try:
            while data := os.read(self._master, 65536):
                self.printed += data.decode()
        except BlockingIOError:
            pass


class Watcher:
    """A renderer that only notes the countdown."""

    def __init__(self, world: World) -> None:
        self._world = world

    def draw(self, screen: Screen, width: int, height: int) -> str:
        assert width
        assert height
        seen = self._world.seen
        if screen.countdown != (seen[-1][1] if seen else None):
            seen.append((self._world.now, screen.countdown))
        if screen.countdown == says(1):
            self._world.pass_by(self._world.drawing_takes)
        return ""

    def resized(self, width: int, height: int) -> None: ...

    def restyle(self, theme: str) -> None: ...

    def forget(self) -> None: ...

    def finish(self, lines: Sequence[Line]) -> str:
        return "".join(span.text for line in lines for span in line)

    def standing(self) -> Standing:
        return Standing(0, 0)


class Sleeper(Selector):
    """A selector whose naps are the world's; one that watches the terminal alone looks at what is there."""

    world: World

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return self.world.sleep(self, timeout) if len(self.get_map()) > 1 else self.look(timeout)

    def look(self, timeout: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        return super().select(timeout)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., World]]:
    """Makes a world in which things happen at their moments."""
    worlds: list[World] = []

    def make(*happenings: Happening) -> World:
        worlds.append(World(*happenings))
        sleeper = type("Sleeper", (Sleeper,), {"world": worlds[-1]})
        monkeypatch.setattr(driver, "Selector", sleeper)
        monkeypatch.setattr(line_driver, "Selector", sleeper)
        return worlds[-1]

    yield make
    for made in worlds:
        made.close()


MakeWorld = Callable[..., World]


def says(seconds: int) -> str:
    return f"! Time is up in {seconds} second{'' if seconds == 1 else 's'}. Any key stops that."


def given(asked: Asked) -> dict[str, Any]:
    return {id: answer["values"] for id, answer in asked.reply["details"]["answers"].items()}


def outcome(asked: Asked) -> str:
    found: str = asked.reply["details"]["outcome"]
    return found


def test_there_is_none_unless_it_is_wished_for(world: MakeWorld) -> None:
    """Without a limit every nap is without an end, and a flow may be open for weeks."""
    around = world((5e6, "1"), (9e6, ENTER), (9e6, ENTER))
    assert outcome(around.ask()) == "submitted"
    assert {nap for _, nap in around.naps} == {None}
    assert around.seen == []


def test_nothing_wakes_it_before_its_last_seconds(world: MakeWorld) -> None:
    """One nap until 20 seconds are left, then one a second; each says how many are left, and then the flow ends."""
    around = world()
    assert outcome(around.ask(100)) == "timed_out"
    assert around.naps == [(0, 80), *((second, 1) for second in range(80, 100))]
    assert around.seen == [(100 - left, says(left)) for left in range(COUNTDOWN, 0, -1)]
    assert around.now == 100


INPUT = {
    "letter without a meaning": "x",
    "arrow": "\x1b[B",
    "key in the protocol of Kitty": "\x1b[57352u",
    "click": "\x1b[<0;1;1M\x1b[<0;1;1m",
    "wheel": "\x1b[<65;1;1M",
    "focus": "\x1b[I",
    "paste": "\x1b[200~words\x1b[201~",
    "beginning of a paste": "\x1b[200~words",
    "beginning of a sequence": "\x1b[1;",
}


@pytest.mark.parametrize("data", INPUT.values(), ids=INPUT)
@pytest.mark.parametrize("moment", [3, 25.5, 29.999])
def test_everything_that_somebody_does_restarts_it(world: MakeWorld, data: str, moment: float) -> None:
    """Keys, the mouse and pastes, also those without an effect; a countdown that is seen goes away at once."""
    around = world((moment, data))
    assert outcome(around.ask(30)) == "timed_out"
    assert around.now == pytest.approx(moment + 30, abs=0.01)
    first = [(at, text) for at, text in around.seen if at <= moment]
    assert first == [
        *((30 - left, says(left)) for left in range(COUNTDOWN, 0, -1) if 30 - left <= moment),
        *([(moment, None)] if moment > 10 else []),
    ]
    next_time, next_text = around.seen[len(first)]
    assert next_text == says(20)
    assert next_time == pytest.approx(moment + 10, abs=0.01)


def test_a_key_a_second_keeps_it_open_for_ever(world: MakeWorld) -> None:
    """In the last second as well as in any other; nothing is counted down that need not be."""
    around = world(*((1.5 * press, "\x1b[B") for press in range(1, 200)), (300, CTRL_C))
    assert outcome(around.ask(2)) == "cancelled"
    assert {text for _, text in around.seen} == {says(1), None}


def test_a_key_in_the_last_moment_counts(world: MakeWorld) -> None:
    """The key and the limit at the same moment: the key wins, the flow is open, and later ends in its own way."""
    around = world((30, "2"), (40, ENTER), (45, ENTER))
    asked = around.ask(30)
    assert (30, None) in around.seen
    assert outcome(asked) == "submitted"
    assert given(asked) == {"place": ["hills"], "way": ["car"]}


def test_a_key_after_the_limit_is_too_late(world: MakeWorld) -> None:
    """The flow has ended, in exactly one way, and what comes later is nobody's."""
    around = world((30.5, CTRL_C))
    assert outcome(around.ask(30)) == "timed_out"


def test_what_was_given_until_then_is_kept(world: MakeWorld) -> None:
    """R4: answers and notes are in the result and in the text; a text that is still being written is not."""
    presses = ["N", "ask", ENTER, "2", "2", "by", ENTER, "\x1b[Z", "\x1b[Z", "N", " more"]
    around = world(*((5.0 * number, press) for number, press in enumerate(presses, 1)))
    asked = around.ask(30)
    assert asked.exit_code == 4
    details = asked.reply["details"]
    assert (details["outcome"], details["cancelled"], details["mode"]) == ("timed_out", True, "submit")
    assert given(asked) == {"place": ["hills"], "way": ["by"]}
    assert details["answers"]["place"]["note"] == "ask"
    assert asked.reply["content"][0]["text"].splitlines() == [
        "The user did not answer in time.",
        "Given so far, not submitted:",
        "Place: The hills",
        "Place note: ask",
        "Way: by",
    ]
    assert "Time is up, nothing submitted" in around.printed


def test_nothing_given_is_nothing_invented(world: MakeWorld) -> None:
    """The text says that nobody has answered anything."""
    asked = world().ask(1)
    assert (asked.exit_code, given(asked)) == (4, {})
    assert asked.reply["content"][0]["text"] == "The user did not answer in time.\nNo question was answered."


@pytest.mark.parametrize("loop", ["screen", "lines"])
def test_time_in_a_stop_does_not_count(world: MakeWorld, monkeypatch: pytest.MonkeyPatch, loop: str) -> None:
    """Ctrl+Z, however late, and `fg`, however much later: the limit begins anew."""
    around = world()
    around = world((29, CTRL_Z) if loop == "screen" else (29, lambda: around.wake.poke(signal.SIGTSTP)))
    for module in (driver, line_driver):
        monkeypatch.setattr(module, "stop_process_group", lambda number: around.pass_by())
    assert outcome(around.ask(30, loop)) == "timed_out"
    assert around.now == pytest.approx(29 + LONG + 30, abs=0.01)


@pytest.mark.parametrize("loop", ["screen", "lines"])
def test_time_in_a_stop_without_warning_does_not_count(world: MakeWorld, loop: str) -> None:
    """A process that was stopped from outside finds the limit long past, and begins it anew all the same."""

    def stopped_for_long() -> None:
        around.pass_by()
        around.wake.poke(signal.SIGCONT)

    around = world((29, stopped_for_long))
    assert outcome(around.ask(30, loop)) == "timed_out"
    assert around.now == pytest.approx(29 + LONG + 30, abs=0.01)


def test_time_in_the_own_editor_does_not_count(world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who writes there is not idle, and what was written is taken over."""
    around = world((5, OWN_WORDS), (29, CTRL_G), (29 + LONG + 29, ENTER))

    def edit(text: str, fd: int, environ: object) -> Event:
        around.pass_by()
        return Edited("by boat")

    monkeypatch.setattr("ask_core.edge.own_editor.edit", edit)
    asked = around.ask(30)
    assert (outcome(asked), given(asked)) == ("timed_out", {"place": ["by boat"]})
    assert around.now == pytest.approx(29 + LONG + 29 + 30, abs=0.01)


@pytest.mark.parametrize(
    ("limit", "counted"),
    [(0.001, 0), (0.4, 0), (1, 0), (1.25, 1), (5, 4), (19.5, 19), (20, 19), (20.5, 20), (33.3, 20), (1e4 / 3, 20)],
)
def test_a_limit_may_be_as_short_as_one_likes(world: MakeWorld, limit: float, counted: int) -> None:
    """It holds to the moment; from below 20 seconds on it is counted down at each full second."""
    around = world()
    assert outcome(around.ask(limit)) == "timed_out"
    assert around.now == pytest.approx(limit, abs=0.025), "a nap is never short, and a millisecond too long at most"
    assert [text for _, text in around.seen] == [says(left) for left in range(counted, 0, -1)]
    assert len(around.naps) <= counted + 2


@pytest.mark.parametrize("limit", [3e6, 1e12, 1e300, math.inf])
def test_a_limit_may_be_as_long_as_one_likes(world: MakeWorld, limit: float) -> None:
    """A nap is never longer than a selector can sleep, and hardly shorter."""
    around = world((1e6, CTRL_C))
    assert outcome(around.ask(limit)) == "cancelled"
    assert {nap for _, nap in around.naps} == {86_400}
    assert around.seen == []


def test_a_slow_moment_does_not_put_the_end_off(world: MakeWorld) -> None:
    """Where the limit passes while the flow is busy, it ends at once and not a second later."""
    around = world()
    around.drawing_takes = 1.5
    assert outcome(around.ask(30)) == "timed_out"
    assert around.now == 30.5


def test_lines_are_counted_down_in_few_words(world: MakeWorld) -> None:
    """Who hears the screen is told at 20, 10 and 5 seconds, each with the prompt behind it."""
    around = world()
    assert outcome(around.ask(100, "lines")) == "timed_out"
    assert re.findall(r"Time is up in (\d+) seconds", around.printed) == ["20", "10", "5"]
    assert around.printed.count("Type a number") == 4
    assert around.naps == [(0, 80), *((second, 1) for second in range(80, 100))]
    assert "Time is up. " in around.printed


def test_a_typed_line_restarts_it(world: MakeWorld) -> None:
    """An answer, words without a meaning, and an empty line, up to the last moment."""
    around = world((29.5, "2\n"), (59.25, "gibberish\n"), (89, "\n"))
    asked = around.ask(30, "lines")
    assert (outcome(asked), given(asked)) == ("timed_out", {"place": ["hills"]})
    assert around.now == pytest.approx(119, abs=0.01)


@pytest.mark.parametrize("size", [(20, 6), (40, 8), (80, 24), (140, 40)])
@pytest.mark.parametrize("keys", ["", "3", "N", "?", "12"], ids=["rows", "words", "note", "settings", "review"])
def test_the_countdown_is_seen_wherever_the_person_is(size: tuple[int, int], keys: str) -> None:
    """In every mode and at every size that shows anything; and it is gone without it."""
    width, height = size
    state = ask.reduce(ask.start(ask.load_form(FORM)), ask.Resized(width, height))
    for key in ("1", "1") if keys == "12" else keys:
        state = ask.reduce(state, ask.Key(key))

    def frame(state: State) -> str:
        lines = ask.layout(ask.view(state), width, height).lines
        assert len(lines) <= height
        return "\n".join("".join(span.text for span in line) for line in lines)

    before = frame(state)
    assert "Time is up" not in before
    counting = ask.reduce(state, Countdown(7))
    assert says(7)[:15] in frame(counting)
    assert width < 40 or says(7)[:25] in frame(counting)
    assert frame(ask.reduce(counting, Countdown(None))) == before


@pytest.fixture
def form(tmp_path: Path) -> str:
    path = tmp_path / "form.json"
    path.write_text(json.dumps(FORM))
    return str(path)


COMMAND = [sys.executable, "-m", "ask_core.edge.cli", "run"]
HOST = """
import asyncio, json, sys
import ask_core as ask
payload, limit = json.load(open(sys.argv[1])), float(sys.argv[3])
"""
SYNC = f"{HOST}json.dump(ask.ask_user(payload, idle_limit=limit)['details'], sys.stdout)"
ASYNC = f"{HOST}json.dump(asyncio.run(ask.ask_user_async(payload, idle_limit=limit))['details'], sys.stdout)"


def asked_on(folder: Path, command: list[str]) -> Pty:
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        return Pty(command, stdout=out, stderr=err)


@pytest.mark.parametrize(
    ("command", "code"), [(COMMAND, 4), (python(SYNC), 0), (python(ASYNC), 0)], ids=["command", "sync", "async"]
)
def test_it_ends_a_real_flow(form: str, tmp_path: Path, command: list[str], code: int) -> None:
    """By the command and by both functions: what was given is printed, and the terminal is as before."""
    with asked_on(tmp_path, [*command, form, "--idle-limit", "1.25"]) as pty:
        pty.until(PROMPT)
        pty.send("2")
        began = time.monotonic()
        pty.until(says(1))
        assert pty.wait() == code
        assert time.monotonic() - began > 1.2
        assert pty.left_on() == set()
        assert pty.line() == pty.line_before
        assert "Time is up, nothing submitted" in pty.text()
    details = json.loads((tmp_path / "out").read_text())
    assert (details["outcome"], details["answers"]["place"]["values"]) == ("timed_out", ["hills"])
    assert (tmp_path / "err").read_text() == ""


def test_any_key_takes_the_countdown_away(form: str, tmp_path: Path) -> None:
    """It is seen on a real screen, gone with the next key, and back when nothing follows."""
    with asked_on(tmp_path, [*COMMAND, form, "--idle-limit", "3"]) as pty:
        pty.until(says(2))
        pty.send("x")
        pty.until(lambda: "Time is up" not in pty.text())
        pty.until(says(2))
        pty.send(CTRL_C)
        assert pty.wait() == 130


def test_the_text_for_the_model_says_it(form: str, tmp_path: Path) -> None:
    """`--format text` after the limit."""
    with asked_on(tmp_path, [*COMMAND, form, "--idle-limit", "0.3", "--format", "text"]) as pty:
        assert pty.wait() == 4
    assert (tmp_path / "out").read_text() == "The user did not answer in time.\nNo question was answered.\n"


def test_a_limit_of_ages_is_none_to_speak_of(form: str, tmp_path: Path) -> None:
    """What no selector could sleep for is no fault of the flow."""
    with asked_on(tmp_path, [*COMMAND, form, "--idle-limit", "1e300"]) as pty:
        pty.until(PROMPT)
        pty.send(f"1{ENTER}{ENTER}")
        assert pty.wait() == 0
    assert (tmp_path / "err").read_text() == ""


QUEUE = """
import json, sys, threading
import ask_core as ask
payload = json.load(open(sys.argv[1]))
outcomes = {}
def work(title, limit):
    outcomes[title] = ask.ask_user({**payload, "title": title}, idle_limit=limit)["details"]["outcome"]
threads = [threading.Thread(target=work, args=arguments) for arguments in (("First", None), ("Second", 1.5))]
for thread in threads:
    thread.start()
    threading.Event().wait(0.2)
for thread in threads:
    thread.join()
json.dump(outcomes, sys.stdout)
"""


def test_time_in_the_queue_does_not_count(form: str, tmp_path: Path) -> None:
    """Who waits for a turn has all of the limit when it comes."""
    with asked_on(tmp_path, [*python(QUEUE), form]) as pty:
        pty.until("First")
        pty.settle(1.8)
        pty.send(CTRL_C)
        pty.until("Second")
        began = time.monotonic()
        pty.until("Time is up, nothing submitted")
        assert time.monotonic() - began > 1.2
        assert pty.wait() == 0
    assert json.loads((tmp_path / "out").read_text()) == {"First": "cancelled", "Second": "timed_out"}


@pytest.mark.parametrize("limit", [0, 0.0, -1, -math.inf, math.nan])
def test_a_limit_that_is_none_is_refused(limit: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """ValueError from both functions, before any terminal is looked for; nobody waits in the queue for it."""
    monkeypatch.setenv("ASK_TTY", "/dev/null")
    with pytest.raises(ValueError, match="idle_limit must be above 0 seconds"):
        ask.ask_user(FORM, idle_limit=limit)
    with pytest.raises(ValueError, match="idle_limit must be above 0 seconds"):
        asyncio.run(ask.ask_user_async(FORM, idle_limit=limit))
    assert ask.ask_user(FORM)["details"]["outcome"] == "no_screen"


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "-inf", "", "soon", "1s"])
def test_the_command_refuses_it_too(limit: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Bad usage, exit 2, said in words."""
    with pytest.raises(SystemExit) as caught:
        main(["run", form, f"--idle-limit={limit}"])
    assert caught.value.code == 2
    assert f"{limit!r} is no number of seconds above 0" in capsys.readouterr().err
