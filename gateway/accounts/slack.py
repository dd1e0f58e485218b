"""Reads the settings of a Slack account."""

from adapters.slack.adapter import SlackAdapter
from gateway.accounts import Given
from gateway.config.platforms import SlackAccount
from gateway.texts import say


def adapter(account: SlackAccount, given: Given) -> SlackAdapter:
    """Make the adapter of one app."""
    return SlackAdapter(
        bot_token=account.bot_token.get_secret_value(),
        app_token=account.app_token.get_secret_value(),
        base_url=str(account.base_url),
        proxy=account.proxy,
        link_previews=given.config.delivery.link_previews,
        catch_up_hours=account.catch_up_hours,
        status=say("working"),
        name=given.name,
        blobs=given.blobs,
        clock=given.clock,
    )
