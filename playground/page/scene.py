"""Who is on the playground, and the configuration that lets the daemon meet them."""

from collections.abc import Mapping

from playground.telegram import Emulator

PEOPLE = ("Ann", "Bob")
GROUP_TITLE = "Weekend"
MODEL_NAME = "stand-in"


def furnish(emulator: Emulator) -> None:
    """Bring Ann, Bob and their group into an empty world; one that was kept stays as it is."""
    world = emulator.world
    for name in PEOPLE:
        if name.lower() not in world.names:
            emulator.people.create_user(name, username=name.lower())
    if not any(chat.title == GROUP_TITLE for chat in world.chats.values()):
        members = [person_id(emulator, name) for name in PEOPLE]
        emulator.people.create_group(GROUP_TITLE, members, kind="supergroup")


def person_id(emulator: Emulator, name: str) -> int:
    """Find a person that was furnished."""
    return emulator.world.names[name.lower()]


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
                {"model": MODEL_NAME, "base_url": model_url, "api_key": "stand-in-key", "context_tokens": 200_000}
            ],
        },
        "platforms": {"telegram": {"token": emulator.token, "base_url": emulator.url}},
        "access": {
            "unknown": "ignore",
            "people": [
                {"name": "Ann", "role": "owner", "identities": [f"telegram:{person_id(emulator, 'Ann')}"]},
                {"name": "Bob", "role": "guest", "identities": [f"telegram:{person_id(emulator, 'Bob')}"]},
            ],
            "groups": [{"conversation": f"telegram:{group_id(emulator)}", "mention": "required", "role": "guest"}],
        },
        "http": {"host": "127.0.0.1", "port": http_port},
        "logging": {"level": "info", "format": "json"},
    }
