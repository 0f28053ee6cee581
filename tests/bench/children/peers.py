"""The same list by other libraries, each as its own documentation shows it. The one argument counts the options.

They are loaded by name, since none of them need be there and some have no types.
"""

import sys
from importlib import import_module

_PROMPT = "Which one?"


def _labels() -> list[str]:
    return [f"Option-{number:05}" for number in range(1, int(sys.argv[1]) + 1)]


def questionary() -> None:
    """questionary.select"""
    # It offers shortcuts for at most 36, none by default.
    import_module("questionary").select(_PROMPT, choices=_labels()).ask()


def inquirerpy() -> None:
    """InquirerPy.inquirer.select"""
    import_module("InquirerPy.inquirer").select(message=_PROMPT, choices=_labels()).execute()


def inquirer() -> None:
    """inquirer.list_input"""
    import_module("inquirer").list_input(_PROMPT, choices=_labels())


def prompt_toolkit() -> None:
    """prompt_toolkit.shortcuts.choice"""
    import_module("prompt_toolkit.shortcuts").choice(_PROMPT, options=[(label, label) for label in _labels()])


def textual() -> None:
    """A textual application of one OptionList"""
    app = import_module("textual.app")
    widgets = import_module("textual.widgets")

    def compose(self: object) -> object:
        yield widgets.Label(_PROMPT)
        yield widgets.OptionList(*_labels())

    type("List", (app.App,), {"compose": compose})().run()
