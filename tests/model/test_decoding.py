"""Decoding, compared with simple references: an uncached loop, one sentence at a time, exhaustive search."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from typing import get_args

import numpy as np
import pytest
import torch
from torch import Tensor

from model.decoding.beam_search import LengthNorm, LengthPenalty, length_norm
from model.decoding.sampling import Sampling, draw
from model.decoding.step import DecodingError, DecodingStep
from model.decoding.strategies import DecodingOptions, beam, forced, greedy, sample
from model.inference.trace_building import best, hypotheses
from model.interventions import (
    NONE,
    BlockedKey,
    ForcedRow,
    HeadOff,
    Interventions,
    PositionEdit,
)
from model.nn.transformer import Transformer
from model.trace import Floats
from tests.tiny import tiny_batch, tiny_model

EDITED = Interventions(
    heads_off=(HeadOff("encoder_self", 0, 1), HeadOff("cross", 1, 0, "uniform"), HeadOff("decoder_self", 0, 0)),
    forced_rows=(ForcedRow("cross", 0, 1, 2, (0.5, 3.0, 1.0)), ForcedRow("decoder_self", 1, 0, 3, (1.0, 1.0))),
    blocked_keys=(BlockedKey("cross", 0, head=0), BlockedKey("decoder_self", 1, layer=1, query=3)),
    source_positions=PositionEdit("reverse"),
)
PER_ROW = (NONE, EDITED, Interventions(heads_off=(HeadOff("decoder_self", 1, 1),)))
ONE = torch.tensor([[5, 6, 7, 8, 3]])


def assert_close(left: Floats | None, right: Floats | None, *, atol: float) -> None:
    assert left is not None and right is not None
    np.testing.assert_allclose(left, right, atol=atol)


def said(steps: list[DecodingStep], sentence: int = 0) -> tuple[int, ...]:
    return next(found.ids for found in hypotheses(steps) if found.sentence == sentence)


def reference_greedy(model: Transformer, source: Tensor, max_length: int, edits: Interventions) -> list[int]:
    """The simplest decoding loop."""
    ids = [model.config.bos_id]
    while len(ids) <= max_length and ids[-1] != model.config.eos_id:
        with torch.no_grad():
            logits = model(source, torch.tensor([ids]), interventions=edits).logits[0, -1]
        logits[model.config.target_pad_id] = -torch.inf
        ids.append(int(logits.argmax()))
    return ids[1:]


def eos_prone(seed: int, amount: float = 1.0) -> Transformer:
    """A tiny model that ends its sentences."""
    model = tiny_model(seed, output_bias=True)
    with torch.no_grad():
        model.output.bias[model.config.eos_id] += amount
    return model


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("edits", [NONE, EDITED], ids=["plain", "edited"])
def test_greedy_says_what_a_plain_loop_says(seed: int, edits: Interventions) -> None:
    model = eos_prone(seed)
    steps = list(greedy(model, ONE, DecodingOptions(max_length=9, interventions=edits)))
    assert list(said(steps)) == reference_greedy(model, ONE, 9, edits)


def run(way: str, model: Transformer, source: Tensor, options: DecodingOptions) -> Iterator[DecodingStep]:
    if way == "beam":
        return beam(model, source, beam_size=3, options=options)
    if way == "sample":
        return sample(model, source, Sampling(seed=4), options)
    return greedy(model, source, options)


@pytest.mark.parametrize("way", ["greedy", "beam", "sample"])
@pytest.mark.parametrize("edits", [NONE, EDITED, PER_ROW], ids=["plain", "edited", "per row"])
def test_cached_equals_uncached(way: str, edits: Interventions | tuple[Interventions, ...]) -> None:
    model, (source, _) = eos_prone(1), tiny_batch()
    with_cache, without = (
        list(run(way, model, source, DecodingOptions(max_length=8, cached=cached, interventions=edits)))
        for cached in (True, False)
    )
    assert len(with_cache) == len(without)
    for left, right in zip(with_cache, without, strict=True):
        assert (left.chosen.ids == right.chosen.ids).all()
        assert (left.chosen.rows == right.chosen.rows).all()
        assert_close(left.candidate_log_probs, right.candidate_log_probs, atol=1e-5)
        assert_close(left.decoder_self, right.decoder_self, atol=1e-6)
        assert_close(left.cross, right.cross, atol=1e-6)


@pytest.mark.parametrize("way", ["greedy", "beam"])
@pytest.mark.parametrize("edits", [NONE, PER_ROW], ids=["plain", "per row"])
def test_a_batch_equals_one_by_one(way: str, edits: Interventions | tuple[Interventions, ...]) -> None:
    model, (source, _) = eos_prone(2), tiny_batch()
    together = list(run(way, model, source, DecodingOptions(max_length=8, interventions=edits)))
    for i, length in enumerate((6, 4, 1)):
        own = edits if isinstance(edits, Interventions) else edits[i]
        options = DecodingOptions(max_length=8, interventions=own)
        steps = list(run(way, model, source[i : i + 1, :length], options))
        alone = hypotheses(steps)
        batched = [found for found in hypotheses(together) if found.sentence == i]
        assert [found.ids for found in batched] == [found.ids for found in alone]
        for left, right in zip(batched, alone, strict=True):
            np.testing.assert_allclose(left.log_probs, right.log_probs, atol=1e-5)
            for t, (a, b) in enumerate(zip(left.rows, right.rows, strict=True)):
                wide, narrow = together[t].cross, steps[t].cross
                assert wide is not None and narrow is not None
                np.testing.assert_allclose(wide[a][..., :length], narrow[b], atol=1e-6)
                assert (wide[a][..., length:] == 0).all()


def test_lifting_the_causal_mask_recomputes_earlier_positions() -> None:
    model, lifted = tiny_model(3), Interventions(lift_causal_mask=True)
    steps = list(greedy(model, ONE, DecodingOptions(max_length=6, interventions=lifted)))
    assert list(said(steps)) == reference_greedy(model, ONE, 6, lifted)


def exhaustive(
    model: Transformer, source: Tensor, max_length: int, penalty: float | LengthPenalty
) -> tuple[float, tuple[int, ...]]:
    """Score every sentence of at most ``max_length`` tokens by teacher forcing, and return the best."""
    vocabulary = [i for i in range(model.config.target_vocab_size) if i != model.config.target_pad_id]
    eos, found = model.config.eos_id, []
    for length in range(1, max_length + 1):
        for ids in itertools.product(vocabulary, repeat=length):
            is_ended = ids[-1] == eos
            if eos in ids[:-1] or (not is_ended and length < max_length):
                continue
            with torch.no_grad():
                logits = model(source, torch.tensor([[model.config.bos_id, *ids[:-1]]])).logits[0]
            log_probs = logits.log_softmax(-1)[range(length), list(ids)].sum().item()
            found.append((log_probs / length_norm(length, penalty), ids))
    return max(found)


PENALTIES = [0.0, 0.6, 1.5, LengthPenalty(1.0, "length"), LengthPenalty(-0.5, "length")]


@pytest.mark.parametrize("penalty", PENALTIES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_a_wide_beam_equals_exhaustive_search(seed: int, penalty: float | LengthPenalty) -> None:
    model = tiny_model(seed, target_vocab_size=6, tie_embeddings=False)
    steps = list(beam(model, ONE, beam_size=200, length_penalty=penalty, options=DecodingOptions(max_length=4)))
    [winner] = best(steps, 1, length_penalty=penalty)
    score, ids = exhaustive(model, ONE, 4, penalty)
    assert winner.ids == ids
    assert winner.score == pytest.approx(score, abs=1e-5)


def test_lengths_are_compared_by_the_norm_that_is_named() -> None:
    assert [length_norm(10, LengthPenalty(2.0, name)) for name in get_args(LengthNorm)] == [6.25, 100.0]
    assert length_norm(10, 2.0) == 6.25
    with pytest.raises(DecodingError, match="unknown norm “log”: choose gnmt, length"):
        list(beam(tiny_model(0), ONE, length_penalty=LengthPenalty(1.0, "log")))  # type: ignore[arg-type]


def test_a_beam_of_one_without_normalising_is_greedy() -> None:
    for seed in range(5):
        model, options = eos_prone(seed), DecodingOptions(max_length=8)
        narrow = list(beam(model, ONE, beam_size=1, length_penalty=0.0, options=options))
        assert best(narrow, 1)[0].ids == said(list(greedy(model, ONE, options)))


def test_forced_steps_repeat_what_greedy_saw() -> None:
    model, options = eos_prone(0), DecodingOptions(max_length=8, interventions=EDITED)
    steps = list(greedy(model, ONE, options))
    again = list(forced(model, ONE, torch.tensor([said(steps)]), options))
    assert len(again) == len(steps)
    for left, right in zip(steps, again, strict=True):
        assert_close(left.chosen.log_probs, right.chosen.log_probs, atol=1e-5)
        assert_close(left.chosen.scores, right.chosen.scores, atol=1e-5)
        assert_close(left.cross, right.cross, atol=1e-6)
        assert_close(left.decoder_self, right.decoder_self, atol=1e-6)


def test_a_cut_says_so_and_an_end_does_not() -> None:
    endless, ending = eos_prone(0, -50.0), eos_prone(0, 50.0)
    cut = best(list(greedy(endless, ONE, DecodingOptions(max_length=5))), 1)[0]
    ended = best(list(greedy(ending, ONE, DecodingOptions(max_length=5))), 1)[0]
    assert cut.is_truncated and len(cut.ids) == 5
    assert not ended.is_truncated and ended.ids == (ending.config.eos_id,)
    assert all(
        found.is_truncated for found in hypotheses(list(beam(endless, ONE, options=DecodingOptions(max_length=4))))
    )


@pytest.mark.parametrize("way", ["greedy", "beam", "sample"])
def test_a_prefix_is_said_and_then_decoding_goes_on(way: str) -> None:
    model, (source, _) = eos_prone(5), tiny_batch()
    prefixes = ((9, 5, 7), (), (7,))
    steps = list(run(way, model, source, DecodingOptions(max_length=7, prefixes=prefixes)))
    for found, prefix in zip(best(steps, 3), prefixes, strict=True):
        assert found.ids[: len(prefix)] == prefix
    if way == "greedy":
        options = DecodingOptions(max_length=7)
        assert said(steps, 1) == said(list(greedy(model, source[1:2, :4], options)))


def test_sampling_repeats_with_its_seed_and_varies_without() -> None:
    model, options = tiny_model(0), DecodingOptions(max_length=10)
    drawn = [said(list(sample(model, ONE, Sampling(seed=seed), options))) for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 2


def test_draws_follow_the_bent_distribution() -> None:
    log_probs = torch.tensor([0.5, 0.3, 0.15, 0.05]).log().repeat(4000, 1)
    generators = [torch.Generator().manual_seed(i) for i in range(4000)]
    for sampling, expected in (
        (Sampling(), [0.5, 0.3, 0.15, 0.05]),
        (Sampling(top_k=2), [0.625, 0.375, 0, 0]),
        (Sampling(top_p=0.6), [0.625, 0.375, 0, 0]),
        (Sampling(top_p=0.5), [1, 0, 0, 0]),
        (Sampling(min_p=0.5), [0.625, 0.375, 0, 0]),
        (Sampling(min_p=1.0), [1, 0, 0, 0]),
        (Sampling(temperature=0.5), [0.25 / 0.365, 0.09 / 0.365, 0.0225 / 0.365, 0.0025 / 0.365]),
    ):
        counts = torch.bincount(draw(log_probs, sampling, generators), minlength=4) / 4000
        np.testing.assert_allclose(counts, expected, atol=0.03)
        assert [count == 0 for count in counts] == [share == 0 for share in expected]


def test_two_threads_share_one_model_and_never_each_others_interventions() -> None:
    model, options = tiny_model(6), DecodingOptions(max_length=12)
    edited = DecodingOptions(max_length=12, interventions=EDITED)
    expected = [list(greedy(model, ONE, chosen)) for chosen in (options, edited)]
    found: list[list[list[DecodingStep]]] = [[], []]

    def work(which: int) -> None:
        for _ in range(15):
            found[which].append(list(greedy(model, ONE, (options, edited)[which])))

    threads = [threading.Thread(target=work, args=(which,)) for which in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said(expected[0]) != said(expected[1]) or not np.allclose(
        expected[0][0].candidate_log_probs, expected[1][0].candidate_log_probs
    )
    for wanted, runs in zip(expected, found, strict=True):
        assert len(runs) == 15
        for steps in runs:
            for left, right in zip(wanted, steps, strict=True):
                assert (left.chosen.ids == right.chosen.ids).all()
                assert left.cross is not None and right.cross is not None
                assert (left.cross == right.cross).all()


def test_padding_is_never_said() -> None:
    model = tiny_model(0, output_bias=True)
    with torch.no_grad():
        model.output.bias[model.config.target_pad_id] = 100.0
    for way in ("greedy", "beam", "sample"):
        steps = list(run(way, model, ONE, DecodingOptions(max_length=5)))
        assert model.config.target_pad_id not in best(steps, 1)[0].ids


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: DecodingOptions(max_length=0), r"max_length \(0\) must be at least 1"),
        (lambda: Sampling(temperature=0.0), r"temperature \(0.0\) must be above 0"),
        (lambda: Sampling(top_p=0.0), r"top_p \(0.0\) must lie in \(0, 1\]"),
        (lambda: Sampling(top_k=-1), r"top_k \(-1\)"),
        (lambda: list(beam(tiny_model(), ONE, beam_size=0)), r"beam_size \(0\) must be at least 1"),
        (
            lambda: list(greedy(tiny_model(), ONE, DecodingOptions(prefixes=((4,), (5,))))),
            "2 prefixes for 1 sentences",
        ),
    ],
)
def test_options_out_of_range_are_refused(make, message: str) -> None:
    with pytest.raises(DecodingError, match=message):
        make()
