"""Prepares a trainer from sentence pairs: split, vocabulary, initial weights, ids.

The initial weights and the vocabulary are written to the run's folder once, by the main process, so that every process
and every resumed run starts from the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import torch

from model.checkpoints import Bundle, load, save
from model.config import GREY_LEVELS, TransformerConfig
from model.layer_spec import AttentionSpec, LayerSpec, Rotary, fields_of_layers
from model.lazy import accelerate
from model.nn.transformer import Transformer
from model.picture_source import PictureSource
from model.runs.folder import RunFolder
from model.text.pairs import Pair
from model.text.tokenizer import SentencePieceTokenizer
from model.text.word_tokenizer import WordTokenizer
from model.training.data import Split, encode_pairs, encode_pictures, split_pairs
from model.training.handwriting.pictures import ALPHABET
from model.training.precision import take_device
from model.training.settings import TrainingConfig, TrainingError
from model.training.trainer import Trainer
from model.training.vocabularies.extension import check_spelling, with_vocabulary
from model.training.vocabularies.learned import train_tokenizer

READ = PictureSource(strip=4, right=8)
"""The input of a new reader."""
SPECIAL = ("<pad>", "<s>", "</s>")
"""The special tokens of a reader, before its characters."""
Kind = Literal["encoder-decoder", "decoder", "reader"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewModel:
    """The shape of a Transformer to be trained from random weights; other fields have TransformerConfig's defaults."""

    name: str = "new"
    vocab_size: int = 6_000
    """Size of the vocabulary, which both languages share."""
    d_model: int = 256
    d_feed_forward: int = 1_024
    kind: Kind = "encoder-decoder"
    """A decoder continues texts; like Llama it has rotary positions, RMS norms and gated feed-forward networks. A
    reader reads pictures of words and writes their characters."""
    n_encoder_layers: int = 4
    n_decoder_layers: int = 4
    n_heads: int = 8
    n_key_heads: int | None = None
    """For a decoder: number of key-value heads (grouped-query attention); None: as many as heads."""
    norm_first: bool = True
    source_language: str | None = None
    target_language: str | None = None

    def config(self, vocab_size: int) -> TransformerConfig:
        """The configuration with a vocabulary of this size.

        Raises:
            ConfigError: when the numbers do not fit together.
        """
        if self.kind == "decoder":
            return self._decoder(vocab_size)
        if self.kind == "reader":
            return self._reader(vocab_size)
        return TransformerConfig(
            source_vocab_size=vocab_size,
            target_vocab_size=vocab_size,
            d_model=self.d_model,
            d_feed_forward=self.d_feed_forward,
            n_encoder_layers=self.n_encoder_layers,
            n_decoder_layers=self.n_decoder_layers,
            n_encoder_heads=self.n_heads,
            n_decoder_heads=self.n_heads,
            encoder_norm_first=self.norm_first,
            decoder_norm_first=self.norm_first,
        )

    def _reader(self, vocab_size: int) -> TransformerConfig:
        return TransformerConfig(
            source_vocab_size=GREY_LEVELS + 1, source_pad_id=GREY_LEVELS, source_has_eos=False, picture=READ,
            target_vocab_size=vocab_size, bos_id=1, eos_id=2, d_model=self.d_model, d_feed_forward=self.d_feed_forward,
            n_encoder_layers=self.n_encoder_layers, n_decoder_layers=self.n_decoder_layers,
            n_encoder_heads=self.n_heads, n_decoder_heads=self.n_heads, encoder_norm_first=self.norm_first,
            decoder_norm_first=self.norm_first, activation="gelu", tie_embeddings=False,
        )  # fmt: skip

    def _decoder(self, vocab_size: int) -> TransformerConfig:
        width = self.d_model // self.n_heads
        attention = AttentionSpec(
            n_heads=self.n_heads, n_key_heads=self.n_key_heads, d_key=width, d_value=width, bias=False,
            rotary=Rotary(width=width),
        )  # fmt: skip
        layer = LayerSpec(
            attention=attention, d_feed_forward=self.d_feed_forward, activation="silu", gated_feed_forward=True,
            feed_forward_bias=False, norm_kind="rms",
        )  # fmt: skip
        stack = fields_of_layers((layer,), is_decoder=True)
        stack["n_decoder_layers"] = self.n_decoder_layers
        return TransformerConfig(
            source_vocab_size=vocab_size, target_vocab_size=vocab_size, d_model=self.d_model, positions="none",
            embedding_scale=1.0, source_has_bos=True, **stack,
        )  # fmt: skip

    def begin(self, pairs: Sequence[Pair], *, seed: int, tokenizer: SentencePieceTokenizer | None = None) -> Bundle:
        """Create the model with seeded random weights, and a vocabulary learned from ``pairs`` unless one is given.

        Raises:
            ConfigError: when the numbers do not fit together.
            TrainingError: when the pairs are too few for the vocabulary.
        """
        if self.kind == "reader":
            letters = WordTokenizer((*SPECIAL, *ALPHABET))
            config = self.config(letters.size)
            torch.manual_seed(seed)
            return Bundle(self.name, Transformer(config), config, None, letters, target_language=self.target_language)
        config = self.config(tokenizer.size if tokenizer else self.vocab_size)
        if tokenizer is None:
            is_decoder = self.kind == "decoder"
            tokenizer = train_tokenizer(pairs, vocab_size=self.vocab_size, seed=seed, byte_fallback=is_decoder)
        torch.manual_seed(seed)
        return Bundle(
            name=self.name,
            model=Transformer(config),
            config=config,
            source_tokenizer=tokenizer,
            target_tokenizer=tokenizer,
            source_language=self.source_language,
            target_language=self.target_language,
            normalisation="plain",
        )


def prepare(
    beginning: NewModel | Bundle,
    pairs: Sequence[Pair] | Split,
    config: TrainingConfig,
    folder: RunFolder,
    *,
    tokenizer: SentencePieceTokenizer | None = None,
    open_initial: Callable[[Path], Bundle] = load,
) -> Trainer:
    """A trainer on the training part of ``pairs`` that validates on the validation part; the test part is not used.

    Args:
        beginning: the shape of a new model, or a model to continue. A folder with a run continues with the model in it.
        pairs: pairs to be split by ``split_pairs``, or an existing split.
        tokenizer: a vocabulary for a new model instead of learning one, or the replacement of a trained model's
            vocabulary.
        open_initial: opens the initial model in the folder.

    Raises:
        TrainingError: when the data, the device or the model do not allow the run.
        ConfigError, CheckpointError: when the model cannot be built or written.
    """
    split = pairs if isinstance(pairs, Split) else split_pairs(pairs)
    state = accelerate.PartialState(cpu=take_device(config.device).type == "cpu")
    try:
        if state.is_main_process and not folder.initial.exists():
            if isinstance(beginning, NewModel):
                beginning = beginning.begin(split.train, seed=config.seed, tokenizer=tokenizer)
            elif tokenizer is not None:
                beginning = with_vocabulary(beginning, tokenizer)
            if beginning.source_tokenizer and beginning.target_tokenizer:
                check_spelling(split.train, beginning.source_tokenizer, beginning.target_tokenizer)
            save(replace(beginning, model=_trainable(beginning)), folder.initial)
    finally:
        state.wait_for_everyone()
    bundle = open_initial(folder.initial)
    source, target = bundle.source_tokenizer, bundle.target_tokenizer
    if bundle.picture is not None and target is not None:
        encoded = [encode_pictures(part, bundle.picture, target) for part in (split.train, split.validation)]
        return Trainer(bundle, encoded[0], split.validation, encoded[1], config, folder)
    if source is None or target is None:
        raise TrainingError(f"{bundle.name} has no vocabulary to train with: add its tokenizer first")
    examples, validation = (
        encode_pairs(part, source, target, max_length=config.max_length) for part in (split.train, split.validation)
    )
    return Trainer(bundle, examples, split.validation, validation, config, folder)


def _trainable(bundle: Bundle) -> Transformer:
    if not isinstance(bundle.model, Transformer):
        raise TrainingError(
            f"a model of the family {bundle.family} cannot be trained: choose one that loads as our own Transformer"
        )
    return bundle.model
