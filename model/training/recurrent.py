"""Train the two recurrent translators and measure all three models by sentence length.

    python -m model.training.recurrent PAIRS.tsv WORK_FOLDER pretrained/gru-en-fr [--steps 8000]
    python -m model.training.recurrent PAIRS.tsv - pretrained/gru-en-fr                   measure what is there

Trains one model with attention and one without, with the same vocabulary, seed and batches; an interrupted run
resumes where it stopped. It writes attention/, without/ and scores.json into the folder. Every score is measured on
the test part of PAIRS, and the shipped Transformer is measured beside the two.
"""

import argparse
import json
import logging
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import torch

import model
from model.bundle import Bundle
from model.checkpoints.recurrent import load_recurrent, save_recurrent
from model.files.atomic import write_atomically
from model.nn.recurrent import RecurrentConfig, RecurrentTranslator
from model.runs.folder import RunFolder
from model.text.tokenizer import SentencePieceTokenizer
from model.training.by_length import bleu_by_length
from model.training.data import Split, encode_pairs, read_pairs, split_pairs
from model.training.events import StepDone
from model.training.settings import TrainingConfig
from model.training.trainer import Store, Trainer
from model.training.vocabularies.learned import train_tokenizer

VARIANTS = {"attention": True, "without": False}
VOCABULARY = 3_000
log = logging.getLogger(__name__)


def main() -> None:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("work", type=Path, help="the folder of the training; - trains nothing")
    parser.add_argument("result", type=Path)
    parser.add_argument("--steps", type=int, default=8_000)
    parser.add_argument("--batch-tokens", type=int, default=2_000)
    parser.add_argument("--transformer", default=None, help="the checkpoint to compare with; the shipped one if absent")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(1)
    split = split_pairs(read_pairs(options.pairs))
    settings = TrainingConfig(
        steps=options.steps, batch_tokens=options.batch_tokens, learning_rate=2e-3, warmup_steps=200, decay_share=0.4,
        validate_every=max(1, options.steps // 10), keep_last=2, max_length=50, precision="float32", device="cpu",
    )  # fmt: skip
    if options.work != Path("-"):
        train_both(split, settings, options.work, options.result)
    measure(split, options.result, options.transformer)


def train_both(split: Split, settings: TrainingConfig, work: Path, result: Path) -> None:
    """Train both variants with the same vocabulary, and store them in float16."""
    tokenizer = vocabulary(split, work)
    for name, has_attention in VARIANTS.items():
        bundle = train(name, split, tokenizer, settings, work, has_attention=has_attention)
        save_recurrent(bundle, result / name, dtype="float16")


def vocabulary(split: Split, work: Path) -> SentencePieceTokenizer:
    """The vocabulary of both variants, learned once."""
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "tokenizer.model").exists():
        train_tokenizer(split.train, vocab_size=VOCABULARY).save(work, "tokenizer")
    return SentencePieceTokenizer.load(work / "tokenizer.model")


def train(
    name: str, split: Split, tokenizer: SentencePieceTokenizer, settings: TrainingConfig, work: Path, *,
    has_attention: bool,
) -> Bundle:  # fmt: skip
    """Train one variant with the trainer that also trains Transformers."""
    folder = RunFolder(work / name)
    if folder.result.exists():
        return load_recurrent(folder.result)
    torch.manual_seed(settings.seed)
    config = RecurrentConfig(vocab_size=tokenizer.size, has_attention=has_attention)
    begun = Bundle(
        f"gru-en-fr-{name}", cast(Any, RecurrentTranslator(config)), cast(Any, config), tokenizer, tokenizer,
        family="recurrent", source_language="en", target_language="fr",
    )  # fmt: skip
    examples, validation = (
        encode_pairs(part, tokenizer, tokenizer, max_length=settings.max_length)
        for part in (split.train, split.validation)
    )
    trainer = Trainer(begun, examples, split.validation, validation, settings, folder,
                      Store(save_recurrent, load_recurrent))  # fmt: skip
    for event in trainer.run():
        if not isinstance(event, StepDone) or event.step % 50 == 0:
            log.info("%s %s", name, event)
    return load_recurrent(folder.result)


def measure(split: Split, result: Path, transformer: str | None) -> None:
    """Measure BLEU and time by sentence length, for the stored weights and for the Transformer."""
    bundles = {name: load_recurrent(result / name) for name in VARIANTS}
    bundles["transformer"] = model.load(transformer)
    scores = {name: [asdict(score) for score in bleu_by_length(bundle, split.test)] for name, bundle in bundles.items()}
    write_atomically(result / "scores.json", json.dumps(scores, indent=1).encode() + b"\n")
    for name, rows in scores.items():
        for row in rows:
            log.info("%-12s %2d-%2d words %5d sentences BLEU %5.1f %6.1f ms", name, row["shortest"], row["longest"],
                     row["n_sentences"], row["bleu"], 1000 * row["seconds"])  # fmt: skip


if __name__ == "__main__":
    main()
