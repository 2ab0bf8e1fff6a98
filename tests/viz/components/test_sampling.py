"""The sliders of Decode filter a distribution in the browser as the sampler does in Python."""

import json
import subprocess
from pathlib import Path

import pytest
import torch

import model
from model.decoding.sampling import Sampling, filtered_probabilities
from model.inference.ranks import ranks
from model.inference.teacher_forcing import teacher_forced
from model.interventions import Interventions
from tests.checkpoint import tiny_bundle
from tests.programs import require_programs

ROOT = Path(__file__).parents[3]
SCRIPT = """
import { filtered } from "./viz/components/decoding/js/sampling.js";
const { counts, rows, samplings, best } = JSON.parse(process.argv[1]);
const found = rows.map((logProbs, row) => samplings.map((sampling) => {
  const { kept, share } = filtered({ counts, logProbs }, sampling);
  return { kept, shares: best[row].map((logProb, rank) => share(logProb, rank)) };
}));
process.stdout.write(JSON.stringify(found));
"""
SAMPLINGS = [
    Sampling(), Sampling(temperature=0.05), Sampling(temperature=0.4, top_p=0.9), Sampling(temperature=2.5),
    Sampling(temperature=5.0, top_k=100), Sampling(top_k=3), Sampling(top_p=0.5), Sampling(top_p=0.01),
    Sampling(temperature=1.7, top_k=40, top_p=0.8), Sampling(temperature=5.0, top_p=0.6),
    Sampling(min_p=0.1), Sampling(temperature=2.0, top_k=30, top_p=0.95, min_p=0.05), Sampling(min_p=1.0),
]  # fmt: skip


def exact(bundle: model.Bundle, trace: model.Trace) -> torch.Tensor:
    """Log-probabilities of every step, (T, V); -inf for tokens that are never predicted."""
    forced = teacher_forced(bundle, [(trace.source.ids, trace.prefix.ids)], interventions=trace.interventions)
    log_probs = forced.logits[0].log_softmax(-1)
    log_probs[:, bundle.config.target_pad_id] = -torch.inf
    return log_probs


@pytest.mark.parametrize("open_bundle", [model.load, tiny_bundle], ids=["12,000 tokens", "a few"])
def test_the_browser_filters_as_the_sampler_does(open_bundle) -> None:
    require_programs("node")
    bundle = open_bundle()
    trace = model.translate(bundle, "the cat is here .")
    ranked = ranks(bundle, source_ids=trace.source.ids, prefix_ids=trace.prefix.ids)
    log_probs = exact(bundle, trace)
    n = min(10, log_probs.shape[1] - 1)
    best = log_probs.sort(-1, descending=True).values[:, :n]
    arguments = {
        "counts": ranked.counts, "rows": ranked.log_probs.tolist(), "best": best.tolist(),
        "samplings": [{name: getattr(sampling, name) for name in ("temperature", "top_k", "top_p", "min_p")}
                      for sampling in SAMPLINGS],
    }  # fmt: skip
    process = subprocess.run(
        ["node", "--input-type=module", "-e", SCRIPT, json.dumps(arguments)], cwd=ROOT, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    filtered = json.loads(process.stdout)
    for place, sampling in enumerate(SAMPLINGS):
        weights, _ = filtered_probabilities(log_probs.double(), sampling)
        shares = (weights / weights.sum(-1, keepdim=True))[:, :n]
        n_kept = (weights > 0).sum(-1)
        for row in range(len(log_probs)):
            in_browser = filtered[row][place]
            assert in_browser["shares"] == pytest.approx(shares[row].tolist(), abs=0.004), (sampling, row)
            if sampling.top_p < 1:  # at 1 the sampler drops probabilities below the rounding error
                assert in_browser["kept"] == pytest.approx(int(n_kept[row]), rel=0.06, abs=1), (sampling, row)


def test_all_tokens_are_counted_and_their_probabilities_add_up() -> None:
    bundle = model.load()
    trace = model.translate(bundle, "The cat is sleeping.")
    ranked = ranks(bundle, source_ids=trace.source.ids, prefix_ids=trace.prefix.ids)
    assert sum(ranked.counts) == bundle.config.target_vocab_size - 1, "padding is never predicted"
    assert (torch.tensor(ranked.log_probs).double().exp() @ torch.tensor(ranked.counts).double()).tolist() == (
        pytest.approx([1.0] * len(trace.target), abs=1e-4)
    )
    assert len(ranked.counts) < 130


def test_a_step_that_sees_later_tokens_in_a_pass_is_ranked_as_it_was_decoded() -> None:
    bundle = tiny_bundle()
    trace = model.translate(bundle, "the cat", interventions=Interventions(lift_causal_mask=True))
    assert trace.candidates is not None
    ranked = ranks(
        bundle, source_ids=trace.source.ids, prefix_ids=trace.prefix.ids, interventions=trace.interventions
    )  # fmt: skip
    pad = bundle.config.target_pad_id
    for t, (ids, values) in enumerate(zip(trace.candidates.ids, trace.candidates.log_probs, strict=True)):
        log_probs = [float(value) for i, value in zip(ids, values, strict=True) if i != pad]
        assert ranked.log_probs[t, : len(log_probs)].tolist() == pytest.approx(log_probs, abs=1e-4)
