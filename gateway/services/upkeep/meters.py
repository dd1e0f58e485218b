"""What is counted and timed while the daemon lives; /metrics shows it, nothing else reads it.

Promise: what belongs to a commit is counted after it and only then, and no label tells who somebody is.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gateway.store.sqlite import Note

TURN_BOUNDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0)
DELIVERY_BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0)
COUNTERS: dict[str, tuple[str, ...]] = {
    "messages_received": ("platform", "verdict"),
    "deliveries": ("platform", "outcome"),
    "retries": ("platform", "reason"),
    "tokens": ("model", "kind"),
}


class Histogram:
    """How often a time was at most so long; bounds in seconds, ascending."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.total = 0.0
        self.count = 0
        self._within = [0] * (len(self.bounds) + 1)

    def add(self, seconds: float) -> None:
        """Take a time in."""
        self._within[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds
        self.count += 1

    def cumulative(self) -> Iterator[tuple[float, int]]:
        """Give each bound with how many times were not above it."""
        so_far = 0
        for bound, within in zip(self.bounds, self._within, strict=False):
            so_far += within
            yield bound, so_far


class Sample(NamedTuple):
    """One counter: its labels by name, and how far it has come."""

    labels: dict[str, str]
    value: float


class Meters:
    """All counters and histograms of this life of the daemon."""

    def __init__(self) -> None:
        self.histograms = {"turn_seconds": Histogram(TURN_BOUNDS), "delivery_seconds": Histogram(DELIVERY_BOUNDS)}
        self.job_lateness = 0.0  # seconds by which the last run of a job began too late
        self._counted: defaultdict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)

    def take(self, note: Note) -> None:
        """Take in what a commit noted."""
        name, labels, amount = note
        if name in self.histograms:
            self.histograms[name].add(amount)
        elif name == "job_lateness_seconds":
            self.job_lateness = amount
        else:
            self._counted[name][labels] += amount  # type: ignore[assignment]  # tokens and rows are whole anyway

    def count(self, name: str, *labels: str) -> None:
        """Count something that belongs to no commit."""
        self.take((name, labels, 1.0))

    def samples(self, name: str) -> Iterator[Sample]:
        """Give every counter of a name."""
        for labels, value in sorted(self._counted[name].items()):
            yield Sample(dict(zip(COUNTERS[name], labels, strict=True)), value)
