"""Answers written as JSON, for the control API: the fields of an Answer, or the name of a fault."""

import dataclasses
import re
from collections.abc import Callable

from pydantic import TypeAdapter

from playground.model import answers
from playground.model.answers import Answer, Pace

_FAULTS: dict[str, Callable[[], Answer]] = {
    "refused_key": answers.refused_key,
    "unknown_model": lambda: answers.unknown_model("stand-in"),
    "context_too_long": answers.context_too_long,
    "rate_limited": answers.rate_limited,
    "out_of_order": answers.out_of_order,
    "garbage": answers.garbage,
    "broken_stream": answers.broken_stream,
    "cut_off": answers.cut_off,
    "error_in_stream": answers.error_in_stream,
    "hanging": answers.hanging,
}


def answer_from(given: object) -> Answer:
    """Read one answer, `{"fault": NAME, ...}` or `{"chunks": [...], "calls": [...], ...}`; raises ValueError."""
    fields = _known(Answer, given, "fault")
    fault = fields.pop("fault", None)
    if fault is not None and fault not in _FAULTS:
        message = f"there is no fault {fault!r}; there are {sorted(_FAULTS)}"
        raise ValueError(message)
    start = Answer() if fault is None else _FAULTS[str(fault)]()
    known = {field.name: getattr(start, field.name) for field in dataclasses.fields(start)}
    return TypeAdapter(Answer).validate_python(known | fields)


def pace_from(given: object) -> Pace:
    """Read a pace, `{"first": S, "between": S, "chunks": N}`; raises ValueError."""
    return TypeAdapter(Pace).validate_python(_known(Pace, given))


def pattern_from(given: object) -> str:
    """Read a regular expression; raises ValueError."""
    try:
        return re.compile(str(given)).pattern
    except re.error as error:
        message = f"not a regular expression: {error}"
        raise ValueError(message) from error


def _known(kind: type[Answer | Pace], given: object, *more: str) -> dict[str, object]:
    names = {*(field.name for field in dataclasses.fields(kind)), *more}
    if not isinstance(given, dict) or set(given) - names:
        message = f"{kind.__name__} must be a JSON object with no other names than {sorted(names)}"
        raise ValueError(message)
    return dict(given)
