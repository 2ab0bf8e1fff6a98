"""How long a sweep takes: 12 positions at 8 sites of 50 pairs on the shipped model, on one core.

    python -m benchmarks.sweep [--pairs 10]

Beside it the same cells by a loop of nnsight, a trace for each, where it is installed, and by a loop of PyTorch hooks,
a whole pass for each. The loops are timed on a part of the pairs, and their numbers are compared with the sweep's.
Reading the pairs is in the sweep's time and not in theirs. nnsight goes into a folder of its own, so that it brings no
other PyTorch:

    pip install --no-deps --target peers nnsight greenlet cloudpickle websocket-client zstandard httpx httpcore h11
    PYTHONPATH=peers python -m benchmarks.sweep
"""

from __future__ import annotations

import argparse
import importlib.util
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

import model
from model.interpret.causal import read_pair
from model.interpret.tracing.pair_reading import PairReading
from model.trace import Floats

SUBJECTS = ("old woman", "young lady", "little girl", "tall actress", "kind nurse")
RIVALS = ("old man", "young man", "little boy", "tall actor", "kind waiter")
RESTS = ("is very tired", "was happy", "is not ready", "has gone home", "is at home now", "looks sad", "came back late",
         "is my friend", "was very kind", "is alone today")  # fmt: skip
SITES = ("encoder.*.residual.after", "decoder.*.residual.after")
PAIRS = [(f"The {one} {rest} because of the rain.", f"The {other} {rest} because of the rain.")
         for one, other in zip(SUBJECTS, RIVALS, strict=True) for rest in RESTS]  # fmt: skip
N_POSITIONS = 12
Sides = tuple[tuple[Tensor, Tensor], ...]
"""What the encoder reads and what the decoder is fed, (1, S) and (1, T), of the first sentence and of the second."""
Loop = Callable[[model.Bundle, PairReading, Sides, tuple[str, ...]], Floats]


def by_hooks(bundle: model.Bundle, read: PairReading, sides: Sides, sites: tuple[str, ...]) -> Floats:
    """The effects (sites, positions) of one pair by a pass with a hook for each cell."""
    modules: list[Any] = [bundle.model.get_submodule(".".join(_layer(site))) for site in sites]
    kept: dict[int, Tensor] = {}

    def keep(index: int) -> Callable[..., None]:
        return lambda _module, _given, out: kept.__setitem__(index, out[0].clone())

    handles = [module.register_forward_hook(keep(index)) for index, module in enumerate(modules)]
    _margin(bundle.model(*sides[0]).logits, read)
    for handle in handles:
        handle.remove()
    base, found = _margin(bundle.model(*sides[1]).logits, read), np.full((len(sites), N_POSITIONS), np.nan, np.float32)
    for index, (site, module) in enumerate(zip(sites, modules, strict=True)):
        for place, there in _places(read, site):

            def put(_module, _given, out, index=index, place=place, there=there):  # type: ignore[no-untyped-def]
                changed = out[0].clone()
                changed[:, place] = kept[index][:, there]
                return (changed, *out[1:])

            handle = module.register_forward_hook(put)
            found[index, place] = _margin(bundle.model(*sides[1]).logits, read) - base
            handle.remove()
    return found


def by_nnsight(bundle: model.Bundle, read: PairReading, sides: Sides, sites: tuple[str, ...]) -> Floats:
    """The same by a trace of nnsight for each cell."""
    from nnsight import NNsight, save  # type: ignore[import-not-found]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # modules of ours that have its own names have others in it
        net: Any = NNsight(bundle.model)
    layers = [getattr(net, stack).layers[int(layer)] for stack, _, layer in map(_layer, sites)]
    with net.trace(*sides[0]):
        kept = save([layer.output[0].clone() for layer in layers])
    with net.trace(*sides[1]):
        plain = net.output.logits.save()
    base, found = _margin(plain, read), np.full((len(sites), N_POSITIONS), np.nan, np.float32)
    for index, (site, layer) in enumerate(zip(sites, layers, strict=True)):
        for place, there in _places(read, site):
            with net.trace(*sides[1]):
                layer.output[0][:, place] = kept[index][:, there]
                logits = net.output.logits.save()
            found[index, place] = _margin(logits, read) - base
    return found


def _layer(site: str) -> tuple[str, str, str]:
    """The path of the layer whose output an activation such as encoder.2.residual.after is."""
    stack, layer = site.split(".")[:2]
    return stack, "layers", layer


def _places(read: PairReading, site: str) -> list[tuple[int, int]]:
    return [places for places in read.places(site.partition(".")[0]) if places[0] < N_POSITIONS]


def _margin(logits: Tensor, read: PairReading) -> float:
    return float(logits[0, -1, read.word_id] - logits[0, -1, read.rival_id])


@torch.inference_mode()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10, metavar="N", help="pairs that the loops are timed on")
    n_looped = parser.parse_args().pairs
    torch.set_num_threads(1)
    bundle = model.load()
    model.sweep(bundle, PAIRS[:1], sites=SITES, positions=range(N_POSITIONS))
    began = time.process_time()
    found = model.sweep(bundle, PAIRS, sites=SITES, positions=range(N_POSITIONS))
    seconds = time.process_time() - began
    print(f"{found.effects.shape} cells, {int(np.isfinite(found.effects).sum())} computed: {seconds:.1f} s", flush=True)
    loops: dict[str, Loop] = {"hooks": by_hooks}
    if importlib.util.find_spec("nnsight") is None:
        print("nnsight is not installed: the docstring of benchmarks/sweep.py says how to install it")
    else:
        loops = {"nnsight": by_nnsight, **loops}
    chosen = range(0, len(PAIRS), max(1, len(PAIRS) // n_looped))
    for name, loop in loops.items():
        spent, apart = 0.0, 0.0
        for index in chosen:
            read = read_pair(bundle, *PAIRS[index])
            sides = tuple((torch.tensor([source]), torch.tensor([prefix])) for source, prefix in read.fed)
            began = time.process_time()
            effects = loop(bundle, read, sides, found.sites)
            spent += time.process_time() - began
            if not (np.isfinite(effects) == np.isfinite(found.effects[index])).all():
                raise SystemExit("the loop has computed other cells than the sweep")
            apart = max(apart, float(np.nanmax(np.abs(effects - found.effects[index]))))
        whole = spent * len(PAIRS) / len(chosen)
        print(f"a loop of {name}: {whole:.1f} s ({spent:.1f} s of {len(chosen)} pairs), {whole / seconds:.1f} times as "
              f"long; largest difference {apart:.1e} nats", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
