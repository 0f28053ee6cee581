"""The tool as a model sees it: definitions that real SDKs take, calls made from them, and advice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from anthropic.types import ToolParam
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import Tool as McpTool
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter, ValidationError

import ask_core as ask
from ask_core.dialects import NAMES
from ask_core.edge import cli
from ask_core.tools import PROVIDERS, tool
from tests import strategies

SDK_TYPES: dict[str, Any] = {
    "anthropic": ToolParam,
    "openai": ChatCompletionFunctionToolParam,
    "openai-responses": FunctionToolParam,
    "mcp": McpTool,
}

# What the documents of the dialects say, typed off by hand: path in the schema -> its limits.
LIMITS: dict[str, dict[str, dict[str, int]]] = {
    "contract": {"questions": {"minItems": 1}, "questions.options": {"minItems": 1}},
    "compact": {
        "questions": {"minItems": 1, "maxItems": 4},
        "questions.question": {"maxLength": 1000},
        "questions.header": {"maxLength": 16},
        "questions.options": {"minItems": 2, "maxItems": 4},
        "questions.options.label": {"maxLength": 60},
        "questions.options.description": {"maxLength": 300},
    },
    "bounded": {"questions": {"minItems": 1, "maxItems": 8}, "questions.options": {"minItems": 1, "maxItems": 10}},
}
REQUIRED = {
    "contract": {"": ["questions"], "questions": ["id", "prompt", "options"], "questions.options": ["value", "label"]},
    "compact": {"": ["questions"], "questions": ["question", "header"], "questions.options": ["label", "description"]},
    "bounded": {"": ["questions"], "questions": ["prompt"], "questions.options": ["label"]},
}
FIELDS = {
    "contract": {
        *("title", "questions", "questions.id", "questions.label", "questions.prompt", "questions.type"),
        *("questions.required", "questions.options", "questions.options.value", "questions.options.label"),
        *("questions.options.description", "questions.options.preview"),
    },
    "compact": {
        *("questions", "questions.question", "questions.header", "questions.options", "questions.multiSelect"),
        *("questions.options.label", "questions.options.description"),
    },
    "bounded": {
        *("questions", "questions.prompt", "questions.options", "questions.id", "questions.label"),
        *("questions.allowOther", "questions.options.label", "questions.options.description"),
    },
}


def fields_of(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object and every field of a schema with its path; items have the path of their list."""
    if schema["type"] == "array":
        yield from fields_of(schema["items"], path)
    elif schema["type"] == "object":
        for name, field in schema["properties"].items():
            yield f"{path}.{name}".removeprefix("."), field
            yield from fields_of(field, f"{path}.{name}".removeprefix("."))


def objects_of(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a schema with its path."""
    if schema["type"] == "array":
        yield from objects_of(schema["items"], path)
    elif schema["type"] == "object":
        yield path, schema
        for name, field in schema["properties"].items():
            yield from objects_of(field, f"{path}.{name}".removeprefix("."))


@pytest.mark.parametrize("dialect", NAMES)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_sdk_of_each_provider_takes_its_definitions(dialect: str, provider: str) -> None:
    """It validates as the SDK's own type, and nothing of it is dropped as unknown."""
    definition = ask.tool_schema(dialect, provider)
    adapter = TypeAdapter(SDK_TYPES[provider])
    taken = adapter.validate_python(definition)
    assert json.loads(adapter.dump_json(taken, by_alias=True, exclude_none=True)) == definition


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_sdk_type_refuses_what_is_no_definition(provider: str) -> None:
    """The check above can fail."""
    with pytest.raises(ValidationError):
        TypeAdapter(SDK_TYPES[provider]).validate_python({"name": 1})


@pytest.mark.parametrize("dialect", NAMES)
def test_schemas_are_schemas_and_flat(dialect: str) -> None:
    """Nothing in them that a model or a provider might not read."""
    parameters = tool(dialect).parameters
    jsonschema.Draft202012Validator.check_schema(parameters)
    assert not re.search(r'"(anyOf|oneOf|allOf|\$ref|\$defs|not)"', json.dumps(parameters))


@pytest.mark.parametrize("dialect", NAMES)
def test_schemas_have_the_fields_and_limits_of_their_documents(dialect: str) -> None:
    """Names, what is needed and all limits are those of the dialect's document; each field tells what it is for."""
    parameters = tool(dialect).parameters
    fields = dict(fields_of(parameters))
    limits = {
        path: {name: field[name] for name in ("minItems", "maxItems", "maxLength") if name in field}
        for path, field in fields.items()
    }
    assert {path: limit for path, limit in limits.items() if limit} == LIMITS[dialect]
    assert {path: item["required"] for path, item in objects_of(parameters)} == REQUIRED[dialect]
    assert {*fields} == FIELDS[dialect]
    assert all(len(field["description"]) > 20 for field in fields.values())


def test_names_of_the_tools() -> None:
    """A model knows them by the names of the documents."""
    assert [tool(dialect).name for dialect in NAMES] == ["ask_user", "ask_user", "ask"]


def test_unknown_dialects_and_providers() -> None:
    """Each is an error of its own that names those there are."""
    with pytest.raises(ask.UnknownDialect, match="contract, compact, bounded"):
        ask.tool_schema("auto")
    with pytest.raises(ask.UnknownDialect):
        ask.tool_guidance("x")
    with pytest.raises(ask.UnknownProvider, match="anthropic, openai, openai-responses, mcp"):
        ask.tool_schema("contract", "x")


def calls(schema: dict[str, Any], texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Everything that a schema allows, with `texts` where it wants a text (cut to its limit)."""
    match schema:
        case {"type": "object", "properties": properties, "required": required}:
            made = {name: calls(field, texts) for name, field in properties.items()}
            return st.fixed_dictionaries(
                {name: made[name] for name in required},
                optional={name: made[name] for name in made.keys() - {*required}},
            )
        case {"type": "array", "items": items, "minItems": least}:
            return st.lists(calls(items, texts), min_size=least, max_size=schema.get("maxItems", least + 3))
        case {"enum": values}:
            return st.sampled_from(values)
        case {"type": "string"}:
            return texts.map(lambda text: text[: schema.get("maxLength")])
        case {"type": "boolean"}:
            return st.booleans()
        case _:
            raise AssertionError(schema)


ANY_TEXTS = strategies.texts | st.text(max_size=40) | st.text(alphabet="ab ", min_size=10, max_size=400)
WORDS = st.text(alphabet="abcdefghij", min_size=1, max_size=16)


@pytest.mark.parametrize("dialect", NAMES)
@given(data=st.data())
def test_calls_by_the_schema_load_or_are_refused(dialect: str, data: st.DataObject) -> None:
    """Whatever a schema allows is a form or a list of issues, in its dialect and by its shape."""
    parameters = tool(dialect).parameters
    payload = data.draw(calls(parameters, ANY_TEXTS))
    jsonschema.validate(payload, parameters)
    for name in (dialect, "auto"):
        loaded = _loaded(payload, name)
        if isinstance(loaded, ask.Form):
            assert len(loaded.questions) == len(payload["questions"])
        else:
            assert loaded.issues
            assert all(issue.path and issue.message and issue.message in str(loaded) for issue in loaded.issues)


def _loaded(payload: object, dialect: str) -> ask.Form | ask.InvalidPayload:
    try:
        return ask.load_form(payload, dialect)
    except ask.InvalidPayload as error:
        return error


@pytest.mark.parametrize("dialect", ["compact", "bounded"])
@given(data=st.data())
def test_calls_by_the_schema_with_words_in_them_load(dialect: str, data: st.DataObject) -> None:
    """A schema leaves nothing out that makes a call fail, but that texts must not be blank and bytes are counted."""
    payload = data.draw(calls(tool(dialect).parameters, WORDS))
    if dialect == "bounded" and len(json.dumps(payload, separators=(",", ":"))) > 8192:
        return
    assert ask.load_form(payload, dialect).dialect == dialect


@pytest.mark.parametrize("dialect", NAMES)
@given(data=st.data())
def test_unknown_fields_are_taken(dialect: str, data: st.DataObject) -> None:
    """What a model adds to any object changes nothing."""
    payload = data.draw(calls(tool(dialect).parameters, WORDS))
    more = _with_more(payload)
    if dialect == "bounded" and len(json.dumps(more, separators=(",", ":"))) > 8192:
        return
    before, after = _loaded(payload, dialect), _loaded(more, dialect)
    if isinstance(before, ask.Form):
        assert after == before
    else:
        assert isinstance(after, ask.InvalidPayload)
        assert after.issues == before.issues


def _with_more(value: Any) -> Any:
    if isinstance(value, dict):
        return {"reason": "why", **{name: _with_more(inner) for name, inner in value.items()}, "confidence": 0.5}
    return [_with_more(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("dialect", NAMES)
def test_advice_names_the_tool_and_its_fields(dialect: str) -> None:
    """Lines are one line each, and none names a field that only another tool has."""
    guidance = ask.tool_guidance(dialect)
    assert guidance.tool == tool(dialect).name
    assert guidance.tool in guidance.guidelines[0]
    assert not [line for line in (guidance.snippet, *guidance.guidelines) if "\n" in line or line != line.strip()]
    own = {path.rpartition(".")[2] for path in FIELDS[dialect]}
    others = {path.rpartition(".")[2] for fields in FIELDS.values() for path in fields} - own
    # Field names that are no plain words tell whose they are.
    assert not [name for name in others & {"multiSelect", "allowOther", "header"} if name in guidance.skill]


@pytest.mark.parametrize("dialect", NAMES)
def test_the_skill_holds_all_advice_and_a_call_that_loads(dialect: str) -> None:
    """The document has front matter of two lines, each guideline once, and an example by the schema."""
    guidance = ask.tool_guidance(dialect)
    front, body = guidance.skill.removeprefix("---\n").split("\n---\n", 1)
    assert [line.partition(": ")[0] for line in front.split("\n")] == ["name", "description"]
    assert all(": " not in line.partition(": ")[2] for line in front.split("\n"))
    assert all(body.count(f"- {line}\n") == 1 for line in guidance.guidelines)
    (example,) = re.findall(r"```json\n(.*?)```", body, re.DOTALL)
    call = json.loads(example)
    jsonschema.validate(call, tool(dialect).parameters)
    form = ask.load_form(call, dialect)
    assert not form.warnings
    assert ask.load_form(call, "auto").dialect == dialect
    assert all(2 <= len(question.options) <= 4 or question.freeform for question in form.questions)


@pytest.mark.parametrize("dialect", NAMES)
def test_the_advice_covers_what_the_documents_ask_for(dialect: str) -> None:
    """When to ask, 1 to 3 questions, 2 to 4 options, and what to do afterwards; clarification where there is any."""
    skill = ask.tool_guidance(dialect).skill
    for words in ("## When to ask", "## How to ask well", "## After the answers", "1 to 3 questions", "2 to 4"):
        assert words in skill
    assert ("elaborate" in skill) == (dialect == "contract")


@pytest.mark.parametrize("dialect", NAMES)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_command_prints_definitions(dialect: str, provider: str, capfd: pytest.CaptureFixture[str]) -> None:
    """`ask schema` prints what the function returns, as JSON."""
    assert cli.main(["schema", "--dialect", dialect, "--for", provider]) == 0
    assert json.loads(capfd.readouterr().out) == ask.tool_schema(dialect, provider)


@pytest.mark.parametrize("dialect", NAMES)
def test_the_command_prints_the_skill(dialect: str, capfd: pytest.CaptureFixture[str]) -> None:
    """`ask skill` prints the document, or the lines for a prompt alone."""
    guidance = ask.tool_guidance(dialect)
    assert cli.main(["skill", "--dialect", dialect]) == 0
    assert capfd.readouterr().out == guidance.skill
    assert cli.main(["skill", "--dialect", dialect, "--guidelines"]) == 0
    assert capfd.readouterr().out.splitlines() == [*guidance.guidelines]


def test_the_command_names_the_providers_there_are(capfd: pytest.CaptureFixture[str]) -> None:
    """In its help and where another one is asked for."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["schema", "--for", "x"])
    assert ended.value.code == 2
    refusal = capfd.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["schema", "--help"])
    described = capfd.readouterr().out
    assert all(provider in refusal and provider in described for provider in PROVIDERS)
