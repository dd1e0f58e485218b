"""Domain dataclasses to JSON bodies and back; a body that does not fit its type raises ValueError."""

from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

T = TypeVar("T")


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def dump(value: object) -> str:
    """Write a dataclass as compact JSON; defaults are left out."""
    kind: Any = type(value)
    return _adapter(kind).dump_json(value, exclude_defaults=True).decode()


def load(kind: type[T], text: str) -> T:
    """Read a dataclass of this kind from its JSON."""
    wanted: Any = kind
    value: T = _adapter(wanted).validate_json(text)
    return value
