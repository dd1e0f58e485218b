"""Reads the installed service's unit, so that the command line finds the home that the service uses."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

UNIT_NAME = "dragoman.service"


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What an installed unit says: the home it works in, and the configuration it names."""

    unit: Path
    home: Path | None
    config: Path | None


def unit_files(env: Mapping[str, str], user_home: Path) -> tuple[Path, ...]:
    """Return where a unit may be installed: the user's own place first, then the system's."""
    own = Path(env.get("XDG_CONFIG_HOME") or user_home / ".config") / "systemd" / "user"
    system = (Path("/etc/systemd/system"), Path("/usr/lib/systemd/system"))
    return tuple(folder / UNIT_NAME for folder in (own, *system))


def installed_service(units: Sequence[Path], env: Mapping[str, str], user_home: Path) -> Service | None:
    """Read the first unit that is there, with its drop-ins; None if none can be read."""
    for unit in units:
        settings = list(_settings(unit))
        if settings:
            return _service(unit, settings, env, user_home)
    return None


def _service(unit: Path, settings: list[tuple[str, str]], env: Mapping[str, str], user_home: Path) -> Service:
    by_user = "user" in unit.parts
    state = Path(env.get("XDG_STATE_HOME") or user_home / ".local" / "state") if by_user else Path("/var/lib")
    configuration = Path(env.get("XDG_CONFIG_HOME") or user_home / ".config") if by_user else Path("/etc")
    home = config = None
    for key, value in settings:
        words = _words(value)
        if key == "ExecStart" and words:
            # the last one counts: a drop-in takes the unit's away and gives its own
            home, config = _option(words, "--home"), _option(words, "--config")
        elif key == "Environment":
            given = dict(word.split("=", 1) for word in words if "=" in word)
            home = home or given.get("DRAGOMAN_HOME")
            config = config or given.get("DRAGOMAN_CONFIG")
        elif key == "StateDirectory" and words:
            home = home or str(state / words[0].split(":")[0])
        elif key == "ConfigurationDirectory" and words:
            config = config or str(configuration / words[0] / "gateway.json")
    # %h is the only specifier a unit of ours has in its paths
    paths = [Path(text.replace("%h", str(user_home))) if text else None for text in (home, config)]
    return Service(unit=unit, home=paths[0], config=paths[1])


def _settings(unit: Path) -> Iterator[tuple[str, str]]:
    """Yield the settings of a unit and its drop-ins, the strongest kind first."""
    files = [unit, *sorted(unit.parent.glob(f"{unit.name}.d/*.conf"))]
    found = []
    for file in files:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        for line in text.replace("\\\n", " ").splitlines():
            key, equals, value = line.strip().partition("=")
            if equals and not key.startswith(("#", ";")):
                found.append((key.strip(), value.strip()))
    order = ["ExecStart", "Environment", "StateDirectory", "ConfigurationDirectory"]
    yield from sorted((pair for pair in found if pair[0] in order), key=lambda pair: order.index(pair[0]))


def _words(value: str) -> list[str]:
    try:
        return shlex.split(value)
    except ValueError:
        return value.split()


def _option(words: list[str], name: str) -> str | None:
    for index, word in enumerate(words):
        if word == name and index + 1 < len(words):
            return words[index + 1]
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
    return None
