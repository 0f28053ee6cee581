"""Terminal bytes in any chunking become events (rule T2)."""

from __future__ import annotations

import itertools
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ask_core.decode import Decoder
from ask_core.events import Event, FocusGained, Mouse, Paste, Position, Report, Resized
from ask_core.keys import Key

START, END = b"\x1b[200~", b"\x1b[201~"


def decoded(*chunks: bytes) -> list[Event | Report]:
    """The events of these chunks, with a flush at the end."""
    decoder = Decoder()
    events = [event for chunk in chunks for event in decoder.feed(chunk)]
    return events + decoder.flush()


def is_pending(decoder: Decoder) -> bool:
    """`pending`, asked anew each time (a type checker takes a property for a constant)."""
    return decoder.pending


def names(*chunks: bytes) -> str:
    """The names of the keys in these chunks, joined by spaces; every event must be a key."""
    events = decoded(*chunks)
    assert all(isinstance(event, Key) for event in events), events
    return " ".join(event.name for event in events if isinstance(event, Key))


CONTROL_BYTES = {
    b"\r": "enter",
    b"\n": "ctrl+j",
    b"\t": "tab",
    b"\x7f": "backspace",
    b"\x08": "backspace",
    b"\x00": "ctrl+space",
    b"\x01\x03\x1a": "ctrl+a ctrl+c ctrl+z",
    b"\x1c\x1d\x1e\x1f": "ctrl+\\ ctrl+] ctrl+^ ctrl+_",
    b"\x1b": "esc",
    b"\x1b\x1b": "esc esc",
    b"\x1b\x1b\x1b": "esc esc esc",
}

TEXT = {
    b"aZ9 +": "a shift+z 9 space +",
    "é漢👍".encode(): "é 漢 👍",
    b"a\xffb": "a \ufffd b",
    b"\xe9\r": "\ufffd enter",
    b"\xe2\x82x": "\ufffd x",
    b"\xed\xa0\x80": "\ufffd \ufffd \ufffd",
    b"\xc2\x9b1a\xc2\x80": "1 a",
    b"\x9bA": "\ufffd shift+a",
}

LEGACY = {
    b"\x1b[A\x1b[B\x1b[C\x1b[D": "up down right left",
    b"\x1bOA\x1bOB\x1bOC\x1bOD": "up down right left",
    b"\x1b[H\x1b[1~\x1b[7~\x1bOH": "home home home home",
    b"\x1b[F\x1b[4~\x1b[8~\x1bOF": "end end end end",
    b"\x1b[2~\x1b[3~\x1b[5~\x1b[6~": "insert delete pageUp pageDown",
    b"\x1bOP\x1bOQ\x1bOR\x1bOS": "f1 f2 f3 f4",
    b"\x1b[P\x1b[Q\x1b[R\x1b[S": "f1 f2 f3 f4",
    b"\x1b[11~\x1b[12~\x1b[13~\x1b[14~": "f1 f2 f3 f4",
    b"\x1b[15~\x1b[17~\x1b[18~\x1b[19~\x1b[20~\x1b[21~\x1b[23~\x1b[24~": "f5 f6 f7 f8 f9 f10 f11 f12",
    b"\x1b[[A\x1b[[E": "f1 f5",
    b"\x1b[Z": "shift+tab",
    b"\x1b[E\x1bOE": "clear clear",
    b"\x1bOM\x1bOj\x1bOp\x1bOy\x1bOX": "enter * 0 9 =",
    b"\x1b[a\x1bOa\x1b[3$\x1b[3^\x1b[3@": "shift+up ctrl+up shift+delete ctrl+delete ctrl+shift+delete",
    b"\x1b[5$x": "shift+pageUp x",
}

ALT = {
    b"\x1bb\x1bN\x1b!": "alt+b shift+alt+n alt+!",
    b"\x1b \x1b_": "alt+space alt+_",
    b"\x1b\r\x1b\x7f\x1b\t\x1b\x01": "alt+enter alt+backspace alt+tab ctrl+alt+a",
    b"\x1b\x1b[A\x1b\x1bOD\x1b\x1b[3~": "alt+up alt+left alt+delete",
    b"\x1b\x1bb": "esc alt+b",
    b"\x1b\x1b\x1b[A": "esc alt+up",
    b"\x1b[": "alt+[",
    b"\x1b]": "alt+]",
    b"\x1bO": "shift+alt+o",
    b"\x1b\x1b[": "esc alt+[",
    b"\x1bO\r": "shift+alt+o enter",
    b"\x1b\xc3\xa9x": "x",
    b"\x1b\xffx": "x",
    b"\x1b\xe2\x82x": "x",
    b"\x1b\xef\xbf\xbdx": "x",
    b"\x1b+x": "x",
}

XTERM = {
    b"\x1b[1;2A\x1b[1;3B\x1b[1;5C\x1b[1;6D": "shift+up alt+down ctrl+right ctrl+shift+left",
    b"\x1b[1;5H\x1b[3;5~\x1b[5;2~": "ctrl+home ctrl+delete shift+pageUp",
    b"\x1b[1;2P\x1b[1;5R\x1b[15;3~": "shift+f1 ctrl+f3 alt+f5",
    b"\x1bO5A\x1b[5A\x1bO1;2P": "ctrl+up ctrl+up shift+f1",
    b"\x1b[1;5Z": "ctrl+shift+tab",
    b"\x1b[1;9A": "super+up",
    b"\x1b[27;5;13~\x1b[27;2;13~\x1b[27;2;9~": "ctrl+enter shift+enter shift+tab",
    b"\x1b[27;5;105~\x1b[27;6;65~\x1b[27;2;78~": "ctrl+i ctrl+shift+a shift+n",
    b"\x1b[27;2;33~\x1b[27;6;95~\x1b[27;2;32~": "! ctrl+_ space",
    b"\x1b[27;5;32~\x1b[27;5;8~": "ctrl+space ctrl+backspace",
    b"\x1b[27~\x1b[27;5~\x1b[99;5~\x1b[34~": "",
}

KITTY = {
    b"\x1b[97u\x1b[97;5u\x1b[97;6u": "a ctrl+a ctrl+shift+a",
    b"\x1b[110;2u\x1b[97:65;2u\x1b[97;;65u": "shift+n shift+a shift+a",
    b"\x1b[228;2u\x1b[223;2u": "Ä ß",
    b"\x1b[49:33;2u\x1b[38:49;2u": "! 1",
    b"\x1b[45;6u\x1b[45:95;6u\x1b[95;5u": "ctrl+_ ctrl+_ ctrl+_",
    b"\x1b[27u\x1b[13u\x1b[13;2u\x1b[9;5u\x1b[127;3u\x1b[32;5u": (
        "esc enter shift+enter ctrl+tab alt+backspace ctrl+space"
    ),
    b"\x1b[97;1:1u\x1b[97;1:2u\x1b[97;1:3u": "a a",
    b"\x1b[97;5:3u\x1b[13;1:3u\x1b[27;1:3u": "",
    b"\x1b[1;1:3A\x1b[3;1:3~\x1b[1;1:2A\x1b[1;5:1A": "up ctrl+up",
    b"\x1b[1;2:1R\x1b[1;2:3R": "shift+f3",
    b"\x1b[97;65u\x1b[97;129u\x1b[1;129A\x1b[97;69u": "a a up ctrl+a",
    b"\x1b[97;9u\x1b[97;17u\x1b[97;33u": "super+a super+a alt+a",
    b"\x1b[1089::99;5u\x1b[1089:1057:99;6u\x1b[1089;5u": "ctrl+c ctrl+shift+c",
    b"\x1b[0;;229u\x1b[0;;104:105u\x1b[97;2;196u": "å h i Ä",
    b"\x1b[97;;27u\x1b[97;;155u": "a a",
    b"\x1b[57344u\x1b[57345u\x1b[57350u\x1b[57357u\x1b[57364u\x1b[57375u": "esc enter left end f1 f12",
    b"\x1b[57399u\x1b[57408u\x1b[57409u\x1b[57413u\x1b[57414u\x1b[57415u\x1b[57416u": "0 9 . + enter = ,",
    b"\x1b[57417u\x1b[57420u\x1b[57421u\x1b[57424u\x1b[57425u\x1b[57426u\x1b[57427u": (
        "left down pageUp end insert delete clear"
    ),
    b"\x1b[57427~\x1b[57399;5u\x1b[57419;2u": "clear ctrl+0 shift+up",
    b"\x1b[57358u\x1b[57376u\x1b[57441;2u\x1b[57454u": "",
    b"\x1b[u\x1b[1u\x1b[155u\x1b[55296u\x1b[9999999999u\x1b[97:;;u": "a",
}

SWALLOWED = {
    "DA1": b"\x1b[?62;4;22c",
    "DA2": b"\x1b[>41;354;0c",
    "cursor position": b"\x1b[12;40R",
    "cursor in the first row, column 1": b"\x1b[1;1R",
    "cursor in the first row": b"\x1b[1;40R",
    "DECRPM": b"\x1b[?2026;1$y",
    "ANSI mode report": b"\x1b[4;1$y",
    "device status": b"\x1b[0n",
    "Kitty flags": b"\x1b[?1u",
    "colour scheme": b"\x1b[?997;1n",
    "lost focus": b"\x1b[O",
    "size in pixels": b"\x1b[4;600;800t",
    "SGR mouse without a place": b"\x1b[<0M\x1b[<0;1M\x1b[<0;1;2;3M\x1b[<;;M\x1b[<0;123456;1M",
    "rxvt mouse": b"\x1b[32;12;3M",
    "stray end of a paste": END,
    "OSC 11 with BEL": b"\x1b]11;rgb:1e1e/1e1e/2e2e\x07",
    "OSC 11 with ST": b"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\",
    "XTVERSION": b"\x1bP>|tmux 3.3a\x1b\\",
    "XTGETTCAP": b"\x1bP1+r544e=787465726d\x1b\\",
    "string with a newline": b"\x1b]52;c;aGk\r\n=\x07",
    "SOS, PM, APC": b"\x1bXhello\x1b\\\x1b^hello\x07\x1b_Gi=1;OK\x1b\\",
    "cancelled string": b"\x1b]11;rgb\x18\x1bPq\x1a",
    "SS2": b"\x1bNx",
    "unknown SS3": b"\x1bOz\x1bO9;9~",
    "unknown CSI": b"\x1b[99z\x1b[1;2;3;4v\x1b[=5h\x1b[ q\x1b[1 ?2A\x1b[[z\x1b[99~",
    "win32 key": b"\x1b[65;30;97;1;0;1_",
    "endless parameters": b"\x1b[" + b"1;" * 5000 + b"A",
    "size of nothing": b"\x1b[48;0;0;0;0t\x1b[48;99999;80t\x1b[48t",
}

REPORTS: dict[bytes, list[Report]] = {
    b"\x1b[<0;12;3M": [Mouse(0, 11, 2, True)],
    b"\x1b[<0;12;3m": [Mouse(0, 11, 2, False)],
    b"\x1b[<2;1;1M": [Mouse(2, 0, 0, True)],
    b"\x1b[<64;300;400M\x1b[<65;1;1M": [Mouse(64, 299, 399, True), Mouse(65, 0, 0, True)],
    b"\x1b[<35;5;6M": [Mouse(35, 4, 5, True)],
    b"\x1b[<0;0;0M": [Mouse(0, 0, 0, True)],
    b"\x1b[M !!": [Mouse(0, 0, 0, True)],
    b"\x1b[M#\xff\xff": [Mouse(3, 222, 222, False)],
    b"\x1b[M`!\x22\x1b[Ma!\x22": [Mouse(64, 0, 1, True), Mouse(65, 0, 1, True)],
    b"\x1b[I": [FocusGained()],
}

EVERYTHING = [*CONTROL_BYTES, *TEXT, *LEGACY, *ALT, *XTERM, *KITTY, *SWALLOWED.values(), *REPORTS, START, END]


@pytest.mark.parametrize(
    ("data", "expected"),
    [pair for table in (CONTROL_BYTES, TEXT, LEGACY, ALT, XTERM, KITTY) for pair in table.items()],
    ids=repr,
)
def test_bytes_are_keys(data: bytes, expected: str) -> None:
    """Each of these byte strings is these keys, whole and byte by byte."""
    assert names(data) == expected
    assert names(*(data[at : at + 1] for at in range(len(data)))) == expected


@pytest.mark.parametrize("data", SWALLOWED.values(), ids=SWALLOWED)
def test_reports_and_unknown_sequences_are_swallowed_whole(data: bytes) -> None:
    """An answer that nobody asked for types nothing, and the key behind it is heard."""
    assert names(data + b"y") == "y"
    assert names(*(data[at : at + 1] for at in range(len(data))), b"y") == "y"


@pytest.mark.parametrize(("data", "expected"), REPORTS.items(), ids=repr)
def test_the_mouse_and_the_focus_are_reports(data: bytes, expected: list[Report]) -> None:
    """Places are counted from 0; an Esc before a report is the esc key; nothing of it is ever typed."""
    assert decoded(data) == expected
    assert decoded(*(data[at : at + 1] for at in range(len(data)))) == expected
    assert decoded(b"\x1b" + data + b"y") == [Key("esc"), *expected, Key("y")]


def test_where_the_cursor_is_counts_as_f3_unless_it_was_asked_for() -> None:
    """Each question takes one answer, in any chunking; what comes without a question is a key or nothing."""
    decoder = Decoder()
    answer = b"\x1b[1;2R"
    assert decoder.feed(answer) == [Key("shift+f3")]
    assert decoder.feed(b"\x1b[12;1R") == []
    decoder.expect_position()
    assert decoder.feed(answer[:4]) == []
    assert decoder.feed(answer[4:]) == [Position(1, 0)]
    assert decoder.feed(answer) == [Key("shift+f3")]
    decoder.expect_position()
    decoder.expect_position()
    assert decoder.feed(b"\x1b[12;1Rx\x1b[0;0R") == [Position(0, 11), Key("x"), Position(0, 0)]


@pytest.mark.parametrize("data", [b"\x1b[?62c", b"\x1b]11;?\x07", b"\x1bP0q\x1b\\"], ids=repr)
def test_escape_before_a_report_is_felt(data: bytes) -> None:
    """An Esc that comes together with a report is the esc key, not alt."""
    assert names(b"\x1b" + data + b"y") == "esc y"


def test_escape_before_a_paste_is_felt() -> None:
    """An Esc that comes together with a paste is the esc key, and the paste is whole."""
    assert decoded(b"\x1b" + START + b"a" + END) == [Key("esc"), Paste("a")]


def test_resize_in_band() -> None:
    """The report of mode 2048 gives columns and rows."""
    assert decoded(b"\x1b[48;24;80;480;800t") == [Resized(80, 24)]
    assert decoded(b"\x1b\x1b[48;24:1;80:2;0;0t") == [Key("esc"), Resized(80, 24)]


def test_lone_escape_waits_for_flush() -> None:
    """A lone Esc is pending until the caller says that nothing more came."""
    decoder = Decoder()
    assert decoder.feed(b"\x1b") == []
    assert is_pending(decoder)
    assert decoder.flush() == [Key("esc")]
    assert not is_pending(decoder)
    assert decoder.flush() == []
    assert decoder.feed(b"[A") == [Key("["), Key("A")]


@pytest.mark.parametrize(
    "data",
    [
        b"\x1b[1;5",
        b"\x1bO1",
        b"\x1b[M!",
        b"\x1b[[",
        b"\x1b\xc3",
        b"\x1b]11;rgb:",
        b"\x1bPabc\x1b",
        b"\x1b_" + b"x" * 9000,
        b"\x1b[" + b"1" * 9000,
    ],
    ids=lambda data: repr(data[:8]),
)
def test_flush_drops_what_is_unfinished(data: bytes) -> None:
    """An unfinished sequence is pending, types nothing when its time is over, and does not hold up the next key."""
    decoder = Decoder()
    assert decoder.feed(data) == []
    assert is_pending(decoder)
    assert decoder.flush() == []
    assert not is_pending(decoder)
    assert decoder.feed(b"y") == [Key("y")]


@pytest.mark.parametrize(
    "data", [b"\x1b[1;5", b"\x1bO1", b"\x1b[M!", b"\x1b[" + b"1" * 9000], ids=lambda d: repr(d[:8])
)
def test_control_byte_ends_a_sequence(data: bytes) -> None:
    """A control byte inside a sequence acts as itself; what came before it is dropped."""
    assert names(data + b"\rx") == "enter x"
    assert names(data, b"\x03", b"x") == "ctrl+c x"
    assert names(data + b"\x1b[A") == "up"


def test_escape_sequence_ends_an_open_string() -> None:
    """A string that lost its end does not take the next sequence with it."""
    assert names(b"\x1b]11;rgb:\x1b[A", b"\x1bPq\x1b", b"OB") == "up down"


@pytest.mark.parametrize(("length", "expected"), [(1024, "ctrl+up x"), (1025, "x")])
def test_sequences_have_a_longest_length(length: int, expected: str) -> None:
    """A sequence beyond 1,024 bytes is swallowed, in one chunk as in many."""
    data = b"\x1b[1;" + b"5A".rjust(length - 4, b"0")
    assert len(data) == length
    assert names(data, b"x") == names(data[:-1], data[-1:], b"x") == expected
    assert names(*(data[at : at + 1] for at in range(length)), b"x") == expected


def test_pastes_are_apart() -> None:
    """Each pair of marks is a paste of its own, also an empty one."""
    assert decoded(START + b"a" + END + START + END + b"x" + START + b"b", END) == [
        Paste("a"),
        Paste(""),
        Key("x"),
        Paste("b"),
    ]


@pytest.mark.parametrize("data", [b"\x1b", b"\x1b\x1b", b"\x1b[", b"\x1bO", b"\x1b]", b"\x1b\x1bP"], ids=repr)
def test_only_an_opener_may_be_a_key_already(data: bytes) -> None:
    """An opener is ambiguous; with one byte of a sequence or string behind it, it is pending and nothing else."""
    decoder = Decoder()
    decoder.feed(data)
    assert (decoder.ambiguous, decoder.pending) == (True, True)
    if not data.endswith(b"\x1b"):
        decoder.feed(b"1")
        assert (decoder.ambiguous, decoder.pending) == (False, True)


@pytest.mark.parametrize("at", range(1, len(START)))
@pytest.mark.parametrize("before", [b"", b"\x1b"])
def test_a_pause_in_the_start_mark_of_a_paste(at: int, before: bytes) -> None:
    """Wherever it is, and however long, what follows is the text of a paste and no keys."""
    decoder = Decoder()
    decoder.feed(before + START[:at])
    decoder.flush()
    assert decoder.feed(START[at:] + b"1\r" + END + b"2") == [Paste("1\r"), Key("2")]


def test_several_pauses_in_the_start_mark_of_a_paste() -> None:
    """A mark in many pieces is one where no hand could have typed the pieces."""
    for pieces in ((b"\x1b", b"[", b"20", b"0~"), (b"\x1b[2", b"0", b"0", b"~"), (b"\x1b", b"[2", b"00~")):
        decoder = Decoder()
        for piece in pieces:
            decoder.feed(piece)
            decoder.flush()
        assert decoder.feed(b"1" + END) == [Paste("1")]


def test_keys_after_escape_are_keys() -> None:
    """What looks like the next byte of a mark is a key, typed by hand or not followed by the rest."""
    for first in (b"\x1b", b"\x1b["):
        decoder = Decoder()
        decoder.feed(first)
        decoder.flush()
        typed = b"[2"[len(first) - 1 :]
        assert [event for byte in typed for event in decoder.feed(bytes([byte]))] == [Key(chr(byte)) for byte in typed]
        assert decoder.feed(b"00~") == [Key("0"), Key("0"), Key("~")]


def test_a_paste_whose_end_is_lost_can_be_ended() -> None:
    """Its text is kept, without the part of an end mark that came; what follows is keys again."""
    decoder = Decoder()
    assert decoder.end_paste() == []
    assert decoder.feed(START + b"half\x1b[20") == []
    assert decoder.pasting
    assert decoder.end_paste() == [Paste("half")]
    assert decoder.feed(b"x") == [Key("x")]


def test_half_a_character_waits_without_a_timer() -> None:
    """A character split by a pause arrives whole: flush does not touch it, and nothing is pending."""
    decoder = Decoder()
    assert decoder.feed(b"\xe6\xbc") == []
    assert not is_pending(decoder)
    assert decoder.flush() == []
    assert decoder.feed(b"\xa2") == [Key("漢")]


def test_paste_with_pauses_is_one_event() -> None:
    """Between the marks nothing is a key, however long it takes and wherever the chunks end."""
    inside = b"hello\r\x03\x1b[A\x1b[201 \x1b[20\x1b"
    decoder = Decoder()
    events = decoder.feed(START)
    for byte in inside + END + b"x":
        events += decoder.feed(bytes([byte])) + decoder.flush()
    assert events == [Paste(inside.decode()), Key("x")]


@given(st.text(alphabet=st.characters(codec="utf-8")), st.data())
def test_paste_carries_its_text_unchanged(text: str, data: st.DataObject) -> None:
    """Any text without the end mark comes out as it went in, with pauses anywhere inside the marks."""
    raw = text.encode().replace(END, b"")
    cut = data.draw(st.integers(0, len(raw)))
    decoder = Decoder()
    assert decoder.feed(START + raw[:cut]) == []
    assert not is_pending(decoder)
    assert decoder.flush() == []
    assert decoder.feed(raw[cut:] + END[:3]) == []
    assert decoder.flush() == []
    assert decoder.feed(END[3:] + b"x") == [Paste(raw.decode("utf-8", "replace")), Key("x")]


def test_paste_with_invalid_bytes_is_replaced() -> None:
    """Bytes that are no UTF-8 become U+FFFD in the pasted text."""
    assert decoded(START + b"a\xff\xe2\x82b" + END) == [Paste("a\ufffd\ufffdb")]


BYTES = st.lists(
    st.one_of(
        st.binary(max_size=6),
        st.sampled_from(EVERYTHING),
        st.sampled_from([b"\x1b", b"\x1b[", b"\x1bO", b"\x1b]", b"\x1bP", b"\x07", b"\x1b\\", b"200~", b"\xf0\x9f"]),
        st.builds(bytes, st.lists(st.sampled_from(b"\x1b[O0123456789;:<?$ ~uAMRmN\xc2\x9b\r"), max_size=12)),
    ),
    max_size=12,
).map(b"".join)


@given(BYTES, st.lists(st.integers(0, 200), max_size=20))
@example(b"\x1b[" + b"1" * 2000 + b"\x1b" + b"A", [1000, 1500, 2001])
@example(b"\x1b\x1b[" + b"1" * 1021 + b"A", [500, 1024])
@example(b"\x1b\x1b[" + b"1" * 1020 + b"A", [500, 1023])
def test_chunks_do_not_matter(data: bytes, cuts: list[int]) -> None:
    """However the bytes are cut, the events are the same."""
    edges = [0, *sorted({min(cut, len(data)) for cut in cuts}), len(data)]
    whole = decoded(data)
    assert decoded(*(data[start:end] for start, end in itertools.pairwise(edges))) == whole
    assert decoded(*(data[at : at + 1] for at in range(len(data)))) == whole


@given(BYTES, st.booleans())
def test_no_key_is_a_control_character(data: bytes, hurried: bool) -> None:
    """No bytes whatever raise, leave a sequence pending after a flush, or type a control character."""
    decoder = Decoder()
    events = []
    for byte in data:
        events += decoder.feed(bytes([byte]))
        events += decoder.flush() if hurried else []
    events += decoder.flush()
    assert not is_pending(decoder)
    for event in events:
        assert isinstance(event, Key | Paste | Resized | Mouse | FocusGained)
        if isinstance(event, Key):
            assert not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 for char in event.name)
            event.name.encode()


def test_every_code_point_with_every_modifier() -> None:
    """A key by code point is a press that Key knows, or nothing; it never types a control or a surrogate."""
    for code in (*range(0x180), 0xD800, 0xDFFF, 0xE000, 0x10FFFF, 0x110000):
        for modifiers in (1, 2, 3, 5, 6, 8, 9, 17, 33, 65, 256, 99999):
            events = decoded(b"\x1b[%d;%du" % (code, modifiers))
            assert events == decoded(b"\x1b[27;%d;%d~" % (modifiers, code))
            texts = [event.text for event in events if isinstance(event, Key)]
            assert len(texts) == len(events) <= 1
            assert all(text is None or unicodedata.category(text) not in {"Cc", "Cs"} for text in texts)


@pytest.mark.parametrize("size", [512, 4096, 1 << 22])
def test_large_input_takes_linear_time(size: int) -> None:
    """A large paste, a long burst of keys and an endless sequence are each one pass; a rescan would take minutes."""
    text = b"line \xc3\xa9\x1b[20\n" * 80_000
    for data, count in (
        (START + text + END, 1),
        (b"\x1b[A" * 20_000, 20_000),
        (b"x" * 20_000, 20_000),
        (b"\x1b[" + b"1" * 1_000_000, 0),
        (b"\x1b]" + b"1" * 1_000_000, 0),
        (START * 2 + END * 20_000, 1),
    ):
        assert len(decoded(*(data[at : at + size] for at in range(0, len(data), size)))) == count
