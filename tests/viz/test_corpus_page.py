"""The Corpus page: every view in every language, questions, SQL, pruning, neighbours and alignments."""

import copy
from pathlib import Path
from typing import Any

import duckdb
import pytest

from model.corpus.shipped import shipped_figures
from model.corpus.survey import survey
from tests.checkpoint import tiny_bundle
from tests.viz.page import page_text, run_page, url_param
from viz import cache
from viz.corpus import heads
from viz.corpus.find import whole_word
from viz.corpus.neighbours import bracket_token
from viz.corpus.pruning import beats_chance
from viz.environment import SURVEY_VARIABLE
from viz.plain_text import escape_markdown

ROOT = Path(__file__).parents[2]
VIEWS = ("heads", "find", "fires", "neighbours", "align", "pruning", "explains")


@pytest.mark.nightly(but=("align", "explains"))
@pytest.mark.parametrize(("view", "language"), list(zip(VIEWS, ("en", "zh", "fr") * 3, strict=False)))
def test_each_view_runs(view: str, language: str) -> None:
    app = run_page("corpus", **{"corpus.view": view, "language": language})
    assert app.main


@pytest.mark.nightly
@pytest.mark.parametrize("split", ["length", "quality", "token"])
def test_the_corpus_can_be_split(split: str) -> None:
    run_page("corpus", corpus__view="heads", corpus__split=split, corpus__kind="encoder_self")


@pytest.mark.nightly(but=("word", "worst"))
@pytest.mark.parametrize("question", ["word", "distance", "faithless", "worst"])
def test_each_question_is_answered_with_sentences_their_references_and_translations(question: str) -> None:
    app = run_page("corpus", corpus__view="find", corpus__question=question, corpus__word="don't", language="en")
    rows = [caption.value.splitlines() for caption in app.caption if caption.value.startswith("Reference: ")]
    assert len(rows) > 3 and all(model.startswith("Model: ") for _, model in rows)


def test_a_model_of_another_language_is_not_compared_with_french_alignments() -> None:
    app = run_page("corpus", **{"corpus.view": "align", "language": "en"}, model="en-de")
    assert "writes another language" in page_text(app)
    assert not [button for button in app.button if button.key == "corpus_align_measure"]
    gold = "The cat sleeps .\tDie Katze schläft .\t0-0 1-1 2-2 3-3\n".encode()
    app.file_uploader(key="corpus_gold").set_value(("mine.tsv", gold, "text/plain")).run()
    app.button(key="corpus_gold_measure").click().run()
    assert any(box.key == "corpus_gold_layer" for box in app.selectbox)


@pytest.mark.parametrize(
    ("word", "sentence", "is_found"),
    [("café", "un café noir", True), ("caf", "un café noir", False), ("银行", "他去银行了", True),
     ("bank", "the bank.", True), ("bank", "embankment", False), ("don't (", "I don't (yet)", True), ("", "any", True)],
)  # fmt: skip
def test_a_search_matches_words_of_any_script(word: str, sentence: str, is_found: bool) -> None:
    (answer,) = duckdb.execute("SELECT regexp_matches(lower(?), ?)", [sentence, whole_word(word)]).fetchall()
    assert answer == (is_found,)


def test_sentences_without_translations_have_no_scores_to_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    survey(tiny_bundle(), [("the cat", "le chat"), ("the dog .", "le chien .")], tmp_path, translate=False)
    monkeypatch.setenv(SURVEY_VARIABLE, str(tmp_path))
    app = run_page(
        "corpus", **{"corpus.view": "find", "corpus.question": "word", "corpus.word": "the", "language": "en"}
    )
    assert "nan" not in "".join(caption.value for caption in app.caption)
    for params in ({"corpus.view": "find", "corpus.question": "worst"}, {"corpus.split": "quality"}):
        app = run_page("corpus", **params, language="en")
        assert "There are no scores here" in page_text(app)


def test_a_pruned_model_opens_as_interventions() -> None:
    app = run_page("corpus", **{"corpus.view": "pruning", "corpus.point": "1"})
    app.button(key="corpus_open_pruned").click().run()
    first = shipped_figures()["pruning"]["curves"]["importance"]
    assert len(url_param(app, "interventions").split()) == first["removed"][1]


@pytest.mark.parametrize(("state", "colour"), [("encoder.2", "head"), ("decoder.4", "layer"), ("nowhere", "token")])
def test_neighbours_are_shown_for_each_side_and_colour(state: str, colour: str) -> None:
    app = run_page(
        "corpus", **{"corpus.view": "neighbours", "corpus.state": state, "corpus.colour": colour, "corpus.step": "2"}
    )
    nearest: Any = app.dataframe[0].value
    assert len(nearest) == 20 and nearest.iloc[:, 0].is_monotonic_decreasing
    assert nearest.iloc[0, 0] > 0.3 and "[" in nearest.iloc[0, 3]


def test_neighbours_of_another_model_are_not_mixed_up() -> None:
    app = run_page("corpus", **{"corpus.view": "neighbours", "model": "tiny", "language": "en"})
    assert any(escape_markdown("en-fr") in info.value for info in app.info)


def test_the_order_of_importance_is_praised_no_further_than_it_was_measured() -> None:
    curves = shipped_figures()["pruning"]["curves"]
    limit = beats_chance(curves)
    for place, removed in enumerate(curves["importance"]["removed"][1:], start=1):
        ours = curves["importance"]["log_probs"][place]
        is_better = all(ours > curves[f"random_{seed}"]["log_probs"][place] for seed in range(5))
        if removed <= limit:
            assert is_better
    app = run_page("corpus", **{"corpus.view": "pruning", "language": "en"})
    praise = (
        f"better than each of 5 random orders up to {limit} of 96 heads"
        if limit
        else "is no better than the best of 5 random orders"
    )
    assert praise in page_text(app)


def test_no_weighting_is_called_better_whose_interval_overlaps() -> None:
    rows = {row["weighting"]: row["agreement"] for row in shipped_figures()["erasure"]["rows"] if row["layer"] is None}
    is_clear = any(row["low"] > rows["raw"]["high"] for name, row in rows.items() if name != "raw")
    app = run_page("corpus", **{"corpus.view": "explains", "language": "en"})
    assert f"correlation of **{rows['raw']['mean']:.2f}**" in page_text(app)
    assert ("does better" in page_text(app)) == is_clear and ("intervals overlap" in page_text(app)) != is_clear


def test_the_error_rate_is_explained_with_a_baseline_without_a_model() -> None:
    alignment = shipped_figures()["alignment"]
    app = run_page("corpus", **{"corpus.view": "align", "language": "en"})
    explanation = next(caption.value for caption in app.caption if "How it is counted" in caption.value)
    assert "Without a model" in explanation and f"{alignment['diagonal']['aer']:.3f}" in explanation
    assert alignment["best"]["aer"] < alignment["diagonal"]["aer"]


@pytest.mark.nightly(but=("SELECT repeat('x', 300000000)", "SELECT * FROM read_csv('/etc/passwd')"))
@pytest.mark.parametrize(
    "sql",
    ["SELECT * FROM read_csv('/etc/passwd')", "COPY heads TO '/tmp/x.csv'", "SELECT nothing", "SHOW ALL TABLES",
     "WITH a AS (WITH sqlite_master AS (SELECT 1) FROM sqlite_master) SELECT sql FROM sqlite_master, a",
     "SELECT repeat('x', 300000000)"],
)  # fmt: skip
def test_sql_that_reaches_outside_or_is_mistaken_is_one_clear_panel(sql: str) -> None:
    app = run_page("corpus", **{"corpus.view": "find", "language": "en"})
    app.text_area(key="corpus_sql").set_value(sql)
    app.button(key="corpus_sql_run").click().run()
    assert "This query could not be answered" in page_text(app)
    assert not app.dataframe and str(ROOT) not in str([text.value for text in app.text])


def test_a_truncated_answer_has_a_notice() -> None:
    app = run_page("corpus", **{"corpus.view": "find", "language": "en"})
    for sql, is_cut in (("SELECT layer, head FROM heads", True), ("SELECT layer, head FROM heads LIMIT 3", False)):
        app.text_area(key="corpus_sql").set_value(sql)
        app.button(key="corpus_sql_run").click().run()
        assert list(app.dataframe[0].value) == ["layer", "head"]
        assert is_cut == ("These are its first 2,000 rows" in page_text(app))


def test_cached_answers_are_counted_in_bytes() -> None:
    survey = cache.survey()
    before = cache.RESULTS.used_bytes
    answer = cache.ask(survey, "SELECT source FROM sentences LIMIT 1000")
    assert cache.RESULTS.used_bytes - before > answer["source"].str.len().sum()
    answer["source"] = ""
    assert cache.ask(survey, "SELECT source FROM sentences LIMIT 1000")["source"].str.len().all()


@pytest.mark.nightly
def test_translations_without_heads_and_every_kind_are_shown_where_they_were_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    figures = copy.deepcopy(shipped_figures())
    pruning, rows = figures["pruning"], figures["erasure"]["rows"]
    for mode in ("zero", "mean", "keep_one"):
        changes = [[kind, layer, head, -2.5, -3.0, -2.0] for kind, layer, head, *_ in pruning[mode]["rows"]]
        pruning[mode] |= {name: {"before": 40.0, "rows": changes} for name in ("bleu", "chrf")}
    scores = [{"bleu": 40.0 - place, "chrf": 60.0} for place in range(len(pruning["curves"]["cross"]["removed"]))]
    for curve in pruning["curves"].values():
        curve["quality"] = scores
    figures["erasure"]["rows"] = [row | {"kind": kind} for row in rows for kind in ("cross", "encoder_self")]
    monkeypatch.setattr(cache, "corpus_figures", lambda: figures)
    app = run_page("corpus", **{"corpus.view": "pruning", "language": "en"})
    (encoder,) = [text.value for text in app.caption if "of 32 encoder heads, 32 change BLEU" in text.value]
    assert "by −2.5 at best" in encoder
    app.button_group(key="corpus_removal_measure").set_value("bleu").run()
    assert all(app.button_group(key=f"corpus_removal{of}").proto.required for of in ("", "_measure"))
    app = run_page("corpus", **{"corpus.view": "explains", "language": "en"})
    app.button_group(key="corpus_explains_kind").set_value("encoder_self").run()
    assert "receive inside the encoder" in page_text(app)


def test_a_users_gold_links_are_measured_and_removed() -> None:
    app = run_page("corpus", **{"corpus.view": "align", "language": "en"})
    assert "Alibi" in page_text(app)
    gold = "The cat .\tLe chat .\t0-0 1-1 2-2\nThe dog .\tLe chien .\t0-0 1p1\n"
    app.file_uploader(key="corpus_gold").set_value(("mine.tsv", gold.encode(), "text/plain")).run()
    app.button(key="corpus_gold_measure").click().run()
    assert any(escape_markdown("mine.tsv") in caption.value and "2 pairs" in caption.value for caption in app.caption)
    assert "Alibi" not in page_text(app), "these links are not Alibi's"
    app.button(key="corpus_gold_back").click().run()
    assert "Alibi" in page_text(app)


@pytest.mark.nightly
@pytest.mark.parametrize(("view", "part"), [("pruning", "pruning"), ("explains", "erasure")])
def test_another_model_is_measured_where_only_the_shipped_one_was(view: str, part: str) -> None:
    app = run_page("corpus", **{"corpus.view": view, "model": "tiny", "language": "en"})
    assert any(
        "was measured with" in caption.value and escape_markdown("en-fr") in caption.value for caption in app.caption
    )
    if view == "pruning":
        assert app.button(key="corpus_open_pruned").disabled
        assert f"belong to the model {escape_markdown('en-fr')}" in page_text(app)
    app.button(key=f"corpus_measure_{part}").click().run()
    captions = [caption.value for caption in app.caption if "easured" in caption.value]
    assert any(f"Measured with {escape_markdown('tiny')}" in text for text in captions)
    assert not any(escape_markdown("en-fr") in text for text in captions if "surveyed" not in text)
    revisited = run_page("corpus", **{"corpus.view": view, "model": "tiny", "language": "en"})
    assert not [button for button in revisited.button if button.key == f"corpus_measure_{part}"]


def test_gold_that_cannot_be_used_is_one_clear_panel() -> None:
    app = run_page("corpus", **{"corpus.view": "align", "language": "en"})
    for content, message in (
        (b"the cat\tle chat\t0-7\n", "names target word 7"),
        (b"caf\xe9\tx\t0-0\n", "is not UTF-8"),
        (b"the cat\tle chat\n", "2 of 3 columns"),
    ):
        app.file_uploader(key="corpus_gold").set_value(("mine.tsv", content, "text/plain")).run()
        app.button(key="corpus_gold_measure").click().run()
        assert message in page_text(app)


@pytest.mark.parametrize(
    ("tokens", "position", "text"),
    [
        (["▁J", "'", "ai", "▁19", ".", "</s>"], 3, "J'ai [19]."),
        (["▁S", "er", "re", "▁!", "</s>"], 1, "S[er]re !"),
        (["▁Oui", ".", "</s>"], 2, "Oui.[</s>]"),
        (["le", "chat", "dort", "</s>"], 1, "le [chat] dort"),
    ],
)
def test_a_neighbour_is_bracketed_in_its_sentence(tokens: list[str], position: int, text: str) -> None:
    assert bracket_token(tokens, position) == text


@pytest.mark.nightly
def test_only_methods_with_fewer_errors_are_called_better(monkeypatch: pytest.MonkeyPatch) -> None:
    alignment = copy.deepcopy(cache.shipped_alignment(shipped_figures()["fingerprint"]))
    assert alignment is not None
    for way in (*alignment["variants"], *alignment["sets"]):
        way["aer"] = alignment["best"]["aer"]
    monkeypatch.setattr(cache, "shipped_alignment", lambda fingerprint: alignment)
    for is_less in (False, True):
        if is_less:
            alignment["variants"][0]["aer"] = 0.001
        app = run_page("corpus", **{"corpus.view": "align", "language": "en"})
        found_less = [text.value.count("\n- ") for text in app.markdown if "errs less" in text.value]
        assert found_less == ([1] if is_less else [])


def test_chinese_lists_have_chinese_marks() -> None:
    app = run_page("corpus", **{"corpus.view": "explains", "language": "zh"})
    listed = next(text.value for text in app.markdown if "ALTI+" in text.value)
    assert "ALTI+，所有层（" in listed and "; " not in listed


@pytest.mark.parametrize(("kinds", "has_notice"), [((), True), (("decoder_self",), False)])
def test_figures_without_a_kind_of_attention_are_shown_without_it(
    monkeypatch: pytest.MonkeyPatch, kinds: tuple[str, ...], has_notice: bool
) -> None:
    figures = copy.deepcopy(shipped_figures())
    rows = figures["erasure"]["rows"]
    figures["erasure"]["rows"] = [row for row in rows if row.get("kind", "cross") in kinds]
    monkeypatch.setattr(cache, "corpus_figures", lambda: figures)
    app = run_page("corpus", **{"corpus.view": "explains", "language": "en"})
    assert ("no order could be compared" in page_text(app)) is has_notice


def test_the_chosen_head_is_marked_under_the_numbers_that_the_reader_counts_by(monkeypatch) -> None:
    marked, draw = [], heads.head_medians
    monkeypatch.setattr(
        heads, "head_medians", lambda *args, **options: marked.append(options["chosen"]) or draw(*args, **options)
    )
    link = {"corpus.view": "heads", "corpus.split": "length", "corpus.layer": "1", "corpus.head": "2"}
    run_page("corpus", **link, first_index="1")
    assert marked.count((2, 3)) == 1 and marked.count(None) == len(marked) - 1 > 0
