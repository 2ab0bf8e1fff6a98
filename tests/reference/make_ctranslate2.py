"""Makes CTranslate2 folders with the library's own converters, runs them, and stores both; also Marian's .npz.

    python tests/reference/make_ctranslate2.py

needs ctranslate2 (4.8) and transformers. CTranslate2 returns the log-probabilities of given tokens, but no attention
except one head's mean; where the weights come from another golden file, that file's attention is valid here too. Marian
itself, a C++ program, was not run: ``transformers`` computes the outputs of its weights, and CTranslate2's own reader
of Marian's files confirms the log-probabilities.
"""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import ctranslate2  # type: ignore[import-not-found]
import numpy as np
import torch
import transformers
import yaml
from ctranslate2.converters import marian as from_marian  # type: ignore[import-not-found]
from ctranslate2.converters import opennmt_py  # type: ignore[import-not-found]

HERE = Path(__file__).resolve().parent
KINDS = ("encoder_self", "decoder_self", "cross", "logits", "source", "target")


def main() -> None:
    """Make every golden file."""
    torch.set_num_threads(1)
    (HERE / "ctranslate2").mkdir(exist_ok=True)
    for quantization in (None, "float16", "int8", "int16"):
        from_opennmt(quantization)
    marian()


def from_opennmt(quantization: str | None) -> None:
    """Convert the weights of ``opennmt-plain``."""
    with np.load(HERE / "checkpoints" / "opennmt-plain.npz") as stored:
        variables = {
            name.removeprefix("tensor/"): torch.from_numpy(stored[name]) for name in stored.files if "/" in name
        }
        retained = {name: stored[name] for name in KINDS}
        opt = argparse.Namespace(**json.loads(str(stored["settings"])))
    tokens = [words("src", 13), words("tgt", 11)]
    spec = opennmt_py._get_model_spec_seq2seq(opt, variables, [tokens[0]], [tokens[1]], 1)
    spec.config.layer_norm_epsilon = 1e-6
    keep(quantization or "float32", spec, quantization, tokens, retained)


def marian() -> None:
    """A post-norm model with one vocabulary, with Marian's array names."""
    torch.manual_seed(21)
    size, pad = 13, 13
    config = transformers.MarianConfig(
        vocab_size=size + 1, decoder_vocab_size=size + 1, d_model=24, encoder_layers=2, decoder_layers=2,
        encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=32, decoder_ffn_dim=32, dropout=0.0,
        pad_token_id=pad, eos_token_id=0, decoder_start_token_id=pad, forced_eos_token_id=None,
        max_position_embeddings=64, scale_embedding=True, activation_function="relu", attn_implementation="eager",
    )  # fmt: skip
    network = transformers.MarianMTModel(config).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.requires_grad:
                parameter.add_(torch.randn_like(parameter) * 0.2)
        network.model.shared.weight[pad] = 0
        network.final_logits_bias[0, :size] = torch.randn(size)
    source = torch.tensor([[4, 5, 6, 7, 8, 0], [9, 5, 8, 0, pad, pad]])
    target = torch.tensor([[pad, 6, 7, 8, 9], [pad, 4, 6, pad, pad]])
    with torch.no_grad():
        result = network(
            input_ids=source, attention_mask=(source != pad).long(), decoder_input_ids=target, output_attentions=True
        )
    settings = {"type": "transformer", "enc-depth": 2, "dec-depth": 2, "transformer-heads": 4,
                "transformer-ffn-activation": "relu", "transformer-preprocess": "", "transformer-postprocess": "dan",
                "transformer-postprocess-emb": "d", "transformer-postprocess-top": "", "tied-embeddings-all": True,
                "transformer-decoder-autoreg": "self-attention", "transformer-no-projection": False,
                "transformer-guided-alignment-layer": "last", "version": "v1.9"}  # fmt: skip
    arrays = marian_arrays(network, size) | {
        "special:model.yml": np.frombuffer(yaml.safe_dump(settings).encode() + b"\0", np.int8)}  # fmt: skip
    retained = {"source": source.numpy(), "target": target.numpy(), "logits": result.logits[..., :size].numpy(),
            "encoder_self": stack_layers(result.encoder_attentions),
            "decoder_self": stack_layers(result.decoder_attentions),
            "cross": stack_layers(result.cross_attentions)}  # fmt: skip
    named = {f"tensor/{name}": array for name, array in arrays.items()}
    np.savez_compressed(HERE / "checkpoints" / "marian-post.npz", settings="{}", **retained, **named)
    tokens = ["</s>", "<unk>", *(f"▁w{index}" for index in range(size - 2))]
    with tempfile.TemporaryDirectory() as place:
        np.savez(Path(place) / "model.npz", **arrays)
        vocabulary = Path(place) / "vocab.yml"
        vocabulary.write_text("".join(f"{token}: {index}\n" for index, token in enumerate(tokens)))
        spec = from_marian.MarianConverter(str(Path(place) / "model.npz"), [str(vocabulary)] * 2)._load()
    keep("marian", spec, None, [tokens, tokens], retained)


def marian_arrays(network: Any, size: int) -> dict[str, np.ndarray]:
    """A model of ``transformers`` with Marian's names: matrices (in, out), vectors (1, n), layers counted from 1."""
    arrays = {"Wemb": network.model.shared.weight[:size], "decoder_ff_logit_out_b": network.final_logits_bias[:, :size]}
    for side, stack in (("encoder", network.model.encoder), ("decoder", network.model.decoder)):
        for number, layer in enumerate(stack.layers, 1):
            blocks = [("self", layer.self_attn, layer.self_attn_layer_norm)]
            if side == "decoder":
                blocks.append(("context", layer.encoder_attn, layer.encoder_attn_layer_norm))
            prefix = f"{side}_l{number}"
            for name, attention, norm in blocks:
                for letter in "qkvo":
                    linear = getattr(attention, "out_proj" if letter == "o" else f"{letter}_proj")
                    arrays[f"{prefix}_{name}_W{letter}"] = linear.weight.t()
                    arrays[f"{prefix}_{name}_b{letter}"] = linear.bias[None]
                arrays[f"{prefix}_{name}_Wo_ln_scale"] = norm.weight[None]
                arrays[f"{prefix}_{name}_Wo_ln_bias"] = norm.bias[None]
            for index, linear in enumerate((layer.fc1, layer.fc2), 1):
                arrays[f"{prefix}_ffn_W{index}"] = linear.weight.t()
                arrays[f"{prefix}_ffn_b{index}"] = linear.bias[None]
            arrays[f"{prefix}_ffn_ffn_ln_scale"] = layer.final_layer_norm.weight[None]
            arrays[f"{prefix}_ffn_ffn_ln_bias"] = layer.final_layer_norm.bias[None]
    return {name: tensor.detach().contiguous().numpy() for name, tensor in arrays.items()}


def keep(name: str, spec: Any, quantization: str | None, tokens: list[list[str]], retained: dict[str, Any]) -> None:
    """Convert, score the golden targets with the library itself, and write the folder's files and the scores."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "model"
        folder.mkdir()
        spec.validate()
        spec.optimize(quantization=quantization)
        spec.save(str(folder))
        pad = len(tokens[0]) if name == "marian" else 1
        source = [[tokens[0][index] for index in row if index != pad] for row in retained["source"]]
        target = [[tokens[1][index] for index in row[1:] if index != pad] for row in retained["target"]]
        if json.loads((folder / "config.json").read_text()).get("add_source_eos"):
            source = [row[:-1] if row[-1] == "</s>" else row for row in source]
        model = ctranslate2.Translator(str(folder), device="cpu", compute_type="float32", inter_threads=1)
        scored = [result.log_probs for result in model.score_batch(source, target)]
        files = {f"file/{path.name}": np.frombuffer(path.read_bytes(), np.uint8) for path in folder.iterdir()}
    width = max(map(len, scored))
    padded = np.array([row + [np.nan] * (width - len(row)) for row in scored], np.float32)
    np.savez_compressed(HERE / "ctranslate2" / f"{name}.npz", log_probs=padded, **retained, **files)


def stack_layers(layers: tuple[torch.Tensor, ...]) -> np.ndarray:
    """(B, L, H, query, key)"""
    return torch.stack(layers, 1).numpy()


def words(side: str, size: int) -> list[str]:
    """Four special tokens and numbered words."""
    return ["<unk>", "<blank>", "<s>", "</s>", *(f"{side}{index}" for index in range(size - 4))]


if __name__ == "__main__":
    main()
