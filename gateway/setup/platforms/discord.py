"""Setting up Discord: the bot's token, who the bot is, the link that brings it into a server."""

import asyncio
import re
from dataclasses import dataclass, replace

from gateway.config.accounts import JsonObject
from gateway.config.platform import Account
from gateway.config.platforms import DiscordAccount
from gateway.domain.errors import DragomanError
from gateway.setup import accounts
from gateway.setup.draft import Draft, Talk, Wishes
from gateway.setup.findings import Finding, ok, wrong
from gateway.setup.reach import Answer, Unreachable, ask, where
from gateway.setup.trying import Again, attempt

PLATFORM = "discord"
VARIABLE = "DISCORD_BOT_TOKEN"  # of the account `main`
BASE_URL = "https://discord.com/api/v10"
DISCORDS_GATEWAY = "gateway.discord.gg"
CONTENT_FLAGS = 1 << 18 | 1 << 19  # the Message Content intent is switched on, for a large or a small bot
# What the bot needs in a server, by the bits of Discord's permissions.
VIEW, SEND, REACT, ATTACH, HISTORY = 1 << 10, 1 << 11, 1 << 6, 1 << 15, 1 << 16
IN_THREADS, NEW_THREADS = 1 << 38, 1 << 35
NEEDED = VIEW | SEND | REACT | ATTACH | HISTORY | IN_THREADS
HOW = (
    "\nDiscord: open https://discord.com/developers/applications, New Application, give it a name; then Bot,\n"
    "Reset Token: what it shows is the token. Nothing else has to be changed there."
)
TOKEN = accounts.Secret(
    platform="Discord",
    variable=VARIABLE,
    pattern=re.compile(r"[A-Za-z0-9_.-]{40,120}"),
    unsound="that is no bot token: one is some 70 letters, digits, dots, - and _",
    how=HOW,
)
SWITCH = "Developer Portal: Bot, Privileged Gateway Intents, Message Content Intent, on"


class BotRefused(DragomanError):
    """The token does not work; the text says what happened and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """Who answers to a token; `skew` is how far our clock is ahead of the server's, in seconds."""

    id: str
    name: str
    application: str
    reads_all: bool
    skew: float | None
    gateway: str = ""  # where its events come from, if that is not Discord's own place

    def invitation(self, *, auto_thread: bool) -> str:
        """Give the address that brings the bot into a server, with the rights that it needs there."""
        rights = NEEDED | (NEW_THREADS if auto_thread else 0)
        scopes = "bot+applications.commands"
        return f"https://discord.com/oauth2/authorize?client_id={self.application}&scope={scopes}&permissions={rights}"


async def look(token: str, base_url: str = BASE_URL, proxy: str | None = None) -> Bot:
    """Ask who the bot is; raises Unreachable or BotRefused."""
    root, headers = base_url.rstrip("/"), {"Authorization": f"Bot {token}"}
    answer = await ask(f"{root}/users/@me", headers=headers, proxy=proxy)
    me = _result(answer, base_url)
    application = _result(await ask(f"{root}/oauth2/applications/@me", headers=headers, proxy=proxy), base_url)
    flags = application.get("flags")
    return Bot(
        id=str(me.get("id")),
        name=str(me.get("global_name") or me.get("username") or ""),
        application=str(application.get("id")),
        reads_all=bool(flags & CONTENT_FLAGS) if isinstance(flags, int) else False,
        skew=answer.skew,
        gateway="" if root == BASE_URL else await _gateway(root, headers, proxy),
    )


async def _gateway(root: str, headers: dict[str, str], proxy: str | None) -> str:
    """Ask an unusual place where its events come from; the token goes nowhere else. Empty: Discord's own place."""
    answer = await ask(f"{root}/gateway", headers=headers, proxy=proxy)
    address = str(answer.body.get("url") or "") if isinstance(answer.body, dict) else ""
    return address if address.startswith(("ws://", "wss://")) and where(address) != DISCORDS_GATEWAY else ""


def _result(answer: Answer, base_url: str) -> dict[str, object]:
    body = answer.body if isinstance(answer.body, dict) else {}
    if answer.status == 200 and "id" in body:
        return body
    if answer.status == 401:
        message = "Discord does not know this token (401); make a new one in the Developer Portal: Bot, Reset Token"
        raise BotRefused(message)
    if "message" in body:
        message = f"Discord refuses it ({answer.status}: {str(body['message'])[:200]})"
        raise BotRefused(message)
    message = f"{where(base_url)} answered {answer.status}, and not as Discord does; look at the address"
    raise Unreachable(message)


async def examine(name: str, account: Account) -> tuple[list[Finding], float | None]:
    """Look for what keeps an account from hearing or speaking; also how far our clock is ahead."""
    if not isinstance(account, DiscordAccount):
        raise AssertionError("the table is by platform")  # noqa: TRY004  # nobody handed it in
    try:
        bot = await look(account.token.get_secret_value(), str(account.base_url), account.proxy)
    except (BotRefused, Unreachable) as failed:
        return [wrong(name, str(failed), "dragoman setup discord")], None
    found = [ok(name, f"the token is that of {bot.name}")]
    if (account.free_channels or account.auto_thread) and not bot.reads_all:
        text = f"{bot.name} may not read what does not mention it, and free_channels and auto_thread need that"
        found.append(wrong(name, text, SWITCH))
    return found, bot.skew


def discord_step(talk: Talk, draft: Draft, wishes: Wishes) -> None:
    """Ask until a token works, is kept unseen, or none is wanted; raises Back."""
    account = accounts.find(draft, PLATFORM, wishes.account)
    base_url = wishes.discord_url or str(account.get("base_url") or BASE_URL)
    bot: Bot | None = None
    while True:
        token = accounts.ask(talk, draft, account, TOKEN, name=wishes.account, given=wishes.token)
        if not token:
            return
        try:
            if wishes.test:
                bot = _try(talk, token, base_url, account)
        except Again:
            wishes = replace(wishes, token=None)  # it did not work
        else:
            accounts.keep(draft, PLATFORM, wishes.account, {TOKEN: token}, base_url=base_url, usual=BASE_URL)
            if bot is not None and bot.gateway:
                kept = accounts.find(draft, PLATFORM, wishes.account)
                accounts.put(draft, PLATFORM, wishes.account, {**kept, "gateway_url": bot.gateway})
            return


def _try(talk: Talk, token: str, base_url: str, account: JsonObject) -> Bot | None:
    bot = attempt(talk, f"Asking {where(base_url)} who that is", lambda: asyncio.run(look(token, base_url)))
    if bot is None:
        return None
    auto_thread = account.get("auto_thread") is True
    talk.say(f"This is {bot.name}.")
    talk.say(f"This link brings it into a server of yours: {bot.invitation(auto_thread=auto_thread)}")
    talk.say(
        "Whoever is in a server with it can write to it directly. In channels it answers only where you list them."
    )
    if (account.get("free_channels") or auto_thread) and not bot.reads_all:
        talk.say(f"It may not yet read what does not mention it, which your settings need. {SWITCH}.")
    return bot
