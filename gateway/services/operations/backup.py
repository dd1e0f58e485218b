"""A copy of the database for whoever packs a backup: begun, looked at until it is whole, ended when it is fetched."""

from gateway.domain.errors import GiveUp
from gateway.services.operations.base import Asked, Json, words
from gateway.services.upkeep.copying import Copier


async def begin(asked: Asked) -> Json:
    """Start a copy beside the daemon's work; `id` names it."""
    return {"id": _copier(asked).begin()}


async def look(asked: Asked) -> Json:
    """Tell how far a copy is; `path` is set when it is whole."""
    return _copier(asked).look(words(asked.args, "id"))


async def end(asked: Asked) -> Json:
    """Give a copy up, or say that it has been fetched."""
    _copier(asked).end(words(asked.args, "id"))
    return {}


def _copier(asked: Asked) -> Copier:
    if asked.live is None:
        message = "only a running daemon makes copies for others"
        raise GiveUp(message)
    return asked.live.keeping.copier
