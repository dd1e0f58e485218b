"""Every key is explained, in the schema, on the command line and in the docs."""

import json
import re
from pathlib import Path

import pytest

from gateway.config.catalogue import Catalogue, UnknownKeyError
from gateway.config.schema import file_schema, schema_text

ROOT = Path(__file__).parents[3]
CATALOGUE = Catalogue()
LEAVES = [entry for entry in CATALOGUE.entries.values() if entry.pattern[-1] not in {"[]", "*"}]


@pytest.mark.requirement("C2.3")
def test_the_schema_file_is_the_generated_one() -> None:
    on_disk = (ROOT / "gateway.schema.json").read_text(encoding="utf-8")
    assert on_disk == schema_text(), "run: dragoman config schema > gateway.schema.json"


@pytest.mark.requirement("C2.3")
@pytest.mark.parametrize("entry", LEAVES, ids=lambda entry: entry.key)
def test_every_key_has_a_meaning_and_a_type(entry: object) -> None:
    found = next(leaf for leaf in LEAVES if leaf is entry)
    assert found.meaning
    assert found.type
    assert found.example or found.keys or found.default


def test_every_example_is_accepted_by_the_type_it_explains() -> None:
    """A wrong example would be worse than none; the schema's own types are a cheap judge."""
    kinds = {"text": str, "whole number": int, "number": (int, float), "true or false": bool}
    for entry in LEAVES:
        kind = kinds.get(entry.type.split(" (")[0])
        if kind and entry.example:
            assert isinstance(json.loads(entry.example), kind), entry.key


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("timezone", "timezone"),
        ("session_reset_policy.idle_hours", "session_reset_policy.idle_hours"),
        ("agent.models[].base_url", "agent.models[].base_url"),
        ("agent.models[0].base_url", "agent.models[].base_url"),
        ("agent.models.0.base_url", "agent.models[].base_url"),
        ("agent.auxiliary_model.api_key", "agent.auxiliary_model.api_key"),
        ("platforms.telegram", "platforms.telegram"),
        ("platforms.telegram.token", "platforms.telegram.token"),
        ("platforms.telegram.accounts.work.token", "platforms.telegram.token"),
        ("platforms.telegram.accounts.work", "platforms.telegram"),
        ("platforms.email.imap.port", "platforms.email.imap.port"),
        ("access.people[1].role", "access.people[].role"),
        ("session_reset_policy.per_kind.group.at", "session_reset_policy.per_kind.NAME.at"),
        ("agent.tool_roles.web", "agent.tool_roles.NAME"),
        ("max_steps", "agent.max_steps"),
    ],
)
def test_a_key_is_found_however_it_is_written(key: str, found: str) -> None:
    entry = CATALOGUE.explain(key)
    assert entry.key == found
    assert entry.meaning


def test_an_explanation_holds_type_default_meaning_and_example() -> None:
    entry = CATALOGUE.explain("session_reset_policy.idle_hours")
    assert entry.type.startswith("number (above 0")
    assert (entry.default, entry.example) == ("24", "8")
    assert "silence" in entry.meaning
    assert CATALOGUE.explain("platforms.telegram.token").secret
    assert CATALOGUE.explain("platforms.telegram.token").required


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("session_reset_policy.idle_hour", "session_reset_policy.idle_hours"),
        ("agent.idle_hours", "session_reset_policy.idle_hours"),
        ("platforms.telegram.tokn", "platforms.telegram.token"),
        ("", None),
    ],
)
def test_an_unknown_key_names_the_nearest_one(key: str, near: str | None) -> None:
    with pytest.raises(UnknownKeyError) as caught:
        CATALOGUE.explain(key)
    assert caught.value.near == near
    assert (f"did you mean {near}?" if near else "lists all keys") in str(caught.value)


def test_the_schema_allows_one_account_or_several_and_no_unknown_key() -> None:
    schema = file_schema()
    one, several = schema["$defs"]["Platforms"]["properties"]["telegram"]["anyOf"]
    assert one == {"$ref": "#/$defs/TelegramAccount"}
    assert several["required"] == ["accounts"]
    assert "$schema" in schema["properties"]
    open_objects = [name for name, node in schema["$defs"].items() if node.get("additionalProperties") is not False]
    assert not open_objects


# these have the keys of another section; the page says which
REPEATED = (
    "agent.auxiliary_model.",
    "agent.budgets.admin.",
    "agent.budgets.user.",
    "agent.budgets.guest.",
    "session_reset_policy.per_platform.",
    "session_reset_policy.per_kind.",
    "platforms.email.smtp.",
)


@pytest.mark.requirement("C2.3")
def test_every_key_is_in_the_docs_with_its_default_and_meaning() -> None:
    page = (ROOT / "docs" / "config.md").read_text(encoding="utf-8")
    said = dict(re.findall(r"^\| `([^`]+)` \| (.+?) \|$", page, flags=re.MULTILINE))
    for entry in LEAVES:
        if entry.key in said:
            default, _, meaning = said.pop(entry.key).split(" | ")
            assert (default, meaning) == (in_docs(entry.default), entry.meaning), entry.key
        else:
            section = entry.keys or re.fullmatch(r"platforms[.][a-z]+", entry.key)
            assert section or entry.key.startswith(REPEATED), f"{entry.key} is not in docs/config.md"
    assert not said, "docs/config.md explains keys that do not exist"
    for prefix in REPEATED:
        assert prefix.rpartition(".")[0].rpartition(".")[2] in page


def in_docs(default: str) -> str:
    """Write a default the way the page does: as code; required keys say so, and absent ones have a dash."""
    if default.startswith("none, it must"):
        return "**required**"
    return f"`{default}`" if default else "-"
