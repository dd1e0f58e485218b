"""Which function answers which method; names are compared without case, as the server does."""

from collections.abc import Callable, Mapping

from playground.telegram.core import Core
from playground.telegram.methods import chats, commands, copies, editing, me, media, messages, signs
from playground.telegram.params import Params

Method = Callable[[Core, Params], object]
POLL = "getupdates"  # the only method that waits; the server hands it to the queue

METHODS: Mapping[str, Method] = {
    "getme": me.get_me,
    "logout": me.log_out,
    "close": me.log_out,
    "setwebhook": me.set_webhook,
    "deletewebhook": me.delete_webhook,
    "getwebhookinfo": me.get_webhook_info,
    "getfile": signs.get_file,
    "sendmessage": messages.send_message,
    "editmessagetext": messages.edit_message_text,
    "deletemessage": messages.delete_message,
    "editmessagecaption": editing.edit_message_caption,
    "editmessagereplymarkup": editing.edit_message_reply_markup,
    "deletemessages": editing.delete_messages,
    "sendphoto": media.sender("photo"),
    "senddocument": media.sender("document"),
    "sendvoice": media.sender("voice"),
    "sendaudio": media.sender("audio"),
    "sendvideo": media.sender("video"),
    "sendanimation": media.sender("animation"),
    "sendsticker": media.sender("sticker"),
    "sendvideonote": media.sender("video_note"),
    "sendlocation": media.send_location,
    "sendmediagroup": media.send_media_group,
    "forwardmessage": copies.forward_message,
    "forwardmessages": copies.several("forward"),
    "copymessage": copies.copy_message,
    "copymessages": copies.several("copy"),
    "sendmessagedraft": signs.send_message_draft,
    "setmessagereaction": signs.set_message_reaction,
    "answercallbackquery": signs.answer_callback_query,
    "getchat": chats.get_chat,
    "getchatmember": chats.get_chat_member,
    "getchatadministrators": chats.get_chat_administrators,
    "getchatmembercount": chats.get_chat_member_count,
    "leavechat": chats.leave_chat,
    "createforumtopic": chats.create_forum_topic,
    "editforumtopic": chats.edit_forum_topic,
    "closeforumtopic": chats.close_forum_topic,
    "reopenforumtopic": chats.reopen_forum_topic,
    "deleteforumtopic": chats.delete_forum_topic,
    "sendchataction": messages.send_chat_action,
    "setmycommands": commands.set_my_commands,
    "getmycommands": commands.get_my_commands,
    "deletemycommands": commands.delete_my_commands,
}
