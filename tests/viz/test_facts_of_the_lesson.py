"""Computes the claims of the lesson and the first screen with the shipped model, on their own sentences."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import model
from model.analysis.metrics import trace_metrics
from model.interpret.ablation import head_effects, without_layer
from model.interpret.context import context_drift, untrained_weights, word_in_context
from model.interventions import NONE, BlockedKey, HeadAblation, Interventions, PositionEdit
from model.teaching.decoder_mask import decoder_mask
from model.teaching.experiments import (
    contrasting_heads,
    focused_head,
    greedy_under,
    head_hunt,
    layer_to_switch_off,
    scale_effect,
    twin_of,
    with_doubled_word,
)
from model.teaching.mask_effects import future_effect
from model.teaching.measured.own_words import last_word
from model.teaching.position_properties import order_effect
from model.teaching.sentences import collection, collections
from model.text.tokens import source_tokens
from viz.export.pages import Words
from viz.i18n import LANGUAGES, speaking, tr
from viz.lesson import deck, hunt, sheets, teacher, views
from viz.lesson.scenes import BEAM_SIZE, SCENES, minutes_of, scenes_of
from viz.panels.reading import Reading, read_under
from viz.state.selection import Selection

ROOT = Path(__file__).parents[2]

OWN = collection().scenes


@pytest.fixture(scope="module")
def shipped():
    return model.load()


def reading_of(bundle: model.Bundle, text: str) -> Reading:
    """A sentence as the lesson reads it."""
    found = read_under(bundle, Selection(text=text))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def cross(shipped):
    """Cross-attention (L, H, T, S) of the scene that compares heads."""
    return model.translate(shipped, OWN["heads"]).attention.cross


def looked_at(shipped, text: str, *, written: str) -> set[str]:
    """Source pieces that receive the most weight in some cross-attention head while a piece is written."""
    trace = model.translate(shipped, text)
    step = trace.target.pieces.index(f"▁{written}")
    assert trace.attention.cross is not None
    return {trace.source.pieces[key].strip("▁") for key in trace.attention.cross[:, :, step].argmax(-1).flatten()}


def test_a_frequent_word_is_one_token_and_an_invented_one_several(shipped):
    tokenizer = shipped.source_tokenizer
    assert len(tokenizer.encode("love").ids) == 1 < len(tokenizer.encode("chocolatechocolate").ids)
    assert len(tokenizer.encode(with_doubled_word(OWN["pieces"])).ids) > len(tokenizer.encode(OWN["pieces"]).ids)


def test_the_space_before_a_word_belongs_to_its_first_token(shipped):
    pieces = shipped.source_tokenizer.encode("my sleepingsleeping cat").pieces
    assert [piece.startswith("▁") for piece in pieces] == [True, True, *[False] * (len(pieces) - 3), True]


def test_a_character_without_a_token_of_its_own_is_read_as_its_three_bytes(shipped):
    pieces = [piece for piece in shipped.source_tokenizer.encode("猫").pieces if piece != "▁"]
    assert pieces == [f"<0x{byte:02X}>" for byte in "猫".encode()]
    for language, three in (("en", "three tokens"), ("zh", "三个词元"), ("fr", "trois tokens")):
        with speaking(language):
            assert "猫" in tr("lesson.pieces_mistake") and three in tr("lesson.pieces_mistake")


def test_the_model_does_not_understand_the_bytes_that_it_reads(shipped):
    assert "chat" not in model.translate(shipped, "猫").text.lower()


def test_without_positions_both_sentences_become_one_and_shuffling_changes_no_weight(shipped):
    pair, none = (OWN["positions"], twin_of(OWN["positions"])), Interventions(source_positions=PositionEdit("zero"))
    (one, one_without), (other, other_without) = (greedy_under(shipped, text, [NONE, none]) for text in pair)
    assert one != other and one_without == other_without
    ids = model.translate(shipped, pair[0]).source.ids
    with_positions, without = order_effect(shipped, source_ids=ids, n_fixed=1, seed=0).change
    assert without < 1e-4 < with_positions


def test_without_the_division_one_share_comes_close_to_1(shipped):
    found = scale_effect(
        model.translate(shipped, OWN["head"]), shipped.config.d_model // shipped.config.n_decoder_heads
    )
    assert found is not None
    assert found.unscaled.max() > 0.9 > 0.5 > found.scaled.max()
    slopes = [float((share * (1 - share)).max()) for share in (found.scaled, found.unscaled)]
    assert slopes[1] < slopes[0] / 2, "training can hardly change a softmax that is steep nowhere"


def test_heads_differ_some_follow_the_order_some_rest_on_sinks_some_spread(shipped, cross):
    found = trace_metrics(model.translate(shipped, OWN["heads"]), "cross")
    assert found.diagonality is not None and found.sinks is not None and found.normalised_entropy is not None
    assert np.nanmax(found.diagonality) > 0.85
    assert np.nanmax(found.sinks) > 0.4
    assert np.nanmax(found.normalised_entropy) > 0.6
    heads = cross.reshape(-1, *cross.shape[2:])
    apart = np.abs(heads[:, None] - heads[None]).sum(-1).mean(-1)  # the maximum is 2
    alike = (apart[np.triu_indices(len(heads), 1)] < 0.2).mean()
    assert alike < 0.1, "hardly two maps are alike"
    assert (apart.reshape(*cross.shape[:2], -1).max((1, 2)) > 1).all(), "the heads differ in every layer"


@pytest.mark.parametrize("own", collections(), ids=lambda own: own.model)
def test_the_three_heads_are_what_their_titles_say(own):
    cross = model.translate(model.load(own.model), own.scenes["heads"]).attention.cross
    assert cross is not None
    found = contrasting_heads(cross)
    assert len(set(found.values())) == 3 == len(views.THREE) and set(found) == set(views.THREE)
    words = cross[:, :, :-2]  # without the rows that end the sentence
    on_end, focus = words[..., -2:].sum(-1).mean(-1), words.max(-1).mean(-1)
    n_words = cross.shape[-1] - 2
    assert cross[found["follows"]][:, :n_words].max(0).sum() > 0.6 * n_words
    assert on_end[found["ends"]] == on_end.max() > 0.3
    assert focus[found["spreads"]] == focus.min() < 0.5


@pytest.mark.parametrize(
    ("name", "meanings"),
    [("en-fr", ("montre", "regarde")), ("en-de", ("Uhr", "fern")), ("en-zh", ("手表", "看"))],
)
def test_a_word_with_two_meanings_has_two_vectors(name, meanings):
    bundle = model.load(name)
    for text, meaning in zip(views.MEANINGS, (*meanings, meanings[0]), strict=True):
        assert meaning in model.translate(bundle, text).text
        assert source_tokens(bundle, text).pieces[1] == f"▁{views.MEANT}"
    apart, alike = (
        word_in_context(bundle, texts=(views.MEANINGS[0], other), word=views.MEANT) for other in views.MEANINGS[1:]
    )
    assert apart is not None and alike is not None
    assert apart[0] == pytest.approx(1) and alike[0] == pytest.approx(1)
    assert apart[-1] < 0.7 < 0.9 < alike[-1]
    assert word_in_context(bundle, texts=("It rains.", "I watch it."), word=views.MEANT) is None


def test_without_the_cross_attention_of_one_layer_only_some_words_change(shipped):
    text, layers = OWN["heads"], range(shipped.config.n_decoder_layers)
    plain, *changed = greedy_under(shipped, text, [NONE, *(without_layer(shipped, NONE, "cross", i) for i in layers)])
    chosen = changed[layer_to_switch_off(shipped, text=text)]
    kept = [len(set(plain.split()) & set(other.split())) / len(plain.split()) for other in changed]
    assert chosen != plain and min(kept) >= 0.5


def test_words_move_from_their_start_layer_by_layer_but_never_all_the_way(shipped):
    cosine = context_drift(shipped, model.translate(shipped, OWN["encoder"])).cosine  # (L + 1, S)
    means = cosine.mean(-1)
    assert (np.diff(means) < 0).all() and cosine.min() > 0.3
    assert 0.5 < means[-1] < 0.9, "still similar, and neither the same nor near 0"


def test_four_beginnings_find_what_is_more_probable_as_a_whole_though_not_per_token(shipped):
    greedy, beam = (model.translate(shipped, OWN["beam"], **how) for how in ({}, {"method": "beam", "beam_size": 4}))
    assert beam.text != greedy.text
    assert beam.log_probs.sum() > greedy.log_probs.sum() and beam.log_probs.mean() < greedy.log_probs.mean()


def test_the_model_is_much_less_certain_without_its_mask(shipped):
    assert lowered_by_lifting(shipped, model.translate(shipped, OWN["mask"])) > 1


def test_the_beam_finds_a_translation_more_probable_as_a_whole_which_the_mean_hides(shipped):
    greedy, beam = (read_under(shipped, Selection(text=OWN["beam"], method=name)) for name in ("greedy", "beam"))
    assert greedy is not None and beam is not None and greedy.trace.text != beam.trace.text
    assert greedy.trace.log_probs.sum() < beam.trace.log_probs.sum()
    assert greedy.trace.log_probs.mean() > beam.trace.log_probs.mean()


def test_the_number_of_a_head_is_what_its_loss_changes_in_the_whole_translation(shipped):
    trace = model.translate(shipped, OWN["explain"])
    assert trace.attention.cross is not None
    place = focused_head(trace.attention.cross)
    assert place is not None
    off = Interventions(heads_off=(HeadAblation("cross", *place),))
    without = read_under(shipped, Selection(text=OWN["explain"], interventions=off))
    assert without is not None and without.trace.text == trace.text
    cost = head_effects(shipped, trace).totals("cross")[place]
    assert cost == pytest.approx(without.trace.log_probs.sum() - trace.log_probs.sum(), abs=0.005)


def pages_of(make: Callable, printed: sheets.Printed, here: Reading, language: str) -> str:
    """The words of slides or worksheets."""
    with speaking(language):
        document = make(range(len(SCENES)), teacher._with_examples(range(len(SCENES)), printed, here))
    return "\n".join(item.text for page in document.pages for item in page if isinstance(item, Words))


@pytest.mark.parametrize(("language", "share"), [("en", "0.23"), ("zh", "0.23"), ("fr", "0,23")])
def test_the_outline_prints_each_scenes_own_sentence_and_what_its_change_does(shipped, language, share):
    here = reading_of(shipped, OWN["head"])
    printed = sheets.Printed(here.trace.source_text, here.trace.text)
    page = teacher.whole_route(range(len(SCENES)), printed, here, language)
    assert all(sheets.escape(text) in page for text in OWN.values())
    for seen in ("→ Les hommes voient", "→ Le chat est en train de dormir", "sleeping", "32", share):
        assert sheets.escape(seen) in page
    with speaking(language):
        found = sheets.escape(tr("lesson.heads_found", heads=tr("checkpoints.comma").join(("2·1", "3·0", "3·6"))))
    slides = pages_of(deck.slides, printed, here, language)
    assert page.count(found) == 2 and found not in slides, "the teacher knows the head, the class looks for it"
    assert "…" not in page
    with speaking(language):
        forced = views.forced(reading_of(shipped, OWN["mask"]))
    assert sheets.escape(forced) in page and forced in slides


def test_a_sentence_that_the_class_typed_is_on_every_sheet_alone(shipped):
    here = reading_of(shipped, "We like old books.")
    printed = sheets.Printed(here.trace.source_text, here.trace.text)
    for make in (deck.worksheet, deck.slides):
        page = pages_of(make, printed, here, "en")
        assert page.count("We like old books.") == 1 and not any(text in page for text in OWN.values())


def test_a_claim_is_tested_on_sentences_of_which_a_head_changes_most(shipped):
    here = reading_of(shipped, OWN["share"])
    texts = [here.fitted.text, *(text for text in hunt._others(here) if text != here.fitted.text)][: hunt.N_TESTED]
    changing = [head_hunt(shipped, text=text).is_changed.any() for text in texts]
    assert sum(changing) >= 3


@pytest.mark.parametrize("pair", ["en-fr", "en-de", "en-zh"])
def test_all_heads_together_give_every_word_a_weight_and_one_head_often_a_single_word(pair):
    """lesson.box_answer, on the scene's own sentence."""
    here = reading_of(model.load(pair), collection(pair).scenes["box"])
    cross, row = views.cross_weights(here), last_word(here.trace)
    mean = cross.mean((0, 1))[row]
    assert mean.min() >= 0.005 and mean.max() < 0.7, "each word's share is seen on the map"
    assert (cross[:, :, row].max(-1) > 0.8).sum() >= 3


def test_the_beam_corrects_the_chinese_translation_of_its_scene():
    texts = [model.translate(model.load("en-zh"), collection("en-zh").scenes["beam"], **how).text
             for how in ({}, {"method": "beam", "beam_size": 4})]  # fmt: skip
    assert texts == ["如果发生了什么事，请让我知道。", "如果发生了什么，请让我知道。"]


def test_the_third_row_of_the_sheet_has_three_cells():
    assert decoder_mask(6, 0).both[2].sum() == 3


@pytest.mark.parametrize("scene", ["explain", "share"])
def test_most_heads_change_nothing_and_in_many_sentences_none_does(shipped, scene):
    found = head_hunt(shipped, text=OWN[scene]).is_changed
    assert 0 < found.sum() < found.size / 4
    others = [head_hunt(shipped, text=example.text).is_changed.any() for example in collection().gallery[:4]]
    assert not all(others)


@pytest.mark.parametrize(
    "text", ["WHERE IS MY RED CAR", "He left his glass on the left.", "The quick brown fox jumps over the lazy dog."]
)
def test_where_many_heads_change_a_translation_two_tokens_were_almost_equally_probable(shipped, text):
    close = views.close_call(reading_of(shipped, text))
    assert close is not None
    first, second = (close[name] for name in ("first", "second"))
    assert isinstance(first, float) and isinstance(second, float) and 0 <= first - second < 0.05
    assert views.close_call(reading_of(shipped, OWN["explain"])) is None


def lowered_by_lifting(shipped, trace: model.Trace) -> float:
    """By how much the mean log p of the translation's own tokens falls without the decoder's mask."""
    ids = {"source_ids": trace.source.ids, "target_ids": trace.target.ids}
    masked, lifted = future_effect(shipped, layer=0, head=0, **ids).log_probs
    return masked - lifted


@pytest.mark.parametrize("text", ["WHERE IS MY RED CAR", "hello", "We like old books.", "I live in Zürich."])
def test_what_the_lesson_says_of_words_and_masks_holds_for_other_sentences(shipped, text):
    trace = model.translate(shipped, text)
    cosine = context_drift(shipped, trace).cosine
    assert (np.diff(cosine.mean(-1)) < 0).all() and cosine.min() > 0.3
    assert lowered_by_lifting(shipped, trace) > 0


@pytest.mark.parametrize("text", ["我喜欢旧书。", "Привет, как дела?"])
def test_characters_read_as_bytes_change_far_more_but_keep_something_of_their_start(shipped, text):
    trace = model.translate(shipped, text)
    cosine = context_drift(shipped, trace).cosine
    assert (np.diff(cosine.mean(-1)) < 0).all() and cosine.min() > 0.02
    is_byte = [piece.startswith("<0x") for piece in trace.source.pieces]
    words = context_drift(shipped, model.translate(shipped, OWN["encoder"])).cosine
    assert cosine[-1, is_byte].mean() < words[-1].mean() / 2
    assert lowered_by_lifting(shipped, trace) > 0


def test_random_weights_are_spread_and_trained_ones_are_not(shipped):
    trace = model.translate(shipped, OWN["train"])
    fresh = untrained_weights(shipped, trace, seed=0).max(-1).mean()
    assert trace.attention.cross is not None
    assert 1 / len(trace.source) < fresh < 0.5 < trace.attention.cross.max(-1).mean()


def test_the_lesson_has_fourteen_questions_and_two_routes_of_45_and_90_minutes():
    assert len(SCENES) == 14
    page = next(
        line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if line.startswith("| **Lesson**")
    )
    assert "fourteen scenes" in page
    for route, minutes in (("short", 45), ("full", 90)):
        assert abs(sum(minutes_of(SCENES[i], route) for i in scenes_of(route)) - minutes) <= 5
        with speaking("en"):
            assert str(minutes) in tr(f"lesson.route_{route}") and str(minutes) in page


def test_logarithms_of_the_glossary_are_those_of_probabilities():
    assert [math.exp(x) for x in (0, -0.7, -2.3)] == pytest.approx([1, 1 / 2, 1 / 10], abs=0.01)


def test_the_gallery_shows_what_it_says(shipped):
    texts = {example.name: example.text for example in collection().gallery}
    order = model.translate(shipped, texts["order"]).text.split()
    assert order.index("voiture") < order.index("rouge.") and "red car" in texts["order"]
    assert "car" in looked_at(shipped, texts["order"], written="voiture")
    assert "red" in looked_at(shipped, texts["order"], written="rouge")
    words = texts["distance"].rstrip(".").split()
    assert words.index("interesting") - words.index("book") == 7
    for language, seven in (("en", "seven words earlier"), ("zh", "七个词之前"), ("fr", "sept mots plus tôt")):
        with speaking(language):
            assert seven in tr("first.shows_distance")
    negated = model.translate(shipped, texts["negation"]).text.split()
    assert {"ne", "pas"} <= set(negated) and "not" in texts["negation"].split()
    idiom = model.translate(shipped, texts["idiom"]).text.lower()
    assert "chat" not in idiom and "chien" not in idiom and "cordes" in idiom
    assert "right" in texts["ambiguity"].split()
    turned, said = (model.translate(shipped, text).text for text in (texts["ambiguity"], "He is right."))
    assert "droite" in turned and "droite" not in said and "raison" in said
    assert head_hunt(shipped, text=texts["head"]).is_changed.sum() == 1
    asked, told = (model.translate(shipped, text).text for text in (texts["question"], texts["question"].rstrip("?")))
    assert asked.split()[:2] != told.split()[:2]


NAMED = [(each.model, example) for each in collections() for example in each.gallery if example.name]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "example"), NAMED, ids=lambda value: getattr(value, "name", value))
def test_the_words_that_a_sentence_is_explained_by_stand_in_it_or_in_its_translation(name, example, language):
    written = f"{example.text} {model.translate(model.load(name), example.text).text}".lower()
    with speaking(language):
        said = tr(f"first.shows_{example.name}")
    for quoted in re.findall(r"[“«]\s*(.+?)\s*[”»]", said):
        if not quoted.endswith("."):  # another sentence to compare with
            assert all(part.lower() in written for part in quoted.split(" … ")), quoted


def test_without_the_end_token_the_model_does_not_stop(shipped):
    """lesson.cross_look: the last rows need the weights on </s>."""
    for scene in ("box", "heads", "cross", "beam", "encoder"):
        end = len(model.translate(shipped, OWN[scene]).source) - 1
        trace = model.translate(shipped, OWN[scene], interventions=Interventions(blocked_keys=BlockedKey("cross", end)))
        assert trace.target.pieces[-1] != "</s>", OWN[scene]


def test_the_mark_at_the_end_decides_about_the_middle_of_the_translation(shipped):
    """lesson.box_expect: the first words stay, a later one changes."""
    with_mark = model.translate(shipped, OWN["box"]).text
    without = model.translate(shipped, OWN["box"].rstrip("?!. ")).text
    first, *rest = zip(with_mark.rstrip("?!. ").split(), without.split(), strict=False)
    assert first[0] == first[1].rstrip("?!.") or first[0].split("-")[0] == first[1]
    assert with_mark.rstrip("?!. ") != without.rstrip("?!. ") and rest


def test_the_last_word_is_the_one_that_the_first_scene_asks_about(shipped):
    here = reading_of(shipped, OWN["box"])
    piece = here.trace.target.pieces[last_word(here.trace)]
    assert here.trace.text.rstrip("?!. \u202f").endswith(piece.lstrip("▁"))


def test_the_beam_scene_shows_the_step_at_which_the_two_translations_part(shipped):
    greedy, beam = (
        model.translate(shipped, OWN["beam"], method=method, beam_size=BEAM_SIZE) for method in ("greedy", "beam")
    )
    step = views.parting_step(greedy, beam)
    assert step is not None
    assert greedy.target.ids[:step] == beam.target.ids[:step]
    assert greedy.target.ids[step] != beam.target.ids[step]


def test_the_same_translation_parts_nowhere_and_a_longer_one_at_its_first_further_step(shipped):
    trace = model.translate(shipped, OWN["beam"])
    assert views.parting_step(trace, trace) is None
