"""What /metrics says, in the text format of Prometheus (version 0.0.4); names and labels are the contract's.

Promise: platforms, models and the accounts' names in the configuration are the only names in here.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gateway.services.upkeep.meters import COUNTERS, Histogram, Meters

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
HELP = {
    "dragoman_build_info": "The version that runs; always 1.",
    "dragoman_messages_received_total": "Events that were stored, by what admission decided.",
    "dragoman_deliveries_total": "Parts of answers and notices, by how they ended.",
    "dragoman_queue_depth": "Rows that are not done.",
    "dragoman_turn_seconds": "From the start of an answer's making to its commit.",
    "dragoman_delivery_seconds": "From the commit of a part to its end: delivered, or outcome unknown.",
    "dragoman_platform_inbound_age_seconds": "Time since the last completed inbound round trip, or since the start.",
    "dragoman_retries_total": "What had to be tried again, by why.",
    "dragoman_tokens_total": "Tokens that models counted; cached ones are part of input.",
    "dragoman_job_lateness_seconds": "By how much the last scheduled run began too late.",
    "dragoman_lanes_active": "Lanes that are being worked now.",
}


class Gauges(NamedTuple):
    """What is read at the moment of a scrape."""

    version: str
    depths: Mapping[tuple[str, str], int]  # by queue and state
    ages: Sequence[tuple[str, str, float]]  # platform, account's name in the configuration, seconds
    lanes: int


def exposition(meters: Meters, gauges: Gauges) -> str:
    """Write everything down."""
    lines = [
        *_family("dragoman_build_info", "gauge", [({"version": gauges.version}, 1)]),
        *_counters(meters),
        *_family(
            "dragoman_queue_depth",
            "gauge",
            [({"queue": queue, "state": state}, n) for (queue, state), n in sorted(gauges.depths.items())],
        ),
        *_family(
            "dragoman_platform_inbound_age_seconds",
            "gauge",
            [({"platform": platform, "account": account}, age) for platform, account, age in gauges.ages],
        ),
        *_family("dragoman_job_lateness_seconds", "gauge", [({}, meters.job_lateness)]),
        *_family("dragoman_lanes_active", "gauge", [({}, gauges.lanes)]),
    ]
    for name, histogram in meters.histograms.items():
        lines += _histogram(f"dragoman_{name}", histogram)
    return "\n".join(lines) + "\n"


def _counters(meters: Meters) -> Iterator[str]:
    for name in COUNTERS:
        yield from _family(f"dragoman_{name}_total", "counter", list(meters.samples(name)))


def _family(name: str, kind: str, samples: Sequence[tuple[Mapping[str, str], float]]) -> Iterator[str]:
    yield from _head(name, kind)
    for labels, value in samples:
        yield _sample(name, labels, value)


def _histogram(name: str, histogram: Histogram) -> Iterator[str]:
    yield from _head(name, "histogram")
    for bound, count in histogram.cumulative():
        yield _sample(f"{name}_bucket", {"le": f"{bound:g}"}, count)
    yield _sample(f"{name}_bucket", {"le": "+Inf"}, histogram.count)
    yield _sample(f"{name}_sum", {}, histogram.total)
    yield _sample(f"{name}_count", {}, histogram.count)


def _head(name: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {HELP[name]}"
    yield f"# TYPE {name} {kind}"


def _sample(name: str, labels: Mapping[str, str], value: float) -> str:
    inside = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
    return f"{name}{{{inside}}} {value:.10g}" if inside else f"{name} {value:.10g}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")
