"""``torch.nn.Transformer`` inside any wrapper: the PyTorch translation tutorial's, or embeddings and generator
under any names. The stacks are found by their tensors; the matrices around them by their shapes, then their names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from model.checkpoints.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.errors import TensorsError
from model.checkpoints.evidence import embedding_evidence
from model.checkpoints.hints import Hints
from model.checkpoints.renaming import count_layers, is_same, matrix, rename, under
from model.checkpoints.source import Source
from model.config import TransformerConfig
from model.nn.positional import sinusoidal

NAME = "torch"
_ATTENTION = {
    "query.*": "in_proj_*[0/3]",
    "key.*": "in_proj_*[1/3]",
    "value.*": "in_proj_*[2/3]",
    "output.*": "out_proj.*",
}
_FEED_FORWARD = {"feed_forward.fc1.*": "linear1.*", "feed_forward.fc2.*": "linear2.*"}
_ENCODER_LAYER = {
    **under("self_attention", "self_attn", _ATTENTION),
    "self_attention_norm.*": "norm1.*",
    **_FEED_FORWARD,
    "feed_forward_norm.*": "norm2.*",
}
_DECODER_LAYER = {
    **under("self_attention", "self_attn", _ATTENTION),
    "self_attention_norm.*": "norm1.*",
    **under("cross_attention", "multihead_attn", _ATTENTION),
    "cross_attention_norm.*": "norm2.*",
    **_FEED_FORWARD,
    "feed_forward_norm.*": "norm3.*",
}
STACKS = {
    **under("encoder.layers.{}", "encoder.layers.{}", _ENCODER_LAYER),
    "encoder.final_norm.*": "encoder.norm.*",
    **under("decoder.layers.{}", "decoder.layers.{}", _DECODER_LAYER),
    "decoder.final_norm.*": "decoder.norm.*",
}
_SOURCE = re.compile(r"src|source|enc|input|in_emb|de_|from", re.IGNORECASE)
_TARGET = re.compile(r"tgt|trg|target|dec|to_", re.IGNORECASE)
_OUTPUT = re.compile(r"gen|out|proj|fc|head|linear|logit|vocab|pred|classif|unembed", re.IGNORECASE)
_POSITION = re.compile(r"pos|^pe$|\.pe$|sinus|time_enc", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The tensors around the stacks, by their names in the file."""

    source: str
    target: str
    output: str
    positions: tuple[str, ...]


def recognise(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors that give this family away."""
    prefix = _prefix(tensors)
    if prefix is None:
        return ()
    return (
        f"{prefix}encoder.layers.0.self_attn.in_proj_weight",
        f"{prefix}decoder.layers.0.multihead_attn.in_proj_weight",
    )


def convert(source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer."""
    given, where, answers = source.tensors, source.where, Answers(hints)
    prefix = _prefix(given) or ""
    first = f"{prefix}encoder.layers.0"
    _, d_model = matrix(given, f"{first}.self_attn.in_proj_weight", where=where)
    around = find_surroundings(given, prefix, d_model, where=where)
    source_size, target_size = given[around.source].shape[0], given[around.target].shape[0]
    encoder_heads, decoder_heads = answers.heads(d_model)
    norm_first = answers.ask("norm_first", False, choices=(False, True))
    bias = around.output.removesuffix("weight") + "bias"
    is_tutorial = "src_tok_emb.embedding.weight" in given
    pad = 1 if is_tutorial else 0
    likely = {"source_pad_id": pad, "target_pad_id": pad, "bos_id": 2, "eos_id": 3}
    scale = d_model**0.5
    if not is_tutorial:
        scale = float(answers.ask("embedding_scale", scale, choices=(scale, 1.0),
                                  evidence=embedding_evidence(given[around.source])))  # fmt: skip
    learned, table = _read_table(given, around.positions, d_model)
    config = TransformerConfig(
        source_vocab_size=source_size, target_vocab_size=target_size, d_model=d_model,
        d_feed_forward=matrix(given, f"{first}.linear1.weight", where=where)[0],
        n_encoder_layers=count_layers(given, re.escape(prefix) + r"encoder\.layers\.(\d+)\."),
        n_decoder_layers=count_layers(given, re.escape(prefix) + r"decoder\.layers\.(\d+)\."),
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads,
        encoder_norm_first=norm_first, decoder_norm_first=norm_first,
        encoder_final_norm=f"{prefix}encoder.norm.weight" in given,
        decoder_final_norm=f"{prefix}decoder.norm.weight" in given,
        attention_bias=f"{first}.self_attn.in_proj_bias" in given, feed_forward_bias=f"{first}.linear1.bias" in given,
        output_bias=bias in given, activation=answers.ask("activation", "relu", choices=("relu", "gelu")),
        embedding_scale=scale, positions="learned" if learned else "interleaved",
        max_positions=table.shape[0] if table is not None else 5000,
        tie_embeddings=around.source == around.target or is_same(given, around.source, around.target),
        tie_output=is_same(given, around.target, around.output),
        source_has_bos=is_tutorial if _knows_bos(hints) is None else bool(answers.ask("source_has_bos", False)),
        source_has_eos=True if hints.source_has_eos is None else hints.source_has_eos,
        **answers.specials(tokenizers, (source_size, target_size), likely),
    )  # fmt: skip
    tensors, positions = _named_positions(given, around.positions, d_model) if learned else (given, {})
    names = {ours: prefix + theirs for ours, theirs in STACKS.items()} | positions | {
        "encoder.embedding.weight": around.source, "decoder.embedding.weight": around.target,
        "output.weight": around.output, "output.bias": bias,
    }  # fmt: skip
    ignored = [re.escape(name) for name in around.positions]
    renamed = rename(names, tensors, config, where=where, ignored=ignored, fill=True)
    exact = None if learned else table
    return Conversion(config, renamed.tensors, renamed.ignored, renamed.filled, tuple(answers.questions),
                      tokenizers.source, tokenizers.target, (exact, exact))  # fmt: skip


def find_surroundings(given: Mapping[str, Tensor], prefix: str, d_model: int, *, where: str) -> Surroundings:
    """Embeddings, output and positions among the tensors outside the stacks.

    Raises:
        TensorsError: when there is no matrix that could be an embedding.
    """
    outside = {
        name: tensor
        for name, tensor in given.items()
        if not re.match(re.escape(prefix) + r"(en|de)coder\.(layers|norm)\.", name)
    }
    positions = tuple(name for name, tensor in outside.items() if _is_positions(name, tensor, d_model))
    wide = [
        name
        for name, tensor in outside.items()
        if name not in positions and tensor.dim() == 2 and tensor.shape[1] == d_model
    ]
    if not wide:
        raise TensorsError(where, missing=(f"an embedding matrix of width {d_model}",))
    output = next((name for name in wide if name.removesuffix("weight") + "bias" in outside), None)
    output = output or next((name for name in wide if _OUTPUT.search(name) and not re.search("emb|tok", name)), None)
    embeddings = [name for name in wide if name != output] or [wide[0]]
    source = next((name for name in embeddings if _SOURCE.search(name) and not _TARGET.search(name)), embeddings[0])
    others = [name for name in embeddings if name != source]
    target = next((name for name in others if _TARGET.search(name)), others[0] if others else source)
    if output is None:
        rest = [name for name in embeddings if name not in (source, target)]
        output = rest[0] if rest else target
    return Surroundings(source, target, output, positions)


def _prefix(tensors: Mapping[str, Tensor]) -> str | None:
    for name in tensors:
        prefix, found, _ = name.partition("encoder.layers.0.self_attn.in_proj_weight")
        if found and f"{prefix}decoder.layers.0.multihead_attn.in_proj_weight" in tensors:
            return prefix
    return None


def _is_positions(name: str, tensor: Tensor, d_model: int) -> bool:
    if tensor.dim() < 2 or tensor.shape[-1] != d_model or tensor.numel() != d_model * max(tensor.shape[:-1]):
        return False
    return bool(_POSITION.search(name)) or (tensor.dim() > 2 or _is_sinusoidal(tensor))


def _is_sinusoidal(table: Tensor) -> bool:
    rows = table.reshape(-1, table.shape[-1])[:64].float()
    return rows.shape[1] % 2 == 0 and torch.allclose(rows, sinusoidal(*rows.shape), atol=1e-2)


def _read_table(given: Mapping[str, Tensor], names: tuple[str, ...], d_model: int) -> tuple[bool, Tensor | None]:
    """Whether positions are learned, and the table (P, D) that the file holds."""
    if not names:
        return False, None
    table = given[names[0]].reshape(-1, d_model).float()  # (P, D)
    return not _is_sinusoidal(table), table


def _named_positions(
    given: Mapping[str, Tensor], names: tuple[str, ...], d_model: int
) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors with a learned table (P, D) for each stack, and where ours find it."""
    tensors, places = dict(given), {}
    for side, name in zip(("encoder", "decoder"), _pair(names), strict=True):
        tensors[f"{side} positions"] = given[name].reshape(-1, d_model)
        places[f"{side}.positions.table"] = f"{side} positions"
    return tensors, places


def _pair(names: tuple[str, ...]) -> tuple[str, str]:
    """The names of the source's and the target's table."""
    source = next((name for name in names if _SOURCE.search(name)), names[0])
    target = next((name for name in names if _TARGET.search(name)), names[-1])
    return source, target


def _knows_bos(hints: Hints) -> bool | None:
    return hints.source_has_bos
