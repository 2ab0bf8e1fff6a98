"""Proposes a mapping for an unknown file from names and shapes only.

Layers are found by numbers that repeat the same names, d_model by norms and by the most frequent dimension, attention
and feed-forward matrices by their names if these are clear, otherwise by shape and order (``layer_roles``). One list of
layers is a decoder-only or encoder-only model, two are an encoder and a decoder. The proposal is a first guess for a
person to correct; it is checked against the model's shapes like any mapping.
"""

import dataclasses
import itertools
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from model.checkpoints.answers.layer_roles import (
    NORM,
    has_attention,
    has_cross_attention,
    has_feed_forward,
    matrix_of,
    matrix_shape,
    part_of,
    place_layer,
    placed_as,
)
from model.checkpoints.answers.mapping import NUMBER, SIDES, Line, Shape
from model.checkpoints.answers.patterns import patterns

_DECODER = re.compile(r"dec(?!ay)|tgt|trg|target|(^|[._])(t|y|out(put)?)_(vocab|emb|tok)", re.I)
_ENCODER = re.compile(r"enc(?!oding)|src|source|(^|[._])(i|x|in(put)?)_(vocab|emb|tok)", re.I)
POSITION = re.compile(r"pos|(^|[._])(w?pe|w_p)($|[._])|sinus", re.I)
_OUTPUT = re.compile(
    r"out|proj|prj|gen|fc|head|linear|logit|vocab|pred|dense|mlm|class|cls|decoder\.(weight|bias)\Z", re.I
)
_EMBEDDING = re.compile(r"(?<!un)emb|tok|lut|wte", re.I)
_BIAS = re.compile(r"bias\Z", re.I)
_IS_NORM = re.compile(r"norm|rms|(^|[._])ln|(^|\.)\d+\Z", re.I)
"""Matches modules that are norms by name, or that follow the layers in a list."""
_TYPES = re.compile(r"seg|type", re.I)
_MOST_TYPES = 8


def propose(shapes: Mapping[str, Shape]) -> tuple[Line, ...]:
    """A line for each pattern of names, in file order; a single stack is proposed as a decoder."""
    if any("/" in name for name in shapes) and not any("." in name for name in shapes):  # TensorFlow's names
        dotted = propose({name.replace("/", "."): shape for name, shape in shapes.items()})
        return tuple(dataclasses.replace(line, pattern=line.pattern.replace(".", "/")) for line in dotted)
    modules = [name.split(".")[:-1] for name in shapes]
    around = ".".join(os.path.commonprefix(modules))  # noqa: RUF071 - of lists, not of characters
    if _ENCODER.search(around) and _DECODER.search(around):  # the name of a wrapper, which does not distinguish stacks
        around += "."
        inner = propose({name.removeprefix(around): shape for name, shape in shapes.items()})
        return tuple(dataclasses.replace(line, pattern=around + line.pattern) for line in inner)
    lines = patterns(shapes)
    width = _width(lines)
    stacks, within = _stacks(lines, width)
    sides = _sides(stacks)
    known: dict[str, Line] = {}
    for key, side in sides.items():
        crosses = len(sides) > 1 or has_cross_attention(stacks[key], within)
        known |= {line.pattern: line for line in place_layer(stacks[key], side, width, within, crosses=crosses)}
    inside = _in_layers(stacks, shapes)
    outside = [line for line in lines if NUMBER not in line.pattern and not inside.match(line.pattern)]
    only = next(iter(sides.values())) if len(sides) == 1 else None
    inner_norms = _parts_of_norms(known.values())
    known |= {line.pattern: line for line in _around(outside, width, only, inner_norms)}
    return _each_once(known.get(line.pattern, line) for line in lines)


def _in_layers(stacks: Mapping[str, list[Line]], names: Iterable[str]) -> re.Pattern[str]:
    """Matches the common prefixes of layers; a final norm after the layers has none of them."""
    places: dict[str, set[str]] = defaultdict(set)
    for line in itertools.chain.from_iterable(stacks.values()):
        prefix, _, after = line.pattern.partition(NUMBER)
        places[prefix].add(re.escape(after).replace(re.escape(NUMBER), r"\d+"))
    heads: set[str] = set()
    for prefix, afters in places.items():
        layer = re.compile(rf"({re.escape(prefix)}\d+)({'|'.join(afters)})\Z")
        heads |= {match[1] for name in names if (match := layer.match(name))}
    return re.compile("|".join(rf"{re.escape(head)}(?!\d)" for head in sorted(heads)) or r"(?!)")


def stacks_of(lines: Iterable[Line]) -> tuple[str, ...]:
    """The stacks with layers in a table: encoder, decoder or both."""
    names = {name for line in lines for name in line.ours}
    return tuple(side for side in SIDES if any(name.startswith(f"{side}.layers") for name in names))


def _width(lines: Iterable[Line]) -> int:
    """d_model: the width of norms in layers if names show them, else the most frequent size of matrices."""
    inner = [line for line in lines if NUMBER in line.pattern]
    norms = Counter(line.shape[0] for line in inner if len(line.shape) == 1 and line.shape[0] > 1
                    and NORM.search(line.pattern.partition(NUMBER)[2] or line.pattern))  # fmt: skip
    if norms:
        return norms.most_common(1)[0][0]
    counts = Counter(size for line in inner if len(matrix := matrix_shape(line.shape)) == 2 for size in matrix)
    return counts.most_common(1)[0][0] if counts else 0


def _stacks(lines: Iterable[Line], width: int) -> tuple[dict[str, list[Line]], dict[str, str]]:
    """The lists of layers, and each line's name within its layer.

    A list with both attention and a feed-forward network is a stack. Lists with one kind of module per layer are joined
    by their parent module and by "encoder" or "decoder" in their names.
    """
    lists: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        if NUMBER in line.pattern:
            lists[line.pattern.partition(NUMBER)[0]].append(line)
    stacks: dict[str, list[Line]] = defaultdict(list)
    within: dict[str, str] = {}
    for prefix, held in lists.items():
        is_whole = has_attention(held) and has_feed_forward(held, width)
        around = prefix.removesuffix(".").rpartition(".")[0]
        key = prefix if is_whole else f"{around}|{_side(prefix) or ''}"
        stacks[key] += held
        for line in held:
            after = line.pattern.partition(NUMBER)[2]
            within[line.pattern] = after if is_whole else line.pattern.removeprefix(f"{around}.").replace(NUMBER, "")
    return {key: held for key, held in stacks.items() if has_attention(held)}, within


def _sides(stacks: Mapping[str, list[Line]]) -> dict[str, str]:
    """The stack of each list of layers; if names do not show it, the list with more matrices is the decoder.

    A single list may be either, with the same names and shapes.
    """
    if len(stacks) < 2:
        return dict.fromkeys(stacks, "decoder")
    sides = {key: side for key in stacks if (side := _side(key))}
    if len(stacks) == 2 and len({*sides.values()}) == 1 == len(sides) - 1:  # both names show the same side
        sides = {}
    silent = sorted((key for key in stacks if key not in sides), key=lambda key: len(stacks[key]))
    free = [side for side in SIDES if side not in sides.values()]
    return sides | dict(zip(silent, free, strict=False))


def _side(name: str) -> str | None:
    return "decoder" if _DECODER.search(name) else "encoder" if _ENCODER.search(name) else None


def _parts_of_norms(lines: Iterable[Line]) -> set[frozenset[str]]:
    """The names of the tensors of a layer's norms, such as ``g``."""
    held: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        if any("_norm." in name for name in line.ours):
            parent, _, last = line.pattern.rpartition(".")
            held[parent].add(last)
    return {frozenset(names) for names in held.values()}


def _around(lines: list[Line], width: int, only: str | None, inner_norms: set[frozenset[str]]) -> Iterator[Line]:
    """Embeddings, positions, final norms and the output projection among the tensors outside the layers.

    Args:
        only: the side of a single stack.
        inner_norms: the names of the tensors of the layers' norms.
    """

    def side_of(line: Line, place: int) -> str:
        return only or _side(line.pattern) or SIDES[min(place, 1)]

    wide = [line for line in lines if len(line.shape) == 2 and width in line.shape]
    types = [line for line in wide if _TYPES.search(line.pattern) and len(line.shape) == 2
             and line.shape[0] <= _MOST_TYPES][:1]  # fmt: skip
    tables = [line for line in wide if POSITION.search(line.pattern) and line not in types]
    rest = [line for line in wide if line not in tables and line not in types]
    named = [line for line in rest if _OUTPUT.search(line.pattern) and not _EMBEDDING.search(line.pattern)]
    outputs, embeddings = _ends(rest, named, width, only)
    placed = {
        line.pattern: placed_as(line, ("output.weight",), is_transposed=line.shape[1] != width) for line in outputs
    }
    for place, line in enumerate(embeddings):
        is_turned = line.shape[1] != width
        placed[line.pattern] = placed_as(line, (f"{side_of(line, place)}.embedding.weight",), is_transposed=is_turned)
    for place, line in enumerate(tables):
        placed[line.pattern] = placed_as(line, (f"{side_of(line, place)}.positions.table",))
    for line in types if only else ():
        placed[line.pattern] = placed_as(line, (f"{only}.token_types",))
    yield from placed.values()
    yield from _vectors(lines, placed, outputs, width, only, inner_norms)


def _ends(wide: list[Line], named: list[Line], width: int, only: str | None) -> tuple[list[Line], list[Line]]:
    """The output projection and the embeddings among the matrices outside the layers."""
    if only is None:
        embeddings = [line for line in wide if line not in named]
        if not named and len(embeddings) > 2:
            return [embeddings[-1]], embeddings[:-1]
        return named[:1], embeddings
    unnamed = [line for line in wide if line not in named]
    embedding = next((line for line in unnamed if _EMBEDDING.search(line.pattern)), next(iter(unnamed or wide), None))
    if embedding is None:
        return [], []
    n_tokens = _other(embedding.shape, width)
    ends = [line for line in (*named, *unnamed) if line is not embedding and _other(line.shape, width) == n_tokens]
    return ends[:1], [embedding]


def _other(shape: Shape, width: int) -> int:
    return shape[0] if shape[1] == width else shape[1]


def _vectors(
    lines: list[Line],
    placed: Mapping[str, Line],
    outputs: list[Line],
    width: int,
    only: str | None,
    inner_norms: set[frozenset[str]],
) -> Iterator[Line]:
    """Biases and norms outside the layers."""
    vectors = [line for line in lines if len(line.shape) == 1]
    held: dict[str, list[str]] = defaultdict(list)
    for line in vectors:
        parent, _, last = line.pattern.rpartition(".")
        held[parent].append(last)
    norms = {parent for parent, names in held.items() if _IS_NORM.search(parent) or (
        len(names) == 2 and any(NORM.search(f"{parent}.{name}") for name in names))
        or (only and frozenset(names) in inner_norms)}  # fmt: skip
    for line in vectors:
        matrix, side = matrix_of(line, placed), only or _side(line.pattern)
        if matrix is None and line.shape[0] != width and any(line.shape[0] in other.shape for other in outputs):
            matrix = placed[outputs[0].pattern]
        is_alone = matrix is None and not outputs and _BIAS.search(line.pattern) and line.shape != (width,)
        if is_alone and any(other.ours[0].endswith("embedding.weight") and line.shape[0] in other.shape
                            for other in placed.values()):  # fmt: skip
            yield placed_as(line, ("output.bias",))
        elif matrix is not None:
            is_one_hot = matrix.ours[0].endswith("embedding.weight") and matrix.is_transposed and line.shape == (width,)
            is_bias = matrix.ours == ("output.weight",) or is_one_hot
            yield placed_as(line, (matrix.ours[0].removesuffix("weight") + "bias",)) if is_bias else line
        elif line.shape == (width,) and side is not None and line.pattern.rpartition(".")[0] in norms:
            kind = "embedding_norm" if _EMBEDDING.search(line.pattern) else "final_norm"
            yield placed_as(line, (f"{side}.{kind}.{part_of(line)}",))


def _each_once(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines; if two map to the same tensor of ours, only the first is mapped."""
    taken: set[str] = set()
    without_overlaps = []
    for line in lines:
        without_overlaps.append(line if not taken & set(line.ours) else dataclasses.replace(line, ours=()))
        taken |= set(line.ours)
    return tuple(without_overlaps)
