"""A few hundred self-written pairs, made from a small grammar."""

from itertools import product
from pathlib import Path

from model.text.pairs import Pair

SUBJECTS = (("the cat", "le chat"), ("the dog", "le chien"), ("a child", "un enfant"), ("my sister", "ma sœur"),
            ("the teacher", "le professeur"), ("he", "il"), ("she", "elle"))  # fmt: skip
VERBS = (("sleeps", "dort"), ("eats", "mange"), ("sings", "chante"), ("works", "travaille"), ("laughs", "rit"))
PLACES = (("here", "ici"), ("at home", "à la maison"), ("in the garden", "dans le jardin"), ("on the sofa", "sur le "
          "canapé"), ("every day", "tous les jours"), ("with us", "avec nous"), ("again", "encore"))  # fmt: skip
MARKS = (("", ""), (".", "."), ("!", " !"))


def pairs() -> tuple[Pair, ...]:
    """All sentences of the grammar, capitalised and with final punctuation."""
    return tuple(
        Pair(f"{s[0]} {v[0]} {p[0]}{m[0]}".capitalize(), f"{s[1]} {v[1]} {p[1]}{m[1]}".capitalize())
        for s, v, p, m in product(SUBJECTS, VERBS, PLACES, MARKS)
    )


def write_tsv(path: Path, n: int | None = None) -> Path:
    """The pairs, or the first n, as a TSV."""
    lines = (f"{pair.source}\t{pair.target}\n" for pair in pairs()[:n])
    path.write_text("".join(lines), "utf-8")
    return path
