"""One attention map in a terminal: a shaded cell and its percentage for each pair of tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from model.interventions import KINDS, AttentionKind, InterventionError
from model.trace import Floats, Trace

TITLES: dict[AttentionKind, str] = {
    "encoder_self": "encoder self-attention",
    "decoder_self": "decoder self-attention",
    "cross": "cross-attention",
}
INK: dict[AttentionKind, tuple[int, int, int]] = {
    "encoder_self": (0, 114, 178),
    "decoder_self": (0, 158, 115),
    "cross": (213, 94, 0),
}


@dataclass(frozen=True, slots=True)
class MapSelection:
    """Which map: a kind, a layer and a head; without a layer or head, the mean over them."""

    kind: AttentionKind
    layer: int | None = None
    head: int | None = None

    @classmethod
    def parse(cls, written: str) -> MapSelection:
        """KIND[:LAYER[:HEAD]].

        Raises:
            InterventionError: when it is not written like that.
        """
        name, *numbers = written.split(":")
        kind = next((kind for kind in KINDS if kind == name), None)
        if kind is None or len(numbers) > 2 or not all(number.isdigit() for number in numbers):
            raise InterventionError(
                f"--show “{written}”: write KIND, KIND:LAYER or KIND:LAYER:HEAD with a kind of {', '.join(KINDS)}, "
                "and a sentence before --show"
            )
        return cls(kind, *map(int, numbers))

    def of(self, trace: Trace) -> Floats:
        """The map, (query, key).

        Raises:
            InterventionError: when the model has no such kind, layer or head.
        """
        weights = trace.attention.of(self.kind)
        if weights is None:
            raise InterventionError(f"this model has no {TITLES[self.kind]}: choose {', '.join(trace.attention.kinds)}")
        for name, index, count in (("layer", self.layer, weights.shape[0]), ("head", self.head, weights.shape[1])):
            if index is not None and index >= count:
                raise InterventionError(f"{self.kind} has no {name} {index}: choose 0 to {count - 1}")
        layers = weights if self.layer is None else weights[self.layer : self.layer + 1]
        heads = layers if self.head is None else layers[:, self.head : self.head + 1]
        return heads.mean((0, 1), dtype=np.float32)

    @property
    def title(self) -> str:
        """The map in words."""
        layer = "all layers" if self.layer is None else f"layer {self.layer}"
        head = "mean of heads" if self.head is None else f"head {self.head}"
        return f"{TITLES[self.kind]}, {layer}, {head}"

    def draw(self, trace: Trace, *, width: int) -> Text:
        """The map as text: rows are queries, columns keys, cells are percentages of the row; wide maps are split into
        blocks."""
        weights = self.of(trace)
        rows = trace.source_tokens if self.kind == "encoder_self" else trace.target_tokens
        columns = trace.prefix_tokens if self.kind == "decoder_self" else trace.source_tokens
        meaning = "the token that looks" if self.kind == "encoder_self" else "the token predicted"
        margin = max(map(cell_len, rows)) + 1
        text = Text(
            f"{self.title}\nrow: {meaning} · column: where it looks · cell: per cent of its row\n", no_wrap=True
        )
        for block in _blocks([max(cell_len(column) + 2, 5) for column in columns], width - margin):
            text.append(" " * margin)
            for key, cells in block:
                text.append(columns[key].center(cells - cell_len(columns[key]) + len(columns[key])), "dim")
            text.append("\n")
            for query, row in enumerate(rows):
                text.append(" " * (margin - 1 - cell_len(row)) + row + " ")
                for key, cells in block:
                    is_future = self.kind == "decoder_self" and key > query
                    weight = float(weights[query, key])
                    shown = "" if is_future else f"{weight:.0%}".rstrip("%")
                    text.append(shown.center(cells), _style(self.kind, weight))
                text.append("\n")
        return text


def _blocks(widths: list[int], room: int) -> list[list[tuple[int, int]]]:
    """Columns as (index, cells), in as many blocks as the terminal's width requires."""
    blocks: list[list[tuple[int, int]]] = []
    used = room
    for index, cells in enumerate(widths):
        if used + cells > room:
            blocks.append([])
            used = 0
        blocks[-1].append((index, cells))
        used += cells
    return blocks


def _style(kind: AttentionKind, weight: float) -> Style:
    """From white to the kind's hue; the text keeps its contrast."""
    red, green, blue = (round(255 + (hue - 255) * weight) for hue in INK[kind])
    return Style(color="white" if weight > 0.6 else "black", bgcolor=f"rgb({red},{green},{blue})")
