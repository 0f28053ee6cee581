"""An open question in so many columns and rows."""

from __future__ import annotations

from ask_core.frame import Area, Line, Role, Span
from ask_core.layout.block import BLANK, EMPTY, Block, beside, columns_of, cut, fit, page, prose, stack
from ask_core.layout.rows import rows_block
from ask_core.layout.writing import editor_box
from ask_core.screen import QuestionBody

WIDE = 90
_PROSE = 100
_NOTE_ROWS = 2
_LIST_ROWS = 4


def question_block(body: QuestionBody, columns: int, height: int, *, roomy: bool, key: str) -> Block:
    """Prompt, rows, preview and note in at most `height` lines.

    The rows around the highlighted one and an open editor come first; the prompt has a third of the height, and more
    where the rows leave some.
    """
    note = _note(body, columns, height)
    gaps = 1 if roomy else 0
    rest = height - len(note.lines) - (gaps if note.lines else 0) - gaps
    how = [] if not body.help or rest < 8 else [fit((Span(body.help, Role.HELP),), columns)]
    rest -= len(how)
    prompt = prose(body.prompt, min(columns, _PROSE), Role.PROMPT)
    share = min(len(prompt), max(1, rest // 3)) if rest > 1 else 0
    rows = _rows_and_preview(body, columns, max(1, rest - share), gaps, key)
    prompt_page = page(prompt, max(share, rest - len(rows.lines)), body.offsets.prompt, Area.PROMPT, key)
    gap = Block((BLANK,) * gaps)
    return stack([prompt_page, Block(tuple(how)), gap, rows, *([gap, note] if note.lines else ())])


def _note(body: QuestionBody, columns: int, height: int) -> Block:
    if body.note_editor:
        label: Line = (Span("Note on this question", Role.NOTE),)
        editor = editor_box(body.note_editor, columns, max(1, height // 3))
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
        rows = rows_block(body, left, height, key)
        preview = _preview(body, columns - left - len(gap.text), height, key)
        return beside(rows, preview, left, gap)
    preview = _preview(body, columns, height, key, under=True)
    whole = len(preview.lines) + sum(extent.above + extent.below for extent in preview.extents)
    share = max(min(height, _LIST_ROWS), height // 2, height - gaps - whole)
    if not preview.lines:
        return rows_block(body, columns, height, key)
    rows = rows_block(body, columns, share, key, fill=False)
    rest = height - len(rows.lines) - gaps
    if rest < 2:
        return rows
    return stack((rows, Block((BLANK,) * gaps), _preview(body, columns, rest, key, under=True)))


def _preview(body: QuestionBody, columns: int, height: int, key: str, *, under: bool = False) -> Block:
    """The preview of the highlighted option under its name, behind a bar where it stands under the list."""
    if not body.preview:
        return EMPTY
    heading = fit((Span(body.preview_label, Role.HELP),), columns)
    if under:
        label = fit((Span("── ", Role.RULE), Span(f"{body.preview_label} ", Role.HELP)), columns)
        heading = (*label, Span("─" * (columns - columns_of(label)), Role.RULE))
    lines = prose(body.preview, columns, Role.PREVIEW)
    return stack((Block((heading,)), page(lines, height - 1, body.offsets.preview, Area.PREVIEW, key)))
