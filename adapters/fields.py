"""Typed access to raw objects of a platform: a field of the wrong type is an error here, not a surprise later."""

from collections.abc import Mapping

Json = Mapping[str, object]


class Unreadable(ValueError):
    """An object that doesn't have the documented shape."""


def thing(value: object, name: str = "value") -> Json:
    """Take a value as an object; raises Unreadable for anything else."""
    if isinstance(value, dict):
        return value
    raise Unreadable(f"{name} is {type(value).__name__}, not an object")


def obj(holder: Json, key: str) -> Json:
    """Give a field that must be an object."""
    return thing(holder.get(key), key)


def maybe(holder: Json, key: str) -> Json | None:
    """Give a field that is an object or absent."""
    return None if holder.get(key) is None else obj(holder, key)


def things(holder: Json, key: str) -> list[Json]:
    """Give a field that is a list of objects or absent."""
    value = holder.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise Unreadable(f"{key} is {type(value).__name__}, not a list")
    return [thing(each, key) for each in value]


def whole(holder: Json, key: str, default: int | None = None) -> int:
    """Give a field that must be a whole number (or the default where it is absent)."""
    value = holder.get(key)
    if value is None and default is not None:
        return default
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise Unreadable(f"{key} is {type(value).__name__}, not a whole number")


def number(holder: Json, key: str) -> float:
    """Give a field that must be a number."""
    value = holder.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise Unreadable(f"{key} is {type(value).__name__}, not a number")


def words(holder: Json, key: str) -> str:
    """Give a field that is text or absent; half characters, which no database takes, become U+FFFD."""
    value = holder.get(key, "")
    if not isinstance(value, str):
        raise Unreadable(f"{key} is {type(value).__name__}, not text")
    return sound(value)


def line(holder: Json, key: str, most: int = 80) -> str:
    """Give a text field as one line of at most `most` characters: names and titles are data of strangers."""
    return one_line(words(holder, key), most)


def one_line(text: str, most: int = 80) -> str:
    """Squeeze text into one short line without control characters."""
    flat = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


def sound(text: str) -> str:
    """Replace lone surrogates, which JSON can carry and UTF-8 cannot."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
