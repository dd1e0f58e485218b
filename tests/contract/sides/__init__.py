"""The platforms of the contract suite: a table from each name to its other side."""

from collections.abc import Callable

from tests.contract.sides.base import Side
from tests.contract.sides.discord import DiscordSide
from tests.contract.sides.email import EmailSide
from tests.contract.sides.slack import SlackSide
from tests.contract.sides.telegram import TelegramSide

SIDES: dict[str, Callable[[], Side]] = {
    "discord": DiscordSide,
    "email": EmailSide,
    "slack": SlackSide,
    "telegram": TelegramSide,
}
