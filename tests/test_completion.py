"""File references in a text, and the person's own editor: the core's side of both."""

from __future__ import annotations

import pytest

from ask_core.effects import EditExternally, FindPaths
from ask_core.events import Edited, EditFailed, PathsFound, Resized
from ask_core.keys import Key
from ask_core.layout import layout
from ask_core.reduce import reduce
from ask_core.state import Noting, State, Typing
from ask_core.testing import facts, play
from ask_core.view import view

FORM = {"questions": [{"id": "q", "prompt": "Where?", "options": [{"value": "a", "label": "A"}]}]}

ANSWER = ("down",)
NOTE = ("N",)


def _written(*keys: str, first: tuple[str, ...] = ANSWER) -> State:
    return play(FORM, (*first, *keys)).state


def _pressed(state: State, *names: str) -> State:
    for name in names:
        state = reduce(state, Key(name))
    return state


def _text(state: State) -> str:
    assert isinstance(state.mode, Typing | Noting)
    return state.mode.buffer.text


@pytest.mark.parametrize("first", [ANSWER, NOTE])
def test_an_at_sign_asks_for_paths_in_every_editor(first: tuple[str, ...]) -> None:
    """Each character of the word asks anew; the answer is a list under the text."""
    state = _written(*"see @ma", first=first)
    assert state.outbox == (FindPaths("ma"),)
    state = reduce(state, PathsFound("ma", ("src/main.py", "Makefile")))
    assert state.outbox == ()
    text = layout(view(state), 60, 20).text()
    assert "› src/main.py" in text
    assert "Makefile" in text


@pytest.mark.parametrize("key", ["tab", "enter"])
def test_tab_and_enter_take_the_highlighted_path(key: str) -> None:
    """The path stands in place of the word, and writing goes on after a space."""
    state = reduce(_written(*"see @ma"), PathsFound("ma", ("src/main.py", "Makefile")))
    taken = _pressed(state, "down", key)
    assert _text(taken) == "see @Makefile "
    assert facts(_pressed(taken, "x"))["editor"] == "see @Makefile x"


def test_after_a_directory_the_list_goes_on_in_it() -> None:
    """A directory is taken without a space, and what it holds is asked for."""
    state = _pressed(reduce(_written(*"@s"), PathsFound("s", ("src/",))), "tab")
    assert _text(state) == "@src/"
    assert state.outbox == (FindPaths("src/"),)


def test_paths_with_spaces_are_quoted() -> None:
    """The quotes stay open after a directory, so that its files go inside."""
    state = _pressed(reduce(_written(*"@my"), PathsFound("my", ("my notes/",))), "tab")
    assert _text(state) == '@"my notes/'
    assert state.outbox == (FindPaths("my notes/"),)
    state = _pressed(reduce(state, PathsFound("my notes/", ("my notes/to do.txt",))), "enter")
    assert _text(state) == '@"my notes/to do.txt" '


def test_esc_closes_only_the_list() -> None:
    """The text and its editor stay; the list does not come back for the same word."""
    state = _pressed(reduce(_written(*"@ma"), PathsFound("ma", ("Makefile",))), "esc")
    assert _text(state) == "@ma"
    assert "Makefile" not in layout(view(state), 60, 20).text()
    again = _pressed(state, "k")
    assert again.outbox == ()
    assert facts(_pressed(again, "enter"))["answers"]["q"]["custom"] == "@mak"


def test_an_answer_to_an_old_query_is_ignored() -> None:
    """What was found for `m` does not show once `ma` is written."""
    state = _written(*"@ma")
    assert reduce(state, PathsFound("m", ("music/",))) == state
    assert reduce(_written(*"abc"), PathsFound("m", ("music/",))).mode == _written(*"abc").mode


def test_while_an_answer_is_awaited_the_old_paths_that_still_match_stay() -> None:
    """The list does not flicker, and what it shows can be taken."""
    state = _pressed(reduce(_written("@", "m"), PathsFound("m", ("Makefile", "docs/me.md"))), "k")
    text = layout(view(state), 60, 20).text()
    assert "Makefile" in text
    assert "docs/me.md" not in text


def test_a_word_that_is_no_reference_asks_for_nothing() -> None:
    """An address has its at sign inside a word."""
    for text in ("me@host", "a@", "@", "@ "):
        outbox = _written(*text).outbox
        assert (outbox == (FindPaths(""),)) == (text == "@")


def test_moving_about_opens_no_list() -> None:
    """Only writing does; leaving the word closes it."""
    state = _pressed(_written(*"@ma x"), "left", "left")
    assert state.outbox == ()
    opened = reduce(_written(*"@ma"), PathsFound("ma", ("Makefile",)))
    assert "Makefile" not in layout(view(_pressed(opened, "home")), 60, 20).text()


def test_a_new_line_ends_the_word() -> None:
    """The list is gone, so that Enter saves the text again."""
    state = _pressed(reduce(_written(*"@ma"), PathsFound("ma", ("Makefile",))), "alt+enter")
    assert _text(state) == "@ma\n"
    assert facts(_pressed(state, "enter"))["answers"]["q"]["custom"] == "@ma"


def test_a_path_is_one_step_of_undo() -> None:
    """Undo gives the word back that was written."""
    state = _pressed(reduce(_written(*"@ma"), PathsFound("ma", ("Makefile",))), "tab", "ctrl+_")
    assert _text(state) == "@ma"


def test_a_path_with_marks_shows_as_marks() -> None:
    """A file's name is untrusted like any text (T10)."""
    state = reduce(_written(*"@m"), PathsFound("m", ("m\u202ey",)))
    assert "m<U+202E>y" in layout(view(state), 60, 20).text()


@pytest.mark.parametrize("height", [6, 8, 12, 24])
@pytest.mark.parametrize("width", [20, 40, 100])
def test_the_list_leaves_the_cursor_in_the_frame(width: int, height: int) -> None:
    """However many paths there are, the text is seen, and the highlighted path is."""
    paths = tuple(f"folder/file number {number}.txt" for number in range(50))
    state = reduce(_written(*"@f"), PathsFound("f", paths))
    for steps in (0, 3, 49):
        moved = _pressed(state, *("down",) * steps)
        frame = layout(view(moved), width, height)
        assert frame.cursor is not None
        assert "@f" in frame.text()
        if height >= 8:
            assert f"› …ber {steps}.txt"[-9:] in frame.text().replace("number", "…ber")


@pytest.mark.parametrize("first", [ANSWER, NOTE])
def test_the_own_editor_gets_the_text_and_gives_it_back(first: tuple[str, ...]) -> None:
    """What comes back takes the place of the text, as one step of undo."""
    state = _written(*"ab", "ctrl+g", first=first)
    assert state.outbox == (EditExternally("ab"),)
    state = reduce(state, Edited("ab\r\nand more"))
    assert _text(state) == "ab\nand more"
    assert _text(_pressed(state, "ctrl+_")) == "ab"


def test_a_failing_editor_loses_nothing_and_says_why() -> None:
    """The text is as it was; the next key takes the notice away."""
    state = reduce(_written(*"ab", "ctrl+g"), EditFailed("vi ended with 1"))
    assert _text(state) == "ab"
    assert "vi ended with 1" in layout(view(state), 80, 20).text()
    assert "vi ended" not in layout(view(_pressed(state, "c")), 80, 20).text()
    assert reduce(play(FORM, ()).state, Edited("x")).mode == play(FORM, ()).state.mode


def test_opening_a_text_that_ends_in_a_reference_opens_no_list() -> None:
    """Only writing does, so that Enter saves what was only looked at."""
    state = _written(*"@ma", "esc", "enter")
    assert state.outbox == ()
    assert facts(state)["editor"] == "@ma"


def test_the_warning_about_leaving_goes_before_the_editor_that_failed() -> None:
    """R14: no other notice hides it."""
    state = _pressed(reduce(_written(*"ab", "ctrl+g"), EditFailed("no")), "ctrl+c")
    assert "Press Ctrl+C again" in layout(view(state), 80, 24).text()


def test_a_list_is_only_offered_where_it_can_be_seen() -> None:
    """In a very low terminal nothing is asked for; with a preview the text and its list come first."""
    low = play(FORM, ANSWER).state
    low = reduce(low, Resized(80, 8))
    assert _pressed(low, "@", "m").outbox == ()
    option = {"value": "a", "label": "A", "description": "long " * 40, "preview": "line\n" * 40}
    form = {"questions": [{"id": "q", "prompt": "?", "type": "preview", "options": [option, option | {"value": "b"}]}]}
    for size in ((40, 15), (80, 16), (80, 24)):
        state = reduce(play(form, ("n",)).state, Resized(*size))
        state = reduce(_pressed(state, "@", "s"), PathsFound("s", ("src/", "setup.py")))
        assert "› src/" in layout(view(state), *size).text()
