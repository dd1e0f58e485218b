"""Raw Bot API objects as its documentation shows them, and short ways to have them parsed."""

from adapters.telegram.parse import Myself, parse
from gateway.domain.messages import InboundMessage

NOW = 1_700_000_999.0
ME = Myself(id=42, username="OurBot")
Raw = dict[str, object]

USER: Raw = {"id": 1001, "is_bot": False, "first_name": "Ann", "last_name": "Lee"}
OURSELVES: Raw = {"id": 42, "is_bot": True, "first_name": "Dragoman", "username": "OurBot"}
PRIVATE: Raw = {"id": 1001, "type": "private", "first_name": "Ann"}
GROUP: Raw = {"id": -500, "type": "supergroup", "title": "Friends"}
FORUM: Raw = {"id": -700, "type": "supergroup", "title": "Forum", "is_forum": True}


def message(**fields: object) -> Raw:
    """A message in a private chat unless a chat is given."""
    return {"message_id": 7, "date": 1_700_000_000, "chat": PRIVATE, "from": USER} | fields


def mention(text: str, name: str = "@ourbot") -> list[Raw]:
    """The entity of a mention, its offset in UTF-16 units."""
    start = len(text[: text.index(name)].encode("utf-16-le")) // 2
    return [{"type": "mention", "offset": start, "length": len(name)}]


def parsed(**kinds: object) -> tuple[InboundMessage, ...]:
    """Parse one update of the given kind."""
    return parse({"update_id": 900, **kinds}, ME, NOW)


def said(**fields: object) -> InboundMessage:
    """Parse a message with the given fields and give the one result."""
    (only,) = parsed(message=message(**fields))
    return only
