"""The shipped files of the Corpus page: a survey of held-out sentences and measurements on them, for one model.

    python -m model.corpus.shipped                   rebuild for the shipped model from the survey's sentences
    python -m model.corpus.shipped pairs.tsv         rebuild from the 2,000 test sentences of a file of pairs

Run it whenever the shipped model changes; the page shows a warning if the survey is of another model.
"""

import argparse
import json
import logging
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from model.bundle import Bundle
from model.checkpoints import load
from model.checkpoints.loading import PRETRAINED
from model.corpus.alignment.against_gold import alignment_table, report_values
from model.corpus.pruning.erasure import agreement_table
from model.corpus.pruning.table import pruning_table
from model.corpus.survey import Survey, open_survey, survey
from model.files.atomic import write_atomically
from model.text.pairs import Pair, read_gold
from model.training.data import read_pairs, references, split_pairs

log = logging.getLogger(__name__)
FOLDER = PRETRAINED / "en-fr-corpus"
SURVEY, GOLD, FIGURES = "survey", "alibi.tsv", "figures.json"
N_PRUNED, N_EXPLAINED = 200, 100


def shipped_survey(folder: Path = FOLDER) -> Survey:
    """The shipped survey.

    Raises:
        CorpusError: when it is missing or damaged.
    """
    return open_survey(folder / SURVEY)


def shipped_gold(folder: Path = FOLDER) -> tuple[Pair, ...]:
    """The shipped part of Alibi: pairs of at most 25 words on each side, with their links."""
    return read_gold(folder / GOLD)


def shipped_figures(folder: Path = FOLDER) -> dict[str, Any]:
    """The measurements stored with the survey: alignment, pruning and agreement with erasure."""
    return json.loads((folder / FIGURES).read_text("utf-8"))


def measure_all(bundle: Bundle, pairs: Sequence[Pair], gold: Sequence[Pair]) -> dict[str, Any]:
    """The page's measurements in addition to the survey, as JSON values."""
    figures: dict[str, Any] = {"model": bundle.name, "fingerprint": bundle.fingerprint}
    for name, measured_on, measure in (
        ("alignment", gold, lambda bundle, gold: report_values(alignment_table(bundle, gold))),
        ("pruning", pairs[:N_PRUNED], pruning_table),
        ("erasure", pairs[:N_EXPLAINED], agreement_table),
    ):
        log.warning("%s on %d pairs", name, len(measured_on))
        figures[name] = measure(bundle, measured_on)
    return figures


def measure_again(bundle: Bundle, folder: Path, pairs: Sequence[Pair]) -> None:
    """Recompute the figures."""
    figures = json.dumps(_round(measure_all(bundle, pairs, shipped_gold(folder))), ensure_ascii=False)
    write_atomically(folder / FIGURES, figures.encode() + b"\n")


def build(bundle: Bundle, folder: Path, pairs: Sequence[Pair]) -> None:
    """Recompute the survey and the figures in a temporary folder, then replace the old ones."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as made:
        new_survey = survey(bundle, pairs, Path(made) / SURVEY, slim=True)
        log.warning("%r", new_survey)
        measure_again(bundle, folder, pairs)
        shutil.rmtree(folder / SURVEY, ignore_errors=True)
        (Path(made) / SURVEY).replace(folder / SURVEY)


def _round(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, dict):
        return {key: _round(item) for key, item in value.items()}
    return [_round(item) for item in value] if isinstance(value, (list, tuple)) else value


def main(arguments: Sequence[str] | None = None) -> int:
    """Recompute the shipped files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "pairs", type=Path, nargs="?", help="pairs whose test sentences to take (default: those of the survey)"
    )
    parser.add_argument("--checkpoint", help="default: the shipped model")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--figures", action="store_true", help="only the figures; the survey is not changed")
    chosen = parser.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    started, bundle = time.perf_counter(), load(chosen.checkpoint)
    if chosen.pairs:
        held_out = references(split_pairs(read_pairs(chosen.pairs)).test)
        pairs = [Pair(source, targets[0]) for source, targets in held_out.items()]
    else:
        frame = shipped_survey(chosen.out).query("SELECT source, target FROM sentences ORDER BY id")
        pairs = [Pair(*texts) for texts in zip(frame["source"], frame["target"], strict=True)]
    (measure_again if chosen.figures else build)(bundle, chosen.out, pairs)
    log.warning("%s, %.0f s", chosen.out, time.perf_counter() - started)
    return 0


if __name__ == "__main__":
    sys.exit(main())
