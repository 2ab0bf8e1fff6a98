"""How long a sweep takes: 12 positions at 8 sites of 50 pairs on the shipped model, on one core.

    python -m benchmarks.sweep

Beside it the same cells by a loop of PyTorch hooks, a whole pass for each, which is what a loop of nnsight's traces
runs (its own overhead, of building a graph for each trace, is not in it). The loop is timed on a part of the pairs, and
its numbers are compared with the sweep's.
"""

from __future__ import annotations

import time

import numpy as np
import torch

import model
from model.interpret.causal import read_pair
from model.trace import Floats

SUBJECTS = ("old woman", "young lady", "little girl", "tall actress", "kind nurse")
RIVALS = ("old man", "young man", "little boy", "tall actor", "kind waiter")
RESTS = ("is very tired", "was happy", "is not ready", "has gone home", "is at home now", "looks sad", "came back late",
         "is my friend", "was very kind", "is alone today")  # fmt: skip
SITES = ("encoder.*.residual.after", "decoder.*.residual.after")
PAIRS = [(f"The {one} {rest} because of the rain.", f"The {other} {rest} because of the rain.")
         for one, other in zip(SUBJECTS, RIVALS, strict=True) for rest in RESTS]  # fmt: skip
N_POSITIONS, N_LOOPED = 12, 10


def looped(bundle: model.Bundle, pair: tuple[str, str], sites: tuple[str, ...]) -> tuple[Floats, float]:
    """The effects (sites, positions) of one pair by a pass with a hook for each cell, and the seconds that it took."""
    read = read_pair(bundle, *pair)
    sides = [[torch.tensor([ids]) for ids in fed] for fed in read.fed]
    modules = [bundle.model.get_submodule(site.split(".")[0]).layers[int(site.split(".")[1])] for site in sites]  # type: ignore[index]
    kept: dict[int, torch.Tensor] = {}

    def keep(index: int) -> object:
        return lambda _module, _given, out: kept.__setitem__(index, out[0].clone())

    def margin(source: torch.Tensor, prefix: torch.Tensor) -> float:
        logits = bundle.model(source, prefix).logits[0, -1]
        return float(logits[read.word_id] - logits[read.rival_id])

    found = np.full((len(sites), N_POSITIONS), np.nan, np.float32)
    with torch.inference_mode():
        began = time.process_time()
        handles = [module.register_forward_hook(keep(index)) for index, module in enumerate(modules)]  # type: ignore[arg-type]
        margin(*sides[0])
        for handle in handles:
            handle.remove()
        base = margin(*sides[1])
        for index, (site, module) in enumerate(zip(sites, modules, strict=True)):
            for place, there in read.places(site.split(".")[0]):
                if place >= N_POSITIONS:
                    continue

                def put(_module, _given, out, index=index, place=place, there=there):  # type: ignore[no-untyped-def]
                    changed = out[0].clone()
                    changed[:, place] = kept[index][:, there]
                    return (changed, *out[1:])

                handle = module.register_forward_hook(put)
                found[index, place] = margin(*sides[1]) - base
                handle.remove()
        return found, time.process_time() - began


def main() -> None:
    torch.set_num_threads(1)
    bundle = model.load()
    model.sweep(bundle, PAIRS[:1], sites=SITES, positions=range(N_POSITIONS))
    began = time.process_time()
    found = model.sweep(bundle, PAIRS, sites=SITES, positions=range(N_POSITIONS))
    seconds = time.process_time() - began
    print(f"{found.effects.shape} cells, {int(np.isfinite(found.effects).sum())} computed: {seconds:.1f} s", flush=True)
    chosen = PAIRS[:: len(PAIRS) // N_LOOPED]
    effects, times = zip(*(looped(bundle, pair, found.sites) for pair in chosen), strict=True)
    apart = np.nanmax(np.abs(np.stack(effects) - found.effects[:: len(PAIRS) // N_LOOPED]))
    whole = sum(times) * len(PAIRS) / len(chosen)
    print(f"a loop of hooks: {whole:.1f} s ({sum(times):.1f} s of {len(chosen)} pairs), {whole / seconds:.1f} times as "
          f"long; largest difference {apart:.1e} nats")  # fmt: skip


if __name__ == "__main__":
    main()
