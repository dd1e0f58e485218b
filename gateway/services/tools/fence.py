"""The shell of a house: which fence is configured, and whether it holds on this machine."""

from agent.shell import Backend
from agent.shell.bubblewrap import Bubblewrap
from agent.shell.probe import Tried
from agent.shell.unfenced import Unfenced
from agent.tools.base import Tool
from agent.tools.shell import shell_tool
from gateway.config import Config
from gateway.home import Home


class Fence:
    """Makes the tool `shell`, and tries its fence before anybody uses it."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._tried: Tried | None = None

    @property
    def trouble(self) -> str | None:
        """Say why commands are not run, if so."""
        why = self._tried.trouble if self._tried is not None else None
        return None if why is None else f"the shell is off: {why}"

    def tools(self, config: Config) -> dict[str, Tool]:
        """Make the tool if it is switched on."""
        if "shell" not in config.agent.tools:
            self._tried = None
            return {}
        home, backend = self._home, backend_of(config)
        tried = Tried(backend, home=home.root, state=home.state_db, socket=home.control_sock)
        self._tried = tried
        return {"shell": shell_tool(backend, tried.check)}

    async def check(self) -> None:
        """Try the fence, so that `trouble` knows."""
        if self._tried is not None:
            await self._tried.check()


def backend_of(config: Config) -> Backend:
    """Choose what is configured."""
    rule = config.agent.shell
    return Unfenced() if rule.sandbox == "none" else Bubblewrap(network=rule.network)
