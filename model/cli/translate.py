"""``translate``: sentences from arguments or standard input, with their attention where asked."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from model.attention_files import AttentionRecord, json_bytes, npz_bytes
from model.bundle import Bundle
from model.cli.arguments import add_checkpoint, open_checkpoint, standard_input
from model.cli.output import errors, in_order, results, say
from model.decoding.beam_search import LengthNorm, LengthPenalty
from model.decoding.generation import GenerationWarning
from model.decoding.sampling import Sampling
from model.files.atomic import write_atomically
from model.inference.reading import read_text
from model.inference.translation import translate, translate_texts
from model.interpret.confidence import looped_text
from model.interventions import KINDS, HeadAblation, Interventions
from model.picture import Picture
from model.sound import Sound
from model.text.tokens import TextError
from model.trace import Trace

if TYPE_CHECKING:
    from model.cli.heatmap import MapSelection

SUMMARY = "translate sentences"
EPILOGUE = """\
examples:
  python -m model translate "I'm home."
  python -m model translate --method beam --beam-size 5 "Where are you going?"
  python -m model translate --prefix "Je" "I lost."               the translation must begin so
  python -m model translate --head-off cross:2:7 "He's calm."     without one head
  python -m model translate "He's calm." --show                   cross-attention, mean of all heads
  python -m model translate "He's calm." --show encoder_self:0:3  layer 0, head 3 (counted from 0)
  python -m model translate --attention maps.npz "He's calm."     every weight; .json too
  python -m model translate --checkpoint reader word.png           a picture of a word, dark on light
  python -m model translate < english.txt > french.txt            one sentence a line

The .npz holds encoder_self (layer, head, S, S), decoder_self (layer, head, T, T) and
cross (layer, head, T, S) as float32, and source_tokens, prefix_tokens, target_tokens.
Row t is fed prefix_tokens[t] and predicts target_tokens[t]. The app opens it too.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "text", nargs="*", help="sentences; of a model of pictures, files; without any, the lines of standard input"
    )
    add_checkpoint(parser)
    parser.add_argument("--method", choices=("greedy", "beam", "sample"), default="greedy", help="default: greedy")
    parser.add_argument("--beam-size", type=int, default=4, metavar="N", help="hypotheses kept by beam (default: 4)")
    parser.add_argument(
        "--length-penalty", type=float, default=0.6, metavar="A", help="beam: 0 favours short ones (default: 0.6)"
    )
    parser.add_argument(
        "--length-norm", choices=get_args(LengthNorm), default="gnmt", help="beam: gnmt: ((5 + n) / 6)^A; length: n^A"
    )
    parser.add_argument("--temperature", type=float, default=1.0, metavar="X", help="sample: below 1 sharpens")
    parser.add_argument("--top-k", type=int, default=0, metavar="K", help="sample: among the K best (0: all)")
    parser.add_argument("--top-p", type=float, default=1.0, metavar="P", help="sample: among the best that sum to P")
    parser.add_argument(
        "--min-p", type=float, default=0.0, metavar="P", help="sample: from P × the best probability on"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="sample: the same seed, the same words")
    parser.add_argument(
        "--generation", choices=("model",),
        help="model: choose tokens as its generation_config.json says, in place of the options above",
    )  # fmt: skip
    parser.add_argument("--max-length", type=int, metavar="N", help="tokens at most (default: twice the source + 16)")
    parser.add_argument("--prefix", default="", metavar="TEXT", help="beginning that the translation must have")
    parser.add_argument(
        "--head-off", type=parse_head, action="append", default=[], metavar="KIND:LAYER:HEAD",
        help=f"switch off a head; may be repeated; kinds: {', '.join(KINDS)}",
    )  # fmt: skip
    parser.add_argument(
        "--attention", type=attention_file, metavar="FILE.npz",
        help="write every weight (.npz or .json); several sentences become FILE.1.npz, FILE.2.npz, …",
    )  # fmt: skip
    parser.add_argument(
        "--show", nargs="?", const="cross", metavar="KIND[:LAYER[:HEAD]]",
        help="print a heatmap; what is left out is averaged (default: cross)",
    )  # fmt: skip


def attention_file(written: str) -> Path:
    """A path whose ending is one of the formats that can be written."""
    path = Path(written)
    if path.suffix not in (".npz", ".json"):
        raise argparse.ArgumentTypeError(f"“{written}”: end the name in .npz or .json")
    return path


def parse_head(written: str) -> HeadAblation:
    """KIND:LAYER:HEAD as an intervention."""
    try:
        kind, layer, index = written.split(":")
        return HeadAblation(next(k for k in KINDS if k == kind), int(layer), int(index))
    except (ValueError, StopIteration) as error:
        raise argparse.ArgumentTypeError(
            f"“{written}”: write KIND:LAYER:HEAD, such as cross:2:7; kinds: {', '.join(KINDS)}"
        ) from error


def run(chosen: argparse.Namespace) -> int:
    """Translate, print, and write or show attention where asked."""
    wanted = None
    if chosen.show is not None:
        from model.cli.heatmap import MapSelection  # imports Rich, which nothing else needs

        wanted = MapSelection.parse(chosen.show)
    bundle = open_checkpoint(chosen)
    texts: list[str] = chosen.text or standard_input()
    if not texts:
        raise TextError("there is nothing to translate: give sentences, or lines on standard input")
    if bundle.picture is not None:
        texts = [Picture.of(text).text for text in texts]
    elif bundle.grid is not None:  # a path, or the text form itself
        is_sound = bundle.grid.reads == "sound"
        texts = [Sound.of(text).text if is_sound else Picture.of(text).exact_text for text in texts]
    needs_trace = chosen.method == "sample" or chosen.attention or wanted or chosen.prefix or chosen.max_length
    with warnings.catch_warnings():
        warnings.simplefilter("once", GenerationWarning)
        warnings.showwarning = lambda message, *_, **__: errors().print(str(message), style="yellow", markup=False)
        if not needs_trace and len(texts) > 1:
            return _translate_many(bundle, texts, chosen)
        return _translate_each(bundle, texts, chosen, wanted)


def _translate_each(
    bundle: Bundle, texts: Sequence[str], chosen: argparse.Namespace, wanted: MapSelection | None
) -> int:
    """Translate one by one, with attention; a sentence that cannot be read is reported and skipped."""
    failed = 0
    for number, text in enumerate(texts, start=1):
        try:
            trace = _translate_one(bundle, text, chosen)
        except TextError as error:
            if len(texts) == 1:
                raise
            failed += _skip(number, error)
            continue
        say(trace.text)
        if trace.is_truncated:
            loop = looped_text(trace)
            why = "raise --max-length" if loop is None else f"it repeats “{loop}” again and again"
            errors().print(
                f"sentence {number} was cut at {len(trace.target)} tokens: {why}", style="yellow", markup=False
            )
        if chosen.attention:
            path: Path = chosen.attention
            record = AttentionRecord.of(trace, bundle=bundle)
            write_atomically(
                path if len(texts) == 1 else path.with_stem(f"{path.stem}.{number}"),
                json_bytes(record) if path.suffix == ".json" else npz_bytes(record),
            )
        if wanted:
            console = results()
            console.print(wanted.draw(trace, width=console.width))
    return int(failed > 0)


def _translate_one(bundle: Bundle, text: str, chosen: argparse.Namespace) -> Trace:
    names = ("temperature", "top_k", "top_p", "min_p", "seed")
    sampling = Sampling(**{name: getattr(chosen, name) for name in names})
    return translate(
        bundle, text, sampling=sampling, max_length=chosen.max_length, prefix=chosen.prefix, **_options(chosen)
    )


def _options(chosen: argparse.Namespace) -> dict[str, Any]:
    """How sentences are decoded, one at a time and in batches."""
    return {
        "method": chosen.method, "beam_size": chosen.beam_size,
        "length_penalty": LengthPenalty(chosen.length_penalty, chosen.length_norm),
        "interventions": Interventions(tuple(chosen.head_off)), "generation": chosen.generation,
    }  # fmt: skip


def _translate_many(bundle: Bundle, texts: Sequence[str], chosen: argparse.Namespace) -> int:
    """Translate in batches, without attention; a line that cannot be read stays empty and is reported."""
    failed = 0
    readable: list[int] = []
    for number, text in enumerate(texts, start=1):
        try:
            if text.strip():
                read_text(bundle, text)
                readable.append(number - 1)
        except TextError as error:
            failed += _skip(number, error)
    numbered = translate_texts(bundle, [texts[place] for place in readable], **_options(chosen))
    translations = dict(zip(readable, in_order("translating", numbered, len(readable)), strict=True))
    say("\n".join(translations.get(place, "") for place in range(len(texts))))
    return int(failed > 0)


def _skip(number: int, error: TextError) -> int:
    errors().print(f"sentence {number}: {error}", style="red", markup=False, soft_wrap=True)
    return 1
