"""What is not built yet is said once, and refused where doing nothing would be wrong."""

from collections.abc import Callable

import pytest

from gateway.config import Config, not_yet
from gateway.config.catalogue import Catalogue
from gateway.config.pending import LISTED, REFUSED

Reader = Callable[..., Config]
BUILT = {"telegram", "terminal"}
MODEL = {"model": "m"}
TELEGRAM = {"telegram": {"token": "1:x"}}


def agent(**changes: object) -> dict[str, object]:
    return {"agent": {"models": [MODEL], **changes}}


@pytest.mark.requirement("C2.4")
def test_the_defaults_start_without_refusal_and_say_what_they_lack(read: Reader) -> None:
    found = not_yet(read({"platforms": TELEGRAM}), BUILT)
    assert found.refused == ()
    assert found.listed == ()


def test_nothing_is_listed_twice(read: Reader) -> None:
    listed = not_yet(read({"platforms": TELEGRAM}), BUILT).listed
    assert len(set(map(str, listed))) == len(listed)


@pytest.mark.requirement("C2.4")
@pytest.mark.parametrize(
    ("content", "path"),
    [
        (agent(tools=["people"]), "agent.tools"),
        ({"platforms": {"telegram": {"token": "x", "catch_up_hours": 1}}}, "platforms.telegram.catch_up_hours"),
    ],
)
def test_what_has_no_effect_yet_is_listed(read: Reader, content: dict[str, object], path: str) -> None:
    found = not_yet(read(content), BUILT)
    assert found.refused == ()
    assert path in {problem.path for problem in found.listed}


@pytest.mark.parametrize(
    ("content", "path"),
    [
        ({"busy": "followup"}, "busy"),
        ({"busy": "collect"}, "busy"),
        ({"access": {"unknown": "ignore"}}, "access.unknown"),
        ({"access": {"unknown": "open"}}, "access.unknown"),
        ({"backups": None}, "backups"),
        ({"http": {"port": 1}}, "http"),
        ({"retention": {"blobs_days": None, "max_gib": None}}, "retention"),
        (agent(tools=["current_time"]), "agent.tools"),
        (agent(models=[MODEL, MODEL]), "agent.models"),
    ],
)
def test_what_is_built_or_not_asked_for_is_not_listed(read: Reader, content: dict[str, object], path: str) -> None:
    assert path not in {problem.path for problem in not_yet(read(content), BUILT).listed}


@pytest.mark.requirement("C2.5")
@pytest.mark.parametrize(
    ("content", "path"),
    [
        ({"platforms": {"discord": {"token": "x"}}}, "platforms.discord"),
        ({"platforms": {"slack": {"bot_token": "x", "app_token": "y"}}}, "platforms.slack"),
    ],
)
def test_what_would_be_wrong_if_it_did_nothing_is_refused(read: Reader, content: dict[str, object], path: str) -> None:
    (problem,) = not_yet(read(content), BUILT).refused
    assert problem.path == path
    assert problem.message.startswith("not yet: ")


def test_a_platform_counts_as_built_when_its_adapter_exists_or_it_is_off(read: Reader) -> None:
    content = {"platforms": {"discord": {"token": "x"}}}
    assert not_yet(read(content), {*BUILT, "discord"}).refused == ()
    assert not_yet(read({"platforms": {"discord": {"enabled": False}}}), BUILT).refused == ()


@pytest.mark.parametrize(
    "policy",
    [
        {"type": "manual"},
        {"type": "daily_boundary"},
        {"type": "idle_or_daily"},
        {"per_platform": {"email": {}}, "per_kind": {"group": {}}},
    ],
)
def test_every_reset_is_built(read: Reader, policy: dict[str, object]) -> None:
    assert not_yet(read({"session_reset_policy": policy}), BUILT).refused == ()


def test_every_row_names_a_key_that_exists() -> None:
    catalogue = Catalogue()
    for row in (*LISTED, *REFUSED):
        assert catalogue.explain(row.key.replace("platforms.*", "platforms.telegram"))
