"""A model in the format of the browser engine (viz/components/engine): a header, the weights, the vocabulary.

The engine supports only the configurations of the shipped models, encoder-decoder and decoder-only; for other models
the error names the setting that differs.
"""

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from model.bundle import Bundle
from model.checkpoints.basis.assembly import stored_names
from model.layer_spec import Rotary
from model.nn.transformer import Transformer
from model.text.tokenizer import SentencePieceTokenizer
from model.text.word_tokenizer import WordTokenizer

Precision = Literal["f16", "i8"]
_REQUIRED: dict[str, Any] = {
    "encoder_final_norm": True, "decoder_final_norm": True, "embedding_norm": False, "norm_kind": "layer",
    "output_bias": False, "output_scale": 1.0, "output_log_softmax": False, "output_cap": None,
    "tie_embeddings": True, "tie_output": True, "positions": "interleaved",
    "source_position_order": None, "target_position_order": None, "source_has_bos": False, "source_has_eos": True,
}  # fmt: skip
_REQUIRED_FOR_PICTURES: dict[str, Any] = _REQUIRED | {"tie_embeddings": False, "source_has_eos": False}
_REQUIRED_OF_DECODER_ONLY: dict[str, Any] = {
    "decoder_final_norm": True, "embedding_norm": False, "output_bias": False, "output_scale": 1.0,
    "output_log_softmax": False, "output_cap": None, "tie_output": True, "positions": "none",
}  # fmt: skip
_LAYER: dict[str, Any] = {
    "norm_place": "pre", "first_norm": True, "output_norm": False, "parallel": False, "residual_scale": 1.0,
}  # fmt: skip
_ATTENTION: dict[str, Any] = {"scale": None, "cap": None, "window": None, "slopes": (), "query_norm": ""}
_ENCODER_DECODER: tuple[dict[str, Any], dict[str, Any]] = (
    _LAYER | {"activation": "relu", "gated_feed_forward": False, "feed_forward_bias": True, "norm_kind": "layer"},
    _ATTENTION | {"bias": True, "n_key_heads": None, "rotary": None, "relative": False},
)
"""Required settings of the layers, and of each attention, of an encoder-decoder model."""
_PICTURE_READER: tuple[dict[str, Any], dict[str, Any]] = (
    _ENCODER_DECODER[0] | {"activation": "gelu"},
    _ENCODER_DECODER[1],
)
"""The same for an encoder-decoder model that reads pictures."""
_DECODER_ONLY: tuple[dict[str, Any], dict[str, Any]] = (
    _LAYER | {"activation": "silu", "gated_feed_forward": True, "feed_forward_bias": False, "norm_kind": "rms"},
    _ATTENTION | {"bias": False},
)
"""The same for a decoder-only model."""
_EXPORTED_FIELDS = (
    "d_model", "d_feed_forward", "n_encoder_layers", "n_decoder_layers", "n_encoder_heads", "n_decoder_heads",
    "norm_epsilon", "target_vocab_size", "target_pad_id", "bos_id", "eos_id", "position_offset",
)  # fmt: skip


_KINDS_OF_PIECES = (1, 2, 3, 5, 6)
"""Normal, unknown, control, unused, byte."""


class EngineError(ValueError):
    """A model that the browser's engine cannot run."""


@dataclass(frozen=True, slots=True)
class EngineFiles:
    """The files that the browser fetches.

    Args:
        header: name, languages, configuration, and of each file its name, size and SHA-256; JSON.
        weights: safetensors.
        vocabulary: a SentencePiece model file, or for a model that reads pictures its pieces; JSON.
    """

    header: dict[str, Any]
    weights: bytes
    vocabulary: bytes

    def named(self) -> dict[str, bytes]:
        """The files by the names that the header gives them. A name contains a digest of the content, so that caches
        cannot confuse two files."""
        return {
            "model.json": json.dumps(self.header, ensure_ascii=False).encode("utf-8"),
            self.header["weights"]["name"]: self.weights,
            self.header["vocabulary"]["name"]: self.vocabulary,
        }


def engine_files(bundle: Bundle, *, precision: Precision = "f16") -> EngineFiles:
    """The model for the browser.

    Args:
        precision: ``f16``, or ``i8``: matrices as 8 bits with a scale for each row.

    Raises:
        EngineError: when its configuration or tokenizer is not one that the engine knows.
    """
    if not isinstance(bundle.model, Transformer):
        raise EngineError(f"{bundle.name} cannot run in a page, because another library runs it ({bundle.family})")
    decoder_only = _decoder_only_config(bundle) if bundle.config.is_single_stack else {}
    picture = _picture_config(bundle)
    if not decoder_only:
        _check(bundle, bundle.config, _REQUIRED_FOR_PICTURES if picture else _REQUIRED)
        _check_layers(bundle, _PICTURE_READER if picture else _ENCODER_DECODER)
    vocabulary = _pieces(bundle) if picture else _vocabulary(bundle)
    weights = _pack_weights(bundle.model, precision)
    config = {name: getattr(bundle.config, name) for name in _EXPORTED_FIELDS} | decoder_only | picture
    header = {
        "version": 2,
        "name": bundle.name,
        "languages": {"source": bundle.source_language, "target": bundle.target_language},
        "config": config
        | {"embedding_scale": bundle.config.embedding_factor}
        | ({} if bundle.normalisation == "plain" else {"normalisation": None}),
        "calibration": _calibration(bundle),
        "weights": _file_entry("weights", weights, ".safetensors"),
        "vocabulary": _file_entry("vocabulary", vocabulary, ".json" if picture else ".model"),
    }
    return EngineFiles(header, weights, vocabulary)


def _picture_config(bundle: Bundle) -> dict[str, Any]:
    """Further configuration of a model that reads pictures; empty for others.

    Raises:
        EngineError: for pictures of another size than the page's pad makes.
    """
    picture = bundle.picture
    if picture is None:
        return {}
    _check(bundle, picture, {"height": 32, "width": 384})
    return {"picture": dataclasses.asdict(picture), "activation": "gelu"}


def _pieces(bundle: Bundle) -> bytes:
    """The output characters of a handwriting model.

    Raises:
        EngineError: for another kind of vocabulary.
    """
    tokenizer = bundle.target_tokenizer
    if not isinstance(tokenizer, WordTokenizer):
        raise EngineError(f"{bundle.name} cannot run in a page: a page reads handwriting character by character")
    specials = [place for place, piece in enumerate(tokenizer.tokens) if piece in tokenizer.SPECIAL]
    return json.dumps({"pieces": tokenizer.tokens, "specials": specials}, ensure_ascii=False).encode("utf-8")


def _check(bundle: Bundle, part: Any, required: Mapping[str, Any]) -> None:
    """Raise ``EngineError`` for the first setting that the engine does not support."""
    for name, supported in required.items():
        actual = getattr(part, name)
        if actual != supported:
            raise EngineError(
                f"{bundle.name} cannot run in a page: its {name} is {actual!r}, but a page supports only {supported!r}"
            )


def _check_layers(bundle: Bundle, required: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """Raise ``EngineError`` for layers that the engine does not support, or of another width than configured."""
    config = bundle.config
    of_layers = {"d_feed_forward": config.d_feed_forward, "norm_epsilon": config.norm_epsilon}
    for layer in (*config.layers(encoder=True), *config.layers(encoder=False)):
        _check(bundle, layer, required[0] | of_layers)
        for attention in filter(None, (layer.attention, layer.cross)):
            width = config.d_model // attention.n_heads
            _check(bundle, attention, required[1] | {"d_key": width, "d_value": width})


def _decoder_only_config(bundle: Bundle) -> dict[str, Any]:
    """Further configuration of a decoder-only model: number of key heads, and base of the rotary positions.

    Raises:
        EngineError: for an encoder-only model, and for layers that are not all of the shipped decoder's kind.
    """
    config = bundle.config
    if not config.n_decoder_layers:
        raise EngineError(f"{bundle.name} cannot run in a page: it has no decoder")
    _check(bundle, config, _REQUIRED_OF_DECODER_ONLY)
    kinds = set(config.layers(encoder=False))
    if len(kinds) != 1:
        raise EngineError(f"{bundle.name} cannot run in a page: its layers are of {len(kinds)} kinds")
    _check_layers(bundle, _DECODER_ONLY)
    attention = kinds.pop().attention
    width = attention.d_key
    rotary = attention.rotary
    if rotary is None or rotary != Rotary(width=width, base=rotary.base):
        raise EngineError(f"{bundle.name} cannot run in a page: its rotary is {rotary!r}, but a page turns whole heads")
    return {"alone": {"n_key_heads": attention.key_heads, "rotary_base": rotary.base}}


def _calibration(bundle: Bundle) -> dict[str, Any] | None:
    """The constants of the page's confidence estimate; None where the model has none."""
    calibration = bundle.calibration
    if calibration is None:
        return None
    terms = {name: dataclasses.asdict(term) for name, term in calibration.terms.items()}
    return {"bias": calibration.bias, "threshold": calibration.threshold, "terms": terms}


def _file_entry(stem: str, content: bytes, suffix: str) -> dict[str, Any]:
    digest = hashlib.sha256(content).hexdigest()
    return {"name": f"{stem}-{digest[:12]}{suffix}", "bytes": len(content), "sha256": digest}


def _vocabulary(bundle: Bundle) -> bytes:
    """The SentencePiece file shared by both languages.

    Raises:
        EngineError: for another kind of vocabulary, or two of them.
    """
    from sentencepiece import sentencepiece_model_pb2

    source, target = bundle.source_tokenizer, bundle.target_tokenizer
    if not isinstance(source, SentencePieceTokenizer) or not isinstance(target, SentencePieceTokenizer):
        raise EngineError(f"{bundle.name} cannot run in a page: a page supports only SentencePiece vocabularies")
    if source.content != target.content:
        raise EngineError(f"{bundle.name} cannot run in a page: a page supports only one vocabulary for both languages")
    proto = sentencepiece_model_pb2.ModelProto()  # pyrefly: ignore[missing-attribute]
    proto.ParseFromString(source.content)
    normaliser = proto.normalizer_spec
    if proto.trainer_spec.model_type != 1 or proto.trainer_spec.treat_whitespace_as_suffix:
        raise EngineError("a page supports only SentencePiece's unigram model with the word mark before each word")
    if not (normaliser.add_dummy_prefix and normaliser.remove_extra_whitespaces and normaliser.escape_whitespaces):
        raise EngineError("a page supports only SentencePiece's default treatment of spaces")
    if any(piece.type not in _KINDS_OF_PIECES for piece in proto.pieces):
        raise EngineError("a page does not support user-defined pieces in a SentencePiece vocabulary")
    return source.content


def _pack_weights(model: Transformer, precision: Precision) -> bytes:
    arrays: dict[str, NDArray[Any]] = {}
    for name, tensor in stored_names(model).items():
        values = tensor.float().cpu().numpy()
        if precision == "i8" and values.ndim == 2:
            scales = np.maximum(np.abs(values).max(1) / 127, 1e-12).astype(np.float32)  # (rows,)
            arrays[name] = np.rint(values / scales[:, None]).astype(np.int8)
            arrays[f"{name}.scale"] = scales
        else:
            arrays[name] = values.astype(np.float16)
    return save(arrays)
