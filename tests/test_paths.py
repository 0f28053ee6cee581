"""Finding files for references: on real folders, on the searching thread."""

from __future__ import annotations

import queue
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ask_core.edge.own_editor import edit
from ask_core.edge.paths import PathSearch
from ask_core.events import Edited, EditFailed, PathsFound


class Asker:
    """A search in a folder, and what it says."""

    def __init__(self, folder: Path) -> None:
        self.answers: queue.Queue[PathsFound] = queue.Queue()
        self.search = PathSearch(str(folder), self.answers.put)

    def last(self, query: str, seconds: float = 0.4) -> tuple[str, ...]:
        """The last answer to a query: there may be earlier ones while the tree is being read."""
        self.search.find(query)
        found = self.answers.get(timeout=10)
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            try:
                found = self.answers.get(timeout=left)
            except queue.Empty:
                break
        assert found.query == query
        return found.paths


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with files, hidden ones among them, and names that need care."""
    for name in (
        "src/main.py",
        "src/deep/er/mail.py",
        "docs/my notes.txt",
        ".hidden/main.py",
        "README.md",
        "build/x.o",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    (tmp_path / "odd\nname").write_text("x")
    return tmp_path


@pytest.fixture
def asker(tree: Path) -> Iterator[Asker]:
    asker = Asker(tree)
    yield asker
    asker.search.close()


def test_files_and_directories_are_found_by_any_of_their_letters(asker: Asker) -> None:
    """The best match first, hidden files left out, a directory with a slash."""
    assert asker.last("main") == ("src/main.py",)
    assert asker.last("srcma")[0] == "src/main.py"
    assert "src/deep/" in asker.last("deep")
    assert asker.last("notes") == ("docs/my notes.txt",)
    assert asker.last("hidden") == ()


def test_without_letters_the_nearest_come_first(asker: Asker) -> None:
    """An empty query lists the folder itself before what is deeper, and nothing that cannot be written in a line."""
    found = asker.last("")
    assert set(found[:4]) == {"README.md", "build/", "docs/", "src/"}
    assert not any("odd" in path for path in found)


def test_no_answer_names_a_path_twice(asker: Asker) -> None:
    """Neither the first one, out of the folder itself and what of the tree is read by then, nor a later one."""
    asker.search.find("")
    first = asker.answers.get(timeout=10).paths
    assert "README.md" in first
    assert len(set(first)) == len(first)
    later = asker.last("m")
    assert len(set(later)) == len(later)


def test_what_git_ignores_is_left_out(tree: Path, asker: Asker) -> None:
    """In a work tree git says what there is; new files count, ignored ones do not."""
    subprocess.run(["git", "init", "-q", str(tree)], check=True)
    (tree / ".gitignore").write_text("build/\n")
    assert asker.last("x.o") == ()
    assert asker.last("main") == ("src/main.py",)


def test_in_a_folder_that_git_ignores_as_a_whole_its_files_are_found(tree: Path) -> None:
    """Who works there wants to see what is there."""
    subprocess.run(["git", "init", "-q", str(tree)], check=True)
    (tree / ".gitignore").write_text("src/\n")
    asker = Asker(tree / "src")
    assert asker.last("main") == ("main.py",)
    asker.search.close()


def test_a_newer_query_stops_an_older_one(asker: Asker) -> None:
    """Only the last of several questions in a row is sure to be answered."""
    for query in ("m", "ma", "mai", "mail"):
        asker.search.find(query)
    assert asker.last("mail") == ("src/deep/er/mail.py",)


def test_a_folder_that_is_not_there_gives_nothing(tmp_path: Path) -> None:
    """No exception leaves the thread."""
    asker = Asker(tmp_path / "gone")
    assert asker.last("x") == ()
    asker.search.close()


def _editor(tmp_path: Path, script: str) -> dict[str, str]:
    path = tmp_path / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return {"VISUAL": f"{path} --flag", "EDITOR": "false", "PATH": "/usr/bin:/bin"}


def test_the_editor_writes_the_text(tmp_path: Path) -> None:
    """VISUAL goes before EDITOR and may have arguments; the line end that editors add is not the person's."""
    script = 'test "$1" = --flag && printf "%s more\\n" "$(cat "$2")" > "$2.new" && mv "$2.new" "$2"'
    with (tmp_path / "tty").open("w+") as there:
        assert edit("text", there.fileno(), _editor(tmp_path, script)) == Edited("text more")


@pytest.mark.parametrize("script", ["exit 3", 'rm "$2"; exit 0'])
def test_an_editor_that_fails_says_so(tmp_path: Path, script: str) -> None:
    """A code that is not 0, or no file any more."""
    with (tmp_path / "tty").open("w+") as there:
        assert isinstance(edit("text", there.fileno(), _editor(tmp_path, script)), EditFailed)


@pytest.mark.parametrize("environ", [{}, {"EDITOR": "no-such-editor-here"}, {"VISUAL": "'"}])
def test_an_editor_that_is_not_there_says_so(tmp_path: Path, environ: dict[str, str]) -> None:
    """Not set, not found, not to be parsed."""
    with (tmp_path / "tty").open("w+") as there:
        assert isinstance(edit("text", there.fileno(), environ | {"PATH": "/usr/bin:/bin"}), EditFailed)
