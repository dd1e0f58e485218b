"""Which tools there are: what the configuration switches on, with their least roles, and what cannot be had here."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from agent.tools import TOOLS
from agent.tools.base import Tool
from agent.web.searching import duckduckgo_missing
from gateway.config import Config

ALWAYS = ("current_time",)
Load: TypeAlias = Callable[[str], Any]  # a table names functions of different kinds


class Toolset(NamedTuple):
    """Tools that are switched on together; `missing` says why they cannot be had on this machine, if so."""

    make: Callable[[Config, Load], Sequence[Tool]]
    missing: Callable[[Config], str | None] = lambda _: None


def _built_in(name: str) -> Callable[[Config, Load], Sequence[Tool]]:
    """Look up a maker of the agent's own, loaded when it is needed."""

    def make(_: Config, load: Load) -> Sequence[Tool]:
        made: Sequence[Tool] = load(TOOLS[name])()
        return made

    return make


def _web(config: Config, load: Load) -> Sequence[Tool]:
    engine = config.agent.web.search
    if engine == "duckduckgo" and duckduckgo_missing() is not None:
        engine = None  # which `missing` says
    made: Sequence[Tool] = load(TOOLS["web"])(engine)
    return made


TABLE: dict[str, Toolset] = {
    "current_time": Toolset(_built_in("current_time")),
    "files": Toolset(_built_in("files")),
    "web": Toolset(_web),
}


def kit(config: Config, load: Load) -> dict[str, Tool]:
    """Make every tool that is switched on and can be had, and those of one's own, named as `module:function`."""
    made: list[Tool] = []
    for name in wanted(config):
        if ":" in name:
            made.append(_own(config, name, load))
        elif TABLE[name].missing(config) is None:
            made += [ranked(config, name, one) for one in TABLE[name].make(config, load)]
    return {tool.name: tool for tool in made}


def ranked(config: Config, toolset: str, tool: Tool) -> Tool:
    """Give a tool the role that the configuration wants for its toolset."""
    return replace(tool, toolset=toolset, role=config.agent.tool_roles.get(toolset) or tool.role)


def wanted(config: Config) -> list[str]:
    """Name the toolsets that are switched on and built, each once."""
    named = [name for name in config.agent.tools if name in TABLE or ":" in name]
    return list(dict.fromkeys([*ALWAYS, *named]))


def missing(config: Config) -> list[str]:
    """Say what is switched on and cannot be had here, and why."""
    found = [(name, TABLE[name].missing(config)) for name in wanted(config) if name in TABLE]
    if "web" in config.agent.tools and config.agent.web.search == "duckduckgo":
        found.append(("web search", duckduckgo_missing()))
    return [f"tool {name}: {why}" for name, why in found if why is not None]


def _own(config: Config, name: str, load: Load) -> Tool:
    tool: Tool = load(name)()
    roles = config.agent.tool_roles
    role = next((role for key, role in roles.items() if key in (name, tool.name)), None)
    return replace(tool, toolset=name, role=role or tool.role)
