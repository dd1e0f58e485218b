"""`python -m playground.model`: the stand-in model alone; prints one JSON line when it listens."""

import argparse
import asyncio
import json
import signal

from playground.model.answers import Pace
from playground.model.server import StandIn


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m playground.model", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--key", default=None, help="the only API key it accepts; default: any")
    parser.add_argument("--first", type=float, default=0.0, help="seconds before the first chunk")
    parser.add_argument("--between", type=float, default=0.0, help="seconds between chunks")
    parser.add_argument("--chunks", type=int, default=8, help="at most so many chunks per answer")
    parser.add_argument("--keep", type=int, default=2000, help="how many requests stay recorded")
    return parser.parse_args()


async def _serve(options: argparse.Namespace) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    pace = Pace(first=options.first, between=options.between, chunks=options.chunks)
    async with StandIn(port=options.port, key=options.key, pace=pace, keep=options.keep) as model:
        addresses = {"url": model.url, "control": model.control_url, "token": model.control_token}
        print(json.dumps(addresses), flush=True)
        await stop.wait()


def main() -> None:
    """Serve until told to stop."""
    asyncio.run(_serve(_arguments()))


if __name__ == "__main__":
    main()
