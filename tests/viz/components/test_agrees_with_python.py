"""The explorer's JavaScript computes reading aids and filters distributions as Python does."""

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import model
from model.decoding.sampling import Sampling, filtered_probabilities
from model.inference.ranks import ranks
from model.inference.teacher_forcing import teacher_forced
from model.interventions import Interventions
from tests.checkpoint import tiny_bundle
from tests.js import fitting_cases
from tests.js.from_python import FILE, content
from tests.programs import require_programs

REMEDY = "python -m tests.js.from_python"


def close(computed: Any, golden: Any) -> bool:
    return np.allclose(np.array(computed), np.array(golden), atol=1e-6)


def views_of(packet: str) -> list[dict[str, Any]]:
    raw = base64.b64decode(packet)
    return json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])["views"]


def test_the_golden_numbers_of_the_reading_aids_are_those_of_python() -> None:
    golden, computed = json.loads(FILE.read_text("utf-8")), json.loads(json.dumps(content()))
    assert golden["words"] == computed["words"], REMEDY
    for name, packet in computed["packets"].items():
        assert views_of(golden["packets"][name]) == views_of(packet), REMEDY
    for kind in computed["maps"]:
        assert close(golden["maps"][kind], computed["maps"][kind]), REMEDY
        assert close(golden["merged"][kind], computed["merged"][kind]), REMEDY
        assert golden["metrics"][kind]["sinks"] == computed["metrics"][kind]["sinks"], REMEDY
        assert golden["metrics"][kind]["heads"].keys() == computed["metrics"][kind]["heads"].keys(), REMEDY
        for name, values in computed["metrics"][kind]["heads"].items():
            assert close(golden["metrics"][kind]["heads"][name], values), REMEDY
        for part in ("weights", "removed"):
            assert close(golden["removed"][kind][part], computed["removed"][kind][part]), REMEDY


def test_the_golden_nearest_states_are_those_of_python() -> None:
    golden, computed = (
        json.loads(fitting_cases.FILE.read_text("utf-8")),
        json.loads(json.dumps(fitting_cases.content())),
    )
    for name, case in computed["views"].items():
        assert golden["views"][name]["states"] == case["states"], "python -m tests.js.fitting_cases"
    assert (golden["defaults"], golden["head_views"]) == (computed["defaults"], computed["head_views"])
    changed = [
        case for view in computed["views"].values() for case in view["states"] if case["state"] != case["nearest"]
    ]
    fields = {name for case in changed for name in case["state"] if case["state"][name] != case["nearest"][name]}
    assert fields == {"kind", "heads", "rows", "view", "weighting", "zoom", "window", "pins"}


ROOT = Path(__file__).parents[3]
SCRIPT = """
import { filterTokens } from "./viz/components/decoding/js/sampling.js";
const { counts, rows, samplings, best } = JSON.parse(process.argv[1]);
const found = rows.map((logProbs, row) => samplings.map((sampling) => {
  const { kept, share } = filterTokens({ counts, logProbs }, sampling);
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
