"""Pages that need no server: ``python -m viz gallery sentences.txt --out site/``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import model
from viz.export.gallery import SENTENCES, GalleryError, read_entries, write_gallery


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(prog="python -m viz", description=__doc__)
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    gallery = commands.add_parser("gallery", help="one interactive page a sentence and model, and an index of them")
    gallery.add_argument(
        "sentences", type=Path, nargs="?", default=SENTENCES,
        help="one sentence a line, or group<TAB>sentence; without it, the project's own 24 sentences",
    )  # fmt: skip
    gallery.add_argument("--out", type=Path, required=True, help="the folder to write; it is made where it is missing")
    gallery.add_argument(
        "--model", action="append", default=[], metavar="PATH",
        help="a checkpoint, or the name of a shipped one; may be given several times",
    )  # fmt: skip
    gallery.set_defaults(run=_gallery)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; a user's mistake becomes one line on standard error."""
    chosen = parser().parse_args(arguments)
    try:
        return chosen.run(chosen)
    except (GalleryError, model.CheckpointError, model.TextError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 1


def _gallery(chosen: argparse.Namespace) -> int:
    entries = read_entries(chosen.sentences)
    bundles = [model.load(path) for path in chosen.model] or [model.load()]
    count = sum(1 for _ in write_gallery(entries, bundles, chosen.out))
    sys.stdout.write(f"{count} pages in {chosen.out}: open {chosen.out / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
