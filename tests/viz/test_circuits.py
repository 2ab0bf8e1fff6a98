"""The circuit on the Causal page, at the chosen size, with the library's numbers and a download; attribution by
words."""

import re

import numpy as np
import pytest

import model
from model.interpret.token_attribution import METHODS, token_attribution
from tests.checkpoint import save_tiny, tiny_bundle
from tests.viz.page import page_text, run_page
from viz import cache
from viz.causal.attribution import _by_token, _by_word
from viz.figures.circuit import circuit_plan, layout, part_of
from viz.i18n import LANGUAGES

PAIR = ("the cat is on the sofa .", "the dog is on the sofa .")
WORDS = {name: name for name in ("self", "cross", "feed", "embedding", "output", "encoder", "decoder", "query", "key",
                                 "value", "score")}  # fmt: skip


@pytest.fixture(scope="module")
def seed() -> int:
    """The seed of a tiny model that translates the two sentences differently."""
    for seed in range(135, 160):
        bundle = tiny_bundle(seed=seed)
        if model.translate(bundle, PAIR[0]).target.ids != model.translate(bundle, PAIR[1]).target.ids:
            return seed
    raise AssertionError("no tiny model translates the two sentences differently")


@pytest.fixture
def open_circuit(monkeypatch, tmp_path, seed):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny", seed=seed)))

    link = {"causal.part": "circuit", "text": PAIR[0], "causal.first": PAIR[1]}
    return lambda **params: run_page("causal", **link | params)


@pytest.mark.nightly("fr", "zh")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_circuit_is_searched_and_shows_the_librarys_measurements(open_circuit, seed, language):
    app = open_circuit(language=language)
    asking = [button for button in app.button if button.key == "circuit_start"]
    assert asking or language != "en", "only what was found in another language is there at once"
    for button in asking:
        button.click().run()
    circuit = model.circuit(tiny_bundle(seed=seed), [PAIR], sizes=(50,))
    faithfulness, completeness = (
        round(100 * float(share[0])) for share in (circuit.faithfulness, circuit.completeness)
    )
    text = re.sub(r"\s", " ", page_text(app))
    from_size = text[text.index("50 ") :]
    assert len(circuit.edges) > 100 and str(len(circuit.edges)) in text
    numbers = [int(percent.replace("−", "-")) for percent in re.findall(r"\*\*([-−]?\d+)\s?%\*\*", from_size)]
    assert numbers == [faithfulness, completeness]
    app.select_slider(key="choice.causal.size").set_value(100).run()
    assert "100" in str(app.query_params["causal.size"])


def test_sentences_of_unequal_length_and_without_a_difference_are_named(open_circuit):
    assert "same translation" in page_text(open_circuit(**{"causal.first": PAIR[0]}))
    for first in ("dog", "the dog .", "sofa is cat the dog"):
        text = page_text(open_circuit(**{"causal.first": first}))
        if "same translation" not in text:
            assert "two sentences of equal length" in text
            return
    raise AssertionError("every other sentence has the same translation")


def test_the_drawing_has_every_part_once_and_the_edges_of_the_circuit():
    bundle = tiny_bundle(seed=135)
    nodes, rows = layout(bundle.config, WORDS, 1)
    from model.interpret.editing.graph import Graph

    graph = Graph.of(bundle.model)
    assert set(nodes) == {*graph.senders, "logits"} == {*graph.senders, *map(part_of, graph.receivers)} | {
        "encoder.embedding", "decoder.embedding"}  # fmt: skip
    assert len({(node.x, node.y) for node in nodes.values()}) == len(nodes)
    for receiver, reads_of in zip(graph.receivers, graph.reads, strict=True):
        for sender, is_read in zip(graph.senders, reads_of.tolist(), strict=True):
            if is_read and sender.split(".")[0] == receiver.split(".")[0]:
                assert nodes[sender].y < nodes[part_of(receiver)].y
    edges = [model.Edge("encoder.embedding", "encoder.1.self.0.query", 0.5),
             model.Edge("encoder.embedding", "encoder.1.self.0.key", 0.25),
             model.Edge("decoder.1.cross.1", "logits", -2.0)]  # fmt: skip
    chart = circuit_plan(edges, bundle.config, mode="light", words=WORDS, first_index=1).to_dict()
    lines, squares = chart["layer"][0]["data"]["values"], chart["layer"][1]["data"]["values"]
    assert {(line["title"], line["score"]) for line in lines} == {
        ("encoder · embedding → encoder · self 2·1 (query, key)", 0.75),
        ("decoder · cross 2·2 → decoder · output", -2),
    }
    assert len(lines) == 6 and sum(square["in_circuit"] for square in squares) == 4
    assert len(rows) == len({(row["x"], row["y"]) for row in rows})


@pytest.mark.nightly(but=("alti", "rollout"))
@pytest.mark.parametrize("method", [name for name in METHODS if name != "integrated_gradients"])
def test_attributions_of_words_are_sums_of_their_tokens(method):
    bundle = model.load()
    trace = model.translate(bundle, "The unforgettable grandmother is knitting.")
    assert len(set(trace.source.words)) < len(trace.source)
    attribution = token_attribution(bundle, trace, method=method)
    tokens, words = _by_token(attribution, trace), _by_word(attribution, trace)
    assert words[0] != tokens[0] and "unforgettable" in words[1]["source"]
    for side in ("source", "prefix"):
        assert words[2][side].shape == (len(words[0]), len(words[1][side]))
    merged = model.by_words(attribution, trace)
    total = np.nansum(words[2]["source"]) + np.nansum(words[2]["prefix"])
    expected = merged["source"].sum() + merged["prefix"].sum()
    np.testing.assert_allclose(total, expected, atol=2e-2)
    if not attribution.is_signed:
        np.testing.assert_allclose(np.nansum(words[2]["source"], 1) + np.nansum(words[2]["prefix"], 1), 1, atol=1e-4)
    assert np.isnan(words[2]["prefix"][0, -1])


@pytest.mark.nightly
def test_the_switch_shows_words(monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, "en-fr")
    app = run_page("causal", causal__part="tokens")
    app.toggle(key="choice.causal.whole_words").set_value(True).run()
    assert "causal.whole_words" in app.query_params
