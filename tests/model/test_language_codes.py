"""Whatever a model calls a language, it is known by one code to what asks which language it is."""

import pytest
from transformers.models.nllb.tokenization_nllb import FAIRSEQ_LANGUAGE_CODES

from model.text.language_codes import bcp47, bleu_tokenizer, main_language
from model.training.languages import looks_like


@pytest.mark.parametrize(
    ("code", "language", "tag"),
    [("fra_Latn", "fr", "fr-Latn"), ("fr_XX", "fr", "fr-XX"), ("fr", "fr", "fr"), ("zho_Hans", "zh", "zh-Hans"),
     ("zh-CN", "zh", "zh-CN"), ("EN", "en", "en"), ("epo_Latn", "epo", "epo-Latn"), ("", "", ""), (None, "", "")],
)  # fmt: skip
def test_a_code_tells_its_language(code: str | None, language: str, tag: str) -> None:
    assert (main_language(code), bcp47(code)) == (language, tag)


def test_languages_that_something_here_asks_for_are_known_by_their_nllb_codes() -> None:
    ours = {"ar", "de", "el", "en", "es", "fr", "he", "hi", "ja", "km", "ko", "lo", "my", "ru", "th", "uk", "zh"}
    assert ours <= {main_language(code) for code in FAIRSEQ_LANGUAGE_CODES}


def test_bleu_and_the_look_for_swapped_columns_understand_a_multilingual_models_codes() -> None:
    assert [bleu_tokenizer(code) for code in ("zho_Hans", "yue_Hant", "jpn_Jpan", "deu_Latn")] == [
        "zh", "zh", "char", "13a"]  # fmt: skip
    assert looks_like("Le chat est sur la table.", "fra_Latn", "eng_Latn")
    assert not looks_like("The cat is on the table.", "fra_Latn", "eng_Latn")
