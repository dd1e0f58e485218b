"""Schemas from typed signatures, and strict checks of what a model wrote, with errors that tell it what to do."""

import dataclasses
import inspect
import json
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, Union, get_args, get_origin, get_type_hints

_PLAIN: dict[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_WORDS = {"string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false"}


class BadArguments(Exception):
    """The arguments don't fit; the text says how, for the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of a tool; `kind` is its type without None, `optional` that it may be left out or null."""

    name: str
    kind: object
    optional: bool
    description: str


def parameters_of(function: Callable[..., object]) -> tuple[Parameter, ...]:
    """Return the parameters of a tool's function but for the first, its context; raises TypeError for odd types."""
    hints = get_type_hints(function, include_extras=True)
    names = list(inspect.signature(function).parameters.values())[1:]
    return tuple(_parameter(found, hints[found.name]) for found in names)


def _fields_of(kind: type) -> tuple[Parameter, ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_parameter(found, hints[found.name]) for found in inspect.signature(kind).parameters.values())


def _parameter(found: inspect.Parameter, hint: object) -> Parameter:
    description = ""
    if get_origin(hint) is Annotated:
        hint, description = get_args(hint)[0], str(get_args(hint)[1])
    optional = found.default is not inspect.Parameter.empty
    if get_origin(hint) in (Union, types.UnionType):
        kinds = [kind for kind in get_args(hint) if kind is not type(None)]
        if len(kinds) != 1 or not optional:
            message = f"{found.name}: a union must be `X | None` with a default"
            raise TypeError(message)
        hint = kinds[0]
    _schema(hint)
    return Parameter(name=found.name, kind=hint, optional=optional, description=description)


def json_schema(parameters: tuple[Parameter, ...]) -> dict[str, object]:
    """Return the JSON schema of an object that holds these parameters and nothing else."""
    properties: dict[str, object] = {}
    for parameter in parameters:
        described = {"description": parameter.description} if parameter.description else {}
        properties[parameter.name] = _schema(parameter.kind) | described
    required = [parameter.name for parameter in parameters if not parameter.optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _schema(kind: object) -> dict[str, object]:
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if get_origin(kind) is Literal:
        return {"type": "string", "enum": list(get_args(kind))}
    if get_origin(kind) is list:
        return {"type": "array", "items": _schema(get_args(kind)[0])}
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return json_schema(_fields_of(kind))
    message = f"a tool's argument cannot be of type {kind}"
    raise TypeError(message)


def checked(parameters: tuple[Parameter, ...], arguments: str) -> dict[str, object]:
    """Return the arguments of a JSON text by name, without those left out; raises BadArguments."""
    try:
        given = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as error:
        message = f"the arguments are not valid JSON: {error}"
        raise BadArguments(message) from None
    if not isinstance(given, Mapping):
        message = "the arguments must be a JSON object"
        raise BadArguments(message)
    return _object(parameters, given)


def _object(parameters: tuple[Parameter, ...], given: Mapping[object, object]) -> dict[str, object]:
    known = {parameter.name: parameter for parameter in parameters}
    wrong = [f"there is no argument `{name}`" for name in given if name not in known]
    fits: dict[str, object] = {}
    for parameter in parameters:
        value = given.get(parameter.name)
        if value is None:
            wrong.extend([] if parameter.optional else [f"`{parameter.name}` is missing"])
        elif not _fits(parameter.kind, value):
            wrong.append(f"`{parameter.name}` must be {_words(parameter.kind)}")
        else:
            fits[parameter.name] = _made(parameter.kind, value)
    if wrong:
        raise BadArguments("; ".join(wrong))
    return fits


def _made(kind: object, value: object) -> object:
    if get_origin(kind) is list and isinstance(value, list):
        return [_made(get_args(kind)[0], item) for item in value]
    if dataclasses.is_dataclass(kind) and isinstance(kind, type) and isinstance(value, Mapping):
        return kind(**_object(_fields_of(kind), value))
    return value


def _fits(kind: object, value: object) -> bool:
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if get_origin(kind) is list:
        return isinstance(value, list) and all(_fits(get_args(kind)[0], item) for item in value)
    if dataclasses.is_dataclass(kind):
        return isinstance(value, Mapping)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str) if kind is str else isinstance(value, bool)


def _words(kind: object) -> str:
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(map(str, get_args(kind)))
    if get_origin(kind) is list:
        return f"a list, each of it {_words(get_args(kind)[0])}"
    if dataclasses.is_dataclass(kind):
        return "an object"
    return _WORDS[_PLAIN[kind]]
