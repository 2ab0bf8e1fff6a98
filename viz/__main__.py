"""What needs no server: ``python -m viz gallery --out pages``, ``… site --out site``, ``… handouts --out lesson``,
``… figure --out curve.pdf prune pairs.tsv``."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import model
from model.cli.arguments import PROGRAM_VARIABLE
from viz.export.engine import EngineError
from viz.export.gallery import (
    GalleryError,
    handwritten_entries,
    project_entries,
    prompt_entries,
    read_entries,
    write_gallery,
)
from viz.export.site import write_site
from viz.export.study import write_figure
from viz.figures.paper import ONE_COLUMN_MM
from viz.i18n import LANGUAGES
from viz.lesson.teacher import write_handouts


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(prog=os.environ.get(PROGRAM_VARIABLE, "python -m viz"), description=__doc__)
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    gallery = commands.add_parser("gallery", help="an interactive page for each sentence and model, and an index")
    gallery.add_argument(
        "sentences", type=Path, nargs="?",
        help="one sentence a line, or group<TAB>sentence; without it, the project's own sentences",
    )  # fmt: skip
    gallery.add_argument("--out", type=Path, required=True, help="the folder to write; created if it does not exist")
    gallery.add_argument(
        "--model", action="append", default=[], metavar="PATH",
        help="a checkpoint, or the name of a shipped one; may be given several times",
    )  # fmt: skip
    gallery.set_defaults(run=_gallery)
    site = commands.add_parser(
        "site", help="a page in which the model itself runs: type any sentence, without a server"
    )
    site.add_argument("--out", type=Path, required=True, help="the folder to write; created if it does not exist")
    site.add_argument(
        "--model", action="append", default=[], metavar="PATH",
        help="a checkpoint, or the name of a shipped one; several times for a choice on the page",
    )  # fmt: skip
    site.add_argument("--int8", action="store_true", help="weights in 8 bits: half the download")
    site.add_argument(
        "--address", default="", metavar="URL", help="where the site will be, so that shared links can show a picture"
    )
    site.add_argument("--source", default="", metavar="URL", help="where the source code is, for a link to it")
    site.add_argument("--application", default="", metavar="URL", help="where the application runs, for a link to it")
    site.add_argument("--documentation", default="", metavar="URL", help="where the documentation is, for a link to it")
    site.set_defaults(run=_site)
    handouts = commands.add_parser("handouts", help="slides and worksheets of the lesson, as PDF and PowerPoint")
    handouts.add_argument("--out", type=Path, required=True, help="the folder to write; created if it does not exist")
    handouts.add_argument("--model", default="", metavar="PATH", help="a checkpoint, or the name of a shipped one")
    handouts.add_argument("--language", choices=LANGUAGES, default="en", help="of the texts")
    handouts.add_argument("--route", choices=("full", "short"), default="full", help="90 or 45 minutes")
    handouts.set_defaults(run=_handouts)
    figure = commands.add_parser(
        "figure", help="a figure for a paper, with the numbers and the stamp of the command that it was made by"
    )
    figure.add_argument("--out", type=Path, required=True, metavar="FILE", help="a .pdf, .svg or .png")
    figure.add_argument("--width", type=float, default=ONE_COLUMN_MM, metavar="MM", help="default: 84, one column")
    figure.add_argument("--font", type=float, default=8.0, metavar="POINTS", help="default: 8")
    figure.add_argument(
        "of", nargs=argparse.REMAINDER,
        help="a report that prune, align, steer, compare or sweep wrote with --json; or such a command, with arguments",
    )  # fmt: skip
    figure.set_defaults(run=_figure)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; a user's mistake becomes one line on standard error."""
    chosen = parser().parse_args(arguments)
    try:
        return chosen.run(chosen)
    except (GalleryError, EngineError, model.RegardError, LookupError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 1


def _gallery(chosen: argparse.Namespace) -> int:
    bundles = [model.load(path) for path in chosen.model] or [model.load()]
    entries = read_entries(chosen.sentences) if chosen.sentences else project_entries(bundles)
    count = sum(1 for _ in write_gallery(entries, bundles, chosen.out))
    sys.stdout.write(f"{count} pages in {chosen.out}: open {chosen.out / 'index.html'}\n")
    return 0


def _site(chosen: argparse.Namespace) -> int:
    bundles = [model.load(path) for path in chosen.model] or [model.load(), model.load("reader")]
    address = f"{chosen.address.rstrip('/')}/" if chosen.address else ""
    entries = [*project_entries(bundles), *prompt_entries(bundles), *handwritten_entries(bundles)]
    size = write_site(
        bundles, entries, chosen.out, precision="i8" if chosen.int8 else "f16", address=address, source=chosen.source,
        application=chosen.application, documentation=chosen.documentation,
    )  # fmt: skip
    sys.stdout.write(
        f"{size / 1e6:.1f} MB in {chosen.out}: put it on any static host, "
        f"or open it with python -m http.server --directory {chosen.out}\n"
    )
    return 0


def _handouts(chosen: argparse.Namespace) -> int:
    bundle = model.load(chosen.model) if chosen.model else model.load()
    for path in write_handouts(bundle, chosen.out, language=chosen.language, route=chosen.route):
        sys.stdout.write(f"{path}\n")
    return 0


def _figure(chosen: argparse.Namespace) -> int:
    write_figure(chosen.of, chosen.out, width_mm=chosen.width, font_points=chosen.font)
    sys.stdout.write(f"{chosen.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
