"""Run the emulator alone: prints its addresses as one JSON line and serves until it is stopped."""

import argparse
import asyncio
import json
import signal
from pathlib import Path

from playground.discord.emulator import Emulator


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m playground.discord", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--state", type=Path, help="file that keeps users, channels and messages over restarts")
    arguments = parser.parse_args()
    asyncio.run(serve(arguments.port, arguments.state))


async def serve(port: int, state: Path | None) -> None:
    """Serve until SIGINT or SIGTERM."""
    emulator = Emulator(port=port, state=state)
    await emulator.start()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    addresses = {
        "url": emulator.url,
        "gateway_url": emulator.gateway_url,
        "control": f"{emulator.control_url}#{emulator.control_token}",
        "token": emulator.token,
    }
    print(json.dumps(addresses), flush=True)
    await ended.wait()
    await emulator.stop()


if __name__ == "__main__":
    main()
