"""`python -m playground`: the whole playground."""

import sys

from playground.launch import main

if __name__ == "__main__":
    sys.exit(main())
