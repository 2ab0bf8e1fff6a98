"""Opens a file of no known family by the names and shapes of its tensors, where the proposal places every one of them.

What no name or shape tells (heads, norms, scales, ids) becomes a question. A file of which a tensor is left over, or
whose shapes do not fit, is refused with the table so far.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.answers import mapped
from model.checkpoints.answers.heads import CLEAR, clear_best, head_nats, layout_nats, told
from model.checkpoints.answers.kinds import kind_of
from model.checkpoints.answers.mapping import Mapping as Lines
from model.checkpoints.answers.mapping import parse_mapping
from model.checkpoints.answers.mapping_text import to_toml
from model.checkpoints.answers.patterns import Line
from model.checkpoints.answers.placing import compiled, renamed
from model.checkpoints.answers.proposal import propose
from model.checkpoints.basis.conversion import Conversion, Tokenizers
from model.checkpoints.basis.errors import FamilyError, TensorsError, some_of
from model.checkpoints.basis.hints import Hints
from model.checkpoints.basis.report import Evidence, Question
from model.checkpoints.families import Family
from model.checkpoints.formats.source import Source
from model.config import SINUSOIDAL, PositionKind
from model.nn.positional import computed_rows

NAME = "named"
_NOTHING = re.compile(r"(mask|tril|triu|causal|scale|scaling|step|num_batches)(_?\w*)\Z", re.IGNORECASE)
"""What a buffer is called that carries nothing the model needs."""
_BY_HEAD = re.compile(r"(qkv|kv)_layer", re.IGNORECASE)
"""Names of fused projections whose authors cut them head by head."""
_MOST_COPIES = 8
"""So many tensors without a place are compared with those that have one."""
_POSITION = re.compile(r"pos|(^|[._])w?pe($|[._])|sinus", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """A table for one file, and what is known of its positions."""

    lines: tuple[Line, ...]
    positions: PositionKind | None = None
    """The kind of the sinusoids that the file holds; None where it holds none."""
    rows: Tensor | None = None
    """Those sinusoids, (P, D)."""
    left: tuple[str, ...] = ()
    """Names that no line places, that are no copies, and that are not known to carry nothing."""

    @property
    def fused(self) -> tuple[Line, ...]:
        """The lines of which each holds several projections."""
        return tuple(line for line in self.lines if len(line.ours) > 1)

    @property
    def by_head(self) -> bool:
        """Whether names say that fused projections are cut head by head."""
        return any(_BY_HEAD.search(line.theirs) for line in self.fused)


def family_of(source: Source, known: tuple[str, ...]) -> tuple[Family, tuple[str, ...]]:
    """A family for one file, made of the proposal, and the names by which it was recognised.

    Raises:
        FamilyError: saying first what the file is, when it is not a whole encoder-decoder, then what does not fit.
    """
    kind = kind_of({name: tuple(tensor.shape) for name, tensor in source.tensors.items()})
    if kind is not None:
        raise FamilyError(f"{source.where} is {kind.what}: {kind.remedy}")
    read = read_names(source.tensors)
    if read.left or not _has_both(read.lines):
        raise _refusal(source, read, "", known)

    def convert(given: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
        try:
            return _converted(read, given, hints, tokenizers)
        except TensorsError as error:
            raise _refusal(given, read, str(error), known) from error

    marks = tuple(line.theirs for line in read.lines if any(name.endswith("query.weight") for name in line.ours))
    return Family(NAME, lambda _: (), convert), marks


def read_names(given: Mapping[str, Tensor]) -> Reading:
    """Propose a table, and settle from the values what shapes cannot tell: computed tables, learned ones, masks."""
    lines, kind, rows, left = [], None, None, []
    proposed = propose({name: tuple(tensor.shape) for name, tensor in given.items()})
    sides = iter(("encoder", "decoder"))
    width = _width(proposed)
    for line in proposed:
        tensor = given.get(line.theirs)
        if tensor is not None and _is_table(line.theirs, tensor, width):
            sinusoids = _sinusoids(tensor)
            if sinusoids is not None:
                kind, rows = kind or sinusoids, tensor.reshape(-1, width) if rows is None else rows
                line = replace(line, ours=())
            elif not line.ours:
                line = replace(line, ours=(f"{next(sides, 'other')}.positions.table",))
        elif not line.ours and _is_fairseqs(tensor, width):
            kind = kind or "tensor2tensor"
        elif not line.ours and not _carries_nothing(line, tensor):
            left.append(line.theirs)
        lines.append(line)
    placed = [given[line.theirs] for line in lines if line.ours and line.theirs in given]
    if len(left) <= _MOST_COPIES:
        left = [name for name in left if not any(_is_copy(given.get(name), tensor) for tensor in placed)]
    return Reading(tuple(lines), kind, rows, tuple(left))


def _converted(read: Reading, source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    said: dict[str, Any] = {} if read.positions is None else {"positions": read.positions}
    if read.rows is not None:
        said["max_positions"] = len(read.rows)
    table = parse_mapping({
        "tensors": {line.theirs: list(line.ours) for line in read.lines if line.ours},
        "transposed": [line.theirs for line in read.lines if line.ours and line.is_transposed],
        "config": said,
    })  # fmt: skip
    ignored = tuple(line.theirs for line in read.lines if not line.ours)
    kept = {name: tensor for name, tensor in source.tensors.items() if name not in _named(ignored, source.tensors)}
    conversion = _by_layout(read, table, replace(source, tensors=kept), hints, tokenizers)
    unused = tuple(name for name in source.tensors if name not in kept)
    rows = None if read.positions is None else read.rows
    shown = tuple(to_toml(read.lines).splitlines())
    return replace(conversion, ignored=unused, tables=(rows, rows), lines=shown)


def _by_layout(read: Reading, table: Lines, source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """The conversion, and the question whether fused projections are cut head by head, which no shape tells.

    Where they are, the number of heads is needed before anything is placed: the lengths of the rows tell it, or it is
    a question of which the answers are close.
    """
    plain = mapped.convert(table, source, replace(hints, fused_by_head=False), tokenizers)
    if not read.fused:
        return plain
    heads = next((question for question in plain.questions if question.hint == "n_heads"), None)
    count = plain.config.n_encoder_heads
    if heads is not None and not heads.is_answered:
        worse = head_nats(renamed(table, source.tensors, source.where), (1, *heads.choices))
        count = clear_best(worse) or count
        heads = replace(
            heads, value=count, is_close=clear_best(worse) is None, evidence=(*heads.evidence, *told(worse))
        )
    layouts = layout_nats(_fused(read, source.tensors), count)
    is_clear = max(layouts.values()) >= CLEAR
    likely = layouts[True] < layouts[False] if is_clear else read.by_head
    chosen = likely if hints.fused_by_head is None else hints.fused_by_head
    evidence = tuple(Evidence("fused_rows", (("answer", layout), ("nats", round(nats, 1))))
                     for layout, nats in sorted(layouts.items(), key=lambda item: item[1]))  # fmt: skip
    asked = Question("fused_by_head", chosen, (False, True), evidence,
                     is_answered=hints.fused_by_head is not None, is_close=not is_clear)  # fmt: skip
    if not chosen:
        return replace(plain, questions=(*plain.questions, asked))
    conversion = mapped.convert(table, source, replace(hints, fused_by_head=True, n_heads=count), tokenizers)
    kept = (heads if heads is not None and one.hint == "n_heads" else one for one in conversion.questions)
    return replace(conversion, questions=(*kept, asked))


def _fused(read: Reading, given: Mapping[str, Tensor]) -> list[tuple[Tensor, int]]:
    """The fused matrices (rows, in), each with the number of projections in it."""
    return [
        (tensor.t() if line.is_transposed else tensor, len(line.ours))
        for line in read.fused
        for name, tensor in given.items()
        if tensor.dim() == 2 and compiled(line.theirs).match(name)
    ]


def _named(patterns: tuple[str, ...], given: Mapping[str, Tensor]) -> frozenset[str]:
    """The names that the patterns stand for."""
    compiled_patterns = [compiled(pattern) for pattern in patterns]
    return frozenset(name for name in given if any(one.match(name) for one in compiled_patterns))


def _has_both(lines: tuple[Line, ...]) -> bool:
    names = {name for line in lines for name in line.ours}
    return all(any(name.startswith(f"{side}.layers") for name in names) for side in ("encoder", "decoder"))


def _width(lines: tuple[Line, ...]) -> int:
    """The model's width, from the embedding that the proposal places."""
    placed = [line for line in lines if line.ours and line.ours[0].endswith("embedding.weight")]
    return placed[0].shape[0 if placed[0].is_transposed else -1] if placed else 0


def _is_table(name: str, tensor: Tensor, width: int) -> bool:
    """Whether a tensor is a table of positions: (P, D), (1, P, D) or (P, 1, D)."""
    if tensor.dim() not in (2, 3) or not width or tensor.shape[-1] != width:
        return False
    return tensor.numel() == width * max(tensor.shape[:-1]) and bool(_POSITION.search(name))


def _is_copy(tensor: Tensor | None, placed: Tensor) -> bool:
    """Whether a tensor without a place repeats one that has a place: a module that is registered twice."""
    return tensor is not None and tensor.shape == placed.shape and torch.equal(tensor, placed)


def _is_fairseqs(tensor: Tensor | None, width: int) -> bool:
    """Whether a tensor holds the frequencies of sinusoids as tensor2tensor and fairseq space them."""
    if tensor is None or tensor.shape != (width // 2,) or width < 8:
        return False
    angles = computed_rows("tensor2tensor", 2, width)[1, : width // 2]
    return torch.allclose(tensor.float().sin(), angles, atol=1e-4)


def _sinusoids(table: Tensor) -> PositionKind | None:
    """The kind of sinusoids in a table; None where it was learned."""
    rows = table.reshape(-1, table.shape[-1])[:64].float()
    if rows.shape[1] % 2:
        return None
    for kind in SINUSOIDAL:
        if torch.allclose(rows, computed_rows(kind, len(rows), rows.shape[1]), atol=1e-2):
            return kind
    return None


def _carries_nothing(line: Line, tensor: Tensor | None) -> bool:
    """Whether a tensor that no line places is a single number or a mask of two values."""
    if tensor is None:  # one in each layer, which the values of one cannot tell
        return len(line.shape) == 0 or line.shape == (1,) or bool(_NOTHING.search(line.theirs))
    if tensor.numel() <= 1:
        return True
    is_mask = tensor.dim() >= 2 and tensor.shape[-1] == tensor.shape[-2] and len(tensor.unique()) <= 2
    return is_mask or (bool(_NOTHING.search(line.theirs)) and tensor.dim() < 2)


def _refusal(source: Source, read: Reading, why: str, known: tuple[str, ...]) -> FamilyError:
    """What does not fit, what to do, and the families last."""
    if not why:
        left = some_of(read.left)
        why = f"no place was found for {left}" if left else "one of its two stacks has no layers that could be told"
    error = FamilyError(
        f"{source.where} has names of its own, and a table of them does not fit: {why[:600]}. Correct the table "
        f"(inspect --propose > mapping.toml) and give it as mapping= (docs/checkpoints.md). Read without one are "
        f"{', '.join(known)}, Hugging Face folders and this project's own"
    )
    error.table = to_toml(read.lines)
    return error
