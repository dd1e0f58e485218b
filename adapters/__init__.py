"""Platforms, one folder each; the table names the class that speaks for each of them."""

ADAPTERS: dict[str, str] = {
    "discord": "adapters.discord.adapter:DiscordAdapter",
    "slack": "adapters.slack.adapter:SlackAdapter",
    "email": "adapters.email.adapter:EmailAdapter",
    "telegram": "adapters.telegram.adapter:TelegramAdapter",
    "terminal": "adapters.terminal:TerminalAdapter",
}
