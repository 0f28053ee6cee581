"""The plain renderer: says in lines what a state shows, and finds the keys for what a person types in a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ask_core.edge.renderers import Typed
from ask_core.events import Edited
from ask_core.keymap import Command, Context
from ask_core.questions import ReviewAction
from ask_core.screen import QuestionBody
from ask_core.settings import RESET_ROW
from ask_core.state import Configuring, Noting, Reviewing, State, Typing, ends_here
from ask_core.text.clean import clean_line, normalise_paste
from ask_core.text.trim import trim
from ask_core.typist import NoKey, Typist
from ask_core.view import view
from ask_render_plain import speech

_NUMBERS = re.compile(r"\d[\d\s,]*")
_NUMBER_AND_WORDS = re.compile(r"(\d+)(?:\s+(.*))?", re.DOTALL)
_QUESTION = re.compile(r"question (\d+)", re.IGNORECASE)
# Where a line is an answer in own words, only these are none, and those of its form's flow.
_ALWAYS = re.compile(
    r"\?|next|back|review|submit|cancel|clear|show|undo|redo|settings|question \d+|own(?: .*)?", re.IGNORECASE
)
_NOTES = re.compile(r"note(?: .*)?", re.IGNORECASE)
_NO_NOTE = "-"
_ONLY = "This is the only page. Your answer is sent as soon as you give it."
# Matches that are listed.
_FOUND = 20
# Digits of a number that anything may have.
_DIGITS = 9

_ACTIONS: dict[str, ReviewAction] = {"submit": "submit", "elaborate": "elaborate"}


class PlainRenderer:
    """Lines out, lines in. Remembers which questions have been read out, and how much of a long list."""

    def __init__(self) -> None:
        self._first = 0
        self._read: set[int] = set()
        self._begun = False
        self._hurried = False

    def open(self, state: State) -> str:
        """All that `state` shows, from the beginning, and the prompt."""
        head = [] if self._begun else [*speech.opening(state)]
        self._begun = True
        self._read.discard(state.tab)
        return _text([*head, *self._opened(state)]) + speech.prompt(state)

    def typed(self, state: State, line: str) -> Typed:
        """What a typed line means at this moment; see `?` for what there is."""
        text = trim(normalise_paste(line))
        hurried, self._hurried = self._hurried, False
        if hurried and not text:
            # It was asked for, and is no answer.
            return Typed(said="There is time again.")
        try:
            return self._typed(state, text)
        except NoKey:
            return Typed(said="There is no key for that in your settings, so it cannot be done.")

    def follow(self, before: State, after: State, said: str) -> str:
        """What is new since `before`, and the next prompt; "" where there is nothing to say."""
        if after.finished:
            return _text([*speech.given(before, after), *speech.ending(after)])
        new = said.strip("\n").split("\n") if said.strip("\n") else []
        hurry = [*speech.hurry(before, after)]
        self._hurried = bool(hurry) or (self._hurried and after.seconds_left is not None)
        if _page(before) == _page(after):
            new += speech.changes(before, after)
        else:
            new += [*speech.given(before, after), "", *self._opened(after)]
        new += hurry
        prompt = speech.prompt(after)
        return _text(new) + prompt if new or said or prompt != speech.prompt(before) else ""

    def _opened(self, state: State) -> list[str]:
        """What is said of a page that has opened."""
        self._first = 0
        again = state.tab in self._read
        if not isinstance(state.mode, Configuring):
            self._read.add(state.tab)
        notices = [*speech.notices(state)]
        return [*notices, *([""] if notices else []), *speech.page(state, again=again)]

    def _typed(self, state: State, text: str) -> Typed:
        match state.mode:
            case Configuring():
                return _at_settings(state, text)
            case Reviewing():
                return _at_review(state, text)
            case Noting():
                return _noted(state, text)
            case Typing() if not state.question.freeform:
                return _written(state, text)
            case _ if state.question.freeform and text and not _is_command(state, text):
                return _own(state, text)
            case _:
                return self._at_question(state, text)

    def _at_question(self, state: State, text: str) -> Typed:
        if not text:
            return _went_on(state)
        if _NUMBERS.fullmatch(text):
            return _chosen(state, text)
        if text.startswith("/"):
            return _found(state, trim(text[1:]))
        word, _, rest = text.partition(" ")
        rest = trim(rest)
        match word.lower():
            case "own":
                return _own(state, rest)
            case "note":
                return _note(state, rest)
            case "clear" if not rest:
                return _cleared(state)
            case "show" if rest:
                return _shown(state, rest)
            case "more" if not rest:
                return self._more(state)
            case "type" if not rest:
                return _retyped(state)
            case _:
                return _common(state, text)

    def _more(self, state: State) -> Typed:
        body = _question(state)
        if not speech.is_long(body):
            return Typed(said="There are no more.")
        self._first += speech.PAGE
        if self._first >= speech.options_in(body):
            self._first = -speech.PAGE
            return Typed(said="That was the end of the list. Type more to begin it again.")
        return Typed(said="\n".join(speech.row_lines(body, self._first)))


def _is_command(state: State, text: str) -> bool:
    """Whether a line is a command, where words are asked for."""
    flow = state.form.flow
    notes = flow.notes and _NOTES.fullmatch(text) is not None
    return notes or text.lower() in flow.review_actions or _ALWAYS.fullmatch(text) is not None


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _page(state: State) -> tuple[int, bool]:
    """What is read out whole when it opens."""
    return state.tab, isinstance(state.mode, Configuring)


def _question(state: State) -> QuestionBody:
    body = view(state).body
    assert isinstance(body, QuestionBody)
    return body


def _number(digits: str) -> int:
    """A number that may be longer than any that is asked for."""
    return int(digits) if len(digits) <= _DIGITS else 10**_DIGITS


def _at_settings(state: State, text: str) -> Typed:
    typist = Typist(state)
    if not text or text.lower() in ("close", "cancel", "back", "next", "settings"):
        typist.press(Context.SETTINGS_MODAL, Command.CLOSE)
        return Typed(typist.events)
    if not (text.isdecimal() and 1 <= _number(text) <= RESET_ROW + 1):
        return Typed(said=f"Type a number from 1 to {RESET_ROW + 1} to change that line.")
    typist.change_setting(int(text) - 1)
    return Typed(typist.events)


def _at_review(state: State, text: str) -> Typed:
    actions = state.form.flow.review_actions
    if not text.isdecimal():
        return _common(state, text)
    if not 1 <= _number(text) <= len(actions):
        return Typed(said=f"Here the numbers go from 1 to {len(actions)}.")
    typist = Typist(state)
    typist.press_digit(int(text))
    return Typed(typist.events)


def _written(state: State, text: str) -> Typed:
    """A line while own words are being written."""
    typist = Typist(state)
    assert isinstance(state.mode, Typing)
    if not text and not state.mode.buffer:
        typist.step_back()
        return Typed(typist.events)
    return _own(state, text or state.mode.buffer.text)


def _noted(state: State, text: str) -> Typed:
    """A line while a note is being written."""
    typist = Typist(state)
    if text:
        typist.happen(Edited("" if text == _NO_NOTE else text))
        typist.press(Context.NOTE_EDITOR, Command.SAVE)
    else:
        typist.step_back()
    return Typed(typist.events)


def _went_on(state: State) -> Typed:
    """Go on to the next tab; an empty line alone skips nothing."""
    if not state.answer.answered:
        if state.tabs == 1:
            return Typed(said="There is no answer yet. To leave without one, type cancel.")
        return Typed(said="Nothing was typed. To leave this question open, type next.")
    typist = Typist(state)
    typist.go_on()
    return Typed(typist.events)


def _to_tab(state: State, tab: int) -> Typed:
    typist = Typist(state)
    typist.go_to_tab(tab)
    return Typed(typist.events)


def _rows(state: State, numbers: Iterable[str]) -> tuple[list[int], str]:
    """The rows that numbers stand for, or why they stand for none."""
    count = state.question.last_row + 1
    rows = []
    for digits in numbers:
        if not 1 <= _number(digits) <= count:
            named = f"There is no number {int(digits)}" if len(digits) <= _DIGITS else "There is no such number"
            return [], f"{named}; they go from 1 to {count}."
        rows.append(int(digits) - 1)
    return [*dict.fromkeys(rows)], ""


def _chosen(state: State, text: str) -> Typed:
    rows, wrong = _rows(state, re.findall(r"\d+", text))
    if wrong:
        return Typed(said=wrong)
    own = state.question.own_words_row
    typist = Typist(state)
    if state.type != "multi":
        if len(rows) > 1:
            retyping = ", or the word type to allow several" if state.form.flow.retyping else ""
            return Typed(said=f"This question takes one answer. Type one number{retyping}.")
        if rows[0] == own:
            typist.open_own_words()
        else:
            typist.choose(rows[0])
        return Typed(typist.events)
    # Exactly these: who types a whole answer takes the former one back.
    held = {*state.answer.selected, *([state.question.last_row] if state.answer.custom_selected else [])}
    for row in sorted({*rows} ^ held):
        if row != own or state.answer.custom is not None:
            typist.toggle(row)
    if own in rows and state.answer.custom is None:
        typist.open_own_words()
    else:
        typist.go_on()
    return Typed(typist.events)


def _own(state: State, text: str) -> Typed:
    typist = Typist(state)
    if not state.question.own_words:
        return Typed(said="This question takes no own words. Type a number.")
    if not text:
        typist.open_own_words()
        return Typed(typist.events)
    typist.write(text)
    # A multi question stays open for more by keys. A line is a whole answer, so it goes on like all others.
    if typist.state.tab == state.tab:
        typist.go_on()
    return Typed(typist.events)


def _note(state: State, text: str) -> Typed:
    if not state.form.flow.notes:
        return Typed(said="This form takes no notes.")
    option = None
    numbered = _NUMBER_AND_WORDS.fullmatch(text)
    if numbered and not state.question.freeform:
        rows, wrong = _rows(state, [numbered[1]])
        if wrong:
            return Typed(said=f"{wrong} If your note begins with a number, type note alone first.")
        option, text = rows[0], trim(numbered[2] or "")
        if option == state.question.own_words_row:
            return Typed(said="Own words take no note. Type note and the words for one on the question.")
    typist = Typist(state)
    if text:
        typist.note(option, "" if text == _NO_NOTE else text)
    else:
        typist.open_note(option)
    if text and typist.state.answers == state.answers:
        return Typed(said="There is no note." if text == _NO_NOTE else "That is the note already.")
    return Typed(typist.events)


def _cleared(state: State) -> Typed:
    if not state.answer.answered:
        return Typed(said=f"Nothing is {'written' if state.question.freeform else 'chosen'} here.")
    typist = Typist(state)
    for row in state.answer.selected:
        typist.toggle(row)
    if state.answer.custom_selected:
        typist.write("")
        typist.step_back()
    return Typed(typist.events)


def _shown(state: State, number: str) -> Typed:
    rows, wrong = _rows(state, [number]) if number.isdecimal() else ([], "Type show and a number, such as show 2.")
    if wrong:
        return Typed(said=wrong)
    row = _question(state).rows[rows[0]]
    if not row.preview:
        return Typed(said="That has no preview.")
    return Typed(said="\n".join([f"Preview of {row.label}:", row.preview]))


def _retyped(state: State) -> Typed:
    if not state.form.flow.retyping:
        return Typed(said="This form does not let you change how many answers a question takes.")
    typist = Typist(state)
    typist.press(Context.MAIN, Command.CHANGE_QUESTION_TYPE)
    return Typed(typist.events)


def _found(state: State, wanted: str) -> Typed:
    if not wanted:
        return Typed(said="Type / and what to search for, such as /log.")
    rows = _question(state).rows
    sought = wanted.casefold()
    found = [
        index for index, option in enumerate(state.question.options) if sought in clean_line(option.label).casefold()
    ]
    lines = [line for index in found[:_FOUND] for line in speech.row_line(rows[index], index)]
    if len(found) > _FOUND:
        more = len(found) - _FOUND
        lines.append(f"{more} more {'matches' if more == 1 else 'match'}. Type more of the word.")
    return Typed(said="\n".join(lines) or "Nothing matches.")


def _common(state: State, text: str) -> Typed:
    """What can be typed on a question and on the review alike."""
    typist = Typist(state)
    nothing = ""
    match text.lower():
        case "?" | "help":
            return Typed(said="\n".join(["You can type:", *_help(state)]))
        case "show":
            return Typed(said="\n".join(speech.page(state)))
        case "next" if state.on_review:
            return Typed(said="This is the last page. Type submit to send your answers.")
        case "next" | "review" if state.tabs == 1:
            return Typed(said=_ONLY)
        case "submit" if state.tabs == 1:
            return _went_on(state)
        case "next":
            typist.go_to_tab(state.tab + 1)
        case "back" if state.tab == 0:
            return Typed(said="This is the first question." if state.tabs > 1 else _ONLY)
        case "back":
            typist.go_to_tab(state.tab - 1)
        case "review" if state.on_review:
            return Typed(said="\n".join(speech.page(state)))
        case "review":
            typist.go_to_tab(len(state.form.questions))
        case "submit" | "elaborate" as action if action in state.form.flow.review_actions:
            return _acted(state, _ACTIONS[action])
        case "cancel":
            typist.cancel()
        case "undo":
            typist.press(Context.GLOBAL, Command.UNDO)
            nothing = "There is nothing to undo."
        case "redo":
            typist.press(Context.GLOBAL, Command.REDO)
            nothing = "There is nothing to redo."
        case "settings":
            typist.press(Context.GLOBAL, Command.SETTINGS)
        case _ if number := _QUESTION.fullmatch(text):
            return _to_question(state, _number(number[1]))
        case _:
            return Typed(said=_unknown(state, text))
    return Typed(typist.events, nothing if typist.state == state else "")


def _to_question(state: State, number: int) -> Typed:
    count = len(state.form.questions)
    if not 1 <= number <= count:
        return Typed(said=f"The questions go from 1 to {count}.")
    if number - 1 == state.tab:
        return Typed(said="\n".join(speech.page(state)))
    return _to_tab(state, number - 1)


def _acted(state: State, action: ReviewAction) -> Typed:
    """Submit or elaborate. Nothing is sent unseen: what has not been shown yet is shown first."""
    typist = Typist(state)
    typist.point_at(action)
    if typist.state.outcome == "submitted" and action != "submit":
        return Typed(said="All is answered, so it would be submitted at once. Write a note on what is to be explained.")
    seen = [*speech.page(state)] if state.on_review else []
    if {*speech.page(typist.state)} <= {*seen}:
        typist.act(action)
        return Typed(typist.events)
    return Typed(typist.events, f"Not sent yet. To send all of this, type {action} again.")


def _unknown(state: State, text: str) -> str:
    if not text:
        return "Nothing was typed."
    if state.on_review:
        return "That means nothing here."
    own = " To answer in your own words, type own and the words." if state.question.own_words else ""
    return f"That is no number and no command.{own}"


def _help(state: State) -> Iterator[str]:
    if state.on_review:
        for action in state.form.flow.review_actions:
            yield f"{action}: {_DOES[action]}"
    else:
        yield from _help_at_question(state)
    if len(state.form.questions) > 1:
        yield "question 1: go to that question"
    if state.tab:
        yield "back: the question before"
    yield "show: this page again"
    yield "undo, redo: take the last change back; make it again"
    yield "settings: change how ask behaves"
    if not state.on_review:
        yield f"cancel: {_DOES['cancel']}"
        if state.question.freeform:
            yield "Any other line is your answer."


def _help_at_question(state: State) -> Iterator[str]:
    question = state.question
    if question.freeform:
        yield "own and words: your answer, for words that are a command here"
    else:
        goes_on = "send it" if ends_here(state) else "go on"
        yield (
            f"1 2: choose exactly these and {goes_on}" if state.type == "multi" else f"2: choose number 2 and {goes_on}"
        )
        if question.own_words:
            yield "own and words: answer in your own words"
    if not ends_here(state):
        yield "clear: take your answer back"
    if state.form.flow.notes:
        yield "note and words: a note on this question; note - takes it away"
        if not question.freeform:
            yield "note 1 and words: a note on number 1; note 1 - takes it away"
    if question.type == "preview" and not question.freeform:
        yield "show 1: the preview of number 1"
    if not question.freeform and speech.is_long(_question(state)):
        yield "more: more of the list"
        yield "/word: the options with that word"
    if state.form.flow.retyping and not question.freeform:
        yield "type: allow several answers" if state.type != "multi" else "type: allow one answer only"
    if state.tabs > 1:
        yield "next: go on"
        yield "review: all your answers, to submit them"


_DOES: dict[ReviewAction, str] = {
    "submit": "send your answers",
    "elaborate": "ask for an explanation first",
    "cancel": "leave without sending; so does Ctrl+C",
}
