"""The platforms that can be set up: a table from each name to its step, and those that come later."""

from collections.abc import Callable

from gateway.setup.draft import Draft, Talk, Wishes

Step = Callable[[Talk, Draft, Wishes], None]
PLATFORMS = {"telegram": "gateway.setup.platforms.telegram:telegram_step"}
VARIABLES = {"telegram": "TELEGRAM_BOT_TOKEN"}  # what the secret of the first account is called
LATER = ("discord", "slack", "email")
EXAMINERS = {"telegram": "gateway.setup.platforms.telegram:examine"}  # what `doctor` asks of an account
