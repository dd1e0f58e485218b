"""Which home and which configuration a command is about."""

import os
from dataclasses import dataclass
from pathlib import Path

from gateway.home import Choice, Home, choose_home, keep_private, open_home


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """What --home and --config say; the environment and the usual places fill in the rest."""

    home: Path | None = None
    config: Path | None = None

    def choice(self) -> Choice:
        """Decide which directory is home, whether it exists or not."""
        return choose_home(self.home, os.environ)

    def open(self, *, create: bool = False) -> Home:
        """Open the home; raises NoHome, which lists where we looked."""
        keep_private()
        return open_home(self.choice(), os.environ, create=create)
