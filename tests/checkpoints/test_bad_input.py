"""What cannot be shown as what it seems is refused in one clear line, with the way out, and nothing is lost."""

import shutil
from pathlib import Path

import pytest

import model
from model.cli.main import main
from tests.checkpoint import rewrite_json
from tests.checkpoints.bad_input import BAD, sound
from tests.checkpoints.library import make


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sound(tmp_path_factory.mktemp("sound") / "llama")


@pytest.fixture
def folder(llama: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(llama, tmp_path / "mine"))


@pytest.mark.parametrize("name", BAD)
def test_it_is_refused_in_one_line_with_the_way_out(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = BAD[name]
    value = bad.make(folder) or folder
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(bad.kind, match=bad.said):
        model.load(value)
    capsys.readouterr()
    assert main(["inspect", "--checkpoint", str(value)]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_numbered_parts_open_without_their_index_and_by_one_of_their_names(folder: Path) -> None:
    whole = model.load(folder).fingerprint
    import transformers

    network = transformers.LlamaForCausalLM.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    network.save_pretrained(folder, max_shard_size="4KB")
    assert model.load(folder / "model.safetensors.index.json").fingerprint == whole
    (folder / "model.safetensors.index.json").unlink()
    assert model.load(folder).fingerprint == whole
    assert model.load(sorted(folder.glob("model-0*"))[3]).fingerprint == whole


def test_an_encoder_decoder_with_more_layers_than_its_configuration_is_refused(tmp_path: Path) -> None:
    make("bart", tmp_path)
    rewrite_json(tmp_path / "config.json", decoder_layers=2)
    with pytest.raises(model.CheckpointError, match=r"26 unexpected: model\.decoder\.layers\.2"):
        model.load(tmp_path)
