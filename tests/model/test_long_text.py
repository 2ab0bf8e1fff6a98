"""Long texts: block means of one pass, and rows of a head computed afterwards, equal the whole weights."""

from typing import Any

import numpy as np
import pytest

import model
from model.inference.long_cost import Speed, estimate_cost, operations
from model.inference.long_text import LongText, long_tokens, read_long, rows_of_head, translate_long
from model.inference.memory import TooLargeError
from model.inference.reading import NO_TOKENS, decoder_input
from model.text.tokens import describe_target
from tests.checkpoint import tiny_bundle

TEXT = " ".join(f"#{3 + i * 7 % 9}" for i in range(300))


@pytest.fixture(scope="module")
def bundle() -> model.Bundle:
    return tiny_bundle(seed=3)


@pytest.fixture(scope="module")
def read(bundle: model.Bundle) -> LongText:
    return _read(bundle)


def _read(bundle: model.Bundle, **options: Any) -> LongText:
    source = long_tokens(bundle, TEXT)
    target = describe_target(bundle, [4 + i % 5 for i in range(280)])
    return read_long(bundle, source, decoder_input(bundle, target), **options)


def test_rows_of_a_head_are_those_of_the_whole_weights(bundle: model.Bundle, read: LongText) -> None:
    whole = model.attend(bundle, [read.source.ids], [read.prefix.ids])
    for kind in ("encoder_self", "decoder_self", "cross"):
        for layer, head, rows in ((0, 1, (0, 40)), (1, 0, (230, 260))):
            result = rows_of_head(bundle, read, kind=kind, layer=layer, head=head, rows=rows)
            expected_rows = getattr(whole, kind)[0, layer, head, slice(*rows)]
            np.testing.assert_allclose(result, expected_rows, rtol=0, atol=1e-6)


def test_blocks_are_the_means_of_the_whole_weights(bundle: model.Bundle, read: LongText) -> None:
    whole = model.attend(bundle, [read.source.ids], [read.prefix.ids])
    for kind in ("encoder_self", "decoder_self", "cross"):
        blocks, weights = read.blocks.of(kind), getattr(whole, kind)[0]
        assert blocks is not None and max(blocks.shape[2:]) <= 48
        n, (rows, columns) = read.block, weights.shape[2:]
        for row in (0, blocks.shape[2] - 1):
            for column in (0, 3, blocks.shape[3] - 1):
                part = weights[:, :, row * n : (row + 1) * n, column * n : (column + 1) * n]
                np.testing.assert_allclose(blocks[:, :, row, column], part.sum(-1).mean(-1), rtol=0, atol=1e-6)
        assert rows <= n * blocks.shape[2] and columns <= n * blocks.shape[3]


def test_interventions_count_in_rows_beyond_the_first(bundle: model.Bundle) -> None:
    edits = model.Interventions(
        (model.HeadAblation("encoder_self", 0, 1), model.HeadAblation("cross", 0, 0)),
        blocked_keys=model.BlockedKey("encoder_self", 5),
    )
    changed = _read(bundle, interventions=edits)
    whole = model.attend(bundle, [changed.source.ids], [changed.prefix.ids], interventions=edits)
    for kind in ("encoder_self", "decoder_self", "cross"):
        rows = rows_of_head(bundle, changed, kind=kind, layer=1, head=1, rows=(100, 130))
        np.testing.assert_allclose(rows, getattr(whole, kind)[0, 1, 1, 100:130], rtol=0, atol=1e-6)
    assert not rows_of_head(bundle, changed, kind="encoder_self", layer=0, head=0, rows=(0, 9))[:, 5].any()


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_one_layer_ends_the_pass_of_a_single_stack_stack(stack: str) -> None:
    absent = "n_decoder_layers" if stack == "encoder" else "n_encoder_layers"
    changes: dict[str, Any] = {absent: 0, "tie_embeddings": True}
    bundle = tiny_bundle(seed=3, **changes)
    tokens, done = long_tokens(bundle, TEXT), []
    pair = (tokens, NO_TOKENS) if stack == "encoder" else (NO_TOKENS, tokens)
    text_read = read_long(bundle, *pair, layers=(0,), on_progress=lambda *of: done.append(of))
    kind = "encoder_self" if stack == "encoder" else "decoder_self"
    blocks = text_read.blocks.of(kind)
    assert done == [(1, 1)] and blocks is not None and blocks.shape[0] == 1
    ids = [tokens.ids]
    whole = getattr(model.attend(bundle, ids, ids if stack == "decoder" else [[]]), kind)
    rows = rows_of_head(bundle, text_read, kind=kind, layer=0, head=1, rows=(200, 240))
    np.testing.assert_allclose(rows, whole[0, 0, 1, 200:240], rtol=0, atol=1e-6)
    with pytest.raises(KeyError):
        rows_of_head(bundle, text_read, kind=kind, layer=1, head=0, rows=(0, 3))


def test_an_exception_of_the_progress_callback_ends_the_pass(bundle: model.Bundle) -> None:
    def stop(done: int, total: int) -> None:
        assert (done, total) == (1, 4)
        raise InterruptedError

    with pytest.raises(InterruptedError):
        _read(bundle, on_progress=stop)


def test_a_long_translation_is_the_usual_one(bundle: model.Bundle) -> None:
    text, seen = "the cat sat on the mat", []
    source = long_tokens(bundle, text)
    ids = translate_long(bundle, source, text=text, max_length=12, on_progress=lambda *of: seen.append(of))
    assert ids == model.translate(bundle, text, max_length=12).target.ids
    assert seen[0] == (1, 12) and len(seen) == len(ids)


def test_texts_too_large_for_memory_are_refused(bundle: model.Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_COMPUTATION_MB", "1")
    with pytest.raises(TooLargeError, match="look at one layer"):
        _read(bundle)


def test_the_expected_time_grows_with_the_text_and_the_layers(bundle: model.Bundle) -> None:
    pace = Speed(of_token=1e-3, of_pair=1e-6)
    whole, one = (estimate_cost(bundle, 2000, 100, pace, layers) for layers in (None, (0,)))
    assert whole.seconds == pytest.approx(2 * (2 + 4) + 2 * (0.1 + 0.21), rel=1e-6)
    assert one.seconds < whole.seconds and one.n_bytes < whole.n_bytes
    assert operations(bundle, 2000, 0) > 2 * operations(bundle, 1000, 0)
