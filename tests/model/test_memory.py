"""Attention that would need too much memory is refused because of its shapes, before anything is computed."""

import dataclasses

import numpy as np
import pytest
import torch

import model
from model.inference import memory
from model.inference.memory import TooLargeError
from model.inference.teacher_forcing import teacher_forced
from model.inference.translation import translate_texts
from model.nn.transformer import Transformer
from tests.tiny import tiny_model

MIB = 1 << 20


def bundle_of(network: Transformer) -> model.Bundle:
    return model.Bundle("wide", network, network.config, None, None)


@pytest.fixture(scope="module")
def many_heads() -> model.Bundle:
    """128 + 128 layers with 64 heads: 192 tokens would take over ten gigabytes. The model has shapes but no numbers."""
    config = dataclasses.replace(
        tiny_model().config, n_encoder_layers=128, n_decoder_layers=128, n_encoder_heads=64, n_decoder_heads=64,
        d_model=64, d_feed_forward=4, max_positions=512,
    )  # fmt: skip
    with torch.device("meta"):
        return bundle_of(Transformer(config))


IDS = [3] * 192


@pytest.mark.nightly("translate")
@pytest.mark.parametrize(
    "ask",
    [
        lambda bundle: model.translate(bundle, IDS),
        lambda bundle: model.translate(bundle, IDS, method="beam", beam_size=4),
        lambda bundle: model.score(bundle, IDS, IDS),
        lambda bundle: model.attend(bundle, [IDS], [IDS]),
        lambda bundle: model.attend(bundle, np.full((64, 24), 3), np.full((64, 24), 3)),
        lambda bundle: teacher_forced(bundle, [(IDS, IDS)], capture=True),
    ],
    ids=["translate", "beam", "score", "attend", "a batch", "explaining"],
)
def test_too_many_heads_for_a_long_sentence_are_refused_with_the_number(ask, many_heads: model.Bundle) -> None:
    with pytest.raises(
        TooLargeError, match=r"about [\d,]+ MiB of memory, but one computation may use 4,096 MiB.*REGARD_COMPUTATION_MB"
    ):
        ask(many_heads)


def test_the_estimate_is_near_the_memory_used(many_heads: model.Bundle) -> None:
    assert 10 < memory.forced_bytes(many_heads.config, n_source=192, n_target=192) / 2**30 < 13


def test_the_limit_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = bundle_of(tiny_model())
    monkeypatch.setenv("REGARD_COMPUTATION_MB", "1")
    assert model.translate(bundle, [3, 4, 5]).attention.cross is not None
    with pytest.raises(TooLargeError, match="may use 1 MiB"):
        model.attend(bundle, np.full((40, 60), 3), np.full((40, 60), 3))
    with pytest.raises(TooLargeError, match="texts"):
        list(translate_texts(bundle, [[3] * 60] * 64))


def test_a_smaller_beam_is_proposed_only_where_there_is_one(many_heads: model.Bundle) -> None:
    with pytest.raises(TooLargeError, match=r"a smaller max_length, or raise"):
        model.translate(many_heads, IDS)
    with pytest.raises(TooLargeError, match=r"beam 4, would .*a smaller max_length or a smaller beam, or raise"):
        model.translate(many_heads, IDS, method="beam", beam_size=4)


def test_each_of_beam_batch_and_length_counts() -> None:
    config = tiny_model().config
    alone = memory.decoding_bytes(config, n_source=20, n_target=40)
    assert memory.decoding_bytes(config, n_source=20, n_target=40, beam=8) > 2 * alone
    assert memory.decoding_bytes(config, n_source=20, n_target=40, batch=8) == 8 * alone
    assert memory.decoding_bytes(config, n_source=40, n_target=80) > 3 * alone


def test_texts_that_are_too_large_together_are_read_in_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = bundle_of(tiny_model())
    texts = [[3, 4, 5, 6 + index % 3] for index in range(8)] + [[3] * 40]
    alone = model.translate(bundle, texts[0])
    one = memory.decoding_bytes(bundle.config, n_source=4, n_target=24)
    monkeypatch.setenv(memory.VARIABLE, "1")
    monkeypatch.setattr(memory, "_MIB", 2 * one)
    result = model.translate(bundle, texts)
    assert isinstance(result[-1], TooLargeError) and len(result) == 9
    assert all(isinstance(trace, model.Trace) for trace in result[:-1])
    assert isinstance(result[0], model.Trace) and result[0].target.ids == alone.target.ids
