"""Tries what the configuration holds: every model with one tiny request, every platform with a question who we are."""

import importlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import cast

from gateway.config.agent import ModelEndpoint
from gateway.config.model import Config
from gateway.config.pending import accounts
from gateway.config.platform import Account
from gateway.setup.findings import Finding, note, ok, wrong
from gateway.setup.models import ModelFailed, try_model
from gateway.setup.platforms import EXAMINERS
from gateway.setup.providers import provider_of
from gateway.setup.reach import Unreachable, ask, where

Examined = tuple[list[Finding], float | None]
Examine = Callable[[str, Account], Awaitable[Examined]]
SKEWED = 60.0  # seconds by which a clock is wrong
INEXACT = 10.0
CLOCK = "sudo timedatectl set-ntp true"


async def models(config: Config) -> AsyncIterator[tuple[Finding, float | None]]:
    """Try every model; each time also tells how far our clock is ahead, in seconds."""
    for number, model in enumerate(config.agent.models):
        yield await _model(number, model)


async def _model(number: int, model: ModelEndpoint) -> tuple[Finding, float | None]:
    key = model.api_key.get_secret_value() if model.api_key else ""
    area, name = "model", f"{model.model} at {where(model.base_url)}"
    mend = (
        "dragoman setup" if number == 0 else f"dragoman config explain agent.models; then edit agent.models[{number}]"
    )
    try:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        told = await ask(f"{model.base_url}/models", headers=headers)
        tried = await try_model(provider_of(model.base_url), base_url=model.base_url, model=model.model, key=key)
    except Unreachable as gone:
        return wrong(area, f"{name}: {gone}", mend), None
    except ModelFailed as failed:
        return wrong(area, f"{name}: {failed}", mend), None
    used = f", {tried.usage.input} tokens in, {tried.usage.output} out" if tried.usage else ""
    return ok(area, f"{name} answered in {tried.seconds:.1f} s{used}"), told.skew


async def platforms(config: Config) -> AsyncIterator[Examined]:
    """Ask every platform that is on who we are there."""
    for name, account in accounts(config):
        examiner = EXAMINERS.get(name)
        if examiner is None:
            yield [note("platforms", f"{name} cannot be looked at in this version yet")], None
            continue
        module, _, function = examiner.partition(":")
        yield await cast("Examine", getattr(importlib.import_module(module), function))(name, account)


def clock(skews: Sequence[float]) -> Finding:
    """Judge our clock by what servers told; the middle one counts, for one of them may be wrong itself."""
    if not skews:
        return note("clock", "no server told the time, so the clock could not be compared", "timedatectl")
    skew = sorted(skews)[len(skews) // 2]
    text = f"the clock is {abs(skew):.0f} s {'ahead of' if skew > 0 else 'behind'} the servers that were asked"
    if abs(skew) > SKEWED:
        return wrong("clock", text, CLOCK)
    return note("clock", text, CLOCK) if abs(skew) > INEXACT else ok("clock", "the clock is right")
