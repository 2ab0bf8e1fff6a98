"""One step of decoding as data, and the state that carries a batch of hypotheses from step to step.

A step holds N live hypotheses of the sentences of a batch, in beam search several per sentence. Each is fed one token
and becomes zero, one or several rows of the next step.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.errors import RegardError
from model.interventions import NONE, Interventions
from model.nn.passes import Cache, Decoded
from model.nn.protocol import EncoderDecoder
from model.nn.transformer import InterventionsLike
from model.trace import Floats

Ids = NDArray[np.int64]


class DecodingError(RegardError, ValueError):
    """Invalid options of decoding; the message gives the value, the rule and the remedy."""


@dataclass(frozen=True, slots=True)
class Continuations:
    """The M continuations chosen at a step, best first within a sentence."""

    rows: Ids
    """(M,) the row of this step that each continues."""
    ids: Ids
    """(M,) the token it adds."""
    log_probs: Floats
    """(M,) natural logarithm of that token's probability, before any temperature."""
    scores: Floats
    """(M,) sum of the hypothesis's log-probabilities, this token included."""
    is_final: NDArray[np.bool_]
    """(M,) whether it ends here, with the end of sentence or at the length limit."""
    is_truncated: NDArray[np.bool_]
    """(M,) whether the length limit ended it."""
    totals: Floats | None = None
    """(M,) the value by which finished hypotheses are compared; None: scores divided by ``length_norm``."""


@dataclass(frozen=True, slots=True)
class DecodingStep:
    """N live hypotheses at one position: the token each is fed, its attention, its log-probabilities for the next."""

    position: int
    """Counts from 0, where the begin-of-sentence token is fed."""
    sentences: Ids
    """(N,) sentence of the batch that each row belongs to."""
    parents: Ids
    """(N,) index among the previous step's continuations; -1 at position 0."""
    fed: Ids
    """(N,) the token fed."""
    scores: Floats
    """(N,) sum of the log-probabilities so far."""
    candidate_ids: Ids
    """(N, C) the most probable next tokens, best first."""
    candidate_log_probs: Floats
    """(N, C) natural logarithm."""
    decoder_self: Floats | None
    """(N, L, H, keys): this position's row over the prefix; None without capture."""
    cross: Floats | None
    """(N, L, H, S): this position's row over the source; None without capture."""
    encoder_self: Floats | None
    """(B, L, H, S, S) for the whole batch, on the first step alone; None on the others and without capture."""
    chosen: Continuations


class DecodingState:
    """The live hypotheses of a batch while they are decoded: tokens, cache, and the sentence of each row."""

    def __init__(
        self,
        model: EncoderDecoder,
        source_ids: Tensor,
        *,
        capture: bool,
        cached: bool,
        interventions: Interventions | Sequence[Interventions] = NONE,
        begins: Sequence[int] = (),
    ) -> None:
        n_sentences, device = source_ids.shape[0], source_ids.device
        self.model, self.capture = model, capture
        self._given = interventions
        self._all_encoded = model.encode(source_ids, capture=capture, interventions=interventions or None)
        self.encoded = self._all_encoded
        self.sentences = torch.arange(n_sentences, device=device)
        begins = begins or (model.config.bos_id,) * n_sentences
        self.ids = torch.tensor(begins, device=device)[:, None]  # (N, T so far)
        self.parents = np.full(n_sentences, -1, np.int64)
        self.scores = np.zeros(n_sentences, np.float32)
        every = (interventions,) if isinstance(interventions, Interventions) else interventions
        self._is_cached = cached and not needs_every_position(model.config, every, self.ids)
        self._cache: Any = None
        self.logits = torch.zeros(0)
        """Set by ``run``: float32 (N, V)."""

    @property
    def position(self) -> int:
        """Index of the token that is fed next."""
        return self.ids.shape[1] - 1

    def encoder_self(self) -> Floats | None:
        """The encoder's weights, (B, L, H, S, S), at the first position; None later and without capture."""
        return None if self.position else stack_layers(self._all_encoded.attention)

    def run(self) -> tuple[Tensor, Decoded]:
        """Feed every row's last token: log-probabilities of the next, float32 (N, V), and the decoder's output."""
        if self._is_cached and needs_every_position(self.model.config, (), self.ids[:, -1:]):
            self._is_cached, self._cache = False, None
        decoded = self.model.decode(
            self.ids[:, -1:] if self._is_cached else self.ids,
            self.encoded,
            cache=self._cache,
            keep_cache=self._is_cached,
            capture=self.capture,
            interventions=self._interventions(),
        )
        self._cache = decoded.cache
        layout = getattr(decoded.cache, "layout", None)
        extra = {} if layout is None else {"layout": layout}
        self.logits = self.model.project(decoded.hidden[:, -1], **extra).float()
        log_probs = self.logits.log_softmax(-1)
        check_numbers(log_probs)
        return log_probs, decoded

    def advance(self, chosen: Continuations) -> None:
        """Continue with the continuations that are not final."""
        live = np.flatnonzero(~chosen.is_final)
        rows, device = chosen.rows[live], self.ids.device
        self.parents, self.scores = live, chosen.scores[live]
        if len(rows) != len(self.ids) or (rows != np.arange(len(rows))).any():
            self._reorder(torch.from_numpy(rows).to(device))
        added = torch.from_numpy(chosen.ids[live]).to(device).unsqueeze(1)
        self.ids = torch.cat((self.ids, added), 1)  # (N', T + 1)

    def _reorder(self, rows: Tensor) -> None:
        self.ids = self.ids[rows]
        sentences = self.sentences[rows]
        is_same_source = torch.equal(sentences, self.sentences)
        if self._cache is not None:
            keeps = {"is_same_source": is_same_source} if isinstance(self._cache, Cache) else {}
            self._cache = self._cache.reorder(rows, **keeps)
        if not is_same_source:
            self.sentences = sentences
            self.encoded = dataclasses.replace(
                self._all_encoded,
                memory=self._all_encoded.memory[sentences],
                attn_mask=self._all_encoded.attn_mask[sentences],
            )

    def _interventions(self) -> InterventionsLike:
        if isinstance(self._given, Interventions):
            return self._given or None
        return [self._given[sentence] for sentence in self.sentences.tolist()]


def needs_every_position(config: Any, interventions: Sequence[Interventions], fed: Tensor) -> bool:
    """Whether a new token changes the states of earlier positions, so that their keys and values cannot be cached.

    It does if a mask or a patch lets positions see later ones, or if padding is fed to a model whose padded queries
    attend uniformly (``blank_target_padding``).

    Args:
        fed: what the decoder is fed, int64 (B, T).
    """
    if any(row.needs_every_position for row in interventions):
        return True
    return getattr(config, "blank_target_padding", False) and bool((fed == config.target_pad_id).any())


def check_numbers(log_probs: Tensor) -> None:
    """Raise DecodingError for NaN in log-probabilities (…, V); one NaN logit makes its whole row NaN."""
    if bool(log_probs[..., 0].isnan().any()):
        raise DecodingError(
            "the model's output is not a number (NaN), so tokens cannot be ranked: its weights are "
            "damaged or too large; `python -m model inspect` names them"
        )


def last_rows(weights: tuple[Tensor, ...]) -> Floats | None:
    """The last query of each layer's weights, L times (N, H, Q, keys) -> (N, L, H, keys) float32."""
    rows = stack_layers(weights)
    return None if rows is None else rows[:, :, :, -1]


def stack_layers(layers: tuple[Tensor, ...]) -> Floats | None:
    """L times (N, …) -> (N, L, …) float32; None when there are none."""
    return torch.stack(layers, 1).float().cpu().numpy() if layers else None
