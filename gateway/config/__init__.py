"""gateway.json → frozen models, strict; a wrong file is refused with every reason at once."""

from gateway.config.errors import ConfigErrors, Problem
from gateway.config.find import FoundConfig, find_config
from gateway.config.load import load
from gateway.config.model import Config

__all__ = ["Config", "ConfigErrors", "FoundConfig", "Problem", "find_config", "load"]
