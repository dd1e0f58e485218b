"""Finds gateway.json: the places are fixed, in this order, and the current directory is never one of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FILE_NAME = "gateway.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundConfig:
    """The first configuration that exists (None: there is none), and the places that were looked at."""

    path: Path | None
    looked: tuple[Path, ...]


def find_config(
    home: Path | None,
    env: Mapping[str, str],
    explicit: Path | None = None,
    service_config: Path | None = None,
) -> FoundConfig:
    """Look for the configuration; `service_config` is what the unit of the installed service names.

    A file that --config or $DRAGOMAN_CONFIG names must exist: nothing else is taken in its place.
    """
    named = explicit or (Path(env["DRAGOMAN_CONFIG"]) if env.get("DRAGOMAN_CONFIG") else None)
    if named is not None:
        places = [named.expanduser().absolute()]
    else:
        directories = [part for part in env.get("CONFIGURATION_DIRECTORY", "").split(":") if part]
        places = [Path(directory) / FILE_NAME for directory in directories]
        if home is not None:
            places.append(home / FILE_NAME)
        if service_config is not None:
            places.append(service_config)
    found = next((place for place in places if place.exists()), None)
    return FoundConfig(path=found, looked=tuple(places))
