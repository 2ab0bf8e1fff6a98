"""A bias that a file does not hold is zeros, or the file is refused by its name; never another model."""

import dataclasses
import random
import re
import warnings
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import model
from model.checkpoints.basis.errors import AnswerWarning, CheckpointError
from model.trace import BatchAttention
from tests.checkpoint import tiny_bundle
from tests.checkpoints import golden
from tests.checkpoints.architectures import ARCHITECTURES, SHOWN, SOURCE, TARGET, save

_BIAS = re.compile(r"(bias|beta|[._]b(_?[a-z0-9])?|_b_2)(_k|_v|_q)?\Z")


def kinds_of_bias(names: Iterable[str]) -> list[list[str]]:
    """The biases, each with those of the same name in other layers."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if _BIAS.search(name):
            kinds[re.sub(r"\d+", "#", name)].append(name)
    return list(kinds.values())


def removals(names: Iterable[str], draw: random.Random, most: int) -> list[list[str]]:
    """Which biases are taken away: one kind of all layers, or one layer's."""
    kinds = kinds_of_bias(names)
    chosen = draw.sample(kinds, min(most, len(kinds)))
    return [kind if draw.random() < 0.7 else [draw.choice(kind)] for kind in chosen]


def outcome(path: Path, source: Any, target: Any, **hints: Any) -> BatchAttention | str:
    """What a file computes, or why it is refused, or what it is asked first."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", AnswerWarning)
            return model.attend(model.load(path, **hints), source, target)
    except (CheckpointError, AnswerWarning) as error:
        return str(error)


def equal_or_named(result: BatchAttention | str, zeros: BatchAttention | str, removed: list[str]) -> None:
    """A file without its biases computes what it does with zeros there, or one of them is named, or it asks first."""
    if isinstance(result, str):
        is_asked = "it does not say" in result
        assert is_asked or any(name.rpartition(".")[2] in result for name in removed), (removed, result)
        return
    assert not isinstance(zeros, str), zeros
    for kind in ("encoder_self", "decoder_self", "cross", "logits"):
        ours, expected = getattr(result, kind), getattr(zeros, kind)
        if expected is not None:
            np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-5, err_msg=f"{kind} without {removed}")


@pytest.mark.nightly(but=("gpt2",))
@pytest.mark.parametrize("name", SHOWN)
def test_a_type_of_the_library_without_a_bias(name: str, tmp_path: Path) -> None:
    save(ARCHITECTURES[name], tmp_path)
    path = tmp_path / "model.safetensors"
    tensors = load_file(path)
    for removed in removals(tensors, random.Random(name), 4):
        save_file(tensors | {item: torch.zeros_like(tensors[item]) for item in removed}, path, {"format": "pt"})
        zeros = outcome(tmp_path, SOURCE.numpy(), TARGET.numpy())
        save_file({key: x for key, x in tensors.items() if key not in removed}, path, {"format": "pt"})
        equal_or_named(outcome(tmp_path, SOURCE.numpy(), TARGET.numpy()), zeros, removed)


@pytest.mark.nightly(but=("joeynmt-post",))
@pytest.mark.parametrize("name", golden.names())
def test_peoples_own_code_without_a_bias(name: str, tmp_path: Path) -> None:
    reference = golden.read(name)
    for number, removed in enumerate(removals(reference.tensors, random.Random(name), 6)):
        collected = []
        retained = {key: x for key, x in reference.tensors.items() if key not in removed}
        zeroed = reference.tensors | {item: torch.zeros_like(reference.tensors[item]) for item in removed}
        for place, changed in (("zeros", zeroed), ("without", retained)):
            folder = tmp_path / f"{number}{place}"
            folder.mkdir()
            path = dataclasses.replace(reference, tensors=changed).write(folder)
            collected.append(outcome(path, reference.source, reference.target, **reference.hints))
        equal_or_named(collected[1], collected[0], removed)


@pytest.mark.nightly
def test_our_own_names_without_biases_of_queries_keys_and_values(tmp_path: Path) -> None:
    """Karpathy's habit, and Aladdin Persson's: the output has a bias alone."""
    state = {name: tensor.clone() for name, tensor in tiny_bundle().model.state_dict().items()}
    removed = [name for name in state if re.search(r"attention\.(query|key|value)\.bias", name)]
    assert removed and any(name.endswith("attention.output.bias") for name in state)
    torch.save(state | {name: torch.zeros_like(state[name]) for name in removed}, tmp_path / "zeros.pt")
    torch.save({name: x for name, x in state.items() if name not in removed}, tmp_path / "without.pt")
    hints = {"n_heads": 2, "norm_first": True, "norm_kind": "layer", "activation": "relu", "embedding_scale": 1.0,
             "score_width": "head", "positions": "interleaved"}  # fmt: skip
    zeros, result = (
        outcome(tmp_path / f"{name}.pt", [[4, 5, 6]], [[2, 4, 5]], **hints) for name in ("zeros", "without")
    )
    assert not isinstance(result, str), result
    equal_or_named(result, zeros, removed)
