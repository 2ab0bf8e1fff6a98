"""The pairs of sentences that the tests survey."""

from model.text.pairs import Pair

PAIRS = (
    ("the cat is sleeping .", "le chat dort ."),
    ("the dog is on the sofa .", "le chien est sur le canapé ."),
    ("the cat", "un chat"),
    ("dog .", "un chien est sur un canapé ."),
    ("the cat is on the dog", "le"),
)
THREE = tuple(Pair(*sides) for sides in PAIRS[:3])
