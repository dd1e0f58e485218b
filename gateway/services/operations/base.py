"""What every operation is handed, and how it reads what was asked."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.memory.notes import Notes
from gateway.domain.errors import GiveUp
from gateway.domain.ids import Instant
from gateway.services.jobs.schedules import Schedules
from gateway.services.operations.rules import Rules
from gateway.services.upkeep.copying import Copier
from gateway.store.sqlite import SqliteDatabase

Args = Mapping[str, object]
Json = dict[str, object]
MOST = 500  # rows of a listing


class LineState(Protocol):
    """How one account of a platform is doing."""

    @property
    def name(self) -> str:
        """As the configuration calls it."""

    @property
    def mailbox(self) -> str | None:
        """As queues name it, None until the platform told us our id."""

    @property
    def state(self) -> str:
        """It is starting, up, degraded or paused."""

    @property
    def since(self) -> Instant:
        """When that began."""

    @property
    def heard_at(self) -> Instant | None:
        """The last completed inbound round trip."""

    @property
    def warning(self) -> str:
        """What makes it useless though it works; empty if nothing does."""

    @property
    def trouble(self) -> str:
        """Why it is degraded."""


class Keeps(Protocol):
    """What keeps the state of a running daemon."""

    @property
    def copier(self) -> Copier:
        """Makes copies of the database for backups."""

    def state(self) -> Json:
        """Tell how large the state is, what the janitor did last, and how backups stand."""


class Live(Protocol):
    """What only the running daemon knows."""

    @property
    def boot(self) -> str:
        """The id of this life of the daemon."""

    @property
    def started_at(self) -> Instant:
        """When it began."""

    @property
    def lines(self) -> Sequence[LineState]:
        """Every account and how it is doing."""

    @property
    def not_yet(self) -> Sequence[str]:
        """What the configuration asks for and this version does not do yet."""

    @property
    def troubles(self) -> Sequence[str]:
        """What is wrong with the daemon's own parts, in words."""

    @property
    def waiting(self) -> Sequence[str]:
        """Which keys of the configuration have changed and need a restart."""

    def door(self) -> str | None:
        """Make an address of the web page that lets in once; None while no web server is up."""

    @property
    def keeping(self) -> Keeps:
        """What keeps the state: copies, backups, retention."""

    @property
    def schedules(self) -> Schedules:
        """What keeps and fires what people have scheduled."""

    @property
    def timezone(self) -> str:
        """The gateway's own time zone."""

    @property
    def rules(self) -> Rules:
        """What of the configuration decides about a message."""

    @property
    def notes(self) -> Notes:
        """What is remembered."""

    def links(self, code: str) -> Sequence[str]:
        """Addresses that open a talk with us and hand over a code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question: to a running daemon, or (`live` is None) to the store alone."""

    db: SqliteDatabase
    live: Live | None
    args: Args
    now: Instant


Operation = Callable[[Asked], Awaitable[object]]


def words(args: Args, name: str, default: str | None = None) -> str:
    """Read a text; raises GiveUp when it is missing or something else."""
    value = args.get(name, default)
    if not isinstance(value, str):
        message = f"{name!r} must be a text"
        raise GiveUp(message)
    return value


def maybe_words(args: Args, name: str) -> str | None:
    """Read a text that may be missing; raises GiveUp for anything else."""
    return None if args.get(name) is None else words(args, name)


def whole(args: Args, name: str, default: int | None = None, *, most: int = 2**62) -> int:
    """Read a whole number from 0 to `most`; raises GiveUp."""
    value = args.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        message = f"{name!r} must be a whole number from 0 to {most}"
        raise GiveUp(message)
    return value


def instant(args: Args, name: str) -> Instant:
    """Read an instant in seconds since 1970, 0 when it is missing; raises GiveUp."""
    value = args.get(name, 0.0)
    if not isinstance(value, int | float) or isinstance(value, bool):
        message = f"{name!r} must be seconds since 1970"
        raise GiveUp(message)
    return float(value)


def flag(args: Args, name: str) -> bool:
    """Read yes or no, no when it is missing; raises GiveUp."""
    value = args.get(name, False)
    if not isinstance(value, bool):
        message = f"{name!r} must be true or false"
        raise GiveUp(message)
    return value


def notes_of(asked: Asked) -> Notes:
    """Find where memory is kept: the running daemon's, or that of the home whose store is open."""
    return asked.live.notes if asked.live is not None else Notes(asked.db.path.parent / "agents" / "main")
