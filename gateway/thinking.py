"""Turns the configuration into what thinks: the models in their order."""

from agent.loop import Agent
from agent.models import MODELS, Model
from agent.models.fallback import Choice, Fallback
from agent.models.late import LateModel
from gateway import assembly
from gateway.config import Config
from gateway.config.agent import ModelEndpoint


def models(config: Config) -> Fallback:
    """Make the models of the configuration, the next one for when one fails; SDKs are loaded when they are asked."""
    return Fallback([_choice(one, config.agent.model_timeout_seconds) for one in config.agent.models])


def auxiliary(config: Config) -> Fallback:
    """Make what writes summaries and titles: the cheap model if there is one, then the others."""
    own = config.agent.auxiliary_model
    chosen = (own, *config.agent.models) if own is not None else config.agent.models
    return Fallback([_choice(one, config.agent.model_timeout_seconds) for one in chosen])


def agent(config: Config, asked: Fallback) -> Agent:
    """Make the mind."""
    first = config.agent.models[0]
    return Agent(asked, context_tokens=first.context_tokens, max_steps=config.agent.max_steps)


def _choice(endpoint: ModelEndpoint, timeout: float) -> Choice:
    key = endpoint.api_key.get_secret_value() if endpoint.api_key else ""

    def make() -> Model:
        made: Model = assembly.load_class(MODELS["openai_chat"])(
            model=endpoint.model, base_url=str(endpoint.base_url), api_key=key, timeout=timeout
        )
        return made

    return Choice(
        model=LateModel(endpoint.model, make),
        place=f"{endpoint.base_url} {hash(key)}",
        context_tokens=endpoint.context_tokens,
    )
