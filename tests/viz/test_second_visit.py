"""Results measured for one visitor are reused for the same choices, in the same session and in another."""

import pytest

from tests.checkpoint import save_tiny
from tests.pages import open_drawers
from tests.viz.page import new_app, opened
from viz import cache


@pytest.fixture
def visit(tiny_server):
    cache.RESULTS.clear()
    return lambda **params: open_drawers(new_app(**{"text": "the cat is sleeping"} | params)).run()


def test_what_each_head_is_worth_is_shown_to_everyone(visit):
    first = visit(effects="1")
    again = first.run()
    second = visit(effects="1")
    other_sentence = visit(effects="1", text="the dog is on the sofa")
    for app in (first, again, second, other_sentence):
        assert app.toggle(key="choice..effects").value is True


def test_a_corpus_measured_by_one_visitor_serves_the_next(visit):
    for app in (visit(), visit()):
        for _ in range(2):
            app.button(key="corpus_start").click().run()
            assert any("50" in caption.value or "sentences" in caption.value for caption in app.caption)


@pytest.mark.nightly("first3")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"weighting": "gradient", "pins": "q0"}, {"weighting": "gradient", "pins": "q3"}),
        ({"effects": "1", "kind": "cross"}, {"effects": "1", "kind": "encoder_self"}),
        ({"weighting": "value_weighted"}, {"weighting": "rollout"}),
        ({"first_index": "0"}, {"first_index": "1"}),
    ],
)
def test_what_one_visitor_looks_at_is_never_shown_to_the_next(visit, first, second):
    alone = [told(visit(**params)) for params in (second, first) if not cache.RESULTS.clear()]
    cache.RESULTS.clear()
    after = [told(visit(**params)) for params in (first, second, first, second)]
    assert after[0] == after[2] == alone[1]
    assert after[1] == after[3] == alone[0]
    assert alone[0] != alone[1]


def test_equal_weights_under_two_names_keep_their_names(tmp_path, monkeypatch):
    captions = []
    for name in ("mine", "yours", "mine"):
        monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / name, name=name)))
        captions.append(told(opened(text="the cat is sleeping")))
    assert captions[0] == captions[2]
    assert b"mine" in captions[0] and b"yours" in captions[1] and b"mine" not in captions[1]


def told(app):
    """The data sent to the explorer, without the parts that belong to the session."""
    protos = [node.proto for node in app.get("bidi_component")]
    (found,) = [proto for proto in protos if proto.component_name.endswith("attention")]
    return found.bytes
