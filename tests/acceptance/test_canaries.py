"""A real daemon at its most talkative, in every trouble that can be made: nothing that it writes holds a secret."""

import io
import json
import socket
import tarfile
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from playground import discord, slack
from playground.model import Answer, out_of_order
from tests.harness.canaries import Canaries
from tests.harness.daemon import BOUND, Daemon, standing

pytestmark = pytest.mark.requirement("C9.2")
DEAD = "127.0.0.1:9"
TALKATIVE = {"PYTHONASYNCIODEBUG": "1", "DRAGOMAN_DEBUG": "1", "OPENAI_LOG": "debug", "PYTHONDEVMODE": ""}
COMMANDS = (
    ("status",),
    ("status", "--json"),
    ("doctor", "--json"),
    ("config", "show"),
    ("check", "--json"),
    ("why", "--last"),
    ("inbox", "list", "--json"),
    ("outbox", "list", "--json"),
    ("sessions", "list", "--json"),
    ("explain", "telegram:1", "hello"),
)


def written(daemon: Daemon) -> Iterator[tuple[str, str]]:
    """Give all that the daemon has written: its log and every file of its home but the two that hold secrets."""
    for n, life in enumerate(daemon.lives):
        yield f"log {n}", "\n".join([*map(json.dumps, life.said), *life.words])
    for path in sorted(daemon.home.rglob("*")):
        if path.is_file() and path.name not in ("gateway.json", ".env"):
            yield path.name, path.read_bytes().decode("utf-8", "replace")


async def commands(daemon: Daemon) -> Iterator[tuple[str, str]]:
    """Run every command that shows something, and read a backup."""
    found = [(" ".join(words), (await daemon.command(*words))[1]) for words in COMMANDS]
    packed = daemon.home.parent / "backup.tar.gz"
    code, said = await daemon.command("backup", str(packed))
    assert code == 0, said
    with tarfile.open(fileobj=io.BytesIO(packed.read_bytes())) as archive:
        found += [
            (f"backup: {member.name}", inside.read().decode("utf-8", "replace"))
            for member in archive.getmembers()
            if (inside := archive.extractfile(member)) is not None
        ]
    packed.unlink()
    return iter([*found, ("backup", said)])


def look(port: int, token: str) -> Iterator[tuple[str, str]]:
    """Read all that the web server shows."""
    for path in ("/healthz", "/readyz", "/metrics", "/status.json", "/nothing"):
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310  # loopback
                yield path, answer.read().decode()
        except urllib.error.HTTPError as error:
            yield path, error.read().decode()


def settings(daemon: Daemon, canaries: Canaries, port: int) -> dict[str, Any]:
    """Put canaries where a daemon of this version uses secrets, and make it say everything."""
    model = {"model": "stand-in", "base_url": daemon.model.url, "api_key": canaries.new("api_key")}
    other = {"token": canaries.new("other.token", "7000000009:AAbbccddeeff{}"), "base_url": f"http://{DEAD}"}
    proxied = other | {"proxy": f"http://me:{canaries.new('proxy')}@{DEAD}", "base_url": daemon.emulator.url}
    wrong = {"token": canaries.new("wrong.token", "7000000008:AAbbccddeeff{}"), "base_url": daemon.emulator.url}
    right = {"token": daemon.emulator.token, "base_url": daemon.emulator.url}
    canaries.made["token"] = daemon.emulator.token
    accounts = {"main": right, "dead": other, "proxied": proxied, "wrong": wrong}
    return {
        "agent": {"models": [model]},
        "platforms": {"telegram": {"accounts": accounts, "token": None, "base_url": None}},
        "http": {"port": port, "token": canaries.new("http.token")},
        "heartbeat": {"url": f"http://{DEAD}/ping/{canaries.new('heartbeat')}", "every_seconds": 1},
        "logging": {"level": "debug"},
    }


def write(daemon: Daemon, wanted: dict[str, object]) -> None:
    """Write the configuration as it is, without the harness's own account."""
    daemon.configure(**wanted)
    path = daemon.home / "gateway.json"
    whole = json.loads(path.read_text())
    whole["platforms"]["telegram"] = {"accounts": whole["platforms"]["telegram"]["accounts"]}
    path.write_text(json.dumps(whole))


async def trouble(daemon: Daemon, canaries: Canaries) -> None:
    """Talk while the model repeats our key to us, and the platform fails in each of its ways."""
    key, faults, ann = canaries.made["api_key"], daemon.emulator.faults, daemon.phone()
    error = {"error": {"message": f"Incorrect API key provided: {key}", "code": key, "type": f"Bearer {key}"}}
    daemon.model.queue(Answer(status=500, body=json.dumps(error)), out_of_order())
    faults.add("html", method="sendMessage", code=502, count=1)
    faults.add("cut", method="editMessageText", count=1)
    ann.send("echo one")
    await ann.answer("one")
    daemon.model.queue(Answer(status=401, body=json.dumps(error)))
    ann.send("echo two")
    await ann.answer("two")
    await daemon.ask("nothing", token=canaries.made["token"])
    await daemon.ask("why", id=key)


class Others:
    """Discord and Slack: on each an account that works, one that Slack or Discord does not know, one without a line."""

    def __init__(self, canaries: Canaries) -> None:
        self.canaries = canaries
        self.discord = discord.Emulator()
        self.slack = slack.Emulator()
        self.on_discord = discord.Person.new(self.discord, "Ann")
        self.on_slack = slack.Person.new(self.slack, "Ann")

    def accounts(self) -> dict[str, object]:
        """Write them down, with a canary in each secret."""
        made, new = self.canaries.made, self.canaries.new
        made |= {"discord.token": self.discord.token}
        made |= {"slack.bot": self.slack.bot_token, "slack.app": self.slack.app_token}
        proxy = f"http://me:{new('other.proxy')}@{DEAD}"
        on_discord = {"base_url": self.discord.url, "gateway_url": self.discord.gateway_url}
        on_slack = {"base_url": self.slack.url}
        unknown = {"token": new("discord.wrong", "MTAw{0}.GabcdE.{0}xyz")}
        tokens = {"bot_token": new("slack.wrong", "xoxb-1-{}"), "app_token": new("slack.wrong.app", "xapp-1-{}")}
        dead = {"base_url": f"http://{DEAD}/"}
        return {
            "discord": {
                "accounts": {
                    "main": {"token": self.discord.token, **on_discord},
                    "wrong": unknown | on_discord,
                    "dead": unknown | dead,
                    "proxied": unknown | on_discord | {"proxy": proxy},
                }
            },
            "slack": {
                "accounts": {
                    "main": {"bot_token": self.slack.bot_token, "app_token": self.slack.app_token, **on_slack},
                    "wrong": tokens | on_slack,
                    "deaf": tokens | on_slack | {"bot_token": self.slack.bot_token},
                    "dead": tokens | dead,
                    "proxied": tokens | on_slack | {"proxy": proxy},
                }
            },
        }

    async def trouble(self) -> None:
        """Talk, press and lose connections; the addresses that these platforms hand out are secrets, too."""
        ann, bob = self.on_discord, self.on_slack
        await self.discord.gateway.until(lambda: bool(self.discord.gateway.sessions), patience=BOUND)
        await ann.until(lambda: 0 in self.discord.world.commands, patience=BOUND)
        used = ann.slash("whoami")
        await ann.until(lambda: used.state == "answered", patience=BOUND)
        self.canaries.made["interaction"] = used.token
        self.discord.faults.add("html", route="POST messages", status=502, count=1)
        self.discord.faults.add("cut", route="PATCH message", count=1)
        ann.upload("a.txt", b"a", text="echo one")
        await ann.answer("one", patience=BOUND)
        self.discord.gateway.drop()
        self.slack.faults.add("html", method="chat.postMessage", status=502, count=1)
        self.slack.faults.add("cut", method="chat.update", count=1)
        self.slack.people.upload(bob.user, bob.chat, b"a", name="a.txt", text="echo one")
        await bob.answer("one", patience=BOUND)
        self.slack.hub.stale_tickets = 1
        opened = self.slack.hub.opened
        self.slack.hub.drop()
        await bob.until(lambda: self.slack.hub.opened > opened, patience=BOUND)
        bob.say("echo two")
        ann.say("echo two")
        await bob.answer("two", patience=BOUND)
        await ann.answer("two", patience=BOUND)


@asynccontextmanager
async def others(canaries: Canaries) -> AsyncIterator[Others]:
    """Open both for the length of a block."""
    both = Others(canaries)
    await both.discord.start()
    await both.slack.start()
    try:
        yield both
    finally:
        await both.discord.stop()
        await both.slack.stop()


async def test_whatever_goes_wrong_no_secret_is_written_or_shown(tmp_path: Path) -> None:
    canaries = Canaries()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    async with standing(tmp_path) as daemon, others(canaries) as both:
        daemon.environment = dict(TALKATIVE)
        wanted = settings(daemon, canaries, port)
        write(daemon, {**wanted, "platforms": {**wanted["platforms"], **both.accounts()}})
        life = await daemon.start()
        await trouble(daemon, canaries)
        await both.trouble()
        await life.says("ready")
        found = [*await commands(daemon), *look(port, canaries.made["http.token"])]
        assert await daemon.stop() == 0
        found += written(daemon)
        (daemon.home / "gateway.json").write_text('{"agent": {"models": [{"api_key": ' + canaries.made["api_key"])
        code, said = await daemon.command("run")
        assert code == 78
        found.append(("a broken file", said))
    assert {"log 0", "state.db", "/metrics", "config show"} <= {place for place, _ in found}
    assert any("7000000009" not in text and "***" in text for _, text in found)
    assert {place: seen for place, text in found if (seen := canaries.seen(text))} == {}
