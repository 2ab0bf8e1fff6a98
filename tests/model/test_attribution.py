"""Value-weighted norms, gradient × attention, and their shares."""

import dataclasses
from typing import Any

import numpy as np
import pytest
import torch

import model
from model.bundle import Bundle
from model.interpret.attribution import (
    AttributionError,
    gradient_attention,
    share_of_head,
    share_of_row,
    value_weighted,
)
from model.interventions import KINDS
from model.trace import AttentionMaps, Trace
from tests.tiny import bundle_of_ids

TARGET = (7, 11, 3)


def model_and_trace(**changes: Any) -> tuple[Bundle, Trace]:
    bundle = bundle_of_ids(**changes)
    return bundle, model.score(bundle, (5, 9, 4, 3), TARGET)


def test_gradients_are_of_the_predicted_word_by_default() -> None:
    bundle, trace = model_and_trace()
    gradients = gradient_attention(bundle, trace, step=1)
    assert (gradients.token_id, gradients.step) == (TARGET[1], 1)
    assert gradients.log_prob == pytest.approx(float(trace.log_probs[1]), abs=1e-5)
    assert gradients.maps.cross is not None and gradients.maps.decoder_self is not None
    assert not gradients.maps.cross[:, :, 2].any()
    assert not gradients.maps.decoder_self[:, :, 2].any()
    assert gradients.maps.cross[:, :, 1].any()
    # The last layer's earlier rows cannot influence the word.
    assert not gradients.maps.cross[-1, :, 0].any()


def test_a_rival_takes_its_own_gradient_away() -> None:
    bundle, trace = model_and_trace()
    first, second, both = (
        gradient_attention(bundle, trace, step=2, token_id=word, rival_id=rival).maps.cross
        for word, rival in ((5, None), (6, None), (5, 6))
    )
    assert first is not None and second is not None and both is not None
    assert both == pytest.approx(first - second, abs=1e-6)


def test_attribution_leaves_the_model_as_it_was() -> None:
    bundle, trace = model_and_trace()
    before = {name: value.clone() for name, value in bundle.model.state_dict().items()}
    gradient_attention(bundle, trace, step=0)
    value_weighted(bundle, trace)
    assert all(parameter.grad is None for parameter in bundle.model.parameters())
    assert all(torch.equal(before[name], value) for name, value in bundle.model.state_dict().items())


def test_gradients_work_inside_inference_code_without_gradients() -> None:
    bundle, trace = model_and_trace()
    with torch.no_grad():
        gradients = gradient_attention(bundle, trace, step=0)
    assert gradients.maps.cross is not None and gradients.maps.cross.any()


def test_impossible_attributions_are_refused() -> None:
    bundle, trace = model_and_trace()
    with pytest.raises(AttributionError, match="choose 0 to 2"):
        gradient_attention(bundle, trace, step=3)
    with pytest.raises(AttributionError, match="0 to 19"):
        gradient_attention(bundle, trace, step=0, token_id=20)
    reader = dataclasses.replace(trace, attention=AttentionMaps(trace.attention.encoder_self, None, None))
    with pytest.raises(AttributionError, match="predicts no words"):
        gradient_attention(bundle, reader, step=0)
    with pytest.raises(AttributionError, match="does not expose"):
        other: Any = object()
        value_weighted(dataclasses.replace(bundle, model=other), trace)


def test_frozen_parameters_have_the_same_gradients_of_attention() -> None:
    bundle, trace = model_and_trace()
    free = gradient_attention(bundle, trace, step=1)
    bundle.model.requires_grad_(False)
    frozen = gradient_attention(bundle, trace, step=1)
    for kind in KINDS:
        left, right = frozen.maps.of(kind), free.maps.of(kind)
        assert left is not None and right is not None
        np.testing.assert_allclose(left, right, atol=1e-7)
    assert not any(parameter.requires_grad for parameter in bundle.model.parameters())


@pytest.mark.parametrize(
    ("share", "expected"), [(share_of_row, [[0.25, 0.75], [0.0, 1.0]]), (share_of_head, [[0.25, 0.75], [0.0, 0.5]])]
)
def test_shares_are_of_a_row_or_of_a_head_and_zeros_stay_zeros(share: Any, expected: list[list[float]]) -> None:
    maps = AttentionMaps(
        None, None, np.array([[[[1.0, -3.0], [0.0, 2.0]], [[0.0, 0.0], [0.0, 0.0]]]], dtype=np.float32)
    )
    shares = share(maps)
    assert shares.kinds == ("cross",) and shares.cross is not None
    assert shares.cross[0].tolist() == [expected, [[0.0, 0.0], [0.0, 0.0]]]
