"""The Transformer keeps no state, and every option of its configuration has its documented effect."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from model.interventions import HeadOff, Interventions, PositionEdit
from model.nn.passes import Output
from model.nn.transformer import Transformer
from tests.tiny import tiny_batch, tiny_model

PAD = 0


@pytest.fixture(autouse=True)
def _without_gradients() -> Any:
    with torch.no_grad():
        yield


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.bfloat16, 3e-2)])
def test_capture_and_the_fused_kernel_give_equal_outputs(dtype: torch.dtype, tolerance: float) -> None:
    model = tiny_model().to(dtype)
    source, target = tiny_batch()
    captured, fused = model(source, target, capture=True), model(source, target)
    scale = captured.logits.float().abs().max()
    assert_close(captured.logits / scale, fused.logits / scale, atol=tolerance, rtol=0)
    assert fused.cross == () and all(weights.dtype == torch.float32 for weights in captured.cross)


@torch.enable_grad()
def test_the_path_taken_in_training_gives_the_same_outputs_and_gradients() -> None:
    model = tiny_model()
    source, target = tiny_batch()
    gradients = []
    for capture in (False, True):
        model.zero_grad()
        logits = model(source, target, capture=capture).logits
        logits.square().mean().backward()
        gradients.append([logits.detach(), *(p.grad.clone() for p in model.parameters() if p.grad is not None)])
    for plain, captured in zip(*gradients, strict=True):
        assert_close(plain, captured, atol=1e-4, rtol=1e-4)


def test_rows_sum_to_one_padding_receives_nothing_and_the_future_is_exactly_zero() -> None:
    model = tiny_model()
    source, target = tiny_batch()
    output = model(source, target, capture=True)
    hidden_source, hidden_target = (source == PAD)[:, None, None, :], (target == PAD)[:, None, None, :]
    for weights in (*output.encoder_self, *output.decoder_self, *output.cross):
        assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]), atol=1e-5, rtol=0)
    for weights in (*output.encoder_self, *output.cross):
        assert weights.masked_select(hidden_source).eq(0).all()
    for weights in output.decoder_self:
        assert weights.masked_select(hidden_target).eq(0).all()
        assert weights.masked_select(torch.ones(5, 5, dtype=torch.bool).triu(1)).eq(0).all()


@pytest.mark.parametrize("capture", [True, False])
def test_a_source_of_padding_alone_gives_numbers(capture: bool) -> None:
    model = tiny_model()
    source, target = torch.zeros(1, 4, dtype=torch.long), torch.tensor([[2, 5]])
    output = model(source, target, capture=capture)
    assert output.logits.isfinite().all()
    assert all(weights.eq(0).all() for weights in output.cross)


def test_without_the_target_padding_mask_padded_keys_are_seen() -> None:
    _source, target = tiny_batch()
    output = tiny_model(mask_target_padding=False)(*tiny_batch(), capture=True)
    last_row = output.decoder_self[0][1, :, -1]
    assert (last_row[:, target[1] == PAD] > 0).all()


OPTIONS: list[dict[str, Any]] = [
    {"d_key": 5, "d_value": 3},
    {"n_encoder_heads": 4, "n_decoder_heads": 2},
    {"n_encoder_layers": 1, "n_decoder_layers": 3},
    {"encoder_norm_first": False, "decoder_norm_first": True},
    {"encoder_final_norm": False, "decoder_final_norm": False},
    {"embedding_norm": True, "norm_epsilon": 1e-6},
    {"norm_kind": "annotated"},
    {"attention_bias": False, "feed_forward_bias": False, "output_bias": True},
    {"activation": "gelu"},
    {"embedding_scale": 1.0, "output_scale": 0.25},
    {"output_log_softmax": True},
    {"tie_embeddings": False, "tie_output": False, "target_vocab_size": 23},
    {"tie_embeddings": False, "target_vocab_size": 23},
    {"encoder_residual_scale": 1.2, "decoder_residual_scale": 1.3},
    {"positions": "halves"},
    {"positions": "learned", "position_offset": 2},
    {"positions": "none"},
    {"source_position_order": (1, 2, 3, 4, 0), "target_position_order": (5, 1, 2, 3, 4)},
    {"mask_target_padding": False},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_option_works_captured_fused_and_cached(options: dict[str, Any]) -> None:
    model = tiny_model(**options)
    source, target = tiny_batch()
    captured = model(source, target, capture=True)
    assert_close(model(source, target).logits, captured.logits, atol=2e-4, rtol=1e-4)
    for is_trained in (True, False):  # with a gradient through the layers as they are, without through OneTokenLayer
        with torch.set_grad_enabled(is_trained):
            stepped, self_attention, cross = decode_stepwise(model, source, target)
        assert stepped.requires_grad == is_trained
        assert_close(stepped, captured.logits, atol=2e-4, rtol=1e-4)
        assert_close(self_attention, captured.decoder_self[-1][:, :, -1:], atol=1e-5, rtol=0)
        assert_close(cross, captured.cross[-1], atol=1e-5, rtol=0)


def decode_stepwise(model: Transformer, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Run the decoder one token at a time with the cache.

    Returns:
        Logits (B, T, V); the last layer's last row of self-attention, (B, H, 1, T); and all of the last layer's
        cross-attention, (B, H, T, S).
    """
    encoded, cache, logits, self_attention, rows = model.encode(source), None, [], torch.empty(0), []
    for step in range(target.shape[1]):
        decoded = model.decode(target[:, step : step + 1], encoded, cache=cache, keep_cache=True, capture=True)
        cache, self_attention = decoded.cache, decoded.self_attention[-1]
        logits.append(model.project(decoded.hidden[:, 0], getattr(cache, "layout", None)))
        rows.append(decoded.cross[-1])
    return torch.stack(logits, 1), self_attention, torch.cat(rows, 2)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_option_changes_the_answer(options: dict[str, Any]) -> None:
    source, target = tiny_batch()
    plain, changed = tiny_model()(source, target).logits, tiny_model(**options)(source, target).logits
    if plain.shape == changed.shape:
        assert not torch.allclose(plain, changed, atol=1e-4)
    else:
        assert changed.shape[-1] == 23


def first_layer(model: Transformer) -> Any:
    return model.encoder.layers[0]


def test_residual_scale_and_output_scale_equal_arithmetic_by_hand() -> None:
    source, target = tiny_batch()
    plain, scaled = tiny_model(), tiny_model(output_scale=0.25)
    assert_close(scaled(source, target).logits, plain(source, target).logits * 0.25)
    logged = tiny_model(output_log_softmax=True)
    assert_close(logged(source, target).logits, plain(source, target).logits.log_softmax(-1))
    deep = tiny_model(encoder_residual_scale=1.5)
    layer, x = first_layer(deep), torch.randn(1, 4, 16)
    y = layer.self_attention_norm(x)
    keys, values = layer.self_attention.keys_values(y)
    x1 = 1.5 * x + layer.self_attention(y, keys, values, None)[0]
    x2 = 1.5 * x1 + layer.feed_forward(layer.feed_forward_norm(x1))
    assert_close(layer(x, None)[0], x2)


def test_the_annotated_norm_divides_by_the_unbiased_deviation_plus_epsilon() -> None:
    model = tiny_model(norm_kind="annotated", norm_epsilon=1e-2)
    norm, x = first_layer(model).self_attention_norm, torch.randn(2, 3, 16)
    deviation = ((x - x.mean(-1, keepdim=True)) ** 2).sum(-1, keepdim=True).div(15).sqrt()
    expected = norm.weight * (x - x.mean(-1, keepdim=True)) / (deviation + 1e-2) + norm.bias
    assert_close(norm(x), expected)


def test_a_single_token_and_512_tokens_work() -> None:
    model = tiny_model(max_positions=64)
    for n in (1, 512):
        output = model(torch.full((1, n), 5), torch.full((1, n), 6), capture=True)
        assert output.cross[0].shape == (1, 2, n, n) and output.logits.isfinite().all()


def test_forward_leaves_nothing_on_the_model() -> None:
    model = tiny_model()
    before = {name: (id(module), tuple(vars(module))) for name, module in model.named_modules()}
    state = {name: value.clone() for name, value in model.state_dict().items()}
    edit = Interventions((HeadOff("cross", 0, 1),), source_positions=PositionEdit("reverse"), lift_causal_mask=True)
    model(*tiny_batch(), capture=True, interventions=edit)
    assert before == {name: (id(module), tuple(vars(module))) for name, module in model.named_modules()}
    for name, value in model.state_dict().items():
        assert torch.equal(value, state[name])


@pytest.mark.nightly
def test_threads_sharing_a_model_never_see_each_others_interventions() -> None:
    model, (source, target) = tiny_model(), tiny_batch()
    sets = [
        None,
        Interventions((HeadOff("cross", 1, 0),)),
        Interventions((HeadOff("encoder_self", 0, 1, "uniform"),)),
        Interventions(source_positions=PositionEdit("shuffle", 3)),
        Interventions(lift_causal_mask=True),
    ]

    def run(index: int) -> Output:
        with torch.no_grad():
            return model(source, target, capture=True, interventions=sets[index % len(sets)])

    alone = [run(index) for index in range(len(sets))]
    assert not torch.equal(alone[0].logits, alone[1].logits)
    with ThreadPoolExecutor(8) as pool:
        for index, output in enumerate(pool.map(run, range(60))):
            expected = alone[index % len(sets)]
            assert torch.equal(output.logits, expected.logits)
            for mine, other in zip(output.cross, expected.cross, strict=True):
                assert torch.equal(mine, other)


def test_dropout_acts_in_training_only_and_captured_weights_are_from_before_it() -> None:
    model, (source, target) = tiny_model(dropout=0.3, attention_dropout=0.5, feed_forward_dropout=0.2), tiny_batch()
    calm = model(source, target)
    assert torch.equal(calm.logits, model(source, target).logits)
    model.train()
    noisy = model(source, target, capture=True)
    assert not torch.allclose(noisy.logits, calm.logits, atol=1e-3)
    assert_close(noisy.cross[0].sum(-1), torch.ones(noisy.cross[0].shape[:-1]), atol=1e-5, rtol=0)
