"""Texts and numbers follow the conventions of each language, with the same terms everywhere."""

import re
from pathlib import Path

import pytest
from fluent.runtime import FluentResource
from fluent.syntax import ast

import viz.i18n
from viz import i18n, theme
from viz.i18n import (
    LANGUAGES,
    catalogue,
    fields,
    files,
    group,
    matching_language,
    number,
    power_of_ten,
    sentences,
    speaking,
    tr,
)
from viz.i18n.catalogue import Catalogue

ROOT = Path(viz.i18n.__file__).parents[2]
SOURCES = [ROOT / "app.py", *(ROOT / "viz").rglob("*.py")]


@pytest.mark.parametrize(
    ("locale", "expected"),
    [(["fr-CA"], "fr"), (["zh_TW"], "zh"), (["de", "fr"], "fr"), (["ja"], "en"), ([], "en"), (["FR"], "fr")],
)
def test_a_locale_finds_the_nearest_language(locale, expected):
    assert matching_language(locale) == expected


def test_speaking_holds_inside_its_block_alone():
    with speaking("fr"):
        assert tr("sentence.translate") == "Traduire"
        assert group("sentence")["translate"] == "Traduire"
    assert tr("sentence.translate") == "Translate"


def test_an_unknown_language_is_named():
    with pytest.raises(KeyError, match="choose one of en, fr, zh"):
        catalogue("de")


@pytest.mark.parametrize(
    ("value", "spec", "english", "french"),
    [(0.27, "", "0.27", "0,27"), (5990, ",", "5,990", "5\u202f990"), (-1234.5, ",", "−1,234.5", "−1\u202f234,5"),
     (0.27, ".0%", "27%", "27\u00a0%"), (1.2e-07, "", "1.2e-07", "1,2e-07"), (12, "", "12", "12")],
)  # fmt: skip
def test_numbers_follow_the_language(value, spec, english, french):
    for language, expected in {"en": english, "zh": english, "fr": french}.items():
        with speaking(language):
            assert number(value, spec) == expected


def test_a_text_writes_its_numbers_in_its_language_and_leaves_quoted_tokens_alone():
    with speaking("fr"):
        assert "0,50" in tr("inside.said_without_scaling", factor=5.7, before=0.5, after=1.0)
        assert "6\u202f000" in tr("laboratory.smoothing_said", own="0,9", n=number(6000), each="0,1")
        assert "«\u00a03.5\u00a0»" in tr("laboratory.keyvalue_said", token="3.5", cosine=number(0.25, "+.2f"))
        assert i18n.counts("8,000 / 9,000") == "8\u202f000 / 9\u202f000"
    assert "0.50" in tr("inside.said_without_scaling", factor=5.7, before=0.5, after=1.0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_changes_a_quotation_that_looks_like_a_number(language):
    """In every field, whatever a visitor typed or the model wrote stays unchanged, however long."""
    quoted = "1,000.5 { $n }" * 300
    with speaking(language):
        for key, words in catalogue(language).items():
            for name in fields(key) if "key" not in fields(key) else ():  # JavaScript fills fields of this name
                if f"{{ ${name} }}" in words:
                    assert quoted in tr(key, **dict.fromkeys(fields(key), 2) | {name: quoted}), key


def test_french_punctuation_stays_with_its_word():
    with speaking("fr"):
        assert tr("laboratory.why") == "Pourquoi\u00a0?"
    assert not {key for key, text in catalogue("fr").items() if re.search(r" [;?!»]|« | :(?:\s|$)", text)}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_percent_sign_follows_its_number_directly_except_in_french(language):
    assert not {key for key, text in catalogue(language).items() if re.search(r"[\d}] %", text)}


@pytest.mark.parametrize(("value", "expected"), [(4.2e-7, "4·10⁻⁷"), (-2e12, "-2·10¹²"), (0.0, "0")])
def test_very_small_numbers_are_written_as_in_a_textbook(value, expected):
    assert power_of_ten(value) == expected


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
"""Replaced words: synonyms of a term, and descriptions that hold only on light or dark screens."""


@pytest.mark.parametrize("language", _NOT_OURS)
def test_replaced_terms_do_not_come_back(language):
    keys = {key for key, text in catalogue(language).items() for word in _NOT_OURS[language] if word in text}
    assert not keys


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_calls_the_page_of_one_head_by_its_name(language):
    words = catalogue(language)
    for key in ("laboratory.why_toy", "positions.only_distances"):
        assert words["frame.page_inside"] in words[key], key


def test_no_punctuation_of_one_language_follows_a_text():
    joined = re.compile(r"tr\((?:f'[^']*'|[^{}])*\)+\}\**[:;,.!?]|\{heading\}\**[:;,.!?]")
    assert not [path.name for path in SOURCES if joined.search(path.read_text("utf-8"))]


_CHINESE_GAPS = re.compile(r"[。，；：！？]\**[ ]|[\u4e00-\u9fff，。；：] “|” [\u4e00-\u9fff]")


def test_no_space_is_added_at_chinese_marks():
    assert not {key: text for key, text in catalogue("zh").items() if _CHINESE_GAPS.search(text)}
    assert sentences("译文没有变化。", "", "平均 log p：−0.13。") == "译文没有变化。平均 log p：−0.13。"
    assert sentences("It has not changed.", "", "Mean log p: −0.13.") == "It has not changed. Mean log p: −0.13."


def test_chinese_is_set_bold_and_never_slanted():
    slanted = re.compile(r"(?<!\*)\*(?!\*)[^*]+(?<!\*)\*(?!\*)")
    keys = {key for key, text in catalogue("zh").items() if slanted.search(text)}
    assert not {key for key in keys if not key.startswith("story.")}, "the article sets its terms bold"


def test_one_has_the_singular():
    texts = {n: tr("decode.others", n=number(n), share=number(0.01, ".1%")) for n in (0, 1, 2, 1001)}
    assert texts[1] == "1 other token has 1.0%."
    assert texts[0] == "0 other tokens share 1.0%." and texts[1001] == "1,001 other tokens share 1.0%."
    with speaking("fr"):
        assert [tr("room.here", n=n) for n in (0, 1, 2)] == ["0 téléphone", "1 téléphone", "2 téléphones"]
    with speaking("zh"):
        assert "->" not in tr("room.here", n=1)


def test_1_0_has_the_plural_in_english_and_the_singular_in_french():
    texts = {}
    for language in ("en", "fr"):
        with speaking(language):
            texts[language] = tr("corpus.value_faithless", value=number(1, ".2f"))
    assert "1.00 nats" in texts["en"] and "1,00 nat " in texts["fr"]


def test_a_text_without_one_of_its_values_is_an_error():
    with pytest.raises(KeyError, match="share"):
        tr("decode.others", n=2)


def test_the_glossary_reads_only_the_files_of_its_terms(monkeypatch):
    from viz.components import sentence

    files_read: list[str] = []

    class RecordingCatalogue(Catalogue):
        def __getitem__(self, key: str) -> str:
            files_read.append(key.partition(".")[0])
            return super().__getitem__(key)

        def __len__(self) -> int:
            raise AssertionError("to count all words every file is read, at each start")

    monkeypatch.setattr(sentence, "catalogue", RecordingCatalogue)
    assert "GLOSSARY" in sentence._glossary() and set(files_read) == {"first"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_those_that_the_parser_of_fluent_reads(language):
    for name in files.names_of_areas():
        area = files.area_of(language, name)
        parsed = {
            entry.id.name: files._parse(f"{entry.id.name} ={text[entry.value.span.start : entry.value.span.end]}")
            for text in area._sources
            for entry in FluentResource(text).body
            if isinstance(entry, ast.Message) and entry.value is not None and entry.value.span is not None
        }
        assert area.words == parsed, name
