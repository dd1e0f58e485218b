"""Who is on the playground, and the configuration that lets the daemon meet them."""

from collections.abc import Mapping

from playground.telegram import Emulator

ANN = 1_000_001
BOB = 1_000_002
GROUP_TITLE = "Weekend"
MODEL_NAME = "stand-in"


def furnish(emulator: Emulator) -> None:
    """Bring Ann, Bob and their group into an empty world; one that was kept stays as it is."""
    world = emulator.world
    for user_id, name in ((ANN, "Ann"), (BOB, "Bob")):
        if user_id not in world.users:
            emulator.people.create_user(name, username=name.lower(), user_id=user_id)
    if not any(chat.title == GROUP_TITLE for chat in world.chats.values()):
        emulator.people.create_group(GROUP_TITLE, [ANN, BOB], kind="supergroup")


def group_id(emulator: Emulator) -> int:
    """Find the group that was furnished."""
    return next(chat.id for chat in emulator.world.chats.values() if chat.title == GROUP_TITLE)


def configuration(emulator: Emulator, model_url: str, *, http_port: int, timezone: str) -> Mapping[str, object]:
    """Write the daemon's whole configuration: emulated platforms only, no secret that means anything elsewhere."""
    return {
        "timezone": timezone,
        "agent": {
            "name": "Dragoman",
            "models": [
                {"model": MODEL_NAME, "base_url": model_url, "api_key": "playground", "context_tokens": 200_000}
            ],
        },
        "platforms": {"telegram": {"token": emulator.token, "base_url": emulator.url}},
        "access": {
            "unknown": "ignore",
            "people": [
                {"name": "Ann", "role": "owner", "identities": [f"telegram:{ANN}"]},
                {"name": "Bob", "role": "guest", "identities": [f"telegram:{BOB}"]},
            ],
            "groups": [{"conversation": f"telegram:{group_id(emulator)}", "mention": "required", "role": "guest"}],
        },
        "http": {"host": "127.0.0.1", "port": http_port},
        "logging": {"level": "info", "format": "json"},
    }
