"""The public names, and what importing them costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ask_core

PUBLIC = (
    *("load_form", "start", "reduce", "view", "layout", "result_of", "details", "content"),
    *("load_settings", "canonical_key", "ask_user", "ask_user_async", "testing"),
    *("Key", "Paste", "Resized", "SettingsChanged", "TimedOut", "Abort"),
    *("Settings", "InvalidPayload", "UnknownKey", "AskError", "Frame", "Span", "Cursor", "Role", "Screen", "State"),
)
HEAVY = ("blessed", "asyncio", "wcwidth", "cattrs", "ask_render_blessed", "ask_render_plain", "importlib.metadata")


def _python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_there(name: str) -> None:
    """Every name the documentation uses is in `__all__` and can be fetched."""
    assert name in ask_core.__all__
    assert getattr(ask_core, name) is not None


def test_all_names_are_listed_once_in_order_and_can_be_fetched() -> None:
    """`__all__`, `dir()` and attribute access tell the same story, for the names that are fetched late too."""
    assert list(ask_core.__all__) == sorted(set(ask_core.__all__))
    assert dir(ask_core) == ask_core.__all__
    assert set(ask_core._HOMES) <= set(ask_core.__all__)
    for name in ask_core.__all__:
        assert getattr(ask_core, name) is not None


@pytest.mark.parametrize("name", [name for name in ask_core.__all__ if name not in ("testing", "Event")])
def test_a_name_comes_from_where_it_is_defined(name: str) -> None:
    """A public class or function is the very object of its home module, and never a module."""
    value = getattr(ask_core, name)
    assert callable(value)
    assert getattr(sys.modules[value.__module__], name) is value


def test_an_unknown_name_is_an_attribute_error() -> None:
    """The message says which name."""
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        ask_core.nothing_of_the_kind  # noqa: B018  # the access is what is tested


@pytest.mark.parametrize(
    "before",
    [
        "pass",
        "ask.testing",
        "ask.layout, ask.view, ask.reduce",
        "import ask_core.layout, ask_core.view, ask_core.reduce",
        "from ask_core.reduce import reduce; from ask_core.view import view; from ask_core.layout import layout",
        "from ask_core import layout, view, reduce",
        "ask.ask_user",
        "import ask_core.edge.driver",
    ],
)
def test_functions_are_functions_whatever_was_imported_before(before: str) -> None:
    """A name that is also that of a module stays the function, in any order of imports."""
    code = (
        f"import ask_core as ask\n{before}\n"
        "payload = {'questions': [{'id': 'q', 'prompt': 'P', 'options': [{'value': 'a', 'label': 'A'}]}]}\n"
        "state = ask.start(ask.load_form(payload), ask.Settings())\n"
        "state = ask.reduce(state, ask.Key('1'))\n"
        "frame = ask.layout(ask.view(state), width=80, height=24)\n"
        "print(ask.testing.facts(state)['view'], frame.width)\n"
    )
    assert _python(code).split() == ["submit", "80"]


def _loaded_after(code: str) -> set[str]:
    return set(_python(f"{code}\nimport sys\nprint(*sys.modules)").split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    """`import ask_core` loads no renderer and none of the libraries that only some of it needs."""
    assert _loaded_after("import ask_core").isdisjoint(HEAVY)


def test_a_flow_in_plain_text_loads_nothing_heavy() -> None:
    """Opening, answering and laying out a form needs no widths table, no JSON converter and no terminal (T9)."""
    code = (
        "from ask_core import Key, Settings, load_form\n"
        "from ask_core.layout import layout\nfrom ask_core.reduce import reduce\n"
        "from ask_core.state import start\nfrom ask_core.view import view\n"
        "payload = {'questions': [{'id': 'q', 'prompt': 'Which?', 'options': [{'value': 'a', 'label': 'A'}]}]}\n"
        "state = reduce(start(load_form(payload), Settings()), Key('1'))\n"
        "layout(view(state), 80, 24)\n"
    )
    assert _loaded_after(code).isdisjoint(HEAVY)


def test_star_import_gives_the_public_names() -> None:
    """`from ask_core import *` is `__all__`."""
    code = "names = {}\nexec('from ask_core import *', names)\nprint(*sorted(set(names) - {'__builtins__'}))"
    assert _python(code).split() == ask_core.__all__
