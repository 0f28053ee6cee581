"""docs/dialects.md: what it says is so."""

from __future__ import annotations

import ast
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import anthropic
import pytest

import ask_core as ask

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "dialects.md").read_text("utf-8")
_REFUSED = re.compile(r"\(`(\w+)`\):\n\n```json\n(.*?)\n```\n\n```text\n(.*?)\n```", re.DOTALL)
_CITED = re.compile(r"`(tests/\w+\.py)::(\w+)`")


_MISTAKES = [pytest.param(*found.groups(), id=str(number)) for number, found in enumerate(_REFUSED.finditer(PAGE))]


@pytest.mark.parametrize(("dialect", "payload", "text"), _MISTAKES)
def test_what_is_said_of_a_call_is_what_a_model_gets(dialect: str, payload: str, text: str) -> None:
    """Each payload of the table of mistakes is refused with the text that stands under it."""
    with pytest.raises(ask.InvalidPayload) as caught:
        ask.load_form(json.loads(payload), dialect)
    assert str(caught.value) == text


def test_all_kinds_of_mistakes_are_there() -> None:
    """The page has a good dozen of them, in each of the three dialects."""
    assert {found[1] for found in _REFUSED.finditer(PAGE)} == {"contract", "compact", "bounded"}
    assert len(_MISTAKES) >= 12


def test_every_test_that_is_named_is_there() -> None:
    """A statement without its test would be one that nothing holds."""
    cited = {(path, name) for path, name in _CITED.findall(PAGE)}
    there = {
        (path, node.name)
        for path in {path for path, _ in cited}
        for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    assert cited
    assert not cited - there


class _Model(BaseHTTPRequestHandler):
    """Answers as the API of a model does: first with a call of the tool, then with a text."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert isinstance(self.server, _Server)
        self.server.bodies.append(body)
        call = {"type": "tool_use", "id": "call-1", "name": body["tools"][0]["name"], "input": self.server.payload}
        first = len(self.server.bodies) == 1
        reply = {
            "id": "message",
            "type": "message",
            "role": "assistant",
            "model": "model",
            "content": [call] if first else [{"type": "text", "text": "Done."}],
            "stop_reason": "tool_use" if first else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Nothing of it goes to standard error."""


class _Server(HTTPServer):
    """Such an API. `bodies` are the requests so far, `payload` is what the tool is called with."""

    def __init__(self, payload: object) -> None:
        super().__init__(("127.0.0.1", 0), _Model)
        self.bodies: list[dict[str, Any]] = []
        self.payload = payload


QUESTION = {"id": "db", "prompt": "Which database?", "options": [{"value": "pg", "label": "Postgres"}]}


@pytest.mark.parametrize(
    ("payload", "outcome", "text"),
    [
        ({"questions": [QUESTION]}, False, "Needs user input"),
        ({"questions": [{**QUESTION, "options": ["Postgres"]}]}, True, 'Write {"value": "Postgres"'),
    ],
)
def test_the_loop_of_a_host_works_as_it_stands(
    payload: object, outcome: bool, text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The program on the page gives a model the tool, asks, and hands back what came of it."""
    (source,) = re.findall(r"```python\n(import anthropic\n.*?)```", PAGE, re.DOTALL)
    program: dict[str, Any] = {}
    exec(compile(source, "docs/dialects.md", "exec"), program)
    monkeypatch.setenv("ASK_TTY", str(tmp_path / "none"))
    server = _Server(payload)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        with anthropic.Anthropic(api_key="none", base_url=f"http://127.0.0.1:{server.server_port}") as client:
            message = program["answer"](client, "model", [{"role": "user", "content": "Set it up."}])
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert message.content[0].text == "Done."
    first, second = server.bodies
    assert first["tools"] == [ask.tool_schema("contract", "anthropic")]
    (result,) = second["messages"][-1]["content"]
    assert (result["type"], result["tool_use_id"], result["is_error"]) == ("tool_result", "call-1", outcome)
    assert text in result["content"][0]["text"]
