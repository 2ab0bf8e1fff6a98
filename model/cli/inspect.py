"""``inspect``: what a checkpoint is, how it was recognised, and whether its weights are sound."""

from __future__ import annotations

import argparse
import json
from typing import Any

from torch import Tensor, nn

from model.bundle import Bundle
from model.cli.arguments import add_checkpoint, add_command, opened
from model.cli.output import results, say

EPILOGUE = """\
examples:
  python -m model inspect                                 the shipped checkpoint
  python -m model inspect --checkpoint model.pt           any other
  python -m model inspect --tensors                       every tensor: shape, mean, deviation, what is not finite
  python -m model inspect --json                          for another program

The exit code is 1 when a weight is NaN or infinite.
"""


def add_to(commands: object) -> None:
    """Describe the command."""
    parser = add_command(commands, "inspect", run, summary="say what a checkpoint is", epilogue=EPILOGUE)
    add_checkpoint(parser)
    parser.add_argument("--tensors", action="store_true", help="list every tensor")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(chosen: argparse.Namespace) -> int:
    """Open, describe, and check that every weight is a number."""
    bundle = opened(chosen)
    broken = [name for name, weight in _weights(bundle.model) if not bool(weight.isfinite().all())]
    described = describe(bundle) | {"not_finite": broken}
    if chosen.tensors:
        described["tensors"] = {name: _statistics(weight) for name, weight in _weights(bundle.model)}
    if chosen.json:
        say(json.dumps(described, indent=2, ensure_ascii=False))
    else:
        _show(described)
    return int(bool(broken))


def describe(bundle: Bundle) -> dict[str, Any]:
    """A checkpoint in words and numbers, ready for JSON."""
    config, report = bundle.config, bundle.report
    weights = dict(_weights(bundle.model))
    described: dict[str, Any] = {
        "name": bundle.name,
        "family": bundle.family,
        "recognised_by": list(report.recognised_by) if report else [],
        "assumed": {q.hint: q.value for q in report.questions if not q.is_answered} if report else {},
        "ignored_tensors": list(report.ignored) if report else [],
        "filled_tensors": list(report.filled) if report else [],
        "languages": [bundle.source_language, bundle.target_language],
        "fingerprint": bundle.fingerprint,
        "parameters": sum(weight.numel() for weight in weights.values()),
        "megabytes": round(sum(weight.numel() * weight.element_size() for weight in weights.values()) / 1e6, 1),
        "layers": [config.n_encoder_layers, config.n_decoder_layers],
        "heads": [config.n_encoder_heads, config.n_decoder_heads],
        "d_model": config.d_model,
        "vocabulary": [config.source_vocab_size, config.target_vocab_size],
        "tokenizers": [
            type(tokenizer).__name__ if tokenizer else None
            for tokenizer in (bundle.source_tokenizer, bundle.target_tokenizer)
        ],
        "positions": config.positions,
    }
    if hasattr(config, "to_json"):
        described["configuration"] = json.loads(config.to_json())
    return described


def _weights(model: nn.Module) -> list[tuple[str, Tensor]]:
    return [(name, parameter.detach()) for name, parameter in model.named_parameters()]


def _statistics(weight: Tensor) -> dict[str, Any]:
    finite = weight[weight.isfinite()].float()
    return {
        "shape": list(weight.shape),
        "mean": round(float(finite.mean()), 6) if len(finite) else None,
        "deviation": round(float(finite.std(correction=0)), 6) if len(finite) else None,
        "not_finite": weight.numel() - len(finite),
    }


def _show(described: dict[str, Any]) -> None:
    console = results()
    for name, words in _sentences(described):
        console.print(f"[dim]{name:<15}[/dim]", end="")
        console.print(words, markup=False, soft_wrap=True)
    for name, found in described.get("tensors", {}).items():
        shape = " × ".join(map(str, found["shape"]))
        line = f"{name}  {shape}  mean {found['mean']}  deviation {found['deviation']}"
        console.print(
            line + (f"  {found['not_finite']} not finite" if found["not_finite"] else ""), markup=False, soft_wrap=True
        )
    for name in described["not_finite"]:
        console.print(f"{name} holds values that are NaN or infinite", style="red", markup=False)


def _sentences(described: dict[str, Any]) -> list[tuple[str, str]]:
    """The rows of the table; a value that both sides share is shown once."""
    languages = [language or "unknown" for language in described["languages"]]
    rows = [
        ("name", described["name"]),
        ("family", described["family"]),
        ("recognised by", ", ".join(described["recognised_by"]) or "-"),
        ("languages", " → ".join(languages)),
        ("parameters", f"{described['parameters']:,} ({described['megabytes']} MB in memory)"),
        ("layers", "{} encoder, {} decoder".format(*described["layers"])),
        ("heads", "{} encoder, {} decoder".format(*described["heads"])),
        ("d_model", str(described["d_model"])),
        ("vocabulary", "{:,} source, {:,} target".format(*described["vocabulary"])),
        ("tokenizers", ", ".join(name or "none: ids are shown" for name in dict.fromkeys(described["tokenizers"]))),
        ("positions", described["positions"]),
        ("fingerprint", described["fingerprint"]),
    ]
    for hint, value in described["assumed"].items():
        rows.append(("assumed", f"{hint} = {value}"))
    for name, key in (("not used", "ignored_tensors"), ("filled in", "filled_tensors")):
        if described[key]:
            rows.append((name, ", ".join(described[key])))
    return rows
