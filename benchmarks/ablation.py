"""The time of a "what if": every head switched off in turn, in batches and one by one, and one change to one sentence.

    python -m benchmarks.ablation [--checkpoint pretrained/en-fr]

Bar: batched 5 times as fast as a loop of single runs.
"""

from __future__ import annotations

import statistics

import model
from benchmarks.timing import arguments, clock, compare, conditions
from model.interpret.ablation import head_effects, without_head
from model.interpret.what_if import what_if
from model.interventions import NONE, AttentionKind, HeadAblation, Interventions, attention_shapes

SENTENCE = "The old man who lives next door has two very black dogs."


def main() -> None:
    """Print both figures."""
    parser = arguments(__doc__)
    parser.add_argument("--checkpoint", help="a checkpoint; the shipped one by default")
    parser.set_defaults(rounds=5)
    chosen = parser.parse_args()
    ticks, bundle = clock(chosen), model.load(chosen.checkpoint)
    trace = model.translate(bundle, SENTENCE)
    heads: list[tuple[AttentionKind, int, int]] = [
        (kind, layer, head)
        for kind, (layers, count) in attention_shapes(bundle.config).items()
        for layer in range(layers)
        for head in range(count)
    ]

    def one_by_one() -> list:
        return [model.score(bundle, SENTENCE, trace.text, interventions=without_head(NONE, *head)) for head in heads]

    found = compare(lambda: head_effects(bundle, trace), one_by_one, rounds=chosen.rounds, clock=ticks)
    print(f"{bundle.name}: {len(trace.source)} source and {len(trace.target)} target tokens, {len(heads)} heads, "
          f"{conditions(chosen)}")  # fmt: skip
    print(f"all heads off in turn: batched {found.ours * 1e3:.0f} ms, one by one {found.peer * 1e3:.0f} ms, "
          f"{1 / found.ratio:.2f} times as fast (bar 5)")  # fmt: skip
    seconds = []
    for _, layer, head in heads[-32:]:
        started = ticks()
        what_if(
            bundle, SENTENCE, interventions=Interventions(heads_off=(HeadAblation("cross", layer, head),)), before=trace
        )
        seconds.append(ticks() - started)
    print(f"one head off, new translation and the old one's cost: median {statistics.median(seconds) * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
