"""The section `platforms`, except e-mail: the accounts that the daemon listens and speaks with."""

import re
from collections.abc import Mapping
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field, SecretStr, StringConstraints

from gateway.config.email import EmailAccount
from gateway.config.platform import Account
from gateway.config.types import BaseUrl, Secret, Section, Token, WsUrl, impossible

AccountName: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")]
Snowflake: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]{0,19}$")]


def _closed(text: str) -> str:
    return text + "/"


SlackUrl: TypeAlias = Annotated[BaseUrl, AfterValidator(_closed)]


def _word(secret: SecretStr) -> SecretStr:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", secret.get_secret_value()):
        raise impossible("is not a word that Telegram takes", "use up to 256 letters, digits, _ and -")
    return secret


class TelegramWebhook(Section):
    """Updates come to us instead of being fetched."""

    secret: Annotated[Secret, AfterValidator(_word)] = Field(
        description="Word that Telegram repeats with each update.", examples=["${TELEGRAM_WEBHOOK_SECRET}"]
    )


class TelegramAccount(Account):
    """One bot on Telegram."""

    token: Token = Field(description="The bot's token, from @BotFather.", examples=["${TELEGRAM_BOT_TOKEN}"])
    base_url: BaseUrl = Field(
        default="https://api.telegram.org",
        description="Address of the Bot API: Telegram's, a self-hosted one, or an emulator.",
        examples=["http://127.0.0.1:8081"],
    )
    webhook: TelegramWebhook | None = Field(
        default=None,
        description="null: updates are fetched by long polling.",
        examples=[{"secret": "${TELEGRAM_WEBHOOK_SECRET}"}],
    )


class DiscordAccount(Account):
    """One bot on Discord."""

    token: Token = Field(description="The bot's token.", examples=["${DISCORD_BOT_TOKEN}"])
    base_url: BaseUrl = Field(
        default="https://discord.com/api/v10",
        description="Address of the REST API.",
        examples=["http://127.0.0.1:8082/api/v10"],
    )
    gateway_url: WsUrl = Field(
        default="wss://gateway.discord.gg/",
        description="Address of the event gateway.",
        examples=["ws://127.0.0.1:8082/"],
    )
    auto_thread: bool = Field(
        default=False, description="Whether a mention in a channel opens a thread.", examples=[True]
    )
    free_channels: tuple[Snowflake, ...] = Field(
        default=(),
        description="Ids of channels in which the bot answers without being mentioned.",
        examples=[["112233445566778899"]],
    )
    guilds: tuple[Snowflake, ...] = Field(
        default=(),
        description="Ids of the servers whose slash commands are set at once; empty: all the bot is in.",
        examples=[["112233445566778899"]],
    )


SlashCommand: TypeAlias = Annotated[str, StringConstraints(pattern=r"^/[a-z0-9][a-z0-9_-]{0,30}$")]


class SlackAccount(Account):
    """One app in one Slack workspace, over Socket Mode."""

    bot_token: Token = Field(description="The app's bot token, it begins with xoxb-.", examples=["${SLACK_BOT_TOKEN}"])
    app_token: Token = Field(description="The app-level token, it begins with xapp-.", examples=["${SLACK_APP_TOKEN}"])
    base_url: SlackUrl = Field(
        default="https://slack.com/api/",
        description="Address of the Web API.",
        examples=["http://127.0.0.1:8083/api/"],
    )
    command: SlashCommand = Field(
        default="/dragoman", description="The slash command of the app.", examples=["/jeeves"]
    )


class Platforms(Section):
    """The platforms that are switched on: per platform its accounts by name; empty: not started."""

    telegram: Mapping[AccountName, TelegramAccount] = Field(
        default_factory=dict,
        description='Telegram: one bot, or several as {"accounts": {NAME: {…}}}.',
        examples=[{"token": "${TELEGRAM_BOT_TOKEN}"}],
    )
    discord: Mapping[AccountName, DiscordAccount] = Field(
        default_factory=dict,
        description='Discord: one bot, or several as {"accounts": {NAME: {…}}}.',
        examples=[{"token": "${DISCORD_BOT_TOKEN}"}],
    )
    slack: Mapping[AccountName, SlackAccount] = Field(
        default_factory=dict,
        description='Slack: one app, or several as {"accounts": {NAME: {…}}}.',
        examples=[{"bot_token": "${SLACK_BOT_TOKEN}", "app_token": "${SLACK_APP_TOKEN}"}],
    )
    email: Mapping[AccountName, EmailAccount] = Field(
        default_factory=dict,
        description='E-mail: one mailbox, or several as {"accounts": {NAME: {…}}}.',
        examples=[{"accounts": {"main": {"address": "bot@example.org"}}}],
    )
