"""The specification of a layer as frozen values: attention, feed-forward network and norms.

Encoder and decoder are built from these. A configuration lists them if layers differ from each other or from the
paper's; otherwise they are derived from the fields of ``TransformerConfig``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from model.config_json import is_json
from model.errors import RegardError

NormKind = Literal["layer", "annotated", "population", "rms"]
Activation = Literal["relu", "gelu", "gelu_tanh", "gelu_sigmoid", "silu", "relu_squared"]
QueryNorm = Literal["", "head", "whole"]
NormPlace = Literal["pre", "post", "none"]
_MOST_PAIRS = 4096


class ConfigError(RegardError, ValueError):
    """A configuration cannot be built; the message gives the value, the rule and the remedy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotary:
    """Rotary positions (Su et al. 2021): pairs of numbers of queries and keys are rotated by position × frequency."""

    width: int
    """The first ``width`` numbers of each head are rotated; the rest are unchanged."""
    base: float = 10_000.0
    """Pair i rotates by base^(-2i / width) radians per position."""
    interleaved: bool = False
    """Whether a pair is two neighbours (GPT-J), or one number of each half (GPT-NeoX, Llama)."""
    frequencies: tuple[float, ...] = ()
    """Radians per position of each pair, if they do not follow from ``base``: models extended to longer texts."""
    factor: float = 1.0
    """Factor on the rotated queries and keys (YaRN, Peng et al. 2023)."""

    def __post_init__(self) -> None:
        _require(self.width >= 2 and self.width % 2 == 0, "rotary width", self.width, "must be even, and at least 2")
        _require(self.base > 0, "rotary base", self.base, "must be positive")
        object.__setattr__(self, "frequencies", tuple(map(float, self.frequencies)))
        n = len(self.frequencies)
        _require(n in (0, self.width // 2) and n <= _MOST_PAIRS, "rotary frequencies", n, "must be one for each pair")


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionSpec:
    """One attention sublayer."""

    n_heads: int
    n_key_heads: int | None = None
    """Key-value heads, each shared by a group of query heads (Ainslie et al. 2023); None: n_heads."""
    d_key: int
    d_value: int
    bias: bool = True
    scale: float | None = None
    """Factor on q·k; None means 1 / sqrt(d_key)."""
    cap: float | None = None
    """Scores are squeezed between ±cap by a hyperbolic tangent (Gemma 2)."""
    window: int | None = None
    """A query attends to keys at a distance below this; None: all."""
    rotary: Rotary | None = None
    slopes: tuple[float, ...] = ()
    """ALiBi (Press et al. 2022): the slope of each head, subtracted from a score per token of distance; empty: none."""
    query_norm: QueryNorm = ""
    """A norm on queries and keys, per head or over all heads together; empty: none."""
    relative: bool = False
    """Whether the layer has its own table of relative positions (umT5), instead of its stack's."""

    def __post_init__(self) -> None:
        for name in ("n_heads", "d_key", "d_value", "n_key_heads", "window"):
            value = getattr(self, name)
            _require(value is None or value >= 1, name, value, "must be at least 1")
        _require(self.n_heads % self.key_heads == 0, "n_key_heads", self.key_heads, f"must divide {self.n_heads} heads")
        _require(self.cap is None or self.cap > 0, "cap", self.cap, "must be positive")
        _require(self.scale is None or abs(self.scale) <= 1e6, "scale", self.scale, "must lie within ±1e6")
        object.__setattr__(self, "slopes", tuple(map(float, self.slopes)))
        n = len(self.slopes)
        _require(n in (0, self.n_heads), "slopes", n, f"must be one for each of {self.n_heads} heads")
        _require(self.query_norm in get_args(QueryNorm), "query_norm", self.query_norm, "must be head or whole")
        if self.rotary is not None:
            width = self.rotary.width
            _require(width <= self.d_key, "rotary width", width, f"must be at most d_key ({self.d_key})")

    @property
    def key_heads(self) -> int:
        """Key-value heads, with None resolved to n_heads."""
        return self.n_heads if self.n_key_heads is None else self.n_key_heads


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerSpec:
    """One layer: self-attention, cross-attention if there is an encoder, and the feed-forward network."""

    attention: AttentionSpec
    cross: AttentionSpec | None = None
    d_feed_forward: int
    activation: Activation = "relu"
    gated_feed_forward: bool = False
    feed_forward_bias: bool = True
    norm_kind: NormKind = "layer"
    norm_epsilon: float = 1e-5
    norm_place: NormPlace = "pre"
    """Before each sublayer, after its sum with the residual stream, or neither."""
    first_norm: bool = True
    """Whether self-attention has that norm too (not in ModernBERT's first layer)."""
    output_norm: bool = False
    """Whether each sublayer's output is normalised before it is added (Gemma 2, OLMo 2)."""
    parallel: bool = False
    """Whether attention and the feed-forward network have the same input and both are added to it (Wang 2021; GPT-J).
    """
    residual_scale: float = 1.0
    """Factor on the residual stream where a sublayer is added."""

    def __post_init__(self) -> None:
        _require(self.d_feed_forward >= 1, "d_feed_forward", self.d_feed_forward, "must be at least 1")
        for name, choices in (("norm_kind", NormKind), ("activation", Activation), ("norm_place", NormPlace)):
            allowed = get_args(choices)
            _require(getattr(self, name) in allowed, name, getattr(self, name), f"must be one of {', '.join(allowed)}")
        _require(0 < self.norm_epsilon <= 1, "norm_epsilon", self.norm_epsilon, "must lie in (0, 1]: 1e-5 is usual")
        _require(not (self.parallel and self.norm_place == "post"), "parallel", True, "needs norms before sublayers")
        if self.cross is not None:
            _require(not self.parallel, "parallel", True, "is for layers without cross-attention")
            where = (self.cross.rotary, self.cross.window, self.cross.relative or None, self.cross.slopes or None)
            _require(not any(where), "cross", where, "must not depend on positions, which are of two texts")

    @property
    def is_papers(self) -> bool:
        """Whether the layer has only features of Vaswani et al. (2017) and T5."""
        spec = dataclasses.replace(self.attention, relative=False)
        plain = AttentionSpec(
            n_heads=spec.n_heads, d_key=spec.d_key, d_value=spec.d_value, bias=spec.bias, scale=spec.scale
        )
        is_plain = spec == plain and self.cross in (None, plain)
        return is_plain and self.first_norm and not self.output_norm and not self.parallel

    def to_mapping(self) -> dict[str, Any]:
        """The fields that differ from their defaults, for JSON."""
        return _without_defaults(self)

    @classmethod
    def from_mapping(cls, fields: Mapping[str, Any]) -> LayerSpec:
        """Build from parsed JSON.

        Raises:
            ConfigError: for an unknown, missing or mistyped field.
        """
        return _build(cls, fields, "a layer")


def fields_of_layers(layers: Sequence[LayerSpec], *, is_decoder: bool) -> dict[str, Any]:
    """The fields of a configuration that follow from its layers; scalar fields are those of a stack's first layer.

    Args:
        layers: the encoder's, then the decoder's, which have cross-attention if there are both.
        is_decoder: whether layers without cross-attention belong to a decoder-only model.
    """
    kinds, crossing = tuple(dict.fromkeys(layers)), [spec for spec in layers if spec.cross is not None]
    decoder, first = list(layers) if is_decoder else crossing, layers[0]
    other = crossing[0] if crossing else first
    attention, inside, other_inside = first.attention, first.d_feed_forward, other.d_feed_forward
    return {
        "n_encoder_layers": len(layers) - len(decoder), "n_decoder_layers": len(decoder),
        "layer_specs": kinds, "layer_pattern": tuple(map(kinds.index, layers)) if len(kinds) > 1 else (),
        "n_encoder_heads": attention.n_heads, "n_decoder_heads": other.attention.n_heads, "d_key": attention.d_key,
        "d_value": attention.d_value, "attention_bias": attention.bias, "score_scale": attention.scale,
        "d_feed_forward": inside, "d_decoder_feed_forward": None if inside == other_inside else other_inside,
        "activation": first.activation, "gated_feed_forward": first.gated_feed_forward,
        "feed_forward_bias": first.feed_forward_bias, "norm_kind": first.norm_kind,
        "norm_epsilon": first.norm_epsilon, "encoder_norm_first": first.norm_place != "post",
        "decoder_norm_first": other.norm_place != "post",
    }  # fmt: skip


_PARTS: dict[str, type] = {"attention": AttentionSpec, "cross": AttentionSpec, "rotary": Rotary}


def _without_defaults(value: Any) -> dict[str, Any]:
    changed = {}
    for field in dataclasses.fields(value):
        part = getattr(value, field.name)
        if field.default is dataclasses.MISSING or part != field.default:
            changed[field.name] = _without_defaults(part) if dataclasses.is_dataclass(part) else part
    return changed


def _build(kind: Any, fields: object, where: str) -> Any:
    if not isinstance(fields, Mapping):
        raise ConfigError(f"{where} ({fields!r:.60}) must be an object with its fields")
    known = {field.name: field for field in dataclasses.fields(kind)}
    unknown = sorted(set(fields) - set(known))
    if unknown:
        raise ConfigError(f"{where} has an unknown field {', '.join(unknown)[:80]}: choose from {', '.join(known)}")
    missing = [n for n, field in known.items() if field.default is dataclasses.MISSING and n not in fields]
    if missing:
        raise ConfigError(f"{where} lacks {', '.join(missing)}")
    arguments: dict[str, Any] = {}
    for name, value in fields.items():
        if name in _PARTS and value is not None:
            arguments[name] = _build(_PARTS[name], value, name)
        elif is_json(value, str(known[name].type)):
            arguments[name] = tuple(value) if isinstance(value, list) else value
        else:
            raise ConfigError(f"{name} ({value!r:.60}) has the wrong type")
    return kind(**arguments)


def _require(holds: bool, name: str, value: object, rule: str) -> None:
    if not holds:
        raise ConfigError(f"{name} ({value!r:.40}) {rule}")
