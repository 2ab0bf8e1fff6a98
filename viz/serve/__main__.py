"""The command: ``python -m viz.serve --workers 2 --address 0.0.0.0 --port 80``. Ctrl-C or SIGTERM ends all of it."""

import argparse
import logging
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from viz.serve.workers import POLL_SECONDS, Front, ServeError


def parser() -> argparse.ArgumentParser:
    """The command line."""
    arguments = argparse.ArgumentParser(
        prog="regard serve" if os.environ.get("REGARD_PROGRAM") else "python -m viz.serve",
        description="Several servers of the application behind one port. A visitor stays with one of them. "
        "It needs nginx, and Redis for the rooms of a class (Debian: apt install nginx-light redis-server).",
    )
    arguments.add_argument("--workers", type=int, default=2, metavar="N", help="servers: as many as processors (2)")
    arguments.add_argument("--address", default="127.0.0.1", help="0.0.0.0 for everybody who can reach this machine")
    arguments.add_argument("--port", type=int, default=8501)
    arguments.add_argument("--checkpoint", type=Path, help="a checkpoint to open beside the shipped ones")
    arguments.add_argument("--survey", type=Path, help="a folder with a survey, for the Corpus page")
    return arguments


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal; an error is one line on standard error and status 2."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    options = parser().parse_args(arguments)
    paths = (("--checkpoint", options.checkpoint), ("--survey", options.survey))
    # Absolute, because each server starts in the application's folder.
    passed_on = [word for name, path in paths if path is not None for word in (name, str(path.resolve()))]
    is_over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: is_over.set())
    with tempfile.TemporaryDirectory(prefix="regard-serve-") as folder:
        try:
            front = Front(
                options.workers, address=options.address, port=options.port, folder=Path(folder), arguments=passed_on
            )
        except ServeError as error:
            sys.stderr.write(f"error: {error}\n")
            return 2
        try:
            front.start()
            sys.stdout.write(f"{options.workers} servers: http://{options.address}:{options.port}\n")
            sys.stdout.flush()
            while not is_over.wait(POLL_SECONDS):
                front.restart()
        except ServeError as error:
            sys.stderr.write(f"error: {error}\n")
            return 2
        finally:
            front.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
