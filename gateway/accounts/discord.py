"""Reads the settings of a Discord account."""

from adapters.discord.adapter import DiscordAdapter
from gateway.accounts import Given
from gateway.config import Config
from gateway.config.platforms import DiscordAccount


def adapter(account: DiscordAccount, given: Given) -> DiscordAdapter:
    """Make the adapter of one bot."""
    return DiscordAdapter(
        token=account.token.get_secret_value(),
        base_url=str(account.base_url),
        gateway_url=str(account.gateway_url),
        proxy=account.proxy,
        free_channels=account.free_channels,
        guilds=account.guilds,
        auto_thread=account.auto_thread,
        read_all=reads_all(account, given.config),
        catch_up_hours=account.catch_up_hours,
        link_previews=given.config.delivery.link_previews,
        name=given.name,
        blobs=given.blobs,
        clock=given.clock,
    )


def reads_all(account: DiscordAccount, config: Config) -> bool:
    """Whether texts are wanted that do not mention the bot; Discord asks for a switch in its portal then."""
    groups = [group for group in config.access.groups if group.conversation.startswith("discord:")]
    wanted = any(group.mention == "free" or group.overhear for group in groups)
    return bool(account.free_channels or account.auto_thread or wanted)
