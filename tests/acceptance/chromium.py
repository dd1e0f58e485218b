"""A real browser for tests: headless Chromium on loopback, driven over its debugging socket, without any driver."""

import asyncio
import base64
import contextlib
import json
import re
import shutil
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import aiohttp

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
    "--no-default-browser-check", "--remote-debugging-port=0", "--window-size=1440,900", "--hide-scrollbars",
    # Nothing but this machine can be reached, whatever the page does.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--proxy-server=direct://",
)  # fmt: skip
PATIENCE = 20.0
LISTENING = re.compile(r"DevTools listening on ws://([0-9.]+:[0-9]+)/")
LARGEST_MESSAGE = 64 * 2**20


def find() -> str | None:
    """Find the browser on this machine."""
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


class Tab:
    """One page of the browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.numbers = count(1)
        self.waiting: dict[int, asyncio.Future[dict[str, object]]] = {}
        self.loaded = asyncio.Event()
        self.errors: list[str] = []
        self.asked: list[str] = []

    async def hear(self) -> None:
        """Hand answers to who waits for them; collect the page's errors and the addresses it asks for."""
        async for message in self.socket:
            news = json.loads(message.data)
            if "id" in news:
                self.waiting.pop(news["id"]).set_result(news)
            elif news["method"] == "Page.loadEventFired":
                self.loaded.set()
            elif news["method"] == "Runtime.exceptionThrown":
                details = news["params"]["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description") or details["text"])
            elif news["method"] == "Log.entryAdded" and news["params"]["entry"]["level"] == "error":
                self.errors.append(f"{news['params']['entry']['text']} {news['params']['entry'].get('url', '')}")
            elif news["method"] == "Network.requestWillBeSent":
                self.asked.append(news["params"]["request"]["url"])

    async def do(self, method: str, *, patience: float = PATIENCE, **params: object) -> dict[str, object]:
        """Do one thing of the debugging protocol."""
        number = next(self.numbers)
        answer = self.waiting[number] = asyncio.get_running_loop().create_future()
        await self.socket.send_json({"id": number, "method": method, "params": params})
        found = await asyncio.wait_for(answer, patience)
        assert "error" not in found, found
        result = found["result"]
        assert isinstance(result, dict)
        return result

    async def open(self, address: str) -> None:
        """Go to an address, and return when the page has loaded."""
        for domain in ("Page", "Runtime", "Log", "Network"):
            await self.do(f"{domain}.enable")
        self.loaded.clear()
        await self.do("Page.navigate", url=address)
        await asyncio.wait_for(self.loaded.wait(), PATIENCE)

    async def tell(self, expression: str, *, patience: float = PATIENCE) -> object:
        """Give the value of an expression of the page."""
        found = await self.do(
            "Runtime.evaluate", patience=patience, expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found
        result = found["result"]
        assert isinstance(result, dict)
        return result.get("value")

    async def until(self, expression: str, *, patience: float = PATIENCE) -> object:
        """Wait until an expression of the page is true, looking once per frame, and give it."""
        look = (
            "new Promise((done) => { const end = performance.now() + %d; const look = () => {"
            " const found = (%s); if (found || performance.now() > end) done(found || null);"
            " else requestAnimationFrame(look) }; look() })"
        )
        value = await self.tell(look % (patience * 1000, expression), patience=patience + PATIENCE)
        if not value:
            shown = await self.tell("document.body.innerText")
            raise AssertionError(f"never true within {patience} s: {expression}\n{shown}\n{self.errors}")
        return value

    async def click(self, selector: str) -> None:
        """Press the left button in the middle of an element."""
        box = await self.tell(
            f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2] })()"
        )
        assert isinstance(box, list)
        for kind in ("mousePressed", "mouseReleased"):
            await self.do("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    async def write(self, text: str) -> None:
        """Type a text where the focus is."""
        await self.do("Input.insertText", text=text)

    async def press(self, key: str, *, code: int, text: str = "", modifiers: int = 0) -> None:
        """Press one key."""
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        await self.do("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        await self.do("Input.dispatchKeyEvent", type="keyUp", **common)

    async def picture(self) -> bytes:
        """Give what the tab shows as PNG."""
        data = await self.do("Page.captureScreenshot", format="png")
        return base64.b64decode(str(data["data"]))


@contextlib.asynccontextmanager
async def browsing(program: str, profile: Path) -> AsyncIterator[Tab]:
    """Start the browser with an empty profile and give its tab; afterwards it is gone."""
    process = await asyncio.create_subprocess_exec(
        program, *FLAGS, f"--user-data-dir={profile}", "about:blank",
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    try:
        address = await asyncio.wait_for(listening(process.stderr), PATIENCE)
        async with aiohttp.ClientSession() as session, asyncio.TaskGroup() as group:
            draining = group.create_task(drain(process.stderr))
            async with session.get(f"{address}/json") as response:
                socket = next(tab["webSocketDebuggerUrl"] for tab in await response.json() if tab["type"] == "page")
            async with session.ws_connect(socket, max_msg_size=LARGEST_MESSAGE) as wire:
                tab = Tab(wire)
                hearing = group.create_task(tab.hear())
                yield tab
                hearing.cancel()
            draining.cancel()
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def listening(stderr: asyncio.StreamReader) -> str:
    """Find the debugging address among what the browser says."""
    async for line in stderr:
        found = LISTENING.search(line.decode())
        if found:
            return f"http://{found[1]}"
    raise AssertionError("the browser ended before it listened")


async def drain(stderr: asyncio.StreamReader) -> None:
    """Read on, so that the browser never waits for us."""
    while await stderr.read(65_536):
        continue
