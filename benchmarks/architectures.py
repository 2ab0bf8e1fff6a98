"""How each architecture of the ``transformers`` library opens: as our own Transformer, in its own code, or not at all.

    python -m benchmarks.architectures [name …]
    python -m benchmarks.architectures --switches 6 [name …]

Tiny seeded models, saved by ``save_pretrained`` with a tiny tokenizer, opened by ``model.load``, and compared with the
library's eager code on a padded batch, or on a picture or a sound of those that read one: the largest difference of the
attention weights and of the logits. With --switches, so many configurations of each are drawn: ties, grouped heads,
scaled rotary positions, windows, parallel blocks, ALiBi, caps, norms, biases, activations and depths; the largest
difference of all is printed. Ends with status 1 where a number differs by more than 1e-5.
"""

import argparse
import itertools
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import transformers

import model
from model.checkpoints.basis.errors import CheckpointError
from model.nn.transformer import Transformer
from tests.checkpoints import senses, switches
from tests.checkpoints.architectures import ARCHITECTURES, SHOWN, SOURCE, TARGET, differences, run_original, save

_BAR = 1e-5
Result = tuple[str, dict[str, float]]
"""What runs a model, and the largest difference of each kind; none where the library did not build it."""


def main() -> int:
    """Print a row for each model, and how many there are of each result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="architectures, all by default")
    parser.add_argument("--switches", type=int, metavar="N", help="configurations to draw of each")
    chosen = parser.parse_args()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    counts: Counter[str] = Counter()
    print("| architecture | result | run by | attention | logits |", "| --- | --- | --- | --- | --- |", sep="\n")
    every = SHOWN if chosen.switches else (*ARCHITECTURES, *senses.SENSES)
    for name, seed in itertools.product(chosen.names or every, range(chosen.switches or 1)):
        with TemporaryDirectory() as folder:
            try:
                if chosen.switches:
                    difference = switches.largest_difference(name, seed, Path(folder))
                    by, gaps = "", {} if difference is None else {"attention": difference}
                else:
                    by, gaps = _open(name, Path(folder))
                # "different" also where a difference is no number
                is_equal = max(gaps.values(), default=0.0) <= _BAR
                result = ("equal" if is_equal else "different") if gaps else "not built by the library"
            except CheckpointError as error:
                result, by, gaps = "refused", str(error), {}
        counts[result] += 1
        logits = gaps.pop("logits", None)
        cells = (f"{max(gaps.values()):.1e}" if gaps else "–", "–" if logits is None else f"{logits:.1e}")
        label = f"{name}, seed {seed}" if chosen.switches else name
        print(f"| {' | '.join((label, result, by, *cells))} |", flush=True)
    print(*(f"{count} {result}" for result, count in counts.most_common()), f"of {counts.total()}", sep=", ")
    return int(counts["different"] > 0 or bool(chosen.switches and counts["refused"]))


def _open(name: str, folder: Path) -> Result:
    sense = senses.SENSES.get(name)
    original = save(ARCHITECTURES[name], folder) if sense is None else senses.save(sense, folder)
    bundle = model.load(folder)
    if sense is None:
        expected = run_original(original, ARCHITECTURES[name])
        gaps = differences(model.attend(bundle, SOURCE.numpy(), TARGET.numpy()), expected)
    else:
        expected = senses.run_original(
            original, sense, senses.made_by_the_library(folder, sense, senses.raw_input(sense))
        )
        assert bundle.grid is not None
        tokens, _ = bundle.grid.tokens(senses.source(sense))
        attended = model.attend(bundle, [tokens.ids], senses.TARGET.numpy())
        gaps = {kind: float(np.abs(getattr(attended, kind) - array).max()) for kind, array in expected.items()}
    return "our Transformer" if isinstance(bundle.model, Transformer) else "the library", gaps


if __name__ == "__main__":
    sys.exit(main())
