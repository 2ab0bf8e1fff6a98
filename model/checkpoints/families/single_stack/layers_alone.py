"""Layers of ``torch.nn.TransformerEncoder``, or of the Annotated Transformer's encoder, in any wrapper: an encoder, or
with a causal mask a decoder, as in PyTorch's tutorial on language models.

torch's layers are found by their tensors, the matrices around them by their shapes, then their names.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers, embedding_evidence
from model.checkpoints.basis.errors import TensorsError
from model.checkpoints.families.renaming import matrix, rows_of, with_prefixes
from model.checkpoints.families.single_stack.common import ids_of, is_causal, is_head, single_stack
from model.checkpoints.families.tables import infer_config_from_shapes, is_sinusoidal
from model.checkpoints.families.torch_module import (
    BATCH_FIRST,
    Stack,
    is_positions,
    refuse_numbers,
    single_stack_layers,
    stack_of,
)
from model.checkpoints.families.tutorials import annotated_layers, annotated_norm
from model.checkpoints.formats.source import Source
from model.config import EPSILON, TransformerConfig

_ANNOTATED_FIRST = re.compile(r"(.*)layers\.0\.self_attn\.linears\.0\.weight\Z")
_ANNOTATED_EMBEDDING = re.compile(r"(.*\.)?(lut|tok_emb|embedding|embed)\.weight\Z")
_ANNOTATED_HEAD = re.compile(r"(generator|classifier|cls|head|fc|out|proj|linear|pool)\w*\.")


def _recognise_annotated(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which this family is recognised."""
    firsts = [name for name in tensors if _ANNOTATED_FIRST.match(name)]
    return tuple(firsts) if len(firsts) == 1 and not any(".src_attn." in name for name in tensors) else ()


def _convert_annotated(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    tensors, where = source.tensors, source.where
    (first,) = _recognise_annotated(tensors)
    match = _ANNOTATED_FIRST.match(first)
    assert match is not None
    stack = match[1]
    embedding = next((name for name in tensors if _ANNOTATED_EMBEDDING.match(name)), None)
    if embedding is None:
        raise TensorsError(where, missing=("the embedding of its tokens (src_embed.0.lut.weight)",))
    size, d_model = matrix(tensors, embedding, where=where)
    output = next((name for name in tensors if name.endswith("proj.weight") and _ANNOTATED_HEAD.match(name)), "")
    predicts = bool(output) and tensors[output].shape[0] == size
    causal = is_causal(answers, source, (stack,), predicts=predicts)
    side = "decoder" if causal else "encoder"
    positions = next((tensors[name] for name in tensors if name.endswith(".pe")), None)
    fields, norm = annotated_norm(tensors, f"{stack}norm")
    n_heads = answers.heads(d_model)[0]
    table = {
        f"{side}.embedding.weight": embedding, **annotated_layers(side, f"{stack}layers.{{}}", norm),
        **with_prefixes(f"{side}.final_norm", f"{stack}norm", norm),
        "output.*": output.replace("weight", "*") or "none",
    }  # fmt: skip
    shapes = infer_config_from_shapes(table, tensors, where=where)
    shapes["output_bias"] &= predicts
    config = TransformerConfig(
        **shapes, **fields, n_encoder_heads=n_heads, n_decoder_heads=n_heads,
        attention_bias=any(name.endswith(".linears.0.bias") for name in tensors), output_log_softmax=predicts,
        plain_head=predicts and not causal, max_positions=rows_of(positions, 5000), mask_target_padding=False,
        **ids_of(answers, tokenizers.source, size, **({} if causal else {"pad": 2})),
    )  # fmt: skip
    dropped = () if predicts else tuple(re.escape(name) for name in tensors if _ANNOTATED_HEAD.match(name))
    return single_stack(source, tensors, table, config, answers, tokenizers, table_of_positions=positions,
                        ignored=(r"[a-z]+(_[a-z]+)*(\.1)?\.pe", *dropped))  # fmt: skip


_FIRST, _CROSS = ".0.self_attn.in_proj_weight", ".0.multihead_attn.in_proj_weight"
_TOKENS = re.compile(r"emb|tok|lut|wte|word|(^|\.)(src_)?encoder\.weight", re.IGNORECASE)
_TYPES = re.compile(r"seg|type", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Around:
    """The tensors around the stack, by their names in the file."""

    embedding: str
    output: str = ""
    positions: str = ""
    token_types: str = ""
    embedding_norm: str = ""
    dropped: tuple[str, ...] = ()
    """Of a classifier or a pooler, which attention does not need."""


def _recognise_torch(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which this family is recognised."""
    firsts = [name for name in tensors if f".{name}".endswith(_FIRST)]
    return tuple(firsts) if len(firsts) == 1 and not any(f".{name}".endswith(_CROSS) for name in tensors) else ()


def _torch(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    tensors, where = dict(source.tensors), source.where
    (first,) = _recognise_torch(tensors)
    layers = first.removesuffix(_FIRST[1:])
    stack, start = stack_of(tensors, layers, "encoder"), f"{layers}0"
    d_model = matrix(tensors, first, where=where)[1]
    around = find_around(tensors, stack, d_model, where)
    is_tutorial = around.positions == "pos_encoder.pe" and layers == "transformer_encoder.layers."
    causal = is_causal(answers, source, (around.output, "lm" if is_tutorial else ""), predicts=bool(around.output))
    positions = tensors.get(around.positions)
    kind, table = "none", None
    if positions is not None:
        table = positions.reshape(-1, d_model).float()
        kind = "interleaved" if is_sinusoidal(table) else "learned"
    else:
        kinds = ("interleaved", "halves", "tensor2tensor", "doubled", "none")
        kind = answers.ask("positions", "interleaved", choices=kinds) if d_model % 2 == 0 else "none"
    scale = d_model**0.5
    if not is_tutorial:
        scale = float(answers.ask("embedding_scale", 1.0 if kind == "learned" else scale, choices=(scale, 1.0),
                                  evidence=embedding_evidence(tensors[around.embedding])))  # fmt: skip
    n_heads, norm_first = answers.heads(d_model)[0], answers.ask("norm_first", False, choices=(False, True))
    has_final, side = f"{stack.norm}.weight" in tensors, "decoder" if causal else "encoder"
    names = single_stack_layers(side, f"{layers}{{}}") | {
        f"{side}.final_norm.*": f"{stack.norm}.*", f"{side}.embedding.weight": around.embedding,
        f"{side}.token_types": around.token_types, f"{side}.embedding_norm.*": f"{around.embedding_norm}.*",
        "output.weight": around.output, "output.bias": _bias(around.output),
    }  # fmt: skip
    shapes = infer_config_from_shapes(names, tensors, where=where)
    config = TransformerConfig(
        **shapes, n_encoder_heads=n_heads, n_decoder_heads=n_heads, encoder_norm_first=norm_first,
        decoder_norm_first=norm_first, encoder_final_norm=has_final, decoder_final_norm=has_final,
        attention_bias=f"{start}.self_attn.in_proj_bias" in tensors,
        feed_forward_bias=f"{start}.linear1.bias" in tensors,
        activation=answers.ask("activation", "relu", choices=("relu", "gelu")), embedding_scale=scale,
        embedding_norm=bool(around.embedding_norm), positions=kind, max_positions=5000 if table is None else len(table),
        token_types=len(tensors[around.token_types]) if around.token_types else 0,
        plain_head=bool(around.output) and not causal, mask_target_padding=False,
        **ids_of(answers, tokenizers.source, shapes["target_vocab_size"], **({} if causal else {"pad": 0})),
    )  # fmt: skip
    if kind == "learned" and table is not None:
        tensors[around.positions] = table
        names[f"{side}.positions.table"] = around.positions
    ignored = [re.escape(name) for name in around.dropped]
    ignored += [re.escape(around.positions)] if kind != "learned" and around.positions else []
    return single_stack(source, tensors, names, config, answers, tokenizers, ignored=ignored,
                assumed=(f"layer_norm_eps={EPSILON:g}", BATCH_FIRST),
                table_of_positions=table if kind == "interleaved" else None)  # fmt: skip


def find_around(tensors: Mapping[str, Tensor], stack: Stack, d_model: int, where: str) -> Around:
    """Embedding, output, positions and norms among the tensors outside the stack.

    Raises:
        TensorsError: when there is no embedding, or something between it and the layers that is not known.
        UnshownError: when the model reads numbers.
    """
    outside = {name: tensor for name, tensor in tensors.items() if not stack.holds(name)}
    placed = {
        "positions": next((n for n, x in outside.items() if x.numel() > d_model and is_positions(n, x, d_model)), "")
    }
    wide = [n for n, x in outside.items() if x.dim() == 2 and x.shape[1] == d_model and n != placed["positions"]]
    placed["token_types"] = next((n for n in wide if _TYPES.search(n) and len(tensors[n]) <= 8), "")
    wide = [n for n in wide if n != placed["token_types"]]
    embedding = next((n for n in wide if _TOKENS.search(n)), wide[0] if wide else None)
    if embedding is None:
        raise TensorsError(where, missing=(f"an embedding matrix of width {d_model}",))
    refuse_numbers(outside, embedding, d_model, where)
    same = [n for n in wide if n != embedding and len(tensors[n]) == len(tensors[embedding])]
    placed["output"] = next((n for n in same if is_head(n)), same[0] if same else "")
    norms = [n.removesuffix(".weight") for n, x in outside.items()
             if n.endswith(".weight") and x.shape == (d_model,) and re.search(r"emb", n, re.IGNORECASE)]  # fmt: skip
    placed["embedding_norm"] = norms[0] if len(norms) == 1 else ""
    known = {embedding, *placed.values(), _bias(placed["output"]),
             *(f"{placed['embedding_norm']}.{part}" for part in ("weight", "bias"))}  # fmt: skip
    rest = [n for n in outside if n not in known]
    if unknown := tuple(n for n in rest if not is_head(n)):
        raise TensorsError(where, unexpected=unknown)
    return Around(embedding, dropped=tuple(rest), **placed)


def _bias(output: str) -> str:
    return output.removesuffix("weight") + "bias"


LAYERS_ALONE = (
    ("annotated_alone", _recognise_annotated, _convert_annotated),
    ("torch_alone", _recognise_torch, _torch),
)
"""Each by its name, what recognises it, and what converts it to our Transformer."""
