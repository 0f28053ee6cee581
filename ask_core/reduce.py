"""The machine: one event in, one state out.

Rules of the machine
- A finished state ignores every event.
- An event that changes nothing gives back the very same object, so callers compare with `is`; only an outbox that is
  not empty is emptied first.
- Commands of the global context come first, then the mode decides; only the settings list, which covers everything,
  takes its own keys before the global ones. Dispatch is on the type of the mode.
- What happens because of a state, not because of a key (submitting by itself), happens once, in `_settle`, at the end.
- Pasted text only ever goes into an open editor. It never acts as keys.
"""

from __future__ import annotations

from typing import assert_never

from attrs import evolve

from ask_core import completion, history, reading
from ask_core.editing import ROW_EDITS
from ask_core.events import (
    Abort,
    Click,
    Countdown,
    Edited,
    EditFailed,
    Event,
    Paste,
    PathsFound,
    Resized,
    SettingsChanged,
    SettingsNotSaved,
    SettingsSaved,
    TimedOut,
    Wheel,
)
from ask_core.keymap import Command, Context, command
from ask_core.keys import Key
from ask_core.modes import choosing, configuring, filtering, noting, reviewing, typing
from ask_core.settings import RESET_ROW
from ask_core.state import (
    Choosing,
    Configuring,
    Filtering,
    Noting,
    Origin,
    Reviewing,
    State,
    TextMode,
    Typing,
    Writing,
    finish,
    is_complete,
    leave,
    with_buffer,
)
from ask_core.text import buffer as edits
from ask_core.text.clean import normalise_paste


def reduce(state: State, event: Event) -> State:
    """The state after `event`; the same object where nothing changed. Raises TypeError for what is no event."""
    if state.outbox:
        state = evolve(state, outbox=())
    if state.finished:
        return state
    after = _settle(_unwarned(state, completion.follow(state, _handle(state, event))))
    return state if after == state and not after.outbox else after


# A reason is told in a notice, so only its beginning is kept.
_REASON = 120

# Paging depends on how much is in sight, so it is decided here, above the modes.
_PAGES: dict[Command | None, int] = {Command.NEXT_PAGE: 1, Command.PREVIOUS_PAGE: -1}
_READS: dict[Command | None, int] = {Command.READ_ON: 1, Command.READ_BACK: -1}


def _handle(state: State, event: Event) -> State:
    match event:
        case Key():
            return _press(state, event)
        case Resized(width=width, height=height):
            return evolve(state, width=width, height=height)
        case SettingsChanged(settings=settings, notices=notices):
            return _with_origin(evolve(state, settings=settings), state.origin._replace(notices=notices))
        case SettingsSaved():
            return _with_origin(state, state.origin._replace(unsaved=None))
        case SettingsNotSaved(reason=reason):
            return _with_origin(state, state.origin._replace(unsaved=reason))
        case Click() | Wheel() | Paste() if not reading.is_shown(state):
            return state
        case Paste(text=text):
            return _paste(state, normalise_paste(text))
        case Click() | Wheel():
            from ask_core import pointing  # not everybody has a mouse (T9)

            point = pointing.click(state, event) if isinstance(event, Click) else pointing.wheel(state, event)
            return history.remember(state, point)
        case PathsFound() if isinstance(state.mode, Configuring) and state.mode.back is not None:
            # What is looked for goes on below the settings.
            found = completion.receive(evolve(state, mode=state.mode.back), event)
            assert not isinstance(found.mode, Configuring)
            return evolve(found, mode=state.mode._replace(back=found.mode))
        case PathsFound():
            return completion.receive(state, event)
        case Edited(text=text):
            return _edited(state, normalise_paste(text))
        case EditFailed(reason=reason):
            return _edit_failed(state, reason[:_REASON])
        case Countdown(seconds=seconds):
            return evolve(state, seconds_left=seconds)
        case TimedOut():
            return finish(state, "timed_out")
        case Abort(reason=reason):
            return finish(state, "aborted", reason)
        case _:
            raise TypeError(f"not an event: {event!r}")


def _with_origin(state: State, origin: Origin) -> State:
    """Take in what is known about the settings' file; what is new and wrong is told, once."""
    if origin == state.origin:
        return state
    before, after = (at.notices if at.unsaved is None else (at.unsaved, *at.notices) for at in (state.origin, origin))
    unread = [fault for fault in after if fault in state.origin.news or fault not in before]
    return evolve(state, origin=origin._replace(news=() if isinstance(state.mode, Configuring) else tuple(unread)))


def _press(state: State, key: Key) -> State:
    if isinstance(state.mode, Configuring):
        return _press_in_mode(state, key)
    match _global_command(state, key):
        case Command.DISMISS:
            return leave(state, "dismiss")
        case _ if not reading.is_shown(state):
            # Nothing answers a question that nobody sees (R6, R8).
            return state
        case Command.SETTINGS:
            return configuring.open_settings(state)
        case Command.READ_ON | Command.READ_BACK as name:
            return reading.read(state, _READS[name])
        case Command.UNDO:
            return _undo(state)
        case Command.REDO:
            return _redo(state)
        case _:
            return history.remember(state, _press_in_mode(state, key))


def _global_command(state: State, key: Key) -> Command | None:
    """The global command of a key. One that types a character belongs to a text, whatever it is bound to.

    While there is no text yet, it may still open the settings (contract, "Settings").
    """
    name = command(state.settings.keymaps, Context.GLOBAL, key.name)
    if key.text and isinstance(state.mode, TextMode):
        return name if name is Command.SETTINGS and not state.mode.buffer else None
    return name


def _press_in_settings(state: State, mode: Configuring, key: Key) -> State:
    """The list's own keys come first. It can be closed even where it cannot be seen."""
    name = configuring.command_of(state, key)
    if not reading.is_shown(state) and name is not Command.CLOSE:
        return state
    pages, reads = _PAGES.get(name), _READS.get(name or command(state.settings.keymaps, Context.GLOBAL, key.name))
    if pages:
        row = max(0, min(mode.row + pages * reading.page_of_settings(state), RESET_ROW))
        if row != mode.row and not mode.read:
            return configuring.highlight(state, mode, row)
        # For terminals that do not tell Shift+Down from Down: paging goes on in the manual.
        return reading.read(state, pages)
    return reading.read(state, reads) if reads else configuring.press(state, mode, key)


def _undo(state: State) -> State:
    """Undo in the open editor while it has anything to undo, else in the flow."""
    mode = state.mode
    if isinstance(mode, Writing):
        if mode.buffer.past:
            return with_buffer(state, edits.undo(mode.buffer))
        if mode.buffer.text != _saved(state, mode):
            # More was written than can be undone: going on would lose the rest.
            return state
    return history.undo(state)


def _redo(state: State) -> State:
    mode = state.mode
    if isinstance(mode, Writing):
        if mode.buffer.future:
            return with_buffer(state, edits.redo(mode.buffer))
        if mode.buffer.past or mode.buffer.text != _saved(state, mode):
            # What is being written is newer than what was taken back.
            return state
    return history.redo(state)


def _saved(state: State, mode: Writing) -> str:
    """What the text of the open editor is saved as."""
    answer = state.answer
    if isinstance(mode, Typing):
        return answer.custom or ""
    return (answer.note if mode.option is None else answer.option_note(mode.option)) or ""


def _press_in_mode(state: State, key: Key) -> State:
    pages = _PAGES.get(command(state.settings.keymaps, Context.MAIN, key.name), 0)
    match state.mode:
        case Choosing() as mode if pages:
            moved = choosing.highlight(state, mode, mode.row + pages * reading.page_of_rows(state))
            # For terminals that do not tell Shift+Down from Down: paging goes on in the texts.
            return reading.read(state, pages) if moved == state else moved
        case Choosing() as mode:
            return choosing.press(state, mode, key)
        case Filtering() as mode if pages and not key.text:
            return filtering.highlight(state, mode, mode.row + pages * reading.page_of_rows(state))
        case Filtering() as mode:
            return filtering.press(state, mode, key)
        case Reviewing() if pages:
            return reading.read(state, pages)
        case Typing() as mode:
            return typing.press(state, mode, key, _editor_columns(state, key))
        case Noting() as mode:
            return noting.press(state, mode, key, _editor_columns(state, key))
        case Reviewing() as mode:
            return reviewing.press(state, mode, key)
        case Configuring() as mode:
            return _press_in_settings(state, mode, key)
        case never:
            assert_never(never)


def _editor_columns(state: State, key: Key) -> int:
    """How wide the editor's rows are, where the key asks for it."""
    return reading.editor_columns(state) if key.name in ROW_EDITS else 0


def _paste(state: State, text: str) -> State:
    """Pasted text only ever goes into an open editor or filter."""
    mode = state.mode
    if isinstance(mode, Filtering):
        return filtering.paste(state, mode, text)
    return with_buffer(state, edits.insert(mode.buffer, text)) if isinstance(mode, Writing) else state


def _edited(state: State, text: str) -> State:
    """Put in what the person's own editor gave back; where the text was closed meanwhile, it is not wanted any more."""
    mode = state.mode
    return with_buffer(state, edits.replace(mode.buffer, text)) if isinstance(mode, Writing) else state


def _edit_failed(state: State, reason: str) -> State:
    mode = state.mode
    return evolve(state, mode=evolve(mode, failure=reason)) if isinstance(mode, Writing) else state


def _unwarned(before: State, after: State) -> State:
    """Take the warning about leaving back where something else is at stake now and no change of tab can do it (R14)."""
    if before.warned is None or after.warned is None or after.tabs > 1:
        return after
    changed = before.answers != after.answers or _unsaved(before) != _unsaved(after)
    return evolve(after, warned=None) if changed else after


def _unsaved(state: State) -> str | None:
    """The text that is being written, unless it is saved like that."""
    mode = state.mode
    if isinstance(mode, Writing) and mode.buffer.text != _saved(state, mode):
        return mode.buffer.text
    return None


def _settle(state: State) -> State:
    """Submit by itself on the review tab once everything is answered and nothing is noted, where that is wished."""
    if state.settings.behaviour.auto_submit_when_answered_without_notes and not state.finished and is_complete(state):
        return finish(state, "submitted")
    return state
