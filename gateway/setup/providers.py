"""The model providers that set-up knows: a table; anything else with an OpenAI-compatible address is `other`.

Prices are shown only where the provider's own listing tells them; none is written down here, where it would age.
"""

from dataclasses import dataclass

from gateway.setup.reach import Unreachable, ask

OLLAMA_ROOT = "http://127.0.0.1:11434"
LISTING_SECONDS = 10.0
MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Where models are served; `suggestion` is a name to begin with, `keys` and `prices` are its pages for people."""

    name: str
    title: str
    base_url: str = ""
    variable: str = "MODEL_API_KEY"
    suggestion: str = ""
    needs_key: bool = True
    keys: str = ""
    prices: str = ""
    context_tokens: int = 200_000
    vision: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A model as its provider lists it; prices are dollars for a million tokens."""

    name: str
    context_tokens: int | None = None
    input: float | None = None
    output: float | None = None


PROVIDERS: dict[str, Provider] = {
    one.name: one
    for one in (
        Provider(
            name="openai",
            title="OpenAI",
            base_url="https://api.openai.com/v1",
            variable="OPENAI_API_KEY",
            suggestion="gpt-5-mini",
            keys="https://platform.openai.com/api-keys",
            prices="https://openai.com/api/pricing",
        ),
        Provider(
            name="openrouter",
            title="OpenRouter (many models, one key)",
            base_url="https://openrouter.ai/api/v1",
            variable="OPENROUTER_API_KEY",
            suggestion="openai/gpt-5-mini",
            keys="https://openrouter.ai/settings/keys",
            prices="https://openrouter.ai/models",
        ),
        Provider(
            name="anthropic",
            title="Anthropic (its OpenAI-compatible address)",
            base_url="https://api.anthropic.com/v1",
            variable="ANTHROPIC_API_KEY",
            suggestion="claude-haiku-4-5",
            keys="https://console.anthropic.com/settings/keys",
            prices="https://claude.com/pricing",
        ),
        Provider(
            name="ollama",
            title="Ollama on this machine",
            base_url=f"{OLLAMA_ROOT}/v1",
            needs_key=False,
            context_tokens=32_000,
            vision=False,
        ),
        Provider(name="other", title="another OpenAI-compatible address", needs_key=False, context_tokens=32_000),
    )
}


def provider_of(base_url: str) -> Provider:
    """Tell whose address it is."""
    plain = base_url.rstrip("/")
    return next((one for one in PROVIDERS.values() if one.base_url == plain), PROVIDERS["other"])


async def listing(base_url: str, key: str, *, seconds: float = LISTING_SECONDS) -> list[Listed]:
    """List what a provider serves; empty where it does not tell."""
    try:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        answer = await ask(f"{base_url.rstrip('/')}/models", headers=headers, seconds=seconds)
    except Unreachable:
        return []
    data = answer.body.get("data") if isinstance(answer.body, dict) else None
    return [_listed(one) for one in data if isinstance(one, dict) and one.get("id")] if isinstance(data, list) else []


def _listed(entry: dict[str, object]) -> Listed:
    pricing = entry.get("pricing")
    prices = pricing if isinstance(pricing, dict) else {}
    context = entry.get("context_length")
    return Listed(
        name=str(entry["id"]),
        context_tokens=context if isinstance(context, int) and context >= 1000 else None,
        input=_dollars(prices.get("prompt")),
        output=_dollars(prices.get("completion")),
    )


def _dollars(text: object) -> float | None:
    """Read a price of one token as the price of a million."""
    try:
        price = round(float(str(text)) * MILLION, 6)
    except ValueError:
        return None
    return price if 0 <= price < MILLION else None
