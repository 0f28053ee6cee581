"""The mouse: what a click chooses and the wheel scrolls, and what neither of them ever does."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ask_core.dialects import load_form
from ask_core.edge.pointer import Pointer, wanted
from ask_core.edge.renderers import Standing
from ask_core.events import Click, Event, Mouse, Paste, PathsFound, Position, Resized, Wheel
from ask_core.frame import Frame, Hit, Role, Target
from ask_core.keys import Key
from ask_core.layout import layout
from ask_core.questions import Form
from ask_core.reduce import reduce
from ask_core.screen import QuestionBody
from ask_core.settings import Behaviour, Settings
from ask_core.state import Choosing, Configuring, Filtering, Noting, Reviewing, State, Typing, start
from ask_core.view import view
from tests.ptys import Pty
from tests.strategies import all_settings, forms, open_walks

FORM = {
    "questions": [
        {
            "id": "one",
            "label": "One",
            "prompt": "Which one?",
            "options": [{"value": name, "label": f"The {name}"} for name in ("sea", "hills", "town")],
        },
        {
            "id": "many",
            "label": "Many",
            "prompt": "Which ones?",
            "type": "multi",
            "options": [{"value": name, "label": f"Some {name}"} for name in ("bread", "cheese")],
        },
    ]
}
LONG = "\n".join(f"line {number:02}" for number in range(60))


def after(state: State, *events: Event | str) -> State:
    for event in events:
        state = reduce(state, Key(event) if isinstance(event, str) else event)
    return state


def opened(payload: dict[str, Any] = FORM, *events: Event | str, settings: Settings | None = None) -> State:
    return after(start(load_form(payload), settings), *events)


def frame_of(state: State) -> Frame:
    return layout(view(state), state.width, state.height)


def place_of(state: State, text: str) -> tuple[int, int]:
    """Column and row where the frame shows a text first; every character is one column wide."""
    for row, line in enumerate(frame_of(state).text().split("\n")):
        if text in line:
            return line.index(text), row
    raise AssertionError(f"no {text!r} in:\n{frame_of(state).text()}")


def click(state: State, text: str) -> State:
    return reduce(state, Click(*place_of(state, text)))


def wheel(state: State, text: str, step: int, times: int = 1) -> State:
    for _ in range(times):
        state = reduce(state, Wheel(*place_of(state, text), step))
    return state


def chosen(state: State, tab: int = 0) -> tuple[int, ...]:
    return tuple(sorted(state.answers[tab].selected))


def test_a_click_chooses_and_stays() -> None:
    """On a single question the row is highlighted and chosen, the flow stays, and a second click changes nothing."""
    state = click(opened(), "The hills")
    assert (state.tab, state.mode, chosen(state)) == (0, Choosing(1), (1,))
    assert click(state, "The hills") is state
    other = click(state, "The sea")
    assert (other.mode, chosen(other)) == (Choosing(0), (0,))
    assert chosen(reduce(other, Key("ctrl+_"))) == (1,), "undo takes it back"


def test_a_click_toggles_on_a_question_for_several() -> None:
    """Each click chooses the option or takes it back, as Space does there."""
    state = click(click(opened(FORM, "tab"), "Some bread"), "Some cheese")
    assert (state.mode, chosen(state, 1)) == (Choosing(1), (0, 1))
    assert chosen(click(state, "Some bread"), 1) == (1,)


def test_a_click_on_the_row_for_own_words_opens_its_editor() -> None:
    """Saved words are shown again for editing, and a click on the open editor's own row changes nothing."""
    state = click(opened(), "Type your own")
    assert isinstance(state.mode, Typing)
    saved = after(state, *"mine", "esc", "up")
    again = click(saved, "mine")
    assert isinstance(again.mode, Typing)
    assert again.mode.buffer.text == "mine"
    assert click(again, "Your own answer:") is again


def test_a_click_outside_keeps_what_is_being_written() -> None:
    """Words and notes are kept as Esc keeps them, then the click acts."""
    typed = opened(FORM, "end", *"mine")
    state = click(typed, "The sea")
    assert (state.mode, chosen(state), state.answer.custom) == (Choosing(0), (0,), "mine")
    tab = click(typed, "Many")
    assert (tab.tab, tab.answers[0].custom, tab.answers[0].custom_selected) == (1, "mine", True)
    note = click(opened(FORM, "n", *"why"), "The town")
    assert (note.mode, note.answer.option_note(0), chosen(note)) == (Choosing(2), "why", (2,))


def test_a_click_on_a_tab_opens_it_and_clears_the_warning() -> None:
    """As every change of tabs does; the open tab itself is nothing to click."""
    warned = opened(FORM, "space", "esc")
    assert warned.warned
    state = click(warned, "Review")
    assert (state.on_review, state.warned) == (True, None)
    assert click(state, "[Review]") is state
    assert click(warned, "One") is warned


def test_a_click_on_the_count_of_hidden_tabs_opens_the_next_of_them() -> None:
    """So that every tab can be reached by clicks, on either side."""
    questions = [{**FORM["questions"][0], "id": str(number), "label": f"Q-{number:02}"} for number in range(12)]
    state = opened({"questions": questions}, Resized(40, 15))
    assert place_of(state, "Q-02")
    assert click(state, "9›").tab == 4
    assert click(after(state, "shift+tab"), "‹9").tab == 8


def test_a_review_action_needs_two_clicks() -> None:
    """The first click highlights the action like its digit; the switch for one press holds for clicks as well."""
    review = opened(FORM, "space", "tab", "tab")
    first = click(review, "Elaborate")
    assert (first.mode, first.finished) == (Reviewing(action=1, armed=1), False)
    assert click(first, "Elaborate").outcome == "elaborated"
    assert click(first, "Submit").mode == Reviewing(action=0, armed=0)
    at_once = Settings(Behaviour(double_press_review_shortcuts=False))
    assert click(opened(FORM, "tab", "tab", settings=at_once), "Submit").outcome == "submitted"


def test_what_is_no_choice_is_no_click() -> None:
    """Prompts, rules, hints and empty places do nothing, and neither does anything below or beside the frame."""
    state = opened()
    for text in ("Which one?", "───", "cancel"):
        assert click(state, text) is state
    for place in ((-1, -1), (0, 99), (500, 8), (79, 23)):
        assert reduce(state, Click(*place)) is state
        assert reduce(state, Wheel(*place, 1)) is state
    tiny = reduce(state, Resized(19, 5))
    assert all(reduce(tiny, Click(column, row)) is tiny for column in range(19) for row in range(5))


def test_a_click_in_the_text_puts_the_cursor_there() -> None:
    """Also in rows that were wrapped, behind the end of a row, and in a note."""
    state = opened(FORM, "end", Paste("first line\nsecond line\nthird"))
    column, row = place_of(state, "second")
    for offset, before in ((0, "first line\n"), (3, "first line\nsec"), (40, "first line\nsecond line")):
        there = reduce(state, Click(column + offset, row))
        assert isinstance(there.mode, Typing)
        assert there.mode.buffer.before == before
    cursor = frame_of(reduce(state, Click(column + 3, row))).cursor
    assert cursor == (column + 3, row)
    note = click(opened(FORM, "n", *"why not"), "not")
    assert isinstance(note.mode, Noting)
    assert note.mode.buffer.before == "why "


def test_a_click_on_a_path_takes_it() -> None:
    """The list under an `@` is one to choose from as well, and the wheel moves in it."""
    state = opened(FORM, "end", *"@s")
    state = reduce(state, PathsFound("s", ("src/", "setup.py", "notes.txt")))
    taken = click(state, "setup.py").mode
    assert isinstance(taken, Typing)
    assert taken.buffer.text == "@setup.py "
    turned = wheel(state, "setup.py", 1, 2).mode
    assert isinstance(turned, Typing)
    assert turned.completion is not None
    assert turned.completion.highlighted == 2


def test_a_filtered_list_is_clicked_by_what_it_shows() -> None:
    """The row that is shown there is chosen, whatever its place in the whole list, and the filter stays."""
    options = [{"value": str(number), "label": f"{'ab'[number % 2]} {number:02}"} for number in range(20)]
    form = {"questions": [{"id": "q", "prompt": "Which?", "options": options}]}
    state = click(opened(form, "/", "b"), "b 05")
    assert isinstance(state.mode, Filtering)
    assert (state.mode.highlighted, chosen(state)) == (5, (5,))
    further = wheel(state, "b 05", 1)
    assert isinstance(further.mode, Filtering)
    assert (further.mode.highlighted, chosen(further)) == (7, (5,))
    assert isinstance(click(state, "Type your own").mode, Typing)


def test_the_wheel_moves_the_highlight_of_a_list() -> None:
    """A row a step, stopping at both ends; it chooses nothing and goes back from an untouched editor for own words."""
    state = wheel(opened(), "The hills", 1, 2)
    assert (state.mode, chosen(state)) == (Choosing(2), ())
    bottom = wheel(state, "The hills", 1)
    assert isinstance(bottom.mode, Typing)
    assert wheel(bottom, "The hills", 1) is bottom
    assert wheel(bottom, "The hills", -1).mode == Choosing(2)
    top = opened()
    assert wheel(top, "The hills", -1) is top


def test_the_wheel_leaves_no_editor_that_holds_or_hides_anything() -> None:
    """What is being written, or was saved, is not touched by a hand that brushes the wheel."""
    for state in (opened(FORM, "end", "x"), opened(FORM, "n"), opened(FORM, "end", "x", "esc", "enter", "backspace")):
        assert isinstance(state.mode, Typing | Noting)
        assert wheel(state, "The hills", -1) is state


def test_the_wheel_reads_the_text_that_it_is_over() -> None:
    """A prompt and a preview are read to their ends and back, three lines a step; the highlight stays."""
    form = {
        "questions": [
            {
                "id": "q",
                "prompt": f"Prompt\n{LONG}",
                "type": "preview",
                "options": [{"value": "a", "label": "A", "preview": LONG.replace("line", "view")}],
            }
        ]
    }
    state = opened(form, Resized(100, 24))
    read = wheel(state, "line 0", 1)
    assert (read.offsets.prompt, read.offsets.preview, read.mode) == (3, 0, state.mode)
    for area, text in (("prompt", "line"), ("preview", "view")):
        seen, here = set(), state
        for _ in range(40):
            seen |= {number for number in range(60) if f"{text} {number:02}" in frame_of(here).text()}
            here = wheel(here, f"{text} ", 1)
        assert seen == set(range(60))
        assert wheel(here, f"{text} 59", 1) is here
        back = wheel(here, f"{text} ", -1, 40)
        assert back == state, area


def test_the_wheel_reads_the_answers() -> None:
    """On the review tab the answers go on by a question a step, and back; the action stays."""
    questions = [{**FORM["questions"][0], "id": str(number), "label": f"Q-{number:02}"} for number in range(40)]
    state = opened({"questions": questions}, "shift+tab")
    further = wheel(state, "not answered", 1, 5)
    assert "Q-05: " in frame_of(further).text()
    assert "Q-04: " not in frame_of(further).text()
    assert wheel(further, "not answered", -1, 9) == state
    end = wheel(state, "not answered", 1, 60)
    assert "Q-39: " in frame_of(end).text()


def test_the_wheel_scrolls_a_text_longer_than_its_box() -> None:
    """The cursor goes with it; a text that is all in sight stays as it is, its cursor too."""
    state = opened(FORM, "end", Paste(LONG))
    assert "line 20" not in frame_of(state).text()
    assert "line 20" in frame_of(wheel(state, "line ", -1, 13)).text()
    short = opened(FORM, "end", Paste("a\nbc\nd"))
    assert wheel(short, "bc", -1) is short


# --- laws -------------------------------------------------------------------------------------------------------------

SIZES = st.sampled_from(((80, 24), (100, 30), (40, 15), (20, 6), (120, 40), (19, 5), (64, 9)))


def _walked(form: Form, settings: Settings, events: Sequence[Event], size: tuple[int, int]) -> State:
    return after(start(form, settings), Resized(*size), *(event for event in events if not isinstance(event, Resized)))


@given(forms, all_settings, open_walks, SIZES)
def test_hits_lie_in_the_frame_on_what_they_name(
    form: Form, settings: Settings, events: Sequence[Event], size: tuple[int, int]
) -> None:
    """Every place is inside the frame; tabs and rows that are named are in sight, the highlighted row among them."""
    state = _walked(form, settings, events, size)
    if state.finished:
        return
    frame = frame_of(state)
    for hit in frame.hits:
        assert 0 <= hit.row < len(frame.lines)
        assert 0 <= hit.first < hit.end <= frame.width
    if size < (20, 6):
        assert frame.hits == ()
        return
    for hit in frame.hits:
        if hit.target is Target.TAB:
            assert ("[" in _text_at(frame, hit)) >= (hit.item == state.tab)
    named = {(hit.target, hit.item) for hit in frame.hits}
    if isinstance(state.mode, Configuring):
        pointed = (Target.SETTING, state.mode.row)
        assert pointed in named
    elif state.on_review:
        assert isinstance(state.mode, Reviewing)
        assert (Target.ACTION, state.mode.action) in named
        pointed = (Target.ACTION, state.mode.action)
    else:
        body = view(state).body
        assert isinstance(body, QuestionBody)
        pointed = (Target.ROW, body.highlighted)
        # A filter that matches nothing leaves no row where there are no own words.
        assert (pointed in named) == bool(body.rows)
    rows = [row for row, line in enumerate(frame.lines) if any(span == ("› ", Role.POINTER) for span in line)]
    assert all(pointed in {(hit.target, hit.item) for hit in frame.hits if hit.row == row} for row in rows)


def _text_at(frame: Frame, hit: Hit) -> str:
    return "".join(span.text for span in frame.lines[hit.row] if span.role in (Role.TAB, Role.TAB_ACTIVE))


@given(forms, all_settings, open_walks, SIZES, st.data())
def test_the_mouse_never_breaks_a_flow(
    form: Form, settings: Settings, events: Sequence[Event], size: tuple[int, int], data: st.DataObject
) -> None:
    """Wherever it clicks and turns: nothing raises, no frame outgrows the terminal, and no text is lost."""
    state = _walked(form, settings, events, size)
    anywhere = st.tuples(st.integers(-2, size[0] + 1), st.integers(-2, size[1] + 1))
    for _ in range(4):
        if state.finished:
            break
        aims = [(hit.first, hit.row) for hit in frame_of(state).hits]
        column, row = data.draw(st.sampled_from(aims) | anywhere if aims else anywhere)
        turns: list[Click | Wheel] = [Click(column, row), Wheel(column, row, 1), Wheel(column, row, -1)]
        event = data.draw(st.sampled_from(turns))
        mode = state.mode
        text = mode.buffer.text if isinstance(mode, Typing | Noting) else ""
        moved = reduce(state, event)
        frame = frame_of(moved)
        assert len(frame.lines) <= size[1]
        if isinstance(event, Wheel):
            assert [answer.selected for answer in moved.answers] == [answer.selected for answer in state.answers]
        if text and isinstance(mode, Typing) and mode.completion is None:
            kept = moved.answers[state.tab].custom
            if moved.tab == state.tab and isinstance(moved.mode, Typing):
                kept = moved.mode.buffer.text
            assert kept == text or (not text.strip() and kept is None)
        state = moved


# --- from reports of the screen to clicks on the frame ----------------------------------------------------------------


@pytest.fixture
def pointer() -> Pointer:
    """A frame of ten rows that begins on the sixth row of a terminal of 24."""
    pointer = Pointer(fullscreen=False)
    pointer.drawn(Standing(9, 10), 24)
    assert pointer.ask()
    pointer.answered(Position(0, 14), 24)
    return pointer


def pressed(pointer: Pointer, column: int, row: int, now: float, *, to: tuple[int, int] | None = None) -> Event | None:
    """What comes of pressing here and letting go there."""
    assert pointer.event(Mouse(0, column, row, True), now) is None
    return pointer.event(Mouse(0, *(to or (column, row)), False), now + 0.05)


def test_letting_go_where_it_was_pressed_is_a_click(pointer: Pointer) -> None:
    """Counted from the frame's own first row; a hand may shake by a column."""
    assert pressed(pointer, 3, 5, 1) == Click(3, 0)
    assert pressed(pointer, 3, 14, 2) == Click(3, 9)
    assert pressed(pointer, 9, 7, 3, to=(10, 7)) == Click(9, 2)
    assert pressed(pointer, 3, 4, 4) is None, "above the frame"
    assert pressed(pointer, 3, 15, 5) is None, "below it"


def test_a_drag_is_no_click(pointer: Pointer) -> None:
    """Whatever was marked with the mouse, nothing is chosen by it."""
    assert pressed(pointer, 3, 6, 1, to=(9, 6)) is None
    assert pressed(pointer, 3, 6, 2, to=(3, 7)) is None
    assert pointer.event(Mouse(0, 3, 7, False), 3) is None


def test_a_double_click_is_one_click(pointer: Pointer) -> None:
    """Whatever stands there after the first one; after a moment, or elsewhere, it is a click again."""
    assert pressed(pointer, 3, 6, 1) == Click(3, 1)
    assert pressed(pointer, 4, 6, 1.2) is None
    assert pressed(pointer, 4, 6, 1.4) is None, "nor is a triple one two"
    assert pressed(pointer, 4, 6, 2) == Click(4, 1)
    assert pressed(pointer, 4, 8, 2.1) == Click(4, 3)


def test_the_click_that_brings_the_terminal_to_the_front_chooses_nothing(pointer: Pointer) -> None:
    """It comes together with the focus; the next one is meant."""
    pointer.focused(1)
    assert pressed(pointer, 3, 6, 1.01) is None
    assert pressed(pointer, 3, 6, 1.9) == Click(3, 1)


@pytest.mark.parametrize("button", [1, 2, 4, 8, 16, 32, 35, 66, 67, 128])
def test_other_buttons_and_modifiers_mean_nothing(pointer: Pointer, button: int) -> None:
    """They are the terminal's, or somebody's habit, and take a click back that has begun."""
    assert pointer.event(Mouse(0, 3, 6, True), 1) is None
    assert pointer.event(Mouse(button, 3, 6, True), 1) is None
    assert pointer.event(Mouse(button, 3, 6, False), 1) is None
    assert pointer.event(Mouse(0, 3, 6, False), 1) is None


def test_a_key_takes_a_click_back_that_has_begun(pointer: Pointer) -> None:
    """What it was aimed at may have gone."""
    pointer.event(Mouse(0, 3, 6, True), 1)
    pointer.interrupted()
    assert pointer.event(Mouse(0, 3, 6, False), 1) is None


def test_the_wheel_turns_up_and_down(pointer: Pointer) -> None:
    """Each report is a step, however fast they come."""
    assert pointer.event(Mouse(64, 3, 6, True), 1) == Wheel(3, 1, -1)
    assert [pointer.event(Mouse(65, 3, 6, True), 1) for _ in range(2)] == [Wheel(3, 1, 1)] * 2


def test_the_top_is_followed_while_frames_grow(pointer: Pointer) -> None:
    """A frame that no longer fits below its top scrolls the screen; one that shrinks stays where it is."""
    pointer.drawn(Standing(0, 22), 24)
    assert pressed(pointer, 0, 2, 1) == Click(0, 0)
    pointer.drawn(Standing(0, 5), 24)
    assert pressed(pointer, 0, 2, 2) == Click(0, 0)
    assert not pointer.ask()


def test_frames_that_were_drawn_before_the_answer_count() -> None:
    """The answer tells where the cursor was when it was asked for; what scrolled since is reckoned."""
    pointer = Pointer(fullscreen=False)
    assert not pointer.ask(), "nothing is drawn yet"
    pointer.drawn(Standing(9, 10), 24)
    assert pointer.ask()
    assert not pointer.ask(), "it is asked once"
    pointer.drawn(Standing(3, 20), 24)
    assert pressed(pointer, 0, 20, 1) is None, "nobody knows yet"
    pointer.answered(Position(0, 23), 24)
    assert pressed(pointer, 0, 4, 2) == Click(0, 0)


def test_a_resize_makes_the_top_unknown_until_it_is_asked_anew() -> None:
    """The answer to the question from before the resize does not count."""
    pointer = Pointer(fullscreen=False)
    pointer.drawn(Standing(0, 10), 24)
    assert pointer.ask()
    pointer.resized()
    pointer.drawn(Standing(0, 10), 30)
    assert pointer.ask()
    pointer.answered(Position(0, 3), 30)
    assert pressed(pointer, 0, 7, 1) is None
    pointer.answered(Position(0, 7), 30)
    assert pressed(pointer, 0, 7, 2) == Click(0, 0)


def test_in_full_screen_nothing_has_to_be_asked() -> None:
    """The frame begins at the top."""
    pointer = Pointer(fullscreen=True)
    pointer.drawn(Standing(9, 10), 24)
    assert not pointer.ask()
    assert pressed(pointer, 4, 2, 1) == Click(4, 2)


@pytest.mark.parametrize(
    ("environ", "on"),
    [
        *(({"TERM": kind}, True) for kind in ("xterm-256color", "tmux-256color", "screen", "alacritty", "xterm-kitty")),
        *(({"TERM": kind}, False) for kind in ("linux", "vt100", "ansi", "")),
        ({"TERM": "xterm", "ASK_MOUSE": "0"}, False),
        ({"TERM": "linux", "ASK_MOUSE": "1"}, True),
        ({"TERM": "xterm", "ASK_MOUSE": ""}, True),
    ],
)
def test_terminals_known_to_report_are_asked_to(environ: dict[str, str], on: bool) -> None:
    """TERM tells, and ASK_MOUSE overrules it."""
    assert wanted(environ) is on


# --- through a pseudo-terminal ----------------------------------------------------------------------------------------

MOUSE_ON = b"\x1b[?1000h\x1b[?1006h"
QUERY = b"\x1b[6n"


@pytest.fixture
def form(tmp_path: Path) -> Path:
    path = tmp_path / "form.json"
    path.write_text(json.dumps(FORM))
    return path


class Clicked:
    """The command on FORM under a pseudo-terminal that has a mouse and, where asked to, says where its cursor is."""

    def __init__(
        self, form: Path, *options: str, answers: bool = True, above: int = 0, environ: dict[str, str] | None = None
    ) -> None:
        self._answers = answers
        self._answered = 0
        command = [sys.executable, "-m", "ask_core.edge.cli", "run", str(form), *options]
        if above:
            command = ["sh", "-c", f'for i in $(seq {above}); do echo above; done; exec "$@"', "sh", *command]
        self._out = form.with_name("out")
        with self._out.open("wb") as out:
            self.pty = Pty(command, stdout=None if above else out, environ=environ)

    @property
    def answers(self) -> dict[str, Any]:
        answers: dict[str, Any] = json.loads(self._out.read_text())["answers"]
        return answers

    def answer(self) -> None:
        """Tell where the cursor is, as often as that was asked."""
        self.pty.settle()
        while self._answers and self.pty.log.count(QUERY) > self._answered:
            self._answered += 1
            cursor = self.pty.screen.cursor
            self.pty.send(f"\x1b[{cursor.y + 1};{cursor.x + 1}R")
            self.pty.settle()

    def point(self, text: str, *, button: int = 0, to: int = 0) -> None:
        """Press and let go on a text; of the wheel there is no letting go."""
        row = next(row for row, line in enumerate(self.pty.screen.display) if text in line)
        column = self.pty.screen.display[row].index(text)
        self.pty.send(f"\x1b[<{button};{column + 1};{row + 1}M")
        if button < 64:
            self.pty.send(f"\x1b[<{button};{column + 1 + to};{row + 1}m")
        self.pty.settle()


@pytest.mark.parametrize("options", [(), ("--fullscreen",)], ids=["inline", "fullscreen"])
def test_a_form_is_answered_with_the_mouse_alone(form: Path, options: tuple[str, ...]) -> None:
    """Clicks, tabs, the wheel and two clicks on Submit; the first frame is not preceded by any question."""
    run = Clicked(form, *options)
    with run.pty as pty:
        pty.until("Which one?")
        run.answer()
        assert QUERY not in pty.log[: pty.log.index(b"Which one?")]
        assert (QUERY in pty.log) != bool(options)
        assert MOUSE_ON in pty.log
        run.point("The hills")
        assert "● The hills" in pty.text()
        run.point("The town", to=6)
        assert "● The hills" in pty.text(), "a drag"
        run.point("Many")
        run.point("Some bread", button=65)
        assert "› 2 □ Some cheese" in pty.text()
        run.point("Some bread")
        run.point("Review")
        time.sleep(0.45)
        run.point("Submit")
        assert "Press 1 again" in pty.text()
        time.sleep(0.45)
        run.point("Submit")
        assert pty.wait() == 0
        assert pty.left_on() == set()
        assert {key: answer["values"] for key, answer in run.answers.items()} == {"one": ["hills"], "many": ["bread"]}


def test_inline_the_place_on_the_screen_is_found(form: Path) -> None:
    """At the lower end of the screen, where drawing scrolls, and again after a resize."""
    run = Clicked(form, above=20)
    with run.pty as pty:
        pty.until("Which one?")
        run.answer()
        run.point("The hills")
        assert "● The hills" in pty.text()
        pty.resize(70, 20)
        pty.until(lambda: pty.log.count(QUERY) == 2)
        run.answer()
        run.point("The sea")
        assert "● The sea" in pty.text()


def test_a_terminal_that_never_says_where_the_cursor_is_has_keys(form: Path) -> None:
    """Nothing waits for the answer; clicks mean nothing, and nothing is typed by them or by a late answer."""
    run = Clicked(form, answers=False)
    with run.pty as pty:
        pty.until("Which one?")
        pty.settle()
        before = pty.text()
        run.point("The hills")
        run.point("The hills", button=65)
        assert pty.text() == before
        pty.send("3\x1b[B")
        pty.until("[○ Many]")
        pty.send("\x1b[1;2R")
        pty.send("3")
        pty.until("Your own answer:")
        pty.send("\x1b[24;1R\x1b[<0;3;3M\x1b[<0;3;3mx")
        pty.until("│ x")


@pytest.mark.parametrize(
    ("options", "environ"), [(("--no-mouse",), {}), ((), {"ASK_MOUSE": "0"}), ((), {"TERM": "vt220"})]
)
def test_without_a_mouse_nothing_is_switched_on_and_nothing_asked(
    form: Path, options: tuple[str, ...], environ: dict[str, str]
) -> None:
    """The terminal keeps its mouse to itself, so text can be marked without Shift."""
    run = Clicked(form, *options, environ=environ)
    with run.pty as pty:
        pty.until("Which one?")
        pty.settle()
        for mode in (b"?1000", b"?1006", b"?1004", b"[6n"):
            assert mode not in pty.log
