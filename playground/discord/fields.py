"""Reading JSON that came from outside: the value if it has the right type, else nothing."""

from playground.discord.world import Wire


def whole(value: object) -> int:
    """Read a number or a snowflake, 0 for anything else."""
    if isinstance(value, bool):
        return 0
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isdecimal() else 0


def words(value: object) -> str:
    """Read a text, empty for anything else."""
    return value if isinstance(value, str) else ""


def mapping(value: object) -> Wire:
    """Read an object, empty for anything else."""
    return value if isinstance(value, dict) else {}


def listed(value: object) -> list[object]:
    """Read a list, empty for anything else."""
    return value if isinstance(value, list) else []


def wholes(value: object) -> list[int]:
    """Read a list of snowflakes."""
    return [whole(one) for one in listed(value)]
