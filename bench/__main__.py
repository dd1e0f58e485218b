"""`python -m bench`: measures for two minutes or so, prints a table and, as the last line, the same as JSON."""

import argparse
import asyncio
import json
import os
import platform
import sys
from pathlib import Path

from rich.console import Console

from bench.report import FLOOR, kept, rows, table
from bench.scenes import FULL, QUICK, measure
from bench.side import HERE, Kind


def main() -> int:
    """Measure what the command line asks for."""
    options = _arguments()
    kinds = [Kind(name="dragoman", checkout=HERE)]
    if options.against is not None:
        kinds.append(Kind(name="against", checkout=options.against.resolve()))
    kinds.append(Kind(name=FLOOR))
    figures = asyncio.run(measure(kinds, QUICK if options.quick else FULL))
    Console().print(table(figures, [kind.name for kind in kinds]))
    found = {"python": platform.python_version(), "cores": os.cpu_count(), "quick": options.quick}
    text = json.dumps(found | {"figures": rows(figures)}, ensure_ascii=False)
    if options.json is None:
        print(text)
    else:
        options.json.write_text(text + "\n", encoding="utf-8")
    return 1 if options.strict and not kept(figures) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, less than a minute")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the JSON there, not to stdout")
    parser.add_argument("--against", type=Path, metavar="DIR", help="measure another checkout in the same run, too")
    parser.add_argument("--strict", action="store_true", help="exit with 1 when a budget is not kept")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
