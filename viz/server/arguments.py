"""What may follow ``streamlit run app.py --``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from viz.environment import CHECKPOINT_VARIABLE


def take_arguments(words: Sequence[str]) -> None:
    """Read the command line, and put what it says into the environment."""
    parser = argparse.ArgumentParser(prog="streamlit run app.py --")
    parser.add_argument("--checkpoint", type=Path, help="a checkpoint to open beside the shipped ones")
    given = parser.parse_known_args(words)[0].checkpoint
    if given is not None:
        os.environ[CHECKPOINT_VARIABLE] = str(given)
