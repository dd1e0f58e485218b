"""What of a configuration is secret: the values that logs must mask, and a copy that may be shown."""

import json
import re
from collections.abc import Iterator
from typing import cast
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, SecretStr

from gateway.config.jsontext import JsonValue
from gateway.config.model import Config
from gateway.config.types import HIDDEN
from gateway.masking import SHORTEST, Masker, mask_shapes

_LONG = 16  # characters of a piece of an address or a command that can be a secret by itself


def secret_values(config: Config) -> frozenset[str]:
    """Return every secret of the configuration: keys, tokens, passwords, those inside addresses too."""
    return frozenset(secret for _, secret in _secrets(config, ""))


def short_secrets(config: Config) -> tuple[str, ...]:
    """Name the keys whose secrets are too short to be hidden in logs: hiding them would hide half of every line."""
    return tuple(path.removeprefix(".") for path, secret in _secrets(config, "") if 0 < len(secret) < SHORTEST)


def shown(config: Config) -> JsonValue:
    """Return the effective configuration as JSON values, with every secret masked."""
    dumped = json.loads(mask_shapes(config.model_dump_json()))
    return _masked(cast("JsonValue", dumped), Masker(secret_values(config)))


def _masked(value: JsonValue, masker: Masker) -> JsonValue:
    if isinstance(value, dict):
        return {key: _masked(inner, masker) for key, inner in value.items()}
    if isinstance(value, list):
        return [_masked(inner, masker) for inner in value]
    return masker.mask(value) if isinstance(value, str) else value


def _secrets(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, SecretStr):
        yield from ((path, secret) for secret in _spelled(value.get_secret_value()))
    elif isinstance(value, BaseModel):
        for name, field in type(value).model_fields.items():
            inner, hidden = getattr(value, name), field.json_schema_extra == HIDDEN
            pieces = _pieces(inner) if hidden and inner else []
            yield from ((f"{path}.{name}", piece) for piece in pieces)
            yield from _secrets(inner, f"{path}.{name}")
    elif isinstance(value, dict | tuple):
        places = [f".{name}" for name in value] if isinstance(value, dict) else [f"[{n}]" for n in range(len(value))]
        for place, inner in zip(places, value.values() if isinstance(value, dict) else value, strict=True):
            yield from _secrets(inner, path + place)
    elif isinstance(value, str) and "://" in value and (password := urlsplit(value).password):
        yield from ((path, password), (path, unquote(password)))


def _pieces(text: str) -> list[str]:
    """Give a text that is a secret, and what of it may be one by itself."""
    return [text, *(piece for piece in re.split(r"[\s/?&=]+", text) if len(piece) >= _LONG)]


def _spelled(secret: str) -> list[str]:
    """Give a secret and, of an address, what follows its host: the host alone is none."""
    rest = secret.partition("://")[2].partition("/")[2] if secret.startswith(("https://", "http://")) else ""
    return [secret, rest, *_pieces(rest)] if len(rest) >= SHORTEST else [secret]
