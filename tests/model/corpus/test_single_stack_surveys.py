"""Surveys of models with one stack: texts in place of pairs, each measured as it is alone."""

from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

import model
from model.analysis.metrics import head_metrics
from model.analysis.sinks import sinks_of
from model.cli.main import main
from model.text.links import CorpusError

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
    found = model.survey(bundle, TEXTS, tmp_path / "survey")
    frame = found.query("SELECT id, source, log_prob, n_source, n_target, length_ratio FROM sentences ORDER BY id")
    n_measured = 3 if kind == "gpt2" else 4
    assert list(frame["source"]) == TEXTS[:n_measured]
    assert [reason for _, reason in found.skipped] == [] if kind == "bert" else "one token" in found.skipped[0][1]
    heads = found.query("SELECT * FROM heads ORDER BY id, layer, head")
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
        linked = found.query("SELECT fed_token, query_token FROM links WHERE id = 0 AND layer = 0 AND head = 0")
        assert sorted(linked["fed_token"]) == ["#5", "#6", "#7", "#8"]
        assert sorted(linked["query_token"]) == ["#6", "#7", "#8", "#9"]
    else:
        assert frame["log_prob"].isna().all() and set(frame["n_target"]) == {0}


def test_the_command_reads_a_line_for_each_text(
    folders: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n", "utf-8")
    out = tmp_path / "survey"
    given = ["survey", str(tmp_path / "texts.txt"), "--out", str(out), "--checkpoint", str(folders["bert"])]
    assert main(given) == 0 and "4 pairs" in capsys.readouterr().out
    assert model.open_survey(out).n_done == 4


def test_what_a_single_stack_model_cannot_be_surveyed_on_is_named(folders: dict[str, Path], tmp_path: Path) -> None:
    bundle = model.load(folders["gpt2"])
    with pytest.raises(CorpusError, match="give texts to an encoder-only or decoder-only model, not pairs"):
        model.survey(bundle, [("#5 #6", "#7")], tmp_path / "pairs")
    with pytest.raises(CorpusError, match="does not translate: leave out own_targets"):
        model.survey(bundle, TEXTS, tmp_path / "own", own_targets=True)
    with pytest.raises(CorpusError, match="there is no text"):
        model.survey(bundle, [], tmp_path / "none")
