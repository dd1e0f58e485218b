"""An emulator of the Telegram Bot API after its public documentation, with the users' side to drive it."""

from playground.telegram.client import Phone
from playground.telegram.emulator import Emulator

__all__ = ["Emulator", "Phone"]
