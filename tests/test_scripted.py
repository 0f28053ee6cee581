"""`ask run --answers` and `--keys`: forms that nobody is asked, under the conditions of a CI runner."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ask_core.edge.cli import main
from ask_core.settings import Settings
from ask_core.settings_file import settings_as_mapping
from tests.ptys import ROOT, Pty

COMMAND = [sys.executable, "-W", "error", "-m", "ask_core.edge.cli", "run"]

LEVELS = [{"value": "info", "label": "Info"}, {"value": "debug", "label": "Debug"}]
SINKS = [{"value": name, "label": name.title()} for name in ("stdout", "file", "net")]
FORM: dict[str, Any] = {
    "title": "Logging",
    "questions": [
        {"id": "level", "label": "Level", "prompt": "Which level?", "options": LEVELS},
        {"id": "sinks", "label": "Sinks", "prompt": "Where to?", "type": "multi", "options": SINKS},
    ],
}
REQUIRED = {**FORM, "questions": [{**question, "required": True} for question in FORM["questions"]]}

LEVEL_IDS = 'there are "level", "sinks"'
NO_QUESTION = f"answers.levl: there is no such question; {LEVEL_IDS}."
NO_SINK = 'is no value of this question; there are "stdout", "file", "net". Own words go into customText.'

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def form(tmp_path: Path) -> str:
    return written(tmp_path, "form.json", FORM)


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests in this process must not find the terminal that pytest runs in."""
    monkeypatch.setenv("ASK_TTY", "/dev/null")


def written(folder: Path, name: str, value: object) -> str:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


def in_ci(
    folder: Path, *arguments: str, stdin: bytes | None = b"", environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The command without a terminal, TERM, or a home folder with anything in it; `stdin` None closes that."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    base = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(ROOT)}
    closing = ["sh", "-c", 'exec "$@" <&-', "sh"] if stdin is None else []
    return subprocess.run(
        [*closing, *COMMAND, *arguments],
        input=stdin,
        capture_output=True,
        start_new_session=True,
        env=base | dict(environ or {}),
        cwd=folder,
        timeout=20,
    )


def of(outcome: str, printed: bytes) -> dict[str, Any]:
    details: dict[str, Any] = json.loads(printed)
    assert details["outcome"] == outcome
    return {id: answer["values"] for id, answer in details["answers"].items()}


INFO_TO_FILE = {"level": ["info"], "sinks": ["file"]}


@pytest.mark.parametrize("stdin", [b"", None], ids=["empty", "closed"])
@pytest.mark.parametrize(
    ("answers", "keys", "code", "outcome", "given"),
    [
        ({"level": "info", "sinks": ["file"]}, "1 2 tab enter", 0, "submitted", INFO_TO_FILE),
        ({"mode": "elaborate", "answers": {"level": "info"}}, "enter tab 2 2", 0, "elaborated", {"level": ["info"]}),
        ({"mode": "cancel", "answers": {"level": "info"}}, "1 esc esc", 130, "cancelled", {"level": ["info"]}),
        ({}, "tab tab enter", 0, "submitted", {}),
    ],
)
def test_without_a_terminal_it_answers_and_ends(
    tmp_path: Path,
    form: str,
    answers: object,
    keys: str,
    code: int,
    outcome: str,
    given: dict[str, Any],
    stdin: bytes | None,
) -> None:
    """Each ending has its exit code, the same JSON by answers and by keys, and no word on standard error."""
    path = written(tmp_path, "answers.json", answers)
    by_answers, by_keys = (
        in_ci(tmp_path, form, *options, stdin=stdin) for options in (["--answers", path], ["--keys", keys])
    )
    assert (by_answers.returncode, by_keys.returncode) == (code, code)
    assert of(outcome, by_answers.stdout) == given
    assert json.loads(by_keys.stdout) == json.loads(by_answers.stdout)
    assert by_answers.stderr == by_keys.stderr == b""
    assert list((tmp_path / "home").iterdir()) == [], "nothing is put into the home folder"


def test_without_answers_the_fallback_is_printed(tmp_path: Path, form: str) -> None:
    """Nobody to ask and nothing to answer with: exit 3 at once, the questions in words for whoever reads the log."""
    done = in_ci(tmp_path, form, stdin=None)
    assert done.returncode == 3
    assert of("no_screen", done.stdout) == {}
    said = done.stderr.decode()
    assert said.startswith("Needs user input")
    assert "1. Level: Which level?\n   1) Info\n   2) Debug\n" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("options", [["--answers", "-"], ["--keys", "2 tab enter"]])
def test_a_terminal_that_is_there_is_left_alone(tmp_path: Path, form: str, options: list[str]) -> None:
    """Nothing is drawn, asked or switched on."""
    answers = written(tmp_path, "answers.json", {"level": "debug"})
    out, err = tmp_path / "out", tmp_path / "err"
    with Path(answers).open("rb") as stdin, out.open("wb") as stdout, err.open("wb") as stderr:
        pty = Pty([*COMMAND, form, *options], stdin=stdin, stdout=stdout, stderr=stderr)
    with pty:
        assert pty.wait() == 0
        assert pty.log == b""
        assert pty.line() == pty.line_before
    assert of("submitted", out.read_bytes()) == {"level": ["debug"]}
    assert err.read_bytes() == b""


def test_answers_come_from_standard_input(tmp_path: Path, form: str) -> None:
    """`--answers -` reads all of it, with a byte order mark or without, and own words in any language."""
    answers = {"level": {"customText": "Überall außer nachts 🌙"}}
    done = in_ci(tmp_path, form, "--answers", "-", stdin=b"\xef\xbb\xbf" + json.dumps(answers).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert of("submitted", done.stdout) == {"level": ["Überall außer nachts 🌙"]}


def test_the_form_may_come_from_there_instead(tmp_path: Path) -> None:
    """Where it is the form that is piped in, the answers are a file or keys."""
    answers = written(tmp_path, "answers.json", {"level": "info"})
    for options in (["--answers", answers], ["--keys", "1 tab enter"]):
        done = in_ci(tmp_path, "-", *options, stdin=json.dumps(FORM).encode())
        assert (done.returncode, done.stderr) == (0, b"")
        assert of("submitted", done.stdout) == {"level": ["info"]}


def test_form_and_answers_cannot_both_come_from_there(tmp_path: Path) -> None:
    """One of them would find nothing left, so that is bad usage, said as what it is."""
    done = in_ci(tmp_path, "-", "--answers", "-", stdin=json.dumps(FORM).encode())
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"ask: only one of the form and its answers can come from standard input\n"


def test_a_closed_standard_input_holds_no_answers(tmp_path: Path, form: str) -> None:
    """`--answers - <&-` says so, exit 2."""
    done = in_ci(tmp_path, form, "--answers", "-", stdin=None)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"ask: cannot read -: standard input is closed\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not valid JSON: Expecting value: line 1 column 1 (char 0)."),
        ('{"level": "info",}', "not valid JSON: "),
        ("\udcff", "not valid utf-8 text at byte 0."),
        ("[" * 100_000, "nested too deeply."),
    ],
)
def test_answers_that_are_no_json(tmp_path: Path, form: str, text: str, why: str, capsys: Printed) -> None:
    """Exit 2, one line that names the file and the place, and no result."""
    path = tmp_path / "answers.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert main(["run", form, "--answers", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"ask: {path}: {why}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_answers_that_cannot_be_read(tmp_path: Path, form: str, name: str, capsys: Printed) -> None:
    """Exit 2, a line that says why, and no result."""
    path = tmp_path / name
    assert main(["run", form, "--answers", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"ask: cannot read {path}: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("answers", "issues"),
    [
        ([], [("answers", "must be an object of answers by question id, got an array.")]),
        ({"levl": "info"}, [("answers.levl", f"there is no such question; {LEVEL_IDS}.")]),
        ({"level": ["info", "debug"]}, [("answers.level", "takes one answer, got 2.")]),
        ({"level": {"values": ["info"], "customText": "own"}}, [("answers.level", "takes one answer, got 2.")]),
        ({"sinks": ["disk"]}, [("answers.sinks.values[0]", NO_SINK)]),
        (
            {"levl": "info", "sinks": ["net", "disk", "net"]},
            [
                ("answers.levl", f"there is no such question; {LEVEL_IDS}."),
                ("answers.sinks.values[1]", NO_SINK),
                ("answers.sinks.values[2]", "is there twice."),
            ],
        ),
        ({"answers": {}, "mode": "send"}, [("mode", "must be one of submit, elaborate, cancel.")]),
    ],
)
def test_answers_that_do_not_fit_are_listed(
    tmp_path: Path, form: str, answers: object, issues: list[tuple[str, str]], capsys: Printed
) -> None:
    """Exit 2; all faults with their paths, a line each on standard error and an issue each in the JSON; no answer."""
    assert main(["run", form, "--answers", written(tmp_path, "answers.json", answers)]) == 2
    out, err = capsys.readouterr()
    assert err.splitlines() == ["These answers do not fit the form:", *(f"{path}: {why}" for path, why in issues)]
    details = json.loads(out)
    assert (details["outcome"], details["cancelled"], details["answers"]) == ("invalid_input", True, {})
    assert [question["id"] for question in details["questions"]] == ["level", "sinks"]
    assert details["error"] == {
        "kind": "invalid_input",
        "issues": [{"path": path, "message": why} for path, why in issues],
    }


@pytest.mark.parametrize("options", [["--answers", "answers.json"], ["--keys", "enter"]])
def test_a_form_that_cannot_be_asked_cannot_be_answered(tmp_path: Path, options: list[str]) -> None:
    """Its own faults come first, exit 2."""
    written(tmp_path, "answers.json", {"levl": 1})
    done = in_ci(tmp_path, written(tmp_path, "form.json", {"questions": [{"id": "level"}]}), *options)
    assert done.returncode == 2
    assert [issue["path"] for issue in json.loads(done.stdout)["error"]["issues"]] == [
        "questions[0].prompt",
        "questions[0].options",
    ]
    assert done.stderr.startswith(b"Invalid ask_user payload:\n- questions[0].prompt: ")


@pytest.mark.parametrize(
    ("options", "code", "missing"),
    [
        (["--keys", "tab tab enter"], 0, "Level, Sinks"),
        (["--keys", "1 tab enter"], 0, "Sinks"),
        (["--keys", "1 1 tab enter"], 0, None),
        (["--keys", "tab tab 2 2"], 0, "Level, Sinks"),
        (["--keys", "ctrl+c"], 130, None),
    ],
)
def test_what_is_required_is_reported_and_not_enforced(
    tmp_path: Path, options: list[str], code: int, missing: str | None, capsys: Printed
) -> None:
    """One line names the questions without an answer; the exit code and the result are as ever."""
    assert main(["run", written(tmp_path, "form.json", REQUIRED), *options]) == code
    out, err = capsys.readouterr()
    assert err == (f"ask: marked as required and not answered: {missing}\n" if missing else "")
    assert json.loads(out)["cancelled"] is (code != 0)
    assert "required" not in out


def test_a_note_is_no_answer_to_what_is_required(tmp_path: Path, capsys: Printed) -> None:
    """The same by a file of answers: a note alone leaves the question open."""
    answers = {"level": {"note": "Ask ops."}, "sinks": ["net"]}
    form, path = written(tmp_path, "form.json", REQUIRED), written(tmp_path, "answers.json", answers)
    assert main(["run", form, "--answers", path]) == 0
    out, err = capsys.readouterr()
    assert err == "ask: marked as required and not answered: Level\n"
    assert json.loads(out)["answers"]["level"]["note"] == "Ask ops."


def test_the_settings_of_the_person_are_not_read(tmp_path: Path, form: str) -> None:
    """Auto-submit, other keys and notifications in their file change nothing, and the file stays as it is."""
    stored: dict[str, Any] = dict(settings_as_mapping(Settings()))
    stored["behaviour"] |= {"autoSubmitWhenAnsweredWithoutNotes": True, "presentSingleAsMulti": True}
    stored["keymaps"]["main"]["confirm"] = ["ctrl+k"]
    stored["notifications"] = {"channels": ["bell", {"type": "command", "command": f"touch '{tmp_path}/notified'"}]}
    file = Path(written(tmp_path, "settings.json", stored))
    before = (file.read_bytes(), file.stat().st_mtime_ns)
    answers = written(tmp_path, "answers.json", {"level": "info", "sinks": ["file"]})
    settings = {"ASK_SETTINGS": str(file)}
    done = in_ci(tmp_path, form, "--keys", "enter 2 enter", environ=settings)
    assert done.returncode == 2, "it would have submitted itself"
    assert of("aborted", done.stdout) == INFO_TO_FILE
    done = in_ci(tmp_path, form, "--keys", "enter 2 enter enter", "--settings", str(file))
    assert (done.returncode, done.stderr) == (0, b"")
    done = in_ci(tmp_path, form, "--answers", answers, environ=settings)
    assert (done.returncode, done.stderr) == (0, b"")
    assert of("submitted", done.stdout) == INFO_TO_FILE
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    assert not (tmp_path / "notified").exists()


def test_no_settings_file_is_made(tmp_path: Path, form: str) -> None:
    """Neither where ASK_SETTINGS says nor beside it, also where keys change a setting."""
    file = tmp_path / "config" / "settings.json"
    done = in_ci(tmp_path, form, "--keys", "? space down space esc tab tab enter", environ={"ASK_SETTINGS": str(file)})
    assert (done.returncode, done.stderr) == (0, b"")
    assert not file.parent.exists()
    assert list((tmp_path / "home").iterdir()) == []


KEYS = [
    ("down enter tab enter", {"level": ["debug"]}),
    ("2 tab enter", {"level": ["debug"]}),
    ("2\n\t tab\n enter", {"level": ["debug"]}),
    ("Down RETURN Tab Enter", {"level": ["debug"]}),
    ("text:21 enter enter", {"level": ["debug"], "sinks": ["stdout"]}),
    ("3 text:'own words' enter tab enter", {"level": ["own words"]}),
    ('3 text:"own words" enter tab enter', {"level": ["own words"]}),
    ("3 text:own\\ words enter tab enter", {"level": ["own words"]}),
    ("3 'text:say \"hi\" & <b>' enter tab enter", {"level": ['say "hi" & <b>']}),
    ("3 text:Ünïcode-🌙 enter tab enter", {"level": ["Ünïcode-🌙"]}),
    ("3 text: a b 'shift+c' text:text: enter tab enter", {"level": ["abCtext:"]}),
    ('3 o w n space "\'" enter tab enter', {"level": ["own '"]}),
    ("3 text:one shift+enter text:two enter tab enter", {"level": ["one\ntwo"]}),
    ("3 text:wrong ctrl+u text:right enter tab enter", {"level": ["right"]}),
]


@pytest.mark.parametrize(("keys", "given"), KEYS, ids=[keys for keys, _ in KEYS])
def test_keys_are_names_characters_and_text(keys: str, given: dict[str, Any], form: str, capsys: Printed) -> None:
    """Between blanks, quoted as in a shell; what follows `text:` is typed character by character."""
    assert main(["run", form, "--keys", keys]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert of("submitted", out.encode()) == given


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ("down entr", "there is no key called 'entr'"),
        ("enter hyper+x", "there is no key called 'hyper+x'"),
        ("''", "there is no key called ''"),
        ("3 text:'two\nlines'", "'\\n' is no character that a key types"),
        ("3 'text:\x1b[A'", "'\\x1b' is no character that a key types"),
        ("3 text:\udcff", "'\\udcff' is no character that a key types"),
        ("3 text:'own words", "No closing quotation"),
        ('enter "', "No closing quotation"),
        ("enter \\", "No escaped character"),
    ],
)
def test_keys_that_cannot_be_read(keys: str, why: str, form: str, capsys: Printed) -> None:
    """Exit 2 with one line, before anything is pressed, and no result."""
    assert main(["run", form, "--keys", keys]) == 2
    assert capsys.readouterr() == ("", f"ask: --keys: {why}\n")


@pytest.mark.parametrize(
    ("keys", "place", "given"),
    [
        ("", "at question 1 of 2", {}),
        ("2", "at question 2 of 2", {"level": ["debug"]}),
        ("2 text:13", "at question 2 of 2", {"level": ["debug"], "sinks": ["stdout", "net"]}),
        ("tab tab", "on the review", {}),
        ("3 text:unsaved", "at question 1 of 2", {}),
        ("1 esc", "at question 2 of 2", {"level": ["info"]}),
    ],
)
def test_too_few_keys_leave_the_form_open(
    keys: str, place: str, given: dict[str, Any], form: str, capsys: Printed
) -> None:
    """Exit 2, what was given so far, and where the keys end; said once."""
    assert main(["run", form, "--keys", keys]) == 2
    out, err = capsys.readouterr()
    assert err == f"ask: the keys end {place}, and the form is still open\n"
    assert of("aborted", out.encode()) == given
    assert json.loads(out)["reason"] == f"the keys end {place}"


@pytest.mark.parametrize(
    ("keys", "code", "left"),
    [("tab tab enter x", 0, "key"), ("tab tab enter 1 text:abc", 0, "4 keys"), ("ctrl+c ctrl+c", 130, "key")],
)
def test_too_many_keys_are_reported(keys: str, code: int, left: str, form: str, capsys: Printed) -> None:
    """They change neither the result nor the exit code, as if somebody had typed on."""
    assert main(["run", form, "--keys", keys]) == code
    out, err = capsys.readouterr()
    assert err == f"ask: the form has ended before the last {left}\n"
    assert json.loads(out)["answers"] == {}


def test_keys_for_the_world_around_do_nothing(tmp_path: Path, form: str) -> None:
    """No editor is started, no file is listed, nothing stops."""
    (tmp_path / "notes.txt").touch()
    keys = "ctrl+z 3 text:@not tab ctrl+g ctrl+z enter tab enter"
    done = in_ci(tmp_path, form, "--keys", keys, environ={"EDITOR": f"touch '{tmp_path}/edited'"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert of("submitted", done.stdout) == {"level": ["@not"]}
    assert not (tmp_path / "edited").exists()


def test_answers_and_keys_exclude_each_other(form: str, capsys: Printed) -> None:
    """Both at once are bad usage."""
    with pytest.raises(SystemExit) as caught:
        main(["run", form, "--keys", "enter", "--answers", "answers.json"])
    assert caught.value.code == 2
    assert "not allowed with" in capsys.readouterr().err


SUBMITTED, UNFIT = {"level": "info"}, {"levl": "info"}
TEXTS = {
    "submitted": (SUBMITTED, 0, "Level: Info\n"),
    "cancelled": (
        {"answers": SUBMITTED, "mode": "cancel"},
        130,
        "The user cancelled without submitting.\nGiven so far, not submitted:\nLevel: Info\n",
    ),
    "unfit": (UNFIT, 2, f"These answers do not fit the form:\n{NO_QUESTION}\n"),
}


@pytest.mark.parametrize(("answers", "code", "text"), TEXTS.values(), ids=TEXTS)
def test_every_format_says_the_same(
    tmp_path: Path, form: str, answers: object, code: int, text: str, capsys: Printed
) -> None:
    """`text` is the text for the model, `reply` holds it beside the details, `details` is the rest alone."""
    path = written(tmp_path, "answers.json", answers)
    printed = {}
    for shape in ("text", "reply", "details"):
        assert main(["run", form, "--answers", path, "--format", shape]) == code
        printed[shape], err = capsys.readouterr()
        assert err == (text if shape == "details" and code == 2 else ""), "only where the result has no words"
    assert printed["text"] == text
    reply = json.loads(printed["reply"])
    assert reply == {"content": [{"type": "text", "text": text[:-1]}], "details": json.loads(printed["details"])}


def test_what_it_says_of_answers_is_made_visible(tmp_path: Path, form: str) -> None:
    """T10: ids, values and labels reach standard error without a control character."""
    hostile = {**REQUIRED, "questions": [{**REQUIRED["questions"][0], "label": "\x1b]2;x\x07"}]}
    done = in_ci(tmp_path, written(tmp_path, "form.json", hostile), "--keys", "tab enter")
    assert done.returncode == 0
    assert b"^[]2;x^G" in done.stderr
    assert b"\x1b" not in done.stderr
    done = in_ci(tmp_path, form, "--answers", "-", stdin=json.dumps({"\x1b[31m": "x"}).encode())
    assert done.returncode == 2
    assert b"answers.^[[31m: " in done.stderr
    assert b"\x1b" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(("keys", "code"), [("tab tab enter x", 0), ("enter", 2)])
def test_a_standard_error_that_takes_nothing_does_not_cost_the_result(form: str, keys: str, code: int) -> None:
    """Neither a traceback in place of the result nor another exit code."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, form, "--keys", keys], stdout=subprocess.PIPE, stderr=full, cwd=ROOT, timeout=20
        )
    assert done.returncode == code
    assert json.loads(done.stdout)["questions"]
