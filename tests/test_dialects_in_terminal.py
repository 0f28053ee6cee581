"""The compact and the bounded dialect as a program meets them: the command on a real pseudo-terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.ptys import ROOT, Pty
from tests.strategies import BOUNDED_CALL as BOUNDED

ONE = {"questions": BOUNDED["questions"][:1]}
COMPACT: dict[str, Any] = {
    "questions": [
        {
            "question": "Which jobs should run the tests?",
            "header": "Jobs",
            "multiSelect": True,
            "options": [
                {"label": "Linux", "description": "On the newest release."},
                {"label": "macOS", "description": "Slow to start."},
            ],
        },
        {"question": "What should the notice say?", "header": "Notice"},
    ]
}
BOUNDED_DETAILS = {
    "questions": [
        BOUNDED["questions"][0],
        {**BOUNDED["questions"][1], "options": []},
    ],
    "answers": [
        {"id": "scope", "label": "Merge prompt and options", "wasCustom": False, "index": 2},
        {"id": "when", "label": "after the cut", "wasCustom": True},
    ],
    "cancelled": False,
    "warnings": [],
    "outcome": "submitted",
}
COMPACT_DETAILS = {
    "questions": [{name: question[name] for name in ("question", "header")} for question in COMPACT["questions"]],
    "answers": [
        {"header": "Jobs", "selected": ["Linux", "macOS"]},
        {"header": "Notice", "selected": [], "text": "after the cut"},
    ],
    "cancelled": False,
    "outcome": "submitted",
}
ENTER, DOWN, CTRL_C = "\r", "\x1b[B", "\x03"
COMMAND = [sys.executable, "-m", "ask_core.edge.cli", "run"]

pytestmark = pytest.mark.xdist_group("dialects-pty")


class Run:
    """The command on a form, asking on a pseudo-terminal and printing into files."""

    def __init__(self, folder: Path, form: object, *options: str, **terminal: Any) -> None:
        self._out, self._err = folder / "out", folder / "err"
        path = folder / "form.json"
        path.write_text(form if isinstance(form, str) else json.dumps(form))
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self.pty = Pty([*COMMAND, str(path), *options], stdout=out, stderr=err, **terminal)

    def __enter__(self) -> Pty:
        return self.pty.__enter__()

    def __exit__(self, *error: Any) -> None:
        self.pty.__exit__(*error)

    @property
    def printed(self) -> str:
        return self._out.read_text()

    @property
    def details(self) -> Any:
        return json.loads(self.printed)

    @property
    def complained(self) -> str:
        return self._err.read_text()


def assert_as_before(pty: Pty) -> None:
    """The terminal has its modes and its line settings back."""
    assert b"\x1b[?2004h" in pty.log, "nothing was ever switched on"
    assert pty.left_on() == set()
    assert pty.line() == pty.line_before


FORMS = pytest.mark.parametrize(
    ("form", "dialect", "keys", "numbers", "details"),
    [
        (BOUNDED, "bounded", DOWN + ENTER, "2", BOUNDED_DETAILS),
        (BOUNDED, "auto", "2", "2", BOUNDED_DETAILS),
        (COMPACT, "compact", " 2" + ENTER, "1 2", COMPACT_DETAILS),
        (COMPACT, "auto", "12" + ENTER, "2 1", COMPACT_DETAILS),
    ],
    ids=["bounded", "bounded-auto", "compact", "compact-auto"],
)


@FORMS
def test_a_form_is_answered_by_keys(
    tmp_path: Path, form: object, dialect: str, keys: str, numbers: str, details: object
) -> None:
    """The details are those of the dialect, the exit code is 0, and the terminal is as it was before."""
    run = Run(tmp_path, form, "--dialect", dialect)
    with run as pty:
        pty.until("Question 1 of 2")
        pty.send(keys)
        pty.until("Question 2 of 2")
        pty.send("after the cut")
        pty.until("after the cut")
        pty.settle()
        pty.send(ENTER)
        pty.until("Send these answers")
        assert "Elaborate" not in pty.text()
        pty.send(ENTER)
        assert pty.wait() == 0
        assert_as_before(pty)
    assert run.details == details
    assert run.complained == ""


@FORMS
def test_a_form_is_answered_by_lines(
    tmp_path: Path, form: object, dialect: str, keys: str, numbers: str, details: object
) -> None:
    """Typed lines give the same details as keys."""
    run = Run(tmp_path, form, "--dialect", dialect, "--renderer", "plain")
    with run as pty:
        pty.until("Question 1 of 2")
        pty.until("(? for help):")
        pty.send(f"{numbers}\n")
        pty.until("Type your answer (? for help):")
        pty.send("after the cut\n")
        pty.until("Type submit, back or cancel")
        pty.send("submit\n")
        assert pty.wait() == 0
        assert "Submitted." in pty.text()
        assert pty.line() == pty.line_before
    assert run.details == details
    assert run.complained == ""


@pytest.mark.parametrize(
    ("renderer", "answer", "text"),
    [
        ("blessed", "2", "Scope: user selected: 2. Merge prompt and options\n"),
        ("blessed", "3x" + ENTER, "Scope: user wrote: x\n"),
        ("plain", "1\n", "Scope: user selected: 1. Keep the current layout\n"),
        ("plain", "own both\n", "Scope: user wrote: both\n"),
    ],
)
def test_one_bounded_question_is_sent_by_its_answer(tmp_path: Path, renderer: str, answer: str, text: str) -> None:
    """No further key or line is needed, and `--format text` prints the words for the model."""
    run = Run(tmp_path, ONE, "--dialect", "bounded", "--format", "text", "--renderer", renderer)
    with run as pty:
        pty.until("(? for help):" if renderer == "plain" else "Enter send this")
        assert "Submit" not in pty.text()
        pty.send(answer)
        assert pty.wait() == 0
        assert "Submitted" in pty.text()
    assert run.printed == text
    assert run.complained == ""


@pytest.mark.parametrize("renderer", ["blessed", "plain"])
@pytest.mark.parametrize(
    ("form", "dialect", "answers", "text"),
    [
        (BOUNDED, "bounded", [], "User cancelled the questionnaire"),
        (
            COMPACT,
            "compact",
            [{"header": "Jobs", "selected": ["macOS"]}],
            "The user cancelled without submitting.\nGiven so far, not submitted:\nJobs: macOS",
        ),
    ],
    ids=["bounded", "compact"],
)
def test_a_form_that_is_left_says_so(
    tmp_path: Path, form: object, dialect: str, answers: object, text: str, renderer: str
) -> None:
    """Exit 130; of a bounded form no answer is told, of a compact one those that were given."""
    run = Run(tmp_path, form, "--dialect", dialect, "--format", "reply", "--renderer", renderer)
    with run as pty:
        pty.until("(? for help):" if renderer == "plain" else "Question 1 of 2")
        # A question of several answers is left by a key of its own.
        pty.send("2\n" if renderer == "plain" else "2" + (ENTER if dialect == "compact" else ""))
        pty.until("Question 2 of 2")
        for _ in range(2):
            pty.settle()
            pty.send("cancel\n" if renderer == "plain" else CTRL_C)
        assert pty.wait() == 130
        assert "Cancelled" in pty.text()
    reply = run.details
    assert reply["details"]["outcome"] == "cancelled"
    assert reply["details"]["cancelled"] is True
    assert reply["details"]["answers"] == answers
    assert reply["content"] == [{"type": "text", "text": text}]


@pytest.mark.parametrize("dialect", ["bounded", "compact"])
def test_without_a_terminal_nothing_is_asked(tmp_path: Path, dialect: str) -> None:
    """Exit 3; the details hold the questions, and the text says what the dialect's document says."""
    form = BOUNDED if dialect == "bounded" else COMPACT
    path = tmp_path / "form.json"
    path.write_text(json.dumps(form))
    done = subprocess.run(
        [*COMMAND, str(path), "--dialect", dialect, "--format", "reply"],
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=ROOT,
        env={"TERM": "xterm"},
        timeout=10,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr == b""
    reply = json.loads(done.stdout)
    assert reply["details"]["outcome"] == "no_screen"
    assert reply["details"]["answers"] == []
    expected = BOUNDED_DETAILS if dialect == "bounded" else COMPACT_DETAILS
    assert reply["details"]["questions"] == expected["questions"]
    text = reply["content"][0]["text"]
    if dialect == "bounded":
        assert text == "Error: UI not available (running in non-interactive mode)"
    else:
        assert text.startswith("Needs user input: ")
        assert "1. Jobs: Which jobs should run the tests? (several may be chosen)\n   1) Linux - On the newest" in text
        assert text.endswith("2. Notice: What should the notice say?\n   Answer in own words.")


OPTIONS = [{"label": str(number)} for number in range(11)]


@pytest.mark.parametrize(
    ("dialect", "form", "text", "paths"),
    [
        ("bounded", {"questions": []}, "Error: No questions provided\n", ["questions"]),
        (
            "bounded",
            {"questions": [{"prompt": "?", "options": OPTIONS}] * 9},
            "Error: too many questions (9) — the limit is 8\n"
            + "".join(f"Error: too many options (11) — the limit is 10 (questions[{index}])\n" for index in range(9)),
            ["questions", *(f"questions[{index}].options" for index in range(9))],
        ),
        (
            "bounded",
            {"questions": [{"prompt": "x" * 9000}]},
            "Error: arguments too large (9029 bytes) — the limit is 8192\n",
            ["payload"],
        ),
        (
            "bounded",
            '{"questions": [',
            "Error: No questions provided\npayload: not valid JSON: Expecting value: line 1 column 16 (char 15).\n",
            ["payload"],
        ),
        (
            "compact",
            {"questions": [{"question": "Which?", "header": "x" * 17}]},
            "Invalid ask_user payload:\n- questions[0].header: ",
            ["questions[0].header"],
        ),
        (
            "compact",
            '{"questions": [',
            "Invalid ask_user payload:\n- payload: not valid JSON: ",
            ["payload"],
        ),
        (
            "auto",
            {"questions": [{"question": "Which?", "prompt": "Which?", "header": "Which", "allowOther": True}]},
            "Invalid ask_user payload:\n- payload: can be read in several dialects (compact, bounded)",
            ["payload"],
        ),
    ],
    ids=["none", "too-many", "too-large", "cut-short", "compact-header", "compact-cut-short", "undecided"],
)
def test_a_form_that_is_wrong_is_not_shown(
    tmp_path: Path, dialect: str, form: object, text: str, paths: list[str]
) -> None:
    """Exit 2 with every issue and the text for the model, and not a byte goes to the terminal."""
    run = Run(tmp_path, form, "--dialect", dialect, "--format", "reply")
    with run as pty:
        assert pty.wait() == 2
        assert pty.log == b""
    reply = run.details
    assert reply["details"]["outcome"] == "invalid_input"
    assert [issue["path"] for issue in reply["details"]["error"]["issues"]] == paths
    assert f"{reply['content'][0]['text']}\n".startswith(text)


PAGES = (
    """\
 Question 1 of 2
 [○ Scope]  ○ When   Submit
 ──────────────────────────────────────
 What should the overlay keep?
 Choose one
 › 1 ○ Keep the current layout
       No visual change
   2 ○ Merge prompt and options
       One block, fewer lines
   3 ○ Type something.
 Enter choose   Space tick   Esc cancel
 ↑/↓ move   Tab next question""",
    """\
 Question 2 of 2
  ✓ Scope  [○ When]  Submit
 ──────────────────────────────────────
 When should this land?
 Type something.
 │ after the cut
 Enter save and go on
 Esc keep and close""",
    """\
 Submit
  ✓ Scope   ✓ When  [Submit]
 ──────────────────────────────────────
 ✓ Scope: Merge prompt and options
 ✓ When: after the cut
 › 1 Submit  Send these answers
   2 Cancel  Leave without sending
 Enter confirm   Esc cancel   ↑/↓ move
 Shift+Tab back to the questions""",
)


def await_page(pty: Pty, page: str) -> None:
    """Wait until the terminal shows this and nothing else."""
    pty.until(lambda: pty.text() == page)


def test_two_bounded_questions_in_a_small_terminal(tmp_path: Path) -> None:
    """At 40 columns and 15 rows every page shows its question, all of its rows, and what the first keys do."""
    run = Run(tmp_path, BOUNDED, "--dialect", "bounded", width=40, height=15)
    with run as pty:
        for keys, page in zip(("", "2after the cut", ENTER), PAGES, strict=True):
            pty.send(keys)
            await_page(pty, page)
        pty.send(ENTER)
        assert pty.wait() == 0
        assert pty.text() == "✓ Submitted\n  Scope: Merge prompt and options\n  When: after the cut"
    assert run.details == BOUNDED_DETAILS
