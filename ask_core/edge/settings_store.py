"""A person's settings in one JSON file: read before the first frame, written on a thread of their own.

A write puts a whole new file in the place of the old one, so nobody ever sees half of one. Only what has changed goes
into what the file holds at that moment: what somebody else, or a newer version, has put there stays. A file that cannot
be used is kept under another name.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from attrs import evolve

from ask_core.edge.files import (
    FAULTS,
    Signature,
    clear_away,
    folder_of,
    held,
    keep_dated,
    link,
    make_folder,
    put,
    reason_of,
    remove,
    signature_of,
)
from ask_core.effects import SaveSettings
from ask_core.errors import AskError
from ask_core.events import Event, SettingsChanged, SettingsNotSaved, SettingsSaved
from ask_core.keymap import DEFAULT_KEYMAPS, KeyMaps, with_keymaps
from ask_core.settings import Settings

if TYPE_CHECKING:
    from ask_core.settings_file import SettingsFile

# Bytes. Nobody has that many settings; a larger file is something else.
_MOST = 1024 * 1024
# What some editors begin a text in UTF-8 with.
_MARK = b"\xef\xbb\xbf"
# Seconds that somebody may take who writes a file in place.
_HALF_WRITTEN = 0.05
# Seconds to wait for our own thread at the end.
_CLOSE_PATIENCE = 2.0

_FILE = "settings.json"
_NOWHERE = "there is no home folder"


class SettingsUnreadable(AskError):
    """A file that cannot be read as settings; `str()` says which, and why in a few words."""


class SettingsUnwritable(AskError):
    """Settings that cannot be written; `str()` says why in a few words."""


class _Stored(NamedTuple):
    """What a settings file holds: its bytes, what they say, and what that comes to. Without `status` there is none."""

    data: bytes
    value: object
    file: SettingsFile
    status: os.stat_result | None


class _Rewritten(NamedTuple):
    """What is stored now, how its file looks, and where the copy of the old one is, if one was to be kept."""

    value: Mapping[str, object]
    signature: Signature
    copy: str | None


# What is to be stored, by what is stored now, and whether a copy of that is to be kept.
_Edit = Callable[[_Stored], tuple[Mapping[str, object], bool]]


def settings_path(environ: Mapping[str, str], named: str | None = None) -> str | None:
    """The absolute path of the settings file: `named`, else ASK_SETTINGS, else where the platform keeps settings.

    An empty name counts as none, one that ends in a slash is a folder. None where the path would begin in a folder that
    is not there: there is no home, or the working directory was removed.
    """
    path = named or environ.get("ASK_SETTINGS") or _default_path(environ)
    if path.endswith("/"):
        path += _FILE
    if path == "~" or path.startswith("~/"):
        home = _home(environ)
        return home and home.rstrip("/") + path[1:]
    path = os.path.expanduser(path)
    if path.startswith("/"):
        return path
    with contextlib.suppress(OSError):
        # Not normalised: `..` behind a link is not the folder that holds the link.
        return f"{os.getcwd()}/{path}"
    return None


def _default_path(environ: Mapping[str, str]) -> str:
    """The same as platformdirs has, which is slow to import."""
    folder = environ.get("XDG_CONFIG_HOME", "")
    if not folder.startswith("/"):
        folder = "~/Library/Application Support" if sys.platform == "darwin" else "~/.config"
    return os.path.join(folder, "ask", _FILE)


def _home(environ: Mapping[str, str]) -> str | None:
    home = environ.get("HOME", "")
    if not home.startswith("/"):
        import pwd

        with contextlib.suppress(KeyError):
            home = pwd.getpwuid(os.getuid()).pw_dir
    return home if home.startswith("/") else None


def open_store(environ: Mapping[str, str], named: str | None = None) -> SettingsStore:
    """The store of the file that `settings_path` finds."""
    return SettingsStore(settings_path(environ, named))


class SettingsStore:
    """The settings file at `path` for one flow; without a path there is nothing to read and nowhere to write.

    The methods belong to the flow's thread. Answers are posted from the store's own, which runs only while there is
    something to write.
    """

    def __init__(self, path: str | None) -> None:
        self.path = path
        # The settings in effect, and what was wrong with the file when it was last looked at.
        self._current = Settings()
        self._notices: tuple[str, ...] = ()
        # What was found out while writing, for `changed` to tell.
        self._news: tuple[str, ...] = ()
        self._seen: Signature | None = None
        self._absent = False
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None
        self._jobs: deque[Callable[[], None]] = deque()
        # What is not stored yet, in order: it waits for its turn, or it could not be written.
        self._orders: tuple[SaveSettings, ...] = ()

    def _guarded(self) -> threading.Lock:
        """The lock of what both threads use. In a fork nobody would release the parent's, whose work is not ours."""
        if self._process != os.getpid():
            self._begin()
        return self._guard

    def open(self, *, touch: bool = True) -> tuple[Settings, tuple[str, ...]]:
        """Read the file: the settings in effect, and what was wrong with it. Never raises.

        Without a file they are the defaults. They are too where it cannot be used, and then it is set aside under a
        dated name, unless nothing may be touched; one that cannot even be read stays where it is.
        """
        self._seen = None if self.path is None else signature_of(self.path)
        self._absent = self._seen is None
        if self.path is None or self._absent:
            return self._current, ()
        aside: tuple[str, ...] = ()
        try:
            stored = _read_twice(self.path)
            self._current, self._notices = stored.file.settings, stored.file.notices
        except SettingsUnreadable as fault:
            if touch:
                aside = self._set_aside(os.path.realpath(self.path), fault)
            else:
                self._notices = (f"{self.path} cannot be used: {fault}",)
        except FileNotFoundError:
            pass
        except FAULTS as error:
            self._notices = self._unread(error)
        return self._current, (*aside, *self._notices)

    def _set_aside(self, path: str, fault: SettingsUnreadable) -> tuple[str, ...]:
        """Take a file that cannot be used out of the way, and what is there by then in its place; what to tell."""
        try:
            with held(folder_of(path)):
                stored, told = _usable(path)
        except FAULTS as error:
            self._notices = (f"the file is not used: {fault}. It cannot be set aside either: {reason_of(error)}",)
            return ()
        self._current, self._notices = stored.file.settings, stored.file.notices
        self._absent = stored.status is None
        return told

    def _unread(self, error: BaseException) -> tuple[str, ...]:
        # Permissions may come back without any change that could be seen.
        self._seen = None
        return (f"the file is not used, as it cannot be read: {reason_of(error)}",)

    def changed(self) -> SettingsChanged | None:
        """What somebody else has made of the file since it was last looked at, None where nothing. Never raises.

        A file that cannot be used now changes no setting and stays where it is: it may be half written. What the person
        has changed and is not stored yet stays in effect.
        """
        seen = None if self.path is None else signature_of(self.path)
        if self.path is None or seen is None or seen == self._seen:
            return None
        with self._guarded():
            if seen == self._seen:
                # Stored by ourselves a moment ago.
                return None
            self._seen = seen
            # Taken before the file is read: what is stored meanwhile is then applied twice rather than not at all.
            orders = self._orders
        settings = self._current
        try:
            stored = _read(self.path)
            file = _as_read(_with_orders(stored.value, orders)) if orders else stored.file
            settings, notices = file.settings, file.notices
        except SettingsUnreadable as fault:
            notices = (f"the file has changed and is not used: {fault}",)
        except FileNotFoundError:
            return None
        except FAULTS as error:
            notices = self._unread(error)
        known = self._current, self._notices
        self._current, self._notices = settings, notices
        news = self._take_news()
        return SettingsChanged(settings, (*news, *notices)) if news or (settings, notices) != known else None

    def save(self, order: SaveSettings, post: Callable[[Event], None]) -> None:
        """Store what the order changes, and what could not be stored before; `post` gets the answer."""
        if self.path is None:
            post(SettingsNotSaved(_NOWHERE))
            return
        path = self.path
        self._current = order.after
        with self._guarded():
            self._orders += (order,)
        self._start(lambda: self._save(path, post))

    def create(self, post: Callable[[Event], None]) -> None:
        """Write the defaults where `open` left no file, for the person to edit; `post` gets only a failure."""
        if self.path is not None and self._absent:
            path = self.path
            self._start(lambda: _create(path, post))

    def close(self) -> None:
        """Wait for what is being stored, but not for ever."""
        with self._guarded():
            thread = self._thread
        if thread is not None:
            thread.join(_CLOSE_PATIENCE)

    def import_from(self, source: str) -> tuple[str, ...]:
        """Write the settings of another file over ours, at once; gives what was wrong with them.

        How screens are drawn stays as we have it, and so do fields that nobody knows. A dated copy of our file is kept.
        Raises SettingsUnreadable where the other file is of no use, SettingsUnwritable where ours cannot be written.
        """
        try:
            imported = _read(source)
        except SettingsUnreadable as fault:
            raise SettingsUnreadable(f"{source}: {fault}") from fault
        except FAULTS as error:
            raise SettingsUnreadable(reason_of(error)) from error

        def edit(stored: _Stored) -> tuple[Mapping[str, object], bool]:
            from ask_core.settings_file import with_changes

            ours, theirs = stored.file.settings, imported.file.settings
            if not (isinstance(imported.value, Mapping) and "display" in imported.value):
                theirs = evolve(theirs, display=ours.display)
            return with_changes(stored.value, ours, theirs, whole=True), True

        return (*(f"{source}: {notice}" for notice in imported.file.notices), *self._write_now(edit))

    def replace_keys(self, keymaps: KeyMaps) -> tuple[str, ...]:
        """Write other key maps, at once, also in the place of wrong ones; gives what there is to tell about that.

        A dated copy of our file is kept where it has any key maps but the default ones. Raises SettingsUnwritable.
        """

        def edit(stored: _Stored) -> tuple[Mapping[str, object], bool]:
            from ask_core.settings_file import with_changes

            ours = stored.file.settings
            value = with_changes(stored.value, ours, ours)
            value["keymaps"] = with_keymaps(value.get("keymaps"), keymaps)
            return value, stored.file.keymaps_replaced or ours.keymaps != DEFAULT_KEYMAPS

        return self._write_now(edit)

    def _write_now(self, edit: _Edit) -> tuple[str, ...]:
        if self.path is None:
            raise SettingsUnwritable(_NOWHERE)
        try:
            copy = self._rewrite(self.path, edit).copy
        except FAULTS as error:
            raise SettingsUnwritable(reason_of(error)) from error
        return (*self._take_news(), *([f"the old file is kept as {copy}"] if copy else []))

    def _take_news(self) -> tuple[str, ...]:
        with self._guarded():
            news, self._news = self._news, ()
        return news

    def _start(self, job: Callable[[], None]) -> None:
        with self._guarded():
            self._jobs.append(job)
            if self._thread is not None:
                return
            self._thread = threading.Thread(target=self._run, name="ask-settings", daemon=True)
            thread = self._thread
        try:
            thread.start()
        except RuntimeError:
            # There is no thread to be had, as at the end of the process: then it takes the time it takes.
            self._run()

    def _run(self) -> None:
        while True:
            with self._guarded():
                if not self._jobs:
                    self._thread = None
                    return
                job = self._jobs.popleft()
            job()

    def _save(self, path: str, post: Callable[[Event], None]) -> None:
        with self._guarded():
            orders = self._orders
        try:
            # With none left, an earlier turn has stored this order together with its own.
            if orders:
                self._store(path, orders)
        except FAULTS as error:
            post(SettingsNotSaved(reason_of(error)))
        else:
            post(SettingsSaved())

    def _store(self, path: str, orders: tuple[SaveSettings, ...]) -> None:
        def edit(stored: _Stored) -> tuple[Mapping[str, object], bool]:
            # Where nothing is stored that could be kept, the last order says all of it.
            wanted = orders if stored.status else orders[-1:]
            return _with_orders(stored.value, wanted), any(order.reset for order in orders)

        value, signature, _ = self._rewrite(path, edit)
        file = _as_read(value)
        with self._guarded():
            self._orders = self._orders[len(orders) :]
            ours = (file.settings, file.notices) == (orders[-1].after, self._notices)
            # What came from somebody else is for `changed` to find.
            self._seen = signature if ours and not self._news else None

    def _rewrite(self, path: str, edit: _Edit) -> _Rewritten:
        """Store something else in place of what is stored at this moment."""
        path = os.path.realpath(path)
        make_folder(folder_of(path))
        with held(folder_of(path)) as alone:
            if alone:
                clear_away(path)
            stored, told = _usable(path)
            with self._guarded():
                self._news += told
            value, copied = edit(stored)
            copy = keep_dated(path, stored.data, stored.status) if copied and stored.status else None
            try:
                return _Rewritten(value, put(path, _as_bytes(value, path), stored.status, os.replace), copy)
            except BaseException:
                if copy is not None:
                    remove(copy)
                raise


def _create(path: str, post: Callable[[Event], None]) -> None:
    from ask_core.settings_file import settings_as_mapping

    try:
        path = os.path.realpath(path)
        make_folder(folder_of(path))
        with held(folder_of(path)):
            put(path, _as_bytes(settings_as_mapping(Settings()), path), None, link)
    except FAULTS as error:
        post(SettingsNotSaved(reason_of(error)))


def _with_orders(value: object, orders: tuple[SaveSettings, ...]) -> Mapping[str, object]:
    from ask_core.settings_file import with_changes

    for order in orders:
        value = with_changes(value, order.before, order.after, whole=order.reset)
    assert isinstance(value, Mapping)
    return value


def _as_read(value: object) -> SettingsFile:
    from ask_core.settings_file import read_settings

    return read_settings(value)


def _read_twice(path: str) -> _Stored:
    """What is stored there, a moment later where somebody seems to be in the middle of writing it."""
    try:
        return _read(path)
    except SettingsUnreadable:
        time.sleep(_HALF_WRITTEN)
        return _read(path)


def _read(path: str) -> _Stored:
    """What is stored there. Raises one of FAULTS, and SettingsUnreadable where it was read and cannot be used."""
    import json

    data, status = _content(path)
    try:
        value: object = json.loads(data.removeprefix(_MARK).decode())
    except UnicodeDecodeError:
        raise SettingsUnreadable("it is no UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise SettingsUnreadable(f"it is no valid JSON in line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise SettingsUnreadable("it is nested too deeply") from None
    except ValueError:
        raise SettingsUnreadable("a number in it has too many digits") from None
    file = _as_read(value)
    if not file.accepted:
        # The last notice says what follows from the others, which is not the same everywhere.
        raise SettingsUnreadable("; ".join(file.notices[:-1]))
    return _Stored(data, value, file, status)


def _content(path: str) -> tuple[bytes, os.stat_result]:
    # Neither a pipe nor a device may hold us up.
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "Not an ordinary file", path)
        data = b""
        while len(data) <= _MOST and (block := os.read(fd, _MOST)):
            data += block
    finally:
        os.close(fd)
    if len(data) > _MOST:
        raise SettingsUnreadable("it is larger than 1 MiB")
    return data, status


def _usable(path: str) -> tuple[_Stored, tuple[str, ...]]:
    """What is stored there, after what cannot be used was taken out of the way, and a notice about that."""
    from ask_core.settings_file import SettingsFile

    told: tuple[str, ...] = ()
    try:
        return _read(path), told
    except SettingsUnreadable as fault:
        backup = keep_dated(path, b"", None)
        try:
            os.rename(path, backup)
        except OSError:
            remove(backup)
            raise
        told = (f"the file is not used: {fault}. It is kept as {_name(backup)}",)
    except FileNotFoundError:
        pass
    return _Stored(b"", None, SettingsFile(Settings()), None), told


def _as_bytes(value: Mapping[str, object], path: str) -> bytes:
    import json

    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    # Half of a surrogate pair is no UTF-8; as an escape it is what JSON calls it.
    data = text.encode("utf-8", "backslashreplace")
    if len(data) > _MOST:
        # We could not read it back.
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
    return data


def _name(path: str) -> str:
    return path.rpartition("/")[2]
