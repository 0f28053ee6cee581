"""The machine: the rulings one by one, the events that are no keys, and the laws that hold for any of them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ask_core.answers import NOTHING, Answer
from ask_core.dialects import load_form
from ask_core.editing import EDITS
from ask_core.events import Abort, Event, Paste, Resized, SettingsChanged, TimedOut
from ask_core.keymap import DEFAULT_KEYMAPS, Command, Context, load_keymaps
from ask_core.keys import Key
from ask_core.modes import choosing, filtering, noting, reviewing, typing
from ask_core.questions import Form, Question
from ask_core.reduce import reduce
from ask_core.settings import RESET_ROW, Behaviour, Settings
from ask_core.state import Choosing, Configuring, Filtering, Noting, Reviewing, State, Typing, start
from ask_core.testing import event, facts, play
from ask_core.text.fuzzy import match
from tests.strategies import KEY_NAMES, all_settings, behaviours, forms, key_presses, open_walks, walks

SINGLE: dict[str, Any] = {
    "id": "s",
    "prompt": "One?",
    "options": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}, {"value": "c", "label": "C"}],
}
MULTI: dict[str, Any] = SINGLE | {"id": "m", "type": "multi"}
PREVIEW: dict[str, Any] = {
    "id": "p",
    "prompt": "Look?",
    "type": "preview",
    "options": [{"value": "a", "label": "A", "preview": "aa"}, {"value": "b", "label": "B", "preview": "bb"}],
}
FREE: dict[str, Any] = {
    "id": "f",
    "prompt": "Name?",
    "options": [{"value": "text", "label": "Answer", "freeform": True}],
}

AUTO = Behaviour(auto_submit_when_answered_without_notes=True)


def _open(*questions: dict[str, Any], behaviour: Behaviour | None = None) -> State:
    form = load_form({"questions": list(questions)}, allow_freeform=True)
    return start(form, Settings(behaviour or Behaviour()))


def _after(state: State, *keys: str | dict[str, str]) -> State:
    for key in keys:
        state = reduce(state, event(key))
    return state


def _many(count: int) -> dict[str, Any]:
    return SINGLE | {"options": [{"value": f"v{index}", "label": f"L{index}"} for index in range(count)]}


def _row(state: State) -> int:
    row = facts(state)["option"]
    assert isinstance(row, int)
    return row


# R1, R2, R16: own words of single and preview questions


@pytest.mark.parametrize("question", [SINGLE, PREVIEW])
@pytest.mark.parametrize("leaving", [("esc",), ("enter",), ("up",), ("tab",), ("x", "backspace", "esc")])
def test_an_own_words_row_left_empty_keeps_the_choice(question: dict[str, Any], leaving: tuple[str, ...]) -> None:
    """R1: opening the row and leaving it empty keeps the option that was chosen."""
    last = str(len(question["options"]) + 1)
    state = _after(_open(question), "space", last)
    assert isinstance(state.mode, Typing)
    assert _after(state, *leaving).answers[0] == Answer(selected=(0,))


@pytest.mark.parametrize("question", [SINGLE, PREVIEW])
@pytest.mark.parametrize("choosing_key", ["1", "enter", "space"])
def test_choosing_an_option_keeps_the_words_as_a_draft(question: dict[str, Any], choosing_key: str) -> None:
    """R2: the words stay, not selected; opening the row shows them again."""
    last = str(len(question["options"]) + 1)
    state = _after(_open(question), last, *"mine", "enter", "tab")
    assert state.answers[0] == Answer(custom="mine", custom_selected=True)
    state = _after(state, choosing_key)
    assert state.answers[0] == Answer(selected=(0,), custom="mine")
    if state.on_review:
        state = _after(state, "tab")
    reopened = _after(state, last)
    assert facts(reopened)["editor"] == "mine"
    assert _after(reopened, "esc").answers[0] == Answer(selected=(0,), custom="mine")
    assert _after(reopened, "enter").answers[0] == Answer(custom="mine", custom_selected=True)


@pytest.mark.parametrize("question", [SINGLE, MULTI, PREVIEW, FREE])
def test_esc_with_the_text_unchanged_changes_no_answer(question: dict[str, Any]) -> None:
    """R16: Esc closes the editor; with the text as it was nothing is stored, selected or cleared."""
    # The editor of a freeform question is open from the start.
    opening = () if question is FREE else (str(len(question["options"]) + 1),)
    empty = _after(_open(question), *opening)
    assert _after(empty, "esc").answers == (NOTHING,)
    saved = _after(empty, *" as is ", "esc")
    assert saved.answers[0] == Answer(custom=" as is ", custom_selected=True)
    assert _after(saved, "enter", "home", "esc").answers == saved.answers


def test_enter_on_blank_text_keeps_a_chosen_option_and_goes_on() -> None:
    """R16: single and preview with a chosen option; the draft is cleared."""
    state = _after(
        _open(SINGLE, MULTI), "4", *"draft", "enter", "shift+tab", "1", "shift+tab", "4", "ctrl+u", " ", "enter"
    )
    assert state.tab == 1
    assert state.answers[0] == Answer(selected=(0,))


@pytest.mark.parametrize("question", [SINGLE, MULTI, PREVIEW, FREE])
def test_enter_on_blank_text_otherwise_clears_and_stays(question: dict[str, Any]) -> None:
    """R16: what was saved is cleared and the editor stays, empty."""
    # The editor of a freeform question is open from the start.
    opening = () if question is FREE else (str(len(question["options"]) + 1),)
    saved = _after(_open(question), *opening, *"mine", "esc")
    state = _after(saved, "enter", "ctrl+u", " ", "enter")
    assert state.answers == (NOTHING,)
    assert facts(state)["editor"] == ""


def test_enter_on_blank_text_keeps_the_other_choices_of_a_multi_question() -> None:
    """Clearing own words does not clear options (contract, "The text for the model")."""
    state = _after(_open(MULTI), "1", "3", "4", *"mine", "enter", "enter", "ctrl+u", "enter")
    assert state.answers[0] == Answer(selected=(0, 2))
    assert isinstance(state.mode, Typing)


def test_an_editor_opens_where_the_focus_reaches_an_empty_own_words_row_and_nowhere_else() -> None:
    """R16: by moving and by changing tabs; after Esc the row stays closed until acted on, or left and entered again."""
    state = _after(_open(SINGLE, FREE), "down", "down", "down")
    assert isinstance(state.mode, Typing)
    closed = _after(state, "esc")
    assert closed.mode == Choosing(3)
    assert _after(closed, "down") is closed
    assert _after(closed, "x") is closed
    assert _after(closed, "end") is closed
    for opening in ("enter", "space", "4"):
        assert isinstance(_after(closed, opening).mode, Typing)
    assert isinstance(_after(closed, "up", "down").mode, Typing)
    assert isinstance(_after(closed, "tab").mode, Typing)  # the freeform question
    assert isinstance(_after(closed, "tab", "esc", "tab", "shift+tab").mode, Typing)
    assert _after(closed, "N", "enter").mode == Choosing(3)
    assert _after(closed, "t").mode == Choosing(3)


def test_a_saved_own_words_row_is_only_highlighted() -> None:
    """R16: with text in it the row does not open by itself."""
    state = _after(_open(SINGLE, FREE), "4", *"mine", "esc", "up", "down")
    assert state.mode == Choosing(3)
    freeform = _after(state, "tab", *"name", "enter", "shift+tab")
    assert (freeform.tab, freeform.mode) == (1, Choosing(0))


# R3, R7: several answers, digits and movement


def test_chosen_options_are_stored_in_the_order_of_the_options() -> None:
    """R3: whatever the order they were chosen in."""
    assert _after(_open(MULTI), "3", "1", "2").answer.selected == (0, 1, 2)
    assert _after(_open(MULTI), "3", "1", "3", "2").answer.selected == (0, 1)


def test_own_words_of_a_multi_question_are_chosen_and_taken_back_without_opening() -> None:
    """A saved row toggles by Space and by its digit, and the text stays (contract, "The text for the model")."""
    state = _after(_open(MULTI), "1", "4", *"mine", "enter")
    assert state.tab == 0
    assert state.answer == Answer(selected=(0,), custom="mine", custom_selected=True)
    off = _after(state, "space")
    assert off.answer == Answer(selected=(0,), custom="mine")
    assert _after(off, "4").answer == state.answer


def test_digits_past_the_rows_and_zero_change_nothing() -> None:
    """R7: number keys act at once, on rows there are."""
    state = _open(SINGLE)
    for digit in "567890":
        assert _after(state, digit) is state
    assert _after(state, "2").answers[0].selected == (1,)


def test_page_and_end_keys_move_in_every_list() -> None:
    """R7: PageUp, PageDown, Home and End; a page follows the height of the terminal; the ends hold."""
    state = reduce(_open(_many(40)), Resized(80, 20))
    assert _row(_after(state, "pageUp")) == 0
    first_page = _row(_after(state, "pageDown"))
    assert 1 <= first_page < 20
    taller = reduce(state, Resized(80, 40))
    assert _row(_after(taller, "pageDown")) > first_page
    assert _row(_after(state, "pageDown", "pageUp")) == 0
    assert isinstance(_after(state, "end").mode, Typing)
    assert _row(_after(state, "end", "esc", "home")) == 0
    assert isinstance(_after(state, *["pageDown"] * 40).mode, Typing)
    assert _row(_after(reduce(state, Resized(20, 6)), "pageDown")) == 1


def test_page_and_end_keys_work_on_the_review_tab() -> None:
    """Home and End move between the actions; PageDown scrolls the answers and never past them."""
    state = _after(_open(*(SINGLE | {"id": f"q{index}"} for index in range(30))), "shift+tab")
    assert facts(_after(state, "end"))["action"] == 2
    assert facts(_after(state, "end", "home"))["action"] == 0
    down = _after(state, "pageDown")
    assert isinstance(down.mode, Reviewing)
    assert down.mode.top > 0
    assert _after(down, "pageUp") == state
    bottom = _after(state, *["pageDown"] * 30)
    assert isinstance(bottom.mode, Reviewing)
    assert bottom.mode.top < 30
    assert _after(bottom, "pageDown") is bottom


def test_tabs_go_round_and_highlight_the_first_row_and_action() -> None:
    """Changing tabs highlights the first row and the first review action."""
    state = _after(_open(SINGLE, MULTI), "down", "tab", "down", "tab", "down", "tab")
    assert (state.tab, state.mode) == (0, Choosing(0))
    assert _after(state, "shift+tab").mode == Reviewing()


# R13: a flow ends with the key that completed it


def test_a_single_press_review_digit_ends_at_once() -> None:
    """R13: with double press off the first digit acts, on every action."""
    once = Behaviour(double_press_review_shortcuts=False)
    for digit, outcome in (("1", "submitted"), ("2", "elaborated"), ("3", "cancelled")):
        assert _after(_open(SINGLE, behaviour=once), "tab", digit).outcome == outcome


def test_a_review_digit_needs_two_presses_of_the_same() -> None:
    """Another digit waits anew; moving and changing tabs take the pending one back; other keys keep it."""
    state = _after(_open(SINGLE), "tab", "2")
    assert (facts(state)["armed"], facts(state)["action"]) == (1, 1)
    assert _after(state, "2").outcome == "elaborated"
    assert facts(_after(state, "1"))["armed"] == 0
    assert _after(state, "1", "2").outcome is None
    assert facts(_after(state, "down"))["armed"] is None
    assert facts(_after(state, "tab", "shift+tab"))["armed"] is None
    assert _after(state, "x") is state
    assert _after(state, {"paste": "2"}) is state
    assert _after(state, "enter").outcome == "elaborated"


@pytest.mark.parametrize(
    "last_keys",
    [("enter",), ("space", "tab"), ("space", "shift+tab"), ("1",), ("4", "x", "enter"), ("4", "x", "esc", "right")],
)
def test_auto_submit_ends_with_whatever_key_completed_the_flow(last_keys: tuple[str, ...]) -> None:
    """R13: the key that reaches the review with everything answered and nothing noted ends the flow."""
    before = _after(_open(SINGLE, behaviour=AUTO), *last_keys[:-1])
    assert not before.finished
    assert _after(before, last_keys[-1]).outcome == "submitted"


def test_auto_submit_waits_while_something_is_open_or_noted() -> None:
    """Unanswered questions and notes, also on options that are not chosen, keep the review open."""
    assert not _after(_open(SINGLE, MULTI, behaviour=AUTO), "1", "tab").finished
    assert not _after(_open(SINGLE, behaviour=AUTO), "down", "n", "x", "enter", "1").finished
    assert not _after(_open(SINGLE, behaviour=AUTO), "N", "x", "enter", "1").finished
    assert not _after(_open(SINGLE), "1").finished


def test_auto_submit_switched_on_live_completes_a_flow_on_the_review_tab() -> None:
    """A settings event is enough where the flow waits on the review, answered and without notes."""
    on = SettingsChanged(Settings(AUTO))
    review = _after(_open(SINGLE), "1")
    assert reduce(review, on).outcome == "submitted"
    question = _after(review, "tab")
    assert not reduce(question, on).finished
    assert reduce(reduce(question, on), Key("tab")).outcome == "submitted"
    assert not reduce(_after(_open(SINGLE), "n", "x", "enter", "1"), on).finished
    assert not reduce(_after(_open(SINGLE), "tab"), on).finished


# R14: leaving with answers given


@pytest.mark.parametrize(("first", "other"), [("esc", "ctrl+c"), ("ctrl+c", "esc")])
def test_a_dirty_flow_is_left_by_the_same_action_twice(first: str, other: str) -> None:
    """R14: the other action raises the warning anew; what is between does not matter while the tab stays."""
    dirty = _after(_open(SINGLE, MULTI), "space")
    warned = _after(dirty, first)
    assert facts(warned)["warned"]
    assert not warned.finished
    assert _after(warned, first).outcome == "cancelled"
    swapped = _after(warned, other)
    assert not swapped.finished
    assert not _after(swapped, first).finished
    assert _after(swapped, other).outcome == "cancelled"
    assert _after(warned, "down", "space", "x", first).outcome == "cancelled"


def test_the_warning_goes_when_the_tab_changes_and_only_then() -> None:
    """The warning stays visible until the user changes tabs (contract, "Keyboard behavior")."""
    warned = _after(_open(SINGLE, MULTI), "space", "esc")
    for keys in (["down"], ["n", "x", "enter"], ["N", "x", "esc"], ["t"], ["4", "x"], ["9"], [{"paste": "x"}]):
        assert _after(warned, *keys).warned == "cancel"
    for keys in (["tab"], ["shift+tab"], ["1"], ["enter"]):
        assert _after(warned, *keys).warned is None
    assert not _after(warned, "tab", "shift+tab", "esc").finished


def test_a_clean_flow_is_left_at_once_and_a_dirty_one_where_that_is_wished() -> None:
    """Nothing to lose needs no second press; nor does a person who switched the warning off."""
    for key in ("esc", "ctrl+c"):
        assert _after(_open(SINGLE), key).outcome == "cancelled"
        assert _after(_open(SINGLE, behaviour=Behaviour(confirm_dismiss_when_dirty=False)), "space", key).finished
        assert _after(_open(SINGLE), "space", "space", key).finished


def test_words_in_an_open_editor_are_something_to_lose() -> None:
    """Dismissing from an editor warns first where text stands in it, and never saves the draft."""
    writing = _after(_open(SINGLE), "4", *"hi")
    warned = _after(writing, "ctrl+c")
    assert facts(warned)["warned"]
    assert facts(warned)["editor"] == "hi"
    assert _after(warned, "ctrl+c").answers == (NOTHING,)
    assert _after(_open(SINGLE), "4", "ctrl+c").outcome == "cancelled"


def test_choosing_cancel_on_the_review_tab_is_its_own_confirmation() -> None:
    """R14: neither Enter on Cancel nor its digit twice raises the warning."""
    review = _after(_open(SINGLE), "1")
    assert _after(review, "up", "down", "down", "enter").outcome == "cancelled"
    assert _after(review, "3", "3").outcome == "cancelled"


def test_a_notice_about_the_type_is_not_the_warning() -> None:
    """R14: the pending type change neither counts as the warning nor removes it; the warning takes it back."""
    several = _after(_open(MULTI), "1", "2")
    armed = _after(several, "t")
    assert not facts(armed)["warned"]
    assert not _after(armed, "esc").finished
    assert facts(_after(armed, "esc"))["typeArmed"] is None
    assert facts(_after(several, "shift+tab", "2", "esc"))["armed"] is None
    both = _after(several, "esc", "t")
    assert (facts(both)["warned"], facts(both)["typeArmed"]) == (True, "m")
    assert _after(both, "esc").outcome == "cancelled"


# R15: changing the type


def test_a_multi_question_with_several_answers_needs_the_type_key_twice() -> None:
    """R15: the second press clears the options; keys without a meaning keep it pending, others take it back."""
    several = _after(_open(MULTI), "1", "3")
    armed = _after(several, "t")
    assert armed.mode == Choosing(2, type_armed=True)
    assert armed.answers == several.answers
    assert _after(armed, "x") is armed
    changed = _after(armed, "t")
    assert (changed.types, changed.answers) == (("single",), (NOTHING,))
    assert _after(armed, "up", "t").types == ("multi",)
    assert _after(armed, "2", "t").types == ("multi",)


def test_own_words_count_as_an_answer_and_keep_their_state() -> None:
    """R15: one option and own words are several; the options go, the words stay chosen or not as they were."""
    both = _after(_open(MULTI), "1", "4", *"mine", "enter")
    changed = _after(both, "t", "t")
    assert changed.types == ("single",)
    assert changed.answer == Answer(custom="mine", custom_selected=True)
    draft = _after(both, "space", "2", "t", "t")
    assert draft.answer == Answer(custom="mine")
    one = _after(both, "space", "t")
    assert (one.types, one.answer) == (("single",), Answer(selected=(0,), custom="mine"))


@pytest.mark.parametrize(("question", "there"), [(SINGLE, "multi"), (PREVIEW, "multi"), (MULTI, "single")])
def test_the_type_changes_there_and_back(question: dict[str, Any], there: str) -> None:
    """Single to multi and back, preview to multi and back; one answer needs no second press."""
    state = _after(_open(question), "space")
    changed = _after(state, "t")
    assert changed.types == (there,)
    assert changed.answers == state.answers
    assert _after(changed, "t").types == state.types


def test_single_questions_can_be_shown_as_multi() -> None:
    """`presentSingleAsMulti` is for single questions, from the start of a flow."""
    as_multi = Behaviour(present_single_as_multi=True)
    state = _open(SINGLE, MULTI, PREVIEW, behaviour=as_multi)
    assert state.types == ("multi", "multi", "preview")
    assert _after(state, "1", "3").answers[0].selected == (0, 2)
    assert reduce(_open(SINGLE), SettingsChanged(Settings(as_multi))).types == ("single",)


# Pasted text, R17


@pytest.mark.parametrize(
    ("pasted", "kept"),
    [
        ("two\r\nlines", "two\nlines"),
        ("a\rb\nc\r\r\nd", "a\nb\nc\n\nd"),
        ("a\tb", "a    b"),
        ("\x1b[31mred\x07\x00\x7f\x9b", "[31mred"),
        ("\u200bé\u0301 \u202e日", "\u200bé\u0301 \u202e日"),
        ("  ends  ", "  ends  "),
    ],
)
def test_pasted_text_is_normalised_and_otherwise_kept(pasted: str, kept: str) -> None:
    """R17: CR and CRLF become LF, a tab four spaces, other control characters go."""
    assert facts(_after(_open(FREE), {"paste": pasted}))["editor"] == kept
    assert facts(_after(_open(SINGLE), "n", {"paste": pasted}))["editor"] == kept


def test_a_paste_outside_an_editor_changes_nothing() -> None:
    """Pasted text never acts as keys, on a question, with a key pending, or on the review tab."""
    for keys in ((), ("tab",), ("tab", "1")):
        state = _after(_open(MULTI), *keys)
        assert reduce(state, Paste("1\n1\x03")) is state
    armed = _after(_open(MULTI), "1", "2", "t")
    assert reduce(armed, Paste("t")) is armed


def test_a_paste_goes_in_at_the_cursor() -> None:
    """A paste in the middle of a text leaves both sides as they are and does not submit."""
    state = _after(_open(FREE), *"ad", "left", {"paste": "b\nc"})
    assert facts(state)["editor"] == "ab\ncd"
    assert facts(_after(state, "x"))["editor"] == "ab\ncxd"


# Notes


def test_a_note_is_kept_by_enter_trimmed_and_by_esc_as_typed() -> None:
    """Notes go on options and questions; a blank one clears; the highlight stays."""
    state = _after(_open(SINGLE), "down", "n", *" why ", "enter")
    assert (state.mode, state.answer) == (Choosing(1), Answer(option_notes=((1, "why"),)))
    assert _after(state, "n", " ", "esc").answer.option_notes == ((1, "why "),)
    assert _after(state, "n", "ctrl+u", "enter").answer == NOTHING
    noted = _after(state, "N", *" all ", "esc")
    assert (noted.mode, noted.answer.note) == (Choosing(1), " all ")
    assert not noted.answer.answered


def test_own_words_have_no_option_note() -> None:
    """The key for an option's note means nothing on the row for own words; a question's note works there."""
    state = _after(_open(SINGLE), "4", "esc")
    assert _after(state, "n") is state
    assert isinstance(_after(state, "N").mode, Noting)


# Events that are no keys


def test_resizing_changes_nothing_else() -> None:
    """The size is kept for paging; the same size again is no change."""
    state = _after(_open(SINGLE), "4", "x")
    resized = reduce(state, Resized(40, 15))
    assert (resized.width, resized.height, facts(resized)) == (40, 15, facts(state))
    assert reduce(resized, Resized(40, 15)) is resized
    assert reduce(state, Resized(80, 24)) is state


def test_settings_that_change_live_are_in_effect_for_the_next_key() -> None:
    """Double press, the warning and key maps act on a flow that is open; equal settings are no change."""
    state = _after(_open(SINGLE), "1")
    assert reduce(state, SettingsChanged(Settings())) is state
    once = reduce(state, SettingsChanged(Settings(Behaviour(double_press_review_shortcuts=False))))
    assert _after(once, "1").outcome == "submitted"
    careless = reduce(state, SettingsChanged(Settings(Behaviour(confirm_dismiss_when_dirty=False))))
    assert _after(careless, "esc").outcome == "cancelled"
    loaded = load_keymaps({"toggle": "x", "dismiss": "ctrl+q"})
    assert not loaded.problems
    rebound = reduce(_open(MULTI), SettingsChanged(Settings(keymaps=loaded.keymaps)))
    assert _after(rebound, "x").answer.selected == (0,)
    assert _after(rebound, "space") is rebound
    assert _after(rebound, "ctrl+c") is rebound
    assert _after(rebound, "ctrl+q").finished


def test_a_key_bound_to_dismiss_that_types_text_is_typed_into_a_text() -> None:
    """While words are being written, a character is a character whatever it is bound to."""
    loaded = load_keymaps({"dismiss": "x"})
    assert not loaded.problems
    state = start(load_form({"questions": [FREE]}, allow_freeform=True), Settings(keymaps=loaded.keymaps))
    assert facts(_after(state, *"tax"))["editor"] == "tax"
    assert facts(_after(state, "x"))["editor"] == "x"
    assert _after(state, "esc", "x").outcome == "cancelled"


@pytest.mark.parametrize(
    ("last", "outcome", "reason"), [(TimedOut(), "timed_out", None), (Abort("closed"), "aborted", "closed")]
)
@pytest.mark.parametrize("keys", [(), ("1",), ("4", "x"), ("n", "x")])
def test_the_host_ends_a_flow_in_any_mode_without_a_question(
    keys: tuple[str, ...], last: Event, outcome: str, reason: str | None
) -> None:
    """R4: what was answered before stays, a draft that was not saved is no answer."""
    state = _after(_open(SINGLE), *keys)
    ended = reduce(state, last)
    assert (ended.outcome, ended.reason, ended.answers) == (outcome, reason, state.answers)


@pytest.mark.parametrize("last", [Key("esc"), TimedOut(), Abort("x")])
def test_an_ended_flow_ignores_every_event(last: Event) -> None:
    """The very same object comes back, whatever happens after the end."""
    ended = reduce(_open(SINGLE), last)
    after = (Key("enter"), Paste("x"), Resized(10, 10), SettingsChanged(Settings(AUTO)), TimedOut(), Abort("y"))
    assert all(reduce(ended, event) is ended for event in after)


@pytest.mark.parametrize("thing", [None, "enter", ("enter",), b"\r", 1])
def test_what_is_no_event_is_a_type_error(thing: Any) -> None:
    """A program that passes something else has a fault of its own."""
    with pytest.raises(TypeError):
        reduce(_open(SINGLE), thing)


# Laws


def options_of(question: Question) -> int:
    """How many options a question shows."""
    return question.last_row + 1 - question.own_words


def _check(state: State) -> None:
    form = state.form
    assert len(state.answers) == len(state.types) == len(form.questions)
    assert 0 <= state.tab < state.tabs
    assert state.tabs == len(form.questions) + (form.flow.review is not None)
    mode = state.mode
    if isinstance(mode, Configuring):
        assert 0 <= mode.row <= RESET_ROW
        assert mode.row == RESET_ROW or not mode.resetting
        assert mode.back is not None
        mode = mode.back
    assert state.on_review == isinstance(mode, Reviewing)
    match mode:
        case Choosing(row=row):
            assert 0 <= row <= state.question.last_row
        case Filtering(buffer=buffer, rows=rows, row=row, back=back, labels=labels):
            own_words = (state.question.own_words_row,) if state.question.own_words else ()
            found = rows[: len(rows) - len(own_words)]
            # A filter without a row for own words may leave no row at all.
            assert 0 <= row < len(rows) or row == 0
            assert 0 <= back <= state.question.last_row
            assert rows[len(found) :] == own_words
            assert sorted(found) == [index for index, label in enumerate(labels) if match(buffer.text, label)]
        case Typing():
            assert state.question.own_words
        case Noting(option=option, row=row):
            assert form.flow.notes
            assert 0 <= row <= state.question.last_row
            assert option is None or 0 <= option < options_of(state.question)
        case Reviewing(action=action, armed=armed, top=top):
            assert 0 <= action < len(form.flow.review_actions)
            assert armed is None or 0 <= armed < len(form.flow.review_actions)
            assert 0 <= top < len(form.questions)
    for question, answer, type in zip(form.questions, state.answers, state.types, strict=True):
        assert list(answer.selected) == sorted(set(answer.selected))
        assert all(0 <= option < options_of(question) for option in answer.selected)
        assert type == "multi" or len(answer.selected) + answer.custom_selected <= 1
        assert answer.custom is None or answer.custom.strip()
        assert answer.custom is not None or not answer.custom_selected
        noted = [option for option, _ in answer.option_notes]
        assert noted == sorted(set(noted))
        assert all(0 <= option < options_of(question) for option in noted)
        assert all(note.strip() for _, note in answer.option_notes)
        assert type in {question.type, "multi", "single"}
        assert type != "single" or question.type != "preview"
        assert type == question.type or form.flow.retyping
        assert not answer.noted or form.flow.notes
        assert not answer.custom or question.own_words
    assert state.outcome != "elaborated" or "elaborate" in form.flow.review_actions


def _states(form: Form, settings: Settings, happened: Iterable[Event]) -> list[State]:
    states = [start(form, settings)]
    for one in happened:
        states.append(reduce(states[-1], one))
    return states


@given(forms, all_settings, walks)
def test_any_sequence_of_events_keeps_the_invariants(form: Form, settings: Settings, happened: list[Event]) -> None:
    """Nothing raises; the focus is in range, choices are sorted and fit the type, ended flows stay as they are."""
    states = _states(form, settings, happened)
    for before, after in pairwise(states):
        _check(after)
        assert before is after or before != after or before.outbox
        assert before == after or not before.finished
        assert hash(after) == hash(after)


@given(forms, behaviours, open_walks, st.lists(key_presses, max_size=4))
def test_equal_states_reduce_to_equal_states(
    form: Form, behaviour: Behaviour, happened: list[Event], more: list[Key]
) -> None:
    """A state is all there is: two equal ones, made apart, go on alike and hash alike."""
    one = _states(form, Settings(behaviour), happened)[-1]
    other = _states(form, Settings(behaviour), happened)[-1]
    assert one == other
    assert hash(one) == hash(other)
    for happens in more:
        one, other = reduce(one, happens), reduce(other, happens)
        assert one == other


EVERY_KEY = sorted(
    {
        *KEY_NAMES,
        *EDITS,
        *"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
        *(f"f{number}" for number in range(1, 13)),
        *(
            f"{modifier}+{key}"
            for modifier in ("ctrl", "shift", "alt", "super", "ctrl+alt", "ctrl+shift+alt+super")
            for key in (
                "enter",
                "esc",
                "tab",
                "space",
                "up",
                "down",
                "home",
                "end",
                "pageUp",
                "pageDown",
                "delete",
                "a",
            )
        ),
    }
)


@pytest.mark.parametrize(
    "keys",
    [
        (),
        ("down",),
        ("1", "2", "t"),
        ("4",),
        ("4", *"some words"),
        ("4", *"saved", "esc"),
        ("n",),
        ("n", *"a note"),
        ("N",),
        ("N", *"a note"),
        ("shift+tab",),
        ("shift+tab", "1"),
        ("1", "esc"),
        ("1", "n", "x", "ctrl+c"),
    ],
    ids=" ".join,
)
def test_every_key_means_something_sane_in_every_mode(keys: tuple[str, ...]) -> None:
    """Every mode takes every key there is, twice: no key raises, and none breaks an invariant."""
    _every_key(_after(_open(MULTI, SINGLE), *keys))


@pytest.mark.parametrize("keys", [("/",), ("/", "l", "1"), ("/", "x"), ("/", "l", "end")], ids=" ".join)
@pytest.mark.parametrize("question", [SINGLE, MULTI], ids=["single", "multi"])
def test_every_key_means_something_sane_in_a_filter(question: dict[str, Any], keys: tuple[str, ...]) -> None:
    """The same with a filter open on a long list."""
    options = [{"value": f"v{number}", "label": f"Label {number}"} for number in range(12)]
    _every_key(_after(_open(question | {"options": options}), *keys))


def _every_key(state: State) -> None:
    for name in EVERY_KEY:
        once = reduce(state, Key(name))
        _check(once)
        assert once is state or once != state
        _check(reduce(once, Key(name)))


def test_every_command_of_a_mode_has_a_transition() -> None:
    """What key maps can bind in a context is handled by the mode that looks there, and nothing else is."""
    bindable = {context: set(DEFAULT_KEYMAPS._keys[context]) for context in Context}
    # Paging depends on what is in sight and is decided above the modes.
    paging = {Command.NEXT_PAGE, Command.PREVIOUS_PAGE}
    assert {*choosing._TRANSITIONS} == bindable[Context.MAIN] - paging
    assert {*filtering._TRANSITIONS, *filtering._TABS} <= bindable[Context.MAIN]
    assert set(reviewing._TRANSITIONS) <= bindable[Context.MAIN]
    # The person's own editor is the same for every text and is called above the modes too.
    own = {Command.EDIT_EXTERNALLY}
    assert {*typing._TRANSITIONS, *typing._TRANSITIONS_WHEN_EMPTY} == bindable[Context.EDITOR] - own
    assert {*noting._TRANSITIONS, *noting._TRANSITIONS_WHEN_EMPTY} == bindable[Context.NOTE_EDITOR] - own


def test_all_states_near_the_start_of_a_small_flow_are_sound() -> None:
    """Every state that six of the keys reach in five steps keeps the invariants, whatever the way there."""
    small = SINGLE | {"options": SINGLE["options"][:1]}
    seen = {_open(small, MULTI)}
    edge = set(seen)
    names = [Key(name) for name in ("enter", "space", "down", "tab", "esc", "t", "x", "n")]
    for _ in range(4):
        edge = {reduce(state, name) for state in edge if not state.finished for name in names} - seen
        seen |= edge
    assert len(seen) > 100
    for state in seen:
        _check(state)


def test_play_opens_feeds_and_stops_at_the_end() -> None:
    """The kit keeps the opening state and one state a key, and feeds nothing after the end."""
    played = play({"questions": [SINGLE]}, ["down", "esc", "enter"])
    assert len(played.states) == 3
    assert played.state.outcome == "cancelled"


@pytest.mark.parametrize("size", [(19, 24), (80, 5), (1, 1)])
def test_nothing_answers_what_a_too_small_terminal_cannot_show(size: tuple[int, int]) -> None:
    """R8: below 20 by 6 only leaving works; at a larger size the flow is where it was."""
    state = _after(_open(SINGLE, MULTI), "2")
    small = reduce(state, Resized(*size))
    for key in ("1", "enter", "space", "down", "tab", "t", "n", "ctrl+_", "shift+down"):
        assert reduce(small, Key(key)) is small
    assert reduce(small, Paste("x")) is small
    assert reduce(small, Resized(80, 24)) == state
    assert reduce(reduce(small, Key("ctrl+c")), Key("ctrl+c")).outcome == "cancelled"


@pytest.mark.parametrize("leaving", ["esc", "enter"])
@pytest.mark.parametrize("way", ["tab", "left"])
def test_every_text_is_only_under_its_own_question(leaving: str, way: str) -> None:
    """Two questions with own words each, left by Esc or Enter and by tab keys, with empty editors on the way."""
    state = _open(SINGLE, MULTI)
    first = _after(state, "end", *"first", leaving)
    at_second = first if first.tab == 1 else _after(first, "tab")
    second = _after(at_second, "end", *"second", "esc")
    assert [answer.custom for answer in second.answers] == ["first", "second"]
    # An empty editor is left by the keys that lead out of it; it clears only its own text.
    back = _after(second, "end", "enter", "ctrl+u", way)
    assert [answer.custom for answer in back.answers] == ["first", None]
    again = _after(back, *(("shift+tab",) if way == "tab" else ("tab",)))
    assert [answer.custom for answer in again.answers] == ["first", None]
