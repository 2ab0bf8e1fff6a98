"""``draw``: words as pictures in many hands, to train or to test a model that reads handwriting."""

import argparse
import random
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from model.cli.output import errors, progress, say
from model.errors import RegardError
from model.files.atomic import write_atomically
from model.picture import Picture
from model.picture_source import PictureSource
from model.training.handwriting.hands import (
    EVERYDAY,
    HELD_OUT,
    HandsError,
    installed_fonts,
    missing_packages,
    stroke_letters,
)
from model.training.handwriting.pictures import ALPHABET, Grey, by_finger, by_font, draw_known, random_text

SUMMARY = "draw words as pictures in many hands"
EPILOGUE = """\
examples:
  python -m model draw words.txt --out drawn.tsv --pictures 60000      what a reader is trained on
  python -m model draw held-out.txt --out new.tsv --hands new          hands that no training sees
  python -m model draw held-out.txt --out neat.tsv --hands everyday    the same, of everyday writing
  python -m model draw held-out.txt --out fingers.tsv --hands fingers  strokes of simulated fingers
  python -m model train drawn.tsv --run runs/reader --kind reader --decoder-layers 3
  python -m model evaluate new.tsv --checkpoint reader --split all     how much of it is read

words.txt has a word or a short text a line. Each line of the result has a picture, as a data: URL, a tab, and
its text. Fonts are those of Debian packages that fontconfig finds; the single-stroke letters of fingers need
pip install Hershey-Fonts. More hands are packages of Fontsource: npm install --prefix ~/.local/share/fonts
@fontsource/caveat and others. The families of --hands new and --hands everyday are never drawn in --hands known.
"""
LONGEST = 24
"""Characters of a text."""
_TRIES = 20
"""Pictures that may fail for each one that is drawn: a hand may lack a letter."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", type=Path, help="a file with a word or a short text a line")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.tsv", help="the pictures and their texts")
    parser.add_argument("--hands", choices=("known", *_APART, "fingers"), default="known", help="default: known")
    parser.add_argument("--pictures", type=int, default=1000, metavar="N", help="default: 1000")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the same seed, the same pictures")
    parser.add_argument("--vary", action=argparse.BooleanOptionalAction, default=None,
                        help="capitals, digits and letters by chance; default: in known hands")  # fmt: skip


def run(chosen: argparse.Namespace) -> int:
    """Draw the pictures, and say which packages would add hands."""
    words = _words(chosen.words)
    if chosen.pictures < 1:
        raise HandsError("--pictures must be at least 1")
    if chosen.hands != "fingers" and find_spec("PIL") is None:
        raise HandsError("fonts are drawn with Pillow, which is not installed: pip install pillow")
    if chosen.hands != "fingers":
        for install, packages in zip(_INSTALL, missing_packages(), strict=True):
            if packages:
                errors().print(f"more hands: {install} {' '.join(packages)}", soft_wrap=True)
    if chosen.hands in ("known", "fingers") and not stroke_letters():
        message = "fingers write with the letters of a package: pip install Hershey-Fonts"
        if chosen.hands == "fingers":
            raise HandsError(message)
        errors().print(f"no fingers: {message}", soft_wrap=True)
    chance, rng, source = random.Random(chosen.seed), np.random.default_rng(chosen.seed), PictureSource()
    is_varied = chosen.hands == "known" if chosen.vary is None else chosen.vary
    lines, tries = [], 0
    with progress() as bar:
        task = bar.add_task("drawing", total=chosen.pictures)
        while len(lines) < chosen.pictures and tries < _TRIES * chosen.pictures:
            tries += 1
            text = random_text(words, chance) if is_varied else words[(tries - 1) % len(words)]
            grey = _draw_picture(chosen.hands, text, rng, source, chance)
            if grey is not None:
                lines.append(f"{Picture(grey).text}\t{text}")
                bar.advance(task)
    if not lines:
        raise HandsError("no picture could be drawn: the hands that are installed lack the letters of these words")
    write_atomically(chosen.out, ("\n".join(lines) + "\n").encode())
    say(f"{len(lines):,} pictures in {chosen.out}")
    return 0


def _draw_picture(
    hands: str, text: str, rng: np.random.Generator, source: PictureSource, chance: random.Random
) -> Grey | None:
    """One picture; None where the hand cannot write the text."""
    if not 0 < len(text.strip()) <= len(text) <= LONGEST or not set(text) <= set(ALPHABET):
        return None
    if hands == "fingers":
        return by_finger(text, rng, source)
    if hands == "known":
        return draw_known(text, rng, source, hard=chance.choice((0.3, 0.6, 1.0, 1.3)))
    families, how = _APART[hands]
    fonts = [font for font in installed_fonts() if font.family in families]
    if not fonts:
        raise HandsError(f"none of the hands that are kept apart is installed: {how}")
    return by_font(text, rng, source, fonts[int(rng.integers(len(fonts)))], bent=False)


_INSTALL = ("apt-get install", "npm install --prefix ~/.local/share/fonts")
"""Of Debian's packages and of npm's."""
_APART = {
    "new": (HELD_OUT, f"{_INSTALL[0]} fonts-rufscript fonts-sjfonts fonts-dkg-handwriting"),
    "everyday": (EVERYDAY, " ".join((_INSTALL[1], *(f"@fontsource/{package}" for package in sorted(EVERYDAY))))),
}
"""Families that are kept apart, and how to install them, by ``--hands``."""


def _words(path: Path) -> list[str]:
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise RegardError(f"{path} is not UTF-8 (byte {error.start}): save it as UTF-8") from error
    words = [line.strip() for line in lines if line.strip()]
    if not words:
        raise RegardError(f"{path} holds no word: write one a line")
    return words
