"""Options of all decoding strategies: limits, prefixes, and the padding id, which is never predicted."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.decoding.generation import Generation
from model.decoding.step import DecodingError, DecodingState, Ids
from model.interventions import NONE, Interventions
from model.nn.protocol import EncoderDecoder


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodingOptions:
    """Options shared by all decoding strategies.

    Raises:
        DecodingError: when a number is out of range.
    """

    max_length: int | tuple[int, ...] = 128
    """Tokens to predict at most, end of sentence included; for the whole batch, or one number per sentence."""
    n_candidates: int = 10
    capture: bool = True
    """Return attention rows with each step."""
    cached: bool = True
    """Keep the keys and values of earlier positions; lifting the causal mask switches this off."""
    prefixes: tuple[tuple[int, ...], ...] = ()
    """Tokens that each sentence's translation must begin with; empty, or one tuple per sentence."""
    n_read: tuple[int, ...] = ()
    """Tokens of each prefix that are a decoder-only model's prompt; they never end a text. Empty: none."""
    begins: tuple[int, ...] = ()
    """The id that the decoder is fed first, one per sentence; empty: begin of sentence."""
    stop_loops: bool = False
    """Cut a greedy or sampled translation that repeats itself (``loops``), as the length limit would."""
    interventions: Interventions | Sequence[Interventions] = NONE
    """One set for the whole batch, or one per sentence."""
    generation: Generation | None = None
    """Rules of the model's generation_config.json that forbid or force tokens (``rules``); None: no such rule."""

    def __post_init__(self) -> None:
        for name in ("max_length", "n_candidates"):
            value = getattr(self, name)
            least = min(value, default=1) if isinstance(value, tuple) else value
            if least < 1:
                raise DecodingError(f"{name} ({least}) must be at least 1")

    def limits(self, n_sentences: int) -> Ids:
        """``max_length`` of each sentence, (n_sentences,)."""
        return np.broadcast_to(np.array(self.max_length, np.int64), n_sentences)


def suppressed_id(model: EncoderDecoder, generation: Generation | None = None) -> int:
    """The padding id, to forbid while decoding, or -1 where padding is a legal token.

    A predicted padding id would be masked as a key, so nothing after it could attend to it.
    Marian begins with padding; its files forbid it (``bad_words_ids``), and with ``generation`` they decide.
    """
    config = model.config
    is_marians = (
        generation is None and config.bos_id == config.target_pad_id and getattr(config, "positions", "") == "halves"
    )
    is_free = not getattr(config, "mask_target_padding", True) and not is_marians
    return -1 if is_free or config.target_pad_id == config.eos_id else config.target_pad_id


def may_end(state: DecodingState, options: DecodingOptions) -> NDArray[np.bool_]:
    """Whether the next token of each row may end its text, (N,)."""
    read = np.array(options.n_read or (0,) * (int(state.sentences.max()) + 1))
    return read[state.sentences.cpu().numpy()] <= state.position


def forced_ids(state: DecodingState, prefixes: tuple[tuple[int, ...], ...]) -> Ids | None:
    """The token that each row must produce at this position, -1 where it is free; None when all are free."""
    t = state.position
    if not any(len(prefix) > t for prefix in prefixes):
        return None
    chosen = (prefixes[sentence] for sentence in state.sentences.tolist())
    return np.array([prefix[t] if t < len(prefix) else -1 for prefix in chosen])
