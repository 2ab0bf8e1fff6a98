"""Evaluation on held-out pairs: loss, BLEU (Papineni et al. 2002) and chrF (Popović 2015)."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import torch
from torch import Tensor

from model.bundle import Bundle
from model.inference.batches import MAX_BATCH_ROWS, group_by_length
from model.inference.teacher_forcing import teacher_forced
from model.inference.translation import translate_texts
from model.nn.transformer import Transformer
from model.progress import Progress, ignore_progress
from model.text.language_codes import bleu_tokenizer
from model.text.pairs import Pair
from model.text.tokens import source_tokens, target_tokens
from model.training.data import Batches, Example, references
from model.training.loss import smoothed_cross_entropy


@dataclass(frozen=True, slots=True)
class Scores:
    """Corpus scores of greedy translations, with sacreBLEU's signatures."""

    bleu: float
    """With all references, 0 to 100."""
    chrf: float
    """Against the first reference, 0 to 100."""
    bleu_first: float
    """BLEU against only the first reference."""
    bleu_signature: str
    chrf_signature: str
    n_sentences: int
    sentences_per_second: float


def score_translations(
    translations: Sequence[str], references_of: Sequence[list[str]], seconds: float, *, language: str | None
) -> Scores:
    """BLEU and chrF of translations into ``language``, each with its list of references."""
    streams: list[Any] = [*zip_longest(*references_of)]
    import sacrebleu  # imported here, because the rest of this module does not need it

    bleu, single = (sacrebleu.BLEU(tokenize=bleu_tokenizer(language)) for _ in range(2))
    chrf = sacrebleu.CHRF()
    return Scores(
        bleu.corpus_score(list(translations), streams).score,
        chrf.corpus_score(list(translations), streams[:1]).score,
        single.corpus_score(list(translations), streams[:1]).score,
        str(bleu.get_signature()),
        str(chrf.get_signature()),
        len(translations),
        len(translations) / seconds,
    )


def edits(text: str, written: str) -> int:
    """The edit distance of two texts in characters (Levenshtein 1966)."""
    row = list(range(len(written) + 1))
    for number, character in enumerate(text, 1):
        below = [number]
        for place, other in enumerate(written, 1):
            below.append(min(row[place] + 1, below[-1] + 1, row[place - 1] + (character != other)))
        row = below
    return row[-1]


def evaluate(bundle: Bundle, pairs: Sequence[Pair]) -> Scores:
    """Translate each distinct source of ``pairs``, and score it against all its translations."""
    grouped = references(pairs)
    started = time.perf_counter()
    was_training = bundle.model.training
    bundle.model.eval()
    translations = [text for _, text in sorted(translate_texts(bundle, list(grouped), batch_size=128))]
    bundle.model.train(was_training)
    seconds = time.perf_counter() - started
    return score_translations(translations, list(grouped.values()), seconds, language=bundle.target_language)


@torch.inference_mode()
def mean_loss(model: Transformer, examples: Sequence[Example], batches: Batches) -> float:
    """Cross-entropy per target token, in nats, without smoothing; its exponential is the perplexity."""
    was_training, device = model.training, next(model.parameters()).device
    model.eval()
    ordered = sorted(examples, key=lambda example: len(example.target))
    total, n_tokens = 0.0, 0
    for start in range(0, len(ordered), 128):
        rows = ordered[start : start + 128]
        batch = batches.collate(rows, [False] * len(rows)).to(device)
        total += float(batch_loss(model, batch.source, batch.prefix, batch.target, batch.is_real, smoothing=0.0))
        n_tokens += batch.n_tokens
    model.train(was_training)
    return total / n_tokens


def batch_loss(
    model: Transformer, source: Tensor, prefix: Tensor, target: Tensor, is_real: Tensor, *, smoothing: float
) -> Tensor:
    """Summed smoothed cross-entropy of a batch's real target tokens, a scalar in nats."""
    hidden = model.decode(prefix, model.encode(source)).hidden[is_real]  # (N, D)
    if torch.is_autocast_enabled(hidden.device.type):
        hidden = hidden.to(torch.get_autocast_dtype(hidden.device.type))
    scale, bias = model.config.output_scale, model.output.bias
    if scale != 1.0:
        hidden, bias = hidden * scale, None if bias is None else bias * scale
    return smoothed_cross_entropy(
        hidden, model.output.weight, bias, target[is_real], smoothing=smoothing, cap=model.config.output_cap
    )


@torch.inference_mode()
def target_loss(
    bundle: Bundle, pairs: Sequence[Pair], *, batch_size: int = MAX_BATCH_ROWS, on_progress: Progress = ignore_progress
) -> float:
    """Cross-entropy per target token, end of sentence included, in nats; its exponential is the perplexity.

    Raises:
        TextError: when a sentence cannot be read by the model.
    """
    is_single_stack = bundle.config.is_single_stack
    rows = [
        (() if is_single_stack else source_tokens(bundle, pair.source).ids, target_tokens(bundle, pair.target).ids)
        for pair in pairs
    ]
    rows = [(source, (bundle.config.bos_id, *target[:-1]), target) for source, target in rows]
    total, n_tokens, done = 0.0, 0, 0
    for part in group_by_length([(len(prefix), len(source)) for source, prefix, _ in rows], batch_size):
        forced = teacher_forced(bundle, [rows[index] for index in part])
        total, n_tokens = total - float(forced.log_probs.sum()), n_tokens + int(forced.target_is_real.sum())
        done += len(part)
        on_progress(done, len(rows))
    return total / n_tokens
