"""A few of the configurations that ``python -m benchmarks.architectures --switches 6`` compares with the library."""

from pathlib import Path

import pytest

from tests.checkpoints.switches import compared, varied

SAMPLE = ("llama", "gemma2", "bloom", "t5 v1.1", "bart", "mixtral")


@pytest.mark.nightly(but=("bart", "llama", "bloom"))
@pytest.mark.parametrize("name", SAMPLE)
def test_switches_drawn_at_random_give_the_librarys_numbers(name: str, tmp_path: Path) -> None:
    found = [compared(name, seed, tmp_path / str(seed)) for seed in range(2)]
    known = [apart for apart in found if apart is not None]
    assert known and max(known) <= 1e-5, found


def test_a_seed_draws_the_same_configuration_again_and_another_one_another() -> None:
    assert varied("llama", 1) == varied("llama", 1) != varied("llama", 2)
