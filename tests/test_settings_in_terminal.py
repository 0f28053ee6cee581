"""The settings on a real terminal: own keys, live changes, what is stored, and the command that needs no screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ask_core.presets import PRESETS
from ask_core.settings import Setting, Settings, turned
from ask_core.settings_file import load_settings, settings_as_mapping
from tests.ptys import ROOT, Pty

PROMPT = "Where do we go?"
FORM = {
    "questions": [
        {
            "id": "place",
            "label": "Place",
            "prompt": PROMPT,
            "options": [{"value": "sea", "label": "The sea"}, {"value": "hills", "label": "The hills"}],
        }
    ]
}
COMMAND = [sys.executable, "-m", "ask_core.edge.cli"]
MOUSE_ON, MOUSE_OFF = b"\x1b[?1000h", b"\x1b[?1000l"

pytestmark = pytest.mark.xdist_group("settings-pty")


class Asked:
    """The command on a terminal, with a settings file of its own."""

    def __init__(self, folder: Path, *command: str, environ: dict[str, str] | None = None) -> None:
        self.file = folder / "config" / "settings.json"
        self.form = folder / "form.json"
        self.form.write_text(json.dumps(FORM))
        self._command = list(command)
        self._out = folder / "out"
        self._environ = {"ASK_SETTINGS": str(self.file)} | (environ or {})

    def open(self, *options: str, wait_for: str = PROMPT) -> Pty:
        command = [*COMMAND, *(self._command or ["run", str(self.form)]), *options]
        with self._out.open("wb") as out:
            pty = Pty(command, stdout=out, environ=self._environ)
        pty.until(wait_for)
        return pty

    def store(self, **stored: Any) -> None:
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_text(json.dumps({"schemaVersion": 5} | stored))

    @property
    def stored(self) -> Settings:
        settings, notices = load_settings(json.loads(self.file.read_text()))
        assert notices == ()
        return settings

    @property
    def details(self) -> dict[str, Any]:
        details: dict[str, Any] = json.loads(self._out.read_text())
        return details


def own_keys(**changes: dict[str, Any]) -> dict[str, Any]:
    keymaps = settings_as_mapping(Settings())["keymaps"]
    assert isinstance(keymaps, dict)
    return {context: actions | changes.get(context, {}) for context, actions in keymaps.items()}


def test_own_keys_work_and_the_hints_name_them(tmp_path: Path) -> None:
    """Confirm on Ctrl+K and cancel on q: the footer says so, both work, the old ones do not, and q types in a text."""
    asked = Asked(tmp_path)
    asked.store(keymaps=own_keys(main={"confirm": ["ctrl+k"], "cancel": ["q"]}))
    with asked.open() as pty:
        pty.until("Ctrl+K choose")
        pty.until("q cancel")
        pty.send("\r\x1b")
        pty.settle(0.2)
        assert PROMPT in pty.text()
        pty.send("3q")
        pty.until("│ q")
        pty.send("\r")
        pty.until("Submit")
        pty.until("Ctrl+K confirm")
        pty.send("q")
        pty.until("Press q again")
        pty.send("\x0b")
        assert pty.wait() == 0
    assert asked.details["answers"]["place"]["customText"] == "q"


def test_the_file_is_made_on_first_use_and_each_change_is_stored_at_once(tmp_path: Path) -> None:
    """Opening a form writes the defaults; a key in the list changes the file while the form is still open."""
    asked = Asked(tmp_path)
    with asked.open() as pty:
        pty.until(asked.file.exists)
        assert asked.stored == Settings()
        pty.send("?")
        pty.until(lambda: str(asked.file) in "".join(pty.text().split()))
        pty.send("\x1b[B ")
        pty.until(lambda: asked.stored != Settings())
        assert asked.stored == turned(Settings(), Setting.CONFIRM_DISMISS)
        pty.send("\x1b")
        pty.until(PROMPT)
        pty.send("3x\x03\x03")
        assert pty.wait() == 130


def test_a_change_of_the_file_reaches_the_open_form(tmp_path: Path) -> None:
    """At the next key, and that key has its new meaning already."""
    asked = Asked(tmp_path)
    asked.store()
    with asked.open() as pty:
        pty.settle()
        asked.store(keymaps=own_keys(main={"nextOption": ["j"]}), behaviour={"showFooterHints": False})
        pty.settle(0.2)
        assert "Enter choose" in pty.text()
        pty.send("j")
        pty.until("› 2 ○ The hills")
        pty.until(lambda: "Enter choose" not in pty.text())
        asked.store(keymaps=own_keys(main={"nextOption": ["enter"]}))
        pty.send("\x1b[A")
        pty.until(lambda: "enter is already the key of main.confirm" in " ".join(pty.text().split()))


def test_a_fault_in_the_file_is_told_and_the_rest_counts(tmp_path: Path) -> None:
    """Wrong key maps cost the keys only; the first fault is on the screen, all of them are in the list."""
    asked = Asked(tmp_path)
    asked.store(keymaps=own_keys(main={"toggle": "enter"}), behaviour={"confirmDismissWhenDirty": False})
    with asked.open() as pty:
        fault = "keymaps.main.toggle: enter is already the key of main.confirm"
        pty.until(lambda: fault in " ".join(pty.text().split()))
        pty.send("?")
        pty.until("the default keys are in effect")
        pty.until("□ Confirm dismiss when dirty")


def test_a_file_that_cannot_be_used_is_put_aside(tmp_path: Path) -> None:
    """What is no JSON becomes a dated copy, the defaults are in effect, and the screen says so."""
    asked = Asked(tmp_path)
    asked.file.parent.mkdir()
    asked.file.write_text("{broken")
    with asked.open() as pty:
        pty.until(lambda: "It is kept as settings.json." in " ".join(pty.text().split()))
        pty.until(lambda: len(list(asked.file.parent.iterdir())) == 2)
        pty.until(asked.file.exists)
    [copy] = [path for path in asked.file.parent.iterdir() if path != asked.file]
    assert copy.read_text() == "{broken"
    assert asked.stored == Settings()


def test_settings_that_cannot_be_stored_work_and_are_told(tmp_path: Path) -> None:
    """A file where the folder should be: the form opens, says it once, and the change holds."""
    asked = Asked(tmp_path)
    asked.file.parent.write_text("in the way")
    with asked.open() as pty:
        pty.until("! Settings are not saved (? for more)")
        pty.send("?\x1b[B\x1b[B\x1b[B\x1b[B ")
        pty.until("! Not saved")
        pty.until("□ Show footer hints")
        pty.send("\x1b")
        pty.until(lambda: PROMPT in pty.text() and "! " not in pty.text())
        pty.send("1\r")
        assert pty.wait() == 0
    assert asked.details["outcome"] == "submitted"


def test_the_theme_changes_what_is_on_the_screen(tmp_path: Path) -> None:
    """Each choice is painted at once: another accent, no colours, and back; the text stays."""
    asked = Asked(tmp_path, environ={"COLORTERM": "truecolor"})
    with asked.open() as pty:
        pty.send("?" + "\x1b[B" * 6)
        pty.until("› ◇ Theme: auto")
        pty.settle()
        for choice, colour in (("dark", b"38;2;135;175;255"), ("light", b"38;2;0;95;215"), ("mono", None)):
            before = len(pty.log)
            pty.send(" ")
            pty.until(f"› ◇ Theme: {choice}")
            pty.settle()
            painted = pty.log[before:]
            assert (b"38;2;" in painted) == (colour is not None)
            if colour and choice != "dark":
                assert colour in painted
        assert "■ Mouse" in pty.text()


def test_the_mouse_is_switched_live(tmp_path: Path) -> None:
    """Turned off, the terminal is told so at once; on again, too; and all is balanced in the end."""
    asked = Asked(tmp_path)
    with asked.open() as pty:
        assert MOUSE_ON in pty.log
        pty.send("?" + "\x1b[B" * 7)
        pty.until("› ■ Mouse")
        assert MOUSE_OFF not in pty.log
        pty.send(" ")
        pty.until(lambda: MOUSE_OFF in pty.log)
        before = len(pty.log)
        pty.send(" ")
        pty.until(lambda: MOUSE_ON in pty.log[before:])
        pty.send(" ")
        pty.until("› □ Mouse")
        pty.send("?\x03")
        assert pty.wait() == 130
        assert pty.left_on() == set()
    with asked.open() as pty:
        assert MOUSE_ON not in pty.log


def test_nothing_happens_while_nobody_does_anything(tmp_path: Path) -> None:
    """The file is not polled: a change writes nothing to the terminal and wakes nobody until a key comes."""
    asked = Asked(tmp_path)
    asked.store()
    with asked.open() as pty:
        pty.settle(0.3)
        before = len(pty.log)
        asked.store(behaviour={"showFooterHints": False})
        pty.settle(0.5)
        assert pty.log[before:] == b""


@pytest.mark.parametrize("closing", ["\x1b", "\x03", "?"])
def test_the_settings_by_themselves(tmp_path: Path, closing: str) -> None:
    """`ask settings` shows the list, stores changes, prints nothing and ends with 0."""
    asked = Asked(tmp_path, "settings")
    with asked.open(wait_for="Reset to defaults") as pty:
        pty.send(" ")
        pty.until(lambda: asked.file.exists() and asked.stored == turned(Settings(), Setting.AUTO_SUBMIT))
        pty.send(closing)
        assert pty.wait() == 0
        assert pty.left_on() == set()
        assert pty.text() == ""
    assert asked._out.read_bytes() == b""


def test_resetting_keeps_a_copy(tmp_path: Path) -> None:
    """Twice Enter on the last line: the defaults are in the file, unknown fields too, and the old file beside it."""
    asked = Asked(tmp_path, "settings")
    asked.store(own=7, behaviour={"showFooterHints": False}, keymaps=own_keys(main={"confirm": "ctrl+k"}))
    old = asked.file.read_text()
    with asked.open(wait_for="Reset to defaults") as pty:
        pty.send("\x1b[A\r")
        pty.until("again to reset everything")
        assert asked.file.read_text() == old
        pty.send("\r")
        pty.until(lambda: asked.stored == Settings())
        pty.send("?")
        assert pty.wait() == 0
    assert json.loads(asked.file.read_text())["own"] == 7
    [copy] = [path for path in asked.file.parent.iterdir() if path != asked.file]
    assert copy.read_text() == old


# Notifications


def test_a_form_that_opens_says_so_through_every_channel(tmp_path: Path) -> None:
    """In order behind the first frame: bell, both sequences, a command with its environment, and a bell after it."""
    env = tmp_path / "env"
    asked = Asked(tmp_path)
    command = {"type": "command", "command": f"sleep 0.3; env > {env}.new; mv {env}.new {env}"}
    asked.store(notifications={"channels": ["bell", "osc9", "osc777", command, "bell"]})
    with asked.open() as pty:
        pty.until(lambda: pty.log.count(b"\a") >= 3)
        frame, _, rest = pty.log.partition(b"\x1b[?2026l")
        assert b"\a" not in frame
        message = f"ask: Questions - {PROMPT}".encode()
        assert rest.startswith(b"\a\x1b]9;" + message + b"\a\x1b]777;notify;Questions;" + PROMPT.encode() + b"\a")
        assert not env.exists(), "the bell behind a command waits for it"
        pty.until(env.exists)
        pty.until(lambda: pty.log.count(b"\a") == 4)
        pty.send("1\r")
        assert pty.wait() == 0
    lines = env.read_text().splitlines()
    assert "ASK_NOTIFY_EVENT=waiting" in lines
    assert "ASK_NOTIFY_TITLE=Questions" in lines
    assert f"ASK_NOTIFY_MESSAGE={PROMPT}" in lines


def test_a_hanging_command_delays_nothing_and_does_not_outlive_the_form(tmp_path: Path) -> None:
    """The form is answered meanwhile; at its end the command is stopped."""
    pid = tmp_path / "pid"
    asked = Asked(tmp_path)
    asked.store(notifications={"channels": [{"type": "command", "command": f"echo $$ > {pid}; exec sleep 100"}]})
    with asked.open() as pty:
        pty.until(lambda: pid.exists() and pid.read_text().endswith("\n"))
        pty.send("1\r")
        assert pty.wait(3) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_nobody_is_told_of_what_they_cannot_see(tmp_path: Path) -> None:
    """Switched off, for the settings by themselves, and without a terminal: no channel has its turn."""
    told = tmp_path / "told"
    asked = Asked(tmp_path)
    channels = [{"type": "command", "command": f"touch {told}"}, "bell"]
    asked.store(notifications={"enabled": False, "channels": channels})
    with asked.open() as pty:
        pty.settle(0.3)
        assert b"\a" not in pty.log
    asked.store(notifications={"channels": channels})
    alone = Asked(tmp_path, "settings")
    with alone.open(wait_for="Reset to defaults") as pty:
        pty.settle(0.3)
        assert b"\a" not in pty.log
    command = [*COMMAND, "run", str(asked.form)]
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm", "ASK_SETTINGS": str(asked.file)}
    done = subprocess.run(command, env=environ, capture_output=True, start_new_session=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 3
    assert not told.exists()


# Without a terminal


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "LANG": "C.UTF-8",
        "XDG_CONFIG_HOME": str(folder),
        "TERM": "xterm",
    }
    command = [*COMMAND, "settings", *options]
    return subprocess.run(
        command, env=environ, capture_output=True, text=True, start_new_session=True, stdin=subprocess.DEVNULL
    )


def test_there_is_no_list_without_a_terminal(tmp_path: Path) -> None:
    """Exit code 3, and the message names what works instead."""
    done = run(tmp_path)
    assert done.returncode == 3
    assert done.stdout == ""
    assert "ask settings --path" in done.stderr


def test_the_path_is_printed(tmp_path: Path) -> None:
    """Absolute, from --settings or the configuration folder; nothing is made."""
    assert run(tmp_path, "--path").stdout == f"{tmp_path}/ask/settings.json\n"
    assert run(tmp_path, "--path", "--settings", "mine.json").stdout == f"{Path.cwd()}/mine.json\n"
    assert list(tmp_path.iterdir()) == []


def test_the_keys_in_effect_are_printed(tmp_path: Path) -> None:
    """Own keys with their names in the file; what is wrong with the file is on standard error."""
    file = tmp_path / "s.json"
    file.write_text(json.dumps({"schemaVersion": 5, "keymaps": own_keys(main={"confirm": "ctrl+k"}), "display": 1}))
    done = run(tmp_path, "--keys", "--settings", str(file))
    assert done.returncode == 0
    assert done.stderr == "ask: display: must be an object; the default is in effect\n"
    file.write_text(json.dumps({"schemaVersion": 5, "keymaps": own_keys(main={"confirm": "ctrl+k"})}))
    done = run(tmp_path, "--keys", "--settings", str(file))
    assert done.stderr == ""
    [confirm] = [line for line in done.stdout.splitlines() if line.endswith("  main.confirm")]
    assert confirm.split()[0] == "Ctrl+K"


def test_a_preset_changes_the_keys_only(tmp_path: Path) -> None:
    """`--preset vi` and back; everything else in the file stays."""
    file = tmp_path / "s.json"
    file.write_text(json.dumps({"schemaVersion": 5, "own": 1, "behaviour": {"showFooterHints": False}}))
    for name in ("vi", "default"):
        done = run(tmp_path, "--preset", name, "--settings", str(file))
        assert (done.returncode, done.stdout) == (0, f"Stored in {file}\n")
        assert ("the old file is kept as" in done.stderr) == (name == "default"), "there were other keys"
        stored = json.loads(file.read_text())
        settings, notices = load_settings(stored)
        assert notices == ()
        assert settings.keymaps == PRESETS[name]
        assert not settings.behaviour.show_footer_hints
        assert stored["own"] == 1
    assert run(tmp_path, "--preset", "emacs").returncode == 2


def test_a_file_of_an_older_version_is_imported(tmp_path: Path) -> None:
    """`--import` takes it over, and says what is no settings file."""
    other = tmp_path / "pi-ask.json"
    other.write_text(json.dumps({"schemaVersion": 3, "keymaps": {"confirm": "ctrl+k"}}))
    done = run(tmp_path, "--import", str(other))
    assert (done.returncode, done.stderr) == (0, "")
    settings, _ = load_settings(json.loads((tmp_path / "ask" / "settings.json").read_text()))
    assert settings.keymaps != Settings().keymaps
    other.write_text("no settings")
    done = run(tmp_path, "--import", str(other))
    assert done.returncode == 2
    assert str(other) in done.stderr
    assert "Traceback" not in done.stderr
