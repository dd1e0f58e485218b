"""A folder with a configuration in it, and what comes of reading it."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gateway.config import Config, ConfigErrors, Problem, load

Reader = Callable[..., Config]
Complaints = Callable[..., tuple[Problem, ...]]
LEAST = {"agent": {"models": [{"model": "m"}]}}


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """Load a configuration: text as it is, or an object that is laid over the least one that works."""

    def reading(content: str | Mapping[str, object], **env: str) -> Config:
        file = tmp_path / "gateway.json"
        text = content if isinstance(content, str) else json.dumps({**LEAST, **content})
        file.write_text(text, encoding="utf-8")
        return load(file, tmp_path, env)

    return reading


@pytest.fixture
def complaints(read: Reader) -> Complaints:
    """Load a configuration that is wrong, and return what is said of it."""

    def complaining(content: str | Mapping[str, object], **env: str) -> tuple[Problem, ...]:
        with pytest.raises(ConfigErrors) as caught:
            read(content, **env)
        return caught.value.errors

    return complaining
