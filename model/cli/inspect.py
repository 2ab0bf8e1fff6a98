"""``inspect``: what a checkpoint is, how it was recognised, and whether its weights are sound."""

import argparse
import json
from dataclasses import asdict
from typing import Any

from torch import Tensor

from model.bundle import Bundle
from model.checkpoints.answers.mapping import to_toml
from model.checkpoints.answers.names_read import read_names
from model.checkpoints.basis.errors import FamilyError
from model.checkpoints.doctor import configuration_of, positions_of
from model.checkpoints.formats.source import opened_folder, read_source
from model.checkpoints.loading import locate
from model.cli.arguments import add_checkpoint, open_unconfirmed
from model.cli.output import errors, results, say
from model.inference.reading import kinds_of
from model.nn.protocol import EncoderDecoder
from model.text.counting import format_count

SUMMARY = "say what a checkpoint is"
EPILOGUE = """\
examples:
  python -m model inspect                                 the shipped checkpoint
  python -m model inspect --checkpoint model.pt           any other
  python -m model inspect --tensors                       every tensor: shape, mean, deviation, what is not finite
  python -m model inspect --json                          for another program
  python -m model inspect --checkpoint mine.pt --propose > mapping.toml      a table of its names, to correct
  python -m model inspect --checkpoint mine.pt --mapping mapping.toml        opened by that table

The exit code is 1 when a weight is NaN or infinite.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_checkpoint(parser)
    parser.add_argument("--tensors", action="store_true", help="list every tensor")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--propose", action="store_true", help="print such a table, as far as names and shapes tell")


def run(chosen: argparse.Namespace) -> int:
    """Open, describe, and check that every weight is a number."""
    if chosen.propose:
        with opened_folder(locate(chosen.checkpoint)) as place:
            read = read_names(read_source(place).tensors)
            say(to_toml(read.lines, by_head=read.by_head))
        return 0
    try:
        bundle = open_unconfirmed(chosen)
    except FamilyError as error:
        if error.table:
            say(error.table)
        raise
    broken = [name for name, weight in _weights(bundle.model) if not bool(weight.isfinite().all())]
    description = describe(bundle) | {"not_finite": broken}
    if chosen.tensors:
        description["tensors"] = {name: _statistics(weight) for name, weight in _weights(bundle.model)}
    if chosen.json:
        say(json.dumps(description, indent=2, ensure_ascii=False))
    else:
        _show(description)
    if broken:
        errors().print(f"{format_count(len(broken), 'tensor')} with numbers that are not finite, such as {broken[0]}")
    return int(bool(broken))


def describe(bundle: Bundle) -> dict[str, Any]:
    """A checkpoint in words and numbers, ready for JSON."""
    config, report = bundle.config, bundle.report
    has_encoder, has_decoder = (kind in kinds_of(bundle) for kind in ("encoder_self", "decoder_self"))
    weights = dict(_weights(bundle.model))
    description: dict[str, Any] = {
        "name": bundle.name,
        "family": bundle.family,
        "recognised_by": list(report.recognised_by) if report else [],
        "assumed": {q.hint: q.value for q in report.questions if not q.is_answered} if report else {},
        "told": list(report.stated) if report else [],
        "close": {q.hint: q.tried() for q in report.close} if report else {},
        "left_to_choose": list(report.left_to_choose) if report else [],
        "not_followed": list(report.not_followed) if report else [],
        "ignored_tensors": list(report.ignored) if report else [],
        "filled_tensors": list(report.filled) if report else [],
        "languages": [bundle.source_language, bundle.target_language],
        "fingerprint": bundle.fingerprint,
        "parameters": sum(weight.numel() for weight in weights.values()),
        "megabytes": round(sum(weight.numel() * weight.element_size() for weight in weights.values()) / 1e6, 1),
        "layers": [config.n_encoder_layers * has_encoder, config.n_decoder_layers * has_decoder],
        "heads": [config.n_encoder_heads * has_encoder, config.n_decoder_heads * has_decoder],
        "d_model": config.d_model,
        "vocabulary": [config.source_vocab_size * has_encoder, config.target_vocab_size * has_decoder],
        "tokenizers": [
            type(tokenizer).__name__ if tokenizer else None
            for tokenizer in (bundle.source_tokenizer, bundle.target_tokenizer)
        ],
        "positions": positions_of(bundle),
        "picture": None if bundle.picture is None else asdict(bundle.picture),
    }
    if hasattr(config, "to_json"):
        shown = dict(configuration_of(bundle))
        description["configuration"] = {name: shown[name] for name in json.loads(config.to_json()) if name in shown}
    return description


def _weights(model: EncoderDecoder) -> list[tuple[str, Tensor]]:
    return [(name, parameter.detach()) for name, parameter in model.named_parameters()]


def _statistics(weight: Tensor) -> dict[str, Any]:
    finite = weight[weight.isfinite()].float()
    return {
        "shape": list(weight.shape),
        "mean": round(float(finite.mean()), 6) if len(finite) else None,
        "deviation": round(float(finite.std(correction=0)), 6) if len(finite) else None,
        "not_finite": weight.numel() - len(finite),
    }


def _show(description: dict[str, Any]) -> None:
    console = results()
    for name, words in _sentences(description):
        console.print(f"[dim]{name:<15}[/dim]", end="")
        console.print(words, markup=False, soft_wrap=True)
    for name, statistics in description.get("tensors", {}).items():
        shape = " × ".join(map(str, statistics["shape"]))
        line = f"{name}  {shape}  mean {statistics['mean']}  deviation {statistics['deviation']}"
        console.print(
            line + (f"  {statistics['not_finite']} not finite" if statistics["not_finite"] else ""),
            markup=False,
            soft_wrap=True,
        )
    for name in description["not_finite"]:
        console.print(f"{name} holds values that are NaN or infinite", style="red", markup=False)


def _sentences(description: dict[str, Any]) -> list[tuple[str, str]]:
    """The rows of the table; a value that both sides share is shown once."""
    languages = [language or "unknown" for language in description["languages"]]
    picture, missing = description["picture"], "none: ids are shown"
    guess = " (a guess)" if "n_heads" in description["assumed"] else ""
    if picture is not None:
        missing = f"pictures of {picture['height']} × {picture['width']} pixels in strips of {picture['strip']}"
    rows = [
        ("name", description["name"]),
        ("family", description["family"]),
        ("recognised by", ", ".join(description["recognised_by"]) or "-"),
        ("languages", " → ".join(languages)),
        ("parameters", f"{description['parameters']:,} ({description['megabytes']} MB in memory)"),
        ("layers", _by_side(description["layers"], ("encoder", "decoder"))),
        ("heads", _by_side(description["heads"], ("encoder", "decoder")) + guess),
        ("d_model", str(description["d_model"])),
        ("vocabulary", _by_side(description["vocabulary"], ("source", "target"))),
        ("tokenizers", ", ".join(name or missing for name in dict.fromkeys(description["tokenizers"]))),
        ("positions", description["positions"]),
        ("fingerprint", description["fingerprint"]),
    ]
    rows += [("told", words) for words in description["told"]]
    for hint, value in description["assumed"].items():
        rows.append(("guess", f"{hint} = {value}"))
    for hint, tried in description["close"].items():
        rows.append(("please answer", f"{hint} (--answer {hint}=…; {tried})"))
    for name, key in (("not used", "ignored_tensors"), ("filled in", "filled_tensors"),
                      ("left to choose", "left_to_choose"), ("not followed", "not_followed")):  # fmt: skip
        if description[key]:
            rows.append((name, ", ".join(description[key])))
    return rows


def _by_side(counts: list[int], sides: tuple[str, str]) -> str:
    """The counts of both sides; only that of the side that a single-stack model has."""
    return ", ".join(f"{count:,} {side}" for count, side in zip(counts, sides, strict=True) if count)
