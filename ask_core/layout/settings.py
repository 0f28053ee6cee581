"""The settings in so many columns and rows."""

from __future__ import annotations

from ask_core.frame import Area, Line, Role, Span, Target
from ask_core.layout.block import BLANK, EMPTY, Block, aim, beside, cut, fit, page, prose, stack
from ask_core.layout.list import list_block
from ask_core.layout.question import WIDE
from ask_core.screen import Manual, SettingRow, SettingsBody
from ask_core.text.graphemes import width

_MARKS = {True: "■ ", False: "□ "}
_CHOICE = "◇ "
_NOTHING = "  "
_LIST_COLUMNS = 46
_KEY_COLUMNS = 24
# Below this, what a key does stands under it.
_TWO_COLUMNS = 28
_INDENT = 2
# Lines of the list that the texts under it leave in any case, and of the manual below which it is not begun.
_LEAST_ROWS = 3
_LEAST_MANUAL = 4


def settings_block(body: SettingsBody, columns: int, height: int, *, roomy: bool, key: str) -> Block:
    """The list with what its highlighted line means; beside it, or under it where it is narrow, the manual."""
    gap = Block((BLANK,) * roomy)
    if columns >= WIDE - 2:
        right = columns - _LIST_COLUMNS - 3
        left = _list(body, _LIST_COLUMNS, height, gap)
        filled = left._replace(lines=(*left.lines, *[BLANK] * (height - len(left.lines))))
        text = _manual_lines(body, right, roomy=roomy)
        manual = aim(page(text, height, body.offset, Area.MANUAL, key), right, Target.MANUAL)
        return beside(filled, manual, _LIST_COLUMNS, Span(" │ ", Role.RULE))
    above = _list(body, columns, height, gap)
    rest = height - len(above.lines) - len(gap.lines)
    if rest < _LEAST_MANUAL:
        # Where there is no room for both, a line says what else there is.
        what = "faults, file, keys" if body.faulty else "file, keys"
        door = fit((Span(f"… {what} ({key})" if key else f"… {what}", Role.MORE),), columns)
        text = [door, *_manual_lines(body, columns, roomy=False)]
        if body.offset:
            return _reading(body, text, columns, height, EMPTY, key)
        extents = page(text, 1, 0, Area.MANUAL, key).extents
        opening = aim(Block((door,), extents=extents), columns, Target.MANUAL)
        return stack((_list(body, columns, height - 1, EMPTY), opening))
    text = _manual_lines(body, columns, roomy=roomy)
    if body.offset and len(text) > rest:
        return _reading(body, text, columns, height, gap, key)
    return stack((above, gap, aim(page(text, rest, body.offset, Area.MANUAL, key), columns, Target.MANUAL)))


def _reading(body: SettingsBody, text: list[Line], columns: int, height: int, gap: Block, key: str) -> Block:
    """What the person reads of the manual, in the place of the list; the highlighted line stays."""
    here = cut(_row(body.rows[body.highlighted], columns), max(1, height // 4), _INDENT + 2)
    row = aim(Block(tuple(here)), columns, Target.SETTING, body.highlighted)
    room = height - len(here) - len(gap.lines)
    return stack((row, gap, aim(page(text, room, body.offset, Area.MANUAL, key), columns, Target.MANUAL)))


def _list(body: SettingsBody, columns: int, height: int, gap: Block) -> Block:
    """The rows, and under them what the highlighted one means, in as many lines as the longest meaning takes."""
    meanings = [prose(row.help, columns, Role.DESCRIPTION, lead=_set_in()) for row in body.rows]
    longest = max(map(len, meanings))
    room = max(0, height - len(gap.lines) - min(height, _LEAST_ROWS))
    room = min(room, max(1, height // 3))
    shown = cut(meanings[body.highlighted], min(longest, room), _INDENT)
    meaning = Block((*shown, *[BLANK] * (min(longest, room) - len(shown))))
    under = stack((gap, meaning)) if meaning.lines else EMPTY

    def row(index: int, lines: int) -> Block:
        return Block(tuple(cut(_row(body.rows[index], columns), lines, _INDENT + 2)))

    rows = list_block(
        row, len(body.rows), body.highlighted, columns, height - len(under.lines), Target.SETTING, fill=False
    )
    return stack((rows, under))


def _row(row: SettingRow, columns: int) -> list[Line]:
    role = Role.OPTION_FOCUSED if row.highlighted else Role.OPTION
    pointer = Span("› " if row.highlighted else "  ", Role.POINTER)
    match row.value:
        case bool() as on:
            mark = Span(_MARKS[on], Role.MARK_CHOSEN if on else Role.MARK)
            return prose(row.label, columns, role, lead=(pointer, mark))
        case None:
            return prose(row.label, columns, role, lead=(pointer, Span(_NOTHING, Role.MARK)))
        case choice:
            return prose(f"{row.label}: {choice}", columns, role, lead=(pointer, Span(_CHOICE, Role.MARK)))


def _manual_lines(body: SettingsBody, columns: int, *, roomy: bool) -> list[Line]:
    lines: list[Line] = []
    for part in body.manual:
        if lines and roomy:
            lines.append(BLANK)
        lines += _part(part, columns)
    return lines


def _part(part: Manual, columns: int) -> list[Line]:
    lines = prose(part.heading, columns, Role.TITLE)
    widest = max((width(keys) for keys, _ in part.lines), default=0)
    beside_keys = min(widest, _KEY_COLUMNS, columns // 2 - 2 * _INDENT)
    for keys, does in part.lines:
        if not keys:
            lines += prose(does, columns, Role.TEXT, lead=_set_in())
        elif columns < _TWO_COLUMNS:
            lines += prose(keys, columns, Role.KEY, lead=_set_in())
            lines += prose(does, columns, Role.DESCRIPTION, lead=_set_in(2 * _INDENT))
        elif width(keys) > beside_keys:
            lines += prose(keys, columns, Role.KEY, lead=_set_in())
            lines += prose(does, columns, Role.DESCRIPTION, lead=_set_in(beside_keys + 2 * _INDENT))
        else:
            pad = Span(" " * (beside_keys - width(keys) + _INDENT), Role.TEXT)
            lines += prose(does, columns, Role.DESCRIPTION, lead=(*_set_in(), Span(keys, Role.KEY), pad))
    return lines


def _set_in(columns: int = _INDENT) -> Line:
    return (Span(" " * columns, Role.TEXT),)
