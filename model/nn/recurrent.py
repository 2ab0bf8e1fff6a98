"""A GRU encoder-decoder with or without attention, for comparison with the Transformer.

With attention it is the model of Bahdanau, Cho & Bengio (2015), who introduced additive attention; without, the
decoder reads the whole source from one vector of fixed size (Cho et al. 2014; Sutskever et al. 2014). It has the
same ``encode``, ``decode`` and ``project`` as ``Transformer``, so that decoding, training and evaluation are shared.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from model.config import ConfigError
from model.interventions import InterventionError
from model.nn.dropout import Dropout
from model.nn.passes import Decoded, Encoded
from model.nn.transformer import InterventionsLike


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurrentConfig:
    """A GRU encoder-decoder over one vocabulary for both languages.

    Raises:
        ConfigError: when a number is out of range.
    """

    vocab_size: int
    d_embedding: int = 160
    d_model: int = 224
    """Width of the decoder's state; each direction of the encoder has half that width."""
    d_attention: int = 112
    has_attention: bool = True
    """Without it the decoder reads one vector: the encoder's two last states."""
    dropout: float = 0.2
    pad_id: int = 0
    bos_id: int = 2
    eos_id: int = 3

    def __post_init__(self) -> None:
        for name in ("vocab_size", "d_embedding", "d_model", "d_attention"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} ({getattr(self, name)}) must be at least 1")
        if self.d_model % 2:
            raise ConfigError(f"d_model ({self.d_model}) must be even: each direction of the encoder uses half of it")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout ({self.dropout}) must be in [0, 1)")

    @property
    def end_ids(self) -> tuple[int, ...]:
        """The token that ends a text, as ``TransformerConfig.end_ids``."""
        return (self.eos_id,)

    # The fields of TransformerConfig that decoding, training and the views read.
    source_has_bos = False
    source_has_eos = True
    output_scale = 1.0
    output_cap = None
    output_log_softmax = False
    positions = "none"
    sees_distances = False
    n_encoder_layers = 0
    is_single_stack = False
    n_encoder_heads = 1
    target_prefix = ()
    n_decoder_heads = 1

    @property
    def n_decoder_layers(self) -> int:
        """One alignment map, or none."""
        return int(self.has_attention)

    source_vocab_size = target_vocab_size = property(attrgetter("vocab_size"))
    source_pad_id = target_pad_id = property(attrgetter("pad_id"))


@dataclass(frozen=True, slots=True)
class RecurrentCache:
    """The decoder's state after the tokens it was fed, (B, D)."""

    state: Tensor

    def reorder(self, rows: Tensor) -> RecurrentCache:
        """The cache of other batch rows, int64 (B',)."""
        return RecurrentCache(self.state[rows])


class AdditiveAttention(nn.Module):
    """v·tanh(W state + U memory), softmax over the source (Bahdanau et al. 2015, appendix A.1.2)."""

    def __init__(self, d_state: int, d_memory: int, d_attention: int) -> None:
        super().__init__()
        self.query = nn.Linear(d_state, d_attention, bias=False)
        self.key = nn.Linear(d_memory, d_attention, bias=False)
        self.score = nn.Linear(d_attention, 1, bias=False)

    def forward(self, state: Tensor, keys: Tensor, memory: Tensor, attn_mask: Tensor) -> tuple[Tensor, Tensor]:
        """State (B, D), keys (B, S, A) and memory (B, S, D) -> context (B, D) and weights (B, S)."""
        scores = self.score(torch.tanh(self.query(state)[:, None] + keys)).squeeze(-1)  # (B, S)
        weights = scores.masked_fill(~attn_mask, -torch.inf).softmax(-1)
        return (weights[:, None] @ memory).squeeze(1), weights


class RecurrentTranslator(nn.Module):
    """Bidirectional GRU encoder, GRU decoder, output tied to the embedding."""

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.config = config
        wide, narrow = config.d_model, config.d_embedding
        self.embedding = nn.Embedding(config.vocab_size, narrow)
        self.encoder = nn.GRU(narrow, wide // 2, batch_first=True, bidirectional=True)
        self.first_state = nn.Linear(wide, wide)
        self.attention = AdditiveAttention(wide, wide, config.d_attention) if config.has_attention else None
        self.decoder = nn.GRUCell(narrow + wide, wide)
        self.readout = nn.Linear(wide + wide + narrow, narrow)
        self.output = nn.Linear(narrow, config.vocab_size, bias=True)
        self.output.weight = self.embedding.weight
        self.dropout = Dropout(config.dropout)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Xavier-uniform input matrices, orthogonal recurrent ones (Saxe et al. 2014), zero biases."""
        for name, parameter in self.named_parameters():
            if name == "embedding.weight":
                nn.init.normal_(parameter, std=self.config.d_embedding**-0.5)
            elif parameter.dim() == 1:
                nn.init.zeros_(parameter)
            elif "weight_hh" in name:
                for gate in parameter.data.chunk(3):
                    nn.init.orthogonal_(gate)
            else:
                nn.init.xavier_uniform_(parameter)

    def encode(self, source_ids: Tensor, *, capture: bool = False, interventions: InterventionsLike = None) -> Encoded:
        """Run the encoder on int64 (B, S), padded. ``memory`` holds both directions' states; padding is 0.

        Interventions are refused: there are no heads here.
        """
        _refuse(interventions)
        real = source_ids != self.config.pad_id  # (B, S)
        lengths = real.sum(1).cpu()
        x = self.dropout(self.embedding(source_ids))  # (B, S, E)
        packed = pack_padded_sequence(x, lengths.clamp(min=1), batch_first=True, enforce_sorted=False)
        states, _ = self.encoder(packed)
        memory, _ = pad_packed_sequence(states, batch_first=True, total_length=source_ids.shape[1])  # (B, S, D)
        return Encoded(memory, real[:, None, None, :], (), ())

    def summary(self, encoded: Encoded) -> Tensor:
        """The last forward state and the first backward state, (B, D): the sentence in one vector."""
        half = self.config.d_model // 2
        last = encoded.attn_mask[:, 0, 0].sum(1).clamp(min=1) - 1  # (B,)
        forward = encoded.memory[torch.arange(len(last), device=last.device), last, :half]
        return torch.cat((forward, encoded.memory[:, 0, half:]), -1)

    def decode(
        self,
        target_ids: Tensor,
        encoded: Encoded,
        *,
        cache: RecurrentCache | None = None,
        keep_cache: bool = False,
        capture: bool = False,
        interventions: InterventionsLike = None,
    ) -> Decoded:
        """Run the decoder on the tokens it is fed, int64 (B, T); with a cache, on those that are new."""
        _refuse(interventions)
        whole = self.summary(encoded)  # (B, D)
        state = cache.state if cache is not None else torch.tanh(self.first_state(whole))
        keys = self.attention.key(encoded.memory) if self.attention is not None else None
        attn_mask, embedded = encoded.attn_mask[:, 0, 0], self.dropout(self.embedding(target_ids))
        read, looked = [], []
        for x in embedded.unbind(1):
            context = whole
            if self.attention is not None:
                context, weights = self.attention(state, keys, encoded.memory, attn_mask)
                looked.append(weights)
            state = self.decoder(torch.cat((x, context), -1), state)
            read.append(torch.cat((state, context, x), -1))
        hidden = self.dropout(torch.tanh(self.readout(torch.stack(read, 1))))  # (B, T, E)
        cross = (torch.stack(looked, 1)[:, None],) if capture and looked else ()  # (B, 1, T, S)
        return Decoded(hidden, (), cross, (), RecurrentCache(state) if keep_cache else None)  # type: ignore[arg-type]

    def project(self, hidden: Tensor) -> Tensor:
        """Logits (…, V)."""
        return self.output(hidden)

    def positional(self, length: int) -> None:
        """None: a recurrent network reads tokens in order and needs no positions."""
        return


def _refuse(interventions: InterventionsLike) -> None:
    sets = interventions if isinstance(interventions, list | tuple) else (interventions,)
    if any(sets):
        raise InterventionError("a recurrent network has no heads, masks or positions to change: use a Transformer")
