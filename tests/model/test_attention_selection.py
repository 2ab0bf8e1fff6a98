"""Some layers, heads and rows of the weights, or means over blocks: the same numbers as of all of them."""

from typing import Any

import numpy as np
import pytest
import torch

import model
from model.nn.attention_selection import SelectionError, in_parts
from tests.checkpoint import tiny_bundle

SOURCE = [list(range(3, 15)), list(range(5, 12))]
TARGET = [[1, *range(4, 12)], [1, 5, 6]]


@pytest.fixture(scope="module")
def bundle() -> model.Bundle:
    return tiny_bundle(seed=3)


@pytest.mark.parametrize(("rows", "edges"), [(None, ((0, 5), (5, 10), (10, 12))), ((3, 11), ((3, 8), (8, 11)))])
def test_blocks_are_means_over_queries_of_sums_over_keys_and_begin_with_the_first_row(
    bundle: model.Bundle, rows: tuple[int, int] | None, edges: tuple[tuple[int, int], ...]
) -> None:
    only = model.AttentionSelection(block=5, rows=rows)
    whole = model.attend(bundle, SOURCE[:1], TARGET[:1]).encoder_self
    result = model.attend(bundle, SOURCE[:1], TARGET[:1], only=only).encoder_self
    assert whole is not None and result is not None
    columns = ((0, 5), (5, 10), (10, 12))
    expected = [[whole[..., a:b, c:d].sum(-1).mean(-1) for c, d in columns] for a, b in edges]
    np.testing.assert_allclose(np.moveaxis(np.array(expected), (0, 1), (-2, -1)), result, rtol=0, atol=1e-6)
    np.testing.assert_allclose(result.sum(-1), 1, atol=1e-5)


def test_rows_are_computed_a_few_at_a_time() -> None:
    seen: list[tuple[int, int]] = []

    def attend(first: int, end: int) -> tuple[torch.Tensor, torch.Tensor]:
        seen.append((first, end))
        return torch.zeros(1, 2, end - first, 3), torch.full((1, 2, end - first, 40_000), 1 / 40_000)

    _, retained = in_parts(model.AttentionSelection(block=10_000), 100, 40_000, 2, attend)
    assert seen[0] == (0, 16) and seen[-1] == (96, 100)
    assert retained.shape == (1, 2, 1, 4)
    torch.testing.assert_close(retained, torch.full_like(retained, 0.25))


@pytest.mark.parametrize(("wrong", "message"), [
    ({"layers": (2,)}, "has no layer 2: its layers go from 0 to 1"), ({"heads": (0, 2)}, "has no head 2"),
    ({"rows": (12, 13), "kinds": ("encoder_self",)}, "beyond the text"), ({"rows": (90, 95)}, "beyond the text"),
])  # fmt: skip
def test_missing_layers_heads_and_rows_are_refused(bundle: model.Bundle, wrong: dict, message: str) -> None:
    with pytest.raises(SelectionError, match=message):
        model.attend(bundle, SOURCE, TARGET, only=model.AttentionSelection(**wrong))
    empties: tuple[dict[str, Any], ...] = ({"layers": ()}, {"rows": (3, 3)}, {"block": 0})
    for empty in empties:
        with pytest.raises(SelectionError, match="must be"):
            model.AttentionSelection(**empty)


def test_one_number_numpys_and_repeated_ones_select_as_a_tuple_does() -> None:
    same = model.AttentionSelection(layers=(1,), heads=(0, 1), rows=(0, 2))
    fields: Any = {"layers": 1, "heads": np.array([1, 0, 1]), "rows": (np.int64(0), np.int64(2))}
    assert model.AttentionSelection(**fields) == same
    for wrong in (True, "1", -1, (0, 1.5), object()):
        with pytest.raises(SelectionError, match="must be numbers from 0"):
            model.AttentionSelection(heads=wrong)  # type: ignore[arg-type]


def test_results_as_tensors_stay_on_the_models_device(bundle: model.Bundle) -> None:
    arrays = model.attend(bundle, SOURCE, TARGET)
    tensors: Any = model.attend(bundle, SOURCE, TARGET, as_tensors=True)
    for name in ("encoder_self", "decoder_self", "cross", "logits"):
        tensor, array = getattr(tensors, name), getattr(arrays, name)
        assert isinstance(tensor, torch.Tensor) and tensor.device == bundle.device and tensor.dtype == torch.float32
        np.testing.assert_array_equal(tensor.numpy(), array)
        assert not tensor.is_inference(), "it may be differentiated through"
    trace = model.translate(bundle, "the cat is on the sofa .")
    many: tuple[Any, ...] = ({}, {"gradients_of": 0})
    for options in many:
        recorded = model.record(bundle, trace, names="*.residual.after", **options)
        retained = model.record(bundle, [trace], names="*.residual.after", as_tensors=True, **options)[0]
        assert isinstance(retained, model.Recording)
        for name, array in recorded.items():
            assert isinstance(retained[name], torch.Tensor)
            np.testing.assert_array_equal(np.asarray(retained[name]), array)
        for name, array in recorded.gradients.items():
            np.testing.assert_array_equal(np.asarray(retained.gradients[name]), array)


def test_logits_count_in_the_estimated_memory(bundle: model.Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[float] = []
    monkeypatch.setattr("model.inference.memory.check", lambda needed, what, *, remedy: calls.append(needed))
    only = model.AttentionSelection(kinds=("cross",), layers=0, heads=0)  # type: ignore[arg-type]
    model.attend(bundle, SOURCE, TARGET, only=only)
    model.attend(bundle, SOURCE, TARGET, only=only, logits=False)
    assert calls[0] - calls[-1] == 4 * 2 * 9 * bundle.config.target_vocab_size
