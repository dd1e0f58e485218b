"""World to JSON, as the bot gets it."""

from playground.telegram.world import GENERAL_TOPIC, Body, Chat, Entity, Message, Topic, User, Wire, World


def user_wire(user: User) -> Wire:
    """Give a `User` object."""
    body: Wire = {"id": user.id, "is_bot": user.is_bot, "first_name": user.first_name}
    if user.last_name:
        body["last_name"] = user.last_name
    if user.username:
        body["username"] = user.username
    if user.language_code and not user.is_bot:
        body["language_code"] = user.language_code
    return body


def chat_wire(world: World, chat: Chat) -> Wire:
    """Give a `Chat` object."""
    body: Wire = {"id": chat.id, "type": chat.kind}
    if chat.kind == "private":
        user = world.users[chat.id]
        body["first_name"] = user.first_name
        if user.last_name:
            body["last_name"] = user.last_name
        if user.username:
            body["username"] = user.username
    else:
        body["title"] = chat.title
    if chat.forum:
        body["is_forum"] = True
    return body


def entity_wire(world: World, entity: Entity) -> Wire:
    """Give a `MessageEntity` object."""
    body: Wire = {"type": entity.type, "offset": entity.offset, "length": entity.length}
    if entity.url:
        body["url"] = entity.url
    if entity.language:
        body["language"] = entity.language
    if entity.user:
        user = world.users.get(entity.user)
        body["user"] = user_wire(user) if user else {"id": entity.user, "is_bot": False, "first_name": ""}
    if entity.custom_emoji_id:
        body["custom_emoji_id"] = entity.custom_emoji_id
    return body


def body_wire(world: World, body: Body) -> Wire:
    """Give the content fields of a message."""
    fields: Wire = dict(body.media)
    prefix = "caption" if body.media else "text"
    if body.text:
        fields[prefix] = body.text
        if body.entities:
            key = "caption_entities" if body.media else "entities"
            fields[key] = [entity_wire(world, entity) for entity in body.entities]
    if body.caption_above:
        fields["show_caption_above_media"] = True
    if body.preview:
        fields["link_preview_options"] = body.preview
    if body.markup:
        fields["reply_markup"] = body.markup
    return fields


def message_wire(world: World, message: Message, *, with_reply: bool = True) -> Wire:
    """Give a `Message` object; the message it replies to is one level deep, as in the API."""
    chat = world.chats[message.chat]
    wire: Wire = {
        "message_id": message.id,
        "from": user_wire(world.users[message.sender]),
        "chat": chat_wire(world, chat),
        "date": int(message.date),
    }
    if message.sender_chat:
        wire["sender_chat"] = chat_wire(world, world.chats[message.sender_chat])
    if message.thread and message.thread != GENERAL_TOPIC:
        wire["message_thread_id"] = message.thread
        if message.in_topic:
            wire["is_topic_message"] = True
    if message.edited_at:
        wire["edit_date"] = int(message.edited_at)
    if message.album:
        wire["media_group_id"] = message.album
    if message.forward:
        wire["forward_origin"] = message.forward
    if with_reply and message.reply_to:
        add_reply(world, chat, message, wire)
    wire.update(message.service)
    wire.update(body_wire(world, message.body))
    return wire


def add_reply(world: World, chat: Chat, message: Message, wire: Wire) -> None:
    """Add the replied-to message and the quote, where the message still exists."""
    target = world.message(chat, message.reply_to)
    if target is not None:
        wire["reply_to_message"] = message_wire(world, target, with_reply=False)
    if message.quote:
        wire["quote"] = message.quote


def topic_wire(topic: Topic) -> Wire:
    """Give a `ForumTopic` object."""
    return {"message_thread_id": topic.id, "name": topic.name, "icon_color": topic.icon_color}
