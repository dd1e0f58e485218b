"""The course of set-up: which steps, in which order, and back again where somebody wants to."""

import importlib
from collections.abc import Sequence
from typing import NamedTuple, cast
from zoneinfo import available_timezones

from gateway.config.errors import nearest
from gateway.config.model import machine_zone
from gateway.domain.errors import GiveUp
from gateway.setup.draft import Back, Draft, Talk, Wishes
from gateway.setup.model_step import model_step
from gateway.setup.platforms import LATER, PLATFORMS, VARIABLES, Step


class Named(NamedTuple):
    """A step and the word that asks for it."""

    name: str
    title: str
    step: Step


def zone_step(talk: Talk, draft: Draft, wishes: Wishes) -> None:
    """Ask for the time zone until it is one; raises Back, or GiveUp where nobody can be asked."""
    before = str(draft.settings.get("timezone") or "")
    typed = wishes.timezone
    while True:
        if typed is None:
            question = "\nTime zone, for people without one of their own"
            typed = talk.ask(question, default=before or machine_zone(), flag="--timezone")
        if typed in available_timezones():
            draft.settings["timezone"] = typed
            return
        near = nearest(typed, available_timezones())
        message = f"there is no time zone {typed!r}; " + (f"did you mean {near}?" if near else "write Europe/Rome")
        if not talk.asks:
            raise GiveUp(message)
        talk.say(f"{message[0].upper()}{message[1:]}")
        typed = None


def platform(name: str) -> Named:
    """Find the step of a platform; raises GiveUp for one that is not there."""
    if name in LATER:
        message = f"{name} is not in this version yet; `dragoman setup telegram` works"
        raise GiveUp(message)
    if name not in PLATFORMS:
        message = f"there is no platform {name!r}; there are {', '.join((*PLATFORMS, *LATER))}"
        raise GiveUp(message)
    module, _, function = PLATFORMS[name].partition(":")
    return Named(name, name.capitalize(), cast("Step", getattr(importlib.import_module(module), function)))


def all_steps() -> list[Named]:
    """List every step, the model first: without one nothing can be answered."""
    return [
        Named("model", "The model", model_step),
        *(platform(name) for name in PLATFORMS),
        Named("timezone", "The time zone", zone_step),
    ]


def known(draft: Draft, name: str) -> bool:
    """Whether the secret of a platform is there already, so that nobody need be asked."""
    return bool(draft.known(VARIABLES[name]))


def missing(draft: Draft) -> list[str]:
    """Name the steps whose settings are not there yet."""
    agent, platforms = draft.settings.get("agent"), draft.settings.get("platforms")
    models = agent.get("models") if isinstance(agent, dict) else None
    there = {
        "model": bool(models),
        "telegram": isinstance(platforms, dict) and bool(platforms),
        "timezone": bool(draft.settings.get("timezone")),
    }
    return [name for name, found in there.items() if not found]


def wished(wishes: Wishes) -> list[str]:
    """Name the steps that flags speak of."""
    model = (wishes.provider, wishes.model, wishes.base_url, wishes.key, wishes.context_tokens, wishes.ollama_url)
    given = {
        "model": model,
        "telegram": (wishes.token, wishes.telegram_url, wishes.account),
        "timezone": (wishes.timezone,),
    }
    return [name for name, flags in given.items() if any(flag is not None for flag in flags)]


def run(steps: Sequence[Named], talk: Talk, draft: Draft, wishes: Wishes) -> None:
    """Take the steps in turn; whoever goes back comes to the one before."""
    at = 0
    while at < len(steps):
        try:
            steps[at].step(talk, draft, wishes)
        except Back:
            at = max(at - 1, 0)
        else:
            at += 1
    if wishes.name is not None:
        draft.section("agent")["name"] = wishes.name
