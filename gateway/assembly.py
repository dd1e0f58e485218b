"""Turns the configuration into the parts of the house: adapters, model, policies."""

import importlib
import math
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast
from zoneinfo import ZoneInfo

import structlog

from adapters import ADAPTERS
from agent.tools.base import Tool
from gateway import accounts, toolsets
from gateway.config import Config
from gateway.config.sessions import ResetRule
from gateway.domain.errors import Misconfigured, StorageTrouble
from gateway.domain.ids import ConversationKey
from gateway.domain.ports import Clock, Hooks
from gateway.heartbeat import Heartbeat
from gateway.home import Home
from gateway.services import admission
from gateway.services.jobs import job_tool
from gateway.services.jobs.schedules import House, Schedules
from gateway.services.jobs.schedules import make as make_schedules
from gateway.services.operations.rules import Rules
from gateway.services.operations.state import daemon_version
from gateway.services.outbox import Outbox
from gateway.services.registry import Line, Lines
from gateway.services.talks import reset
from gateway.services.tools.approvals import Approvals
from gateway.services.tools.hands import Hands
from gateway.services.upkeep import incidents
from gateway.services.upkeep.health import Health, Ticker
from gateway.services.upkeep.janitor import Limits
from gateway.services.upkeep.keeping import Keeping
from gateway.services.upkeep.meters import Meters
from gateway.services.upkeep.nightly import Plan
from gateway.services.worker import LaneWorker
from gateway.store import views
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase
from gateway.web.control import Event
from gateway.web.front import Front
from gateway.web.metrics import Gauges, exposition

log = structlog.get_logger(__name__)


def load_class(name: str) -> Any:  # a table names classes of different ports
    """Import what a table calls `module:Class`; raises Misconfigured when it is not there."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        message = f"{name} cannot be loaded: {error}"
        raise Misconfigured(message) from error


def lines(config: Config, blobs: Blobs, clock: Clock, hooks: Hooks, *, platforms: bool) -> list[Line]:
    """Make the adapter of every account that is switched on; only their libraries are imported."""
    made = []
    for platform, name, account in accounts.switched_on(config) if platforms else ():
        given = accounts.Given(name=name, config=config, blobs=blobs.path, clock=clock, hooks=hooks)
        made.append(Line(name=accounts.line_name(platform, name), adapter=accounts.adapter(platform, account, given)))
    made.append(Line(name="terminal", adapter=load_class(ADAPTERS["terminal"])(clock)))
    return made


def platforms(config: Config) -> list[str]:
    """Name every platform that people use, whether this process speaks on it or not: prompts hold hints for all."""
    return [
        name
        for name in ADAPTERS
        if name == "terminal" or any(a.enabled for a in getattr(config.platforms, name).values())
    ]


def liveness(config: Config) -> Callable[[Line], float]:
    """Say after how much silence an account counts as deaf, in seconds; a terminal may be silent for ever."""
    seconds = {
        accounts.line_name(platform, name): account.liveness_seconds
        for platform, name, account in accounts.switched_on(config)
    }
    return lambda line: seconds.get(line.name, math.inf)


def tools(config: Config) -> dict[str, Tool]:
    """Make every tool that is switched on and can be had."""
    return toolsets.kit(config, load_class)


def askable(config: Config) -> Callable[[ConversationKey], bool]:
    """Say where dangerous calls may be approved: a mail is a weak word, so there only where somebody wants it."""
    mailboxes = {one.address.casefold() for one in config.platforms.email.values() if one.approvals}
    return lambda conversation: conversation.platform != "email" or conversation.account in mailboxes


def approvals(
    config: Config, *, db: SqliteDatabase, outbox: Outbox, lines: Lines, blobs: Blobs, clock: Clock, boot: str
) -> Approvals:
    """Make what asks about dangerous calls."""
    return Approvals(
        db=db,
        outbox=outbox,
        lines=lines,
        clock=clock,
        boot=boot,
        blobs=blobs,
        seconds=config.agent.approvals.timeout_seconds,
        askable=askable(config),
        mode=config.agent.approvals.mode,
    )


def schedules(config: Config, house: House) -> Schedules:
    """Make what has to do with jobs."""
    zone = str(config.timezone)
    return make_schedules(house, models=model_names(config), timezone=zone, enabled=config.cron.enabled)


def on_playground() -> bool:
    """Whether all around us is emulated, and the clock of jobs may be moved."""
    return os.environ.get("DRAGOMAN_PLAYGROUND") == "1"


def model_names(config: Config) -> list[str]:
    """Name the models that jobs may choose among."""
    return [one.model for one in config.agent.models]


def house_tools(config: Config, hands: Hands, jobs: Schedules) -> dict[str, Tool]:
    """Make the tools that need the house itself."""
    made = dict(hands.tools(config))
    if config.cron.enabled and "schedule" in config.agent.tools:
        made["schedule"] = tuple(job_tool.tools(hands.db, jobs.keeper, jobs.firing).values())
    ranked = [toolsets.ranked(config, name, tool) for name, tools in made.items() for tool in tools]
    return {tool.name: tool for tool in ranked}


def health(config: Config, db: SqliteDatabase, registry: Lines, clock: Clock, tickers: Mapping[str, Ticker]) -> Health:
    """Make what feels our pulse."""
    return Health(db=db, lines=registry, tickers=tickers, liveness=liveness(config), clock=clock)


def front(
    config: Config,
    home: Home,
    pulse: Health,
    read: Callable[[], Awaitable[str]],
    ask: Callable[[str, Event], Awaitable[object]],
) -> Front:
    """Make what keeps the web server up."""

    async def status() -> Event:
        return cast(Event, await ask("status", {}))  # the operation answers with an object

    return Front(settings=config.http, token_file=home.http_token, health=pulse, metrics=read, status=status)


async def scrape(db: SqliteDatabase, meters: Meters, pulse: Health, workers: Mapping[str, LaneWorker]) -> str:
    """Write down what has been counted and what is so at this moment; raises StorageTrouble."""
    states = ("ready", "dead", "unknown")
    depths = {(queue, state): 0 for queue in ("inbox", "outbox") for state in states}
    depths |= {(row["queue"], row["state"]): int(row["n"]) for row in await views.depths(db)}
    ages = [(line.adapter.platform, line.name.partition(".")[2] or "main", pulse.age(line)) for line in pulse.watched()]
    lanes = sum(len(one.running) for one in workers.values())
    return exposition(meters, Gauges(version=daemon_version(), depths=depths, ages=ages, lanes=lanes))


async def summary(db: SqliteDatabase, pulse: Health) -> str:
    """Say in one line how we are, for the service manager."""
    try:
        waiting = sum(int(row["n"]) for row in await views.depths(db) if row["state"] == "ready")
        subjects = [str(row["subject"]) for row in await views.incidents(db)]
    except StorageTrouble:
        return "the store cannot be read"
    troubles = [f"{subject} in trouble" for subject in subjects if not subject.startswith(incidents.PLATFORM)]
    return pulse.summary(waiting, troubles)


def kept(config: Config) -> Limits:
    """Read how long and how much is kept."""
    rule = config.retention
    return Limits(messages_days=rule.messages_days, blobs_days=rule.blobs_days, max_gib=rule.max_gib)


def zone(config: Config) -> ZoneInfo:
    """Read the zone of the daemon."""
    return ZoneInfo(config.timezone)


def keeping(
    config: Config,
    home: Home,
    *,
    db: SqliteDatabase,
    blobs: Blobs,
    outbox: Outbox,
    clock: Clock,
) -> Keeping:
    """Make what keeps the state: how long and how much is kept, when it is backed up."""
    backups, plan = config.backups, None
    if backups is not None:
        plan = Plan(at=backups.at, keep=backups.keep, zone=zone(config), config=home.config_file)
    return Keeping(home=home, db=db, blobs=blobs, outbox=outbox, clock=clock, limits=kept(config), plan=plan)


def heartbeat(config: Config, db: SqliteDatabase, pulse: Health, clock: Clock) -> Heartbeat | None:
    """Make what calls an address while all is well, if one is configured."""
    given = config.heartbeat
    if given is None:
        return None

    async def unwell() -> list[str]:
        try:
            subjects = [str(row["subject"]) for row in await views.incidents(db)]
        except StorageTrouble:
            subjects = []  # which is told below
        return [*await pulse.unready(), *(one for one in subjects if one.startswith(incidents.PLATFORM))]

    url = given.url.get_secret_value()
    return Heartbeat(url=url, every=given.every_seconds, unwell=unwell, clock=clock)


def policy(config: Config) -> admission.Policy:
    """Read who may talk."""
    access = config.access
    groups = {
        _address(group.conversation): admission.GroupRule(group.mention == "free", group.role, group.overhear)
        for group in access.groups
    }
    return admission.Policy(access.unknown, access.open_role, groups)


def _address(conversation: str) -> str:
    """Give a conversation as adapters name it: a workspace before it is for people, ids are unique without."""
    platform, _, native = conversation.partition(":")
    return f"{platform}:{native.rpartition('/')[2]}"


def resets(config: Config) -> reset.Policies:
    """Read when conversations start afresh; an exception holds what is written in it."""
    rule = config.session_reset_policy
    usual = reset.Policy(rule.type, rule.idle_hours, rule.notice, rule.at, rule.warn_minutes)
    return reset.Policies(
        usual,
        {name: _differing(each) for name, each in rule.per_platform.items()},
        {kind: _differing(each) for kind, each in rule.per_kind.items()},
    )


def _differing(rule: ResetRule) -> reset.Differing:
    written = rule.model_fields_set
    return reset.Differing(
        type=rule.type if "type" in written else None,
        idle_hours=rule.idle_hours if "idle_hours" in written else None,
        notice=rule.notice if "notice" in written else None,
        at=rule.at if "at" in written else None,
        warn_minutes=rule.warn_minutes if "warn_minutes" in written else None,
    )


def rules(config: Config) -> Rules:
    """Read what decides about a message, for dry runs."""
    return Rules(
        policy=policy(config),
        reset=resets(config),
        busy=config.busy,
        timezone=str(config.timezone),
        model=config.agent.models[0].model,
        tools=[(tool.name, tool.role) for tool in tools(config).values()],
        platforms=platforms(config),
    )
