"""Run the emulator alone: prints its addresses as one JSON line and serves until it is stopped."""

import argparse
import asyncio

from playground.alone import serve
from playground.slack.emulator import Emulator


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m playground.slack", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    asyncio.run(serve(Emulator(port=parser.parse_args().port), "bot_token", "app_token"))


if __name__ == "__main__":
    main()
