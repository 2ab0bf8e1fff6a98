"""A sweep is one intervention after another: each cell is what the pass with that change alone gives."""

from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

import model
from model.inference.teacher_forcing import teacher_forced
from model.interpret.causal import read_pair
from model.interpret.tracing.pair_reading import name_of_cell

PAIRS = [("She is tired.", "He is tired."), ("The old woman is tired.", "The old man is tired.")]
SITES = ("encoder.*.residual.after", "encoder.0.self.mixed", "decoder.*.residual.*", "decoder.1.cross.output",
         "decoder.0.cross.value", "decoder.final_norm", "encoder.embedding")  # fmt: skip


@pytest.fixture(scope="module")
def bundle() -> model.Bundle:
    return model.load("tiny")


def by_hand(bundle: model.Bundle, pair: Any, name: str, patch: model.Patch | None) -> float:
    edits = model.NONE if patch is None else model.Interventions(patches=patch)
    with torch.inference_mode():
        logits = teacher_forced(bundle, [pair.fed[1]], interventions=edits).logits[0, -1]
    return float(logits[pair.word_id] - logits[pair.rival_id])


@pytest.mark.nightly
def test_every_cell_is_the_margin_of_a_pass_with_that_patch_alone(bundle: model.Bundle) -> None:
    swept = model.sweep(bundle, PAIRS, sites=SITES)
    assert swept.metric == "margin" and swept.effects.shape[:2] == (2, len(swept.sites))
    for index, texts in enumerate(PAIRS):
        pair = read_pair(bundle, *texts)
        assert swept.distance[index] == pytest.approx(pair.distance, abs=1e-4)
        with torch.inference_mode():
            value = teacher_forced(bundle, [pair.fed[0]], record=swept.sites).recorded
        plain = by_hand(bundle, pair, "", None)
        for row, name in enumerate(swept.sites):
            is_source = name.startswith("encoder") or name.endswith("cross.value")
            places = dict(pair.places("encoder" if is_source else "decoder"))
            for place in range(swept.effects.shape[2]):
                if place not in places:
                    assert np.isnan(swept.effects[index, row, place])
                    continue
                patch = model.Patch(name, (place,), value=value[name][0][..., [places[place]], :].numpy())
                expected = by_hand(bundle, pair, name, patch) - plain
                assert swept.effects[index, row, place] == pytest.approx(expected, abs=2e-4), (name, place)


def test_a_causal_map_is_a_sweep_over_its_activations(bundle: model.Bundle) -> None:
    whole = model.causal_map(bundle, first=PAIRS[0][0], second=PAIRS[0][1])
    for component in ("encoder.residual", "decoder.cross", "decoder.feed_forward"):
        rows = range(len(whole.effects[component]))
        swept = model.sweep(bundle, PAIRS[:1], sites=[name_of_cell(component, row) for row in rows])
        by_name = dict(zip(swept.sites, swept.effects[0], strict=True))
        for row, cells in enumerate(whole.effects[component]):
            np.testing.assert_allclose(by_name[name_of_cell(component, row)], cells, atol=2e-4)


@pytest.mark.nightly
def test_a_decoder_only_model_is_swept_too() -> None:
    bundle = model.load("tiny-decoder")
    pair = ("The old woman who lives in", "The old man who lived in")
    try:
        expected = model.causal_map(bundle, first=pair[0], second=pair[1])
    except model.CausalError:
        pytest.skip("both prompts go on in the same way")
    swept = model.sweep(bundle, [pair])
    np.testing.assert_allclose(swept.effects[0], expected.effects["decoder.residual"][1:], atol=2e-4)


@pytest.mark.parametrize("metric", ["log_prob", "kl"])
def test_single_texts_are_scored_over_their_translation(bundle: model.Bundle, metric: Any) -> None:
    trace = model.translate(bundle, "The cat is sleeping.")
    direction: Any = np.linspace(-1, 1, bundle.config.d_model)
    changes: dict[str, dict[str, Any]] = {"zero": {"zero": True}, "add": {"add": direction}}
    for change, patch in changes.items():
        swept = model.sweep(
            bundle, [trace, "She is tired."], metric=metric, change="zero" if change == "zero" else direction,
            positions=[0, -1],
        )  # fmt: skip
        assert np.isnan(swept.distance).all() and swept.positions == ("0", "-1")
        for row, name in enumerate(swept.sites):
            for column, place in enumerate((0, len(trace.prefix) - 1)):
                off = model.Interventions(patches=model.Patch(name, (place,), **patch))
                with torch.inference_mode():
                    unchanged, changed = (
                        teacher_forced(bundle, [trace], interventions=edits).logits[0].log_softmax(-1)
                        for edits in (model.NONE, off)
                    )
                ids = list(trace.target.ids)
                steps = range(len(ids))
                if metric == "kl":
                    expected = (unchanged.exp() * (unchanged - changed)).sum(-1).mean()
                else:
                    expected = changed[steps, ids].sum() - unchanged[steps, ids].sum()
                assert swept.effects[0, row, column] == pytest.approx(float(expected), abs=2e-4)


def test_a_change_may_be_a_function_a_mean_or_under_a_head_that_is_off(bundle: model.Bundle) -> None:
    def without(site: str, position: int) -> list[model.HeadAblation]:
        return [model.HeadAblation("decoder_self", int(site.split(".")[1]), position)]

    text = "The cat is sleeping."
    swept = model.sweep(bundle, [text], sites="decoder.*.self.output", positions=range(2), change=without)
    trace = model.translate(bundle, text)
    for layer, head in product(range(2), range(2)):
        off = model.score(bundle, text, trace.target.ids, interventions=model.HeadAblation("decoder_self", layer, head))
        assert swept.effects[0, layer, head] == pytest.approx(float((off.log_probs - trace.log_probs).sum()), abs=1e-3)
    means = model.sweep(bundle, [text, "She is tired."], sites="decoder.0.self.mixed", change="mean", positions=[1])
    assert np.isfinite(means.effects).all() and np.abs(means.effects).max() > 0
    base = model.translate(bundle, text, interventions=model.HeadAblation("cross", 0, 0))
    under = model.sweep(bundle, [base], change="zero", positions=[0])
    assert under.base[0] == pytest.approx(float(base.log_probs.sum()), abs=1e-3)


def test_phrases_frames_and_intervals(bundle: model.Bundle) -> None:
    pairs = [("The old woman is tired.", "The old man is tired."), ("A woman is here.", "A man is here.")]
    swept = model.sweep(bundle, pairs, sites="encoder.*.residual.after", positions=["man", 0])
    assert np.isfinite(swept.effects).all() and swept.positions == ("man", "0")
    frame = swept.to_frame()
    assert len(frame) == swept.effects.size and set(frame["token"]) >= {"man"}
    assert frame.loc[frame["position"] == "0", "token"].tolist()[0] == "▁The"
    interval = swept.interval()[0][0]
    assert interval is not None and interval.low <= interval.mean <= interval.high
    assert interval.mean == pytest.approx(swept.mean[0, 0])
    numbers = [first for first, _ in zip(swept.effects[:, 0, 0], range(2), strict=True)]
    assert interval.low >= min(numbers) - 1e-6 and interval.high <= max(numbers) + 1e-6
    custom = model.sweep(bundle, pairs, sites="decoder.0.residual.after", metric=lambda logits: logits[:, -1, 5])
    assert custom.metric == "<lambda>" and np.isnan(custom.distance).all()


@pytest.mark.parametrize(
    ("pairs", "options", "message"),
    [
        ([], {}, "there are no sentences"),
        (["The cat is sleeping."], {}, "the change 'patch' needs two sentences"),
        (["The cat is sleeping."], {"change": "zero", "metric": "margin"}, "the metric 'margin' needs two sentences"),
        (PAIRS, {"metric": "loss"}, "there is no metric 'loss'"),
        (PAIRS, {"change": "noise"}, "there is no change 'noise'"),
        (PAIRS, {"sites": "logits"}, "can be recorded but not changed"),
        (PAIRS, {"positions": ["dog"]}, "no sentence has the position 'dog'"),
    ],
)
def test_impossible_sweeps_are_refused(bundle: model.Bundle, pairs: Any, options: Any, message: str) -> None:
    with pytest.raises(model.SweepError, match=message):
        model.sweep(bundle, pairs, **options)
