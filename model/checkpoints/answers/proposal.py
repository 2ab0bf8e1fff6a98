"""Proposes a mapping from names and shapes alone: which of our tensors each tensor of an unknown file most likely is.

Layers are found by numbers that repeat the same names, the width by the dimension that occurs most, attention and
feed-forward matrices by their names where these are clear, otherwise by shape and order. It is a first guess for a
person to correct; the result is checked against the model's shapes like any mapping.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile

from model.checkpoints.answers.mapping import BRANCHES, HEAD, NUMBER
from model.checkpoints.answers.patterns import Line, Shape, patterns

_ROLES = ("query", "key", "value", "output")
_DECODER = re.compile(r"dec|tgt|trg|target|(^|[._])(t|y|out(put)?)_(vocab|emb|tok)", re.I)
_ENCODER = re.compile(r"enc|src|source|(^|[._])(i|x|in(put)?)_(vocab|emb|tok)", re.I)
_CROSS = re.compile(
    r"cross|enc(oder)?_?att|src_\w*att|enc_dec|encoder_decoder|dec_enc|context|memory|multihead_att|inter_att|att\w*2",
    re.I,
)
_MASK = re.compile(r"(mask|tril|triu|causal)\w*\Z", re.I)
_OWN = re.compile(r"self|slf|mask", re.I)
_FEED_FORWARD = re.compile(r"ff|mlp|feed|intermediate|(linear|fc|w|dense|conv|lin)_?[12](?!\d)", re.I)
_GATE = re.compile(r"gate", re.I)
_NORM = re.compile(r"norm|(^|[._])ln|gamma|beta|alpha|[ab]_2$", re.I)
_BIAS = re.compile(r"bias|beta|b_2|offset|(^|_)b(_|$|[qkvo12])", re.I)
_ATTENTION = re.compile(r"att|autoregr", re.I)
_POSITION = re.compile(r"pos|(^|[._])w?pe($|[._])|sinus", re.I)
_OUTPUT = re.compile(r"out|proj|prj|gen|fc|head|linear|logit|vocab|pred|dense", re.I)
_EMBEDDING = re.compile(r"emb|tok|lut|wte", re.I)
_AROUND = r"(w|to|linear|lin|fc|attn|attention|proj)?_?({})(s|_proj|_linear|_lin|_layer|_w|w|_weight)?"
_NAMED = {role: re.compile(_AROUND.format(words), re.I)
          for role, words in (("query", "q|query|queries"), ("key", "k|key|keys"), ("value", "v|value|values"),
                              ("output", "o|out|output|concat"))}  # fmt: skip
_FUSED = {("query", "key", "value"): re.compile(r"qkv|in_proj|(^|[._])c_attn", re.I),
          ("key", "value"): re.compile(r"(^|[._])(w|to|linear)?_?kv", re.I)}  # fmt: skip


def propose(shapes: Mapping[str, Shape]) -> tuple[Line, ...]:
    """A line for each pattern of names, in the order of the file."""
    if any("/" in name for name in shapes) and not any("." in name for name in shapes):  # TensorFlow's names
        dotted = propose({name.replace("/", "."): shape for name, shape in shapes.items()})
        return tuple(dataclasses.replace(line, theirs=line.theirs.replace(".", "/")) for line in dotted)
    around = _shared(shapes)
    if _ENCODER.search(around) and _DECODER.search(around):  # a module around all, which says nothing of any
        around += "."
        inner = propose({name.removeprefix(around): shape for name, shape in shapes.items()})
        return tuple(dataclasses.replace(line, theirs=around + line.theirs) for line in inner)
    lines = patterns(shapes)
    layers: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        if NUMBER in line.theirs:
            layers[line.theirs.partition(NUMBER)[0]].append(line)
    width = _width(line.shape for group in layers.values() for line in group)
    known: dict[str, Line] = {}
    for prefix, side in _sides(layers).items():
        known |= {line.theirs: line for line in _layer(layers[prefix], side, width)}
    known |= {line.theirs: line for line in _around([line for line in lines if NUMBER not in line.theirs], width)}
    return _each_once(known.get(line.theirs, line) for line in lines)


def _shared(names: Mapping[str, Shape]) -> str:
    """The modules that all names begin with: those that the first and the last in order begin with."""
    ends = [name.split(".")[:-1] for name in (min(names, default=""), max(names, default=""))]
    return ".".join(first for first, _ in takewhile(lambda pair: pair[0] == pair[1], zip(*ends, strict=False)))


def _width(shapes: Iterable[Shape]) -> int:
    counts = Counter(size for shape in shapes if len(matrix := _squeezed(shape)) == 2 for size in matrix)
    return counts.most_common(1)[0][0] if counts else 0


def _sides(layers: Mapping[str, list[Line]]) -> dict[str, str]:
    """Which stack each prefix of layers is; where the names do not say, the one with more matrices is the decoder."""
    sides = {prefix: side for prefix in layers if (side := _side(prefix))}
    silent = sorted((prefix for prefix in layers if prefix not in sides), key=lambda prefix: len(layers[prefix]))
    free = [side for side in ("encoder", "decoder") if side not in sides.values()]
    return sides | dict(zip(silent, free, strict=False))


def _side(name: str) -> str | None:
    return "decoder" if _DECODER.search(name) else "encoder" if _ENCODER.search(name) else None


def _layer(lines: list[Line], side: str, width: int) -> Iterator[Line]:
    start = f"{side}.layers.{NUMBER}"
    matrices = [line for line in lines if len(_squeezed(line.shape)) == 2 and not _MASK.search(line.theirs)]
    within = {line.theirs: line.theirs.partition(NUMBER)[2] for line in lines}
    feeding = [line for line in matrices if _FEED_FORWARD.search(within[line.theirs])]
    elsewhere = [line for line in feeding if not _ATTENTION.search(within[line.theirs])]
    feeding = elsewhere if len(elsewhere) > 1 else feeding
    if not feeding:
        others = {size for line in matrices for size in _squeezed(line.shape)} - {width}
        feeding = [line for line in matrices if others and max(others) in _squeezed(line.shape)]
    turned = bool(feeding) and _squeezed(feeding[0].shape)[0] == width != _squeezed(feeding[0].shape)[1]
    placed: dict[str, Line] = {}
    for line, name in zip(feeding, _in_feed_forward(feeding, within), strict=False):
        placed[line.theirs] = _at(line, (f"{start}.feed_forward.{name}.weight",), is_transposed=turned)
    attending = [line for line in matrices if line not in feeding]
    for line, branch, roles in _attention(attending, within, side, width):
        names = tuple(f"{start}.{branch}.{role}.weight" for role in roles)
        placed[line.theirs] = _at(line, names, is_transposed=turned)
    yield from placed.values()
    norms: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        if len(line.shape) != 1:
            continue
        matrix = _matrix_of(line, placed)
        if matrix is None:
            norms[line.theirs.rpartition(".")[0]].append(line)
        else:
            yield _at(line, tuple(name.removesuffix("weight") + "bias" for name in matrix.ours))
    branches = dict.fromkeys(norms, "*") if len(norms) == 1 else _norms(norms, side)  # one serves all branches
    for parent, branch in branches.items():
        for line in norms[parent]:
            yield _at(line, (f"{start}.{branch}_norm.{_part(line)}",))


def _in_feed_forward(feeding: list[Line], within: Mapping[str, str]) -> tuple[str, ...]:
    """What each matrix is: of three, the one of another shape leads out, and the activation is on the one that is
    called the gate, or else on the first."""
    shapes = [line.shape for line in feeding]
    out = next((place for place, shape in enumerate(shapes) if shapes.count(shape) == 1), None)
    if len(feeding) != 3 or out is None:
        return ("fc1", "fc2")
    inner = [place for place in range(3) if place != out]
    active = next((place for place in inner if _GATE.search(within[feeding[place].theirs])), inner[0])
    return tuple("fc2" if place == out else "fc1" if place == active else "gate" for place in range(3))


def _norms(parents: Iterable[str], side: str) -> dict[str, str]:
    """Each norm's branch: the one in its name, otherwise the next one that no norm's name mentions."""
    branches: dict[str, str] = {}
    for parent in parents:
        branch = _branch_of_norm(parent.partition(NUMBER)[2], side)
        if branch is not None and branch not in branches.values():
            branches[parent] = branch
    free = [branch for branch in BRANCHES[side] if branch not in branches.values()]
    silent = [parent for parent in parents if parent not in branches]
    return branches | dict(zip(silent, free, strict=False))


def _attention(
    lines: list[Line], within: Mapping[str, str], side: str, width: int
) -> Iterator[tuple[Line, str, tuple[str, ...]]]:
    """Each attention matrix with its branch and what it projects to."""
    waiting = {branch: list(_ROLES) for branch in BRANCHES[side] if branch != "feed_forward"}
    for line in lines:
        name, rows = within[line.theirs], max(_squeezed(line.shape))
        branches = [branch for branch in waiting if waiting[branch]]
        branch = _branch(name, side) or next(iter(branches), "")
        if not branch:
            return
        fused = next((roles for roles, pattern in _FUSED.items() if pattern.search(name)), None)
        fused = fused if fused is not None and rows == len(fused) * width else None
        if (
            fused is None
            and HEAD not in name
            and rows in (2 * width, 3 * width)
            and min(_squeezed(line.shape)) == width
        ):
            fused = ("query", "key", "value")[-(rows // width) :]
        if fused is not None and not set(fused) <= set(waiting[branch]):
            fused = None
        role = next((role for role, pattern in _NAMED.items() if any(map(pattern.fullmatch, name.split(".")))), None)
        roles = fused or ((role,) if role in waiting[branch] else tuple(waiting[branch][:1]))
        waiting[branch] = [role for role in waiting[branch] if role not in roles]
        if roles:
            yield line, branch, roles


def _matrix_of(line: Line, placed: Mapping[str, Line]) -> Line | None:
    """The matrix that a vector is the bias of: the only one beside it, or the one whose name differs only in that."""
    parent, _, last = line.theirs.rpartition(".")
    beside = [one for one in placed.values() if one.theirs.rpartition(".")[0] == parent]
    if len(beside) > 1:
        bare = re.sub(r"bias|b", "", last)
        beside = [one for one in beside if re.sub(r"weight|w", "", one.theirs.rpartition(".")[2]) == bare]
    is_bias = _BIAS.search(last) and not (_NORM.search(last))
    return beside[0] if len(beside) == 1 and is_bias else None


def _branch(name: str, side: str) -> str | None:
    """The kind of attention that a name in a layer says, where it says one."""
    if _OWN.search(name):
        return "self_attention"
    return "cross_attention" if side == "decoder" and _CROSS.search(name) else None


def _branch_of_norm(name: str, side: str) -> str | None:
    return _branch(name, side) or ("feed_forward" if re.search(r"ff|feed|mlp|final", name, re.I) else None)


def _part(line: Line) -> str:
    return "bias" if _BIAS.search(line.theirs.rpartition(".")[2]) else "weight"


def _around(lines: list[Line], width: int) -> Iterator[Line]:
    """Embeddings, positions, final norms and the output among the tensors outside the layers."""
    wide = [line for line in lines if len(line.shape) == 2 and width in line.shape]
    tables = [line for line in wide if _POSITION.search(line.theirs)]
    outputs = [line for line in wide if line not in tables and _OUTPUT.search(line.theirs)
               and not _EMBEDDING.search(line.theirs)]  # fmt: skip
    embeddings = [line for line in wide if line not in tables and line not in outputs]
    if not outputs and len(embeddings) > 2:
        outputs = [embeddings.pop()]
    placed = {line.theirs: _at(line, ("output.weight",), is_transposed=line.shape[1] != width) for line in outputs[:1]}
    for place, line in enumerate(embeddings):
        side = _side(line.theirs) or ("encoder", "decoder")[min(place, 1)]
        placed[line.theirs] = _at(line, (f"{side}.embedding.weight",), is_transposed=line.shape[1] != width)
    for place, line in enumerate(tables):
        side = _side(line.theirs) or ("encoder", "decoder")[min(place, 1)]
        placed[line.theirs] = _at(line, (f"{side}.positions.table",))
    yield from placed.values()
    vectors = [line for line in lines if len(line.shape) == 1]
    norms = {line.theirs.rpartition(".")[0] for line in vectors if _NORM.search(line.theirs)}
    for line in vectors:
        matrix, side = _matrix_of(line, placed), _side(line.theirs)
        if matrix is None and line.shape[0] != width and any(line.shape[0] in one.shape for one in outputs[:1]):
            matrix = placed[outputs[0].theirs]
        if matrix is not None:
            yield _at(line, ("output.bias",)) if matrix.ours == ("output.weight",) else line
        elif line.shape == (width,) and side is not None and line.theirs.rpartition(".")[0] in norms:
            kind = "embedding_norm" if _EMBEDDING.search(line.theirs) else "final_norm"
            yield _at(line, (f"{side}.{kind}.{_part(line)}",))


def _each_once(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines; if two stand for one of our tensors, only the first."""
    taken: set[str] = set()
    kept = []
    for line in lines:
        kept.append(line if not taken & set(line.ours) else dataclasses.replace(line, ours=()))
        taken |= set(line.ours)
    return tuple(kept)


def _at(line: Line, ours: tuple[str, ...], *, is_transposed: bool = False) -> Line:
    return dataclasses.replace(line, ours=ours, is_transposed=is_transposed)


def _squeezed(shape: Shape) -> Shape:
    """A matrix's two sizes where it is stored as a convolution (F, D, 1) or by heads (D, H, K) or (H, K, D)."""
    if len(shape) != 3:
        return shape
    first, second, third = shape
    if third == 1:
        return first, second
    return (first, second * third) if first >= third else (first * second, third)
