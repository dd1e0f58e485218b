"""Only what an account needs is loaded."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys
import gateway.accounts.slack
unwanted = {"telegram", "discord", "aioimaplib", "aiosmtplib", "playground", "slack_sdk.scim", "slack_sdk.audit_logs"}
print(sorted(unwanted & set(sys.modules)))
"""


@pytest.mark.requirement("C2.6")
def test_an_account_on_slack_loads_no_other_platform() -> None:
    ended = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout.strip() == "[]"
