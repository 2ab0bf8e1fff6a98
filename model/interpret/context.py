"""How far each token's vector has moved from its embedding, layer by layer."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.bundle import Bundle
from model.inference.teacher_forcing import Ids, ids_of, teacher_forced, trace_interventions
from model.interpret.inspection import encoder_decoder_of
from model.interventions import NONE, Interventions
from model.nn.transformer import Transformer
from model.text.tokenizer import WORD_MARK
from model.text.tokens import source_tokens
from model.trace import Floats, ShapeError, Trace


@dataclass(frozen=True, slots=True)
class ContextDrift:
    """Cosine of each token's residual stream with its input to the first layer."""

    cosine: Floats
    """(layers + 1, S): before the first layer (1 by definition), then after each."""

    def __post_init__(self) -> None:
        if self.cosine.ndim != 2:
            raise ShapeError(f"cosine must be (layers + 1, tokens), not {self.cosine.shape}")


@torch.inference_mode()
def context_drift(bundle: Bundle, trace: Trace | Ids, *, interventions: Interventions | None = None) -> ContextDrift:
    """Measure the drift in the encoder's residual stream. ``interventions`` None means those of the trace.

    Raises:
        InspectionError: for a model that runs in its original implementation.
    """
    encoder_decoder_of(bundle)
    interventions = trace_interventions(trace) if interventions is None else interventions
    stream = _stream(bundle, ids_of(trace)[0], interventions)
    return ContextDrift(torch.cosine_similarity(stream, stream[:1], dim=-1).cpu().numpy())


@torch.inference_mode()
def word_in_context(bundle: Bundle, *, texts: tuple[str, str], word: str) -> Floats | None:
    """Cosine between a word's two vectors in two sentences, (layers + 1,): before the first layer, then after each.

    None where the word is not one token of both sentences. Raises as ``context_drift``.
    """
    encoder_decoder_of(bundle)
    vectors = []
    for text in texts:
        source = source_tokens(bundle, text)
        places = [i for i, piece in enumerate(source.pieces) if piece.strip(WORD_MARK).lower() == word]
        if len(places) != 1:
            return None
        vectors.append(_stream(bundle, source.ids)[:, places[0]])  # (layers + 1, D)
    return torch.cosine_similarity(*vectors, dim=-1).cpu().numpy()


def _stream(bundle: Bundle, source_ids: Sequence[int], interventions: Interventions = NONE) -> Tensor:
    """The encoder's residual stream (layers + 1, S, D) of a sentence."""
    row = (source_ids, (bundle.config.bos_id,))
    forced = teacher_forced(bundle, [row], interventions=interventions, capture=True)
    return torch.cat(forced.encoded.hidden_states).float()


@torch.inference_mode()
def untrained_weights(bundle: Bundle, trace: Trace | Ids, *, seed: int) -> Floats:
    """Cross-attention (L, H, T, S) of a model of the same shape with random weights. Raises as ``context_drift``."""
    config = encoder_decoder_of(bundle).config
    fresh = Transformer.seeded(config, torch.Generator().manual_seed(seed)).eval()
    source_ids, prefix_ids, _ = ids_of(trace)
    output = fresh(torch.tensor([source_ids]), torch.tensor([prefix_ids]), capture=True)
    return torch.cat(output.cross).numpy()  # (L, H, T, S)
