r"""What arrives from a terminal, byte by byte, as events: a pure state machine (rule T2).

The grammar is ECMA-48's, so that a sequence nobody knows still has an end: it is swallowed whole and never typed.

- Text is UTF-8. Invalid bytes are typed as U+FFFD, C1 code points (U+0080 to U+009F) are dropped.
- ESC and one more byte is that key with alt. `ESC [` and `ESC O` open a sequence that ends with a byte from `@` to
  `~`, after parameters and intermediates (space to `?`). `ESC ]`, `ESC P`, `ESC X`, `ESC ^` and `ESC _` open a string
  that ends with `ESC \` or BEL. An opener with nothing behind it is the key with alt, as legacy terminals send it.
- A second ESC before such a sequence is alt where the sequence is a key (rxvt), and the esc key where it is a report.
- A control byte in the middle of a sequence ends it: the unfinished part is dropped, the control byte acts.
- Between `CSI 200~` and `CSI 201~` nothing is a key, however long it takes, and wherever there is a pause in the marks.

Reports of the mouse come in SGR form (`CSI < button ; column ; row M`) or, from old terminals, as X10 wrote them.

Modifiers follow xterm and Kitty: a parameter of 1 + bits. Kitty's super and hyper are super, meta is alt, the locks do
not count. A press that no `Key` names does nothing.
"""

from __future__ import annotations

import functools
import re
from codecs import utf_8_decode
from typing import Literal

from ask_core.errors import UnknownKey
from ask_core.events import Event, FocusGained, Mouse, Paste, Position, Report, Resized
from ask_core.keys import Key

_SHIFT, _ALT, _CTRL, _SUPER, _HYPER, _META = 1, 2, 4, 8, 16, 32
_HELD_DOWN = (("ctrl", _CTRL), ("shift", _SHIFT), ("alt", _ALT | _META), ("super", _SUPER | _HYPER))

_RELEASE = 3

_PASTE_START = b"\x1b[200~"
_PASTE_END = b"\x1b[201~"

# No key or answer comes near this length; beyond it a sequence is skipped without being kept.
_LONGEST = 1024

_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")
# In order: rxvt's shifted keys (`CSI 5$`, where `$` would otherwise announce a final byte), X10 mouse reports, the
# Linux console's F1 to F5 (`CSI [ A`), every other CSI, SS3, SS2.
_SEQUENCE = re.compile(
    rb"\x1b{1,2}(?:\[(?:[0-9]{1,2}\$|M[^\x00-\x1f]{3}|\[[ -~]|(?![M\[])[ -?]*+[@-~])|O[ -?]*+[@-~]|N[ -~])"
)
_UNFINISHED = re.compile(rb"\x1b{1,2}(?:\[(?:M[^\x00-\x1f]{0,2}|\[|[ -?]*+)|O[ -?]*+|N)")
_POSITION = re.compile(rb"\x1b\[([0-9]{1,5});([0-9]{1,5})R")
_SGR_MOUSE = re.compile(rb"\x1b\[<([0-9]{1,5});([0-9]{1,5});([0-9]{1,5})([Mm])")
_X10_MOUSE = re.compile(rb"\x1b\[M(.)(.)(.)", re.DOTALL)
_OPENER = re.compile(rb"\x1b{1,2}[\[ONPX\]^_]")
_NUMBERS = re.compile(rb"[0-9:;]*")
_NO_PARAMETER = re.compile(rb"[^ -?]")
_STRING_END = re.compile(rb"[\x07\x18\x1a\x1b]")

_CONTROLS = {
    **{code: f"ctrl+{chr(code + 96)}" for code in range(1, 27)},
    0x00: "ctrl+space",
    0x08: "backspace",
    0x09: "tab",
    0x0D: "enter",
    0x1C: "ctrl+\\",
    0x1D: "ctrl+]",
    0x1E: "ctrl+^",
    0x1F: "ctrl+_",
    0x7F: "backspace",
}

_BY_LETTER = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "E": "clear",
    "F": "end",
    "H": "home",
    "P": "f1",
    "Q": "f2",
    "R": "f3",
    "S": "f4",
}

_KEYPAD_BY_LETTER = {
    "I": "tab",
    "M": "enter",
    "X": "=",
    **dict(zip("jklmnopqrstuvwxy", "*+,-./0123456789", strict=True)),
}

_BY_NUMBER = {
    1: "home",
    2: "insert",
    3: "delete",
    4: "end",
    5: "pageUp",
    6: "pageDown",
    7: "home",
    8: "end",
    **dict(zip((11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24), (f"f{n}" for n in range(1, 13)), strict=True)),
    57427: "clear",
}

_RXVT_FINALS = {"~": 0, "$": _SHIFT, "^": _CTRL, "@": _CTRL | _SHIFT}

_ARROWS_AND_PAGES = ("left", "right", "up", "down", "pageUp", "pageDown", "home", "end")

_BY_CODE = {
    8: "backspace",
    9: "tab",
    13: "enter",
    27: "esc",
    127: "backspace",
    **dict(enumerate(("esc", "enter", "tab", "backspace", "insert", "delete", *_ARROWS_AND_PAGES), 57344)),
    **dict(enumerate((f"f{number}" for number in range(1, 13)), 57364)),
    **dict(enumerate("0123456789./*-+", 57399)),
    57414: "enter",
    **dict(enumerate(("=", ",", *_ARROWS_AND_PAGES, "insert", "delete", "clear"), 57415)),
}

# Symbols that no layout in wide use gives without shift: where one of them is named, shift is already spent.
_SHIFTED_SYMBOLS = frozenset('~!@#$%^&*()_+{}|:"<>?')


class Decoder:
    """The bytes of one terminal, in any chunking, as events (rule T2). Never raises, whatever the bytes."""

    __slots__ = ("_awaited", "_cut", "_held", "_pasted", "_within")

    def __init__(self) -> None:
        self._held = b""
        self._cut = b""
        self._pasted = bytearray()
        self._within: Literal["ground", "paste", "string", "overlong"] = "ground"
        self._awaited = 0

    @property
    def pending(self) -> bool:
        """Whether an unfinished escape sequence waits for more bytes, or for `flush`.

        Half a character and an open paste are not pending: they wait for their rest, however long it takes.
        """
        if self._within == "ground":
            return self._held.startswith(b"\x1b")
        return self._within != "paste"

    @property
    def ambiguous(self) -> bool:
        """Whether what is pending may be a key already: an ESC, or an opener, with nothing behind it so far."""
        return self._within == "ground" and (
            self._held in (b"\x1b", b"\x1b\x1b") or _OPENER.fullmatch(self._held) is not None
        )

    @property
    def pasting(self) -> bool:
        """Whether a paste is open."""
        return self._within == "paste"

    def expect_position(self) -> None:
        """The terminal has been asked where its cursor is: the next `CSI row ; column R` is no F3 but a Position."""
        self._awaited += 1

    def feed(self, data: bytes) -> list[Event | Report]:
        """The events and reports that these bytes complete, in order."""
        data = (self._rest_of_start(data) if self._cut and data else self._held) + data
        self._held = b""
        events: list[Event | Report] = []
        at = 0
        while at < len(data):
            match self._within:
                case "ground":
                    at = self._step(data, at, events)
                case "paste":
                    at = self._paste(data, at, events)
                case "string":
                    at = self._skip_string(data, at)
                case "overlong":
                    at = self._skip_overlong(data, at)
        return events

    def flush(self) -> list[Event | Report]:
        """The events of what is pending, once no more came in time: 50 ms where it is `ambiguous`, else a second.

        A lone ESC is the esc key, a lone opener its key with alt; any other unfinished sequence is dropped.
        """
        if not self.pending:
            return []
        held, self._held = self._held, b""
        mark = held[held.rfind(b"\x1b") :]
        self._cut = mark if self._within == "ground" and _PASTE_START.startswith(mark) else b""
        if self._within != "ground":
            self._within = "ground"
            return []
        if held.strip(b"\x1b"):
            return [*_opener(held)]
        return [_key("esc")] * len(held)

    def end_paste(self) -> list[Event | Report]:
        """The open paste as far as it has come, where its end mark is lost."""
        if self._within != "paste":
            return []
        self._within, self._held = "ground", b""
        text, self._pasted = self._pasted.decode("utf-8", "replace"), bytearray()
        return [Paste(text)]

    def _rest_of_start(self, data: bytes) -> bytes:
        """What `flush` has given up, if these bytes show that it was the first part of a paste's start mark.

        However long the pause in the mark was: the text behind it must not act as keys. No hand types several bytes of
        the mark at once. A single one behind Esc or alt+[ is a key.
        """
        cut, self._cut = self._cut, b""
        mark = cut + data
        if mark.startswith(_PASTE_START) or (_PASTE_START.startswith(mark) and (len(cut) > 2 or len(data) > 1)):
            return cut
        self._cut = mark if mark == b"\x1b[" else b""
        return b""

    def _step(self, data: bytes, at: int, events: list[Event | Report]) -> int:
        byte = data[at]
        if byte == 0x1B:
            return self._escape(data, at, events)
        if byte in _CONTROLS:
            events.append(_key(_CONTROLS[byte]))
            return at + 1
        control = _CONTROL.search(data, at)
        end = control.start() if control else len(data)
        text, used = utf_8_decode(data[at:end], "replace", end < len(data))
        events.extend(map(_key, text) if text.isascii() else [_key(char) for char in text if _is_text(ord(char))])
        return at + used if at + used == end else self._hold(data, at + used)

    def _escape(self, data: bytes, at: int, events: list[Event | Report]) -> int:
        if sequence := _SEQUENCE.match(data, at):
            found = sequence.group()
            if found.endswith(_PASTE_START):
                events.extend([_key("esc")] * (len(found) - len(_PASTE_START)))
                self._within = "paste"
            elif self._awaited and (answer := _POSITION.fullmatch(found)):
                self._awaited -= 1
                events.append(Position(max(int(answer[2]) - 1, 0), max(int(answer[1]) - 1, 0)))
            elif len(found) <= _LONGEST:
                events.extend(_sequence(found))
            return sequence.end()
        if unfinished := _UNFINISHED.match(data, at):
            end = unfinished.end()
            if end == len(data):
                return self._hold(data, at)
            events.extend(_opener(unfinished.group()))
            return end
        second = data[at + 1 : at + 2]
        if not second or (second == b"\x1b" and at + 2 == len(data)):
            return self._hold(data, at)
        if second == b"\x1b":
            events.append(_key("esc"))
            return at + 1
        if second in b"PX]^_":
            if at + 2 == len(data):
                return self._hold(data, at)
            self._within = "string"
            return at + 2
        return self._alt(data, at, events)

    def _alt(self, data: bytes, at: int, events: list[Event | Report]) -> int:
        byte = data[at + 1]
        if byte < 0x80:
            events.extend(_press(_CONTROLS[byte], _ALT) if byte in _CONTROLS else _alt_char(chr(byte)))
            return at + 2
        # No key name joins alt with a character beyond ASCII, so it is only measured. The shortest slice that decodes
        # to anything holds the character, and behind a truncated one a single byte more.
        for length in range(1, 5):
            text, used = utf_8_decode(data[at + 1 : at + 1 + length], "replace", False)
            if text:
                return at + 1 + used - (len(text) - 1)
        return self._hold(data, at)

    def _paste(self, data: bytes, at: int, events: list[Event | Report]) -> int:
        end = data.find(_PASTE_END, at)
        if end >= 0:
            self._pasted += data[at:end]
            events.append(Paste(self._pasted.decode("utf-8", "replace")))
            self._pasted = bytearray()
            self._within = "ground"
            return end + len(_PASTE_END)
        mark = data.rfind(b"\x1b", max(at, len(data) - len(_PASTE_END) + 1))
        if mark < 0 or not _PASTE_END.startswith(data[mark:]):
            mark = len(data)
        self._pasted += data[at:mark]
        self._held = data[mark:]
        return len(data)

    def _skip_string(self, data: bytes, at: int) -> int:
        found = _STRING_END.search(data, at)
        if not found:
            return len(data)
        if found.group() != b"\x1b":
            self._within = "ground"
            return found.end()
        after = data[found.end() : found.end() + 1]
        if not after:
            self._held = b"\x1b"
            return len(data)
        self._within = "ground"
        return found.end() + 1 if after == b"\\" else found.start()

    def _skip_overlong(self, data: bytes, at: int) -> int:
        found = _NO_PARAMETER.search(data, at)
        if not found:
            return len(data)
        self._within = "ground"
        return found.end() if b"@" <= found.group() <= b"~" else found.start()

    def _hold(self, data: bytes, at: int) -> int:
        if len(data) - at < _LONGEST:
            self._held = data[at:]
        else:
            self._within = "overlong"
        return len(data)


@functools.lru_cache(maxsize=2048)
def _key(name: str) -> Key:
    return Key(name)


def _is_text(code: int) -> bool:
    return 0x20 <= code < 0x7F or 0x9F < code < 0xD800 or 0xDFFF < code <= 0x10FFFF


def _press(name: str, bits: int) -> tuple[Event, ...]:
    """The press of a key by name or character with these modifiers, or nothing where `Key` names no such press."""
    name = "space" if name == " " else name
    try:
        return (_key("+".join([*(modifier for modifier, mask in _HELD_DOWN if bits & mask), name])),)
    except UnknownKey:
        return ()


def _alt_char(char: str) -> tuple[Event, ...]:
    return _press(char, _ALT | _SHIFT if char.isupper() else _ALT)


def _opener(unfinished: bytes) -> list[Event]:
    """The key of an opener that opened nothing; of a longer sequence, nothing."""
    if not _OPENER.fullmatch(unfinished):
        return []
    return [*[_key("esc")] * (len(unfinished) - 2), *_alt_char(chr(unfinished[-1]))]


@functools.lru_cache(maxsize=512)
def _sequence(sequence: bytes) -> tuple[Event | Report, ...]:
    """The events of one complete CSI, SS3 or SS2 sequence, with one ESC before it or two."""
    if report := _mouse(sequence):
        return (*([_key("esc")] if sequence.startswith(b"\x1b\x1b") else []), report)
    opener, body, final = sequence.lstrip(b"\x1b")[:1], sequence.lstrip(b"\x1b")[1:-1], chr(sequence[-1])
    alt = _ALT if sequence.startswith(b"\x1b\x1b") else 0
    if opener == b"N":
        return ()
    if body == b"[":
        return _press(f"f{ord(final) - 64}", alt) if final in "ABCDE" else ()
    if not _NUMBERS.fullmatch(body):
        return (_key("esc"),) if alt else ()
    parameters = [[int(part or 0) for part in group.split(b":")] for group in body.split(b";")]
    if opener == b"O":
        return _ss3(parameters, final, alt)
    events = _csi(parameters, final, alt)
    if events is not None:
        return events
    return (*([_key("esc")] if alt else []), *_report(parameters, final))


def _ss3(parameters: list[list[int]], final: str, alt: int) -> tuple[Event, ...]:
    if final in "abcd":
        return _press(_BY_LETTER[final.upper()], alt | _CTRL)
    name = _BY_LETTER.get(final) or _KEYPAD_BY_LETTER.get(final)
    bits = alt | _bits(parameters[-1][0])
    return () if name is None else _char(name, bits) if len(name) == 1 else _press(name, bits)


def _csi(parameters: list[list[int]], final: str, alt: int) -> tuple[Event, ...] | None:
    """The events of a CSI that is a key; None for one that is none, such as an answer to a query."""
    if final == "u":
        return _kitty(parameters, alt)
    if final == "R" and not _is_f3(parameters):
        return None
    first, held = parameters[0][0], parameters[1] if len(parameters) > 1 else []
    if final in _RXVT_FINALS:
        name, bits = _BY_NUMBER.get(first), _RXVT_FINALS[final]
    elif final == "Z" or (final in "abcd" and parameters == [[0]]):
        name, bits = "tab" if final == "Z" else _BY_LETTER[final.upper()], _SHIFT
    elif final in _BY_LETTER:
        name, bits = _BY_LETTER[final], 0
        held = parameters[-1] if len(parameters) == 1 else held
    else:
        return None
    if held[1:2] == [_RELEASE]:
        return ()
    bits |= alt | _bits(held[0] if held else 0)
    if final == "~" and first == 27 and len(parameters) == 3:
        return _coded([parameters[2][0]], bits)
    return () if name is None else _press(name, bits)


def _is_f3(parameters: list[list[int]]) -> bool:
    """Whether `CSI ... R` is F3: `CSI 1;2R` is also where a cursor may be, but nobody asks for that."""
    if parameters == [[0]]:
        return True
    return len(parameters) == 2 and parameters[0] == [1] and (len(parameters[1]) > 1 or 2 <= parameters[1][0] <= 8)


def _kitty(parameters: list[list[int]], alt: int) -> tuple[Event, ...]:
    """`CSI code:shifted:base ; modifiers:event ; text u`."""
    codes = parameters[0]
    held = parameters[1] if len(parameters) > 1 else [0]
    text = parameters[2] if len(parameters) > 2 else []
    if held[1:2] == [_RELEASE]:
        return ()
    bits = alt | _bits(held[0])
    if text and not bits & ~_SHIFT and all(map(_is_text, text)):
        return tuple(_key(chr(code)) for code in text)
    return _coded(codes, bits)


def _coded(codes: list[int], bits: int) -> tuple[Event, ...]:
    """The press of a key by code point: its own, the shifted one and that of the standard layout, where they came."""
    code, shifted, base = (*codes, 0, 0, 0)[:3]
    if code in _BY_CODE:
        name = _BY_CODE[code]
        return _char(name, bits) if len(name) == 1 else _press(name, bits)
    # Kitty's remaining functional keys (locks, media, the modifiers themselves) have private code points.
    if not _is_text(code) or 0xE000 <= code <= 0xF8FF:
        return ()
    return _char(chr(code), bits, chr(shifted) if _is_text(shifted) else "", chr(base) if 0x20 <= base < 0x7F else "")


def _char(char: str, bits: int, shifted: str = "", base: str = "") -> tuple[Event, ...]:
    """The press of a character key; with no modifier but shift, the character that it types."""
    others = bits & ~_SHIFT
    if others and not char.isascii() and base:
        char, shifted = base, ""
    if bits & _SHIFT:
        upper = char.upper()
        char = shifted or (upper if len(upper) == 1 else char)
    if not others:
        return (_key(char),)
    if bits & _SHIFT and char == "-":
        # Most layouts have `_` here, and a terminal that sends no shifted code shall know ctrl+_ as the others do.
        char = "_"
    return _press(char, others if char in _SHIFTED_SYMBOLS else bits)


def _bits(parameter: int) -> int:
    """The modifier bits of a parameter, without caps lock and num lock."""
    return max(parameter - 1, 0) & (_SHIFT | _ALT | _CTRL | _SUPER | _HYPER | _META)


def _mouse(sequence: bytes) -> Mouse | None:
    """The mouse's report that ends the sequence, if one does."""
    if sgr := _SGR_MOUSE.search(sequence):
        button, column, row = (int(number) for number in sgr.groups()[:3])
        return Mouse(button, max(column - 1, 0), max(row - 1, 0), sgr[4] == b"M")
    if x10 := _X10_MOUSE.search(sequence):
        button, column, row = (max(ord(byte) - 32, 0) for byte in x10.groups())
        # There a release does not tell which button it was, so it says 3.
        return Mouse(button, max(column - 1, 0), max(row - 1, 0), button & 3 != 3 or button >= 64)
    return None


def _report(parameters: list[list[int]], final: str) -> tuple[Event | Report, ...]:
    """What a report says: the size (`CSI 48;rows;columns;... t`), or that the focus is here (`CSI I`); else nothing."""
    if final == "I" and parameters == [[0]]:
        return (FocusGained(),)
    if final == "t" and len(parameters) >= 3 and parameters[0] == [48]:
        height, width = parameters[1][0], parameters[2][0]
        if 0 < height < 65536 and 0 < width < 65536:
            return (Resized(width, height),)
    return ()
