"""Every text exists in three languages, with the same fields and the same terms."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import viz.i18n
from viz import i18n, theme
from viz.i18n import LANGUAGES, catalogue, group, matching_language, number, power_of_ten, sentences, speaking, tr
from viz.i18n.numbers import written

ROOT = Path(viz.i18n.__file__).parents[2]
AREAS = [found.name for found in pkgutil.iter_modules(viz.i18n.__path__) if found.name not in ("catalogue", "numbers")]
SOURCES = [ROOT / "app.py", *(ROOT / "viz").rglob("*.py")]


@pytest.mark.parametrize("area", AREAS)
def test_every_string_of_an_area_is_in_every_language_with_the_same_fields(area):
    for key, words in importlib.import_module(f"viz.i18n.{area}").STRINGS.items():
        assert key.startswith(f"{area}."), key
        assert len(words) == len(LANGUAGES), key
        assert all(text.strip() for text in words), key
        fields = [sorted(set(re.findall(r"(?<!\{)\{(\w+)[^{}]*\}", text))) for text in words]
        assert all(found == fields[0] for found in fields), key


def test_the_catalogues_hold_the_same_keys():
    keys = [set(catalogue(code)) for code in LANGUAGES]
    assert all(found == keys[0] for found in keys)
    assert len(keys[0]) > 50


def test_every_key_that_the_code_names_exists():
    known = catalogue("en")
    missing = sorted(f"{path.relative_to(ROOT)}: {key}" for path in SOURCES for key in _keys(path) if key not in known)
    assert not missing


def _keys(path: Path) -> set[str]:
    calls = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
    return {
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "tr" and call.args
        and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("wished", "spoken"),
    [(["fr-CA"], "fr"), (["zh_TW"], "zh"), (["de", "fr"], "fr"), (["ja"], "en"), ([], "en"), (["FR"], "fr")],
)
def test_a_locale_finds_the_nearest_language(wished, spoken):
    assert matching_language(wished) == spoken


def test_speaking_holds_inside_its_block_alone():
    with speaking("fr"):
        assert tr("sentence.translate") == "Traduire"
        assert group("sentence")["translate"] == "Traduire"
    assert tr("sentence.translate") == "Translate"


def test_an_unknown_language_is_named():
    with pytest.raises(KeyError, match="choose one of en, zh, fr"):
        catalogue("de")


@pytest.mark.parametrize(
    ("shown", "french"),
    [("0.27", "0,27"), ("5,990", "5\u202f990"), ("−1,234.5", "−1\u202f234,5"), ("27%", "27\u202f%"),
     ("1.2e-07", "1,2e-07"), ("12", "12"), ("layer 0.1", "layer 0.1"), ("v1.2.3", "v1.2.3")],
)  # fmt: skip
def test_numbers_follow_the_language(shown, french):
    assert written(shown, "fr") == french
    assert written(shown, "en") == written(shown, "zh") == shown


def test_a_text_writes_its_numbers_in_its_language_and_leaves_quoted_tokens_alone():
    with speaking("fr"):
        assert "0,50" in tr("inside.said_without_scaling", factor=5.7, before=0.5, after=1.0)
        assert "6\u202f000" in tr("laboratory.smoothing_said", own="0,9", n=number(6000), each="0,1")
        assert "«\u00a03.5\u00a0»" in tr("laboratory.keyvalue_said", token="3.5", cosine=number(0.25, "+.2f"))
        assert i18n.counts("8,000 / 9,000") == "8\u202f000 / 9\u202f000"
    assert "0.50" in tr("inside.said_without_scaling", factor=5.7, before=0.5, after=1.0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_changes_a_quotation_that_looks_like_a_number(language):
    """In whatever field: what a visitor typed and what the model wrote stay as they are."""
    with speaking(language):
        for key, words in catalogue(language).items():
            fields = dict(re.findall(r"\{(\w+)([^{}]*)\}", words))
            quoted = {name: "1,000.5" for name, written_as in fields.items() if not written_as}
            if quoted and "key" not in fields:  # JavaScript fills a field named so
                assert "1,000.5" in tr(key, **dict.fromkeys(fields, 2) | quoted), key


def test_french_punctuation_stays_with_its_word():
    with speaking("fr"):
        assert tr("laboratory.why") == "Pourquoi\u00a0?"
    assert not {key for key, text in catalogue("fr").items() if re.search(r" [;?!»]|« | :(?:\s|$)", text)}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_percent_sign_stands_at_its_number_but_in_french(language):
    assert not {key for key, text in catalogue(language).items() if re.search(r"[\d}] %", text)}


@pytest.mark.parametrize(("value", "shown"), [(4.2e-7, "4·10⁻⁷"), (-2e12, "-2·10¹²"), (0.0, "0")])
def test_very_small_numbers_are_written_as_in_a_textbook(value, shown):
    assert power_of_ten(value) == shown


def test_axes_follow_the_language():
    with speaking("fr"):
        assert theme.plotly_template("light").to_plotly_json()["layout"]["separators"] == ",\u202f"
        assert theme.altair_theme("dark")["locale"]["number"]["decimal"] == ","
    assert theme.plotly_template("light").to_plotly_json()["layout"]["separators"] == ".,"


_NOT_OURS = {
    "en": ("helpless", "estimates are wild", "Pale ", "pale ", "paler"),
    "zh": ("浅色格子", "您", "片段", "最尖锐", "nats", "各头并列", "混合值", "有坡可循", "歇脚处", "找头"),
    "fr": (
        "jeton", "éteindre", "Éteindre", "Couper des", "Forçage", "Lissage des cibles", "en pâle", "Sorte d'",
        "liquez un", "liquez-en", "dans la boîte",
    ),
}  # fmt: skip
"""Words that were replaced: one term for one thing, and none that is true of light or dark screens alone."""


@pytest.mark.parametrize("language", _NOT_OURS)
def test_replaced_terms_do_not_come_back(language):
    found = {key for key, text in catalogue(language).items() for word in _NOT_OURS[language] if word in text}
    assert not found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_calls_the_page_of_one_head_by_its_name(language):
    words = catalogue(language)
    for key in ("laboratory.why_toy", "positions.only_distances"):
        assert words["frame.page_inside"] in words[key], key


def test_no_punctuation_of_one_language_follows_a_text():
    joined = re.compile(r"tr\((?:f'[^']*'|[^{}])*\)+\}\**[:;,.!?]|\{heading\}\**[:;,.!?]")
    assert not [path.name for path in SOURCES if joined.search(path.read_text("utf-8"))]


_CHINESE_GAPS = re.compile(r"[。，；：！？]\**[ ]|[\u4e00-\u9fff，。；：] “|” [\u4e00-\u9fff]")


def test_chinese_marks_bring_their_own_space():
    assert not {key: text for key, text in catalogue("zh").items() if _CHINESE_GAPS.search(text)}
    assert sentences("译文没有变化。", "", "平均 log p：−0.13。") == "译文没有变化。平均 log p：−0.13。"
    assert sentences("It has not changed.", "", "Mean log p: −0.13.") == "It has not changed. Mean log p: −0.13."


def test_chinese_is_set_bold_and_never_slanted():
    slanted = re.compile(r"(?<!\*)\*(?!\*)[^*]+(?<!\*)\*(?!\*)")
    assert not {key for key, text in catalogue("zh").items() if slanted.search(text)}


def test_sentences_are_put_together_by_the_rule_of_their_language():
    by_hand = re.compile(r"\" \"\.join\(\[?\*?said|\{(?:note|said)\} \{tr\(")
    assert not [path.name for path in SOURCES if by_hand.search(path.read_text("utf-8"))]


def test_one_is_not_written_as_many():
    said = {n: tr("decode.others", n=n, share="1.0%") for n in ("0", "1", "2", "1,001")}
    assert said["1"] == "1 other token has 1.0%."
    assert said["0"] == "0 other tokens share 1.0%." and said["1,001"] == "1,001 other tokens share 1.0%."
    with speaking("fr"):
        assert [tr("room.here", n=n) for n in (0, 1, 2)] == ["0 téléphone", "1 téléphone", "2 téléphones"]
    with speaking("zh"):
        assert "|" not in tr("room.here", n=1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_choice_between_one_and_more_has_two_words(language):
    for key, words in catalogue(language).items():
        for choice in re.findall(r"\{[^{}]*\|[^{}]*\}", words):
            assert re.fullmatch(r"\{\w+\|[^|]*\|[^|]*\}", choice), f"{key}: {choice}"
