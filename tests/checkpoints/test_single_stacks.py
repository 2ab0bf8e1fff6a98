"""Decoder-only and encoder-only models of the library are our own Transformer: saved, patched, recorded and explained
like it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

import model
from model.nn.transformer import Transformer
from tests.checkpoints.architectures import (
    ARCHITECTURES,
    IS_REAL,
    SOURCE,
    TARGET,
    assert_equal,
    differences,
    run_original,
    save,
)

LAYERS = {
    "gpt2": "transformer.h", "gpt_neo": "transformer.h", "gptj": "transformer.h", "codegen": "transformer.h",
    "gpt_neox": "gpt_neox.layers", "opt": "model.decoder.layers", "biogpt": "biogpt.layers", "bloom": "transformer.h",
    "mpt": "transformer.blocks", "llama": "model.layers", "llama 3": "model.layers", "mistral": "model.layers",
    "qwen2": "model.layers", "qwen3": "model.layers", "smollm3": "model.layers", "gemma": "model.layers",
    "gemma2": "model.layers", "gemma3_text": "model.layers", "olmo": "model.layers", "olmo2": "model.layers",
    "phi": "model.layers", "phi3": "model.layers", "cohere": "model.layers", "granite": "model.layers",
    "starcoder2": "model.layers", "persimmon": "model.layers", "falcon": "transformer.h",
    "gpt_bigcode": "transformer.h", "xglm": "model.layers",
}  # fmt: skip
"""Each decoder that is ours, and where the library keeps its layers."""
IDS = TARGET[0].tolist()


@pytest.mark.nightly(but=("gpt2",))
@pytest.mark.parametrize("name", LAYERS)
def test_a_decoder_is_ours_and_is_the_same_after_it_was_saved(name: str, tmp_path: Path) -> None:
    architecture = ARCHITECTURES[name]
    expected = run_original(save(architecture, tmp_path / "given"), architecture)
    bundle = model.load(tmp_path / "given")
    assert isinstance(bundle.model, Transformer)
    again = model.load(model.save(bundle, tmp_path / "saved"))
    assert again.fingerprint == bundle.fingerprint and again.config == bundle.config
    assert_equal(model.attend(again, TARGET.numpy(), TARGET.numpy()), expected)


def test_biases_of_the_attention_bring_none_to_the_feed_forward_network(tmp_path: Path) -> None:
    save(ARCHITECTURES["qwen2"], tmp_path)
    names = [name.partition("layers.0.")[2] for name in model.load(tmp_path).model.state_dict() if ".layers.0." in name]
    assert "self_attention.query.bias" in names
    feed_forward = [name for name in names if name.startswith("feed_forward.")]
    assert feed_forward and not [name for name in feed_forward if name.endswith("bias")]


@pytest.mark.nightly(but=("gpt2",))
@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_a_folder_as_the_library_writes_it_opens_without_the_librarys_slower_way(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(ARCHITECTURES[name], tmp_path)
    monkeypatch.setattr(transformers.PreTrainedModel, "from_pretrained", None)
    assert model.load(tmp_path).family == f"huggingface/{name}"


LAYOUTS: dict[str, tuple[str, dict[str, Any]]] = {
    "each head its own key": ("falcon", {"multi_query": False, "bias": True}),
    "one branch after the other": ("falcon", {"parallel_attn": False}),
    "grouped keys, a norm for each branch": ("falcon", {"new_decoder_architecture": True, "num_kv_heads": 2}),
    "grouped keys, one norm": (
        "falcon", {"new_decoder_architecture": True, "num_kv_heads": 2, "num_ln_in_parallel_attn": 1}),
    "each head's query, key and value together": ("gpt_bigcode", {"multi_query": False}),
    "embeddings as they are": ("xglm", {"scale_embedding": False, "activation_function": "relu"}),
}  # fmt: skip


@pytest.mark.nightly("each head its own key", "grouped keys, a norm for each branch")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_of_a_decoder_is_ours(layout: str, tmp_path: Path) -> None:
    name, fields = LAYOUTS[layout]
    heads = {"falcon": "num_attention_heads", "gpt_bigcode": "n_head", "xglm": "attention_heads"}[name]
    value = replace(ARCHITECTURES[name], fields=ARCHITECTURES[name].fields | fields | {heads: 4})
    expected = run_original(save(value, tmp_path), value)
    bundle = model.load(tmp_path)
    assert isinstance(bundle.model, Transformer)
    assert_equal(model.attend(bundle, TARGET.numpy(), TARGET.numpy()), expected)


@pytest.mark.nightly(but=("bloom",))
@pytest.mark.parametrize("name", LAYERS)
def test_a_patched_layer_equals_a_hook_on_the_librarys_layer(name: str, tmp_path: Path) -> None:
    original = save(ARCHITECTURES[name], tmp_path)
    bundle = model.load(tmp_path)
    value = np.random.default_rng(0).normal(size=bundle.config.d_model).astype(np.float32)
    patch = model.Patch("decoder.0.residual.after", (2,), value=value)

    def put(_: Any, __: Any, output: Any) -> Any:
        changed = (output[0] if isinstance(output, tuple) else output).clone()
        changed[:, 2] = torch.from_numpy(value)
        return (changed, *output[1:]) if isinstance(output, tuple) else changed

    original.get_submodule(f"{LAYERS[name]}.0").register_forward_hook(put)
    with torch.inference_mode():
        expected = original(TARGET[:1]).logits.numpy()
    ours = model.attend(bundle, [IDS], [IDS], interventions=model.Interventions(patches=(patch,))).logits
    assert ours is not None
    np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-5)


@pytest.mark.nightly("beam", "llama")
@pytest.mark.parametrize("name", ["gpt2", "llama"])
@pytest.mark.parametrize("method", ["greedy", "beam"])
def test_a_prompt_is_continued_as_the_library_does_also_after_its_end_token(
    name: str, method: Any, tmp_path: Path
) -> None:
    original = save(ARCHITECTURES[name], tmp_path)
    bundle = model.load(tmp_path)
    prompt = [5, bundle.config.eos_id, 9, bundle.config.eos_id]
    trace = model.translate(bundle, prompt, max_length=6, stop_loops=False, method=method, length_penalty=0.0)
    beams = {"num_beams": 4, "length_penalty": 0.0, "early_stopping": "never"} if method == "beam" else {}
    expected = original.generate(
        torch.tensor([prompt]), attention_mask=torch.ones(1, 4, dtype=torch.long), max_new_tokens=6, do_sample=False,
        pad_token_id=bundle.config.eos_id, **beams,
    )[0].tolist()  # fmt: skip
    assert [*trace.prefix.ids, trace.target.ids[-1]] == expected
    together = model.translate(bundle, [prompt, prompt[:3]], max_length=6, stop_loops=False, method=method)
    assert all(isinstance(item, model.Trace) and len(item.target) > 4 for item in together)


def test_an_encoder_records_texts_and_has_a_lens_and_refuses_the_rest(tmp_path: Path) -> None:
    original = save(ARCHITECTURES["bert, masked"], tmp_path)
    bundle, texts = model.load(tmp_path), [[5, 6, 7, 8], [9, 6, 5]]
    many = model.record(bundle, texts, names="*.1.residual.after")
    for text, result in zip(texts, many, strict=True):
        assert isinstance(result, model.Recording)
        alone = model.record(bundle, model.read(bundle, text), names="encoder.1.residual.after")
        np.testing.assert_allclose(result["encoder.1.residual.after"], alone["encoder.1.residual.after"], atol=1e-5)
    trace = model.read(bundle, texts[0])
    for explain in (
        lambda: model.head_effects(bundle, trace), lambda: model.contributions(bundle, trace, step=0),
        lambda: model.attribute(bundle, trace, method="erasure"), lambda: model.score(bundle, [5], [6]),
    ):  # fmt: skip
        with pytest.raises(model.RegardError, match="predicts no tokens"):
            explain()
    lens = model.logit_lens(bundle, trace, n_best=bundle.config.target_vocab_size)
    with torch.inference_mode():
        states = original(torch.tensor([trace.source.ids]), output_hidden_states=True).hidden_states
        expected = torch.cat([original.cls(state) for state in states[1:]]).sort(-1, descending=True).values
    np.testing.assert_allclose(lens.logits, expected, atol=1e-5)


@pytest.mark.nightly(but=("gpt2", "llama"))
@pytest.mark.parametrize("name", ["gpt2", "llama", "gemma2", "olmo2", "gptj", "bloom", "mistral"])
def test_the_steps_of_a_head_equal_the_recorded_activations(name: str, tmp_path: Path) -> None:
    save(ARCHITECTURES[name], tmp_path)
    bundle = model.load(tmp_path)
    trace = model.translate(bundle, IDS, max_length=2, stop_loops=False)
    last = bundle.config.n_decoder_layers - 1
    for head in (0, 1):
        inside = model.interpret.inspection.inspect_head(bundle, trace, kind="decoder_self", layer=last, head=head)
        recorded = model.record(bundle, trace, names=f"decoder.{last}.*.*")
        np.testing.assert_allclose(inside.weights, recorded[f"decoder.{last}.self.weights"][0, head], atol=1e-5)
        after = recorded[f"decoder.{last}.residual.after"][0]
        np.testing.assert_allclose(inside.feed_forward.stream_after, after, atol=1e-4)
        if inside.turn is not None:
            assert_turned(inside, is_normalised=name == "olmo2")


def assert_turned(inside: Any, *, is_normalised: bool) -> None:
    """The pairs of the query before it was turned, as complex numbers times e^{i angle}, are the query's pairs."""
    first, second = inside.turn.columns.T
    before = inside.turn.query_before[:, first] + 1j * inside.turn.query_before[:, second]
    after = inside.query[:, first] + 1j * inside.query[:, second]
    np.testing.assert_allclose(before * np.exp(1j * inside.turn.angles), after, atol=1e-4)
    if not is_normalised:
        shift = 0 if inside.to_key.bias is None else inside.to_key.bias
        key = inside.key_received @ inside.to_key.weight + shift
        np.testing.assert_allclose(key, inside.turn.key_before, atol=1e-4)


ENCODERS = ("bert", "bert, masked", "roberta", "xlm-roberta", "camembert", "distilbert", "electra", "albert", "mpnet",
            "ernie", "modernbert", "t5, encoder alone")  # fmt: skip


@pytest.mark.nightly(but=("bert",))
@pytest.mark.parametrize("name", ENCODERS)
def test_an_encoder_is_ours_with_its_head_and_is_the_same_after_it_was_saved(name: str, tmp_path: Path) -> None:
    architecture = ARCHITECTURES[name]
    original = save(architecture, tmp_path / "given")
    bundle = model.load(tmp_path / "given")
    assert isinstance(bundle.model, Transformer) and bundle.model.kinds == ("encoder_self",)
    again = model.load(model.save(bundle, tmp_path / "saved"))
    attended = model.attend(again, SOURCE.numpy(), TARGET.numpy())
    apart = differences(attended, run_original(original, architecture))
    assert again.fingerprint == bundle.fingerprint and max(apart.values()) <= 1e-5, apart
    if architecture.class_name.endswith("MaskedLM"):
        with torch.inference_mode():
            expected = original(SOURCE, attention_mask=(SOURCE != 1).long()).logits.numpy()
        assert np.abs(attended.logits - expected)[IS_REAL].max() <= 1e-5


@pytest.mark.parametrize("has_own_table", [False, True])
def test_roformer_is_ours_unless_its_file_turns_by_other_angles(has_own_table: bool, tmp_path: Path) -> None:
    architecture = ARCHITECTURES["roformer"]
    original = save(architecture, tmp_path / "given")
    if not has_own_table:
        positions = original.roformer.encoder.embed_positions
        positions.weight.data = positions.create_weight()
        original.save_pretrained(tmp_path / "given")
    bundle = model.load(tmp_path / "given")
    assert isinstance(bundle.model, Transformer) is not has_own_table
    assert_equal(model.attend(bundle, SOURCE.numpy(), TARGET.numpy()), run_original(original, architecture))


@pytest.mark.parametrize("name", ["bert", "modernbert", "albert"])
def test_a_patched_encoder_layer_equals_a_hook_on_the_librarys_layer(name: str, tmp_path: Path) -> None:
    original = save(ARCHITECTURES[name], tmp_path).base_model
    bundle = model.load(tmp_path)
    value = np.random.default_rng(0).normal(size=bundle.config.d_model).astype(np.float32)
    patch = model.Patch("encoder.1.residual.before", (2,), value=value)
    calls = []

    def put(_: Any, args: Any, kwargs: Any) -> Any:
        calls.append(0)
        if len(calls) != (2 if name == "albert" else 1):
            return None
        changed = args[0].clone()
        changed[:, 2] = torch.from_numpy(value)
        return (changed, *args[1:]), kwargs

    place = {"bert": "encoder.layer.1", "modernbert": "layers.1",
             "albert": "encoder.albert_layer_groups.0.albert_layers.0"}[name]  # fmt: skip
    original.get_submodule(place).register_forward_pre_hook(put, with_kwargs=True)
    with torch.inference_mode():
        expected = original(SOURCE[:1], attention_mask=torch.ones(1, 7)).last_hidden_state
        ours = bundle.model.encode(SOURCE[:1], interventions=model.Interventions(patches=(patch,))).memory
    np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-5)
