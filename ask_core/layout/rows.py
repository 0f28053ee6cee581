"""The rows of a question: as many as fit around the highlighted one. The others are never asked for."""

from __future__ import annotations

from ask_core.frame import Area, Cursor, Extent, Hit, Line, Role, Span, Target
from ask_core.layout.block import BLANK, Block, columns_of, cut, hidden_rows, moved, page, prose, shift, stack
from ask_core.layout.writing import editor_box
from ask_core.questions import QuestionType
from ask_core.screen import Editor, QuestionBody, Row
from ask_core.text.graphemes import clusters

_CHOSEN = {"single": "●", "multi": "■", "preview": "●"}
_FREE = {"single": "○", "multi": "□", "preview": "○"}
_INDENT = 6
_SAVED_ROWS = 3
_EDITOR_ROWS = 8
_TWO_MARKS = 5
_SAVED = "Your own answer: "


def rows_block(body: QuestionBody, columns: int, height: int, key: str, *, fill: bool = True) -> Block:
    """The rows around the highlighted one in at most `height` lines.

    Rows grow from the highlighted one to both sides while they fit. Where some are out of sight, marks count them and
    the block is filled up (`fill`), so that its height does not change while the highlight moves.
    """
    rows = body.rows
    count = len(rows)
    first = last = body.highlighted
    # Two lines at least, where there are two: an editor and what it belongs to.
    room = max(min(2, height), height - _marks(first, last, count, height))
    block = _row_block(body, rows[first], columns, room, key)
    above: list[tuple[Line, ...]] = []
    below: list[tuple[Line, ...]] = []
    used, used_above, used_below = len(block.lines), 0, 0
    up, down = first > 0, last < count - 1
    while up or down:
        downwards = down and (not up or used_below <= used_above)
        near = last + 1 if downwards else first - 1
        lines = _row_block(body, rows[near], columns, room, key).lines
        reach = (first, near) if downwards else (near, last)
        if used + len(lines) + _marks(*reach, count, height) > height:
            up, down = (up, False) if downwards else (False, down)
            continue
        used += len(lines)
        if downwards:
            below.append(lines)
            last, used_below, down = near, used_below + len(lines), near < count - 1
        else:
            above.append(lines)
            first, used_above, up = near, used_above + len(lines), near > 0
    shown = (*reversed(above), block.lines, *below)
    lines = tuple(line for lines in shown for line in lines)
    numbers = [number for number, lines in enumerate(shown, first) for _ in lines]
    hits = (
        *moved(block.hits, 0, used_above),
        *(Hit(line, 0, columns, Target.ROW, number) for line, number in enumerate(numbers)),
    )
    cursor = block.cursor and Cursor(block.cursor.column, block.cursor.row + used_above)
    extents = block.extents
    if first > 0 or last < count - 1:
        # As many as there are in sight where both sides go on, less one, so that paging back leads back.
        page_of_rows = last - first - (first == 0) - (last == count - 1)
        extents = (Extent(Area.ROWS, first, count - 1 - last, max(1, page_of_rows)), *extents)
    whole = block._replace(lines=lines, cursor=cursor, extents=extents, hits=hits)
    marked = _marked(whole, first, count - 1 - last, height, fill=fill)
    if body.filter and fill:
        # What does not match leaves its place empty, so that the frame keeps its height while a filter is typed.
        empty = min(height, body.filter.total + 1) - len(marked.lines)
        return marked._replace(lines=(*marked.lines, *[BLANK] * empty))
    return marked


def _marks(first: int, last: int, count: int, height: int) -> int:
    """Lines that the marks take; a low block has one for both sides."""
    above, below = first > 0, last < count - 1
    return above + below if height >= _TWO_MARKS else above or below


def _marked(block: Block, above: int, below: int, height: int, *, fill: bool) -> Block:
    """The block with marks that count the rows out of sight."""
    lines, cursor, hits = list(block.lines), block.cursor, block.hits
    if not (above or below) or len(lines) >= height:
        return block
    if height < _TWO_MARKS:
        sides = [f"{arrow} {hidden:,}" for arrow, hidden in (("↑", above), ("↓", below)) if hidden]
        return block._replace(lines=(*lines, (Span(f"  {'  '.join(sides)} more", Role.MORE),)))
    if above:
        lines.insert(0, hidden_rows("↑", above, "above"))
        cursor = cursor and Cursor(cursor.column, cursor.row + 1)
        hits = tuple(moved(hits, 0, 1))
    if fill:
        lines += [BLANK] * (height - len(lines) - bool(below))
    if below:
        lines.append(hidden_rows("↓", below, "below"))
    return block._replace(lines=tuple(lines), cursor=cursor, hits=hits)


def _row_block(body: QuestionBody, row: Row, columns: int, height: int, key: str) -> Block:
    if row.own_words:
        return _own_words(body, row, columns, height, key)
    role = Role.OPTION_FOCUSED if row.highlighted else Role.OPTION
    lines = prose(row.label, columns, role, lead=_lead(row, body.type))
    if row.matched:
        lines = _with_matches(lines, row, role)
    indent = (Span(" " * _INDENT, Role.TEXT),)
    if row.description:
        lines += prose(row.description, columns, Role.DESCRIPTION, lead=indent)
    if row.note_editor:
        label = (*indent, Span("Note on this option", Role.NOTE))
        kept = cut(lines, max(1, height // 2), _INDENT)
        return _with_editor(kept, label, row.note_editor, columns, height)
    if row.note is not None:
        lines += prose(row.note, columns, Role.NOTE, lead=(*indent, Span("Note: ", Role.NOTE)))
    if not row.highlighted:
        return Block(tuple(cut(lines, height, _INDENT)))
    # The first line stays: it says which row this is.
    rest = page(lines[1:], height - 1, body.offsets.row, Area.ROW, key, _INDENT)
    return Block((lines[0] if height > 1 or len(lines) == 1 else cut(lines, 1)[0], *rest.lines), None, rest.extents)


def _with_matches(lines: list[Line], row: Row, role: Role) -> list[Line]:
    """The lines of a label with the characters that a filter has found set off, whole as a person sees them."""
    found = set(row.matched)
    marked: list[Line] = []
    position = 0
    for line in lines:
        *before, (text, last) = line
        if last is not role:
            marked.append(line)
            continue
        # Between two rows of a label there are only blanks, and only the first one begins with any.
        position = row.label.index(text, position)
        pieces: list[Span] = []
        for cluster in clusters(text):
            hit = not found.isdisjoint(range(position, position + len(cluster)))
            position += len(cluster)
            piece = Span(cluster, Role.MATCH if hit else role)
            if pieces and pieces[-1].role is piece.role:
                piece = Span(pieces.pop().text + cluster, piece.role)
            pieces.append(piece)
        marked.append((*before, *pieces))
    return marked


def _own_words(body: QuestionBody, row: Row, columns: int, height: int, key: str) -> Block:
    if body.freeform:
        if row.editor:
            return _with_editor([], (Span("Type your answer:", Role.HELP),), row.editor, columns, height, indent=0)
        lines: list[Line] = [(Span("Type your answer:", Role.HELP),)]
        if row.written:
            lines += _saved(row, columns, (Span("  ", Role.TEXT),))
        rest = page(lines[1:], height - 1, body.offsets.row, Area.ROW, key, 2)
        return Block((*lines[:1], *rest.lines), extents=rest.extents)
    if row.editor:
        label = (*_lead(row, body.type), Span("Your own answer:", Role.OPTION_FOCUSED))
        return _with_editor([], label, row.editor, columns, height)
    lead = _lead(row, body.type)
    if row.written:
        saved = _saved(row, columns, (*lead, Span(_SAVED, Role.HELP)))
        if not row.highlighted:
            return Block(tuple(cut(saved, min(height, _SAVED_ROWS), _INDENT)))
        shown = min(height, max(_SAVED_ROWS, height // 3))
        rest = page(saved[1:], shown - 1, body.offsets.row, Area.ROW, key, _INDENT)
        return Block((*saved[:1], *rest.lines), extents=rest.extents)
    role = Role.OPTION_FOCUSED if row.highlighted else Role.PLACEHOLDER
    return Block(tuple(cut(prose(row.label, columns, role, lead=lead), height, _INDENT)))


def _saved(row: Row, columns: int, lead: Line) -> list[Line]:
    """The saved own words behind `lead`, or under it where that leaves little room."""
    role = Role.OPTION_FOCUSED if row.highlighted else Role.ANSWER
    if columns_of(lead) * 2 <= columns:
        return prose(row.label, columns, role, lead=lead)
    return [lead, *prose(row.label, columns, role, lead=(Span(" " * _INDENT, Role.TEXT),))]


def _with_editor(
    lines: list[Line], label: Line, editor: Editor, columns: int, height: int, indent: int = _INDENT
) -> Block:
    """An editor under its label and some lines; where it is low, the first line stays longest."""
    kept = [*lines, label]
    if len(kept) >= height > 2:
        kept = [*kept[: height - 2], label]
    kept = kept[: max(0, height - 1)]
    box = shift(editor_box(editor, columns - indent, min(max(_EDITOR_ROWS, height // 2), height - len(kept))), indent)
    return stack((Block(tuple(kept)), box))


def _lead(row: Row, type: QuestionType) -> Line:
    """What stands before a label: the pointer, the digit that chooses the row, and whether it is chosen."""
    mark = (_CHOSEN if row.chosen else _FREE)[type]
    return (
        Span("› " if row.highlighted else "  ", Role.POINTER),
        Span(f"{row.number} " if row.number else "  ", Role.NUMBER),
        Span(f"{mark} ", Role.MARK_CHOSEN if row.chosen else Role.MARK),
    )
