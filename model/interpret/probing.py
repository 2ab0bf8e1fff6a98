"""Linear probes: how well a linear classifier predicts labels from an activation, beyond memorising words.

A probe (Alain & Bengio 2017) is logistic regression from the activation at a word to the word's label. Its accuracy
alone says little, because a probe with enough dimensions memorises words; so a second probe is trained on a control
task, in which each word type has a fixed random label (Hewitt & Liang 2019). Selectivity is the accuracy on the task
minus that on the control task.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from model.activations import activation_shapes, width
from model.analysis.intervals import Interval, interval, resamples
from model.bundle import Bundle
from model.errors import RegardError
from model.inference.batches import MAX_BATCH_ROWS, group_by_length
from model.inference.reading import NO_TOKENS, kinds_of, prompt_tokens, read_translation
from model.inference.teacher_forcing import teacher_forced
from model.interpret.inspection import transformer_of
from model.interpret.recording import chosen_names
from model.lazy import pandas
from model.progress import Progress, ignore_progress
from model.text.tokens import as_text, source_tokens, text_of, written_source
from model.trace import TokenSequence

Labelled = tuple[str | tuple[str, str], Sequence[str | None]]
"""A text, or a text and its translation, with a label for each word of the text or of the translation; None skips a
word. Words are separated by spaces."""
Pooling = Literal["mean", "first", "last"]
FEWEST = 4
"""Minimum number of sentences, so that some remain for testing."""
_FIRST_OR_LAST = {"first": 0, "last": -1}
STEPS = 200
"""Maximum steps of L-BFGS; fifty usually suffice."""


class ProbeError(RegardError, ValueError):
    """No probe can be trained on the labels or activations; the message says why."""


@dataclass(frozen=True, slots=True)
class Probe:
    """How well labels are predicted from one activation, on held-out sentences."""

    site: str
    accuracy: Interval
    """Share of words whose label is predicted, with a 95 % bootstrap interval (1,000 resamples of test sentences)."""
    control: Interval
    """The accuracy on the control task, in which each word type has a random label."""
    selectivity: Interval
    """Accuracy minus control, on the same resamples."""


@dataclass(frozen=True, slots=True)
class Probes:
    """A probe for each activation."""

    sites: tuple[Probe, ...]
    labels: tuple[str, ...]
    majority: float
    """The accuracy of always predicting the most frequent label of the training words."""
    n_train: int
    """Number of training words."""
    n_test: int

    def to_frame(self) -> pandas.DataFrame:
        """One row for each activation, with intervals; needs pandas."""
        return pandas.DataFrame(
            [
                {"site": site.site}
                | {
                    f"{name}{end}": getattr(getattr(site, name), field)
                    for name in ("accuracy", "control", "selectivity")
                    for end, field in (("", "mean"), ("_low", "low"), ("_high", "high"))
                }
                for site in self.sites
            ]
        )


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One sentence as ids, and the token positions of each labelled word."""

    ids: tuple[Sequence[int], Sequence[int]]
    words: tuple[tuple[str, str, tuple[int, ...]], ...]
    """(word, label, positions)."""


def probe(
    bundle: Bundle,
    sentences: Sequence[Labelled],
    *,
    sites: str | Sequence[str] | None = None,
    pooling: Pooling = "mean",
    test_share: float = 0.25,
    l2: float = 1.0,
    seed: int = 0,
    on_progress: Progress = ignore_progress,
) -> Probes:
    """Train a probe and its control on each activation.

    ``probe(bundle, [("The cat is here.", ["DET", "NOUN", "VERB", "ADV"]), …])`` measures in which encoder layers parts
    of speech are linearly decodable.

    Args:
        sentences: texts with a label for each word. With a (text, translation) pair the labels are those of the
            translation's words, and the probes read the decoder, which is fed them.
        sites: names or patterns of activations with one vector per token; heads are concatenated. None: every layer's
            "residual.after" in the stack that reads the words.
        pooling: the vector of a word of several tokens: their mean, the first or the last.
        test_share: the share of sentences held out for testing, drawn by the seed.
        l2: the factor of half the squared norm added to the sum of the losses, 1 / C of scikit-learn.
        seed: the seed of the split, the control task and the resamples.

    Raises:
        ProbeError: for labels that do not fit the words, a single label, or too few sentences.
        RecordingError: when no activation fits a pattern.
        InspectionError: for a model that runs in its original code.
        TextError: when a sentence cannot be read.
    """
    transformer_of(bundle)
    _check(bundle, sentences, test_share, pooling)
    is_target = not bundle.config.n_encoder_layers or isinstance(sentences[0][0], tuple)
    stack = "decoder" if is_target else "encoder"
    patterns = f"{stack}.*.residual.after" if sites is None else sites
    names = chosen_names(bundle, (patterns,) if isinstance(patterns, str) else patterns)
    _check_names(bundle, names, stack)
    read = [_read_sentence(bundle, *sentence) for sentence in sentences]
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(read))
    n_test = max(1, round(test_share * len(read)))
    is_test = np.isin(np.arange(len(read)), order[:n_test])
    words = [(index, word, label) for index, sentence in enumerate(read) for word, label, _ in sentence.words]
    of_sentence = np.array([index for index, *_ in words], np.int64)
    in_test = is_test[of_sentence]
    labels, task = np.unique([label for *_, label in words], return_inverse=True)
    if len(labels) < 2 or not in_test.any() or len(set(task[~in_test])) < 2:
        raise ProbeError("a probe needs two labels at least among the words that it is trained on: give more sentences")
    control = _control(words, task[~in_test], rng)
    vectors = _vectors(bundle, read, names, pooling)
    probes = []
    for done, name in enumerate(names, start=1):
        train, test = (vectors[name][torch.from_numpy(chosen)] for chosen in (~in_test, in_test))
        correct = [
            _predict_labels(train, targets[~in_test], len(labels), l2, test) == targets[in_test]
            for targets in (task, control)
        ]
        probes.append(Probe(name, *_intervals(correct, of_sentence[in_test], seed)))
        on_progress(done, len(names))
    most = np.bincount(task[~in_test]).argmax()
    return Probes(
        tuple(probes), tuple(map(str, labels)), float((task[in_test] == most).mean()), int((~in_test).sum()),
        int(in_test.sum()),
    )  # fmt: skip


def _check(bundle: Bundle, sentences: Sequence[Labelled], test_share: float, pooling: str) -> None:
    if len(sentences) < FEWEST:
        raise ProbeError(f"there are {len(sentences)} sentences: give at least {FEWEST}, some of which are tested on")
    if not 0 < test_share < 1:
        raise ProbeError(f"test_share ({test_share}) must be between 0 and 1")
    if pooling not in ("mean", "first", "last"):
        raise ProbeError(f"there is no pooling {pooling!r:.40}: choose mean, first or last")
    have_target = {isinstance(sentence, tuple) for sentence, _ in sentences}
    if len(have_target) > 1:
        raise ProbeError("some sentences have a translation and some none: give all of them one, or none")
    if True in have_target and "cross" not in kinds_of(bundle):
        raise ProbeError(f"{bundle.name} does not translate: give texts without translations")


def _check_names(bundle: Bundle, names: Sequence[str], stack: str) -> None:
    shapes = activation_shapes(bundle.config)
    for name in names:
        of_source = shapes[name][-2] == "S"
        if width(bundle.config, name, shapes[name]) is None or name == "logits":
            raise ProbeError(f"{name} has no vector for a token: choose one such as {stack}.0.residual.after")
        if of_source != (stack == "encoder"):
            whose = "translations" if stack == "encoder" else "the source"
            raise ProbeError(f"{name} belongs to the tokens of {whose}, and the labels do not")


def _read_sentence(bundle: Bundle, sentence: str | tuple[str, str], labels: Sequence[str | None]) -> _Sentence:
    text, tokens, ids = _tokens(bundle, sentence)
    words = list(re.finditer(r"\S+", text))
    if len(words) != len(labels):
        raise ProbeError(f"“{text[:60]}” has {len(words)} words and {len(labels)} labels: give one for each word")
    labelled = []
    for word, label in zip(words, labels, strict=True):
        at = tuple(
            place
            for place, span in enumerate(tokens.spans)
            if span is not None and span[0] < word.end() and word.start() < span[1]
        )
        if label is not None and at:
            labelled.append((word.group(), label, at))
    return _Sentence(ids, tuple(labelled))


def _tokens(
    bundle: Bundle, sentence: str | tuple[str, str]
) -> tuple[str, TokenSequence, tuple[Sequence[int], Sequence[int]]]:
    """The text whose words have labels, its tokens, and the input ids of both stacks."""
    if isinstance(sentence, tuple):
        translation = read_translation(bundle, *sentence)
        # the last token of a translation is fed too, so that its word has an activation
        fed = translation.prefix.before(translation.target.part(-1, None))
        return text_of(bundle, translation.target.ids), fed, (translation.source.ids, fed.ids)
    if not bundle.config.n_encoder_layers:
        prompt = prompt_tokens(bundle, sentence)
        return as_text(sentence), prompt, ((), prompt.ids)
    source = source_tokens(bundle, sentence)
    begin = (bundle.config.bos_id,) if bundle.config.n_decoder_layers else NO_TOKENS.ids
    return written_source(bundle, sentence), source, (source.ids, begin)


@torch.inference_mode()
def _vectors(bundle: Bundle, read: Sequence[_Sentence], names: Sequence[str], pooling: Pooling) -> dict[str, Tensor]:
    """The vector of every labelled word, in order: (words, width) float32 on the CPU, by activation."""
    by_sentence: list[dict[str, Tensor]] = [{} for _ in read]
    for part in group_by_length([tuple(map(len, sentence.ids)) for sentence in read], MAX_BATCH_ROWS):
        forced = teacher_forced(bundle, [read[index].ids for index in part], record=names)
        for name in names:
            x = forced.recorded[name].float().cpu()
            x = x.transpose(1, 2).flatten(2) if x.dim() == 4 else x  # (B, N, D)
            for row, index in enumerate(part):
                of_words = [x[row, list(at)] for *_, at in read[index].words]  # (tokens of the word, D) each
                vectors = [word.mean(0) if pooling == "mean" else word[_FIRST_OR_LAST[pooling]] for word in of_words]
                by_sentence[index][name] = torch.stack(vectors) if vectors else x.new_zeros(0, x.shape[-1])
    return {name: torch.cat([of_sentence[name] for of_sentence in by_sentence]) for name in names}


def _control(
    words: Sequence[tuple[int, str, str]], train: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Control labels: for each word type one random label, drawn from the distribution of the training labels."""
    types, index = np.unique([word for _, word, _ in words], return_inverse=True)
    return rng.choice(train, len(types))[index]


def _predict_labels(x: Tensor, targets: NDArray[np.int64], n_labels: int, l2: float, test: Tensor) -> NDArray[np.int64]:
    """The labels (words,) of the test vectors as predicted by logistic regression trained on x (words, D)."""
    mean, spread = x.mean(0), x.std(0, correction=0).clamp(min=1e-6)
    weight, bias = _train_probe((x - mean) / spread, torch.tensor(targets), n_labels, l2)
    return (((test - mean) / spread) @ weight.T + bias).argmax(-1).numpy()


def _train_probe(x: Tensor, targets: Tensor, n_labels: int, l2: float) -> tuple[Tensor, Tensor]:
    """Weights (labels, D) and biases (labels,) that minimise the sum of the losses plus l2 / 2 times the weights'
    squared norm. The minimum is unique, so it does not depend on a seed."""
    x = x.double()  # in float32 L-BFGS stalls before convergence
    weight = torch.zeros(n_labels, x.shape[1], dtype=x.dtype, requires_grad=True)
    bias = torch.zeros(n_labels, dtype=x.dtype, requires_grad=True)
    optimiser = torch.optim.LBFGS([weight, bias], max_iter=STEPS, tolerance_grad=1e-6,
                                  tolerance_change=1e-12, line_search_fn="strong_wolfe")  # fmt: skip

    def closure() -> Any:
        optimiser.zero_grad()
        losses = functional.cross_entropy(x @ weight.T + bias, targets, reduction="sum")
        loss = (losses + l2 / 2 * weight.square().sum()) / len(x)
        loss.backward()
        return loss

    with torch.enable_grad():
        optimiser.step(closure)
    return weight.detach().float(), bias.detach().float()


def _intervals(correct: Sequence[NDArray[np.bool_]], of_sentence: NDArray[np.int64], seed: int) -> Iterator[Interval]:
    """Accuracy on the task, on the control task, and their difference, resampled by sentence."""
    sentences, index = np.unique(of_sentence, return_inverse=True)
    draws = resamples(len(sentences), seed=seed)
    counts = draws @ np.bincount(index)
    task, control = (draws @ np.bincount(index, weights=is_correct) / counts for is_correct in correct)
    return (interval(scores) for scores in (task, control, task - control))
