"""What the stand-in remembers of each request."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One request as it came; `port` is the client's and names the connection, `at` is monotonic.

    `headers` have lower-case names and never the authorization.
    """

    body: Mapping[str, object]
    raw: bytes
    headers: Mapping[str, str]
    port: int
    at: float
