"""The platforms that can be set up: a table from each name to its step, and those that come later."""

from collections.abc import Callable

from gateway.setup.draft import Draft, Talk, Wishes

Step = Callable[[Talk, Draft, Wishes], None]
PLATFORMS = {
    "telegram": "gateway.setup.platforms.telegram:telegram_step",
    "discord": "gateway.setup.platforms.discord:discord_step",
    "slack": "gateway.setup.platforms.slack:slack_step",
    "email": "gateway.setup.platforms.email:email_step",
}
VARIABLES = {  # what the secret of the first account is called
    "telegram": "TELEGRAM_BOT_TOKEN",
    "discord": "DISCORD_BOT_TOKEN",
    "slack": "SLACK_BOT_TOKEN",
    "email": "MAIL_PASSWORD",
}
LATER: tuple[str, ...] = ()
EXAMINERS = {  # what `doctor` asks of an account
    "telegram": "gateway.setup.platforms.telegram:examine",
    "discord": "gateway.setup.platforms.discord:examine",
    "slack": "gateway.setup.platforms.slack:examine",
    "email": "gateway.setup.platforms.email:examine",
}
