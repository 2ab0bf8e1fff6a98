"""One encoder layer step by step for the vector of one token: its residual connections, and its feed-forward network.

Geva et al. (2021) read the first matrix of a feed-forward network as patterns and the second as what each pattern adds
to the vector. ``model/corpus/units.py`` has the words that make each number large.
"""

from dataclasses import dataclass

import torch

from model.bundle import Bundle
from model.inference.translation import translate
from model.interpret.inspection import InspectionError, encoder_decoder_of
from model.interpret.recording import record
from model.interventions import Interventions
from model.nn.layers import EncoderLayer
from model.patch import Patch
from model.text.tokens import source_tokens
from model.trace import Floats

STARTS, ATTENDED, SUMMED, NORMALISED, FED, ENDS = "starts", "attended", "summed", "normalised", "fed", "ends"


@dataclass(frozen=True, slots=True)
class OneLayer:
    """A token's vector after each step of a layer, and the translation without attention's residual connection."""

    layer: int
    token: int
    """Place of the token in the source."""
    norm_first: bool
    """Pre-norm: whether the input of a sublayer is normalised, not the sum."""
    steps: tuple[tuple[str, Floats], ...]
    """Name and vector (D,) of each step, in the order of computation."""
    translation: str
    replaced: str
    """The translation when this layer's attention output replaces the stream instead of being added to it."""

    def vector(self, step: str) -> Floats:
        """The vector (D,) of a step, by its name."""
        return dict(self.steps)[step]


@torch.inference_mode()
def one_layer(bundle: Bundle, *, text: str) -> OneLayer:
    """Follow the longest token of a sentence through the layer in the middle of the encoder.

    Raises:
        InspectionError: for a model that runs in its original implementation, or has no encoder.
        TextError: when the text cannot be read by this model.
    """
    network = encoder_decoder_of(bundle)
    if not len(network.encoder.layers):
        raise InspectionError(f"{bundle.name} has no encoder: choose a model that translates")
    place = len(network.encoder.layers) // 2
    layer = network.encoder.layers[place]
    assert isinstance(layer, EncoderLayer)
    name = f"encoder.{place}"
    recording = record(bundle, text, names=(f"{name}.residual.*", f"{name}.self.output", f"{name}.feed_forward.output"))
    source = recording.trace.source
    token = max(range(len(source)), key=lambda i: (not source.is_special[i], len(source.pieces[i])))

    def of(part: str) -> Floats:
        return recording[f"{name}.{part}"][0, token]

    attended, middle = recording[f"{name}.self.output"][0], torch.from_numpy(recording[f"{name}.residual.middle"][0])
    start, norms = of("residual.before") * layer.residual_scale, (layer.self_attention_norm, layer.feed_forward_norm)
    summed = start + of("self.output")
    normalised = norms[1](middle.to(bundle.device)).cpu().numpy()[token] if layer.norm_first else of("residual.middle")
    steps = ((STARTS, start), (ATTENDED, of("self.output")), (SUMMED, summed), (NORMALISED, normalised),
             (FED, of("feed_forward.output")), (ENDS, of("residual.after")))  # fmt: skip
    result = torch.from_numpy(attended)
    alone = result if layer.norm_first else norms[0](result.to(bundle.device)).cpu()
    patch = Patch(f"{name}.residual.middle", value=alone.numpy())
    replaced = translate(bundle, text, interventions=Interventions(patches=(patch,))).text
    return OneLayer(place, token, layer.norm_first, steps, recording.trace.text, replaced)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The hidden activations of a feed-forward network for one token."""

    n_numbers: int
    n_above_zero: int
    strongest: int
    """Which of them is largest, from 0."""
    value: float


@torch.inference_mode()
def strongest_pattern(bundle: Bundle, *, text: str, layer: int, token: int) -> Pattern:
    """The unit that a token activates most in the feed-forward network of an encoder layer.

    Args:
        token: its place in the source.

    Raises:
        InspectionError: for a model that runs in its original implementation.
        TextError: when the text cannot be read by this model.
    """
    name, ids = f"encoder.{layer}.feed_forward.hidden", source_tokens(bundle, text).ids
    encoded = encoder_decoder_of(bundle).encode(
        torch.tensor([ids], device=bundle.device), record=frozenset({name}), n_layers=layer + 1
    )
    values = encoded.recorded[name][0, token]  # (F,)
    strongest = int(values.argmax())
    return Pattern(values.numel(), int((values > 0).sum()), strongest, float(values[strongest]))
