"""The queue of those who ask (R11): one at a time, first in, first out, and each says who it is."""

from __future__ import annotations

import json
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import ask_core as ask
from ask_core.edge import turns
from ask_core.edge.signals import Wake
from ask_core.frame import Frame, Role
from ask_core.text.clean import clean_line
from ask_render_plain import lines as plain_lines
from ask_render_plain import renderer as plain_renderer
from tests.ptys import Pty, python

ENTER, CTRL_C = "\r", "\x03"


def on_terminal(folder: Path, command: list[str]) -> Pty:
    """The command on a pseudo-terminal, with its output and errors in files."""
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        return Pty(command, stdout=out, stderr=err)


def reported(folder: Path) -> list[str]:
    """The lines on standard error so far."""
    return (folder / "err").read_text().splitlines()


HOST = """
import asyncio, json, sys, threading, time
import ask_core as ask
from ask_core.edge import turns

def form(number):
    options = [{"value": f"{number}{letter}", "label": f"Label {letter}"} for letter in "abc"]
    return {
        "title": f"Form {number:02}",
        "questions": [{"id": f"q{number}", "prompt": f"Prompt {number:02}?", "options": options}],
    }

def report(text):
    print(text, file=sys.stderr, flush=True)

def outcome(reply):
    return reply["details"]["outcome"]
"""

MANY = f"""{HOST}
COUNT = int(sys.argv[1])
replies = {{}}

def in_thread(number):
    replies[number] = ask.ask_user(form(number), asked_by=f"agent {{number:02}}")

async def in_task(number):
    replies[number] = await ask.ask_user_async(form(number), asked_by=f"agent {{number:02}}")

async def main():
    threads, tasks = [], []
    for number in range(COUNT):
        if number % 2:
            tasks.append(asyncio.create_task(in_task(number)))
        else:
            threads.append(threading.Thread(target=in_thread, args=(number,)))
            threads[-1].start()
        while len(turns._queue) <= number:
            await asyncio.sleep(0.001)
    report("all are there")
    await asyncio.gather(*tasks)
    for thread in threads:
        await asyncio.to_thread(thread.join)

asyncio.run(main())
assert not turns._queue and not turns._threads
json.dump([replies[number] for number in range(COUNT)], sys.stdout)
"""


def test_fifty_who_ask_at_once_get_their_own_answers(tmp_path: Path) -> None:
    """Threads and tasks on one terminal: shown one after the other in the order of asking, each answer at its form."""
    count = 50
    with on_terminal(tmp_path, [*python(MANY), str(count)]) as pty:
        pty.until(lambda: reported(tmp_path) == ["all are there"], 30)
        for number in range(count):
            pty.until(f"Prompt {number:02}?")
            assert f"Form {number:02}  agent {number:02} asks" in pty.text()
            assert f"Prompt {number + 1:02}?".encode() not in pty.log
            pty.send(f"{number % 3 + 1}{ENTER}" if number % 10 else CTRL_C)
        assert pty.wait() == 0
        assert pty.left_on() == set()
        assert pty.line() == pty.line_before
    replies = json.loads((tmp_path / "out").read_text())
    assert len(replies) == count
    for number, reply in enumerate(replies):
        details = reply["details"]
        assert details["title"] == f"Form {number:02}"
        assert [question["id"] for question in details["questions"]] == [f"q{number}"]
        answers = {id: answer["values"] for id, answer in details["answers"].items()}
        expected = {f"q{number}": [f"{number}{'abc'[number % 3]}"]} if number % 10 else {}
        assert (details["outcome"], answers) == ("submitted" if expected else "cancelled", expected)
    assert reported(tmp_path) == ["all are there"]


GIVEN_UP = f"""{HOST}
async def main():
    cancelling = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(10, cancelling.set)
    tasks = []
    for number in range(5):
        tasks.append(asyncio.create_task(ask.ask_user_async(form(number))))
        await asyncio.sleep(0)
    await cancelling.wait()
    for number in (1, 3):
        tasks[number].cancel()
    await asyncio.wait([tasks[1], tasks[3]])
    report("given up")
    replies = await asyncio.gather(*tasks, return_exceptions=True)
    json.dump([type(it).__name__ if isinstance(it, BaseException) else outcome(it) for it in replies], sys.stdout)

asyncio.run(main())
"""


def test_one_in_the_middle_can_be_given_up(tmp_path: Path) -> None:
    """The open one goes on, those behind move up in their order, and what was given up is never seen."""
    with on_terminal(tmp_path, python(GIVEN_UP)) as pty:
        pty.until("Prompt 00?")
        pty.signal(signal.SIGUSR1)
        pty.until(lambda: reported(tmp_path) == ["given up"])
        for number in (0, 2, 4):
            pty.until(f"Prompt {number:02}?")
            pty.send(f"1{ENTER}")
        assert pty.wait() == 0
        assert b"Prompt 01?" not in pty.log
        assert b"Prompt 03?" not in pty.log
        assert pty.left_on() == set()
    assert json.loads((tmp_path / "out").read_text()) == [
        *("submitted", "CancelledError", "submitted", "CancelledError", "submitted")
    ]


INTERRUPTED = f"""{HOST}
first = []
thread = threading.Thread(target=lambda: first.append(ask.ask_user(form(1))))
thread.start()
while not turns._queue:
    time.sleep(0.001)
try:
    report("waiting")
    ask.ask_user(form(2))
except KeyboardInterrupt:
    report("interrupted")
thread.join()
json.dump([outcome(first[0]), outcome(ask.ask_user(form(3)))], sys.stdout)
"""


def test_ctrl_c_from_outside_ends_the_wait_of_the_main_thread(tmp_path: Path) -> None:
    """KeyboardInterrupt at once; the open flow is not disturbed, and whoever asks next has a turn."""
    with on_terminal(tmp_path, python(INTERRUPTED)) as pty:
        pty.until("Prompt 01?")
        pty.until(lambda: reported(tmp_path) == ["waiting"])
        pty.settle()
        pty.signal(signal.SIGINT)
        pty.until(lambda: reported(tmp_path) == ["waiting", "interrupted"], 2)
        assert pty.process.poll() is None
        for number in (1, 3):
            pty.until(f"Prompt {number:02}?")
            pty.send(f"2{ENTER}")
        assert pty.wait() == 0
        assert b"Prompt 02?" not in pty.log
        assert pty.left_on() == set()
    assert json.loads((tmp_path / "out").read_text()) == ["submitted", "submitted"]
    assert reported(tmp_path) == ["waiting", "interrupted"]


@pytest.fixture
def wakes() -> Iterator[list[Wake]]:
    """Twenty who ask."""
    made = [Wake() for _ in range(20)]
    yield made
    for wake in made:
        turns.step_out(wake)
        wake.close()


def test_whoever_gives_up_at_whatever_moment_stops_nobody_else(wakes: list[Wake]) -> None:
    """Never two at once; all come through, those that stay in their order, however the others give up."""
    chance = random.Random(11)
    given_up = {number for number in range(len(wakes)) if number % 3 == 1}
    at_once, crowds, order = 0, [], []
    for wake in wakes:
        turns.queue(wake)

    def take_turn(number: int) -> None:
        nonlocal at_once
        with turns.turn(wakes[number]):
            if wakes[number].reason is not None:
                return
            at_once += 1
            crowds.append(at_once)
            order.append(number)
            time.sleep(0.002)
            at_once -= 1

    def give_up() -> None:
        for number in sorted(given_up, key=lambda number: chance.random()):
            time.sleep(chance.random() / 200)
            wakes[number].abort("enough")

    threads = [threading.Thread(target=take_turn, args=(number,)) for number in range(len(wakes))]
    threads.append(threading.Thread(target=give_up))
    chance.shuffle(threads)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)
    assert set(crowds) == {1}
    assert order == sorted(order)
    assert set(order) >= set(range(len(wakes))) - given_up
    assert not turns._queue
    assert not turns._threads


def test_an_interrupt_while_standing_in_line_leaves_nobody_there(
    wakes: list[Wake], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise everybody behind would wait for one who has gone."""
    queue = turns.queue

    def interrupted(wake: Wake) -> None:
        queue(wake)
        raise KeyboardInterrupt

    monkeypatch.setattr(turns, "queue", interrupted)
    with pytest.raises(KeyboardInterrupt), turns.turn(wakes[0]):
        pytest.fail("it had no turn")
    assert not turns._queue
    monkeypatch.setattr(turns, "queue", queue)
    with turns.turn(wakes[0]):
        assert [*turns._queue] == [wakes[0]]


FORM: dict[str, Any] = {
    "title": "Logging",
    "questions": [{"id": "q", "label": "Q", "prompt": "Why?", "options": [{"value": "a", "label": "A"}]}],
}


def opened(asked_by: str | None, *keys: str, title: str | None = "Logging", width: int = 80) -> ask.State:
    state = ask.start(ask.load_form({**FORM, "title": title}), asked_by=asked_by)
    state = ask.reduce(state, ask.Resized(width, 24))
    for key in keys:
        state = ask.reduce(state, ask.Key(key))
    return state


def text_of(frame: Frame) -> list[str]:
    return ["".join(span.text for span in line).strip() for line in frame.lines]


def frame_of(state: ask.State, width: int = 80) -> Frame:
    return ask.layout(ask.view(state), width, 24)


@pytest.mark.parametrize(
    ("keys", "position"), [((), "Question 1 of 1"), (("1",), "Review")], ids=["question", "review"]
)
def test_the_title_line_says_who_asks(keys: tuple[str, ...], position: str) -> None:
    """Behind the title, or alone where the form has none, and less loud than the title."""
    frame = frame_of(opened("the release agent", *keys))
    head = text_of(frame)[0]
    assert head.startswith("Logging  the release agent asks  ")
    assert head.endswith(position)
    assert [span.role for span in frame.lines[0] if "asks" in span.text] == [Role.HELP]
    assert text_of(frame_of(opened("the release agent", *keys, title=None)))[0].startswith("the release agent asks  ")


def test_the_settings_are_nobodys_question() -> None:
    """While the list of settings is open its title stands alone."""
    assert text_of(frame_of(opened("the release agent", "?")))[0] == "Settings"


def spoken(state: ask.State) -> list[str]:
    return plain_renderer().open(state).split("\n")


def test_lines_say_it_too() -> None:
    """Once, right behind the title, in the plain lines of a screen and where a flow is answered by lines."""
    state = opened("the release agent")
    for lines in ([*plain_lines(ask.view(state))], spoken(state)):
        assert lines[0] == "Logging"
        assert lines[1].rstrip(".") == "the release agent asks"
        assert sum("the release agent" in line for line in lines) == 1


@pytest.mark.parametrize("asked_by", [None, "", " ", "\t \u3000"])
def test_without_a_name_there_is_nothing(asked_by: str | None) -> None:
    """Neither a word nor a gap for it: the screen is that of a form without."""
    state, without = opened(asked_by), opened(None)
    assert frame_of(state) == frame_of(without)
    assert spoken(state) == spoken(without)
    assert not [line for line in [*plain_lines(ask.view(state)), *spoken(state)] if "asks" in line]


HOSTILE = "\x1b]0;owned\x07\x9b31m\r\nroot\u202e\u200b\ud800\U000e0041"


@given(st.text(st.characters(codec=None, exclude_categories=[]), max_size=40), st.integers(20, 90))
@example(HOSTILE, 80)
@example("x" * 500, 20)
@example("日" * 200, 33)
def test_the_name_is_printable_whatever_it_holds(asked_by: str, width: int) -> None:
    """T10: no control character and nothing invisible reaches a screen or a line, nor does it take more room."""
    state = opened(asked_by, width=width)
    frame = frame_of(state, width)
    assert frame.width == width
    assert len(frame.lines) == len(frame_of(opened(None, width=width), width).lines)
    for line in [*text_of(frame), *plain_lines(ask.view(state)), *spoken(state)]:
        assert clean_line(line) == line


def test_the_name_is_for_the_person_only() -> None:
    """The result is the same whoever has asked."""
    for asked_by in (None, "the release agent"):
        state = opened(asked_by, "1", "enter")
        assert ask.details(ask.result_of(state))["outcome"] == "submitted"
        assert "agent" not in json.dumps(ask.details(ask.result_of(state))) + ask.content(ask.result_of(state))


@pytest.mark.parametrize("renderer", ["blessed", "plain"])
def test_the_command_says_it(tmp_path: Path, renderer: str) -> None:
    """`--asked-by` on a real terminal; what is no text of a person becomes marks."""
    path = tmp_path / "form.json"
    path.write_text(json.dumps(FORM))
    command = [sys.executable, "-m", "ask_core.edge.cli", "run", str(path), "--renderer", renderer]
    with on_terminal(tmp_path, [*command, "--asked-by", "the \x1b]2;x\x07 agent"]) as pty:
        pty.until("the ^[]2;x^G agent asks")
        assert b"\x1b]2;" not in pty.log
        pty.until("Why?")
        pty.settle()
        pty.send(CTRL_C)
        assert pty.wait() == 130
