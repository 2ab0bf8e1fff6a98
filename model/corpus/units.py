"""The words that activate each hidden unit of the encoder most, over the sentences of the shipped survey.

    python -m model.corpus.units      writes units.json, units-en-de.json, units-en-zh.json in pretrained/en-fr-corpus

Geva et al. (2021, "Transformer Feed-Forward Layers Are Key-Value Memories") interpret a unit by the inputs with the
largest activation. The page without a server shows these words next to the units of a reader's sentence.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from model.bundle import Bundle
from model.checkpoints import load
from model.checkpoints.loading import PRETRAINED
from model.corpus.shipped import FOLDER, shipped_survey
from model.files.atomic import write_atomically
from model.nn.transformer import Transformer
from model.text.tokenizer import WORD_MARK
from model.text.tokens import source_tokens
from model.trace import TokenSequence

FILE = "units.json"
"""The file of the model that was surveyed."""
OTHERS = ("en-de", "en-zh")
"""Shipped models that read the same sentences."""
N_WORDS = 3
"""Number of distinct words per unit, ignoring case."""


@torch.inference_mode()
def units_of(bundle: Bundle, texts: Sequence[str]) -> dict[str, Any]:
    """The words that activate each hidden unit of each encoder layer most.

    Args:
        texts: N sentences in the source language.

    Returns:
        ``fingerprint`` of the model, ``n_sentences``, ``n_tokens``, and for each of the L ``layers`` the F units'
        largest activation (``peaks``), the share of tokens at which it is above 0 (``shares``, 0 to 1), and the words
        with the largest activation, in descending order (``words``, one space-separated text per unit).
    """
    assert isinstance(bundle.model, Transformer)
    names = [f"encoder.{layer}.feed_forward.hidden" for layer in range(bundle.config.n_encoder_layers)]
    peaks: list[dict[str, NDArray[Any]]] = [{} for _ in names]
    counts, n_tokens = np.zeros((len(names), bundle.config.d_feed_forward), np.int64), 0
    for text in texts:
        tokens = source_tokens(bundle, text)
        n_tokens += len(tokens)
        named = list(words_by_token(tokens))
        recorded = bundle.model.encode(
            torch.tensor([tokens.ids], device=bundle.device), record=frozenset(names)
        ).recorded
        for layer, name in enumerate(names):
            hidden = recorded[name][0].float().cpu().numpy()  # (S, F)
            counts[layer] += (hidden > 0).sum(0)
            for word, units in zip(named, hidden, strict=True):
                known = peaks[layer].get(word)
                peaks[layer][word] = units if known is None else np.maximum(known, units)
    return {
        "fingerprint": bundle.fingerprint,
        "n_sentences": len(texts),
        "n_tokens": n_tokens,
        "layers": [_most(peak, count / n_tokens) for peak, count in zip(peaks, counts, strict=True)],
    }


def words_by_token(tokens: TokenSequence) -> Iterator[str]:
    """For each token its whole word in lower case, or the token itself if it is special."""
    for piece, word in zip(tokens.pieces, tokens.words, strict=True):
        pieces = [other for other, at in zip(tokens.pieces, tokens.words, strict=True) if at == word]
        yield (piece if word < 0 else "".join(pieces)).replace(WORD_MARK, "").lower() or "␣"


def _most(peaks: dict[str, NDArray[Any]], shares: NDArray[Any]) -> dict[str, list[Any]]:
    names, values = list(peaks), np.stack(list(peaks.values()))  # (words, F)
    best = np.argsort(-values, axis=0, kind="stable")[:N_WORDS]  # (N_WORDS, F)
    return {
        "peaks": [round(float(peak), 2) for peak in values.max(0)],
        "shares": [round(float(share), 3) for share in shares],
        "words": [" ".join(names[row] for row in column) for column in best.T],
    }


def shipped_units() -> dict[str, Any]:
    """The shipped model's units, as ``units_of`` returns them."""
    return json.loads((FOLDER / FILE).read_text("utf-8"))


def shipped_units_of(bundle: Bundle) -> dict[str, Any] | None:
    """The units of any shipped model, as ``units_of`` returns them; None for other models."""
    for path in (FOLDER / FILE, *map(_file_of, OTHERS)):
        units = json.loads(path.read_text("utf-8"))
        if units["fingerprint"] == bundle.fingerprint:
            return units
    return None


def _file_of(name: str) -> Path:
    return FOLDER / f"units-{name}.json"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", help="one model only, and not the shipped ones")
    parser.add_argument("--out", type=Path, default=FOLDER / FILE, help="where to write its measurements")
    chosen = parser.parse_args(arguments)
    texts = shipped_survey().query("SELECT source FROM sentences ORDER BY id")["source"].tolist()
    files: dict[str | Path | None, Path] = {None: FOLDER / FILE}
    files |= {PRETRAINED / name: _file_of(name) for name in OTHERS}
    for checkpoint, path in ({chosen.checkpoint: chosen.out} if chosen.checkpoint else files).items():
        units = units_of(load(checkpoint), texts)
        write_atomically(path, json.dumps(units, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")


if __name__ == "__main__":
    main()
