"""What the contract suite needs of a platform's other side: Ann, who talks with our account directly, and trouble."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from gateway.domain.ids import BlobId, ConversationKey
from gateway.domain.ports import Adapter, Clock

Blobs = Callable[[BlobId], Path]
POWERS = frozenset(
    # age: it hands over what is too old for us · told: it tells us when people delete what they wrote
    # remote: its files are fetched after the message that names them
    {"edit", "delete", "react", "files", "typing", "buttons", "age", "groups", "told", "remote"}
)


class Side(Protocol):
    """One platform, emulated; Ann has her direct talk with our account open.

    `cannot` names the powers of `POWERS` that the platform does not have: what is missing is declared, and the
    suite holds the declaration against the adapter.
    """

    platform: str
    cannot: frozenset[str]

    async def start(self) -> None:
        """Listen on loopback."""

    async def stop(self) -> None:
        """Close everything."""

    def adapter(self, blobs: Blobs) -> Adapter:
        """Make an adapter for our account, in a hurry: its times are short."""

    def account(self) -> dict[str, object]:
        """Write the account down as the configuration does."""

    def talk(self) -> ConversationKey:
        """Name Ann's direct talk as the adapter does."""

    def group(self) -> str:
        """Write down a group with Ann and us in it as the configuration does."""

    def call(self, text: str) -> None:
        """Let Ann say something in the group that is meant for us."""

    def called(self) -> list[str]:
        """List the texts of ours that stand in the group now, oldest first."""

    def forget(self) -> None:
        """Let the platform give up handing over what came while nobody listened, as it does sooner or later."""

    def clock(self, clock: Clock) -> None:
        """Let the platform go by another clock."""

    def say(self, text: str) -> str:
        """Let Ann write; gives the platform's id of her message."""

    def upload(self, name: str, content: bytes, caption: str = "") -> str:
        """Let Ann send a file; gives the platform's id of her message."""

    def change(self, native: str, text: str) -> None:
        """Let Ann edit one of her messages."""

    def withdraw(self, native: str) -> None:
        """Let Ann delete one of her messages, where the platform tells us."""

    def press(self, label: str) -> None:
        """Let Ann press the newest button with these words."""

    def reply(self, to: str, text: str) -> None:
        """Let Ann answer the newest of our messages with exactly these words."""

    def sign(self, to: str, emoji: str) -> None:
        """Let Ann react to the newest of our messages that holds these words."""

    def signs(self, native: str) -> list[str]:
        """List our reactions to one of Ann's messages."""

    def shown(self) -> list[str]:
        """List the texts of ours that stand in the talk now, oldest first."""

    def files(self) -> list[tuple[str, bytes]]:
        """List the files of ours that stand in the talk now, oldest first."""

    async def until(self, so: Callable[[], bool]) -> None:
        """Wait until something is so, within a bound."""

    def lose_answer(self) -> None:
        """Let the next posting take effect and its answer be lost."""

    def refuse(self, count: int = 1) -> None:
        """Let the next postings end in the platform's error of the moment, without effect."""

    def limit(self, seconds: int) -> None:
        """Let the next posting be refused for being too many, for so long."""

    def limit_edits(self, count: int) -> None:
        """Let the next edits be refused for being too many, for a second each."""

    def lose_files(self) -> None:
        """Let no file that somebody sent be had any more."""

    def cut(self) -> None:
        """Cut every connection that brings us news, once."""
