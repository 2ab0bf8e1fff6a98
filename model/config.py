"""The configuration of a Transformer: one frozen dataclass that validates itself.

The defaults are the shipped model's. The fields beyond Vaswani et al. (2017) exist because published
implementations differ in exactly these places, and a checkpoint opens correctly only if each can be configured.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any, Literal, get_args

from model.config_json import JSON_NAMES, LATER, is_json
from model.layer_spec import Activation, AttentionSpec, ConfigError, LayerSpec, NormKind
from model.picture_source import PictureSource

__all__ = ["Activation", "ConfigError", "NormKind", "PositionKind", "TransformerConfig"]
PositionKind = Literal["interleaved", "halves", "tensor2tensor", "doubled", "learned", "relative", "none"]
EPSILON, ANNOTATED_EPSILON = 1e-5, 1e-6
"""The usual epsilon of each kind of norm."""
SINUSOIDAL: tuple[PositionKind, ...] = ("interleaved", "halves", "tensor2tensor", "doubled")
NOT_ADDED: tuple[PositionKind, ...] = ("relative", "none")
"""Kinds of positions that add nothing to the embeddings."""
GREY_LEVELS = 256
"""Number of values of a pixel; the id after them is padding."""
MOST_KINDS = 4096
"""Kinds of layers that one configuration may list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformerConfig:
    """The configuration of a Transformer (Vaswani et al. 2017, section 3) and of its published variants.

    Without encoder layers it is a decoder-only model, which continues a text; without decoder layers an encoder-only
    model.

    Raises:
        ConfigError: when the numbers do not fit together.
    """

    source_vocab_size: int
    target_vocab_size: int
    d_model: int = 256
    d_feed_forward: int = 1024
    d_decoder_feed_forward: int | None = None
    """Width inside the decoder's feed-forward networks; None means ``d_feed_forward``, as in the encoder."""
    n_encoder_layers: int = 4
    """0: a decoder-only model."""
    n_decoder_layers: int = 4
    """0: an encoder-only model."""
    n_encoder_heads: int = 8
    n_decoder_heads: int = 8
    d_key: int | None = None
    """Width of one head's query and key; None means d_model / n_heads."""
    d_value: int | None = None
    """Width of one head's value; None means d_model / n_heads."""

    encoder_norm_first: bool = True
    """Pre-norm (Xiong et al. 2020) if True, the paper's post-norm if False."""
    decoder_norm_first: bool = True
    encoder_final_norm: bool = True
    decoder_final_norm: bool = True
    embedding_norm: bool = False
    """A LayerNorm on embedding + position, in both stacks (jadore801120's implementation)."""
    norm_kind: NormKind = "layer"
    """"annotated" divides by (std + eps) with Bessel's correction (the Annotated Transformer), "population" without it;
    "rms" by the root mean square, without mean and shift (Zhang & Sennrich 2019; T5)."""
    norm_epsilon: float = EPSILON

    attention_bias: bool = True
    feed_forward_bias: bool = True
    output_bias: bool = False
    activation: Activation = "relu"
    gated_feed_forward: bool = False
    """Whether the activation is multiplied by a second projection of the input (Shazeer 2020; T5 v1.1)."""
    score_scale: float | None = None
    """Factor on q·k; None means 1 / sqrt(d_key) (paper, section 3.2.1), and T5 has 1."""
    embedding_scale: float | None = None
    """Factor on token embeddings; None means sqrt(d_model) (paper, section 3.4)."""
    output_scale: float = 1.0
    """Factor on the logits."""
    output_log_softmax: bool = False
    """Whether the model's own output is log-probabilities rather than logits."""
    tie_embeddings: bool = True
    """Source and target share one embedding matrix."""
    tie_output: bool = True
    """The output projection is the target embedding matrix (Press & Wolf 2017)."""
    encoder_residual_scale: float = 1.0
    """Factor on the residual stream where a sublayer is added (DeepNet's alpha)."""
    decoder_residual_scale: float = 1.0

    positions: PositionKind = "interleaved"
    max_positions: int = 512
    """Rows of the position table; a learned one cannot go beyond, a sinusoidal one is computed as needed."""
    relative_buckets: int = 32
    """Rows of a table of relative positions, which every head adds to its scores (Raffel et al. 2020, section 2.1)."""
    relative_distance: int = 128
    """Tokens beyond this distance share the last bucket."""
    position_offset: int = 0
    """Row of the table that the first token reads (2 in BART)."""
    source_position_order: tuple[int, ...] | None = None
    """Table rows of the first source positions; later positions read the row of their own number."""
    target_position_order: tuple[int, ...] | None = None

    mask_target_padding: bool = True
    """Whether padded target keys are hidden in decoder self-attention, beside the causal mask."""
    blank_target_padding: bool = False
    """Whether padded target queries are fully masked, so that their weights are uniform (hyunwoongko's mask)."""
    skip_padding: bool = False
    """Whether positions count real tokens only (fairseq, M2M100)."""
    zero_padding: bool = True
    """With ``skip_padding``: whether padding enters the encoder as zeros (fairseq) or as its own embedding (M2M100)."""
    starts_from_zero: bool = False
    """Whether the id one past the vocabulary is read as zeros: padding, and the decoder's start (Marian)."""
    dropout: float = 0.1
    """On embeddings and on each sublayer's output (paper, section 5.4)."""
    attention_dropout: float = 0.0
    feed_forward_dropout: float = 0.0

    source_pad_id: int = 0
    target_pad_id: int = 0
    bos_id: int = 2
    eos_id: int = 3
    source_has_bos: bool = False
    """Whether the encoder's input begins with the begin-of-sentence token."""
    source_has_eos: bool = True
    encoder_window: int | None = None
    """Encoder tokens attend only to tokens at a distance below this, in an encoder-decoder (LED, LongT5); None: all."""
    target_prefix: tuple[int, ...] = ()
    """Tokens that every translation begins with: the code of its language, in NLLB, mBART and M2M100."""
    more_eos_ids: tuple[int, ...] = ()
    """Further tokens that end a text: a model that chats has one for the end of a turn."""

    layer_specs: tuple[LayerSpec, ...] = ()
    """The kinds of layers; empty: the fields above describe every layer."""
    layer_pattern: tuple[int, ...] = ()
    """For each encoder layer, then each decoder layer, its index in ``layer_specs``; empty: all have index 0."""
    shares_layers: bool = False
    """Whether every layer of a single stack has the same weights (ALBERT)."""
    adds_relative: bool = False
    """Whether relative positions are added to scores beside learned positions (MPNet)."""
    token_types: int = 0
    """Rows of a table whose first row is added to every embedding (BERT's segments)."""
    separator_id: int | None = None
    """The token that ends the first of two texts (BERT's [SEP]); later tokens get the second row of token types."""
    d_embedding: int | None = None
    """Width of the embeddings where a matrix projects them to d_model (ALBERT, ELECTRA); None: d_model."""
    masked_head: bool = False
    """Whether an encoder-only model has a masked-LM head: a matrix, the activation, a norm, the output projection."""
    plain_head: bool = False
    """Whether an encoder-only model's output projection reads the last states directly, without such a head."""
    output_cap: float | None = None
    """Logits are squeezed between ±cap by a hyperbolic tangent (Gemma 2)."""
    picture: PictureSource | None = None
    """The encoder reads strips of pictures: a linear layer replaces its embedding, and the "id" of a strip is the tuple
    of its pixels. None: it reads tokens."""

    def __post_init__(self) -> None:
        for name in ("source_vocab_size", "target_vocab_size", "d_model", "d_feed_forward", "n_encoder_heads",
                     "n_decoder_heads", "max_positions", "relative_buckets", "d_decoder_feed_forward", "d_embedding",
                     "encoder_window", "d_key", "d_value"):  # fmt: skip
            value = getattr(self, name)
            self._require(value is None or value >= 1, name, "must be at least 1")
        for name, other in (("n_encoder_layers", "n_decoder_layers"), ("n_decoder_layers", "n_encoder_layers")):
            least = 1 if getattr(self, other) == 0 else 0
            self._require(getattr(self, name) >= least, name, f"must be at least {least}")
        self._check_layers()
        for name in ("d_key", "d_value"):
            if getattr(self, name) is None:
                self._require_heads_divide(name)
        for name in ("token_types", "position_offset"):
            self._require(getattr(self, name) >= 0, name, "must not be negative")
        for name in ("dropout", "attention_dropout", "feed_forward_dropout"):
            self._require(0 <= getattr(self, name) < 1, name, "must lie in [0, 1)")
        for name, choices in (("positions", PositionKind), ("norm_kind", NormKind), ("activation", Activation)):
            allowed = get_args(choices)
            self._require(getattr(self, name) in allowed, name, f"must be one of {', '.join(allowed)}")
        self._require(0 < self.norm_epsilon <= 1, "norm_epsilon", "must lie in (0, 1]: 1e-5 is usual")
        for name in ("embedding_scale", "output_scale", "score_scale", "encoder_residual_scale",
                     "decoder_residual_scale"):  # fmt: skip
            scale = getattr(self, name)
            self._require(scale is None or abs(scale) <= 1e6, name, "must lie within ±1e6")
        self._check_positions()
        if self.tie_embeddings and self.source_vocab_size != self.target_vocab_size:
            raise ConfigError(
                f"tie_embeddings needs one vocabulary, but the source has {self.source_vocab_size} entries "
                f"and the target {self.target_vocab_size}: set tie_embeddings to false"
            )
        self._check_tokens()
        has_two_types = self.separator_id is None or self.token_types > 1
        self._require(has_two_types, "separator_id", "needs two token_types")
        if self.picture is not None:
            self._check_picture()

    def _check_picture(self) -> None:
        self._require(self.n_encoder_layers >= 1, "n_encoder_layers", "must be at least 1 where pictures are read")
        self._require(self.source_vocab_size == GREY_LEVELS + 1, "source_vocab_size",
                      f"must be {GREY_LEVELS + 1} where pictures are read: a pixel's values, and padding")  # fmt: skip
        self._require(self.source_pad_id == GREY_LEVELS, "source_pad_id", f"must be {GREY_LEVELS} for pictures")
        for name, usual in (("tie_embeddings", False), ("skip_padding", False), ("starts_from_zero", False),
                            ("source_has_bos", False), ("source_has_eos", False), ("d_embedding", None),
                            ("token_types", 0)):  # fmt: skip
            self._require(getattr(self, name) == usual, name, f"must be {usual} where pictures are read")

    def _check_layers(self) -> None:
        object.__setattr__(self, "layer_specs", tuple(self.layer_specs))
        object.__setattr__(self, "layer_pattern", tuple(self.layer_pattern))
        if not self.layer_specs:
            self._require(not self.layer_pattern, "layer_pattern", "needs layer_specs, the kinds that it names")
            return
        n_layers = self.n_encoder_layers + self.n_decoder_layers
        if len(self.layer_specs) > MOST_KINDS or len(self.layer_pattern) not in (0, n_layers):
            raise ConfigError(f"layer_pattern has {len(self.layer_pattern)} entries: give one for each of {n_layers}")
        if not all(0 <= kind < len(self.layer_specs) for kind in self.layer_pattern):
            raise ConfigError(f"layer_pattern must name kinds from 0 to {len(self.layer_specs) - 1}")
        for stack, heads in (("encoder", self.n_encoder_heads), ("decoder", self.n_decoder_heads)):
            crosses = stack == "decoder" and not self.is_single_stack
            for spec in self.layers(encoder=stack == "encoder"):
                if {part.n_heads for part in (spec.attention, spec.cross or spec.attention)} != {heads}:
                    raise ConfigError(f"every layer of the {stack} must have {heads} heads, as the model has")
                if (spec.cross is not None) != crosses:
                    raise ConfigError(f"a layer of the {stack} must {'' if crosses else 'not '}have cross-attention: "
                                      "layer_pattern names the encoder's layers first, then the decoder's")  # fmt: skip

    def _check_positions(self) -> None:
        has_tables = any(spec.attention.relative for spec in self.layer_specs)
        if self.positions == "relative" or self.adds_relative or has_tables:
            self._require(self.relative_buckets >= 4, "relative_buckets", "must be at least 4")
            self._require(self.relative_distance > self.relative_buckets // 2, "relative_distance",
                          f"must be more than {self.relative_buckets // 2}, half of relative_buckets")  # fmt: skip
        if self.positions in SINUSOIDAL:
            self._require(self.embedding_width % 2 == 0, "d_model", "must be even for sinusoidal positions")
        for name in ("source_position_order", "target_position_order"):
            rows = getattr(self, name)
            if rows is not None:
                object.__setattr__(self, name, tuple(int(row) for row in rows))
                inside = all(0 <= row < self.max_positions for row in rows)
                self._require(inside, name, f"must name rows in [0, {self.max_positions}), max_positions")

    def _check_tokens(self) -> None:
        spare = int(self.starts_from_zero)
        for name, size in (("source_pad_id", self.source_vocab_size + spare),
                           ("eos_id", self.target_vocab_size + spare * self.is_single_stack),
                           ("target_pad_id", self.target_vocab_size + spare),
                           ("bos_id", self.target_vocab_size + spare)):  # fmt: skip
            self._require(0 <= getattr(self, name) < size, name, f"must lie in [0, {size}), the vocabulary")
        for name in ("target_prefix", "more_eos_ids"):
            ids = tuple(int(index) for index in getattr(self, name))
            object.__setattr__(self, name, ids)
            inside = all(0 <= index < self.target_vocab_size for index in ids)
            self._require(inside, name, f"must name tokens in [0, {self.target_vocab_size}), the vocabulary")

    def _require(self, holds: bool, name: str, rule: str) -> None:
        if not holds:
            raise ConfigError(f"{name} ({getattr(self, name)}) {rule}")

    def _require_heads_divide(self, width: str) -> None:
        for name in ("n_encoder_heads", "n_decoder_heads"):
            heads = getattr(self, name)
            if self.d_model % heads:
                nearest = max(heads, round(self.d_model / heads) * heads)
                raise ConfigError(
                    f"d_model ({self.d_model}) must be divisible by {name} ({heads}): "
                    f"try d_model {nearest}, or give {width}"
                )

    @property
    def is_single_stack(self) -> bool:
        """Whether the model has one stack."""
        return not (self.n_encoder_layers and self.n_decoder_layers)

    @property
    def sees_distances(self) -> bool:
        """Whether attention depends on how far apart tokens are: relative or rotary positions, or ALiBi."""
        parts = [spec.attention for spec in self.layer_specs]
        return self.positions == "relative" or any(part.rotary or part.slopes or part.relative for part in parts)

    @property
    def predicts(self) -> bool:
        """Whether the model has an output projection; an encoder-only model has one only for masked tokens."""
        return self.n_decoder_layers > 0 or self.masked_head or self.plain_head

    @property
    def embedding_width(self) -> int:
        """The width of the embeddings, with None resolved to d_model."""
        return self.d_embedding or self.d_model

    def layers(self, *, encoder: bool) -> tuple[LayerSpec, ...]:
        """The specification of each layer of a stack."""
        n_layers = self.n_encoder_layers if encoder else self.n_decoder_layers
        if not self.layer_specs:
            return (self._layer(encoder=encoder),) * n_layers
        first = 0 if encoder else self.n_encoder_layers
        pattern = self.layer_pattern[first : first + n_layers] or (0,) * n_layers
        return tuple(self.layer_specs[kind] for kind in pattern)

    def _layer(self, *, encoder: bool) -> LayerSpec:
        """The layer that the flat fields describe."""
        heads = self.n_encoder_heads if encoder else self.n_decoder_heads
        attention = AttentionSpec(
            n_heads=heads, d_key=self.d_key or self.d_model // heads, d_value=self.d_value or self.d_model // heads,
            bias=self.attention_bias, scale=self.score_scale,
        )  # fmt: skip
        norm_first = self.encoder_norm_first if encoder else self.decoder_norm_first
        windowed = dataclasses.replace(attention, window=self.encoder_window) if encoder else attention
        return LayerSpec(
            attention=windowed, cross=None if encoder or not self.n_encoder_layers else attention,
            d_feed_forward=self.d_feed_forward if encoder else self.decoder_feed_forward,
            activation=self.activation, gated_feed_forward=self.gated_feed_forward,
            feed_forward_bias=self.feed_forward_bias, norm_kind=self.norm_kind, norm_epsilon=self.norm_epsilon,
            norm_place="pre" if norm_first else "post",
            residual_scale=self.encoder_residual_scale if encoder else self.decoder_residual_scale,
        )  # fmt: skip

    @property
    def end_ids(self) -> tuple[int, ...]:
        """Every token that ends a text, ``eos_id`` first."""
        return (self.eos_id, *self.more_eos_ids)

    @property
    def embedding_factor(self) -> float:
        """The factor on token embeddings, with None resolved to sqrt(d_model)."""
        return self.d_model**0.5 if self.embedding_scale is None else self.embedding_scale

    @property
    def decoder_feed_forward(self) -> int:
        """Width inside the decoder's feed-forward networks, with None resolved to d_feed_forward."""
        return self.d_decoder_feed_forward or self.d_feed_forward

    def to_json(self) -> str:
        """The configuration as JSON, one field per line.

        Fields added after the first release are omitted at their default, so that older files and fingerprints stay
        valid.
        """
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        fields["layer_specs"] = tuple(spec.to_mapping() for spec in self.layer_specs)
        fields["picture"] = None if self.picture is None else dataclasses.asdict(self.picture)
        defaults = {field.name: field.default for field in dataclasses.fields(self)}
        written = {name: value for name, value in fields.items() if name not in LATER or value != defaults[name]}
        return json.dumps(written, indent=2)

    @classmethod
    def from_mapping(cls, fields: dict[str, Any]) -> TransformerConfig:
        """Build from parsed JSON.

        Raises:
            ConfigError: for an unknown, missing or mistyped field.
        """
        known = {field.name: str(field.type) for field in dataclasses.fields(cls)}
        unknown = sorted(set(fields) - set(known))
        if unknown:
            raise ConfigError(
                f"unknown configuration field {', '.join(unknown)}: choose from {', '.join(sorted(known))}"
            )
        missing = sorted({"source_vocab_size", "target_vocab_size"} - set(fields))
        if missing:
            raise ConfigError(f"the configuration lacks {', '.join(missing)}")
        for name, value in fields.items():
            if not is_json(value, known[name]):
                raise ConfigError(f"{name} ({value!r}) has the wrong type: give {JSON_NAMES[known[name]]}")
        listed = fields.get("layer_specs", ())
        if len(listed) > MOST_KINDS:
            raise ConfigError(f"layer_specs lists {len(listed)} kinds of layers: at most {MOST_KINDS}")
        arguments: dict[str, Any] = fields | {"layer_specs": tuple(map(LayerSpec.from_mapping, listed))}
        if fields.get("picture") is not None:
            arguments["picture"] = PictureSource.from_mapping(fields["picture"])
        return cls(**arguments)
