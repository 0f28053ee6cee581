"""What a state says in lines to somebody who answers by typing lines: all in words, nothing by place or colour."""

from __future__ import annotations

from collections.abc import Iterator

from ask_core.answers import Answer
from ask_core.questions import default_label
from ask_core.screen import Manual, QuestionBody, ReviewBody, Row, SettingRow, SettingsBody
from ask_core.settings import RESET_ROW, Settings
from ask_core.state import Choosing, Configuring, Noting, Reviewing, State, Typing, ends_here
from ask_core.text.clean import clean_block, clean_line
from ask_core.view import view

# Options that are listed at once. More would be read out for minutes, or run off the screen.
PAGE = 30

_HOW = {"single": "Choose one.", "preview": "Choose one.", "multi": "Choose one or several."}
_OWN_WORDS = "Your own words"
_VALUES: dict[bool | str, str] = {True: "on", False: "off"}
# Seconds before the idle limit that are told. Every one of them would be all that is heard.
_TOLD = (20, 10, 5)


def opening(state: State) -> Iterator[str]:
    """What is said once, before everything else."""
    if isinstance(state.mode, Configuring):
        return
    screen = view(state)
    if screen.title:
        yield clean_line(screen.title)
    if screen.asked_by:
        yield f"{clean_line(screen.asked_by)} asks."
    if screen.title or screen.asked_by:
        yield ""


def page(state: State, *, again: bool = False) -> Iterator[str]:
    """Everything to know about a page that has just opened; of a long list the beginning, or nothing `again`."""
    screen = view(state)
    match screen.body:
        case QuestionBody() as body:
            if screen.tabs:
                label = screen.tabs[screen.tab].label
                # A question without a label of its own is called by its number.
                yield screen.position if label == default_label(state.tab) else f"{screen.position}: {label}"
            yield from _question(state, body, again)
        case ReviewBody() as body:
            yield "Review of your answers"
            yield from _review(body)
        case body:
            yield "Settings"
            yield from _settings(body)


def prompt(state: State) -> str:
    """What can be typed now."""
    match state.mode:
        case Configuring():
            return "Type a number to change it, or just Enter to close the settings: "
        case Noting(option=option):
            on = _place(state, option)
            if _is_new(state):
                return f"Type your note on {on}, or just Enter for none: "
            return f"Type a new note on {on}, - to take it away, or just Enter to keep it: "
        case Typing() if not state.question.freeform:
            if _is_new(state):
                return "Type your own words, or just Enter for none: "
            return "Type new words, or just Enter to keep these: "
        case Reviewing():
            words = [action for action in state.form.flow.review_actions if action != "cancel"]
            return f"Type {', '.join(words)}, back or cancel (? for help): "
    several = "Type numbers, such as 1 2" if state.type == "multi" else "Type a number"
    wanted = "Type your answer" if state.question.freeform else several
    goes_on = ", or just Enter to send it" if ends_here(state) else ", or just Enter to go on"
    return f"{wanted}{goes_on if state.answer.answered else ''} (? for help): "


def given(before: State, after: State) -> Iterator[str]:
    """What has been given to a question that was left."""
    if not before.on_review and before.answer != after.answers[before.tab]:
        labels = ", ".join(_labels(after, before.tab)) or "not answered"
        yield from _after(f"{clean_line(before.question.label)}: ", labels)


def changes(before: State, after: State) -> Iterator[str]:
    """What is new on a page that is still open."""
    yield from notices(after, before.origin.news)
    body = view(after).body
    if isinstance(body, SettingsBody):
        yield from _changed_settings(before, after, body)
    elif isinstance(body, QuestionBody):
        yield from _changed_answer(before, after)
    elif (there := [*_review(body)]) != [*_review_before(before)]:
        yield from there
    if before.mode != after.mode:
        yield from _waits_for_more(after)
    if after.warned is not None and before.warned != after.warned:
        again = "Type cancel" if after.warned == "cancel" else "Press Ctrl+C"
        yield f"Nothing has been sent. {again} again to leave."


def hurry(before: State, after: State) -> Iterator[str]:
    """How long one may still do nothing."""
    left, earlier = after.seconds_left, before.seconds_left
    if left is None or left == earlier:
        return
    # A busy machine may pass over a second.
    if left in _TOLD or (earlier is not None and any(left < told < earlier for told in _TOLD)):
        yield f"Time is up in {left} second{'' if left == 1 else 's'}. Press Enter to stop that."


def notices(state: State, told: tuple[str, ...] = ()) -> Iterator[str]:
    """What is wrong with the settings and has not been told."""
    for fault in state.origin.news:
        if fault not in told:
            unsaved = fault == state.origin.unsaved
            said = "Your settings cannot be saved" if unsaved else "Your settings have a fault"
            yield f"{said}: {clean_line(fault)}"


def ending(state: State) -> Iterator[str]:
    """How the flow has ended."""
    count, answered = len(state.answers), sum(answer.answered for answer in state.answers)
    if not count:
        return
    match state.outcome:
        case "submitted" if not answered:
            yield "Submitted without an answer."
        case "submitted" if answered < count:
            yield f"Submitted, with {answered} of {count} questions answered."
        case "submitted":
            yield "Submitted."
        case "elaborated":
            yield f"Asked for an explanation.{' Your answers are kept.' if answered else ''}"
        case "cancelled":
            yield "Cancelled. Nothing was submitted."
        case "timed_out":
            yield "Time is up. Nothing was submitted."
        case _:
            yield "Ended. Nothing was submitted."


def row_lines(body: QuestionBody, first: int) -> Iterator[str]:
    """A page of the options, each with its number; what comes after it is counted."""
    count = options_in(body)
    last = min(first + PAGE, count) if is_long(body) else count
    for index in range(first, last):
        yield from row_line(body.rows[index], index)
    if last < count:
        yield f"{count - last} more. Type more for the next ones, or / and a word to search, such as /log."
    if count < len(body.rows) and (last == count or not first):
        yield from row_line(body.rows[count], count)


def is_long(body: QuestionBody) -> bool:
    """Whether the options are not listed all at once."""
    return options_in(body) > PAGE


def options_in(body: QuestionBody) -> int:
    """How many of the rows are options."""
    return len(body.rows) - body.rows[-1].own_words


def row_line(row: Row, index: int) -> Iterator[str]:
    """A row with its number, whether it is chosen, its description and its note."""
    chosen = " (chosen)" if row.chosen else ""
    if row.own_words:
        yield from _after(f"{index + 1}. {_OWN_WORDS}{chosen}{': ' if row.written else ''}", row.label * row.written)
        return
    description = f" - {row.description}" if row.description else ""
    yield from _after(f"{index + 1}. ", f"{row.label}{chosen}{description}")
    if row.note is not None:
        yield from _after("   Note: ", row.note)


def _question(state: State, body: QuestionBody, again: bool) -> Iterator[str]:
    yield from body.prompt.split("\n")
    listed = not body.freeform and not (again and state.question.filterable)
    if not body.freeform:
        yield f"{_HOW[body.type]} It is sent at once." if ends_here(state) else _HOW[body.type]
    if listed:
        yield from row_lines(body, 0)
    elif not body.freeform:
        yield f"The numbers are 1 to {len(body.rows)}, as before. Type show to list them."
    if body.preview is not None:
        yield "Type show and a number for its preview."
    if body.note is not None:
        yield from _after("Note on this question: ", body.note)
    yield from _choice(state, listed=listed)
    yield from _text_so_far(state)


def _choice(state: State, *, listed: bool = False) -> Iterator[str]:
    """The current choice; where the rows have just been `listed`, own words are not said again."""
    labels = _labels(state, state.tab)
    if listed and state.answer.custom_selected:
        labels[-1] = _OWN_WORDS.lower()
    if state.question.freeform:
        yield from _after("Your answer: ", labels[0]) if labels else iter(["Nothing is written yet."])
    else:
        yield from _after("Chosen: ", ", ".join(labels)) if labels else iter(["Nothing is chosen."])


def _labels(state: State, tab: int) -> list[str]:
    """What is chosen, as it stands in the list: options on a line each, own words on as many as they have."""
    answer, options = state.answers[tab], state.form.questions[tab].options
    own = [clean_block(answer.custom or "")] if answer.custom_selected else []
    return [*(clean_line(options[option].label) for option in answer.selected), *own]


def _review(body: ReviewBody) -> Iterator[str]:
    for question in body.questions:
        yield from _after(f"{question.label}: ", ", ".join(question.answers) or "not answered")
        for option, note in question.notes:
            yield from _after(f"   Note on {option}: " if option else "   Note: ", note)
    for action in body.actions:
        yield f"{action.number}. {action.label} - {action.help}"


def _review_before(state: State) -> Iterator[str]:
    body = view(state).body
    return _review(body) if isinstance(body, ReviewBody) else iter(())


def _settings(body: SettingsBody) -> Iterator[str]:
    """What is wrong, every setting with its number, and the file; not the keys, which nobody presses here."""
    faults = 1 if body.faulty else 0
    for part in body.manual[:faults]:
        yield from _part(part)
    for number, row in enumerate(body.rows, 1):
        yield f"{number}. {_setting(row)} - {row.help}"
    for part in body.manual[faults:]:
        yield from _part(part)


def _part(part: Manual) -> Iterator[str]:
    lines = [does for keys, does in part.lines if not keys]
    if lines:
        yield from _after(f"{part.heading}: ", "\n".join(lines))


def _setting(row: SettingRow) -> str:
    return row.label if row.value is None else f"{row.label}: {_VALUES.get(row.value, row.value)}"


def _changed_settings(before: State, after: State, body: SettingsBody) -> Iterator[str]:
    if isinstance(before.mode, Configuring) and before.mode.resetting and after.settings == Settings():
        yield "All settings and keys are the defaults now."
    elif before.settings != after.settings:
        old = view(before).body
        rows = old.rows if isinstance(old, SettingsBody) else ()
        yield from (_setting(row) for row, was in zip(body.rows, rows, strict=False) if row.value != was.value)
    if after.origin.unsaved is not None and before.origin.unsaved != after.origin.unsaved:
        yield f"That holds for now, but it cannot be saved: {clean_line(after.origin.unsaved)}"


def _changed_answer(before: State, after: State) -> Iterator[str]:
    was, now = before.answer, after.answer
    if before.types != after.types:
        yield "Several answers can be chosen now." if after.type == "multi" else "One answer can be chosen now."
    # Who has left their own words as they were hears that nothing has changed.
    left = isinstance(before.mode, Typing) and not after.question.freeform and not isinstance(after.mode, Typing)
    if left or before.types != after.types or _chosen(was) != _chosen(now):
        yield from _choice(after)
    for option in (None, *range(len(after.question.options))) if was.option_notes != now.option_notes else (None,):
        old, new = (at.note if option is None else at.option_note(option) for at in (was, now))
        if old != new and new is None:
            yield f"The note on {_place(after, option)} is gone."
        elif old != new:
            yield from _after(f"Note on {_place(after, option)}: ", clean_block(new or ""))
    if type(before.mode) is not type(after.mode):
        yield from _text_so_far(after)


def _chosen(answer: Answer) -> tuple[object, ...]:
    return answer.selected, answer.custom_selected, answer.custom if answer.custom_selected else None


def _text_so_far(state: State) -> Iterator[str]:
    """The text that is about to be written anew."""
    if isinstance(state.mode, Typing | Noting) and not _is_new(state):
        yield from _after("So far: ", clean_block(state.mode.buffer.text))


def _is_new(state: State) -> bool:
    return isinstance(state.mode, Typing | Noting) and not state.mode.buffer


def _place(state: State, option: int | None) -> str:
    """What a note is on."""
    return "this question" if option is None else clean_line(state.question.options[option].label)


def _waits_for_more(state: State) -> Iterator[str]:
    """What has to be typed a second time."""
    match state.mode:
        case Reviewing(armed=int(action)):
            yield f"Type {action + 1} again to {state.form.flow.review_actions[action]}."
        case Choosing(type_armed=True):
            yield "That takes all your choices back. If you want that, enter type again."
        case Configuring(resetting=True):
            yield f"That sets everything back, your keys too. If you want that, enter {RESET_ROW + 1} again."


def _after(lead: str, text: str) -> Iterator[str]:
    """Block text behind a lead, its further lines set in."""
    first, *rest = text.split("\n")
    yield f"{lead}{first}"
    inside = " " * (len(lead) - len(lead.lstrip()) + 3)
    yield from (f"{inside}{line}" for line in rest)
