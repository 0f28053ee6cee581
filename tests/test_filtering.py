"""Long lists, and the filter that makes them short."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ask_core.dialects import load_form
from ask_core.events import Paste, Resized
from ask_core.frame import Frame, Role
from ask_core.keymap import DEFAULT_KEYMAPS, keymaps_as_mapping, load_keymaps
from ask_core.keys import Key
from ask_core.layout import layout
from ask_core.modes import filtering
from ask_core.reduce import reduce
from ask_core.screen import QuestionBody
from ask_core.settings import Settings
from ask_core.state import Choosing, Filtering, State, Typing, start
from ask_core.testing import facts
from ask_core.text import fuzzy
from ask_core.view import view
from ask_render_plain import lines

CITIES = (
    *("Amsterdam", "Athens", "Barcelona", "Berlin", "Bern", "Bruges", "Budapest", "Copenhagen", "Dublin"),
    *("Helsinki", "Lisbon", "London", "Madrid", "New York", "Oslo", "Paris", "Prague", "Rome", "Sofia", "Vienna"),
)


def _question(labels: tuple[str, ...] = CITIES, **changes: Any) -> dict[str, Any]:
    options = [{"value": f"v{index}", "label": label} for index, label in enumerate(labels)]
    return {"id": "q", "prompt": "Where to?", "options": options} | changes


OTHER = {"id": "other", "prompt": "Sure?", "options": [{"value": "yes", "label": "Yes"}]}


def _open(*keys: str, settings: Settings | None = None, **changes: Any) -> State:
    state = start(load_form({"questions": [_question(**changes), OTHER]}), settings)
    return _after(state, *keys)


def _after(state: State, *keys: str) -> State:
    for key in keys:
        state = reduce(state, Key(key))
    return state


def _body(state: State) -> QuestionBody:
    body = view(state).body
    assert isinstance(body, QuestionBody)
    return body


def _shown(state: State) -> list[str]:
    """The labels of the rows shown but the last one, which is for own words."""
    return [row.label for row in _body(state).rows][:-1]


def _found(state: State) -> str:
    shown = _body(state).filter
    assert shown is not None
    return shown.found


def _selected(state: State) -> tuple[str, ...]:
    return tuple(CITIES[option] for option in state.answers[0].selected)


def _frame(state: State, columns: int = 80, rows: int = 24) -> Frame:
    return layout(view(state), columns, rows)


# What is shown


def test_only_rows_that_match_are_shown_and_own_words_after_them() -> None:
    """The characters are found in their order, in either case; the own words row stays the last one."""
    state = _open("/", "b", "r")
    assert _shown(state) == ["Bruges", "Barcelona", "Berlin", "Bern"]
    assert _body(state).rows[-1].own_words
    assert _found(state) == "4 of 20 match"


def test_matches_in_one_piece_come_first_each_in_the_order_of_the_options() -> None:
    """What holds the words as they were typed is above what only holds their characters."""
    state = _open("/", *"on", labels=("Option one", "one", "open", "onto", "o.n", *"abcdef"))
    assert _shown(state) == ["Option one", "one", "onto", "open", "o.n"]
    assert _shown(_open("/", *"york new", labels=("New York", "yo rk new", *"abcdefgh"))) == ["yo rk new"]
    assert _shown(_open("/", *"n yo", labels=("no yonder", "New York", "nyo", *"abcdefgh"))) == [
        "no yonder",
        "New York",
        "nyo",
    ]


def test_the_first_match_is_highlighted_as_the_text_changes() -> None:
    """Typing and deleting show other rows, and the first of them is highlighted."""
    state = _open("end", "esc", "up", "up", "/", "l")
    assert facts(state)["option"] == CITIES.index("Barcelona")
    assert facts(_after(state, "i"))["option"] == CITIES.index("Berlin")
    assert facts(_after(state, "i", "s"))["option"] == CITIES.index("Lisbon")
    assert facts(_after(state, "i", "backspace"))["option"] == CITIES.index("Barcelona")


def test_opening_the_filter_and_deleting_its_text_leaves_the_highlight() -> None:
    """Without a text all options are shown, and the one that was highlighted still is."""
    state = _open("down", "down", "down", "/")
    assert _shown(state) == list(CITIES)
    assert facts(state)["option"] == 3
    assert facts(_after(state, "p", "ctrl+u"))["option"] == CITIES.index("Budapest")
    assert _found(state) == _found(_after(state, "p", "ctrl+u")) == "20 options"


def test_the_characters_found_are_set_off() -> None:
    """What matched has a role of its own, which no theme tells by colour alone."""
    frame = _frame(_open("/", *"erl"))
    assert [span.text for line in frame.lines for span in line if span.role is Role.MATCH] == ["erl"]
    frame = _frame(_open("/", *"bs"))
    found = [[span.text for span in line if span.role is Role.MATCH] for line in frame.lines]
    assert [texts for texts in found if texts] == [["B", "s"], ["B", "s"]]


@pytest.mark.parametrize("columns", [24, 32, 80])
def test_a_match_is_set_off_over_wrapped_lines_and_in_whole_characters(columns: int) -> None:
    """No mark parts what a person sees as one character, nor is a frame wider for it."""
    label = "a long label with 日本語 and cafe\u0301 👩\u200d👩\u200d👧 that wraps, at the end zig"
    state = _open("/", *"lo語e👩zg", labels=(label, *"abcdefghij"))
    frame = _frame(state, columns)
    found = [span.text for line in frame.lines for span in line if span.role is Role.MATCH]
    assert "".join(found) == "lo語e\u0301👩\u200d👩\u200d👧zg"


def test_nothing_that_matches_is_said_and_leaves_own_words_only() -> None:
    """The list then holds the row for own words, which does not open by itself."""
    state = _open("/", *"xyzzy")
    assert _shown(state) == []
    assert _found(state) == "Nothing matches"
    assert isinstance(state.mode, Filtering)
    assert facts(state)["option"] == len(CITIES)
    assert isinstance(_after(state, "enter").mode, Typing)
    assert _after(state, "2", "0") is state


def test_one_match_is_counted_in_the_singular_and_thousands_are_grouped() -> None:
    """The count reads like a sentence."""
    assert _found(_open("/", *"oslo")) == "1 of 20 matches"
    many = tuple(f"Row {number}" for number in range(10_000))
    assert _found(_open("/", "r", labels=many)) == "10,000 of 10,000 match"


def test_the_plain_face_says_the_filter_and_the_count() -> None:
    """In lines: what is typed, how many match, and the rows with their digits."""
    said = list(lines(view(_open("/", *"ber", "down"))))
    assert "Filter, being written: ber" in said
    assert "2 of 20 match." in said
    assert said.index("1. Berlin") < said.index("2. Bern (highlighted)") < said.index("3. Type your own answer")


@pytest.mark.parametrize("size", [(20, 6), (24, 8), (32, 10), (40, 15), (80, 24), (160, 50)])
def test_the_text_and_its_cursor_are_in_the_frame_however_long(size: tuple[int, int]) -> None:
    """The end of a long filter text is in sight with the cursor behind it, beside the highlighted row."""
    state = reduce(_open("/"), Paste("x" * 150 + "end"))
    frame = _frame(state, *size)
    assert frame.cursor is not None
    line = "".join(span.text for span in frame.lines[frame.cursor.row])
    assert line[: frame.cursor.column].endswith("end")
    assert any("›" in span.text for line in frame.lines for span in line)


@pytest.mark.parametrize("size", [(40, 10), (80, 15), (100, 30)])
@pytest.mark.parametrize("count", [12, 40])
def test_the_frame_keeps_its_height_while_a_filter_is_typed(count: int, size: tuple[int, int]) -> None:
    """Nothing below the list moves, whether many rows match, few, or none."""
    state = _open(labels=tuple(f"Region {number:02}" for number in range(count)))
    state = _after(state, "/")
    heights = set()
    for key in ("r", "g", "backspace", "n", "x", "y"):
        state = _after(state, key)
        heights.add(len(_frame(state, *size).lines))
    assert len(heights) == 1


# Keys


@pytest.mark.parametrize(("count", "opens"), [(1, False), (9, False), (10, True), (25, True)])
def test_lists_of_more_than_nine_options_can_be_filtered(count: int, opens: bool) -> None:
    """R7: the key does nothing on a short list, and only a long one names it among the keys."""
    state = _open(labels=CITIES[:count] if count < 20 else CITIES + CITIES)
    assert isinstance(_after(state, "/").mode, Filtering) is opens
    assert any(hint.does == "filter" for hint in view(state).hints) is opens


@pytest.mark.parametrize("type", ["single", "preview"])
def test_enter_and_digits_choose_among_the_rows_shown(type: str) -> None:
    """Single and preview: Enter chooses and goes on; a digit chooses and stays, so that a number typed out of habit
    answers nothing that comes after."""
    options = [{"value": f"v{n}", "label": city, "preview": city} for n, city in enumerate(CITIES)]
    state = _open("/", *"br", type=type, options=options)
    for keys, chosen in ((("enter",), "Bruges"), (("2",), "Barcelona"), (("down", "down", "enter"), "Berlin")):
        after = _after(state, *keys)
        assert _selected(after) == (chosen,)
        assert after.tab == (0 if keys == ("2",) else 1)
        assert isinstance(after.mode, Filtering if keys == ("2",) else Choosing)


def test_enter_and_digits_choose_and_take_back_in_a_multi_question() -> None:
    """Multi: the filter stays, so that several of the matches can be chosen one after the other."""
    state = _open("/", *"ber", "enter", "2", type="multi")
    assert _selected(state) == ("Berlin", "Bern")
    assert isinstance(state.mode, Filtering)
    assert facts(state)["option"] == CITIES.index("Bern")
    state = _after(state, "1", *["backspace"] * 3, *"oslo", "enter")
    assert _selected(state) == ("Bern", "Oslo")
    assert state.tab == 0


def test_undo_takes_back_what_was_chosen_and_stays_in_the_filter() -> None:
    """The step is undone where the person is, the highlight on the option that changed."""
    state = _open("/", *"ber", "enter", "down", "enter", "up", type="multi")
    undone = _after(state, "ctrl+_")
    assert _selected(undone) == ("Berlin",)
    assert isinstance(undone.mode, Filtering)
    assert facts(undone)["option"] == CITIES.index("Bern")
    assert _selected(_after(undone, "ctrl+alt+_")) == ("Berlin", "Bern")
    elsewhere = _after(state, *["backspace"] * 3, *"oslo", "ctrl+_")
    assert elsewhere.mode == Choosing(CITIES.index("Bern"))
    chosen = _open("/", *"ber", "enter", "ctrl+_")
    assert (chosen.tab, chosen.mode, _selected(chosen)) == (0, Choosing(CITIES.index("Berlin")), ())


def test_own_words_in_the_filter_are_chosen_like_elsewhere() -> None:
    """Multi with saved words: the digit chooses them or takes them back, Enter opens them; else both write."""
    state = _open("end", *"mine", "enter", "/", *"oslo", type="multi")
    assert not _after(state, "2").answer.custom_selected
    assert isinstance(_after(state, "2").mode, Filtering)
    assert facts(_after(state, "down", "enter"))["editor"] == "mine"
    assert facts(_after(_open("/", *"oslo"), "2"))["editor"] == ""


@pytest.mark.parametrize("typed", [" ", "n", "N", "t", "/", ".", "é"])
def test_keys_that_type_go_into_the_filter(typed: str) -> None:
    """Space and the letters of other commands are text here."""
    state = _open("/", "o", typed)
    assert isinstance(state.mode, Filtering)
    assert state.mode.buffer.text == f"o{typed}"


def test_a_digit_is_never_typed_into_the_filter() -> None:
    """Digits choose, 0 does nothing; a paste may hold digits, for it is text."""
    state = _open("/", "0", labels=tuple(f"Region {number:02}" for number in range(40)))
    assert isinstance(state.mode, Filtering)
    assert not state.mode.buffer
    assert _shown(reduce(state, Paste("39"))) == ["Region 39"]


def test_the_highlight_moves_among_the_rows_shown_and_stops_at_both_ends() -> None:
    """Arrows, pages, Home and End know only the rows that match, and do not go round."""
    state = _open("/", *"br")
    assert _after(state, "up") == _after(state, "home") == _after(state, "pageUp") == state
    last = _after(state, "end")
    assert facts(last)["option"] == len(CITIES)
    assert _after(last, "down") is last
    assert facts(_after(state, "pageDown")) == facts(_after(state, *["down"] * 9)) == facts(last)
    assert facts(_after(last, "up"))["option"] == CITIES.index("Bern")


def test_a_page_in_the_filter_is_as_long_as_what_is_in_sight() -> None:
    """Paging goes by the rows shown at the terminal's size."""
    state = reduce(_open("/", "r", labels=tuple(f"Region {number:02}" for number in range(40))), Resized(40, 12))
    down = _after(state, "pageDown")
    assert 1 < facts(down)["option"] < 10
    assert _after(down, "pageUp") == state


def test_esc_leaves_the_filter_with_the_highlight_on_the_same_option() -> None:
    """All rows are back; where nothing matched, what the person moved to or chose last is highlighted again."""
    state = _open("/", *"ber", "down")
    assert _after(state, "esc").mode == Choosing(CITIES.index("Bern"))
    assert _after(state, *"xyz", "esc").mode == Choosing(CITIES.index("Bern"))
    assert _after(_open("down", "/", *"osloo"), "esc").mode == Choosing(1)
    assert _after(_open("/", *"oslo", "enter", "o", type="multi"), "esc").mode == Choosing(CITIES.index("Oslo"))
    assert _after(state, "end", "esc").mode == Choosing(len(CITIES))
    assert _after(state, "esc").answers == _open().answers
    assert not _after(state, "esc").finished


def test_tab_leaves_the_filter_and_arrows_do_so_without_a_text() -> None:
    """With a text Left and Right move its cursor, as in every editor."""
    state = _open("/")
    assert _after(state, "right").tab == _after(state, "tab").tab == _after(state, "b", "tab").tab == 1
    assert _after(state, "b", "shift+tab").tab == 2
    moved = _after(state, "b", "r", "left", "e")
    assert isinstance(moved.mode, Filtering)
    assert moved.mode.buffer.text == "ber"
    assert _shown(moved)[:2] == ["Berlin", "Bern"]


def test_the_filter_is_one_line_of_bounded_length() -> None:
    """Line breaks by keys mean nothing, pasted ones become spaces, and a huge paste is cut."""
    state = _open("/", "n")
    assert _after(state, "alt+enter", "ctrl+j", "shift+enter") == state
    pasted = reduce(state, Paste("ew\r\nyork"))
    assert _shown(pasted) == ["New York"]
    huge = reduce(pasted, Paste("x" * 1_000_000))
    assert isinstance(huge.mode, Filtering)
    assert len(huge.mode.buffer.text) == 200
    assert _after(huge, "x") is huge


def test_ctrl_c_warns_and_leaves_as_elsewhere() -> None:
    """A filter text alone is nothing to lose; an answer is, and the filter stays open beside the warning."""
    assert _open("/", "b", "ctrl+c").outcome == "cancelled"
    state = _open("2", "shift+tab", "/", "b", "ctrl+c")
    assert state.warned == "dismiss"
    assert isinstance(state.mode, Filtering)
    assert _after(state, "ctrl+c").outcome == "cancelled"


def test_a_person_can_bind_the_filter_and_lose_its_key_to_something_else() -> None:
    """The action is optional: another use of its key wins, and it can have any other key."""
    stored = keymaps_as_mapping(DEFAULT_KEYMAPS)
    stored["main"]["toggle"] = ["space", "/"]
    settings = Settings(keymaps=load_keymaps(stored).keymaps)
    assert not isinstance(_open("/", settings=settings).mode, Filtering)
    stored["main"]["filter"] = ["ctrl+f"]
    settings = Settings(keymaps=load_keymaps(stored).keymaps)
    assert isinstance(_open("ctrl+f", settings=settings).mode, Filtering)


# Long lists


def test_in_a_list_of_twelve_a_digit_acts_at_once_and_zero_does_nothing() -> None:
    """R7: `1` then `0` chooses the first option and nothing else."""
    labels = tuple(f"Region {number}" for number in range(1, 13))
    single = _open("1", labels=labels)
    assert (single.answers[0].selected, single.tab) == ((0,), 1)
    assert _after(single, "0") is single
    multi = _open("1", labels=labels, type="multi")
    assert multi.answers[0].selected == (0,)
    assert _after(multi, "0") is multi


def test_forty_options_go_to_the_last_and_back_in_a_frame_of_one_height() -> None:
    """R8: at 80x15 every option is highlighted on the way, the frame stays as high, and the ends are ends."""
    state = reduce(_open(labels=tuple(f"Region {number:02}" for number in range(1, 41))), Resized(80, 15))
    assert _after(state, "up") is state
    seen, heights = [], set()
    for key in ("down",) * 39 + ("up",) * 39:
        frame = _frame(state, 80, 15)
        heights.add(len(frame.lines))
        seen += [span.text for line in frame.lines for span in line if span.role is Role.OPTION_FOCUSED]
        state = _after(state, key)
    there = [f"Region {number:02}" for number in range(1, 41)]
    assert seen == [*there, *there[-2:0:-1]]
    assert heights == {15}
    assert state.mode == Choosing(0)


# Ten thousand


MANY = tuple(f"Region {number:05} of the {'north' if number % 3 else 'south'}" for number in range(10_000))


def test_a_longer_text_searches_only_what_matched_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Typing on narrows, wherever in the text; deleting searches all options again."""
    searched = []

    def filtered(query: str, labels: tuple[str, ...], among: Any) -> tuple[int, ...]:
        searched.append(len(among))
        return fuzzy.filtered(query, labels, among)

    monkeypatch.setattr(filtering, "filtered", filtered)
    _open("/", "s", "h", "backspace", "left", "u", labels=MANY)
    assert searched == [10_000, 3_334, 10_000, 3_334]


@given(
    st.lists(st.text("abAB é日.\u0301", min_size=1, max_size=5), min_size=10, max_size=14),
    st.lists(st.sampled_from(("a", "b", "A", "B", "space", "é", ".", "backspace", "ctrl+a", "ctrl+u", "down"))),
)
def test_what_is_shown_is_what_matches_however_it_was_typed(labels: list[str], keys: list[str]) -> None:
    """Narrowing step by step shows the very rows that a search from the beginning shows."""
    state = _open("/", *keys, labels=tuple(f"{label}x" for label in labels))
    mode = state.mode
    assert isinstance(mode, Filtering)
    every = range(len(labels))
    assert mode.rows[:-1] == fuzzy.filtered(mode.buffer.text, mode.labels, every)
    assert sorted(mode.rows[:-1]) == [index for index in every if fuzzy.match(mode.buffer.text, mode.labels[index])]
