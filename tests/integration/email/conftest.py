"""A fresh Dovecot and a fresh SMTP server for each test."""

from collections.abc import AsyncIterator

import pytest

from playground.mail.post import Post
from tests.harness import dovecot as real
from tests.harness.dovecot import USER, Dovecot


@pytest.fixture
async def dovecot() -> AsyncIterator[Dovecot]:
    real.needed()
    server = Dovecot()
    try:
        await server.start()
        yield server
    finally:
        await server.stop()
        server.remove()


@pytest.fixture
async def post() -> AsyncIterator[Post]:
    server = Post(users={USER: "any"})
    await server.start()
    yield server
    await server.stop()
