"""Shared by all families: the names of a stack's layers, a configuration from shapes, and conversion by a table."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.families.renaming import NUMBER, Table, count_layers, is_same, matrix, rename, with_prefixes
from model.config import SINUSOIDAL, Activation, PositionKind, TransformerConfig
from model.nn.positional import computed_rows

FUSED = ("fused.query", "fused.key", "fused.value")
"""What the parts of a fused projection are called, once it has been taken apart."""
_SIDES = ("encoder", "decoder")
POST_NORM: dict[str, Any] = {f"{side}_{field}": False for side in _SIDES for field in ("norm_first", "final_norm")}
"""The fields of a configuration that normalises after each sublayer, and has no norm after the last."""


def layout(
    side: str,
    place: str,
    projections: Sequence[str],
    attentions: Sequence[str],
    network: Sequence[str],
    norms: Sequence[str],
    *,
    norm: Table | None = None,
    query_norms: Sequence[str] = (),
    output_norms: Sequence[str] = (),
) -> dict[str, str]:
    """The names of a stack's layers: our names mapped to those of the file; empty names are left out.

    Args:
        place: of a layer, with ``{}`` for its number.
        projections: queries, keys, values and output within an attention; a name may end with a part, such as [0/3].
        attentions: self-attention, and cross-attention where there is one.
        network: the first and the last matrix of the feed-forward network, and the gate where there is one.
        norms: of each attention, and of the network.
        norm: the names of a norm's weight and bias, where they are others.
        query_norms: of queries and of keys, within self-attention.
        output_norms: of what each attention writes, and of what the network writes.
    """
    branches = ("self_attention", "cross_attention")[: len(attentions)]
    matrices: dict[str, str] = {}
    for branch, attention in zip(branches, attentions, strict=True):
        inside = zip(("query", "key", "value", "output"), projections, strict=True)
        matrices |= {f"{branch}.{ours}": f"{attention}.{stored}" for ours, stored in inside}
    pairs = (
        *zip(("feed_forward.fc1", "feed_forward.fc2", "feed_forward.gate"), network, strict=False),
        *zip((f"{branch}.output_norm" for branch in (*branches, "feed_forward")), output_norms, strict=False),
    )
    matrices |= {ours: stored for ours, stored in pairs if stored}
    per_head = zip(("query_norm", "key_norm"), query_norms, strict=False)
    matrices |= {f"self_attention.{ours}": f"{attentions[0]}.{stored}" for ours, stored in per_head}
    start = f"{side}.layers.{{}}"
    table = {f"{start}.{ours}.*": f"{place}.{_whole(stored)}" for ours, stored in matrices.items()}
    for branch, name in zip((*branches, "feed_forward"), norms, strict=True):
        table |= with_prefixes(f"{start}.{branch}_norm", f"{place}.{name}", norm or {"*": "*"}) if name else {}
    return table


def both_stacks(
    place: str,
    projections: Sequence[str],
    attentions: tuple[str, str, str],
    network: Sequence[str],
    encoder_norms: Sequence[str],
    decoder_norms: Sequence[str],
    *,
    norm: Table | None = None,
) -> dict[str, str]:
    """The names of the layers of an encoder and a decoder, as ``layout`` writes each.

    Args:
        place: of a layer in both.
        attentions: the encoder's, then the decoder's self-attention and cross-attention.
    """
    return {
        **layout("encoder", f"encoder.{place}", projections, attentions[:1], network, encoder_norms, norm=norm),
        **layout("decoder", f"decoder.{place}", projections, attentions[1:], network, decoder_norms, norm=norm),
    }


def by_group(fused: Tensor, n_groups: int, width: int) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values of a fused projection whose rows go group by group: the queries of all heads that share
    a key, that key, and its value, each ``width`` rows."""
    parts = fused.unflatten(0, (n_groups, -1, width))  # (G, queries + 2, K, …)
    return parts[:, :-2].flatten(0, 2), parts[:, -2].flatten(0, 1), parts[:, -1].flatten(0, 1)


def _whole(name: str) -> str:
    """A name that stands for weight and bias."""
    stem, bracket, part = name.partition("[")
    return f"{stem if '*' in stem else f'{stem}.*'}{bracket}{part}"


def infer_config_from_shapes(table: Table, tensors: Mapping[str, Tensor], *, where: str) -> dict[str, Any]:
    """The fields of a configuration that names and shapes tell: sizes, widths, layers, and which matrices are one.

    Raises:
        TensorsError: when an embedding or the first layer's network is missing, or is not a matrix.
        LimitError: when there are too many layers.
    """

    def name_in_file(ours: str, kind: str = "weight") -> str:
        return table.get(f"{ours}.{kind}", table.get(f"{ours}.*", "")).partition("[")[0].replace("*", kind)

    sides = [side for side in _SIDES if f"{side}.embedding.weight" in table]
    embeddings = [name_in_file(f"{side}.embedding") for side in sides]
    sizes = [matrix(tensors, name, where=where) for name in embeddings]
    n_layers, widths = {"encoder": 0, "decoder": 0}, []
    for side in sides:
        network = name_in_file(f"{side}.layers.{{}}.feed_forward.fc1")
        before, times, begins, after = NUMBER.split(network)
        n_numbers = count_layers(tensors, rf"{re.escape(before)}(\d+){re.escape(after[0])}")
        n_layers[side] = n_numbers // int(times) if times else n_numbers - int(begins or 0)
        first = f"{before}{begins or 0}{after}"
        widths.append(widths[0] if widths and first not in tensors else matrix(tensors, first, where=where)[0])
    return {
        "source_vocab_size": sizes[0][0], "target_vocab_size": sizes[-1][0], "d_model": sizes[0][1],
        "d_feed_forward": widths[0], "d_decoder_feed_forward": None if widths[-1] == widths[0] else widths[-1],
        "n_encoder_layers": n_layers["encoder"], "n_decoder_layers": n_layers["decoder"],
        "output_bias": name_in_file("output", "bias") in tensors,
        "tie_embeddings": len(sides) > 1 and is_same(tensors, *embeddings),
        "tie_output": is_same(tensors, embeddings[-1], name_in_file("output")),
    }  # fmt: skip


def sinusoid_kind(
    table: Tensor, *, kinds: Iterable[PositionKind] = SINUSOIDAL, atol: float = 1e-2
) -> PositionKind | None:
    """The kind of the sinusoids in a table's first rows, (…, P, D); None if it was learned."""
    rows = table.reshape(-1, table.shape[-1])[:64].float()
    if rows.shape[1] % 2:
        return None
    return next((kind for kind in kinds if torch.allclose(rows, computed_rows(kind, *rows.shape), atol=atol)), None)


def is_sinusoidal(table: Tensor) -> bool:
    """Whether a table (…, P, D) has the paper's sinusoids."""
    return sinusoid_kind(table, kinds=("interleaved",)) is not None


def check_heads(setting: str, n_heads: int, width: int) -> int:
    """The number of heads in a file's settings.

    Args:
        setting: its name, with ``{}`` for the number.

    Raises:
        CheckpointError: when it does not divide the projections' width.
    """
    if width % n_heads:
        raise CheckpointError(
            f"{setting.format(n_heads)} must divide the width, {width}: these settings belong to other weights"
        )
    return n_heads


def activation_named(name: object, ours: Mapping[str, Activation], where: str) -> Activation:
    """Our activation of that name.

    Raises:
        CheckpointError: for one that ours lacks.
    """
    if not isinstance(name, str) or name not in ours:
        raise CheckpointError(
            f"the activation {name!r:.40} of {where} must be one of {', '.join(ours)}: bring its attention as a file "
            "instead"
        )
    return ours[name]


def refuse_settings(settings: Mapping[str, Any], usual: Mapping[str, Sequence[Any]], where: str) -> None:
    """Refuse a variant by the first of its settings that has none of its usual values.

    Raises:
        CheckpointError: naming the setting and the value that is read.
    """
    for name, values in usual.items():
        value = settings.get(name)
        if value is not None and value not in values:
            raise CheckpointError(
                f"{where} was trained with {name} {value!r:.40}, but only {values[0]!r} is supported: "
                "bring its attention as a file instead"
            )


def sizes_of(shapes: Mapping[str, Any]) -> tuple[int, int]:
    """How many tokens source and target have."""
    return shapes["source_vocab_size"], shapes["target_vocab_size"]


def from_table(
    tensors: Mapping[str, Tensor],
    table: Table,
    config: TransformerConfig,
    answers: Answers,
    tokenizers: Tokenizers,
    *,
    where: str,
    ignored: Iterable[str] = (),
    fill: bool = False,
    **notes: Any,
) -> Conversion:
    """The conversion by a table of names, as ``rename`` applies it.

    Args:
        notes: further fields of the conversion.
    """
    renamed = rename(table, tensors, config, where=where, ignored=ignored, fill=fill)
    fields: dict[str, Any] = {
        "tensors": renamed.tensors, "ignored": renamed.ignored, "filled": renamed.filled,
        "questions": tuple(answers.questions), "source_tokenizer": tokenizers.source,
        "target_tokenizer": tokenizers.target,
    }  # fmt: skip
    return Conversion(config, **fields | notes)
