"""``torch.nn.Transformer`` inside any wrapper: the PyTorch translation tutorial's, or embeddings and generator
under any names; also its stacks or its layers used on their own. The layers are found by their tensors,
the matrices around them by their shapes, then their names.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers, embedding_evidence
from model.checkpoints.basis.errors import TensorsError, UnshownError
from model.checkpoints.families.renaming import matrix
from model.checkpoints.families.tables import both_stacks, from_table, infer_config_from_shapes, is_sinusoidal, layout
from model.checkpoints.formats.source import Source
from model.config import EPSILON, PositionKind, TransformerConfig

NAME = "torch"
BATCH_FIRST = "batch_first=as the inputs were ordered"
"""A network that reads (batch, tokens) with ``batch_first=False`` attends across the batch, and no tensor tells."""
_PROJECTIONS = ("in_proj_*[0/3]", "in_proj_*[1/3]", "in_proj_*[2/3]", "out_proj")
_NETWORK, _NORMS = ("linear1", "linear2"), ("norm1", "norm2", "norm3")
STACKS = {
    **both_stacks("layers.{}", _PROJECTIONS, ("self_attn", "self_attn", "multihead_attn"), _NETWORK, _NORMS[:2],
                  _NORMS),
    "encoder.final_norm.*": "encoder.norm.*", "decoder.final_norm.*": "decoder.norm.*",
}  # fmt: skip


def single_stack_layers(side: str, place: str) -> dict[str, str]:
    """The table of names for the layers of an encoder, or of a decoder built from encoder layers."""
    return layout(side, place, _PROJECTIONS, ("self_attn",), _NETWORK, _NORMS[:2])


_SOURCE = re.compile(r"src|source|enc(?!oding)|input|in_emb|de_|from", re.IGNORECASE)
_TARGET = re.compile(r"tgt|trg|target|dec|to_", re.IGNORECASE)
_OUTPUT = re.compile(r"gen|out|proj|fc|head|linear|logit|vocab|pred|classif|unembed", re.IGNORECASE)
_POSITION = re.compile(r"pos|^pe$|\.pe$|sinus|time_enc", re.IGNORECASE)


_LAYER, _CROSS = "0.self_attn.in_proj_weight", "0.multihead_attn.in_proj_weight"
_FINAL = ("norm", "final_norm", "norm_f", "ln_f", "final_layer_norm", "norm_out", "last_norm")
"""What a norm beside a list of layers is called that stands after the last one."""


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack of layers, with its names in the file."""

    layers: str
    """What stands before a layer's number."""
    norm: str
    """The norm after the last layer, which the file may lack."""

    def holds(self, name: str) -> bool:
        """Whether a tensor of this name belongs to the stack."""
        return name.startswith(self.layers) or name.startswith(f"{self.norm}.")


Stacks = tuple[Stack, Stack]
"""The encoder's and the decoder's."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The tensors outside the stacks, with their names in the file."""

    source: str
    target: str
    output: str
    positions: tuple[str, ...]


def recognise(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which this family is recognised."""
    stacks = find_stacks(tensors)
    return () if stacks is None else (f"{stacks[0].layers}{_LAYER}", f"{stacks[1].layers}{_CROSS}")


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    tensors, where = source.tensors, source.where
    stacks = find_stacks(tensors)
    assert stacks is not None
    first = f"{stacks[0].layers}0"
    _, d_model = matrix(tensors, f"{first}.self_attn.in_proj_weight", where=where)
    around = find_surroundings(tensors, stacks, d_model, where=where)
    bias = around.output.removesuffix("weight") + "bias"
    names = table_of(stacks) | {
        "encoder.embedding.weight": around.source, "decoder.embedding.weight": around.target,
        "output.weight": around.output, "output.bias": bias,
    }  # fmt: skip
    shapes = infer_config_from_shapes(names, tensors, where=where)
    encoder_heads, decoder_heads = answers.heads(d_model)
    norm_first = answers.ask("norm_first", False, choices=(False, True))
    is_tutorial = "src_tok_emb.embedding.weight" in tensors
    pad = 1 if is_tutorial else 0
    positions = _read_positions(tensors, around.positions, d_model, answers)
    scale = d_model**0.5
    if not is_tutorial:
        usual = 1.0 if positions.kind == "learned" else scale
        scale = float(answers.ask("embedding_scale", usual, choices=(scale, 1.0),
                                  evidence=embedding_evidence(tensors[around.source])))  # fmt: skip
    config = TransformerConfig(
        **shapes,
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads,
        encoder_norm_first=norm_first, decoder_norm_first=norm_first,
        encoder_final_norm=f"{stacks[0].norm}.weight" in tensors,
        decoder_final_norm=f"{stacks[1].norm}.weight" in tensors,
        attention_bias=f"{first}.self_attn.in_proj_bias" in tensors,
        feed_forward_bias=f"{first}.linear1.bias" in tensors,
        activation=answers.ask("activation", "relu", choices=("relu", "gelu")),
        embedding_scale=scale, positions=positions.kind, max_positions=positions.n_rows,
        **_ends(answers, is_tutorial=is_tutorial),
        **answers.specials(tokenizers, shapes, pads=(pad, pad), bos=2, eos=3),
    )  # fmt: skip
    ignored = [re.escape(name) for name in _pair(around.positions)] if around.positions else []
    ignored += [re.escape(name) for name in around.positions if is_sinusoidal(tensors[name])]
    conversion = from_table({**tensors, **positions.tables}, {**names, **positions.places}, config, answers, tokenizers,
                           where=where, ignored=ignored, fill=True, tables=(positions.exact, positions.exact),
                           assumed=(f"layer_norm_eps={EPSILON:g}", BATCH_FIRST))  # fmt: skip
    return replace(conversion, ignored=()) if positions.kind == "learned" else conversion


def find_stacks(tensors: Mapping[str, Tensor]) -> Stacks | None:
    """Encoder and decoder, distinguished by cross-attention; None if either is missing."""
    layers = [name.removesuffix(_LAYER) for name in tensors if name.endswith(f".{_LAYER}")]
    decoder = next((name for name in layers if f"{name}{_CROSS}" in tensors), None)
    encoder = next((name for name in layers if f"{name}{_CROSS}" not in tensors), None)
    if encoder is None or decoder is None:
        return None
    return stack_of(tensors, encoder, "encoder"), stack_of(tensors, decoder, "decoder")


def stack_of(tensors: Mapping[str, Tensor], layers: str, side: str) -> Stack:
    """A stack with its final norm: inside the stack, or beside a list of layers under a recognisable name."""
    around = layers.removesuffix("layers.")
    if around == layers:
        around = layers[:-1].rpartition(".")[0]
        around += "." if around else ""
    words = (*_FINAL, *(f"{side}_{word}" for word in _FINAL))
    norm = next((word for word in words if f"{around}{word}.weight" in tensors), "norm")
    return Stack(layers, f"{around}{norm}")


def table_of(stacks: Stacks) -> dict[str, str]:
    """The table of names, with those of the stacks."""
    table = {}
    for side, stack in zip(("encoder", "decoder"), stacks, strict=True):
        for ours, stored in STACKS.items():
            if ours.startswith(f"{side}."):
                inner = stored.removeprefix(f"{side}.")
                is_layer = inner.startswith("layers.")
                table[ours] = stack.layers + inner[len("layers.") :] if is_layer else stack.norm + inner[len("norm") :]
    return table


def find_surroundings(tensors: Mapping[str, Tensor], stacks: Stacks, d_model: int, *, where: str) -> Surroundings:
    """Embeddings, output and positions among the tensors outside the stacks.

    Where the vocabularies differ in size, the target's embedding is the one with as many rows as the output.

    Raises:
        TensorsError: when there is no matrix that could be an embedding.
        UnshownError: when the model reads numbers.
    """
    outside = {name: tensor for name, tensor in tensors.items() if not any(stack.holds(name) for stack in stacks)}
    positions = tuple(name for name, tensor in outside.items() if is_positions(name, tensor, d_model))
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
    refuse_numbers(outside, source, d_model, where)
    others = [name for name in embeddings if name != source]
    target = next((name for name in others if _TARGET.search(name)), others[0] if others else source)
    fitting = [name for name in embeddings if output is not None and tensors[name].shape[0] == tensors[output].shape[0]]
    if len(fitting) == 1 and len(embeddings) == 2:
        target = fitting[0]
        source = next(name for name in embeddings if name != target)
    if output is None:
        rest = [name for name in embeddings if name not in (source, target)]
        output = rest[0] if rest else target
    return Surroundings(source, target, output, positions)


def is_positions(name: str, tensor: Tensor, d_model: int) -> bool:
    """Whether a tensor is a position table: more than one row, each as wide as the model."""
    if tensor.dim() < 2 or tensor.shape[-1] != d_model or tensor.numel() != d_model * max(tensor.shape[:-1]):
        return False
    if tensor.numel() == d_model:
        return False  # one vector, such as a token in front of the text
    return bool(_POSITION.search(name)) or (tensor.dim() > 2 or is_sinusoidal(tensor))


@dataclass(frozen=True, slots=True)
class _Positions:
    kind: PositionKind
    n_rows: int
    exact: Tensor | None = None
    """The sinusoidal table of the file (P, D)."""
    tables: Mapping[str, Tensor] = field(default_factory=dict)
    """Learned tables (P, D) under names that the file does not use, as long as the shorter one."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Where ours find those."""


def _read_positions(
    tensors: Mapping[str, Tensor], names: tuple[str, ...], d_model: int, answers: Answers
) -> _Positions:
    """Positions from the file; without a table, their kind is a question."""
    if not names:
        choices: tuple[PositionKind, ...] = ("interleaved", "halves", "tensor2tensor", "doubled", "none")
        choices = choices if d_model % 2 == 0 else ("none",)
        return _Positions(answers.ask("positions", choices[0], choices=choices), 5000)
    pair = [tensors[name].reshape(-1, d_model).float() for name in _pair(names)]  # (P, D)
    if all(map(is_sinusoidal, pair)):
        longest = max(pair, key=len)
        return _Positions("interleaved", len(longest), longest)
    n_rows = min(map(len, pair))
    tables = {f"{side} positions": table[:n_rows] for side, table in zip(("encoder", "decoder"), pair, strict=True)}
    places = {f"{side}.positions.table": f"{side} positions" for side in ("encoder", "decoder")}
    return _Positions("learned", n_rows, None, tables, places)


def _pair(names: tuple[str, ...]) -> tuple[str, str]:
    """The names of the embedding tables of source and target."""
    source = next((name for name in names if _SOURCE.search(name) and not _TARGET.search(name)), names[0])
    target = next((name for name in names if _TARGET.search(name)), names[-1])
    return source, target


def _ends(answers: Answers, *, is_tutorial: bool) -> dict[str, Any]:
    """Whether the source has begin and end tokens: it has both in the tutorial; otherwise it is a question."""
    ends = {}
    for hint, likely in (("source_has_bos", is_tutorial), ("source_has_eos", True)):
        is_asked = not is_tutorial or getattr(answers.hints, hint) is not None
        ends[hint] = answers.ask(hint, likely, choices=(False, True)) if is_asked else likely
    return ends


FEW = 32
"""Maximum inputs or outputs of a linear layer that suggest a model of measurements."""


def reads_numbers(where: str, n_numbers: int | None, more: str = "") -> UnshownError:
    """The error for such a model.

    Args:
        n_numbers: inputs per position, if known.
        more: a further sentence for the message.
    """
    read = "numbers" if n_numbers is None else f"{n_numbers} numbers at each place"
    return UnshownError(
        f"{where} reads {read} and not tokens (it has no embedding), as models of time series and measurements do, and "
        "nothing is translated or continued here: save its attention where it runs, and open that file "
        f"(docs/attention-files.md){more}"
    )


def refuse_numbers(around: Mapping[str, Tensor], embedding: str, width: int, where: str) -> None:
    """Refuse a model whose only candidate for an embedding is a linear layer with a bias.

    Args:
        around: the tensors outside the stacks.
        embedding: the candidate.
        width: d_model.

    Raises:
        UnshownError: when it reads numbers.
    """
    inputs = [tensor for name, tensor in around.items() if _is_linear(around, name)
              and tensor.shape[0] == width != tensor.shape[1]]  # fmt: skip
    n_rows = len(around[embedding])
    if _is_linear(around, embedding) and (inputs or n_rows == width or n_rows <= FEW):
        raise reads_numbers(where, inputs[0].shape[1] if inputs else None)


def _is_linear(around: Mapping[str, Tensor], name: str) -> bool:
    """Whether a matrix has a bias, which embeddings do not."""
    return around[name].dim() == 2 and name.endswith("weight") and name.removesuffix("weight") + "bias" in around
