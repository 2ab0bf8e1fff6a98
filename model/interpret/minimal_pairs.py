"""Pairs of English sentences that differ in one thing, and the mean of their causal maps.

Each of the 40 pairs was checked on the shipped model: it translates the two sentences differently, and for each
sentence its own translation is more probable than the other's.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from model.bundle import Bundle
from model.interpret.causal import causal_map
from model.interpret.tracing.pair_reading import COMPONENTS, CausalError, CausalMap
from model.text.tokens import TextError
from model.trace import Floats

FILE = Path(__file__).with_suffix(".tsv")
Group = Literal["number", "gender", "polarity"]
GROUPS: tuple[Group, ...] = ("number", "gender", "polarity")
Role = Literal["before", "changed", "after", "end", "earlier", "last"]
ENCODER_ROLES: tuple[Role, ...] = ("before", "changed", "after", "end")
"""Roles of source tokens: before the difference, the differing ones, after it, and the end of the sentence."""
DECODER_ROLES: tuple[Role, ...] = ("earlier", "last")
"""Roles of steps: before the first difference of the translations, and at it."""


@dataclass(frozen=True, slots=True)
class MinimalPair:
    """Two sentences that differ in one thing."""

    group: Group
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class GroupMap:
    """Effects over the pairs of a group, as shares of the distance from the second margin to the first."""

    mean: Mapping[str, Floats]
    """(rows, roles) by component; NaN if no pair has such a token."""
    spread: Mapping[str, Floats]
    """Standard deviation over the pairs."""
    n_pairs: int
    """Pairs in the mean so far."""
    skipped: tuple[str, ...]
    """First sentences of the pairs that this model translates alike or cannot read."""
    done: int
    total: int


def minimal_pairs(group: Group | None = None) -> tuple[MinimalPair, ...]:
    """The shipped pairs, all or of one group."""
    rows: list[Any] = [line.split("\t") for line in FILE.read_text("utf-8").splitlines()]
    return tuple(MinimalPair(*row) for row in rows if group in (None, row[0]))


def group_map_as_it_comes(bundle: Bundle, *, pairs: Sequence[MinimalPair]) -> Iterator[GroupMap]:
    """The mean of several pairs' exact maps by token role, yielded after each pair; stop iterating to cancel."""
    shares: list[Mapping[str, Floats]] = []
    skipped: list[str] = []
    for done, pair in enumerate(pairs, start=1):
        try:
            shares.append(by_role(causal_map(bundle, first=pair.first, second=pair.second)))
        except (CausalError, TextError):
            skipped.append(pair.first)
        mean = {name: _over(np.nanmean, shares, name) for name in COMPONENTS} if shares else {}
        spread = {name: _over(np.nanstd, shares, name) for name in COMPONENTS} if shares else {}
        yield GroupMap(mean, spread, len(shares), tuple(skipped), done, len(pairs))


def by_role(effects: CausalMap) -> Mapping[str, Floats]:
    """A map's shares summed over the tokens of each role: (rows, roles) by component."""
    n_source, changed = len(effects.pair.alignment), effects.pair.changed
    roles = {
        "before": range(min(changed)), "changed": changed,
        "after": [i for i in range(min(changed), n_source - 1) if i not in changed], "end": [n_source - 1],
        "earlier": range(effects.pair.step), "last": [effects.pair.step],
    }  # fmt: skip
    shared: dict[str, Floats] = {}
    for name in COMPONENTS:
        shares = effects.shares(name)
        columns = []
        for role in ENCODER_ROLES if name.startswith("encoder") else DECODER_ROLES:
            part = shares[:, list(roles[role])]
            is_known = np.isfinite(part).any()
            columns.append(np.nansum(part, 1) if is_known else np.full(len(shares), np.nan))
        shared[name] = np.stack(columns, 1).astype(np.float32)
    return shared


def _over(statistic, pairs: Sequence[Mapping[str, Floats]], name: str) -> Floats:
    """A statistic per cell over the pairs that have it; NaN if none has."""
    stacked = np.stack([shares[name] for shares in pairs])  # (pairs, rows, roles)
    known = np.isfinite(stacked).any(0)
    result = np.full(stacked.shape[1:], np.nan, np.float32)
    result[known] = statistic(stacked[:, known], axis=0)
    return result
