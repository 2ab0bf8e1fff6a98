"""Models of real sizes against the ``transformers`` library, and the attention of long texts.

    python -m benchmarks.real_sizes

A seeded random model of Llama's shape with 1.1 billion parameters in bfloat16 (2.2 GB) is written tensor by tensor
into a temporary folder, then one of BERT-base's shape with 4,096 positions. Each measurement is a process of its own,
ours and the library's in turn. Opening and one forward pass of 64 tokens, ours with the attention of one layer and the
library's with its eager attention of all: processor time, the best of the rounds. Memory is the peak resident size
beyond the process's own before; mapped pages of the file count. The long text is 2,000 tokens: all heads as means over
blocks, in two threads.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch

from benchmarks.large_model import BERT, LLAMA, write

_LAYER, _N_TOKENS, _LONG, _BLOCK = 11, 64, 2000, 32
_BEGIN = """
import json, re, sys, time
import torch
torch.set_num_threads(2)
import transformers
transformers.logging.set_verbosity_error(); transformers.logging.disable_progress_bar()
from transformers import BertModel, LlamaForCausalLM
import model, model.checkpoints.families.huggingface.stacks
def resident(name):
    return int(re.search(name + r":\\s+(\\d+) kB", open("/proc/self/status").read())[1]) / 1024
def begin():
    open("/proc/self/clear_refs", "w").write("5")
    return time.process_time(), time.perf_counter(), resident("VmRSS")
def told(began, **more):
    cpu, wall, before = began
    times = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
    return {**times, "peak": resident("VmHWM") - before, **more}
folder, who = sys.argv[1:3]
"""
_OPEN_AND_RUN = f"""
began = begin()
if who == "ours":
    opened = model.load(folder)
else:
    opened = LlamaForCausalLM.from_pretrained(folder, attn_implementation="eager")
opening = told(began)
ids = list(range(3, 3 + {_N_TOKENS}))
def run():
    if who == "ours":
        return model.attend(opened, [ids], [ids], only=model.AttentionSelection(layers=({_LAYER},))).decoder_self[0, 0]
    with torch.inference_mode():
        found = opened(torch.tensor([ids]), output_attentions=True, use_cache=False)
    return found.attentions[{_LAYER}][0].float().numpy()
run()
passes = []
for _ in range(3):
    began = begin()
    weights = run()
    passes.append(told(began))
print(json.dumps({{"opening": opening, "pass": min(passes, key=lambda one: one["cpu"]),
                   "peak": resident("VmHWM"), "weights": weights.tolist()}}))
"""
_LONG_TEXT = f"""
opened = model.load(folder)
ids = [3 + i * 7919 % 30000 for i in range({_LONG})]
found = []
for _ in range(2):
    began = begin()
    maps = model.attend(opened, [ids], [[]], only=model.AttentionSelection(block={_BLOCK})).encoder_self
    found.append(told(began, shape=maps.shape, rows=float(abs(maps.sum(-1) - 1).max())))
fastest = min(found, key=lambda one: one["cpu"])
# The first pass takes memory that the second uses again.
print(json.dumps({{**fastest, "peak": max(one["peak"] for one in found)}}))
"""


def main() -> None:
    """Print sizes, times and ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="regard-sizes-") as place:
        size = write(Path(place) / "llama", LLAMA, torch.bfloat16)
        _report_llama(Path(place) / "llama", size, rounds)
        write(Path(place) / "bert", BERT, torch.float32)
        _report_long(Path(place) / "bert")


def _report_llama(folder: Path, size: int, rounds: int) -> None:
    runs = [{who: _measured(_OPEN_AND_RUN, folder, who) for who in ("ours", "theirs")} for _ in range(rounds)]
    print(f"1.1 billion parameters in bfloat16, {size / 2**20:,.0f} MiB; processor time, best of {rounds}")
    for what, bar in (("opening", 1.3), ("pass", 1.2)):
        ours, theirs = (min(run[who][what]["cpu"] for run in runs) for who in ("ours", "theirs"))
        print(f"{what}: ours {ours:.2f} s, library {theirs:.2f} s: {ours / theirs:.2f}× (bar {bar}×)")
    peak = max(run["ours"]["opening"]["peak"] for run in runs) * 2**20
    print(f"memory while opening: {peak / size:.2f}× the file (bar 1.15×)")
    ours, theirs = (torch.tensor(runs[0][who]["weights"]) for who in ("ours", "theirs"))
    print(f"attention of layer {_LAYER}: largest difference {float((ours - theirs).abs().max()):.1e} (bfloat16)")


def _report_long(folder: Path) -> None:
    found = _measured(_LONG_TEXT, folder, "ours")
    print(
        f"{_LONG:,} tokens, BERT-base's shape, {found['shape'][1]} layers of {found['shape'][2]} heads in blocks of "
        f"{_BLOCK}: {found['cpu'] / 2:.1f} s of each of two cores (wall {found['wall']:.1f} s, bar 3 s), "
        f"{found['peak']:,.0f} MiB beyond the model (bar 500), rows sum to 1 within {found['rows']:.0e}"
    )


def _measured(code: str, folder: Path, who: str) -> dict[str, Any]:
    command = [sys.executable, "-W", "ignore", "-c", _BEGIN + code, str(folder), who]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    main()
