"""The terminal renderer: what it writes, seen by a screen emulator, a silent terminal and a real tmux."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ask_render_blessed
from ask_core.frame import Cursor, Frame, Line, Role, Span
from ask_core.text.graphemes import clip, width
from ask_render_blessed.capabilities import Capabilities
from ask_render_blessed.painter import Controls, Painter, Style
from ask_render_blessed.theme import TRUECOLOR, colour_depth, styles_for

ROOT = Path(__file__).parent.parent
SYNC = "\x1b[?2026h\x1b[?2026l"


def looks(environ: Mapping[str, str]) -> tuple[Mapping[Role, Style], Controls]:
    with Path(os.devnull).open("w") as stream:
        capabilities = Capabilities(fd=stream.fileno(), kind=environ["TERM"], colours=colour_depth(environ))
        styles = styles_for(environ, capabilities.colours)
        return {role: capabilities.style(names) for role, names in styles.items()}, capabilities.controls()


RICH = looks({"TERM": "xterm-256color", "COLORTERM": "truecolor"})
MONO = looks({"TERM": "xterm-256color", "NO_COLOR": "1"})


def painter(*, fullscreen: bool = False, reflows: bool = True) -> Painter:
    return Painter(*RICH, fullscreen=fullscreen, reflows=reflows)


def line(text: str, role: Role = Role.TEXT) -> Line:
    return (Span(text, role),)


def frame(*texts: str, columns: int = 20, rows: int = 6, cursor: Cursor | None = None) -> Frame:
    return Frame(columns, rows, tuple(map(line, texts)), cursor)


class Emulator:
    """A screen that shows what a terminal would show."""

    def __init__(self, columns: int, rows: int) -> None:
        self.screen: Any = pyte.Screen(columns, rows)
        self._stream: Any = pyte.Stream(self.screen)

    def feed(self, text: str) -> None:
        self._stream.feed(text)

    def rows(self) -> list[str]:
        return [row.rstrip() for row in self.screen.display]

    def cells(self) -> list[tuple[object, ...]]:
        """Every cell with the looks that show: a blank has no colour of its own."""
        found: list[tuple[object, ...]] = []
        for row in range(self.screen.lines):
            for column in range(self.screen.columns):
                cell = self.screen.buffer[row][column]
                seen = (cell.fg, cell.bold) if cell.data != " " or cell.reverse else ()
                found.append((cell.data, cell.reverse, cell.underscore, cell.bg, *seen))
        return found


COLUMNS, ROWS = 14, 6


@st.composite
def frames(draw: st.DrawFn) -> Frame:
    """A frame of 14 columns and at most 6 rows, full rows and wide characters among them."""
    lines: list[Line] = []
    for _ in range(draw(st.integers(0, ROWS))):
        spans: list[Span] = []
        left = COLUMNS
        for _ in range(draw(st.integers(0, 4))):
            text = clip(draw(st.text("aab  x-日本é›", max_size=9)), left)
            spans.append(Span(text, draw(st.sampled_from(Role))))
            left -= width(text)
        lines.append(tuple(spans))
    row = st.integers(0, max(0, len(lines) - 1))
    cursor = draw(st.none() | st.builds(Cursor, st.integers(0, COLUMNS - 1), row))
    return Frame(COLUMNS, ROWS, tuple(lines), cursor)


@settings(max_examples=150)
@given(st.lists(frames(), min_size=1, max_size=6), st.integers(0, 9))
def test_any_frame_over_any_other_shows_exactly_its_text(sequence: list[Frame], lines_above: int) -> None:
    """Whatever was painted before, the area shows the frame, and what stands above only ever scrolls up."""
    emulator, paint = Emulator(COLUMNS, ROWS), painter().paint
    above = [f"above {number}" for number in range(lines_above)]
    emulator.feed("".join(f"{text}\r\n" for text in above))
    top = min(lines_above, ROWS - 1)
    for shown in sequence:
        emulator.feed(paint(shown))
        top = min(top, ROWS - max(1, len(shown.lines)))
        expected = [*(above[-top:] if top else []), *shown.text().split("\n")]
        assert emulator.rows() == expected + [""] * (ROWS - len(expected))
        assert emulator.screen.cursor.hidden is (shown.cursor is None)
        if shown.cursor is None:
            last = max(1, len(shown.lines)) - 1
            assert (emulator.screen.cursor.x, emulator.screen.cursor.y - top) == (0, last)
        else:
            assert (emulator.screen.cursor.x, emulator.screen.cursor.y - top) == shown.cursor
        assert paint(shown) == ""


@settings(max_examples=100)
@given(st.lists(frames(), min_size=1, max_size=5), st.sampled_from([RICH, MONO]))
def test_a_frame_painted_over_another_looks_like_one_painted_afresh(
    sequence: list[Frame], table: tuple[Mapping[Role, Style], Controls]
) -> None:
    """Looks are part of what is compared: no run keeps the style of the frame before."""
    emulator, fresh = Emulator(COLUMNS, ROWS), Emulator(COLUMNS, ROWS)
    paint = Painter(*table, fullscreen=True).paint
    for shown in sequence:
        emulator.feed(paint(shown))
    fresh.feed(Painter(*table, fullscreen=True).paint(sequence[-1]))
    assert emulator.cells() == fresh.cells()


def test_blanks_show_looks_that_fill_and_no_others() -> None:
    """A reversed tab keeps its blanks, the blank after it is plain, and a row's plain end is not written."""
    emulator = Emulator(20, 3)
    subject = Painter(*MONO)
    text = subject.paint(Frame(20, 3, ((Span(" a ", Role.TAB_ACTIVE), Span(" b ", Role.HINT), Span("  ", Role.TEXT)),)))
    emulator.feed(text)
    assert [emulator.screen.buffer[0][column].reverse for column in range(6)] == [True] * 3 + [False] * 3
    assert "b \x1b" not in text


def options(focus: int, typed: str = "") -> Frame:
    """A question with ten options, as the layout would show it on a usual terminal."""
    lines: list[Line] = [line("Which database should the service use?", Role.PROMPT), ()]
    for number in range(10):
        here = number == focus
        lines.append(
            (
                Span("› " if here else "  ", Role.POINTER),
                Span(f"{number + 1:2}. ", Role.NUMBER),
                Span("( ) ", Role.MARK),
                Span(f"Option number {number + 1}", Role.OPTION_FOCUSED if here else Role.OPTION),
            )
        )
    lines += [(), (Span("> ", Role.POINTER), Span(typed, Role.EDITOR)), ()]
    lines.append(
        (Span("↑↓", Role.KEY), Span(" move  ", Role.HINT), Span("enter", Role.KEY), Span(" choose", Role.HINT))
    )
    cursor = Cursor(2 + width(typed), 13) if typed else None
    return Frame(80, 24, tuple(lines), cursor)


def test_a_step_of_the_focus_takes_at_most_150_bytes() -> None:
    """Moving the focus rewrites the pointers and the labels, and nothing between or around them."""
    paint = painter().paint
    paint(options(0))
    assert max(len(paint(options(focus)).encode()) for focus in [*range(1, 10), *range(8, -1, -1)]) <= 150


@pytest.mark.parametrize("letters", ["hello world", "日本語"])
def test_a_typed_character_takes_at_most_60_bytes(letters: str) -> None:
    """A character at the end of a text costs itself and the marks around every frame."""
    paint = painter().paint
    paint(options(0, "x"))
    for count in range(1, len(letters) + 1):
        assert len(paint(options(0, "x" + letters[:count])).encode()) <= 60


def test_a_frame_is_one_update_between_synchronisation_marks() -> None:
    """Every draw that writes opens and closes one synchronised update (T4)."""
    paint = painter().paint
    for shown in (frame("one", "two"), frame("one", "2", cursor=Cursor(0, 0)), frame("one")):
        text = paint(shown)
        assert text.startswith(SYNC[:8])
        assert text.endswith(SYNC[8:])
        assert text.count("\x1b[?2026") == 2


def test_the_cursor_is_shown_and_hidden_only_when_that_changes() -> None:
    """Neither sequence is repeated, and showing it does not touch its blinking."""
    paint = painter().paint
    written = [
        paint(frame("a")),
        paint(frame("b")),
        paint(frame("b", cursor=Cursor(0, 0))),
        paint(frame("b", cursor=Cursor(1, 0))),
        paint(frame("b")),
    ]
    assert [re.findall(r"\x1b\[\?25.", text) for text in written] == [
        ["\x1b[?25l"],
        [],
        ["\x1b[?25h"],
        [],
        ["\x1b[?25l"],
    ]
    assert "\x1b[?12" not in "".join(written)


def test_text_of_uncertain_width_is_written_whole_and_cannot_wrap() -> None:
    """A row with a grapheme of several code points is never patched by column, and wrapping is off meanwhile."""
    paint = painter().paint
    paint(frame("👩‍👩‍👧 family"))
    text = paint(frame("👩‍👩‍👧 families"))
    assert "\x1b[?7l👩‍👩‍👧 families\x1b[?7h" in text
    assert text.index("\x1b[K") < text.index("👩")


def test_a_full_row_is_left_without_trusting_the_right_edge() -> None:
    """After a row as wide as the terminal the next movement begins with a carriage return."""
    emulator, paint = Emulator(5, 4), painter().paint
    emulator.feed(paint(frame("aaaaa", "b", columns=5, rows=4)))
    emulator.feed(paint(frame("aaaac", "b", columns=5, rows=4, cursor=Cursor(4, 0))))
    emulator.feed(paint(frame("aaaac", "d", columns=5, rows=4, cursor=Cursor(2, 1))))
    assert emulator.rows() == ["aaaac", "d", "", ""]
    assert (emulator.screen.cursor.x, emulator.screen.cursor.y) == (2, 1)


def test_finish_leaves_the_transcript_in_place_of_the_area() -> None:
    """The area goes, the lines stand where it began, and the cursor is shown on the line after."""
    emulator, subject = Emulator(20, 8), painter()
    emulator.feed("above\r\n")
    emulator.feed(subject.paint(frame("one", "two", "three", rows=8)))
    emulator.feed(subject.finish([line("Goal: Speed", Role.ANSWER), line("x" * 20)]))
    assert emulator.rows() == ["above", "Goal: Speed", "x" * 20, "", "", "", "", ""]
    assert (emulator.screen.cursor.x, emulator.screen.cursor.y) == (0, 3)
    assert emulator.screen.cursor.hidden is False


def test_finish_in_full_screen_is_text_for_the_screen_that_comes_back() -> None:
    """Nothing is moved or erased there: the lines only follow what the shell had written."""
    subject = painter(fullscreen=True)
    subject.paint(frame("one", "two"))
    text = subject.finish([line("Goal: Speed")])
    assert text.replace("\x1b[?25h", "") == "\rGoal: Speed\r\n"


def test_after_forget_the_frame_starts_on_the_line_of_the_cursor() -> None:
    """What something else wrote meanwhile stays, and so does the part of the old area above it."""
    emulator, subject = Emulator(20, 8), painter()
    emulator.feed(subject.paint(frame("one", "two", rows=8)))
    emulator.feed("\r\nStopped\r\n")
    subject.forget()
    emulator.feed(subject.paint(frame("one", "two", rows=8)))
    assert emulator.rows()[:5] == ["one", "two", "Stopped", "one", "two"]


@given(st.lists(st.integers(4, 30), min_size=1, max_size=4), st.integers(0, 3))
def test_a_terminal_that_cuts_its_lines_is_painted_anew_in_place(widths: list[int], above: int) -> None:
    """Without rewrapping the area stays where it is at any width, and the lines above it are not touched."""
    emulator, subject = Emulator(20, 8), painter(reflows=False)
    emulator.feed("".join(f"k{number}\r\n" for number in range(above)))
    for columns in (20, *widths):
        emulator.screen.resize(8, columns)
        subject.resized(columns, 8)
        shown = frame("f" * columns, "second"[:columns], "x" * (columns - 1), columns=columns, rows=8)
        emulator.feed(subject.paint(shown))
        assert emulator.rows()[: above + 3] == [f"k{number}" for number in range(above)] + shown.text().split("\n")


def test_a_resize_to_the_same_size_is_painted_anew() -> None:
    """The terminal may have been smaller in between, so nothing on it is trusted."""
    subject = painter()
    subject.paint(frame("one", "two"))
    subject.resized(20, 6)
    assert "one" in subject.paint(frame("one", "two"))
    assert subject.paint(frame("one", "two")) == ""


@pytest.mark.parametrize(
    ("columns", "height", "up"),
    [
        (20, 9, 2),  # as painted
        (10, 9, 4),  # two rows of 20 columns became two each
        (7, 9, 6),  # and three each
        (10, 3, 4),  # two of them are out of sight
    ],
)
def test_rows_that_were_wrapped_anew_are_counted(columns: int, height: int, up: int) -> None:
    """A narrower terminal has made several rows of a long one; the area's beginning is that much further up."""
    subject = painter()
    subject.paint(frame("a" * 20, "b" * 20, "c", rows=9))
    subject.resized(columns, height)
    text = subject.paint(frame("a", columns=columns, rows=height))
    assert text.startswith(f"\x1b[?2026h\r\x1b[{up}A\x1b[J")


@pytest.mark.parametrize(("length", "column", "up"), [(20, 9, 0), (20, 10, 1), (10, 10, 0), (20, 19, 1), (20, 20, 1)])
def test_the_part_of_the_cursors_own_row_before_it_is_counted(length: int, column: int, up: int) -> None:
    """The cursor goes with the character it is on; behind the last one it stays on that one's row."""
    subject = painter()
    subject.paint(frame("a" * length, "b", columns=30, cursor=Cursor(column, 0)))
    text = subject.paint(frame("a", columns=10))
    assert text.startswith("\x1b[?2026h\r" + (f"\x1b[{up}A" if up else "") + "\x1b[J")


def test_rows_pushed_out_of_a_small_terminal_are_cleared_when_they_come_back() -> None:
    """A terminal that grows brings rows back; those of the old area are painted over, and no others."""
    subject = painter()
    subject.paint(frame(*"abcdefgh", rows=10))
    assert "\x1b[7A" in subject.paint(frame(*"abc", rows=3))
    assert "\x1b[7A" in subject.paint(frame(*"abcdefgh", rows=10))
    assert "\x1b[7A" in subject.paint(frame(*"abcdefgh", rows=12))


ENVIRONS = [
    {"TERM": "xterm-256color"},
    {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
    {"TERM": "xterm"},
    {"TERM": "linux"},
    {"TERM": "vt100"},
    {"TERM": "xterm-256color", "NO_COLOR": "1"},
    {"TERM": "no-such-terminal"},
]


@pytest.mark.parametrize("ground", ["dark", "light"])
@pytest.mark.parametrize("environ", ENVIRONS)
def test_every_role_has_looks_in_every_theme(environ: dict[str, str], ground: str) -> None:
    """No role is forgotten, looks are switched off again, and the focus stands out of the other options."""
    styles, _ = looks({**environ, "ASK_THEME": ground})
    assert set(styles) == set(Role)
    assert all(bool(style.on) == bool(style.off) for style in styles.values())
    assert styles[Role.OPTION_FOCUSED] != styles[Role.OPTION]
    assert styles[Role.WARNING] != styles[Role.TEXT]


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({"TERM": "xterm"}, 16),
        ({"TERM": "xterm-256color"}, 256),
        ({"TERM": "tmux-256color", "COLORTERM": "truecolor"}, TRUECOLOR),
        ({"TERM": "xterm-kitty"}, TRUECOLOR),
        ({"TERM": "xterm-direct"}, TRUECOLOR),
        ({"TERM": "xterm", "COLORTERM": "24bit", "NO_COLOR": "1"}, 0),
        ({"TERM": "xterm", "NO_COLOR": ""}, 16),
        ({"TERM": "vt220"}, 0),
        ({"TERM": "vte-256color"}, 256),
        ({}, 16),
    ],
)
def test_the_colour_depth_is_read_from_the_environment(environ: dict[str, str], depth: int) -> None:
    """NO_COLOR wins, then COLORTERM, then what the terminal's name tells."""
    assert colour_depth(environ) == depth


@pytest.mark.parametrize(
    ("environ", "light"),
    [
        ({}, False),
        ({"COLORFGBG": "15;0"}, False),
        ({"COLORFGBG": "0;15"}, True),
        ({"COLORFGBG": "0;default;7"}, True),
        ({"COLORFGBG": "0;8"}, False),
        ({"COLORFGBG": "default;default"}, False),
        ({"COLORFGBG": "0;15", "ASK_THEME": "dark"}, False),
        ({"ASK_THEME": "light"}, True),
        ({"COLORFGBG": "0;15", "ASK_THEME": "sepia"}, True),
    ],
)
def test_the_theme_follows_the_ground(environ: dict[str, str], light: bool) -> None:
    """ASK_THEME decides, else the ground the terminal tells of, else dark."""
    assert styles_for(environ, 256) == styles_for({"ASK_THEME": "light" if light else "dark"}, 256)
    assert styles_for({"ASK_THEME": "light"}, 256) != styles_for({"ASK_THEME": "dark"}, 256)


@pytest.mark.parametrize("kind", ["xterm", "xterm-256color", "screen"])
def test_without_many_colours_only_the_eight_named_ones_are_used(kind: str) -> None:
    """At 16 colours every parameter is an attribute or one of the colours any theme of a terminal defines."""
    styles, _ = looks({"TERM": kind} if kind != "xterm-256color" else {"TERM": "xterm"})
    parameters = {part for style in styles.values() for part in re.findall(r"\d+", style.on)}
    assert parameters <= {"1", "2", "4", "7", *map(str, range(31, 37))}
    assert parameters & set(map(str, range(31, 37)))


def test_no_color_drops_colour_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Movement, bold, dim and reverse stay (T5), also where blessed itself sees the variable."""
    monkeypatch.setenv("NO_COLOR", "1")
    subject = Painter(*looks({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}))
    lines = tuple(line(f"{role}", role) for role in Role)
    text = subject.paint(Frame(80, 40, lines)) + subject.paint(Frame(80, 40, (line("x"), *lines[1:])))
    codes = {part for group in re.findall(r"\x1b\[([\d;]*)m", text) for part in group.split(";")}
    assert codes == {"", "1", "2", "4", "7"}
    assert re.search(r"\x1b\[\d+A", text)


@pytest.mark.parametrize(
    ("environ", "reflows"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "xterm", "XTERM_VERSION": "XTerm(379)"}, False),
        ({"TERM": "screen", "XTERM_VERSION": "XTerm(379)", "TMUX": "/tmp/tmux"}, True),
        ({"TERM": "screen", "STY": "1.pts-0"}, False),
        ({"TERM": "linux"}, False),
    ],
)
def test_the_renderer_knows_which_terminals_wrap_anew(
    environ: dict[str, str], reflows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a narrower terminal the next draw begins further up only where lines were wrapped anew."""
    monkeypatch.setattr(
        ask_render_blessed, "layout", lambda screen, width, height: frame("a" * 10, "b", columns=width, rows=height)
    )
    with Path(os.devnull).open("w") as stream:
        subject = ask_render_blessed.renderer(fd=stream.fileno(), environ=environ, fullscreen=False)
    screen: Any = None
    assert "aaaaaaaaaa\r\nb" in subject.draw(screen, 10, 5)
    assert subject.draw(screen, 10, 5) == ""
    subject.resized(5, 5)
    assert ("\x1b[2A" if reflows else "\x1b[1A") in subject.draw(screen, 5, 5)
    subject.forget()
    assert "\r\x1b[J" in subject.draw(screen, 5, 5)
    assert subject.finish([line("end")]).endswith("end\r\n\x1b[?25h")


def run_on_silent_terminal(code: str, environ: Mapping[str, str]) -> bytes:
    """What a program writes to a terminal that never answers."""
    master, slave = pty.openpty()
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=slave, stdout=slave, stderr=slave, cwd=ROOT, env=environ
    )
    os.close(slave)
    written = b""
    while time.monotonic() - began < 30:
        if not select.select([master], [], [], 0.05)[0]:
            if process.poll() is not None:
                break
            continue
        try:
            written += os.read(master, 4096)
        except OSError:  # the other side is closed
            break
    process.wait(5)
    os.close(master)
    return written


@pytest.mark.parametrize("no_color", [{}, {"NO_COLOR": "1"}])
def test_a_terminal_that_never_answers_is_not_asked(no_color: dict[str, str]) -> None:
    """Making a renderer writes no byte and waits for none (T1)."""
    code = (
        "import os, time; from ask_render_blessed import renderer; import blessed; began = time.monotonic()\n"
        "renderer(fd=1, environ=os.environ, fullscreen=False)\n"
        "print(time.monotonic() - began < 2)"
    )
    hidden = {"TERM_PROGRAM", "BLESSED_QUERY_TIMEOUT_SECONDS", "NO_COLOR"}
    environ = {name: value for name, value in os.environ.items() if name not in hidden}
    written = run_on_silent_terminal(code, {**environ, "TERM": "xterm", **no_color})
    assert written == b"True\r\n"


def test_importing_the_renderer_does_not_import_blessed() -> None:
    """Only making a renderer pays for blessed."""
    code = "import sys, ask_render_blessed; sys.exit('blessed' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


PROGRAM = """
import os, select, signal, sys, tty
from ask_core.frame import Frame, Role, Span
import ask_render_blessed
def screen(columns, rows):
    texts = ["a" * columns, "b" * (columns - 1), "c" * (columns // 2), "日本" + "d" * (columns - 4), "end"]
    return Frame(columns, rows, tuple((Span(text, Role.OPTION_FOCUSED),) for text in texts[:rows]))
ask_render_blessed.layout = lambda make, columns, rows: make(columns, rows)
subject = ask_render_blessed.renderer(fd=1, environ=os.environ, fullscreen=False)
out, woken = os.pipe()
os.set_blocking(woken, False)
signal.set_wakeup_fd(woken)
signal.signal(signal.SIGWINCH, lambda *_: None)
print("\\n".join(f"keep {number}" for number in range(9)), flush=True)
tty.setraw(0)
while True:
    columns, rows = os.get_terminal_size(1)
    os.write(1, subject.draw(screen, columns, rows).encode())
    ready, _, _ = select.select([0, out], [], [])
    if 0 in ready:
        os.read(0, 1)
        break
    os.read(out, 99)
    subject.resized(*os.get_terminal_size(1))
os.write(1, subject.finish([(Span("done", Role.ANSWER),)]).encode())
os.read(0, 1)  # the terminal stays to be looked at
"""


class Tmux:
    """A tmux server of its own with one window, where PROGRAM runs."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "tmux"
        (folder / "program.py").write_text(PROGRAM)
        command = f"env PYTHONPATH={ROOT} {sys.executable} {folder / 'program.py'}"
        self.run("new-session", "-d", "-s", "main", "-x", "40", "-y", "20", command)

    def run(self, *words: str) -> str:
        command = ["tmux", "-S", str(self._socket), "-f", os.devnull, *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def resize(self, columns: int, rows: int) -> None:
        self.run("resize-window", "-t", "main", "-x", str(columns), "-y", str(rows))

    def text(self, *options: str) -> list[str]:
        return self.run("capture-pane", "-p", "-t", "main", *options).rstrip("\n").split("\n")

    def wait_for(self, expected: Sequence[str]) -> list[str]:
        """The screen, as soon as it ends in these rows or after some seconds."""
        until = time.monotonic() + 10
        while (shown := self.text())[-len(expected) :] != list(expected) and time.monotonic() < until:
            time.sleep(0.02)
        return shown


@pytest.fixture
def tmux() -> Iterator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    # Not tmp_path: a socket's path has little room.
    with tempfile.TemporaryDirectory(prefix="ask") as folder:
        server = Tmux(Path(folder))
        yield server
        # The program may have ended meanwhile, and the server with it.
        with contextlib.suppress(subprocess.CalledProcessError):
            server.run("kill-server")


def test_resizing_a_real_terminal_leaves_no_garbage_and_takes_no_line(tmux: Tmux) -> None:
    """Narrower, wider, lower and higher: the screen is the lines above and the frame, at the end the transcript."""
    keep = [f"keep {number}" for number in range(9)]
    for columns, rows in [(40, 20), (23, 20), (40, 20), (39, 20), (60, 12), (24, 4), (40, 20), (30, 20), (80, 24)]:
        tmux.resize(columns, rows)
        texts = ["a" * columns, "b" * (columns - 1), "c" * (columns // 2), "日本" + "d" * (columns - 4), "end"][:rows]
        shown = tmux.wait_for(texts)
        assert shown[-len(texts) :] == texts
        assert all(text in keep for text in shown[: -len(texts)])
        assert [text for text in tmux.text("-S", "-") if text.startswith("keep")] == keep
    tmux.run("send-keys", "-t", "main", "q")
    shown = tmux.wait_for(["done"])
    assert shown[-1] == "done"
    assert all(text in keep for text in shown[:-1])
