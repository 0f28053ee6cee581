"""File references in a text: a list of paths while a word that begins with `@` is written.

The core asks for paths (FindPaths) and is answered (PathsFound); an answer to a query that has changed is ignored.
Paths with white space are quoted: `@"my notes.txt"`.
"""

from __future__ import annotations

import re

from attrs import evolve

from ask_core.effects import FindPaths
from ask_core.events import PathsFound
from ask_core.state import Completion, State, Writing, with_buffer
from ask_core.text import buffer as edits
from ask_core.text.buffer import TextBuffer
from ask_core.text.clean import normalise_paste
from ask_core.text.fuzzy import match

# A reference longer than this is not completed any more.
_REACH = 500
# How many paths an answer holds at most: the best of those that match.
MOST = 50
# In lower terminals there may be no room for the list, and nothing may be taken that nobody sees.
_LOWEST = 12

_WORD = re.compile(r'(?:^|[\s(\[{<,;:])@(?:"([^"\n]*)|([^\s"]*))\Z')


def follow(before: State, after: State) -> State:
    """`after` with the list that fits the word before the cursor: opened by writing, closed by leaving the word."""
    mode, earlier = after.mode, before.mode
    if not isinstance(mode, Writing) or not isinstance(earlier, Writing):
        return after
    if (after.tab, type(mode)) != (before.tab, type(earlier)) or after.height < _LOWEST:
        return after
    last, buffer = earlier.buffer, mode.buffer
    if (buffer.before, buffer.after) == (last.before, last.after):
        return after
    word = _word(buffer)
    completion = mode.completion
    wrote = len(buffer.before) + len(buffer.after) != len(last.before) + len(last.after)
    if word is None or not (wrote or (completion and completion.start == word[0])):
        return after if completion is None else evolve(after, mode=evolve(mode, completion=None))
    start, query = word
    if completion and completion.start == start and completion.closed:
        return after
    paths = tuple(path for path in completion.paths if match(query, path)) if completion else ()
    asked = Completion(start, query, paths)
    return evolve(after, mode=evolve(mode, completion=asked), outbox=(*after.outbox, FindPaths(query)))


def is_open(mode: Writing) -> bool:
    """Whether there is a list to choose from."""
    return mode.completion is not None and bool(mode.completion.paths) and not mode.completion.closed


def receive(state: State, found: PathsFound) -> State:
    """Show the paths that were found, unless the query has changed since."""
    mode = state.mode
    if not isinstance(mode, Writing) or mode.completion is None or mode.completion.query != found.query:
        return state
    return evolve(state, mode=evolve(mode, completion=mode.completion._replace(paths=found.paths, highlighted=0)))


def move(state: State, mode: Writing, step: int) -> State:
    """Highlight another path of the open list."""
    completion = mode.completion
    assert completion is not None
    highlighted = max(0, min(completion.highlighted + step, len(completion.paths) - 1))
    return evolve(state, mode=evolve(mode, completion=completion._replace(highlighted=highlighted)))


def close(state: State, mode: Writing) -> State:
    """Close the list for the word that is being written; the text stays."""
    completion = mode.completion
    assert completion is not None
    return evolve(state, mode=evolve(mode, completion=completion._replace(closed=True)))


def take(state: State, mode: Writing) -> State:
    """Put the highlighted path in for the word; after a directory the list goes on with what is in it."""
    completion = mode.completion
    assert completion is not None
    path = normalise_paste(completion.paths[completion.highlighted])
    spaced = any(character.isspace() for character in path)
    start, end = ('@"', '" ') if spaced else ("@", " ")
    reference = f"{start}{path}{'' if path.endswith('/') else end}"
    return with_buffer(state, edits.replace_before(mode.buffer, completion.start, reference))


def _word(buffer: TextBuffer) -> tuple[int, str] | None:
    """Where the reference before the cursor begins, and what of it is written."""
    near = buffer.before[-_REACH:]
    found = _WORD.search(near) if "@" in near else None
    if found is None:
        return None
    start = len(buffer.before) - len(near) + near.index("@", found.start())
    return start, found[1] if found[1] is not None else found[2]
