"""Checkpoints that cannot be shown as what they seem: each made from a sound one, with what is said about it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from model.checkpoints.basis import errors
from model.text.tokenizer import TokenizerError
from tests.checkpoint import rewrite_json
from tests.checkpoints.architectures import ARCHITECTURES, save

WEIGHTS = "model.safetensors"


@dataclass(frozen=True, slots=True)
class Bad:
    """How one is made in a folder that holds a sound Llama, and how it is refused."""

    make: Callable[[Path], Path | None]
    """Changes the folder; what it returns is opened in its place."""
    kind: type[Exception]
    said: str
    """A pattern of the message: what is wrong, then the way out."""


def sound(folder: Path) -> Path:
    """A folder of the library with its tokenizer."""
    save(ARCHITECTURES["llama"], folder)
    return folder


def _change_config(**changes: object) -> Callable[[Path], None]:
    return lambda folder: rewrite_json(folder / "config.json", **changes)


def _change_tensors(change: Callable[[dict[str, Tensor]], dict[str, Tensor]]) -> Callable[[Path], None]:
    def store(folder: Path) -> None:
        save_file(change(load_file(folder / WEIGHTS)), folder / WEIGHTS, {"format": "pt"})

    return store


def _pack(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """As GPTQ and AWQ store the projections."""
    return {name.replace("proj.weight", "proj.qweight"): tensor.int() if "proj" in name else tensor
            for name, tensor in tensors.items()}  # fmt: skip


def _four_bits(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return tensors | {f"{name}.absmax": torch.ones(2) for name in tensors if "proj" in name}


def _add_tensor(name: str) -> dict[str, Tensor]:
    return {f"{name}.lora_{side}.weight": torch.ones(2, 4) for side in "AB"}


def _eight_bits(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor.to(torch.float8_e4m3fn) if "proj" in name else tensor for name, tensor in tensors.items()}


def _adapter(folder: Path) -> None:
    _empty_weights(folder)
    (folder / "adapter_config.json").write_text('{"base_model_name_or_path": "some/llama", "peft_type": "LORA"}')
    save_file(_add_tensor("base_model.model.layers.0.q_proj"), folder / "adapter_model.safetensors")


def _adapter_file(folder: Path) -> Path:
    path = folder / "adapter_model.safetensors"
    save_file(_add_tensor("base_model.model.layers.0.q_proj"), path)
    return path


def _gguf(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    (folder / "llama.gguf").write_bytes(b"GGUF" + bytes(100))


def _split_weights(folder: Path) -> list[Path]:
    """The weights in several files with an index."""
    import transformers

    network = transformers.LlamaForCausalLM.from_pretrained(folder)
    (folder / WEIGHTS).unlink()
    network.save_pretrained(folder, max_shard_size="4KB")
    return sorted(folder.glob("model-0*"))


def _without_a_part(folder: Path) -> None:
    _split_weights(folder)[1].unlink()


def _without_a_part_and_index(folder: Path) -> None:
    _without_a_part(folder)
    (folder / "model.safetensors.index.json").unlink()


def _one_part(folder: Path) -> Path:
    part = _split_weights(folder)[0]
    (folder / "config.json").unlink()
    return part


def _empty_weights(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()


def _type_alone(kind: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        _empty_weights(folder)
        (folder / "config.json").write_text(json.dumps({"model_type": kind}))

    return write


def _damaged_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{")


BAD = {
    "wider": Bad(_change_config(hidden_size=24), errors.TensorsError,
                 "lm_head.weight is 48×16, not 48×24.*use the configuration that was saved"),
    "more layers": Bad(_change_config(num_hidden_layers=5), errors.TensorsError,
                       r"18 missing: model\.layers\.3.*use the configuration that was saved"),
    "fewer layers": Bad(_change_config(num_hidden_layers=1), errors.TensorsError,
                        r"18 unexpected: model\.layers\.1.*use the configuration that was saved"),
    "heads": Bad(_change_config(num_attention_heads=3), errors.CheckpointError,
                 "multiple of .* heads.*check its config"),
    "enormous": Bad(_change_config(hidden_size=8192, intermediate_size=30_000), errors.CheckpointError,
                    "asks for 2,.* numbers, and the weights hold 7,408: give the configuration"),
    "newer": Bad(_change_config(model_type="llama9"), errors.NewerError,
                 "'llama9' are newer than this release.*update Regard, or save its attention as a file"),
    "bitsandbytes": Bad(_change_config(quantization_config={"load_in_4bit": True, "quant_method": "bitsandbytes"}),
                        errors.QuantisedError, r"is quantised \(bitsandbytes\).*dequantize\(\)"),
    "four bits, not in its configuration": Bad(_change_tensors(_four_bits), errors.QuantisedError,
                                               r"is quantised \(bitsandbytes\).*dequantize\(\)"),
    "GPTQ, not in its configuration": Bad(_change_tensors(_pack), errors.QuantisedError,
                                          r"is quantised \(GPTQ or AWQ\).*dequantize\(\)"),
    "eight-bit floats": Bad(_change_tensors(_eight_bits), errors.QuantisedError,
                            r"is quantised \(F8_E4M3\).*dequantize\(\)"),
    "GGUF": Bad(_gguf, errors.UnrecognisedError, "llama.gguf is a GGUF file .*give the folder that it was made from"),
    "adapter": Bad(_adapter, errors.AdapterError, r"only an adapter \(LoRA\): what it adds to some/llama.*merge_and"),
    "adapter's file": Bad(_adapter_file, errors.AdapterError, r"only an adapter \(LoRA\), without .*merge_and_unload"),
    "adapter, not merged": Bad(_change_tensors(lambda t: t | _add_tensor("model.layers.0.self_attn.q_proj")),
                               errors.AdapterError,
                               r"an adapter \(LoRA\) beside the weights, not merged.*merge_and_unload"),
    "a part missing": Bad(_without_a_part, errors.LackingPartError,
                          "lacks model-00002-of-00010.safetensors, which its index lists: add that file"),
    "a part and the index missing": Bad(_without_a_part_and_index, errors.LackingPartError,
                                        "9 of the 10 parts of model.safetensors: add the others"),
    "one part": Bad(_one_part, errors.LackingPartError, "one of 10 parts of the weights: give them all, in one folder"),
    "damaged tokenizer": Bad(_damaged_tokenizer, TokenizerError,
                             "tokenizer.json is damaged .*give the file that the model was trained with"),
    "mamba": Bad(_type_alone("mamba"), errors.UnshownError, "has no attention.*Choose a Transformer"),
    "hubert": Bad(_type_alone("hubert"), errors.UnshownError, "reads sound, not text: save its attention as a file"),
    "trocr": Bad(_type_alone("trocr"), errors.UnshownError, "reads pictures, not text: save its attention as a file"),
    "donut": Bad(_type_alone("donut-swin"), errors.UnshownError, "reads pictures, not text: save its attention as"),
    "pix2struct": Bad(_type_alone("pix2struct"), errors.UnshownError, "reads pictures, not text: save its attention"),
}  # fmt: skip
