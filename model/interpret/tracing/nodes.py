"""The nodes at the ends of a path: heads, feed-forward networks and residual streams, named as in circuits, with their
activations."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from model.activations import activation_shapes
from model.bundle import Bundle

ROLES = ("query", "key", "value")
_RANKS = ("before", "self", "middle", "cross", "after_cross", "feed_forward", "after")
"""The order of a layer's computation."""


@dataclass(frozen=True, slots=True)
class Node:
    """One end of a path."""

    label: str
    name: str
    """The activation that a patch of the node replaces."""
    head: int | None = None

    @property
    def stack(self) -> str:
        """ "encoder", "decoder", or "logits"."""
        return self.name.partition(".")[0]

    @property
    def reads_memory(self) -> bool:
        """Whether its input is the encoder's output."""
        return self.name.endswith((".cross.key", ".cross.value"))


def sender_nodes(bundle: Bundle) -> dict[str, Node]:
    """The possible senders of a path: "encoder.embedding", "encoder.1.self.0" for a head's output,
    "decoder.1.feed_forward", "decoder.1.residual.after" and the other streams, and "encoder.final_norm"."""
    return {node.label: node for node in _nodes(bundle, "head_output", "output")}


def receiver_nodes(bundle: Bundle) -> dict[str, Node]:
    """The possible receivers of a path: query, key or value of a head, such as "decoder.1.cross.0.key";
    "decoder.1.feed_forward" for the network's input; the streams; and "logits"."""
    nodes = {node.label: node for node in _nodes(bundle, "", "hidden") if not node.name.endswith("embedding")}
    return nodes | {"logits": Node("logits", "logits")} if bundle.config.predicts else nodes


def _nodes(bundle: Bundle, of_heads: str, of_network: str) -> Iterator[Node]:
    config = bundle.config
    for name in activation_shapes(config):
        *place, part = name.split(".")
        if place and place[-1] in ("self", "cross"):
            n_heads = config.n_encoder_heads if name.startswith("encoder") else config.n_decoder_heads
            if part == of_heads or (not of_heads and part in ROLES):
                suffix = "" if of_heads else f".{part}"
                yield from (Node(f"{'.'.join(place)}.{head}{suffix}", name, head) for head in range(n_heads))
        elif place and place[-1] == "feed_forward":
            if part == of_network:
                yield Node(".".join(place), name)
        elif place:
            yield Node(name, name)


def has_path(bundle: Bundle, sender: Node, receiver: Node) -> bool:
    """Whether a sender's output reaches a receiver without passing through another head or network."""
    if receiver.reads_memory:
        return sender.stack == "encoder"
    if sender.stack != ("decoder" if receiver.name == "logits" else receiver.stack):
        return False
    first, last = _place(sender.name), _place(receiver.name)
    spec = bundle.config.layers(encoder=sender.stack == "encoder")
    is_beside = first[0] == last[0] and first[1] == 1 and last[1] == 5 and spec[first[0]].parallel
    return first < last and not is_beside


def frozen_names(bundle: Bundle, sender: Node) -> Iterable[str]:
    """The names of the sublayer outputs after a sender in its stack."""
    depth = bundle.config.n_encoder_layers if sender.stack == "encoder" else bundle.config.n_decoder_layers
    kinds = ("self", "feed_forward") if sender.stack == "encoder" or bundle.config.is_single_stack else (
        "self", "cross", "feed_forward")  # fmt: skip
    names = (f"{sender.stack}.{layer}.{kind}.output" for layer in range(depth) for kind in kinds)
    return [name for name in names if _place(name) > _place(sender.name)]


def _place(name: str) -> tuple[int, int]:
    """Sort key of a stack's activations in the order of computation: layer, and place within it."""
    _, *rest = name.split(".")
    if not rest or rest == ["final_norm"]:
        return 1_000_000, int(not rest)
    if rest == ["embedding"]:
        return -1, 0
    return int(rest[0]), _RANKS.index(rest[2] if rest[1] == "residual" else rest[1])
