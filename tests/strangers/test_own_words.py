"""What stands in a file or beside it answers questions: settings, ids, vocabularies; and what a file is, is said."""

import json
import pickle
import sys
import types
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

import model
from model import SentencePieceTokenizer
from model.checkpoints.answers.heads import clear_best, head_nats
from model.checkpoints.basis.errors import AnswerWarning, UnrecognisedError
from model.checkpoints.doctor import diagnose
from model.checkpoints.loading import PRETRAINED
from model.cli.main import main
from tests.checkpoints.seeds import BASE, early
from tests.strangers.authors import Written
from tests.strangers.plain import HEADS, PLAIN, plain

CONFIG = {"num_heads": 4, "d_model": 32, "dropout": 0.2, "norm_first": False, "activation": "relu"}


def words(count: int, sign: str) -> dict[str, int]:
    names = ["<pad>", "<sos>", "<eos>", "<unk>", *(f"{sign}{index}" for index in range(count - 4))]
    return {name: index for index, name in enumerate(names)}


def test_settings_beside_the_weights_answer_and_their_file_is_reported(tmp_path: Path) -> None:
    stored = {"model": Written(PLAIN).state(), "config": CONFIG, "task": {"PAD": 0, "BOS": 1, "EOS": 2}, "epoch": 3}
    torch.save(stored, tmp_path / "mine.pt")
    bundle = model.load(tmp_path / "mine.pt")
    assert bundle.report is not None
    assert (bundle.config.n_encoder_heads, bundle.config.bos_id, bundle.config.eos_id) == (4, 1, 2)
    assert bundle.config.dropout == 0.2 and "n_heads=4 (config.num_heads)" in bundle.report.stated
    assert not {"n_heads", "bos_id", "eos_id", "norm_first"} & set(bundle.report.guesses)


def test_settings_that_do_not_fit_the_tensors_are_left_out(tmp_path: Path) -> None:
    torch.save(
        {"state_dict": Written(PLAIN).state(), "hyper_parameters": {"n_heads": 5, "eos": 900}}, tmp_path / "m.pt"
    )
    bundle = model.load(tmp_path / "m.pt")
    assert bundle.report is not None and not bundle.report.stated and "n_heads" in bundle.report.guesses


@pytest.mark.nightly
def test_a_matrix_of_no_known_use_is_ignored_only_where_it_repeats_another(tmp_path: Path) -> None:
    state = Written(PLAIN).state()
    repeated = next(tensor for tensor in state.values() if tensor.dim() == 2)
    for name, tensor in (("again", repeated.clone()), ("other", torch.ones_like(repeated))):
        torch.save({"model": state | {"zoo.weight": tensor}, "config": CONFIG}, tmp_path / f"{name}.pt")
    bundle = model.load(tmp_path / "again.pt")
    assert bundle.report is not None and "zoo.weight" in bundle.report.ignored
    with pytest.raises(UnrecognisedError, match=r"no place was found for zoo\.weight"):
        model.load(tmp_path / "other.pt")


@pytest.mark.parametrize("place", ["inside", "pickle"])
def test_vocabularies_in_the_file_or_in_a_pickle_beside_it_are_used(place: str, tmp_path: Path) -> None:
    sides: dict[str, Any] = {"src_vocab": words(23, "s"), "tgt_vocab": {i: w for w, i in words(29, "t").items()}}
    inside = sides if place == "inside" else {}
    torch.save({"model": Written(PLAIN).state(), "config": CONFIG, **inside}, tmp_path / "mine.pt")
    if place == "pickle":
        (tmp_path / "vocab.pkl").write_bytes(pickle.dumps(sides))
    bundle = model.load(tmp_path)
    assert bundle.source_tokenizer is not None and bundle.target_tokenizer is not None
    assert bundle.source_tokenizer.tokens[4] == "s0"  # type: ignore[attr-defined]
    assert bundle.target_tokenizer.tokens[4] == "t0"  # type: ignore[attr-defined]
    assert (bundle.config.bos_id, bundle.config.eos_id) == (1, 2)


def test_unknown_heads_are_a_close_question_and_never_reported_as_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torch.save(Written(PLAIN).state(), tmp_path / "mine.pt")
    with pytest.warns(AnswerWarning, match=r"^mine\.pt: it does not say n_heads.* n_heads=4, .* is used until"):
        report = model.load(tmp_path / "mine.pt").report
    assert report is not None and {question.hint for question in report.close} == {
        "n_heads", "norm_first", "norm_kind", "activation", "embedding_scale", "score_width"
    }  # fmt: skip
    main(["inspect", "--checkpoint", str(tmp_path / "mine.pt")])
    output = capsys.readouterr().out
    assert "(a guess)" in output and "please answer" in output and "--answer n_heads=" in output


def test_the_command_line_asks_before_it_translates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch.save({"model": Written(PLAIN).state(), "src_vocab": words(23, "s"), "tgt_vocab": words(29, "t")},
               tmp_path / "mine.pt")  # fmt: skip
    calls = ["translate", "s1 s2", "--checkpoint", str(tmp_path / "mine.pt")]
    assert main(calls) == 1
    output = capsys.readouterr().err
    assert "mine.pt needs an answer first: it does not say n_heads" in output and "Give --heads" in output
    assert main([*calls, "--heads", "4"]) == 1
    output = capsys.readouterr().err
    assert "--answer norm_first=false" in output and "n_heads" not in output
    reported = ("norm_first=false", "norm_kind=layer", "activation=relu", "embedding_scale=1", "score_width=head")
    assert main([*calls, "--heads", "4", *(f"--answer={answer}" for answer in reported)]) == 0
    assert main([*calls, "--heads", "4", "--confirm"]) == 0
    assert main([*calls, "--answer", "n_heads"]) == 1 and "must be NAME=VALUE" in capsys.readouterr().err


def trained_tensors() -> dict[str, torch.Tensor]:
    """A trained translator's tensors under names of somebody's own."""
    swapped = (("self_attention_norm", "norm_self"), ("cross_attention_norm", "norm_cross"), ("self_attention", "mha"),
               ("feed_forward_norm", "norm_ff"), ("cross_attention", "enc_attn"), ("encoder.layers", "enc_blocks"),
               ("decoder.layers", "dec_blocks"), ("query", "wq"), ("key", "wk"), ("value", "wv"),
               ("mha.output", "mha.wo"), ("attn.output", "attn.wo"), ("feed_forward.fc", "ffn.w"),
               ("encoder.embedding", "src_emb"), ("decoder.embedding", "tgt_emb"), ("output.", "classifier."),
               ("encoder.final_norm", "enc_norm"), ("decoder.final_norm", "dec_norm"))  # fmt: skip
    collected = {}
    for name, tensor in model.load("tiny").model.state_dict().items():
        for ours, stored in swapped:
            name = name.replace(ours, stored)
        collected[name] = tensor.clone()
    return collected


@pytest.mark.nightly
def test_heads_norms_and_begin_and_end_tokens_are_derived_from_trained_weights(tmp_path: Path) -> None:
    torch.save(trained_tensors(), tmp_path / "mine.pt")
    original, bundle = model.load("tiny"), model.load(tmp_path / "mine.pt")
    assert bundle.report is not None and bundle.family == "named"
    assert not {"n_heads", "norm_first", "bos_id"} & {question.hint for question in bundle.report.close}
    for name in ("n_encoder_heads", "n_decoder_heads", "encoder_norm_first", "bos_id", "eos_id"):
        assert getattr(bundle.config, name) == getattr(original.config, name), name
    assert {"n_heads", "norm_first", "bos_id", "eos_id"} <= set(bundle.report.guesses)
    (requested,) = (question for question in bundle.report.questions if question.hint == "bos_id")
    tried = {values["answer"]: values for values in map(dict, (reason.values for reason in requested.evidence))}
    assert tried["2, 3"]["ended"] > 0.7 and tried["1, 2"]["ended"] == 0
    source, target = np.array([[9, 8, 7, 3]]), np.array([[2, 9, 8]])
    result, expected = (model.attend(item, source, target) for item in (bundle, original))
    np.testing.assert_allclose(result.logits, expected.logits, rtol=0, atol=1e-5)  # type: ignore[arg-type]


def test_a_trained_decoder_alone_and_its_tokens_tell_its_positions_and_heads(tmp_path: Path) -> None:
    original, state = model.load("tiny-decoder"), {}
    for name, tensor in original.model.state_dict().items():
        for ours, stored in (("decoder.embedding", "tok_emb"), ("decoder.layers", "blocks"), ("query", "q_proj"),
                             ("self_attention_norm", "norm1"), ("self_attention", "attn"), ("key", "k_proj"),
                             ("feed_forward_norm", "norm2"), ("feed_forward", "ffn"), ("decoder.final_norm", "ln_f"),
                             ("value", "v_proj"), ("attn.output", "attn.o_proj"), ("output.", "lm_head.")):  # fmt: skip
            name = name.replace(ours, stored)
        state[name] = tensor.clone()
    for layer in range(original.config.n_decoder_layers):
        halves = [state.pop(f"blocks.{layer}.ffn.{part}.weight") for part in ("fc1", "gate")]
        state[f"blocks.{layer}.ffn.w12.weight"] = torch.cat(halves)
    torch.save({name: x for name, x in state.items() if "encoder" not in name}, tmp_path / "mine.pt")
    (tmp_path / "tokenizer.model").write_bytes((PRETRAINED / "tiny-decoder" / "tokenizer.model").read_bytes())
    with pytest.warns(AnswerWarning, match=r"it does not say .*positions"):
        bundle = model.load(tmp_path)
    assert bundle.report is not None
    requested = {question.hint: question for question in diagnose(bundle).questions}
    assert (requested["positions"].value, requested["n_heads"].value) == ("rotary", original.config.n_decoder_heads)
    for hint, right in (("positions", "rotary"), ("gate_last", False), ("norm_first", True)):
        messages = [dict(reason.values)["answer"] for reason in requested[hint].evidence if reason.key == "text_loss"]
        assert messages[0] == right and requested[hint].value == right, hint
    ids = np.array([[9, 8, 7, 3]])
    result, expected = (model.attend(item, ids, ids) for item in (bundle, original))
    np.testing.assert_allclose(result.logits, expected.logits, rtol=0, atol=1e-4)  # type: ignore[arg-type]
    np.testing.assert_allclose(result.decoder_self, expected.decoder_self, rtol=0, atol=1e-5)  # type: ignore[arg-type]


@pytest.mark.nightly("fr")
@pytest.mark.parametrize("name", ["en-fr", "tiny"])
def test_the_rows_of_trained_projections_tell_the_heads(name: str) -> None:
    bundle = model.load(name)
    nats = head_nats(bundle.model.state_dict(), (1, 2, 4, 8, 16, 32))
    assert clear_best(nats) == bundle.config.n_encoder_heads


def test_the_table_is_printed_and_opens_the_file_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.pt"
    torch.save(Written(HEADS).state(), path)
    assert main(["inspect", "--checkpoint", str(path), "--propose"]) == 0
    (tmp_path / "mapping.toml").write_text(capsys.readouterr().out)
    assert main(["inspect", "--checkpoint", str(path), "--mapping", str(tmp_path / "mapping.toml")]) == 0
    assert "4 encoder, 4 decoder" in capsys.readouterr().out
    result = model.load(path, norm_first=False), model.load(path, mapping=tmp_path / "mapping.toml", norm_first=False)
    ids = np.array([[4, 5, 6]])
    first, second = (model.attend(bundle, ids, ids) for bundle in result)
    assert first.cross is not None and second.cross is not None
    np.testing.assert_allclose(first.cross, second.cross, rtol=0, atol=1e-6)


def state(module: nn.Module) -> dict[str, torch.Tensor]:
    return dict(module.state_dict())


def single_stack(word: str) -> dict[str, torch.Tensor]:
    names = [f"{word}.{layer}.attn.{role}.weight" for layer in range(2) for role in ("query", "key", "value", "proj")]
    return {"embedding.weight": torch.zeros(9, 8)} | {name: torch.zeros(8, 8) for name in names}


@pytest.mark.parametrize(
    ("tensors", "what"),
    [
        (state(nn.ModuleDict({"encoder": nn.LSTM(8, 8), "decoder": nn.GRU(8, 8)})), "is a recurrent network"),
        (single_stack("blocks"), "is a stack of attention without feed-forward networks"),
        (single_stack("blocks") | {"patch_embed.proj.weight": torch.zeros(8, 3, 4, 4)}, "is an image Transformer"),
        (
            {"self_attn.in_proj_weight": torch.zeros(12, 4), "linear.weight": torch.zeros(2, 4)},
            "is a network with one attention and no stack of layers",
        ),
        (
            {f"encoder.convs.{i}.weight": torch.zeros(8, 4, 3) for i in range(3)}
            | {"decoder.attn_hid2emb.weight": torch.zeros(4, 4)},
            "is a convolutional network",
        ),
        ({"fc1.weight": torch.zeros(9, 7), "fc2.weight": torch.zeros(2, 9)}, "is a file without attention layers"),
        ({f"state.{i}.exp_avg": torch.zeros(3, 3) for i in range(5)}, "is the state of an optimizer alone"),
    ],
)
def test_the_error_of_a_file_without_a_translator_begins_with_its_kind(tensors: Any, what: str, tmp_path: Path) -> None:
    torch.save(tensors, tmp_path / "mine.pt")
    with pytest.raises(UnrecognisedError, match=rf"^mine\.pt {what}"):
        model.load(tmp_path / "mine.pt")


@pytest.mark.parametrize(
    ("beginning", "what"),
    [
        (b"/annex/objects/MD5E-s1--ab.pt\n", "git-annex"), (b"\x1f\x8b\x08\0" + bytes(20), "gzip"),
        (b"\x89HDF\r\n\x1a\n" + bytes(20), "HDF5"), (b"\x08\x07\x12\x07pytorch\x1a" + bytes(20), "ONNX"),
        (b"RDX3\nX\n" + bytes(20), "saved data of R"), (b"\n\x0e\n\x05<unk>\x15\0\0\0\0\x18\x02" * 3, "SentencePiece"),
        (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS"),
    ],
)  # fmt: skip
def test_a_file_of_another_format_is_named_whatever_its_ending(beginning: bytes, what: str, tmp_path: Path) -> None:
    (tmp_path / "model.pt").write_bytes(beginning)
    with pytest.raises(UnrecognisedError, match=rf"^model\.pt is .*{what}"):
        model.load(tmp_path / "model.pt")


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("is_short", [False, True])
def test_ctranslate2_of_the_first_versions_computes_the_same(version: int, is_short: bool, tmp_path: Path) -> None:
    network = Written(BASE)
    if is_short:  # 16 bits keep three decimals
        network.held = {name: (tensor * 1000).round() / 1000 if tensor.dim() > 1 else tensor
                        for name, tensor in network.held.items()}  # fmt: skip
    for name, content in early(version, network, is_short=is_short).items():
        (tmp_path / name).write_bytes(content)
    bundle = model.load(tmp_path)
    assert (bundle.family, bundle.config.n_encoder_heads, bundle.config.bos_id) == ("ctranslate2", 8, 1)
    assert bundle.source_tokenizer is not None and bundle.source_tokenizer.size == 23  # with the unnamed <unk>
    source, target = torch.tensor([[5, 6, 7, 8]]), torch.tensor([[1, 11, 12]])
    logits, maps = network(source, target, pad=-1)
    attended: Any = model.attend(bundle, source.numpy(), target.numpy())
    for kind, expected in maps.items():
        np.testing.assert_allclose(getattr(attended, kind), expected, rtol=0, atol=1e-5)
    np.testing.assert_allclose(attended.logits, logits, rtol=0, atol=1e-5)


def torchtexts(kind: str, result: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> Any:
    """A ``Vocab`` or ``Field`` as torchtext pickled them before version 0.9, from a module that is not there later."""
    module = types.ModuleType("torchtext")

    class Vocab:
        pass

    class Field:
        pass

    for made_here in (Vocab, Field):
        made_here.__module__, made_here.__qualname__ = "torchtext", made_here.__name__
        setattr(module, made_here.__name__, made_here)

    def split(text: str) -> list[str]:
        raise AssertionError("a function that a pickle names was called")

    split.__module__, split.__qualname__ = "torchtext", "split"
    module.split = split  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torchtext", module)
    vocabulary, field = Vocab(), Field()
    vocabulary.__dict__ = {"freqs": Counter({"s0": 3}), "itos": list(result), "vectors": None,
                           "stoi": defaultdict(int, result)}  # fmt: skip
    field.__dict__ = {"init_token": "<sos>", "eos_token": "<eos>", "tokenize": split, "vocab": vocabulary}
    return {"Vocab": vocabulary, "Field": field}[kind]


@pytest.mark.parametrize("kind", ["Vocab", "Field"])
def test_torchtexts_objects_beside_the_weights_are_vocabularies_and_are_not_run(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.save({"model": Written(PLAIN).state(), "config": CONFIG}, tmp_path / "mine.pt")
    with monkeypatch.context() as there:
        for name, result in (("SRC", words(23, "s")), ("TRG", words(29, "t"))):
            (tmp_path / f"{name}.pkl").write_bytes(pickle.dumps(torchtexts(kind, result, there)))
    assert "torchtext" not in sys.modules
    bundle = model.load(tmp_path)
    assert bundle.source_tokenizer is not None and bundle.target_tokenizer is not None
    assert bundle.source_tokenizer.tokens[4] == "s0"  # type: ignore[attr-defined]
    assert (bundle.config.bos_id, bundle.config.eos_id) == (1, 2)


@pytest.mark.nightly(but=("txt",))
@pytest.mark.parametrize("ending", ["json", "txt", "model"])
def test_vocabularies_in_files_beside_the_weights_are_used(ending: str, tmp_path: Path) -> None:
    sizes = (23, 29)
    if ending == "model":
        pieces = SentencePieceTokenizer.load(PRETRAINED / "tiny" / "tokenizer.model")
        sizes = (pieces.size, pieces.size)
        (tmp_path / "spm.model").write_bytes((PRETRAINED / "tiny" / "tokenizer.model").read_bytes())
    for side, sign, size in (("src_vocab", "s", 23), ("tgt_vocab", "t", 29)):
        result = words(size, sign)
        text = {"json": json.dumps({"word2idx": result}), "txt": "\n".join(result), "model": ""}[ending]
        if text:
            (tmp_path / f"{side}.{ending}").write_text(text)
    torch.save({"model": Written(plain(sizes=sizes)).state(), "config": CONFIG}, tmp_path / "mine.pt")
    bundle = model.load(tmp_path)
    assert bundle.source_tokenizer is not None and bundle.target_tokenizer is not None
    assert (bundle.source_tokenizer.size, bundle.target_tokenizer.size) == sizes


def test_one_embedder_and_fc_out_at_the_top_are_recognised(tmp_path: Path) -> None:
    around = "embedder = enc.emb\nfc_out = out\npe = enc.pe\n"
    state = Written(plain(around=around, sizes=(29, 29))).state()
    assert {"embedder.weight", "fc_out.weight"} <= set(state)
    torch.save(state, tmp_path / "mine.pt")
    bundle = model.load(tmp_path / "mine.pt", n_heads=4)
    assert bundle.family == "named" and bundle.config.tie_embeddings and not bundle.config.tie_output
