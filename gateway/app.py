"""Wires the house and runs it: the only place that knows everybody.

Promise: the lock is held before anything is opened; a stop lets running answers finish for a while and hands the
rest to the next start; the process ends with the exit codes of the contract.
"""

import asyncio
import os
import secrets
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import structlog

from adapters.terminal import TerminalAdapter
from agent.memory import notes as remembered
from cron.calendar import WallCalendar
from cron.service import Ticker
from gateway import assembly, logs, reloading
from gateway.config import Config, secret_values
from gateway.daemon import OK, TEMPORARY, WRONG, App
from gateway.domain.errors import Misconfigured, StorageTrouble
from gateway.domain.ports import Clock
from gateway.domain.work import Queue
from gateway.home import Home, keep_private, lock_home
from gateway.masking import Masker
from gateway.notify import ServiceManager
from gateway.services.arrivals import Arrivals
from gateway.services.commands.context import Context, Offered
from gateway.services.commands.handler import BESIDE, WORDS, Commands
from gateway.services.commands.table import COMMANDS
from gateway.services.condensing import Condenser
from gateway.services.drafts import Drafts
from gateway.services.fetching import Fetcher
from gateway.services.hooks import Hooks
from gateway.services.inbox import Inbox
from gateway.services.intake import Intake, Words
from gateway.services.jobs import schedules
from gateway.services.jobs.schedules import Schedules
from gateway.services.letters import Letters
from gateway.services.meanwhile import Meanwhile
from gateway.services.minds import Mind
from gateway.services.opening import Opener
from gateway.services.operations import perform
from gateway.services.outbox import Outbox
from gateway.services.pace import STANDARD, Pace
from gateway.services.people.belongings import Belongings
from gateway.services.people.exporting import Exporter
from gateway.services.registry import Lines
from gateway.services.stopping import Stopper
from gateway.services.talks.lifetimes import Lifetimes
from gateway.services.talks.notes import Notes
from gateway.services.talks.recall import Recall
from gateway.services.talks.reviewing import Looks
from gateway.services.tools.advising import Adviser
from gateway.services.tools.approvals import Approvals
from gateway.services.tools.fence import Fence
from gateway.services.tools.hands import Hands
from gateway.services.turns import Turns
from gateway.services.upkeep.away import Away
from gateway.services.upkeep.incidents import Incidents
from gateway.services.upkeep.meters import Meters
from gateway.services.voicing import Voicing
from gateway.services.worker import Handler, LaneWorker, Limits
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase
from gateway.supervisor import Supervisor
from gateway.texts import say
from gateway.thinking import Past
from gateway.upkeep import Upkeep
from gateway.web.control import ControlServer, Event
from gateway.web.hooks import HookListener

log = structlog.get_logger(__name__)
OUTBOX_SLOTS = 256
DELIVERY_SECONDS = 4 * 3600.0  # the largest album on the slowest line; each call inside has a deadline of its own


class _Base(NamedTuple):
    """What every part of the house shares."""

    config: Config
    db: SqliteDatabase
    blobs: Blobs
    belongings: Belongings
    registry: Lines
    outbox: Outbox
    incidents: Incidents
    schedules: Schedules
    hands: Hands
    approvals: Approvals
    past: Past
    clock: Clock
    boot: str
    pace: Pace


def build(
    config: Config, home: Home, *, platforms: bool = True, clock: Clock = time.time, pace: Pace = STANDARD
) -> App:
    """Wire the house for a home whose lock is held."""
    meters, blobs, hooks = Meters(), Blobs(home.blobs), HookListener(config.webhooks)
    registry = Lines(assembly.lines(config, blobs, clock, hooks, platforms=platforms), clock)
    base = _base(config, home, registry, blobs, meters, clock=clock, pace=pace)
    db, boot, outbox, incidents, jobs = base.db, base.boot, base.outbox, base.incidents, base.schedules
    fresh = reloading.make(config, home, base.past, lambda new: assembly.house_tools(new, base.hands, jobs))
    opener = Opener(settings=fresh.settings, outbox=outbox, clock=clock, boot=boot)
    drafts = Drafts(db=db, lines=registry, clock=clock, streaming=config.delivery.streaming, pace=pace)
    turns = _turns(base, fresh.mind, opener, drafts)
    inbox = _inbox(base, turns, commands := _commands(base, turns, opener), opener.lifetimes)
    intake, workers = _intake(base, opener, turns), _workers(base, inbox, outbox, fresh.limits)
    supervisor, ticker = _supervisor(base, intake, meters), Ticker(jobs.firing, jobs.clock)
    health = assembly.health(config, db, registry, clock, {**workers, "supervisor": supervisor, "ticker": ticker})
    manager = ServiceManager(os.environ, health.stuck, lambda: assembly.summary(db, health))
    keeping = assembly.keeping(config, home, db=db, blobs=blobs, outbox=outbox, clock=clock)
    parts = reloading.Parts(intake, workers["inbox"], opener, turns, drafts, commands, keeping, base.approvals, jobs)
    app: App

    async def ask(name: str, args: Event) -> object:
        return await perform(db, app, name, args, clock=clock)

    terminal = next(line.adapter for line in registry.all if isinstance(line.adapter, TerminalAdapter))
    app = App(
        db=db,
        boot=boot,
        clock=clock,
        registry=registry,
        inbox=workers["inbox"],
        outbox=workers["outbox"],
        handlers={"inbox": inbox, "outbox": outbox},
        supervisor=supervisor,
        control=ControlServer(home.control_sock, ask, terminal.attend),
        health=health,
        front=assembly.front(config, home, health, lambda: assembly.scrape(db, meters, health, workers), ask),
        hooks=hooks,
        schedules=jobs,
        ticker=ticker,
        manager=manager,
        upkeep=Upkeep(fresh=fresh, parts=parts, db=db, incidents=incidents, manager=manager, clock=clock),
        keeping=keeping,
        away=Away(db=db, outbox=outbox, lines=registry, clock=clock),
        fence=base.hands.fence,
        heartbeat=assembly.heartbeat(config, db, health, clock),
        told=turns.hooks,
        started_at=clock(),
    )
    return app


def _inbox(base: _Base, turns: Turns, commands: Commands, lifetimes: Lifetimes) -> Inbox:
    arrivals = Arrivals(
        db=base.db,
        lines=base.registry,
        outbox=base.outbox,
        belongings=base.belongings,
        notes=base.past.notes,
        clock=base.clock,
        boot=base.boot,
    )
    notes = Notes(db=base.db, lifetimes=lifetimes, outbox=base.outbox, clock=base.clock, boot=base.boot)
    base.approvals.adviser = Adviser(db=base.db, mind=lambda: turns.mind, clock=base.clock)
    notes.adopt(
        Looks(db=base.db, mind=lambda: turns.mind, notes=base.past.notes, lifetimes=lifetimes, clock=base.clock)
    )
    return Inbox(turns=turns, commands=commands, arrivals=arrivals, notes=notes)


def _intake(base: _Base, opener: Opener, turns: Turns) -> Intake:
    return Intake(
        db=base.db,
        clock=base.clock,
        policy=assembly.policy(base.config),
        words=Words(WORDS, BESIDE),
        heard=partial(_heard, base),
        away=base.registry.away,
        meanwhile=Meanwhile(opener=opener, outbox=base.outbox, lines=base.registry, approvals=base.approvals),
        interrupt=turns.interrupt,
        letters=Letters(outbox=base.outbox, lines=base.registry),
    )


def _base(
    config: Config, home: Home, registry: Lines, blobs: Blobs, meters: Meters, *, clock: Clock, pace: Pace
) -> _Base:
    boot, db = secrets.token_hex(6), SqliteDatabase(home.state_db, meters.take)
    outbox = Outbox(db=db, lines=registry, clock=clock, boot=boot, pace=pace)
    incidents = Incidents(outbox=outbox, clock=clock, tell_after=pace.tell_after)
    house = schedules.House(
        db, outbox, registry, blobs, clock, boot, WallCalendar(), home.scripts, assembly.on_playground()
    )
    jobs = assembly.schedules(config, house._replace(playground=assembly.on_playground()))
    asks = assembly.approvals(config, db=db, outbox=outbox, lines=registry, blobs=blobs, clock=clock, boot=boot)
    belongings = Belongings(folder=home.people, blobs=blobs)
    past = Past(remembered.Notes(home.agent, clock), Recall(db, clock))
    hands = Hands(db, outbox, registry, blobs, Fence(home))
    return _Base(config, db, blobs, belongings, registry, outbox, incidents, jobs, hands, asks, past, clock, boot, pace)


def _heard(base: _Base, account: str) -> bool:
    """Note a completed inbound round trip; True when that brought the account up."""
    rose = base.registry.alive(account)
    if rose:
        log.info("platform_up", account=account)
    return rose


def _turns(base: _Base, mind: Mind, opener: Opener, drafts: Drafts) -> Turns:
    return Turns(
        db=base.db,
        mind=mind,
        opener=opener,
        fetcher=Fetcher(
            db=base.db,
            blobs=base.blobs,
            lines=base.registry,
            outbox=base.outbox,
            mind=mind,
            clock=base.clock,
        ),
        incidents=base.incidents,
        outbox=base.outbox,
        drafts=drafts,
        approvals=base.approvals,
        runs=base.schedules.runs,
        voicing=Voicing(base.blobs),
        hooks=Hooks(mind.hide),
        condenser=Condenser(db=base.db, notes=base.past.notes, files=base.blobs.path, clock=base.clock),
        clock=base.clock,
        boot=base.boot,
    )


def _commands(base: _Base, turns: Turns, opener: Opener) -> Commands:
    context = Context(
        name=base.config.agent.name,
        timezone=str(base.config.timezone),
        opener=opener,
        outbox=base.outbox,
        approvals=base.approvals,
        lines=base.registry,
        clock=base.clock,
        running=lambda: len(turns.running),
        mind=lambda: turns.mind,
        jobs=base.schedules.keeper,
        firing=base.schedules.firing,
        notes=base.past.notes,
        commands=[Offered(one.name, one.role, one.summary, one.own) for one in COMMANDS if one.menu],
    )
    exporter = Exporter(db=base.db, belongings=base.belongings, blobs=base.blobs, lines=base.registry, clock=base.clock)
    stopper = Stopper(
        db=base.db,
        turns=turns,
        approvals=base.approvals,
        outbox=base.outbox,
        lines=base.registry,
        clock=base.clock,
    )
    return Commands(
        db=base.db,
        context=context,
        stopper=stopper,
        exporter=exporter,
        outbox=base.outbox,
        clock=base.clock,
        boot=base.boot,
    )


def _supervisor(base: _Base, intake: Intake, meters: Meters) -> Supervisor:
    return Supervisor(
        db=base.db,
        lines=base.registry,
        intake=intake,
        incidents=base.incidents,
        clock=base.clock,
        liveness=assembly.liveness(base.config),
        menu=[(one.name, say(one.summary)) for one in COMMANDS if one.menu],
        pace=base.pace,
        meters=meters,
    )


def _workers(base: _Base, inbox: Inbox, outbox: Outbox, limits: Limits) -> dict[str, LaneWorker]:
    return {
        "inbox": _worker(base, "inbox", inbox, limits),
        "outbox": _worker(base, "outbox", outbox, Limits(OUTBOX_SLOTS, DELIVERY_SECONDS)),
    }


def _worker(base: _Base, queue: Queue, handler: Handler, limits: Limits) -> LaneWorker:
    return LaneWorker(
        queue=queue,
        db=base.db,
        handler=handler,
        limits=limits,
        boot=base.boot,
        clock=base.clock,
        accounts=None if queue == "inbox" else base.registry.up,
        stuck=_stuck,
        bound=base.schedules.runs.seconds if queue == "inbox" else lambda _: None,
    )


def run(
    config: Config,
    home: Home,
    command: str,
    reread: Callable[[], Config] | None = None,
    *,
    take_over: bool = False,
    config_file: Path | None = None,
) -> int:
    """Run the daemon in the foreground until a signal ends it; returns the exit code, raises HomeBusy."""
    keep_private()
    masker = Masker(secret_values(config))
    logs.configure(config.logging.level, config.logging.format, sys.stderr, masker, os.environ)
    logs.log_uncaught()
    with lock_home(home.lock, command):
        return asyncio.run(_run(config, home, masker, reread, take_over=take_over, config_file=config_file))


async def _run(
    config: Config,
    home: Home,
    masker: Masker,
    reread: Callable[[], Config] | None,
    *,
    take_over: bool,
    config_file: Path | None,
) -> int:
    app = build(config, home)
    app.told.read((config_file or home.config_file).parent)
    app.take_over = take_over
    app.upkeep.learn = masker.add
    app.keeping.pack(config_file or home.config_file)
    if reread is not None:
        app.upkeep.reread = reread
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, app.end, OK)
    loop.add_signal_handler(signal.SIGHUP, app.upkeep.reload)
    try:
        return await app.serve()
    except StorageTrouble as trouble:
        log.critical("store_unusable", reason=str(trouble))
        return TEMPORARY
    except Misconfigured as wrong:
        log.critical("cannot_start", reason=str(wrong))
        return WRONG


def _stuck(lane: str) -> None:
    """End the process at once: something in it cannot be stopped, and only a new start frees its lane."""
    log.critical("stuck", lane=lane)
    os._exit(TEMPORARY)
