"""Run the emulator alone: prints its addresses as one JSON line and serves until it is stopped."""

import argparse
import asyncio
import json
import signal

from playground.slack.emulator import Emulator


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m playground.slack", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    asyncio.run(serve(parser.parse_args().port))


async def serve(port: int) -> None:
    """Serve until SIGINT or SIGTERM."""
    emulator = Emulator(port=port)
    await emulator.start()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    addresses = {
        "url": emulator.url,
        "control": f"{emulator.control_url}#{emulator.control_token}",
        "bot_token": emulator.bot_token,
        "app_token": emulator.app_token,
    }
    print(json.dumps(addresses), flush=True)
    await ended.wait()
    await emulator.stop()


if __name__ == "__main__":
    main()
