"""Telegram: the Bot API by long polling, one message at a time into the house and out of it."""
