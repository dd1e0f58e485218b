"""Looking the store over, by whoever has it open: nobody else may."""

from gateway.services.operations.base import Asked, Json


async def store(asked: Asked) -> Json:
    """List what is damaged in the store, and what it is."""
    damage = await asked.db.check()
    sqlite = (await asked.db.read("SELECT sqlite_version() AS version"))[0]["version"]
    return {"damage": damage[:20], "trouble": asked.db.trouble, "sqlite": sqlite}
