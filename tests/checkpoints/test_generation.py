"""``generation="model"`` writes what ``generate`` of the library writes with the same generation_config.json."""

import json
import warnings
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
import torch
import transformers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import model
from model.checkpoints.sandbox.results import open_model, write_result
from model.decoding.generation import GenerationError, GenerationWarning, generation_of
from model.decoding.step import DecodingError
from tests.checkpoints.architectures import ARCHITECTURES, save

KINDS = {"marian": "marian", "bart": "bart", "mbart": "mbart", "m2m_100": "m2m_100, nllb", "t5": "t5", "gpt2": "gpt2",
         "llama": "llama", "qwen": "qwen2", "gemma": "gemma"}  # fmt: skip
SOURCE = [5, 6, 7, 6, 7, 8, 2]


@cache
def folder_of(kind: str) -> tuple[Path, Any]:
    """A tiny model of a kind, and the library's own reading of it."""
    folder = Path(mkdtemp())
    network = save(ARCHITECTURES[KINDS[kind]], folder)
    for path in folder.glob("token*"):
        path.unlink()
    return folder, network


def load_both(kind: str, fields: dict[str, Any]) -> tuple[model.Bundle, Any]:
    """Both readings of the model with a generation_config.json of these settings."""
    folder, network = folder_of(kind)
    usual = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
    if network.config.is_encoder_decoder:
        usual["decoder_start_token_id"] = 2
    (folder / "generation_config.json").write_text(json.dumps(usual | fields))
    network.generation_config = transformers.GenerationConfig.from_pretrained(folder)
    return model.load(folder), network


def generate_by_library(network: Any, ids: list[int]) -> list[int]:
    """``generate``'s ids with the decoder's prompt, up to the end of the text."""
    prompt = torch.tensor([ids])
    has_cache = network.config.model_type != "t5"  # the library's of T5 fails for unequal depths
    written = network.generate(prompt, attention_mask=torch.ones_like(prompt), use_cache=has_cache)[0].tolist()
    ends = network.generation_config.eos_token_id
    ends = ends if isinstance(ends, list) else [ends]
    n_prompt = 1 if network.config.is_encoder_decoder else len(ids)
    stop = next((place + 1 for place in range(n_prompt, len(written)) if written[place] in ends), len(written))
    return written[:stop]


def generate(bundle: model.Bundle, ids: list[int]) -> list[int]:
    trace = model.translate(bundle, ids, generation="model")
    return [*trace.prefix.ids, trace.target.ids[-1]]


token = st.integers(3, 47)
SETTINGS = st.fixed_dictionaries(
    {"num_beams": st.sampled_from((1, 4))},
    optional={
        "length_penalty": st.sampled_from((-0.5, 0.0, 0.6, 1.0, 2.0)),
        "early_stopping": st.sampled_from((True, False, "never")),
        "max_length": st.integers(10, 16), "max_new_tokens": st.integers(2, 9), "min_length": st.integers(0, 12),
        "min_new_tokens": st.integers(0, 5), "no_repeat_ngram_size": st.integers(0, 3),
        "encoder_no_repeat_ngram_size": st.integers(0, 3), "repetition_penalty": st.sampled_from((0.8, 1.2, 1.5)),
        "forced_eos_token_id": st.just(2), "forced_bos_token_id": token,
        "suppress_tokens": st.lists(token, max_size=30), "begin_suppress_tokens": st.lists(token, max_size=30),
        "bad_words_ids": st.lists(st.lists(token, min_size=1, max_size=2), min_size=1, max_size=6),
        "eos_token_id": st.lists(st.integers(2, 20), min_size=1, max_size=6, unique=True),
        "decoder_start_token_id": token, "renormalize_logits": st.booleans(),
    },
)  # fmt: skip


def agree(kind: str, drawn: dict[str, Any]) -> None:
    if "bad_words_ids" in drawn and [2] not in drawn["bad_words_ids"]:
        drawn["bad_words_ids"] += [[1]]
    forced = {drawn.get("forced_bos_token_id"), 2}  # the library refuses to force what it suppresses
    drawn |= {name: [item for item in drawn[name] if item not in forced]
              for name in ("suppress_tokens", "begin_suppress_tokens") if name in drawn}  # fmt: skip
    bundle, network = load_both(kind, drawn)
    if not network.config.is_encoder_decoder:
        drawn.pop("forced_bos_token_id", None)
        bundle, network = load_both(kind, drawn)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = generate_by_library(network, SOURCE)
    assert generate(bundle, SOURCE) == expected


@pytest.mark.nightly(but=("t5", "llama"))
@pytest.mark.parametrize("kind", KINDS)
def test_translations_equal_generate(kind: str) -> None:
    @settings(max_examples=6, deadline=None, derandomize=True, database=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(SETTINGS)
    def check(drawn: dict[str, Any]) -> None:
        agree(kind, dict(drawn))

    check()


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_translations_equal_generate_over_many_settings(kind: str) -> None:
    @settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
    @given(SETTINGS)
    def check(drawn: dict[str, Any]) -> None:
        agree(kind, dict(drawn))

    check()


@pytest.mark.nightly(but=("t5",))
@pytest.mark.parametrize(("kind", "only"), [
    *((kind, {"forced_bos_token_id": 9}) for kind in ("bart", "mbart", "m2m_100")),
    ("t5", {"decoder_start_token_id": 9}), *((kind, {}) for kind in ("llama", "qwen", "gemma")),
])  # fmt: skip
def test_settings_of_generation_config_alone_are_followed(kind: str, only: dict[str, Any]) -> None:
    """First tokens, and of a decoder several ends; its config.json has none of them."""
    _, network = load_both(kind, {"max_new_tokens": 8})
    free = generate_by_library(network, SOURCE)
    if not only:
        only = {"eos_token_id": [2, free[len(SOURCE) + 2]]}
    bundle, network = load_both(kind, {"max_new_tokens": 8} | only)
    expected = generate_by_library(network, SOURCE)
    assert expected != free and generate(bundle, SOURCE) == expected
    trace = model.translate(bundle, SOURCE, max_length=8, stop_loops=False)  # without being asked for, too
    assert [*trace.prefix.ids, trace.target.ids[-1]][: len(expected)] == expected


@pytest.mark.parametrize("num_beams", [1, 4])
def test_a_first_token_that_is_forced_may_be_the_end(num_beams: int) -> None:
    agree("marian", {"num_beams": num_beams, "forced_bos_token_id": 18, "eos_token_id": [16, 18, 2]})


STRICT = {"num_beams": 4, "min_new_tokens": 3, "no_repeat_ngram_size": 2, "forced_bos_token_id": 9, "max_new_tokens": 8,
          "eos_token_id": [2, 7]}  # fmt: skip


@pytest.mark.parametrize("kind", ["m2m_100", "blenderbot-small"])
def test_the_settings_come_along_with_an_upload_a_copy_and_a_model_in_memory(kind: str, tmp_path: Path) -> None:
    KINDS.setdefault(kind, kind)
    bundle, network = load_both(kind, STRICT)
    expected = generate_by_library(network, SOURCE)
    assert expected[1] == 9 and generate(bundle, SOURCE) == expected
    write_result(bundle, tmp_path, tmp_path / "result")
    assert generate(open_model(tmp_path / "result", kind), SOURCE) == expected
    assert generate(model.load(network), SOURCE) == expected
    if kind == "m2m_100":
        assert generate(model.load(model.save(bundle, tmp_path / "own")), SOURCE) == expected


def test_start_and_end_tokens_count_without_a_question_and_the_rest_is_listed() -> None:
    bundle, _ = load_both("bart", STRICT | {"decoder_start_token_id": 5, "guidance_scale": 2.0})
    trace = model.translate(bundle, SOURCE, max_length=20)
    assert trace.prefix.ids[:2] == (5, 9) and bundle.config.end_ids == (2, 7)
    assert bundle.report is not None and bundle.report.not_followed == ("guidance_scale=2.0",)
    assert bundle.report.left_to_choose[:2] == ("num_beams=4", "max_new_tokens=8")
    with pytest.warns(GenerationWarning, match=r"sets guidance_scale=2\.0, which is not followed"):
        model.translate(bundle, SOURCE, generation="model")


def test_a_missing_file_and_wrong_values_are_reported() -> None:
    with pytest.raises(DecodingError, match="came without a generation_config"):
        model.translate(model.load("tiny"), "A cat.", generation="model")
    for wrong in ({"num_beams": "4"}, {"suppress_tokens": [1.5]}, {"bad_words_ids": 3}, {"do_sample": 1},
                  {"temperature": float("nan")}):  # fmt: skip
        with pytest.raises(GenerationError, match=f"{next(iter(wrong))}.* of a generation_config.json must be"):
            generation_of(wrong)
