"""The survey's tables equal the measures of one sentence at a time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import model
from model.analysis import trace_metrics
from model.analysis.sinks import sinks_of
from model.corpus.gold import CorpusError, Pair
from model.corpus.survey import Survey, survey
from model.interpret.attribution import value_weighted
from model.interpret.source_contribution import source_contribution
from model.interventions import KINDS, AttentionKind
from tests.model.corpus.pairs import PAIRS

NAMES = {"sink_share": "sinks"}


@pytest.mark.parametrize("kind", KINDS)
def test_heads_are_measured_as_one_sentence_at_a_time(
    bundle: model.Bundle, surveyed: Survey, kind: AttentionKind
) -> None:
    frame = surveyed.query("SELECT * FROM heads WHERE kind = ? ORDER BY id, layer, head", [kind])
    for index, (source, target) in enumerate(PAIRS):
        alone = trace_metrics(model.score(bundle, source, target), kind)
        rows = frame[frame["id"] == index]
        for name in ("entropy", "normalised_entropy", "offset", "previous", "same", "next", "sink_share", "confidence",
                     "maximum", *(["diagonality"] if kind == "cross" else [])):  # fmt: skip
            expected = alone.of(NAMES.get(name, name))
            assert expected is not None
            found = rows[name].to_numpy(float).reshape(expected.shape)
            np.testing.assert_allclose(found, expected, atol=2e-5, err_msg=f"{name} of pair {index}")


def test_value_weighted_shares_follow_the_norms(bundle: model.Bundle, surveyed: Survey) -> None:
    frame = surveyed.query("SELECT * FROM heads WHERE kind = 'cross' ORDER BY id, layer, head")
    trace = model.score(bundle, *PAIRS[1])
    moved = value_weighted(bundle, trace).cross
    assert moved is not None
    rows = frame[frame["id"] == 1]
    per_head = moved.sum((-2, -1))
    expected = per_head / per_head.sum(-1, keepdims=True)
    np.testing.assert_allclose(rows["value_weighted_share"].to_numpy().reshape(expected.shape), expected, rtol=1e-3)
    sinks = (moved[..., sinks_of(trace.source)].sum(-1) / moved.sum(-1)).mean(-1)
    np.testing.assert_allclose(rows["value_weighted_sink_share"].to_numpy().reshape(sinks.shape), sinks, rtol=1e-3)


def test_sentences_carry_scores_of_the_pair_and_of_the_translation(bundle: model.Bundle, surveyed: Survey) -> None:
    frame = surveyed.query("SELECT * FROM sentences ORDER BY id")
    for index, (source, target) in enumerate(PAIRS):
        trace = model.score(bundle, source, target)
        row = frame.iloc[index]
        assert row["log_prob"] == pytest.approx(float(trace.log_probs.sum()), abs=1e-3)
        assert row["translation"] == model.translate(bundle, source).text
        assert row["source_contribution"] == pytest.approx(
            -float(source_contribution(bundle, trace).without_source.mean()), abs=1e-3
        )
        assert (row["n_source"], row["n_target"]) == (len(trace.source), len(trace.target))


def test_each_token_has_its_strongest_key(bundle: model.Bundle, surveyed: Survey) -> None:
    frame = surveyed.query("SELECT * FROM links WHERE id = 1 AND kind = 'decoder_self' AND layer = 1 AND head = 0")
    trace = model.score(bundle, *PAIRS[1])
    weights = trace.attention.decoder_self
    assert weights is not None and len(frame) == len(trace.target)
    for row in frame.itertuples():
        shown = weights[1, 0, row.query]
        assert row.key == shown.argmax() and row.weight == pytest.approx(shown.max(), abs=1e-5)
        assert row.query_token == trace.target_tokens[row.query]
        assert row.fed_token == trace.prefix_tokens[row.query]
        assert row.key_token == trace.prefix_tokens[row.key]
        assert row.is_sink == sinks_of(trace.prefix)[row.key]


def test_maps_are_kept_whole_when_asked(bundle: model.Bundle, surveyed: Survey) -> None:
    row = surveyed.query("SELECT * FROM maps WHERE id = 0 AND kind = 'cross' AND layer = 1 AND head = 1").iloc[0]
    found = np.frombuffer(row["weights"], np.float16).reshape(row["n_queries"], row["n_keys"])
    cross = model.score(bundle, *PAIRS[0]).attention.cross
    assert cross is not None
    np.testing.assert_allclose(found, cross[1, 1], atol=1e-3)


def test_a_survey_under_a_patch_says_what_each_sentence_says_under_it(bundle: model.Bundle, tmp_path: Path) -> None:
    patch = model.Patch("encoder.0.residual.after", positions=(1,), from_text="the dog is sleeping .")
    edits = model.Interventions(model.HeadOff("decoder_self", 0, 1), patches=patch)
    frame = survey(bundle, PAIRS, tmp_path / "s", interventions=edits).query("SELECT * FROM sentences ORDER BY id")
    plain = [model.score(bundle, source, target) for source, target in PAIRS]
    for index, (source, target) in enumerate(PAIRS):
        trace = model.score(bundle, source, target, interventions=edits)
        row = frame.iloc[index]
        assert row["log_prob"] == pytest.approx(float(trace.log_probs.sum()), abs=1e-3)
        assert row["log_prob"] != pytest.approx(float(plain[index].log_probs.sum()), abs=1e-3)
        assert row["translation"] == model.translate(bundle, source, interventions=edits).text
        assert row["source_contribution"] == pytest.approx(
            -float(source_contribution(bundle, trace).without_source.mean()), abs=1e-3
        )
    with pytest.raises(CorpusError):
        survey(bundle, PAIRS, tmp_path / "s", resume=True)
    with pytest.raises(model.InterventionError, match="no layer 9"):
        survey(bundle, PAIRS, tmp_path / "t", interventions=model.Interventions(model.HeadOff("cross", 9, 0)))


def test_states_are_kept_with_the_token_that_follows(bundle: model.Bundle, tmp_path: Path) -> None:
    found = survey(bundle, PAIRS[:1], tmp_path / "s", states=("encoder.2", "decoder.0"))
    frame = found.query("SELECT * FROM states WHERE states = 'encoder.2' ORDER BY position")
    assert frame["token"].tolist() == ["the", "cat", "is", "sleeping", ".", "</s>"]
    assert frame["next_token"].tolist() == ["cat", "is", "sleeping", ".", "</s>", ""]
    assert len(frame["state"][0]) == 2 * bundle.config.d_model
    with pytest.raises(CorpusError, match=r"no states “decoder\.7”"):
        survey(bundle, PAIRS, tmp_path / "t", states=("decoder.7",))


def test_a_slim_survey_answers_the_same_questions(bundle: model.Bundle, surveyed: Survey, tmp_path: Path) -> None:
    slim = survey(bundle, PAIRS, tmp_path / "slim", slim=True)
    asked = ("SELECT id, kind, layer, head, query, query_token, fed_token, key_token, round(weight, 2) AS weight "
             "FROM links ORDER BY ALL")  # fmt: skip
    one, other = surveyed.query(asked), slim.query(asked)
    assert one.drop(columns="weight").equals(other.drop(columns="weight"))
    np.testing.assert_allclose(one["weight"], other["weight"], atol=0.011)


def test_a_model_can_be_measured_on_its_own_translations(bundle: model.Bundle, tmp_path: Path) -> None:
    pairs = [(source, "Wort auf Deutsch", "0-0") for source in ("the cat is sleeping .", "the dog")] + [(" ", "leer")]
    found = survey(bundle, pairs, tmp_path / "own", own_targets=True)
    said = [model.translate(bundle, source).text for source, *_ in pairs[:2]]
    assert found.query("SELECT target FROM sentences ORDER BY id")["target"].tolist() == said
    frame = found.query("SELECT * FROM sentences")
    assert found.has_own_targets and frame["chrf"].isna().all() and frame["links"].isna().all()
    assert [reason.partition(":")[0] for _, reason in found.skipped] == ["the source is empty"]
    with pytest.raises(CorpusError, match="other weights or options"):
        survey(bundle, pairs, tmp_path / "own", resume=True)


def test_links_measure_each_sentence(bundle: model.Bundle, tmp_path: Path) -> None:
    linked = [("the cat", "le chat", "0-0 1-1"), ("the dog", "un chien")]
    found = survey(bundle, linked, tmp_path / "gold")
    frame = found.query("SELECT * FROM heads WHERE kind = 'cross' ORDER BY id, layer, head")
    with_links, without = frame[frame["id"] == 0], frame[frame["id"] == 1]
    assert with_links["aer_fed"].notna().all() and without["aer_fed"].isna().all()
    cross = model.score(bundle, "the cat", "le chat").attention.cross
    assert cross is not None
    hits = sum(cross[0, 0, row + 1, :2].argmax() == row for row in range(2))
    assert with_links["aer_fed"].iloc[0] == pytest.approx(1 - hits / 2)


<<<<<<< HEAD
=======
def test_pairs_that_cannot_be_read_are_left_out_by_name(bundle: model.Bundle, tmp_path: Path) -> None:
    long = "the cat " * 5_000
    found = survey(bundle, [("the cat", "le chat"), ("", "le"), ("the", ""), (long, "le chat")], tmp_path / "odd")
    assert [number for number, _ in found.skipped] == [1, 2, 3]
    assert "source is empty" in found.skipped[0][1] and "10,001 tokens" in found.skipped[2][1]
    assert found.query("SELECT id FROM sentences")["id"].tolist() == [0]


def test_a_shard_of_which_nothing_could_be_read_has_the_columns_of_the_others(
    bundle: model.Bundle, tmp_path: Path
) -> None:
    kept = {"maps": True, "states": ("encoder.1",), "shard_size": 1}
    found = survey(bundle, [("", "le"), ("the cat", "un chat")], tmp_path / "odd", **kept)  # type: ignore[arg-type]
    for table in found.tables:
        schemas = [pq.read_schema(path).remove_metadata() for path in found.tables[table]]
        assert schemas[0].equals(schemas[1]), table
    assert found.query("SELECT id FROM heads WHERE kind = 'cross' GROUP BY id")["id"].tolist() == [1]


def test_the_rows_of_a_layer_are_a_row_group_that_says_so(surveyed: Survey) -> None:
    for table in ("heads", "links", "maps"):
        groups = pq.ParquetFile(surveyed.folder / f"{table}-00000.parquet").metadata
        assert groups.num_row_groups == 6
        columns = {groups.schema.column(i).name: i for i in range(groups.num_columns)}
        seen = set()
        for index in range(groups.num_row_groups):
            ends = [groups.row_group(index).column(columns[name]).statistics for name in ("kind", "layer")]
            assert all(one.min == one.max for one in ends)
            seen.add(tuple(one.min for one in ends))
        assert seen == {(kind, layer) for kind in KINDS for layer in range(2)}


def test_an_interrupted_survey_goes_on_where_it_stopped(
    bundle: model.Bundle, surveyed: Survey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "stopped"

    def stop(done: int, total: int) -> None:
        if done > 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        survey(bundle, PAIRS, folder, shard_size=2, on_progress=stop, maps=True)
    assert open_survey(folder).n_done == 2
    with pytest.raises(CorpusError, match="already holds a survey"):
        survey(bundle, PAIRS, folder, shard_size=2, maps=True)
    made: list[int] = []
    real = plan.read_shard
    monkeypatch.setattr(plan, "read_shard", lambda *a, **k: (made.append(k["first_id"]), real(*a, **k))[1])
    whole = survey(bundle, PAIRS, folder, shard_size=2, maps=True, resume=True)
    assert made == [2, 4] and whole.is_complete
    asked = "SELECT * FROM heads ORDER BY ALL"
    assert whole.query(asked).equals(surveyed.query(asked))


def test_a_damaged_shard_is_noticed_and_written_again(bundle: model.Bundle, surveyed: Survey, tmp_path: Path) -> None:
    folder = tmp_path / "damaged"
    survey(bundle, PAIRS, folder, shard_size=2)
    path = folder / "heads-00001.parquet"
    content = bytearray(path.read_bytes())
    content[200] ^= 0xFF  # inside the first page, which the footer does not describe
    path.write_bytes(content)
    (folder / "links-00002.parquet").write_bytes((folder / "links-00002.parquet").read_bytes()[:100])
    with pytest.raises(CorpusError, match=r"links-00002.parquet is damaged: run the survey again with --resume"):
        open_survey(folder)
    whole = survey(bundle, PAIRS, folder, shard_size=2, resume=True)
    for table in ("heads", "links"):
        asked = f"SELECT * FROM {table} ORDER BY ALL"
        assert whole.query(asked).equals(surveyed.query(asked))


def test_a_damaged_page_that_a_query_meets_is_named(bundle: model.Bundle, tmp_path: Path) -> None:
    found = survey(bundle, PAIRS, tmp_path / "damaged", shard_size=2)
    path = tmp_path / "damaged" / "links-00001.parquet"
    content = bytearray(path.read_bytes())
    content[4:60] = bytes(56)  # the header of the first page
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=r"links-00001.parquet is damaged: run the survey again with --resume"):
        found.query("SELECT * FROM links")
    with pytest.raises(QueryError, match="Could not convert"):
        found.query("SELECT CAST('x' AS INT)")


def test_progress_begins_with_what_is_there_and_counts_what_is_missing(bundle: model.Bundle, tmp_path: Path) -> None:
    survey(bundle, PAIRS, tmp_path / "kept", shard_size=2)
    (tmp_path / "kept" / "heads-00000.parquet").write_bytes(b"")
    told: list[tuple[int, int]] = []
    survey(bundle, PAIRS, tmp_path / "kept", shard_size=2, resume=True, on_progress=lambda *at: told.append(at))
    assert told[0] == (3, 5) and told[-1] == (5, 5)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    survey(bundle, PAIRS, tmp_path / "shared", shard_size=2, share=(0, 2), on_progress=lambda *at: told.append(at))
    assert told[-1][0] == told[-1][1] < 5


def test_a_full_disk_loses_no_shard(bundle: model.Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from model.corpus import shards

    real, room = shards.write_atomically, [3]

    def write(path: Path, content: bytes) -> None:
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        room[0] -= 1
        real(path, content)

    monkeypatch.setattr(shards, "write_atomically", write)
    with pytest.raises(OSError, match="No space left"):
        survey(bundle, PAIRS, tmp_path / "full", shard_size=2)
    assert open_survey(tmp_path / "full").n_done == 2
    room[0] = 99
    assert survey(bundle, PAIRS, tmp_path / "full", shard_size=2, resume=True).is_complete


def test_surveys_of_two_models_do_not_mix(bundle: model.Bundle, tmp_path: Path) -> None:
    survey(bundle, PAIRS, tmp_path / "a", shard_size=2)
    other = tiny_bundle(seed=136)
    with pytest.raises(CorpusError, match="other weights or options: choose another folder"):
        survey(other, PAIRS, tmp_path / "a", shard_size=2, resume=True)
    with pytest.raises(CorpusError, match="made from other pairs"):
        survey(bundle, PAIRS[::-1], tmp_path / "a", shard_size=2, resume=True)
    survey(other, PAIRS, tmp_path / "b", shard_size=2)
    (tmp_path / "b" / "heads-00001.parquet").replace(tmp_path / "a" / "heads-00001.parquet")
    with pytest.raises(CorpusError, match="come from different surveys"):
        open_survey(tmp_path / "a")


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("DELETE FROM heads", "one SELECT statement"),
        ("SELECT 1; SELECT 2", "one SELECT statement"),
        ("COPY (SELECT 1) TO 'x.csv'", "one SELECT statement"),
        ("SELECT * FROM read_csv('/etc/passwd')", "is not allowed"),
        ("SELECT * FROM '/etc/passwd'", "there is no table"),
        ("SELECT * FROM duckdb_views()", "is not allowed"),
        ("SELECT sql FROM duckdb_views", "there is no table"),
        ("FROM sqlite_master", "there is no table"),
        ("FROM pg_catalog.pg_views", "there is no table"),
        ("WITH a AS (SELECT * FROM information_schema.views) SELECT * FROM a", "there is no table"),
        ("SELECT (SELECT value FROM duckdb_settings() LIMIT 1)", "is not allowed"),
        ("SELECT * FROM query('SELECT * FROM duckdb_views()')", "is not allowed"),
        ("SELECT * FROM glob('/*')", "is not allowed"),
        ("SELECT current_setting('allowed_paths')", "is not allowed"),
        ("SELECT pg_get_viewdef(0)", "is not allowed"),
        ("SELECT filename FROM heads", "filename"),
        ("SELECT nothing FROM heads", "nothing"),
        ("SELECT count(*) FROM range(100000000000) a, range(1000000) b", "longer than 0.2 s"),
    ],
)
def test_sql_reads_the_survey_and_nothing_else(surveyed: Survey, sql: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        surveyed.query(sql, seconds=0.2)


@pytest.mark.parametrize(
    "sql",
    ["WITH h AS (FROM heads) SELECT count(*) FROM h", "SELECT unnest([1, 2])", "SELECT * FROM range(3) r, Sentences s",
     "SUMMARIZE heads", "SELECT max(length(source)) FILTER (id > ?) FROM sentences"],
)  # fmt: skip
def test_a_query_may_name_tables_of_its_own_and_count(surveyed: Survey, sql: str) -> None:
    assert len(surveyed.query(sql, (0,) if "?" in sql else ()))


@pytest.mark.parametrize("sql", ["SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM '/etc/passwd'"])
def test_duckdb_itself_opens_no_other_file(surveyed: Survey, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    monkeypatch.setattr(query, "_refuse_all_but_the_survey", lambda *_: None)
    with pytest.raises(QueryError, match=r"disabled by configuration|does not exist"):
        surveyed.query(sql)


def test_an_answer_can_be_cut(surveyed: Survey) -> None:
    assert len(surveyed.query("SELECT * FROM heads; -- all", most_rows=3)) == 3


def test_files_say_which_survey_they_belong_to(bundle: model.Bundle, surveyed: Survey) -> None:
    assert surveyed.fingerprint == bundle.fingerprint and surveyed.model == bundle.name
    kinds = pq.read_table(surveyed.folder / "heads-00000.parquet")["kind"].to_pylist()
    assert set(kinds) == set(KINDS)


>>>>>>> 8b050b5 (Corpus: name a damaged file that a query meets, open another survey in place of a damaged one, say what is not whole or not measured, count only this run's pairs in its rate; two errors no longer end a page)
@pytest.mark.parametrize("given", [[], [("one",)], ["text"], [Pair("a", "b"), ("a", "b", "c", "d")]])
def test_what_is_no_pair_is_refused(bundle: model.Bundle, tmp_path: Path, given: list) -> None:
    with pytest.raises(CorpusError, match="pair"):
        survey(bundle, given, tmp_path / "none")


def test_a_survey_without_the_cache_says_the_same(bundle: model.Bundle, surveyed: Survey, tmp_path: Path) -> None:
    columns = "SELECT id, translation FROM sentences ORDER BY id"
    calls: list[bool] = []
    decode = bundle.model.decode

    def counted(*ids: object, **options: object) -> object:
        calls.append(bool(options.get("keep_cache")))
        return decode(*ids, **options)

    bundle.model.decode = counted
    try:
        again = survey(bundle, PAIRS, tmp_path, cached=False)
    finally:
        del bundle.model.decode
    assert calls and not any(calls)
    assert again.query(columns).equals(surveyed.query(columns))
