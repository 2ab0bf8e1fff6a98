"""How each architecture of the ``transformers`` library opens: as our own Transformer, in its own code, or not at all.

    python -m benchmarks.architectures [name …]

Tiny seeded models, saved by ``save_pretrained`` with a tiny tokenizer, opened by ``model.load``, and compared with the
library's eager code on a padded batch, or on a picture or a sound of those that read one: the largest difference of the
attention weights and of the logits.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import transformers

import model
from model.checkpoints.basis.errors import CheckpointError
from model.nn.transformer import Transformer
from tests.checkpoints import senses
from tests.checkpoints.architectures import ARCHITECTURES, SOURCE, TARGET, differences, returned, save

_MOST = 1e-5


def main(names: list[str]) -> None:
    """Print a row for each architecture, and how many there are of each result."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    counts: Counter[str] = Counter()
    print("| architecture | result | run by | attention | logits |", "| --- | --- | --- | --- | --- |", sep="\n")
    for name in names or (*ARCHITECTURES, *senses.SENSES):
        with TemporaryDirectory() as folder:
            result, *rest = _row(name, Path(folder))
        counts[result] += 1
        print(f"| {' | '.join((name, result, *rest))} |", flush=True)
    print(*(f"{count} {result}" for result, count in counts.most_common()), f"of {counts.total()}", sep=", ")


def _row(name: str, folder: Path) -> Iterator[str]:
    sense = senses.SENSES.get(name)
    original = save(ARCHITECTURES[name], folder) if sense is None else senses.save(sense, folder)
    try:
        bundle = model.load(folder)
    except CheckpointError as error:
        yield from ("refused", str(error), "", "")
        return
    if sense is None:
        expected = returned(original, ARCHITECTURES[name])
        found = differences(model.attend(bundle, SOURCE.numpy(), TARGET.numpy()), expected)
    else:
        expected = senses.returned(original, sense, senses.made_by_the_library(folder, sense, senses.given(sense)))
        assert bundle.grid is not None
        tokens, _ = bundle.grid.tokens(senses.source(sense))
        attended = model.attend(bundle, [tokens.ids], senses.TARGET.numpy())
        found = {kind: float(np.abs(getattr(attended, kind) - theirs).max()) for kind, theirs in expected.items()}
    logits = found.pop("logits", None)
    worst = max(found.values())
    yield "equal" if max(worst, logits or 0.0) <= _MOST and np.isfinite(worst) else "different"
    yield "our Transformer" if isinstance(bundle.model, Transformer) else "the library"
    yield f"{worst:.1e}"
    yield "–" if logits is None else f"{logits:.1e}"


if __name__ == "__main__":
    main(sys.argv[1:])
