"""The computation for each further token of a decoder, with and without a key-value cache."""

from dataclasses import dataclass

import torch

from model.bundle import Bundle
from model.inference.reading import read_text
from model.interpret.inspection import InspectionError
from model.nn.transformer import Transformer
from model.text.language_codes import main_language
from model.text.tokens import describe_target, is_ids, text_of

DECODER = "tiny-decoder"
"""The decoder-only model that comes with the project. It reads English."""
_OTHERWISE = "The little girl wanted to"
_WORDS, _LONGEST = 3, 60
_MOST_TOKENS = 12


@dataclass(frozen=True, slots=True)
class Continuation:
    """A prompt continued greedily twice: with the cache, and recomputing everything at each step."""

    begun: str
    text: str
    """The prompt and its continuation, with the cache."""
    text_without: str
    pieces: tuple[str, ...]
    """The N tokens generated with the cache."""
    cached: tuple[int, ...]
    """(N,): token vectors that each layer computed for each of them."""
    uncached: tuple[int, ...]
    """The same without the cache."""


def beginning(bundle: Bundle, text: str) -> str:
    """The first words of the model's sentence if it is English, otherwise a default prompt."""
    begun = " ".join(text.split()[:_WORDS])[:_LONGEST]
    is_english = main_language(bundle.source_language or "en") == "en" and text.isascii()
    return begun if is_english and begun and not is_ids(text) else _OTHERWISE


@torch.inference_mode()
def continuation(bundle: Bundle, *, text: str) -> Continuation:
    """Continue a prompt with a decoder-only model and count the token vectors that enter its layers.

    Raises:
        InspectionError: for a model with an encoder, or one that runs in its original implementation.
        TextError: when the text cannot be read by this model.
    """
    if not isinstance(bundle.model, Transformer) or bundle.config.n_encoder_layers:
        raise InspectionError(f"{bundle.name} is no decoder-only model of our own format: choose tiny-decoder")
    read = read_text(bundle, text)
    begun = (read.begin, *read.prefix)
    written, cached = _generate(bundle, begun, has_cache=True)
    without, uncached = _generate(bundle, begun, has_cache=False)
    text_with, other = (text_of(bundle, (*read.prefix, *ids)) for ids in (written, without))
    return Continuation(text, text_with, other, describe_target(bundle, written).pieces, cached, uncached)


def _generate(bundle: Bundle, begun: tuple[int, ...], *, has_cache: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The generated ids, and the number of token vectors computed for each."""
    network = bundle.model
    assert isinstance(network, Transformer)
    encoded = network.encode(torch.zeros(1, 0, dtype=torch.long, device=bundle.device))
    ids = torch.tensor([begun], device=bundle.device)
    cache, written, counted = None, [], []
    while len(written) < _MOST_TOKENS and (not written or written[-1] not in bundle.config.end_ids):
        fed = ids if cache is None else ids[:, -1:]
        decoded = network.decode(fed, encoded, cache=cache, keep_cache=has_cache)
        cache = decoded.cache
        following = network.project(decoded.hidden[:, -1]).argmax(-1)  # (1,)
        counted.append(decoded.hidden.shape[1])
        written.append(int(following))
        ids = torch.cat((ids, following[None]), 1)
    return tuple(written), tuple(counted)


def numbers_kept(bundle: Bundle) -> tuple[int, int, int]:
    """What the cache of the decoder's self-attention must keep of each token: the numbers, as the product of layers,
    heads with keys of their own (the most of any layer), and the numbers of a key and a value.

    Returns:
        Layers, heads with keys of their own, and numbers of one key and one value together.
    """
    specs = [spec.attention for spec in bundle.config.layers(encoder=False)]
    widest = max(specs, key=lambda spec: spec.key_heads * (spec.d_key + spec.d_value))
    return len(specs), widest.key_heads, widest.d_key + widest.d_value
