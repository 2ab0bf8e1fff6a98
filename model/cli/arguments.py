"""Arguments that several commands share, and the texts that they read."""

import argparse
import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

from model.checkpoints import Bundle, load
from model.checkpoints.basis.errors import AnswerWarning, HintError
from model.text.tokens import TextError

PROGRAM_VARIABLE = "REGARD_PROGRAM"
"""Set by the installed command, so that help and examples say what the reader types."""
_IN_A_CLONE = "python -m model"


def program() -> str:
    """The program's name as the user typed it."""
    return os.environ.get(PROGRAM_VARIABLE, _IN_A_CLONE)


def as_typed(examples: str) -> str:
    """Examples as a user types them in this installation."""
    return examples.replace(_IN_A_CLONE, program())


def add_checkpoint(parser: argparse.ArgumentParser) -> None:
    """--checkpoint and --device."""
    parser.add_argument(
        "--checkpoint", metavar="PATH", help="a checkpoint's folder or file, or a shipped name (default: en-fr)"
    )
    add_answers(parser)


def add_answers(parser: argparse.ArgumentParser) -> None:
    """Add the options that answer what a checkpoint's file does not say, and --device."""
    parser.add_argument("--heads", type=int, metavar="N", help="attention heads a layer, where the file does not say")
    description = "what the file does not say, such as norm_first=false; may be given several times"
    parser.add_argument("--answer", action="append", default=[], metavar="NAME=VALUE", help=description)
    parser.add_argument("--confirm", action="store_true", help="take the likely answers to all that it does not say")
    parser.add_argument("--mapping", metavar="FILE", help="a table of the tensors' names, for code of one's own")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:1 (default: auto)")


def open_checkpoint(chosen: argparse.Namespace) -> Bundle:
    """The checkpoint that the arguments name, on the device that they name.

    Raises:
        HintError: when its file leaves a setting open of which several values fit nearly as well.
        CheckpointError: when it cannot be opened.
        DeviceError: when the device is absent.
    """
    bundle = open_unconfirmed(chosen)
    if bundle.report is not None and bundle.report.close and not chosen.confirm:
        answers = " ".join(
            f"--answer {question.hint}={_format_value(question.value)}" for question in bundle.report.close
        )
        raise HintError(
            f"{Path(chosen.checkpoint).name} needs an answer first: {bundle.report.asking()}. The likely ones are "
            f"{answers}; --confirm takes these. Give --heads or --answer with others, or --mapping with a table that "
            "says them"
        )
    return bundle


def open_unconfirmed(chosen: argparse.Namespace) -> Bundle:
    """The same checkpoint, also where a setting is still open; raises as ``load``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AnswerWarning)
        hints = _answers(chosen.answer) | ({} if chosen.heads is None else {"n_heads": chosen.heads})
        return load(chosen.checkpoint, device=chosen.device, mapping=chosen.mapping, **hints)


def _answers(arguments: list[str]) -> dict[str, Any]:
    """Answers as the command line has them: ``norm_first=false`` is False, ``n_heads=4`` a number.

    Raises:
        HintError: for one that is not NAME=VALUE.
    """
    answers = {}
    for text in arguments:
        name, sign, value = text.partition("=")
        if not sign or not name.isidentifier():
            raise HintError(f"--answer {text[:60]} must be NAME=VALUE, such as norm_first=false")
        try:
            answers[name] = json.loads(value.lower() if value.lower() in ("true", "false") else value)
        except ValueError:
            answers[name] = value
    return answers


def _format_value(value: object) -> str:
    """A value as ``--answer`` takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def standard_input() -> list[str]:
    """Lines of standard input, which must be UTF-8.

    Raises:
        TextError: when it is not.
    """
    return read_lines(sys.stdin.buffer.read(), "standard input")


def read_lines(content: bytes, where: str) -> list[str]:
    """Lines of UTF-8 text; a last line without a line break counts."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise TextError(f"{where} line {line} is not UTF-8: save it as UTF-8") from error
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines
