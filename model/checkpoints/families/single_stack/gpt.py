"""Decoders after GPT-2 with learned positions, as people write and train them: nanoGPT, minGPT, the GPT of Karpathy's
lecture, that of Raschka's book, and a bare state dict of the library's GPT-2."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.families.renaming import first_complete
from model.checkpoints.families.single_stack.common import ids_of, single_stack
from model.checkpoints.families.tables import infer_config_from_shapes, layout
from model.checkpoints.formats.source import Source
from model.config import TransformerConfig

NAME = "gpt"
_GPT2_SIZE, _GPT2_END = 50_257, 50_256
_MASKS = (r".*\.(attn|att|sa)\.(bias|masked_bias|mask)", r".*\.tril")


@dataclass(frozen=True, slots=True)
class Form:
    """One way of naming such a decoder."""

    place: str
    """Of the layers."""
    embedding: str
    positions: str
    final: str
    output: str
    attention: str
    projections: tuple[str, str, str, str]
    norms: tuple[str, str]
    network: tuple[str, str]
    activations: tuple[str, ...]
    """The likely one first; one alone is certain."""
    is_rewritten: bool = False
    """Whether copies of it keep the names and divide scores by the square root of the model's width, as its first
    version did, or have each norm after its branch, as a course of freeCodeCamp has."""

    @property
    def marks(self) -> tuple[str, ...]:
        """Names that only this form has together."""
        query = self.projections[0].partition("[")[0]
        return f"{self.place}.0.{self.attention}.{query}.weight", self.embedding, self.positions

    def table(self) -> dict[str, str]:
        """Our names mapped to those of the file."""
        place = f"{self.place}.{{}}"
        return layout("decoder", place, self.projections, (self.attention,), self.network, self.norms) | {
            "decoder.embedding.weight": self.embedding, "decoder.positions.table": self.positions,
            "decoder.final_norm.*": self.final, "output.*": self.output,
        }  # fmt: skip


_APART = ("query", "key", "value", "proj")
_NORMS = ("ln1", "ln2")
NANO = Form("h", "wte.weight", "wpe.weight", "ln_f.*", "lm_head.*", "attn",
            ("c_attn[0/3]", "c_attn[1/3]", "c_attn[2/3]", "c_proj"), ("ln_1", "ln_2"), ("mlp.c_fc", "mlp.c_proj"),
            ("gelu", "gelu_tanh"))  # fmt: skip
"""nanoGPT, today's minGPT and the library's GPT-2."""
FORMS = (
    NANO,
    Form("blocks", "tok_emb.weight", "pos_emb", "ln_f.*", "head.*", "attn", _APART, _NORMS, ("mlp.0", "mlp.2"),
         ("gelu",)),
    Form("blocks", "token_embedding_table.weight", "position_embedding_table.weight", "ln_f.*", "lm_head.*", "sa",
         _APART, _NORMS, ("ffwd.net.0", "ffwd.net.2"), ("relu", "gelu"), is_rewritten=True),
    Form("trf_blocks", "tok_emb.weight", "pos_emb.weight", "final_norm.*", "out_head.*", "att",
         ("W_query", "W_key", "W_value", "out_proj"), ("norm1", "norm2"), ("ff.layers.0", "ff.layers.2"),
         ("gelu_tanh",)),
)  # fmt: skip
"""The first minGPT, Karpathy's lecture ("Let's build GPT") and Raschka's book ("Build a Large Language Model")."""


def recognise(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which this family is recognised."""
    return first_complete(_plain_names(tensors), *(form.marks for form in FORMS))


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    where, tensors = source.where, _plain_names(source.tensors)
    form = next(form for form in FORMS if first_complete(tensors, form.marks))
    tensors = _transpose_matrices(tensors) if form is NANO else tensors
    heads = len({name for name in source.tensors if re.search(r"\.0\.sa\.heads\.\d+\.query\.weight\Z", name)})
    shapes, positions = infer_config_from_shapes(form.table(), tensors, where=where), tensors[form.positions]
    size, d_model = shapes["target_vocab_size"], shapes["d_model"]
    likely = d_model // 64 if d_model % 64 == 0 and d_model >= 256 else 4  # GPT-2 has heads of 64 at every size
    n_heads = heads or answers.heads(d_model, likely=likely)[1]
    usual = {"eos": _GPT2_END} if size >= _GPT2_SIZE else {}
    norm_first = not form.is_rewritten or answers.ask("norm_first", True, choices=(True, False))
    config = TransformerConfig(
        **shapes, n_encoder_heads=n_heads,
        n_decoder_heads=n_heads, encoder_norm_first=norm_first, decoder_norm_first=norm_first,
        encoder_final_norm=False, activation=_activation(form, source, answers),
        score_scale=_score_scale(form, answers, d_model), embedding_scale=1.0, positions="learned",
        max_positions=positions.shape[-2], mask_target_padding=False,
        **ids_of(answers, tokenizers.source, size, **usual),
    )  # fmt: skip
    tensors[form.positions] = positions.reshape(-1, positions.shape[-1])
    return single_stack(source, tensors, form.table(), config, answers, tokenizers, ignored=_masks(tensors))


def _masks(tensors: Mapping[str, Tensor]) -> list[str]:
    """The causal masks that its layers keep as buffers: squares, and a single number for what they hide."""
    named = (name for name in tensors if any(re.fullmatch(pattern, name) for pattern in _MASKS))
    return [re.escape(n) for n in named if tensors[n].numel() == 1 or tensors[n].numel() == tensors[n].shape[-1] ** 2]


def _score_scale(form: Form, answers: Answers, d_model: int) -> float | None:
    """The factor on scores where no tensor tells it; None for the usual one."""
    if not form.is_rewritten:
        return None
    answer = answers.ask("score_width", "head", choices=("head", "model", "none"))
    return {"model": d_model**-0.5, "none": 1.0}.get(answer)


def _activation(form: Form, source: Source, answers: Answers) -> Any:
    """nanoGPT's function is exact since 2023; minGPT and GPT-2 have the approximation, and no tensor tells."""
    choices = form.activations
    if form is NANO and "model_args" in source.beside:  # as nanoGPT's own training writes it
        return answers.hints.activation or choices[0]
    choices = choices[::-1] if form is NANO else choices
    if len(choices) == 1:
        return choices[0]
    return answers.ask("activation", choices[0], choices=choices)


def _plain_names(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Names without the module around GPT-2's body, norms' numbers under their usual names, and heads joined."""
    renamed = {name.removeprefix("transformer."): tensor for name, tensor in tensors.items()}
    for stored, ours in (("scale", "weight"), ("shift", "bias")):
        renamed = {re.sub(rf"(norm\d?)\.{stored}\Z", rf"\1.{ours}", name): tensor for name, tensor in renamed.items()}
    heads: dict[str, dict[int, Tensor]] = {}
    for name in tuple(renamed):
        match = re.fullmatch(r"(blocks\.\d+\.sa)\.heads\.(\d{1,4})\.(query|key|value)\.(weight|bias)", name)
        if match:
            heads.setdefault(f"{match[1]}.{match[3]}.{match[4]}", {})[int(match[2])] = renamed.pop(name)
    widths = {tensor.shape for parts in heads.values() for tensor in parts.values()}
    if len({shape[1:] for shape in widths}) > 2:
        return renamed
    return renamed | {name: torch.cat([parts[head] for head in sorted(parts)]) for name, parts in heads.items()}


def _transpose_matrices(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """The library's GPT-2 keeps its matrices as (in, out)."""
    first = tensors["h.0.attn.c_attn.weight"]
    if first.dim() != 2 or first.shape[1] != 3 * first.shape[0]:
        return tensors
    ends = ("c_attn.weight", "c_proj.weight", "c_fc.weight")
    return {name: x.t() if name.endswith(ends) and x.dim() == 2 else x for name, x in tensors.items()}
