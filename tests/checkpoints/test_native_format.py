"""Our own checkpoint format: loading restores what was saved, and a failed save loses nothing."""

import dataclasses
import errno
import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

import model
from model.checkpoints import native_format
from model.checkpoints.basis.errors import LimitError, SaveError, TensorsError, UnrecognisedError, UnsafeFileError
from model.device import device_named
from tests.checkpoint import rewrite_json


def tiny(**fields: object) -> model.Bundle:
    torch.manual_seed(7)
    chosen = {
        "source_vocab_size": 11, "target_vocab_size": 11, "d_model": 16, "d_feed_forward": 24,
        "n_encoder_layers": 2, "n_decoder_layers": 1, "n_encoder_heads": 2, "n_decoder_heads": 4,
    } | fields  # fmt: skip
    config = model.TransformerConfig(**chosen)  # type: ignore[arg-type]
    words = model.WordTokenizer(["<pad>", "<unk>", "<s>", "</s>", "the", "cat", "sat", "on", "a", "mat", "."])
    return model.Bundle(
        name="tiny", model=model.Transformer(config).eval(), config=config, source_tokenizer=words,
        target_tokenizer=words, source_language="en", target_language="fr",
    )  # fmt: skip


def logits(bundle: model.Bundle) -> torch.Tensor:
    with torch.no_grad():
        return bundle.model(torch.tensor([[4, 5, 6, 3]]), torch.tensor([[2, 7, 8]])).logits


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"tie_output": False, "output_bias": True},
        {"tie_embeddings": False},
        {"tie_embeddings": False, "tie_output": False, "positions": "learned", "max_positions": 30},
        {"norm_kind": "annotated", "encoder_norm_first": False, "encoder_final_norm": False, "positions": "halves"},
    ],
)
def test_a_saved_model_loads_equal(tmp_path: Path, fields: dict) -> None:
    bundle = tiny(**fields)
    loaded: Any = model.load(model.save(bundle, tmp_path / "saved"))
    assert torch.equal(logits(loaded), logits(bundle))
    assert loaded.config == bundle.config
    assert (loaded.name, loaded.source_language, loaded.target_language) == ("tiny", "en", "fr")
    assert loaded.source_tokenizer.encode("the cat").ids == (4, 5)
    assert len(loaded.fingerprint) == 64


def test_tied_weights_are_stored_once_and_stay_tied(tmp_path: Path) -> None:
    folder = model.save(tiny(), tmp_path / "saved")
    assert "output.weight" not in load_file(folder / "model.safetensors")
    network = model.load(folder).model
    assert network.output.weight is network.encoder.embedding.weight is network.decoder.embedding.weight


def test_float16_storage_halves_the_file_and_is_float32_again_once_loaded(tmp_path: Path) -> None:
    bundle = tiny(d_model=64, d_feed_forward=256)
    full = model.save(bundle, tmp_path / "full")
    half = model.save(bundle, tmp_path / "half", dtype="float16")
    sizes = [(folder / "model.safetensors").stat().st_size for folder in (half, full)]
    assert sizes[0] < 0.55 * sizes[1]
    loaded = model.load(half)
    assert {p.dtype for p in loaded.model.parameters()} == {torch.float32}
    assert torch.allclose(logits(loaded), logits(bundle), atol=0.02)


def test_float16_refuses_values_that_would_become_infinite(tmp_path: Path) -> None:
    bundle = tiny()
    with torch.no_grad():
        bundle.model.encoder.layers[0].feed_forward.fc1.weight[0, 0] = 1e6
    with pytest.raises(SaveError, match=r"fc1\.weight holds values above 65504"):
        model.save(bundle, tmp_path / "saved", dtype="float16")


def test_every_missing_unexpected_and_misshapen_tensor_is_named(tmp_path: Path) -> None:
    folder = model.save(tiny(), tmp_path / "saved")
    tensors = load_file(folder / "model.safetensors")
    del tensors["encoder.layers.1.feed_forward.fc1.bias"]
    tensors["surplus"] = torch.zeros(1)
    tensors["decoder.final_norm.weight"] = torch.ones(15)
    save_file(tensors, folder / "model.safetensors")
    with pytest.raises(TensorsError) as caught:
        model.load(folder)
    assert caught.value.missing == ("encoder.layers.1.feed_forward.fc1.bias",)
    assert caught.value.unexpected == ("surplus",)
    assert caught.value.misshapen == ("decoder.final_norm.weight is 15, not 16",)
    assert "15, not 16" in str(caught.value)


def test_a_configuration_beyond_the_limits_is_refused_before_anything_is_allocated(tmp_path: Path) -> None:
    folder = model.save(tiny(), tmp_path / "saved")
    described = json.loads((folder / "config.json").read_text())["transformer"]
    rewrite_json(folder / "config.json", transformer=described | {"max_positions": 10**12})
    with pytest.raises(LimitError, match="max_positions"):
        model.load(folder)


@pytest.mark.parametrize("fails_at", ["save_file", "fsync", "rename"])
def test_a_disk_that_fills_leaves_the_old_checkpoint_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: str
) -> None:
    folder = model.save(tiny(), tmp_path / "saved")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    if fails_at == "rename":
        original = Path.rename
        monkeypatch.setattr(
            Path,
            "rename",
            lambda self, to: full() if Path(to) == folder and "-old" not in self.name else original(self, to),
        )
    else:
        monkeypatch.setattr(native_format if fails_at == "save_file" else native_format.os, fails_at, full)
    other = tiny(d_model=32)
    with pytest.raises(SaveError, match=r"No space left on device.*make room"):
        model.save(other, folder)
    monkeypatch.undo()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["saved"]


def test_saving_over_a_checkpoint_keeps_its_readme_and_drops_its_old_files(tmp_path: Path) -> None:
    folder = model.save(tiny(), tmp_path / "saved")
    (folder / "README.md").write_text("where it came from")
    (folder / "sub").mkdir()
    (folder / "sub" / "log.txt").write_text("x")
    without = dataclasses.replace(tiny(d_model=32), source_tokenizer=None, target_tokenizer=None)
    model.save(without, folder)
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "config.json", "model.safetensors", "sub"]
    assert model.load(folder).config.d_model == 32


def test_a_folder_of_other_things_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(SaveError, match="already holds other files"):
        model.save(tiny(), tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_a_truncated_file_is_named_with_its_remedy(tmp_path: Path) -> None:
    folder = model.save(tiny(), tmp_path / "saved")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(UnsafeFileError, match=r"damaged or cut short.*copy it again"):
        model.load(folder)


@pytest.mark.nightly(but=("gr",))
@pytest.mark.parametrize("name", ["curve", "en-fr-corpus", "gru-en-fr", "en-gr", "/nope"])
def test_every_name_that_is_offered_instead_of_an_unknown_one_opens(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnrecognisedError) as caught:
        model.load(name)
    offered = re.search(r"a shipped name \(([^)]*)\)", str(caught.value))
    assert offered and "en-fr" in offered[1].split(", ")
    for item in offered[1].split(", "):
        assert model.load(item).name == item


def test_the_folder_where_one_is_is_named_when_it_holds_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnrecognisedError, match=r"^\. holds no weights"):
        model.load("")


def test_the_fingerprint_changes_with_weights_and_with_configuration(tmp_path: Path) -> None:
    plain = model.load(model.save(tiny(), tmp_path / "a"))
    again = model.load(model.save(tiny(), tmp_path / "b"))
    heads = model.load(model.save(tiny(n_encoder_heads=4), tmp_path / "c"))
    changed = tiny()
    with torch.no_grad():
        changed.model.encoder.embedding.weight[1, 1] += 1
    other = model.load(model.save(changed, tmp_path / "d"))
    assert plain.fingerprint == again.fingerprint
    assert len({plain.fingerprint, heads.fingerprint, other.fingerprint}) == 3


def test_the_fingerprint_changes_with_the_vocabulary_and_survives_saving(tmp_path: Path) -> None:
    bundle = tiny(d_model=32)
    assert bundle.source_tokenizer is not None
    words = [f"word{i}" for i in range(bundle.config.source_vocab_size)]
    kinds = {
        "plain": bundle,
        "other": dataclasses.replace(bundle, source_tokenizer=model.WordTokenizer(words)),
        "target": dataclasses.replace(bundle, target_tokenizer=model.WordTokenizer(words)),
        "none": dataclasses.replace(bundle, source_tokenizer=None, target_tokenizer=None),
    }
    opened = {name: model.load(model.save(kind, tmp_path / name)) for name, kind in kinds.items()}
    assert len({item.fingerprint for item in opened.values()}) == len(opened)
    for name, item in opened.items():
        assert model.load(model.save(item, tmp_path / f"{name}-again")).fingerprint == item.fingerprint


def test_a_checkpoint_with_the_earlier_names_of_the_feed_forward_loads_the_same(tmp_path: Path) -> None:
    saved = model.save(tiny(), tmp_path / "saved")
    tensors = load_file(saved / "model.safetensors")
    old = {name.replace(".fc1.", ".expand.").replace(".fc2.", ".contract."): t for name, t in tensors.items()}
    assert set(old) != set(tensors)
    save_file(old, saved / "model.safetensors")
    assert model.load(saved).fingerprint == model.load(model.save(tiny(), tmp_path / "again")).fingerprint


@pytest.mark.parametrize("device", ["cpu", torch.device("cpu")])
def test_a_model_is_opened_on_the_device_that_is_named(tmp_path: Path, device: torch.device | str) -> None:
    model.save(tiny(), tmp_path / "saved")
    assert model.load(tmp_path / "saved", device=device).device == torch.device("cpu")


@pytest.mark.parametrize(
    ("device", "message"),
    [("cuda:99", "CUDA device.*; use \"cpu\""), ("tpu9000", "is unknown: use"), ("", "is unknown"),
     (None, "is unknown"), (torch.bfloat16, "is unknown"), (["cpu"], "is unknown"),
     ("meta", "cannot compute on it here"), ("fpga", "cannot compute on it here")],
)  # fmt: skip
def test_a_device_that_is_not_there_is_named_and_the_model_stays(tmp_path: Path, device: Any, message: str) -> None:
    bundle = tiny()
    model.save(bundle, tmp_path / "saved")
    with pytest.raises(model.DeviceError, match=message):
        model.load(tmp_path / "saved", device=device)
    with pytest.raises(model.DeviceError, match=message):
        bundle.to(device)
    assert bundle.device == torch.device("cpu") and model.translate(bundle, "#5 #6", max_length=2).target.ids


def test_a_card_that_the_machine_has_is_taken_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert device_named("auto") == torch.device("cuda")
    assert device_named("cuda:1") == device_named(torch.device("cuda", 1)) == torch.device("cuda", 1)
    with pytest.raises(model.DeviceError, match="has 2 CUDA devices, counted from 0"):
        device_named("cuda:2")


@pytest.mark.parametrize(
    ("languages", "message"),
    [
        ({"source": 5}, 'languages.source is 5, and must be a code such as "en", or null'),
        ({"source": "en", "target": ["fr"]}, r'languages.target is ["fr"], and must be a code such as "en", or null'),
        ("en", "languages must be an object with source and target"),
    ],
)
def test_languages_that_are_no_text_are_refused(tmp_path: Path, languages: object, message: str) -> None:
    folder = model.save(tiny(), tmp_path / "saved")
    rewrite_json(folder / "config.json", languages=languages)
    with pytest.raises(model.CheckpointError, match=re.escape(message)):
        model.load(folder)


def test_the_earlier_name_of_the_module_works_with_a_warning() -> None:
    from model.checkpoints import own

    with pytest.deprecated_call(match="native_format"):
        assert own.load_own is native_format.load_native
