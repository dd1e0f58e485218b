"""Turns the validator's findings into sentences for people: place, value, reason, nearest right key."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from pydantic_core import ErrorDetails

from gateway.config.accounts import Layout
from gateway.config.catalogue import Catalogue
from gateway.config.errors import KeyPath, Problem, dotted, nearest
from gateway.config.jsontext import Document, JsonValue
from gateway.masking import mask_shapes

_SHOWN_CHARS = 60
_SECRET_NAME = re.compile(r"token|secret|pass|key|code|credential|auth", re.IGNORECASE)
_EXPECTED: dict[str, str] = {
    "string_type": "must be a text in double quotes",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "tuple_type": "must be a list […]",
    "list_type": "must be a list […]",
    "model_type": "must be an object {{…}}",
    "model_attributes_type": "must be an object {{…}}",
    "dict_type": "must be an object {{…}}",
    "mapping_type": "must be an object {{…}}",
    "greater_than": "must be above {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than": "must be below {lt:g}",
    "less_than_equal": "must be at most {le:g}",
    "string_too_long": "must be at most {max_length} characters long",
    "string_pattern_mismatch": "must have another form",
}


@dataclass(slots=True, kw_only=True)
class Translator:
    """Knows the file as it was written, so that messages show `${NAME}` and never what it stands for."""

    document: Document
    layout: Layout
    catalogue: Catalogue = field(default_factory=Catalogue)

    def problems(self, errors: Iterable[ErrorDetails], ignored: set[KeyPath]) -> list[Problem]:
        """Translate what the validator found, but for the places that have a problem already."""
        found = []
        for error in errors:
            path = cast("KeyPath", tuple(step for step in error["loc"] if step != "[key]"))
            # a list counts as too short, too, if all that is in it is wrong
            counted = error["type"] == "too_short" and bool(self._raw(self.layout.source(path)))
            if self.layout.source(path) not in ignored and not counted:
                found.append(self._problem(error, path))
        return found

    def _problem(self, error: ErrorDetails, path: KeyPath) -> Problem:
        kind, source = error["type"], self.layout.source(path)
        if kind == "extra_forbidden":
            message, hint = self._unknown(path, source)
        elif kind == "missing":
            message, hint = "is missing", self._example(path)
        else:
            message, hint = self._wrong(error, path, source)
        return Problem(path=dotted(source), message=message, hint=hint, line=self.document.line(source))

    def _unknown(self, path: KeyPath, source: KeyPath) -> tuple[str, str]:
        key = str(path[-1])
        siblings = self.catalogue.keys_at(path[:-1])
        near = nearest(key, siblings)
        # a misspelt key among secret ones most likely holds a secret
        meant = self.catalogue.at((*path[:-1], near)) if near else None
        secret = meant.secret if meant else self.catalogue.has_secrets(path[:-1])
        value = self._shown(source, secret=secret or bool(_SECRET_NAME.search(key)))
        message = f"unknown key (its value: {value})"
        if near:
            return message, f"did you mean `{near}`?"
        homes = self.catalogue.homes_of(key)
        if homes:
            return message, f"did you mean `{homes[0]}`?"
        return message, f"keys here are {', '.join(siblings)}" if siblings else ""

    def _wrong(self, error: ErrorDetails, path: KeyPath, source: KeyPath) -> tuple[str, str]:
        kind, context = error["type"], error.get("ctx", {})
        entry = self.catalogue.at(path)
        value = self._shown(source, secret=entry is not None and entry.secret)
        if kind == "literal_error":
            choices = re.findall(r"'([^']*)'", str(context.get("expected", "")))
            near = nearest(str(self._raw(source)), choices, cutoff=0.5)
            hint = f"did you mean {json.dumps(near)}?" if near else ""
            return f"must be one of {', '.join(map(json.dumps, choices))}, not {value}", hint
        if kind in {"impossible", "needs"}:
            scalar = not isinstance(self._raw(source), dict | list)
            message = str(context["message"])
            return f"{value} {message}" if scalar else message, str(context["hint"])
        if kind in {"string_too_short", "too_short"}:
            return "must not be empty", self._example(path)
        template = _EXPECTED.get(kind)
        if template is None:
            return f"{value} can't be used: {error['msg']}", self._example(path)
        hint = self._example(path) if kind == "string_pattern_mismatch" else ""
        if kind == "string_type" and isinstance(self._raw(source), int | float):
            hint = "put it in double quotes"
        return f"{template.format(**context)}, not {value}", hint

    def _example(self, path: KeyPath) -> str:
        entry = self.catalogue.at(path)
        return f"for example {json.dumps(path[-1])}: {entry.example}" if entry and entry.example else ""

    def _shown(self, source: KeyPath, *, secret: bool) -> str:
        """Write the value as it stands in the file, short, and never a secret."""
        raw = self._raw(source)
        if isinstance(raw, dict):
            return "an object"
        if isinstance(raw, list):
            return "a list"
        if secret and not (isinstance(raw, str) and re.fullmatch(r"\$\{[^{}]*\}", raw)) and raw is not None:
            return "(hidden)"
        if isinstance(raw, str) and not raw.startswith("email:"):
            # what stands before an @ in an address that is too broken to be read as one
            raw = re.sub(r":[^@]+@", ":***@", raw)
        text = mask_shapes(json.dumps(raw, ensure_ascii=False))
        return text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "…"

    def _raw(self, source: KeyPath) -> JsonValue:
        value = self.document.value
        for step in source:
            if isinstance(value, dict) and isinstance(step, str):
                value = value.get(step)
            else:
                within = isinstance(value, list) and isinstance(step, int) and step < len(value)
                value = cast("list[JsonValue]", value)[cast("int", step)] if within else None
        return value


Converter = Callable[[str], JsonValue]
CONVERTERS: Mapping[str, tuple[str, Converter]] = {
    "int_type": ("a whole number", lambda text: int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else None),
    "float_type": (
        "a number",
        lambda text: float(text) if re.fullmatch(r"-?[0-9]{1,18}(\.[0-9]+)?", text) else None,
    ),
    "bool_type": ("true or false", lambda text: {"true": True, "false": False}.get(text.casefold())),
}
