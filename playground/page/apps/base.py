"""What the page asks of every app, and the shapes that it draws; ids are text and belong to their app.

A talk has `id`, `title`, `direct`, `people` ({id, name}), `placeholder`, `status`, `commands` ({command, description}).
A message has `talk`, `id`, `sender`, `name`, `from_bot`, `date` (seconds since 1970), `edits`, `deleted`, `reply_to`,
`text`, `entities` ({type, offset, length} in UTF-16 units), `files` ({id, name, size, picture}), `buttons` (rows of
{text, press}) and `reactions` ([emoji, count]); some have `quote`, `note` (a line below) or `service` (instead).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from playground.changes import Changes, Place

Json: TypeAlias = Mapping[str, object]
NAMES = ("telegram", "discord", "slack")  # the first is the one on which everybody is known
GROUP_TITLE = "Weekend"


@dataclass(frozen=True, slots=True, kw_only=True)
class Active:
    """A trouble that is on: `until` is an instant, or 0 for "until it has happened" or "until it is ended"."""

    until: float = 0.0
    fault: int = 0
    asked: int = -1


class App(Protocol):
    """One emulated app."""

    name: str
    title: str
    reshaping: frozenset[str]  # kinds of changes after which the list of talks is another one

    @property
    def changes(self) -> Changes:
        """Where it tells what happens."""

    async def start(self) -> None:
        """Listen on loopback."""

    async def stop(self) -> None:
        """Close everything."""

    def furnish(self, people: Sequence[str]) -> None:
        """Bring people and their group into an empty world; one that was kept stays as it is."""

    def configuration(self) -> Json:
        """Write down the account as gateway.json has it."""

    def identity(self, person: str) -> str:
        """Name a person as gateway.json does."""

    def group(self) -> str:
        """Name the group as gateway.json does; empty where there are none."""

    def talks(self) -> list[Json]:
        """Show every talk."""

    def talk(self, place: Place) -> Json | None:
        """Show one talk."""

    def messages(self, place: str, most: int) -> list[Json]:
        """Show the newest messages of a talk, oldest first."""

    def message(self, place: Place, number: Place) -> Json | None:
        """Show one message."""

    def answered(self, event: Json) -> str:
        """Give the words that the bot showed to who pressed a button, if the event is about that."""

    def acts(self) -> Mapping[str, Callable[[Json], object]]:
        """What a person can do: say, edit, delete, react, press, send_file; ValueError says why not."""

    def content(self, file: str) -> bytes | None:
        """Give the bytes of a file."""

    def troubles(self) -> Mapping[str, Callable[[], Active]]:
        """What can be made to go wrong, by name."""

    def ongoing(self, fault: int) -> bool:
        """Whether a trouble is still on."""

    def end(self, fault: int) -> None:
        """End a trouble."""


def word(body: Json, name: str) -> str:
    """Read text, empty where there is none."""
    value = body.get(name)
    return value if isinstance(value, str) else ""


def number(body: Json, name: str) -> int:
    """Read an id that the page holds as text, 0 where there is none; raises ValueError."""
    return int(word(body, name) or 0)
