"""The quality lost by rounding the page's model to 8 bits: BLEU of the 2,000 held-out sentences before and after,
and how far the attention weights of some sentences move.

    python -m benchmarks.eight_bits [--sentences 2000]

The held-out sentences, with one reference each, are those of the shipped survey; decoding is greedy. Attention is
compared on the translation of the model in 16 bits.
"""

import argparse
import copy
import dataclasses
import operator

import numpy as np
import sacrebleu
import torch
from safetensors.torch import load

import model
from benchmarks.survey import held_out
from model.bundle import Bundle
from model.interventions import KINDS
from viz.export.engine import engine_files

COMPARED = (
    "The cat is sleeping on the sofa.", "The little girl is reading a book in the garden.", "I do not know where he is."
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=2_000)
    pairs = held_out()[: parser.parse_args().sentences]
    bundle = model.load()
    coarse, translations = round_weights(bundle), []
    for translator in (bundle, coarse):
        by_place = dict(model.translate_texts(translator, [pair.source for pair in pairs]))
        translations.append([by_place[place] for place in range(len(pairs))])
    exact, eight = (sacrebleu.corpus_bleu(texts, [[pair.target for pair in pairs]]).score for texts in translations)
    sizes = [len(engine_files(bundle, precision=precision).weights) / 1e6 for precision in ("f16", "i8")]
    same = sum(map(operator.eq, *translations))
    print(f"BLEU of {len(pairs):,} sentences: {exact:.2f} in 16 bits, {eight:.2f} in 8 bits, difference "
          f"{eight - exact:+.2f} (bar 0.3); {same:,} translations are the same; {sizes[0]:.1f} MB and "
          f"{sizes[1]:.1f} MB (bar 11 MB)")  # fmt: skip
    differences = []
    for text in COMPARED:
        trace = model.translate(bundle, text)
        before, after = trace.attention, model.score(coarse, text, trace.text).attention
        differences += [np.abs(np.asarray(before.of(kind)) - np.asarray(after.of(kind))).ravel() for kind in KINDS]
    weights = np.concatenate(differences)
    print(f"attention weights of {len(COMPARED)} sentences move by at most {weights.max():.3f}, "
          f"99 % of them by less than {np.quantile(weights, 0.99):.3f}")  # fmt: skip


def round_weights(bundle: Bundle) -> Bundle:
    """The model as a browser restores it from 8 bits."""
    stored, restored = load(engine_files(bundle, precision="i8").weights), copy.deepcopy(bundle.model)
    with torch.no_grad():
        for name, parameter in restored.named_parameters():
            values = stored[name].float()
            parameter.copy_(values * stored[f"{name}.scale"][:, None] if f"{name}.scale" in stored else values)
    return dataclasses.replace(bundle, model=restored)


if __name__ == "__main__":
    main()
