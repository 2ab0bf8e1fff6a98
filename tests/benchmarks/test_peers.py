"""The comparison with peers: those that are installed anyway are measured, the page has the stored results."""

import json
from pathlib import Path

import pytest

from benchmarks.figures import rewritten
from benchmarks.peers import packages
from benchmarks.peers.__main__ import BEGIN, END, PAGE, PEERS, RESULTS, table
from benchmarks.peers.models import CLASSES, QUANTITIES, compared, largest_difference, twins


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore:the rows of integrated gradients miss")
def test_attention_and_attributions_equal_those_of_the_installed_peers(tmp_path: Path) -> None:
    rows = [
        row
        for twin in twins(tmp_path).values()
        for compare in (packages.transformers, packages.captum)
        for row in compare(twin)
    ]
    measured = {(row.quantity, row.family): row.difference for row in rows if row.difference is not None}
    assert {family for quantity, family in measured if quantity == "attention"} == set(CLASSES)
    attributed = [place for place in measured if "gradient" in place[0] or "integrated" in place[0]]
    assert len(attributed) >= 9
    wrong = {place: gap for place, gap in measured.items() if gap > QUANTITIES[place[0]].bar}
    assert wrong == {}


def test_the_page_has_every_peer_and_every_number_is_under_its_bar() -> None:
    results = json.loads(RESULTS.read_text("utf-8"))
    page = PAGE.read_text("utf-8")
    assert page == rewritten(page, table(results), BEGIN, END), "python -m benchmarks.peers"
    assert set(results) == set(PEERS) and [name for name in PEERS if f"{name} " not in page] == []
    numbers = [(row[0], row[2]) for result in results.values() for row in result.get("rows", ()) if row[2] is not None]
    assert len(numbers) > 40 and all(gap <= QUANTITIES[quantity].bar for quantity, gap in numbers)
    assert {quantity for quantity, _ in numbers} >= {
        "attention", "log_probs", "residual", "head_off", "patched", "steered", "gradient", "gradient_input",
        "integrated_gradients",
    }  # fmt: skip


def test_a_difference_is_the_largest_of_all_arrays_and_of_other_shapes_infinite(tmp_path: Path) -> None:
    assert largest_difference({"a": [1.0, 2.0], "b": [0.0]}, {"a": [1.0, 2.5], "b": [0.1]}) == 0.5
    assert largest_difference([1.0], [1.0, 1.0]) == largest_difference({"a": [1.0]}, {"b": [1.0]}) == float("inf")
    twin = twins(tmp_path)["BERT"]
    refused = compared("steered", twin, lambda: 1.0, lambda: {}["no such part"])
    assert refused.difference is None and refused.reason == "KeyError: 'no such part'"
