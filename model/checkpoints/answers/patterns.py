"""Groups the names of a file to patterns: names that differ only in the number of a layer or head are one line."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import prod

from model.checkpoints.answers.mapping import HEAD, NUMBER, Line, Shape

_LEAST_IN_LAYER = 4
_FUSED = re.compile(r"qkv", re.IGNORECASE)
"""Matches the fused query, key and value of a single head."""
_OF_BIAS = re.compile(r"bias|b_[qkvo]\Z", re.IGNORECASE)


def patterns(named: Mapping[str, Shape]) -> list[Line]:
    """Group names that differ only in a layer's number to one line, in file order."""
    biases = {name for name, shape in named.items() if len(shape) == 2 and _OF_BIAS.match(name.rpartition(".")[2])}
    shapes = {name: (prod(shape),) if name in biases else shape for name, shape in named.items()}  # of (H, K) a vector
    plain, repeated = _Numbered(), _Numbered()
    for name in shapes:
        for digits in re.finditer(r"\d+", name):
            after = name[digits.end() :]
            plain[name[: digits.start()]][digits[0]].add(after)
            repeated[name[: digits.start()]][digits[0]].add(_repeating(after, digits[0]))
    layers: dict[str, _Layers] = {}
    for prefix, numbered in plain.items():
        layers[prefix] = max(
            _layers(numbered), _layers(repeated[prefix]), key=lambda found: len(found.numbers) * len(found.within)
        )
    known = {(_module_around(prefix), found.numbers) for prefix, found in layers.items() if found.within}
    beside: set[str] = set()
    for prefix, numbered in plain.items():  # lists with one module per layer, next to lists of whole layers
        numbers = frozenset(numbered)
        if not layers[prefix].within and len(numbers) > 1 and (_module_around(prefix), numbers) in known:
            within = set.intersection(*numbered.values())
            if all(len({shapes[f"{prefix}{number}{after}"] for number in numbers}) == 1 for after in within):
                layers[prefix] = _Layers(numbers, frozenset(within))
                beside.add(prefix)
    names_by_pattern: dict[str, list[str]] = defaultdict(list)
    for name in shapes:
        names_by_pattern[_pattern(name, layers, beside)].append(name)
    return _by_heads([Line(pattern, shapes[names[0]], len(names)) for pattern, names in names_by_pattern.items()])


class _Numbered(defaultdict[str, defaultdict[str, set[str]]]):
    """prefix -> number -> names after the number."""

    def __init__(self) -> None:
        super().__init__(lambda: defaultdict(set))


@dataclass(frozen=True, slots=True)
class _Layers:
    """The layers in a list."""

    numbers: frozenset[str] = frozenset()
    within: frozenset[str] = frozenset()
    """Suffixes that every layer has; empty if the entries of the list are not layers."""

    @property
    def n_names(self) -> int:
        """Number of names of all layers."""
        return len(self.numbers) * len(self.within)


def _repeating(after: str, number: str) -> str:
    """The suffix of a name whose modules repeat the layer's number: ``layer2.attention_2.query``."""
    return re.sub(rf"(?<=_){number}(?=[._])", NUMBER, after)


def _module_around(prefix: str) -> str:
    """The parent module of a list of layers, or of numbered modules without a list."""
    return prefix.removesuffix(".").rpartition(".")[0]


def _layers(numbered: Mapping[str, set[str]]) -> _Layers:
    """The entries of a list with the same suffixes; others, such as a final norm, are not layers."""
    fullest = max(numbered.values(), key=len)
    alike = {number: held for number, held in numbered.items() if 2 * len(held & fullest) > len(fullest)}
    shared = set.intersection(*alike.values())
    least = _LEAST_IN_LAYER if len(alike) > 1 else 2 * _LEAST_IN_LAYER
    return _Layers(frozenset(alike), frozenset(shared if len(shared) >= least else ()))


def _by_heads(lines: list[Line]) -> list[Line]:
    """Join the modules of all heads to one line: numbered modules in a layer with the same small projections."""
    groups: dict[str, dict[str, dict[int, Line]]] = defaultdict(lambda: defaultdict(dict))
    for line in lines:
        before, number, within = line.pattern.partition(NUMBER)
        start = len(before) + len(NUMBER)
        for digits in re.finditer(r"(?<=[._])(\d+)(?=[._])", within) if number else ():
            place = line.pattern[: start + digits.start()]
            groups[place][line.pattern[start + digits.end() :]][int(digits[0])] = line
    joined: dict[str, Line | None] = {}
    for before in sorted(groups, key=len, reverse=True):  # the innermost list first: attention_1.heads.0
        suffixes = {after: held for after, held in groups[before].items()
                    if not any(line.pattern in joined for line in held.values())}  # fmt: skip
        numbers = {frozenset(held) for held in suffixes.values()}
        matrices = [held for held in suffixes.values() if len(next(iter(held.values())).shape) == 2]
        is_narrow = any(len({*next(iter(held.values())).shape}) > 1 for held in matrices)
        is_alone = len(matrices) == 3  # heads as wide as the model have no output projection, but two attentions do
        is_like = all(len({line.shape for line in held.values()}) == 1 for held in suffixes.values())
        is_fused = any(map(_FUSED.search, suffixes))
        is_list = len(matrices) == 1 and _fill_a_square(matrices[0])
        has_all = len(numbers) == 1 and len(next(iter(numbers))) > 1 and (len(matrices) >= 3 or is_fused or is_list)
        is_heads = has_all and is_like and (is_narrow or is_alone or is_fused)
        for after, held in suffixes.items() if is_heads else ():
            first = held[min(held)]
            rows, *columns = first.shape
            is_wide = is_fused or not columns or rows <= columns[0]
            shape = (rows * len(held), *columns) if is_wide else (rows, columns[0] * len(held))
            joined |= dict.fromkeys((line.pattern for line in held.values()), None)
            count = sum(line.count for line in held.values())
            joined[first.pattern] = Line(f"{before}{HEAD}{after}", shape, count)
    merged = (joined.get(line.pattern, line) for line in lines)
    return [line for line in merged if line is not None]


def _fill_a_square(held: Mapping[int, Line]) -> bool:
    """Whether a list's matrices, one per head, form a square together: ``queries.0``, ``queries.1``."""
    rows, *columns = next(iter(held.values())).shape
    return [rows * len(held)] == columns


def _pattern(name: str, layers: Mapping[str, _Layers], beside: Collection[str]) -> str:
    """The name with its layer's number replaced by ``{i}``.

    The layer's number is the first number of a list of layers, or of a list with one module per layer, as in
    ``attentions.0``, ``norms_1.0``, ``norms_2.0``.

    Args:
        beside: prefixes of lists with one module per layer.
    """
    found: dict[str, str] = {}
    for digits in re.finditer(r"\d+", name):
        prefix, rest = name[: digits.start()], name[digits.end() :]
        for after in (rest, _repeating(rest, digits[0])):
            if digits[0] in layers[prefix].numbers and after in layers[prefix].within:
                found.setdefault(prefix, f"{prefix}{NUMBER}{after}")
    first = next(iter(found), "")
    lists = (prefix for prefix in found if prefix in beside and prefix.endswith("."))
    apart = (prefix for prefix in lists if not _module_around(prefix).startswith(first))
    return found.get(next(apart, first), name)
