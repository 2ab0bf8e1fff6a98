"""The Annotated Transformer's encoder alone, with embeddings around it, and decoders made of its layers."""

import re
from collections.abc import Mapping

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import TensorsError
from model.checkpoints.families.renaming import matrix, prefixed, rows_of
from model.checkpoints.families.single_stack.common import ids_of, is_causal, single_stack
from model.checkpoints.families.tables import infer_config_from_shapes
from model.checkpoints.families.tutorials import annotated_layers, annotated_norm
from model.checkpoints.formats.source import Source
from model.config import TransformerConfig

NAME = "annotated_alone"
_FIRST = re.compile(r"(.*)layers\.0\.self_attn\.linears\.0\.weight\Z")
_EMBEDDING = re.compile(r"(.*\.)?(lut|tok_emb|embedding|embed)\.weight\Z")
_HEAD = re.compile(r"(generator|classifier|cls|head|fc|out|proj|linear|pool)\w*\.")


def recognise(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which this family is recognised."""
    firsts = [name for name in tensors if _FIRST.match(name)]
    return tuple(firsts) if len(firsts) == 1 and not any(".src_attn." in name for name in tensors) else ()


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    tensors, where = source.tensors, source.where
    (first,) = recognise(tensors)
    match = _FIRST.match(first)
    assert match is not None
    stack = match[1]
    embedding = next((name for name in tensors if _EMBEDDING.match(name)), None)
    if embedding is None:
        raise TensorsError(where, missing=("the embedding of its tokens (src_embed.0.lut.weight)",))
    size, d_model = matrix(tensors, embedding, where=where)
    output = next((name for name in tensors if name.endswith("proj.weight") and _HEAD.match(name)), "")
    predicts = bool(output) and tensors[output].shape[0] == size
    causal = is_causal(answers, source, (stack,), predicts=predicts)
    side = "decoder" if causal else "encoder"
    positions = next((tensors[name] for name in tensors if name.endswith(".pe")), None)
    fields, norm = annotated_norm(tensors, f"{stack}norm")
    n_heads = answers.heads(d_model)[0]
    table = {
        f"{side}.embedding.weight": embedding, **annotated_layers(side, f"{stack}layers.{{}}", norm),
        **prefixed(f"{side}.final_norm", f"{stack}norm", norm), "output.*": output.replace("weight", "*") or "none",
    }  # fmt: skip
    shapes = infer_config_from_shapes(table, tensors, where=where)
    shapes["output_bias"] &= predicts
    config = TransformerConfig(
        **shapes, **fields, n_encoder_heads=n_heads, n_decoder_heads=n_heads,
        attention_bias=any(name.endswith(".linears.0.bias") for name in tensors), output_log_softmax=predicts,
        plain_head=predicts and not causal, max_positions=rows_of(positions, 5000), mask_target_padding=False,
        **ids_of(answers, tokenizers.source, size, **({} if causal else {"pad": 2})),
    )  # fmt: skip
    dropped = () if predicts else tuple(re.escape(name) for name in tensors if _HEAD.match(name))
    return single_stack(source, tensors, table, config, answers, tokenizers, table_of_positions=positions,
                        ignored=(r"[a-z]+(_[a-z]+)*(\.1)?\.pe", *dropped))  # fmt: skip
