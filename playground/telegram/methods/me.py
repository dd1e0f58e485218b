"""The bot about itself: getMe, logOut, close, and where its updates are posted to."""

import re

from playground.telegram.core import Core
from playground.telegram.errors import bad_request
from playground.telegram.params import Params
from playground.telegram.wire import user_wire
from playground.telegram.world import Wire


def get_me(core: Core, _params: Params) -> object:
    """Say who the bot is and what it may do."""
    world = core.world
    return {
        **user_wire(world.bot),
        "can_join_groups": True,
        "can_read_all_group_messages": not world.privacy,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": world.topics_enabled,
        "allows_users_to_create_topics": world.topics_enabled,
    }


def log_out(_core: Core, _params: Params) -> object:
    """Say yes to logOut and close; the emulator has nowhere to move to."""
    return True


def set_webhook(core: Core, params: Params) -> object:
    """Store the address, which makes getUpdates a conflict, and post what waits to it."""
    url = params.text("url")
    if url and not url.startswith("https://"):
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    read_allowed(core, params)
    if params.flag("drop_pending_updates"):
        core.updates.waiting.clear()
    secret = params.text("secret_token")
    if not re.fullmatch(r"[A-Za-z0-9_-]{0,256}", secret):
        raise bad_request("bad webhook: secret token contains unallowed characters")
    core.updates.post_to(url, secret)
    if url:
        core.updates.terminate("terminated by setWebhook request")
    return True


def delete_webhook(core: Core, params: Params) -> object:
    """Forget the address."""
    if params.flag("drop_pending_updates"):
        core.updates.waiting.clear()
    core.updates.post_to("", "")
    return True


def get_webhook_info(core: Core, _params: Params) -> object:
    """Give the address and how many updates wait."""
    info: Wire = {
        "url": core.updates.webhook,
        "has_custom_certificate": False,
        "pending_update_count": len(core.updates.waiting),
    }
    if core.updates.failed_at:
        info |= {"last_error_date": int(core.updates.failed_at), "last_error_message": core.updates.failure}
    if core.updates.allowed is not None:
        info["allowed_updates"] = sorted(core.updates.allowed)
    return info


def read_allowed(core: Core, params: Params) -> None:
    """Take over `allowed_updates` when the call has it."""
    if "allowed_updates" not in params.values:
        return
    kinds = params.items("allowed_updates", "allowed_updates", "String")
    core.updates.allow([kind for kind in kinds or () if isinstance(kind, str)])
