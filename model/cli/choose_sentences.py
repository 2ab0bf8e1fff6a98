"""``choose-sentences``: the sentences with which a model is shown, by written criteria."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from model.bundle import Bundle
from model.cli.arguments import add_checkpoint, add_command, opened
from model.cli.output import progress, say
from model.files.atomic import write_atomically
from model.inference.translation import translate
from model.teaching import choosing
from model.teaching.sentences import FOLDER, collection_for
from model.training.data import read_pairs, references

EPILOGUE = """\
examples:
  python -m model choose-sentences pairs.tsv                           look, and say what holds and what does not
  python -m model choose-sentences pairs.tsv --checkpoint new --write  the sentences of this model from now on

pairs.tsv has one source<TAB>target a line. The front page's sentence has four to eight common words, is translated as
a reference, reorders two words, has a head that puts every word on its own source word, and at least three heads
without which one or two words become others. A lesson scene keeps its sentence while its experiment shows something
on it, and gets the first other one that does. A sentence of the gallery stays while its translation has what it shows.
"""


def add_to(commands: object) -> None:
    """Describe the command."""
    parser = add_command(
        commands, "choose-sentences", run, summary="choose the sentences that a model is shown with", epilogue=EPILOGUE
    )
    parser.add_argument("pairs", type=Path, help="a TSV of source and target")
    add_checkpoint(parser)
    parser.add_argument("--most", type=int, default=3_000, metavar="N", help="sentences to try (default: 3,000)")
    parser.add_argument("--write", action="store_true", help="store them in model/teaching/sentences")


def run(chosen: argparse.Namespace) -> int:
    """Choose, print, and store if asked; 1 when something is missing."""
    bundle, pairs = opened(chosen), references(read_pairs(chosen.pairs))
    with progress() as bar:
        texts = list(choosing.candidates(bundle, pairs, most=chosen.most))
        task = bar.add_task("front page", total=len(texts))
        fronts = choosing.fronts(
            bundle, texts, on_progress=lambda done, total: bar.update(task, completed=done, total=total)
        )
    if fronts:
        fronts[0] = replace(fronts[0], partner=choosing.partner_of(bundle, fronts[0], pairs))
    found, missing = _collection(bundle, texts, fronts)
    say(json.dumps(found, indent=2, ensure_ascii=False))
    for name in missing:
        say(f"nothing was found for: {name}")
    own = collection_for(bundle)
    shown = {each["text"] for each in found["gallery"]}
    for each in own.gallery if own else ():
        if each.text not in shown:
            say(f"no longer in the gallery, its translation lacks {each.shows}: {each.text}")
    if chosen.write and own is not None:
        write_atomically(FOLDER / f"{own.pair}.json", (json.dumps(found, indent=2, ensure_ascii=False) + "\n").encode())
    return 1 if missing else 0


def _collection(bundle: Bundle, texts: list[str], fronts: list[choosing.Front]) -> tuple[dict[str, Any], list[str]]:
    own = collection_for(bundle)
    scenes, gallery = (own.scenes, own.gallery) if own else ({}, ())
    kept = {name: choosing.scene_for(bundle, name, text, texts) for name, text in scenes.items()}
    shown = [each for each in gallery if each.shows in translate(bundle, each.text).text]
    missing = [name for name, text in kept.items() if not text] + ([] if fronts else ["front"])
    return {
        "model": bundle.name,
        "fingerprint": bundle.fingerprint,
        **({"front": asdict(fronts[0])} if fronts else {}),
        "scenes": kept,
        "references": dict(own.references) if own else {},
        "gallery": [{name: value for name, value in asdict(each).items() if value} for each in shown],
    }, missing
