"""The section `agent`: which models it thinks with, what it may use, and how long anything may take."""

import re
from collections.abc import Mapping
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from gateway.config.errors import nearest
from gateway.config.types import BaseUrl, Seconds, Secret, Section, Text, WorkingRole, impossible

TOOLS = (
    "current_time",
    "memory",
    "session_search",
    "schedule",
    "send_message",
    "files",
    "web",
    "people",
    "delegate",
    "shell",
)
_OWN_TOOL = r"^[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_]*$"


def _tool(name: str) -> str:
    if name in TOOLS or re.fullmatch(_OWN_TOOL, name):
        return name
    near = nearest(name, TOOLS)
    raise impossible("is not a tool", f"did you mean {near}?" if near else f"tools are {', '.join(TOOLS)}")


def _search(text: str) -> str:
    if text == "duckduckgo":
        return text
    engine, _, address = text.partition(":")
    if engine != "searxng" or not re.match(r"https?://[^\s/]+", address):
        raise impossible("is not a search engine", 'use "duckduckgo", "searxng:https://…" or null')
    return text


ToolName: TypeAlias = Annotated[
    str,
    AfterValidator(_tool),
    WithJsonSchema({"anyOf": [{"type": "string", "enum": list(TOOLS)}, {"type": "string", "pattern": _OWN_TOOL}]}),
]
SearchEngine: TypeAlias = Annotated[str, AfterValidator(_search)]


class Price(Section):
    """What a model costs, per million tokens."""

    input: float = Field(ge=0, description="Price of a million tokens that are sent.", examples=[0.25])
    cached: float | None = Field(
        default=None,
        ge=0,
        description="Price of a million sent tokens that the provider had cached; null: as `input`.",
        examples=[0.025],
    )
    output: float = Field(ge=0, description="Price of a million tokens that are received.", examples=[2.0])


class ModelEndpoint(Section):
    """A model and where it is served; any server that speaks OpenAI's Chat Completions will do."""

    model: Text = Field(description="Name of the model, as its server knows it.", examples=["gpt-5-mini"])
    base_url: BaseUrl = Field(
        default="https://api.openai.com/v1",
        description="Address of the server, up to and including its version.",
        examples=["http://127.0.0.1:11434/v1"],
    )
    api_key: Secret | None = Field(
        default=None,
        description="Key for that server; null: none is sent, as local servers want it.",
        examples=["${OPENAI_API_KEY}"],
    )
    context_tokens: int = Field(
        default=200_000,
        ge=1_000,
        description="How many tokens fit into the model's context; longer talks are shortened to fit.",
        examples=[32_000],
    )
    vision: bool = Field(default=True, description="Whether the model can look at pictures.", examples=[False])
    price: Price | None = Field(
        default=None,
        description="Price per million tokens; null: tokens are counted and no cost is invented.",
        examples=[{"input": 0.25, "cached": 0.025, "output": 2.0}],
    )


class Transcription(Section):
    """The service that turns voice messages into text."""

    base_url: BaseUrl = Field(
        default="https://api.openai.com/v1",
        description="Address of the server, up to and including its version.",
        examples=["http://127.0.0.1:9000/v1"],
    )
    model: Text = Field(description="Name of the transcription model.", examples=["gpt-4o-mini-transcribe"])
    api_key: Secret | None = Field(
        default=None, description="Key for that server; null: none is sent.", examples=["${OPENAI_API_KEY}"]
    )


class Speech(Section):
    """The service that says answers aloud, for whoever wants to hear them."""

    base_url: BaseUrl = Field(
        default="https://api.openai.com/v1",
        description="Address of the server, up to and including its version.",
        examples=["http://127.0.0.1:8880/v1"],
    )
    model: Text = Field(description="Name of the model that speaks.", examples=["gpt-4o-mini-tts"])
    voice: Text = Field(default="alloy", description="Name of the voice, as the server knows it.", examples=["nova"])
    api_key: Secret | None = Field(
        default=None, description="Key for that server; null: none is sent.", examples=["${OPENAI_API_KEY}"]
    )


class Approvals(Section):
    """How dangerous tool calls are approved."""

    mode: Literal["manual", "smart", "off"] = Field(
        default="manual",
        description="`manual` asks a person; `smart` lets the auxiliary model spare questions about what was plainly "
        "asked for; `off` lets dangerous calls of the owner's own turns run.",
        examples=["smart"],
    )
    timeout_seconds: Seconds = Field(
        default=300, description="How long a question waits before it counts as a no.", examples=[600]
    )


class Budget(Section):
    """What one person of a role may use; null means no limit."""

    messages_per_day: int | None = Field(
        default=None, ge=0, description="Messages answered per day and person; null: no limit.", examples=[50]
    )
    tokens_per_day: int | None = Field(
        default=None, ge=0, description="Tokens used per day and person; null: no limit.", examples=[200_000]
    )
    usd_per_month: float | None = Field(
        default=None,
        ge=0,
        description="Cost per month and person, where prices are known; null: no limit.",
        examples=[5.0],
    )


class GuestBudget(Budget):
    """What one guest may use; messages are limited unless you lift it with null."""

    messages_per_day: int | None = Field(
        default=20, ge=0, description="Messages answered per day and guest; null: no limit.", examples=[5]
    )


class Budgets(Section):
    """Limits per role."""

    owner: Budget = Field(default=Budget(), description="Limits of the owner.")
    admin: Budget = Field(default=Budget(), description="Limits of each admin.")
    user: Budget = Field(default=Budget(), description="Limits of each user.")
    guest: GuestBudget = Field(default=GuestBudget(), description="Limits of each guest.")


class Shell(Section):
    """How the shell tool is fenced in."""

    sandbox: Literal["bubblewrap", "none"] = Field(
        default="bubblewrap",
        description="What fences commands in; `none` runs them as the daemon's own user, and asks about each of them.",
        examples=["none"],
    )
    network: bool = Field(default=False, description="Whether commands reach the network.", examples=[True])


class Web(Section):
    """How the agent looks things up on the web."""

    search: SearchEngine | None = Field(
        default="duckduckgo",
        description="Search engine: `duckduckgo`, `searxng:URL`, or null for none.",
        examples=["searxng:https://searx.example.org"],
    )


class Agent(Section):
    """The agent: its name, its models, its tools and its limits."""

    name: Text = Field(default="Dragoman", description="What the agent calls itself.", examples=["Jeeves"])
    models: tuple[ModelEndpoint, ...] = Field(
        min_length=1,
        description="Models in order of preference: the next one is asked when one fails.",
        examples=[[{"model": "gpt-5-mini", "api_key": "${OPENAI_API_KEY}"}]],
    )
    auxiliary_model: ModelEndpoint | None = Field(
        default=None,
        description="A cheaper model for titles and summaries; null: the first of `models`.",
        examples=[{"model": "gpt-5-nano", "api_key": "${OPENAI_API_KEY}"}],
    )
    transcription: Transcription | None = Field(
        default=None,
        description="Service for voice messages; null: they are not transcribed.",
        examples=[{"model": "gpt-4o-mini-transcribe", "api_key": "${OPENAI_API_KEY}"}],
    )
    speech: Speech | None = Field(
        default=None,
        description="Service that says answers aloud to whoever asked for `/voice on`; null: nobody can.",
        examples=[{"model": "gpt-4o-mini-tts", "api_key": "${OPENAI_API_KEY}"}],
    )
    max_concurrent_turns: int = Field(
        default=64, ge=1, le=10_000, description="How many answers are made at once.", examples=[8]
    )
    max_steps: int = Field(
        default=50, ge=1, le=1_000, description="How many model calls one answer may take.", examples=[20]
    )
    model_timeout_seconds: Seconds = Field(
        default=120, description="How long one model call may take, and be silent.", examples=[60]
    )
    turn_timeout_seconds: Seconds = Field(
        default=1800, description="How long one answer may take, waiting for people aside.", examples=[600]
    )
    tools: tuple[ToolName, ...] = Field(
        default=("memory", "session_search", "schedule", "send_message", "files", "web"),
        description="Tools that are switched on (`current_time` always is); roles decide who may use which.",
        examples=[["memory", "schedule"]],
    )
    tool_roles: Mapping[ToolName, WorkingRole] = Field(
        default_factory=dict,
        description="Least role per tool, where it shall differ from the built-in table.",
        examples=[{"web": "admin"}],
    )
    approvals: Approvals = Field(default=Approvals(), description="How dangerous calls are approved.")
    budgets: Budgets = Field(
        default=Budgets(),
        description="Limits per role on messages, tokens and cost.",
        examples=[{"guest": {"messages_per_day": 5}}],
    )
    shell: Shell = Field(default=Shell(), description="How the shell tool is fenced in.")
    web: Web = Field(default=Web(), description="How the agent looks things up on the web.")

    @model_validator(mode="after")
    def _shell_is_the_owners(self) -> Self:
        if self.tool_roles.get("shell", "owner") != "owner":
            raise impossible("tool_roles gives the shell away", "leave `shell` out of it: it is the owner's")
        return self
