"""``evaluate`` and ``inspect``."""

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
import torch
import transformers

import model
from model.checkpoints import save
from model.cli import output
from model.text.language_codes import bleu_tokenizer
from tests.checkpoint import tiny_bundle
from tests.cli.conftest import Command

PAIRS = [("the cat is sleeping .", "le chat dort ."), ("the cat is sleeping .", "un chat dort ."),
         ("the dog is on the sofa .", "le chien est sur le canapé ."), ("the dog", "le chien")]  # fmt: skip


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{source}\t{target}\n" for source, target in PAIRS), "utf-8")
    return path


def test_scores_equal_sacrebleus_with_all_references(command: Command, checkpoint: Path, pairs: Path) -> None:
    result = command("evaluate", pairs, "--split", "all", "--checkpoint", checkpoint, "--json")
    report = json.loads(result.out)
    bundle = model.load(checkpoint)
    translations = [model.translate(bundle, text).text for text in dict(PAIRS)]
    first = ["le chat dort .", "le chien est sur le canapé .", "le chien"]
    bleu = sacrebleu.BLEU().corpus_score(translations, [first, ["un chat dort .", "", ""]])
    assert report["bleu"] == pytest.approx(bleu.score, abs=1e-6)
    assert report["chrf"] == pytest.approx(sacrebleu.CHRF().corpus_score(translations, [first]).score)
    assert report["bleu_signature"].startswith("nrefs:var|case:mixed") and "version:" in report["chrf_signature"]
    assert report["n_sentences"] == 3 and report["sentences_per_second"] > 0


def test_chinese_is_scored_by_characters(command: Command, tmp_path: Path) -> None:
    bundle = dataclasses.replace(tiny_bundle(), target_language="zh")
    save(bundle, tmp_path / "zh")
    wanted = "猫 在 睡 。"
    (tmp_path / "zh.tsv").write_text(f"the cat is sleeping .\t{wanted}\n", "utf-8")
    result = command("evaluate", tmp_path / "zh.tsv", "--split", "all", "--checkpoint", tmp_path / "zh", "--json")
    report = json.loads(result.out)
    translation = model.translate(bundle, "the cat is sleeping .").text
    assert "tok:zh" in report["bleu_signature"]
    assert report["bleu"] == pytest.approx(sacrebleu.BLEU(tokenize="zh").corpus_score([translation], [[wanted]]).score)


@pytest.mark.parametrize(
    ("language", "tokenizer"), [("zh", "zh"), ("zh_CN", "zh"), ("ja", "char"), ("de", "13a"), (None, "13a")]
)
def test_bleu_counts_words_where_they_have_spaces_between_them(language: str | None, tokenizer: str) -> None:
    assert bleu_tokenizer(language) == tokenizer


def test_perplexity_is_of_the_reference_translations(command: Command, checkpoint: Path, pairs: Path) -> None:
    result = command("evaluate", pairs, "--split", "all", "--checkpoint", checkpoint, "--json", "--batch-size", 2)
    bundle = model.load(checkpoint)
    log_probs = [p for source, target in PAIRS for p in model.score(bundle, source, target).log_probs]
    assert json.loads(result.out)["perplexity"] == pytest.approx(math.exp(-sum(log_probs) / len(log_probs)), rel=1e-4)


def test_translations_can_be_stored_and_sources_made_bare(
    command: Command, checkpoint: Path, pairs: Path, tmp_path: Path
) -> None:
    result = command(
        "evaluate", pairs, "--split", "all", "--bare", "--output", tmp_path / "out.tsv", "--checkpoint", checkpoint
    )
    first = (tmp_path / "out.tsv").read_text("utf-8").splitlines()[0].split("\t")
    translation = model.translate(model.load(checkpoint), "the cat is sleeping").text
    assert first == ["the cat is sleeping .", translation, "le chat dort .", "un chat dort ."]
    assert "lower-cased, no final punctuation" in result.out and "BLEU" in result.out and "sentences/s" in result.out


def test_a_small_file_is_scored_as_a_whole(command: Command, checkpoint: Path, pairs: Path) -> None:
    whole = command("evaluate", pairs, "--checkpoint", checkpoint, "--split", "all", "--json")
    result = command("evaluate", pairs, "--checkpoint", checkpoint, "--json")
    scores = [json.loads(item.out) for item in (whole, result)]
    assert result.code == 0 and scores[1]["split"] == "all" and scores[0]["bleu"] == scores[1]["bleu"]
    assert scores[0]["n_sentences"] == scores[1]["n_sentences"] > 1


def test_progress_is_printed_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(output.Lines, "update", _ticking(output.Lines.update, now := [0.0]))
    monkeypatch.setattr(output.time, "monotonic", lambda: now[0])
    with output.progress("rate") as bar:
        task = bar.add_task("translating", total=2_000)
        for _ in range(5):
            bar.update(task, advance=100, rate="7 a second")
    result = capsys.readouterr()
    assert result.out == "" and result.err.splitlines() == [
        "translating: 300 of 2,000 7 a second",
        "translating: 500 of 2,000 7 a second",
    ]


def _ticking(update: Any, now: list[float]) -> Any:
    """The same, four or six seconds after the one before."""
    steps = iter((4, 4, 4, 6, 6))

    def ticking(lines: Any, task: int, **reported: Any) -> None:
        now[0] += next(steps)
        update(lines, task, **reported)

    return ticking


def test_the_error_of_an_empty_part_has_a_remedy(command: Command, checkpoint: Path, pairs: Path) -> None:
    result = command("evaluate", pairs, "--checkpoint", checkpoint, "--split", "test")
    assert result.code == 1 and "the test part of" in result.err and "use --split all" in result.err


@pytest.mark.parametrize("line", ["a dog " + "the " * 3_000 + "\tle", "a dog barks at the cat\t" + "le " * 3_000])
def test_a_sentence_that_is_too_long_is_named(command: Command, checkpoint: Path, tmp_path: Path, line: str) -> None:
    (tmp_path / "long.tsv").write_text(f"the cat\tle chat\n{line}\n", "utf-8")
    result = command("evaluate", tmp_path / "long.tsv", "--checkpoint", checkpoint, "--split", "all")
    assert result.code == 1 and "“a dog " in result.err and "the limit is" in result.err and not result.out


def test_inspect_describes_a_checkpoint(command: Command, checkpoint: Path) -> None:
    result = command("inspect", "--checkpoint", checkpoint)
    assert result.code == 0
    for words in ("own", "2 encoder, 2 decoder", "20 source, 20 target", "WordTokenizer", "en → fr"):
        assert words in result.out
    report = json.loads(command("inspect", "--checkpoint", checkpoint, "--json", "--tensors").out)
    bundle = model.load(checkpoint)
    assert report["parameters"] == sum(p.numel() for p in bundle.model.parameters())
    assert report["fingerprint"] == bundle.fingerprint
    assert report["tensors"]["encoder.embedding.weight"]["shape"] == [20, 16]


def test_inspect_finds_a_weight_that_is_no_number(command: Command, tmp_path: Path) -> None:
    bundle = tiny_bundle()
    with torch.no_grad():
        bundle.model.decoder.layers[1].feed_forward.fc1.bias[3] = math.nan
    result = command("inspect", "--checkpoint", save(bundle, tmp_path / "broken"))
    assert result.code == 1
    assert "decoder.layers.1.feed_forward.fc1.bias holds values that are NaN or infinite" in result.out


@pytest.mark.parametrize(("kind", "side"), [("BertForMaskedLM", "encoder"), ("GPT2LMHeadModel", "decoder")])
def test_inspect_names_only_the_stack_that_a_single_stack_model_has(
    kind: str, side: str, command: Command, tmp_path: Path
) -> None:
    network_class = getattr(transformers, kind)
    sizes = {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 32} if side == "decoder" else {
        "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}  # fmt: skip
    network_class(network_class.config_class(vocab_size=40, bos_token_id=1, eos_token_id=2, **sizes)).save_pretrained(
        tmp_path
    )
    result = command("inspect", "--checkpoint", tmp_path)
    rows = {line.split("  ")[0]: line[15:].strip() for line in result.out.splitlines()}
    assert not result.err
    assert (rows["layers"], rows["heads"], rows["positions"]) == (f"2 {side}", f"2 {side}", "learned")
    assert rows["vocabulary"] == ("40 source" if side == "encoder" else "40 target")
    assert "not used" not in rows
    report = json.loads(command("inspect", "--checkpoint", tmp_path, "--json").out)
    assert report["layers"] == ([2, 0] if side == "encoder" else [0, 2])
    other = "decoder" if side == "encoder" else "encoder"
    assert not [name for name in report["configuration"] if other in name]
