"""Hugging Face folders, against the library's own eager attention."""

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import save_file

import model
from model.checkpoints.basis.errors import CheckpointError, LimitError, SaveError, TensorsError, UnrecognisedError
from model.checkpoints.families.huggingface import network
from model.corpus.alignment.against_gold import alignment_table
from model.text.pairs import parse_gold
from model.text.tokens import LongTextError
from tests.checkpoint import rewrite_json
from tests.checkpoints.library import SEQ2SEQ, SOURCE, TARGET, make


@pytest.mark.nightly(but=("t5",))
@pytest.mark.parametrize("kind", list(SEQ2SEQ))
def test_reading_without_the_librarys_modules_equals_reading_with_them(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where every matrix is stored under each of its names, as older .bin files have it."""
    original = make(kind, tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(network, "_without_modules", lambda *_: None)
        expected = model.load(tmp_path)
    monkeypatch.setattr(network, "_build", None)
    assert model.load(tmp_path).fingerprint == expected.fingerprint
    (tmp_path / "model.safetensors").unlink()
    whole = {name: tensor.clone() for name, tensor in original.state_dict().items()}
    torch.save(whole, tmp_path / "pytorch_model.bin")
    assert model.load(tmp_path).fingerprint == expected.fingerprint


@pytest.mark.nightly(but=("t5",))
@pytest.mark.parametrize("says_so", [True, False], ids=["config says untied", "config says tied"])
@pytest.mark.parametrize("safe", [True, False], ids=["safetensors", "bin"])
@pytest.mark.parametrize("kind", list(SEQ2SEQ))
@torch.inference_mode()
def test_an_untied_output_matrix_is_used_as_in_the_library(
    kind: str, safe: bool, says_so: bool, tmp_path: Path
) -> None:
    """T5 v1.1, Flan-T5 and mT5 are published in this form, and the configuration does not always state it."""
    original = make(kind, tmp_path)
    tensors = {name: tensor.clone() for name, tensor in original.state_dict().items()}
    tensors["lm_head.weight"] = torch.randn(tensors["lm_head.weight"].shape, generator=torch.manual_seed(5)) * 0.3
    (tmp_path / "model.safetensors").unlink()
    if safe:
        save_file(tensors, tmp_path / "model.safetensors", metadata={"format": "pt"})
    else:
        torch.save(tensors, tmp_path / "pytorch_model.bin")
    rewrite_json(tmp_path / "config.json", tie_word_embeddings=not says_so)
    library = type(original).from_pretrained(tmp_path, attn_implementation="eager").eval()
    expected = library(input_ids=SOURCE, attention_mask=(SOURCE != 1).long(), decoder_input_ids=TARGET)
    ours = model.attend(model.load(tmp_path), SOURCE.numpy(), TARGET.numpy())
    assert ours.logits is not None
    np.testing.assert_allclose(ours.logits, expected.logits, rtol=0, atol=1e-5)
    assert (
        np.abs(expected.logits.numpy() - original(input_ids=SOURCE, decoder_input_ids=TARGET).logits.numpy()).max()
        > 0.1
    )


@pytest.mark.nightly(but=("bart",))
@pytest.mark.parametrize("kind", ["bart", "mbart"])
def test_no_translation_is_longer_than_the_table_of_positions(kind: str, tmp_path: Path) -> None:
    make(kind, tmp_path)
    bundle = model.load(tmp_path)
    trace = model.translate(bundle, [5 + index % 30 for index in range(60)], stop_loops=False)
    assert len(trace.target) <= 64
    with pytest.raises(LongTextError, match="65 tokens and the limit is 64"):
        model.translate(bundle, [5] * 65)


WITH_HEADS = ("BertForMaskedLM", "BertForTokenClassification", "BertForQuestionAnswering", "BertLMHeadModel",
              "BertForPreTraining", "RobertaForMaskedLM", "RobertaForTokenClassification", "XLMRobertaForMaskedLM",
              "CamembertForMaskedLM", "CamembertForSequenceClassification", "DistilBertForMaskedLM",
              "ElectraForMaskedLM")  # fmt: skip


@pytest.mark.nightly(but=("BertLMHeadModel", "XLMRobertaForMaskedLM", "BertForQuestionAnswering"))
@pytest.mark.parametrize("name", WITH_HEADS)
@torch.inference_mode()
def test_an_encoder_saved_with_a_head_opens_and_lists_the_unused_tensors(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Such a file has no pooler, or one that attention does not need."""
    torch.manual_seed(0)
    network_class = getattr(transformers, name)
    fields = {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 24} if "Distil" in name else {
        "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}  # fmt: skip
    config = network_class.config_class(vocab_size=40, max_position_embeddings=34, pad_token_id=1, **fields)
    network_class(config).save_pretrained(tmp_path)
    original = network_class.from_pretrained(tmp_path, attn_implementation="eager").eval()
    expected = original(SOURCE, attention_mask=(SOURCE != 1).long(), output_attentions=True).attentions
    capfd.readouterr()
    bundle: Any = model.load(tmp_path)
    assert capfd.readouterr() == ("", ""), "the library's progress bar or report"
    ours: Any = model.attend(bundle, SOURCE.numpy(), SOURCE.numpy())
    np.testing.assert_allclose(ours.encoder_self, torch.stack(expected, 1), rtol=0, atol=1e-5)
    assert all(not unused.startswith(("bert.encoder", "roberta.encoder")) for unused in bundle.report.ignored)
    if bundle.config.masked_head:
        logits = original(SOURCE, attention_mask=(SOURCE != 1).long())
        logits = logits.logits if hasattr(logits, "logits") else logits.prediction_logits
        apart = np.abs(ours.logits - logits.numpy())[(SOURCE != 1).numpy()]
        assert apart.max() <= 1e-5
    else:
        assert any("head" in unused or "cls" in unused or "classifier" in unused or "qa" in unused
                   for unused in bundle.report.ignored)  # fmt: skip


@pytest.mark.nightly
def test_a_folder_with_an_older_bin_file_and_a_zip_of_it_open_alike(tmp_path: Path) -> None:
    folder = tmp_path / "opus"
    make("marian", folder, safe=False)
    with zipfile.ZipFile(tmp_path / "opus.zip", "w") as archive:
        for path in folder.iterdir():
            archive.write(path, path.name)
    first, second = model.load(folder), model.load(tmp_path / "opus.zip")
    assert first.fingerprint == second.fingerprint
    assert second.name == "opus"


def test_a_folder_laid_out_like_the_hubs_cache_opens_by_its_snapshot(tmp_path: Path) -> None:
    snapshot = tmp_path / "models--helsinki--tiny" / "snapshots" / "abc"
    blobs = snapshot.parents[1] / "blobs"
    make("marian", snapshot)
    blobs.mkdir()
    for path in list(snapshot.iterdir()):
        path.rename(blobs / path.name)
        path.symlink_to(blobs / path.name)
    assert model.load(snapshot).family == "huggingface/marian"


def test_missing_and_misshapen_tensors_are_named(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    make("marian", tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    lost = "model.decoder.layers.2.fc1.weight"
    tensors.pop(lost)
    tensors["model.encoder.layers.0.fc2.bias"] = torch.zeros(17)
    save_file(tensors, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(TensorsError) as caught:
        model.load(tmp_path)
    assert any(lost in name for name in caught.value.missing)
    assert any("encoder.layers.0.fc2.bias is 17, not 16" in name for name in caught.value.misshapen)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"encoder_layers": 10**9}, LimitError, "encoder_layers"),
        ({"vocab_size": 10**9}, LimitError, "vocab_size"),
        ({"d_model": "16"}, CheckpointError, r"d_model .* must be a whole number"),
        ({"activation_dropout": 3}, CheckpointError, r"activation_dropout \(3\) .* must be between 0 and 1"),
        ({"encoder_attention_heads": 3}, CheckpointError, "divisible"),
        (
            {"model_type": "xlnet"},
            UnrecognisedError,
            "are newer than this release, or not supported by it: update Regard",
        ),
        ({"max_position_embeddings": 10**8}, LimitError, "max_position_embeddings"),
        ({"max_position_embeddings": None}, CheckpointError, r"max_position_embeddings \(None\).* whole number"),
    ],
)
def test_a_configuration_that_lies_is_refused(changes: dict, error: type, message: str, tmp_path: Path) -> None:
    make("marian", tmp_path)
    rewrite_json(tmp_path / "config.json", **changes)
    with pytest.raises(error, match=message):
        model.load(tmp_path)


def test_a_folder_with_remote_code_runs_none_of_it(tmp_path: Path) -> None:
    make("marian", tmp_path)
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'trace')!r}, 'w').write('ran')\nclass M: pass\n")
    kinds = {"AutoModel": "evil.M", "AutoConfig": "evil.M", "AutoTokenizer": ["evil.M", "evil.M"]}
    rewrite_json(tmp_path / "config.json", auto_map=kinds)
    model.load(tmp_path)
    assert not (tmp_path / "trace").exists()


def test_an_encoder_in_the_librarys_code_cannot_be_saved_as_our_own(tmp_path: Path) -> None:
    config = transformers.DebertaConfig(vocab_size=40, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
                                     intermediate_size=24, max_position_embeddings=32)  # fmt: skip
    transformers.DebertaModel(config).save_pretrained(tmp_path)
    with pytest.raises(SaveError, match="huggingface/deberta cannot be saved in this project's format"):
        model.save(model.load(tmp_path), tmp_path / "ours")


@pytest.mark.nightly
def test_a_marian_folder_with_its_tokenizers_reads_and_writes_text(tmp_path: Path) -> None:
    torch.manual_seed(0)
    pieces = Path(model.__file__).parents[1] / "pretrained" / "tiny" / "tokenizer.model"
    known = model.SentencePieceTokenizer.load(pieces)
    names = known.describe(range(known.size)).pieces
    (tmp_path / "vocab.json").write_text(json.dumps({piece: index for index, piece in enumerate(names)}))
    for name in ("source.spm", "target.spm"):
        (tmp_path / name).write_bytes(pieces.read_bytes())
    fields = SEQ2SEQ["marian"][1] | {
        "vocab_size": known.size, "decoder_vocab_size": known.size, "pad_token_id": 0, "eos_token_id": 3,
        "decoder_start_token_id": 0, "bos_token_id": None,
    }  # fmt: skip
    transformers.MarianMTModel(transformers.MarianConfig(**fields)).save_pretrained(tmp_path)
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "MarianTokenizer", "pad_token": "<pad>"}')
    bundle: Any = model.load(tmp_path)
    encoded = bundle.source_tokenizer.encode("The cat is sleeping.")
    assert encoded.pieces[:2] == ("▁The", "▁cat") and encoded.pieces[-1] == "</s>"
    assert encoded.words[-1] == -1 and encoded.words[:2] == (0, 1)
    assert encoded.spans[:2] == ((0, 3), (4, 7)) and encoded.spans[-1] is None
    gold = parse_gold(["the cat .\tle chat .\t0-0 1-1 2-2"], "gold.tsv")
    assert all(head.counts.points == 3 for head in alignment_table(bundle, gold, most_heads=0).heads)
    trace = model.translate(bundle, "The cat is sleeping.", max_length=5)
    assert trace.source.ids == encoded.ids
    assert len(trace.target) <= 5
    again = model.load(model.save(bundle, tmp_path / "ours"))
    assert again.family == "own" and again.fingerprint == bundle.fingerprint
    assert model.translate(again, "The cat is sleeping.", max_length=5) == trace
