"""No secret of the configuration is shown: by us, by a library's own log line, in a traceback, in what is refused."""

import io
import json
import logging
from pathlib import Path
from typing import get_args

import pytest
import structlog
from pydantic import BaseModel, SecretStr

from gateway.config import Config, ConfigErrors, load, secret_values, short_secrets, shown
from gateway.config.shareable import without_secrets
from gateway.logs import Format, Level, configure
from gateway.masking import SHORTEST, Masker
from tests.harness.canaries import Canaries, everywhere, spoiled

pytestmark = pytest.mark.requirement("C9.2")
LIBRARIES = (
    *("httpx", "httpcore.connection", "telegram.ext", "openai._base_client", "aiohttp.client", "asyncio"),
    *("discord.gateway", "slack_sdk.web.async_base_client", "slack_bolt.AsyncApp", "aioimaplib", "aiosmtplib"),
)


def configured(root: Path, settings: object) -> Config:
    path = root / "gateway.json"
    path.write_text(json.dumps(settings))
    return load(path, root, {})


def secret_fields(model: object, name: str = "") -> set[str]:
    """Name the fields of a model, and of those inside it, that hold a secret."""
    if model is SecretStr:
        return {name}
    if isinstance(model, type) and issubclass(model, BaseModel):
        fields = model.model_fields.items()
        return set().union(*(secret_fields(field.annotation, field_name) for field_name, field in fields))
    return set().union(set(), *(secret_fields(one, name) for one in get_args(model)))


def test_there_is_a_canary_for_every_secret_field(tmp_path: Path) -> None:
    canaries = Canaries()
    settings = json.dumps(everywhere(canaries))
    found = secret_fields(Config)
    assert {"token", "api_key", "password"} <= found
    assert [name for name in found if f'"{name}"' not in settings] == []
    configured(tmp_path, json.loads(settings))


def test_every_canary_is_known_as_a_secret_and_none_is_shown_or_backed_up(tmp_path: Path) -> None:
    canaries = Canaries()
    settings = everywhere(canaries)
    config = configured(tmp_path, settings)
    known = secret_values(config)
    assert [field for field, one in canaries.made.items() if not any(one in secret for secret in known)] == []
    assert canaries.seen(json.dumps(shown(config))) == []
    cleaned, _ = without_secrets(json.dumps(settings).encode())
    assert canaries.seen(cleaned.decode()) == []


@pytest.mark.parametrize("level", get_args(Level))
@pytest.mark.parametrize("form", get_args(Format))
def test_no_level_and_no_form_of_the_log_shows_a_canary(tmp_path: Path, level: Level, form: Format) -> None:
    canaries = Canaries()
    config = configured(tmp_path, everywhere(canaries))
    stream = io.StringIO()
    configure(level, form, stream, Masker(secret_values(config)), {}, cache=False)
    try:
        for field, secret in canaries.made.items():
            for number in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR):
                for library in LIBRARIES:
                    logging.getLogger(library).log(number, "%s: %r %s", field, {"x": secret}, secret.encode())
            error = ConnectionError(f"cannot reach https://api.example.org/bot{secret}/getMe?x={secret}")
            structlog.get_logger("gateway.x").error(
                "broken", url=f"/{secret}", nested=[{"a": (secret,)}], exc_info=error
            )
            logging.getLogger("asyncio").error("Task exception was never retrieved %r", [secret], exc_info=error)
    finally:
        structlog.reset_defaults()
        root = logging.getLogger()
        for handler in [one for one in root.handlers if type(one).__module__ == "gateway.logs"]:
            root.removeHandler(handler)
        root.setLevel(logging.WARNING)
    assert "***" in stream.getvalue()
    assert canaries.seen(stream.getvalue()) == []


def refusal(root: Path, settings: object) -> str:
    """Say why a configuration is refused, nothing when it is not."""
    try:
        configured(root, settings)
    except ConfigErrors as error:
        return str(error)
    return ""


def test_what_is_refused_is_not_repeated(tmp_path: Path) -> None:
    canaries = Canaries()
    settings = everywhere(canaries)
    refused = [
        refusal(tmp_path, wrong) for canary in list(canaries.made.values()) for wrong in spoiled(settings, canary)
    ]
    assert len(list(filter(None, refused))) > len(canaries.made)
    assert canaries.seen("\n".join(refused)) == []


def test_a_secret_that_is_too_short_to_be_hidden_is_named_and_hides_nothing_else(tmp_path: Path) -> None:
    model = {"model": "m", "base_url": "http://127.0.0.1:9"}
    config = configured(
        tmp_path, {"agent": {"models": [model | {"api_key": "e"}, model | {"api_key": "e" * SHORTEST}]}}
    )
    assert short_secrets(config) == ("agent.models[0].api_key",)
    assert Masker(secret_values(config)).mask("here we are, eeeeee") == "here we are, ***"
