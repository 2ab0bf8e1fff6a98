"""A model as the browser's own engine reads it (viz/components/engine): a table, one file of weights, the vocabulary.

The engine knows the configuration of the shipped models and no other: a model that it cannot run is refused by name.
"""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import sentencepiece
from numpy.typing import NDArray

from model.bundle import Bundle
from model.nn.transformer import Transformer
from model.text.tokenizer import SentencePieceTokenizer

Precision = Literal["f16", "i8"]
_REQUIRED: dict[str, Any] = {
    "encoder_norm_first": True, "decoder_norm_first": True, "encoder_final_norm": True, "decoder_final_norm": True,
    "embedding_norm": False, "norm_kind": "layer", "attention_bias": True, "feed_forward_bias": True,
    "output_bias": False, "activation": "relu", "output_scale": 1.0, "output_log_softmax": False,
    "tie_embeddings": True, "tie_output": True, "encoder_residual_scale": 1.0, "decoder_residual_scale": 1.0,
    "positions": "interleaved", "source_position_order": None, "target_position_order": None,
    "source_has_bos": False, "source_has_eos": True, "d_key": None, "d_value": None,
}  # fmt: skip
_HANDED_ON = (
    "d_model", "d_feed_forward", "n_encoder_layers", "n_decoder_layers", "n_encoder_heads", "n_decoder_heads",
    "norm_epsilon", "target_vocab_size", "target_pad_id", "bos_id", "eos_id", "position_offset",
)  # fmt: skip


class EngineError(ValueError):
    """A model that the browser's engine cannot run."""


@dataclass(frozen=True, slots=True)
class EngineFiles:
    """What the browser fetches."""

    header: dict[str, Any]
    """Name, languages, configuration, table of tensors, vocabulary; JSON."""
    weights: bytes


def engine_files(bundle: Bundle, *, precision: Precision = "f16") -> EngineFiles:
    """The model for the browser.

    Args:
        precision: ``f16``, or ``i8``: matrices as 8 bits with a scale for each row.

    Raises:
        EngineError: when its configuration or tokenizer is not one that the engine knows.
    """
    if not isinstance(bundle.model, Transformer):
        raise EngineError(f"{bundle.name} is run by another library ({bundle.family}) and cannot run in a page")
    for name, wanted in _REQUIRED.items():
        found = getattr(bundle.config, name)
        if found != wanted:
            raise EngineError(
                f"{bundle.name} cannot run in a page: its {name} is {found!r}, and the page knows {wanted!r}"
            )
    tokenizer = bundle.source_tokenizer
    if not isinstance(tokenizer, SentencePieceTokenizer) or not isinstance(
        bundle.target_tokenizer, SentencePieceTokenizer
    ):
        raise EngineError(f"{bundle.name} cannot run in a page: the page knows SentencePiece vocabularies alone")
    weights, table = _packed(bundle.model, precision)
    config = {name: getattr(bundle.config, name) for name in _HANDED_ON}
    header = {
        "version": 1,
        "name": bundle.name,
        "languages": {"source": bundle.source_language, "target": bundle.target_language},
        "config": config | {"embedding_scale": bundle.config.embedding_factor},
        "tensors": table,
        "bytes": len(weights),
        "sha256": hashlib.sha256(weights).hexdigest(),
        "vocabulary": vocabulary(tokenizer),
    }
    return EngineFiles(header, weights)


def vocabulary(tokenizer: SentencePieceTokenizer) -> dict[str, Any]:
    """Pieces, scores and kinds of a unigram vocabulary, and where its normalising is not NFKC.

    Raises:
        EngineError: for another kind of SentencePiece model.
    """
    from sentencepiece import sentencepiece_model_pb2

    proto = sentencepiece_model_pb2.ModelProto()  # pyright: ignore[reportAttributeAccessIssue]
    proto.ParseFromString(tokenizer.content)
    normaliser = proto.normalizer_spec
    if proto.trainer_spec.model_type != 1 or proto.trainer_spec.treat_whitespace_as_suffix:
        raise EngineError("the page knows SentencePiece's unigram model with the word mark in front alone")
    if not (normaliser.add_dummy_prefix and normaliser.remove_extra_whitespaces and normaliser.escape_whitespaces):
        raise EngineError("the page knows SentencePiece's usual treatment of spaces alone")
    return {
        "pieces": [piece.piece for piece in proto.pieces],
        "scores": [piece.score for piece in proto.pieces],
        "types": [piece.type for piece in proto.pieces],
        "rules": _rules(tokenizer.content),
        "unknownId": tokenizer.unknown_id,
        "hasByteFallback": proto.trainer_spec.byte_fallback,
    }


def _rules(content: bytes) -> dict[str, str]:
    """Characters of the basic plane that SentencePiece normalises otherwise than NFKC does."""
    processor = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(content)
    rules = {}
    for code in range(0x10000):
        character = chr(code)
        if 0xD800 <= code < 0xE000 or character == " ":
            continue
        plain = unicodedata.normalize("NFKC", character)
        found = processor.normalize(f"a{character}b").removeprefix("▁")
        if found != f"a{plain}b".replace(" ", "▁") and found[:1] == "a" and found[-1:] == "b":
            rules[character] = found[1:-1].replace("▁", " ")
    return rules


def _packed(model: Transformer, precision: Precision) -> tuple[bytes, dict[str, Any]]:
    parts, table, place = [], {}, 0

    def put(array: NDArray[Any]) -> int:
        nonlocal place
        start = place
        raw = array.tobytes()
        raw += b"\0" * (-len(raw) % 4)
        parts.append(raw)
        place += len(raw)
        return start

    state = {name: tensor for name, tensor in model.state_dict().items() if name not in _TIED}
    for name, tensor in state.items():
        values = tensor.float().cpu().numpy()
        if precision == "i8" and values.ndim == 2:
            scales = np.maximum(np.abs(values).max(1) / 127, 1e-12).astype(np.float32)  # (rows,)
            quantised = np.rint(values / scales[:, None]).astype(np.int8)
            table[name] = {"type": "i8", "shape": list(values.shape), "offset": put(quantised), "scales": put(scales)}
        else:
            table[name] = {"type": "f16", "shape": list(values.shape), "offset": put(values.astype(np.float16))}
    return b"".join(parts), table


_TIED = ("decoder.embedding.weight", "output.weight")
"""The same numbers as the encoder's embedding."""
