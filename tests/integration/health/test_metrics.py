"""A scrape, read by the official parser: names and labels are the contract's, and nobody is named."""

import pytest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families as parsed

from gateway.services.upkeep.meters import Histogram, Meters
from gateway.web.metrics import CONTENT_TYPE, Gauges, exposition
from tests.integration.health.conftest import Browser

pytestmark = pytest.mark.requirement("C8.6")
CONTRACT = {
    "dragoman_build_info": {"version"},
    "dragoman_messages_received": {"platform", "verdict"},
    "dragoman_deliveries": {"platform", "outcome"},
    "dragoman_queue_depth": {"queue", "state"},
    "dragoman_turn_seconds": {"le"},
    "dragoman_delivery_seconds": {"le"},
    "dragoman_platform_inbound_age_seconds": {"platform", "account"},
    "dragoman_retries": {"platform", "reason"},
    "dragoman_tokens": {"model", "kind"},
    "dragoman_job_lateness_seconds": set(),
    "dragoman_lanes_active": set(),
}


def families(text: str) -> dict[str, Metric]:
    return {family.name: family for family in parsed(text)}


def value(text: str, name: str, **labels: str) -> float | None:
    found = [one for family in parsed(text) for one in family.samples if one.name == name and one.labels == labels]
    return found[0].value if found else None


async def test_a_scrape_says_what_happened_under_the_names_of_the_contract(browser: Browser) -> None:
    ann = browser.house.phone("Annabella")
    ann.send("echo one two three")
    await ann.answer("one two three")
    await browser.house.quiet()
    answer = await browser.get("/metrics")
    assert answer.headers["Content-Type"] == CONTENT_TYPE
    text = answer.text
    found = families(text)
    assert set(found) == set(CONTRACT)
    for name, labels in CONTRACT.items():
        assert {label for one in found[name].samples for label in one.labels} <= labels, name
    assert value(text, "dragoman_messages_received_total", platform="telegram", verdict="talk") == 1
    assert value(text, "dragoman_deliveries_total", platform="telegram", outcome="done") == 1
    assert value(text, "dragoman_turn_seconds_count") == 1
    assert value(text, "dragoman_delivery_seconds_bucket", le="+Inf") == 1
    assert value(text, "dragoman_queue_depth", queue="inbox", state="ready") == 0
    assert (value(text, "dragoman_tokens_total", model="stand-in", kind="output") or 0) > 0
    age = value(text, "dragoman_platform_inbound_age_seconds", platform="telegram", account="main")
    assert age is not None
    assert 0 <= age < 60
    for private in ("Annabella", str(ann.user_id), browser.house.emulator.token, "one two three"):
        assert private not in text


async def test_refusals_and_new_tries_are_counted_by_their_kind(browser: Browser) -> None:
    await browser.until("/readyz", 200)
    browser.house.emulator.faults.add("flood", method="sendMessage", count=1, retry_after=0)
    stranger = browser.house.phone("Bob")
    stranger.send("/nosuchword")
    await browser.house.settled("SELECT 1 FROM items WHERE queue = 'outbox' AND state = 'done'")
    text = (await browser.get("/metrics")).text
    assert value(text, "dragoman_messages_received_total", platform="telegram", verdict="command") == 1
    assert sum(one.value for one in families(text)["dragoman_retries"].samples) == 1


def test_what_is_not_committed_is_not_counted_and_labels_are_escaped() -> None:
    meters = Meters()
    meters.take(("tokens", ('odd "model"\n\\', "input"), 3.0))
    text = exposition(meters, Gauges(version="1", depths={}, ages=[], lanes=0))
    assert value(text, "dragoman_tokens_total", model='odd "model"\n\\', kind="input") == 3


def test_buckets_hold_what_is_at_most_their_bound() -> None:
    histogram = Histogram((1.0, 2.0))
    for seconds in (0.5, 1.0, 1.5, 2.0, 9.0):
        histogram.add(seconds)
    assert list(histogram.cumulative()) == [(1.0, 2), (2.0, 4)]
    assert (histogram.count, histogram.total) == (5, 14.0)
