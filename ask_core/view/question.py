"""The screen of an open question."""

from __future__ import annotations

from ask_core.questions import Question
from ask_core.screen import Editor, OnDemand, QuestionBody, Row
from ask_core.state import Choosing, Noting, State, Typing
from ask_core.text.buffer import TextBuffer
from ask_core.text.clean import clean_block, clean_line

OWN_WORDS = "Type your own answer"
FREEFORM = "Type your answer:"

_HELP = {"single": "Choose one", "multi": "Choose any number", "preview": "Choose one"}


def question_body(state: State) -> QuestionBody:
    """What the open question shows."""
    question = state.question
    highlighted = highlighted_row(state)
    previewed = question.type == "preview" and not question.freeform
    on_option = highlighted < question.own_words_row
    option = question.options[highlighted] if on_option else None
    noting = state.mode if isinstance(state.mode, Noting) and state.mode.option is None else None
    return QuestionBody(
        prompt=clean_block(question.prompt),
        type=state.type,
        help="" if question.freeform else _HELP[state.type],
        freeform=question.freeform,
        rows=OnDemand(question.own_words_row + 1, lambda row: _row(state, question, row, highlighted)),
        highlighted=highlighted,
        offsets=state.offsets,
        preview=clean_block((option.preview if option else None) or "") if previewed else None,
        preview_label=clean_line(option.label) if option else "",
        note=_block(state.answer.note),
        note_editor=editor_of(noting.buffer) if noting else None,
    )


def highlighted_row(state: State) -> int:
    """Index of the highlighted row of the open question."""
    match state.mode:
        case Choosing(row=row) | Noting(row=row):
            return row
        case _:
            return state.question.own_words_row


def editor_of(buffer: TextBuffer) -> Editor:
    """A buffer as it is shown. Each side is made visible by itself, so the cursor keeps its place."""
    return Editor(clean_block(buffer.before), clean_block(buffer.after))


def _row(state: State, question: Question, row: int, highlighted: int) -> Row:
    answer = state.answer
    number = row + 1 if row < 9 else None
    here = row == highlighted
    if row == question.own_words_row:
        empty = FREEFORM if question.freeform else OWN_WORDS
        return Row(
            label=empty if answer.custom is None else clean_block(answer.custom),
            number=None if question.freeform else number,
            chosen=answer.custom_selected,
            highlighted=here,
            own_words=True,
            written=answer.custom is not None,
            editor=editor_of(state.mode.buffer) if isinstance(state.mode, Typing) else None,
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
        note_editor=editor_of(state.mode.buffer) if isinstance(state.mode, Noting) and noting else None,
    )


def _block(text: str | None) -> str | None:
    return None if text is None else clean_block(text)
