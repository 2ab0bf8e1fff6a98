"""A toy Transformer for German-English three-word sentences, which trains in seconds and can be inspected completely.

German may put the object first ("hunde sehe ich" is "i see dogs"), so it has to attend to words, not to positions.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import nn

from model.bundle import Bundle
from model.checkpoints.basis.assembly import fingerprint_of
from model.config import TransformerConfig
from model.interventions import NONE, Interventions
from model.nn.transformer import Transformer
from model.optimisers import Adam
from model.text.word_tokenizer import WordTokenizer
from model.trace import Floats

SPECIAL = ("<pad>", "<bos>", "<eos>", "<unk>")
PAD, BOS, EOS = range(3)
_SUBJECTS = (("ich", "i", "sehe"), ("du", "you", "siehst"), ("wir", "we", "sehen"))
_OBJECTS = (("hunde", "dogs"), ("katzen", "cats"), ("vögel", "birds"))
STEPS = 400
_LEARNING_RATE = 0.02


@dataclass(frozen=True, slots=True)
class ToyPair:
    """A sentence of the toy language and its translation, three words each."""

    source: str
    target: str
    is_held_out: bool
    """Never trained on."""


def toy_pairs() -> tuple[ToyPair, ...]:
    """All sentences: three subjects, three objects, two orders; two of them are held out."""
    held_out = {"vögel sehe ich", "du siehst katzen"}
    pairs = []
    for german, english, verb in _SUBJECTS:
        for thing, translated in _OBJECTS:
            for source in (f"{german} {verb} {thing}", f"{thing} {verb} {german}"):
                pairs.append(ToyPair(source, f"{english} see {translated}", source in held_out))
    return tuple(pairs)


@dataclass(frozen=True, slots=True)
class Toy:
    """The trained model and its loss curve."""

    bundle: Bundle
    losses: tuple[float, ...]
    """Mean cross-entropy of every step, nats per token."""
    n_parameters: int

    @property
    def tensors(self) -> dict[str, Floats]:
        """Every tensor of the model by name."""
        named = self.bundle.model.state_dict().items()
        return {name: values.numpy() for name, values in named if values.is_floating_point()}


def train_toy(*, seed: int = 2, d_model: int = 4, steps: int = STEPS, is_masked: bool = True) -> Toy:
    """Train a Transformer with one layer and one head on the pairs that are not held out.

    Deterministic for a seed; the global random state is not changed.

    Args:
        is_masked: False removes the causal mask, so that each decoder row also sees the word that it predicts.
    """
    sides = zip(*((pair.source, pair.target) for pair in toy_pairs()), strict=True)
    source, target = (WordTokenizer((*SPECIAL, *dict.fromkeys(" ".join(texts).split()))) for texts in sides)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = Transformer(TransformerConfig(
            source_vocab_size=source.size, target_vocab_size=target.size, d_model=d_model, d_feed_forward=2 * d_model,
            n_encoder_layers=1, n_decoder_layers=1, n_encoder_heads=1, n_decoder_heads=1, tie_embeddings=False,
            tie_output=False, attention_bias=False, feed_forward_bias=False, embedding_scale=1.0, dropout=0.0,
            max_positions=16, source_pad_id=PAD, target_pad_id=PAD, bos_id=BOS, eos_id=EOS,
        ))  # fmt: skip
        losses = tuple(_training(network, source, target, steps, is_masked=is_masked))
    network.eval().requires_grad_(False)
    bundle = Bundle(
        f"toy {seed}", network, network.config, source, target, source_language="de", target_language="en",
        fingerprint=fingerprint_of(network, source, target),
    )  # fmt: skip
    return Toy(bundle, losses, sum(parameter.numel() for parameter in network.parameters()))


def _training(
    network: Transformer, source: WordTokenizer, target: WordTokenizer, steps: int, *, is_masked: bool
) -> Iterator[float]:
    trained = [pair for pair in toy_pairs() if not pair.is_held_out]
    sources = torch.tensor([[*source.encode(pair.source).ids, EOS] for pair in trained])  # (B, 4)
    targets = torch.tensor([[BOS, *target.encode(pair.target).ids, EOS] for pair in trained])  # (B, 5)
    optimizer = Adam(network.parameters(), lr=_LEARNING_RATE)
    edits = NONE if is_masked else Interventions(lift_causal_mask=True)
    loss_of = nn.CrossEntropyLoss()
    network.train()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = _LEARNING_RATE * (1 - step / steps)
        output = network(sources, targets[:, :-1], interventions=edits)
        loss = loss_of(output.logits.flatten(0, 1), targets[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss.item()
