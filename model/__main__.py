"""The command line: ``python -m model translate | evaluate | prepare | train | inspect | survey | align | prune``."""

import sys

from model.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
