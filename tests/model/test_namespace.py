"""One namespace: what explains a translation is at the top, errors have one base, earlier names still work."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import model
from model import RegardError
from model.checkpoints.basis.report import Report
from model.text.tokens import source_tokens
from tests.checkpoint import tiny_bundle


def test_what_explains_a_translation_is_at_the_top_and_takes_its_trace() -> None:
    bundle = tiny_bundle()
    off = model.Interventions(model.HeadAblation("cross", 0, 1))
    trace = model.translate(bundle, "the cat is on the sofa .", interventions=off)
    assert model.attribute(bundle, trace, method="alti").source.shape == (len(trace.target), len(trace.source))
    assert model.head_effects(bundle, trace).done == 12
    assert model.contributions(bundle, trace, step=0).values.size
    lens = model.logit_lens(bundle, trace)
    ids = (trace.source.ids, trace.prefix.ids)
    np.testing.assert_array_equal(lens.logits, model.logit_lens(bundle, ids, interventions=off).logits)
    assert not np.array_equal(lens.logits, model.logit_lens(bundle, ids).logits)


def test_every_error_of_the_library_has_one_base() -> None:
    found = {
        kind
        for module in pkgutil.walk_packages(model.__path__, "model.")
        if not module.name.startswith(("model.cli", "model.__main__")) and not module.ispkg
        for _, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
        if issubclass(kind, ValueError) and kind.__module__.startswith("model.")
    }
    assert len(found) > 20
    wrong = {kind.__name__ for kind in found if not issubclass(kind, RegardError)}
    assert wrong <= {"DifferentError", "NotOursError"}, "which never leave their package"
    with pytest.raises(RegardError):
        model.translate(tiny_bundle(), "")


def test_an_earlier_name_works_and_warns() -> None:
    bundle = tiny_bundle()
    with pytest.warns(DeprecationWarning, match="activation_names"):
        assert model.names(bundle) == model.activation_names(bundle)
    with pytest.warns(DeprecationWarning, match="message_span"):
        assert model.ChatPrompt("Hi", source_tokens(bundle, "cat"), (0, 1)).own == (0, 1)
    with pytest.warns(DeprecationWarning, match="stated"):
        assert Report("own", stated=("n_heads=4 (config.num_heads)",)).told == ("n_heads=4 (config.num_heads)",)
    with pytest.warns(DeprecationWarning, match="chrf"):
        assert model.Steered((1.0,), ("a",), (100.0,), (50.0,)).own == (100.0,)


@pytest.mark.parametrize("name", ["greedy", "beam", "sample", "forced"])
def test_steps_of_decoding_stand_in_decoding_and_at_the_top_with_a_warning(name: str) -> None:
    assert name not in model.__all__
    with pytest.warns(DeprecationWarning, match=rf"model\.{name} is now model\.decoding\.{name}"):
        assert getattr(model, name) is getattr(model.decoding, name)
