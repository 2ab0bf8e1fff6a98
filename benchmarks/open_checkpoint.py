"""Time and peak memory to open a folder of Marian's size, compared with ``transformers.from_pretrained`` on it.

    python benchmarks/open_checkpoint.py

The weights are random: 512 wide, 6+6 layers, 58,101 pieces, about 300 MB. The two take turns, each time in a new
process that has done its imports; the best time of five counts. Memory is the process's peak resident size minus its
size before opening.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 5
_MEASURE = """
import json, re, sys, time
import torch
torch.set_num_threads(1)
import transformers
transformers.logging.set_verbosity_error(); transformers.logging.disable_progress_bar()
from transformers import MarianMTModel
import model, model.checkpoints.families.huggingface.adapter
def resident(name):
    return int(re.search(name + r":\\s+(\\d+) kB", open("/proc/self/status").read())[1]) / 1024
before = resident("VmRSS")
open("/proc/self/clear_refs", "w").write("5")
began = time.perf_counter()
if sys.argv[1] == "ours":
    opened = model.load(sys.argv[2])
else:
    opened = MarianMTModel.from_pretrained(sys.argv[2], attn_implementation="eager")
seconds = time.perf_counter() - began
print(json.dumps({"seconds": seconds, "peak_mb": resident("VmHWM") - before}))
"""


def main() -> None:
    """Print both, and the ratios."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "marian"
        size = _make(folder)
        found: dict[str, list[dict[str, float]]] = {"ours": [], "transformers": []}
        for _ in range(ROUNDS):
            for who, runs in found.items():
                runs.append(_measure(who, folder))
    best = {who: min(run["seconds"] for run in runs) for who, runs in found.items()}
    peak = {who: max(run["peak_mb"] for run in runs) for who, runs in found.items()}
    print(f"file {size:.0f} MB")
    for who in found:
        print(f"{who:13} {best[who]:6.2f} s   peak {peak[who]:6.0f} MB")
    print(f"time: {best['ours'] / best['transformers']:.2f} × transformers (at most 1.3)")
    print(f"peak memory: {peak['ours'] / size:.2f} × the file (at most 1.5)")


def _make(folder: Path) -> float:
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    config = transformers.MarianConfig(
        vocab_size=58_101, d_model=512, encoder_layers=6, decoder_layers=6, encoder_attention_heads=8,
        decoder_attention_heads=8, encoder_ffn_dim=2048, decoder_ffn_dim=2048, pad_token_id=58_100, eos_token_id=0,
        decoder_start_token_id=58_100, forced_eos_token_id=0, max_position_embeddings=512,
    )  # fmt: skip
    transformers.MarianMTModel(config).save_pretrained(folder)
    return (folder / "model.safetensors").stat().st_size / 2**20


def _measure(who: str, folder: Path) -> dict[str, float]:
    command = [sys.executable, "-W", "ignore", "-c", _MEASURE, who, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    main()
