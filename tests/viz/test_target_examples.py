"""Examples in empty boxes are in the language that the model in use writes."""

from __future__ import annotations

import dataclasses

import pytest

from tests.checkpoint import tiny_bundle
from viz.panels.target_examples import Examples, target_examples


@pytest.mark.parametrize(
    ("target", "letters"),
    [("fr", "éèêôàù'"), ("de", "äöüß"), ("de-AT", "äöüß"), ("zh", "猫火门狗"), ("zh_CN", "猫火门狗")],
)
def test_every_example_is_in_the_models_language(target: str, letters: str) -> None:
    found = target_examples(dataclasses.replace(tiny_bundle(), target_language=target))
    assert found.code == target[:2]
    assert set(letters) & set("".join(said for _, said in found.pairs)) and len(found.pairs) == 8
    assert found.reference and found.beginning and found.pair
    assert found.reference != found.pairs[0][1], "a reference other than the model's own translation"
    others = {
        code: target_examples(dataclasses.replace(tiny_bundle(), target_language=code)) for code in ("fr", "de", "zh")
    }
    assert [code for code, each in others.items() if each.pairs == found.pairs] == [found.code]


@pytest.mark.parametrize(("source", "target"), [("en", "ru"), ("fr", "en"), (None, "fr"), ("en", None)])
def test_other_languages_have_empty_boxes(source: str | None, target: str | None) -> None:
    bundle = dataclasses.replace(tiny_bundle(), source_language=source, target_language=target)
    assert target_examples(bundle) == Examples()
