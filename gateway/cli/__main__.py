"""`python -m gateway.cli` is the command `dragoman`."""

import sys

from gateway.cli import main

sys.exit(main())
