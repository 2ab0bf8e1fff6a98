"""Applies the rules of a generation_config.json to scores: forbidden, forced and penalised tokens.

The order is that of ``generate`` of the transformers library (``GenerationMixin._get_logits_processor``). Rules change
logits in greedy search and log-probabilities in beam search.
"""

import torch
from torch import Tensor

from model.decoding.generation import Generation
from model.decoding.options import DecodingOptions
from model.decoding.step import DecodingState
from model.nn.protocol import EncoderDecoder


class Rules:
    """The rules of one decoding.

    Args:
        source_ids: int64 (B, S), padded; without columns for a decoder-only model.
        is_beam: whether the rules change log-probabilities, as in beam search, or logits.
    """

    def __init__(
        self,
        generation: Generation,
        model: EncoderDecoder,
        source_ids: Tensor,
        options: DecodingOptions,
        *,
        is_beam: bool,
    ) -> None:
        self.generation, self.source, self.is_beam = generation, source_ids, is_beam
        self.ends = list(model.config.end_ids)
        self.forced = model.config.target_prefix[:1] if source_ids.shape[1] else ()
        n_sentences, device = source_ids.shape[0], source_ids.device
        self.n_read = torch.tensor(options.n_read or (0,) * n_sentences, device=device)
        """Tokens of each decoder-only prompt after the first."""
        self.limits = torch.from_numpy(options.limits(n_sentences).copy()).to(device)
        words = generation.bad_words_ids
        self.bad_words = [word for word in words if word and not (len(word) == 1 and word[0] in self.ends)]

    def apply(self, logits: Tensor, log_probs: Tensor, state: DecodingState) -> Tensor:
        """The scores (N, V) that the next token is chosen by: -inf for forbidden tokens."""
        plain = log_probs if self.is_beam else logits
        n_read = self.n_read[state.sentences]
        ruled = self._ruled(plain.clone(), state, n_read)
        is_free = (n_read <= state.position)[:, None]  # (N, 1): past its prompt
        return torch.where(is_free, ruled, plain)

    def _ruled(self, scores: Tensor, state: DecodingState, n_read: Tensor) -> Tensor:
        rules, ids = self.generation, state.ids  # (N, T)
        length, size = ids.shape[1], scores.shape[-1]
        if rules.repetition_penalty != 1.0:
            known = ids.clamp(max=size - 1)
            held = scores.gather(1, known)
            factor = rules.repetition_penalty
            scores = scores.scatter(1, known, torch.where(held < 0, held * factor, held / factor))
        if 0 < rules.no_repeat_ngram_size <= length:
            scores = _without_repeats(scores, ids, ids, rules.no_repeat_ngram_size)
        if rules.encoder_no_repeat_ngram_size:
            for row in range(len(ids)):
                prompt = self.source[state.sentences[row]] if self.source.shape[1] else ids[row, : int(n_read[row]) + 1]
                if len(prompt) >= rules.encoder_no_repeat_ngram_size <= length + 1:
                    this_row = slice(row, row + 1)
                    scores[this_row] = _without_repeats(
                        scores[this_row], prompt[None], ids[this_row], rules.encoder_no_repeat_ngram_size
                    )
        scores = self._without_words(scores, ids)
        n_begun = n_read + 1
        new = rules.min_new_tokens
        least = torch.full_like(n_begun, rules.min_length) if new is None else n_begun + new
        too_short = length < least  # (N,)
        scores[too_short.nonzero(), _inside(self.ends, size)] = -torch.inf
        if self.forced and length == 1:
            scores = _only(scores, self.forced, torch.ones_like(too_short))
        if rules.forced_eos_token_id:
            scores = _only(scores, rules.forced_eos_token_id, self.limits[state.sentences].eq(state.position + 1))
        scores[:, _inside(rules.suppress_tokens, size)] = -torch.inf
        begins = n_begun + (1 if self.forced else 0) == length
        scores[begins.nonzero(), _inside(rules.begin_suppress_tokens, size)] = -torch.inf
        return scores.log_softmax(-1) if rules.renormalize_logits else scores

    def _without_words(self, scores: Tensor, ids: Tensor) -> Tensor:
        for *before, last in self.bad_words:
            if len(before) > ids.shape[1] or not 0 <= last < scores.shape[-1]:
                continue
            begun = ids[:, ids.shape[1] - len(before) :] == torch.tensor(before, device=ids.device, dtype=ids.dtype)
            scores[begun.all(-1), last] = -torch.inf
        return scores


def _without_repeats(scores: Tensor, written: Tensor, ids: Tensor, size: int) -> Tensor:
    """-inf for each token that would repeat an n-gram of ``size`` tokens of ``written`` (N, S)."""
    prefix = ids[:, ids.shape[1] + 1 - size :]  # (N, size - 1)
    windows = written.unfold(1, size, 1)  # (N, W, size)
    matches = (windows[..., :-1] == prefix[:, None]).all(-1)  # (N, W)
    spare = scores.shape[-1]
    banned = scores.new_zeros((len(scores), spare + 1), dtype=torch.bool)
    banned.scatter_(1, torch.where(matches, windows[..., -1].clamp(max=spare), spare), value=True)
    return scores.masked_fill(banned[:, :spare], -torch.inf)


def _only(scores: Tensor, ids: tuple[int, ...], where: Tensor) -> Tensor:
    """0 for these tokens and -inf for all others, in some rows."""
    forced = torch.full_like(scores, -torch.inf)
    forced[:, _inside(ids, scores.shape[-1])] = 0.0
    return torch.where(where[:, None], forced, scores)


def _inside(ids: tuple[int, ...] | list[int], size: int) -> list[int]:
    return [index for index in ids if 0 <= index < size]
