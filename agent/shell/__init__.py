"""Commands for people: which of them may be asked about, the fence they run in, and the running of one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol


class Backend(Protocol):
    """Where commands run: a sandbox on this machine, or another place, which needs this and a line in `backend_of`."""

    @property
    def fenced(self) -> bool:
        """Whether it keeps a command away from everything but the workspace."""

    @property
    def network(self) -> bool:
        """Whether a command in it reaches the network."""

    def argv(self, command: str, workspace: Path, *, seconds: int) -> Sequence[str]:
        """Say what is started for a command of a shell, which works in a folder and has so long."""
