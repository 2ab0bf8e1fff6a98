"""The slider through a small model's training."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.checkpoint import save_tiny
from viz import cache, i18n

ROOT = Path(__file__).parents[2]


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny")))
    app = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
    app.query_params["text"] = "the cat is sleeping"
    return app


@pytest.mark.parametrize("kind", ["cross", "encoder_self", "decoder_self"])
def test_the_sentence_is_shown_at_each_kept_moment(app: AppTest, kind: str) -> None:
    app.query_params["kind"] = kind
    app.run().toggle(key="curve").set_value(True).run()
    assert not app.exception
    assert any(caption.value.startswith("The same sentence in a small English–French model") for caption in app.caption)


def test_a_sentence_beyond_the_small_model_says_so(app: AppTest) -> None:
    app.query_params["text"] = "the cat is sleeping on the sofa . " * 12
    app.run().toggle(key="curve").set_value(True).run()
    assert not app.exception
    assert i18n.tr("curve.long", n=40) in [caption.value for caption in app.caption]
