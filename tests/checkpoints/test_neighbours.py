"""What stands beside a model's weights, and the edges of the library's own code: tokens without an embedding, stacks of
two widths, rows whose keys are all blocked."""

import json
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

import model
from model.checkpoints.basis.errors import AdapterError, TensorsError
from tests.checkpoints.architectures import (
    ARCHITECTURES,
    SOURCE,
    TARGET,
    Architecture,
    assert_equal,
    differences,
    run_original,
    save,
)


@pytest.mark.parametrize("name", ["bart", "gpt2"])
@pytest.mark.parametrize("has_unknown", [True, False])
def test_a_token_without_an_embedding_is_unknown_or_named(name: str, has_unknown: bool, tmp_path: Path) -> None:
    save(ARCHITECTURES[name], tmp_path)
    path = tmp_path / "tokenizer.json"
    described = json.loads(path.read_text())
    described["model"]["vocab"] |= {"word48": 48, "word49": 49}
    path.write_text(json.dumps(described))
    if not has_unknown:
        settings = tmp_path / "tokenizer_config.json"
        retained = {name: value for name, value in json.loads(settings.read_text()).items() if name != "unk_token"}
        settings.write_text(json.dumps(retained))
    bundle = model.load(tmp_path)
    if has_unknown:
        trace = model.translate(bundle, "word5 word49 word6", max_length=3)
        read = trace.source if len(trace.source) else trace.prefix
        assert read.ids[:3] == (5, 3, 6) and read.pieces[:3] == ("word5", "<unk>", "word6")
    else:
        with pytest.raises(model.TextError, match="writes “word49” as 49, and the model has embeddings for 0 to 47"):
            model.translate(bundle, "word5 word49 word6", max_length=3)


@pytest.mark.parametrize("decoder", ["BertConfig", "GPT2Config"])
def test_an_encoder_and_a_decoder_of_different_widths(decoder: str, tmp_path: Path) -> None:
    pair: Any = ARCHITECTURES[f"encoder-decoder, BERT to {'BERT' if decoder[0] == 'B' else 'GPT-2'}"]
    width = {"hidden_size": 48} if decoder == "BertConfig" else {"n_embd": 48}
    parts = {"encoder": ("BertConfig", pair.fields["encoder"][1] | {"hidden_size": 32}),
             "decoder": (decoder, pair.fields["decoder"][1] | width)}  # fmt: skip
    architecture = Architecture("EncoderDecoderModel", "both", parts)
    expected = run_original(save(architecture, tmp_path), architecture)
    assert_equal(model.attend(model.load(tmp_path), SOURCE.numpy(), TARGET.numpy()), expected)


@pytest.mark.nightly("cross")
@pytest.mark.parametrize(("name", "kind"), [("mixtral", "decoder_self"), ("encoder-decoder, BERT to BERT", "cross")])
def test_a_row_whose_keys_are_all_blocked_attends_nowhere(name: str, kind: Any, tmp_path: Path) -> None:
    save(ARCHITECTURES[name], tmp_path)
    bundle = model.load(tmp_path)
    keys = range(1) if kind == "decoder_self" else range(SOURCE.shape[1])
    blocked = tuple(model.BlockedKey(kind, key, query=0) for key in keys)
    changes = model.Interventions(blocked_keys=blocked)

    def attended(target: torch.Tensor) -> Any:
        return model.attend(bundle, SOURCE[:1].numpy(), target.numpy(), interventions=changes)

    result, other = attended(TARGET[:1]), attended(TARGET[:1].index_fill(1, torch.tensor([2]), 20))
    assert not getattr(result, kind)[0, :, :, 0].any()
    np.testing.assert_allclose(result.logits[:, 0], other.logits[:, 0], rtol=0, atol=2e-6)  # nothing of the future


@pytest.mark.nightly
def test_caches_of_the_librarys_code_are_on_the_models_device(tmp_path: Path) -> None:
    save(ARCHITECTURES["encoder-decoder, BERT to BERT"], tmp_path)
    ours: Any = model.load(tmp_path).model
    encoded = ours.encode(SOURCE)
    before = torch.ones
    try:
        torch.ones = lambda *shape, **options: before(*shape, **{"device": "meta"} | options)  # type: ignore[assignment]
        decoded = ours.decode(TARGET, encoded, keep_cache=True)
    finally:
        torch.ones = before
    assert decoded.cache.attn_mask.device == TARGET.device


def adapter(folder: Path, tensors: dict[str, torch.Tensor], **settings: Any) -> None:
    """An adapter's two files, as peft writes them."""
    plain = {"peft_type": "LORA", "r": 2, "lora_alpha": 6, "use_dora": False, "bias": "none", "init_lora_weights": True}
    (folder / "adapter_config.json").write_text(json.dumps(plain | settings))
    save_file({f"base_model.model.{name}": tensor for name, tensor in tensors.items()},
              folder / "adapter_model.safetensors")  # fmt: skip


def low_rank(module: str, out: int, into: int, rank: int = 2) -> dict[str, torch.Tensor]:
    return {f"{module}.lora_A.weight": torch.randn(rank, into), f"{module}.lora_B.weight": torch.randn(out, rank)}


@pytest.mark.nightly(but=("gpt2",))
@pytest.mark.parametrize("name", ["gpt2", "bart", "llama"])
def test_lora_beside_the_weights_is_merged(name: str, tmp_path: Path) -> None:
    """The weights of the library's own model with B A alpha / r added to them, GPT-2's transposed; compared once with
    ``merge_and_unload`` of peft 0.21.2, which gave the same for GPT-2, Llama, BART, T5, BERT and Mixtral."""
    architecture = ARCHITECTURES[name]
    original = save(architecture, tmp_path)
    module = {"gpt2": "transformer.h.1.attn.c_proj", "bart": "model.decoder.layers.1.encoder_attn.q_proj",
              "llama": "model.layers.2.self_attn.o_proj"}[name]  # fmt: skip
    stored, own = low_rank(module, 16, 16, 3), original.get_submodule(module)
    added = stored[f"{module}.lora_B.weight"] @ stored[f"{module}.lora_A.weight"] * 6 / 3
    bias = {} if own.bias is None else {f"{module}.base_layer.bias": torch.randn(16)}
    norm = {"gpt2": "transformer.ln_f", "bart": "model.decoder.layernorm_embedding", "llama": "model.norm"}[name]
    saved = {f"{norm}.weight": torch.randn(16)}
    with torch.no_grad():
        own.weight += added.T if name == "gpt2" else added
        cast(Tensor, original.get_submodule(norm).weight).copy_(saved[f"{norm}.weight"])
        if bias:
            cast(Tensor, own.bias).copy_(bias[f"{module}.base_layer.bias"])
    adapter(tmp_path, stored | bias | saved, r=3, modules_to_save=[norm.rpartition(".")[2]])
    bundle = model.load(tmp_path)
    assert_equal(model.attend(bundle, SOURCE.numpy(), TARGET.numpy()), run_original(original, architecture))
    assert bundle.report is not None and bundle.report.stated == ("LoRA: 1 weights (adapter_config.json)",)
    assert {file.name for file in bundle.report.files if file.use == "used"} >= {
        "adapter_config.json", "adapter_model.safetensors", "generation_config.json"}  # fmt: skip


def test_adapters_may_differ_in_rank_and_alpha_and_adapt_embeddings(tmp_path: Path) -> None:
    original = save(ARCHITECTURES["llama"], tmp_path)
    query, embedding = "model.layers.1.self_attn.q_proj", "model.embed_tokens"
    stored = low_rank(query, 16, 16, 4) | {f"{embedding}.lora_embedding_A": torch.randn(2, 48),
                                         f"{embedding}.lora_embedding_B": torch.randn(16, 2)}  # fmt: skip
    with torch.no_grad():
        original.get_submodule(query).weight += (
            stored[f"{query}.lora_B.weight"] @ stored[f"{query}.lora_A.weight"] * 9 / 4**0.5
        )
        original.get_submodule(embedding).weight += (
            stored[f"{embedding}.lora_embedding_B"] @ stored[f"{embedding}.lora_embedding_A"] * 6 / 2**0.5
        ).T
    adapter(tmp_path, stored, use_rslora=True, alpha_pattern={"layers.1.self_attn.q_proj": 9})
    expected = run_original(original, ARCHITECTURES["llama"])
    apart = differences(model.attend(model.load(tmp_path), SOURCE.numpy(), TARGET.numpy()), expected)
    assert max(apart.values()) <= 2e-5, apart  # logits are in the tens


def test_an_adapter_that_is_not_merged_here_is_refused_by_its_name(tmp_path: Path) -> None:
    save(ARCHITECTURES["llama"], tmp_path)
    query = low_rank("model.layers.1.self_attn.q_proj", 16, 16)
    for settings, message in (({"peft_type": "IA3"}, "of the type IA3"), ({"use_dora": True}, "with use_dora"),
                           ({"init_lora_weights": "pissa"}, "init_lora_weights: pissa"),
                           ({"alpha_pattern": {"(a+)+": 3}}, "regular expression"),
                           ({"lora_alpha": "6"}, "lora_alpha .* must be a number")):  # fmt: skip
        adapter(tmp_path, query, **settings)
        with pytest.raises(AdapterError, match=message):
            model.load(tmp_path)
    for tensors, message in ((low_rank("model.layers.9.self_attn.q_proj", 16, 16), r"1 missing: model\.layers\.9"),
                          ({"model.layers.1.q.lora_A.weight": torch.ones(2, 2)}, r"missing: .*lora_B"),
                          (query | {"x.lora_magnitude_vector.weight": torch.ones(2)}, "lora_magnitude_vector"),
                          (low_rank("model.layers.1.self_attn.q_proj", 16, 12), "q_proj is 16×12, not")):  # fmt: skip
        adapter(tmp_path, tensors)
        with pytest.raises(TensorsError, match=message):
            model.load(tmp_path)
    (tmp_path / "adapter_model.safetensors").unlink()
    with pytest.raises(AdapterError, match="add the adapter's weights"):
        model.load(tmp_path)


@pytest.mark.parametrize("kind", ["t5", "umt5"])
def test_a_t5_in_float16_is_the_librarys_where_float16_alone_overflows(kind: str, tmp_path: Path) -> None:
    """The library keeps the last matrix of each network in float32, and what it adds up with it."""
    architecture = ARCHITECTURES[kind]
    network = save(architecture, tmp_path)
    weights = tmp_path / "model.safetensors"
    half = {name: (tensor * (25_000 if ".wo." in name else 1)).half() for name, tensor in load_file(weights).items()}
    save_file(half, weights, {"format": "pt"})
    assert next(model.load(tmp_path, dtype="auto").model.parameters()).dtype == torch.float32
    bundle = model.load(tmp_path, dtype="float16")
    assert {parameter.dtype for parameter in bundle.model.parameters()} == {torch.float16}
    reference = type(network).from_pretrained(tmp_path, dtype=torch.float16, attn_implementation="eager").eval()
    added = reference.encoder(SOURCE, output_hidden_states=True).hidden_states[-2].abs().max()
    assert added > torch.finfo(torch.float16).max
    expected = run_original(reference, architecture)
    for cached in (False, True):
        attended = model.attend(bundle, SOURCE.numpy(), TARGET.numpy(), cached=cached)
        assert max(differences(attended, expected).values()) < 0.02
