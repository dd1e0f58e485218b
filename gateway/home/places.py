"""Decides which directory is home, makes it where a command may, and refuses one that isn't ours."""

import hashlib
import os
import pwd
import shlex
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gateway.domain.errors import DragomanError
from gateway.home.unit import installed_service, unit_files

# sun_path holds one byte more, for the closing zero
_SOCKET_BYTES = 103 if sys.platform == "darwin" else 107


class NoHome(DragomanError):
    """There is no home to work in, or it isn't ours; the text says where we looked, or whom to become."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Where everything lies."""

    root: Path
    control_sock: Path

    @property
    def config_file(self) -> Path:
        """The configuration, unless another one is named."""
        return self.root / "gateway.json"

    @property
    def env_file(self) -> Path:
        """Secrets as NAME=value."""
        return self.root / ".env"

    @property
    def state_db(self) -> Path:
        """The database; only SQLite may open it."""
        return self.root / "state.db"

    @property
    def scripts(self) -> Path:
        """Scripts that jobs of owners may run first."""
        return self.root / "scripts"

    @property
    def lock(self) -> Path:
        """What the one process that writes the state holds locked."""
        return self.root / "lock"

    @property
    def blobs(self) -> Path:
        """Bytes of attachments, by sha-256."""
        return self.root / "blobs"

    @property
    def backups(self) -> Path:
        """Copies of the state: the nightly ones, and one of the database before each migration."""
        return self.root / "backups"

    @property
    def agent(self) -> Path:
        """The agent's own files; the name is fixed, whatever the agent is called."""
        return self.root / "agents" / "main"

    @property
    def soul(self) -> Path:
        """Who the agent is, in its owner's words."""
        return self.agent / "SOUL.md"

    @property
    def people(self) -> Path:
        """A folder per person."""
        return self.agent / "people"

    @property
    def groups(self) -> Path:
        """A folder per group."""
        return self.agent / "groups"

    @property
    def http_token(self) -> Path:
        """The token of the web server, where the configuration gives none."""
        return self.root / "http-token"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which directory is home, and where we looked; `service_config` is set only in the service's own home."""

    path: Path
    looked: tuple[str, ...]
    service_config: Path | None = None


def choose_home(explicit: Path | None, env: Mapping[str, str], units: Sequence[Path] | None = None) -> Choice:
    """Decide which directory is home: --home, $DRAGOMAN_HOME, $STATE_DIRECTORY, the service's, ~/.dragoman."""
    own = _user_home(env)
    service = installed_service(unit_files(env, own) if units is None else units, env, own)
    service_home = service.home if service else None
    candidates = (
        ("--home", explicit),
        ("$DRAGOMAN_HOME", _path(env.get("DRAGOMAN_HOME"))),
        ("$STATE_DIRECTORY", _path(env.get("STATE_DIRECTORY", "").split(":")[0])),
        (f"the unit {service.unit}" if service else "an installed service", service_home),
        ("the usual place", own / ".dragoman"),
    )
    looked = []
    for name, path in candidates:
        if path is None:
            looked.append(f"{name} (none)")
            continue
        chosen = path.expanduser().absolute()
        looked.append(f"{name}: {chosen}")
        in_service = service is not None and service_home is not None and service_home.absolute() == chosen
        return Choice(
            path=chosen, looked=tuple(looked), service_config=service.config if service and in_service else None
        )
    raise NoHome("there is no home")


def open_home(choice: Choice, env: Mapping[str, str], *, create: bool) -> Home:
    """Return the home, made (0700) if it is missing and `create` allows it; raises NoHome."""
    root = choice.path
    try:
        if create:
            root.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = root.stat()
    except FileNotFoundError:
        raise NoHome(
            f"there is no home yet; looked at {', '.join(choice.looked)}; `dragoman setup` makes one"
        ) from None
    except FileExistsError:
        raise NoHome(f"{root} is not a directory") from None
    except PermissionError:
        raise NoHome(f"{root} can't be entered by this user{_become(_first_owner(root))}") from None
    except OSError as error:
        raise NoHome(f"{root} can't be used: {error.strerror}") from None
    if not stat.S_ISDIR(status.st_mode):
        raise NoHome(f"{root} is not a directory")
    if status.st_uid != os.geteuid():
        raise NoHome(f"{root} belongs to {_name(status.st_uid)}{_become(status.st_uid)}")
    if create:
        _close(root, status.st_mode)
    return Home(root=root, control_sock=_socket(root, env))


def keep_private() -> None:
    """From now on, new files of this process are for their owner only (0600, directories 0700)."""
    os.umask(0o077)


def _close(root: Path, mode: int) -> None:
    """Take everybody else's rights from a home; a directory that serves something else is not touched."""
    if not stat.S_IMODE(mode) & 0o077:
        return
    ours = (root / "lock").exists() or not any(root.iterdir())
    if not ours:
        raise NoHome(
            f"{root} can be read by others and holds other things; choose an empty directory, or `chmod 700 {root}`"
        )
    root.chmod(0o700)


def _socket(root: Path, env: Mapping[str, str]) -> Path:
    """Return the control socket's path: in the home, or if that is too long for the kernel, at run time's place."""
    usual = root / "control.sock"
    if len(os.fsencode(usual)) <= _SOCKET_BYTES:
        return usual
    digest = hashlib.sha256(os.fsencode(root.resolve())).hexdigest()[:16]
    runtime = env.get("XDG_RUNTIME_DIR")
    short = Path(runtime) / f"dragoman-{digest}.sock" if runtime else None
    if short is None or len(os.fsencode(short)) > _SOCKET_BYTES:
        raise NoHome(
            f"the path {usual} is longer than the {_SOCKET_BYTES} bytes a socket may have; "
            "choose a shorter home, or set XDG_RUNTIME_DIR"
        )
    return short


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None


def _user_home(env: Mapping[str, str]) -> Path:
    given = env.get("HOME")
    return Path(given) if given else Path("~").expanduser()


def _first_owner(path: Path) -> int | None:
    """Return who owns the innermost directory on the way that can be looked at."""
    for folder in (path, *path.parents):
        try:
            return folder.stat().st_uid
        except OSError:
            continue
    return None


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"#{uid}"


def _become(uid: int | None) -> str:
    if uid is None or uid == os.geteuid():
        return ""
    return f"; become that user: `sudo -u {shlex.quote(_name(uid))} dragoman …`"
