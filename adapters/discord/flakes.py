"""Snowflakes in raw objects of Discord: whole numbers written as text."""

from adapters.fields import Json, Unreadable


def flake(holder: Json, key: str) -> int:
    """Give a field that must be a snowflake: a whole number written as text."""
    value = holder.get(key)
    if isinstance(value, str) and value.isdecimal() and len(value) <= 20:
        return int(value)
    raise Unreadable(f"{key} is {value!r:.40}, not a snowflake")


def maybe_flake(holder: Json, key: str) -> int:
    """Give a field that is a snowflake or absent (0)."""
    return 0 if holder.get(key) is None else flake(holder, key)


def flakes(holder: Json, key: str) -> list[int]:
    """Give a field that is a list of snowflakes or absent."""
    value = holder.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise Unreadable(f"{key} is {type(value).__name__}, not a list")
    return [flake({key: each}, key) for each in value]
