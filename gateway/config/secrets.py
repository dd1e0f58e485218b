"""What of a configuration is secret: the values that logs must mask, and a copy that may be shown."""

import json
from collections.abc import Iterator
from typing import cast
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, SecretStr

from gateway.config.jsontext import JsonValue
from gateway.config.model import Config
from gateway.masking import mask_shapes


def secret_values(config: Config) -> frozenset[str]:
    """Return every secret of the configuration: keys, tokens, passwords, those inside addresses too."""
    return frozenset(_secrets(config))


def shown(config: Config) -> JsonValue:
    """Return the effective configuration as JSON values, with every secret masked."""
    dumped = json.loads(mask_shapes(config.model_dump_json()))
    return cast("JsonValue", dumped)


def _secrets(value: object) -> Iterator[str]:
    if isinstance(value, SecretStr):
        yield from _spelled(value.get_secret_value())
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _secrets(getattr(value, name))
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _secrets(inner)
    elif isinstance(value, tuple):
        for inner in value:
            yield from _secrets(inner)
    elif isinstance(value, str) and "://" in value:
        password = urlsplit(value).password
        if password:
            yield from (password, unquote(password))


def _spelled(secret: str) -> Iterator[str]:
    """Give a secret and, of an address, what follows its host: the host alone is none."""
    yield secret
    if secret.startswith(("https://", "http://")):
        yield secret.partition("://")[2].partition("/")[2]
