"""A call's parameters, however they were sent: query, form, multipart or JSON."""

import json
from dataclasses import dataclass, field

from aiohttp import web

from playground.telegram.errors import bad_request
from playground.telegram.world import Wire


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a call."""

    name: str
    mime: str
    content: bytes


@dataclass(slots=True)
class Params:
    """Values by name, still as sent, and the files of a multipart form."""

    values: Wire = field(default_factory=dict)
    files: dict[str, Upload] = field(default_factory=dict)

    def logged(self) -> Wire:
        """Give the values for the call log, with sizes in place of bytes."""
        if not self.files:
            return self.values
        described = {name: {"name": file.name, "size": len(file.content)} for name, file in self.files.items()}
        return {**self.values, **described}

    def has(self, name: str) -> bool:
        """Tell whether a parameter was given a value."""
        return self.values.get(name) not in {None, ""}

    def text(self, name: str) -> str:
        """Give a parameter as text, empty when absent."""
        value = self.values.get(name)
        if value is None:
            return ""
        return value if isinstance(value, str) else json.dumps(value)

    def integer(self, name: str, default: int = 0) -> int:
        """Give a parameter as a whole number; the server reads what it can't parse as the default."""
        value = self.values.get(name)
        if isinstance(value, bool) or value is None:
            return default
        try:
            return int(value) if isinstance(value, int | str) else default
        except ValueError:
            return default

    def number(self, name: str) -> float | None:
        """Give a parameter as a number, or nothing."""
        try:
            return float(self.text(name))
        except ValueError:
            return None

    def flag(self, name: str) -> bool:
        """Give a parameter as a boolean, read as the server does: true, yes, 1."""
        return self.text(name).lower() in {"true", "yes", "1"}

    def parsed(self, name: str, what: str) -> object:
        """Give a JSON parameter; raises the server's words about `what` when it isn't JSON."""
        value = self.values.get(name)
        if not isinstance(value, str) or not value:
            return value or None
        try:
            parsed: object = json.loads(value)
        except ValueError:
            raise bad_request(f"can't parse {what} JSON object") from None
        return parsed

    def items(self, name: str, what: str, kind: str) -> list[object] | None:
        """Give a JSON array parameter; raises when it is something else."""
        value = self.parsed(name, what)
        if value is None:
            return None
        if not isinstance(value, list):
            raise bad_request(f"expected an Array of {kind}")
        return value

    def object(self, name: str, what: str) -> Wire | None:
        """Give a JSON object parameter; raises when it is something else."""
        value = self.parsed(name, what)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise bad_request(f"object expected as {what}")
        return value


async def read_params(request: web.Request) -> Params:
    """Read the parameters of a call; later sources win over the query."""
    params = Params()
    if request.query_string:
        params.values.update(request.query)
    if not request.can_read_body:
        return params
    if request.content_type == "application/json":
        await read_json(request, params)
    else:
        await read_form(request, params)
    return params


async def read_json(request: web.Request, params: Params) -> None:
    """Add the members of a JSON body."""
    try:
        body: object = json.loads(await request.read())
    except ValueError:
        raise bad_request("can't parse JSON object") from None
    if isinstance(body, dict):
        params.values.update(body)


async def read_form(request: web.Request, params: Params) -> None:
    """Add the fields of a form."""
    for name, value in (await request.post()).items():
        if isinstance(value, web.FileField):
            params.files[name] = Upload(value.filename, value.content_type, value.file.read())
            value.file.close()
        elif isinstance(value, bytes | bytearray):
            params.files[name] = Upload(name, "application/octet-stream", bytes(value))
        else:
            params.values[name] = value


def mapping(value: object) -> Wire:
    """Read a JSON value as an object, an empty one when it is something else."""
    return value if isinstance(value, dict) else {}


def whole(value: object, default: int = 0) -> int:
    """Read a JSON value as a whole number, given as a number or as digits."""
    if isinstance(value, bool):
        return default
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        try:
            return int(value)
        except ValueError:
            return default
    return default


def words(value: object) -> str:
    """Read a JSON value as text, empty when it is something else."""
    return value if isinstance(value, str) else ""


def given_json(params: Params, key: str) -> object:
    """Give a JSON parameter that counts as absent when it can't be read, as entities do on the server."""
    value = params.values.get(key)
    if not isinstance(value, str):
        return value
    try:
        parsed: object = json.loads(value)
    except ValueError:
        return None
    return parsed
