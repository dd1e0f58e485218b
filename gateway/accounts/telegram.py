"""Reads the settings of a Telegram account."""

from gateway.accounts import Given
from gateway.config.platforms import TelegramAccount
from gateway.loading import without

with without("pygments"):  # httpx has a command line of its own
    from adapters.telegram.adapter import TelegramAdapter
    from adapters.telegram.hooking import Hook


def adapter(account: TelegramAccount, given: Given) -> TelegramAdapter:
    """Make the adapter of one bot."""
    hook = None
    if account.webhook is not None:
        secret = account.webhook.secret.get_secret_value()
        hook = Hook(hooks=given.hooks, path=f"/telegram/{given.name}", secret=secret)
    return TelegramAdapter(
        token=account.token.get_secret_value(),
        base_url=str(account.base_url),
        proxy=account.proxy,
        link_previews=given.config.delivery.link_previews,
        name=given.name,
        hook=hook,
        blobs=given.blobs,
        clock=given.clock,
    )
