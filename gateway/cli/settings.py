"""The configuration as commands need it: found, loaded, and refused when it asks for what is not built yet."""

import os
from typing import NamedTuple

from adapters import ADAPTERS
from gateway.cli.failing import CONFIGURATION, Stop
from gateway.cli.where import Where
from gateway.config import Config, ConfigErrors, FoundConfig, NotYet, Problem, find_config, load, not_yet


class Settings(NamedTuple):
    """A configuration that can be used, where it came from, and what of it does nothing yet."""

    config: Config
    found: FoundConfig
    not_yet: tuple[Problem, ...]


def find(where: Where) -> FoundConfig:
    """Look for the configuration of a home."""
    choice = where.choice()
    return find_config(choice.path, os.environ, where.config, choice.service_config)


def settings(where: Where) -> Settings:
    """Load the configuration; raises Stop when there is none, ConfigErrors with everything that is wrong at once."""
    found = find(where)
    if found.path is None:
        places = ", ".join(str(place) for place in found.looked)
        message = (
            f"No configuration yet (looked in {places}). `dragoman setup` takes two minutes; "
            "`dragoman playground` needs none."
        )
        raise Stop(message, code=CONFIGURATION)
    config = load(found.path, where.choice().path, os.environ)
    pending: NotYet = not_yet(config, ADAPTERS)
    if pending.refused:
        raise ConfigErrors(pending.refused, found.path)
    return Settings(config, found, pending.listed)
