"""A daemon as small as the page needs it: polls, counts aloud by editing, keeps its rows in a file over kill -9."""

import asyncio
import json
import os
import sys
import time
from pathlib import Path

import aiohttp

LOOK_SECONDS = 0.02  # between two looks at the inbox
WORD_SECONDS = 0.03  # the pace at which it counts
home = Path(sys.argv[sys.argv.index("--home") + 1])
config = json.loads(Path(sys.argv[sys.argv.index("--config") + 1]).read_text())
telegram = config["platforms"]["telegram"]
store = home / "state.db"
rows = json.loads(store.read_text()) if store.exists() else {"offset": 0, "inbox": [], "steps": [], "outbox": []}


def save() -> None:
    new = home / "state.new"
    new.write_text(json.dumps(rows))
    new.replace(store)


async def call(session: aiohttp.ClientSession, method: str, **params: object) -> object:
    async with session.post(f"{telegram['base_url']}/bot{telegram['token']}/{method}", json=params) as response:
        answer = await response.json()
    return answer.get("result")


async def poll(session: aiohttp.ClientSession) -> None:
    while True:
        updates = await call(session, "getUpdates", offset=rows["offset"], timeout=20)
        for update in updates if isinstance(updates, list) else []:
            rows["offset"] = update["update_id"] + 1
            message = update.get("message")
            if not message:
                continue
            number = len(rows["inbox"]) + 1
            text = message.get("text", "")
            body = json.dumps({"message": {"text": text}, "chat": message["chat"]["id"]})
            row = {
                "id": number,
                "state": "ready",
                "lane": "user:ann",
                "turn": None,
                "created_at": time.time(),
                "body": body,
            }
            rows["inbox"].append(row)
            rows["steps"].append(
                {"seq": number * 2, "role": "user", "turn": f"turn-{number:04}", "content": text, "at": time.time()}
            )
            save()


async def work(session: aiohttp.ClientSession) -> None:
    while True:
        ready = [row for row in rows["inbox"] if row["state"] == "ready"]
        if not ready:
            await asyncio.sleep(LOOK_SECONDS)
            continue
        row = ready[0]
        body = json.loads(row["body"])
        row["turn"] = f"turn-{row['id']:04}"
        if "draft" not in row:
            sent = await call(session, "sendMessage", chat_id=body["chat"], text="…")
            assert isinstance(sent, dict)
            row["draft"] = sent["message_id"]
            save()
        digits = [word for word in body["message"]["text"].split() if word.isdigit()]
        last = int(digits[0]) if digits else 5
        for number in range(1, last + 1):
            text = ", ".join(map(str, range(1, number + 1)))
            await call(session, "editMessageText", chat_id=body["chat"], message_id=row["draft"], text=text)
            await asyncio.sleep(WORD_SECONDS)
        row.update(state="done", finished_at=time.time())
        rows["steps"].append(
            {"seq": row["id"] * 2 + 1, "role": "assistant", "turn": row["turn"], "content": text, "at": time.time()}
        )
        rows["outbox"].append(
            {
                "id": row["id"],
                "state": "done",
                "lane": "telegram/1",
                "turn": row["turn"],
                "created_at": time.time(),
                "finished_at": time.time() + 0.02,
                "body": json.dumps({"text": text}),
            }
        )
        save()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    op = json.loads(await reader.readline())["op"]
    busy = (
        [{"queue": "inbox", "lane": "user:ann", "owner": "me"}]
        if any(row["state"] == "ready" for row in rows["inbox"])
        else []
    )
    result = {"daemon": {"pid": os.getpid()}} if op == "status" else {**rows, "turns": [], "lanes": busy}
    writer.write(json.dumps({"ok": True, "result": result}).encode() + b"\n")
    await writer.drain()
    writer.close()


async def main() -> None:
    line = {"timestamp": "2026-01-01T10:00:00.123Z", "level": "info", "event": "started", "pid": os.getpid()}
    sys.stdout.write(json.dumps(line) + "\n")
    path = home / "control.sock"
    path.unlink(missing_ok=True)
    await asyncio.start_unix_server(answer, str(path))
    async with aiohttp.ClientSession() as session, asyncio.TaskGroup() as group:
        group.create_task(poll(session))
        group.create_task(work(session))


asyncio.run(main())
