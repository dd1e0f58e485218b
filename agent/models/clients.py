"""Connections to providers: one SDK client per address and key, shared by all, replaced when it stands still."""

from collections.abc import Mapping
from dataclasses import dataclass

from openai import AsyncOpenAI, DefaultAioHttpClient, Omit

_STALLS = 2
# The SDK would tell every provider our operating system, processor and Python version.
SILENT: Mapping[str, str | Omit] = {
    f"X-Stainless-{name}": Omit()
    for name in (
        "Lang",
        "Package-Version",
        "OS",
        "Arch",
        "Runtime",
        "Runtime-Version",
        "Async",
        "Retry-Count",
        "Read-Timeout",
    )
} | {"User-Agent": "dragoman"}


@dataclass(slots=True, eq=False)
class Lent:
    """A client in use; it is closed when it is retired and its last user has given it back."""

    client: AsyncOpenAI
    account: tuple[str, str]
    users: int = 0
    stalls: int = 0
    retired: bool = False


class Clients:
    """The clients of a process."""

    def __init__(self) -> None:
        self._lent: dict[tuple[str, str], Lent] = {}

    def lend(self, base_url: str, key: str) -> Lent:
        """Return the shared client of an account; give it back when the request has ended."""
        account = (base_url, key)
        lent = self._lent.get(account)
        if lent is None:
            http = DefaultAioHttpClient()
            # Local servers take no key, but the SDK insists on one. Retries are ours, they are classified.
            client = AsyncOpenAI(api_key=key or "none", base_url=base_url, max_retries=0, http_client=http)
            lent = self._lent[account] = Lent(client=client, account=account)
        lent.users += 1
        return lent

    async def give_back(self, lent: Lent, *, stalled: bool) -> None:
        """End a use; after two stalls in a row with no answer between, the next user gets new connections."""
        lent.users -= 1
        lent.stalls = lent.stalls + 1 if stalled else 0
        if lent.stalls >= _STALLS and not lent.retired:
            lent.retired = True
            del self._lent[lent.account]
        if lent.retired and not lent.users:
            await lent.client.close()

    async def close(self) -> None:
        """Close all clients; running requests break off."""
        lent, self._lent = list(self._lent.values()), {}
        for one in lent:
            one.retired = True
            await one.client.close()
