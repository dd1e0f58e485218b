"""The table of chat commands: a word, who may say it, whether it runs beside a busy turn, and what answers it."""

from collections.abc import Callable
from dataclasses import dataclass

from gateway.domain.people import Role
from gateway.services.commands import (
    again,
    answering,
    choosing,
    compress,
    linking,
    memory,
    persons,
    privacy,
    replies,
    scheduling,
    talks,
    usage,
)
from gateway.services.commands.context import Asked, Context, Saying
from gateway.services.commands.platforms import platforms
from gateway.store.sqlite import Work

Reply = Callable[[Work, Asked, Context], "str | Saying | None"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One word; `reply` runs in the transaction that ends the command's row, and returns what to say.

    None means that the row is something else now and goes on.
    """

    name: str
    reply: Reply
    role: Role = "guest"
    own: bool = False  # in a group anybody may use it on what is their own
    beside: bool = False  # runs while a turn is busy
    aliases: tuple[str, ...] = ()
    menu: bool = True

    @property
    def summary(self) -> str:
        """The key of the sentence that says what it does."""
        return f"summary.{self.name}"


COMMANDS: tuple[Command, ...] = (
    Command(name="help", reply=replies.help_, beside=True),
    Command(name="start", reply=replies.start, beside=True, menu=False),
    Command(name="whoami", reply=replies.whoami, beside=True),
    Command(name="new", reply=talks.new, role="user", aliases=("reset",)),
    Command(name="sessions", reply=talks.sessions_, role="user", beside=True),
    Command(name="resume", reply=talks.resume, role="user"),
    Command(name="title", reply=talks.title, role="user"),
    Command(name="stop", reply=replies.stop, role="user", own=True, beside=True),
    Command(name="retry", reply=again.retry, role="user", own=True),
    Command(name="undo", reply=again.undo, role="user", own=True),
    Command(name="queue", reply=again.queue, role="user", beside=True),
    Command(name="status", reply=replies.status, role="user", beside=True),
    Command(name="platforms", reply=platforms, role="admin", beside=True),
    Command(name="schedule", reply=scheduling.schedule, role="user"),
    Command(name="jobs", reply=scheduling.listed, role="user", beside=True),
    Command(name="restart", reply=replies.restart, role="admin"),
    Command(name="approve", reply=choosing.approve, role="user", beside=True),
    Command(name="deny", reply=choosing.deny, role="user", beside=True),
    Command(name="choose", reply=choosing.choose, beside=True, menu=False),
    Command(name="pair", reply=linking.pair, role="user"),
    Command(name="unpair", reply=persons.unpair, role="user"),
    Command(name="apart", reply=persons.apart, role="user"),
    Command(name="timezone", reply=persons.timezone, role="user"),
    Command(name="home", reply=persons.home, role="user"),
    Command(name="quiet", reply=persons.quiet, role="user"),
    Command(name="plain", reply=persons.plain, role="user"),
    Command(name="voice", reply=persons.voice, role="user"),
    Command(name="export", reply=privacy.export, role="user"),
    Command(name="forget", reply=privacy.forget, role="user"),
    Command(name="invite", reply=persons.invite, role="admin"),
    Command(name="model", reply=answering.model, role="user"),
    Command(name="why", reply=answering.why, role="user", beside=True),
    Command(name="compress", reply=compress.compress, role="user"),
    Command(name="usage", reply=usage.usage_, role="user", beside=True),
    Command(name="memory", reply=memory.memory, role="user"),
    Command(name="people", reply=persons.listed, role="admin", beside=True),
)


def find(word: str) -> Command | None:
    """Find a command by its name or another word for it."""
    return next((one for one in COMMANDS if word == one.name or word in one.aliases), None)
