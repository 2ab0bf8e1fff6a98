"""Small files that once used up a server's memory or time, or returned another visitor's results."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

import model
from model.checkpoints.basis.errors import CheckpointError, LimitError
from model.checkpoints.formats.plain_yaml import parse_yaml
from model.checkpoints.vocabularies import library_tokenizer
from model.runs.folder import RunFolder
from model.text.tokenizer import TokenizerError
from model.training.rows import read_text
from tests.checkpoint import tiny_bundle
from tests.checkpoints import golden
from tests.checkpoints.fuzz import marian
from viz.state.rules import from_params
from viz.state.selection import Selection

NAMED = (CheckpointError, model.ConfigError, TokenizerError)


def rewritten(folder: Path, name: str, change: Callable[[dict], None]) -> Path:
    described = json.loads((folder / name).read_text())
    change(described)
    (folder / name).write_text(json.dumps(described))
    return folder


def test_another_vocabulary_over_the_same_weights_is_another_model(tmp_path: Path) -> None:
    first: Any = model.load(model.save(tiny_bundle(), tmp_path / "first"))
    words = list(first.source_tokenizer.tokens)  # type: ignore[attr-defined]
    words[5], words[6] = words[6], words[5]
    for side in ("source_tokenizer", "target_tokenizer"):
        other: dict[str, Any] = {side: model.WordTokenizer(words)}
        changed = replace(first, **other)
        second = model.load(model.save(changed, tmp_path / f"second-{side}"))
        assert second.fingerprint != first.fingerprint


def test_the_shipped_model_with_one_piece_changed_is_another_model(tmp_path: Path) -> None:
    """The cache of all sessions is keyed by the fingerprint, so no file may have the shipped model's."""
    shipped = model.load("tiny")
    folder = model.save(shipped, tmp_path / "stranger")
    raw = bytearray((folder / "tokenizer.model").read_bytes())
    place = raw.rfind(b"es")
    raw[place : place + 2] = b"XX"
    (folder / "tokenizer.model").write_bytes(raw)
    assert model.load(folder).fingerprint != shipped.fingerprint


def test_yaml_cannot_grow() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    with pytest.raises(CheckpointError, match="aliases"):
        parse_yaml(bomb, "config.yaml")
    with pytest.raises(CheckpointError, match=r"aliases|merges"):
        parse_yaml("a: &a {b: 1}\nc:\n  <<: *a\n", "config.yaml")
    with pytest.raises(CheckpointError, match="merges"):
        parse_yaml("c:\n  <<: {b: 1}\n", "config.yaml")
    with pytest.raises(CheckpointError, match="levels"):
        parse_yaml("[" * 100 + "]" * 100, "config.yaml")
    with pytest.raises(LimitError, match="the limit is"):
        parse_yaml("a" * 100_000, "config.yaml")
    assert parse_yaml("model: {layers: 2, names: [a, b], scale: 0.5}", "c") == {
        "model": {"layers": 2, "names": ["a", "b"], "scale": 0.5}
    }


def test_pasted_lines_are_cut_where_they_were() -> None:
    text = "a\tb\n c  |  d \ne ||| f\ng => h = i\nj → k"
    assert [cells for _, cells in read_text(text)] == [
        ["a", "b"], ["c", "d"], ["e", "f"], ["g", "h = i"], ["j", "k"]
    ]  # fmt: skip


OWN_LIES: dict[str, Callable[[dict], None]] = {
    "positions × width": lambda fields: fields["transformer"].update(max_positions=65_000, d_model=65_536),
    "a list for a tokenizer": lambda fields: fields["tokenizers"].update(source=[]),
    "a table for a tokenizer": lambda fields: fields["tokenizers"].update(target={}),
    "dropout of 400 digits": lambda fields: fields["transformer"].update(dropout=10**400),
    "d_model of 400 digits": lambda fields: fields["transformer"].update(d_model=10**400),
    "no languages": lambda fields: fields.update(languages=[1]),
}


@pytest.mark.parametrize("lie", OWN_LIES)
def test_a_configuration_of_ours_that_lies_is_a_named_error(lie: str, tmp_path: Path) -> None:
    folder = rewritten(model.save(tiny_bundle(), tmp_path / "own"), "config.json", OWN_LIES[lie])
    with pytest.raises(NAMED):
        model.load(folder)


@pytest.fixture(scope="module")
def marian_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return marian(tmp_path_factory.mktemp("hf") / "marian")


@pytest.fixture
def folder(marian_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(marian_folder, tmp_path / "marian"))


HF_LIES: dict[str, Callable[[dict], None]] = {
    "positions × width": lambda fields: fields.update(max_position_embeddings=65_536, d_model=65_536),
    "more than the weights hold": lambda fields: fields.update(vocab_size=1_000_000, d_model=512),
    "wider than the weights hold": lambda fields: fields.update(encoder_ffn_dim=65_536, d_model=2048),
    "a list for a flag": lambda fields: fields.update(scale_embedding=[]),
    "a number of 400 digits": lambda fields: fields.update(decoder_start_token_id=10**400),
    "a table for an activation": lambda fields: fields.update(activation_function={"a": 1}),
}


@pytest.mark.parametrize("lie", HF_LIES)
def test_a_configuration_of_the_library_is_refused_before_anything_is_allocated(
    lie: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import transformers

    def allocate(*_: object, **__: object) -> None:
        raise AssertionError("the library was asked to allocate")

    monkeypatch.setattr(transformers.MarianMTModel, "from_pretrained", allocate)
    (folder / "generation_config.json").unlink()  # its tokens would be read in place of the configuration's
    with pytest.raises(NAMED):
        model.load(rewritten(folder, "config.json", HF_LIES[lie]))


def test_a_token_of_400_digits_in_the_settings_of_generation_is_refused(folder: Path) -> None:
    with pytest.raises(NAMED, match="decoder_start_token_id"):
        model.load(rewritten(folder, "generation_config.json", HF_LIES["a number of 400 digits"]))


def test_fields_that_decide_nothing_never_reach_the_library(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import transformers

    value: list[dict[str, object]] = []
    read = transformers.MarianConfig.from_dict

    def recorded(described: dict[str, object], **beside: object) -> object:
        value.append(dict(described))
        return read(described, **beside)

    monkeypatch.setattr(transformers.MarianConfig, "from_dict", recorded)
    rewritten(folder, "config.json", lambda result: result.update(num_labels=10**7, auto_map={"AutoModel": "x.y"}))
    model.load(folder)
    assert value and all(described["d_model"] for described in value)
    assert not any({"num_labels", "auto_map"} & set(described) for described in value)


@pytest.mark.parametrize("kind", ["EncoderDecoderModel", "AutoModel", "AutoTokenizer", "os.system", ["a"], 3])
def test_only_known_classes_of_tokenizers_are_made(kind: object, folder: Path) -> None:
    (folder / "vocab.json").write_text(json.dumps({"a": 0, "b": 1}))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": kind}))
    with pytest.raises(TokenizerError, match="is not supported"):
        model.load(folder)


def test_an_index_that_is_a_list_is_a_named_error(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors.index.json").write_text("[1, 2]")
    with pytest.raises(CheckpointError, match="weight_map"):
        model.load(folder)


@pytest.mark.nightly(but=("(0, 16)", "graykode", "(7,)-jadore-separate", "(7,)-annotated-plain"))
@pytest.mark.parametrize("name", ["jadore-separate", "annotated-plain", "graykode-plain", "joeynmt-pre"])
@pytest.mark.parametrize("shape", [(7,), (2, 16), (0, 16), (1, 2, 16)], ids=str)
def test_a_wrong_table_of_positions_is_a_named_error_or_opens(
    name: str, shape: tuple[int, ...], tmp_path: Path
) -> None:
    from model.checkpoints.doctor import examine

    reference = golden.read(name)
    for key in reference.tensors:
        if any(word in key for word in ("pos_table", ".pe", "pos_emb")):
            reference.tensors[key] = torch.zeros(shape)
    try:
        examine(reference.write(tmp_path))
    except NAMED:
        return


def test_a_tensor_named_by_half_a_character_is_a_named_error(tmp_path: Path) -> None:
    save_file({"ab": torch.zeros(2, 2)}, tmp_path / "w.safetensors")
    raw = (tmp_path / "w.safetensors").read_bytes()
    header = raw[8:].replace(b'"ab"', b'"\\ud800"')
    length = int.from_bytes(raw[:8], "little") + len(b"\\ud800") - 2
    (tmp_path / "w.safetensors").write_bytes(length.to_bytes(8, "little") + header)
    with pytest.raises(CheckpointError, match="not a printable name"):
        model.load(tmp_path / "w.safetensors")


def test_a_link_of_thousands_of_digits_is_read_as_nothing() -> None:
    assert from_params(Selection, {"heads": "9" * 5000 + ".0 1.1", "pins": "q" + "7" * 5000}).heads == ("1.1",)


def test_a_damaged_line_of_a_runs_history_is_left_out(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.metrics.write_bytes(b'{"step": 1}\n{"step": \xff\n[]\n{"step": 2}\n')
    assert [event["step"] for event in folder.events()] == [1, 2]


def test_a_run_of_joeynmt_without_its_settings_asks_for_an_activation_by_name(tmp_path: Path) -> None:
    folder = golden.read("joeynmt-pre").write(tmp_path)
    (folder / "config.yaml").unlink()
    report: Any = model.load(folder).report
    requested = {question.hint: question for question in report.questions}
    assert requested["activation"].choices == ("relu", "gelu", "silu")


def test_a_model_whose_stacks_share_a_table_can_be_saved(tmp_path: Path) -> None:
    stacks = torch.nn.Transformer(16, 2, 1, 1, 24).state_dict()
    state = {f"transformer.{name}": tensor for name, tensor in stacks.items()}
    state |= {"embedding.weight": torch.zeros(12, 16), "pos": torch.ones(1, 20, 16)}
    save_file(state, tmp_path / "w.safetensors")
    bundle = model.load(tmp_path / "w.safetensors")
    assert model.load(model.save(bundle, tmp_path / "own")).fingerprint == bundle.fingerprint


@pytest.mark.parametrize("beside", [{}, {"unk_token": "<unk>"}], ids=["alone", "beside what is kept"])
def test_files_named_in_tokenizer_settings_are_not_passed_to_the_library(
    beside: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields: dict[str, bytes] = {}

    def recorded(folder: Path, _: str) -> None:
        fields.update({path.name: path.read_bytes() for path in folder.iterdir()})
        raise TokenizerError("seen")

    monkeypatch.setattr(library_tokenizer, "probe", lambda *_: None)
    monkeypatch.setattr(library_tokenizer, "_load_tokenizer", recorded)
    settings = {"fast_tokenizer_files": ["tokenizer.4.0.0.json"], "auto_map": {"AutoTokenizer": "x.Y"}, **beside}
    for name, described in (
        ("config.json", {"model_type": "bart"}), ("tokenizer.json", {}), ("tokenizer.4.0.0.json", {}),
        ("tokenizer_config.json", settings),
    ):  # fmt: skip
        (tmp_path / name).write_text(json.dumps(described))
    with pytest.raises(TokenizerError, match="seen"):
        library_tokenizer.read_tokenizers(tmp_path, None, has_decoder=True)
    assert set(fields) == {"config.json", "tokenizer.json", "tokenizer_config.json"}
    assert json.loads(fields["tokenizer_config.json"]) == beside
