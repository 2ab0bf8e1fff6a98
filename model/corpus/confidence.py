"""How well a model's own probabilities predict a poor translation, and the constants behind the app's warning.

    python -m model.corpus.confidence --checkpoint pretrained/en-fr \
        --calibrate en-fr.tatoeba.tsv:validation en-fr.europarl.tsv en-fr.tico19.tsv \
        --test en-fr.tatoeba.tsv:test en-fr.ntrex.tsv

A translation is poor where its chrF is under 30 against every reference; --poor gives another limit, for Chinese,
whose chrF is about half as high. The constants are fitted to the sets given with --calibrate, a logistic regression,
and written to confidence.json beside the model. A reader is warned from the probability that a tenth of the good
translations of the first of these sets exceed, which holds sentences like those that the model was trained on. The
area under the ROC curve is measured on the sets given with --test, which the fit has not seen. `:test` and
`:validation` take that part of a file; --sentences and --further limit how many are taken from each set. After
replacing the model, run this command again.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import sacrebleu
import torch
from numpy.typing import NDArray

import model
from model import Bundle
from model.analysis.agreement import ranks
from model.calibration import CONFIDENCE, Calibration, Term
from model.decoding.strategies import DecodingOptions, greedy
from model.files.atomic import write_atomically
from model.inference.trace_building import best_hypotheses
from model.interpret.confidence import evidence, log_probs_without_source
from model.text.tokens import describe_target, source_tokens, text_of
from model.training.data import read_pairs, references, split_pairs

RIDGE = 1e-2
FALSE_ALARMS = 0.1
"""False-alarm rate: the share of good translations of everyday sentences with a warning."""
BATCH = 32


def main() -> None:
    """Fit, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", default="pretrained/en-fr", help="a checkpoint's folder")
    parser.add_argument("--calibrate", nargs="+", required=True, metavar="TSV")
    parser.add_argument("--test", nargs="+", required=True, metavar="TSV")
    parser.add_argument("--poor", type=float, default=30.0, metavar="CHRF", help="a lower chrF is poor (default: 30)")
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="VALUE", help="values that are not weighed")
    parser.add_argument("--sentences", type=int, default=1000, metavar="N", help="of each set (default: 1000)")
    parser.add_argument("--further", type=int, default=500, metavar="N", help="of a set to fit on after the first")
    chosen = parser.parse_args()
    bundle = model.load(chosen.checkpoint)
    first, *others = chosen.calibrate
    everyday, is_poor = _collect(bundle, [first], chosen.sentences, chosen.poor)
    further, further_poor = _collect(bundle, others, chosen.further, chosen.poor)
    values = [{name: x for name, x in row.items() if name not in chosen.leave_out} for row in (*everyday, *further)]
    calibration = fit(values, np.concatenate((is_poor, further_poor)), fingerprint=bundle.fingerprint)
    calibration = replace(calibration, threshold=threshold(calibration, everyday, is_poor))
    tested, tested_poor = _collect(bundle, chosen.test, chosen.sentences, chosen.poor)
    calibration = replace(calibration, measured=_measure(calibration, tested, tested_poor, chosen))
    write_atomically(Path(chosen.checkpoint) / CONFIDENCE, calibration.to_json().encode())
    print(calibration.to_json())
    for name in tested[0]:
        area = auc(np.array([row[name] for row in tested]), tested_poor)
        print(f"{name:>16}  AUC alone {max(area, 1 - area):.3f}")


def fit(values: Sequence[dict[str, float]], poor: NDArray[np.bool_], *, fingerprint: str) -> Calibration:
    """Logistic regression with a small ridge penalty, by Newton's method; both classes have the same total weight."""
    names = list(values[0])
    raw = np.array([[row[name] for name in names] for row in values])
    centre, scale = raw.mean(0), raw.std(0) + 1e-9
    x = np.column_stack((np.ones(len(raw)), (raw - centre) / scale))
    share = poor.mean()
    weight = np.where(poor, 0.5 / share, 0.5 / (1 - share)) / len(poor)
    beta = np.zeros(x.shape[1])
    penalty = RIDGE * np.eye(x.shape[1])
    penalty[0, 0] = 0.0
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ beta))
        gradient = x.T @ (weight * (p - poor)) + penalty @ beta
        curvature = (x * (weight * p * (1 - p))[:, None]).T @ x + penalty
        beta -= np.linalg.solve(curvature, gradient)
    terms = {n: Term(float(c), float(s), float(b)) for n, c, s, b in zip(names, centre, scale, beta[1:], strict=True)}
    return Calibration(fingerprint, float(beta[0]), terms, 0.5, {})


def threshold(calibration: Calibration, values: Sequence[dict[str, float]], poor: NDArray[np.bool_]) -> float:
    """The probability that a tenth of the good translations exceed, to two digits."""
    good = [calibration.probability(row) for row, is_poor in zip(values, poor, strict=True) if not is_poor]
    return round(float(np.quantile(good, 1 - FALSE_ALARMS)), 2) if good else 0.5


def auc(scores: NDArray[np.floating], is_positive: NDArray[np.bool_]) -> float:
    """Probability that a positive scores higher than a negative, ties counting half (Hanley & McNeil 1982)."""
    n = int(is_positive.sum())
    return float((ranks(scores)[is_positive].sum() - n * (n + 1) / 2) / (n * (len(scores) - n)))


def _measure(
    calibration: Calibration, values: Sequence[dict[str, float]], poor: NDArray[np.bool_], chosen: argparse.Namespace
) -> dict[str, object]:
    p = np.array([calibration.probability(row) for row in values])
    warned = p > calibration.threshold
    return {
        "auc": round(auc(p, poor), 3),
        "sentences": len(poor),
        "poor": int(poor.sum()),
        "poor_and_warned": int((warned & poor).sum()),
        "good_and_warned": int((warned & ~poor).sum()),
        "poor_means": f"chrF under {chosen.poor:g} against every reference",
        "calibrated_on": [Path(name).name for name in chosen.calibrate],
        "tested_on": [Path(name).name for name in chosen.test],
    }


def _collect(
    bundle: Bundle, names: Sequence[str], n_sentences: int, limit: float
) -> tuple[list[dict[str, float]], NDArray[np.bool_]]:
    values, poor = [], []
    for name in names:
        path, _, part = name.partition(":")
        grouped = references(getattr(split_pairs(read_pairs(path)), part) if part else read_pairs(path))
        texts = list(grouped)[:: max(1, len(grouped) // n_sentences)][:n_sentences]  # spread over the set
        for index, translation, features in _translate_with_features(bundle, texts):
            chrf = max(sacrebleu.sentence_chrf(translation, [reference]).score for reference in grouped[texts[index]])
            values.append(features)
            poor.append(chrf < limit)
    return values, np.array(poor, bool)


def _translate_with_features(bundle: Bundle, texts: Sequence[str]) -> Iterator[tuple[int, str, dict[str, float]]]:
    """Greedy translations with the features that predict their quality, in batches of similar length."""
    config = bundle.config
    sources = [source_tokens(bundle, text) for text in texts]
    order = sorted(range(len(texts)), key=lambda i: -len(sources[i]))
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        longest = len(sources[rows[0]])
        padded = [[*sources[i].ids, *[config.source_pad_id] * (longest - len(sources[i]))] for i in rows]
        options = DecodingOptions(max_length=2 * longest + 16, n_candidates=1, capture=False, stop_loops=True)
        finished = best_hypotheses(list(greedy(bundle.model, torch.tensor(padded), options)), len(rows))
        for i, hypothesis in zip(rows, finished, strict=True):
            without = log_probs_without_source(bundle, hypothesis.ids)
            target = describe_target(bundle, hypothesis.ids)
            seen = evidence(sources[i], target, hypothesis.log_probs, without)
            yield i, text_of(bundle, hypothesis.ids), seen


if __name__ == "__main__":
    main()
