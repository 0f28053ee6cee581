"""Frames: what holds at every size, and what a person must be able to see."""

from __future__ import annotations

import re
from typing import Any
from unicodedata import category

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from ask_core.dialects import load_form
from ask_core.events import Event, Resized
from ask_core.frame import Cursor, Frame, Role
from ask_core.keys import Key
from ask_core.layout import layout
from ask_core.questions import Form
from ask_core.reduce import reduce
from ask_core.result import result_of
from ask_core.screen import OnDemand, QuestionBody, ReviewBody, Row
from ask_core.settings import Settings
from ask_core.state import Choosing, Noting, State, Typing, start
from ask_core.testing import play
from ask_core.text.graphemes import clusters, width
from ask_core.view import view
from tests.strategies import HOSTILE, all_settings, events, forms

sizes = st.tuples(st.integers(1, 160), st.integers(1, 60)) | st.tuples(st.integers(18, 44), st.integers(5, 16))
usable_sizes = st.tuples(st.integers(20, 160), st.integers(6, 60)) | st.tuples(st.integers(20, 44), st.integers(6, 16))

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@st.composite
def _states(draw: st.DrawFn) -> State:
    state = start(draw(forms), draw(all_settings))
    for event in draw(st.lists(events, max_size=20)):
        after = reduce(state, event)
        state = state if after.finished else after
    return state


states = _states()


def _frame(state: State, columns: int, rows: int) -> Frame:
    return layout(view(state), columns, rows)


def _spans(frame: Frame, role: Role) -> list[str]:
    return [span.text for line in frame.lines for span in line if span.role is role]


def _line(frame: Frame, row: int) -> str:
    return "".join(span.text for span in frame.lines[row])


def _options(count: int, **more: Any) -> list[dict[str, Any]]:
    return [{"value": f"v{index}", "label": f"Option {index}", **more} for index in range(count)]


def _question(count: int = 3, **changes: Any) -> dict[str, Any]:
    return {"id": "q", "prompt": "Which one?", "options": _options(count)} | changes


def _open(*questions: dict[str, Any], keys: tuple[str, ...] = ()) -> State:
    return play({"title": "Plan", "questions": list(questions)}, keys, allow_freeform=True).state


# Laws


@given(states, sizes)
def test_a_frame_fits_its_size(state: State, size: tuple[int, int]) -> None:
    """R8: never more rows or columns than the terminal, whatever the size; the cursor is inside."""
    columns, rows = size
    frame = _frame(state, columns, rows)
    assert (frame.width, frame.height) == size
    assert 1 <= len(frame.lines) <= rows
    for line in frame.lines:
        assert sum(width(span.text) for span in line) <= columns
        assert width("".join(span.text for span in line)) <= columns
    if frame.cursor:
        assert 0 <= frame.cursor.column < columns
        assert 0 <= frame.cursor.row < len(frame.lines)


@given(states, sizes)
def test_every_text_of_a_frame_is_printable(state: State, size: tuple[int, int]) -> None:
    """R9: no control character, no line break and nothing that changes direction reaches a span."""
    for line in _frame(state, *size).lines:
        for span in line:
            assert span.text
            assert not any(category(char) in ("Cc", "Cs", "Zl", "Zp") for char in span.text)
            assert BIDI.isdisjoint(span.text)


@given(states, usable_sizes)
def test_the_focus_is_always_in_the_frame(state: State, size: tuple[int, int]) -> None:
    """R8: the highlighted row or action and the open tab can be seen at every usable size."""
    frame = _frame(state, *size)
    pointers = [text for text in _spans(frame, Role.POINTER) if text.strip()]
    freeform = not state.on_review and state.question.freeform
    assert len(pointers) == (0 if freeform else 1)
    assert len(_spans(frame, Role.TAB_ACTIVE)) == 1


@given(states, usable_sizes)
def test_the_cursor_of_an_editor_is_always_in_the_frame(state: State, size: tuple[int, int]) -> None:
    """R8: the cursor stands in the box of the editor, on what the next key would delete forward."""
    frame = _frame(state, *size)
    if not isinstance(state.mode, Typing | Noting):
        assert frame.cursor is None
        return
    assert frame.cursor is not None
    line = _line(frame, frame.cursor.row)
    left = line.rindex("│ ") + 2 if Role.EDITOR not in _roles(frame, frame.cursor.row) else None
    cells = [cell for cluster in clusters(line) for cell in (cluster, *[""] * (width(cluster) - 1))]
    assert any(span.text == "│ " and span.role is Role.RULE for span in frame.lines[frame.cursor.row])
    if left is not None:
        assert frame.cursor.column == width(line[:left])
    body = view(state).body
    assert isinstance(body, QuestionBody)
    row = body.rows[body.highlighted]
    editor = body.note_editor or row.note_editor or row.editor
    assert editor is not None
    under = next(clusters(editor.after), "\n")
    if under != "\n" and frame.cursor.column < len(cells):
        assert cells[frame.cursor.column] == under


def _roles(frame: Frame, row: int) -> set[Role]:
    return {span.role for span in frame.lines[row]}


@given(states, usable_sizes)
def test_the_warning_is_always_in_the_frame(state: State, size: tuple[int, int]) -> None:
    """R8: the notice about leaving, or about a type change, is whole at every usable size."""
    screen = view(state)
    if screen.warning is None:
        return
    shown = " ".join(" ".join(_spans(layout(screen, *size), Role.WARNING)).split())
    assert screen.warning in shown


@given(states, usable_sizes)
def test_rows_out_of_sight_are_counted(state: State, size: tuple[int, int]) -> None:
    """R8: the rows shown and those the marks count are all rows of the question."""
    body = view(state).body
    if not isinstance(body, QuestionBody) or body.freeform:
        return
    frame = _frame(state, *size)
    shown = sum(Role.NUMBER in _roles(frame, row) for row in range(len(frame.lines)))
    marks = [re.fullmatch(r" *[↑↓] (\d+) more (above|below)", text) for text in _spans(frame, Role.MORE)]
    assert shown + sum(int(mark[1]) for mark in marks if mark) == len(body.rows)


@given(states, usable_sizes)
def test_a_frame_depends_on_nothing_but_screen_and_size(state: State, size: tuple[int, int]) -> None:
    """The same state gives an equal frame, so equal frames need no drawing."""
    assert _frame(state, *size) == _frame(state, *size)


@given(forms, all_settings, st.lists(events, max_size=10), sizes)
def test_telling_the_size_changes_no_frame(
    form: Form, settings: Settings, happened: list[Event], size: tuple[int, int]
) -> None:
    """`layout` goes by the size it is given; the size in the state is for paging only."""
    state = start(form, settings)
    for event in happened:
        state = reduce(state, event)
    assert _frame(reduce(state, Resized(*size)), *size) == _frame(state, *size)


# Sizes


@pytest.mark.parametrize(("columns", "rows"), [(19, 24), (80, 5), (1, 1), (0, 0), (-3, 7)])
def test_a_terminal_that_is_too_small_gets_a_notice(columns: int, rows: int) -> None:
    """R8: below 20x6 a short notice is shown, cut to what there is."""
    frame = _frame(_open(_question(), keys=("4", "x")), columns, rows)
    assert frame.cursor is None
    assert len(frame.lines) <= max(1, rows)
    if columns >= 19:
        assert frame.text() == "Too small: needs 20x6" or frame.text().startswith("Too small:")


def test_the_height_stays_while_the_highlight_moves() -> None:
    """Moving through 40 options at 80x15, with descriptions on some, the frame keeps its height."""
    options = _options(40)
    for index in range(0, 40, 3):
        options[index]["description"] = "a description that takes a line " * (1 + index % 2)
    state = _open(_question(options=options))
    heights = set()
    for _ in range(40):
        heights.add(len(_frame(state, 80, 15).lines))
        state = reduce(state, Key("down"))
    assert isinstance(state.mode, Typing)
    assert heights == {15}


def test_every_row_of_a_long_list_is_seen_on_the_way_through_it() -> None:
    """Each option is highlighted in the frame when the focus is on it, at a low and at a high frame."""
    for columns, rows in ((30, 8), (80, 15), (120, 40)):
        state = _open(_question(25))
        for index in range(25):
            assert f"Option {index}" in _spans(_frame(state, columns, rows), Role.OPTION_FOCUSED)
            state = reduce(state, Key("down"))


def test_only_the_rows_that_fit_are_asked_for() -> None:
    """Ten thousand options cost no more than those the frame shows, wherever the highlight is."""
    for keys in ((), ("pageDown",) * 100, ("end", "esc"), ("end", "esc", "n")):
        screen = view(_open(_question(10_000), keys=keys))
        body = screen.body
        assert isinstance(body, QuestionBody)
        made: list[int] = []

        def make(index: int, rows: Any = body.rows, made: list[int] = made) -> Row:
            made.append(index)
            row = rows[index]
            assert isinstance(row, Row)
            return row

        counted = evolve(screen, body=evolve(body, rows=OnDemand(len(body.rows), make)))
        assert layout(counted, 80, 24) == layout(screen, 80, 24)
        assert len(made) <= 24 + 2
        assert len(set(made)) == len(made)


def test_only_the_questions_that_fit_are_asked_for_on_the_review_tab() -> None:
    """The same for a review of a thousand questions."""
    screen = view(_open(*(_question(1, id=f"q{index}") for index in range(1000)), keys=("shift+tab",)))
    body = screen.body
    assert isinstance(body, ReviewBody)
    made: list[int] = []

    def make(index: int) -> Any:
        made.append(index)
        return body.questions[index]

    counted = evolve(screen, body=evolve(body, questions=OnDemand(len(body.questions), make)))
    for size in ((80, 24), (120, 40), (20, 6)):
        made.clear()
        assert layout(counted, *size) == layout(screen, *size)
        assert len(made) <= size[1] + 2


def test_the_row_for_own_words_is_reachable_under_long_descriptions() -> None:
    """Four descriptions of 400 characters at 40x10: each row can be highlighted, and the last one written in."""
    options = [option | {"description": "long words " * 36 + "end."} for option in _options(4)]
    state = _open(_question(options=options))
    for index in range(4):
        frame = _frame(state, 40, 10)
        assert f"Option {index}" in _spans(frame, Role.OPTION_FOCUSED)
        assert any("more" in text for text in _spans(frame, Role.MORE))
        state = reduce(state, Key("down"))
    state = reduce(state, Key("x"))
    frame = _frame(state, 40, 10)
    assert frame.cursor is not None
    assert "│ x" in _line(frame, frame.cursor.row)


def test_a_long_prompt_leaves_room_for_the_rows() -> None:
    """A prompt of a hundred lines is cut and counted; the highlighted row stays."""
    frame = _frame(_open(_question(prompt="line\n" * 100 + "end")), 60, 20)
    assert "Option 0" in _spans(frame, Role.OPTION_FOCUSED)
    assert any(re.search(r"\d+ more lines", text) for text in _spans(frame, Role.MORE))


# What a person sees


def test_hostile_text_reaches_the_frame_only_as_marks() -> None:
    """R9, T10: in title, label, prompt, option, description and preview, and on the review; the result is unchanged."""
    label = f"A{HOSTILE}B"
    option = {"value": label, "label": label, "description": label, "preview": label}
    question = {"id": label, "label": label, "prompt": label, "type": "preview", "options": [option]}
    payload = {"title": label, "questions": [question]}
    for keys in ((), ("1",), ("n",), ("N",), ("2",), ("shift+tab", "2")):
        state = play(payload, keys).state
        for columns, rows in ((140, 40), (80, 24), (40, 12), (20, 6)):
            text = _frame(state, columns, rows).text()
            assert not {"\x1b", "\x07", "\x00", "\u202e"} & set(text)
        assert "^[]52;c;aGk=^G<U+202E>^@" in _frame(state, 140, 40).text()
    state = play(payload, ["1"]).state
    assert state.form.questions[0].options[0].label == label
    assert result_of(state).form.questions[0].id == label


def test_typed_and_pasted_controls_are_marks_in_the_editor_with_the_cursor_behind_them() -> None:
    """What no person can see is shown while it is written, and the cursor knows how wide the mark is."""
    state = play(
        {"questions": [{"id": "q", "prompt": "P", "options": [{"value": "t", "label": "T", "freeform": True}]}]},
        ["a", "\u202e", {"paste": "b\u200b"}],
        allow_freeform=True,
    ).state
    frame = _frame(state, 80, 24)
    assert frame.cursor is not None
    line = _line(frame, frame.cursor.row)
    assert line.endswith("│ a<U+202E>b<U+200B>")
    assert frame.cursor.column == width(line)


def test_tabs_say_answered_or_not_without_colour() -> None:
    """An answered question has a check mark, the others a ring; the open one is in brackets."""
    text = _frame(_open(_question(id="a", label="One"), _question(id="b", label="Two"), keys=("1",)), 80, 24).text()
    assert "✓ One" in text
    assert "[○ Two]" in text
    assert "Review" in text


def test_tabs_stay_readable_with_twelve_questions_at_forty_columns() -> None:
    """The open tab has its label, and counts say how many are out of sight on each side."""
    state = _open(*(_question(id=f"q{index}", label=f"Topic {index}") for index in range(12)))
    for index in range(12):
        line = _line(_frame(state, 40, 15), 1)
        assert f"[○ Topic {index}]" in line
        assert re.search(r"\d+›", line) or index > 9
        assert re.search(r"‹\d+", line) or index < 3
        state = reduce(state, Key("tab"))
    assert "[Review]" in _line(_frame(state, 40, 15), 1)


PREVIEWED: dict[str, Any] = {
    "id": "p",
    "prompt": "Look?",
    "type": "preview",
    "options": [
        {"value": "a", "label": "Flat", "preview": "first preview\nsecond line"},
        {"value": "b", "label": "Round", "preview": "other"},
    ],
}


def test_the_preview_is_beside_the_list_where_it_is_wide_and_below_where_not() -> None:
    """From about 90 columns beside the options, else under them; always that of the focused option."""
    state = _open(PREVIEWED)
    wide, narrow = _frame(state, 100, 24), _frame(state, 70, 24)
    assert any("│ first preview" in line for line in wide.text().split("\n"))
    lines = narrow.text().split("\n")
    flat = next(number for number, line in enumerate(lines) if "› 1" in line)
    preview = next(number for number, line in enumerate(lines) if "first preview" in line)
    assert preview > flat + 1
    moved = _frame(reduce(state, Key("down")), 100, 24).text()
    assert "other" in moved
    assert "first preview" not in moved


def test_a_freeform_question_has_no_number_and_no_caret() -> None:
    """`Type your answer:` stands alone (contract, "Supported UX"), written in and saved."""
    free = {"id": "f", "prompt": "Name?", "options": [{"value": "t", "label": "Answer", "freeform": True}]}
    for keys in ((), ("x",), ("x", "esc")):
        frame = _frame(_open(free, keys=keys), 80, 24)
        assert "Type your answer:" in frame.text()
        assert not _spans(frame, Role.POINTER)
        assert not _spans(frame, Role.NUMBER)
        assert "Answer" not in frame.text().replace("Type your answer", "")


def test_rows_past_nine_have_no_number() -> None:
    """R7: digits are 1 to 9."""
    numbers = [text.strip() for text in _spans(_frame(_open(_question(12)), 80, 40), Role.NUMBER)]
    assert numbers == [*map(str, range(1, 10)), "", "", "", ""]


NOTED = ("1", "down", "n", *"seen", "enter", "shift+tab", "n", *"chosen", "enter", "down", "n", *"other", "enter")


@pytest.mark.parametrize(("action", "shown"), [(0, False), (1, True), (2, False)])
def test_the_review_shows_the_notes_that_the_action_would_send(action: int, shown: bool) -> None:
    """Submit and Cancel show notes of answered questions; Elaborate shows all, also on options not chosen."""
    questions = (_question(id="a", label="One"), _question(id="b", label="Two"))
    state = _open(*questions, keys=(*NOTED, "tab", "tab", *("down",) * action))
    text = _frame(state, 100, 30).text()
    assert "chosen" in text
    assert ("seen" in text, "other" in text) == (shown, shown)


def test_the_review_names_what_is_not_answered() -> None:
    """Unanswered questions are named above the actions."""
    questions = [_question(id=name, label=name.title()) for name in ("red", "green", "blue")]
    text = _frame(_open(*questions, keys=("tab", "1", "tab")), 80, 24).text()
    assert "Not answered: Red, Blue" in text


def test_a_pending_digit_is_said_beside_its_action() -> None:
    """The review shows an inline hint for the action that waits for its digit again."""
    frame = _frame(_open(_question(), keys=("tab", "2")), 80, 24)
    lines = [line for line in frame.text().split("\n") if "Elaborate" in line]
    assert len(lines) == 1
    assert "Press 2 again" in lines[0]


def test_answers_and_actions_are_side_by_side_on_a_wide_review() -> None:
    """From about 90 columns; narrower, the actions stand below."""
    state = _open(_question(label="One"), keys=("1",))
    assert any("One: " in line and "Submit" in line for line in _frame(state, 100, 24).text().split("\n"))
    assert not any("One: " in line and "Submit" in line for line in _frame(state, 80, 24).text().split("\n"))


def test_hints_can_be_switched_off() -> None:
    """Without footer hints the frame has no keys in it and is not higher."""
    form = load_form({"questions": [_question()]})
    state = start(form)
    quiet = start(form, Settings(evolve(Settings().behaviour, show_footer_hints=False)))
    assert _spans(_frame(state, 80, 24), Role.KEY)
    assert not _spans(_frame(quiet, 80, 24), Role.KEY)
    assert len(_frame(quiet, 80, 24).lines) < len(_frame(state, 80, 24).lines)


def test_the_cursor_is_hidden_where_nothing_is_written() -> None:
    """A frame has a cursor exactly while an editor is open."""
    state = _open(_question(), keys=("down",))
    assert isinstance(state.mode, Choosing)
    assert _frame(state, 80, 24).cursor is None
    assert isinstance(_frame(reduce(state, Key("n")), 80, 24).cursor, Cursor)
