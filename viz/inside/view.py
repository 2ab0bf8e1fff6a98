"""The part of a head's computation that is on screen."""

from dataclasses import dataclass

from model.interpret.inspection import inspect_head
from model.interpret.inspection_steps import PLAIN, HeadInspection, Variation
from model.interventions import AttentionKind
from model.trace import Floats
from viz import cache
from viz.components.inside.screen import Block
from viz.panels.reading import Reading

VECTORS = ("query", "key", "value")
FOLD = 32


@dataclass(frozen=True, slots=True)
class View:
    """One head, and the query, key and layout that its screens show."""

    head: HeadInspection
    queries: tuple[str, ...]
    """Labels of the Q queries."""
    keys: tuple[str, ...]
    """Labels of the S keys."""
    query: int
    key: int
    is_matrix: bool
    vector: str = "query"
    """Which of ``VECTORS`` the projection shows."""
    activation: str = "relu"
    """The feed-forward network's, as the configuration names it."""
    every_head: Floats | None = None
    """``vector`` of every head, (H, N, K); None where the step needs this head alone."""
    first_index: int = 0
    """0 or 1: the number of the first layer and head on screen."""

    @property
    def rows(self) -> slice:
        """The queries on the screen."""
        return slice(None) if self.is_matrix else slice(self.query, self.query + 1)

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the queries on the screen; a single vector needs none."""
        return self.queries if self.is_matrix else ()

    @property
    def row(self) -> int:
        """The chosen query's row on the screen."""
        return self.query if self.is_matrix else 0

    def wide(self, name: str, values: Floats, **fields: object) -> Block:
        """A block with one vector per query, as wide as the model or its hidden layer."""
        fold = 0 if self.is_matrix else (64 if values.shape[1] > 512 else FOLD)
        return Block(name=name, values=values[self.rows], rows=self.labels, fold=fold, **fields)  # type: ignore[arg-type]


def head_inspection(
    reading: Reading, kind: AttentionKind, layer: int, head: int, variation: Variation = PLAIN
) -> HeadInspection:
    """Every step of a head, under the interventions in force."""
    return cache.compute(
        inspect_head,
        reading.bundle,
        trace=(reading.trace.source.ids, reading.trace.prefix.ids),
        kind=kind,
        layer=layer,
        head=head,
        variation=variation,
        interventions=reading.selection.interventions,
    )
