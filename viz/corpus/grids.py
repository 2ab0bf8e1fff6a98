"""The data of the grids of heads: a measure's median and spread for every head, whole or split, and one head's values.

Everything is counted in SQL, so that a survey of a hundred thousand pairs is as quick as one of a hundred.
"""

from dataclasses import dataclass

import numpy as np

from model.corpus.sql.query import Frame
from model.corpus.survey import Survey
from model.interventions import AttentionKind
from viz import cache

N_BINS = 24
N_SENTENCES = 5
LEAST_SPREAD = 1e-4
"""Values that differ by less share one bar: the axis could not label its edges."""
_PARTS = {
    "length": "CASE WHEN n_source <= 6 THEN '1' WHEN n_source <= 9 THEN '2' WHEN n_source <= 13 THEN '3' ELSE '4' END",
    "quality": "CASE WHEN chrf >= 60 THEN '1' WHEN chrf < 60 THEN '2' END",
    "token": "token_kind",
}
_TABLES = {"length": "heads JOIN sentences USING (id)", "quality": "heads JOIN sentences USING (id)", "token": "links"}


@dataclass(frozen=True, slots=True)
class MeasureQuery:
    """A query: a measure of one kind of attention, whole ("none") or split."""

    kind: AttentionKind
    measure: str
    """A column of the heads; of the links where it is split by token."""
    split: str

    @property
    def rows(self) -> str:
        """SQL of all values with their part: id, layer, head, part, value."""
        part, table = _PARTS.get(self.split, "''"), _TABLES.get(self.split, "heads")
        return (
            f"SELECT id, layer, head, {part} AS part, {self.measure} AS value FROM {table} "
            f"WHERE kind = ? AND {self.measure} IS NOT NULL AND {part} IS NOT NULL"
        )


def medians(survey: Survey, query: MeasureQuery) -> Frame:
    """Each head's median and 5-95 % range in each part: part, layer, head, mid, low, high, n (sentences)."""
    n = "count(DISTINCT id)" if query.split == "token" else "count(*)"  # a head has one row a sentence, but for tokens
    return cache.ask(
        survey,
        "SELECT part, layer, head, ends[2] AS mid, ends[1] AS low, ends[3] AS high, n FROM (SELECT CAST(part AS "
        f"VARCHAR) AS part, layer, head, quantile_cont(value, [0.05, 0.5, 0.95]) AS ends, {n} AS n "
        f"FROM ({query.rows}) GROUP BY ALL) ORDER BY ALL",
        (query.kind,),
    )


def bins(survey: Survey, query: MeasureQuery, *, part: str, layer: int, head: int) -> Frame:
    """One head's values in equal bins: start, stop, count; empty without values, one wide bin where all are equal."""
    rows, parameters = _of_head(query, part, layer, head)
    frame = cache.ask(
        survey,
        f"WITH v AS ({rows}), e AS (SELECT min(value) AS a, max(value) AS b FROM v) SELECT a, b, "
        f"least({N_BINS - 1}, CAST(floor({N_BINS} * (value - a) / greatest(b - a, 1e-9)) AS INT)) AS place, "
        "count(*) AS n FROM v, e GROUP BY ALL ORDER BY place",
        parameters,
    )
    if not len(frame):
        return frame.assign(start=[], stop=[], count=[])[["start", "stop", "count"]]
    low, high = float(frame["a"][0]), float(frame["b"][0])
    if high - low < LEAST_SPREAD:
        return frame.head(1).assign(start=low - 0.05, stop=high + 0.05, count=frame["n"].sum())[
            ["start", "stop", "count"]
        ]
    edges = np.linspace(low, high, N_BINS + 1)
    place = frame["place"].to_numpy(int)
    return frame.assign(start=edges[place], stop=edges[place + 1], count=frame["n"])[["start", "stop", "count"]]


def sentences_between(
    survey: Survey, query: MeasureQuery, *, part: str, layer: int, head: int, low: float, high: float
) -> list[int]:
    """Ids of the sentences with a value in the range, highest first."""
    rows, parameters = _of_head(query, part, layer, head)
    # The edges of a bin are rounded: widen the range by less than is displayed.
    frame = cache.ask(
        survey,
        f"SELECT id, max(value) AS top FROM ({rows}) WHERE value BETWEEN ? - 1e-6 AND ? + 1e-6 GROUP BY id "
        f"ORDER BY top DESC, id LIMIT {N_SENTENCES}",
        (*parameters, low, high),
    )
    return frame["id"].tolist()


def _of_head(query: MeasureQuery, part: str, layer: int, head: int) -> tuple[str, tuple]:
    rows = f"SELECT * FROM ({query.rows}) WHERE CAST(part AS VARCHAR) = ? AND layer = ? AND head = ?"
    return rows, (query.kind, part, layer, head)
