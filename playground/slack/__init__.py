"""An emulator of Slack (Web API and Socket Mode) after its public documentation, with the people's side to drive it."""

from playground.slack.client import Person
from playground.slack.emulator import Emulator

__all__ = ["Emulator", "Person"]
