"""What a running house takes over from a new configuration, and how: one row for each part that changes.

Promise: everything that may fail is made before anything changes; what no row covers waits for a restart, by name.
"""

from collections.abc import Callable
from typing import NamedTuple

from pydantic import BaseModel

from agent.models.fallback import Fallback
from agent.tools.base import Tool
from gateway import assembly, thinking
from gateway.config import Config, secret_values
from gateway.home import Home
from gateway.masking import Masker
from gateway.services.commands.handler import Commands
from gateway.services.drafts import Drafts
from gateway.services.intake import Intake
from gateway.services.jobs.schedules import Schedules
from gateway.services.minds import Mind
from gateway.services.modes import Modes
from gateway.services.opening import Opener, Settings
from gateway.services.people.folders import workspace
from gateway.services.tools.approvals import Approvals
from gateway.services.turns import Turns
from gateway.services.upkeep.keeping import Keeping
from gateway.services.worker import LaneWorker, Limits
from gateway.thinking import Past


class Parts(NamedTuple):
    """The parts of a house that can be handed something new while they work."""

    intake: Intake
    inbox: LaneWorker
    opener: Opener
    turns: Turns
    drafts: Drafts
    commands: Commands
    keeping: Keeping
    approvals: Approvals
    schedules: Schedules


class Fresh(NamedTuple):
    """A configuration, and what was made of it beforehand."""

    config: Config
    home: Home
    past: Past
    model: Fallback
    aux: Fallback
    house: Callable[[Config], dict[str, Tool]]  # makes the tools that need the house itself
    tools: dict[str, Tool]

    @property
    def mind(self) -> Mind:
        """What answers."""
        return Mind(
            agent=thinking.agent(self.config, self.model),
            model=self.model.name,
            tools=self.tools,
            models=self.model,
            workspace=lambda turn: workspace(self.home.agent, turn),
            spending=thinking.spending(self.config),
            aux=self.aux,
            aux_tokens=thinking.aux_tokens(self.config),
            senses=thinking.senses(self.config),
            hide=Masker(secret_values(self.config)).hide,
        )

    @property
    def settings(self) -> Settings:
        """What opening a session needs."""
        return Settings(
            model=self.model.name,
            modes=Modes(self.config.busy),
            timezone=self.config.timezone,
            reset=assembly.resets(self.config),
            system=thinking.prompts(self.config, self.home, self.past.notes, self.tools),
        )

    @property
    def limits(self) -> Limits:
        """How many turns are made at once, and how long one may take."""
        return Limits(self.config.agent.max_concurrent_turns, self.config.agent.turn_timeout_seconds)


class Row(NamedTuple):
    """One part, and the keys of the configuration that it lives by."""

    keys: tuple[str, ...]
    adopt: Callable[[Parts, Fresh], None]


def _as_it_comes(_: Parts, __: Fresh) -> None:
    """Hand nothing over: it is read from the configuration in force each time it is needed."""


TABLE: tuple[Row, ...] = (
    Row(("access",), lambda house, new: house.intake.adopt(assembly.policy(new.config))),
    Row(("agent",), lambda house, new: house.turns.adopt(new.mind)),
    Row(("agent",), lambda house, new: house.inbox.adopt(new.limits)),
    Row(
        ("agent", "busy", "session_reset_policy", "timezone"),
        lambda house, new: house.opener.adopt(new.settings),
    ),
    Row(
        ("agent.name", "timezone"),
        lambda house, new: house.commands.adopt(name=new.config.agent.name, timezone=new.config.timezone),
    ),
    Row(
        ("agent.approvals",),
        lambda house, new: house.approvals.adopt(
            seconds=new.config.agent.approvals.timeout_seconds, mode=new.config.agent.approvals.mode
        ),
    ),
    Row(
        ("agent", "timezone"),
        lambda house, new: house.schedules.adopt(models=assembly.model_names(new.config), timezone=new.config.timezone),
    ),
    Row(("delivery.streaming",), lambda house, new: house.drafts.adopt(streaming=new.config.delivery.streaming)),
    Row(("retention",), lambda house, new: house.keeping.adopt(assembly.kept(new.config))),
    Row(("timezone",), lambda house, new: house.keeping.move(assembly.zone(new.config))),
    Row(("drain_seconds",), _as_it_comes),
)


def make(config: Config, home: Home, past: Past, house: Callable[[Config], dict[str, Tool]]) -> Fresh:
    """Make what a configuration needs made; raises Misconfigured."""
    model = thinking.models(config)
    aux = thinking.auxiliary(config, model)
    tools = assembly.tools(config) | thinking.tools(config, past, aux) | house(config)
    tools |= thinking.helpers(config, model, tools)
    return Fresh(config, home, past, model, aux, house, tools)


def changed(old: Config, new: Config) -> list[str]:
    """Name what differs, a section's keys one by one: `busy`, `http.port`."""
    found = []
    for name in type(old).model_fields:
        before, after = getattr(old, name), getattr(new, name)
        if before != after and isinstance(before, BaseModel) and isinstance(after, BaseModel):
            keys = [key for key in type(before).model_fields if getattr(before, key) != getattr(after, key)]
            found += [f"{name}.{key}" for key in keys]
        elif before != after:
            found.append(name)
    return found


def waiting(keys: list[str]) -> list[str]:
    """Name the keys that no row of the table covers: they wait for a restart."""
    return [key for key in keys if not any(_covers(row, key) for row in TABLE)]


def in_force(old: Config, new: Config) -> Config:
    """Give the new configuration with the old values of what waits for a restart."""
    for key in waiting(changed(old, new)):
        section, _, inner = key.partition(".")
        value = getattr(old, section)
        if inner:
            value = getattr(new, section).model_copy(update={inner: getattr(value, inner)})
        new = new.model_copy(update={section: value})
    return new


def take_over(house: Parts, keys: list[str], new: Fresh) -> None:
    """Hand each part that lives by one of these keys what is new for it."""
    for row in TABLE:
        if any(_covers(row, key) for key in keys):
            row.adopt(house, new)


def _covers(row: Row, key: str) -> bool:
    return any(key == one or key.startswith(f"{one}.") for one in row.keys)
