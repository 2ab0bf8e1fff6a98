"""Guesses the role of each tensor of a layer: by its name if that is clear, otherwise by shape and order."""

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from model.checkpoints.answers.mapping import BRANCHES, HEAD, NUMBER, Line, Shape

_ROLES = ("query", "key", "value", "output")
CROSS = re.compile(
    r"cross|enc(oder)?_?att|src_\w*att|enc_dec|encoder_decoder|dec_enc|context|memory|multihead_att|inter_att|att\w*2"
    r"|(^|[._])ca[._]",
    re.I,
)
_MASK = re.compile(r"(mask|tril|triu|causal)\w*\Z", re.I)
_OWN = re.compile(r"self|slf|mask|(^|[._])sa[._]", re.I)
_FEED_FORWARD = re.compile(
    r"ff|mlp|feed|intermediate|(linear|fc|w|dense|conv|lin)_?[12](?!\d)|(^|[._])(up|down|gate)(_proj)?[._]", re.I
)
_GATE = re.compile(r"gate", re.I)
NORM = re.compile(r"norm|(^|[._])ln|gamma|beta|alpha|[ab]_2$", re.I)
_BIAS = re.compile(r"bias|beta|b_2|offset|shift|(^|_)b(_|$|[qkvo12])", re.I)
ATTENTION = re.compile(r"att|autoregr|mha|(^|[._])(sa|ca)[._]", re.I)
_NAMED = {
    role: re.compile(rf"(w|to|linear|lin|fc|attn|attention|proj|c)?({words})(s|net)?", re.I)
    for role, words in (("query", "q|query|queries"), ("key", "k|key|keys"), ("value", "v|value|values|val"))
}
_OUTPUT = re.compile(r"(w|to|linear|lin|fc|attn|attention|proj)?_?(o|out|output|concat)"
                     r"(s|_proj|_linear|_lin|_layer|_w|w|_weight)?", re.I)  # fmt: skip
_FUSED = {("query", "key", "value"): re.compile(r"qkv|in_proj|(^|[._])c_attn|query_key_value", re.I),
          ("key", "value"): re.compile(r"(^|[._])(w|to|linear|fc|c)?_?kv", re.I)}  # fmt: skip


def has_attention(lines: Iterable[Line]) -> bool:
    """Whether the names of some matrices are those of attention or its projections."""
    matrices = (line.pattern for line in lines if len(matrix_shape(line.shape)) == 2)
    fused = _FUSED.values()
    return any(ATTENTION.search(name) or _role(name) or any(each.search(name) for each in fused) for name in matrices)


def has_cross_attention(lines: Iterable[Line], within: Mapping[str, str]) -> bool:
    """Whether a single stack has both self-attention and attention named as cross-attention.

    If it has only one attention, that is self-attention, whatever its name (``multihead_attention``).
    """
    names = [within[line.pattern] for line in lines if len(matrix_shape(line.shape)) == 2]
    attending = [name for name in names if ATTENTION.search(name) or CROSS.search(name)]
    return len({bool(CROSS.search(name)) for name in attending}) == 2


def has_feed_forward(lines: Iterable[Line], width: int) -> bool:
    """Whether two of the matrices belong to a feed-forward network, by their names or shapes."""
    matrices = [line for line in lines if len(matrix_shape(line.shape)) == 2]
    named = [line for line in matrices if _FEED_FORWARD.search(line.pattern) and not ATTENTION.search(line.pattern)]
    return len(named) > 1 or len(_by_shape(matrices, width)) > 1


def place_layer(lines: list[Line], side: str, width: int, within: Mapping[str, str], *, crosses: bool
                ) -> Iterator[Line]:  # fmt: skip
    """The lines of a stack's layers, each mapped to our names.

    Args:
        side: encoder or decoder.
        width: d_model.
        within: each line's name inside its layer.
        crosses: whether a decoder's layers have cross-attention.
    """
    start = f"{side}.layers.{NUMBER}"
    branches = tuple(branch for branch in BRANCHES[side] if crosses or branch != "cross_attention")
    matrices = [line for line in lines if len(matrix_shape(line.shape)) == 2 and not _MASK.search(line.pattern)
                and (width in matrix_shape(line.shape) or len({*line.shape}) == 1)]  # fmt: skip
    feeding = [line for line in matrices if _FEED_FORWARD.search(within[line.pattern])]
    elsewhere = [line for line in feeding if not ATTENTION.search(within[line.pattern])]
    feeding = elsewhere if len(elsewhere) > 1 else feeding
    feeding = feeding if len(feeding) > 1 else _by_shape(matrices, width) or feeding
    if not feeding:
        others = {size for line in matrices for size in matrix_shape(line.shape)} - {width}
        feeding = [line for line in matrices if others and max(others) in matrix_shape(line.shape)]
    order = _in_feed_forward(feeding, within, width)
    entry = next((matrix_shape(line.shape) for line, name in zip(feeding, order, strict=False) if "fc1" in name), ())
    turned = bool(entry) and entry[0] == width != entry[1]
    if turned and order == ("fc1", "fc2") and len(feeding) == 2 and _leads_out(feeding[0], within):
        turned, order = False, ("fc2", "fc1")
    placed: dict[str, Line] = {}
    for line, name in zip(feeding, order, strict=False):
        names = tuple(f"{start}.feed_forward.{part}.weight" for part in name.split("+"))
        placed[line.pattern] = placed_as(line, names, is_transposed=turned)
    attending = [line for line in matrices if line not in feeding]
    for line, branch, roles in _attention(attending, within, side, width, branches):
        names = tuple(f"{start}.{branch}.{role}.weight" for role in roles)
        placed[line.pattern] = placed_as(line, names, is_transposed=turned)
    yield from placed.values()
    norms: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        if len(line.shape) != 1:
            continue
        matrix = matrix_of(line, placed)
        if matrix is None:
            norms[line.pattern.rpartition(".")[0]].append(line)
        else:
            yield placed_as(line, tuple(name.removesuffix("weight") + "bias" for name in matrix.ours))
    place = dict.fromkeys(norms, "*") if len(norms) == 1 else _norms(norms, side, within, norms, branches)
    for parent, branch in place.items():  # a single norm may serve all branches
        for line in norms[parent]:
            yield placed_as(line, (f"{start}.{branch}_norm.{part_of(line)}",))


def _by_shape(matrices: Iterable[Line], width: int) -> list[Line]:
    """The matrices from d_model to another width and back; the gate may be fused with the first."""
    matrices = [line for line in matrices if not any(pattern.search(line.pattern) for pattern in _FUSED.values())]
    shapes = {matrix_shape(line.shape) for line in matrices}
    inner = {size for size, other in shapes if other == width != size and (width, size) in shapes}
    if not inner:
        inner = {
            n
            for size in {size for shape in shapes for size in shape} - {width}
            for n in (size, 2 * size)
            if {(2 * size, width), (width, size)} <= shapes or {(width, 2 * size), (size, width)} <= shapes
        }
        return [line for line in matrices if inner & {*matrix_shape(line.shape)}] if len(inner) == 2 else []
    return [line for line in matrices if inner & {*matrix_shape(line.shape)}] if len(inner) == 1 else []


def _leads_out(line: Line, within: Mapping[str, str]) -> bool:
    """Whether the first of two matrices in a file is the network's second, as in alphabetical order."""
    return re.search(r"(^|[._])(c_proj|down|out(put)?|fc2|w2|linear_?2)", within[line.pattern], re.I) is not None


def _in_feed_forward(feeding: list[Line], within: Mapping[str, str], width: int) -> tuple[str, ...]:
    """The role of each feed-forward matrix.

    Of three, the one with another shape is the second, and the activation is on the one named as the gate, or else on
    the first. Of two, the gate is fused with the first if that is twice as large.
    """
    shapes = [line.shape for line in feeding]
    inner_sizes = [max({*matrix_shape(shape)} - {width}, default=width) for shape in shapes]
    if len(feeding) == 2 and max(inner_sizes) == 2 * min(inner_sizes):
        return ("fc1+gate", "fc2") if inner_sizes[0] > inner_sizes[1] else ("fc2", "fc1+gate")
    out = next((place for place, shape in enumerate(shapes) if shapes.count(shape) == 1), None)
    if len(feeding) != 3 or out is None:
        return ("fc1", "fc2")
    inner = [place for place in range(3) if place != out]
    active = next((place for place in inner if _GATE.search(within[feeding[place].pattern])), inner[0])
    return tuple("fc2" if place == out else "fc1" if place == active else "gate" for place in range(3))


def _norms(parents: Iterable[str], side: str, within: Mapping[str, str], lines: Mapping[str, list[Line]],
           branches: tuple[str, ...]) -> dict[str, str]:  # fmt: skip
    """Each norm's branch: the one in its name, otherwise the next branch that no norm's name mentions."""
    found: dict[str, str] = {}
    for parent in parents:
        name = within[lines[parent][0].pattern].rpartition(".")[0]
        branch = _branch(name, side) or ("feed_forward" if re.search(r"ff|feed|mlp|final", name, re.I) else None)
        if branch in branches and branch not in found.values():
            found[parent] = str(branch)
    free = [branch for branch in branches if branch not in found.values()]
    silent = [parent for parent in parents if parent not in found]
    if len({re.sub(r"\d+", "", parent) for parent in silent}) == 1:  # norm1, norm2, norm3
        silent.sort(key=lambda parent: [int(digits) for digits in re.findall(r"\d+", parent)])
    return found | dict(zip(silent, free, strict=False))


def _role(name: str) -> str | None:
    """What a matrix projects to, by the first of its module names that shows it."""
    for module in reversed(name.split(".")):
        words = re.split(r"[_/]", module)
        for role, pattern in _NAMED.items():
            if any(map(pattern.fullmatch, words)) and not re.search(r"q.?k|k.?v", module, re.I):
                return role
        if _OUTPUT.fullmatch(module):
            return "output"
    return None


def _attention(
    lines: list[Line], within: Mapping[str, str], side: str, width: int, branches: tuple[str, ...]
) -> Iterator[tuple[Line, str, tuple[str, ...]]]:
    """Each attention matrix with its branch and what it projects to."""
    waiting = {branch: list(_ROLES) for branch in branches if branch != "feed_forward"}
    named = {line.pattern: _role(within[line.pattern]) for line in lines}
    for line in sorted(lines, key=lambda line: named[line.pattern] is None and not _is_fused(line, width)):
        name, rows = within[line.pattern], max(matrix_shape(line.shape))
        open_branches = [branch for branch in waiting if waiting[branch]]
        named_branch = _branch(name, side)
        branch = named_branch if named_branch in waiting else next(
            (name for name in open_branches if named[line.pattern] in (None, *waiting[name])), "")  # fmt: skip
        if not branch:
            return
        fused = next((roles for roles, pattern in _FUSED.items() if pattern.search(name)), None)
        is_whole = fused is not None and (rows == len(fused) * width or (len(fused) == 2 and len(branches) == 2))
        fused = fused if is_whole else None  # in a single stack, heads may share narrower keys and values
        if fused is None and _is_fused(line, width):
            fused = ("query", "key", "value")[-(rows // width) :]
        if fused is not None and not set(fused) <= set(waiting[branch]):
            fused = None
        role = named[line.pattern]
        roles = fused or ((role,) if role in waiting[branch] else tuple(waiting[branch][:1]))
        waiting[branch] = [role for role in waiting[branch] if role not in roles]
        if roles:
            yield line, branch, roles


def _is_fused(line: Line, width: int) -> bool:
    """Whether a matrix has the rows of two or three projections."""
    sizes = matrix_shape(line.shape)
    return HEAD not in line.pattern and max(sizes) in (2 * width, 3 * width) and min(sizes) == width


def matrix_of(line: Line, placed: Mapping[str, Line]) -> Line | None:
    """The matrix of a bias vector: the only one in its module, or the one whose name differs only in "bias"."""
    parent, _, last = line.pattern.rpartition(".")
    beside = [other for other in placed.values() if other.pattern.rpartition(".")[0] == parent]
    if len(beside) > 1:
        bare = re.sub(r"bias|b", "", last, flags=re.I)
        beside = [
            other for other in beside if re.sub(r"weight|w", "", other.pattern.rpartition(".")[2], flags=re.I) == bare
        ]
    is_bias = _BIAS.search(last) and not (NORM.search(last))
    return beside[0] if len(beside) == 1 and is_bias else None


def _branch(name: str, side: str) -> str | None:
    """The kind of attention in a name within a layer, or None."""
    if _OWN.search(name) and not (side == "decoder" and "cross" in name.lower()):
        return "self_attention"
    return "cross_attention" if side == "decoder" and CROSS.search(name) else None


def part_of(line: Line) -> str:
    """ "weight" or "bias" for the vector of a norm."""
    return "bias" if _BIAS.search(line.pattern.rpartition(".")[2]) else "weight"


def placed_as(line: Line, ours: tuple[str, ...], *, is_transposed: bool = False) -> Line:
    """A copy of the line, mapped to our names ``ours``."""
    return dataclasses.replace(line, ours=ours, is_transposed=is_transposed)


def matrix_shape(shape: Shape) -> Shape:
    """A matrix's two sizes, also for a convolution (F, D, 1) or by heads: (D, H, K), (H, D, K) or (H, K, D)."""
    if len(shape) != 3:
        return shape
    first, second, third = shape
    if third == 1:
        return first, second
    if second > max(first, third):
        return second, first * third
    return (first, second * third) if first >= third else (first * second, third)
