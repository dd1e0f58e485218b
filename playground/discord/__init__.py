"""An emulator of Discord (REST and gateway, version 10) after its public documentation, with people to drive it."""

from playground.discord.client import Person
from playground.discord.emulator import Emulator

__all__ = ["Emulator", "Person"]
