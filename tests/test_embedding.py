"""A renderer from another package: installed for real, found by name, by the settings, and by the terminal's type."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ask_core.edge import renderers
from ask_core.edge.renderers import BLESSED, PLAIN, CannotDraw, UnknownRenderer, check, choose, create
from tests.ptys import ROOT, Pty

PAGE = (ROOT / "docs" / "embedding.md").read_text("utf-8")
FORM = {
    "questions": [
        {
            "id": "q",
            "prompt": "Where to?",
            "options": [{"value": "a", "label": "There"}, {"value": "b", "label": "Here"}],
        }
    ]
}
PYPROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "ask-simple"
version = "1"

[tool.setuptools]
py-modules = ["ask_simple"]

"""

pytestmark = pytest.mark.xdist_group("embedding")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page's renderer installed in it, from a package outside the tree."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    code, head = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    [entry] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (source / "ask_simple.py").write_text(f"{head}\n\n{code}")
    (source / "pyproject.toml").write_text(PYPROJECT + entry + 'strange-term = "ask_simple:renderer"\n')
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    done = subprocess.run([*command, "--target", str(target), str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert list(target.glob("*.dist-info"))
    return target


def test_the_page_keeps_its_word() -> None:
    """The example is a renderer in some thirty lines."""
    code, _ = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len([line for line in code.splitlines() if line.strip()]) <= 32


@pytest.mark.parametrize(
    ("options", "environ"),
    [
        (["--renderer", "simple"], {}),
        ([], {"TERM": "strange-term"}),
        ([], {"ASK_SETTINGS": "{settings}"}),
    ],
    ids=["by name", "by the terminal", "by the settings"],
)
def test_it_draws(installed: Path, tmp_path: Path, options: list[str], environ: dict[str, str]) -> None:
    """A form is answered on it; an editor's cursor shows, and the terminal is left clean."""
    form, out, settings = tmp_path / "form.json", tmp_path / "out.json", tmp_path / "settings.json"
    form.write_text(json.dumps(FORM))
    settings.write_text(json.dumps({"schemaVersion": 5, "display": {"renderer": "simple"}}))
    environ = {name: value.format(settings=settings) for name, value in environ.items()}
    command = [sys.executable, "-m", "ask_core.edge.cli", "run", *options, str(form)]
    with out.open("wb") as stdout:
        pty = Pty(command, stdout=stdout, environ={"PYTHONPATH": f"{ROOT}{os.pathsep}{installed}"} | environ)
    with pty:
        pty.until("Where to?")
        assert b"\x1b[H\x1b[J" in pty.log
        pty.send("3")
        pty.until("Your own answer:")
        pty.until(lambda: not pty.screen.cursor.hidden)
        pty.send("x\r")
        pty.until("Submit")
        pty.send("\r")
        assert pty.wait() == 0
        assert pty.left_on() == set()
        assert "Submitted" in pty.text()
    assert json.loads(out.read_text())["answers"]["q"]["customText"] == "x"


def test_a_renderer_that_is_gone_is_told_and_done_without(tmp_path: Path) -> None:
    """Settings may name one that is not installed here: the form is asked all the same."""
    form, settings = tmp_path / "form.json", tmp_path / "settings.json"
    form.write_text(json.dumps(FORM))
    settings.write_text(json.dumps({"schemaVersion": 5, "display": {"renderer": "gone"}}))
    command = [sys.executable, "-m", "ask_core.edge.cli", "run", str(form)]
    with Pty(command, environ={"ASK_SETTINGS": str(settings)}) as pty:
        pty.until(lambda: "display.renderer: there is no renderer 'gone'" in " ".join(pty.text().split()))


BROKEN = """
def renderer(**_):
    raise RuntimeError("no luck")
"""


@pytest.mark.parametrize(("wished", "code"), [(True, 3), (False, 130)])
def test_a_renderer_that_is_broken_takes_nothing_with_it(tmp_path: Path, wished: bool, code: int) -> None:
    """By name it is no screen, with the reason; by the settings it is told and another one is taken."""
    form, out, settings = tmp_path / "form.json", tmp_path / "out.json", tmp_path / "settings.json"
    form.write_text(json.dumps(FORM))
    (tmp_path / "broken_one.py").write_text(BROKEN)
    info = tmp_path / "broken_one-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-one\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[ask.renderers]\nbroken = broken_one:renderer\n")
    settings.write_text(json.dumps({"schemaVersion": 5, "display": {"renderer": "auto" if wished else "broken"}}))
    options = ["--renderer", "broken"] if wished else []
    environ = {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}", "ASK_SETTINGS": str(settings)}
    with out.open("wb") as stdout:
        pty = Pty(
            [sys.executable, "-m", "ask_core.edge.cli", "run", *options, str(form)], stdout=stdout, environ=environ
        )
    with pty:
        if not wished:
            pty.until(lambda: "the renderer broken cannot be used" in " ".join(pty.text().split()))
            pty.send("\x03")
        assert pty.wait() == code
    reason = json.loads(out.read_text()).get("reason")
    assert reason == ("the renderer broken cannot be used: RuntimeError: no luck" if wished else None)


def test_a_name_that_nobody_has_is_refused_with_those_there_are(installed: Path) -> None:
    """The command says which renderers it could take, installed ones among them."""
    environ = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{installed}"}
    command = [sys.executable, "-m", "ask_core.edge.cli", "run", "--renderer", "nope", "form.json"]
    done = subprocess.run(command, env=environ, capture_output=True, text=True)
    assert done.returncode == 2
    assert "auto, blessed, plain, simple, strange-term" in done.stderr


def test_ours_are_found_without_looking_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is looked up for the renderers that come with the package, nor on terminals that are known (T9)."""

    def looked_up() -> None:
        raise AssertionError("looked for other packages")

    monkeypatch.setattr(renderers, "_registered", looked_up)
    for name in ("auto", BLESSED, PLAIN):
        check(name)
    for kind in ("xterm-256color", "tmux", "screen.xterm", "linux", "vt100"):
        assert choose("auto", "auto", {"TERM": kind}) == BLESSED
    for environ in ({}, {"TERM": "dumb"}, {"TERM": ""}, {"TERM": "unknown"}):
        assert choose("auto", "auto", environ) == PLAIN


@pytest.mark.parametrize(
    ("wished", "in_settings", "chosen"),
    [
        ("auto", "plain", "plain"),
        ("blessed", "plain", "blessed"),
        ("plain", "auto", "plain"),
        ("auto", "auto", "blessed"),
    ],
)
def test_a_wish_goes_before_the_settings(wished: str, in_settings: str, chosen: str) -> None:
    """And both before the terminal."""
    assert choose(wished, in_settings, {"TERM": "xterm"}) == chosen


def test_what_cannot_draw_says_so() -> None:
    """blessed on a terminal that moves no cursor; a name in the settings that nobody has."""
    with pytest.raises(CannotDraw, match="the terminal type is dumb"):
        create(BLESSED, fd=0, environ={"TERM": "dumb"}, fullscreen=False)
    with pytest.raises(UnknownRenderer):
        create("nope", fd=0, environ={"TERM": "xterm"}, fullscreen=False)
