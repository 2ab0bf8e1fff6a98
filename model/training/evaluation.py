"""How good a model is: loss, BLEU (Papineni et al. 2002) and chrF (Popović 2015) on held-out pairs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sacrebleu
import torch
from torch import Tensor

from model.tokenizer import Tokenizer
from model.training.data import Batches, Example, Pair, pad, references
from model.training.loss import smoothed_cross_entropy
from model.transformer import Transformer


@dataclass(frozen=True, slots=True)
class Scores:
    """Corpus scores of greedy translations, and how they were computed."""

    bleu: float
    """With all references, 0 to 100."""
    chrf: float
    """Against the first reference, 0 to 100."""
    bleu_first: float
    """BLEU against the first reference alone."""
    bleu_signature: str
    chrf_signature: str
    n_sentences: int
    sentences_per_second: float


@torch.inference_mode()
def greedy_ids(model: Transformer, sources: Sequence[Sequence[int]], *, max_length: int = 80) -> list[list[int]]:
    """Greedy translations of encoder inputs, as ids without special tokens; one batch."""
    config, device = model.config, next(model.parameters()).device
    encoded = model.encode(pad(sources, config.source_pad_id).to(device))
    fed = torch.full((len(sources), 1), config.bos_id, device=device)
    finished = torch.zeros(len(sources), dtype=torch.bool, device=device)
    cache, steps = None, []
    while not finished.all() and len(steps) < max_length:
        decoded = model.decode(fed, encoded, cache=cache, keep_cache=True)
        cache = decoded.cache
        chosen = model.project(decoded.hidden[:, -1]).argmax(-1)  # (B,)
        finished |= chosen == config.eos_id
        fed = chosen.masked_fill(finished, config.eos_id)[:, None]
        steps.append(fed)
    rows = torch.cat(steps, 1).tolist()
    return [row[: row.index(config.eos_id)] if config.eos_id in row else row for row in rows]


def translate_all(
    model: Transformer,
    texts: Sequence[str],
    source: Tokenizer,
    target: Tokenizer,
    *,
    batch_size: int = 128,
    on_progress: Callable[[int], None] = lambda done: None,
) -> list[str]:
    """Greedy translations of many texts, in their order."""
    config = model.config
    head, tail = [config.bos_id] * config.source_has_bos, [config.eos_id] * config.source_has_eos
    inputs = [[*head, *source.encode(text).ids, *tail] for text in texts]
    order = sorted(range(len(texts)), key=lambda index: len(inputs[index]))
    translations = [""] * len(texts)
    for start in range(0, len(order), batch_size):
        rows = order[start : start + batch_size]
        for row, ids in zip(rows, greedy_ids(model, [inputs[row] for row in rows]), strict=True):
            translations[row] = target.decode(ids)
        on_progress(min(start + batch_size, len(order)))
    return translations


def score_translations(translations: Sequence[str], references_of: Sequence[list[str]], seconds: float) -> Scores:
    """BLEU and chrF of translations, each with its list of references."""
    most = max(map(len, references_of))
    streams = [[refs[i] if i < len(refs) else None for refs in references_of] for i in range(most)]
    bleu, chrf, single = sacrebleu.BLEU(), sacrebleu.CHRF(), sacrebleu.BLEU()
    return Scores(
        bleu.corpus_score(list(translations), streams).score,
        chrf.corpus_score(list(translations), streams[:1]).score,
        single.corpus_score(list(translations), streams[:1]).score,
        str(bleu.get_signature()),
        str(chrf.get_signature()),
        len(translations),
        len(translations) / seconds,
    )


def evaluate(
    model: Transformer,
    pairs: Sequence[Pair],
    source: Tokenizer,
    target: Tokenizer,
    *,
    prepare: Callable[[str], str] = lambda text: text,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Scores:
    """Translate each distinct source of ``pairs``, after ``prepare``, and score against all its translations."""
    grouped = references(pairs)
    started = time.perf_counter()
    was_training = model.training
    model.eval()
    texts = [prepare(text) for text in grouped]
    translations = translate_all(model, texts, source, target, on_progress=on_progress)
    model.train(was_training)
    return score_translations(translations, list(grouped.values()), time.perf_counter() - started)


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
    scale = model.config.output_scale
    return smoothed_cross_entropy(
        hidden if scale == 1.0 else hidden * scale,
        model.output.weight, model.output.bias, target[is_real], smoothing=smoothing,
    )  # fmt: skip
