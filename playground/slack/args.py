"""The arguments of a call, from a form, a query or JSON, each read as the type it must have."""

import json
from collections.abc import Mapping

from playground.slack.errors import ApiError
from playground.slack.world import Wire


class Args:
    """What a call was given."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self.values = values

    def words(self, name: str, default: str = "") -> str:
        """Read text."""
        value = self.values.get(name)
        return default if value is None else str(value)

    def needed(self, name: str) -> str:
        """Read text that must be there."""
        value = self.words(name)
        if not value:
            raise ApiError("invalid_arguments", response_metadata={"messages": [f"[ERROR] missing {name}"]})
        return value

    def whole(self, name: str, default: int) -> int:
        """Read a number."""
        try:
            return int(self.words(name) or default)
        except ValueError:
            raise ApiError("invalid_arguments") from None

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Read a yes or no."""
        value = self.values.get(name)
        return default if value is None else value in (True, "true", "True", "1", 1)

    def structure(self, name: str) -> object:
        """Read JSON: as it is in a JSON body, as a string in a form."""
        value = self.values.get(name)
        if isinstance(value, str):
            try:
                return json.loads(value)
            except ValueError:
                raise ApiError("invalid_arguments") from None
        return value

    def logged(self) -> Wire:
        """Give what may be shown of the call."""
        return {key: value for key, value in self.values.items() if key != "token"}
