"""The packet of data that the explorer in the browser receives: tokens, shapes, bytes, state."""

import base64
import dataclasses
import gzip
import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from model import Picture, PictureSource, TokenSequence, load, translate
from viz.components.attention import AttentionView, Axis, ViewError, ViewState, pack, standalone
from viz.components.attention.axis import readable
from viz.components.attention.pack import WHOLE_BYTES, mount, quantise
from viz.i18n import LANGUAGES, group, speaking

HOSTILE = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\u202eabc", "x" * 5000, "\ud800")


def weights(layers: int, heads: int, queries: int, keys: int, *, seed: int = 0) -> NDArray[np.float32]:
    raised = np.random.default_rng(seed).gamma(0.3, size=(layers, heads, queries, keys)) + 1e-9
    return (raised / raised.sum(-1, keepdims=True)).astype(np.float32)


def unpack(packet: bytes) -> tuple[dict[str, Any], bytes]:
    """Unpack the header and the arrays of a packet, as the browser does."""
    length = int.from_bytes(packet[:4], "little")
    assert (4 + length) % 4 == 0
    return json.loads(packet[4 : 4 + length]), packet[4 + length :]


def view(n_source: int = 4, n_target: int = 3, **changes: Any) -> AttentionView:
    fields: dict[str, Any] = {
        "encoder_self": weights(2, 3, n_source, n_source),
        "cross": weights(1, 2, n_target, n_source),
        "source_tokens": [f"▁s{i}" for i in range(n_source)],
        "target_tokens": [f"▁t{i}" for i in range(n_target)],
    }
    return AttentionView.from_arrays(**fields | changes)


def test_small_views_travel_as_the_float32_they_are() -> None:
    small_view = view()
    header, arrays = unpack(pack(small_view, strings={}))
    for entry in header["views"][0]["kinds"]:
        original = small_view.attention.of(entry["name"])
        assert original is not None
        decoded = np.frombuffer(arrays, np.float32, original.size, entry["offset"])
        np.testing.assert_array_equal(decoded.reshape(original.shape), original)


def test_large_views_travel_as_one_byte_a_weight() -> None:
    large_view = view(300, 3)
    packet = pack(large_view, strings={})
    header, arrays = unpack(packet)
    entry = header["views"][0]["kinds"][0]
    original = large_view.attention.of(entry["name"])
    assert original is not None
    n_heads = original.shape[0] * original.shape[1]
    maxima = np.frombuffer(arrays, np.float32, n_heads, entry["offset"])
    roots = np.frombuffer(arrays, np.uint8, original.size, entry["offset"] + 4 * n_heads)
    dequantised = maxima[:, None] * (roots.reshape(n_heads, -1) / 255) ** 2
    assert np.abs(dequantised.reshape(original.shape) - original).max() < 0.004
    assert len(packet) < original.size + 60_000


@given(st.integers(0, 2**32 - 1), st.integers(2, 40))
def test_quantising_keeps_every_weight_within_half_a_step_of_its_root(seed: int, n: int) -> None:
    original = weights(1, 2, n, n, seed=seed)
    roots, maxima = quantise(original)
    dequantised = maxima[..., None, None] * (roots / 255) ** 2
    step = np.sqrt(original * maxima[..., None, None]) / 255 + maxima[..., None, None] / (4 * 255**2)
    assert (np.abs(dequantised - original) <= step * 1.001 + 1e-7).all()


def test_a_weight_of_one_in_five_hundred_does_not_round_to_nothing() -> None:
    even = np.full((1, 1, 512, 512), 1 / 512, dtype=np.float32)
    even[0, 0, 0] = 0
    even[0, 0, 0, 0] = 1
    roots, maxima = quantise(even)
    assert float(maxima[0, 0] * (roots[0, 0, 5, 5] / 255) ** 2) == pytest.approx(1 / 512, rel=0.1)


def test_exact_weights_of_chosen_heads_travel_beside_the_packet() -> None:
    large_view = view(300, 3)
    packet = pack(large_view, strings={})
    heads = [(0, large_view, (1, 2)), (0, large_view, (9, 9))]
    header, arrays = unpack(mount(packet, fields={"revision": 3}, exact=heads, kind="encoder_self"))
    assert header["revision"] == 3
    assert [(entry["layer"], entry["head"]) for entry in header["exact"]] == [(1, 2)]
    original = large_view.attention.of("encoder_self")
    assert original is not None
    exact = np.frombuffer(arrays, np.float32, count=300 * 300).reshape(300, 300)
    np.testing.assert_array_equal(exact, original[1, 2])
    offset, length = header["packet"]
    assert arrays[offset : offset + length] == packet


def test_heads_that_are_not_numbers_are_named() -> None:
    broken = weights(2, 3, 4, 4)
    broken[1, 2, 0, 0] = np.nan
    header, _ = unpack(pack(view(encoder_self=broken), strings={}))
    assert header["views"][0]["kinds"][0]["invalid"] == [5]


def test_metrics_without_a_value_travel_as_null() -> None:
    header, _ = unpack(pack(view(1, 1), strings={}))
    assert header["views"][0]["metrics"]["cross"]["diagonality"] == [[None, None]]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"source_tokens": ["a"]}, "maps of 4 × 4 for 1 query and 1 key tokens"),
        ({"encoder_self": None, "cross": None}, "there is no attention to show"),
        ({"encoder_self": weights(1, 1, 4, 4)[0]}, "must be (layer, head, query, key)"),
    ],
)
def test_inconsistent_views_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        view(**changes)


def test_effects_must_have_one_number_for_each_head() -> None:
    plain = view()
    with pytest.raises(ViewError, match=r"numbers for \(5, 5\) heads of cross"):
        AttentionView(
            attention=plain.attention, source=plain.source, fed=plain.fed, predicted=plain.predicted,
            effects={"cross": np.zeros((5, 5), np.float32)},
        )  # fmt: skip


@pytest.mark.parametrize(
    ("piece", "displayed"),
    [("▁chat", "chat"), ("Ġcat", "cat"), ("##ing", "ing"), ("▁", "␣"), ("Ċ", "↵"), ("ĠĊĊ", "↵↵"),
     ("a\nb", "a␊b"), ("\u202ea", "⟨202E⟩a"),
     ("👩‍👧", "👩‍👧"), ("", "␣")],
)  # fmt: skip
def test_pieces_are_shown_without_marks_and_without_invisible_characters(piece: str, displayed: str) -> None:
    assert readable(piece) == displayed


def test_a_very_long_piece_is_truncated_with_its_length() -> None:
    assert readable("x" * 5000).endswith("… (5000)")
    assert len(readable("x" * 5000)) < 200


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (["▁The", "▁sleep", "ing", ".", "</s>"], (0, 1, 1, 2, -1)),
        (["[CLS]", "play", "##ing", "now", "[SEP]"], (-1, 0, 0, 1, -1)),
        (["The", "Ġcat", "s"], (0, 1, 1)),
        (["a", "b"], (0, 1)),
    ],
)
def test_words_are_read_off_the_marks_of_the_tokenizer(pieces: list[str], words: tuple[int, ...]) -> None:
    assert Axis.from_pieces(pieces).words == words


def test_directions_and_scripts_are_recognised() -> None:
    assert Axis.from_pieces(["▁القطة", "▁تنام", "</s>"]).direction == "rtl"
    assert Axis.from_pieces(["▁今天", "天气", "</s>"]).is_ideographic
    assert not Axis.from_pieces(["▁Le", "▁chat"]).is_ideographic


def test_the_begin_and_the_end_are_different_sinks() -> None:
    assert Axis.from_pieces(["<s>", "▁a", ".", "</s>"]).sinks == ("begin", "", "punctuation", "end")


def test_a_state_survives_the_way_through_json() -> None:
    state = ViewState(
        kind="encoder_self", layer=1, head=2, heads=("0.0",), pins=("q3", "k1"), zoom=("0", "1", "2", "3.5"),
        sink_kinds=("begin",), threshold=0.12, weighting="rollout",
    )  # fmt: skip
    assert ViewState.parse(json.loads(json.dumps(state.to_mapping()))) == state


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(list(ViewState().to_mapping())), json_values) | json_values)
def test_whatever_a_browser_sends_becomes_a_state_that_the_view_can_show(message: object) -> None:
    small_view = view()
    state = small_view.nearest(ViewState.parse(message))
    n_layers, n_heads = small_view.shape(state.kind)
    assert all(layer < n_layers and head < n_heads for layer, head in state.all_heads)
    assert ViewState.parse(state.to_mapping()) == state
    assert 0 <= state.threshold <= 1


def test_a_missing_kind_is_replaced_by_an_existing_one() -> None:
    assert view().nearest(ViewState(kind="decoder_self", layer=9, head=9)).kind == "cross"


def test_weights_and_rows_that_a_view_lacks_are_replaced_by_its_defaults() -> None:
    requested = ViewState(weighting="gradient", rows="fed")
    raw_view = view(prefix_tokens=["<s>", "a", "b"])
    assert (raw_view.nearest(requested).weighting, raw_view.nearest(requested).rows) == ("raw", "fed")
    assert view().nearest(requested).rows == "predicted", "there each row has one name"
    view_of_two = dataclasses.replace(raw_view, weightings=("raw", "gradient"))
    assert view_of_two.nearest(requested).weighting == "gradient", "the page computes what can be computed"
    rollout_view = dataclasses.replace(raw_view, weighting="rollout", weightings=("rollout",))
    assert rollout_view.nearest(ViewState()).weighting == "rollout"


@pytest.mark.parametrize("token", HOSTILE)
def test_no_token_can_end_the_script_of_an_exported_page(token: str) -> None:
    tokens = [token, "b", "c", "d"]
    page = standalone(pack(view(source_tokens=tokens), strings={}))
    assert page.count("</script") == 1
    assert "alert(1)" not in page
    packed = re.search(r"'([A-Za-z0-9+/=]{200,})'", page)
    assert packed is not None
    header, _ = unpack(gzip.decompress(base64.b64decode(packed[1])))
    assert header["views"][0]["axes"][0]["texts"][0] == readable(token).encode("utf-8", "replace").decode()


def test_exact_weights_of_forty_tokens_with_all_heads_fit_into_a_megabyte_of_html() -> None:
    view_of_forty = AttentionView.from_arrays(
        encoder_self=weights(4, 8, 40, 40), decoder_self=weights(4, 8, 40, 40), cross=weights(4, 8, 40, 40),
        source_tokens=[f"▁s{i}" for i in range(40)], target_tokens=[f"▁t{i}" for i in range(40)],
    )  # fmt: skip
    with speaking("zh"):
        page = standalone(pack(view_of_forty, strings=group("attention"), exact=True))
    assert len(page.encode()) <= 1 << 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_that_the_scripts_use_is_in_the_catalogue(language: str) -> None:
    from viz.components.attention import SOURCE

    with speaking(language):
        strings = group("attention")
    keys = set(re.findall(r"strings\.(\w+)", SOURCE.javascript))
    assert keys <= set(strings)
    assert all(strings.values())


def test_a_sentence_of_twelve_words_is_a_packet_of_a_few_tens_of_kilobytes() -> None:
    trace = translate(load(), "My little sister was quietly reading on a bench near the river.")
    packet = pack(AttentionView.of(trace), strings={}, options={"isMounted": True})
    assert len(packet) < 40_000


@pytest.mark.nightly
def test_many_large_heads_travel_as_blocks_where_the_browser_can_ask_for_more() -> None:
    large_view = view(520, 500, encoder_self=weights(4, 3, 520, 520), cross=weights(2, 3, 500, 520))
    full_packet = pack(large_view, strings={})
    packet = pack(large_view, strings={}, can_ask=True)
    assert len(packet) < 200_000 < WHOLE_BYTES < len(full_packet)
    header, arrays = unpack(packet)
    for entry in header["views"][0]["kinds"]:
        original = large_view.attention.of(entry["name"])
        assert original is not None
        n_layers, n_heads, n_rows, n_columns = original.shape
        assert (entry["rows"], entry["columns"]) == (n_rows, n_columns)
        block, blocks = entry["sketch"]["block"], entry["sketch"]["blocks"]
        assert blocks == [-(-n_rows // block), -(-n_columns // block)] and max(blocks) <= 48
        count = n_layers * n_heads
        maxima = np.frombuffer(arrays, np.float32, count, entry["offset"])
        roots = np.frombuffer(arrays, np.uint8, count * blocks[0] * blocks[1], entry["offset"] + 4 * count)
        dequantised = (maxima[:, None] * (roots.reshape(count, -1) / 255) ** 2).reshape(n_layers, n_heads, *blocks)
        # The second block of rows and the last block of columns.
        block_weights = original[1, 2, block : 2 * block, -(n_columns % block or block) :]
        np.testing.assert_allclose(dequantised[1, 2, 1, -1], block_weights.sum(-1).mean(), rtol=0, atol=0.005)
        np.testing.assert_allclose(dequantised.sum(-1), 1, atol=0.05)
    small_packet = pack(view(30, 30), strings={}, can_ask=True)
    assert "sketch" not in unpack(small_packet)[0]["views"][0]["kinds"][0]


@pytest.mark.parametrize("strip", [3, 4, 6])
def test_a_picture_is_sent_with_the_width_of_its_strips(strip: int) -> None:
    source = PictureSource(strip=strip)
    picture = Picture.drawn([[(0, 0), (20, 40), (40, 0)]], source)
    ids: Any = picture.strips(source)
    n = len(ids)
    tokens = TokenSequence(ids, tuple(map(str, range(n))), tuple(range(n)), (None,) * n)
    axis = Axis.of(tokens, picture=picture.text)
    header, _ = unpack(pack(dataclasses.replace(view(n), source=axis), strings={}))
    drawn = [each for each in header["views"][0]["axes"] if "picture" in each]
    assert [each["strip"] for each in drawn] == [strip] and n * strip == source.width
