"""Finding files for `@` references, on a thread of its own, so that no key waits for it.

Hidden files are left out, and in a git work tree what git ignores. Paths are relative to the folder the search works
in; directories end with a slash.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from heapq import nlargest

from ask_core.completion import MOST
from ask_core.events import PathsFound
from ask_core.text.fuzzy import filtered, match

# How many matches are looked at to find the best of them.
_LOOKED_AT = 5000
# Paths searched before it is looked whether the query is still wanted.
_CHUNK = 1000
# Seconds between two answers while the tree is still being read, and until the tree is read anew.
_PATIENCE = 0.1
_STALE = 10.0


class PathSearch:
    """Answers queries, the newest only; `found` is called on the searching thread."""

    def __init__(self, folder: str, found: Callable[[PathsFound], None]) -> None:
        self._folder = folder
        self._found = found
        self._changed = threading.Condition()
        self._query: str | None = None
        self._closed = False
        self._thread: threading.Thread | None = None
        self._chunks: list[list[str]] = []
        self._read_at: float | None = None

    def find(self, query: str) -> None:
        """Search for this query from now on, and for no older one."""
        with self._changed:
            self._query = query
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="ask-paths", daemon=True)
                # Without a thread to be had, nothing is found.
                with contextlib.suppress(RuntimeError):
                    self._thread.start()
            self._changed.notify()

    def close(self) -> None:
        """Stop searching; nothing is found after this."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _run(self) -> None:
        answered = None
        while True:
            with self._changed:
                while self._query == answered and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                query = self._query or ""
            with contextlib.suppress(OSError):
                self._answer(query)
            answered = query

    def _is_wanted(self, query: str) -> bool:
        return self._query == query and not self._closed

    def _answer(self, query: str) -> None:
        if query.startswith("/"):
            # Elsewhere only what is there by that name; nobody reads the whole disc for it.
            self._say(query, self._best(query, [_folder_entries(self._folder, query)]))
            return
        if self._read_at is None or time.monotonic() - self._read_at > _STALE:
            self._read()
        self._say(query, self._best(query, self._chunks))

    def _read(self) -> None:
        """Read the tree, and answer meanwhile what is asked, out of what was read before or has been read so far."""
        known, chunks = self._chunks, list[list[str]]()
        in_git = _is_in_git(self._folder)
        answered: str | None = None
        said = 0.0
        for chunk in _chunks(_all_paths(self._folder, in_git=in_git)):
            chunks.append(chunk)
            query = self._query or ""
            if self._closed:
                return
            now = time.monotonic()
            if query != answered or now - said > _PATIENCE:
                # What git ignores is not known of a folder's own entries, so in a work tree they are no first answer.
                first = [] if known or in_git else [_folder_entries(self._folder, query)]
                self._say(query, self._best(query, known or [*first, *chunks]))
                answered, said = query, now
        self._chunks = chunks
        self._read_at = time.monotonic()

    def _say(self, query: str, paths: tuple[str, ...] | None) -> None:
        if paths is not None and self._is_wanted(query):
            self._found(PathsFound(query, paths))

    def _best(self, query: str, chunks: Iterable[list[str]]) -> tuple[str, ...] | None:
        """The best matches, or None where a newer query has come meanwhile."""
        candidates: list[str] = []
        for chunk in chunks:
            if not self._is_wanted(query):
                return None
            candidates += (chunk[index] for index in filtered(query, chunk, range(len(chunk))))
            if len(candidates) >= _LOOKED_AT:
                break
        # What a folder holds is in the first answer for itself, and perhaps already in what has been read.
        ranked = nlargest(MOST, dict.fromkeys(candidates), key=lambda path: _rank(query, path))
        return tuple(ranked)


def _rank(query: str, path: str) -> tuple[int, int, list[int]]:
    found = match(query, path)
    score = found.score if found and query else 0
    # Without a query the nearest come first; equals in the order of the alphabet.
    return score, -path.rstrip("/").count("/"), [-ord(character) for character in path[:40]]


def _chunks(paths: Iterator[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    for path in paths:
        chunk.append(path)
        if len(chunk) == _CHUNK:
            yield chunk
            chunk = []
    yield chunk


def _is_shown(path: str) -> bool:
    """Whether neither the path nor any folder of it is hidden, and it can be written into a text."""
    return path.isprintable() and not path.startswith(".") and "/." not in path


def _folder_entries(folder: str, query: str) -> list[str]:
    """What the folder that the query has come to holds."""
    within, slash, _ = query.rpartition("/")
    try:
        with os.scandir(os.path.join(folder, within)) as entries:  # noqa: PTH118 - Path is slow to import
            names = [entry.name + "/" * entry.is_dir() for entry in entries]
    except OSError:
        return []
    return sorted(path for name in names if _is_shown(path := within + slash + name))


def _all_paths(folder: str, *, in_git: bool) -> Iterator[str]:
    """Every file and directory: what git knows or would add, or else what is there."""
    seen: set[str] = set()
    for path in _git_paths(folder) if in_git else _walked(folder):
        end = path.find("/")
        while end > 0:
            directory = path[: end + 1]
            if directory not in seen:
                seen.add(directory)
                yield directory
            end = path.find("/", end + 1)
        if not path.endswith("/"):
            yield path


def _is_in_git(folder: str) -> bool:
    """Whether git can say what there is: the folder is in a work tree and not ignored there as a whole."""
    return _git(folder, "rev-parse", "--is-inside-work-tree") == 0 and _git(folder, "check-ignore", "-q", ".") == 1


def _git(folder: str, *arguments: str) -> int | None:
    """The exit code of git; None where there is no git or no such folder."""
    try:
        return subprocess.run(
            ["git", *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False
        ).returncode
    except OSError:
        return None


def _git_paths(folder: str) -> Iterator[str]:
    """Files of the git work tree that the folder is in, ignored ones left out."""
    process = subprocess.Popen(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        held = b""
        while block := process.stdout.read(65536):
            *whole, held = (held + block).split(b"\0")
            yield from filter(_is_shown, map(os.fsdecode, whole))
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def _walked(folder: str) -> Iterator[str]:
    """Files and directories by breadth, links to directories not followed."""
    pending = [""]
    for within in pending:
        with contextlib.suppress(OSError), os.scandir(os.path.join(folder, within)) as entries:  # noqa: PTH118 - Path is slow to import
            for entry in sorted(entries, key=lambda entry: entry.name):
                path = within + entry.name
                if _is_shown(path):
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(f"{path}/")
                        yield f"{path}/"
                    else:
                        yield path
