"""The other process: reads one file from its standard input, writes one line of JSON and then what it made of it.

It takes its own limits before it looks at anything: memory, processor, no file that it could write.
"""

import io
import json
import resource
import sys
from collections.abc import Mapping

from agent.media.reader import SECONDS, NotRead

MEMORY = 768 * 1024 * 1024


def main() -> None:
    """Do the one task that is named on the command line."""
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, int(SECONDS)),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
    try:
        head, content = _do(json.loads(sys.argv[1]), sys.stdin.buffer.read())
    except NotRead as refusal:
        head, content = {"refused": str(refusal)}, b""
    except ModuleNotFoundError as missing:
        head, content = {"refused": f"what reads it is not installed here ({missing.name})"}, b""
    except MemoryError:
        head, content = {"refused": "reading it takes too much memory"}, b""
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + content)
    sys.stdout.buffer.flush()


def _do(task: Mapping[str, object], given: bytes) -> tuple[Mapping[str, object], bytes]:
    # What reads it is loaded within the limits, and only what is needed.
    if task["do"] == "picture":
        from agent.media.pictures import small  # noqa: PLC0415

        return small(io.BytesIO(given), int(str(task["longest"])))
    from agent.media.documents import words  # noqa: PLC0415

    return words(given, int(str(task["characters"])))
