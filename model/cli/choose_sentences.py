"""``choose-sentences``: the sentences with which a model is shown, by written criteria."""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from model.bundle import Bundle
from model.cli.arguments import add_checkpoint, open_checkpoint
from model.cli.output import errors, progress_of, say
from model.files.atomic import write_atomically
from model.inference.translation import translate
from model.teaching import choosing
from model.teaching.measured import replacements
from model.teaching.sentences import FOLDER, Collection, Example, collection_for
from model.training.data import read_pairs, references

SUMMARY = "choose the sentences that a model is shown with"
EPILOGUE = """\
examples:
  python -m model choose-sentences pairs.tsv                           check, and print which sentences still hold
  python -m model choose-sentences pairs.tsv --checkpoint new --write  the sentences of this model from now on

pairs.tsv has one source<TAB>target a line. The front page's sentence has four to eight common words, is translated as
a reference, reorders two words, has a head that puts every word on its own source word, and at least three heads
without which one or two words become others. A lesson scene keeps its sentence while all that its texts say holds on
it (model/teaching/measured/claims.py), and gets the first other one on which it does. A sentence of the gallery stays
while its translation has what it shows; those that show something of this model alone are chosen anew.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pairs", type=Path, help="a TSV of source and target")
    add_checkpoint(parser)
    parser.add_argument("--most", type=int, default=6_000, metavar="N", help="sentences to try (default: 6,000)")
    parser.add_argument("--write", action="store_true", help="store them in model/teaching/sentences")


def run(chosen: argparse.Namespace) -> int:
    """Choose, print, and store if asked; 1 when something is missing."""
    bundle, pairs = open_checkpoint(chosen), references(read_pairs(chosen.pairs))
    collection = collection_for(bundle)
    texts = list(choosing.candidates(bundle, pairs, most=chosen.most))
    with progress_of("front page") as on_progress:
        fronts = choosing.fronts(bundle, texts, on_progress=on_progress)
    with_partner = (replace(each, partner=choosing.partner_of(bundle, each, pairs)) for each in fronts)
    front = next((each for each in with_partner if each.partner), fronts[0] if fronts else None)
    scenes = _scenes(bundle, collection, texts, pairs) if collection else {}
    gallery = list(_gallery(bundle, collection, texts)) if collection else []
    written = _collection(bundle, collection, front, scenes, [example for _, example in gallery if example])
    say(shown := json.dumps(written, indent=2, ensure_ascii=False))
    for line in (*_scene_messages(collection, scenes, len(texts)), *_gallery_messages(bundle, gallery)):
        say(line)
    if front is None:
        say("front page: no sentence meets the criteria (docs/decisions); try more with --most")
    if chosen.write and collection is not None:
        write_atomically(FOLDER / f"{collection.pair}.json", f"{shown}\n".encode())
    missing = [name for name, each in scenes.items() if not each.text] + ["front page"] * (front is None)
    if missing:
        errors().print(f"no sentence was found for {', '.join(missing)}: give more pairs, or raise --most")
    return int(bool(missing))


def _scenes(
    bundle: Bundle, collection: Collection, texts: Sequence[str], pairs: Mapping[str, Sequence[str]]
) -> dict[str, replacements.SceneSentence]:
    """The sentence of every scene; those of other scenes and of the gallery are tried before new ones."""
    known = dict.fromkeys((*collection.scenes.values(), *(each.text for each in collection.gallery), *texts))
    scenes = {}
    with progress_of("scenes") as on_progress:
        for scene, text in collection.scenes.items():
            scenes[scene] = replacements.scene_for(bundle, scene, text, [each for each in known if each != text], pairs)
            on_progress(len(scenes), len(collection.scenes))
    return scenes


def _gallery(bundle: Bundle, collection: Collection, texts: Sequence[str]) -> Iterator[tuple[Example, Example | None]]:
    """Each sentence of the gallery with what takes its place; no sentence takes two."""
    taken = {each.text for each in collection.gallery}
    for each in collection.gallery:
        now = replacements.example_for(bundle, each, [text for text in texts if text not in taken])
        taken.add(now.text if now else "")
        yield each, now


def _collection(
    bundle: Bundle, collection: Collection | None, front: choosing.Front | None,
    scenes: Mapping[str, replacements.SceneSentence], gallery: Sequence[Example],
) -> dict[str, Any]:  # fmt: skip
    """The collection to store: a scene for which no sentence was found keeps the one that it had."""
    texts = {name: each.text or (collection.scenes[name] if collection else "") for name, each in scenes.items()}
    new = {each.text: each.reference for each in scenes.values() if each.reference}
    known = {**new, **(collection.references if collection else {})}
    return {
        "model": bundle.name,
        "fingerprint": bundle.fingerprint,
        **({"front": asdict(front)} if front else {}),
        "scenes": texts,
        "references": {text: known[text] for text in dict.fromkeys(texts.values()) if text in known},
        "gallery": [{name: value for name, value in asdict(each).items() if value} for each in gallery],
    }


def _scene_messages(
    shipped: Collection | None, scenes: Mapping[str, replacements.SceneSentence], n_tried: int
) -> Iterator[str]:
    """A line for each scene whose claims no longer hold on its sentence: what was found, and what to do."""
    for name, each in scenes.items():
        if not each.lacks or shipped is None:
            continue
        yield f"scene {name}: on “{shipped.scenes[name]}” it does not hold any more that {'; that '.join(each.lacks)}."
        if each.text:
            yield f"  Now “{each.text}”: {each.outcome}. Read both translations; where one is wrong, choose by hand."
        else:
            yield (
                f"  Nor on any of {n_tried} other sentences: try more with --most, or change what the scene's texts "
                f"(lesson.{name}_…) say, and its criterion in model/teaching/measured/claims.py."
            )


def _gallery_messages(bundle: Bundle, gallery: Sequence[tuple[Example, Example | None]]) -> Iterator[str]:
    """A line for each sentence of the gallery that changed: what was found, and what to do."""
    for before, now in gallery:
        if now is None:
            translation = translate(bundle, before.text).text
            yield (
                f"gallery: “{before.text}” is left out: its translation is “{translation}”, without “{before.shows}”. "
                "If it is right, put the sentence back with what it shows now"
                + (f", and read its explanation first.shows_{before.name}." if before.name else ".")
            )
        elif now.text != before.text:
            yield f"gallery, {before.phenomenon}: “{before.text}” shows nothing any more; now “{now.text}”."
