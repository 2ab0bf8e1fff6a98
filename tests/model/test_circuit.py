"""Circuits: the graph is the model, and its scores equal passes with hooks written here."""

from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import model
from model.interpret.causal import read_pair
from model.interpret.editing.graph import Graph, GraphPass
from model.interpret.inspection import transformer_of
from model.interpret.tracing.pair_reading import CausalError
from tests.checkpoint import tiny_bundle
from tests.model.test_path_patching import PAIR, make_bundle
from tests.tiny import T5, tiny_model


@pytest.mark.parametrize("changes", [{}, T5])
def test_the_graph_computes_the_models_logits(changes: dict[str, Any]) -> None:
    run = tiny_model(**changes)
    source, prefix = torch.tensor([[5, 9, 4, 7]]), torch.tensor([[2, 8, 11]])
    one = GraphPass(run, Graph.of(run), source, prefix)
    with torch.no_grad():
        assert_close(one.run(), run(source, prefix).logits, atol=1e-5, rtol=1e-5)


@pytest.fixture(scope="module")
def bundle() -> model.Bundle:
    return make_bundle()


def by_hooks(bundle: model.Bundle, cut: set[tuple[str, str]], translations: tuple[str, ...] = ()) -> float:
    """The margin with edges cut, by hooks on the model's own modules: each head's query, key and value projection is
    given an input of its own."""
    pair, run = read_pair(bundle, *PAIR), bundle.model
    prefixes = [torch.tensor([pair.first.prefix.ids[: pair.step + 1]])] * 2
    word, rival = pair.word_id, pair.rival_id
    if translations:
        traces = [model.score(bundle, *item) for item in zip(PAIR, translations, strict=True)]
        prefixes = [torch.tensor([trace.prefix.ids[:-1]]) for trace in traces]
        word, rival = (trace.target.ids[-2] for trace in traces)
    sources = [torch.tensor([trace.source.ids]) for trace in (pair.first, pair.second)]
    wrote: dict[str, torch.Tensor] = {}
    corrupted: dict[str, torch.Tensor] = {}
    handles = []

    def added(receiver: str) -> torch.Tensor | float:
        return sum((corrupted[s] - wrote[s] for s, r in cut if r == receiver), 0.0) if corrupted else 0.0

    def projection(
        place: str, role: str, attention: Any, norm: Any, streams: dict[str, torch.Tensor], side: str
    ) -> Any:
        def hook(module: Any, _inputs: Any, out: torch.Tensor) -> torch.Tensor:
            parts = []
            for head in range(attention.n_heads):
                read = norm(streams[side] + added(f"{place}.{head}.{role}"))
                width = module.weight.shape[0] // attention.n_heads
                rows = slice(head * width, (head + 1) * width)
                parts.append(read @ module.weight[rows].T + module.bias[rows])
            return torch.cat(parts, -1)

        return hook

    streams: dict[str, torch.Tensor] = {}

    def note(name: str) -> Any:
        def hook(_module: Any, inputs: Any) -> None:
            streams[name] = inputs[0]

        return hook

    def head_writes(place: str, attention: Any) -> Any:
        def hook(module: Any, inputs: Any) -> None:
            width = module.weight.shape[1] // attention.n_heads
            for head in range(attention.n_heads):
                part = slice(head * width, (head + 1) * width)
                wrote[f"{place}.{head}"] = inputs[0][..., part] @ module.weight[:, part].T

        return hook

    def feed(place: str, layer: Any) -> Any:
        def hook(module: Any, _inputs: Any, _out: Any) -> torch.Tensor:
            hidden = layer.feed_forward_norm(streams[f"{place}.in"] + added(place))
            wrote[place] = module.fc2(module.activation(module.fc1(hidden)))
            return wrote[place]

        return hook

    for stack in ("encoder", "decoder"):
        for index, layer in enumerate(getattr(run, stack).layers):
            parts = [("self", layer.self_attention, layer.self_attention_norm)]
            if stack == "decoder":
                parts.append(("cross", layer.cross_attention, layer.cross_attention_norm))
            for name, attention, norm in parts:
                place = f"{stack}.{index}.{name}"
                handles.append(norm.register_forward_pre_hook(note(place)))
                handles.append(attention.output.register_forward_pre_hook(head_writes(place, attention)))
                for role in ("query", "key", "value"):
                    far = name == "cross" and role != "query"
                    hook = projection(place, role, attention, run.encoder.final_norm.forward if far else norm.forward,
                                      streams, "memory" if far else place)  # fmt: skip
                    handles.append(getattr(attention, role).register_forward_hook(hook))
            place = f"{stack}.{index}.feed_forward"
            handles.append(layer.feed_forward_norm.register_forward_pre_hook(note(f"{place}.in")))
            handles.append(layer.feed_forward.register_forward_hook(feed(place, layer)))
    handles.append(run.encoder.final_norm.register_forward_pre_hook(note("memory")))
    handles.append(run.decoder.final_norm.register_forward_pre_hook(lambda _m, inputs: (inputs[0] + added("logits"),)))
    handles += [
        run.get_submodule(stack).layers[0].register_forward_pre_hook(
            lambda _m, inputs, stack=stack: wrote.__setitem__(f"{stack}.embedding", inputs[0]))
        for stack in ("encoder", "decoder")
    ]  # fmt: skip
    try:
        with torch.no_grad():
            run(sources[1], prefixes[1])
            corrupted.update(wrote)
            logits = run(sources[0], prefixes[0]).logits[0, -1]
    finally:
        for handle in handles:
            handle.remove()
    return float(logits[word] - logits[rival])


@pytest.mark.nightly
def test_exact_scores_faithfulness_and_completeness_equal_hooks(bundle: model.Bundle) -> None:
    graph = model.circuit(bundle, [PAIR], method="exact", sizes=(0, 7, 40))
    every = {(edge.sender, edge.receiver) for edge in graph.edges}
    clean, corrupted = by_hooks(bundle, set()), by_hooks(bundle, every)
    assert graph.clean == pytest.approx(clean, abs=1e-4) and graph.corrupted == pytest.approx(corrupted, abs=1e-4)
    for edge in graph.edges[::5]:
        assert edge.score == pytest.approx(clean - by_hooks(bundle, {(edge.sender, edge.receiver)}), abs=2e-4), edge
    for row, size in enumerate(graph.sizes):
        retained = {(edge.sender, edge.receiver) for edge in graph.edges[:size]}
        for share, cut in ((graph.faithfulness, every - retained), (graph.completeness, retained)):
            assert share[row] == pytest.approx((by_hooks(bundle, cut) - corrupted) / (clean - corrupted), abs=1e-3)
    assert graph.faithfulness[0] == pytest.approx(0, abs=1e-4) and graph.completeness[0] == pytest.approx(1, abs=1e-4)
    sizes = [abs(edge.score) for edge in graph.edges]
    assert sizes == sorted(sizes, reverse=True)


def test_forced_translations_belong_to_their_sentences(bundle: model.Bundle) -> None:
    """As an adjective agrees with the noun before it: both the source and what was written differ."""
    translations = ("le chat est sur", "le chien est un")
    pair = tuple(zip(PAIR, translations, strict=True))
    graph = model.circuit(bundle, [pair], method="exact", sizes=(7,))  # type: ignore[list-item]
    every = {(edge.sender, edge.receiver) for edge in graph.edges}
    clean = by_hooks(bundle, set(), translations)
    assert graph.clean == pytest.approx(clean, abs=1e-4)
    assert graph.corrupted == pytest.approx(by_hooks(bundle, every, translations), abs=1e-4)
    written = [edge for edge in graph.edges if edge.sender == "decoder.embedding"]
    for edge in (*written[:6], *graph.edges[::15]):
        assert edge.score == pytest.approx(
            clean - by_hooks(bundle, {(edge.sender, edge.receiver)}, translations), abs=2e-4
        )
    assert any(edge.score for edge in written)
    estimated = {e.receiver: e.score for e in model.circuit(bundle, [pair]).edges if e.sender == "decoder.embedding"}  # type: ignore[list-item]
    assert any(estimated.values())
    for sides, message in (
        ((("the cat", "le"), "the dog"), "give both a translation"),
        ((("the cat", "le chat"), ("the dog", "le chat")), "have the same translation"),
        ((("the cat", "le chat"), ("the dog", "chien")), "tokens of translation"),
    ):
        with pytest.raises(CausalError, match=message):
            model.circuit(bundle, [sides])  # type: ignore[list-item]


def test_the_circuit_of_all_edges_is_the_model_and_the_table_has_them_all(bundle: model.Bundle) -> None:
    graph = model.circuit(bundle, [PAIR])
    assert graph.sizes[-1] == len(graph.edges) and graph.faithfulness[-1] == pytest.approx(1, abs=1e-4)
    assert graph.completeness[-1] == pytest.approx(0, abs=1e-4)
    table = graph.to_frame()
    assert list(table.columns) == ["sender", "receiver", "score"] and len(table) == len(graph.edges)


@pytest.mark.nightly
def test_gradient_scores_into_the_logits_equal_autograd_on_the_model_itself(bundle: model.Bundle) -> None:
    pair, run = read_pair(bundle, *PAIR), transformer_of(bundle)
    prefix = torch.tensor([pair.first.prefix.ids[: pair.step + 1]])
    sources = [torch.tensor([trace.source.ids]) for trace in (pair.first, pair.second)]
    name = "decoder.1.cross.head_output"
    with torch.no_grad():
        wrote = [run.decode(prefix, run.encode(ids), record=frozenset({name})).recorded[name][0] for ids in sources]
        left, right = (run.encoder.look_up(ids) for ids in sources)
    slope = torch.zeros(prefix.shape[1], 16)
    for point in (0.2, 0.4, 0.6, 0.8, 1.0):
        encoded = run.encode(sources[0], tokens=right + point * (left - right))
        read = "decoder.1.residual.after"
        with torch.enable_grad():
            decoded = run.decode(prefix, encoded, record=frozenset({read}))
            logits = run.project(decoded.hidden)[0, -1]
            aim = logits[pair.word_id] - logits[pair.rival_id]
            slope += torch.autograd.grad(aim, decoded.recorded[read])[0][0] / 5
    by_name = {(e.sender, e.receiver): e.score for e in model.circuit(bundle, [PAIR]).edges}
    for head in (0, 1):
        expected = float(((wrote[0][head] - wrote[1][head]) * slope).sum())
        assert by_name[f"decoder.1.cross.{head}", "logits"] == pytest.approx(expected, abs=1e-4)


def test_gradient_scores_resemble_exact_ones(bundle: model.Bundle) -> None:
    exact, estimated = (model.circuit(bundle, [PAIR], method=method) for method in ("exact", "gradient"))
    first, second = ({(e.sender, e.receiver): e.score for e in result.edges} for result in (exact, estimated))
    names = sorted(first)
    assert np.corrcoef([first[n] for n in names], [second[n] for n in names])[0, 1] > 0.5
    assert {name for name in names if name[0] == "decoder.embedding" and second[name]} == set(), "both are fed the same"


def test_impossible_circuits_are_refused(bundle: model.Bundle) -> None:
    for pairs, message in (
        ([], "there are no pairs"), ([(PAIR[0], "dog")], "give pairs of equal length"),
    ):  # fmt: skip
        with pytest.raises(CausalError, match=message):
            model.circuit(bundle, pairs)
    post = tiny_bundle(encoder_norm_first=False, decoder_norm_first=False)
    with pytest.raises(CausalError, match="post-norm"):
        model.circuit(post, [PAIR])
    with pytest.raises(CausalError, match="scales its residual stream"):
        model.circuit(tiny_bundle(encoder_residual_scale=1.4), [PAIR])
    with pytest.raises(CausalError, match="must be from 0 to"):
        model.circuit(bundle, [PAIR], sizes=(10**6,))
    with pytest.raises(CausalError, match="choose gradient or exact"):
        model.circuit(bundle, [PAIR], method="fast")  # type: ignore[arg-type]
