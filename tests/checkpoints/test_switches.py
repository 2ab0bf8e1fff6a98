"""A few of the configurations that ``python -m benchmarks.switches`` compares with the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checkpoints.architectures import ARCHITECTURES
from tests.checkpoints.switches import SHOWN, SWITCHES, compared, varied

SAMPLE = ("llama", "gpt_neox", "gemma2", "bloom", "t5 v1.1", "bart", "modernbert", "mixtral")


@pytest.mark.parametrize("name", SAMPLE)
def test_switches_drawn_at_random_give_the_librarys_numbers(name: str, tmp_path: Path) -> None:
    found = [compared(name, seed, tmp_path / str(seed)) for seed in range(3)]
    known = [apart for apart in found if apart is not None]
    assert known and max(known) <= 1e-5, found


def test_a_seed_draws_the_same_configuration_again_and_another_one_another() -> None:
    assert varied("llama", 1) == varied("llama", 1) != varied("llama", 2)


def test_most_switches_belong_to_some_architecture() -> None:
    """A switch that no configuration has would test nothing."""
    drawn = {field for name in SHOWN for seed in range(12) for field in varied(name, seed).fields}
    base = {field for name in SHOWN for field in ARCHITECTURES[name].fields}
    assert not set(SWITCHES) - drawn - base
