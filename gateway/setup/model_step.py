"""The step about the model: which provider, which key, which model; tried before it is kept."""

import asyncio
from dataclasses import replace
from typing import NamedTuple

from gateway.config.accounts import JsonObject
from gateway.setup.draft import Draft, Talk, Wishes
from gateway.setup.models import Tried, try_model
from gateway.setup.providers import OLLAMA_ROOT, PROVIDERS, Listed, Provider, listing, provider_of
from gateway.setup.trying import Again, attempt

OLLAMA_SECONDS = 1.0
SHOWN = 12  # models of a listing


class Chosen(NamedTuple):
    """Where a model is, and what it is called there."""

    provider: Provider
    base_url: str
    key: str = ""
    model: str = ""


def model_step(talk: Talk, draft: Draft, wishes: Wishes) -> None:
    """Ask until a model answers, or is kept unseen; raises Back."""
    entry = _entry(draft)
    while True:
        chosen = Chosen(*_provider(talk, entry, wishes))
        chosen = chosen._replace(key=_key(talk, draft, wishes, entry, chosen))
        chosen = chosen._replace(model=_model(talk, wishes, entry, chosen))
        try:
            tried = _try(talk, chosen) if wishes.test else None
        except Again:
            wishes = replace(wishes, provider=None, base_url=None, key=None, model=None)  # they did not work
            entry = {"base_url": chosen.base_url, "model": chosen.model}  # what was typed is offered again
        else:
            _keep(draft, wishes, chosen, tried)
            return


def _entry(draft: Draft) -> JsonObject:
    """Give the first model of the settings, {} where there is none; it is put in at the end."""
    models = draft.section("agent").get("models")
    first = models[0] if isinstance(models, list) and models else {}
    return first if isinstance(first, dict) else {}


def _provider(talk: Talk, entry: JsonObject, wishes: Wishes) -> tuple[Provider, str]:
    before = str(entry.get("base_url") or (PROVIDERS["openai"].base_url if entry else ""))
    ollama = (wishes.ollama_url or OLLAMA_ROOT).rstrip("/") + "/v1"
    name = wishes.provider
    if name is None and wishes.base_url is not None:
        name = provider_of(wishes.base_url).name
    if name is None and not talk.asks and before:
        name = provider_of(before).name
    if name is None:
        found = asyncio.run(listing(ollama, "", seconds=OLLAMA_SECONDS)) if talk.asks else []
        usual = provider_of(before).name if before else "ollama" if found else "openai"
        choices = [(one.name, one.title + _found(one, found)) for one in PROVIDERS.values()]
        talk.say("\nWhich model shall answer? Its provider is asked with your key, and sends its bill to you.")
        name = talk.choose("Provider", choices, default=usual, flag="--provider")
    provider = PROVIDERS[name]
    usual = before if before and provider_of(before).name == name else provider.base_url
    if name == "ollama":
        usual = ollama if wishes.ollama_url or not before else usual
    if wishes.base_url is not None or (usual and name != "other"):
        return provider, wishes.base_url or usual
    question = "Address of the server, up to and including its version (http://host:port/v1)"
    return provider, talk.ask(question, default=usual, flag="--base-url").rstrip("/")


def _found(provider: Provider, found: list[Listed]) -> str:
    return f", running with {len(found)} model(s)" if provider.name == "ollama" and found else ""


def _same(entry: JsonObject, base_url: str) -> bool:
    """Whether the settings have a model at that address already."""
    return bool(entry) and str(entry.get("base_url") or PROVIDERS["openai"].base_url).rstrip("/") == base_url


def _key(talk: Talk, draft: Draft, wishes: Wishes, entry: JsonObject, chosen: Chosen) -> str:
    provider = chosen.provider
    if wishes.key is not None:
        return draft.hide(wishes.key)
    known = draft.value(entry.get("api_key")) if _same(entry, chosen.base_url) else ""
    known = known or (draft.known(provider.variable) if provider.needs_key else "")
    if not talk.asks or provider.name == "ollama":
        return known if known or not provider.needs_key else talk.secret("The model's key", flag="--api-key-file")
    page = f" (you get one at {provider.keys})" if provider.keys else ""
    keep = "; Enter keeps the one that is there" if known else "" if provider.needs_key else "; Enter: none"
    while True:
        typed = talk.secret(f"Key for {chosen.base_url}{page}{keep}", flag="--api-key-file")
        if typed or known or not provider.needs_key:
            return draft.hide(typed) if typed else known
        talk.say("It needs a key.")


def _model(talk: Talk, wishes: Wishes, entry: JsonObject, chosen: Chosen) -> str:
    if wishes.model is not None:
        return wishes.model
    usual = str(entry.get("model") or "") if _same(entry, chosen.base_url) else ""
    usual = usual or chosen.provider.suggestion
    if talk.asks and not chosen.provider.suggestion:
        names = [one.name for one in asyncio.run(listing(chosen.base_url, chosen.key))]
        if names:
            talk.say(f"It serves {', '.join(names[:SHOWN])}{' and more' if len(names) > SHOWN else ''}.")
        usual = usual or next(iter(names), "")
    return talk.ask("Model", default=usual, flag="--model")


def _try(talk: Talk, chosen: Chosen) -> Tried | None:
    def ask() -> Tried:
        provider, base_url, key, model = chosen
        return asyncio.run(try_model(provider, base_url=base_url, model=model, key=key))

    tried = attempt(talk, f"Asking {chosen.model} for one word", ask)
    if tried is not None:
        talk.say(_praise(chosen.provider, chosen.model, tried))
    return tried


def _praise(provider: Provider, model: str, tried: Tried) -> str:
    words = " ".join(tried.text.split())[:40]
    said = f"{model} answered “{words}” in {tried.seconds:.1f} s"
    if tried.usage is not None:
        said += f", {tried.usage.input} tokens in, {tried.usage.output} out"
    listed = tried.listed
    if tried.cost is not None and listed is not None:
        return f"{said}: ${tried.cost:.6f} (${listed.input:g} and ${listed.output:g} for a million tokens)."
    return f"{said}. Prices: {provider.prices}" if provider.prices else f"{said}."


def _keep(draft: Draft, wishes: Wishes, chosen: Chosen, tried: Tried | None) -> None:
    entry, known = _entry(draft), tried.listed if tried is not None else None
    fresh: JsonObject = {**entry, "model": chosen.model, "base_url": chosen.base_url}
    fresh["api_key"] = draft.keep(chosen.provider.variable, chosen.key, entry.get("api_key")) if chosen.key else None
    if entry.get("model") != chosen.model or not _same(entry, chosen.base_url):
        fresh["context_tokens"] = (known.context_tokens if known else None) or chosen.provider.context_tokens
        fresh["vision"] = chosen.provider.vision
        fresh.pop("price", None)  # it was another model's
    if wishes.context_tokens is not None:
        fresh["context_tokens"] = wishes.context_tokens
    if known is not None and known.input is not None and known.output is not None:
        fresh["price"] = {"input": known.input, "output": known.output}
    agent = draft.section("agent")
    models = agent.get("models")
    agent["models"] = [fresh, *(models[1:] if isinstance(models, list) else [])]
