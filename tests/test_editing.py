"""The text buffer: where the cursor stands after a key, in notation with `|` for the cursor."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from time import process_time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ask_core import editing
from ask_core.editing import EDITS
from ask_core.events import Paste
from ask_core.keys import Key
from ask_core.reduce import reduce
from ask_core.result import result_of
from ask_core.state import Typing
from ask_core.testing import facts, play
from ask_core.text import buffer as edits
from ask_core.text.buffer import TextBuffer
from ask_core.text.clean import clean_block, is_clean, normalise_paste
from ask_core.text.graphemes import clusters
from ask_core.view.question import editor_of
from tests.strategies import FAMILY, KEY_NAMES, texts

FREEFORM = {
    "questions": [
        {"id": "q", "prompt": "Name?", "options": [{"value": "t", "label": "Answer", "freeform": True}]},
    ]
}

TABLE = """
    hel|lo      left            he|llo
    hel|lo      right           hell|o
    |hello      left            |hello
    hello|      right           hello|
    hel|lo      home            |hello
    hel|lo      ctrl+a          |hello
    hel|lo      end             hello|
    hel|lo      ctrl+e          hello|
    hel|lo      backspace       he|lo
    hel|lo      shift+backspace he|lo
    |hello      backspace       |hello
    hel|lo      delete          hel|o
    hello|      delete          hello|
    hel|lo      x               helx|lo
    hel|lo      X               helX|lo
    hel|lo      space           hel_|lo
    hel|lo      ?               hel?|lo
    hel|lo      1               hel1|lo
    hel|lo      tab             hel|lo
    hel|lo      f1              hel|lo
    hel|lo      pageDown        hel|lo

    one_two|        alt+b       one_|two
    one_two_|       alt+b       one_|two_
    one_|two        alt+b       |one_two
    |one            alt+b       |one
    one|_two        alt+f       one_two|
    |one_two        alt+f       one|_two
    o|ne_two        alt+f       one|_two
    one|            alt+f       one|
    one.two|        alt+b       one.|two
    one.|two        alt+b       one|.two
    one...|         alt+b       one|...
    |one..two       alt+f       one|..two
    one|..two       alt+f       one..|two
    a.b_c|          ctrl+w      a.b_|
    a.b|            ctrl+w      a.|
    a.|             ctrl+w      a|
    one___|two      ctrl+w      |two
    |one            ctrl+w      |one
    on|e_two        ctrl+w      |e_two
    日本_語|         ctrl+w      日本_|

    ab/c|d/ef       home        ab/|cd/ef
    ab/c|d/ef       end         ab/cd|/ef
    ab/c|d/ef       ctrl+u      ab/|d/ef
    ab/|cd          ctrl+u      ab|cd
    |ab             ctrl+u      |ab
    ab/c|d/ef       ctrl+k      ab/c|/ef
    ab|/cd          ctrl+k      ab|cd
    ab|             ctrl+k      ab|
    ab/|cd          backspace   ab|cd
    ab|/cd          delete      ab|cd
    ab/|cd          left        ab|/cd
    ab|/cd          right       ab/|cd
    ab/|cd          alt+b       ab|/cd
    ab|/cd          alt+f       ab/|cd

    one_two|        ctrl+left       one_|two
    one_two|        alt+left        one_|two
    |one_two        ctrl+right      one|_two
    |one_two        alt+right       one|_two
    one_two|        alt+backspace   one_|
    one_two|        ctrl+backspace  one_|
    one|_two_x      alt+d           one|_x
    one|_two_x      ctrl+delete     one|_x
    ab|cd           shift+enter     ab/|cd
    ab|cd           alt+enter       ab/|cd
    ab|cd           ctrl+j          ab/|cd
    ab|cd           ctrl+y          ab|cd
    ab/|cd          ctrl+w      ab|cd

    abcd/e|f        up          a|bcd/ef
    abcd/ef|        up          ab|cd/ef
    ab/cdef|        up          ab|/cdef
    ab|c            up          |abc
    ab|cd/ef        down        abcd/ef|
    abcd|/ef        down        abcd/ef|
    a|bc/def        down        abc/d|ef
    ab|c            down        abc|
    ab//|cd         up          ab/|/cd
    |/ab            down        /|ab
"""

GRAPHEMES = [
    ("FAMILY|", ("left",), "|FAMILY"),
    ("|FAMILYx", ("right",), "FAMILY|x"),
    ("aFAMILY|b", ("backspace",), "a|b"),
    ("a|FAMILYb", ("delete",), "a|b"),
    ("🇫🇷🇩🇪|", ("left",), "🇫🇷|🇩🇪"),
    ("🇫🇷🇩🇪|", ("backspace",), "🇫🇷|"),
    ("|🇫🇷🇩🇪", ("right", "right"), "🇫🇷🇩🇪|"),
    ("|🇫🇷🇩🇪", ("delete",), "|🇩🇪"),
    ("e\u0301x|", ("left", "left"), "|e\u0301x"),
    ("e\u0301|", ("backspace",), "|"),
    ("|e\u0301x", ("delete",), "|x"),
    ("\u1112\u1161\u11ab|", ("left",), "|\u1112\u1161\u11ab"),
    ("한국|", ("backspace",), "한|"),
    ("\u1112|", ("\u1161", "\u11ab", "backspace"), "|"),
    ("👍🏽|", ("left",), "|👍🏽"),
    ("❤️|", ("backspace",), "|"),
    ("क्षि|", ("left",), "|क्षि"),
    # Characters that join across the cursor take it with them.
    ("e|", ("\u0301",), "e\u0301|"),
    ("|\u0301", ("e",), "e\u0301|"),
    ("👩|👧", ("\u200d",), "👩\u200d👧|"),
    ("🇫|x", ("🇷",), "🇫🇷|x"),
    ("🇫x|🇷", ("backspace",), "🇫🇷|"),
    ("🇫|x🇷", ("delete",), "🇫🇷|"),
    ("🇫🇷🇩|x🇪", ("delete",), "🇫🇷🇩🇪|"),
    ("🇫🇷🇩x|🇪", ("backspace",), "🇫🇷🇩🇪|"),
    # Up and down land on a boundary too.
    ("FAMILY/ab|", ("up",), "FAMILY|/ab"),
    # The column that moving up and down returns to.
    ("abcdef|/x/uvwxyz", ("down", "down"), "abcdef/x/uvwxyz|"),
    ("abcd|ef/x/uvwxyz", ("down", "down"), "abcdef/x/uvwx|yz"),
    ("abcdef/x/uvwx|yz", ("up", "up"), "abcd|ef/x/uvwxyz"),
    ("abcd|ef/x/uvwxyz", ("down", "left", "down"), "abcdef/x/|uvwxyz"),
    ("abcd|ef/x/uvwxyz", ("down", "y", "down"), "abcdef/xy/uv|wxyz"),
    ("abcd|ef/x/uvwxyz", ("down", "end", "down"), "abcdef/x/u|vwxyz"),
]


def _read(notation: str) -> TextBuffer:
    before, after = notation.replace("FAMILY", FAMILY).replace("_", " ").replace("/", "\n").split("|")
    return TextBuffer(before, after)


def _write(buffer: TextBuffer) -> str:
    return f"{buffer.before}|{buffer.after}".replace(FAMILY, "FAMILY").replace(" ", "_").replace("\n", "/")


@pytest.mark.parametrize("row", [row.strip() for row in TABLE.splitlines() if row.strip()])
def test_a_key_edits_or_moves(row: str) -> None:
    """`|` is the cursor, `_` a space, `/` a line break."""
    before, key, after = row.split()
    assert _write(editing.press(_read(before), Key(key))) == after


@pytest.mark.parametrize(("before", "names", "after"), GRAPHEMES)
def test_keys_go_by_whole_graphemes(before: str, names: tuple[str, ...], after: str) -> None:
    """What a person sees as one character moves and goes as one."""
    buffer = _read(before)
    for name in names:
        buffer = editing.press(buffer, Key(name))
    assert _write(buffer) == after


def test_a_slash_is_punctuation() -> None:
    """The notation of the table cannot say this: words end at a slash, an at sign and a hyphen."""
    for sign in "/@-":
        assert editing.press(TextBuffer(f"one{sign}two"), Key("ctrl+w")).text == f"one{sign}"


def test_keys_that_change_nothing_give_the_very_same_buffer() -> None:
    """Moving at the ends, deleting nothing and keys without a meaning."""
    empty = TextBuffer()
    assert all(editing.press(empty, Key(name)) is empty for name, edit in EDITS.items() if edit is not edits.break_line)
    text = TextBuffer("ab")
    assert all(editing.press(text, Key(name)) is text for name in ("right", "end", "delete", "ctrl+k", "f5", "tab"))


SEQUENCES = [
    # What was killed comes back, kills that follow each other together.
    ("ab/c|d/ef", ("ctrl+k", "ctrl+y"), "ab/cd|/ef"),
    ("one_two|", ("ctrl+w", "ctrl+w", "ctrl+y"), "one_two|"),
    ("one_two|_three", ("ctrl+w", "alt+d", "ctrl+y"), "one_two_three|"),
    ("one_two|", ("ctrl+w", "left", "ctrl+w", "ctrl+y"), "one|_"),
    ("one|", ("ctrl+u", "ctrl+y", "ctrl+y"), "oneone|"),
    # One step of undo: a word with the space before it, a run of deletions, a kill, a line break.
    ("|", ("a", "b", "space", "c", "d", "ctrl+_"), "ab|"),
    ("|", ("a", "b", "space", "c", "d", "ctrl+_", "ctrl+_"), "|"),
    ("|", ("a", "b", "ctrl+_", "ctrl+alt+_"), "ab|"),
    ("|", ("a", "left", "b", "ctrl+_"), "|a"),
    ("abcd|", ("backspace", "backspace", "ctrl+_"), "abcd|"),
    ("ab_cd|", ("ctrl+w", "ctrl+_"), "ab_cd|"),
    ("ab|", ("shift+enter", "c", "ctrl+_"), "ab/|"),
    ("ab|", ("c", "ctrl+_", "d", "ctrl+alt+_"), "abd|"),
    ("ab|cd", ("ctrl+_", "ctrl+alt+_", "x"), "abx|cd"),
]


@pytest.mark.parametrize(("before", "names", "after"), SEQUENCES)
def test_undo_and_yank_give_text_back(before: str, names: tuple[str, ...], after: str) -> None:
    """Undo takes the last step back, redo does it again, Ctrl+Y puts in what was killed."""
    buffer = _read(before)
    back_and_forth = {"ctrl+_": edits.undo, "ctrl+alt+_": edits.redo}
    for name in names:
        buffer = back_and_forth[name](buffer) if name in back_and_forth else editing.press(buffer, Key(name))
    assert _write(buffer) == after


ROWS = [
    # Rows of four columns: "abcd", "ef"; moving up and down goes by rows, not by lines.
    ("abcde|f", ("up",), "a|bcdef"),
    ("a|bcdef", ("down",), "abcde|f"),
    ("abc|def", ("down",), "abcdef|"),
    ("abcdef/g|h", ("up",), "abcde|f/gh"),
    ("abcdef/g|h", ("up", "up"), "a|bcdef/gh"),
    ("abcdef/g|h", ("up", "up", "up"), "|abcdef/gh"),
    ("abcdef/gh|", ("up", "up", "down", "down"), "abcdef/gh|"),
    ("日本語|", ("up",), "日|本語"),
    ("日|本語", ("down",), "日本語|"),
]


@pytest.mark.parametrize(("before", "names", "after"), ROWS)
def test_up_and_down_go_by_the_rows_that_are_seen(before: str, names: tuple[str, ...], after: str) -> None:
    """A wrapped line has several rows, and the column is that of the screen."""
    buffer = _read(before)
    for name in names:
        buffer = editing.press(buffer, Key(name), 4)
    assert _write(buffer) == after


CHARACTERS = (
    *"ab1 .-/\n",
    *(
        "\u0301",
        "\u200d",
        "\ufe0f",
        "🏽",
        "👩",
        "👧",
        "🇫",
        "🇷",
        "日",
        "\u1112",
        "\u1161",
        "\u11ab",
        "한",
        "क",
        "\u094d",
    ),
    *("ष", "ि", "\u0600", "\u0e33", "é", "\u00ad", "\u200b", "\u3000"),
)
words = st.lists(st.sampled_from(CHARACTERS), max_size=20).map("".join)


@st.composite
def _buffers(draw: st.DrawFn) -> TextBuffer:
    """A buffer whose cursor stands on a grapheme boundary."""
    pieces = list(clusters(draw(words)))
    cut = draw(st.integers(0, len(pieces)))
    return TextBuffer("".join(pieces[:cut]), "".join(pieces[cut:]))


buffers = _buffers()


def _on_boundary(buffer: TextBuffer) -> bool:
    ends = [0, *accumulate(len(cluster) for cluster in clusters(buffer.text))]
    return len(buffer.before) in ends


@given(buffers, st.lists(st.sampled_from((*EDITS, *KEY_NAMES)) | words.map(Paste), max_size=12))
def test_the_cursor_is_always_on_a_boundary(buffer: TextBuffer, happened: list[str | Paste]) -> None:
    """Whatever is typed, pasted, moved or deleted, the cursor never stands inside a grapheme."""
    for one in happened:
        buffer = (
            edits.insert(buffer, normalise_paste(one.text))
            if isinstance(one, Paste)
            else editing.press(buffer, Key(one))
        )
        assert _on_boundary(buffer)


@given(
    buffers,
    st.lists(
        st.sampled_from((*EDITS, *KEY_NAMES)).map(lambda name: lambda buffer: editing.press(buffer, Key(name)))
        | st.sampled_from((edits.undo, edits.redo, edits.break_line, edits.yank))
        | texts.map(lambda text: lambda buffer: edits.insert(buffer, text))
        | texts.map(lambda text: lambda buffer: edits.replace(buffer, text))
        | texts.map(lambda text: lambda buffer: edits.replace_before(buffer, len(buffer.before) // 2, text)),
        max_size=12,
    ),
)
def test_what_is_called_clean_is_shown_as_it_is(
    buffer: TextBuffer, happened: list[Callable[[TextBuffer], TextBuffer]]
) -> None:
    """Only a text that cleaning does not change passes for clean, whatever has been done to it (T10)."""
    for edit in happened:
        buffer = edit(buffer)
        assert not buffer.clean or clean_block(buffer.text) == buffer.text
    assert TextBuffer(buffer.text).clean == is_clean(buffer.text)


def test_a_long_clean_text_stays_clean_from_edit_to_edit() -> None:
    """It is not looked through again: one that is said to be clean and is not would pass for it."""
    buffer = TextBuffer("a\tb", clean=True)
    for edit in (edits.delete_back, edits.move_left, lambda text: edits.insert(text, "x\n"), edits.kill_word_back):
        buffer = edit(buffer)
        assert buffer.clean
    assert not edits.insert(buffer, "\t").clean
    assert edits.replace(edits.insert(buffer, "\t"), "new").clean


@pytest.mark.parametrize("line", [0, 1, 499, 500, 501, 600, 998, 999])
def test_an_editor_has_what_is_near_and_counts_the_rest(line: int) -> None:
    """Lines before and after the cursor that no screen can hold are counted."""
    lines = [f"line {number}" for number in range(1_000)]
    buffer = TextBuffer("\n".join([*lines[:line], "li"]), "\n".join(["ne", *lines[line + 1 :]]))
    editor = editor_of(Typing(buffer))
    assert editor.before.split("\n") == [*lines[editor.above : line], "li"]
    assert editor.after.split("\n") == ["ne", *lines[line + 1 : 1_000 - editor.below]]
    assert min(line, 400) <= line - editor.above <= 500
    assert min(999 - line, 400) <= 999 - line - editor.below <= 500


def test_an_editor_counts_lines_as_they_are_shown() -> None:
    """Breaks that cleaning makes lines of are counted where they are out of sight as well."""
    lines = ["one\u2028two\u2029three", *(f"line {number}" for number in range(600))]
    editor = editor_of(Typing(TextBuffer("\n".join(lines))))
    assert editor.above + len(editor.before.split("\n")) == 603


@given(buffers)
def test_left_undoes_right_and_right_undoes_left(buffer: TextBuffer) -> None:
    """Away from the ends, a step and its opposite come back to the same place; the text stays."""
    right, left = edits.move_right(buffer), edits.move_left(buffer)
    assert right.text == left.text == buffer.text
    if buffer.after:
        assert len(right.before) > len(buffer.before)
        assert edits.move_left(right) == buffer
    if buffer.before:
        assert len(left.before) < len(buffer.before)
        assert edits.move_right(left) == buffer


@given(buffers, words)
def test_inserting_keeps_the_other_text(buffer: TextBuffer, text: str) -> None:
    """New text stands between what was before and after the cursor; nothing else changes."""
    assert edits.insert(buffer, text).text == buffer.before + text + buffer.after


@given(buffers, st.sampled_from([name for name, edit in EDITS.items() if edit.__name__.startswith("move")]))
def test_moving_never_changes_the_text(buffer: TextBuffer, name: str) -> None:
    """Keys that move only move."""
    assert editing.press(buffer, Key(name)).text == buffer.text


@given(buffers, st.sampled_from([name for name, edit in EDITS.items() if edit.__name__.startswith(("delete", "kill"))]))
def test_deleting_takes_one_piece_beside_the_cursor(buffer: TextBuffer, name: str) -> None:
    """What is deleted touches the cursor, on one side; the rest stays as it is."""
    rest = editing.press(buffer, Key(name)).text
    back = rest.endswith(buffer.after) and buffer.before.startswith(rest[: len(rest) - len(buffer.after)])
    forward = rest.startswith(buffer.before) and buffer.after.endswith(rest[len(buffer.before) :])
    assert back or forward


@given(buffers)
def test_up_and_down_stay_in_the_text(buffer: TextBuffer) -> None:
    """Up never goes down, down never up, and both end at the ends of the text."""
    up, down = edits.move_up(buffer), edits.move_down(buffer)
    assert len(up.before) <= len(buffer.before) <= len(down.before)
    for _ in range(buffer.text.count("\n") + 1):
        up, down = edits.move_up(up), edits.move_down(down)
    assert up.before == ""
    assert down.after == ""


@given(buffers, st.lists(st.sampled_from((*EDITS, *KEY_NAMES)) | words.map(Paste), max_size=12))
def test_undo_gives_every_text_back_and_redo_leads_forward_again(
    buffer: TextBuffer, happened: list[str | Paste]
) -> None:
    """Undone to the end, the text is the first one; redone to the end, it is the last one."""
    first = buffer.text
    for one in happened:
        buffer = edits.insert(buffer, one.text) if isinstance(one, Paste) else editing.press(buffer, Key(one))
    while buffer.future:
        buffer = edits.redo(buffer)
    last = buffer.text
    steps = len(buffer.past)
    for _ in range(steps):
        buffer = edits.undo(buffer)
    assert buffer.text == first
    assert edits.undo(buffer) is buffer
    for _ in range(steps):
        buffer = edits.redo(buffer)
    assert buffer.text == last


@given(buffers, st.integers(2, 9))
def test_up_and_down_by_rows_reach_both_ends(buffer: TextBuffer, columns: int) -> None:
    """Whatever the width, up leads to the beginning and down to the end, on boundaries all the way."""
    up = down = buffer
    for _ in range(len(buffer.text) + 2):
        up, down = edits.move_up(up, columns), edits.move_down(down, columns)
        assert _on_boundary(up)
        assert _on_boundary(down)
    assert up.before == ""
    assert down.after == ""


@given(words)
def test_saved_text_is_typed_text(text: str) -> None:
    """What is typed key by key, line breaks pasted, is in the answer character by character; Esc keeps the ends."""
    assume(text.strip("\n \u3000"))
    keys: list[str | dict[str, str]] = [{"paste": char} if char == "\n" else char for char in text]
    played = play(FREEFORM, [*keys, "esc"], allow_freeform=True)
    assert result_of(played.state).answers[0].custom == text


@given(texts)
def test_pasted_text_is_stored_as_pasted(text: str) -> None:
    """A paste and Esc store the normalised text, in an answer and in a note alike."""
    kept = normalise_paste(text)
    assume(kept.strip(" \n\u2028\ufeff"))
    typed = reduce(play(FREEFORM, (), allow_freeform=True).state, Paste(text))
    assert facts(reduce(typed, Key("esc")))["answers"]["q"]["custom"] == kept


def test_a_long_text_takes_little_time_to_edit() -> None:
    """The cost of a key follows the grapheme and the line, not the number of graphemes in the text."""
    began = process_time()
    buffer = TextBuffer("日本語 text\n" * 20_000, "ende\u0301 " * 20_000)
    for name in ("left", "right", "backspace", "delete", "x", "alt+b", "alt+f", "up", "down", "home", "end", "ctrl+w"):
        for _ in range(20):
            buffer = editing.press(buffer, Key(name))
    assert process_time() - began < 5
    assert len(buffer.text) > 200_000


def test_an_editor_that_opens_on_saved_text_has_the_cursor_at_its_end() -> None:
    """What is typed next goes on with the saved text."""
    played = play(FREEFORM, [*"ab", "enter", "shift+tab", "enter", "c"], allow_freeform=True)
    assert facts(played.state)["editor"] == "abc"
