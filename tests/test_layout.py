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
from ask_core.events import Paste, Resized
from ask_core.frame import Cursor, Frame, Role
from ask_core.keys import Key
from ask_core.layout import layout
from ask_core.layout.writing import editor_box
from ask_core.questions import Flow
from ask_core.reduce import reduce
from ask_core.result import result_of
from ask_core.screen import Editor, QuestionBody
from ask_core.settings import Settings
from ask_core.state import Choosing, Configuring, Filtering, Noting, State, Typing, start
from ask_core.summary import transcript
from ask_core.testing import play
from ask_core.text.graphemes import clusters, width
from ask_core.view import view
from tests.strategies import HOSTILE, all_settings, forms, open_walks

sizes = st.tuples(st.integers(1, 160), st.integers(1, 60)) | st.tuples(st.integers(18, 44), st.integers(5, 16))
usable_sizes = st.tuples(st.integers(20, 160), st.integers(6, 60)) | st.tuples(st.integers(20, 44), st.integers(6, 16))

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@st.composite
def _states(draw: st.DrawFn) -> State:
    state = start(draw(forms), draw(all_settings))
    for event in draw(open_walks):
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


def _fits(frame: Frame) -> None:
    assert 1 <= len(frame.lines) <= frame.height
    for line in frame.lines:
        assert sum(width(span.text) for span in line) <= frame.width
        assert width("".join(span.text for span in line)) <= frame.width
    if frame.cursor:
        assert 0 <= frame.cursor.column < frame.width
        assert 0 <= frame.cursor.row < len(frame.lines)


def _is_printable(frame: Frame) -> None:
    for line in frame.lines:
        for span in line:
            assert not any(category(char) in ("Cc", "Cs", "Zl", "Zp") for char in span.text)
            assert BIDI.isdisjoint(span.text)


def _shows_the_focus(state: State, frame: Frame) -> None:
    pointers = [text for text in _spans(frame, Role.POINTER) if text.strip()]
    configuring = isinstance(state.mode, Configuring)
    # A filter that matches nothing leaves no row where there are no own words.
    without_rows = isinstance(state.mode, Filtering) and not state.mode.rows
    if without_rows or (not state.on_review and state.question.freeform and not configuring):
        assert not pointers
    elif not isinstance(state.mode, Typing):  # there the editor is the row
        assert len(pointers) == 1
    # What is warned of and what is wrong with the settings come before the tabs.
    screen = view(state)
    if frame.height >= (12 if screen.warning and screen.notice else 8) and not configuring:
        assert len(_spans(frame, Role.TAB_ACTIVE)) == (state.tabs > 1)


def _shows_the_cursor(state: State, frame: Frame) -> None:
    if not isinstance(state.mode, Typing | Noting | Filtering):
        assert frame.cursor is None
        return
    body = view(state).body
    assert isinstance(body, QuestionBody)
    editor = body.filter.editor if body.filter else body.note_editor
    if editor is None:
        row = body.rows[body.highlighted]
        editor = row.note_editor or row.editor
    assert editor is not None
    assert frame.cursor is not None
    assert any(span.text == "│ " and span.role is Role.RULE for span in frame.lines[frame.cursor.row])
    line = _line(frame, frame.cursor.row)
    cells = [cell for cluster in clusters(line) for cell in (cluster, *[""] * (width(cluster) - 1))]
    under = next(clusters(editor.after), "\n")
    if under != "\n" and frame.cursor.column < len(cells):
        assert cells[frame.cursor.column] == under


def _shows_the_warning(state: State, frame: Frame) -> None:
    warning = view(state).warning
    if warning is not None:
        assert warning in " ".join(" ".join(_spans(frame, Role.WARNING)).split())


def _counts_what_is_out_of_sight(state: State, frame: Frame) -> None:
    screen = view(state)
    body = screen.body
    if not isinstance(body, QuestionBody) or body.freeform:
        return
    if frame.height < (12 if screen.warning else 8):
        return  # what a person writes and is warned of comes before the count
    # The lowest frames leave the editor of the last row without its number.
    shown = sum(any(span.role is Role.NUMBER for span in line) for line in frame.lines)
    shown += isinstance(state.mode, Typing) and not _spans(frame, Role.POINTER)
    hidden = [int(count) for text in _spans(frame, Role.MORE) for count in re.findall(r"[↑↓] (\d+)", text)]
    assert shown + sum(hidden) == len(body.rows)


@given(states, st.lists(sizes, min_size=1, max_size=3))
def test_a_frame_fits_any_size_and_is_printable(state: State, several: list[tuple[int, int]]) -> None:
    """R8, R9: never more rows or columns than the terminal, and no control character or change of direction."""
    for size in several:
        frame = _frame(state, *size)
        assert (frame.width, frame.height) == size
        _fits(frame)
        _is_printable(frame)


@given(states, st.lists(usable_sizes, min_size=1, max_size=3))
def test_what_matters_is_in_the_frame(state: State, several: list[tuple[int, int]]) -> None:
    """R8: the highlighted row or action, the cursor of an open editor and the warning, whole, at every usable size."""
    for size in several:
        frame = _frame(state, *size)
        _shows_the_focus(state, frame)
        _shows_the_cursor(state, frame)
        _shows_the_warning(state, frame)


@given(states, usable_sizes)
def test_rows_out_of_sight_are_counted(state: State, size: tuple[int, int]) -> None:
    """R8: the rows shown and those the marks count are all rows of the question."""
    _counts_what_is_out_of_sight(state, _frame(state, *size))


@given(states, sizes)
def test_telling_the_size_changes_no_frame(state: State, size: tuple[int, int]) -> None:
    """`layout` goes by the size it is given; the size in the state is for paging only."""
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
    assert any(re.search(r"\d+ more", text) for text in _spans(frame, Role.MORE))


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


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (20, 6), (120, 40)])
@pytest.mark.parametrize("opening", ["4", "n", "N"])
def test_the_line_being_written_in_a_long_text_is_in_the_frame(opening: str, size: tuple[int, int]) -> None:
    """R8: the editor scrolls with its cursor, in own words and in notes."""
    text = "\n".join(f"line {number}." for number in range(100))
    state = _open(_question(), keys=(opening,))
    state = reduce(state, Paste(text))
    for number in range(99, 60, -1):
        frame = _frame(state, *size)
        assert frame.cursor is not None
        line = _line(frame, frame.cursor.row)
        assert line.rstrip().endswith(f"│ line {number}.")
        assert frame.cursor.column == width(line.rstrip())
        state = reduce(state, Key("up"))


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


@pytest.mark.parametrize("size", [(80, 24), (40, 15), (140, 40)])
def test_every_answer_can_be_seen_on_the_review_tab(size: tuple[int, int]) -> None:
    """R8: paging through a review passes no question by, whatever room their notes take."""
    questions = [_question(id=f"q{index}", label=f"Topic {index}.") for index in range(12)]
    note = "a long note " * 40
    keys: list[str | dict[str, str]] = ["1", "shift+tab", "N", {"paste": note}, "enter", "tab"]
    state = play({"questions": questions}, [*keys * 12, "down"]).state
    assert state.on_review
    state = reduce(state, Resized(*size))
    seen: set[str] = set()
    for _ in range(150):
        seen.update(re.findall(r"[✓○] (Topic \d+\.): ", _frame(state, *size).text()))
        state = reduce(state, Key("pageDown"))
    assert seen == {f"Topic {index}." for index in range(12)}


def test_answers_out_of_sight_on_the_review_tab_are_counted() -> None:
    """R8: the marks count the questions above and below; one that is cut counts as out of sight too."""
    questions = tuple(_question(id=f"q{index}") for index in range(12))
    for keys in ((), ("pageDown",), ("pageDown",) * 9):
        state = _open(*questions, keys=("shift+tab", *keys))
        for columns, rows in ((40, 9), (40, 15), (80, 24), (120, 20)):
            frame = _frame(state, columns, rows)
            shown = sum(any(span.role is Role.MARK for span in line) for line in frame.lines)
            hidden = [int(count) for text in _spans(frame, Role.MORE) for count in re.findall(r"[↑↓] (\d+)", text)]
            assert 12 <= shown + sum(hidden) <= 13


def test_the_warning_stays_visible_beside_another_notice() -> None:
    """The warning about leaving stays until the tab changes, also while a type change waits for its key (R14)."""
    state = _open(_question(type="multi"), keys=("1", "2", "esc", "t"))
    text = " ".join(_frame(state, 80, 24).text().split())
    assert "t clears your choices" in text
    assert "Esc leaves" in text


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


# Every notable state at every low or narrow size

LONG = [option | {"description": "long words " * 36 + "end."} for option in _options(4)]
FREE: dict[str, Any] = {
    "id": "f",
    "prompt": "Name?",
    "options": [{"value": "t", "label": "Answer", "freeform": True}],
}
NOTABLE = {
    "warned": ((_question(type="multi"),), ("1", "esc")),
    "warned and type armed": ((_question(type="multi"),), ("1", "2", "esc", "t")),
    "typing, warned": ((_question(),), ("4", *"some words", "ctrl+c")),
    "typing many lines": ((_question(),), ("4", *["x", {"paste": "\n"}] * 30, "up", "up")),
    "typing one long line": ((_question(),), ("4", {"paste": "日本語 words " * 60}, "alt+b")),
    "noting, warned": ((_question(),), ("down", "n", *"some words", "ctrl+c")),
    "noting on a long option": ((_question(options=LONG),), ("down", "n", *"some words")),
    "noting on the question, warned": ((_question(prompt="line\n" * 50 + "end"),), ("down", "N", "x", "ctrl+c")),
    "long options, warned": ((_question(options=LONG),), ("space", "down", "esc")),
    "many options": ((_question(40),), ("pageDown",)),
    "preview, noting": ((PREVIEWED,), ("down", "n", "x")),
    "preview, warned": ((PREVIEWED,), ("down", "space", "esc")),
    "freeform, warned": ((FREE,), ("x", "ctrl+c")),
    "review, warned": ((_question(),), ("1", "esc", "end")),
    "review, warned, pending": ((_question(),), ("1", "esc", "3")),
    "review of many, pending": (
        tuple(_question(id=f"q{index}") for index in range(20)),
        ("shift+tab", "pageDown", "2"),
    ),
}


@pytest.mark.parametrize("name", NOTABLE)
def test_what_matters_is_in_every_low_or_narrow_frame(name: str) -> None:
    """R8 at each height to 17 and at the widths where the arrangement changes: nothing that matters is cut away."""
    questions, keys = NOTABLE[name]
    state = play({"questions": list(questions)}, keys, allow_freeform=True).state
    assert not state.finished
    for columns in (20, 21, 25, 30, 39, 40, 41, 60, 89, 90, 91, 160):
        for rows in range(6, 18):
            frame = _frame(state, columns, rows)
            _fits(frame)
            _shows_the_focus(state, frame)
            _shows_the_cursor(state, frame)
            _shows_the_warning(state, frame)
            _counts_what_is_out_of_sight(state, frame)


EVIL = "a\x1b]52;c;eA==\x07\u202e\x00\u009b31m\U000e0041\u200b\n\u2028b"


def test_no_text_of_any_screen_can_reach_the_terminal_raw() -> None:
    """T10: titles, labels, prompts, descriptions, previews, own words and notes are marks wherever they are shown."""
    option = {"value": "v", "label": EVIL, "description": EVIL, "preview": EVIL}
    question = {"label": EVIL, "prompt": EVIL, "type": "preview", "options": [option, option | {"value": "w"}]}
    payload = {"title": EVIL, "questions": [question | {"id": "a"}, question | {"id": "b"}, question | {"id": "c"}]}
    paste: dict[str, str] = {"paste": EVIL}
    keys: list[str | dict[str, str]] = [
        *("n", paste, "enter", "N", paste, "enter", "down", "n", paste, "esc", "end", paste, "esc"),
        *("tab", "1", "N", paste, "enter", "tab", "down", "shift+tab", "/", "t", "tab"),
    ]
    states = play(payload, keys).states
    review = [reduce(states[-1], Key("down")), reduce(states[-1], Key("2"))]
    for state in (*states, *review, reduce(states[-1], Key("ctrl+c"))):
        for size in ((32, 12), (60, 24), (140, 40)):
            _is_printable(_frame(state, *size))
        for line in transcript(result_of(state), 60):
            assert all(span.text.isprintable() for span in line)


def test_a_form_without_notes_and_retyping_has_neither() -> None:
    """A dialect may leave out notes and type changes: their keys mean nothing and no hint names them."""
    form = evolve(load_form({"questions": [_question()]}), flow=Flow(notes=False, retyping=False))
    state = start(form)
    for key in ("n", "N", "t"):
        assert reduce(state, Key(key)) is state
    text = _frame(state, 140, 40).text()
    assert "note" not in text
    assert "several" not in text


@pytest.mark.parametrize("height", [1, 2, 3, 4, 5, 8, 12])
def test_an_editor_counts_every_row_it_hides(height: int) -> None:
    """R8: wherever the cursor is, rows in sight and rows counted are all rows, and the cursor's row is in sight."""
    for line in range(40):
        text = [f"row {number:02}" for number in range(40)]
        editor = Editor("\n".join([*text[:line], ""]), "\n".join(text[line:]))
        box = editor_box(editor, 30, height)
        assert len(box.lines) == height
        shown = ["".join(span.text for span in row) for row in box.lines]
        assert box.cursor is not None
        assert shown[box.cursor.row].endswith(f"row {line:02}")
        hidden = [int(count) for row in shown for count in re.findall(r"(\d+) (?:more )?(?:above|below)", row)]
        seen = sum("row" in row for row in shown)
        assert seen + sum(hidden) == 40 if height > 1 else seen == 1
