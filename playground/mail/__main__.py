"""Run the mailbox alone: prints its addresses as one JSON line and serves until it is stopped.

Each line on standard input, `ADDRESS TEXT`, is a mail of that person; what the agent answers is printed.
"""

import argparse
import asyncio
import json
import signal
import sys
from pathlib import Path

from playground.mail.emulator import ADDRESS, MailEmulator
from playground.mail.letters import MX


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m playground.mail", description=__doc__)
    parser.add_argument("--imap-port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--smtp-port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--address", default=ADDRESS, help=f"the agent's address (default {ADDRESS})")
    parser.add_argument("--state", type=Path, help="file that keeps the mails over restarts")
    options = parser.parse_args()
    asyncio.run(serve(options))


async def serve(options: argparse.Namespace) -> None:
    """Serve until SIGINT or SIGTERM."""
    emulator = MailEmulator(
        imap_port=options.imap_port, smtp_port=options.smtp_port, address=options.address, state=options.state
    )
    await emulator.start()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    addresses = {
        "address": emulator.address,
        "password": emulator.password,
        "imap": emulator.imap.port,
        "smtp": emulator.post.port,
        "authserv_id": MX,
    }
    print(json.dumps(addresses), flush=True)
    lines = asyncio.Queue[str]()
    if not sys.stdin.isatty():
        loop.add_reader(sys.stdin.fileno(), lambda: _read(lines, loop))
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_write(emulator, lines)), group.create_task(_show(emulator))]
        await ended.wait()
        for task in tasks:
            task.cancel()
    await emulator.stop()


def _read(lines: asyncio.Queue[str], loop: asyncio.AbstractEventLoop) -> None:
    line = sys.stdin.readline()
    if line:
        lines.put_nowait(line)
    else:
        loop.remove_reader(sys.stdin.fileno())


async def _write(emulator: MailEmulator, lines: asyncio.Queue[str]) -> None:
    while True:
        person, _, text = (await lines.get()).strip().partition(" ")
        if "@" in person and text:
            await emulator.deliver(person, text)


async def _show(emulator: MailEmulator) -> None:
    shown = 0
    while True:
        await emulator.wait_for(lambda n=shown: emulator.version > n, bound=float("inf"))  # type: ignore[misc]
        for letter in emulator.since(shown):
            if letter.ours:
                told = {"to": letter.person, "subject": letter.subject, "text": letter.text, "id": letter.id}
                print(json.dumps(told), flush=True)
        shown = emulator.version


if __name__ == "__main__":
    main()
