"""Wrappers: prefixes of compilers, trainers and people's own modules, in files and in folders of the library."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file, save_model
from torch import Tensor, nn

import model
from model.checkpoints.basis.errors import HintError
from model.checkpoints.basis.limits import limits
from model.checkpoints.formats.pickle_values import PickledObject, Storage, StoredTensor
from model.checkpoints.formats.wrapping import StateDict, find_weights, unwrap
from tests.checkpoints import golden
from tests.checkpoints.test_families import assert_equal_to_original
from tests.checkpoints.test_torch_module import build

State = dict[str, Tensor]


def add_one(state: State) -> State:
    return {name: tensor + 1 for name, tensor in state.items()}


def under(prefix: str, state: State) -> State:
    return {f"{prefix}{name}": tensor for name, tensor in state.items()}


def midway(word: str, state: State) -> State:
    """The names when encoder and decoder were wrapped separately."""
    return {".".join((side, word, rest)): tensor for name, tensor in state.items()
            for side, _, rest in [name.partition(".")]}  # fmt: skip


AROUND: dict[str, Callable[[State], Any]] = {
    "compiled in parts": lambda state: midway("_orig_mod", state),
    "sharded": lambda state: under("_fsdp_wrapped_module.", midway("_fsdp_wrapped_module", state)),
    "parallel and compiled": lambda state: under("module._orig_mod.", state),
    "compiled and parallel": lambda state: under("_orig_mod.module.", state),
    "a name of one's own": lambda state: {"state_dict": under("translator.", state)},
    "two names of one's own": lambda state: under("task.seq2seq.", state),
    "the weights of a loss": lambda state: {
        "state_dict": under("model.", state) | {"criterion.weight": torch.ones(11)}, "pytorch-lightning_version": "2.1"
    },
    "a running average": lambda state: {"n_averaged": torch.tensor(7)} | under("module.", state),
    "an optimizer": lambda state: {
        "optimizer": {"state": {index: {"exp_avg": tensor, "exp_avg_sq": tensor, "step": torch.tensor(3.0)}
                                for index, tensor in enumerate(state.values())}, "param_groups": [{"lr": 1e-3}]},
        "model_state_dict": state, "epoch": 3, "rng": torch.zeros(5056, dtype=torch.uint8),
    },
    "an optimizer that knows names": lambda state: {
        "optim_state": {"state": {name: {"exp_avg": tensor, "exp_avg_sq": tensor} for name, tensor in state.items()}},
        "model": state,
    },
    "a list": lambda state: [state, {"lr": 0.1}],
    "parts apart": lambda state: {
        "epoch": 2, **{side: {name.removeprefix(f"{side}."): tensor for name, tensor in state.items()
                              if name.startswith(f"{side}.")} for side in ("encoder", "decoder")},
    },
    "parts apart under longer names": lambda state: {
        **{f"{side}_state_dict": {name.removeprefix(f"{side}."): tensor for name, tensor in state.items()
                                  if name.startswith(f"{side}.")} for side in ("encoder", "decoder")},
    },
    "float64": lambda state: {name: tensor.double() for name, tensor in state.items()},
}  # fmt: skip


@pytest.mark.nightly(
    but=("a list", "sharded", "parts apart", "compiled and parallel", "parts apart under longer names")
)
@pytest.mark.parametrize("around", AROUND)
def test_a_model_is_found_in_every_kind_of_checkpoint(around: str, tmp_path: Path) -> None:
    reference = golden.read("d2l-plain")
    torch.save(AROUND[around](reference.tensors), tmp_path / "w.pt")
    bundle = model.load(tmp_path / "w.pt", **reference.hints)
    assert bundle.family == "d2l"
    assert_equal_to_original(bundle, reference)


@pytest.mark.nightly(but=("model.-annotated-plain",))
@pytest.mark.parametrize("name", ["jadore-separate", "annotated-plain", "d2l-plain", "graykode-plain"])
@pytest.mark.parametrize("wrapper", ["module.", "_orig_mod.", "model."])
def test_the_prefix_of_a_wrapper_is_taken_off_in_every_family(name: str, wrapper: str, tmp_path: Path) -> None:
    reference = golden.read(name)
    path = dataclasses.replace(reference, tensors=under(wrapper, reference.tensors)).write(tmp_path)
    assert_equal_to_original(model.load(path, **reference.hints), reference)


@pytest.mark.nightly
def test_tensors_of_the_training_are_named(tmp_path: Path) -> None:
    reference = golden.read("d2l-plain")
    state = under("model.", reference.tensors) | {"loss_fn.weight": torch.ones(11), "n_averaged": torch.tensor(7)}
    torch.save(state, tmp_path / "w.pt")
    report = model.load(tmp_path / "w.pt").report
    assert report is not None and report.outside == ("loss_fn.weight", "n_averaged")


def test_a_tensor_outside_the_model_that_nobody_knows_is_never_left_out(tmp_path: Path) -> None:
    reference = golden.read("d2l-plain")
    torch.save(reference.tensors | {"temperature": torch.tensor(2.0)}, tmp_path / "w.pt")
    with pytest.raises(model.CheckpointError, match="temperature"):
        model.load(tmp_path / "w.pt")


COPIES: dict[str, tuple[Callable[[State, State], Any], str, str]] = {
    "timm": (lambda main, average: {"state_dict_ema": average, "state_dict": main}, "state_dict", "state_dict_ema"),
    "fairseq": (lambda main, average: {"model": main, "extra_state": {"ema": average, "epoch": 2}}, "model",
                "extra_state.ema"),
    "lightning": (lambda main, average: {"state_dict": under("model.", main) | {"criterion.weight": torch.ones(11)},
                                         "state_dict_ema": under("model.", average)}, "state_dict", "state_dict_ema"),
    "wrapped": (lambda main, average: {"model": under("module.", main), "ema": average}, "model", "ema"),
    "ema_pytorch": (lambda main, average: {**under("ema_model.", average), **under("online_model.", main),
                                           "initted": torch.tensor(True), "step": torch.tensor(9)},
                    "ema_model", "online_model"),
}  # fmt: skip


@pytest.mark.nightly(but=("wrapped",))
@pytest.mark.parametrize("kind", COPIES)
@pytest.mark.parametrize("is_legacy", [False, True])
def test_two_copies_of_weights_are_a_question(kind: str, is_legacy: bool, tmp_path: Path) -> None:
    reference = golden.read("d2l-plain")
    make, usual, other = COPIES[kind]
    is_average = usual == "ema_model"
    states = (
        (add_one(reference.tensors), reference.tensors)
        if is_average
        else (reference.tensors, add_one(reference.tensors))
    )
    torch.save(make(*states), tmp_path / "w.pt", _use_new_zipfile_serialization=not is_legacy)
    bundle: Any = model.load(tmp_path / "w.pt", **reference.hints)
    requested = {question.hint: question for question in bundle.report.questions}
    assert set(requested["weights"].choices) == {usual, other} and not requested["weights"].is_answered
    assert requested["weights"].value == usual
    assert_equal_to_original(bundle, reference)
    answered = model.load(tmp_path / "w.pt", weights=other, **reference.hints)
    assert answered.report is not None and "weights" not in answered.report.guesses
    assert answered.fingerprint != bundle.fingerprint
    with pytest.raises(HintError, match=r"weights \('best'\) is not one of the copies in w\.pt: try"):
        model.load(tmp_path / "w.pt", weights="best")


@pytest.mark.nightly
def test_an_average_without_tables_takes_them_from_the_model(tmp_path: Path) -> None:
    reference = golden.read("annotated-plain")
    average = {name: tensor for name, tensor in reference.tensors.items() if not name.endswith(".pe")}
    torch.save({"model": add_one(reference.tensors) | {name: reference.tensors[name] for name in reference.tensors
                                                  if name.endswith(".pe")}, "ema": average},
               tmp_path / "w.pt")  # fmt: skip
    assert_equal_to_original(model.load(tmp_path / "w.pt", weights="ema", **reference.hints), reference)


def test_layers_that_look_alike_are_no_copies() -> None:
    layers = {f"{side}{index}.{name}.weight": torch.zeros(2, 2) for side in ("block", "layer") for index in range(2)
              for name in ("query", "key", "value", "output")}  # fmt: skip
    assert not unwrap(StateDict(layers)).sets
    stacks = {f"{side}.layers.0.{name}": torch.zeros(2, 2) for side in ("encoder", "decoder")
              for name in ("query", "key", "value", "output")}  # fmt: skip
    assert not unwrap(StateDict(stacks | {"decoder.layers.0.cross": torch.zeros(2, 2)})).sets


class Saved(nn.Module):
    """A module with a custom submodule, a table that is not saved, and an embedding that is used in two places."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.note = ("d_model", 16)
        for name, tensor in state.items():
            *path, last = name.split(".")
            place: nn.Module = self
            for word in path:
                if word not in place._modules:
                    place.add_module(word, nn.Module())
                place = place._modules[word]  # type: ignore[assignment]
            place.register_parameter(last, nn.Parameter(tensor))
        self.register_buffer("mask", torch.ones(4, 4), persistent=False)


@pytest.mark.nightly(but=("False-alone", "True-in a dict"))
@pytest.mark.parametrize(
    "wrap", [lambda item: item, lambda item: {"model": item, "epoch": 3}], ids=["alone", "in a dict"]
)
@pytest.mark.parametrize("is_legacy", [False, True])
def test_a_model_that_was_saved_whole_is_read_as_data(wrap: Any, is_legacy: bool, tmp_path: Path) -> None:
    reference = golden.read("d2l-plain")
    torch.save(wrap(Saved(reference.tensors)), tmp_path / "w.pt", _use_new_zipfile_serialization=not is_legacy)
    assert_equal_to_original(model.load(tmp_path / "w.pt", **reference.hints), reference)


@pytest.mark.nightly
def test_a_module_of_torch_saved_whole_is_read_as_data(tmp_path: Path) -> None:
    network, _, _ = build("bare", activation="gelu")
    torch.save(network, tmp_path / "whole.pt")
    torch.save(network.state_dict(), tmp_path / "state.pt")
    assert model.load(tmp_path / "whole.pt").fingerprint == model.load(tmp_path / "state.pt").fingerprint


def test_tied_weights_omitted_by_safetensors_are_restored(tmp_path: Path) -> None:
    reference = golden.read("annotated-plain")
    reference.tensors["tgt_embed.0.lut.weight"] = reference.tensors["generator.proj.weight"]
    network = Saved(reference.tensors)
    network.get_submodule("generator.proj").weight = network.get_submodule("tgt_embed.0.lut").weight
    save_model(network, str(tmp_path / "tied.safetensors"))
    torch.save(reference.tensors, tmp_path / "tied.pt")
    opened = model.load(tmp_path / "tied.safetensors")
    assert opened.config.tie_output
    assert opened.fingerprint == model.load(tmp_path / "tied.pt").fingerprint


@pytest.mark.nightly
def test_a_module_that_contains_itself_comes_to_an_end() -> None:
    tensor = StoredTensor(Storage("FloatStorage", "0", 4), 0, (2, 2), (2, 1))
    module = PickledObject("torch.nn.Module", fields={"_parameters": {"weight": tensor}})
    module.fields["_modules"] = {"inner": module, "other": module}
    result = find_weights({"model": module}).tensors
    assert len(result) <= 2 * limits().max_tensors and max(map(len, result)) < 600


def test_a_shared_table_is_examined_once() -> None:
    seen = []

    class Table(dict):
        def items(self) -> Any:
            for item in super().items():
                seen.append(item)
                yield item

    table = Table({f"name {index}": index for index in range(9000)})
    find_weights({f"{side}{index}": {f"part{number}": table for number in range(60)}
                  for index in range(30) for side in ("encoder", "decoder")})  # fmt: skip
    assert len(seen) < 10_000


IDS = np.array([[3, 4, 5, 2]])
PREFIXES = ("_orig_mod.", "module.", "module._orig_mod.", "net.", "transformer.", "model.", "seq2seq.model.",
            "base_model.model.", "_orig_mod.base_model.model.")  # fmt: skip


def tiny(kind: str) -> Any:
    import transformers

    torch.manual_seed(0)
    small = {"vocab_size": 24, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
    if kind == "bart":
        config: Any = transformers.BartConfig(
            d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2,
            encoder_ffn_dim=24, decoder_ffn_dim=24, max_position_embeddings=32, **small)  # fmt: skip
        return transformers.BartForConditionalGeneration(config).eval()
    config = transformers.GPT2Config(n_embd=16, n_layer=2, n_head=2, n_positions=32, **small)
    return transformers.GPT2LMHeadModel(config).eval()


def attention(bundle: model.Bundle) -> list[np.ndarray]:
    maps = model.attend(bundle, IDS, IDS)
    return [result for kind in ("encoder_self", "decoder_self", "cross") if (result := getattr(maps, kind)) is not None]


def write(state: dict[str, Tensor], folder: Path, file: str) -> None:
    for path in folder.glob("*.safetensors"):
        path.unlink()
    if file == "model.safetensors":
        save_file({name: tensor.clone().contiguous() for name, tensor in state.items()}, folder / file)
    else:
        torch.save({"state_dict": state, "epoch": 3} if file.endswith(".ckpt") else state, folder / file)


@pytest.mark.parametrize("kind", ["bart", "gpt2"])
def test_prefixes_around_a_folders_names_are_taken_off(kind: str, tmp_path: Path) -> None:
    network = tiny(kind)
    network.save_pretrained(tmp_path)
    expected = attention(model.load(tmp_path))
    places = [("model.safetensors", prefix) for prefix in PREFIXES] + [("pytorch_model.bin", "base_model.model.")]
    for file, prefix in [*places, ("epoch=3.ckpt", "model."), ("epoch=3.ckpt", "net._orig_mod.")]:
        write({f"{prefix}{name}": tensor for name, tensor in network.state_dict().items()}, tmp_path, file)
        value = tmp_path / file if file.endswith(".ckpt") else tmp_path
        for ours, reference in zip(attention(model.load(value)), expected, strict=True):
            np.testing.assert_allclose(ours, reference, rtol=0, atol=1e-6, err_msg=f"{file} {prefix}")
        (tmp_path / file).unlink()
