"""Impossible values are refused where they stand, with the value and the nearest right one."""

from collections.abc import Callable

import pytest

from gateway.config import Config, Problem
from gateway.config.catalogue import Catalogue

Reader = Callable[..., Config]
Complaints = Callable[..., tuple[Problem, ...]]
MAIL = {
    "address": "bot@example.org",
    "imap": {"host": "imap.example.org", "password": "x"},
    "smtp": {"host": "smtp.example.org", "password": "x"},
    "authserv_id": "mx",
}


def mail(**changes: object) -> dict[str, object]:
    return {"platforms": {"email": {**MAIL, **changes}}}


def telegram(**changes: object) -> dict[str, object]:
    return {"platforms": {"telegram": {"token": "1:x", **changes}}}


def person(**changes: object) -> dict[str, object]:
    return {"access": {"people": [{"name": "Ann", **changes}]}}


def model(**changes: object) -> dict[str, object]:
    return {"agent": {"models": [{"model": "m", **changes}]}}


WRONG: list[tuple[dict[str, object], str, str]] = [
    ({"timezone": "Europe/Rmoe"}, "timezone", "did you mean Europe/Rome?"),
    ({"timezone": "CEST+2"}, "timezone", "not a known time zone"),
    ({"timezone": "../../etc/passwd"}, "timezone", "not a known time zone"),
    ({"timezone": "Europe"}, "timezone", "not a known time zone"),
    ({"timezone": ""}, "timezone", "not a known time zone"),
    ({"timezone": 2}, "timezone", "put it in double quotes"),
    ({"agent": {"models": []}}, "agent.models", "must not be empty"),
    ({"agent": {"models": {"model": "m"}}}, "agent.models", "must be a list"),
    ({"agent": {"models": ["m"]}}, "agent.models[0]", "must be an object"),
    ({"agent": {}}, "agent.models", "is missing"),
    ({"agent": None}, "agent", "must be an object"),
    (model(base_url="api.openai.com"), "agent.models[0].base_url", "begins with https:// or http://"),
    (model(base_url="wss://h/"), "agent.models[0].base_url", "begins with https:// or http://"),
    (model(base_url="https://"), "agent.models[0].base_url", "not an address"),
    (model(base_url="https://h:99999/v1"), "agent.models[0].base_url", "not an address"),
    (model(base_url="https://h/v1?x=1"), "agent.models[0].base_url", "can't hold ?"),
    (model(base_url="https://h /v1"), "agent.models[0].base_url", "white space"),
    (model(api_key=""), "agent.models[0].api_key", "must not be empty"),
    (model(api_key=5), "agent.models[0].api_key", "must be a text"),
    (model(context_tokens=0), "agent.models[0].context_tokens", "at least 1000, not 0"),
    (model(context_tokens=1.5), "agent.models[0].context_tokens", "whole number, not 1.5"),
    (model(vision="yes"), "agent.models[0].vision", 'true or false, not "yes"'),
    (model(price={"input": -1, "output": 1}), "agent.models[0].price.input", "at least 0, not -1"),
    (telegram(token="1: x"), "platforms.telegram.token", "white space"),
    (telegram(enabled="no"), "platforms.telegram.enabled", "true or false"),
    (telegram(liveness_seconds=0), "platforms.telegram.liveness_seconds", "above 0, not 0"),
    (telegram(catch_up_hours=-1), "platforms.telegram.catch_up_hours", "at least 0"),
    (telegram(proxy="proxy:3128"), "platforms.telegram.proxy", "begins with"),
    (telegram(webhook={}), "platforms.telegram.webhook.secret", "is missing"),
    (telegram(webhook={"secret": "ä"}), "platforms.telegram.webhook.secret", "not a word that Telegram takes"),
    (telegram(webhook={"secret": "x"}), "webhooks", "is needed by platforms.telegram.webhook"),
    ({"platforms": {"telegram": None}}, "platforms.telegram", "must be an object"),
    ({"platforms": {"telegram": {"accounts": {}}}}, "platforms.telegram.accounts", "with an account"),
    ({"platforms": {"telegram": {"accounts": {"A b": {"token": "x"}}}}}, "platforms.telegram.accounts.A b", "form"),
    ({"platforms": {"discord": {"token": "x", "gateway_url": "https://h"}}}, "platforms.discord.gateway_url", "wss"),
    ({"platforms": {"discord": {"token": "x", "guilds": [5]}}}, "platforms.discord.guilds[0]", "double quotes"),
    ({"platforms": {"slack": {"bot_token": "x"}}}, "platforms.slack.app_token", "is missing"),
    (mail(address="Bot <bot@example.org>"), "platforms.email.address", "not a mail address"),
    (mail(aliases=["bot"]), "platforms.email.aliases[0]", "not a mail address"),
    (mail(ca_file="/nowhere/ca.pem"), "platforms.email.ca_file", "does not exist"),
    (mail(ca_file="ca.pem"), "platforms.email.ca_file", "absolute"),
    (mail(imap={"host": "h"}), "platforms.email", "no way to log in"),
    (mail(imap={"host": "h:993", "password": "x"}), "platforms.email.imap.host", "key of its own"),
    (mail(smtp={"host": "https://h", "password": "x"}), "platforms.email.smtp.host", "not a host"),
    (mail(imap={"host": "h", "password": "x", "security": "ssl"}), "platforms.email.imap.security", '"tls"'),
    (mail(imap={"host": "h", "password": "x", "security": "none"}), "platforms.email.imap", "in the clear"),
    (mail(smtp={"host": "10.0.0.1", "password": "x", "security": "none"}), "platforms.email.smtp", "in the clear"),
    (mail(oauth={"token_url": "https://h/t"}), "platforms.email.oauth", "is incomplete"),
    (mail(oauth={"command": "x", "client_id": "y"}), "platforms.email.oauth", "keep one"),
    ({"session_reset_policy": {"type": "idle"}}, "session_reset_policy.type", 'did you mean "idle_timeout"?'),
    ({"session_reset_policy": {"idle_hours": 0}}, "session_reset_policy.idle_hours", "above 0, not 0"),
    ({"session_reset_policy": {"at": "24:00"}}, "session_reset_policy.at", "HH:MM"),
    ({"session_reset_policy": {"at": "4:00"}}, "session_reset_policy.at", "HH:MM"),
    (
        {"session_reset_policy": {"per_kind": {"dm": {}}}},
        "session_reset_policy.per_kind.dm",
        'one of "direct", "group", "thread"',
    ),
    (
        {"session_reset_policy": {"per_kind": {"group": {"per_kind": {}}}}},
        "session_reset_policy.per_kind.group.per_kind",
        "unknown key",
    ),
    ({"access": {"unknown": "everyone"}}, "access.unknown", 'one of "pair", "ignore", "open"'),
    ({"access": {"open_role": "admin"}}, "access.open_role", 'one of "user", "guest"'),
    (person(role="boss"), "access.people[0].role", "must be one of"),
    (person(name=""), "access.people[0].name", "must not be empty"),
    (person(timezone="Rome"), "access.people[0].timezone", "not a known time zone"),
    (person(language="English"), "access.people[0].language", "another form"),
    (person(identities=["ann"]), "access.people[0].identities[0]", "platform:id"),
    (person(identities=["telegram:@ann"]), "access.people[0].identities[0]", "never the @name"),
    (person(identities=["telegram:-100"]), "access.people[0].identities[0]", "not an identity on telegram"),
    (person(identities=["telegram:777000"]), "access.people[0].identities[0]", "many senders"),
    (person(identities=["telegram:1087968824"]), "access.people[0].identities[0]", "many senders"),
    (person(identities=["telegram:136817688"]), "access.people[0].identities[0]", "many senders"),
    (person(identities=["telgram:5"]), "access.people[0].identities[0]", "did you mean telegram:…?"),
    (person(identities=["slack:U34"]), "access.people[0].identities[0]", "workspace and member"),
    (person(identities=["discord:ann#1"]), "access.people[0].identities[0]", "never the name"),
    (person(identities=["email:ann"]), "access.people[0].identities[0]", "ann@example.org"),
    (person(identities=["terminal:"]), "access.people[0].identities[0]", "terminal:ann"),
    ({"access": {"people": [{"name": "Ann"}, {"name": "ann"}]}}, "access", "same name twice: ann"),
    (person(identities=["telegram:5", "telegram:5"]), "access", "same identity twice: telegram:5"),
    (
        {"access": {"groups": [{"conversation": "telegram:-5"}, {"conversation": "telegram:-5"}]}},
        "access",
        "same conversation twice",
    ),
    ({"access": {"groups": [{"conversation": "telegram:5"}]}}, "access.groups[0].conversation", "negative"),
    ({"access": {"groups": [{"conversation": "email:a@b"}]}}, "access.groups[0].conversation", "not a group"),
    ({"access": {"groups": [{"conversation": "telegram:-5", "role": "admin"}]}}, "access.groups[0].role", "guest"),
    ({"access": {"groups": [{"conversation": "telegram:-5", "overhear": -1}]}}, "access.groups[0].overhear", "0"),
    ({"busy": "queue"}, "busy", '"followup"'),
    ({"storage": "postgres"}, "storage", '"sqlite"'),
    ({"http": {"port": -1}}, "http.port", "at least 0, not -1"),
    ({"http": {"port": 65536}}, "http.port", "at most 65535, not 65536"),
    ({"http": {"port": "8460"}}, "http.port", 'whole number, not "8460"'),
    ({"http": {"trusted_proxies": ["proxy"]}}, "http.trusted_proxies[0]", "10.0.0.0/8"),
    ({"logging": {"level": "INFO"}}, "logging.level", 'did you mean "info"?'),
    ({"drain_seconds": True}, "drain_seconds", "must be a number, not true"),
    ({"retention": {"blobs_days": 0}}, "retention.blobs_days", "above 0"),
    ({"backups": {"keep": 0}}, "backups.keep", "at least 1"),
    ({"heartbeat": {"url": "hc-ping"}}, "heartbeat.url", "begins with"),
    ({"webhooks": {"host": "h"}}, "webhooks.public_url", "is missing"),
    ({"agent": {"models": [{"model": "m"}], "tools": ["memry"]}}, "agent.tools[0]", "did you mean memory?"),
    ({"agent": {"models": [{"model": "m"}], "tool_roles": {"wed": "user"}}}, "agent.tool_roles.wed", "mean web?"),
    ({"agent": {"models": [{"model": "m"}], "tool_roles": {"web": "blocked"}}}, "agent.tool_roles.web", "owner"),
    ({"agent": {"models": [{"model": "m"}], "web": {"search": "google"}}}, "agent.web.search", "duckduckgo"),
    ({"agent": {"models": [{"model": "m"}], "budgets": {"blocked": {}}}}, "agent.budgets.blocked", "unknown key"),
    ({"$schema": 5}, "$schema", "must be a text"),
]


@pytest.mark.requirement("C2.1")
@pytest.mark.parametrize(("content", "path", "said"), WRONG, ids=[f"{path}-{said}" for _, path, said in WRONG])
def test_an_impossible_value_is_refused_where_it_stands(
    complaints: Complaints, content: dict[str, object], path: str, said: str
) -> None:
    (problem,) = complaints(content)
    assert problem.path == path
    assert said in str(problem)


RIGHT: list[dict[str, object]] = [
    model(base_url="http://127.0.0.1:11434/v1/"),
    telegram(base_url="http://[::1]:8081", proxy="socks5://u:p@h:1080"),
    telegram(webhook={"secret": "x"}) | {"webhooks": {"public_url": "https://hooks.example.org"}},
    mail(imap={"host": "127.0.0.1", "password": "x", "security": "none"}),
    mail(smtp={"host": "localhost", "password": "x", "security": "none", "port": 2525}),
    mail(imap={"host": "h"}, smtp={"host": "h"}, oauth={"command": "/bin/token"}),
    mail(authserv_id=["a", "b"], aliases=["bot+*@example.org"]),
    mail(authserv_id=[]),
    mail(authserv_id=[], require_authenticated_sender=False),
    person(identities=["telegram:123", "slack:T12/U34", "discord:99", "email:ann@example.org", "terminal:ann"]),
    person(role="blocked", timezone="America/Argentina/Buenos_Aires", language="pt-BR"),
    {"access": {"groups": [{"conversation": "telegram:-1001", "mention": "free", "role": "user", "overhear": 20}]}},
    {"access": {"groups": [{"conversation": "slack:C1"}, {"conversation": "slack:T1/C1"}]}},
    {"session_reset_policy": {"type": "manual", "per_platform": {"email": {"type": "daily_boundary"}}}},
    {"agent": {"models": [{"model": "m"}], "tools": [], "web": {"search": "searxng:https://s.example.org"}}},
    {"agent": {"models": [{"model": "m"}], "tools": ["current_time", "mypackage.tools:Weather"]}},
    {"backups": None, "heartbeat": None, "webhooks": None},
    {"retention": {"messages_days": 0.5, "blobs_days": None, "max_gib": None}},
    {"platforms": {}},
]


@pytest.mark.parametrize("content", RIGHT, ids=str)
def test_what_is_possible_is_accepted(read: Reader, content: dict[str, object]) -> None:
    read(content)


def test_mail_addresses_compare_without_regard_to_case(read: Reader) -> None:
    config = read(person(identities=["email:Ann@Example.org"]))
    assert config.access.people[0].identities == ("email:ann@example.org",)


def test_addresses_end_the_way_they_are_built_upon(read: Reader) -> None:
    config = read(
        {
            "platforms": {
                "telegram": {"token": "1:x", "base_url": "http://h/api/"},
                "slack": {"bot_token": "x", "app_token": "y", "base_url": "http://h/api"},
            }
        }
    )
    assert config.platforms.telegram["main"].base_url == "http://h/api"
    assert config.platforms.slack["main"].base_url == "http://h/api/"


ENTRIES = Catalogue().entries
OBJECTS = [(), *(pattern for pattern, entry in ENTRIES.items() if entry.keys)]
NAMES = {"per_platform": "email", "per_kind": "group"}


def wrapped(pattern: tuple[str, ...], value: object) -> tuple[object, str]:
    """Put a value at its place in a file that holds nothing else; return the file and the key in it."""
    path = ""
    for index, step in enumerate(pattern):
        if step == "*" and pattern[0] == "platforms":
            continue
        path += "[0]" if step == "[]" else "." + (NAMES[pattern[index - 1]] if step == "*" else step)
    for index in reversed(range(len(pattern))):
        step = pattern[index]
        if step == "[]":
            value = [value]
        elif step != "*":
            value = {step: value}
        elif pattern[0] != "platforms":
            value = {NAMES[pattern[index - 1]]: value}
    return value, path.removeprefix(".")


@pytest.mark.requirement("B223", "C2.1")
@pytest.mark.parametrize("pattern", OBJECTS, ids=".".join)
def test_every_key_misspelt_is_an_error_that_names_the_right_one(
    complaints: Complaints, pattern: tuple[str, ...]
) -> None:
    keys = ENTRIES[pattern].keys if pattern else tuple(key[0] for key in ENTRIES if len(key) == 1)
    typos = {key: key[:2] + "x" + key[2:] for key in keys}
    content, place = wrapped(pattern, dict.fromkeys(typos.values(), 1))
    found = {problem.path: problem for problem in complaints(content)}
    for key, typo in typos.items():
        problem = found[f"{place}.{typo}".removeprefix(".")]
        assert "unknown key" in problem.message
        assert problem.hint == f"did you mean `{key}`?"


@pytest.mark.requirement("B223", "C2.1")
@pytest.mark.parametrize(
    ("content", "path", "said"),
    [
        ({"platfroms": {}}, "platfroms", "did you mean `platforms`?"),
        ({"timeZone": "Europe/Rome"}, "timeZone", "did you mean `timezone`?"),
        ({"agent": {"models": [{"model": "m"}], "max_step": 5}}, "agent.max_step", "`max_steps`"),
        (model(apikey="x"), "agent.models[0].apikey", "`api_key`"),
        (telegram(tokn="x"), "platforms.telegram.tokn", "`token`"),
        ({"platforms": {"telegramm": {}}}, "platforms.telegramm", "`telegram`"),
        ({"platforms": {"discord": {"token": "x", "guild": []}}}, "platforms.discord.guild", "`guilds`"),
        (mail(alias=[]), "platforms.email.alias", "`aliases`"),
        (mail(imap={"host": "h", "password": "x", "prot": 1}), "platforms.email.imap.prot", "`port`"),
        ({"session_reset_policy": {"idle_hour": 4}}, "session_reset_policy.idle_hour", "`idle_hours`"),
        ({"access": {"unkown": "pair"}}, "access.unkown", "`unknown`"),
        (person(rol="user"), "access.people[0].rol", "`role`"),
        ({"delivery": {"stream": True}}, "delivery.stream", "`streaming`"),
        ({"cron": {"enable": True}}, "cron.enable", "`enabled`"),
        ({"http": {"prt": 1}}, "http.prt", "`port`"),
        ({"logging": {"levle": "info"}}, "logging.levle", "`level`"),
        ({"retention": {"blob_days": 5}}, "retention.blob_days", "`blobs_days`"),
        ({"backups": {"kep": 5}}, "backups.kep", "`keep`"),
        # misplaced: right name, wrong section
        ({"idle_hours": 4}, "idle_hours", "`session_reset_policy.idle_hours`"),
        ({"models": []}, "models", "`agent.models`"),
        ({"http": {"level": "info"}}, "http.level", "`logging.level`"),
        ({"http": {"qqqq": 1}}, "http.qqqq", "keys here are host, port, token"),
        (
            {"platforms": {"telegram": {"token": "1:x", "accounts": {"main": {"token": "1:x"}}}}},
            "platforms.telegram.token",
            "platforms.telegram.accounts.NAME.token",
        ),
    ],
)
def test_an_unknown_or_misplaced_key_names_the_nearest_right_one(
    complaints: Complaints, content: dict[str, object], path: str, said: str
) -> None:
    (problem,) = complaints(content)
    assert problem.path == path
    assert "unknown key" in problem.message
    assert said in problem.hint
