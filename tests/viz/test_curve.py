"""The slider through a small model's training."""

import pytest

from tests.viz.page import SENTENCE, said
from viz.i18n import tr


@pytest.mark.parametrize("kind", ["cross", "encoder_self", "decoder_self"])
def test_the_sentence_is_shown_at_each_kept_moment(open_page, kind: str) -> None:
    app = open_page(text="the cat is sleeping", kind=kind)
    app.toggle(key="curve").set_value(True).run()
    assert "The same sentence in a small English–French model" in said(app)


def test_a_sentence_beyond_the_small_model_says_so(open_page) -> None:
    app = open_page(text=f"{SENTENCE} " * 12)
    app.toggle(key="curve").set_value(True).run()
    assert tr("curve.long", n=40) in [caption.value for caption in app.caption]
