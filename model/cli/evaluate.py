"""``evaluate``: BLEU, chrF and perplexity on held-out pairs, and sentences per second."""

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from model.bundle import Bundle
from model.cli.arguments import add_checkpoint, open_checkpoint
from model.cli.output import escape, in_order, progress_of, results
from model.cli.stamp import say_json
from model.decoding.beam_search import LengthNorm, LengthPenalty
from model.files.atomic import write_atomically
from model.inference.reading import check_predicts
from model.inference.translation import translate_texts
from model.text.pairs import Pair
from model.text.tokens import TextError, source_tokens, target_tokens
from model.training.data import lowercase_unpunctuated, read_pairs, read_texts, references, split_pairs
from model.training.evaluation import Scores, edits, score_translations, target_loss
from model.training.settings import TrainingError

FEW = 1_000
"""Sentences below which a file is scored as a whole: a tenth of it would say little."""
SUMMARY = "score a checkpoint on held-out pairs"
EPILOGUE = """\
examples:
  python -m model evaluate pairs.tsv                       the 2,000 test sentences
  python -m model evaluate pairs.tsv --bare                the same, lower-cased and without final punctuation
  python -m model evaluate pairs.tsv --split validation --method beam
  python -m model evaluate mine.tsv                        every pair of a small file

A model of pictures is given what draw wrote, and scored by the pictures that it reads whole and by the characters
that it reads wrong. A decoder-only model is given texts, one a line, and scored by its perplexity.
pairs.tsv has one source<TAB>target a line. Distinct source sentences are sorted by the SHA-256 of their
normalised text; the first 2,000 are the test set, the next 1,000 validation, the rest is for training. Of a
file with fewer than 1,000 sentences, all are scored unless --split names a part.
BLEU counts all translations of a sentence as references, Chinese by characters; chrF takes the first. Both are
sacrebleu's.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pairs", type=Path, help="a TSV of source and target")
    add_checkpoint(parser)
    parser.add_argument(
        "--split", choices=("test", "validation", "train", "all"),
        help=f"default: test; of fewer than {FEW:,} sentences all",
    )  # fmt: skip
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N sentences, for a quick look")
    parser.add_argument("--bare", action="store_true", help="lower-case sources and drop their final punctuation")
    parser.add_argument("--method", choices=("greedy", "beam"), default="greedy", help="default: greedy")
    parser.add_argument("--beam-size", type=int, default=4, metavar="N", help="default: 4")
    parser.add_argument("--length-penalty", type=float, default=0.6, metavar="A", help="default: 0.6")
    parser.add_argument(
        "--length-norm", choices=get_args(LengthNorm), default="gnmt", help="gnmt: ((5 + n) / 6)^A; length: n^A"
    )
    parser.add_argument("--batch-size", type=int, default=64, metavar="N", help="sentences at once (default: 64)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write source, translation and references as TSV")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(chosen: argparse.Namespace) -> int:
    """Translate the chosen sentences, score them, and print the scores and their settings."""
    bundle = open_checkpoint(chosen)
    if bundle.config.is_single_stack:
        return _evaluate_texts(bundle, chosen)
    grouped = references(_part(read_pairs(chosen.pairs), chosen))
    pairs = dict(list(grouped.items())[: chosen.limit])
    flat = [Pair(_prepare(source, chosen), target) for source, targets in pairs.items() for target in targets]
    _check(bundle, flat, chosen)
    translations, seconds = _translate(bundle, list(pairs), chosen)
    if chosen.output:
        rows = ("\t".join((source, text, *pairs[source])) for source, text in zip(pairs, translations, strict=True))
        write_atomically(chosen.output, "".join(f"{row}\n" for row in rows).encode())
    if bundle.picture is not None:
        return _show_read(bundle, [targets[0] for targets in pairs.values()], translations, seconds, chosen)
    scores = score_translations(translations, list(pairs.values()), seconds, language=bundle.target_language)
    with progress_of("perplexity") as on_progress:
        loss = target_loss(bundle, flat, batch_size=chosen.batch_size, on_progress=on_progress)
    report = _report(bundle, scores, loss, chosen)
    _show(report, bundle, chosen, {
        "sentences": f"{report['n_sentences']:,} of {report['split']}, {report['sources']}, {report['method']}",
        "BLEU": f"{report['bleu']:.2f}   {report['bleu_signature']}",
        "BLEU, 1 ref.": f"{report['bleu_first']:.2f}",
        "chrF": f"{report['chrf']:.2f}   {report['chrf_signature']}",
        "perplexity": f"{report['perplexity']:.3f}   per target piece, {report['loss']:.4f} nats",
        "speed": f"{report['sentences_per_second']:.1f} sentences/s",
    })  # fmt: skip
    return 0


def _show_read(
    bundle: Bundle, written: list[str], translations: list[str], seconds: float, chosen: argparse.Namespace
) -> int:
    """The number of pictures read without an error, and the character error rate."""
    wrong = sum(map(edits, translations, written))
    report = {"checkpoint": bundle.name, "split": chosen.split, "n_pictures": len(written),
              "exact": sum(map(str.__eq__, translations, written)) / len(written),
              "characters_wrong": wrong / sum(map(len, written)),
              "pictures_per_second": len(written) / seconds}  # fmt: skip
    _show(report, bundle, chosen, {
        "pictures": f"{len(written):,} of {chosen.split}",
        "exact": f"{100 * report['exact']:.1f} %",
        "wrong": f"{100 * report['characters_wrong']:.1f} % of the characters",
        "speed": f"{report['pictures_per_second']:.1f} pictures/s",
    })  # fmt: skip
    return 0


def _evaluate_texts(bundle: Bundle, chosen: argparse.Namespace) -> int:
    """The perplexity of a decoder-only model on held-out texts, per token and per word."""
    check_predicts(bundle)
    texts = _part(read_texts(chosen.pairs), chosen)[: chosen.limit]
    _check(bundle, texts, chosen)
    loss = target_loss(bundle, texts, batch_size=chosen.batch_size)
    n_tokens = sum(len(target_tokens(bundle, pair.target)) for pair in texts)
    n_words = sum(len(pair.target.split()) + 1 for pair in texts)  # the end of a text is predicted too
    report = {"checkpoint": bundle.name, "split": chosen.split, "n_texts": len(texts), "loss": loss,
             "perplexity": math.exp(loss), "perplexity_per_word": math.exp(loss * n_tokens / n_words)}  # fmt: skip
    _show(report, bundle, chosen, {
        "texts": f"{len(texts):,} of {chosen.split}",
        "perplexity": f"{report['perplexity']:.2f}   per token, {loss:.4f} nats",
        "per word": f"{report['perplexity_per_word']:.1f}",
    })  # fmt: skip
    return 0


def _part(pairs: tuple[Pair, ...], chosen: argparse.Namespace) -> tuple[Pair, ...]:
    """The requested part of a file, by default the held-out one; the whole file if it is too small to split."""
    chosen.split = chosen.split or ("test" if len({pair.source for pair in pairs}) >= FEW else "all")
    return pairs if chosen.split == "all" else getattr(split_pairs(pairs), chosen.split)


def _check(bundle: Bundle, pairs: Sequence[Pair], chosen: argparse.Namespace) -> None:
    """Raise TrainingError where there are no pairs, and for the first that the model cannot read: without it the scores
    would be of other sentences than those asked for."""
    if not pairs:
        name = "texts" if bundle.config.is_single_stack else "pairs"
        raise TrainingError(f"the {chosen.split} part of {chosen.pairs} has no {name}: use --split all")
    for pair in pairs:
        try:
            if bundle.config.n_encoder_layers:
                source_tokens(bundle, pair.source)
            target_tokens(bundle, pair.target)
        except TextError as error:
            raise TrainingError(f"the pair that begins “{pair.source[:40]}”: {error}") from error


def _prepare(text: str, chosen: argparse.Namespace) -> str:
    return (lowercase_unpunctuated(text) or text) if chosen.bare else text


def _translate(bundle: Bundle, sources: Sequence[str], chosen: argparse.Namespace) -> tuple[list[str], float]:
    started = time.perf_counter()
    numbered = translate_texts(
        bundle, [_prepare(source, chosen) for source in sources], method=chosen.method, beam_size=chosen.beam_size,
        length_penalty=LengthPenalty(chosen.length_penalty, chosen.length_norm), batch_size=chosen.batch_size,
    )  # fmt: skip
    return in_order("translating", numbered, len(sources)), time.perf_counter() - started


def _report(bundle: Bundle, scores: Scores, loss: float, chosen: argparse.Namespace) -> dict[str, Any]:
    beam = f"beam {chosen.beam_size}, {chosen.length_norm} α {chosen.length_penalty}"
    return {
        "checkpoint": bundle.name,
        "split": chosen.split,
        "sources": "lower-cased, no final punctuation" if chosen.bare else "as written",
        "method": beam if chosen.method == "beam" else chosen.method,
        **asdict(scores),
        "loss": loss,
        "perplexity": math.exp(loss),
    }


def _show(report: dict[str, Any], bundle: Bundle, chosen: argparse.Namespace, rows: dict[str, str]) -> None:
    """The report as JSON, or its rows by name."""
    if chosen.json:
        say_json(report, bundle, chosen)
        return
    for name, words in ({"checkpoint": bundle.name} | rows).items():
        results().print(f"[dim]{name:<13}[/dim]{escape(words)}", soft_wrap=True)
