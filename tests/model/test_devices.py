"""Everything that runs a model uses the model's device and precision."""

import copy
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np
import pytest
import torch

import model
from model import Bundle, Trace
from model.corpus.metrics import corpus_metrics
from model.inference.tree_search import beam_tree
from model.interpret.ablation import corpus_effects_as_they_come, head_effects
from model.interpret.attribution import gradient_attention, value_weighted
from model.interpret.contrast import contrast, source_contribution
from model.interpret.inspection import inspect_head
from model.interpret.residual_stream import context_drift, logit_lens, untrained_weights
from model.interventions import KINDS, BlockedKey, ForcedRow, HeadAblation, Interventions, PositionEdit
from model.teaching.masks import future_effect, padding_effect
from model.teaching.optimisation import gradient_norms
from model.teaching.position_properties import order_effect, shift_effect
from model.teaching.teacher_forcing import teacher_forcing
from model.text.pairs import Pair
from model.training.evaluation import target_loss
from model.training.precision import take_device
from tests.far_device import FAR, far_device
from tests.tiny import bundle_of_ids

PLACES = [("cpu", torch.bfloat16)]
if torch.cuda.is_available():
    PLACES += [("cuda", torch.float32), ("cuda", torch.bfloat16)]
OWN_MODEL = {"untrained", "first gradients"}
"""Readings that build a model of the same shape, on the CPU whatever the bundle's device."""
TEXT, TARGET = "#5 #6 #7 #8", "#9 #10 #11"
EDITED = Interventions(
    (HeadAblation("cross", 0, 1, "uniform"), HeadAblation("encoder_self", 1, 0)),
    (ForcedRow("cross", 1, 0, 1, (0.5, 0.5)),),
    (BlockedKey("decoder_self", 0, query=2),),
    PositionEdit("shuffle", 3),
)
Reading = Callable[[Bundle, Trace], Any]
READINGS: dict[str, Reading] = {
    "greedy": lambda bundle, _: model.translate(bundle, TEXT, max_length=5),
    "greedy, edited": lambda bundle, _: model.translate(bundle, TEXT, max_length=5, interventions=EDITED),
    "uncached": lambda bundle, _: model.translate(bundle, TEXT, max_length=5, cached=False),
    "beam": lambda bundle, _: model.translate(bundle, TEXT, method="beam", max_length=5),
    "sample": lambda bundle, _: model.translate(bundle, TEXT, method="sample", max_length=5),
    "beam tree": lambda bundle, _: beam_tree(bundle, TEXT, max_length=4),
    "score": lambda bundle, _: model.score(bundle, TEXT, TARGET, interventions=EDITED),
    "attend": lambda bundle, _: model.attend(bundle, [[5, 6, 3], [7, 3]], [[2, 5], [2]]),
    "many texts": lambda bundle, _: list(model.translate_texts(bundle, [TEXT, "#5 #6"])),
    "ablation": lambda bundle, trace: head_effects(bundle, trace),
    "source contribution": lambda bundle, trace: source_contribution(bundle, trace),
    "contrast": lambda bundle, trace: contrast(bundle, trace, step=1, rival_id=15),
    "value-weighted": lambda bundle, trace: value_weighted(bundle, trace),
    "gradient": lambda bundle, trace: gradient_attention(bundle, trace, step=1),
    "logit lens": lambda bundle, _: logit_lens(bundle, ((5, 6, 3), (2, 7))),
    "context drift": lambda bundle, _: context_drift(bundle, ((5, 6, 3), ())),
    "untrained": lambda bundle, _: untrained_weights(bundle, ((5, 3), (2, 7)), seed=1),
    "padding": lambda bundle, _: padding_effect(bundle, texts=(TEXT, "#5")),
    "future": lambda bundle, _: future_effect(bundle, source_ids=(5, 3), target_ids=(7, 8, 3), layer=0, head=1),
    "order": lambda bundle, _: order_effect(bundle, source_ids=(5, 6, 7, 3), n_fixed=1, seed=0),
    "shift": lambda bundle, _: shift_effect(bundle, source=TEXT, target=TARGET, shifts=(0, 5)),
    "teacher forcing": lambda bundle, _: teacher_forcing(bundle, TEXT, TARGET),
    "first gradients": lambda bundle, _: gradient_norms(bundle, seed=0),
    "corpus": lambda bundle, _: corpus_metrics(bundle, [TEXT, "#5 #6"]),
    "loss": lambda bundle, _: target_loss(bundle, [Pair(TEXT, TARGET)]),
    "corpus ablation": lambda bundle, _: list(
        corpus_effects_as_they_come(bundle, [TEXT], [TARGET], kinds=("cross",))
    ),
} | {
    f"inspection of {kind}": partial(
        lambda kind, bundle, _: inspect_head(
            bundle, ((5, 6, 3), (2, 7)), kind=kind, layer=1, head=1,
            interventions=EDITED.within(n_source=3, n_target=2),
        ),
        kind,
    )
    for kind in KINDS
}  # fmt: skip


def model_and_trace() -> tuple[Bundle, Trace]:
    bundle = bundle_of_ids()
    return bundle, model.score(bundle, TEXT, TARGET)


@pytest.mark.nightly("corpus ablation", "padding", "corpus")
@pytest.mark.parametrize("name", [name for name in READINGS if name not in OWN_MODEL])
def test_no_reading_builds_a_tensor_on_another_device(name: str) -> None:
    bundle, trace = model_and_trace()
    near = READINGS[name](copy.deepcopy(bundle), trace)
    with far_device(cast(Any, bundle.model)):
        assert bundle.device == FAR
        far = READINGS[name](bundle, trace)
    assert type(far) is type(near)
    if isinstance(near, Trace):
        assert near.target.ids == far.target.ids
        np.testing.assert_allclose(near.log_probs, far.log_probs, atol=1e-5)


def test_the_pretended_device_refuses_a_tensor_of_another() -> None:
    bundle, _ = model_and_trace()
    with far_device(cast(Any, bundle.model)), pytest.raises(RuntimeError, match="not on the model's device"):
        bundle.model.encode(torch.tensor([[5, 6, 3]]))


@pytest.mark.parametrize(("device", "dtype"), PLACES, ids=str)
@pytest.mark.parametrize("name", READINGS)
def test_every_reading_works_on_every_device_and_in_bfloat16(name: str, device: str, dtype: torch.dtype) -> None:
    bundle, trace = model_and_trace()
    bundle.model.to(device, dtype)
    READINGS[name](bundle, trace)


def test_a_process_that_trains_on_the_processor_takes_it() -> None:
    assert take_device("cpu") == torch.device("cpu")
