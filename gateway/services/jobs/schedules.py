"""Everything that schedules need, made once: who keeps jobs, who fires them, who ends their runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from gateway.domain.ports import Calendar, Clock
from gateway.services.jobs.ahead import Ahead
from gateway.services.jobs.firing import Firing
from gateway.services.jobs.holding import Holding
from gateway.services.jobs.jobs import Jobs
from gateway.services.jobs.runs import Runs
from gateway.services.outbox import Outbox
from gateway.services.registry import Lines
from gateway.services.scripts import Scripts
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase


class Schedules(NamedTuple):
    """The parts of the house that have to do with jobs."""

    keeper: Jobs
    firing: Firing
    runs: Runs
    clock: Ahead  # as jobs see it

    def adopt(self, *, models: Sequence[str], timezone: str) -> None:
        """Go by another configuration from now on."""
        self.keeper.adopt(models=models)
        self.runs.adopt(timezone=timezone)


class House(NamedTuple):
    """What schedules are made of."""

    db: SqliteDatabase
    outbox: Outbox
    lines: Lines
    blobs: Blobs
    clock: Clock
    boot: str
    calendar: Calendar
    scripts: Path
    playground: bool = False


def make(house: House, *, models: Sequence[str], timezone: str, enabled: bool) -> Schedules:
    """Make the parts, and let the outbox ask for help where output of a job cannot be delivered."""
    clock = Ahead(house.clock, movable=house.playground)
    scripts, holding = Scripts(house.scripts), Holding(house.outbox)
    keeper = Jobs(calendar=house.calendar, clock=clock, models=models, scripts=scripts)
    firing = Firing(db=house.db, keeper=keeper, holding=holding, outbox=house.outbox, clock=clock, enabled=enabled)
    runs = Runs(
        db=house.db,
        keeper=keeper,
        holding=holding,
        scripts=scripts,
        outbox=house.outbox,
        lines=house.lines,
        blobs=house.blobs,
        clock=house.clock,
        boot=house.boot,
        timezone=timezone,
    )
    house.outbox.rescue = runs.rescue
    return Schedules(keeper, firing, runs, clock)
