"""What one question holds so far, and the pure edits of it.

Options are held by their index in the question. The edits know nothing of tabs, keys or editors.
"""

from __future__ import annotations

from attrs import evolve, frozen

from ask_core.questions import QuestionType
from ask_core.text.trim import is_blank
from ask_core.value import Value


@frozen(eq=False, repr=False)
class Answer(Value):
    """Everything a person gave for one question.

    `selected` are option indices in the order of the options (R3). `custom` are own words, which may be kept as a
    draft that is not part of the answer (`custom_selected` false, R2). `option_notes` pairs option indices with notes.
    """

    selected: tuple[int, ...] = ()
    custom: str | None = None
    custom_selected: bool = False
    note: str | None = None
    option_notes: tuple[tuple[int, str], ...] = ()

    @property
    def answered(self) -> bool:
        """Whether something is chosen; notes alone are no answer."""
        return bool(self.selected) or self.custom_selected

    @property
    def noted(self) -> bool:
        """Whether there is a note on the question or on any of its options."""
        return self.note is not None or bool(self.option_notes)

    def option_note(self, option: int) -> str | None:
        """The note on this option, chosen or not."""
        return next((note for noted, note in self.option_notes if noted == option), None)


NOTHING = Answer()


def choose(answer: Answer, option: int) -> Answer:
    """Make `option` the only choice; own words stay as a draft (R2)."""
    if answer.selected == (option,) and not answer.custom_selected:
        return answer
    return evolve(answer, selected=(option,), custom_selected=False)


def toggle(answer: Answer, option: int, type: QuestionType) -> Answer:
    """Choose `option`, or take the choice back; only a multi question keeps other choices beside it (R15)."""
    if option in answer.selected:
        return evolve(answer, selected=tuple(kept for kept in answer.selected if kept != option))
    if type != "multi":
        return choose(answer, option)
    return evolve(answer, selected=tuple(sorted((*answer.selected, option))))


def toggle_custom(answer: Answer) -> Answer:
    """Choose the saved own words beside the other choices of a multi question, or take that back; the words stay."""
    return evolve(answer, custom_selected=not answer.custom_selected)


def write(answer: Answer, text: str, type: QuestionType) -> Answer:
    """Save own words as part of the answer; blank text clears them. Outside multi they replace the chosen option."""
    if is_blank(text):
        if answer.custom is None and not answer.custom_selected:
            return answer
        return evolve(answer, custom=None, custom_selected=False)
    selected = answer.selected if type == "multi" else ()
    return evolve(answer, custom=text, custom_selected=True, selected=selected)


def note_question(answer: Answer, text: str) -> Answer:
    """Save the note on the question; blank text clears it."""
    return evolve(answer, note=None if is_blank(text) else text)


def note_option(answer: Answer, option: int, text: str) -> Answer:
    """Save the note on an option; blank text clears it."""
    others = [pair for pair in answer.option_notes if pair[0] != option]
    if not is_blank(text):
        others.append((option, text))
    return evolve(answer, option_notes=tuple(sorted(others)))


def holds_several(answer: Answer) -> bool:
    """Whether more is chosen than a single question can hold; own words count (R15)."""
    return len(answer.selected) + answer.custom_selected > 1


def drop_options(answer: Answer) -> Answer:
    """Take every chosen option back; own words keep the state they had (R15)."""
    return evolve(answer, selected=())
