"""The person's own editor: VISUAL, else EDITOR, else vi, on the text that is being written."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping

from ask_core.events import Edited, EditFailed


def edit(text: str, fd: int, environ: Mapping[str, str]) -> Edited | EditFailed:
    """Run the editor on the terminal `fd`, which is as the person knows it, and wait for it.

    A failure loses nothing: the text stays what it was.
    """
    command = environ.get("VISUAL") or environ.get("EDITOR") or "vi"
    try:
        words = shlex.split(command)
    except ValueError as error:
        return EditFailed(f"{command}: {error}")
    path = ""
    try:
        handle, path = tempfile.mkstemp(prefix="ask-", suffix=".md")
        with open(handle, "w", encoding="utf-8", errors="replace", newline="") as file:  # noqa: PTH123 - a descriptor has no Path
            file.write(text)
        code = subprocess.run([*words, path], stdin=fd, stdout=fd, stderr=fd, env=dict(environ), check=False).returncode
        with open(path, encoding="utf-8", errors="replace", newline="") as file:  # noqa: PTH123 - Path is slow to import
            written = file.read()
        # A failing editor loses nothing, so what it has saved before it failed counts.
        if code and written == text:
            return EditFailed(f"{words[0]} ended with {code}")
    except OSError as error:
        return EditFailed(f"{error.filename or words[0]}: {error.strerror or error}")
    finally:
        if path:
            with contextlib.suppress(OSError):
                os.unlink(path)  # noqa: PTH108 - Path is slow to import
    # Editors end the last line; who wrote the text did not.
    return Edited(written if text.endswith("\n") else written.removesuffix("\n").removesuffix("\r"))
