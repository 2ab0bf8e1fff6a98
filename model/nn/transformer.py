"""The encoder-decoder Transformer (Vaswani et al. 2017, section 3), built from a TransformerConfig.

``forward`` and its parts are pure: every result is in the returned values, and nothing is stored on a module.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, TypeAlias, cast

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.interventions import KINDS, AttentionKind, InterventionError, Interventions
from model.nn.attention import soft_cap
from model.nn.attention_selection import AttentionSelection
from model.nn.edits import BatchInterventions, LayerEdit
from model.nn.hooks import has_hooks
from model.nn.incremental import Layout, is_plain
from model.nn.layers import DecoderLayer, KeysValues, PredictionHead
from model.nn.masks import is_inside, needs_no_mask, source_mask, target_mask
from model.nn.passes import Cache, Decoded, Encoded, Output
from model.nn.stack import Stack, embedding_of, source_embedding
from model.nn.taps import Tap, apply_tap

InterventionsLike: TypeAlias = Interventions | Sequence[Interventions] | None
Begin: TypeAlias = tuple[int, Tensor]
"""A layer, and the states (B, N, D) that enter it."""
NOTHING: frozenset[str] = frozenset()


def _capture_for_layer(
    capture: bool | AttentionSelection, kind: AttentionKind, layer: int
) -> bool | AttentionSelection:
    """The attention weights that a layer is to return: none, all, or a selection."""
    return capture if isinstance(capture, bool) or capture.wants(kind, layer) else False


class Transformer(nn.Module):
    """Encoder, decoder and output projection; a decoder-only or encoder-only model has one of the stacks."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        width = config.embedding_width
        source = source_embedding(config)
        is_shared = config.tie_embeddings or not config.n_decoder_layers
        target = cast("nn.Embedding", source) if is_shared else embedding_of(config.target_vocab_size, width)
        self.encoder = Stack(config, source, encoder=True)
        self.decoder = Stack(config, target, encoder=False)
        self.head = PredictionHead(config) if config.masked_head else None
        output = nn.Linear(width, config.target_vocab_size, bias=config.output_bias) if config.predicts else None
        self.output = cast("nn.Linear", output)  # None if the model predicts nothing
        self._layout: Layout | None = None
        self.tie_output()
        if not next(self.parameters()).is_meta:
            self.reset_parameters()

    @classmethod
    def seeded(cls, config: TransformerConfig, generator: torch.Generator) -> Transformer:
        """A model initialised from a random generator of its own: threads do not share PyTorch's global one."""
        with torch.device("meta"):
            model = cls(config)
        model.to_empty(device=generator.device)
        model.tie_output()
        model.reset_parameters(generator)
        return model

    def tie_output(self) -> None:
        """Share the output projection's weight with the target embedding, if the configuration says so."""
        if self.config.tie_output and self.output is not None:
            stack = self.decoder if self.config.n_decoder_layers else self.encoder
            self.output.weight = stack.embedding.weight

    @property
    def kinds(self) -> tuple[AttentionKind, ...]:
        """The kinds of attention that the model has."""
        if not self.config.is_single_stack:
            return KINDS
        return ("encoder_self",) if self.config.n_encoder_layers else ("decoder_self",)

    @torch.no_grad()
    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Xavier-uniform matrices (Glorot & Bengio 2010), embeddings of variance 1/D, biases 0, norms 1."""
        for name, parameter in self.named_parameters():
            if "positions" in name:
                continue
            if "embedding.weight" in name or "token_types" in name:
                nn.init.normal_(parameter, std=self.config.d_model**-0.5, generator=generator)
            elif parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter, generator=generator)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)
            else:
                nn.init.ones_(parameter)
        for stack in (self.encoder, self.decoder):
            stack.positions.reset_parameters(generator)

    def encode(
        self,
        source_ids: Tensor,
        *,
        capture: bool | AttentionSelection = False,
        interventions: InterventionsLike = None,
        record: frozenset[str] = NOTHING,
        tokens: Tensor | None = None,
        n_layers: int | None = None,
        begin: Begin | None = None,
        rows: tuple[int, int] | None = None,
        on_layer: Callable[[int], object] | None = None,
    ) -> Encoded:
        """Run the encoder on int64 (B, S), or on pixels of strips (B, S, P), padded with source_pad_id.

        Args:
            record: names of the activations to return.
            tokens: embeddings (B, S, D) that replace those of the ids, before positions are added; texts that patches
                copy from keep their own.
            n_layers: stop after this many layers; the output is then not the model's.
            begin: a layer, and the states (B, S, D) that enter it; earlier layers are not computed.
            rows: (start, stop) of the positions that the last layer computes and the output has; not allowed with
                recorded or patched activations.
            on_layer: called after each layer with the number of layers done; an exception from it ends the pass.
        """
        edits = BatchInterventions(interventions, source_ids.shape[0])
        attn_mask = source_mask(self.config, source_ids)
        real = attn_mask[:, 0, 0]  # (B, S)
        if self.encoder.is_absent:
            return self._nothing_encoded(source_ids, attn_mask, edits)
        moved = edits.source_positions
        lengths = tuple(attn_mask.sum(-1).flatten().tolist()) if moved else ()
        patch_sources = {
            ids: self.encode(source_ids.new_tensor([ids]), record=edits.names_to_record("encoder", ids))
            for ids in edits.patch_sources()
        }
        taps = edits.taps(
            "encoder", record, {ids: patch_source.recorded for ids, patch_source in patch_sources.items()}, real
        )
        assert taps is None or rows is None
        last = (n_layers or len(self.encoder.layers)) - 1
        first, x = begin or (0, self.encoder.embed(source_ids, 0, moved, lengths, tokens=tokens))
        x = x if begin else apply_tap(taps.at("encoder") if taps else None, "embedding", x)
        attention: list[Tensor] = []
        states = [x] if capture is True else []
        for index, layer in enumerate(islice(self.encoder.layers, first, n_layers), first):
            tap = taps.at("encoder", index) if taps else None
            edit = edits.at("encoder_self", index, lengths)
            captured = _capture_for_layer(capture, "encoder_self", index)
            part = {"rows": rows} if rows and index == last else {}
            x, weights = layer(x, attn_mask, capture=captured, edit=edit, tap=tap, **part)
            attention += [weights] if captured and weights is not None else []
            states += [x] if capture is True else []
            if on_layer is not None:
                on_layer(index + 1)
        memory = apply_tap(taps.at("encoder") if taps else None, "final_norm", self.encoder.finish(x))
        recorded = taps.recorded if taps else {}
        return Encoded(memory, attn_mask, tuple(attention), tuple(states), recorded, patch_sources)

    def decode(
        self,
        target_ids: Tensor,
        encoded: Encoded,
        *,
        cache: Cache | None = None,
        keep_cache: bool = False,
        capture: bool | AttentionSelection = False,
        interventions: InterventionsLike = None,
        record: frozenset[str] = NOTHING,
        tokens: Tensor | None = None,
        n_layers: int | None = None,
        begin: Begin | None = None,
        rows: tuple[int, int] | None = None,
        on_layer: Callable[[int], object] | None = None,
    ) -> Decoded:
        """Run the decoder on the tokens it is fed, int64 (B, T); with a cache, only on the new ones.

        Args:
            record: names of the activations to return.
            tokens: as in ``encode``, (B, T, D); so are ``n_layers``, ``begin``, ``rows`` and ``on_layer``.
        """
        if self.decoder.is_absent:
            return Decoded(torch.zeros(*target_ids.shape, 0, device=target_ids.device), (), (), (), None)
        edits = BatchInterventions(interventions, target_ids.shape[0])
        known = cache.attn_mask.shape[1] if cache else 0
        patch_sources = self._decode_patch_sources(target_ids, encoded, edits, cache=cache, keep_cache=keep_cache)
        recorded_sources = {ids: patch_source.recorded for ids, patch_source in patch_sources.items()}
        taps = edits.taps(
            "decoder", record, recorded_sources, encoded.attn_mask[:, 0, 0], first=known,
            query_is_real=None if cache or edits.is_empty else is_inside(self.config, target_ids, target_ids.shape[1]),
        )  # fmt: skip
        real, attn_mask = target_mask(self.config, target_ids, edits, past=cache.attn_mask if cache else None)
        cross_mask = None if needs_no_mask(encoded.attn_mask) else encoded.attn_mask
        assert taps is None or rows is None
        last = (n_layers or len(self.decoder.layers)) - 1
        first, x = begin or (0, self.decoder.embed(target_ids, known, tokens=tokens))
        x = x if begin else apply_tap(taps.at("decoder") if taps else None, "embedding", x)
        is_step = cache is not None and target_ids.shape[1] == 1 and taps is None
        is_step = is_step and not self.training and not torch.is_grad_enabled()
        blank = target_ids == self.config.target_pad_id if self.config.blank_target_padding else None
        is_step = is_step and (blank is None or not bool(blank.any()))
        layout = cache.layout if cache else None
        if is_step and keep_cache and layout is None:
            layout = self._laid_out()
        layers = (layout.layers if layout and is_step else ()) or self.decoder.layers
        extra: dict[str, Any] = {}
        if blank is not None and not is_step:
            extra["pad_queries"] = blank
        self_attention, cross, pasts, crosses = [], [], [], []
        states = [x] if capture is True else []
        for index, layer in enumerate(islice(layers, first, n_layers), first):
            of_self = _capture_for_layer(capture, "decoder_self", index)
            of_cross = _capture_for_layer(capture, "cross", index)
            cross_edit = edits.at("cross", index)
            if cache:
                keys_values = None if self.encoder.is_absent else cache.cross[index]
            else:
                tap = taps.at("decoder", index, "cross") if taps else None
                keys_values = self._keys_values(layer, encoded.memory, cross_edit, capture or keep_cache, tap)
            if taps:
                extra["tap"] = taps.at("decoder", index)
            if rows and index == last:
                extra["rows"] = rows
            x, self_weights, cross_weights, past = layer(
                x, keys_values, attn_mask, cross_mask,
                past=cache.self_attention[index] if cache else None, capture=of_self or of_cross,
                edits=(edits.at("decoder_self", index), cross_edit), **extra,
            )  # fmt: skip
            pasts.append(past)
            self_attention += [self_weights] if of_self else []
            if keys_values is not None:
                crosses.append(keys_values)
                cross += [cross_weights] if of_cross else []
            states += [x] if capture is True else []
            if on_layer is not None:
                on_layer(index + 1)
        new_cache = None
        if keep_cache:
            caches = {ids: source.cache for ids, source in patch_sources.items() if source.cache is not None}
            new_cache = Cache(tuple(pasts), tuple(crosses), real, layout, caches)
        hidden = apply_tap(taps.at("decoder") if taps else None, "final_norm", self.decoder.finish(x))
        recorded = taps.recorded if taps else {}
        return Decoded(hidden, tuple(self_attention), tuple(cross), tuple(states), new_cache, recorded)

    def _keys_values(
        self,
        layer: object,
        memory: Tensor,
        edit: LayerEdit | None,
        needs_all: bool | AttentionSelection,
        tap: Tap | None,
    ) -> KeysValues | None:
        """Keys and values of a layer's cross-attention; None in a decoder-only model.

        Args:
            needs_all: compute them even if every head is off.
        """
        if self.encoder.is_absent:
            return None
        assert isinstance(layer, DecoderLayer) and layer.cross_attention is not None
        if layer.cross_attention.all_heads_zeroed(edit, capture=needs_all, tap=tap):
            memory = memory[:, :0]
        is_tapped = tap is not None and tap.wants("key", "value")
        if not is_tapped and memory.stride(0) == 0:  # one sentence expanded to several rows (``Encoded.repeated``)
            keys, values = layer.cross_attention.keys_values(memory[:1])
            return keys.expand(len(memory), -1, -1, -1), values.expand(len(memory), -1, -1, -1)
        return layer.cross_attention.keys_values(memory, tap)

    def _nothing_encoded(self, source_ids: Tensor, attn_mask: Tensor, edits: BatchInterventions) -> Encoded:
        """The empty encoding of a decoder-only model, with the activations of other prompts that patches copy from."""
        memory = torch.zeros(*source_ids.shape, 0, device=source_ids.device)
        patch_sources = {}
        for ids in edits.patch_sources():
            fed = source_ids.new_tensor([ids])
            first = Encoded(memory[:1], attn_mask[:1], (), ())
            decoded = self.decode(fed, first, record=edits.names_to_record("decoder", ids))
            patch_sources[ids] = dataclasses.replace(first, recorded=decoded.recorded)
        return Encoded(memory, attn_mask, (), (), {}, patch_sources)

    def _decode_patch_sources(
        self, target_ids: Tensor, encoded: Encoded, edits: BatchInterventions, *, cache: Cache | None, keep_cache: bool
    ) -> dict[tuple[int, ...], Decoded]:
        """The decoder's activations for the same tokens when its source is a text that patches copy from."""
        decoded_sources = {}
        first = cache.attn_mask.shape[1] if cache else 0
        for ids in edits.patch_sources():
            names = edits.names_to_record("decoder", ids)
            if not names:
                continue
            if self.encoder.is_absent:  # another prompt, which ran once when decoding began
                whole = encoded.patch_sources[ids].recorded
                part = {name: x[..., first : first + target_ids.shape[1], :] for name, x in whole.items()}
                decoded_sources[ids] = Decoded(encoded.memory, (), (), (), None, part)
                continue
            if ids not in encoded.patch_sources:
                raise InterventionError(
                    "the encoder was run without the text that a patch copies from: encode again with these "
                    "interventions"
                )
            decoded_sources[ids] = self.decode(
                target_ids, encoded.patch_sources[ids].repeated(len(target_ids)), keep_cache=keep_cache, record=names,
                cache=cache.patch_sources.get(ids) if cache else None,
            )  # fmt: skip
        return decoded_sources

    def keep_layout(self) -> None:
        """Pack the decoder's weights once for all decodings, and again after they were changed or moved.

        Changes through ``weight.data`` are not detected. A copy of the model packs its weights for each decoding.
        """
        self._layout = Layout.of(self.decoder.layers, self.output)

    def _laid_out(self) -> Layout:
        if self._layout is None or not is_plain(self.decoder.layers) or has_hooks(self.output):
            return Layout.of(self.decoder.layers, self.output)
        if not self._layout.is_of(self.decoder.layers, self.output):
            self._layout = Layout.of(self.decoder.layers, self.output)
        return self._layout

    def __getstate__(self) -> dict[str, Any]:
        """The state for copying, without the packed layout: the copy's weights may be changed."""
        return self.__dict__ | {"_layout": None}

    def project(self, hidden: Tensor, layout: Layout | None = None) -> Tensor:
        """Logits (…, V) of decoder states (…, D); log-probabilities where the configuration says so.

        Args:
            layout: the packed weights of the decoding that the states (B, D) belong to.
        """
        if self.output is None:  # an encoder-only model without a masked-LM head
            return hidden
        hidden = hidden if self.head is None else self.head(hidden)
        logits = self.output(hidden) if layout is None else layout.output(hidden)  # (…, V)
        if self.config.output_scale != 1.0:
            logits = logits * self.config.output_scale
        if self.config.output_cap is not None:
            logits = soft_cap(logits, self.config.output_cap)
        return logits.log_softmax(-1) if self.config.output_log_softmax else logits

    def forward(
        self,
        source_ids: Tensor,
        target_ids: Tensor,
        *,
        capture: bool | AttentionSelection = False,
        interventions: InterventionsLike = None,
    ) -> Output:
        """Teacher forcing: source int64 (B, S), and what the decoder is fed, int64 (B, T)."""
        encoded = self.encode(source_ids, capture=capture, interventions=interventions)
        decoded = self.decode(target_ids, encoded, capture=capture, interventions=interventions)
        logits = self.project(decoded.hidden)
        return Output(logits, encoded.attention, decoded.self_attention, decoded.cross)
