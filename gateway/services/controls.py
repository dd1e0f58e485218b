"""Reactions to messages of ours that are more than a sign: they become the command they stand for (pure)."""

from dataclasses import replace

from gateway.domain.messages import InboundMessage
from gateway.store.sqlite import Row

QUESTION = "approval/"  # begins the key of a question that waits for a decision
_SIGNS = {
    "👍": "yes", "+1": "yes", "thumbsup": "yes",
    "👎": "no", "-1": "no", "thumbsdown": "no",
    "🔁": "retry", "repeat": "retry",
    "🗑": "undo", "wastebasket": "undo",
}  # fmt: skip
_MODIFIERS = {ord(sign): None for sign in "\ufe0f🏻🏼🏽🏾🏿"}


def control(message: InboundMessage, posted: Row | None) -> InboundMessage:
    """Read a reaction to something we posted as a command; anything else stays what it is."""
    if message.kind != "reaction" or posted is None or not message.choice:
        return message
    meaning = _SIGNS.get(message.choice.translate(_MODIFIERS).strip(":"))
    delivery = str(posted["delivery"])
    command = None
    if delivery.startswith(QUESTION) and meaning in ("yes", "no"):
        word = "approve" if meaning == "yes" else "deny"
        command = f"/{word} {delivery.removeprefix(QUESTION).split('/')[0]}"
    elif meaning in ("retry", "undo") and posted["turn"] and delivery.startswith(f"{posted['turn']}/"):
        command = f"/{meaning} {posted['turn']}"
    return message if command is None else replace(message, kind="button", choice=command)
