"""Schemas from signatures, strict checks of arguments, the clock, roles, and the tables."""

import importlib
import json
from typing import Annotated, Literal

import pytest

from agent.models import MODELS
from agent.tools import TOOLS
from agent.tools.base import Tool, ToolContext, allows, tool
from agent.tools.clock import current_time_tool
from agent.tools.schema import BadArguments
from agent.types import ToolError

CONTEXT = ToolContext(role="guest", timezone="Europe/Rome", now=lambda: 1_798_761_600.0)  # 2027-01-01 00:00 UTC


async def every(
    context: ToolContext,
    text: Annotated[str, "what to say"],
    *,
    number: int,
    tone: Literal["loud", "soft"],
    names: list[str],
    share: float = 0.5,
    sure: bool = False,
    zone: str | None = None,
) -> str:
    """Take every kind of argument."""
    return json.dumps([text, number, tone, names, share, sure, zone])


GOOD = {"text": "t", "number": 1, "tone": "loud", "names": ["a"]}


async def run(made: Tool, arguments) -> str:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return (await made.run(text, CONTEXT)).content


def test_the_schema_says_everything_and_allows_nothing_else():
    schema = tool(every).schema
    assert (schema.name, schema.description) == ("every", "Take every kind of argument.")
    assert schema.parameters == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "what to say"},
            "number": {"type": "integer"},
            "tone": {"type": "string", "enum": ["loud", "soft"]},
            "names": {"type": "array", "items": {"type": "string"}},
            "share": {"type": "number"},
            "sure": {"type": "boolean"},
            "zone": {"type": "string"},
        },
        "required": ["text", "number", "tone", "names"],
        "additionalProperties": False,
    }


async def test_good_arguments_arrive_and_defaults_fill_what_is_left_out_or_null():
    assert json.loads(await run(tool(every), GOOD)) == ["t", 1, "loud", ["a"], 0.5, False, None]
    given = GOOD | {"zone": None, "share": 2, "sure": True}
    assert json.loads(await run(tool(every), given)) == ["t", 1, "loud", ["a"], 2, True, None]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"number": True}, "`number` must be a whole number"),
        ({"number": 1.5}, "`number` must be a whole number"),
        ({"share": "x"}, "`share` must be a number"),
        ({"share": True}, "`share` must be a number"),
        ({"sure": 1}, "`sure` must be true or false"),
        ({"text": None}, "`text` is missing"),
        ({"tone": "mute"}, "`tone` must be one of loud, soft"),
        ({"names": ["a", 1]}, "`names` must be a list, each of it text"),
        ({"other": 1}, "there is no argument `other`"),
    ],
)
async def test_arguments_that_do_not_fit_are_explained(change, told):
    with pytest.raises(BadArguments) as caught:
        await run(tool(every), GOOD | change)
    assert told in str(caught.value)


@pytest.mark.parametrize("arguments", ["{", "[]", "1", "null", "[" * 100_000])
async def test_what_is_not_an_object_is_explained(arguments):
    with pytest.raises(BadArguments):
        await run(tool(every), arguments)


def test_types_that_no_schema_can_say_are_refused_when_the_tool_is_made():
    async def odd(context: ToolContext, value: dict) -> str:
        return ""

    async def torn(context: ToolContext, value: str | int = 1) -> str:
        return ""

    for function in (odd, torn):
        with pytest.raises(TypeError):
            tool(function)


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ({}, "Friday 2027-01-01 01:00:00, Europe/Rome, UTC+01:00"),
        ({"zone": "America/St_Johns"}, "Thursday 2026-12-31 20:30:00, America/St_Johns, UTC-03:30"),
    ],
)
async def test_the_clock_tells_time_weekday_zone_and_offset(arguments, answer):
    assert await run(current_time_tool(), arguments) == answer


@pytest.mark.parametrize("zone", ["Mars/Base", "../etc/passwd", "/etc/passwd", "Europe", "x\0y", "é" * 300])
async def test_an_unknown_zone_is_named_to_the_model(zone):
    with pytest.raises(ToolError, match="there is no time zone"):
        await run(current_time_tool(), {"zone": zone})


def test_roles_reach_what_is_below_them_and_unknown_ones_nothing():
    assert [role for role in ("owner", "admin", "user", "guest", "blocked", "king") if allows(role, "user")] == [
        "owner",
        "admin",
        "user",
    ]
    assert not allows("owner", "king")


def test_the_tables_lead_to_what_they_name():
    for path in [*TOOLS.values(), *MODELS.values()]:
        module, _, name = path.partition(":")
        assert callable(getattr(importlib.import_module(module), name))
    for name, path in TOOLS.items():
        module, _, maker = path.partition(":")
        assert all(isinstance(made, Tool) for made in getattr(importlib.import_module(module), maker)()), name
