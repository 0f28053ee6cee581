"""The plain renderer: says in lines what a state shows, and finds the keys for what a person types in a line."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ask_core.answers import Answer
from ask_core.edge.renderers import Typed
from ask_core.events import Edited
from ask_core.keymap import Command, Context
from ask_core.questions import ReviewAction
from ask_core.result import result_of
from ask_core.screen import QuestionBody, Screen, SettingsBody
from ask_core.settings import RESET_ROW
from ask_core.state import Choosing, Configuring, Noting, Reviewing, State, Typing
from ask_core.summary import transcript
from ask_core.text.clean import clean_block
from ask_core.typist import Typist
from ask_core.view import view
from ask_render_plain.speech import PAGE, choice_lines, row_line, row_lines, screen_lines

_NUMBERS = re.compile(r"\d[\d\s,]*")
_ONE_NUMBER = re.compile(r"(\d+)(?:\s+(.*))?", re.DOTALL)
_FOUND = 20
# Wide enough for any line to stay whole: the terminal itself breaks them.
_COLUMNS = 10_000

_ACTIONS: dict[str, ReviewAction] = {"submit": "submit", "elaborate": "elaborate"}
# Words that are commands even where a line is an answer in own words.
_ALWAYS = ("?", "help", "next", "back", "review", "submit", "elaborate", "cancel", "settings", "undo", "redo")


class PlainRenderer:
    """Lines out, lines in. Remembers how much of a long list has been read out."""

    def __init__(self) -> None:
        self._first = 0
        self._begun = False

    def open(self, state: State) -> str:
        """All that `state` shows, from the beginning, and the prompt."""
        self._first = 0
        screen = view(state)
        head = [] if self._begun else _head(screen)
        self._begun = True
        return _text([*head, *_faults(screen), *_place(state, screen), ""]) + _prompt(state)

    def typed(self, state: State, line: str) -> Typed:
        """What a typed line means at this moment; see `?` for what there is."""
        match state.mode:
            case Typing() if not _is_command(state, line):
                return _written(state, line)
            case Noting():
                return _noted(state, line)
            case Configuring():
                return _configured(state, line)
            case Reviewing():
                return self._at_review(state, line.strip())
            case _:
                return self._at_question(state, line.strip())

    def follow(self, before: State, after: State, said: str) -> str:
        """What is new since `before`, and the next prompt."""
        if after.finished:
            lines = transcript(result_of(after), _COLUMNS) if after.form.questions else ()
            return _text(["", *("".join(span.text for span in line) for line in lines)])
        new = said.strip("\n").split("\n") if said.strip("\n") else []
        screen = view(after)
        if _spot(before) != _spot(after):
            self._first = 0
            if not before.on_review:
                new += _given(before, after)
            return _text([*new, "", *_faults(screen), *_place(after, screen), ""]) + _prompt(after)
        if after.origin.news != before.origin.news:
            new += _faults(screen)
        new += _changes(before, after, screen)
        if after.seconds_left is not None and after.seconds_left != before.seconds_left:
            # Not every second: that would be all one hears.
            if after.seconds_left not in (20, 10, 5):
                return ""
            return _text(["", screen.countdown or ""]) + _prompt(after)
        return _text(new) + _prompt(after)

    def _at_question(self, state: State, line: str) -> Typed:
        if not line:
            return _went_on(state)
        if _NUMBERS.fullmatch(line):
            return _chosen(state, line)
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        match word.lower():
            case "own":
                return _own(state, rest)
            case "note":
                return _note(state, rest)
            case "clear" if not rest:
                return _cleared(state)
            case "show":
                return _shown(state, rest)
            case "more":
                return self._more(state)
            case "type" if not rest:
                return _retyped(state)
            case _ if line.startswith("/"):
                return _found(state, line[1:].strip())
            case _:
                return _common(state, line)

    def _at_review(self, state: State, line: str) -> Typed:
        actions = state.form.flow.review_actions
        if line.isdecimal() and 1 <= int(line) <= len(actions):
            typist = Typist(state)
            typist.press_digit(int(line))
            return Typed(typist.events)
        return _common(state, line)

    def _more(self, state: State) -> Typed:
        body = view(state).body
        assert isinstance(body, QuestionBody)
        if self._first + PAGE >= len(body.rows):
            return Typed(said="That was the end of the list.")
        self._first += PAGE
        return Typed(said="\n".join(row_lines(body, self._first)))


def _head(screen: Screen) -> list[str]:
    title = [screen.title] if screen.title else []
    return [*title, *([f"{screen.asked_by} asks"] if screen.asked_by else [])]


def _faults(screen: Screen) -> list[str]:
    return [screen.notice[0]] if screen.notice else []


def _spot(state: State) -> tuple[int, type, bool]:
    """What makes a screen another one, which is read out whole."""
    writing = isinstance(state.mode, Typing) and not _freeform(state)
    return state.tab, Configuring if isinstance(state.mode, Configuring) else State, writing


def _freeform(state: State) -> bool:
    return not state.on_review and state.question.freeform


def _place(state: State, screen: Screen) -> list[str]:
    match state.mode:
        case Typing(buffer=buffer) if not _freeform(state):
            return _editing("own words", buffer.text)
        case Noting(buffer=buffer, option=option):
            on = "this question" if option is None else clean_block(state.question.options[option].label)
            return _editing(f"note on {on}", buffer.text)
        case _:
            return [*screen_lines(screen)]


def _editing(what: str, text: str) -> list[str]:
    if not text.strip():
        return [f"Type your {what} in a line, or nothing to leave it."]
    return [f"Your {what} so far:", *clean_block(text).split("\n"), "Type a new one, or nothing to keep it."]


def _prompt(state: State) -> str:
    match state.mode:
        case Typing() | Noting():
            return "Text: "
        case Configuring():
            return "Number, or nothing to close: "
        case _:
            return "Answer (? for help): "


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _given(before: State, after: State) -> list[str]:
    """What has been given to the question that was left, in a line."""
    tab = before.tab
    if after.answers[tab] == before.answers[tab]:
        return []
    from ask_core.result import answer_labels

    question = after.form.questions[tab]
    labels = ", ".join(clean_block(label) for label in answer_labels(question, after.answers[tab]))
    return [f"{clean_block(question.label)}: {labels or 'not answered'}"]


def _changes(before: State, after: State, screen: Screen) -> list[str]:
    lines = []
    if isinstance(screen.body, SettingsBody) and before.settings != after.settings:
        lines += [*screen_lines(screen)]
    elif isinstance(screen.body, QuestionBody):
        answer, given = before.answers[before.tab], after.answers[after.tab]
        if _choice(answer) != _choice(given) or before.types != after.types:
            lines += choice_lines(screen.body)
        if (answer.note, answer.option_notes) != (given.note, given.option_notes):
            lines.append("The note is saved." if given.noted else "There is no note any more.")
        if before.types != after.types:
            lines.append("Several answers are allowed now." if after.type == "multi" else "One answer is allowed now.")
    match after.mode:
        case Reviewing(armed=int(action)):
            lines.append(f"Type {action + 1} again to {after.form.flow.review_actions[action]}.")
        case Choosing(type_armed=True):
            lines.append("That clears your choices. Type it again to do it.")
        case Configuring(resetting=True):
            lines.append(f"That resets everything. Type {RESET_ROW + 1} again to do it.")
    if after.warned is not None and before.warned != after.warned:
        again = "Type cancel" if after.warned == "cancel" else "Press Ctrl+C"
        lines.append(f"Nothing has been sent. {again} again to leave.")
    return lines


def _choice(answer: Answer) -> tuple[object, ...]:
    return answer.selected, answer.custom, answer.custom_selected


def _is_command(state: State, line: str) -> bool:
    """Whether a line is meant for the flow although a text is open by itself."""
    words = line.strip().split(" ")
    return _freeform(state) and (line.strip().lower() in _ALWAYS or words[0].lower() in ("own", "note"))


def _written(state: State, line: str) -> Typed:
    typist = Typist(state)
    assert isinstance(state.mode, Typing)
    if line.strip():
        typist.write(line)
    elif state.mode.buffer.text.strip():
        typist.press(Context.EDITOR, Command.SUBMIT)
    elif _freeform(state):
        return _went_on(state)
    else:
        typist.step_back()
    return Typed(typist.events)


def _noted(state: State, line: str) -> Typed:
    typist = Typist(state)
    if line.strip():
        typist.happen(Edited(line))
        typist.press(Context.NOTE_EDITOR, Command.SAVE)
    else:
        typist.step_back()
    return Typed(typist.events)


def _configured(state: State, line: str) -> Typed:
    line = line.strip()
    typist = Typist(state)
    if not line or line.lower() in ("close", "cancel", "back"):
        typist.press(Context.SETTINGS_MODAL, Command.CLOSE)
        return Typed(typist.events)
    if not (line.isdecimal() and 1 <= int(line) <= RESET_ROW + 1):
        return Typed(said=f"Type a number from 1 to {RESET_ROW + 1}, or nothing to close the settings.")
    typist.change_setting(int(line) - 1)
    return Typed(typist.events)


def _went_on(state: State) -> Typed:
    """Go on to the next tab; an empty line alone skips nothing."""
    if not state.answer.answered:
        return Typed(said="Nothing was typed. Type an answer, or next to leave this one open.")
    typist = Typist(state)
    typist.go_to_tab(state.tab + 1)
    return Typed(typist.events)


def _rows(state: State, line: str) -> tuple[list[int], str]:
    """The rows that numbers stand for, or why they stand for none."""
    count = state.question.own_words_row + 1
    numbers = [int(number[:9]) for number in re.findall(r"\d+", line)]
    wrong = next((number for number in numbers if not 1 <= number <= count), None)
    if wrong is not None:
        return [], f"There is no number {wrong}; there are 1 to {count}."
    return [*dict.fromkeys(number - 1 for number in numbers)], ""


def _chosen(state: State, line: str) -> Typed:
    if state.question.freeform:
        return Typed(said="There is nothing to choose here. Type own and your words.")
    rows, wrong = _rows(state, line)
    if wrong:
        return Typed(said=wrong)
    own = state.question.own_words_row
    typist = Typist(state)
    if state.type != "multi":
        if len(rows) > 1:
            return Typed(said="This question takes one answer. Type one number.")
        if rows[0] == own:
            typist.open_own_words()
        else:
            typist.choose(rows[0])
        return Typed(typist.events)
    # Exactly these: who types a whole answer takes the former one back.
    held = {*state.answer.selected, *([own] if state.answer.custom_selected else [])}
    for row in sorted({*rows} ^ held):
        if row != own or state.answer.custom is not None:
            typist.toggle(row)
    if own in rows and state.answer.custom is None:
        typist.open_own_words()
    else:
        typist.go_to_tab(state.tab + 1)
    return Typed(typist.events)


def _own(state: State, text: str) -> Typed:
    typist = Typist(state)
    if text:
        typist.write(text)
    else:
        typist.open_own_words()
    return Typed(typist.events)


def _note(state: State, text: str) -> Typed:
    if not state.form.flow.notes:
        return Typed(said="This form takes no notes.")
    option = None
    numbered = _ONE_NUMBER.fullmatch(text)
    if numbered and not state.question.freeform:
        rows, wrong = _rows(state, numbered[1])
        if wrong:
            return Typed(said=wrong)
        option, text = rows[0], (numbered[2] or "").strip()
        if option == state.question.own_words_row:
            return Typed(said="Own words take no note. Type note and the text for one on the question.")
    typist = Typist(state)
    if text:
        typist.note(option, "" if text == "-" else text)
    else:
        typist.open_note(option)
    return Typed(typist.events)


def _cleared(state: State) -> Typed:
    if not state.answer.answered:
        return Typed(said="Nothing is chosen here.")
    typist = Typist(state)
    for row in state.answer.selected:
        typist.toggle(row)
    if state.answer.custom_selected:
        typist.write("")
        typist.step_back()
    return Typed(typist.events)


def _shown(state: State, number: str) -> Typed:
    rows, wrong = _rows(state, number) if number.isdecimal() else ([], "Type show and a number.")
    if wrong:
        return Typed(said=wrong)
    body = view(state).body
    assert isinstance(body, QuestionBody)
    row = body.rows[rows[0]]
    if not row.preview:
        return Typed(said="There is no preview of that.")
    return Typed(said="\n".join([f"Preview of {row.label}:", row.preview]))


def _retyped(state: State) -> Typed:
    if state.question.freeform or not state.form.flow.retyping:
        return Typed(said="The type of this question cannot be changed.")
    typist = Typist(state)
    typist.press(Context.MAIN, Command.CHANGE_QUESTION_TYPE)
    return Typed(typist.events) if typist.events else Typed(said="The action has no key, so it cannot be done.")


def _found(state: State, wanted: str) -> Typed:
    body = view(state).body
    assert isinstance(body, QuestionBody)
    lines: list[str] = []
    more = 0
    for index, option in enumerate(() if state.question.freeform else state.question.options):
        if wanted.casefold() not in option.label.casefold():
            continue
        if len(lines) < _FOUND:
            lines += row_line(body.rows[index], index)
        else:
            more += 1
    if more:
        lines.append(f"{more:,} more match; type a longer word.")
    return Typed(said="\n".join(lines) or "Nothing matches.")


def _common(state: State, line: str) -> Typed:
    """What can be typed on a question and on the review alike."""
    typist = Typist(state)
    last = len(state.form.questions)
    match line.lower():
        case "?" | "help":
            return Typed(said="\n".join(_help(state)))
        case "next" if state.on_review:
            return Typed(said="This is the review, the last page. Type submit to send.")
        case "next":
            typist.go_to_tab(state.tab + 1)
        case "back" if state.tab == 0:
            return Typed(said="This is the first question.")
        case "back":
            typist.go_to_tab(state.tab - 1)
        case "review":
            typist.go_to_tab(last)
        case "submit" | "elaborate" as action if _ACTIONS[action] not in state.form.flow.review_actions:
            return Typed(said=_unknown(state))
        case "submit" | "elaborate" as action if state.on_review:
            typist.act(_ACTIONS[action])
        case "submit" | "elaborate" as action:
            # Nothing is sent that was not seen.
            typist.go_to_tab(last)
            if not typist.state.finished:
                return Typed(typist.events, f"Before it is sent, this is all of it. Type {action} again.")
        case "cancel":
            typist.step_back()
            typist.press(Context.MAIN, Command.CANCEL)
        case "undo":
            typist.press(Context.GLOBAL, Command.UNDO)
        case "redo":
            typist.press(Context.GLOBAL, Command.REDO)
        case "settings":
            typist.press(Context.GLOBAL, Command.SETTINGS)
        case _:
            return Typed(said=_unknown(state))
    return Typed(typist.events, "" if typist.state != state else "There is nothing to do that with.")


def _unknown(state: State) -> str:
    if state.on_review:
        return "That is no command. Type submit, elaborate, back or cancel; ? lists all."
    return "That is no number and no command. For an answer in your own words, type own and the words; ? lists all."


def _help(state: State) -> Iterable[str]:
    lines: list[tuple[str, str]] = []
    if state.on_review:
        lines += [(action, _DOES[action]) for action in state.form.flow.review_actions if action != "cancel"]
    else:
        if not state.question.freeform:
            several = state.type == "multi"
            lines += [("1 3", "choose exactly these and go on")] if several else [("2", "choose that and go on")]
        lines.append(("own WORDS", "answer in your own words"))
        lines.append(("clear", "take the answer back"))
        if state.form.flow.notes:
            lines.append(("note WORDS", "a note on the question; note 2 WORDS on number 2; note - takes it away"))
        if state.type == "preview" or any(option.preview for option in state.question.options):
            lines.append(("show 2", "read the preview of number 2"))
        if len(state.question.options) > PAGE:
            lines.append(("more, /WORD", "the next of a long list; what matches a word"))
        if state.form.flow.retyping and not state.question.freeform:
            lines.append(("type", "allow several answers, or one again"))
        lines.append(("next, review", "leave it open and go on; all answers, to send them"))
    lines += [
        ("back", "the question before"),
        ("undo, redo", "take the last change back; make it again"),
        ("settings", "how ask behaves"),
        ("cancel", "leave without sending; Ctrl+C too"),
    ]
    widest = max(len(typed) for typed, _ in lines)
    return ["Type", *(f"  {typed.ljust(widest)}  {does}" for typed, does in lines)]


_DOES = {"submit": "send these answers", "elaborate": "ask for an explanation first"}
