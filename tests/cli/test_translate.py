"""``translate``: sentences, files, attention, heatmaps."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import model
from model.attention_files import read_attention
from model.cli.main import EPILOGUE as FIRST_STEPS
from model.cli.translate import EPILOGUE
from model.decoding.generation import GenerationWarning
from model.interventions import AttentionKind
from tests.checkpoints.architectures import ARCHITECTURES, save
from tests.cli.conftest import Command

README = Path(__file__).parents[2] / "README.md"


def test_sentences_in_arguments_are_translated_as_by_the_library(command: Command, checkpoint: Path) -> None:
    result = command("translate", "the cat is sleeping .", "the dog", "--checkpoint", checkpoint)
    bundle = model.load(checkpoint)
    assert result.out.splitlines() == [
        model.translate(bundle, text).text for text in ("the cat is sleeping .", "the dog")
    ]
    assert result.code == 0 and result.err == ""


def test_standard_input_is_translated_line_by_line_and_empty_lines_stay(command: Command, checkpoint: Path) -> None:
    result = command("translate", "--checkpoint", checkpoint, stdin=b"the cat\r\n\nthe dog")
    bundle = model.load(checkpoint)
    assert result.out.split("\n") == [
        model.translate(bundle, "the cat").text,
        "",
        model.translate(bundle, "the dog").text,
        "",
    ]


@pytest.mark.nightly
def test_options_of_decoding_are_handed_on(command: Command, checkpoint: Path) -> None:
    bundle = model.load(checkpoint)
    beam = command("translate", "the cat", "--method", "beam", "--beam-size", "3", "--checkpoint", checkpoint)
    assert beam.out.strip() == model.translate(bundle, "the cat", method="beam", beam_size=3).text
    begun = command("translate", "the cat", "--prefix", "le chien", "--checkpoint", checkpoint)
    assert begun.out.startswith("le chien")
    drawn = [command("translate", "the cat", "--method", "sample", "--seed", n, "--checkpoint", checkpoint).out
             for n in (1, 1, 2)]  # fmt: skip
    assert drawn[0] == drawn[1] != drawn[2]
    off = model.Interventions((model.HeadOff("cross", 1, 0),))
    switched = command("translate", "the cat", "--head-off", "cross:1:0", "--checkpoint", checkpoint)
    assert switched.out.strip() == model.translate(bundle, "the cat", interventions=off).text


def test_a_models_generation_config_selects_the_tokens(command: Command, checkpoint: Path, tmp_path: Path) -> None:
    save(ARCHITECTURES["bart"], tmp_path)
    settings = {"num_beams": 3, "max_new_tokens": 7, "min_new_tokens": 6, "suppress_tokens": [0, 1, 3]}
    settings |= {"guidance_scale": 2.0}
    path = tmp_path / "generation_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | settings))
    bundle, texts = model.load(tmp_path), ("word5 word6 word7", "word9", "word8 word10")
    with pytest.warns(GenerationWarning):
        expected = [model.translate(bundle, text, generation="model").text for text in texts]
    assert expected != [model.translate(bundle, text).text for text in texts]
    many = command("translate", *texts, "--generation", "model", "--checkpoint", tmp_path)
    assert many.out.splitlines() == expected and many.code == 0
    each = command("translate", *texts, "--generation", "model", "--show", "--checkpoint", tmp_path)
    assert [line for line in each.out.splitlines() if line in expected] == expected
    for result in (many, each):
        assert " ".join(result.err.split()).count("sets guidance_scale=2.0, which is not followed") == 1
    refused = command("translate", "the cat", "--generation", "model", "--checkpoint", checkpoint)
    assert refused.code == 1 and "came without a generation_config.json" in " ".join(refused.err.split())


def test_a_truncated_translation_is_marked(command: Command, checkpoint: Path) -> None:
    result = command("translate", "the cat", "--max-length", "1", "--checkpoint", checkpoint)
    assert "cut at 1 tokens: raise --max-length" in result.err


@pytest.mark.nightly
def test_a_translation_stopped_for_repetition_is_marked(command: Command) -> None:
    result = command("translate", "Здравствуйте, меня зовут Анна")
    assert "was cut at 89 tokens: it repeats “de la capitale” again and again" in " ".join(result.err.split())


@pytest.mark.parametrize("ending", ["npz", "json"])
def test_attention_is_written_whole_and_opens_again(
    command: Command, checkpoint: Path, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"maps.{ending}"
    assert command("translate", "the cat is", "--attention", path, "--checkpoint", checkpoint).code == 0
    trace = model.translate(model.load(checkpoint), "the cat is")
    record = read_attention(path)
    assert record.source_tokens == trace.source_tokens and record.target_tokens == trace.target_tokens
    for kind in ("encoder_self", "decoder_self", "cross"):
        written, expected = record.maps.of(kind), trace.attention.of(kind)
        assert written is not None and expected is not None
        np.testing.assert_allclose(written, expected, atol=1e-6)


def test_several_sentences_give_several_files(command: Command, checkpoint: Path, tmp_path: Path) -> None:
    command("translate", "the cat", "the dog", "--attention", tmp_path / "maps.npz", "--checkpoint", checkpoint)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["maps.1.npz", "maps.2.npz"]
    with np.load(tmp_path / "maps.2.npz", allow_pickle=False) as arrays:
        assert "dog" in arrays["source_tokens"]


def test_the_heatmap_shows_the_weights_in_per_cent(command: Command, checkpoint: Path) -> None:
    trace = model.translate(model.load(checkpoint), "the cat is")
    titles: dict[AttentionKind, str] = {"cross": "cross-attention", "decoder_self": "self-attention"}
    for kind, title in titles.items():
        result = command("translate", "the cat is", "--show", f"{kind}:1:0", "--checkpoint", checkpoint)
        assert f"{title}, layer 1, head 0" in result.out and "row: the token predicted" in result.out
        weights = trace.attention.of(kind)
        assert weights is not None
        n_rows = 0
        for token, row, line in zip(trace.target_tokens, weights[1, 0], result.out.splitlines()[4:], strict=False):
            n_rows += 1
            seen = row if kind == "cross" else row[:n_rows]
            assert line.split() == [token, *(f"{weight:.0%}"[:-1] for weight in seen)]
        assert n_rows > 1


EXAMPLES = [
    line.strip().removeprefix("python -m model ")
    for text in (README.read_text("utf-8"), EPILOGUE, FIRST_STEPS)
    for line in text.splitlines()
    if line.strip().startswith("python -m model translate ") and "<" not in line
]


@pytest.mark.nightly(but=("head", "checkpoint reader word.png           a picture of a word, dark on light"))
@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_of_a_translation_runs_as_it_is_written(
    example: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written = (
        (README.parent / "pretrained" / "reader" / "examples.tsv").read_text("utf-8").splitlines()[0].split("\t")[2]
    )
    Image.fromarray(255 - model.Picture.of_text(written).pixels).save("word.png")
    match = re.fullmatch(r"(.*?\S)(?:  +.*)?", example)
    assert match
    result = command(*shlex.split(match[1]))
    assert result.code == 0 and result.out and result.err == ""
    assert ("row: the token predicted" in result.out or "encoder" in result.out) == ("--show" in example)


def test_a_map_wider_than_the_terminal_goes_on_below(command: Command, checkpoint: Path) -> None:
    result = command("translate", "the cat is on the sofa . " * 6, "--show", "encoder_self", "--checkpoint", checkpoint)
    lines = result.out.splitlines()
    assert max(map(len, lines[1:])) <= 100
    assert sum(line.split()[:1] == ["the"] for line in lines) > 12
