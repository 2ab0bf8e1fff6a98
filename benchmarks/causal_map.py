"""How long a causal map takes, against a loop of hooked passes, and what recording adds to a pass.

    python -m benchmarks.causal_map [--rounds 5]

For each cell of the map, heads included, the loop registers a plain PyTorch hook and runs the whole model, as
TransformerLens does. Every figure is the median of several runs; the ratio is that of processor times, which other
programs on the machine change less.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import torch
from torch import nn

import model
from model.inference.teacher_forcing import teacher_forced
from model.interpret.causal import attribution_map, causal_map, read_pair

FIRST = "The little cats are sleeping on the sofa in the garden."
SECOND = "The little dogs are sleeping on the sofa in the garden."
N_RUNS = 5


def seconds(run: Callable[[], Any], n_runs: int) -> tuple[float, float]:
    """Median time and processor time of a call; a first call warms up and is not counted."""
    run()
    found = []
    for _ in range(n_runs):
        start, used = time.perf_counter(), time.process_time()
        run()
        found.append((time.perf_counter() - start, time.process_time() - used))
    wall, cpu = zip(*found, strict=True)
    return median(wall), median(cpu)


@torch.inference_mode()
def hooked_loop(bundle: model.Bundle) -> int:
    """Run one hooked pass for each cell of the map; returns the number of cells."""
    pair = read_pair(bundle, FIRST, SECOND)
    source, prefix = pair.second.source.ids, pair.first.prefix.ids[: pair.step + 1]
    run = bundle.model
    n_cells = 0
    for stack, length in ((run.encoder, len(source)), (run.decoder, len(prefix))):
        for module, is_input in _streams(stack):
            for place in range(length):
                _hooked(
                    module, _at_place(place), is_input=is_input, run=lambda: teacher_forced(bundle, [(source, prefix)])
                )
                n_cells += 1
        for attention in (part for part in stack.modules() if hasattr(part, "n_heads")):
            for head in range(attention.n_heads):
                wide = slice(head * attention.d_value, (head + 1) * attention.d_value)
                _hooked(
                    attention.output,
                    _at_width(wide),
                    is_input=True,
                    run=lambda: teacher_forced(bundle, [(source, prefix)]),
                )
                n_cells += 1
    return n_cells


def _streams(stack: Any) -> Iterator[tuple[nn.Module, bool]]:
    """Modules whose output, or whose input, the map patches position by position."""
    yield stack.layers[0], True
    for layer in stack.layers:
        yield layer, False
        yield from ((part, False) for name, part in layer.named_children() if name.endswith(("attention", "forward")))


def _hooked(module: nn.Module, change: Callable[[Any], Any], *, is_input: bool, run: Callable[[], Any]) -> None:
    if is_input:
        handle = module.register_forward_pre_hook(lambda _m, inputs: (change(inputs[0]), *inputs[1:]))
    else:
        handle = module.register_forward_hook(lambda _m, _i, output: _first_changed(output, change))
    run()
    handle.remove()


def _first_changed(output: Any, change: Callable[[Any], Any]) -> Any:
    return (change(output[0]), *output[1:]) if isinstance(output, tuple) else change(output)


def _at_place(place: int) -> Callable[[Any], Any]:
    """Replaces one position of (B, N, D)."""
    return _changing((slice(None), place))


def _at_width(wide: slice) -> Callable[[Any], Any]:
    """Replaces a part of the width of (B, N, D)."""
    return _changing((slice(None), slice(None), wide))


def _changing(where: tuple[Any, ...]) -> Callable[[Any], Any]:
    def change(x: Any) -> Any:
        patched = x.clone()
        patched[where] = 0.0
        return patched

    return change


def main() -> None:
    """Print a small table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=N_RUNS)
    rounds = parser.parse_args().rounds
    bundle = model.load()
    trace = model.translate(bundle, SECOND)
    source, prefix, every = trace.source.ids, trace.prefix.ids, frozenset(model.activation_names(bundle))
    print(f"{len(source)} source tokens, {torch.get_num_threads()} threads")
    exact, exact_cpu = seconds(lambda: causal_map(bundle, first=FIRST, second=SECOND), rounds)
    loop, loop_cpu = seconds(lambda: hooked_loop(bundle), 1)
    estimated, _ = seconds(lambda: attribution_map(bundle, first=FIRST, second=SECOND), rounds)
    cells = causal_map(bundle, first=FIRST, second=SECOND).total
    assert hooked_loop(bundle) == cells
    print(f"exact map of {cells} cells      {exact:6.2f} s   (at most 2 s)")
    print(
        f"loop of hooked passes       {loop:6.2f} s   {loop_cpu / exact_cpu:.1f} times the processor time (at least 5)"
    )
    print(f"attribution patching        {estimated:6.2f} s   (at most 0.3 s)")
    with torch.inference_mode():
        plain, _ = seconds(lambda: teacher_forced(bundle, [(source, prefix)], capture=True), 6 * rounds)
        recorded, _ = seconds(
            lambda: teacher_forced(bundle, [(source, prefix)], capture=True, record=every), 6 * rounds
        )
        hooked, _ = seconds(lambda: _hooked_everywhere(bundle, source, prefix), 6 * rounds)
    print(f"pass with attention         {plain * 1e3:6.1f} ms")
    print(f"… all activations recorded  {recorded * 1e3:6.1f} ms   {recorded / plain:.2f} times (at most 1.5)")
    print(f"… hooks on every module     {hooked * 1e3:6.1f} ms   {hooked / plain:.2f} times")


def _hooked_everywhere(bundle: model.Bundle, source: tuple[int, ...], prefix: tuple[int, ...]) -> None:
    kept: dict[str, Any] = {}
    handles = [
        module.register_forward_hook(lambda _m, _i, out, name=name: kept.__setitem__(name, out))
        for name, module in bundle.model.named_modules()
    ]
    teacher_forced(bundle, [(source, prefix)], capture=True)
    for handle in handles:
        handle.remove()


if __name__ == "__main__":
    main()
