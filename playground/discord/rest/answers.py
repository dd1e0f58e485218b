"""How the bot answers interactions: the first answer within three seconds, the rest within a quarter of an hour."""

from playground.discord.errors import ApiError, unknown
from playground.discord.fields import mapping, whole
from playground.discord.rest import checks, messages
from playground.discord.rest.request import Asked
from playground.discord.world import Interaction, Message

ANSWER_SECONDS = 3.0
TOKEN_SECONDS = 900.0
SAY, DEFER, DEFER_UPDATE, UPDATE = 4, 5, 6, 7


def callback(asked: Asked) -> object:
    """POST callback: the first answer."""
    interaction = asked.core.world.interactions.get(asked.path["token"])
    if interaction is None or interaction.id != whole(asked.path["interaction"]):
        raise unknown("interaction", 10062)
    if asked.core.clock() - interaction.at > ANSWER_SECONDS or interaction.state == "failed":
        interaction.state = "failed"
        raise unknown("interaction", 10062)
    if interaction.state != "waiting":
        raise ApiError(400, 40060, "Interaction has already been acknowledged.")
    kind = whole(asked.body.get("type"))
    asked.body = mapping(asked.body.get("data"))
    interaction.ephemeral = bool(whole(asked.body.get("flags")) & checks.EPHEMERAL)
    if kind == SAY:
        _say(asked, interaction)
    elif kind == DEFER:
        interaction.state = "deferred"
    elif kind in (DEFER_UPDATE, UPDATE) and interaction.kind == 3:
        interaction.state = "answered"
    else:
        raise ApiError(400, 50035, "Invalid Form Body")
    asked.core.changes.publish("interaction", interaction.channel, interaction.reply)
    return None


def original(asked: Asked) -> object:
    """GET @original."""
    message = asked.core.world.message(_live(asked).channel, _live(asked).reply)
    if message is None:
        raise unknown("Message", 10008)
    return messages.show(asked, message)


def edit_original(asked: Asked) -> object:
    """PATCH @original: what was deferred appears."""
    interaction = _live(asked)
    message = asked.core.world.message(interaction.channel, interaction.reply)
    if message is None:
        if interaction.state != "deferred":
            raise unknown("Message", 10008)
        message = _say(asked, interaction)
    else:
        messages.change(asked, message)
    return messages.show(asked, message)


def delete_original(asked: Asked) -> object:
    """DELETE @original."""
    interaction = _live(asked)
    message = asked.core.world.message(interaction.channel, interaction.reply)
    interaction.state = "answered"
    if message is not None:
        asked.core.delete(message)
    asked.core.changes.publish("interaction", interaction.channel)
    return None


def follow_up(asked: Asked) -> object:
    """POST follow-up: one more message."""
    interaction = _live(asked)
    if interaction.state == "waiting":
        raise unknown("Webhook", 10015)
    hidden = bool(whole(asked.body.get("flags")) & checks.EPHEMERAL)
    channel = asked.core.world.channels[interaction.channel]
    return messages.show(asked, messages.made(asked, channel, only_for=interaction.user if hidden else 0))


def _live(asked: Asked) -> Interaction:
    interaction = asked.core.world.interactions.get(asked.path["token"])
    if interaction is None:
        raise unknown("Webhook", 10015)
    if asked.core.clock() - interaction.at > TOKEN_SECONDS:
        raise ApiError(401, 50027, "Invalid Webhook Token")
    return interaction


def _say(asked: Asked, interaction: Interaction) -> Message:
    channel = asked.core.world.channels[interaction.channel]
    message = messages.made(asked, channel, only_for=interaction.user if interaction.ephemeral else 0)
    interaction.state, interaction.reply = "answered", message.id
    return message
