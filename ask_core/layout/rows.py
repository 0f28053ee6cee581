"""The rows of a question: as many as fit around the highlighted one. The others are never asked for."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ask_core.frame import Area, Line, Role, Span, Target
from ask_core.layout.block import BLANK, EMPTY, Block, columns_of, cut, page, prose, shift, stack
from ask_core.layout.list import list_block
from ask_core.layout.writing import editor_box
from ask_core.questions import QuestionType
from ask_core.screen import Editor, QuestionBody, Row
from ask_core.text.graphemes import clusters
from ask_core.text.kept import is_short

_CHOSEN = {"single": "●", "multi": "■", "preview": "●"}
_FREE = {"single": "○", "multi": "□", "preview": "○"}
_INDENT = 6
_SAVED_ROWS = 3
_EDITOR_ROWS = 8
_SAVED = "Your own answer: "


def rows_block(body: QuestionBody, columns: int, height: int, key: str, *, fill: bool = True) -> Block:
    """The rows around the highlighted one in at most `height` lines.

    With `fill`, a list that does not fit takes all of them, so that nothing moves while the highlight does.
    """

    look = _Look(body.type, body.freeform, body.offsets.row, columns, key)

    def row(index: int, room: int) -> Block:
        shown = body.rows[index]
        if shown.editor or shown.note_editor or not is_short(shown.label, shown.description, shown.note):
            # A text that is being written is another one at every key.
            return _row_block(shown, room, look)
        # What a row previews is shown elsewhere, and may be long.
        shown = shown._replace(preview="") if shown.preview else shown
        if shown.own_words:
            return _known_block(shown, room, look)
        # There is more or less room as there are marks above and below; for a row that fits it makes no difference.
        block = _known_block(shown, height, look)
        return block if len(block.lines) <= room else _known_block(shown, room, look)

    count = len(body.rows)
    block = list_block(row, count, body.highlighted, columns, height, Target.ROW, fill=fill) if count else EMPTY
    if body.filter and fill:
        # What does not match leaves its place empty, so that the frame keeps its height while a filter is typed.
        own_words = count > 0 and body.rows[-1].own_words
        empty = min(height, body.filter.total + own_words) - len(block.lines)
        return block._replace(lines=(*block.lines, *[BLANK] * empty))
    return block


class _Look(NamedTuple):
    """What a row looks like besides its own values; `offset` is how far the highlighted one has been read."""

    type: QuestionType
    freeform: str
    offset: int
    columns: int
    key: str


def _row_block(row: Row, height: int, look: _Look) -> Block:
    if row.own_words:
        return _own_words(row, height, look)
    columns = look.columns
    role = Role.OPTION_FOCUSED if row.highlighted else Role.OPTION
    lines = prose(row.label, columns, role, lead=_lead(row, look.type))
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
    rest = page(lines[1:], height - 1, look.offset, Area.ROW, look.key, _INDENT)
    return Block((lines[0] if height > 1 or len(lines) == 1 else cut(lines, 1)[0], *rest.lines), None, rest.extents)


# Between two keys most rows stay as they are.
_known_block = lru_cache(maxsize=256)(_row_block)


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


def _own_words(row: Row, height: int, look: _Look) -> Block:
    columns, key = look.columns, look.key
    if look.freeform:
        if row.editor:
            return _with_editor([], (Span(look.freeform, Role.HELP),), row.editor, columns, height, indent=0)
        lines: list[Line] = [(Span(look.freeform, Role.HELP),)]
        if row.written:
            lines += _saved(row, columns, (Span("  ", Role.TEXT),))
        rest = page(lines[1:], height - 1, look.offset, Area.ROW, key, 2)
        return Block((*lines[:1], *rest.lines), extents=rest.extents)
    if row.editor:
        label = (*_lead(row, look.type), Span("Your own answer:", Role.OPTION_FOCUSED))
        return _with_editor([], label, row.editor, columns, height)
    lead = _lead(row, look.type)
    if row.written:
        saved = _saved(row, columns, (*lead, Span(_SAVED, Role.HELP)))
        if not row.highlighted:
            return Block(tuple(cut(saved, min(height, _SAVED_ROWS), _INDENT)))
        shown = min(height, max(_SAVED_ROWS, height // 3))
        rest = page(saved[1:], shown - 1, look.offset, Area.ROW, key, _INDENT)
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
