"""Models of ``transformers`` that read pictures or sound show the library's own numbers, from the file to the text."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

import model
from model.checkpoints.sandbox.results import open_model, write_result
from tests.checkpoints import senses
from tests.checkpoints.senses import SENSES, TARGET, raw_input, source

ALL = pytest.mark.parametrize("name", SENSES)


def attend(bundle: model.Bundle, *tokens: Any, **options: Any) -> Any:
    return model.attend(bundle, [token.ids for token in tokens], TARGET.repeat(len(tokens), 1).numpy(), **options)


def assert_equal(result: Any, expected: dict[str, Any]) -> None:
    apart = {kind: float(np.abs(getattr(result, kind) - reference).max()) for kind, reference in expected.items()}
    assert max(apart.values()) <= 1e-5, apart


@pytest.mark.nightly("2", "trocr, BEiT", "vit to RoBERTa")
@ALL
def test_attention_and_logits_equal_the_librarys(name: str, tmp_path: Path) -> None:
    sense = SENSES[name]
    original = senses.save(sense, tmp_path / "given")
    expected = senses.run_original(
        original, sense, senses.made_by_the_library(tmp_path / "given", sense, raw_input(sense))
    )
    bundle = model.load(tmp_path / "given")
    assert bundle.source_tokenizer is None and bundle.target_tokenizer is not None and bundle.grid is not None
    tokens, text = bundle.grid.tokens(source(sense))
    plain = attend(bundle, tokens)
    assert_equal(plain, expected)
    assert_equal(attend(bundle, tokens, cached=True), expected)
    again = bundle.grid.tokens(text)
    assert again == (tokens, text)  # what is read is read again as it is
    kinds = [kind for kind in senses.KINDS["both"] if getattr(plain, kind) is not None]
    assert tuple(kinds) == sense.kinds
    for kind in kinds:  # a head that is off keeps its map, and what follows changes
        off = attend(bundle, tokens, interventions=model.Interventions(heads_off=(model.HeadOff(kind, 0, 1),)))
        np.testing.assert_array_equal(getattr(off, kind)[:, 0], getattr(plain, kind)[:, 0])
        assert np.abs(off.logits - plain.logits).max() > 1e-6
        forced = model.ForcedRow(kind, 0, 1, 2, (0.25, 0.75))
        row = getattr(attend(bundle, tokens, interventions=model.Interventions(forced_rows=(forced,))), kind)
        np.testing.assert_allclose(row[0, 0, 1, 2, :2], (0.25, 0.75), atol=1e-6)
    blocked = model.Interventions(blocked_keys=(model.BlockedKey("cross", 3),))
    maps = attend(bundle, tokens, interventions=blocked)
    assert (maps.cross[..., 3] == 0).all() and np.abs(maps.logits - plain.logits).max() > 1e-6
    write_result(bundle, tmp_path / "given", tmp_path / "result")
    assert_equal(attend(open_model(tmp_path / "result", name), tokens), expected)


@pytest.mark.nightly("2", "trocr", "whisper", "trocr, BEiT", "swin to BERT")
@ALL
def test_greedy_reading_equals_the_librarys_generation(name: str, tmp_path: Path) -> None:
    sense = SENSES[name]
    original = senses.save(sense, tmp_path)
    inputs = senses.made_by_the_library(tmp_path, sense, raw_input(sense))
    options: dict[str, Any] = inputs | {
        "do_sample": False,
        "num_beams": 1,
        "max_new_tokens": 8,
        "forced_eos_token_id": None,
    }
    expected = transformers.GenerationMixin.generate(original, **options)[0].tolist()
    assert len(set(expected)) > 1
    bundle = model.load(tmp_path)
    trace = model.translate(bundle, source(sense), max_length=8, stop_loops=False)
    assert [*trace.prefix.ids, trace.target.ids[-1]] == expected
    assert bundle.target_tokenizer is not None and trace.text == bundle.target_tokenizer.decode(expected)
    assert trace.attention.kinds == sense.kinds
    saved = trace.save(tmp_path / "trace.npz")
    assert model.Trace.load(saved) == trace
    assert model.translate(bundle, trace.source_text, max_length=8, stop_loops=False) == trace


@pytest.mark.nightly("trocr", "whisper")
@pytest.mark.parametrize("name", ["trocr", "whisper", "speech_to_text"])
def test_sources_in_a_batch_equal_each_source_alone(name: str, tmp_path: Path) -> None:
    sense = SENSES[name]
    senses.save(sense, tmp_path)
    bundle: Any = model.load(tmp_path)
    both = [bundle.grid.tokens(source(sense, seed, seconds))[0] for seed, seconds in ((0, 0.7), (1, 0.43))]
    off = [model.Interventions(heads_off=(model.HeadOff("cross", 0, seed),)) for seed in range(2)]
    together = attend(bundle, *both, interventions=off)
    for index, tokens in enumerate(both):
        alone, n = attend(bundle, tokens, interventions=off[index]), len(tokens)
        np.testing.assert_allclose(together.cross[index, ..., :n], alone.cross[0], atol=1e-6)
        np.testing.assert_allclose(together.encoder_self[index, ..., :n, :n], alone.encoder_self[0], atol=1e-6)
        np.testing.assert_allclose(together.logits[index], alone.logits[0], atol=1e-5)
        assert not together.cross[index, ..., n:].any()


def test_the_patches_lie_on_the_picture_row_by_row(tmp_path: Path) -> None:
    senses.save(SENSES["trocr"], tmp_path)
    bundle: Any = model.load(tmp_path)
    painted = np.zeros((24, 40, 3), np.uint8)
    painted[8:16, 32:40] = (10, 20, 30)
    tokens, text = bundle.grid.tokens(model.Picture.of(painted))
    assert len(tokens) == 1 + 3 * 5 and tokens.words[:2] == (-1, 0)
    assert tokens.pieces[:3] == ("[CLS]", "1·1", "1·2") and tokens.pieces[10] == "2·5"
    assert tokens.ids[10] == (10, 20, 30) * 64 and not np.any([*tokens.ids[:10], *tokens.ids[11:]])
    drawn = bundle.grid.drawn(text)
    assert (drawn.rows, drawn.columns, drawn.before) == (3, 5, 1)
    np.testing.assert_array_equal(drawn.picture.coloured, painted)


def test_the_default_processor_settings_are_reported(tmp_path: Path) -> None:
    senses.save(SENSES["trocr"], tmp_path)
    (tmp_path / "preprocessor_config.json").unlink()
    bundle = model.load(tmp_path)
    assert bundle.report is not None and bundle.report.assumed == ("preprocessor_config.json = default",)
    assert len(model.translate(bundle, source(SENSES["trocr"]), max_length=2).source) == 16


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"image_processor_type": "ViTImageProcessor", "size": 16}, "makes pictures of 16 × 16 pixels"),
     ({"image_processor_type": "OsSystem"}, "names 'OsSystem': supported are"),
     ({"image_processor_type": "ViTImageProcessor", "size": {"height": 10**6, "width": 10**6}}, "at most 4096"),
     ({"image_processor_type": "ViTImageProcessor", "image_std": [0, 1, 1]}, "must not be 0")],
)  # fmt: skip
def test_settings_that_do_not_fit_are_refused_in_a_sentence(
    settings: dict[str, Any], message: str, tmp_path: Path
) -> None:
    senses.save(dataclasses.replace(SENSES["trocr"], processor=settings), tmp_path)
    with pytest.raises(model.CheckpointError, match=message):
        model.load(tmp_path)


def test_texts_pictures_and_sounds_are_distinguished(tmp_path: Path) -> None:
    for name in ("trocr", "whisper"):
        senses.save(SENSES[name], tmp_path / name)
    sees, hears = (model.load(tmp_path / name) for name in ("trocr", "whisper"))
    heard, seen = source(SENSES["whisper"]), source(SENSES["trocr"])
    for bundle, wrong, message in (
        (sees, "hello", "reads pictures"), (sees, heard, "reads pictures"), (hears, "hello", "reads sound"),
        (hears, seen, "reads sound"), (hears, source(SENSES["whisper"], seconds=1.5), "lasts 1.5 s and .* reads 1 s"),
    ):  # fmt: skip
        with pytest.raises(model.TextError, match=message):
            model.translate(bundle, wrong)
    with pytest.raises(model.TextError, match=r"this is a sound, and .* reads text"):
        model.translate(model.load("en-fr"), heard)


def test_an_encoder_that_was_not_compared_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(
        '{"model_type": "vision-encoder-decoder", "encoder": {"model_type": "dinov2"}, '
        '"decoder": {"model_type": "gpt2"}}'
    )
    with pytest.raises(model.CheckpointError, match="whose encoder is dinov2 cannot be shown"):
        model.load(tmp_path)


def test_the_pooler_that_many_files_leave_out_is_not_missed(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    original = senses.save(SENSES["trocr"], tmp_path)
    path = tmp_path / "model.safetensors"
    retained = {name: tensor for name, tensor in load_file(path).items() if "pooler" not in name}
    save_file(retained, path, metadata={"format": "pt"})
    bundle: Any = model.load(tmp_path)
    inputs = senses.made_by_the_library(tmp_path, SENSES["trocr"], senses.picture())
    maps = attend(bundle, bundle.grid.tokens(source(SENSES["trocr"]))[0])
    assert_equal(maps, senses.run_original(original, SENSES["trocr"], inputs))
    assert torch.is_tensor(inputs["pixel_values"])


def test_the_command_line_reads_the_file_of_a_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from model.cli.main import main

    senses.save(SENSES["whisper"], tmp_path / "tiny")
    path = tmp_path / "word.wav"
    path.write_bytes(senses.wav_file(senses.sound()))
    assert main(["translate", "--checkpoint", str(tmp_path / "tiny"), str(path)]) == 0
    bundle = model.load(tmp_path / "tiny")
    assert capsys.readouterr().out.splitlines() == [model.translate(bundle, model.Sound.open(path)).text]
