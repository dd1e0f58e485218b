"""What the daemon loads is what it needs: each MiB and each tenth of a second of its start is looked at."""

import asyncio
import json
import os
import re
import signal
import sys
from pathlib import Path

from bench.side import HERE

NOWHERE = "http://127.0.0.1:9"


async def test_a_daemon_loads_nothing_that_only_the_command_line_draws_with(tmp_path: Path) -> None:
    config = {
        "agent": {"models": [{"model": "m", "base_url": f"{NOWHERE}/v1", "api_key": "none"}]},
        "platforms": {"telegram": {"token": "1:a", "base_url": NOWHERE}},
        "http": {"port": 0},
    }
    (tmp_path / "gateway.json").write_text(json.dumps(config))
    daemon = await asyncio.create_subprocess_exec(
        *(sys.executable, "-X", "importtime", "-m", "gateway.cli", "run", "--home", str(tmp_path)),
        cwd=HERE,
        env={"PATH": os.environ["PATH"]},
        stderr=asyncio.subprocess.PIPE,
    )
    assert daemon.stderr is not None
    loaded = set()
    async with asyncio.timeout(60):
        while "openai" not in loaded:  # the last thing that is loaded
            line = (await daemon.stderr.readline()).decode()
            if found := re.match(r"import time: .*\| +(\S+)$", line):
                loaded.add(found[1])
        daemon.send_signal(signal.SIGTERM)
        await daemon.communicate()

    assert {"gateway.app", "telegram", "aiohttp"} <= loaded
    assert (
        loaded
        & {
            "rich.console",
            "pygments.lexers._mapping",
            "discord",
            "slack_bolt",
            "aioimaplib",
            "aiosmtplib",
            "playground",
            *("PIL", "pypdf", "docx", "openpyxl", "pptx", "agent.media.voices"),  # what people send is opened elsewhere
        }
        == set()
    )
    assert daemon.returncode == 0
