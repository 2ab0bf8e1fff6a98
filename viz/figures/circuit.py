"""A drawing of a circuit: the encoder's parts on the left, the decoder's on the right, the input at the bottom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt

from model.config import TransformerConfig
from model.interpret.editing.circuit import Edge
from model.interventions import AttentionKind
from viz.figures.rendering import Figure, with_theme
from viz.i18n import number
from viz.theme import Mode, palette

_LEFT, _RIGHT, _COLUMN = 13.0, 64.0, 34.0
_ROLES = ("query", "key", "value")


@dataclass(frozen=True, slots=True)
class Node:
    """One part of the model."""

    x: float
    y: float
    kind: AttentionKind | Literal[""]
    """Of attention, for its hue; empty for other parts."""
    number: str
    """Of a head; empty for other parts."""
    title: str


def circuit_plan(
    edges: Sequence[Edge], config: TransformerConfig, *, mode: Mode, words: Mapping[str, str], first_index: int = 0
) -> Figure:
    """The parts of the model, and a line for every two parts that an edge connects.

    Args:
        words: "self", "cross", "feed", "embedding" and "output" name the rows, "encoder" and "decoder" the columns,
            "query", "key" and "value" what a head receives, "score" the number of a line.
    """
    nodes, rows = layout(config, words, first_index)
    colours = palette(mode)
    ends = {name for edge in edges for name in (edge.sender, part_of(edge.receiver))}
    plain = alt.Axis(labels=False, ticks=False, grid=False, domain=False, title=None)
    top = max(node.y for node in nodes.values())
    x = alt.X("x:Q", axis=plain, scale=alt.Scale(domain=[0, 100], nice=False))
    y = alt.Y("y:Q", axis=plain, scale=alt.Scale(domain=[-0.6, top + 1.2], nice=False))
    lines = _lines(edges, nodes, words)
    widest = max((line["size"] for line in lines), default=1.0)
    drawn = alt.Chart(alt.Data(values=lines)).mark_line(interpolate="basis", opacity=0.75).encode(
        x=x, y=y, order=alt.Order("place:Q"), detail="line:N",
        color=alt.condition("datum.score >= 0", alt.value(colours.more), alt.value(colours.less)),
        strokeWidth=alt.StrokeWidth("size:Q", legend=None, scale=alt.Scale(domain=[0, widest], range=[0.4, 7])),
        tooltip=[alt.Tooltip("title:N", title=" "), alt.Tooltip("text:N", title=words["score"])],
    )  # fmt: skip
    squares_data = [
        {"x": node.x, "y": node.y, "number": node.number, "title": node.title, "in_circuit": name in ends,
         "colour": colours.kinds[node.kind] if node.kind else colours.ink_soft}
        for name, node in nodes.items()
    ]  # fmt: skip
    base = alt.Chart(alt.Data(values=squares_data)).encode(x=x, y=y, tooltip=[alt.Tooltip("title:N", title=" ")])
    squares = base.mark_square(size=230, opacity=1, strokeWidth=1).encode(
        color=alt.condition(
            "datum.in_circuit", alt.Color("colour:N", scale=None, legend=None), alt.value(colours.panel)
        ),
        stroke=alt.condition("datum.in_circuit", alt.value(colours.panel), alt.value(colours.line)),
    )
    numbers = base.transform_filter("datum.in_circuit").mark_text(fontSize=10, color=colours.panel)
    numbers = numbers.encode(text="number:N")
    labels = alt.Chart(alt.Data(values=rows)).mark_text(align="left", fontSize=11, color=colours.ink_soft)
    labelled = labels.encode(x=x, y=y, text="words:N")
    behind = labelled.mark_text(align="left", fontSize=11, stroke=colours.panel, strokeWidth=5)
    height = min(34.0, max(18.0, 560 / (top + 2))) * (top + 2)
    return with_theme(
        alt.layer(drawn, squares, numbers, behind, labelled), mode, width="container", height=round(height)
    )


def layout(
    config: TransformerConfig, words: Mapping[str, str], first_index: int
) -> tuple[dict[str, Node], list[dict[str, Any]]]:
    """The position of each part, by its name as a sender or "logits", and the names of the rows."""
    nodes: dict[str, Node] = {}
    rows: list[dict[str, Any]] = []

    def row(x: float, y: float, name: str) -> None:
        rows.append({"x": x, "y": y, "words": name})

    def single(name: str, left: float, y: float, word: str) -> None:
        nodes[name] = Node(left + _COLUMN / 2, y, "", "", f"{words[name.split('.')[0]]} · {word}")
        row(left - _LEFT, y, word)

    def heads(place: str, left: float, y: float, kind: AttentionKind, word: str, n_heads: int) -> None:
        for head in range(n_heads):
            along = (head + 0.5) / n_heads * _COLUMN
            name = str(head + first_index)
            nodes[f"{place}.{head}"] = Node(
                left + along, y, kind, name, f"{words[place.split('.')[0]]} · {word}·{name}"
            )
        row(left - _LEFT, y, word)

    n_encoder, n_decoder = config.n_encoder_layers, config.n_decoder_layers
    step = 3 * n_decoder / (2 * n_encoder)  # both columns are equally high
    single("encoder.embedding", _LEFT, 0, words["embedding"])
    for layer in range(n_encoder):
        place, number = f"encoder.{layer}", layer + first_index
        y = (1 + 2 * layer) * step
        heads(f"{place}.self", _LEFT, y, "encoder_self", f"{words['self']} {number}", config.n_encoder_heads)
        single(f"{place}.feed_forward", _LEFT, y + step, f"{words['feed']} {number}")
    single("decoder.embedding", _RIGHT, 0, words["embedding"])
    for layer in range(n_decoder):
        place, number, y = f"decoder.{layer}", layer + first_index, 1 + 3 * layer
        heads(f"{place}.self", _RIGHT, y, "decoder_self", f"{words['self']} {number}", config.n_decoder_heads)
        heads(f"{place}.cross", _RIGHT, y + 1, "cross", f"{words['cross']} {number}", config.n_decoder_heads)
        single(f"{place}.feed_forward", _RIGHT, y + 2, f"{words['feed']} {number}")
    top = 1 + 3 * n_decoder
    nodes["logits"] = Node(_RIGHT + _COLUMN / 2, top, "", "", f"{words['decoder']} · {words['output']}")
    for x, y, name in ((_RIGHT - _LEFT, top, "output"), (_LEFT, top + 0.9, "encoder"), (_RIGHT, top + 0.9, "decoder")):
        row(x, y, words[name])
    return nodes, rows


def part_of(receiver: str) -> str:
    """The part that an edge ends at; for a head's query, key or value, the head."""
    place, _, role = receiver.rpartition(".")
    return place if role in _ROLES else receiver


def _lines(edges: Sequence[Edge], nodes: Mapping[str, Node], words: Mapping[str, str]) -> list[dict[str, Any]]:
    """Three points for each connected pair of parts; edges into a head's query, key and value form one line."""
    joined: dict[tuple[str, str], list[Edge]] = {}
    for edge in edges:
        joined.setdefault((edge.sender, part_of(edge.receiver)), []).append(edge)
    points = []
    for line, ((sender, receiver), members) in enumerate(joined.items()):
        start, end, score = nodes[sender], nodes[receiver], sum(edge.score for edge in members)
        roles = [role for edge in members if (role := edge.receiver.rpartition(".")[2]) in _ROLES]
        title = f"{start.title} → {end.title}" + (f" ({', '.join(words[role] for role in roles)})" if roles else "")
        fields = {"line": line, "score": score, "size": abs(score), "text": number(score, "+.2f"), "title": title}
        bend = 0.9 * (end.y - start.y) if abs(start.x - end.x) < 4 else 0.0  # or it would hide the parts in between
        middle = ((start.x + end.x) / 2 + bend, (start.y + end.y) / 2)
        for place, (x, y) in enumerate(((start.x, start.y), middle, (end.x, end.y))):
            points.append(fields | {"place": place, "x": x, "y": y})
    return points
