"""No fence: commands run as the daemon's own user, so every one of them is asked about."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfenced:
    """Commands of the machine itself; whoever spells this out wants it."""

    network: bool = True
    fenced: bool = False

    def argv(self, command: str, workspace: Path, *, seconds: int) -> Sequence[str]:  # noqa: ARG002
        """Say what is started."""
        return ("/bin/sh", "-c", f'ulimit -c 0; ulimit -t {seconds}; exec /bin/sh -c "$1"', "sh", command)
