"""Dashboard and alert rules ask for metrics that exist."""

import json
import re

import pytest

from gateway.web.metrics import HELP
from tests.house.sources import ROOT

METRIC = re.compile(r"\bdragoman_[a-z_]+")


@pytest.mark.requirement("C8.6")
@pytest.mark.parametrize("page", ["docs/grafana/dragoman.json", "docs/alerts/dragoman.yml", "docs/server.md"])
def test_every_metric_that_is_asked_for_exists(page: str) -> None:
    text = (ROOT / page).read_text()
    named = {re.sub(r"_(bucket|sum|count)$", "", name) for name in METRIC.findall(text)}
    assert named
    assert named <= set(HELP)


def test_the_dashboard_is_json_and_leaves_the_source_to_whoever_imports_it() -> None:
    made = json.loads((ROOT / "docs/grafana/dragoman.json").read_text())
    assert {panel["datasource"]["uid"] for panel in made["panels"]} == {"${source}"}
