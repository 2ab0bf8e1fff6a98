"""A route uses no term before the scene that introduces it, and none of a scene that it leaves out."""

import re

import pytest

from viz.components.sentence import TERMS
from viz.i18n import LANGUAGES, catalogue
from viz.lesson.moving import scenes_of
from viz.lesson.scenes import SCENES

INTRODUCED = {scene.name: scene.terms for scene in SCENES if scene.terms}
PARTS = ("question", "options", "try", "choose", "measured", "look", "done", "seen", "answer", "reply", "sheet")
OF_THE_VIEWS = {
    "box": ("average", "box_map"),
    "positions": ("no_twin", "with_positions", "without_positions"),
    "head": ("with_scale", "without_scale"),
    "heads": ("heads_which", "heads_follows", "heads_ends", "heads_spreads"),
    "layer": ("layer_followed", "step_starts", "step_attended", "step_summed", "step_normalised", "step_fed",
              "step_ends", "step_normalised_post", "step_ends_post"),
    "encoder": ("encoder_start", "meanings"),
    "mask": ("mask_with", "mask_without", "mask_forced", "mask_exchanged", "mask_written"),
    "loss": ("loss_head", "loss_head_after", "loss_said", "loss_own", "loss_smoothing", "before_step", "after_step"),
    "cross": ("aligning",),
    "beam": ("beam_same", "sure_whole"),
    "train": ("train_left", "train_right"),
    "explain": ("sharpest", "is_off", "hunt", "hunt_cell", "explain_count", "explain_open", "explain_many"),
    "share": ("claim_said", "link_note"),
}  # fmt: skip
"""What the scenes show besides their own texts."""
TOLD = {"box": ("first_guess", "first_vote", "sure", "before", "after", "same")}
"""What every scene shows, and so the first one too."""
ALSO = {
    "mask": ("self-attention", "自注意力", "auto-attention"),
    "heads": ("W_O", "W_O", "W_O"),
    "train": ("batch", "小批", "lot"),
    "loss": ("teacher forcing", "教师强制", "teacher forcing"),
    "positions": ("position", "位置", "position"),
}
"""Terms that a scene explains and the glossary does not hold."""


def texts_of(scene: str, words: dict[str, str]) -> dict[str, str]:
    """What students read in a scene."""
    names = [f"{scene}_{part}" for part in PARTS] + [*OF_THE_VIEWS.get(scene, ()), *TOLD.get(scene, ())]
    return {name: words[f"lesson.{name}"] for name in names if f"lesson.{name}" in words}


def forms_of(term: str, words: dict[str, str]) -> list[str]:
    # a single Chinese character is part of many other words: 头 of 开头
    return [form for form in words[f"first.forms_{term}"].split("|") if form.isascii() or len(form) > 1]


def holds(text: str, form: str) -> bool:
    border = "" if not form.isascii() and form[0] >= "\u4e00" else r"\b"
    return bool(re.search(rf"{border}{re.escape(form)}{border}", text, re.IGNORECASE))


def unexplained(route: str, language: str) -> list[str]:
    """Terms that a scene uses before its route has introduced them."""
    words, known, found = dict(catalogue(language)), set(), []
    place = LANGUAGES_IN_ORDER.index(language)
    terms = {term: forms_of(term, words) for names in INTRODUCED.values() for term in names}
    terms |= {forms[place]: [forms[place]] for forms in ALSO.values()}
    for number in scenes_of(route):
        scene = SCENES[number].name
        known |= {*INTRODUCED.get(scene, ()), *([ALSO[scene][place]] if scene in ALSO else ())}
        for name, text in texts_of(scene, words).items():
            used = [term for term, forms in terms.items() if any(holds(text, form) for form in forms)]
            found += [f"lesson.{name}: {term}" for term in used if term not in known]
    return found


LANGUAGES_IN_ORDER = list(LANGUAGES)


def test_every_term_is_one_of_the_glossary_and_introduced_once_on_the_short_route():
    short = [term for number in scenes_of("short") for term in INTRODUCED.get(SCENES[number].name, ())]
    assert len(set(short)) == len(short)
    assert {term for names in INTRODUCED.values() for term in names} <= set(TERMS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_scene_that_introduces_a_term_uses_it(language):
    words = dict(catalogue(language))
    for scene, names in INTRODUCED.items():
        text = "\n".join(texts_of(scene, words).values())
        for term in names:
            forms = forms_of(term, words) or words[f"first.forms_{term}"].split("|")
            assert any(form.lower() in text.lower() for form in forms), (scene, term)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("route", ["full", "short"])
def test_no_scene_uses_a_term_that_its_route_has_not_introduced(route, language):
    assert not unexplained(route, language)


def test_a_term_of_a_scene_that_is_left_out_would_be_found(monkeypatch):
    monkeypatch.setitem(INTRODUCED, "heads", ("encoder",))
    monkeypatch.setitem(INTRODUCED, "box", tuple(term for term in INTRODUCED["box"] if term != "encoder"))
    assert "lesson.box_answer: encoder" in unexplained("short", "en")
