"""An OpenAI-compatible provider on loopback whose deterministic stand-in model says that it is one."""

from playground.model.answers import (
    Answer,
    Pace,
    ToolCall,
    broken_stream,
    context_too_long,
    cut_off,
    error_in_stream,
    garbage,
    hanging,
    out_of_order,
    rate_limited,
    refused_key,
    text,
    tools,
    unknown_model,
)
from playground.model.record import Recorded
from playground.model.server import StandIn

__all__ = [
    "Answer",
    "Pace",
    "Recorded",
    "StandIn",
    "ToolCall",
    "broken_stream",
    "context_too_long",
    "cut_off",
    "error_in_stream",
    "garbage",
    "hanging",
    "out_of_order",
    "rate_limited",
    "refused_key",
    "text",
    "tools",
    "unknown_model",
]
