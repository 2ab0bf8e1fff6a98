"""What an opened model is called, when every model's file is called the same."""

import zipfile
from pathlib import Path

import pytest

import model
from model.checkpoints.basis.identity import name_in, name_of
from tests.checkpoint import rewrite_json
from tests.checkpoints import golden
from tests.checkpoints.fuzz import marian


@pytest.mark.parametrize(
    ("file", "name"),
    [("opus-mt-en-fr.zip", "opus-mt-en-fr"), ("model.safetensors", ""), ("pytorch_model.bin", ""),
     ("checkpoint_best.pt", ""), ("model_step_9000.pt", ""), ("model-00001-of-00003.safetensors", ""),
     ("averaged-model.pt", ""), ("model_de_en.pt", "model_de_en"), ("模型.pt", "模型"), ("a\tb\x07.pt", "a b"),
     (f"{'x' * 200}.pt", "x" * 60)],
)  # fmt: skip
def test_an_informative_file_name_is_the_models_name(file: str, name: str) -> None:
    assert name_of(Path(file), Path(file)) == name


def test_an_uninformative_archive_is_named_by_its_folder() -> None:
    assert name_of(Path("model.zip"), Path("/tmp/regard-x1/model.zip/opus-en-de")) == "opus-en-de"
    assert name_of(Path("model.zip"), Path("/tmp/regard-x1/model.zip")) == ""


@pytest.mark.parametrize(
    ("described", "name"),
    [("Helsinki-NLP/opus-mt-en-fr", "opus-mt-en-fr"), ("./runs/de-en/checkpoint-500/", "de-en"), ("./", ""),
     ("C:\\runs\\nmt\\best", "nmt"), (7, ""), (None, ""), ("a" * 400, "a" * 60)],
)  # fmt: skip
def test_a_models_name_is_the_last_informative_part_of_a_path(described: object, name: str) -> None:
    assert name_in(described) == name


def test_a_library_folder_called_model_is_called_after_its_configuration(tmp_path: Path) -> None:
    folder = marian(tmp_path / "model")
    rewrite_json(folder / "config.json", _name_or_path="me/opus-mt-en-fr")
    assert model.load(folder).name == "opus-mt-en-fr"
    assert model.load(folder.rename(tmp_path / "mine")).name == "mine"
    rewrite_json(tmp_path / "mine" / "config.json", _name_or_path=3)
    assert model.load((tmp_path / "mine").rename(folder)).name == "marian"


@pytest.mark.nightly
def test_a_checkpoint_of_no_name_is_called_after_its_family(tmp_path: Path) -> None:
    path = golden.read("hkproj-plain").write(tmp_path).rename(tmp_path / "model_07.pt")
    assert model.load(path).name == "hkproj"
    assert model.load(path, name="my own").name == "my own"
    with zipfile.ZipFile(tmp_path / "weights.zip", "w") as archive:
        archive.write(path, f"de-en/{path.name}")
    assert model.load(tmp_path / "weights.zip").name == "de-en"
