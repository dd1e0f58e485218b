"""Setting up Slack: the app's manifest with the least it needs, its two tokens, and who the bot is."""

import asyncio
import json
import re
from dataclasses import dataclass, replace

from gateway.config.accounts import JsonObject
from gateway.config.platform import Account
from gateway.config.platforms import SlackAccount
from gateway.domain.errors import DragomanError
from gateway.setup import accounts
from gateway.setup.draft import Draft, Talk, Wishes
from gateway.setup.findings import Finding, note, ok, wrong
from gateway.setup.reach import Answer, Unreachable, ask, where
from gateway.setup.trying import Again, attempt

PLATFORM = "slack"
BASE_URL = "https://slack.com/api/"
COMMAND = "/dragoman"
BOT_TOKEN = accounts.Secret(
    platform="Slack",
    key="bot_token",
    variable="SLACK_BOT_TOKEN",
    asked="The bot token",
    pattern=re.compile(r"xoxb-[A-Za-z0-9-]{10,200}"),
    unsound="that is no bot token: one begins with xoxb-",
)
APP_TOKEN = accounts.Secret(
    platform="Slack",
    key="app_token",
    variable="SLACK_APP_TOKEN",
    flag="--app-token-file",
    asked="The app token",
    pattern=re.compile(r"xapp-[A-Za-z0-9-]{10,200}"),
    unsound="that is no app token: one begins with xapp-",
)
# What the app may do, and what for.
SCOPES = {
    "app_mentions:read": "hear mentions",
    "assistant:write": "assistant threads and their status",
    "channels:history": "read channels it is in, also after an absence",
    "channels:read": "know which channels it is in",
    "chat:write": "answer",
    "commands": "the slash command",
    "files:read": "fetch files that people send",
    "files:write": "send files",
    "groups:history": "the same in private channels it is in",
    "groups:read": "know which private channels it is in",
    "im:history": "read its direct talks",
    "im:read": "know its direct talks",
    "mpim:history": "the same in group talks",
    "mpim:read": "know its group talks",
    "reactions:read": "hear reactions",
    "reactions:write": "react",
    "users:read": "names of people",
}
EVENTS = (
    "app_mention",
    "assistant_thread_started",
    "channel_left",
    "group_left",
    "member_joined_channel",
    "message.channels",
    "message.groups",
    "message.im",
    "message.mpim",
    "reaction_added",
)
HOW = (
    "\nSlack: open https://api.slack.com/apps, Create New App, From a manifest, choose the workspace and put this in:\n"
)
THEN = (
    "\nThen: Install to Workspace; OAuth & Permissions shows the bot token (xoxb-…). Basic Information, App-Level\n"
    "Tokens, Generate, with the scope connections:write: that is the app token (xapp-…)."
)
MEND = "dragoman setup slack"


class AppRefused(DragomanError):
    """A token does not work; the text says what happened and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Who answers to the tokens; `skew` is how far our clock is ahead of the server's, in seconds."""

    name: str
    team: str
    team_id: str
    user_id: str
    skew: float | None
    missing: tuple[str, ...] = ()  # scopes that are not granted


def manifest(name: str = "Dragoman", command: str = COMMAND) -> JsonObject:
    """Make the manifest of the app: least scopes, Socket Mode, no address of ours."""
    shown = name[:35] or "Dragoman"
    return {
        "display_information": {"name": shown},
        "features": {
            "app_home": {"messages_tab_enabled": True, "messages_tab_read_only_enabled": False},
            "assistant_view": {"assistant_description": "Your own agent"},
            "bot_user": {"display_name": shown, "always_online": True},
            "slash_commands": [
                {"command": command, "description": "Commands; help lists them", "usage_hint": "help | new | stop | …"}
            ],
        },
        "oauth_config": {"scopes": {"bot": list(SCOPES)}},
        "settings": {
            "event_subscriptions": {"bot_events": list(EVENTS)},
            "interactivity": {"is_enabled": True},
            "org_deploy_enabled": False,
            "socket_mode_enabled": True,
            "token_rotation_enabled": False,
        },
    }


async def look(bot_token: str, app_token: str, base_url: str = BASE_URL, proxy: str | None = None) -> App:
    """Ask who the bot is and whether a socket would open; raises Unreachable or AppRefused."""
    answer = await _ask(bot_token, "auth.test", base_url, proxy)
    me = _result(answer, "the bot token", base_url)
    if not me.get("bot_id"):
        raise AppRefused("this token is a person's; the bot's begins with xoxb- (OAuth & Permissions)")
    missing = await _missing(bot_token, base_url, proxy)
    _result(await _ask(app_token, "apps.connections.open", base_url, proxy), "the app token", base_url)
    return App(
        name=str(me.get("user") or ""),
        team=str(me.get("team") or ""),
        team_id=str(me.get("team_id") or ""),
        user_id=str(me.get("user_id") or ""),
        skew=answer.skew,
        missing=missing,
    )


async def _missing(token: str, base_url: str, proxy: str | None) -> tuple[str, ...]:
    """Find by harmless questions which scopes the catch-up lacks; Slack names the first one missing."""
    kinds = "public_channel,private_channel,mpim,im"
    question = f"{base_url.rstrip('/')}/users.conversations?limit=1&types={kinds}"
    answer = await ask(question, headers={"Authorization": f"Bearer {token}"}, proxy=proxy)
    body = answer.body if isinstance(answer.body, dict) else {}
    return (str(body.get("needed")),) if body.get("error") == "missing_scope" else ()


async def _ask(token: str, method: str, base_url: str, proxy: str | None) -> Answer:
    headers = {"Authorization": f"Bearer {token}"}
    return await ask(f"{base_url.rstrip('/')}/{method}", body={}, headers=headers, proxy=proxy)


def _result(answer: Answer, what: str, base_url: str) -> JsonObject:
    body = answer.body if isinstance(answer.body, dict) else {}
    if body.get("ok") is True:
        return body
    code = str(body.get("error") or "")[:80]
    match code:
        case "invalid_auth" | "not_authed" | "account_inactive" | "token_revoked" | "not_allowed_token_type":
            message = f"Slack does not take {what} ({code}); copy it again from https://api.slack.com/apps"
        case "missing_scope":
            message = f"{what} lacks the scope {body.get('needed')}; make a new one with it"
        case "socket_mode_not_enabled" | "app_disabled" | "not_enabled":
            message = f"Socket Mode is off ({code}); https://api.slack.com/apps, the app, Socket Mode, Enable"
        case "":
            words = f"{where(base_url)} answered {answer.status}, and not as Slack does; look at the address"
            raise Unreachable(words)
        case _:
            message = f"Slack refuses {what} ({code})"
    raise AppRefused(message)


async def examine(name: str, account: Account) -> tuple[list[Finding], float | None]:
    """Look for what keeps an account from hearing or speaking; also how far our clock is ahead."""
    if not isinstance(account, SlackAccount):
        raise AssertionError("the table is by platform")  # noqa: TRY004  # nobody handed it in
    tokens = (account.bot_token.get_secret_value(), account.app_token.get_secret_value())
    try:
        app = await look(*tokens, str(account.base_url), account.proxy)
    except (AppRefused, Unreachable) as failed:
        return [wrong(name, str(failed), MEND)], None
    found = [ok(name, f"the tokens are those of {app.name} in {app.team} ({app.team_id})")]
    mend = f"`{MEND}` prints the manifest: put it into the app (App Manifest), and install it again"
    found += [note(name, f"the app lacks the scope {scope}: absences are not caught up", mend) for scope in app.missing]
    return found, app.skew


def slack_step(talk: Talk, draft: Draft, wishes: Wishes) -> None:
    """Ask until both tokens work, are kept unseen, or none is wanted; raises Back."""
    account = accounts.find(draft, PLATFORM, wishes.account)
    base_url = wishes.slack_url or str(account.get("base_url") or BASE_URL)
    if talk.asks:
        agent = draft.settings.get("agent")
        name = str(agent.get("name") or "Dragoman") if isinstance(agent, dict) else "Dragoman"
        command = str(account.get("command") or COMMAND)
        talk.say(HOW)
        talk.say(json.dumps(manifest(name, command), indent=2, ensure_ascii=False))
        talk.say(THEN)
    while True:
        bot = accounts.ask(talk, draft, account, BOT_TOKEN, name=wishes.account, given=wishes.token)
        app = bot and accounts.ask(talk, draft, account, APP_TOKEN, name=wishes.account, given=wishes.app_token)
        if not app:
            return
        try:
            if wishes.test:
                _try(talk, (bot, app), base_url)
        except Again:
            wishes = replace(wishes, token=None, app_token=None)  # they did not work
        else:
            tokens = {BOT_TOKEN: bot, APP_TOKEN: app}
            accounts.keep(draft, PLATFORM, wishes.account, tokens, base_url=base_url, usual=BASE_URL)
            return


def _try(talk: Talk, tokens: tuple[str, str], base_url: str) -> None:
    app = attempt(talk, f"Asking {where(base_url)} who that is", lambda: asyncio.run(look(*tokens, base_url)))
    if app is None:
        return
    talk.say(f"This is {app.name} in the workspace {app.team} ({app.team_id}).")
    for scope in app.missing:
        talk.say(f"The app lacks the scope {scope}; put the manifest above into it and install it again.")
    talk.say("Everybody in the workspace can write to it directly. In channels it answers only where you list them.")
