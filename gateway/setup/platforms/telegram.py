"""Setting up Telegram: the bot's token, who the bot is, and what it will hear in groups."""

import asyncio
import re
from dataclasses import dataclass, replace

from gateway.config.platform import Account
from gateway.config.platforms import TelegramAccount
from gateway.domain.errors import DragomanError
from gateway.setup import accounts
from gateway.setup.draft import Draft, Talk, Wishes
from gateway.setup.findings import Finding, note, ok, wrong
from gateway.setup.reach import Answer, Unreachable, ask, where
from gateway.setup.trying import Again, attempt

PLATFORM = "telegram"
VARIABLE = "TELEGRAM_BOT_TOKEN"  # of the account `main`
BASE_URL = "https://api.telegram.org"
HOW = (
    "\nTelegram: open @BotFather (https://t.me/BotFather), send /newbot, choose a name and a user name that ends in\n"
    "“bot”; its answer holds the token."
)
TOKEN = accounts.Secret(
    platform="Telegram",
    variable=VARIABLE,
    pattern=re.compile(r"[0-9]{3,20}:[A-Za-z0-9_-]{20,}"),
    unsound="that is no bot token: one is a number, a colon and some 35 letters, digits, - and _",
    how=HOW,
)
PRIVACY = (
    "Its privacy mode is on: in groups it surely hears commands (/…) and replies to it, and not what else is said,\n"
    "perhaps not even mentions. To change that: @BotFather, /setprivacy, choose the bot, Disable; then take it out of\n"
    "each group and add it again, for the change counts from then on. In direct talks it hears everything anyway."
)
OPEN_EARS = "Its privacy mode is off: in groups it gets every message, and answers only in those that you list."
UNMUTE = "@BotFather: /setprivacy, Disable; then take the bot out of each group and add it again"
NO_GROUPS = "It cannot be added to groups; to change that: @BotFather, /setjoingroups, choose the bot, Enable."


class BotRefused(DragomanError):
    """The token does not work; the text says what happened and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """Who answers to a token; `skew` is how far our clock is ahead of the server's, in seconds."""

    id: int
    username: str
    name: str
    hears_all: bool
    joins_groups: bool
    webhook: str
    skew: float | None

    def link(self, code: str) -> str:
        """Give the address that opens a talk with the bot and hands over a code."""
        return f"https://t.me/{self.username}?start={code}"


async def look(token: str, base_url: str = BASE_URL, proxy: str | None = None) -> Bot:
    """Ask who the bot is; raises Unreachable or BotRefused."""
    root = f"{base_url.rstrip('/')}/bot{token}"
    answer = await ask(f"{root}/getMe", proxy=proxy)
    me = _result(answer, base_url)
    hook = await ask(f"{root}/getWebhookInfo", proxy=proxy)
    info = hook.body.get("result") if isinstance(hook.body, dict) else None
    number = me.get("id")
    return Bot(
        id=number if isinstance(number, int) else 0,
        username=str(me.get("username") or ""),
        name=str(me.get("first_name") or ""),
        hears_all=me.get("can_read_all_group_messages") is True,
        joins_groups=me.get("can_join_groups") is not False,
        webhook=str(info.get("url") or "") if isinstance(info, dict) else "",
        skew=answer.skew,
    )


def _result(answer: Answer, base_url: str) -> dict[str, object]:
    body = answer.body if isinstance(answer.body, dict) else {}
    result = body.get("result")
    if answer.status == 200 and isinstance(result, dict):
        return result
    if answer.status in (401, 404) and body.get("ok") is False:
        message = (
            f"Telegram does not know this token ({answer.status}); copy it again from @BotFather "
            "(/mybots, choose the bot, API Token), the whole of it"
        )
        raise BotRefused(message)
    if body.get("ok") is False:
        message = f"Telegram refuses it ({answer.status}: {str(body.get('description'))[:200]})"
        raise BotRefused(message)
    message = f"{where(base_url)} answered {answer.status}, and not as the Bot API does; look at the address"
    raise Unreachable(message)


async def examine(name: str, account: Account) -> tuple[list[Finding], float | None]:
    """Look for what keeps an account from hearing or speaking; also how far our clock is ahead."""
    if not isinstance(account, TelegramAccount):
        raise AssertionError("the table is by platform")  # noqa: TRY004  # nobody handed it in
    try:
        bot = await look(account.token.get_secret_value(), account.base_url, account.proxy)
    except (BotRefused, Unreachable) as failed:
        return [wrong(name, str(failed), "dragoman setup telegram")], None
    found = [ok(name, f"the token is that of @{bot.username}")]
    if not bot.hears_all:
        found.append(note(name, f"@{bot.username} has its privacy mode on and may not hear mentions in groups", UNMUTE))
    if not bot.joins_groups:
        found.append(note(name, f"@{bot.username} cannot be added to groups", "@BotFather: /setjoingroups, Enable"))
    if bot.webhook and account.webhook is None:
        text = f"the messages of @{bot.username} go to {where(bot.webhook)}: another program has its token"
        found.append(wrong(name, text, "end the program there, or make a new token: @BotFather, /revoke"))
    return found, bot.skew


def telegram_step(talk: Talk, draft: Draft, wishes: Wishes) -> None:
    """Ask until a token works, is kept unseen, or none is wanted; raises Back."""
    account = accounts.find(draft, PLATFORM, wishes.account)
    base_url = wishes.telegram_url or str(account.get("base_url") or BASE_URL)
    while True:
        token = accounts.ask(talk, draft, account, TOKEN, name=wishes.account, given=wishes.token)
        if not token:
            return
        try:
            bot = _try(talk, token, base_url) if wishes.test else None
        except Again:
            wishes = replace(wishes, token=None)  # it did not work
        else:
            accounts.keep(draft, PLATFORM, wishes.account, {TOKEN: token}, base_url=base_url, usual=BASE_URL)
            if bot is not None and bot.username:
                draft.links.append(bot.link("CODE"))
            return


def _try(talk: Talk, token: str, base_url: str) -> Bot | None:
    bot = attempt(talk, f"Asking {where(base_url)} who that is", lambda: asyncio.run(look(token, base_url)))
    if bot is not None:
        _introduce(talk, bot)
    return bot


def _introduce(talk: Talk, bot: Bot) -> None:
    talk.say(f"This is @{bot.username} (“{bot.name}”).")
    talk.say(OPEN_EARS if bot.hears_all else PRIVACY)
    if not bot.joins_groups:
        talk.say(NO_GROUPS)
    if bot.webhook:
        talk.say(f"Its messages go to {where(bot.webhook)} until I run; end the program there, or take another bot.")
