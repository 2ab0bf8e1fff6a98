"""What may follow ``streamlit run app.py --``."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from viz.environment import CHECKPOINT_VARIABLE, SURVEY_VARIABLE


def take_arguments(words: Sequence[str]) -> None:
    """Read the command line, and store its options in the environment."""
    parser = argparse.ArgumentParser(prog="streamlit run app.py --")
    parser.add_argument("--checkpoint", type=Path, help="a checkpoint to open beside the shipped ones")
    parser.add_argument("--survey", type=Path, help="a folder with a survey, for the Corpus page")
    given = parser.parse_known_args(words)[0]
    for path, variable in ((given.checkpoint, CHECKPOINT_VARIABLE), (given.survey, SURVEY_VARIABLE)):
        if path is not None:
            os.environ[variable] = str(path)
