"""The settings file: on a real disc, with other writers, and with processes that are killed while they write."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve
from platformdirs import macos, unix

from ask_core.edge import files, settings_store
from ask_core.edge.settings_store import SettingsStore, SettingsUnreadable, SettingsUnwritable, settings_path
from ask_core.effects import SaveSettings
from ask_core.events import Event, SettingsChanged, SettingsNotSaved, SettingsSaved
from ask_core.keymap import DEFAULT_KEYMAPS, Command, Context, keys_of, load_keymaps
from ask_core.settings import Display, Setting, Settings, turned, value_of
from ask_core.settings_file import read_settings, settings_as_mapping

ROOT = Path(__file__).parents[1]
DEFAULTS = settings_as_mapping(Settings())
OWN_KEYS = load_keymaps({"toggle": "ctrl+k"}).keymaps
NO_FILE_OF_OURS = {
    "nothing": b"",
    "cut off": b'{"schemaVersion": 5, "beh',
    "no UTF-8": b'{"schemaVersion": 5, "mine": "\xff"}',
    "a list": b"[]",
    "no version": b"{}",
    "a future version": b'{"schemaVersion": 6}',
    "too deep": b"[" * 100_000,
    "too long a number": b'{"schemaVersion": 5, "mine": ' + b"1" * 5000 + b"}",
    "too large": b'{"schemaVersion": 5}' + b" " * 1024 * 1024,
}


class Flow:
    """A store as a flow uses it, and the settings that are in effect there."""

    def __init__(self, path: Path | None) -> None:
        self.store = SettingsStore(None if path is None else str(path))
        self.settings, self.notices = self.store.open()
        self.answers: queue.Queue[Event] = queue.Queue()

    def order(self, after: Settings, *, reset: bool = False) -> None:
        self.store.save(SaveSettings(self.settings, after, reset), self.answers.put)
        self.settings = after

    def answer(self) -> Event:
        return self.answers.get(timeout=20)

    def turn(self, setting: Setting) -> Event:
        """Turn one line of the list over, and wait until that is stored or is not."""
        self.order(turned(self.settings, setting))
        return self.answer()

    def reset(self) -> Event:
        self.order(Settings(), reset=True)
        return self.answer()

    def changed(self) -> SettingsChanged | None:
        changed = self.store.changed()
        if changed is not None:
            self.settings = changed.settings
        return changed


class Gate:
    """Holds the store's thread where it wants its file on the disc."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.opened = threading.Event(), threading.Event()
        fsync = os.fsync

        def wait(fd: int) -> None:
            if _is_storing():
                self.reached.set()
                assert self.opened.wait(20)
            fsync(fd)

        monkeypatch.setattr(os, "fsync", wait)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the settings would be; neither the file nor its folder is there."""
    return tmp_path / "config" / "ask" / "settings.json"


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = Gate(monkeypatch)
    yield gate
    gate.opened.set()


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody can reach, as pytest's own are for their owner alone."""
    folder = Path(tempfile.mkdtemp(prefix="ask-test-")).resolve()
    folder.chmod(0o777)
    yield folder
    for within in (folder, *folder.rglob("*")):
        if within.is_dir():
            within.chmod(0o777)
    shutil.rmtree(folder)


def _is_storing() -> bool:
    return threading.current_thread().name == "ask-settings"


def _fail_once(monkeypatch: pytest.MonkeyPatch, name: str, number: int) -> None:
    """Have one call of a function of `os` fail in the store's thread."""
    real, failed = getattr(os, name), threading.Event()

    def call(*arguments: Any) -> Any:
        if _is_storing() and not failed.is_set():
            failed.set()
            raise OSError(number, os.strerror(number))
        return real(*arguments)

    monkeypatch.setattr(os, name, call)


def _write(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return path


def _stored(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _settings(path: Path) -> Settings:
    """What a usable file comes to."""
    file = read_settings(_stored(path))
    assert file.accepted
    return file.settings


def _with(**sections: object) -> dict[str, object]:
    """A stored file with the defaults but for these sections."""
    return {**DEFAULTS, **sections}


def _others(path: Path) -> list[str]:
    """What else is in the folder."""
    return sorted(other.name for other in path.parent.iterdir() if other != path)


# Where the file is


@pytest.mark.parametrize("platform", ["linux", "darwin"])
@pytest.mark.parametrize(
    "environ",
    [
        {"HOME": "/home/me"},
        {"HOME": "/home/me/", "XDG_CONFIG_HOME": ""},
        {"HOME": "/"},
        {"HOME": "/home/me", "XDG_CONFIG_HOME": "/etc/mine"},
        {"HOME": "/home/me", "XDG_CONFIG_HOME": "/etc/mine/"},
        {"HOME": "/home/me", "XDG_CONFIG_HOME": "relative"},
        {"HOME": "/home/me", "XDG_CONFIG_HOME": "~/mine"},
        {"HOME": "relative"},
        {"HOME": ""},
        {},
        {"XDG_CONFIG_HOME": "/etc/mine"},
    ],
    ids=str,
)
def test_the_file_is_where_platformdirs_would_have_it(
    environ: dict[str, str], platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On both systems, whatever the environment says."""
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(settings_store, "sys", SimpleNamespace(platform=platform))
    theirs = (macos.MacOS if platform == "darwin" else unix.Unix)("ask", appauthor=False)
    assert settings_path(environ) == f"{theirs.user_config_dir}/settings.json"


def test_without_a_home_there_is_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in the environment nor in the list of users."""

    def nobody(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setattr("pwd.getpwuid", nobody)
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(RuntimeError):
        assert not unix.Unix("ask", appauthor=False).user_config_dir
    assert settings_path({}) is None
    assert settings_path({"HOME": "here"}, "~/mine.json") is None
    assert settings_path({}, "/mine.json") == "/mine.json"


def test_another_file_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the option before the variable; an empty name is none, and a relative one counts from the working folder."""
    monkeypatch.chdir(tmp_path)
    environ = {"HOME": "/home/me", "ASK_SETTINGS": "mine.json"}
    assert settings_path(environ) == f"{tmp_path}/mine.json"
    assert settings_path(environ, "/other.json") == "/other.json"
    assert settings_path(environ, "../other.json") == f"{tmp_path}/../other.json"
    assert settings_path(environ, "") == f"{tmp_path}/mine.json"
    assert settings_path(environ, "~/x/y.json") == "/home/me/x/y.json"
    assert settings_path({"HOME": "/home/me", "ASK_SETTINGS": "~/z.json"}) == "/home/me/z.json"
    assert settings_path({"HOME": "/home/me", "ASK_SETTINGS": ""}) == settings_path({"HOME": "/home/me"})
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert settings_path(environ) is None
    assert settings_path(environ, "/other.json") == "/other.json"


def test_where_there_is_no_file_next_to_nothing_is_imported(path: Path) -> None:
    """T9: finding that out comes before the first frame."""
    script = """
import sys
import ask_core
from ask_core.effects import SaveSettings
before = set(sys.modules)
from ask_core.edge.settings_store import SettingsStore, settings_path
store = SettingsStore(settings_path({"HOME": "/home/me"}, sys.argv[1]))
assert store.open() == (ask_core.Settings(), ()), store.open()
assert store.changed() is None
store.close()
print(*sorted(set(sys.modules) - before))
"""
    late = {"json", "tempfile", "pathlib", "fcntl", "pwd", "platformdirs", "datetime", "ask_core.settings_file"}
    assert not late.intersection(_run(script, path).split())


# Reading


def test_without_a_file_the_defaults_are_in_effect_and_nothing_is_made(path: Path) -> None:
    """Reading leaves no trace."""
    flow = Flow(path)
    assert (flow.settings, flow.notices) == (Settings(), ())
    assert not path.parent.exists()


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_file_is_read(path: Path, mark: bytes) -> None:
    """Also one that begins with the mark some editors put there."""
    _write(path, mark + json.dumps(_with(display={"theme": "mono"})).encode())
    flow = Flow(path)
    assert flow.settings == Settings(display=Display("mono"))
    assert flow.notices == ()
    assert flow.changed() is None


def test_one_wrong_value_in_a_usable_file_is_told_and_the_file_stays(path: Path) -> None:
    """A person mends it; nothing is set aside for that."""
    _write(path, _with(keymaps={"main": "enter"}, display={"theme": "blue"}))
    flow = Flow(path)
    assert flow.settings == Settings()
    assert any(notice.startswith("display.theme") for notice in flow.notices)
    assert any(notice.startswith("keymaps") for notice in flow.notices)
    assert _others(path) == []


@pytest.mark.parametrize("content", NO_FILE_OF_OURS.values(), ids=NO_FILE_OF_OURS)
def test_a_file_that_cannot_be_used_is_set_aside(path: Path, content: bytes) -> None:
    """Whole and beside where it was, and one sentence says where; then there is no file."""
    _write(path, content)
    before = time.time()
    flow = Flow(path)
    assert flow.settings == Settings()
    [backup] = _others(path)
    stamp = time.strptime(backup, "settings.json.%Y-%m-%dT%H-%M-%S.bak")
    assert int(before) <= time.mktime(stamp) <= time.time()
    assert (path.parent / backup).read_bytes() == content
    assert not path.exists()
    [notice] = flow.notices
    assert notice.endswith(f"It is kept as {backup}")
    assert notice.isprintable()
    assert Flow(path).notices == ()


def test_what_is_wrong_with_the_file_is_said(path: Path) -> None:
    """With the place for a slip of the pen."""
    for content, words in (
        (b'{\n"schemaVersion": 5,,', "line 2, column 20"),
        (b"{}", "schemaVersion must be a whole number."),
        (
            b'{"schemaVersion": 5, "answer": 1, "behaviour": 2}',
            "behaviour must be an object; answer must be an object.",
        ),
        (b"\xff", "UTF-8"),
    ):
        assert words in Flow(_write(path, content)).notices[0]


def test_no_backup_takes_the_place_of_another(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same second they are counted."""
    monkeypatch.setattr(time, "strftime", lambda _format: "2026-11-30T14-03-09")
    for content in (b"first", b"second", b"third"):
        Flow(_write(path, content))
    begin = "settings.json.2026-11-30T14-03-09"
    assert _others(path) == [f"{begin}-2.bak", f"{begin}-3.bak", f"{begin}.bak"]
    contents = [path.with_name(begin + end).read_bytes() for end in (".bak", "-2.bak", "-3.bak")]
    assert contents == [b"first", b"second", b"third"]


def test_a_file_that_was_mended_just_now_is_not_set_aside(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts is what is there once nobody else writes."""
    _write(path, b"no JSON")
    flock = fcntl.flock

    def mend(fd: int, operation: int) -> None:
        _write(path, _with(display={"theme": "mono"}))
        flock(fd, operation)

    monkeypatch.setattr(fcntl, "flock", mend)
    flow = Flow(path)
    assert flow.settings.display.theme == "mono"
    assert flow.notices == ()
    assert _others(path) == []


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "loop"])
def test_what_is_no_file_is_left_alone_and_holds_nobody_up(path: Path, kind: str) -> None:
    """The defaults are in effect, and neither reading nor saving touches it."""
    path.parent.mkdir(parents=True)
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "loop":
            path.symlink_to(path)
    before = path.lstat()[:3]
    flow = Flow(path)
    assert flow.settings == Settings()
    assert len(flow.notices) == 1
    assert str(path) in flow.notices[0]
    assert flow.changed() is None
    assert isinstance(flow.turn(Setting.MOUSE), SettingsNotSaved)
    assert path.lstat()[:3] == before
    assert _others(path) == []


@pytest.mark.parametrize("path", ["/tmp/\0", "/tmp/\ud800", "/tmp/" + "x" * 5000])
def test_a_path_that_no_file_can_have_is_a_notice(path: str) -> None:
    """It never raises."""
    store = SettingsStore(path)
    settings, notices = store.open()
    assert settings == Settings()
    assert len(notices) == 1
    answers: queue.Queue[Event] = queue.Queue()
    store.create(answers.put)
    store.save(SaveSettings(Settings(), Settings(), reset=True), answers.put)
    assert isinstance(answers.get(timeout=20), SettingsNotSaved)
    assert store.changed() is None
    store.close()


def test_without_a_path_nothing_is_read_or_written() -> None:
    """And that is said where somebody wants to save."""
    flow = Flow(None)
    assert (flow.settings, flow.notices) == (Settings(), ())
    assert flow.changed() is None
    flow.store.create(flow.answers.put)
    assert flow.turn(Setting.MOUSE) == SettingsNotSaved("there is no home folder")
    with pytest.raises(SettingsUnwritable, match="there is no home folder"):
        flow.store.replace_keys(DEFAULT_KEYMAPS)
    flow.store.close()


# Making the file


def test_the_first_file_holds_the_defaults(path: Path) -> None:
    """It is for its owner alone, and so are the folders that are made for it."""
    old = os.umask(0o022)
    try:
        flow = Flow(path)
        flow.store.create(flow.answers.put)
        flow.store.close()
    finally:
        os.umask(old)
    assert flow.answers.empty()
    assert _stored(path) == DEFAULTS
    assert path.read_bytes().endswith(b"}\n")
    assert path.stat().st_mode & 0o777 == 0o600
    assert [folder.stat().st_mode & 0o777 for folder in (path.parent, path.parent.parent)] == [0o700, 0o700]
    assert _others(path) == []
    assert flow.changed() is None


def test_a_file_that_has_come_meanwhile_is_not_overwritten(path: Path) -> None:
    """Between reading and making, somebody else has made one; it is found like any change."""
    flow = Flow(path)
    _write(path, _with(display={"theme": "mono"}))
    flow.store.create(flow.answers.put)
    flow.store.close()
    assert _settings(path).display.theme == "mono"
    assert _others(path) == []
    assert flow.answers.empty()
    assert flow.changed() == SettingsChanged(Settings(display=Display("mono")))


def test_a_file_that_was_set_aside_leaves_room_for_a_new_one(path: Path) -> None:
    """As where there was none; where one is now is no news."""
    flow = Flow(_write(path, b"no JSON"))
    flow.store.create(flow.answers.put)
    flow.store.close()
    assert _stored(path) == DEFAULTS
    assert flow.changed() is None


def test_a_file_that_was_there_is_not_made_anew(path: Path) -> None:
    """Not even where it has gone away since: somebody wanted that."""
    flow = Flow(_write(path, DEFAULTS))
    path.unlink()
    flow.store.create(flow.answers.put)
    flow.store.close()
    assert not path.exists()


def test_where_there_are_no_links_the_first_change_makes_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is no failure to tell anybody of."""
    _fail_once(monkeypatch, "link", errno.EPERM)
    flow = Flow(path)
    flow.store.create(flow.answers.put)
    assert flow.turn(Setting.MOUSE) == SettingsSaved()
    assert _settings(path) == flow.settings


def test_a_folder_that_cannot_be_made_is_said(path: Path) -> None:
    """A file is in its place, or in that of the folder above."""
    _write(path.parent.parent, b"a file")
    flow = Flow(path)
    assert flow.notices == ()
    flow.store.create(flow.answers.put)
    assert flow.answer() == SettingsNotSaved(f"{path.parent}: Not a directory")
    assert flow.turn(Setting.MOUSE) == SettingsNotSaved(f"{path.parent}: Not a directory")
    near = Flow(path.parent.parent / "settings.json")
    assert near.turn(Setting.MOUSE) == SettingsNotSaved(f"{path.parent.parent}/settings.json: Not a directory")
    assert path.parent.parent.read_bytes() == b"a file"


# Saving


def test_a_change_is_stored_and_is_no_news_to_who_made_it(path: Path) -> None:
    """The first one makes the file and its folder."""
    flow = Flow(path)
    for setting in Setting:
        assert flow.turn(setting) == SettingsSaved()
        assert _settings(path) == flow.settings
        assert flow.changed() is None
    assert Flow(path).settings == flow.settings != Settings()
    assert _others(path) == []


def test_orders_in_a_row_are_all_answered_and_the_last_one_counts(path: Path) -> None:
    """None is forgotten, whether or not they are stored one by one."""
    flow = Flow(path)
    for setting in (*Setting, *Setting, Setting.MOUSE):
        flow.order(turned(flow.settings, setting))
    flow.store.close()
    assert {flow.answers.get_nowait() for _ in range(2 * len(Setting) + 1)} == {SettingsSaved()}
    assert _settings(path) == flow.settings
    assert flow.changed() is None


def test_only_what_has_changed_is_written(path: Path) -> None:
    """What we do not know stays at every level, and so does what is wrong and for the person to mend."""
    content = {
        "mine": {"deep": [1, "ä\ud800"]},
        "schemaVersion": 5,
        "behaviour": {"mine": 1, "showFooterHints": "perhaps"},
        "keymaps": {"main": "wrong"},
        "display": {"mine": None},
    }
    flow = Flow(_write(path, content))
    assert flow.turn(Setting.MOUSE) == SettingsSaved()
    assert _stored(path) == {**content, "display": {"mine": None, "mouse": False}}
    assert flow.changed() is None
    assert "ä" in path.read_text("utf-8")


def test_an_older_file_is_carried_forward_with_the_first_change(path: Path) -> None:
    """It becomes one of the newest version; unknown fields stay."""
    flow = Flow(_write(path, {"schemaVersion": 1, "mine": 1, "behaviour": {"showFooterHints": False}}))
    assert flow.turn(Setting.MOUSE) == SettingsSaved()
    assert _stored(path)["schemaVersion"] == 5
    assert _stored(path)["mine"] == 1
    assert _settings(path) == flow.settings
    assert not flow.settings.behaviour.show_footer_hints


def test_what_somebody_else_has_changed_meanwhile_stays_and_is_told(path: Path) -> None:
    """By the next look at the file, after the saving that has kept it."""
    flow = Flow(_write(path, DEFAULTS))
    _write(path, _with(display={"theme": "mono"}, mine=1))
    assert flow.turn(Setting.FOOTER_HINTS) == SettingsSaved()
    assert _stored(path)["mine"] == 1
    both = turned(Settings(display=Display("mono")), Setting.FOOTER_HINTS)
    assert _settings(path) == both
    assert flow.changed() == SettingsChanged(both)
    assert flow.changed() is None


def test_resetting_keeps_a_copy(path: Path) -> None:
    """Byte by byte; unknown fields stay, all that is known goes back."""
    content = json.dumps(_with(display={"theme": "mono"}, keymaps={"main": "wrong"}, mine=1)).encode()
    flow = Flow(_write(path, content))
    path.chmod(0o640)
    assert flow.notices
    assert flow.reset() == SettingsSaved()
    assert _stored(path) == {**DEFAULTS, "mine": 1}
    [backup] = path.parent.glob("*.bak")
    assert backup.read_bytes() == content
    assert backup.stat().st_mode & 0o777 == path.stat().st_mode & 0o777 == 0o640
    assert backup.stat().st_ino != path.stat().st_ino
    # Nothing is wrong any more.
    assert flow.changed() == SettingsChanged(Settings(), ())
    assert flow.changed() is None


def test_resetting_where_there_is_no_file_makes_one(path: Path) -> None:
    """There is nothing to copy."""
    flow = Flow(path)
    assert flow.reset() == SettingsSaved()
    assert _stored(path) == DEFAULTS
    assert _others(path) == []


def test_a_file_that_has_become_useless_is_set_aside_before_all_is_written(path: Path) -> None:
    """All settings in effect go into the new one, and where the other one is now is told."""
    flow = Flow(_write(path, _with(display={"theme": "mono"})))
    _write(path, b"no JSON")
    assert flow.turn(Setting.MOUSE) == SettingsSaved()
    assert _settings(path) == flow.settings == Settings(display=Display("mono", mouse=False))
    [backup] = path.parent.glob("*.bak")
    assert backup.read_bytes() == b"no JSON"
    changed = flow.changed()
    assert changed is not None
    assert changed.settings == flow.settings
    assert changed.notices[0].endswith(f"It is kept as {backup.name}")
    assert flow.changed() is None


def test_a_link_stays_a_link(path: Path) -> None:
    """The file it leads to is written, with its temporary files and copies beside it."""
    real = _write(path.parent.parent / "dotfiles" / "ask.json", DEFAULTS)
    path.parent.mkdir(parents=True)
    path.symlink_to("../dotfiles/ask.json")
    flow = Flow(path)
    assert flow.turn(Setting.MOUSE) == SettingsSaved()
    assert flow.reset() == SettingsSaved()
    assert flow.changed() is None
    assert path.is_symlink()
    assert _stored(real) == DEFAULTS
    assert _others(path) == []
    assert [name[:9] for name in _others(real)] == ["ask.json."]
    real.write_bytes(b"no JSON")
    assert len(Flow(path).notices) == 1
    assert path.is_symlink()
    assert not real.exists()


def test_a_link_that_leads_nowhere_is_a_file_to_be_made(path: Path) -> None:
    """There, not in place of the link."""
    path.parent.mkdir(parents=True)
    path.symlink_to("../dotfiles/ask.json")
    flow = Flow(path)
    flow.store.create(flow.answers.put)
    flow.store.close()
    assert path.is_symlink()
    assert _stored(path.parent.parent / "dotfiles" / "ask.json") == DEFAULTS


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o660])
def test_the_file_keeps_its_mode(path: Path, mode: int) -> None:
    """Whoever could read it still can, and nobody else."""
    _write(path, DEFAULTS).chmod(mode)
    assert Flow(path).turn(Setting.MOUSE) == SettingsSaved()
    assert path.stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("name", ["write", "fsync", "replace"])
def test_what_could_not_be_written_is_stored_with_the_next_change(
    path: Path, monkeypatch: pytest.MonkeyPatch, name: str, reset: bool
) -> None:
    """The old file stays whole, and nothing else is left in the folder."""
    flow = Flow(_write(path, _with(display={"theme": "mono"}, mine=1)))
    _fail_once(monkeypatch, name, errno.ENOSPC)
    failed = flow.reset() if reset else flow.turn(Setting.THEME)
    assert failed == SettingsNotSaved("No space left on device")
    assert _stored(path) == _with(display={"theme": "mono"}, mine=1)
    assert _others(path) == []
    assert flow.changed() is None
    assert flow.turn(Setting.MOUSE) == SettingsSaved()
    assert _settings(path) == flow.settings == Settings(display=Display("auto", mouse=False))
    assert _stored(path)["mine"] == 1
    assert any(name.endswith(".bak") for name in _others(path)) == reset
    assert flow.changed() is None


def test_what_has_become_too_large_is_not_written(path: Path) -> None:
    """Nobody could read it any more, us included."""
    content = json.dumps({"schemaVersion": 5, "mine": [[]] * 250_000}, separators=(",", ":")).encode()
    flow = Flow(_write(path, content))
    assert flow.notices == ()
    assert flow.turn(Setting.MOUSE) == SettingsNotSaved(f"{path}: File too large")
    assert path.read_bytes() == content


def test_a_lock_that_somebody_keeps_or_nobody_can_have_does_not_stop_saving(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is waited for, but not for ever. Temporary files may be in use then, so they stay."""
    monkeypatch.setattr(files, "_LOCK_PATIENCE", 0.05)
    flow = Flow(_write(path, DEFAULTS))
    assert flow.turn(Setting.MOUSE) == SettingsSaved()
    left = path.with_name(".settings.json.ask-0123")
    left.touch()
    fd = os.open(path.parent, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    assert flow.turn(Setting.THEME) == SettingsSaved()
    os.close(fd)
    with monkeypatch.context() as patched:
        patched.setattr(fcntl, "flock", _not_supported)
        assert flow.turn(Setting.FOOTER_HINTS) == SettingsSaved()
    assert _settings(path) == flow.settings
    assert left.exists()
    assert flow.turn(Setting.MOUSE) == SettingsSaved()
    assert not left.exists()


def _not_supported(fd: int, operation: int) -> None:
    raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))


# Changes by somebody else


def test_a_look_at_an_unchanged_file_opens_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes with every key, and costs one stat; nor is a file read that we have written."""
    flow = Flow(_write(path, DEFAULTS))
    assert flow.turn(Setting.MOUSE) == SettingsSaved()
    looks = []
    stat = os.stat

    def look(path: str) -> os.stat_result:
        looks.append(path)
        return stat(path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", look)
        patched.setattr(os, "open", _not_supported)
        assert flow.changed() is None
    assert looks == [str(path)]


def test_a_change_by_hand_is_told_once(path: Path) -> None:
    """In place or by another file; with what is wrong with it."""
    flow = Flow(path)
    assert flow.changed() is None
    _write(path, _with(display={"theme": "mono"}))
    assert flow.changed() == SettingsChanged(Settings(display=Display("mono")))
    assert flow.changed() is None
    _write(path.with_name("new"), _with(display={"theme": "blue"})).replace(path)
    changed = flow.changed()
    assert changed is not None
    assert changed.settings == Settings()
    assert [notice.partition(":")[0] for notice in changed.notices] == ["display.theme"]
    assert flow.changed() is None
    _write(path, _with(mine=1))
    assert flow.changed() == SettingsChanged(Settings())
    _write(path, _with(mine=2, more=1))
    assert flow.changed() is None


@pytest.mark.parametrize("content", NO_FILE_OF_OURS.values(), ids=NO_FILE_OF_OURS)
def test_a_file_that_becomes_useless_changes_nothing(path: Path, content: bytes) -> None:
    """It may be half written: it stays, and so do the settings, and that is told once until it is mended."""
    flow = Flow(_write(path, _with(display={"theme": "mono"})))
    _write(path, content)
    changed = flow.changed()
    assert changed is not None
    assert changed.settings == Settings(display=Display("mono"))
    assert len(changed.notices) == 1
    assert flow.changed() is None
    assert path.read_bytes() == content
    assert _others(path) == []
    _write(path, _with(display={"theme": "mono"}, mine=1))
    assert flow.changed() == SettingsChanged(Settings(display=Display("mono")))


def test_a_file_that_goes_away_changes_nothing(path: Path) -> None:
    """The next change puts all of it back."""
    flow = Flow(_write(path, _with(display={"theme": "mono"}, mine=1)))
    path.unlink()
    assert flow.changed() is None
    assert flow.turn(Setting.MOUSE) == SettingsSaved()
    assert _stored(path) == _with(display={"theme": "mono", "mouse": False, "renderer": "auto"})
    assert flow.changed() is None


def test_what_is_not_stored_yet_stays_in_effect(path: Path, gate: Gate) -> None:
    """A change by hand that comes meanwhile does not turn it back."""
    flow = Flow(_write(path, DEFAULTS))
    flow.order(turned(flow.settings, Setting.FOOTER_HINTS))
    assert gate.reached.wait(20)
    flow.order(turned(flow.settings, Setting.MOUSE))
    _write(path, _with(display={"theme": "mono"}))
    all_three = evolve(flow.settings, display=Display("mono", mouse=False))
    assert flow.changed() == SettingsChanged(all_three)
    assert flow.changed() is None
    gate.opened.set()
    assert [flow.answer(), flow.answer()] == [SettingsSaved(), SettingsSaved()]
    flow.store.close()
    assert not _settings(path).behaviour.show_footer_hints
    assert not _settings(path).display.mouse


def test_what_could_not_be_stored_stays_in_effect(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it is stored together with what came by hand."""
    flow = Flow(_write(path, DEFAULTS))
    _fail_once(monkeypatch, "write", errno.EIO)
    assert flow.turn(Setting.MOUSE) == SettingsNotSaved("Input/output error")
    _write(path, _with(display={"theme": "mono", "mouse": True}))
    assert flow.changed() == SettingsChanged(Settings(display=Display("mono", mouse=False)))
    assert flow.turn(Setting.FOOTER_HINTS) == SettingsSaved()
    assert (
        _settings(path) == flow.settings == turned(Settings(display=Display("mono", mouse=False)), Setting.FOOTER_HINTS)
    )
    assert flow.changed() is None


def test_all_that_is_in_effect_is_stored_where_nothing_is_any_more(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be stored, what came by hand, and the change itself."""
    flow = Flow(_write(path, DEFAULTS))
    _fail_once(monkeypatch, "write", errno.EIO)
    assert isinstance(flow.turn(Setting.MOUSE), SettingsNotSaved)
    _write(path, _with(display={"theme": "mono"}))
    assert flow.changed() is not None
    path.unlink()
    assert flow.turn(Setting.FOOTER_HINTS) == SettingsSaved()
    assert _settings(path) == turned(Settings(display=Display("mono", mouse=False)), Setting.FOOTER_HINTS)


# The end


def test_closing_waits_for_what_is_being_stored(path: Path) -> None:
    """It may be called again, and where there was nothing to do."""
    flow = Flow(path)
    flow.store.close()
    assert not any(thread.name == "ask-settings" for thread in threading.enumerate())
    flow.order(turned(flow.settings, Setting.MOUSE))
    flow.store.close()
    assert _settings(path) == flow.settings
    flow.store.close()
    assert flow.turn(Setting.MOUSE) == SettingsSaved()
    flow.store.close()
    assert not any(thread.name == "ask-settings" for thread in threading.enumerate())


def test_closing_does_not_wait_for_ever(path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disc that does not answer holds up neither a change nor the end."""
    monkeypatch.setattr(settings_store, "_CLOSE_PATIENCE", 0.05)
    flow = Flow(path)
    flow.order(turned(flow.settings, Setting.MOUSE))
    flow.store.close()
    assert flow.answers.empty()
    gate.opened.set()
    assert flow.answer() == SettingsSaved()


# What the command does


def test_settings_of_another_file_are_taken_over(path: Path, tmp_path: Path) -> None:
    """Of any version; how screens are drawn stays, and so do fields that we do not know; a copy is kept."""
    source = _write(
        tmp_path / "pi-ask.json",
        {"schemaVersion": 3, "theirs": 1, "behaviour": {"showFooterHints": False}, "keymaps": {"toggle": "ctrl+k"}},
    )
    ours = _with(display={"theme": "mono", "mine": 1}, behaviour={"presentSingleAsMulti": True}, mine=2)
    flow = Flow(_write(path, ours))
    [copy] = flow.store.import_from(str(source))
    assert copy.startswith(f"the old file is kept as {path}.")
    settings = _settings(path)
    assert settings.display.theme == "mono"
    assert not settings.behaviour.show_footer_hints
    assert not settings.behaviour.present_single_as_multi
    assert settings.keymaps == OWN_KEYS
    assert _stored(path)["mine"] == 2
    assert _stored(path)["display"]["mine"] == 1
    assert "theirs" not in _stored(path)
    assert [_stored(backup) for backup in path.parent.glob("*.bak")] == [ours]
    assert flow.changed() == SettingsChanged(settings)


def test_taking_over_into_no_file_makes_one_and_says_what_is_wrong(path: Path, tmp_path: Path) -> None:
    """One of ours can be taken over as well, with the display that it names."""
    source = _write(tmp_path / "ours.json", _with(display={"theme": "mono"}, answer={"extractionRetries": 9}))
    [notice] = SettingsStore(str(path)).import_from(str(source))
    assert notice.startswith(f"{source}: answer.extractionRetries")
    assert _settings(path) == evolve(
        Settings(), answer=evolve(Settings().answer, retries=3), display=Display(theme="mono")
    )
    assert _others(path) == []


def test_what_is_no_settings_file_is_not_taken_over(path: Path, tmp_path: Path) -> None:
    """Our file stays as it is, and so does the other."""
    _write(path, DEFAULTS)
    for content, reason in (
        (b"[]", "a settings file holds one object"),
        (b"{", "it is no valid JSON in line 1, column 2"),
    ):
        source = _write(tmp_path / "other.json", content)
        with pytest.raises(SettingsUnreadable) as caught:
            SettingsStore(str(path)).import_from(str(source))
        assert str(caught.value) == f"{source}: {reason}"
        assert source.read_bytes() == content
    with pytest.raises(SettingsUnreadable, match=f"^{tmp_path}/none.json: No such file or directory$"):
        SettingsStore(str(path)).import_from(str(tmp_path / "none.json"))
    assert _stored(path) == DEFAULTS
    assert _others(path) == []


def test_taking_over_says_where_it_cannot_write(path: Path, tmp_path: Path) -> None:
    """A file is in the place of the folder."""
    source = _write(tmp_path / "other.json", DEFAULTS)
    _write(path.parent, b"")
    with pytest.raises(SettingsUnwritable, match=f"^{path}: Not a directory$"):
        SettingsStore(str(path)).import_from(str(source))
    with pytest.raises(SettingsUnwritable, match=f"^{path}: Not a directory$"):
        SettingsStore(str(path)).replace_keys(DEFAULT_KEYMAPS)


@pytest.mark.parametrize(
    ("keymaps", "copied"),
    [(DEFAULTS["keymaps"], False), (None, False), ({"main": "wrong"}, True), ({"toggle": "ctrl+k"}, True)],
)
@pytest.mark.parametrize("version", [4, 5])
def test_other_key_maps_replace_those_of_the_file(path: Path, keymaps: object, copied: bool, version: int) -> None:
    """Whatever these are; nothing else changes, and only a person's own are copied first."""
    content = _with(schemaVersion=version, keymaps=keymaps, display={"theme": "blue", "mine": 1})
    for new in (DEFAULT_KEYMAPS, OWN_KEYS):
        _write(path, content)
        SettingsStore(str(path)).replace_keys(new)
        file = read_settings(_stored(path))
        assert file.settings == Settings(keymaps=new)
        assert not file.keymaps_replaced
        assert _stored(path)["display"]["mine"] == 1
        assert [_stored(backup) for backup in path.parent.glob("*.bak")] == [content] * copied
        for backup in path.parent.glob("*.bak"):
            backup.unlink()
    assert keys_of(file.settings.keymaps, Context.MAIN, Command.TOGGLE) == ("ctrl+k",)


def test_the_command_says_what_it_has_set_aside(path: Path, tmp_path: Path) -> None:
    """A file that cannot be used is in nobody's way, and not lost."""
    source = _write(tmp_path / "other.json", _with(answer={"extractionRetries": 9}))
    notices = SettingsStore(str(_write(path, b"no JSON"))).import_from(str(source))
    assert len(notices) == 2
    assert notices[1].endswith(".bak")
    [notice] = SettingsStore(str(_write(path, b"no JSON"))).replace_keys(OWN_KEYS)
    assert notice.endswith(".bak")
    assert _settings(path) == Settings(keymaps=OWN_KEYS)
    assert [backup.read_bytes() for backup in path.parent.glob("*.bak")] == [b"no JSON"] * 2


# Other processes

CHILD = """
import errno, fcntl, json, os, pwd, queue, random, resource, signal, sys, threading, time
import ask_core.settings_file
from ask_core.edge import files, settings_store
from ask_core.edge.settings_store import SettingsStore
from ask_core.effects import SaveSettings
from ask_core.events import *
from ask_core.settings import Setting, Settings, turned, value_of
from ask_core.settings_file import read_settings
path = sys.argv[1]
folder = os.path.dirname(path)

def save(store, before, after, reset=False):
    answers = queue.Queue()
    store.save(SaveSettings(before, after, reset), answers.put)
    return answers.get(timeout=20)

def content(path):
    with open(path, "rb") as file:
        return file.read()

def accepted(path):
    return read_settings(json.loads(content(path))).accepted

def temporary():
    return [name for name in os.listdir(folder) if name.startswith(".settings.json.ask-")]

def backups():
    return [f"{folder}/{name}" for name in os.listdir(folder) if name.endswith(".bak")]
"""
# The rights of root know no bounds.
ORDINARY = """
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
"""


def _run(script: str, path: Path) -> str:
    """Run a script of Python in a process of its own; what it prints."""
    run = subprocess.run([sys.executable, "-c", script, str(path)], env=_environ(), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def _environ() -> dict[str, str]:
    paths = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    return {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}


KILLED = """
def keep_saving(ready):
    store = SettingsStore(path)
    settings, notices = store.open()
    assert notices == ()
    for number in range(200):
        after = turned(settings, list(Setting)[number % 8])
        assert save(store, settings, after) == SettingsSaved()
        settings = after
        os.write(ready, b".")

dice = random.Random(5)
for _ in range(40):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        keep_saving(writer)
        os._exit(0)
    os.close(writer)
    assert os.read(reader, 1)
    time.sleep(dice.uniform(0, 0.02))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reader)
    assert accepted(path), content(path)
    assert len(temporary()) <= 1
store = SettingsStore(path)
settings, notices = store.open()
assert notices == ()
assert save(store, settings, turned(settings, Setting.MOUSE)) == SettingsSaved()
assert os.listdir(folder) == ["settings.json"], os.listdir(folder)
"""


def test_a_process_killed_while_it_saves_leaves_a_whole_file(path: Path) -> None:
    """At whatever moment, and what it has left besides is cleared away by the next one."""
    _run(CHILD + KILLED, _write(path, DEFAULTS))


COUNTED = """
class Deadly:
    '''The os module, but for one call that ends the process.'''
    def __init__(self, calls):
        self.calls = calls
    def __getattr__(self, name):
        value = getattr(os, name)
        if not callable(value):
            return value
        def call(*arguments):
            self.calls -= 1
            if self.calls < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return value(*arguments)
        return call

def at_every_step(prepare, act, check):
    '''Kill a process at the first call of the system, at the second one, and so on until it gets through.'''
    calls = 0
    while True:
        prepare()
        child = os.fork()
        if child == 0:
            store = SettingsStore(path)
            settings_store.os = files.os = Deadly(calls)
            act(store)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        check()
        if status == 0:
            return calls
        assert os.WTERMSIG(status) == signal.SIGKILL
        calls += 1

def put(data):
    for name in os.listdir(folder):
        os.unlink(f"{folder}/{name}")
    if data is not None:
        with open(path, "wb") as file:
            file.write(data)

old = json.dumps({"schemaVersion": 5, "display": {"theme": "mono"}}).encode()
new = turned(read_settings(json.loads(old)).settings, Setting.MOUSE)

def reset(store):
    settings, _ = store.open()
    assert save(store, settings, Settings(), reset=True) == SettingsSaved()

def check_reset():
    whole = read_settings(json.loads(content(path)))
    assert whole.accepted
    assert content(path) == old or (whole.settings == Settings() and old in map(content, backups()))

def change(store):
    assert save(store, Settings(), Settings()) == SettingsSaved()

def check_change():
    # Either it is where it was, or it is set aside.
    assert b"no JSON" in map(content, [*backups(), *[path] * os.path.exists(path)])
    assert not os.path.exists(path) or content(path) == b"no JSON" or accepted(path)

def create(store):
    store.open()
    store.create(print)
    store.close()

def check_create():
    assert not os.path.exists(path) or accepted(path)

steps = [
    at_every_step(lambda: put(old), reset, check_reset),
    at_every_step(lambda: put(b"no JSON"), lambda store: store.open(), check_change),
    at_every_step(lambda: put(b"no JSON"), change, check_change),
    at_every_step(lambda: put(None), create, check_create),
]
assert min(steps) > 8, steps
"""


def test_a_process_killed_at_any_step_loses_nothing(path: Path) -> None:
    """Saving, resetting, setting aside and making the file: before each call of the system."""
    path.parent.mkdir(parents=True)
    _run(CHILD + COUNTED, path)


TURNING = """
# However busy the machine is.
files._LOCK_PATIENCE = 20
setting = Setting(sys.argv[2])
store = SettingsStore(path)
settings, _ = store.open()
print("ready", flush=True)
sys.stdin.readline()
for _ in range(101):
    after = turned(settings, setting)
    assert save(store, settings, after) == SettingsSaved()
    settings = after
"""


def test_two_processes_that_save_at_once_keep_each_others_changes(path: Path) -> None:
    """And whoever reads meanwhile finds a whole file every time."""
    _write(path, _with(mine=1))
    command = [sys.executable, "-c", CHILD + TURNING, str(path)]
    settings = (Setting.MOUSE, Setting.FOOTER_HINTS)
    processes = [
        subprocess.Popen([*command, setting], env=_environ(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for setting in settings
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.flush()
    flow = Flow(path)
    reads = 0
    while any(process.poll() is None for process in processes):
        assert _stored(path)["mine"] == 1
        _settings(path)
        changed = flow.changed()
        assert changed is None or changed.notices == ()
        reads += 1
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0, 0]
    assert reads > 20
    assert all(value_of(_settings(path), setting) is not value_of(Settings(), setting) for setting in settings)
    flow.changed()
    assert flow.settings == _settings(path)
    assert _others(path) == []


LIMITED = """
store = SettingsStore(path)
settings, _ = store.open()
before = content(path)
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
one = turned(settings, Setting.MOUSE)
assert save(store, settings, one) == SettingsNotSaved("File too large")
assert save(store, one, Settings(), reset=True) == SettingsNotSaved("File too large")
assert os.listdir(folder) == ["settings.json"]
assert content(path) == before
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
two = turned(Settings(), Setting.FOOTER_HINTS)
assert save(store, Settings(), two) == SettingsSaved()
assert read_settings(json.loads(content(path))).settings == two
assert [content(backup) for backup in backups()] == [before]
"""


def test_a_write_that_fails_half_way_leaves_the_old_file(path: Path) -> None:
    """The limit for the size of a file strikes; afterwards all of it is stored."""
    _run(CHILD + LIMITED, _write(path, _with(display={"theme": "mono"})))


READ_ONLY = """
store = SettingsStore(path)
settings, notices = store.open()
assert notices == () and settings.display.theme == "mono"
assert save(store, settings, turned(settings, Setting.MOUSE)) == SettingsNotSaved(f"{path}: Permission denied")
other = SettingsStore(f"{folder}/broken.json")
settings, [notice] = other.open()
assert settings == Settings()
assert "Permission denied" in notice and "cannot be set aside" in notice, notice
assert other.changed() is None
assert isinstance(save(other, settings, turned(settings, Setting.MOUSE)), SettingsNotSaved)
third = SettingsStore(f"{folder}/new/settings.json")
third.open()
answers = queue.Queue()
third.create(answers.put)
assert answers.get(timeout=20) == SettingsNotSaved(f"{folder}/new: Permission denied")
"""


def test_a_folder_that_is_only_for_reading_is_read(public: Path) -> None:
    """Nothing can be stored or set aside there, and that is said."""
    path = _write(public / "ask" / "settings.json", _with(display={"theme": "mono"}))
    broken = _write(public / "ask" / "broken.json", b"no JSON")
    path.chmod(0o644)
    broken.chmod(0o644)
    path.parent.chmod(0o555)
    _run(CHILD + ORDINARY + READ_ONLY, path)
    assert _stored(path) == _with(display={"theme": "mono"})
    assert broken.read_bytes() == b"no JSON"
    assert _others(path) == ["broken.json"]


UNREADABLE = """
store = SettingsStore(path)
settings, notices = store.open()
said = (f"the file is not used, as it cannot be read: {path}: Permission denied",)
assert (settings, notices) == (Settings(), said)
assert store.changed() is None
assert save(store, settings, turned(settings, Setting.MOUSE)) == SettingsNotSaved(f"{path}: Permission denied")
assert os.listdir(folder) == ["settings.json"]
print("read it now", flush=True)
sys.stdin.readline()
changed = store.changed()
assert not changed.settings.display.mouse and changed.settings.display.theme == "mono" and changed.notices == ()
"""


def test_a_file_that_may_not_be_read_is_left_alone(public: Path) -> None:
    """Its folder could be written to, which would lose it. Once it may be read, it is."""
    path = _write(public / "ask" / "settings.json", _with(display={"theme": "mono"}))
    path.parent.chmod(0o777)
    path.chmod(0)
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD + ORDINARY + UNREADABLE, str(path)],
        env=_environ(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    path.chmod(0o644)
    _, complaints = process.communicate(b"go\n")
    assert process.returncode == 0, complaints.decode()
    assert _stored(path) == _with(display={"theme": "mono"})


FORKED = """
store = SettingsStore(path)
settings, _ = store.open()
answers = queue.Queue()
reached, gate = threading.Event(), threading.Event()
fsync = os.fsync

def wait(fd):
    reached.set()
    assert gate.wait(20)
    fsync(fd)

os.fsync = wait
ours = turned(settings, Setting.MOUSE)
store.save(SaveSettings(settings, ours), answers.put)
assert reached.wait(20)
reader, writer = os.pipe()
# The worst of moments: the parent's thread holds all there is to hold.
with store._guarded():
    child = os.fork()
if child == 0:
    os.fsync = fsync
    files._LOCK_PATIENCE = 0.05
    signal.alarm(20)
    store.close()
    assert store.changed() is None
    assert save(store, settings, turned(settings, Setting.FOOTER_HINTS)) == SettingsSaved()
    store.close()
    assert read_settings(json.loads(content(path))).settings == turned(settings, Setting.FOOTER_HINTS)
    os.write(writer, b".")
    signal.pause()
os.close(writer)
assert os.read(reader, 1)
gate.set()
assert answers.get(timeout=20) == SettingsSaved()
store.close()
# The child is still there, with the descriptors it was given, and keeps nobody out.
fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
"""


def test_nothing_hangs_in_a_fork(path: Path) -> None:
    """Neither there, where no thread of ours is any more, nor in the process it came from."""
    _run(CHILD + FORKED, _write(path, DEFAULTS))
