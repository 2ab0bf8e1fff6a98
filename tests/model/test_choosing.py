"""The sentences that a model is shown with are chosen by criteria, and what was chosen still holds."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

import model
from model.cli.main import main
from model.interventions import HeadAblation, Interventions
from model.teaching import choosing
from model.teaching.experiments import Removals, removals, removals_as_they_come
from model.teaching.measured import claims, replacements
from model.teaching.measured.replacements import scene_for
from model.teaching.sentences import collections
from tests.checkpoint import save_tiny, tiny_bundle

ROOT = Path(__file__).parents[2]
WITH_FRONT = [each for each in collections() if each.front is not None]
TEXT = "the cat is on the sofa ."


def test_the_first_model_has_a_sentence_for_its_front_page():
    assert collections()[0].front is not None


@pytest.mark.nightly("fr")
@pytest.mark.parametrize("shipped", WITH_FRONT, ids=lambda shipped: shipped.pair)
def test_the_sentence_of_the_front_page_still_meets_its_criteria(shipped):
    bundle = model.load(ROOT / "pretrained" / shipped.model)
    assert shipped.is_tried_on(bundle)
    result = choosing.front(bundle, shipped.front.text)
    assert result is not None
    front = shipped.front
    assert (result.translation, result.layer, result.head) == (front.translation, front.layer, front.head)
    assert result.weight == pytest.approx(shipped.front.weight, abs=0.01)
    assert result.removals == shipped.front.removals
    partner = model.translate(bundle, shipped.front.partner).text
    assert choosing.is_explained(shipped.front.translation, partner), "the Causal page compares the two"
    assert choosing.is_clear(bundle, shipped.front.partner, shipped.front.text)


def test_a_removal_equals_the_translation_with_that_head_off():
    bundle = tiny_bundle()
    removed = removals(bundle, TEXT)
    assert removed.is_whole and removed.text == model.translate(bundle, TEXT).text
    for layer, row in enumerate(removed.without):
        for head, text in enumerate(row):
            off = Interventions(heads_off=(HeadAblation("cross", layer, head),))
            assert model.translate(bundle, TEXT, interventions=off).text == text


def test_a_measurement_that_was_interrupted_goes_on_where_it_was():
    first = next(removals_as_they_come(tiny_bundle(), TEXT, "encoder_self"))
    assert len(first.without) == 1 and not first.is_whole
    *_, last = removals_as_they_come(tiny_bundle(), TEXT, "encoder_self", before=first)
    assert last == removals(tiny_bundle(), TEXT, "encoder_self")


@pytest.mark.parametrize(
    ("before", "after", "is_explained"),
    [
        ("Tom a une voix magnifique.", "Tom a une voix merveilleuse.", True),
        ("Le garçon mange.", "Le garçon est en train de manger.", False),
        ("Il vient.", "Il vient.", False),
        ("她喜欢茶。", "她喜爱茶。", True),
    ],
)
def test_one_sentence_explains_a_change_of_one_run_of_few_words(before, after, is_explained):
    assert choosing.is_explained(before, after) == is_explained


def test_sentences_that_are_measured_together_are_those_that_are_measured_alone():
    bundle = model.load(ROOT / "pretrained" / "en-zh")
    chinese = next(item.front for item in WITH_FRONT if item.pair == "en-zh")
    assert chinese is not None
    texts = [chinese.text, "He is a teacher.", "The little girl is reading a book in the garden."]
    done = []
    together = choosing.fronts(bundle, texts, on_progress=lambda *progress: done.append(progress))
    alone = [result for result in (choosing.front(bundle, text) for text in texts) if result]
    assert done == [(3, 3)] and [item.text for item in together] == [chinese.text]
    assert together[0].removals == alone[0].removals and len(alone) == 1


@pytest.mark.parametrize(
    ("pieces", "words", "is_whole"),
    [
        (("▁", "一本书", "很", "好", "。", "</s>"), (0, 0, 0, 0, 1, -1), True),
        (("▁une", "▁pomme", ".", "</s>"), (0, 1, 1, -1), True),
        (("▁une", "▁pom", "me", ".", "</s>"), (0, 1, 1, 1, -1), False),
    ],
)
def test_a_word_in_pieces_is_distinguished_from_a_language_without_spaces(pieces, words, is_whole):
    tokens = model.TokenSequence(tuple(range(len(pieces))), pieces, words, (None,) * len(pieces))
    assert choosing.is_whole(tokens) == is_whole


def test_the_head_that_a_visitor_switches_off_changes_the_translation_and_is_the_clearest_that_does():
    bundle = model.load(ROOT / "pretrained" / "en-fr")
    text = "The boy is eating an apple."
    result = choosing.telling(bundle, text)
    assert result is not None and result.before == model.translate(bundle, text).text
    off = Interventions(heads_off=(HeadAblation("cross", result.layer, result.head),))
    assert model.translate(bundle, text, interventions=off).text == result.after != result.before
    trace = model.translate(bundle, text)
    rows = [place for place, piece in enumerate(trace.target.pieces) if piece.strip("▁").isalpha()]
    aligned = choosing.aligned_source_tokens(bundle, trace)
    weights: Any = trace.attention.cross

    def clarity(layer: int, head: int) -> float:
        return sum(float(weights[layer, head, row, aligned[row]]) for row in rows) / len(rows)

    assert result.clarity == pytest.approx(clarity(result.layer, result.head), abs=1e-6)
    others = [item for item in removals(bundle, text).changing if 0.6 <= len(item[2]) / len(result.before) <= 2]
    assert result.clarity == pytest.approx(max(clarity(layer, head) for layer, head, _ in others), abs=1e-6)
    assert choosing.most_telling(bundle, [text]) == result


def test_where_no_head_brings_other_words_none_is_pointed_at(monkeypatch):
    plain = model.translate(tiny_bundle(), TEXT).text
    fewer, more = plain.rpartition(" ")[0], f"{plain} {plain.split()[0]}"
    same = Removals("cross", plain, ((plain, plain.upper()), (fewer, more)), n_layers=2)  # capitals are no other words
    monkeypatch.setattr(choosing, "removals", lambda bundle, text: same)
    assert choosing.telling(tiny_bundle(), TEXT) is None
    assert choosing.most_telling(tiny_bundle(), [TEXT]) is None


@pytest.mark.nightly
def test_the_command_lists_the_missing_sentences(tmp_path, capsys, monkeypatch):
    first = collections()[0]
    few = dataclasses.replace(first, gallery=first.gallery[:1])
    monkeypatch.setattr("model.teaching.sentences.collections", lambda: (few,))
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("the cat is on the sofa .\tle chat\n")
    assert main(["choose-sentences", str(pairs), "--checkpoint", str(save_tiny(tmp_path / "tiny"))]) == 1
    out = capsys.readouterr().out
    assert "front page: no sentence meets the criteria" in out and "is left out: its translation is" in out
    box = first.scenes["box"]
    assert f"scene box: on “{box}” it does not hold any more that" in out and "(lesson.box_…)" in out


def test_no_two_examples_get_one_sentence(tmp_path, capsys, monkeypatch):
    first = collections()[0]
    differing = [item for item in first.gallery if item.phenomenon == "beam_differs"]
    lost = tuple(dataclasses.replace(item, text="Yes.", shows="Oui") for item in differing)
    few = dataclasses.replace(first, gallery=lost, scenes={})
    monkeypatch.setattr("model.teaching.sentences.collections", lambda: (few,))
    bundle = model.load(ROOT / "pretrained" / "en-fr")
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"{item.text}\t{model.translate(bundle, item.text).text}\n" for item in differing))
    main(["choose-sentences", str(pairs)])
    out = capsys.readouterr().out
    chosen = json.loads(out[: out.rindex("\n}") + 2])["gallery"]
    assert sorted(item["text"] for item in chosen) == sorted(item.text for item in differing)


def test_direct_speech_is_no_candidate():
    bundle = tiny_bundle()
    texts = ("the cat is here .", '"the cat" is here .')
    pairs = {text: [model.translate(bundle, text).text] for text in texts}
    assert [*choosing.candidates(bundle, pairs, most=9)] == [texts[0]]


def test_a_scene_keeps_its_sentence_while_its_claim_holds():
    bundle = model.load(ROOT / "pretrained" / "en-fr")
    shipped = collections()[0]
    text, other = shipped.scenes["pieces"], "Go."
    scene = scene_for(bundle, "pieces", text, [other], {})
    assert (scene.text, scene.lacks) == (text, ())
    scene = scene_for(bundle, "positions", other, [shipped.scenes["positions"]], {})
    assert scene.text == shipped.scenes["positions"] and "the two orders have two translations" in scene.lacks


def test_the_scene_on_the_loss_is_measured_with_a_reference_that_the_model_does_not_write(monkeypatch):
    bundle, text, requested = tiny_bundle(), TEXT, []
    shipped = model.translate(bundle, text).text
    monkeypatch.setattr(
        replacements, "visibility", lambda *of, reference: requested.append(reference) or claims.Visibility("")
    )
    scene = scene_for(bundle, "loss", "", [text], {text: [shipped, "another"]})
    assert (scene.text, scene.reference, requested) == (text, "another", ["another"])
