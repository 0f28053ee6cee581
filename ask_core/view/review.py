"""The screen of the review tab."""

from __future__ import annotations

from ask_core.questions import ReviewAction
from ask_core.result import answer_labels
from ask_core.screen import Action, NoteLine, OnDemand, ReviewBody, Reviewed
from ask_core.state import Reviewing, State
from ask_core.text.clean import clean_block, clean_line

_NAMED = 12

_LABELS: dict[ReviewAction, tuple[str, str]] = {
    "submit": ("Submit", "Send these answers"),
    "elaborate": ("Elaborate", "Ask for an explanation"),
    "cancel": ("Cancel", "Leave without sending"),
}


def review_body(state: State) -> ReviewBody:
    """What the review tab shows."""
    mode = state.mode
    assert isinstance(mode, Reviewing)
    questions = state.form.questions
    actions = state.form.flow.review_actions
    elaborating = actions[mode.action] == "elaborate"
    unanswered = [question for question, answer in zip(questions, state.answers, strict=True) if not answer.answered]
    return ReviewBody(
        questions=OnDemand(len(questions), lambda index: _reviewed(state, index, elaborating)),
        top=mode.top,
        offset=state.offsets.row,
        actions=tuple(_action(mode, index, action) for index, action in enumerate(actions)),
        unanswered=tuple(clean_line(question.label) for question in unanswered[:_NAMED]),
        unanswered_more=max(0, len(unanswered) - _NAMED),
    )


def _reviewed(state: State, index: int, elaborating: bool) -> Reviewed:
    """Submit and Cancel show the notes of answered questions that will be in the result; Elaborate shows all notes."""
    question, answer = state.form.questions[index], state.answers[index]
    notes = []
    if elaborating or answer.answered:
        if answer.note is not None:
            notes.append(NoteLine(None, clean_block(answer.note)))
        for option, note in answer.option_notes:
            if elaborating or option in answer.selected:
                notes.append(NoteLine(clean_line(question.options[option].label), clean_block(note)))
    labels = tuple(clean_block(label) for label in answer_labels(question, answer))
    return Reviewed(clean_line(question.label), labels, tuple(notes))


def _action(mode: Reviewing, index: int, action: ReviewAction) -> Action:
    label, meaning = _LABELS[action]
    pending = f"Press {index + 1} again to {label.lower()}" if mode.armed == index else None
    return Action(label, meaning, index + 1, index == mode.action, pending)
