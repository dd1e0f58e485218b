"""Tries a sandbox before anybody uses it: what must not be reached from inside is reached for, once, at start."""

import asyncio
import secrets
import shlex
import tempfile
from pathlib import Path

from agent.shell import Backend
from agent.shell.running import ENVIRONMENT, run

SECONDS = 10.0
CLOSED = "all closed"
_CANARY = "DRAGOMAN_PROBE"
_SCRIPT = """
open() {{ echo "open: $1"; exit 9; }}
[ -r {state} ] && open "the state"
[ -e {home} ] && open "the home"
[ -e {socket} ] && open "the control socket"
for file in /proc/[0-9]*/environ; do
  tr '\\0' '\\n' <"$file" 2>/dev/null | grep -q '^{canary}={word}$' && open "the environment of another process"
done
env | grep -q '^{canary}=' && open "our environment"
[ -w /proc/sys/kernel/core_pattern ] && open "the settings of the kernel, to write"
( : >/usr/.probe ) 2>/dev/null && open "the programs of the machine, to write"
{network}
if command -v bash >/dev/null 2>&1 && command -v timeout >/dev/null 2>&1; then
  timeout 2 bash -c ': >/dev/tcp/169.254.169.254/80' 2>/dev/null && open "the address of cloud metadata"
fi
( : >.probe && rm .probe ) 2>/dev/null || open "nothing, not even the workspace"
echo {closed}
"""
_NO_NETWORK = """
[ "$(grep -c : /proc/net/dev 2>/dev/null)" -gt 1 ] && open "the network"
[ "$(wc -l </proc/net/route 2>/dev/null || echo 0)" -gt 1 ] && open "the network"
"""


async def probe(backend: Backend, *, home: Path, state: Path, socket: Path) -> str | None:
    """Say what a command could reach in a sandbox that it must not, None when all is closed."""
    word = secrets.token_hex(8)
    script = _SCRIPT.format(
        state=shlex.quote(str(state)),
        home=shlex.quote(str(home)),
        socket=shlex.quote(str(socket)),
        canary=_CANARY,
        word=word,
        network="" if backend.network else _NO_NETWORK,
        closed=CLOSED,
    )
    with tempfile.TemporaryDirectory(prefix="probe-", dir=home) as folder:
        argv = backend.argv(script, Path(folder), seconds=int(SECONDS))
        try:
            ran = await run(argv, Path(folder), seconds=SECONDS, environment={**ENVIRONMENT, _CANARY: word})
        except OSError as error:
            return f"the sandbox does not start: {error.strerror}"
    if ran.output.strip() == CLOSED and ran.code == 0:
        return None
    found = next((line for line in ran.output.splitlines() if line.startswith("open: ")), None)
    if found is not None:
        return f"a command in the sandbox reaches {found.removeprefix('open: ')}"
    said = " ".join(ran.output.split())[:200]
    return f"the sandbox does not work here{f': {said}' if said else ''}"


class Tried:
    """A backend that is tried once; until then, and when something is open, no command runs."""

    def __init__(self, backend: Backend, *, home: Path, state: Path, socket: Path) -> None:
        self.backend = backend
        self.trouble: str | None = None
        self._places = {"home": home, "state": state, "socket": socket}
        self._done = not backend.fenced  # nobody expects anything of no fence
        self._lock = asyncio.Lock()

    async def check(self) -> str | None:
        """Try it, once; says why it cannot be used."""
        async with self._lock:
            if not self._done:
                self.trouble = await probe(self.backend, **self._places)
                self._done = True
        return self.trouble
