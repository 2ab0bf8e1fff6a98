"""The library's encoder-decoders have every right that our own models have, and equal its modules in all of them."""

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import model
from model.checkpoints.basis.report import WITHOUT_TOKENS
from model.interventions import Interventions, PositionEdit
from model.nn.transformer import Transformer
from model.patch import Patch
from tests.checkpoint import rewrite_json
from tests.checkpoints.architectures import ARCHITECTURES, save
from tests.checkpoints.library import SEQ2SEQ, SOURCE, TARGET, make

FAMILIES = list(SEQ2SEQ)
SENTENCE = "5 6 7 8 2"
SWITCHES: list[tuple[str, dict[str, Any]]] = [
    *((kind, {"scale_embedding": yes}) for kind in ("marian", "bart", "mbart", "m2m_100") for yes in (True, False)),
    *(("marian", {"activation_function": name}) for name in ("relu", "gelu", "swish", "gelu_new", "quick_gelu")),
    ("marian", {"share_encoder_decoder_embeddings": False, "tie_word_embeddings": False, "decoder_vocab_size": 30}),
    ("bart", {"normalize_before": True, "static_position_embeddings": True}),
    ("bart", {"encoder_attention_heads": 4, "decoder_attention_heads": 4}),
    *(("t5", {"feed_forward_proj": name}) for name in ("relu", "gated-gelu", "gated-silu")),
    *((kind, {"relative_attention_num_buckets": 8, "relative_attention_max_distance": 10}) for kind in ("t5", "mt5")),
    ("t5", {"layer_norm_epsilon": 1e-3, "num_heads": 4}),
]


@pytest.mark.parametrize(("kind", "changes"), SWITCHES, ids=str)
@torch.inference_mode()
def test_every_switch_of_a_configuration_equals_the_library(kind: str, changes: dict[str, Any], tmp_path: Path) -> None:
    original = make(kind, tmp_path, **changes)
    source = torch.tensor([[5 + index * 7 % 30 for index in range(24)] + [2], [9, 10, 2] + [1] * 22])
    library = original(input_ids=source, attention_mask=(source != 1).long(), decoder_input_ids=TARGET,
                      output_attentions=True)  # fmt: skip
    bundle = model.load(tmp_path)
    assert isinstance(bundle.model, Transformer)
    assert bundle.report is not None and bundle.report.limitations == (WITHOUT_TOKENS,)
    ours: Any = model.attend(bundle, source.numpy(), TARGET.numpy())
    np.testing.assert_allclose(ours.logits, library.logits, rtol=0, atol=1e-5)
    for name, expected in (("encoder_self", library.encoder_attentions), ("decoder_self", library.decoder_attentions),
                           ("cross", library.cross_attentions)):  # fmt: skip
        np.testing.assert_allclose(getattr(ours, name), torch.stack(expected, 1), rtol=0, atol=1e-5, err_msg=name)


def test_an_unknown_activation_runs_in_the_library_and_the_report_has_the_limits(tmp_path: Path) -> None:
    make("bart", tmp_path, activation_function="laplace")
    bundle = model.load(tmp_path)
    assert bundle.report is not None and "no_patches" in bundle.report.limitations
    assert len(model.translate(bundle, SENTENCE, max_length=6).target) <= 6


def _modules(kind: str, network: Any) -> dict[str, tuple[Any, bool]]:
    """The library's module of each of our names, and whether the name is its input rather than its output."""
    if kind in ("t5", "mt5"):
        block = network.decoder.block[1].layer
        self_attention, cross, feed = block[0].SelfAttention, block[1].EncDecAttention, block[2].DenseReluDense
        parts, first = {"query": "q", "key": "k", "value": "v", "output": "o"}, network.encoder.block
    else:
        block = network.model.decoder.layers[1]
        self_attention, cross, feed = block.self_attn, block.encoder_attn, block
        parts = {"query": "q_proj", "key": "k_proj", "value": "v_proj", "output": "out_proj"}
        first = network.model.encoder.layers
    collected = {}
    for name, attention in (("self", self_attention), ("cross", cross)):
        for part, attribute in parts.items():
            collected[f"decoder.1.{name}.{part}"] = (getattr(attention, attribute), False)
        collected[f"decoder.1.{name}.mixed"] = (getattr(attention, parts["output"]), True)
    last = feed.wo if kind in ("t5", "mt5") else feed.fc2
    collected |= {"decoder.1.feed_forward.hidden": (last, True), "decoder.1.feed_forward.output": (last, False)}
    return collected | {"encoder.0.residual.after": (first[0], False), "encoder.1.residual.before": (first[1], True)}


@contextmanager
def _hook(module: Any, is_input: bool, change: Callable[[Tensor], Tensor]) -> Iterator[None]:
    def changed(value: Any) -> Any:
        return (change(value[0]), *value[1:]) if isinstance(value, tuple) else change(value)

    if is_input:
        handle = module.register_forward_pre_hook(lambda _, value: changed(value))
    else:
        handle = module.register_forward_hook(lambda _, __, value: changed(value))
    try:
        yield
    finally:
        handle.remove()


@pytest.mark.nightly(but=("bart",))
@pytest.mark.parametrize("kind", FAMILIES)
@torch.inference_mode()
def test_patches_equal_plain_hooks_on_the_librarys_modules(kind: str, tmp_path: Path) -> None:
    """Position 2 set to zero: of one head where the name has heads, of the whole vector elsewhere."""
    original = make(kind, tmp_path)
    bundle = model.load(tmp_path)
    source, target = SOURCE[:1], TARGET[:1]
    shapes = model.activation_names(bundle)
    plain = model.attend(bundle, source.numpy(), target.numpy()).logits
    assert plain is not None
    for name, (module, is_input) in _modules(kind, original).items():
        has_heads = "H" in shapes[name]
        width = original.config.d_kv if hasattr(original.config, "d_kv") else original.config.d_model // 4

        def zeroed(x: Tensor, has_heads: bool = has_heads, width: int = width) -> Tensor:
            x = x.clone()
            x[:, 2, width : 2 * width] = 0.0 if has_heads else x[:, 2, width : 2 * width]
            if not has_heads:
                x[:, 2] = 0.0
            return x

        with _hook(module, is_input, zeroed):
            expected = original(input_ids=source, decoder_input_ids=target).logits
        patch = Patch(name, positions=(2,), heads=(1,) if has_heads else None, zero=True)
        ours = model.attend(bundle, source.numpy(), target.numpy(), interventions=Interventions(patches=patch)).logits
        assert ours is not None
        np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-5, err_msg=name)
        assert np.abs(expected.numpy() - plain).max() > 1e-4, name


@pytest.mark.nightly(but=("t5",))
@pytest.mark.parametrize("kind", FAMILIES)
def test_a_saved_one_is_the_same_model(kind: str, tmp_path: Path) -> None:
    make(kind, tmp_path / "theirs")
    bundle = model.load(tmp_path / "theirs")
    again = model.load(model.save(bundle, tmp_path / "ours"))
    assert again.fingerprint == bundle.fingerprint and again.config == bundle.config
    first, second = (model.attend(item, SOURCE.numpy(), TARGET.numpy()).logits for item in (bundle, again))
    assert first is not None and second is not None
    np.testing.assert_array_equal(first, second)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["bert", "electra", "albert", "ernie", "roformer"])
@torch.inference_mode()
def test_tokens_after_a_separator_are_of_the_second_type(kind: str, tmp_path: Path) -> None:
    original = save(ARCHITECTURES[kind], tmp_path)
    rewrite_json(tmp_path / "tokenizer_config.json", sep_token="word4")
    ids = torch.tensor([[0, 5, 6, 4, 7, 8, 9, 4], [0, 5, 4, 8, 4, 1, 1, 1]])
    types = torch.tensor([[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 0, 0, 0]])
    cases: list[tuple[dict[str, Any], Tensor]] = [({}, types), ({"pairs": False}, torch.zeros_like(types))]
    for hints, expected in cases:
        bundle = model.load(tmp_path, **hints)
        reference = original(ids, attention_mask=(ids != 1).long(), token_type_ids=expected, output_attentions=True)
        ours: Any = model.attend(bundle, ids.numpy(), ids[:, :0].numpy()).encoder_self
        real = (ids != 1).numpy()[:, None, None, :, None]
        apart = np.where(real, ours - torch.stack(reference.attentions, 1).numpy(), 0)
        assert np.abs(apart).max() < 1e-5
    again = model.load(model.save(model.load(tmp_path), tmp_path / "ours"))
    assert again.config.separator_id == 4


def test_a_shift_changes_nothing_where_only_distances_count(tmp_path: Path) -> None:
    make("t5", tmp_path)
    bundle = model.load(tmp_path)
    moved = Interventions(source_positions=PositionEdit("shift", 5))
    plain, shifted = (model.score(bundle, SENTENCE, "11 12", interventions=item) for item in (model.NONE, moved))
    np.testing.assert_array_equal(plain.log_probs, dataclasses.replace(shifted).log_probs)


def test_marian_reads_beyond_the_positions_that_its_file_counts(tmp_path: Path) -> None:
    """Its table is computed, so our Transformer computes more of it; the library stops there."""
    make("marian", tmp_path)
    trace = model.translate(model.load(tmp_path), [5 + index % 30 for index in range(70)], max_length=3)
    assert len(trace.source) == 70
