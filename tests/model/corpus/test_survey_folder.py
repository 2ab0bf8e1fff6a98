"""A survey's folder: shards by several processes and threads, interruptions, damaged files and a full disk."""

import errno
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
import torch

import model
from model.corpus import plan
from model.corpus.sql.query import QueryError
from model.corpus.survey import Survey, open_survey, survey
from model.interventions import KINDS
from model.text.links import CorpusError
from tests.checkpoint import tiny_bundle
from tests.model.corpus.pairs import PAIRS


@pytest.mark.nightly
def test_two_processes_write_the_tables_of_one(bundle: model.Bundle, surveyed: Survey, tmp_path: Path) -> None:
    for process in (1, 0):
        survey(bundle, PAIRS, tmp_path / "two", shard_size=2, maps=True, share=(process, 2))
    together = open_survey(tmp_path / "two")
    assert together.is_complete
    for table in ("sentences", "heads", "links", "maps"):
        query = f"SELECT * FROM {table} ORDER BY ALL"
        assert together.query(query).equals(surveyed.query(query))


def test_the_writer_of_the_last_shard_gets_an_error_about_shards_of_another_survey(
    bundle: model.Bundle, tmp_path: Path
) -> None:
    survey(tiny_bundle(seed=7), PAIRS, tmp_path, shard_size=2, share=(1, 2))
    with pytest.raises(CorpusError, match="come from different surveys"):
        survey(bundle, PAIRS, tmp_path, shard_size=2, share=(0, 2))


def test_processes_get_equally_long_shares(bundle: model.Bundle, tmp_path: Path) -> None:
    long, short = ("the cat is sleeping .", "le chat dort ."), ("the", "le")
    survey(bundle, [long, short, long, short], tmp_path, shard_size=1, share=(0, 2), translate=False)
    lengths = [len(pd.read_parquet(path)["source"][0]) for path in tmp_path.glob("sentences-*.parquet")]
    assert sorted(lengths) == [len(short[0]), len(long[0])]


@contextmanager
def threads(n: int) -> Iterator[None]:
    """PyTorch with so many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(n)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def test_threads_write_the_tables_of_one(bundle: model.Bundle, tmp_path: Path) -> None:
    collected = []
    for n_threads in (1, 3):
        with threads(n_threads):
            collected.append(survey(bundle, PAIRS, tmp_path / str(n_threads), shard_size=3, batch_size=1, maps=True))
            assert torch.get_num_threads() == n_threads
    for table in ("sentences", "heads", "links", "maps"):
        one, three = (survey.query(f"SELECT * FROM {table} ORDER BY ALL") for survey in collected)
        assert three.equals(one)


def stop(done: int, total: int) -> None:
    if done > 2:
        raise KeyboardInterrupt


def test_finished_shards_are_written_when_the_survey_is_stopped(bundle: model.Bundle, tmp_path: Path) -> None:
    with threads(2), pytest.raises(KeyboardInterrupt):
        survey(bundle, PAIRS, tmp_path / "stopped", shard_size=2, on_progress=stop)
    assert open_survey(tmp_path / "stopped").n_done == 2


def test_pairs_that_cannot_be_read_are_left_out_by_name(bundle: model.Bundle, tmp_path: Path) -> None:
    long = "the cat " * 5_000
    result = survey(bundle, [("the cat", "le chat"), ("", "le"), ("the", ""), (long, "le chat")], tmp_path / "odd")
    assert [number for number, _ in result.skipped] == [1, 2, 3]
    assert "source is empty" in result.skipped[0][1] and "10,001 tokens" in result.skipped[2][1]
    assert result.query("SELECT id FROM sentences")["id"].tolist() == [0]


def test_a_shard_of_which_nothing_could_be_read_has_the_columns_of_the_others(
    bundle: model.Bundle, tmp_path: Path
) -> None:
    retained = {"maps": True, "states": ("encoder.1",), "shard_size": 1}
    result = survey(bundle, [("", "le"), ("the cat", "un chat")], tmp_path / "odd", **retained)  # type: ignore[arg-type]
    for table in result.tables:
        schemas = [pq.read_schema(path).remove_metadata() for path in result.tables[table]]
        assert schemas[0].equals(schemas[1]), table
    assert result.query("SELECT id FROM heads WHERE kind = 'cross' GROUP BY id")["id"].tolist() == [1]


def test_the_rows_of_a_layer_are_a_row_group_with_its_number(surveyed: Survey) -> None:
    for table in ("heads", "links", "maps"):
        groups = pq.ParquetFile(surveyed.folder / f"{table}-00000.parquet").metadata
        assert groups.num_row_groups == 6
        columns = {groups.schema.column(i).name: i for i in range(groups.num_columns)}
        seen = set()
        for index in range(groups.num_row_groups):
            ends = [groups.row_group(index).column(columns[name]).statistics for name in ("kind", "layer")]
            assert all(item.min == item.max for item in ends)
            seen.add(tuple(item.min for item in ends))
        assert seen == {(kind, layer) for kind in KINDS for layer in range(2)}


def test_an_interrupted_survey_goes_on_where_it_stopped(
    bundle: model.Bundle, surveyed: Survey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "stopped"
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
    query = "SELECT * FROM heads ORDER BY ALL"
    assert whole.query(query).equals(surveyed.query(query))


def last_byte_of(path: Path, column: str) -> int:
    """A place inside the last page of a column."""
    metadata = pq.read_metadata(path)
    columns = [metadata.row_group(0).column(i) for i in range(metadata.num_columns)]
    place = next(item for item in columns if item.path_in_schema == column)
    return (place.dictionary_page_offset or place.data_page_offset) + place.total_compressed_size - 6


def flip_byte(whole: bytes, place: int) -> bytes:
    return whole[:place] + bytes([whole[place] ^ 0x01]) + whole[place + 1 :]


DAMAGE: dict[str, Callable[[Path, bytes], bytes]] = {
    "cut": lambda path, whole: whole[:100],
    "first page": lambda path, whole: flip_byte(whole, 200),  # which the footer does not describe
    "last page": lambda path, whole: flip_byte(whole, last_byte_of(path, "id")),
    "log_prob": lambda path, whole: flip_byte(whole, last_byte_of(path, "log_prob")),
    "footer": lambda path, whole: whole.replace(b"parquet-cpp-arrow", b"parquet-cpp-errow"),
}


@pytest.mark.nightly("links-last page", "sentences-log_prob")
@pytest.mark.parametrize(
    ("table", "damage"),
    [("heads", "first page"), ("heads", "last page"), ("heads", "footer"), ("links", "cut"), ("links", "last page"),
     ("sentences", "log_prob")],
)  # fmt: skip
def test_a_damaged_file_is_noticed_on_opening_and_written_again(
    table: str, damage: str, bundle: model.Bundle, tmp_path: Path
) -> None:
    survey(bundle, PAIRS, tmp_path, shard_size=2)
    path = tmp_path / f"{table}-00001.parquet"
    whole = path.read_bytes()
    path.write_bytes(DAMAGE[damage](path, whole))
    assert path.read_bytes() != whole and (damage != "footer" or len(pd.read_parquet(path)))
    with pytest.raises(CorpusError, match=rf"{table}-00001.parquet is damaged: run the survey again with --resume"):
        open_survey(tmp_path)
    assert survey(bundle, PAIRS, tmp_path, shard_size=2, resume=True).is_complete
    assert path.read_bytes() == whole


def test_a_survey_of_an_earlier_version_whose_stamps_hold_no_checksums_is_read(
    bundle: model.Bundle, surveyed: Survey, tmp_path: Path
) -> None:
    survey(bundle, PAIRS, tmp_path, shard_size=2, translate=False)
    for path in tmp_path.glob("sentences-*.parquet"):
        table = pq.read_table(path)
        stamp = json.loads(table.schema.metadata[b"regard"])
        del stamp["checksums"], stamp["language"]
        table = table.replace_schema_metadata({b"regard": json.dumps(stamp).encode()})
        pq.write_table(table, path, write_page_checksum=True)
    written = {path: path.read_bytes() for path in tmp_path.glob("*.parquet")}
    query = "SELECT * FROM heads ORDER BY ALL"
    assert open_survey(tmp_path).query(query).equals(surveyed.query(query))
    assert survey(bundle, PAIRS, tmp_path, shard_size=2, translate=False, resume=True).is_complete
    assert {path: path.read_bytes() for path in tmp_path.glob("*.parquet")} == written
    sentences = tmp_path / "sentences-00001.parquet"
    sentences.write_bytes(sentences.read_bytes()[:-9])
    with pytest.raises(CorpusError, match=r"sentences-00001.parquet is damaged"):
        open_survey(tmp_path)


def test_a_damaged_page_that_a_query_meets_is_named(bundle: model.Bundle, tmp_path: Path) -> None:
    result = survey(bundle, PAIRS, tmp_path / "damaged", shard_size=2)
    path = tmp_path / "damaged" / "links-00001.parquet"
    content = bytearray(path.read_bytes())
    content[4:60] = bytes(56)  # the header of the first page
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=r"links-00001.parquet is damaged: run the survey again with --resume"):
        result.query("SELECT * FROM links")
    with pytest.raises(QueryError, match="Could not convert"):
        result.query("SELECT CAST('x' AS INT)")


def test_progress_begins_with_the_finished_shards(bundle: model.Bundle, tmp_path: Path) -> None:
    survey(bundle, PAIRS, tmp_path / "kept", shard_size=2)
    (tmp_path / "kept" / "heads-00000.parquet").write_bytes(b"")
    messages: list[tuple[int, ...]] = []
    survey(bundle, PAIRS, tmp_path / "kept", shard_size=2, resume=True, on_progress=lambda *at: messages.append(at))
    assert messages[0] == (3, 5) and messages[-1] == (5, 5)
    assert [done for done, _ in messages] == sorted(done for done, _ in messages)
    survey(bundle, PAIRS, tmp_path / "shared", shard_size=2, share=(0, 2), on_progress=lambda *at: messages.append(at))
    assert messages[-1][0] == messages[-1][1] < 5


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


def test_files_have_the_fingerprint_of_their_survey(bundle: model.Bundle, surveyed: Survey) -> None:
    assert surveyed.fingerprint == bundle.fingerprint and surveyed.model == bundle.name
    kinds = pq.read_table(surveyed.folder / "heads-00000.parquet")["kind"].to_pylist()
    assert set(kinds) == set(KINDS)
