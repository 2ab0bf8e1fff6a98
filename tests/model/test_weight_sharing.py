"""The overview reads which weights are shared from the model's own tensors."""

import numpy as np
import pytest

import model
from model.nn.transformer import Transformer
from model.teaching.weight_sharing import weight_sharing
from tests.checkpoint import tiny_bundle


@pytest.mark.parametrize("tie_output", [True, False])
def test_a_tied_output_is_told_from_one_of_its_own_and_layers_are_never_the_same(tie_output):
    bundle = tiny_bundle(tie_output=tie_output)
    network = bundle.model
    assert isinstance(network, Transformer)
    found = weight_sharing(bundle, model.translate(bundle, "the cat is on the sofa ."))
    assert found is not None
    table = network.decoder.embedding.weight.detach()
    assert (found.is_output_tied, found.n_entries) == (tie_output, table.numel())
    assert found.deviation == pytest.approx(float(table.std()))
    assert np.allclose(np.diag(found.cosines), 1, atol=1e-5)
    assert np.abs(found.cosines[0, 1:]).max() < 0.9


def test_entries_of_the_size_of_one_over_the_root_keep_the_scores_of_the_size_of_one():
    bundle = model.load()
    found = weight_sharing(bundle, model.translate(bundle, "The man bites the dog."))
    assert found is not None and found.is_output_tied and found.is_input_shared
    assert found.unit == pytest.approx(bundle.config.d_model**-0.5)
    assert 0.5 < found.deviation / found.unit < 2
    assert 0.3 < found.logit_deviation < 3 < found.logit_deviation / found.unit
    assert np.abs(found.cosines - np.eye(len(found.cosines))).max() < 0.05
