"""Floors: programs without logic that show the frame of `ask run` and move the focus by rewriting two rows.

The one argument is a file of marshalled data: the frame, and for every option its row, what paints it and what paints
it highlighted.
"""

import marshal
import os
import sys
from importlib import import_module
from typing import Any

_Rows = list[tuple[int, str, str]]


def bare() -> None:
    """Python with as little as a program in raw mode takes."""
    import termios
    import tty

    frame, rows = _data()
    before = termios.tcgetattr(0)
    tty.setraw(0)
    try:
        os.write(1, frame.encode())
        at = 0
        while keys := os.read(0, 1024):
            for _ in range(keys.count(b"\x1b[")):
                old, at = at, _moved(at, down=keys.endswith(b"B"), count=len(rows))
                (row, plain, _), (new_row, _, focused) = rows[old], rows[at]
                text = f"\x1b[{row + 1};1H{plain}\x1b[K\x1b[{new_row + 1};1H{focused}\x1b[K"
                os.write(1, text.encode())
    finally:
        termios.tcsetattr(0, termios.TCSANOW, before)


def with_blessed() -> None:
    """The same in the way of blessed: its terminal, its reader of keys, its movements.

    It imports what ask needs beside blessed. Its questions at the start are off, as they are in ask.
    """
    import blessed

    for name in ("argparse", "attrs", "json"):
        import_module(name)

    class Quiet(blessed.Terminal):
        def detect_term_program(self, *_: object, **__: object) -> bool | str:
            return False

    frame, rows = _data()
    terminal = Quiet(force_styling=True)
    with terminal.raw(), terminal.hidden_cursor():
        sys.stdout.write(frame)
        sys.stdout.flush()
        at = 0
        while True:
            key = terminal.inkey()
            if key.name in ("KEY_UP", "KEY_DOWN"):
                old, at = at, _moved(at, down=key.name == "KEY_DOWN", count=len(rows))
                (row, plain, _), (new_row, _, focused) = rows[old], rows[at]
                sys.stdout.write(
                    f"{terminal.move_yx(row, 0)}{plain}{terminal.clear_eol}"
                    f"{terminal.move_yx(new_row, 0)}{focused}{terminal.clear_eol}"
                )
                sys.stdout.flush()


def _moved(at: int, *, down: bool, count: int) -> int:
    return max(0, min(at + (1 if down else -1), count - 1))


def _data() -> tuple[str, _Rows]:
    # By the kernel's own calls: to import Path would take longer than to read.
    file = os.open(sys.argv[1], os.O_RDONLY)
    data: Any = marshal.loads(os.read(file, os.fstat(file).st_size))
    return data["frame"], data["rows"]
