"""The pairs of sentences that the tests survey."""

PAIRS = (
    ("the cat is sleeping .", "le chat dort ."),
    ("the dog is on the sofa .", "le chien est sur le canapé ."),
    ("the cat", "un chat"),
    ("dog .", "un chien est sur un canapé ."),
    ("the cat is on the dog", "le"),
)
