"""Files that are whole or not there: written beside their place and then put into it.

Whoever reads one sees the old one or the new one, and a process that is killed while writing leaves both whole.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Callable, Iterator

# Seconds to wait for others who write in the same folder, and between two tries.
_LOCK_PATIENCE = 1.0
_LOCK_PAUSE = 0.001

# Characters of a name that the one of its temporary file begins with: all of it may be as long as names can be.
_KEPT = 50

# What os.link says where the file system has no links.
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)

# What reading and writing can raise: ValueError for a path that no file can have, RecursionError for deep nesting.
FAULTS = (OSError, ValueError, RecursionError)

# What tells one state of a file from another. Empty: there is something, but it cannot be looked at.
Signature = tuple[int, ...]


def replace_file(path: str, data: bytes) -> None:
    """Write `data` to a file, all of it or nothing; one that is there keeps its rights, a link stays a link."""
    like = None
    with contextlib.suppress(FileNotFoundError):
        like = os.stat(path)
    put(os.path.realpath(path), data, like, os.replace, mode=0o666)


def is_stream(path: str) -> bool:
    """Whether there is a pipe or a device, which takes what it gets and is not to be replaced."""
    try:
        mode = os.stat(path).st_mode
    except FAULTS:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def why_not_writable(path: str) -> str | None:
    """Why nothing can be put there, by `replace_file` or into a stream, as far as that can be known before."""
    mode = stat.S_IFREG
    try:
        mode = os.stat(path or os.curdir).st_mode
    except FileNotFoundError:
        pass
    except FAULTS as error:
        return getattr(error, "strerror", None) or str(error)
    if stat.S_ISDIR(mode) or path.endswith("/"):
        return "it is a folder"
    if not stat.S_ISREG(mode):
        return None if os.access(path, os.W_OK) else "it may not be written to"
    folder = folder_of(os.path.realpath(path))
    if not os.path.isdir(folder):
        return "there is no such folder"
    return None if os.access(folder, os.W_OK | os.X_OK) else "its folder may not be written to"


def put(
    path: str,
    data: bytes,
    like: os.stat_result | None,
    place: Callable[[str, str], None],
    *,
    mode: int = 0o600,
) -> Signature:
    """Write a temporary file beside `path`, have it put into its `place` there, and leave nothing else behind.

    It gets the rights of the file that it is `like`, else `mode` as far as the process allows it.
    """
    temporary = f"{_temporary(path)}{os.urandom(8).hex()}"
    try:
        signature = write_new(temporary, data, like, mode)
        place(temporary, path)
    except OSError as error:
        if error.filename == temporary:
            error.filename = path
        raise
    finally:
        remove(temporary)
    return signature


def write_new(path: str, data: bytes, like: os.stat_result | None, mode: int = 0o600) -> Signature:
    """Make a file that is not there yet, whole and on the disc or not at all, with the rights of the one it is like."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        _write_all(fd, data)
        if like is not None:
            with contextlib.suppress(OSError):
                os.fchown(fd, like.st_uid, like.st_gid)
            with contextlib.suppress(OSError):
                os.fchmod(fd, stat.S_IMODE(like.st_mode))
        os.fsync(fd)
        return _signed(os.fstat(fd))
    except BaseException:
        remove(path)
        raise
    finally:
        os.close(fd)


def keep_dated(path: str, data: bytes, like: os.stat_result | None) -> str:
    """Put this into a new file beside the one at `path`, named after that and the time."""
    begin = f"{path}.{time.strftime('%Y-%m-%dT%H-%M-%S')}"
    backup, number = f"{begin}.bak", 1
    while True:
        try:
            write_new(backup, data, like)
            return backup
        except FileExistsError:
            number += 1
            backup = f"{begin}-{number}.bak"


def link(source: str, path: str) -> None:
    """Give a file a second name. One that is taken meanwhile is left to whoever took it."""
    try:
        os.link(source, path)
    except OSError as error:
        # Without links nothing can be put there that surely takes nobody's place; the first change makes the file then.
        if error.errno not in (errno.EEXIST, *_NO_LINKS):
            raise


@contextlib.contextmanager
def held(folder: str) -> Iterator[bool]:
    """Keep other processes from writing there, and have what was done there on the disc at the end.

    Gives whether they are kept away. Where that cannot be had they may lose a change of ours, or we one of theirs.
    """
    import fcntl

    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        yield False
        return
    try:
        yield _locked(fd)
    finally:
        with contextlib.suppress(OSError):
            os.fsync(fd)
        # A fork has this descriptor too, so that closing ours alone would unlock nothing.
        with contextlib.suppress(OSError):
            fcntl.flock(fd, fcntl.LOCK_UN)
        os.close(fd)


def _locked(fd: int) -> bool:
    import fcntl

    until = time.monotonic() + _LOCK_PATIENCE
    while time.monotonic() < until:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            time.sleep(_LOCK_PAUSE)
        except OSError:
            break
    return False


def clear_away(path: str) -> None:
    """Remove what processes that were killed in the middle of writing have left."""
    folder = folder_of(path)
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if f"{folder}/{name}".startswith(_temporary(path)):
                remove(f"{folder}/{name}")


def _temporary(path: str) -> str:
    """What the paths of all temporary files for this one begin with."""
    return f"{folder_of(path)}/.{path.rpartition('/')[2][:_KEPT]}.ask-"


def make_folder(folder: str) -> None:
    if folder != "/" and not os.path.isdir(folder):
        make_folder(folder_of(folder))
        # Who is in the way, if it is no folder, is found out by the first who uses it.
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, 0o700)


def folder_of(path: str) -> str:
    return path.rpartition("/")[0] or "/"


def _write_all(fd: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(fd, left) :]


def remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def signature_of(path: str) -> Signature | None:
    """What is at this path, None where nothing is."""
    try:
        return _signed(os.stat(path))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except FAULTS:
        return ()


def _signed(status: os.stat_result) -> Signature:
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_dev


def reason_of(error: BaseException) -> str:
    """Why something failed, in the words of the system, with the path where it is about one."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
