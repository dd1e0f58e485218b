"""Domain dataclasses to JSON bodies and back; a body that does not fit its type raises ValueError."""

from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter
from pydantic_core import CoreConfig, SchemaValidator

T = TypeVar("T")
# By default the parser keeps 16,384 of the words that it has read: people's words, all over the heap, for ever.
FORGETFUL = CoreConfig(cache_strings="keys")


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@cache
def _reader(kind: Any) -> SchemaValidator:
    return SchemaValidator(_adapter(kind).core_schema, FORGETFUL)


def dump(value: object) -> str:
    """Write a dataclass as compact JSON; defaults are left out."""
    kind: Any = type(value)
    return _adapter(kind).dump_json(value, exclude_defaults=True).decode()


def load(kind: type[T], text: str) -> T:
    """Read a dataclass of this kind from its JSON."""
    wanted: Any = kind
    value: T = _reader(wanted).validate_json(text)
    return value
