"""From arguments to an exit code: 0 done, 1 an error that the message explains, 2 wrong usage, 130 interrupted."""

import argparse
import errno
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import torch
from safetensors import SafetensorError

from model.cli import extras
from model.cli.arguments import as_typed, program
from model.cli.output import errors
from model.errors import RegardError

COMMANDS = ("translate", "evaluate", "prepare", "train", "inspect", "survey", "align", "prune",
            "compare", "steer", "sweep", "reproduce", "choose-sentences", "draw")  # fmt: skip

EPILOGUE = """\
First steps:
  python -m model translate "The cat is sleeping."          one sentence, with the shipped model
  python -m model translate "The cat is sleeping." --show   and where it looked
  python -m model translate < sentences.txt > out.txt       a file, one sentence a line
  python -m model inspect                                   what the shipped checkpoint is
  python -m model evaluate pairs.tsv                        BLEU and chrF on held-out pairs
  python -m model survey pairs.tsv --out survey/            what every head does over a corpus
  python -m model align gold.tsv                            which head aligns words, against gold links
  python -m model prune pairs.tsv                           what a corpus loses without each head
  python -m model compare en-fr mine.ckpt pairs.tsv         what a fine-tuning changed, by head and by sentence
  python -m model steer pairs.tsv                           from tu to vous, and what else changes
  python -m model sweep pairs.tsv                           which activations make the difference of two sentences
  python -m model reproduce report.json                     a saved report's command again, and what differs
  python -m model choose-sentences pairs.tsv                the sentences that show this model best
  python -m model prepare a.tsv b.tsv --out mixed/          mix sets of pairs to train on
  python -m model draw words.txt --out drawn.tsv            words as pictures, to train a model that reads them
  python -m model train pairs.tsv --run runs/mine           train; Ctrl-C saves, --resume continues
"""


def parser(wished: str = "") -> argparse.ArgumentParser:
    """The whole command line.

    Each command is a module with ``SUMMARY``, ``EPILOGUE``, ``add_arguments`` and ``run``.

    Args:
        wished: the command that will be run; other commands may lack a package that they need.

    Raises:
        ModuleNotFoundError: when this command lacks one.
    """
    top = argparse.ArgumentParser(
        prog=program(),
        description="An encoder-decoder Transformer that shows its attention.",
        epilog=as_typed(EPILOGUE),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name in COMMANDS:
        try:
            command = import_module(f"{__package__}.{name.replace('-', '_')}")
        except ModuleNotFoundError as error:
            if extras.remedy(error) is None or name == wished:
                raise
            commands.add_parser(name, help=f"(needs {error.name}, which is not installed)")
            continue
        summary: str = command.SUMMARY
        parser = commands.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.", epilog=as_typed(command.EPILOGUE),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        command.add_arguments(parser)
        parser.set_defaults(run=command.run)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; a user error becomes one line on standard error."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    try:
        chosen = parser(words[0] if words else "").parse_args(words)
        chosen.command = words
        return chosen.run(chosen)
    except ModuleNotFoundError as error:
        if (remedy := extras.remedy(error)) is None:
            raise
        return _refuse(remedy)
    except RegardError as error:
        return _refuse(str(error))
    except torch.OutOfMemoryError:
        return _refuse("the GPU's memory is full: shorten the text, lower --batch-tokens, or use --device cpu")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _refuse(_about_file(error))
    except SafetensorError as error:
        return _refuse(f"the weights could not be written ({error}): make room, or choose another disk")
    except KeyboardInterrupt:
        return 130


def _refuse(message: str) -> int:
    errors().print(f"error: {message}", style="red", markup=False, soft_wrap=True)
    return 1


def _about_file(error: OSError) -> str:
    named = error.filename or "the output"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk is full while writing {named}: make room, or choose another disk; what was saved is whole"
    return f"{named}: {error.strerror or error}"
