"""Profiles of hypothesis: examples vary at a desk and are the same on every run in CI."""

from __future__ import annotations

import atexit
import os
import signal
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings

# Time limits per example would fail on a busy machine and tell nothing about the code.
settings.register_profile("desk", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("desk"), derandomize=True, print_blob=True)
# For looking on purpose: pytest --hypothesis-profile=hunt
settings.register_profile("hunt", settings.get_profile("desk"), max_examples=600)
# Nobody's own settings are read or made.
_FOLDER = tempfile.TemporaryDirectory(prefix="ask-tests-")
atexit.register(_FOLDER.cleanup)
os.environ["ASK_SETTINGS"] = str(Path(_FOLDER.name) / "settings.json")

# In the background a shell has these ignored, and all that is started here would ignore them as well.
for number in (signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

settings.load_profile("ci" if os.environ.get("CI") else "desk")
