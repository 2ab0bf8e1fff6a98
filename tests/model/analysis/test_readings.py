"""Words, sinks, rollout, alignment and differences: what is done to weights before they are shown."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.analysis import (
    CompareError,
    align,
    difference,
    match_tokens,
    merge_attention,
    merge_maps,
    moved,
    remove_sinks,
    rollout,
    sinks_of,
    words_of,
)
from model.trace import AttentionMaps, ShapeError, TokenSequence
from tests.nightly import examples
from tests.tiny import random_rows


def tokens(*pieces: str, words: tuple[int, ...], spans: tuple = ()) -> TokenSequence:
    return TokenSequence(tuple(range(len(pieces))), pieces, words, spans or (None,) * len(pieces))


SOURCE = tokens("▁sle", "ep", "ing", "▁cat", ".", "</s>", words=(0, 0, 0, 1, 2, -1))


def test_words_are_written_as_in_the_text_when_it_is_known() -> None:
    assert words_of(SOURCE).labels == ("sleeping", "cat", ".", "</s>")
    bytes_ = tokens("▁", "<0xE4>", "<0xBD>", "</s>", words=(0, 0, 0, -1), spans=((0, 0), (0, 1), (0, 1), None))
    assert words_of(bytes_, "你").labels == ("你", "</s>")
    assert words_of(SOURCE).is_special == (False, False, False, True)
    assert words_of(SOURCE).pieces_of(0) == (0, 1, 2)
    assert len(words_of(tokens(words=()))) == 0


def test_neighbouring_special_tokens_stay_apart() -> None:
    both = tokens("<s>", "</s>", "<pad>", words=(-1, -1, -1))
    assert words_of(both).labels == ("<s>", "</s>", "<pad>")


def test_merging_sums_over_keys_and_averages_over_queries() -> None:
    pair = tokens("▁a", "b", "▁c", words=(0, 0, 1))
    weights = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.5, 0.25, 0.25]], dtype=np.float32)
    merged = merge_attention(weights, words_of(pair), words_of(pair))
    assert merged == pytest.approx(np.array([[0.45, 0.55], [0.75, 0.25]]))


@settings(max_examples=examples(50), deadline=None)
@given(
    st.lists(st.booleans(), min_size=1, max_size=8), st.lists(st.booleans(), min_size=1, max_size=8), st.integers(0, 9)
)
def test_merged_rows_still_sum_to_one(query_starts: list[bool], key_starts: list[bool], seed: int) -> None:
    def sequence(starts: list[bool]) -> TokenSequence:
        return tokens(*("x" * len(starts)), words=tuple(int(i) for i in np.cumsum(starts)))

    weights = random_rows(2, 2, len(query_starts), len(key_starts), seed=seed)
    merged = merge_attention(weights, words_of(sequence(query_starts)), words_of(sequence(key_starts)))
    assert merged.sum(-1) == pytest.approx(1, abs=1e-5)


def test_all_kinds_merge_with_their_own_words() -> None:
    target = tokens("▁chat", "</s>", words=(0, -1))
    prefix = tokens("<s>", "▁chat", words=(-1, 0))
    maps = AttentionMaps(random_rows(1, 1, 6, 6), random_rows(1, 1, 2, 2), random_rows(1, 1, 2, 6))
    merged = merge_maps(maps, source=words_of(SOURCE), target=words_of(target), prefix=words_of(prefix))
    shapes = [weights.shape[-2:] for weights in map(merged.of, merged.kinds) if weights is not None]
    assert shapes == [(4, 4), (2, 2), (2, 4)]
    with pytest.raises(ShapeError, match="6 query and 2 key"):
        merge_attention(random_rows(6, 6), words_of(SOURCE), words_of(target))


def test_special_tokens_and_punctuation_are_sinks_and_words_are_not() -> None:
    marks = tokens("▁,", "'", "«", "##ing", "#", "▁$", "▁", "3", "。", "<s>", words=(0, 1, 2, 3, 4, 5, 6, 7, 8, -1))
    assert sinks_of(marks).tolist() == [True, True, True, False, True, False, False, False, True, True]


def test_removing_sinks_states_the_mass_removed() -> None:
    weights = np.array([[0.2, 0.2, 0.6], [0.0, 0.0, 1.0]], dtype=np.float32)
    cleared = remove_sinks(weights, [False, False, True])
    assert cleared.weights == pytest.approx(np.array([[0.5, 0.5, 0], [0, 0, 0]]))
    assert cleared.removed == pytest.approx(np.array([0.6, 1.0]))


@settings(max_examples=examples(50), deadline=None)
@given(st.lists(st.booleans(), min_size=2, max_size=7), st.integers(0, 9))
def test_rows_sum_to_one_without_sinks_unless_nothing_is_left(sink: list[bool], seed: int) -> None:
    cleared = remove_sinks(random_rows(2, 3, 4, len(sink), seed=seed), sink)
    assert cleared.weights.sum(-1) == pytest.approx(0 if all(sink) else 1, abs=1e-5)
    assert (cleared.weights[..., np.array(sink)] == 0).all()


def test_rollout_of_two_layers_is_the_product_worked_out_by_hand() -> None:
    first = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]]])  # two heads, mean [[.5,.5],[.5,.5]]
    second = np.array([[[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]])
    maps = AttentionMaps(np.stack([first, second]).astype(np.float32), None, None)
    rolled = rollout(maps).encoder_self
    assert rolled is not None and rolled.shape == (2, 1, 2, 2)
    one = np.array([[0.75, 0.25], [0.25, 0.75]])
    two = 0.5 * np.array([[1.0, 0.0], [1.0, 0.0]]) @ one + 0.5 * one
    assert rolled[0, 0] == pytest.approx(one)
    assert rolled[1, 0] == pytest.approx(two)


def test_rollout_equals_a_loop_over_every_path() -> None:
    maps = AttentionMaps(random_rows(2, 2, 3, 3), random_rows(2, 3, 2, 2, seed=1), random_rows(2, 3, 2, 3, seed=2))
    assert maps.encoder_self is not None and maps.decoder_self is not None and maps.cross is not None
    encoder = np.eye(3)
    for layer in maps.encoder_self.mean(1):
        encoder = (layer / 2 + np.eye(3) / 2) @ encoder
    flow = np.concatenate([np.eye(2), np.zeros((2, 3))], 1)  # (T, prefix and source)
    for self_attention, cross in zip(maps.decoder_self.mean(1), maps.cross.mean(1), strict=True):
        flow = (self_attention / 2 + np.eye(2) / 2) @ flow
        flow = flow / 2 + np.concatenate([np.zeros((2, 2)), cross @ encoder], 1) / 2
    rolled = rollout(maps)
    assert rolled.decoder_self is not None and rolled.cross is not None
    assert rolled.decoder_self[-1, 0] == pytest.approx(flow[:, :2], abs=1e-6)
    assert rolled.cross[-1, 0] == pytest.approx(flow[:, 2:], abs=1e-6)
    together = rolled.decoder_self[..., 0, :, :].sum(-1) + rolled.cross[..., 0, :, :].sum(-1)
    assert together == pytest.approx(1, abs=1e-6)


def test_rollout_uses_the_kinds_of_attention_that_a_model_has() -> None:
    decoder_only = rollout(AttentionMaps(None, random_rows(2, 2, 3, 3), None))
    assert decoder_only.kinds == ("decoder_self",)
    without_encoder = rollout(AttentionMaps(None, random_rows(1, 1, 1, 1), random_rows(1, 1, 1, 4, seed=3)))
    assert without_encoder.cross is not None
    assert without_encoder.cross[0, 0] == pytest.approx(random_rows(1, 1, 1, 4, seed=3)[0, 0] / 2)


def test_alignment_follows_the_largest_weight_and_skips_special_tokens() -> None:
    weights = np.array([[0.1, 0.2, 0.7], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8]], dtype=np.float32)
    result = align(weights, target_is_special=[False, False, True], source_is_special=[False, False, True])
    assert result.pharaoh == "1-0 0-1"
    fed = align(weights, target_is_special=[False, False, True], source_is_special=[False] * 3, rows="fed")
    assert fed.pharaoh == "0-0 2-1"
    nothing = align(weights, target_is_special=[False] * 3, source_is_special=[True] * 3)
    assert nothing.links == ()


def test_a_minimal_pair_lines_up_whole() -> None:
    match = match_tokens(("The", "cat", "sat", "."), ("The", "dog", "sat", "."))
    assert match.labels == ("The", "cat → dog", "sat", ".")
    assert match.is_shared.all()


def test_an_inserted_token_has_no_partner() -> None:
    match = match_tokens(("a", "b"), ("a", "x", "y", "b"))
    assert match.labels == ("a", "x", "y", "b")
    assert match.left.tolist() == [0, -1, -1, 1]
    assert match.right.tolist() == [0, 1, 2, 3]


def test_a_difference_is_right_minus_left_where_both_have_tokens() -> None:
    left, right = random_rows(2, 2, 2, 2), random_rows(2, 2, 3, 3, seed=5)
    match = match_tokens(("a", "b"), ("a", "new", "b"))
    result = difference(left, right, queries=match, keys=match)
    assert result.signed.shape == (2, 2, 3, 3)
    assert result.signed[..., 0, 2] == pytest.approx(right[..., 0, 2] - left[..., 0, 1])
    assert np.isnan(result.signed[..., 1, :]).all() and np.isnan(result.signed[..., :, 1]).all()
    assert np.isnan(result.left[..., 1, 0]).all() and not np.isnan(result.right).any()


@settings(max_examples=examples(40), deadline=None)
@given(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=6), st.lists(st.sampled_from("abc"), min_size=1, max_size=6)
)
def test_every_token_of_both_sides_has_one_place_in_order(left: list[str], right: list[str]) -> None:
    match = match_tokens(left, right)
    assert [i for i in match.left if i >= 0] == list(range(len(left)))
    assert [j for j in match.right if j >= 0] == list(range(len(right)))


def test_models_of_different_depth_are_not_subtracted_head_by_head() -> None:
    match = match_tokens(("a",), ("a",))
    with pytest.raises(CompareError, match="mean over heads"):
        difference(random_rows(2, 2, 1, 1), random_rows(3, 2, 1, 1), queries=match, keys=match)


def test_nothing_differs_from_itself() -> None:
    weights = random_rows(2, 2, 4, 4)
    match = match_tokens("abcd", "abcd")
    assert not difference(weights, weights, queries=match, keys=match).signed.any()


def test_movement_is_the_share_of_attention_on_other_tokens() -> None:
    left = np.array([[[[1.0, 0.0], [0.5, 0.5]]]], dtype=np.float32)
    right = np.array([[[[0.0, 1.0], [0.75, 0.25]]]], dtype=np.float32)
    both = match_tokens("ab", "ab")
    assert moved(difference(left, right, queries=both, keys=both)) == pytest.approx((1 + 0.25) / 2)
    assert not moved(difference(left, left, queries=both, keys=both)).any()


def test_attention_to_a_token_that_the_other_side_lacks_has_moved() -> None:
    left = np.array([[[[1.0]]]], dtype=np.float32)
    right = np.array([[[[0.25, 0.75], [0.0, 1.0]]]], dtype=np.float32)
    match = match_tokens(("a",), ("a", "new"))
    assert moved(difference(left, right, queries=match, keys=match)) == pytest.approx(0.75)
    apart = match_tokens(("a",), ("x", "y"))
    assert np.isnan(moved(difference(left, right, queries=apart, keys=apart))).all()


@settings(max_examples=examples(30), deadline=None)
@given(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=5), st.lists(st.sampled_from("abcd"), min_size=1, max_size=5)
)
def test_no_more_than_everything_can_move(left: list[str], right: list[str]) -> None:
    match = match_tokens(left, right)
    sides = random_rows(2, 2, len(left), len(left)), random_rows(2, 2, len(right), len(right), seed=1)
    result = moved(difference(*sides, queries=match, keys=match))
    known = result[~np.isnan(result)]
    assert ((known >= 0) & (known <= 1 + 1e-6)).all()
