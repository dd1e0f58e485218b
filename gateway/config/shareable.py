"""A configuration file without its secrets, for copies that leave the home; references like `${NAME}` stay."""

import json
import re
from typing import cast
from urllib.parse import urlsplit

from gateway.config.jsontext import JsonValue
from gateway.masking import MASK, mask_shapes

# the keys whose values are secret; a test compares them with the models
SECRET_KEYS = frozenset(
    {"api_key", "password", "token", "bot_token", "app_token", "secret", "client_secret", "refresh_token"}
)
REFERENCE = re.compile(r"\$\{[^{}]+\}")


def without_secrets(text: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Put a reference in the place of each secret; returns the file and the keys; raises ValueError for no JSON."""
    found: list[str] = []
    value = _cleaned(cast("JsonValue", json.loads(text)), (), found)
    return json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n", tuple(found)


def _cleaned(value: JsonValue, path: tuple[str, ...], found: list[str]) -> JsonValue:
    if isinstance(value, dict):
        return {key: _cleaned(inner, (*path, key), found) for key, inner in value.items()}
    if isinstance(value, list):
        return [_cleaned(inner, (*path, str(n)), found) for n, inner in enumerate(value)]
    if not isinstance(value, str) or not _is_secret(value, path):
        return value
    found.append(".".join(path))
    return f"${{{'_'.join(part.upper().replace('-', '_') for part in path)}}}"


def _is_secret(value: str, path: tuple[str, ...]) -> bool:
    literal = REFERENCE.sub("", value)
    if not literal or literal == MASK:
        return False
    if path[-1] in SECRET_KEYS or path[-2:] == ("heartbeat", "url") or path[-2:] == ("oauth", "command"):
        return True
    return mask_shapes(literal) != literal or ("://" in value and urlsplit(value).password is not None)
