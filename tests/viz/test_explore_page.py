"""Explore: verdicts, captions, the slider through training steps, and the explorer's state from the browser."""

import math
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

import model
from model.corpus.shipped import shipped_figures
from model.trace import TokenSequence
from tests.checkpoint import save_tiny, tiny_bundle
from tests.pages import open_drawers
from tests.viz.page import SENTENCE, new_app, page_text, run_page, sentence_data
from viz import cache
from viz.components.attention import ViewState
from viz.i18n import tr
from viz.panels import explorer
from viz.panels.explorer import Projection
from viz.panels.stage import sentence
from viz.panels.stage.verdict import spoken

TEXT = "the cat is on the sofa ."


def test_the_probability_of_a_word_is_the_product_of_its_tokens():
    trace = model.translate(model.load(), "I'm learning Japanese.")
    verdict = spoken(trace)
    assert " ".join(verdict.words).replace(" .", ".") in (trace.text, trace.text.replace(" .", "."))
    ordinary = [float(p) for p, special in zip(trace.log_probs, trace.target.is_special, strict=True) if not special]
    assert math.log(math.prod(verdict.shares)) == pytest.approx(sum(ordinary), abs=1e-4)


def test_the_verdict_lists_tokens_in_a_language_without_spaces():
    bundle = model.load("pretrained/en-zh")
    verdict = spoken(model.translate(bundle, "I like tea."))
    assert verdict.joiner == "" and len(verdict.words) > 1


@pytest.mark.nightly(but=("overview",))
@pytest.mark.parametrize("page", ["explore", "decode", "overview", "inside"])
def test_a_change_has_the_same_verdict_on_every_page(open_page, page):
    app = open_page(page, text=TEXT)
    assert sentence_data(app)["verdict"] is None
    app.query_params["interventions"] = "off:x.0.1"
    del app.session_state["regard.choices"]
    app.run()
    verdict = sentence_data(app)["verdict"]
    interventions = model.Interventions(heads_off=(model.HeadAblation("cross", 0, 1),))
    for side, trace in (("before", model.translate(tiny_bundle(), TEXT)),
                        ("after", model.translate(tiny_bundle(), TEXT, interventions=interventions))):  # fmt: skip
        assert verdict[side]["words"] == list(spoken(trace).words)
        assert verdict[side]["shares"] == pytest.approx(list(spoken(trace).shares), rel=1e-4)


def test_only_a_token_outside_of_words_is_special_and_a_long_text_counts_its_remainder():
    tokens = TokenSequence((5, 6, 7, 3), ("▁the", "▁ca", "t", "</s>"), (0, 1, 1, -1), (None,) * 4)
    assert [chip.special for chip in sentence._chips(tokens)] == [False, False, False, True]
    chips = (sentence.Chip("a"),) * sentence.MAX_PIECES
    assert sentence._beginning(chips) == chips
    assert [chip.text for chip in sentence._beginning((*chips, *chips[:2]))[-2:]] == ["a", "… +2"]


OTHER = {"fed": "predicted", "predicted": "fed"}


def captions(**params: str) -> str:
    return "\n".join(caption.value for caption in run_page(**{"language": "en"} | params).caption)


@pytest.fixture(scope="module")
def measured() -> dict[tuple[int, int], dict[str, float]]:
    errors: dict[tuple[int, int], dict[str, float]] = {}
    for row in shipped_figures()["alignment"]["heads"]:
        if row["weights"] == "raw":
            errors.setdefault((row["layer"], row["head"]), {})[row["row"]] = row["aer"]
    return errors


@pytest.mark.nightly("fed")
@pytest.mark.parametrize(("better", "words"), [("fed", "fed in"), ("predicted", "predicted")])
def test_the_line_names_the_row_with_the_lower_error(
    measured: dict[tuple[int, int], dict[str, float]], better: str, words: str
) -> None:
    layer, head = min(measured, key=lambda place: measured[place][better] - measured[place][OTHER[better]])
    low, high = measured[layer, head][better], measured[layer, head][OTHER[better]]
    texts = captions(kind="cross", layer=str(layer), head=str(head), rows=OTHER[better])
    assert f"set the rows to “token {words}”: the alignment error rate is then {low:.2f}, against {high:.2f}" in texts
    texts = captions(kind="cross", layer=str(layer), head=str(head), rows=better)
    assert "set the rows" not in texts, "nothing is advised that is set"
    assert f"“token {words}”, align words better with this head: the alignment error rate is {low:.2f}" in texts


def test_a_head_is_compared_with_words_linked_by_position(measured: dict[tuple[int, int], dict[str, float]]) -> None:
    diagonal = shipped_figures()["alignment"]["diagonal"]["aer"]
    ordered = sorted(measured, key=lambda place: min(measured[place].values()))
    for (layer, head), is_better in ((ordered[0], True), (ordered[-1], False)):
        assert (min(measured[layer, head].values()) < diagonal) == is_better
        texts = captions(kind="cross", layer=str(layer), head=str(head))
        assert ("no better than linking words by their position alone" in texts) != is_better


def test_every_error_rate_is_written_as_the_reader_writes_numbers(
    measured: dict[tuple[int, int], dict[str, float]],
) -> None:
    layer, head = next(iter(measured))
    texts = captions(kind="cross", layer=str(layer), head=str(head), language="fr")
    assert "taux d'erreur d'alignement est alors de 0," in texts and not re.search(r"\d\.\d", texts)


def test_self_attention_has_no_alignment_caption() -> None:
    assert "align" not in captions(kind="encoder_self")


@pytest.mark.parametrize("kind", ["cross", "encoder_self", "decoder_self"])
def test_the_sentence_is_shown_at_each_stored_step(open_page, kind: str) -> None:
    app = open_page(text="the cat is sleeping", kind=kind)
    app.toggle(key="curve").set_value(True).run()
    assert "The same sentence in a small English–French model" in page_text(app)


def test_a_sentence_beyond_the_small_model_has_a_notice(open_page) -> None:
    app = open_page(text=f"{SENTENCE} " * 12)
    app.toggle(key="curve").set_value(True).run()
    assert tr("curve.long", n=40) in [caption.value for caption in app.caption]


@pytest.fixture
def visit(tiny_server):
    cache.RESULTS.clear()
    return lambda **params: open_drawers(new_app(**{"text": "the cat is sleeping"} | params)).run()


def test_measurements_of_heads_are_shown_to_every_visitor(visit):
    first = visit(effects="1")
    rerun = first.run()
    second = visit(effects="1")
    other_sentence = visit(effects="1", text="the dog is on the sofa")
    for app in (first, rerun, second, other_sentence):
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
def test_a_visitors_sentence_is_never_shown_to_the_next(visit, first, second):
    alone = [explorer_data(visit(**params)) for params in (second, first) if not cache.RESULTS.clear()]
    cache.RESULTS.clear()
    after = [explorer_data(visit(**params)) for params in (first, second, first, second)]
    assert after[0] == after[2] == alone[1]
    assert after[1] == after[3] == alone[0]
    assert alone[0] != alone[1]


def test_equal_weights_under_two_names_keep_their_names(tmp_path, monkeypatch):
    captions = []
    for name in ("mine", "yours", "mine"):
        monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / name, name=name)))
        captions.append(explorer_data(run_page(text="the cat is sleeping")))
    assert captions[0] == captions[2]
    assert b"mine" in captions[0] and b"yours" in captions[1] and b"mine" not in captions[1]


def explorer_data(app):
    """The data sent to the explorer, without the parts of the session."""
    protos = [node.proto for node in app.get("bidi_component")]
    (explorer,) = [proto for proto in protos if proto.component_name.endswith("attention")]
    return explorer.bytes


class Desk:
    """A session with one explorer, seen from the page and from the browser."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.stored: dict[str, Any] = {}
        self.report: Any = None
        self.state = ViewState.parse({})
        self.view = cast(Any, SimpleNamespace(nearest=lambda state: state))
        self.copy = Projection("one", lambda: self.state, self.write)
        session = SimpleNamespace(
            recall=lambda name, new: self.stored.setdefault(name, new()),
            remember=self.stored.__setitem__,
            component_value=lambda key, name: self.report,
        )
        monkeypatch.setattr(explorer, "session", session)

    def write(self, state: ViewState) -> None:
        self.state = state

    def reports(self, head: int, revision: int) -> None:
        self.report = {"state": {"head": head}, "revision": revision}
        self.copy.take(self.view)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(monkeypatch)


def test_a_report_on_the_last_revision_is_stored_and_not_sent_back(desk: Desk):
    first = desk.copy.shared(desk.view)
    desk.reports(3, first.revision)
    assert desk.state.head == 3
    assert desk.copy.shared(desk.view).revision == first.revision


def test_a_report_from_before_a_change_on_the_server_is_refused(desk: Desk):
    first = desk.copy.shared(desk.view)
    desk.state = replace(desk.state, head=5)
    second = desk.copy.shared(desk.view)
    assert second.revision == first.revision + 1
    desk.reports(3, first.revision)
    assert desk.state.head == 5
    desk.reports(4, second.revision)
    assert desk.state.head == 4


def test_a_report_on_a_revision_that_was_never_sent_is_refused(desk: Desk):
    first = desk.copy.shared(desk.view)
    desk.reports(3, first.revision + 1)
    assert desk.state.head == ViewState.parse({}).head
