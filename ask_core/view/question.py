"""The screen of an open question."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ask_core.completion import is_open
from ask_core.questions import Question
from ask_core.screen import Editor, Filter, OnDemand, QuestionBody, Row
from ask_core.state import Choosing, Filtering, Noting, State, Typing, Writing, ends_here
from ask_core.text.clean import clean_block, clean_line, clean_pieces
from ask_core.text.fuzzy import match
from ask_core.text.kept import is_short, kept

# Previews may be long. What is kept of them further on is found at once where the text is the same object again.
_cleaned = kept(short=64, long=64)(clean_block)

_LINES = 500
# Rows that a digit chooses.
_DIGITS = 9

_HELP = {"single": "Choose one", "multi": "Choose one or several", "preview": "Choose one"}


def question_body(state: State) -> QuestionBody:
    """What the open question shows."""
    question = state.question
    highlighted = highlighted_row(state)
    previewed = question.type == "preview" and not question.freeform
    option = question.options[highlighted] if highlighted != question.own_words_row else None
    noting = state.mode if isinstance(state.mode, Noting) and state.mode.option is None else None
    filtering = state.mode if isinstance(state.mode, Filtering) else None
    count = len(filtering.rows) if filtering else question.last_row + 1
    return QuestionBody(
        prompt=clean_block(question.prompt),
        type=state.type,
        help="" if question.freeform or filtering else _help(state),
        freeform=clean_line(state.form.flow.freeform) if question.freeform else "",
        rows=OnDemand(count, _row_maker(state, highlighted)),
        highlighted=filtering.row if filtering else highlighted,
        offsets=state.offsets,
        preview=_cleaned((option.preview if option else None) or "") if previewed else None,
        preview_label=clean_line(option.label) if option else "",
        note=_block(state.answer.note),
        note_editor=editor_of(noting) if noting else None,
        filter=_filter(question, filtering) if filtering else None,
    )


def _help(state: State) -> str:
    """How to answer; what is sent by that says so."""
    return f"{_HELP[state.type]} to send it" if ends_here(state) and state.type != "multi" else _HELP[state.type]


def highlighted_row(state: State) -> int:
    """Index of the highlighted row of the open question."""
    match state.mode:
        case Choosing(row=row) | Noting(row=row) | Filtering(highlighted=row):
            return row
        case _:
            return state.question.last_row


def editor_of(mode: Writing) -> Editor:
    """The open editor, with more lines before and after the cursor's than any screen holds, but not with all of them.

    Each side of the cursor is made visible by itself, so the cursor keeps its place.
    """
    before, after = mode.buffer.before, mode.buffer.after
    start, end = 0, len(after)
    # Looking for one is fast, splitting goes character by character.
    if "\n" in before and len(lines := before.rsplit("\n", _LINES)) > _LINES:
        start = len(lines[0]) + 1
    if "\n" in after and len(lines := after.split("\n", _LINES)) > _LINES:
        end -= len(lines[-1]) + 1
    near, breaks = (before[start:], after[:end]), "\n"
    if not mode.buffer.clean:
        # What cleaning takes for a line break; an editor has no others (R17).
        breaks = "\n\u2028\u2029"
        near = _clean_lines(near[0]), _clean_lines(near[1], from_end=True)
    paths = mode.completion.paths if mode.completion and is_open(mode) else ()
    return Editor(
        *near,
        tuple(map(clean_line, paths)),
        mode.completion.highlighted if mode.completion else 0,
        sum(before.count(mark, 0, start) for mark in breaks),
        sum(after.count(mark, end) for mark in breaks),
    )


def _clean_lines(text: str, *, from_end: bool = False) -> str:
    """Block text made visible by short pieces of lines: only one of a text that is being written changes at a time."""
    return "\n".join(
        _clean_piece(line) if is_short(line) else clean_pieces(line, _clean_piece, from_end=from_end)
        for line in text.split("\n")
    )


def _clean_piece(text: str) -> str:
    return text if text.isascii() and text.isprintable() else _known_piece(text)


_known_piece = lru_cache(maxsize=1024)(clean_block)


def _filter(question: Question, mode: Filtering) -> Filter:
    count, total = len(mode.rows) - question.own_words, len(mode.labels)
    found = f"{count:,} of {total:,} {'matches' if count == 1 else 'match'}" if count else "Nothing matches"
    editor = Editor(clean_line(mode.buffer.before), clean_line(mode.buffer.after))
    return Filter(editor, found if mode.buffer.text.strip() else f"{total:,} options", total)


def _row_maker(state: State, highlighted: int) -> Callable[[int], Row]:
    """What makes a row of the open question, given its place among those that are shown."""
    question, answer, mode = state.question, state.answer, state.mode
    own_words, options, previewed = question.own_words_row, question.options, question.type == "preview"
    noted = mode.option if isinstance(mode, Noting) else None
    filtering = mode if isinstance(mode, Filtering) else None

    def make(place: int) -> Row:
        row = filtering.rows[place] if filtering else place
        number = place + 1 if place < _DIGITS else None
        if row == own_words:
            return _own_words(state, number, highlighted=row == highlighted)
        option = options[row]
        note = answer.option_note(row) if answer.option_notes else None
        found = match(filtering.buffer.text, clean_line(option.label)) if filtering else None
        return Row(
            clean_line(option.label),
            number,
            row in answer.selected,
            row == highlighted,
            description=clean_block(option.description) if option.description is not None else None,
            note=clean_block(note) if note is not None else None,
            note_editor=editor_of(mode) if isinstance(mode, Noting) and row == noted else None,
            matched=found.positions if found else (),
            preview=_cleaned(option.preview) if option.preview and previewed else "",
        )

    return make


def _own_words(state: State, number: int | None, *, highlighted: bool) -> Row:
    """The row for own words."""
    question, answer, flow = state.question, state.answer, state.form.flow
    empty = flow.freeform if question.freeform else flow.own_words
    return Row(
        label=clean_line(empty) if answer.custom is None else clean_block(answer.custom),
        number=None if question.freeform else number,
        chosen=answer.custom_selected,
        highlighted=highlighted,
        own_words=True,
        written=answer.custom is not None,
        editor=editor_of(state.mode) if isinstance(state.mode, Typing) else None,
    )


def _block(text: str | None) -> str | None:
    return None if text is None else clean_block(text)
