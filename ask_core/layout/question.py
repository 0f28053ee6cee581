"""An open question in so many columns and rows."""

from __future__ import annotations

from ask_core.frame import Area, Cursor, Line, Role, Span, Target
from ask_core.layout.block import (
    BLANK,
    EMPTY,
    Block,
    aim,
    beside,
    columns_of,
    cut,
    fit,
    page,
    prose,
    prose_lines,
    stack,
)
from ask_core.layout.rows import rows_block
from ask_core.layout.writing import editor_box
from ask_core.screen import QuestionBody

WIDE = 90
_PROSE = 100
_NOTE_ROWS = 6
_LIST_ROWS = 4
_ROOM_FOR_HELP = 8
_FILTER_LABEL = "Filter "
_FILTER_COLUMNS = 12


def question_block(body: QuestionBody, columns: int, height: int, *, roomy: bool, key: str) -> Block:
    """Prompt, rows, preview and note in at most `height` lines.

    The rows around the highlighted one and an open editor come first; the prompt has a third of the height, and more
    where the rows leave some.
    """
    note = _note(body, columns, height)
    gaps = 1 if roomy else 0
    rest = height - len(note.lines) - (gaps if note.lines else 0) - gaps
    how = _how(body, columns, rest)
    rest -= len(how.lines)
    prompt = prose_lines(body.prompt, min(columns, _PROSE), Role.PROMPT)
    share = min(len(prompt), max(1, rest // 3), max(0, rest - 2))
    rows = _rows_and_preview(body, columns, max(1, rest - share), gaps, key)
    prompt_page = page(prompt, max(share, rest - len(rows.lines)), body.offsets.prompt, Area.PROMPT, key)
    prompt_page = aim(prompt_page, columns, Target.PROMPT)
    gap = Block((BLANK,) * gaps)
    return stack([prompt_page, how, gap, rows, *([gap, note] if note.lines else ())])


def _how(body: QuestionBody, columns: int, height: int) -> Block:
    """How to answer, where there is room for it; in its place the filter of the list, whatever the room."""
    if body.filter is None:
        how = (fit((Span(body.help, Role.HELP),), columns),) if body.help and height >= _ROOM_FOR_HELP else ()
        return Block(how)
    editor, found, total = body.filter
    # The most that can be found decides, so that nothing moves while the filter is typed.
    room = columns - len(f"{total:,} of {total:,} match") - 2
    if room < _FILTER_COLUMNS:
        beneath = ((Span(found, Role.HELP),),) if height >= _ROOM_FOR_HELP else ()
        return stack((editor_box(editor, columns, 1), Block(beneath)))
    label = _FILTER_LABEL if room - len(_FILTER_LABEL) >= _FILTER_COLUMNS else ""
    box = editor_box(editor, room - len(label), 1)
    cursor = box.cursor and Cursor(box.cursor.column + len(label), 0)
    typed = (*((Span(label, Role.HELP),) if label else ()), *box.lines[0])
    pad = Span(" " * (columns - columns_of(typed) - len(found)), Role.TEXT)
    return Block(((*typed, pad, Span(found, Role.HELP)),), cursor)


def _note(body: QuestionBody, columns: int, height: int) -> Block:
    if body.note_editor:
        label: Line = (Span("Note on this question", Role.NOTE),)
        # With files to choose from it is what counts at the moment.
        room = height * 2 // 3 if body.note_editor.paths else height // 3
        editor = editor_box(body.note_editor, columns, max(1, room))
        return stack((Block((label,) if height > 3 else ()), editor))
    if body.note is not None:
        lines = prose(body.note, min(columns, _PROSE), Role.NOTE, lead=(Span("Note: ", Role.NOTE),))
        return Block(tuple(cut(lines, min(_NOTE_ROWS, height // 4), 6)))
    return EMPTY


def _rows_and_preview(body: QuestionBody, columns: int, height: int, gaps: int, key: str) -> Block:
    if body.preview is None:
        return rows_block(body, min(columns, _PROSE), height, key)
    if columns >= WIDE - 2:
        left = min(max(30, columns * 2 // 5), 60)
        gap = Span(" │ ", Role.RULE)
        right = columns - left - len(gap.text)
        rows = rows_block(body, left, height, key)
        preview = _preview(body, right, height, key)
        return beside(_filled(rows, min(height, _tallest(body, rows, right))), preview, left, gap)
    here = body.rows[body.highlighted]
    if here.editor or here.note_editor:
        # What is being written, and the files to choose from, come before the preview.
        return rows_block(body, columns, height, key)
    around = rows_block(body, columns, height, key, fill=False)
    tallest = _tallest(body, around, columns)
    if not tallest:
        return around
    rows = rows_block(
        body, columns, max(min(height, _LIST_ROWS), height // 2, height - gaps - tallest), key, fill=False
    )
    rest = min(height - len(rows.lines) - gaps, tallest)
    if rest < 2:
        return rows
    return stack((rows, Block((BLANK,) * gaps), _filled(_preview(body, columns, rest, key, under=True), rest)))


def _tallest(body: QuestionBody, rows: Block, columns: int) -> int:
    """Lines of the tallest preview among the rows in sight, so that nothing jumps while the highlight moves."""
    from ask_core.layout.preview import preview_height  # most questions have none (T9)

    hidden = next((extent for extent in rows.extents if extent.area is Area.ROWS), None)
    first, last = (hidden.above, len(body.rows) - hidden.below) if hidden else (0, len(body.rows))
    texts = (body.rows[index].preview for index in range(first, last))
    return max((1 + preview_height(text, columns) for text in texts if text), default=0)


def _filled(block: Block, height: int) -> Block:
    return block._replace(lines=(*block.lines, *(BLANK,) * (height - len(block.lines))))


def _preview(body: QuestionBody, columns: int, height: int, key: str, *, under: bool = False) -> Block:
    """The preview of the highlighted option under its name, behind a bar where it stands under the list."""
    if not body.preview:
        return EMPTY
    from ask_core.layout.preview import preview_lines  # most questions have none (T9)

    heading = fit((Span(body.preview_label, Role.HELP),), columns)
    if under:
        label = fit((Span("── ", Role.RULE), Span(f"{body.preview_label} ", Role.HELP)), columns)
        heading = (*label, Span("─" * (columns - columns_of(label)), Role.RULE))
    lines = preview_lines(body.preview, columns)
    text = page(lines, height - 1, body.offsets.preview, Area.PREVIEW, key)
    return aim(stack((Block((heading,)), text)), columns, Target.PREVIEW)
