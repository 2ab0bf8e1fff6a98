"""One shard of a survey: reads its pairs and measures them in batches."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from model.bundle import Bundle
from model.corpus.batches import Pass, Row, forced_pass, is_readable, read_rows
from model.corpus.tables import (
    Columns,
    axes_of,
    concatenate,
    head_columns,
    hidden_states,
    link_columns,
    scale_to_float16,
    stack_tokens,
)
from model.inference.reading import kinds_of
from model.inference.translation import translate_texts
from model.interpret.ablation import without_layer
from model.interventions import KINDS, NONE, Interventions
from model.text.links import CorpusError
from model.text.pairs import Pair


@dataclass(frozen=True, slots=True)
class Options:
    """A survey's options, part of its identity."""

    translate: bool
    maps: bool
    states: tuple[str, ...]
    batch_size: int
    slim: bool = False
    """Two decimals per number, and no token texts in the links: those are looked up in the sentences."""
    interventions: Interventions = NONE
    """Changes of the model; items whose query or key a sentence lacks are dropped."""
    cached: bool = True
    """Whether translation uses a key-value cache."""
    own_targets: bool = False
    """Whether the model's own translations replace the given targets."""

    @property
    def described(self) -> dict[str, Any]:
        """The options as plain values; options added after the first release are omitted at their default."""
        plain = {
            name: value
            for name, value in ((field.name, getattr(self, field.name)) for field in dataclasses.fields(self))
            if name not in ("interventions", "cached", "own_targets")
        }
        plain |= {} if self.cached else {"cached": False}
        plain |= {"own_targets": True} if self.own_targets else {}
        return plain | ({"interventions": repr(self.interventions)} if self.interventions else {})

    def checked(self, bundle: Bundle) -> Options:
        """These options, checked against the model.

        Raises:
            CorpusError: for states that the model does not have.
        """
        layers = {"encoder": bundle.config.n_encoder_layers, "decoder": bundle.config.n_decoder_layers}
        for name in self.states:
            stack, _, layer = name.partition(".")
            if stack not in layers or not layer.isdigit() or int(layer) > layers[stack]:
                raise CorpusError(f"there are no states “{name}”: choose encoder.0 to decoder.{layers['decoder']}")
        if self.batch_size < 1:
            raise CorpusError(f"batch_size ({self.batch_size}) must be at least 1")
        return self


@dataclass(frozen=True, slots=True)
class Shard:
    """A range of the corpus as tokens."""

    rows: tuple[Row, ...]
    skipped: tuple[tuple[int, str], ...]
    """Pairs that the model cannot read: id and reason."""
    code: Mapping[str, int]
    """The code of each token text in this shard."""
    language: str | None = None
    """Language of the translations."""


@dataclass(frozen=True, slots=True)
class Part:
    """The measurements of one batch."""

    tables: Mapping[str, Columns]
    scores: Mapping[int, tuple[float | None, float | None]]
    """By row id: the log-probability of its target, and the mean contribution of the source to a token; None if the
    model predicts nothing, or reads no source."""
    own_texts: Mapping[int, str]
    """Translations, if they were requested."""


def read_shard(bundle: Bundle, pairs: Sequence[Pair], options: Options, *, first_id: int) -> Shard:
    """Tokenize the pairs, and assign codes to their token texts in corpus order."""
    if options.own_targets:
        pairs = with_own_targets(bundle, pairs, interventions=options.interventions, cached=options.cached)
    rows, skipped = read_rows(bundle, pairs, first_id=first_id)
    begun = [row.prefix.pieces for row in rows[:1]]
    texts = [tokens.pieces for row in rows for tokens in (row.source, row.prefix, row.target)]
    known = dict.fromkeys(chain(*begun, *texts, ("",)))
    numbers = {text: number for number, text in enumerate(known)}
    unread = tuple((skip.id, skip.reason) for skip in skipped)
    return Shard(tuple(rows), unread, numbers, bundle.target_language)


def with_own_targets(
    bundle: Bundle, pairs: Sequence[Pair], *, interventions: Interventions = NONE, cached: bool = True
) -> list[Pair]:
    """The pairs with the model's own translations as targets; a source that the model cannot read keeps its target."""
    places = [place for place, pair in enumerate(pairs) if is_readable(bundle, pair)]
    texts, own_texts = [pairs[place].source for place in places], dict[int, str]()
    for index, text in translate_texts(bundle, texts, interventions=interventions, cached=cached):
        own_texts[places[index]] = text
    return [Pair(pair.source, own_texts.get(place, pair.target)) for place, pair in enumerate(pairs)]


@torch.inference_mode()
def measure_batch(bundle: Bundle, rows: Sequence[Row], options: Options, code: Mapping[str, int]) -> Part:
    """Run the model on some rows of a shard and measure every head."""
    batch = forced_pass(bundle, rows, interventions=options.interventions)
    axes = axes_of(batch)
    tables = {"heads": head_columns(bundle, batch, axes), "links": link_columns(batch, axes, code)}
    if options.maps:
        tables["maps"] = _map_columns(batch)
    if options.states:
        tables["states"] = _state_columns(batch, options.states, code)
    own_texts: dict[int, str] = {}
    if options.translate:
        texts = [row.pair.source for row in rows]
        written = translate_texts(bundle, texts, interventions=options.interventions, cached=options.cached)
        own_texts = {rows[index].id: text for index, text in written}
    return Part(tables, _scores(batch), own_texts)


def source_contribution(batch: Pass) -> NDArray[np.float32]:
    """The contribution of the source to a target token's log-probability, mean over a row's tokens, (B,) in nats.

    Measured by removal: the decoder runs again with every cross-attention head off, in addition to the rows'
    interventions.
    """
    bundle, removed = batch.bundle, {}
    for edit in {id(edit): edit for edit in batch.interventions}.values():
        edits = edit
        for layer in range(bundle.config.n_decoder_layers):
            edits = without_layer(bundle, edits, "cross", layer)
        removed[id(edit)] = edits
    whole = removed[id(batch.interventions[0])] if len(removed) == 1 else None
    without = batch.under(whole or [removed[id(edit)] for edit in batch.interventions]).log_probs
    return ((batch.log_probs - without).sum(-1) / batch.target_is_real.sum(-1)).cpu().numpy()


def _scores(batch: Pass) -> dict[int, tuple[float | None, float | None]]:
    kinds, nothing = kinds_of(batch.bundle), [None] * len(batch.rows)
    totals = batch.log_probs.sum(-1).tolist() if "decoder_self" in kinds else nothing
    source = source_contribution(batch).tolist() if "cross" in kinds else nothing
    return {row.id: (total, share) for row, total, share in zip(batch.rows, totals, source, strict=True)}


def _map_columns(batch: Pass) -> Columns:
    """Every map without padding as bytes of float16, in row-major order."""
    blocks = []
    for kind, layers in batch.weights.items():
        for layer, weights in enumerate(layers):
            array = weights.to(torch.float16).cpu().numpy()
            for index, row in enumerate(batch.rows):
                shape = {
                    "encoder_self": (len(row.source), len(row.source)),
                    "decoder_self": (len(row.target), len(row.target)),
                    "cross": (len(row.target), len(row.source)),
                }[kind]
                heads = array[index, :, : shape[0], : shape[1]]
                same = {"id": row.id, "kind": KINDS.index(kind), "layer": layer}
                same |= {"n_queries": shape[0], "n_keys": shape[1]}
                block = {name: np.full(len(heads), value) for name, value in same.items()}
                block |= {"head": np.arange(len(heads)), "weights": _objects(head.tobytes() for head in heads)}
                blocks.append(block)
    return concatenate("maps", blocks)


def _state_columns(batch: Pass, names: Sequence[str], code: Mapping[str, int]) -> Columns:
    """The chosen residual streams, one row per token, as bytes of float16 and an exponent of 2."""
    blocks = []
    for name in names:
        array, exponents = scale_to_float16(hidden_states(batch, name))
        for index, row in enumerate(batch.rows):
            tokens, following = stack_tokens(row, name)
            blocks.append(
                {
                    "id": np.full(len(tokens), row.id),
                    "states": np.full(len(tokens), name, object),
                    "position": np.arange(len(tokens)),
                    "token": np.array([code[piece] for piece in tokens.pieces]),
                    "next_token": np.array([code[piece] for piece in following]),
                    "state": _objects(state.tobytes() for state in array[index, : len(tokens)]),
                    "exponent": exponents[index, : len(tokens)],
                }
            )
    return concatenate("states", blocks)


def _objects(parts: Iterable[bytes]) -> NDArray[np.object_]:
    return np.array([*parts], object)
