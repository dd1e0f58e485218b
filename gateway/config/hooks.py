"""hooks.json, beside the configuration: what is run when, each on all platforms or on some."""

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError

from gateway.config.types import Section
from gateway.domain.errors import Misconfigured

FILE = "hooks.json"
Event: TypeAlias = Literal["pre_llm_call", "post_llm_call", "on_session_start", "on_session_end"]


class Hook(Section):
    """One hook: a program in the folder `hooks` or `module:function`; for which platforms, null: for all."""

    run: Annotated[str, Field(pattern=r"^([A-Za-z_][\w.]*:[A-Za-z_]\w*|[A-Za-z0-9][A-Za-z0-9._-]{0,63})$")]
    platforms: tuple[str, ...] | None = None
    seconds: Annotated[float, Field(gt=0, le=60)] = 5.0


_READER = TypeAdapter(dict[Event, list[Hook]])


def read_hooks(folder: Path) -> dict[Event, list[Hook]]:
    """Read the hooks of a configuration's folder, none where there is no file; raises Misconfigured."""
    path = folder / FILE
    try:
        return _READER.validate_json(path.read_bytes())
    except FileNotFoundError:
        return {}
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise Misconfigured(message) from error
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        message = f"{path}: {where}: {first['msg']}; `docs/how-to/hooks.md` shows how it looks"
        raise Misconfigured(message) from error
