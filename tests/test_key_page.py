"""docs/keys.md is made from the tables of today."""

from __future__ import annotations

import runpy

from ask_core.keymap import ACTIONS
from tests.ptys import ROOT

SCRIPT = runpy.run_path(str(ROOT / "scripts" / "keys.py"))
COMMITTED = (ROOT / "docs" / "keys.md").read_text("utf-8")


def test_the_page_is_up_to_date() -> None:
    """scripts/keys.py writes the committed file; run it where a key changed on purpose."""
    assert SCRIPT["page"]() == COMMITTED


def test_the_page_names_every_action() -> None:
    """Each action of the default key maps stands on the page by its name."""
    assert all(f"`{context}.{command}`" in COMMITTED for context, command in ACTIONS)
