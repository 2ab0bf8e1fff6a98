"""A model of many languages is told in the model picker which one to write, and the link says it."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.checkpoints.test_target_language import many_languages
from viz import cache

ROOT = Path(__file__).parents[2]


def test_a_language_is_chosen_from_the_tokenizers_codes_and_kept_in_the_link(monkeypatch, tmp_path):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(many_languages("mbart50", tmp_path / "many")[0]))
    app = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120).run()
    (picker,) = [box for box in app.selectbox if box.label == "Language of the translation"]
    assert {"en_XX", "fr_XX", "de_DE"} <= set(picker.options)
    picker.set_value("fr_XX").run()
    assert not app.exception
    assert app.query_params["target_language"] in ("fr_XX", ["fr_XX"])
    again = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
    again.query_params["target_language"] = "fr_XX"
    again.run()
    (picker,) = [box for box in again.selectbox if box.label == "Language of the translation"]
    assert not again.exception and picker.value == "fr_XX"
    again.query_params["target_language"] = "xx_YY"
    assert not again.run().exception
