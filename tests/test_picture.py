"""The picture in the README is one of today's frames."""

from __future__ import annotations

import runpy
from xml.etree import ElementTree

from ask_core.frame import Role
from tests.ptys import ROOT

SCRIPT = runpy.run_path(str(ROOT / "scripts" / "picture.py"))
COMMITTED = (ROOT / "docs" / "form.svg").read_text("utf-8")


def test_the_picture_is_up_to_date() -> None:
    """scripts/picture.py draws the committed file; run it where the layout changed on purpose."""
    assert SCRIPT["picture"]() == COMMITTED


def test_the_picture_shows_the_form() -> None:
    """The committed file is XML, and its text says what is asked."""
    texts = [element.text for element in ElementTree.fromstring(COMMITTED).iter("{http://www.w3.org/2000/svg}text")]
    assert "Which walk looks best?" in texts
    assert "Round the lake" in texts


def test_every_role_has_a_look() -> None:
    """No role of a frame is without a colour in the picture."""
    assert set(SCRIPT["LOOKS"]) == set(Role)
