"""The reference of keys: what every key of gateway.json means, holds and defaults to."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, cast

from gateway.config.accounts import ACCOUNT_MODELS, MAIN
from gateway.config.errors import KeyPath, nearest
from gateway.config.schema import Schema, model_schema

Pattern: TypeAlias = tuple[str, ...]
ANY_NAME = "*"
ANY_INDEX = "[]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One key: its place (`*` any name, `[]` any index), its type in words, its default and meaning."""

    pattern: Pattern
    type: str
    meaning: str
    required: bool
    secret: bool
    default: str
    example: str
    keys: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The key as it is written: `platforms.telegram.token`, `access.people[].role`."""
        return written(self.pattern)


class UnknownKeyError(LookupError):
    """No key has that name; `near` is the one that looks most like it."""

    def __init__(self, key: str, near: str | None) -> None:
        self.key = key
        self.near = near
        hint = f"; did you mean {near}?" if near else "; `dragoman config explain` lists all keys"
        super().__init__(f"there is no key {key}{hint}")


class Catalogue:
    """All keys by place; building it takes some hundredths of a second, so it is made when asked for."""

    def __init__(self) -> None:
        schema = model_schema()
        self._definitions: dict[str, Schema] = schema["$defs"]
        self.entries: dict[Pattern, Entry] = {entry.pattern: entry for entry in self._walk(schema, ())}
        self._root = tuple(schema["properties"])

    def at(self, path: KeyPath) -> Entry | None:
        """Return the entry that a path of the shaped tree (accounts by name) belongs to."""
        pattern = self._pattern(path)
        return self.entries.get(pattern) if pattern is not None else None

    def keys_at(self, path: KeyPath) -> tuple[str, ...]:
        """Return the keys that an object at this path may hold."""
        if not path:
            return self._root
        entry = self.at(path)
        return entry.keys if entry else ()

    def has_secrets(self, path: KeyPath) -> bool:
        """Tell whether the object at this path has keys that hold secrets."""
        return any(entry.secret for key in self.keys_at(path) if (entry := self.at((*path, key))))

    def homes_of(self, key: str) -> list[str]:
        """Return the full names of the keys whose last part is this one."""
        return [entry.key for entry in self.entries.values() if entry.pattern[-1] == key]

    def explain(self, key: str) -> Entry:
        """Return the entry of a key as people write it, its last part if that is unique; or UnknownKeyError."""
        steps = tuple(re.findall(r"\[\]|[^.\[\]]+", key))
        entry = self.at(_shaped(steps))
        if entry:
            return entry
        homes = self.homes_of(steps[-1]) if steps else []
        if len(steps) == len(homes) == 1:
            return self.explain(homes[0])
        written_keys = [entry.key for entry in self.entries.values()]
        raise UnknownKeyError(key, homes[0] if homes else nearest(key, written_keys, cutoff=0.5))

    def _pattern(self, path: KeyPath) -> Pattern | None:
        pattern: Pattern = ()
        for step in path:
            for candidate in (str(step), ANY_INDEX, ANY_NAME):
                fits = candidate != ANY_INDEX or str(step) == ANY_INDEX or str(step).isdigit()
                if fits and (*pattern, candidate) in self.entries:
                    pattern = (*pattern, candidate)
                    break
            else:
                return None
        return pattern

    def _walk(self, schema: Schema, at: Pattern) -> Iterator[Entry]:
        required = schema.get("required", ())
        for name, node in schema.get("properties", {}).items():
            yield from self._entry(node, (*at, name), required=name in required)

    def _entry(self, node: Schema, pattern: Pattern, *, required: bool, outer: str = "") -> Iterator[Entry]:
        target = self._target(node)
        meaning = node.get("description") or target.get("description") or outer
        yield Entry(
            pattern=pattern,
            type=self._type(node),
            meaning=meaning,
            required=required,
            secret=bool(target.get("writeOnly")),
            default=_default(node, required=required),
            example=json.dumps(node["examples"][0], ensure_ascii=False) if node.get("examples") else "",
            keys=tuple(target.get("properties", ())),
        )
        yield from self._walk(target, pattern)
        if "items" in target:
            yield from self._entry(target["items"], (*pattern, ANY_INDEX), required=False, outer=meaning)
        for inner in [*target.get("patternProperties", {}).values(), target.get("additionalProperties")]:
            if isinstance(inner, dict):
                yield from self._entry(inner, (*pattern, ANY_NAME), required=False, outer=meaning)

    def _target(self, node: Schema) -> Schema:
        """Follow a reference, and look through `or null`, to what the value is."""
        if "$ref" in node:
            return self._definitions[node["$ref"].rpartition("/")[2]]
        inner = [option for option in node.get("anyOf", ()) if option.get("type") != "null"]
        return self._target(inner[0]) if inner else node

    def _type(self, node: Schema) -> str:
        if "anyOf" in node:
            return " or ".join(dict.fromkeys(self._type(option) for option in node["anyOf"]))
        if "$ref" in node:
            return self._type(self._target(node))
        if "enum" in node or "const" in node:
            return "one of " + ", ".join(json.dumps(value) for value in node.get("enum", [node.get("const")]))
        if node.get("type") == "array":
            return f"list of: {self._type(node['items'])}"
        words = {"string": "text", "integer": "whole number", "boolean": "true or false"}
        kind = cast("str", node.get("type", "object"))
        return words.get(kind, kind) + _bounds(node)


def written(pattern: Pattern) -> str:
    """Write a pattern as a key: accounts bare, `[]` for any index, NAME for any name."""
    if len(pattern) > 2 and pattern[0] == "platforms" and pattern[2] == ANY_NAME:
        pattern = (*pattern[:2], *pattern[3:])
    text = ""
    for step in pattern:
        text += step if step == ANY_INDEX else "." + ("NAME" if step == ANY_NAME else step)
    return text.removeprefix(".")


def _shaped(steps: Pattern) -> Pattern:
    """Bring the path of an account into the shape of the models: platform, name, key."""
    if len(steps) < 3 or steps[0] != "platforms" or steps[1] not in ACCOUNT_MODELS:
        return steps
    return (*steps[:2], *steps[3:]) if steps[2] == "accounts" else (*steps[:2], MAIN, *steps[2:])


def _default(node: Schema, *, required: bool) -> str:
    if required:
        return "none, it must be given"
    return json.dumps(node["default"], ensure_ascii=False) if "default" in node else ""


def _bounds(node: Schema) -> str:
    words = [
        ("exclusiveMinimum", "above"),
        ("minimum", "at least"),
        ("maximum", "at most"),
    ]
    found = [f"{word} {node[name]}" for name, word in words if name in node]
    return f" ({', '.join(found)})" if found else ""
