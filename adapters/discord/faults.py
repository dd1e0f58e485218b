"""What an answer or a broken connection means for the house: each failure becomes one of its errors (pure)."""

from gateway.domain.errors import DragomanError, GiveUp, Misconfigured, Retry, Unsure

SERVER_SECONDS = 2.0
FLOOD_SECONDS = 5.0  # a 429 that names no time
UNKNOWN_CHANNEL, UNKNOWN_GUILD, UNKNOWN_MESSAGE, UNKNOWN_INTERACTION = 10003, 10004, 10008, 10062
THREAD_EXISTS = 160004
_HINTS = {
    50001: "the bot cannot see this channel (50001): give its role View Channel there",
    50013: "the bot may not do this here (50013): give its role the missing permission in this channel",
    50007: "this person takes no direct messages from the bot (50007): the server's privacy settings allow them",
    40005: "the file is larger than Discord lets a bot send (40005)",
    160005: "the thread is locked (160005)",
}
_CLOSED = {
    4004: "Discord doesn't know this bot token (4004); the Developer Portal shows the right one under Bot, Reset Token",
    4010: "Discord refuses the shard (4010); this is a bug, please report it",
    4011: "the bot is in too many servers for one connection (4011); take it out of some",
    4012: "Discord no longer speaks this version of the gateway (4012); update dragoman",
    4013: "Discord refuses the intents (4013); this is a bug, please report it",
    4014: "Discord refuses the Message Content intent (4014): switch it on in the Developer Portal under Bot,"
    " Privileged Gateway Intents; or take out what needs it: free_channels, auto_thread, groups free or overheard",
}


class Refused(GiveUp):
    """Discord refuses a call for good; `code` is its own number for that."""

    def __init__(self, reason: str, *, code: int) -> None:
        super().__init__(reason)
        self.code = code


def judge(what: str, status: int, code: int, words: str, *, repeatable: bool) -> DragomanError:
    """Say what to do next after an answer that is no result (429 has a judge of its own)."""
    reason = f"{what}: {words[:200]}" + (f" ({code})" if code else f" (status {status})")
    if status == 401:
        return Misconfigured(
            "Discord doesn't know this bot token (401); the Developer Portal shows the right one under Bot, Reset Token"
        )
    if 300 <= status < 400:
        return Misconfigured(f"{what}: base_url redirects; write the address it leads to")
    if status >= 500 or status == 408:
        return Retry(reason, after=SERVER_SECONDS) if repeatable else Unsure(reason)
    return Refused(f"{what}: {_HINTS[code]}" if code in _HINTS else reason, code=code)


def flooded(what: str, seconds: float, *, everywhere: bool) -> Retry:
    """Make a rate limit a matter of time; the library would sleep on it, and hold others up."""
    scope = "for everything" if everywhere else "here"
    return Retry(f"{what}: Discord's rate limit {scope}", after=seconds, account=everywhere)


def broken(what: str, words: str, *, begun: bool, repeatable: bool) -> DragomanError:
    """Judge a call that broke: what was written may have been done."""
    reason = f"{what}: {words}"
    if not begun:
        return Retry(reason, account=True)
    return Retry(reason) if repeatable else Unsure(reason)


def closed(code: int) -> DragomanError:
    """Judge the close code of the gateway that the library cannot go on after."""
    if code in _CLOSED:
        return Misconfigured(_CLOSED[code])
    return Retry(f"the gateway closed the connection ({code})", account=True)
