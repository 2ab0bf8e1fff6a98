"""Neighbours of a state: exact, by an index, from a stored survey, and projected onto a plane."""

import copy
import dataclasses
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

import model
from model.analysis.metrics import head_metrics
from model.analysis.sinks import sinks_of
from model.cli.main import main
from model.corpus.neighbours import (
    States,
    gather_states,
    project,
    read_states,
    searchable,
    state_names,
    states_of,
    stored_states,
)
from model.corpus.survey import survey
from model.text.links import CorpusError
from tests.checkpoint import tiny_bundle
from tests.model.corpus.pairs import THREE as PAIRS


def make_states(vectors: np.ndarray) -> States:
    n = len(vectors)
    return States("decoder.1", vectors.astype(np.float16), np.arange(n), np.zeros(n, np.int32), ("a",) * n, ("b",) * n)


def clusters(n: int, seed: int = 0) -> np.ndarray:
    draw = np.random.default_rng(seed)
    return draw.normal(size=(40, 32))[draw.integers(0, 40, n)] + 0.5 * draw.normal(size=(n, 32)) + 3


def test_states_worked_out_are_those_that_a_survey_keeps(bundle: model.Bundle, tmp_path: Path) -> None:
    names = ("encoder.2", "decoder.0", "decoder.2")
    result = survey(bundle, PAIRS, tmp_path / "s", states=names)
    assert stored_states(result) == names
    now = gather_states(bundle, PAIRS, names)
    for name in names:
        retained = read_states(result, name)
        np.testing.assert_allclose(retained.vectors.astype(float), now[name].vectors.astype(float), atol=2e-2)
        assert (retained.tokens, retained.next_tokens) == (now[name].tokens, now[name].next_tokens)
        assert (
            retained.ids.tolist() == now[name].ids.tolist()
            and retained.positions.tolist() == now[name].positions.tolist()
        )
    with pytest.raises(CorpusError, match=r"no states “encoder\.1”: survey again with --states"):
        read_states(result, "encoder.1")


def test_a_sentence_of_the_corpus_is_its_own_nearest_neighbour(bundle: model.Bundle) -> None:
    trace = model.score(bundle, PAIRS[1].source, PAIRS[1].target)
    for name in ("encoder.2", "decoder.2"):
        states = gather_states(bundle, PAIRS, [name])[name]
        for position, vector in enumerate(states_of(bundle, trace, name)):
            places, cosines = searchable(states).nearest(vector, 3)
            assert (states.ids[places[0]], states.positions[places[0]]) == (1, position)
            assert cosines[0] == pytest.approx(1, abs=2e-3) and (np.diff(cosines) <= 0).all()


def test_every_layer_has_a_name(bundle: model.Bundle) -> None:
    assert state_names(bundle) == ("encoder.0", "encoder.1", "encoder.2", "decoder.0", "decoder.1", "decoder.2")


def test_the_index_equals_exhaustive_search() -> None:
    pytest.importorskip("faiss", reason="the index is an extra")
    states = make_states(clusters(6_000))
    exact, indexed = searchable(states), searchable(states, exact=1_000)
    assert exact.index is None and indexed.index is not None
    shared = []
    for vector in clusters(20, seed=1):
        few, many = exact.nearest(vector, 10)[0], indexed.nearest(vector, 10)[0]
        shared.append(len(set(few) & set(many)) / 10)
    assert np.mean(shared) > 0.85


def test_without_the_library_all_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    assert searchable(make_states(clusters(50)), exact=10).index is None


def test_a_plane_shows_where_states_differ_most() -> None:
    draw = np.random.default_rng(0)
    vectors = draw.normal(size=(300, 32)) * np.array([9, 5, *[0.1] * 30])
    result = project(make_states(vectors[:100]), make_states(vectors[100:]))
    assert result.points.shape == (300, 2) and result.share > 0.98
    assert abs(np.corrcoef(result.points[:, 0], vectors[:, 0])[0, 1]) > 0.99
    np.testing.assert_allclose(result.place(vectors[7]), result.points[7], atol=0.05)
    with pytest.raises(CorpusError, match="a plane needs 3 states, but got"):
        project(make_states(vectors[:2]))


TRANSLATED = [
    ("the cat is sleeping .", "le chat dort ."),
    ("the dog", "le chien"),
    ("the sofa is on the dog", "le canapé"),
]


def tune(bundle: model.Bundle) -> model.Bundle:
    """The model with the queries and keys of one decoder head changed, and nothing else."""
    changed = copy.deepcopy(bundle.model)
    with torch.no_grad():
        attention = changed.get_submodule("decoder.layers.1.cross_attention")
        width = attention.query.weight.shape[0] // 2
        attention.query.weight[width:] *= 3
    return dataclasses.replace(bundle, model=changed, name="tuned", fingerprint="tuned")


def test_heads_and_sentences_are_those_of_two_traces() -> None:
    before = tiny_bundle()
    after = tune(before)
    difference = model.model_difference(before, after, TRANSLATED)
    assert (difference.before, difference.after) == ("tiny", "tuned") and difference.change.shape == (3,)
    for index, pair in enumerate(TRANSLATED):
        traces = [model.score(item, *pair) for item in (before, after)]
        sums = [float(trace.log_probs.sum()) for trace in traces]
        assert difference.log_probs[index].tolist() == pytest.approx(sums, abs=1e-4)
        assert difference.n_tokens[index] == len(traces[0].target)
        for kind in ("encoder_self", "decoder_self", "cross"):
            left, right = (np.asarray(trace.attention.of(kind)) for trace in traces)
            expected = 0.5 * np.abs(left - right).sum(-1).mean(-1)
            np.testing.assert_allclose(difference.moved[kind][index], expected, atol=1e-5)
    cross = difference.of_heads("cross")
    assert cross[1][1].mean > 0.01 and cross[1][0].mean == pytest.approx(0, abs=1e-6)
    assert cross[1][1].low <= cross[1][1].mean <= cross[1][1].high
    assert difference.mean_change().mean == pytest.approx(difference.change.mean(), abs=1e-5)
    heads, sentences = difference.heads_frame(), difference.sentences_frame()
    most = heads.loc[heads["moved"].idxmax()]
    assert (most["kind"], most["layer"], most["head"]) == ("cross", 1, 1)
    assert list(sentences["source"]) == [source for source, _ in TRANSLATED]


def test_a_model_is_no_different_from_itself_and_one_stack_is_compared_too() -> None:
    same = model.load("tiny-decoder")
    difference = model.model_difference(same, same, ["The little boy ran.", "One day"])
    assert (
        set(difference.moved) == {"decoder_self"}
        and not difference.moved["decoder_self"].any()
        and not difference.change.any()
    )


def test_other_shapes_and_other_tokens_are_refused() -> None:
    one = tiny_bundle()
    with pytest.raises(CorpusError, match="have different layers or heads"):
        model.model_difference(one, tiny_bundle(n_decoder_layers=1), TRANSLATED)
    words = model.WordTokenizer(("<pad>", "<unk>", "<s>", "</s>", *(f"w{i}" for i in range(16))))
    with pytest.raises(CorpusError, match="no pair is read as the same tokens"):
        model.model_difference(one, dataclasses.replace(one, source_tokenizer=words), TRANSLATED)


def test_a_file_is_read_and_a_pair_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("the cat\tle chat\n\tle chien\n", "utf-8")
    difference = model.model_difference(tiny_bundle(), tune(tiny_bundle()), tmp_path / "pairs.tsv")
    assert len(difference.pairs) == 1 and difference.skipped == ("pair 2: the source is empty: write a sentence",)


TEXTS = ["#5 #6 #7 #8 #9", "#10 #11", "#12 #13 #14", "#9"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    torch.manual_seed(0)
    places = {kind: tmp_path_factory.mktemp(kind) for kind in ("gpt2", "bert")}
    decoder = transformers.GPT2Config(
        vocab_size=40, n_embd=16, n_layer=2, n_head=2, n_positions=32, bos_token_id=0, eos_token_id=2
    )
    transformers.GPT2LMHeadModel(decoder).save_pretrained(places["gpt2"])
    encoder = transformers.BertConfig(
        vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24,
        max_position_embeddings=32,
    )  # fmt: skip
    transformers.BertModel(encoder).save_pretrained(places["bert"])
    return places


@pytest.mark.parametrize("kind", ["gpt2", "bert"])
def test_every_head_of_a_single_stack_model_is_measured_on_every_text(
    kind: str, folders: dict[str, Path], tmp_path: Path
) -> None:
    bundle = model.load(folders[kind])
    result = model.survey(bundle, TEXTS, tmp_path / "survey")
    frame = result.query("SELECT id, source, log_prob, n_source, n_target, length_ratio FROM sentences ORDER BY id")
    n_measured = 3 if kind == "gpt2" else 4
    assert list(frame["source"]) == TEXTS[:n_measured]
    assert [reason for _, reason in result.skipped] == [] if kind == "bert" else "one token" in result.skipped[0][1]
    heads = result.query("SELECT * FROM heads ORDER BY id, layer, head")
    assert len(heads) == n_measured * 2 * 2 and set(heads["kind"]) == {
        "decoder_self" if kind == "gpt2" else "encoder_self"
    }
    for index in range(n_measured):
        alone = model.read(bundle, TEXTS[index])
        of = alone.attention.kinds[0]
        weights, tokens = alone.attention.of(of), alone.prefix if kind == "gpt2" else alone.source
        assert weights is not None
        if kind == "gpt2":  # the last token is predicted and not fed
            weights, tokens = weights[:, :, :-1, :-1], alone.prefix
        sinks = sinks_of(tokens)[: weights.shape[-1]]
        expected = head_metrics(weights, kind=of, key_is_sink=sinks)
        rows = heads[heads["id"] == index].sort_values(["layer", "head"])
        np.testing.assert_allclose(rows["entropy"].to_numpy(), expected.entropy.ravel(), atol=1e-4)
    if kind == "gpt2":
        trace = model.score(bundle, "#5", "#6 #7 #8 #9")
        assert frame["log_prob"][0] == pytest.approx(float(trace.log_probs[:4].sum()), abs=1e-4)
        assert list(frame["n_target"]) == [4, 1, 2] and set(frame["n_source"]) == {0}
        linked = result.query("SELECT fed_token, query_token FROM links WHERE id = 0 AND layer = 0 AND head = 0")
        assert sorted(linked["fed_token"]) == ["#5", "#6", "#7", "#8"]
        assert sorted(linked["query_token"]) == ["#6", "#7", "#8", "#9"]
    else:
        assert frame["log_prob"].isna().all() and set(frame["n_target"]) == {0}


def test_the_command_reads_a_line_for_each_text(
    folders: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n", "utf-8")
    out = tmp_path / "survey"
    value = ["survey", str(tmp_path / "texts.txt"), "--out", str(out), "--checkpoint", str(folders["bert"])]
    assert main(value) == 0 and "4 pairs" in capsys.readouterr().out
    assert model.open_survey(out).n_done == 4


def test_impossible_surveys_of_single_stacks_are_refused(folders: dict[str, Path], tmp_path: Path) -> None:
    bundle = model.load(folders["gpt2"])
    with pytest.raises(CorpusError, match="give texts to an encoder-only or decoder-only model, not pairs"):
        model.survey(bundle, [("#5 #6", "#7")], tmp_path / "pairs")
    with pytest.raises(CorpusError, match="does not translate: leave out own_targets"):
        model.survey(bundle, TEXTS, tmp_path / "own", own_targets=True)
    with pytest.raises(CorpusError, match="there is no text"):
        model.survey(bundle, [], tmp_path / "none")
