"""Words written by hand that came with a model of handwriting: ``examples.tsv`` in its folder."""

from dataclasses import dataclass
from functools import lru_cache

from model.bundle import Bundle
from model.checkpoints.loading import PRETRAINED
from model.picture import Picture
from model.picture_source import PictureSource


@dataclass(frozen=True, slots=True)
class WrittenWord:
    """A word in somebody's hand."""

    word: str
    hand: str
    picture: str
    """The text form of its prepared picture."""


def written_words(bundle: Bundle) -> tuple[WrittenWord, ...]:
    """Words to try with a model that reads pictures, the opening one first; none for a model that reads texts."""
    return () if bundle.picture is None else _shipped(bundle.picture)


@lru_cache(maxsize=4)
def _shipped(source: PictureSource) -> tuple[WrittenWord, ...]:
    path = PRETRAINED / "reader" / "examples.tsv"
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    words = (line.split("\t") for line in lines)
    return tuple(WrittenWord(word, hand, Picture.of_text(text).prepared(source).text) for word, hand, text in words)
