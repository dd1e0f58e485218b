"""Only what an account needs is loaded, and the library's client with its caches is never made."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys
import gateway.accounts.discord
unwanted = {"telegram", "slack_bolt", "slack_sdk", "aioimaplib", "aiosmtplib", "nacl", "davey", "playground"}
print(sorted(unwanted & set(sys.modules)))
"""


@pytest.mark.requirement("C2.6")
def test_an_account_on_discord_loads_no_other_platform_and_no_voice() -> None:
    ended = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout.strip() == "[]"
