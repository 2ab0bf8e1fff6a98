"""The tensors of a file of ``transformers``: which of them are one, and which its network does not compute with.

The modules' code takes two seconds of processor time to import, most of it for training on many machines; the classes
of configurations take half a second. A file whose names are exactly the usual ones needs only the configuration's
defaults and the knowledge of which matrices are one, which is here. Every other file is left to the library.

A tensor that no module of the network reads is known for what it is by its name and shape. Any other changes what the
model computes, and the file is refused: an adapter, a norm of queries that another type has, a layer too many, a token
in front of the text.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.basis.errors import UnusedError
from model.checkpoints.formats.wrapping import is_outside

_CONFIGURATIONS = {"marian": "MarianConfig", "bart": "BartConfig", "mbart": "MBartConfig", "m2m_100": "M2M100Config",
                   "t5": "T5Config", "mt5": "MT5Config"}  # fmt: skip
SPARE = "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"
"""Stored with the first T5 models, and read by no version of the library."""


def configuration(kind: str, described: dict[str, Any]) -> Any:
    """The library's configuration of an encoder-decoder, with its defaults for what the file leaves open."""
    import transformers

    return getattr(transformers, _CONFIGURATIONS[kind]).from_dict(described)


def complete(kind: str, config: Any, tensors: Mapping[str, Tensor]) -> dict[str, Tensor] | None:
    """The tensors under every name that the library's modules have, the embeddings shared as the library shares them.

    Returns:
        None where the file does not show which tensors are tied, so that the library has to tie them.
    """
    tied = {name: tensor for name, tensor in tensors.items() if name != SPARE}
    prefix = "" if kind in ("t5", "mt5") else "model."
    shared, output = f"{prefix}shared.weight", "lm_head.weight"
    source, target = (f"{prefix}{side}.embed_tokens.weight" for side in ("encoder", "decoder"))
    is_shared = kind != "marian" or config.share_encoder_decoder_embeddings
    if config.tie_word_embeddings:
        whole, parts = (shared, (source, target, output)) if is_shared else (target, (output,))
        if not _tie(tied, whole, parts):
            return None
    expected = {source, target, output} | ({shared} if is_shared else set())
    if not expected <= set(tied) or (not is_shared and shared in tied):
        return None
    if kind in ("marian", "bart", "mbart"):
        tied.setdefault("final_logits_bias", torch.zeros(1, tied[output].shape[0]))
    return tied


def _tie(tensors: dict[str, Tensor], whole: str, parts: tuple[str, ...]) -> bool:
    """Share one tensor under several names; those that the file holds with other numbers keep them."""
    held = [name for name in (whole, *parts) if name in tensors]
    if not held:
        return False
    if whole not in tensors:
        if any(not _equal(tensors[held[0]], tensors[name]) for name in held[1:]):
            return False
        tensors[whole] = tensors[held[0]]
    for name in parts:
        if name not in tensors or _equal(tensors[whole], tensors[name]):
            tensors[name] = tensors[whole]
    return True


def _equal(a: Tensor, b: Tensor) -> bool:
    return a.shape == b.shape and (a.data_ptr() == b.data_ptr() or torch.equal(a, b))


_HEADS = (
    "pooler", "cls", "pre_classifier", "out_proj", "score", "qa_outputs", "logits_proj", "sequence_summary", "crf",
    "(?:(?:lm|mlm|classification|qa|span|ner|token|sequence|regression|score|reward|value|v|mc)_?)?heads?",
    "classifiers?", "predictions", "(?:generator|discriminator|lm|mask)_predictions", "generator_lm_head",
    "sop_classifier", "seq_relationship", "vocab_(?:transform|layer_norm|projector)", "pred_layer",
    "multiple_choice_head", "regressors?",
)  # fmt: skip
_BODIES = "model|transformer|base_model|[a-z0-9_]*(?:bert|electra|ernie|albert|roformer|mpnet|deberta|roberta|xlm)"
_NAMED_HEAD = re.compile(rf"(?:(?:{_BODIES})\.)?(?:{'|'.join(_HEADS)})\.[\w.]+")
"""A module after the last layer: a classifier, a pooler, the head of a task."""
_PLAIN_HEAD = re.compile(r"(?:fc|linear|dense|out|output|decoder)_?\d*\.(?:weight|bias)")
"""The same of people's own code around an encoder, which has nothing else that predicts."""
_COMPUTED = (
    (r"(?:.+\.)?embeddings\.(?:position_ids|token_type_ids)", lambda x: x.numel() == x.shape[-1]),
    (r"(?:.+\.)?rotary_emb\.(?:\w+_)?inv_freq", lambda x: x.dim() == 1),
    (r"(?:.+\.)?rotary_emb\.(?:cos|sin)_cached", lambda x: x.dim() >= 2),
    (r"(?:.+\.)?(?:attn|attention|crossattention|self_attention)\.(?:bias|causal_mask|mask)",
     lambda x: x.dim() >= 2 and x.shape[-1] == x.shape[-2] and x.numel() == x.shape[-1] ** 2 and _is_causal(x)),
    (r"(?:.+\.)?(?:attn|attention|crossattention|self_attention)\.masked_bias", lambda x: x.numel() == 1),
    (r"(?:model\.)?(?:encoder|decoder)\.version", lambda x: x.numel() == 1),
    (r"(?:.+\.)?num_batches_tracked", lambda x: x.numel() == 1),
    (r"(?:.+\.)?final_logits_bias", lambda x: not x.any()),
    (r"(?:.+\.)?embed_positions\.(?:weights|_float_tensor)", lambda x: x.dim() < 3),
    (r"(?:.+\.)?attn\.embed_positions", lambda x: x.dim() == 2),
)  # fmt: skip
"""Buffers that the library computes, or once did, with what each must look like: ids of positions, frequencies of
rotary positions, causal masks (GPT-2, GPT-NeoX, GPT-J, CodeGen), tables of sinusoids, a bias of zeros."""
_TIED = ("shared.weight", "embed_tokens.weight", "lm_head.weight", "wte.weight", "word_embeddings.weight")
_LAYER = re.compile(r"(?:model\.)?layers\.(\d+)\.")


def account_for_unread(
    unread: Iterable[str], tensors: Mapping[str, Tensor], where: str, *, is_encoder: bool, further: range
) -> tuple[str, ...]:
    """The tensors that no module of a network reads, each known for what it is.

    Args:
        unread: their names, as the library calls them.
        tensors: of the file.
        is_encoder: whether the model is encoder-only, whose heads attention does not need.
        further: numbers of layers after the last, which predict the tokens after the next (DeepSeek-V3) and which the
            library leaves out.

    Raises:
        UnusedError: naming those that are not known.
    """
    unread = tuple(sorted(unread))
    unknown = tuple(name for name in unread if not _is_known(name, tensors, is_encoder=is_encoder, further=further))
    if unknown:
        raise UnusedError(where, unexpected=unknown)
    return unread


def _is_known(name: str, tensors: Mapping[str, Tensor], *, is_encoder: bool, further: range) -> bool:
    tensor = _tensor(name, tensors)
    if is_outside(name, tensor.numel()) or name == SPARE:
        return True
    if any(re.fullmatch(pattern, name) and fits(tensor) for pattern, fits in _COMPUTED):
        return True
    layer = _LAYER.match(name)
    if layer is not None:
        return int(layer[1]) in further
    is_head = _NAMED_HEAD.fullmatch(name) or (is_encoder and _PLAIN_HEAD.fullmatch(name))
    return bool(is_head) or _is_copy(name, tensor, tensors)


def _tensor(name: str, tensors: Mapping[str, Tensor]) -> Tensor:
    """The tensor of a name to which the library may have added, or from which it may have taken, the body's."""
    if name in tensors:
        return tensors[name]
    ends = [held for held in tensors if held.endswith(f".{name}") or name.endswith(f".{held}")]
    return tensors[ends[0]] if ends else torch.empty(0, 0, 0)


def _is_causal(mask: Tensor) -> bool:
    """A causal mask as the library stored it: ones, or zeros and a large negative number."""
    rows = mask.reshape(mask.shape[-2:])[:64, :64]
    sees = rows.bool() if rows.dtype == torch.bool or not (rows < 0).any() else rows == 0
    return bool((sees == torch.ones_like(sees, dtype=torch.bool).tril()).all())


def _is_copy(name: str, tensor: Tensor, tensors: Mapping[str, Tensor]) -> bool:
    """Whether it repeats an embedding that is read under another name."""
    others = [other for other in tensors if other != name and other.endswith(_TIED)]
    return (
        name.endswith(_TIED)
        and not re.search(r"\d", name)
        and any(tensors[other].shape == tensor.shape and torch.equal(tensors[other], tensor) for other in others)
    )
