"""The tool dialects: one module each, chosen by name."""

from __future__ import annotations

from typing import Any

from ask_core.dialects import contract
from ask_core.errors import InvalidPayload, UnknownDialect
from ask_core.questions import Form
from ask_core.result import Result
from ask_core.summary import contract_content

NAMES = (contract.NAME,)


def load_form(payload: object, dialect: str = "contract", allow_freeform: bool = False) -> Form:
    """Check an untrusted payload (any JSON value) and make a form of it.

    Raises InvalidPayload with every issue at once, and UnknownDialect for a dialect that is none of `NAMES`.
    `allow_freeform` permits questions without choices, for forms that were extracted from a text.
    """
    if dialect != contract.NAME:
        raise UnknownDialect(f"there is no dialect {dialect!r}; there are: {', '.join(NAMES)}")
    form, issues = contract.load(payload, allow_freeform=allow_freeform)
    if issues:
        raise InvalidPayload(issues, contract.error_text(issues))
    return form


def details(result: Result) -> dict[str, Any]:
    """The structured result as JSON-ready values, in the shape of the dialect the form came in."""
    from ask_core.wire import contract_details  # cattrs is not needed before a flow has ended (T9)

    return contract_details(result)


def content(result: Result) -> str:
    """The text of the result for the model, in the words of the dialect the form came in."""
    if result.outcome == "invalid_input":
        return contract.error_text(result.issues)
    return contract_content(result)
