"""Which function answers which method; names are compared without case, as the server does."""

from collections.abc import Callable, Mapping

from playground.telegram.core import Core
from playground.telegram.methods import commands, me, messages
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
    "sendmessage": messages.send_message,
    "editmessagetext": messages.edit_message_text,
    "deletemessage": messages.delete_message,
    "sendchataction": messages.send_chat_action,
    "setmycommands": commands.set_my_commands,
    "getmycommands": commands.get_my_commands,
    "deletemycommands": commands.delete_my_commands,
}
