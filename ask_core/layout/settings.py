"""The settings in so many columns and rows."""

from __future__ import annotations

from ask_core.frame import Area, Line, Role, Span, Target
from ask_core.layout.block import BLANK, EMPTY, Block, aim, beside, columns_of, cut, page, prose, stack
from ask_core.layout.list import list_block
from ask_core.layout.question import WIDE
from ask_core.screen import Manual, SettingRow, SettingsBody
from ask_core.text.graphemes import width

_MARKS = {True: "■ ", False: "□ "}
_CHOICE = "◇ "
_NOTHING = "  "
_LIST_COLUMNS = 46
_KEY_COLUMNS = 24
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
        return beside(filled, _manual(body, right, height, key, roomy=roomy), _LIST_COLUMNS, Span(" │ ", Role.RULE))
    above = _list(body, columns, height, gap)
    rest = height - len(above.lines) - len(gap.lines)
    if rest >= _LEAST_MANUAL:
        return stack((above, gap, _manual(body, columns, rest, key, roomy=roomy)))
    return _in_turn(body, columns, height, key)


def _in_turn(body: SettingsBody, columns: int, height: int, key: str) -> Block:
    """Where there is no room for both: the list, or what the person reads of the manual under the highlighted line."""
    door: Line = (Span(f"… file, keys ({key})", Role.MORE),)
    text = [door, *_manual_lines(body, columns, roomy=False)]
    if not body.offset:
        manual = page(text, 1, 0, Area.MANUAL, key)._replace(lines=(door,))
        return stack((_list(body, columns, height - 1, EMPTY), manual))
    here = cut(_row(body.rows[body.highlighted], columns), max(1, height // 4), _INDENT + 2)
    lines = aim(Block(tuple(here)), columns, Target.SETTING, body.highlighted)
    return stack((lines, aim(page(text, height - len(here), body.offset, Area.MANUAL, key), columns, Target.MANUAL)))


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


def _manual(body: SettingsBody, columns: int, height: int, key: str, *, roomy: bool) -> Block:
    text = _manual_lines(body, columns, roomy=roomy)
    return aim(page(text, height, body.offset, Area.MANUAL, key), columns, Target.MANUAL)


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
    beside_keys = min(widest, _KEY_COLUMNS, columns // 2)
    for keys, does in part.lines:
        if not keys:
            lines += prose(does, columns, Role.TEXT, lead=_set_in())
            continue
        lead = (*_set_in(), Span(keys, Role.KEY), Span(" " * max(1, beside_keys - width(keys) + 2), Role.TEXT))
        if columns_of(lead) * 2 <= columns:
            lines += prose(does, columns, Role.DESCRIPTION, lead=lead)
        else:
            lines += [lead[:2], *prose(does, columns, Role.DESCRIPTION, lead=_set_in(_INDENT * 2))]
    return lines


def _set_in(columns: int = _INDENT) -> Line:
    return (Span(" " * columns, Role.TEXT),)
