"""A price is shown where the provider's own listing tells it, and nowhere else."""

from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from agent.types import Usage
from gateway.setup.models import Tried
from gateway.setup.providers import Listed, listing

CATALOGUE = {
    "data": [
        {"id": "a/priced", "context_length": 400_000, "pricing": {"prompt": "0.00000025", "completion": "0.000002"}},
        {"id": "a/varying", "context_length": 0, "pricing": {"prompt": "-1", "completion": "soon"}},
        {"id": "a/silent"},
        {"name": "nameless"},
        "nonsense",
    ]
}


@pytest.fixture
async def provider() -> AsyncIterator[str]:
    async def models(_request: web.Request) -> web.Response:
        return web.json_response(CATALOGUE)

    app = web.Application()
    app.router.add_get("/v1/models", models)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    await runner.cleanup()


@pytest.mark.requirement("C3.9")
async def test_what_a_listing_tells_is_read_and_what_makes_no_sense_is_not(provider: str) -> None:
    assert await listing(provider, "") == [
        Listed(name="a/priced", context_tokens=400_000, input=0.25, output=2.0),
        Listed(name="a/varying"),
        Listed(name="a/silent"),
    ]
    assert await listing("http://127.0.0.1:1/v1", "") == []


@pytest.mark.requirement("C3.9")
def test_no_price_is_invented() -> None:
    usage = Usage(input=1_000_000, cached=0, output=500_000)
    priced = Listed(name="m", input=0.25, output=2.0)
    assert Tried(text="ready", usage=usage, seconds=1.0, listed=priced).cost == 1.25
    assert Tried(text="ready", usage=usage, seconds=1.0, listed=Listed(name="m", input=0.25)).cost is None
    assert Tried(text="ready", usage=usage, seconds=1.0, listed=None).cost is None
    assert Tried(text="ready", usage=None, seconds=1.0, listed=priced).cost is None
