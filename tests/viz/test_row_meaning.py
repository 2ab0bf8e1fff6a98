"""Explore states for each cross-attention head which row aligns words, as measured."""

import re

import pytest

from model.corpus.shipped import shipped_figures
from tests.viz.page import opened

OTHER = {"fed": "predicted", "predicted": "fed"}


def captions(**params: str) -> str:
    return "\n".join(caption.value for caption in opened(**{"language": "en"} | params).caption)


@pytest.fixture(scope="module")
def measured() -> dict[tuple[int, int], dict[str, float]]:
    errors: dict[tuple[int, int], dict[str, float]] = {}
    for row in shipped_figures()["alignment"]["heads"]:
        if row["weights"] == "raw":
            errors.setdefault((row["layer"], row["head"]), {})[row["row"]] = row["aer"]
    return errors


@pytest.mark.nightly("fed")
@pytest.mark.parametrize(("better", "words"), [("fed", "fed in"), ("predicted", "predicted")])
def test_the_line_names_the_row_with_the_lower_error(
    measured: dict[tuple[int, int], dict[str, float]], better: str, words: str
) -> None:
    layer, head = min(measured, key=lambda place: measured[place][better] - measured[place][OTHER[better]])
    low, high = measured[layer, head][better], measured[layer, head][OTHER[better]]
    found = captions(kind="cross", layer=str(layer), head=str(head), rows=OTHER[better])
    assert f"set the rows to “token {words}”: the alignment error rate is then {low:.2f}, against {high:.2f}" in found
    found = captions(kind="cross", layer=str(layer), head=str(head), rows=better)
    assert "set the rows" not in found, "nothing is advised that is set"
    assert f"“token {words}”, align words better with this head: the alignment error rate is {low:.2f}" in found


def test_a_head_is_held_against_words_linked_by_their_place(
    measured: dict[tuple[int, int], dict[str, float]],
) -> None:
    diagonal = shipped_figures()["alignment"]["diagonal"]["aer"]
    ordered = sorted(measured, key=lambda place: min(measured[place].values()))
    for (layer, head), is_better in ((ordered[0], True), (ordered[-1], False)):
        assert (min(measured[layer, head].values()) < diagonal) == is_better
        found = captions(kind="cross", layer=str(layer), head=str(head))
        assert ("no better than linking words by their position alone" in found) != is_better


def test_every_error_rate_is_written_as_the_reader_writes_numbers(
    measured: dict[tuple[int, int], dict[str, float]],
) -> None:
    layer, head = next(iter(measured))
    found = captions(kind="cross", layer=str(layer), head=str(head), language="fr")
    assert "taux d'erreur d'alignement est alors de 0," in found and not re.search(r"\d\.\d", found)


def test_nothing_is_said_of_self_attention() -> None:
    assert "align" not in captions(kind="encoder_self")
