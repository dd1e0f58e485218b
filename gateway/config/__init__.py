"""gateway.json → frozen models, strict; a wrong file is refused with every reason at once."""

from gateway.config.errors import ConfigErrors, Problem
from gateway.config.find import FoundConfig, find_config
from gateway.config.load import load
from gateway.config.model import Config
from gateway.config.pending import NotYet, not_yet
from gateway.config.secrets import secret_values, short_secrets, shown

__all__ = [
    "Config",
    "ConfigErrors",
    "FoundConfig",
    "NotYet",
    "Problem",
    "find_config",
    "load",
    "not_yet",
    "secret_values",
    "short_secrets",
    "shown",
]
