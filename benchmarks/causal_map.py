"""How long a causal map takes, against a loop of hooked passes, and what recording adds to a pass.

    python -m benchmarks.causal_map

For each cell the loop registers a plain PyTorch hook and runs the whole model, as TransformerLens does. Every figure
is the median of several runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import torch

import model
from model.inference.log_probs import forced_pass
from model.interpret.causal import attribution_map, causal_map, read_pair

FIRST = "The little cats are sleeping on the sofa in the garden."
SECOND = "The little dogs are sleeping on the sofa in the garden."
N_RUNS = 5


def seconds(run: Callable[[], Any], n_runs: int = N_RUNS) -> float:
    """Median time of a call; a first call warms up and is not counted."""
    run()
    found = []
    for _ in range(n_runs):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return median(found)


@torch.inference_mode()
def hooked_loop(bundle: model.Bundle) -> None:
    """Run one hooked pass for each cell of the map that stands for one position of one output."""
    pair = read_pair(bundle, FIRST, SECOND)
    source, prefix = pair.second.source.ids, pair.first.prefix.ids[: pair.step + 1]
    run = bundle.model
    modules = [
        *((layer, len(source)) for layer in run.encoder.layers),
        *((part, len(source)) for layer in run.encoder.layers
          for part in (layer.self_attention.output, layer.feed_forward)),
        *((layer, len(prefix)) for layer in run.decoder.layers),
        *((part, len(prefix)) for layer in run.decoder.layers
          for part in (layer.self_attention.output, layer.cross_attention.output, layer.feed_forward)),
    ]  # fmt: skip
    for module, length in modules:
        for place in range(length):
            handle = module.register_forward_hook(lambda _m, _i, out, place=place: _patched(out, place))
            forced_pass(bundle, source, prefix)
            handle.remove()


def _patched(out: Any, place: int) -> Any:
    first = (out[0] if isinstance(out, tuple) else out).clone()
    first[:, place] = 0.0
    return (first, *out[1:]) if isinstance(out, tuple) else first


def main() -> None:
    """Print a small table."""
    bundle = model.load()
    trace = model.translate(bundle, SECOND)
    source, prefix, every = trace.source.ids, trace.prefix.ids, frozenset(model.names(bundle))
    print(f"{len(source)} source tokens, {torch.get_num_threads()} threads")
    exact = seconds(lambda: causal_map(bundle, first=FIRST, second=SECOND))
    loop = seconds(lambda: hooked_loop(bundle), 1)
    estimated = seconds(lambda: attribution_map(bundle, first=FIRST, second=SECOND))
    print(f"exact map, heads included   {exact:6.2f} s   (at most 2 s)")
    print(f"loop of hooked passes       {loop:6.2f} s   {loop / exact:.1f} times as long (at least 5)")
    print(f"attribution patching        {estimated:6.2f} s   (at most 0.3 s)")
    with torch.inference_mode():
        plain = seconds(lambda: forced_pass(bundle, source, prefix, capture=True), 30)
        recorded = seconds(lambda: forced_pass(bundle, source, prefix, capture=True, record=every), 30)
        hooked = seconds(lambda: _hooked_everywhere(bundle, source, prefix), 30)
    print(f"pass with attention         {plain * 1e3:6.1f} ms")
    print(f"… all activations recorded  {recorded * 1e3:6.1f} ms   {recorded / plain:.2f} times (at most 1.5)")
    print(f"… hooks on every module     {hooked * 1e3:6.1f} ms   {hooked / plain:.2f} times")


def _hooked_everywhere(bundle: model.Bundle, source: tuple[int, ...], prefix: tuple[int, ...]) -> None:
    kept: dict[str, Any] = {}
    handles = [
        module.register_forward_hook(lambda _m, _i, out, name=name: kept.__setitem__(name, out))
        for name, module in bundle.model.named_modules()
    ]
    forced_pass(bundle, source, prefix, capture=True)
    for handle in handles:
        handle.remove()


if __name__ == "__main__":
    main()
