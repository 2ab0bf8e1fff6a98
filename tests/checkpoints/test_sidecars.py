"""Files dropped beside the weights: vocabularies are found by their length, and the report mentions each file."""

import json
import zipfile
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

import model
from model.checkpoints.basis.errors import UnrecognisedError
from model.checkpoints.basis.report import FileUse
from model.checkpoints.formats.source import BEGINNING, begins_like_weights
from model.checkpoints.sandbox import examine_sandboxed
from tests.checkpoint import save_tiny
from tests.checkpoints import golden


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkpoint in another layout with 13 entries in each vocabulary, and no vocabulary file beside it."""
    place = tmp_path / "run"
    place.mkdir()
    golden.read("d2l-plain").write(place)
    return place


def words(count: int, stem: str = "w") -> list[str]:
    return ["<pad>", "<bos>", "<eos>", "<unk>", *(f"{stem}{index}" for index in range(count - 4))]


def write(folder: Path, name: str, tokens: list[str]) -> None:
    (folder / name).write_text("\n".join(tokens) + "\n", "utf-8")


def uses_of(bundle: model.Bundle) -> dict[str, FileUse]:
    assert bundle.report is not None
    return {use.name: use for use in bundle.report.files}


def sizes(folder: Path) -> tuple[int, int]:
    config = model.load(folder).config
    return config.source_vocab_size, config.target_vocab_size


@pytest.mark.nightly
def test_a_vocabulary_is_recognised_by_its_length_under_any_name(folder: Path) -> None:
    size = sizes(folder)[0]
    write(folder, "my-words.lst", words(size))
    write(folder, "notes.txt", ["two lines", "of prose"])
    bundle = model.load(folder)
    assert bundle.source_tokenizer is not None and bundle.source_tokenizer.encode("w2").ids == (6,)
    files = uses_of(bundle)
    assert (files["translation.params"].use, files["translation.params"].key) == ("used", "weights")
    assert files["my-words.lst"].use == "used"
    assert (files["notes.txt"].use, files["notes.txt"].key) == ("ignored", "length")
    assert dict(files["notes.txt"].values)["entries"] == "2"


@pytest.mark.nightly
def test_two_vocabularies_of_one_length_go_by_the_side_in_their_names_or_not_at_all(tmp_path: Path) -> None:
    folder = tmp_path / "even"
    folder.mkdir()
    golden.read("jadore-unscaled").write(folder)
    source_size, target_size = sizes(folder)
    assert source_size == target_size
    write(folder, "words_src.lst", words(source_size, "s"))
    write(folder, "words_tgt.lst", words(target_size, "t"))
    bundle = model.load(folder)
    assert bundle.source_tokenizer is not None and bundle.source_tokenizer.encode("s0").ids == (4,)
    assert bundle.target_tokenizer is not None and bundle.target_tokenizer.encode("t0").ids == (4,)
    assert uses_of(bundle)["words_tgt.lst"].key == "tokens_target"
    for side in ("src", "tgt"):
        (folder / f"words_{side}.lst").rename(folder / f"words_{side}x.lst")
    bundle = model.load(folder)
    assert bundle.source_tokenizer is None and bundle.target_tokenizer is None
    assert {uses_of(bundle)[f"words_{side}x.lst"].key for side in ("src", "tgt")} == {"undecided"}


def test_a_file_that_is_not_understood_is_listed_with_the_reason(folder: Path) -> None:
    (folder / "vocab.json").write_text('{"source": {"a": 0}, "target": ["b"]}')
    (folder / "tokenizer.model").write_bytes(b"no model of pieces")
    (folder / "empty.txt").write_text("")
    (folder / "data.pkl").write_bytes(b"\x80\x04\x8c\x02os\x8c\x06system\x93.")
    files = uses_of(model.load(folder))
    assert (
        files["vocab.json"].use == "not_understood" and "list of tokens" in dict(files["vocab.json"].values)["reason"]
    )
    assert files["tokenizer.model"].use == "not_understood"
    assert (files["data.pkl"].use, files["data.pkl"].key) == ("ignored", "data")
    assert (files["empty.txt"].use, files["empty.txt"].key) == ("ignored", "empty")


@pytest.mark.nightly
def test_a_vocabulary_of_too_many_entries_does_not_keep_the_model_from_opening(folder: Path) -> None:
    write(folder, "vocab.txt", words(99))
    bundle = model.load(folder)
    assert bundle.source_tokenizer is None
    assert uses_of(bundle)["vocab.txt"].key == "length"


@pytest.mark.nightly
def test_a_better_fit_is_taken_in_place_of_a_well_known_name(folder: Path) -> None:
    size = sizes(folder)[0]
    write(folder, "vocab.txt", words(size - 1, "other"))  # too few for the source, too many for the target
    write(folder, "final", words(size))
    bundle = model.load(folder)
    assert bundle.source_tokenizer is not None and bundle.source_tokenizer.size == size
    assert uses_of(bundle)["final"].use == "used" and uses_of(bundle)["vocab.txt"].use == "ignored"


def test_a_token_with_its_id_or_score_a_line_is_read(folder: Path) -> None:
    tokens = words(sizes(folder)[0])
    rows = [f"{token}\t{index}" for index, token in enumerate(tokens)]
    write(folder, "ids.vocab", rows[::-1])
    bundle = model.load(folder)
    assert bundle.source_tokenizer is not None and bundle.source_tokenizer.encode("w2").ids == (6,)
    write(folder, "ids.vocab", [f"{token}\t-{index}.5" for index, token in enumerate(tokens)])
    bundle = model.load(folder)
    assert bundle.source_tokenizer is not None and bundle.source_tokenizer.encode("w2").ids == (6,)


def test_our_own_format_lists_its_files(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path / "tiny")
    (folder / "notes.md").write_text("mine")
    files = uses_of(model.load(folder))
    assert {name: use.key for name, use in files.items()} == {
        "config.json": "settings", "model.safetensors": "weights", "source.json": "tokens_source",
        "target.json": "tokens_target", "notes.md": "not_of_format",
    }  # fmt: skip


@pytest.mark.nightly
def test_the_child_reports_every_file_of_a_stranger(folder: Path) -> None:
    (folder / "vocab.json").write_text(json.dumps(words(sizes(folder)[0])))
    (folder / "broken.json").write_text("{")
    result = examine_sandboxed(folder)
    assert {use.name: use.use for use in result.report.files} == {
        "translation.params": "used", "vocab.json": "used", "broken.json": "not_understood",
    }  # fmt: skip


def test_a_vocabulary_that_is_named_like_weights_is_a_vocabulary(folder: Path) -> None:
    size = sizes(folder)[0]
    write(folder, "a.pt", words(size))
    write(folder, "b.bin", ["è", "的", *words(size - 2)])
    bundle = model.load(folder)
    assert uses_of(bundle)["translation.params"].key == "weights"
    assert uses_of(bundle)["a.pt"].key != "data" and uses_of(bundle)["b.bin"].key != "data"


@pytest.mark.nightly(but=("vocab.pkl",))
@pytest.mark.parametrize("name", ["vocab.pt", "src_vocab.pth", "vocab.pkl"])
def test_a_pickled_vocabulary_beside_the_weights_is_not_taken_for_weights(name: str, folder: Path) -> None:
    torch.save({"itos": words(5)}, folder / name)
    files = uses_of(model.load(folder))
    assert files["translation.params"].key == "weights" and files[name].use != "used"
    assert not begins_like_weights(name, (folder / name).read_bytes()[:BEGINNING], 999)


def write_zip(path: Path, entries: dict[str, Path | str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content if isinstance(content, str) else content.read_bytes())
    return path


def test_weights_deep_in_a_zip_open_with_the_vocabulary_around_them(folder: Path, tmp_path: Path) -> None:
    weights, tokens = folder / "translation.params", "\n".join(words(sizes(folder)[0]))
    path = write_zip(
        tmp_path / "my run.zip",
        {"exp/run 1/weights/model.pt": weights, "exp/words.txt": tokens, "exp/log/out.txt": "1", ".DS_Store": "x"},
    )
    bundle = model.load(path)
    assert bundle.name == "my run" and bundle.source_tokenizer is not None
    assert {name: use.use for name, use in uses_of(bundle).items()} == {"model.pt": "used", "words.txt": "used"}


def test_a_zip_with_weights_in_several_folders_is_refused_by_its_own_name(folder: Path, tmp_path: Path) -> None:
    weights = folder / "translation.params"
    path = write_zip(tmp_path / "two.zip", {"a/one.pt": weights, "b/two.pt": weights})
    with pytest.raises(UnrecognisedError, match=r"^two\.zip holds weights in several folders \(a, b\): pack one"):
        model.load(path)
    path = write_zip(tmp_path / "flat.zip", {"one.pt": weights, "two.pt": weights})
    with pytest.raises(
        UnrecognisedError, match=r"^flat\.zip holds several weights files \(one\.pt, two\.pt\): give one"
    ):
        model.load(path)


def test_hkprojs_tokenizers_tell_its_ids_and_sides(tmp_path: Path) -> None:
    reference = golden.read("hkproj-plain")
    reference.write(tmp_path)
    for language, embedding in (("en", "src_embed"), ("it", "tgt_embed")):
        size = len(reference.tensors[f"{embedding}.embedding.weight"])
        tokens = ["[UNK]", "[PAD]", "[SOS]", "[EOS]", *(f"{language}{index}" for index in range(size - 4))]
        cutter = Tokenizer(WordLevel({token: index for index, token in enumerate(tokens)}, unk_token="[UNK]"))
        cutter.pre_tokenizer = Whitespace()
        cutter.save(str(tmp_path / f"tokenizer_{language}.json"))
    bundle = model.load(tmp_path, n_heads=4)
    assert bundle.source_tokenizer is not None and bundle.source_tokenizer.encode("en1 en2").ids == (5, 6)
    assert bundle.target_tokenizer is not None and bundle.target_tokenizer.describe([4]).pieces == ("it0",)
    assert bundle.report is not None and not bundle.report.guesses
    assert (bundle.config.bos_id, bundle.config.eos_id, bundle.config.source_pad_id) == (2, 3, 1)
