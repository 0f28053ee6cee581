"""The screen of an open question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ask_core.completion import is_open
from ask_core.questions import Question
from ask_core.screen import Editor, Filter, OnDemand, QuestionBody, Row
from ask_core.state import Choosing, Filtering, Noting, State, Typing, ends_here
from ask_core.text.clean import clean_block, clean_line
from ask_core.text.fuzzy import match

# Previews may be long. What is kept of them further on is found at once where the text is the same object again.
_cleaned = lru_cache(maxsize=64)(clean_block)

_LINES = 500

_HELP = {"single": "Choose one", "multi": "Choose one or several", "preview": "Choose one"}


def question_body(state: State) -> QuestionBody:
    """What the open question shows."""
    question = state.question
    highlighted = highlighted_row(state)
    previewed = question.type == "preview" and not question.freeform
    option = question.options[highlighted] if highlighted != question.own_words_row else None
    noting = state.mode if isinstance(state.mode, Noting) and state.mode.option is None else None
    filtering = state.mode if isinstance(state.mode, Filtering) else None
    rows = OnDemand(question.last_row + 1, lambda row: _row(state, question, row, highlighted, row))
    return QuestionBody(
        prompt=clean_block(question.prompt),
        type=state.type,
        help="" if question.freeform or filtering else _help(state),
        freeform=clean_line(state.form.flow.freeform) if question.freeform else "",
        rows=_found(state, question, filtering) if filtering else rows,
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


def editor_of(mode: Typing | Noting) -> Editor:
    """The open editor, with more lines before and after the cursor's than any screen holds, but not with all of them.

    Each side of the cursor is made visible by itself, so the cursor keeps its place.
    """
    before, after = mode.buffer.before, mode.buffer.after
    start = len(before)
    for _ in range(_LINES + 1):
        start = before.rfind("\n", 0, max(0, start))
        if start < 0:
            break
    end = -1
    for _ in range(_LINES + 1):
        end = after.find("\n", end + 1)
        if end < 0:
            break
    end = len(after) if end < 0 else end
    paths = mode.completion.paths if mode.completion and is_open(mode) else ()
    return Editor(
        _clean_lines(before[start + 1 :]),
        _clean_lines(after[:end]),
        tuple(map(clean_line, paths)),
        mode.completion.highlighted if mode.completion else 0,
        before.count("\n", 0, start + 1),
        after.count("\n", end),
    )


_clean_one = lru_cache(maxsize=1024)(clean_block)


def _clean_lines(text: str) -> str:
    """Block text made visible line by line: of a text that is being written only one line changes at a time."""
    return text if text.isascii() and text.isprintable() else "\n".join(map(_clean_one, text.split("\n")))


def _filter(question: Question, mode: Filtering) -> Filter:
    count, total = len(mode.rows) - question.own_words, len(mode.labels)
    found = f"{count:,} of {total:,} {'matches' if count == 1 else 'match'}" if count else "Nothing matches"
    editor = Editor(clean_line(mode.buffer.before), clean_line(mode.buffer.after))
    return Filter(editor, found if mode.buffer.text.strip() else f"{total:,} options", total)


def _found(state: State, question: Question, mode: Filtering) -> Sequence[Row]:
    def make(place: int) -> Row:
        index = mode.rows[place]
        row = _row(state, question, index, mode.highlighted, place)
        found = None if row.own_words else match(mode.buffer.text, row.label)
        return row._replace(matched=found.positions) if found else row

    return OnDemand(len(mode.rows), make)


def _row(state: State, question: Question, row: int, highlighted: int, place: int) -> Row:
    """A row of the question, the one at this place of those that are shown."""
    answer = state.answer
    number = place + 1 if place < 9 else None
    here = row == highlighted
    if row == question.own_words_row:
        flow = state.form.flow
        empty = flow.freeform if question.freeform else flow.own_words
        return Row(
            label=clean_line(empty) if answer.custom is None else clean_block(answer.custom),
            number=None if question.freeform else number,
            chosen=answer.custom_selected,
            highlighted=here,
            own_words=True,
            written=answer.custom is not None,
            editor=editor_of(state.mode) if isinstance(state.mode, Typing) else None,
        )
    option = question.options[row]
    noting = isinstance(state.mode, Noting) and state.mode.option == row
    return Row(
        label=clean_line(option.label),
        number=number,
        chosen=row in answer.selected,
        highlighted=here,
        description=_block(option.description),
        note=_block(answer.option_note(row)),
        note_editor=editor_of(state.mode) if isinstance(state.mode, Noting) and noting else None,
        preview=_cleaned(option.preview) if option.preview and question.type == "preview" else "",
    )


def _block(text: str | None) -> str | None:
    return None if text is None else clean_block(text)
