"""Run the emulator alone: prints its addresses as one JSON line and serves until it is stopped."""

import argparse
import asyncio
from pathlib import Path

from playground.alone import serve
from playground.discord.emulator import Emulator


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m playground.discord", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--state", type=Path, help="file that keeps users, channels and messages over restarts")
    arguments = parser.parse_args()
    asyncio.run(serve(Emulator(port=arguments.port, state=arguments.state), "gateway_url", "token"))


if __name__ == "__main__":
    main()
