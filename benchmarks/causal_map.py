"""How long a causal map takes, against a loop of hooked passes; what recording adds; and all heads off in turn.

    python -m benchmarks.causal_map [--rounds 5]

For each cell of the map, heads included, the loop registers a plain PyTorch hook and runs the whole model, as
TransformerLens does. Every figure is the median of several runs; the ratio is that of processor times, which other
programs on the machine change less. Heads are switched off in turn in batches, and by one ``score`` for each.
"""

import statistics
from collections.abc import Iterator
from functools import partial
from typing import Any

import torch
from torch import nn

import model
from benchmarks.timing import arguments, compare, measure, parse
from model.inference.teacher_forcing import teacher_forced
from model.interpret.ablation import head_effects, without_head
from model.interpret.causal import attribution_map, causal_map, read_pair
from model.interventions import NONE, every_head

FIRST = "The little cats are sleeping on the sofa in the garden."
SECOND = "The little dogs are sleeping on the sofa in the garden."
HEADS_OFF = "The old man who lives next door has two very black dogs."


@torch.inference_mode()
def hooked_loop(bundle: model.Bundle) -> int:
    """Run one hooked pass for each cell of the map; returns the number of cells."""
    pair = read_pair(bundle, FIRST, SECOND)
    source, prefix = pair.second.source.ids, pair.first.prefix.ids[: pair.step + 1]
    n_cells = 0
    for stack, length in ((bundle.model.encoder, len(source)), (bundle.model.decoder, len(prefix))):
        for module, is_input, where in _cells(stack, length):
            register = module.register_forward_pre_hook if is_input else module.register_forward_hook
            handle = register(lambda *arguments, where=where: _with_zeros(arguments[-1], where))
            teacher_forced(bundle, [(source, prefix)])
            handle.remove()
            n_cells += 1
    return n_cells


def _cells(stack: Any, length: int) -> Iterator[tuple[Any, bool, tuple[Any, ...]]]:
    """Each module, whether its input is patched or its output, and where in (B, N, D)."""
    streams: list[tuple[nn.Module, bool]] = [(stack.layers[0], True)]
    for layer in stack.layers:
        parts = (part for name, part in layer.named_children() if name.endswith(("attention", "forward")))
        streams += [(layer, False), *((part, False) for part in parts)]
    for module, is_input in streams:
        for place in range(length):
            yield module, is_input, (slice(None), place)
    for attention in (part for part in stack.modules() if hasattr(part, "n_heads")):
        for head in range(attention.n_heads):
            yield attention.output, True, (..., slice(head * attention.d_value, (head + 1) * attention.d_value))


def _with_zeros(value: Any, where: tuple[Any, ...]) -> Any:
    """A module's input or output, a state or a tuple that begins with it, with zeros in one place of the state."""
    state, *rest = value if isinstance(value, tuple) else (value,)
    patched = state.clone()
    patched[where] = 0.0
    return (patched, *rest) if isinstance(value, tuple) else patched


def main() -> None:
    chosen = parse(arguments(__doc__, rounds=5))
    bundle = model.load()
    mapped = partial(causal_map, bundle, first=FIRST, second=SECOND)
    cells = mapped().total
    assert hooked_loop(bundle) == cells
    times = compare(mapped, lambda: hooked_loop(bundle), rounds=chosen.rounds)
    print(f"exact map of {cells} cells {times.ours.wall:.2f} s (bar 2 s); loop of hooked passes "
          f"{times.peer.wall:.2f} s, {times.ratio.processor:.1f} times the processor time (bar 5)")  # fmt: skip
    estimate = partial(attribution_map, bundle, first=FIRST, second=SECOND)
    seconds = [measure(estimate).wall for _ in range(chosen.rounds + 1)][1:]
    print(f"attribution patching {statistics.median(seconds):.2f} s (bar 0.3 s)")
    trace = model.translate(bundle, SECOND)
    rows, every = [(trace.source.ids, trace.prefix.ids)], frozenset(model.activation_names(bundle))
    with torch.inference_mode():
        run = partial(teacher_forced, bundle, rows, capture=True)
        times = compare(run, partial(run, record=every), rounds=6 * chosen.rounds)
    print(f"pass with attention {times.ours.wall * 1e3:.1f} ms; all activations recorded "
          f"{times.peer.wall * 1e3:.1f} ms, {times.ratio.wall:.2f} times as long (bar 1.5)")  # fmt: skip
    trace, heads = model.translate(bundle, HEADS_OFF), every_head(bundle.config)

    def one_by_one() -> list[model.Trace]:
        return [model.score(bundle, HEADS_OFF, trace.text, interventions=without_head(NONE, *head)) for head in heads]

    times = compare(partial(head_effects, bundle, trace), one_by_one, rounds=chosen.rounds)
    print(f"{len(heads)} heads off in turn: batched {times.ours.wall * 1e3:.0f} ms, one by one "
          f"{times.peer.wall * 1e3:.0f} ms, {times.ratio.wall:.2f} times as fast (bar 5)")  # fmt: skip


if __name__ == "__main__":
    main()
