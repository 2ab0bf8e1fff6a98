"""Interventions on a forward pass as plain data: heads off, forced rows, blocked keys, patches, moved positions.

They are arguments of ``forward``, never hooks: all sessions share one model, and callers with different interventions
do not affect each other. A batch may carry one set per row, so that every head of a model can be ablated in a single
pass.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, get_args

from model.arrays import InterventionError
from model.patch import Patch

AttentionKind = Literal["encoder_self", "decoder_self", "cross"]
KINDS: tuple[AttentionKind, ...] = ("encoder_self", "decoder_self", "cross")
SUBLAYERS: dict[AttentionKind, str] = {
    "encoder_self": "encoder.{}.self", "decoder_self": "decoder.{}.self", "cross": "decoder.{}.cross",
}  # fmt: skip
"""The prefix of activation names for each kind of attention; format it with the layer's number."""
OffMode = Literal["zero", "uniform"]
PositionMode = Literal["zero", "shuffle", "shift", "reverse"]
_LARGEST = 1e30
"""Largest forced weight: the sum of a row still fits in float32."""
MAX_SHIFT = 10_000
"""Largest shift of positions: a sinusoidal table is computed up to the last row that is read."""


def attention_shapes(config: Any) -> dict[AttentionKind, tuple[int, int]]:
    """(layers, heads) of each kind of attention; ``config`` is a TransformerConfig or has the same fields."""
    crossing = 0 if config.is_single_stack else config.n_decoder_layers
    return {
        "encoder_self": (config.n_encoder_layers, config.n_encoder_heads),
        "decoder_self": (config.n_decoder_layers, config.n_decoder_heads),
        "cross": (crossing, config.n_decoder_heads),
    }


def every_head(config: Any) -> tuple[tuple[AttentionKind, int, int], ...]:
    """Kind, layer and number of every head of a model, in order."""
    shapes = attention_shapes(config).items()
    return tuple(
        (kind, layer, head)
        for kind, (n_layers, n_heads) in shapes
        for layer in range(n_layers)
        for head in range(n_heads)
    )


class InAttention:
    """Base of the changes to one kind of attention, which are items of ``Interventions``."""

    __slots__ = ()
    if TYPE_CHECKING:

        @property
        def kind(self) -> AttentionKind: ...
        @property
        def layer(self) -> Any: ...
        @property
        def head(self) -> Any: ...

    names_tokens: ClassVar[bool] = False
    """Whether the change refers to token positions of one sentence."""
    verbs: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """The verbs that name this change in text and in the interface, with the field values that each stands for."""

    @property
    def verb(self) -> str:
        """The verb that stands for these field values."""
        return next(
            verb for verb, fields in self.verbs.items()
            if all(getattr(self, name) == value for name, value in fields.items())
        )  # fmt: skip

    @property
    def stack(self) -> str:
        """ "encoder" or "decoder"."""
        return "encoder" if self.kind == "encoder_self" else "decoder"

    def check(self, config: Any, *, n_source: int | None = None, n_target: int | None = None) -> None:
        """As ``Interventions.check``."""
        counts = (*attention_shapes(config)[self.kind], *_lengths(self.kind, n_source, n_target))
        for name, count in zip(("layer", "head", "query", "key"), counts, strict=True):
            _check_range(self.kind, name, getattr(self, name, None), count)

    def within(self, *, n_source: int, n_target: int) -> Self | None:
        """The same, or None where its query or key does not exist in a shorter sentence."""
        places = (getattr(self, "query", None), getattr(self, "key", None))
        counts = _lengths(self.kind, n_source, n_target)
        inside = all(place is None or place < n for place, n in zip(places, counts, strict=True))
        return self if inside else None


@dataclass(frozen=True, slots=True)
class HeadAblation(InAttention):
    """One head switched off: its output zeroed, or its weights made uniform over the keys it may see."""

    kind: AttentionKind
    layer: int
    head: int
    mode: OffMode = "zero"
    verbs: ClassVar = {"off": {"mode": "zero"}, "even": {"mode": "uniform"}}

    def __post_init__(self) -> None:
        _check_choice("kind", self.kind, KINDS)
        _check_choice("mode", self.mode, get_args(OffMode))
        _check_place(self.layer, self.head)


HeadOff = HeadAblation
"""An earlier name, kept for existing scripts."""


@dataclass(frozen=True, slots=True)
class ForcedRow(InAttention):
    """One query's weights in one head, set by hand; normalised to sum to 1 over the keys that they cover."""

    kind: AttentionKind
    layer: int
    head: int
    query: int
    weights: tuple[float, ...]
    names_tokens: ClassVar[bool] = True
    verbs: ClassVar = {"force": {}}

    def __post_init__(self) -> None:
        _check_choice("kind", self.kind, KINDS)
        _check_place(self.layer, self.head)
        _check_index("query", self.query)
        if any(not 0 <= weight <= _LARGEST for weight in self.weights):
            raise InterventionError(f"forced weights must be finite and not negative, at most {_LARGEST:g}")
        if sum(self.weights) < 1 / _LARGEST:
            raise InterventionError("a forced row needs some weight: raise at least one token above 0")

    def check(self, config: Any, *, n_source: int | None = None, n_target: int | None = None) -> None:
        """As ``Interventions.check``."""
        InAttention.check(self, config, n_source=n_source, n_target=n_target)
        _, n_keys = _lengths(self.kind, n_source, n_target)
        if n_keys is not None and len(self.weights) > n_keys:
            raise InterventionError(
                f"a forced row of {self.kind} has {len(self.weights)} weights for {n_keys} keys: "
                "give at most one for each key"
            )

    def within(self, *, n_source: int, n_target: int) -> Self | None:
        """The same, or None where its query or key does not exist in a shorter sentence."""
        _, n_keys = _lengths(self.kind, n_source, n_target)
        is_inside = InAttention.within(self, n_source=n_source, n_target=n_target) is not None
        return self if is_inside and len(self.weights) <= n_keys else None


@dataclass(frozen=True, slots=True)
class BlockedKey(InAttention):
    """A key that is masked before the softmax; None stands for every layer, head or query."""

    kind: AttentionKind
    key: int
    layer: int | None = None
    head: int | None = None
    query: int | None = None
    names_tokens: ClassVar[bool] = True
    verbs: ClassVar = {"block": {}}

    def __post_init__(self) -> None:
        _check_choice("kind", self.kind, KINDS)
        _check_index("key", self.key)
        _check_place(self.layer, self.head)
        if self.query is not None:
            _check_index("query", self.query)


@dataclass(frozen=True, slots=True)
class PositionEdit:
    """A change of the source's positions: removed, shuffled by a seed, shifted by ``amount``, or reversed."""

    mode: PositionMode
    amount: int = 0
    """Rows to shift by; the seed when shuffling."""

    def __post_init__(self) -> None:
        _check_choice("mode", self.mode, get_args(PositionMode))
        if not isinstance(self.amount, Integral) or not -(2**63) <= self.amount < 2**63:
            raise InterventionError(f"amount is {self.amount!r:.40}: give a whole number of 64 bits")
        if self.mode == "shift" and not -MAX_SHIFT <= self.amount <= MAX_SHIFT:
            raise InterventionError(f"positions cannot be shifted by {self.amount:,}: choose within ±{MAX_SHIFT:,}")


Item = HeadAblation | ForcedRow | BlockedKey | Patch
ITEMS: dict[str, type[Item]] = {
    "heads_off": HeadAblation, "forced_rows": ForcedRow, "blocked_keys": BlockedKey, "patches": Patch,
}  # fmt: skip
"""The fields of ``Interventions`` that hold several changes, and the type of each change."""


@dataclass(frozen=True, slots=True)
class Interventions:
    """Everything that is changed in one forward pass. The empty set changes nothing.

    Each field takes one item or several: ``Interventions(HeadAblation("cross", 2, 5))``.
    """

    heads_off: tuple[HeadAblation, ...] = ()
    forced_rows: tuple[ForcedRow, ...] = ()
    blocked_keys: tuple[BlockedKey, ...] = ()
    source_positions: PositionEdit | None = None
    lift_causal_mask: bool = False
    patches: tuple[Patch, ...] = ()
    """Applied last and in order: each patch receives the result of those before it."""

    if TYPE_CHECKING:

        def __init__(
            self,
            heads_off: HeadAblation | Iterable[HeadAblation] = (),
            forced_rows: ForcedRow | Iterable[ForcedRow] = (),
            blocked_keys: BlockedKey | Iterable[BlockedKey] = (),
            source_positions: PositionEdit | None = None,
            lift_causal_mask: bool = False,
            patches: Patch | Iterable[Patch] = (),
        ) -> None: ...

    def __post_init__(self) -> None:
        for name, kind in ITEMS.items():
            value = getattr(self, name)
            is_single = isinstance(value, (*ITEMS.values(), PositionEdit))
            items = (value,) if is_single else _items(name, value)
            wrong = next((item for item in items if not isinstance(item, kind)), None)
            if wrong is not None:
                field = next((field for field, other in ITEMS.items() if isinstance(wrong, other)), None)
                field = "source_positions" if isinstance(wrong, PositionEdit) else field
                remedy = f"write {field}=…" if field else f"give {kind.__name__}, or several in a tuple"
                raise InterventionError(f"{name} contains {wrong!r:.80}: {remedy}")
            object.__setattr__(self, name, items)
        if not isinstance(self.source_positions, PositionEdit | None):
            raise InterventionError(f"source_positions is {self.source_positions!r:.80}: give PositionEdit")

    def __bool__(self) -> bool:
        return self != NONE

    def check(self, config: Any, *, n_source: int | None = None, n_target: int | None = None) -> None:
        """Check every index against a model, and against a sentence where its lengths are given.

        Args:
            config: of the model.
            n_source: tokens that the encoder reads; None leaves positions unchecked.
            n_target: tokens that the decoder is fed at most.

        Raises:
            InterventionError: when an item names a layer, head, query or key that does not exist, a forced row has more
                weights than there are keys, or a position would be outside a learned table.
        """
        for item in self.items:
            item.check(config, n_source=n_source, n_target=n_target)
        self._check_positions(config, n_source)

    def _check_positions(self, config: Any, n_source: int | None) -> None:
        edit = self.source_positions
        if edit is None or edit.mode != "shift" or n_source is None or config.positions != "learned":
            return
        most = config.max_positions - config.position_offset - n_source
        if edit.amount > most:
            raise InterventionError(
                f"the positions of {n_source} tokens cannot be shifted by {edit.amount}: this model has "
                f"{config.max_positions - config.position_offset} learned positions, so shift by {max(most, 0)} at most"
            )

    @property
    def items(self) -> tuple[Item, ...]:
        """Every change except those of source positions and of the causal mask."""
        return tuple(item for name in ITEMS for item in getattr(self, name))

    def only(self, keep: Callable[[Any], Any]) -> Interventions:
        """A copy with each item replaced by ``keep(item)``; items for which it returns None are dropped."""
        changed = {
            name: tuple(made for item in getattr(self, name) if (made := keep(item)) is not None) for name in ITEMS
        }
        same = all(of_kind == getattr(self, name) for name, of_kind in changed.items())
        return self if same else dataclasses.replace(self, **changed)

    def within(self, *, n_source: int, n_target: int) -> Interventions:
        """A copy without the items whose query or key does not exist in a shorter sentence."""
        return self.only(lambda item: item.within(n_source=n_source, n_target=n_target))

    def for_any_sentence(self) -> Interventions:
        """A copy without the items that refer to tokens of one sentence or to another text."""
        return self.only(lambda item: None if item.names_tokens else item)

    def joined(self, other: Interventions) -> Interventions:
        """The union of both; where both edit positions, the edit of ``other`` applies."""
        both: dict[str, Any] = {name: (*getattr(self, name), *getattr(other, name)) for name in ITEMS}
        positions = other.source_positions or self.source_positions
        lifted = self.lift_causal_mask or other.lift_causal_mask
        return Interventions(**both, source_positions=positions, lift_causal_mask=lifted)

    def hiding(self, keys: Iterable[BlockedKey]) -> Interventions:
        """A copy with further keys hidden; forced rows of those kinds are dropped, since their keys are gone."""
        more = tuple(keys)
        forced_rows = tuple(row for row in self.forced_rows if row.kind not in {block.kind for block in more})
        return dataclasses.replace(self, forced_rows=forced_rows, blocked_keys=(*self.blocked_keys, *more))

    @property
    def of_encoder(self) -> tuple[Any, ...]:
        """The part that changes the encoder's output: passes in which it is equal can share one encoder pass."""
        patch_sources = frozenset(patch.from_ids for patch in self.patches)
        return tuple(item for item in self.items if item.stack == "encoder"), patch_sources, self.source_positions

    @property
    def needs_every_position(self) -> bool:
        """Whether cached decoding, one token at a time, would give a different result."""
        return self.lift_causal_mask or any(patch.needs_every_position for patch in self.patches)

    def reading(self, ids_of: Callable[[str], tuple[int, ...]]) -> Interventions:
        """A copy in which every patch that copies from a text has that text's token ids."""

        def read(item: Item) -> Item:
            if not isinstance(item, Patch) or item.from_text is None or item.from_ids is not None:
                return item
            return dataclasses.replace(item, from_ids=ids_of(item.from_text))

        return self.only(read)


Change = Interventions | HeadAblation | ForcedRow | BlockedKey | PositionEdit | Patch
"""What functions accept as interventions: a set, a single change, or several changes in a list or tuple."""


def as_interventions(changes: Any) -> Interventions:
    """A set of interventions from one, from a single change, or from several in a list or tuple.

    Raises:
        InterventionError: for anything else.
    """
    if isinstance(changes, Interventions):
        return changes
    if changes is None or isinstance(changes, str):
        raise InterventionError(f"interventions is {changes!r:.60}: give it inside Interventions(…), or leave it out")
    known = (*ITEMS.values(), PositionEdit)
    items = (changes,) if isinstance(changes, known) else _items("interventions", changes)
    moves = [item for item in items if isinstance(item, PositionEdit)]
    wrong = [item for item in items if not isinstance(item, known)] + moves[1:]
    if wrong:
        raise InterventionError(f"interventions contains {wrong[0]!r:.60}: give it inside Interventions(…)")
    fields: Any = {name: tuple(item for item in items if isinstance(item, kind)) for name, kind in ITEMS.items()}
    return Interventions(**fields, source_positions=next(iter(moves), None))


def _items(name: str, changes: Any) -> tuple[Any, ...]:
    try:
        return tuple(changes)
    except TypeError as error:
        wanted = ITEMS[name].__name__ if name in ITEMS else "Interventions, or a single change"
        raise InterventionError(f"{name} contains {changes!r:.80}: give {wanted}, or several in a tuple") from error


def _check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    if value not in choices:
        raise InterventionError(f"there is no {name} {value!r:.60}: choose {', '.join(choices)}")


def _check_index(name: str, index: Any) -> None:
    if not isinstance(index, Integral) or isinstance(index, bool):
        raise InterventionError(f"{name} is {index!r:.40}: give a whole number")
    if index < 0:
        raise InterventionError(f"{name} ({index}) must not be negative: positions count from 0")


def _check_place(layer: Any, head: Any) -> None:
    """Require integers, or None for all; ``check`` compares them with a model."""
    for name, index in (("layer", layer), ("head", head)):
        if index is not None and (not isinstance(index, Integral) or isinstance(index, bool)):
            raise InterventionError(f"{name} is {index!r:.40}: give a whole number")


def _check_range(kind: str, name: str, index: int | None, count: int | None) -> None:
    if index is not None and count is not None and not 0 <= index < count:
        rule = f"choose 0 to {count - 1}" if count else "it has none"
        raise InterventionError(f"{kind} has no {name} {index}: {rule}")


def _lengths(kind: AttentionKind, n_source: Any, n_target: Any) -> tuple[Any, Any]:
    """Numbers of queries and keys of one kind of attention."""
    return (n_source if kind == "encoder_self" else n_target), (n_target if kind == "decoder_self" else n_source)


NONE = Interventions()
