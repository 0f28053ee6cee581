"""The state of one flow, its modes, and the few updates that every mode shares.

Facts that matter only in one mode live in that mode's value, so leaving the mode drops them. The one exception is the
warning about leaving unsaved answers: it outlives modes and is cleared where tabs change, in `at_tab`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from attrs import evolve, field, frozen

from ask_core.answers import NOTHING, Answer
from ask_core.effects import Effect
from ask_core.questions import Form, Question, QuestionType
from ask_core.settings import Settings
from ask_core.text.buffer import TextBuffer
from ask_core.value import Value

Outcome = Literal["submitted", "elaborated", "cancelled", "aborted", "timed_out"]
Leaving = Literal["cancel", "dismiss"]


@frozen(eq=False, repr=False)
class Choosing(Value):
    """The highlight is on a row of the open question. `type_armed`: the type key waits for its second press (R15)."""

    row: int
    type_armed: bool = False


class Completion(NamedTuple):
    """The list of paths for the word `@query` that begins at `start` of the text before the cursor.

    `highlighted` is an index of `paths`. `closed`: the person does not want the list for this word.
    """

    start: int
    query: str
    paths: tuple[str, ...] = ()
    highlighted: int = 0
    closed: bool = False


@frozen(eq=False, repr=False)
class Typing(Value):
    """Own words are being written on the last row of the open question.

    `failure` says why the person's own editor could not be used.
    """

    buffer: TextBuffer
    completion: Completion | None = None
    failure: str | None = None


@frozen(eq=False, repr=False)
class Noting(Value):
    """A note is being written: on the option with this index, or on the question. `row` is where the highlight was."""

    buffer: TextBuffer
    option: int | None
    row: int
    completion: Completion | None = None
    failure: str | None = None


# The modes in which a text is written.
Writing = Typing | Noting


@frozen(eq=False, repr=False)
class Filtering(Value):
    """Only the rows of the open question are shown that match what is being typed.

    `rows` are their indices in the question: options, then the row for own words, if there is one. `row` is the
    highlighted one's place among them, `back` the row that was highlighted before, or moved to or chosen since: what to
    go back to where nothing matches. `labels` are what is searched, each one line.
    """

    buffer: TextBuffer
    rows: tuple[int, ...]
    row: int
    back: int
    labels: tuple[str, ...] = field(eq=False, repr=False)

    @property
    def highlighted(self) -> int:
        """Index of the highlighted row in the question; without any row, of the one to go back to."""
        return self.rows[self.row] if self.rows else self.back


# The modes in which keys that type something are part of a text.
TextMode = Writing | Filtering


@frozen(eq=False, repr=False)
class Reviewing(Value):
    """The review tab.

    `action` is the highlighted review action, `armed` the one that waits for its digit a second time, `top` the index
    of the first question that the list of answers shows.
    """

    action: int = 0
    armed: int | None = None
    top: int = 0


class Offsets(NamedTuple):
    """Lines of the prompt, of the highlighted row and of the preview that have been read past."""

    prompt: int = 0
    row: int = 0
    preview: int = 0


UNREAD = Offsets()


class Moment(NamedTuple):
    """What undo and redo go to: what was given and how, and where the highlight was.

    `writing` is the tab and the editor that undo has closed, for redo to go through its text again.
    """

    answers: tuple[Answer, ...]
    types: tuple[QuestionType, ...]
    tab: int
    row: int
    writing: tuple[int, Writing] | None = None


class Configuring(NamedTuple):
    """The settings are open, over whatever was shown before (`back`) or, where that is None, by themselves.

    `row` is the highlighted line of the list: a Setting, or after the last of them the one that resets all, which
    waits for its second press while `resetting`. `read` counts the lines of the manual that have been read past.
    """

    back: Choosing | TextMode | Reviewing | None
    row: int = 0
    resetting: bool = False
    read: int = 0


class Origin(NamedTuple):
    """Where the settings come from: the absolute `path` of their file.

    Without a program's own settings and without a place for a file it is empty, where a program has set them None.
    `notices` say what is wrong with it, `unsaved` why changes cannot be stored. `news` are those of both that the
    person has not had the chance to read yet.
    """

    path: str | None = None
    notices: tuple[str, ...] = ()
    unsaved: str | None = None
    news: tuple[str, ...] = ()


NO_FILE = Origin()

Mode = Choosing | TextMode | Reviewing | Configuring


@frozen(eq=False, repr=False)
class State(Value):
    """Everything about one flow at one moment.

    `tab` is the index of the open question; the number of questions stands for the review tab. `answers` and `types`
    (how each question is handled at the moment) run parallel to the questions. `offsets` say how far the long texts of
    the open question have been read, `killed` is what yanking puts in, `past` and `future` are what undo and redo go
    to, the nearest last. `warned` names the action that raised the warning about leaving unsaved answers (R14).
    `outcome` is set by the event that ends the flow, `reason` says why the host ended it. `origin` tells where the
    settings come from, `asked_by` who asks. `seconds_left` are those before the idle limit strikes, once they are few
    (R5). `width` and `height` are the terminal's, in columns and rows. `outbox` holds what the last event asks the edge
    to do.
    """

    form: Form
    settings: Settings
    answers: tuple[Answer, ...]
    types: tuple[QuestionType, ...]
    tab: int
    mode: Mode
    offsets: Offsets = UNREAD
    killed: str = ""
    past: tuple[Moment, ...] = ()
    future: tuple[Moment, ...] = ()
    warned: Leaving | None = None
    outcome: Outcome | None = None
    reason: str | None = None
    origin: Origin = NO_FILE
    asked_by: str | None = None
    seconds_left: int | None = None
    width: int = 80
    height: int = 24
    outbox: tuple[Effect, ...] = field(default=(), eq=False)

    @property
    def finished(self) -> bool:
        """Whether the flow has ended; a finished state ignores every event."""
        return self.outcome is not None

    @property
    def tabs(self) -> int:
        """How many tabs there are: one a question, and the review where the form has one."""
        return len(self.form.questions) + (self.form.flow.review is not None)

    @property
    def on_review(self) -> bool:
        """Whether the review tab is open."""
        return self.tab == len(self.form.questions)

    @property
    def question(self) -> Question:
        """The open question."""
        return self.form.questions[self.tab]

    @property
    def answer(self) -> Answer:
        """What the open question holds."""
        return self.answers[self.tab]

    @property
    def type(self) -> QuestionType:
        """How the open question is handled at the moment."""
        return self.types[self.tab]


def start(
    form: Form,
    settings: Settings | None = None,
    *,
    path: str | None = None,
    notices: tuple[str, ...] = (),
    asked_by: str | None = None,
) -> State:
    """The state of a flow that has just opened on its first question.

    `path` is the absolute path of the settings' file, `notices` are what is wrong with it; `asked_by` says who asks.
    """
    settings = settings or Settings()
    as_multi = settings.behaviour.present_single_as_multi and form.flow.retyping
    types: tuple[QuestionType, ...] = tuple(
        "multi" if as_multi and question.type == "single" else question.type for question in form.questions
    )
    origin = Origin(path, notices, news=notices)
    unanswered = (NOTHING,) * len(types)
    state = State(form, settings, unanswered, types, 0, Choosing(0), origin=origin, asked_by=asked_by)
    return at_row(state, 0)


def start_settings(settings: Settings, *, path: str | None = None, notices: tuple[str, ...] = ()) -> State:
    """The state of the settings opened by themselves, without a form; closing them ends it."""
    form = Form("contract", ())
    return State(form, settings, (), (), tab=0, mode=Configuring(None), origin=Origin(path, notices))


def at_row(state: State, row: int) -> State:
    """Highlight a row of the open question; the row for own words opens its editor when it holds no text (R16)."""
    question = state.question
    row = max(0, min(row, question.last_row))
    if row == question.own_words_row and state.answer.custom is None:
        return open_editor(evolve(state, offsets=Offsets(state.offsets.prompt)))
    return highlighting(state, row)


def highlighting(state: State, row: int) -> State:
    """Highlight a row of the open question without opening anything; another row is read from its beginning."""
    return evolve(state, mode=Choosing(row), offsets=Offsets(state.offsets.prompt))


def at_tab(state: State, tab: int) -> State:
    """Open a tab, counted round both ends: its first row or first action is highlighted and the warning is gone.

    Where there is only one, nothing happens.
    """
    if state.tabs == 1:
        return state
    origin = state.origin._replace(news=())
    state = evolve(state, tab=tab % state.tabs, offsets=UNREAD, warned=None, origin=origin)
    return evolve(state, mode=Reviewing()) if state.on_review else at_row(state, 0)


def go_on(state: State) -> State:
    """Go on from the open question to the next tab. Where there is no review, the last question's answer submits."""
    if not ends_here(state):
        return at_tab(state, state.tab + 1)
    return finish(state, "submitted") if state.answer.answered else state


def ends_here(state: State) -> bool:
    """Whether the answer to the open question is what ends the form."""
    return state.form.flow.review is None and state.tab + 1 == len(state.form.questions)


def chooses_and_sends(state: State, row: int) -> bool:
    """Whether ticking an option is choosing it for good.

    Where nothing shows the answer once more before it is sent, a tick on one row and the highlight on another would be
    two answers, and Enter would send the one that is not meant.
    """
    return ends_here(state) and state.type != "multi" and row not in state.answer.selected


def with_answer(state: State, answer: Answer) -> State:
    """Put `answer` in for the open question."""
    if answer == state.answer:
        return state
    return evolve(state, answers=(*state.answers[: state.tab], answer, *state.answers[state.tab + 1 :]))


def open_editor(state: State, text: str = "") -> State:
    """Open the editor for own words on the open question."""
    return evolve(state, mode=Typing(TextBuffer(text, killed=state.killed)))


def with_buffer(state: State, buffer: TextBuffer) -> State:
    """Put `buffer` in for the text that is being written."""
    match state.mode:
        case Typing() | Noting() as mode:
            return evolve(state, mode=evolve(mode, buffer=buffer, failure=None), killed=buffer.killed)
        case _:
            return state


def open_note(state: State, option: int | None, row: int) -> State:
    """Open the editor of the note on an option of the open question, or on the question itself."""
    note = state.answer.note if option is None else state.answer.option_note(option)
    return evolve(state, mode=Noting(TextBuffer(note or "", killed=state.killed), option, row))


def open_filter(state: State, row: int) -> State:
    """Filter the list of the open question; all of it is shown until something is typed."""
    question = state.question
    labels = tuple(option.label.replace("\n", " ") for option in question.options)
    return evolve(state, mode=Filtering(TextBuffer(), (*range(question.last_row + 1),), row, row, labels))


def is_complete(state: State) -> bool:
    """Whether the review is reached with everything answered and nothing noted, so that nothing is left to be done."""
    return (
        state.on_review
        and bool(state.answers)
        and all(answer.answered and not answer.noted for answer in state.answers)
    )


def finish(state: State, outcome: Outcome, reason: str | None = None) -> State:
    """End the flow."""
    return evolve(state, outcome=outcome, reason=reason)


def leave(state: State, by: Leaving) -> State:
    """End the flow because the person wants out.

    With answers or notes, or words in an open editor, the first press only warns; the same action again leaves (R14).
    """
    if state.settings.behaviour.confirm_dismiss_when_dirty and state.warned != by and _dirty(state):
        return evolve(disarmed(state), warned=by)
    return finish(state, "cancelled")


def disarmed(state: State) -> State:
    """The state with nothing waiting for a key's second press but the warning about leaving."""
    match state.mode:
        case Choosing(row=row, type_armed=True):
            return evolve(state, mode=Choosing(row))
        case Reviewing(armed=int()) as mode:
            return evolve(state, mode=evolve(mode, armed=None))
        case _:
            return state


def _dirty(state: State) -> bool:
    match state.mode:
        case Typing(buffer=buffer) | Noting(buffer=buffer):
            writing = bool(buffer)
        case _:
            writing = False
    return writing or any(answer != NOTHING for answer in state.answers)
