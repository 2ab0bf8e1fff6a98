"""Encoder-decoders of the library whose layers are described as values: T5Gemma, and umT5 with its tables by layer."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import model
from model.checkpoints.basis.report import WITHOUT_TOKENS
from model.checkpoints.families.huggingface import stacks
from model.checkpoints.families.huggingface.stacks import agrees
from model.nn.transformer import Transformer
from tests.checkpoints.architectures import (
    ARCHITECTURES,
    SOURCE,
    TARGET,
    Architecture,
    assert_equal,
    run_original,
    save,
)

LAYERS = {
    "t5gemma": ("model.encoder.layers.0", "model.decoder.layers.1", "model.decoder.layers.1.cross_attn.q_proj"),
    "umt5": ("encoder.block.0", "decoder.block.1", "decoder.block.1.layer.1.EncDecAttention.q"),
}
"""Where the library keeps a layer of the encoder, one of the decoder, and cross-attention's queries."""


def load_both(architecture: Architecture, folder: Path) -> tuple[Any, model.Bundle]:
    original = save(architecture, folder)
    return original, model.load(folder)


@pytest.mark.nightly(but=("umt5",))
@pytest.mark.parametrize("name", LAYERS)
def test_it_is_ours_and_is_the_same_after_it_was_saved(name: str, tmp_path: Path) -> None:
    original, bundle = load_both(ARCHITECTURES[name], tmp_path / "given")
    assert isinstance(bundle.model, Transformer)
    assert bundle.report is not None and bundle.report.limitations in ((), (WITHOUT_TOKENS,))
    again = model.load(model.save(bundle, tmp_path / "saved"))
    assert again.fingerprint == bundle.fingerprint and again.config == bundle.config
    assert_equal(model.attend(again, SOURCE.numpy(), TARGET.numpy()), run_original(original, ARCHITECTURES[name]))


T5GEMMAS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "other depths and heads": ({"num_hidden_layers": 2, "layer_types": ["full_attention", "sliding_attention"]},
                               {"num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 20}),
    "biases, no caps": ({"attention_bias": True}, {"attn_logit_softcapping": None, "final_logit_softcapping": None}),
    "other vocabularies": ({"vocab_size": 60}, {}),
    "stretched positions": ({"rope_parameters": {"rope_type": "linear", "rope_theta": 500.0, "factor": 4.0}}, {}),
}  # fmt: skip
"""What the encoder and the decoder have of their own."""


def t5gemma(encoder: dict[str, Any], decoder: dict[str, Any]) -> Architecture:
    value = ARCHITECTURES["t5gemma"]
    sides = {"encoder": value.fields["encoder"] | encoder, "decoder": value.fields["decoder"] | decoder}
    return dataclasses.replace(value, fields=value.fields | sides)


@pytest.mark.nightly(but=("other depths and heads",))
@pytest.mark.parametrize("name", T5GEMMAS)
def test_every_switch_of_t5gemma_equals_the_library(name: str, tmp_path: Path) -> None:
    architecture = t5gemma(*T5GEMMAS[name])
    original, bundle = load_both(architecture, tmp_path)
    assert isinstance(bundle.model, Transformer)
    assert_equal(model.attend(bundle, SOURCE.numpy(), TARGET.numpy()), run_original(original, architecture))


def test_stacks_of_different_widths_stay_with_the_library(tmp_path: Path) -> None:
    architecture = t5gemma({"hidden_size": 24}, {})
    original, bundle = load_both(architecture, tmp_path)
    assert not isinstance(bundle.model, Transformer)
    assert_equal(model.attend(bundle, SOURCE.numpy(), TARGET.numpy()), run_original(original, architecture))


@pytest.mark.nightly(but=("umt5",))
@pytest.mark.parametrize("name", LAYERS)
def test_a_patch_equals_a_hook_on_the_librarys_modules(name: str, tmp_path: Path) -> None:
    original, bundle = load_both(ARCHITECTURES[name], tmp_path)
    encoder, decoder, query = LAYERS[name]
    width, value = bundle.config.layers(encoder=False)[1].attention.d_key, np.random.default_rng(0)
    state = value.normal(size=bundle.config.d_model).astype(np.float32)
    one = value.normal(size=width).astype(np.float32)

    def whole(_: Any, __: Any, output: Any) -> Any:
        changed = (output[0] if isinstance(output, tuple) else output).clone()
        changed[:, 2] = torch.from_numpy(state)
        return (changed, *output[1:]) if isinstance(output, tuple) else changed

    def head(_: Any, __: Any, output: torch.Tensor) -> torch.Tensor:
        changed = output.clone()
        changed[:, 2, width : 2 * width] = torch.from_numpy(one)
        return changed

    for module, hook, patch in (
        (encoder, whole, model.Patch("encoder.0.residual.after", (2,), value=state)),
        (decoder, whole, model.Patch("decoder.1.residual.after", (2,), value=state)),
        (query, head, model.Patch("decoder.1.cross.query", (2,), (1,), value=one)),
    ):
        handle = original.get_submodule(module).register_forward_hook(hook)
        with torch.inference_mode():
            expected = original(input_ids=SOURCE[:1], attention_mask=torch.ones(1, 7), decoder_input_ids=TARGET[:1],
                              use_cache=False).logits.numpy()  # fmt: skip
        handle.remove()
        changes = model.Interventions(patches=(patch,))
        ours = model.attend(bundle, SOURCE[:1].numpy(), TARGET[:1].numpy(), interventions=changes).logits
        assert ours is not None
        np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-5, err_msg=patch.name)


@pytest.mark.nightly(but=("umt5",))
@pytest.mark.parametrize("name", LAYERS)
def test_a_translation_is_what_the_library_generates(name: str, tmp_path: Path) -> None:
    original, bundle = load_both(ARCHITECTURES[name], tmp_path)
    source = SOURCE[:1]
    expected = original.generate(
        source, attention_mask=torch.ones_like(source), do_sample=False, num_beams=1, max_new_tokens=6,
        decoder_start_token_id=bundle.config.bos_id, pad_token_id=1,
        use_cache=name != "umt5",  # whose cache the library makes as deep as the encoder
    )[0].tolist()  # fmt: skip
    for cached in (True, False):
        trace = model.translate(bundle, source[0].tolist(), max_length=6, stop_loops=False, cached=cached)
        assert [*trace.prefix.ids, trace.target.ids[-1]] == expected


@pytest.mark.nightly
def test_in_low_precision_the_first_layers_of_both_stacks_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(t5gemma({"intermediate_size": 160}, {"intermediate_size": 160, "vocab_size": 90}), tmp_path)
    pairs: list[tuple[Transformer, Any]] = []
    monkeypatch.setattr(stacks, "agrees", lambda *pair: bool(pairs.append(pair)) or agrees(*pair))
    assert isinstance(model.load(tmp_path, dtype="bfloat16").model, Transformer)
    ours, expected = pairs[0]
    small, other = stacks._small(ours, expected)
    assert len(small.encoder.layers) == len(small.decoder.layers) == len(other.model.encoder.layers) == 2
    assert other.model.decoder.layers[0].mlp.down_proj.weight.shape == (16, 64)
    layer: Any = ours.encoder.layers[0]
    layer.residual_scale = 0.2
    assert not agrees(ours, expected)


def test_umt5s_encoder_alone_is_ours(tmp_path: Path) -> None:
    value = ARCHITECTURES["umt5"]
    architecture = Architecture("UMT5EncoderModel", "encoder", value.fields)
    original, bundle = load_both(architecture, tmp_path)
    assert isinstance(bundle.model, Transformer) and bundle.model.kinds == ("encoder_self",)
    assert_equal(model.attend(bundle, SOURCE.numpy(), TARGET.numpy()), run_original(original, architecture))
