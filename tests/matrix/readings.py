"""The readings of the matrix: each compares a public function with plain hooks, or with itself done slowly."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

import model
from model.analysis.measures import measure
from model.corpus.batches import Row, forced_pass
from model.corpus.tables import axes_of
from model.inference.fitting import with_donors
from model.inference.long_text import read_long, rows_of_head
from model.inference.reading import NO_TOKENS, kinds_of
from model.inference.tree_search import beam_tree
from model.interpret.ablation import head_effects, without_head
from model.interpret.attribution import gradient_attention, value_weighted
from model.interpret.causal import causal_map, patch_of_cell, patch_of_head
from model.interpret.direct import direct_contributions
from model.interpret.editing.circuit import circuit
from model.interpret.editing.graph import why_unsuited
from model.interpret.editing.knockout import knock_out
from model.interpret.editing.steering import steering_vector
from model.interpret.inspection import inspect_head
from model.interpret.residual_stream import logit_lens
from model.interpret.token_attribution import token_attribution
from model.interpret.tracing.pair_reading import CausalError
from model.interventions import SUBLAYERS, BlockedKey, Interventions, attention_shapes
from model.nn.attention_selection import AttentionSelection, SelectionError
from model.patch import Patch
from model.text.pairs import Pair
from model.text.tokens import describe_target, source_tokens
from tests.matrix.by_hooks import Pass, run
from tests.matrix.kinds import picture_of, source_of, twin_of

SOURCES = ((5, 9, 6, 14, 3), (7, 4, 3), (8, 6, 5, 12, 4, 9, 3))
FED = ((2, 9, 10, 4), (2, 7, 5), (2, 6, 11, 12, 8, 4))
"""Three sentences of different length; each cell of the matrix is about the first, alone or beside the others."""
TARGETS = tuple((*fed[1:], 8) for fed in FED)


@dataclass(frozen=True)
class Cell:
    """One cell: a kind of model under a change, alone or in a batch, with a cache or without."""

    kind: str
    bundle: model.Bundle
    edits: Interventions
    in_batch: bool
    cached: bool

    @property
    def n_rows(self) -> int:
        """Sentences that share the pass."""
        return 3 if self.in_batch else 1

    @property
    def sources(self) -> tuple[tuple[int, ...], ...]:
        """What the encoder reads of each sentence; nothing in a decoder-only model."""
        return tuple(source_of(self.kind, ids) if self.has_encoder else () for ids in SOURCES[: self.n_rows])

    @property
    def texts(self) -> list[Any]:
        """What is given to be translated or scored: ids without the sentence's end, or a picture."""
        if self.kind == "picture":
            return [picture_of(ids) for ids in SOURCES[: self.n_rows]]
        return [list(ids[:-1]) for ids in self.sources] if self.has_encoder else [list(ids[1:]) for ids in self.fed]

    @property
    def fed(self) -> tuple[tuple[int, ...], ...]:
        """What the decoder is fed of each sentence; nothing in an encoder-only model."""
        return tuple(ids if self.has_decoder else () for ids in FED[: self.n_rows])

    @property
    def has_encoder(self) -> bool:
        return "encoder_self" in kinds_of(self.bundle)

    @property
    def has_decoder(self) -> bool:
        return "decoder_self" in kinds_of(self.bundle)

    @property
    def can_hook(self) -> bool:
        """Whether hooks can do the change: they move rows of a table, and not distances."""
        return self.edits.source_positions is None or not self.bundle.config.sees_distances

    def by_hooks(self, trace: model.Trace | None = None, edits: Interventions | None = None, end: int = 99) -> Pass:
        """The first sentence, or a trace up to a step, with the change done by hand."""
        network: Any = twin_of(self.kind).model
        source, fed = (self.sources[0], self.fed[0]) if trace is None else (trace.source.ids, trace.prefix.ids[:end])
        return run(network, self.edits if edits is None else edits, source, fed)

    def source_tokens(self, row: int) -> model.TokenSequence:
        """What the encoder reads of a sentence, with its names."""
        if self.kind == "picture":
            return source_tokens(self.bundle, self.texts[row])
        return describe_target(self.bundle, self.sources[row]) if self.has_encoder else NO_TOKENS

    @property
    def trace(self) -> model.Trace:
        """The first sentence scored under the change."""
        return model.score(self.bundle, self.texts[0], TARGETS[0], interventions=self.edits)


def same(left: Any, right: Any, atol: float = 2e-5) -> None:
    """Equal numbers."""
    np.testing.assert_allclose(np.asarray(left), np.asarray(right), rtol=1e-4, atol=atol)


def _log_probs(result: Pass, targets: tuple[int, ...]) -> Any:
    return result.logits.log_softmax(-1)[range(len(targets)), list(targets)].numpy()


def attend(cell: Cell) -> None:
    """Weights and logits, against hooks; some of them against all."""
    batch = model.attend(cell.bundle, cell.sources, cell.fed, interventions=cell.edits, cached=cell.cached)
    sides = {"encoder_self": (cell.sources, cell.sources), "decoder_self": (cell.fed, cell.fed)}
    lengths = sides | {"cross": (cell.fed, cell.sources)}
    some = model.attend(cell.bundle, cell.sources, cell.fed, interventions=cell.edits, cached=cell.cached,
                        only=AttentionSelection(layers=(1,), heads=(1,), rows=(1, 3)), logits=False)  # fmt: skip
    result = cell.by_hooks() if cell.can_hook else None
    for kind in kinds_of(cell.bundle):
        (queries,), (keys,) = (side[:1] for side in lengths[kind])
        whole = getattr(batch, kind)[0, :, :, : len(queries), : len(keys)]
        same(getattr(some, kind)[0, 0, 0, :, : len(keys)], whole[1, 1, 1:3])
        for layer in range(len(whole)) if result is not None else ():
            assert result is not None
            same(whole[layer], result.weights[kind, layer])
    n = len(cell.fed[0]) if cell.has_decoder else len(cell.sources[0])
    if result is not None and cell.bundle.config.predicts:
        same(np.asarray(batch.logits)[0, :n], result.logits, 1e-4)
    alone = model.attend(cell.bundle, cell.sources[:1], cell.fed[:1], interventions=cell.edits)
    same(np.asarray(batch.logits)[0, :n], np.asarray(alone.logits)[0], 1e-4)


def score(cell: Cell) -> None:
    """Log-probabilities, against hooks."""
    texts, targets = cell.texts, [list(ids) for ids in TARGETS[: cell.n_rows]]
    traces: Any = model.score(cell.bundle, texts, targets, interventions=cell.edits, cached=cell.cached)
    first = traces[0]
    assert isinstance(first, model.Trace)
    result = cell.by_hooks(first) if cell.can_hook else None
    if result is not None:
        same(first.log_probs, _log_probs(result, first.target.ids))
    same(first.log_probs, model.score(cell.bundle, texts[0], TARGETS[0], interventions=cell.edits).log_probs)


def greedy(cell: Cell) -> None:
    """Greedy decoding, against the best token of one pass after another by hooks."""
    texts = cell.texts
    fits = cell.edits.within(n_source=len(cell.sources[0]), n_target=6)
    traces: Any = model.translate(
        cell.bundle, texts, interventions=fits, cached=cell.cached, max_length=6, stop_loops=False
    )
    first = traces[0]
    assert isinstance(first, model.Trace)
    begin = len(first.target) - 1 if cell.has_encoder else len(texts[0])
    for t in range(len(first.target) if cell.can_hook else 0):
        logits = cell.by_hooks(first, fits, t + 1).logits[-1]
        same(first.log_probs[t], logits.log_softmax(-1)[first.target.ids[t]])
        if t > begin or cell.has_encoder:
            pad = cell.bundle.config.target_pad_id
            best = next(i for i in logits.argsort(descending=True).tolist() if i != pad or not _never(cell))
            assert best == first.target.ids[t]


def _never(cell: Cell) -> bool:
    from model.decoding.options import suppressed_id

    return suppressed_id(cell.bundle.model) >= 0


def _check_translations(cell: Cell, **options: Any) -> None:
    """A batch with a cache or without gives what the text alone gives without one."""
    texts = cell.texts
    fits = cell.edits.within(n_source=len(cell.sources[0]), n_target=6)
    first = model.translate(cell.bundle, texts, interventions=fits, cached=cell.cached, max_length=6, **options)[0]
    alone = model.translate(cell.bundle, texts[0], interventions=fits, cached=False, max_length=6, **options)
    assert isinstance(first, model.Trace) and isinstance(alone, model.Trace)
    assert first.target.ids == alone.target.ids
    same(first.log_probs, alone.log_probs)
    for kind in alone.attention.kinds:
        same(first.attention.of(kind), alone.attention.of(kind))


def beam(cell: Cell) -> None:
    """Beam search, against that of the text alone without a cache."""
    _check_translations(cell, method="beam", beam_size=3)


def sample(cell: Cell) -> None:
    """Sampling, likewise."""
    _check_translations(cell, method="sample")


def tree(cell: Cell) -> None:
    """The tree of a beam search ends in the translation of that search."""
    text = cell.texts[0]
    fits = cell.edits.within(n_source=len(cell.sources[0]), n_target=6)
    options: Any = {"beam_size": 3, "max_length": 6, "interventions": fits, "cached": cell.cached}
    grown = beam_tree(cell.bundle, text, **options)
    best = model.translate(cell.bundle, text, method="beam", **options)
    path, at = [], grown.best[0]
    while at >= 0:
        path.append(grown.nodes[at].token_id)
        at = grown.nodes[at].parent
    assert tuple(path[::-1])[-len(best.target.ids) :] == best.target.ids


def record(cell: Cell) -> None:
    """Activations, against what hooks saw."""
    trace = cell.trace
    result = cell.by_hooks(trace) if cell.can_hook else None
    recorded = model.record(cell.bundle, trace)
    for name, x in (result.activations if result is not None else {}).items():
        same(recorded[name][0], x, 1e-4)
    if result is not None:
        same(recorded["logits"][0], result.logits, 1e-4)


def effects(cell: Cell) -> None:
    """Each head's effect, against hooks with that head off."""
    trace = cell.trace
    measured = head_effects(cell.bundle, trace)
    for kind, (n_layers, n_heads) in attention_shapes(cell.bundle.config).items():
        for layer in range(n_layers if kind in kinds_of(cell.bundle) else 0):
            off = without_head(cell.edits, kind, layer, n_heads - 1)
            expected = (
                _log_probs(cell.by_hooks(trace, off), trace.target.ids) if cell.can_hook
                else model.score(cell.bundle, cell.texts[0], TARGETS[0], interventions=off).log_probs
            )  # fmt: skip
            same(measured.changes[kind][layer, n_heads - 1], expected - trace.log_probs)


def knocked_out(cell: Cell) -> None:
    """A token hidden from all others in the first layer, against hooks; no weight is left on it."""
    trace = cell.trace
    for kind in kinds_of(cell.bundle):
        hidden = knock_out(trace, kind, keys=1, layers=0)
        block = BlockedKey(kind, 1, layer=0)
        assert hidden == dataclasses.replace(cell.edits, blocked_keys=(*cell.edits.blocked_keys, block))
        if any(row.kind == kind for row in cell.edits.forced_rows):
            continue  # such a row may have all its weight on that token
        rows = ([trace.source.ids], [trace.prefix.ids])
        attended = model.attend(cell.bundle, *rows, interventions=hidden)
        is_open = any(patch.name.endswith("weights") for patch in cell.edits.patches)
        assert is_open or not np.asarray(getattr(attended, kind))[0, 0, :, :, 1].any()
        if cell.can_hook:
            same(np.asarray(attended.logits)[0], cell.by_hooks(trace, hidden).logits, 1e-4)


def lens(cell: Cell) -> None:
    """Each layer's entry is its stream through the last norm and the output matrix."""
    config, network = cell.bundle.config, cell.bundle.model
    trace: Any = cell.trace if cell.has_decoder else (cell.sources[0], ())
    read = logit_lens(cell.bundle, trace, n_best=3, interventions=cell.edits)
    if not cell.can_hook:
        return
    result = cell.by_hooks(trace if cell.has_decoder else None)
    name, stack = ("decoder", network.decoder) if cell.has_decoder else ("encoder", network.encoder)
    for layer in range(config.n_decoder_layers or config.n_encoder_layers):
        stream = result.activations[f"{name}.{layer}.residual.after"]
        with torch.no_grad():
            logits = network.project(stack.finish(stream[None]))[0]
        best = logits.log_softmax(-1).topk(3, -1)
        same(read.log_probs[layer], best.values, 1e-4)


def contributions(cell: Cell) -> None:
    """What the parts write adds up to the logit."""
    trace = cell.trace
    for step in range(len(trace.target)):
        result = direct_contributions(cell.bundle, trace, step=step, rival_id=6)
        same(result.values.sum(), result.logit, 2e-4)
        if cell.can_hook and cell.bundle.config.output_cap is None:
            logits = cell.by_hooks(trace).logits[step]
            same(result.logit, logits[trace.target.ids[step]] - logits[6], 2e-4)


def gradients(cell: Cell) -> None:
    """Weights times gradients, against the recorded weights and their gradients."""
    trace = cell.trace
    result = gradient_attention(cell.bundle, trace, step=2)
    if cell.kind == "adapter":
        ours = twin_of(cell.kind)
        traced = model.score(ours, cell.texts[0], TARGETS[0], interventions=cell.edits)
        expected = gradient_attention(ours, traced, step=2).maps
        for kind in expected.kinds:
            same(result.maps.of(kind), expected.of(kind))
        return
    recording = model.record(cell.bundle, trace, names="*.weights", gradients_of=2)
    for kind in kinds_of(cell.bundle):
        for layer, product in enumerate(np.asarray(result.maps.of(kind))):
            name = f"{SUBLAYERS[kind].format(layer)}.weights"
            same(product, recording[name][0] * recording.gradients[name][0])


def norms(cell: Cell) -> None:
    """Norms of weighted values, against the recorded weights, values and output matrices."""
    trace = cell.trace
    result, recorded = (
        value_weighted(cell.bundle, trace),
        model.record(cell.bundle, trace, names=("*.weights", "*.value")),
    )
    off = {(item.kind, item.layer, item.head) for item in cell.edits.heads_off if item.mode == "zero"}
    for kind in kinds_of(cell.bundle):
        stack: Any = cell.bundle.model.encoder if kind == "encoder_self" else cell.bundle.model.decoder
        for layer, maps in enumerate(np.asarray(result.of(kind))):
            module = stack.layers[layer].cross_attention if kind == "cross" else stack.layers[layer].self_attention
            name, matrix = SUBLAYERS[kind].format(layer), module.output.weight.detach().numpy()
            for head in range(len(maps)):
                width = module.d_value
                moved = recorded[f"{name}.value"][0, head] @ matrix[:, head * width : (head + 1) * width].T
                expected = recorded[f"{name}.weights"][0, head] * np.linalg.norm(moved, axis=-1)
                same(maps[head], 0 * expected if (kind, layer, head) in off else expected, 1e-4)


def attributions(cell: Cell) -> None:
    """Contributions of tokens: rows of those that are shares sum to 1; erasure is what hiding the token costs."""
    trace = cell.trace
    methods: Any = (
        ("raw", "erasure") if cell.kind == "adapter" else ("raw", "value_weighted", "alti", "gradient_input", "erasure")
    )
    for method in methods:
        attribution = token_attribution(cell.bundle, trace, method=method)
        assert np.isfinite(attribution.source).all() and np.isfinite(attribution.prefix).all()
        if method == "alti":
            same(attribution.source.sum(-1) + attribution.prefix.sum(-1), np.ones(len(attribution.prefix)))
        if method == "raw":
            maps, half = trace.attention, 1.0 if trace.attention.cross is None else 0.5
            same(attribution.prefix, half * np.asarray(maps.decoder_self)[-1].mean(0))
            if maps.cross is not None:
                same(attribution.source, half * np.asarray(maps.cross)[-1].mean(0))
        if method == "erasure" and cell.can_hook and not any(row.query > 1 for row in cell.edits.forced_rows):
            off = cell.edits.hiding(BlockedKey("decoder_self", 1, query=query) for query in range(2, len(trace.prefix)))
            lost = _log_probs(cell.by_hooks(trace), trace.target.ids) - _log_probs(
                cell.by_hooks(trace, off), trace.target.ids
            )
            same(attribution.prefix[:, 1], lost)


def survey(cell: Cell) -> None:
    """Measures of a corpus in a batch, against their definitions on one sentence's weights."""
    rows = []
    for index in range(cell.n_rows):
        source = cell.source_tokens(index)
        fed = describe_target(cell.bundle, cell.fed[index]) if cell.has_decoder else NO_TOKENS
        target = describe_target(cell.bundle, TARGETS[index]) if cell.has_decoder else NO_TOKENS
        rows.append(Row(index, Pair("a", "b"), source, fed, target))
    batch = forced_pass(cell.bundle, rows, interventions=cell.edits)
    axes = axes_of(batch)
    whole = model.attend(cell.bundle, cell.sources[:1], cell.fed[:1], interventions=cell.edits)
    for kind, layers in batch.weights.items():
        result = measure([layer.detach() for layer in layers], axes[kind], is_cross=kind == "cross")
        is_causal = kind == "decoder_self" and not cell.edits.lift_causal_mask
        for layer, head in np.ndindex(result["entropy"].shape[1:]):
            expected = _measures(np.asarray(getattr(whole, kind))[0, layer, head], is_causal=is_causal)
            for name, value in expected.items():
                same(result[name][0, layer, head], value, 1e-4)


def _measures(weights: Any, *, is_causal: bool) -> dict[str, float]:
    """Measures of one head (Q, K), row by row as their definitions say."""
    rows = []
    for query, row in enumerate(weights):
        n_seen = min(query + 1, len(row)) if is_causal else len(row)
        if row.sum() > 0:
            rows.append((query, n_seen, row / row.sum()))
    rows = [row for row in rows if row[1] > 1] if any(n_seen > 1 for _, n_seen, _ in rows) else rows
    bits = [-sum(w * np.log2(w) for w in row if w > 0) for _, _, row in rows]
    several = [(b, n_seen) for b, (_, n_seen, _) in zip(bits, rows, strict=True) if n_seen > 1]
    at = {name: [row[query + step] for query, _, row in rows if 0 <= query + step < len(row)]
          for name, step in (("previous", -1), ("same", 0), ("next", 1))}  # fmt: skip
    lists = at | {
        "entropy": bits,
        "normalised_entropy": [b / np.log2(n_seen) for b, n_seen in several],
        "offset": [sum(w * (key - query) for key, w in enumerate(row)) for query, _, row in rows],
        "confidence": [row.max() for _, _, row in rows],
    }
    means = {name: float(np.mean(values)) if values else float("nan") for name, values in lists.items()}
    return means | {"maximum": max((row.max() for _, _, row in rows), default=0.0)}


def long_text(cell: Cell) -> None:
    """Block means and rows of a long text, against all weights."""
    source = cell.source_tokens(0)
    fed = describe_target(cell.bundle, cell.fed[0]) if cell.has_decoder else NO_TOKENS
    if any(patch.name.endswith(("weights", "scores")) for patch in cell.edits.patches) and cell.kind != "adapter":
        with pytest.raises(SelectionError, match="patched as a whole"):
            read_long(cell.bundle, source, fed, interventions=cell.edits)
        return
    text = read_long(cell.bundle, source, fed, interventions=cell.edits)
    whole = model.attend(cell.bundle, cell.sources[:1], cell.fed[:1], interventions=cell.edits)
    for kind in kinds_of(cell.bundle):
        weights = getattr(whole, kind)[0]
        same(text.blocks.of(kind), weights)  # a short text has blocks of one token
        for layer in range(len(weights)):
            same(rows_of_head(cell.bundle, text, kind=kind, layer=layer, head=1, rows=(1, 3)), weights[layer, 1, 1:3])


def check_inspection(cell: Cell) -> None:
    """Every step of a head, against what a pass records."""
    trace: Any = cell.trace if cell.has_decoder else (cell.sources[0], ())
    rows = ([trace.source.ids], [trace.prefix.ids]) if cell.has_decoder else ([trace[0]], [()])
    whole = model.attend(cell.bundle, *rows, interventions=cell.edits)
    recorded = model.record(cell.bundle, trace) if cell.has_decoder else {}
    for kind in kinds_of(cell.bundle):
        for layer in (0, 1):
            inspection = inspect_head(cell.bundle, trace, kind=kind, layer=layer, head=1, interventions=cell.edits)
            same(inspection.weights, getattr(whole, kind)[0, layer, 1])
            name = SUBLAYERS[kind].format(layer)
            for part in ("query", "key", "value", "mixed") if recorded else ():
                same(getattr(inspection, part), recorded[f"{name}.{part}"][0, 1], 1e-4)
            if recorded:
                stack = name.partition(".")[0]
                same(inspection.output, recorded[f"{name}.output"][0], 1e-4)
                same(inspection.feed_forward.stream_after, recorded[f"{stack}.{layer}.residual.after"][0], 1e-4)


def causal(cell: Cell) -> None:
    """Cells of a causal map, against the patch that each stands for, done by hooks."""
    first, second = _pair(cell)
    try:
        result = causal_map(cell.bundle, first=first, second=second)
    except CausalError:
        assert _target(cell, first) == _target(cell, second)
        return
    pair: Any = result.pair
    network: Any = twin_of(cell.kind).model

    def effect(patch: Patch) -> float:
        edits = with_donors(cell.bundle, Interventions(patches=patch))
        logits = run(network, edits, *pair.fed[1]).logits[-1]
        return float(logits[pair.word_id] - logits[pair.rival_id]) - pair.margin_second

    for component, effects_of in result.effects.items():
        if component.endswith("residual"):
            effects_of = effects_of[1:]  # hooks reach what leaves a layer
        for row, position in np.argwhere(np.isfinite(effects_of)):
            name_row = row + component.endswith("residual")
            patch = patch_of_cell(cell.bundle, pair, component, int(name_row), int(position))
            same(effects_of[row, position], effect(patch), 1e-4)
    for kind, of_kind in result.heads.items():
        for layer, head in np.ndindex(of_kind.shape):
            patch = patch_of_head(cell.bundle, pair, kind, layer, head)
            if patch.name.endswith("head_output"):  # written by the head: hooks reach what it mixed
                patch = dataclasses.replace(patch, name=patch.name.replace("head_output", "mixed"))
            same(of_kind[layer, head], effect(patch), 1e-4)


def _pair(cell: Cell) -> tuple[Any, Any]:
    """Two sources that differ in the middle."""
    first, second = (5, 9, 6, 14, 3), (5, 12, 6, 7, 3)
    if cell.kind == "picture":
        return picture_of(first), picture_of(second)
    return list(first[:-1]), list(second[:-1])


def _target(cell: Cell, text: Any) -> tuple[int, ...]:
    trace = model.translate(cell.bundle, text)
    return trace.target.ids if cell.has_encoder else trace.target.ids[len(text) - 1 :]


def steering(cell: Cell) -> None:
    """A direction is the difference of the means of what hooks see."""
    stack = "decoder" if cell.has_decoder else "encoder"
    at = f"{stack}.1.residual.after"
    texts = _pair(cell)
    traces = [model.translate(cell.bundle, text) for text in texts] if cell.has_decoder else []
    first, second = traces or texts
    vector = steering_vector(cell.bundle, [first], [second], at=at)
    network: Any = twin_of(cell.kind).model
    means = [
        run(network, Interventions(), *rows).activations[at].mean(0)
        for rows in (
            [(trace.source.ids, trace.prefix.ids) for trace in traces]
            or [(source_tokens(cell.bundle, text).ids, ()) for text in texts]
        )
    ]
    same(vector, means[0] - means[1], 1e-4)


def circuits(cell: Cell) -> None:
    """All edges together carry the whole difference, and none of it without them."""
    texts = [text.text for text in _pair(cell)] if cell.kind == "picture" else ["#5 #9 #6", "#5 #12 #6"]
    pairs: Any = [((texts[0], "#7 #8"), (texts[1], "#7 #9"))]
    if why_unsuited(cell.bundle.config):
        with pytest.raises(CausalError):
            circuit(cell.bundle, pairs)
        return
    n_edges = len(circuit(cell.bundle, pairs, sizes=[0]).edges)
    graph = circuit(cell.bundle, pairs, sizes=[0, n_edges])
    same([graph.faithfulness[0], graph.faithfulness[-1]], [0, 1], 1e-4)
    same([graph.completeness[0], graph.completeness[-1]], [1, 0], 1e-4)


READINGS: dict[str, Callable[[Cell], None]] = {
    "attend": attend, "score": score, "greedy": greedy, "beam": beam, "sample": sample, "tree": tree, "record": record,
    "head effects": effects, "knock-out": knocked_out, "lens": lens, "contributions": contributions,
    "gradients": gradients, "norms": norms, "attributions": attributions, "survey": survey, "long text": long_text,
    "inside a head": check_inspection, "causal map": causal, "steering": steering, "circuit": circuits,
}  # fmt: skip
IN_BATCHES = ("attend", "score", "greedy", "beam", "sample", "survey")
WITH_CACHE = ("attend", "score", "greedy", "beam", "sample", "tree")
UNCHANGED = ("causal map", "steering", "circuit")
"""Readings of the unchanged model: what they are given holds no interventions."""
NEEDS_DECODER = ("score", "greedy", "beam", "sample", "tree", "record", "head effects", "knock-out", "contributions",
                 "gradients", "norms", "attributions", "causal map", "circuit")  # fmt: skip
OWN_ONLY = (
    "record",
    "lens",
    "contributions",
    "norms",
    "long text",
    "inside a head",
    "causal map",
    "steering",
    "circuit",
)


def refusal(reading: str, kind: str) -> str:
    """What the sentence says in which a reading refuses a kind of model; empty where it takes it."""
    if kind == "adapter" and reading in OWN_ONLY:
        return "original code|expose"
    if kind.startswith("encoder-only") and reading in NEEDS_DECODER:
        return "only an encoder|one stack"
    if kind.startswith("decoder-only") and reading == "circuit":
        return "one stack"
    return ""
