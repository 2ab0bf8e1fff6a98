"""An adapter beside a model's weights: low-rank matrices of peft (LoRA, Hu et al. 2021), added to the weights that they
change with peft's own arithmetic (``merge_and_unload``). Every other adapter is refused by its name."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from model.checkpoints.basis.errors import AdapterError, TensorsError
from model.checkpoints.basis.precision import USUAL
from model.checkpoints.formats.refusals import TO_MERGE
from model.checkpoints.formats.safetensors_file import read_weights
from model.checkpoints.formats.source import list_files, read_json
from model.checkpoints.formats.torch_file import read_torch

CONFIG = "adapter_config.json"
WEIGHTS = ("adapter_model.safetensors", "adapter_model.bin")
_SWITCHES = ("use_dora", "use_qalora", "lora_bias", "layer_replication", "target_parameters", "trainable_token_indices",
             "alora_invocation_tokens", "megatron_config", "monteclora_config", "velora_config")  # fmt: skip
_PLAIN_STARTS = (True, False, "gaussian", "orthogonal", "eva")
"""Values of ``init_lora_weights`` that leave the model's own weights as they were."""
_LOW_RANK = re.compile(r"(.+)\.lora_(?:embedding_)?([AB])(?:\.weight)?")


def merge_adapter(folder: Path, tensors: Mapping[str, Tensor], kind: str) -> tuple[dict[str, Tensor], int]:
    """A model's tensors with the adapter in the same folder merged, and the number of matrices changed.

    Args:
        tensors: of the model, by the file's names.
        kind: ``model_type``: GPT-2 keeps its matrices as (in, out).
    """
    files = list_files(folder)
    if CONFIG not in files:
        return dict(tensors), 0
    settings = read_json(files[CONFIG])
    _refuse(settings if isinstance(settings, dict) else {}, folder.name)
    name = next((name for name in WEIGHTS if name in files), None)
    if name is None:
        raise AdapterError(
            f"{folder.name} has {CONFIG} and no {WEIGHTS[0]}: add the adapter's weights, or take {CONFIG} away to open "
            "the model without it"
        )
    held = read_weights([files[name]], USUAL) if name.endswith(".safetensors") else read_torch(files[name]).tensors
    pairs: dict[str, dict[str, Tensor]] = {}
    whole: dict[str, Tensor] = {}
    for stored, tensor in held.items():
        plain = stored.removeprefix("base_model.model.").replace(".base_layer.", ".")
        match = _LOW_RANK.fullmatch(plain)
        if match is None:
            whole[plain] = tensor
        else:
            pairs.setdefault(match[1], {})[match[2]] = tensor
    strange = tuple(name for name in whole if "lora_" in name or "." not in name)
    halves = tuple(f"{module}.lora_{side}" for module, pair in pairs.items() for side in "AB" if side not in pair)
    absent = tuple(f"{module}.weight" for module in pairs if f"{module}.weight" not in tensors)
    if strange or halves or absent:
        raise TensorsError(name, missing=(*halves, *absent), unexpected=strange)
    result = dict(tensors) | whole  # biases, and modules that were trained or stored whole
    for module, pair in pairs.items():
        result[f"{module}.weight"] = _add_update(result[f"{module}.weight"], pair, module, settings, kind, name)
    return result, len(pairs)


def _add_update(
    weight: Tensor, pair: Mapping[str, Tensor], module: str, settings: Mapping[str, Any], kind: str, where: str
) -> Tensor:
    """A weight plus the adapter's update: B A times alpha / r, or times alpha / sqrt(r)."""
    low, high = pair["A"].float(), pair["B"].float()
    if low.dim() != 2 or high.dim() != 2 or low.shape[0] != high.shape[1] or not low.shape[0]:
        raise TensorsError(where, misshapen=(f"{module}: {_shape(high)} and {_shape(low)} are no two factors",))
    rank = low.shape[0]
    share = _alpha(module, settings, where) / (rank**0.5 if settings.get("use_rslora") else rank)
    change = (high @ low) * share  # (out, in)
    is_turned = kind == "gpt2" and re.search(r"\.c_(attn|proj|fc)$", module) is not None
    change = change.T if is_turned or change.shape != weight.shape else change  # embeddings are (vocabulary, width)
    if change.shape != weight.shape:
        raise TensorsError(where, misshapen=(f"{module} is {_shape(change.T)}, not {_shape(weight)}",))
    return weight.float() + change


def _alpha(module: str, settings: Mapping[str, Any], where: str) -> float:
    alpha = settings.get("lora_alpha", 8)
    for pattern, other in (settings.get("alpha_pattern") or {}).items():
        if re.fullmatch(r"\^?[\w.]+\$?", str(pattern)) is None:
            raise AdapterError(
                f"{where} has an alpha_pattern that is a regular expression ({str(pattern)[:40]}), which is not read: "
                f"{TO_MERGE}"
            )
        plain = str(pattern).strip("^$")
        if module == plain or (module.endswith(f".{plain}") and not str(pattern).startswith("^")):
            alpha = other
            break
    if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not abs(alpha) < 1e6:
        raise AdapterError(f"lora_alpha ({str(alpha)[:40]}) in {CONFIG} must be a number: give the adapter's own file")
    return float(alpha)


def _refuse(settings: Mapping[str, Any], where: str) -> None:
    kind = settings.get("peft_type")
    if kind != "LORA":
        raise AdapterError(f"{where} has an adapter of the type {str(kind)[:40]}, which is not read here: {TO_MERGE}")
    for name in _SWITCHES:
        if settings.get(name):
            raise AdapterError(f"{where} has an adapter with {name}, which is not read here: {TO_MERGE}")
    start = settings.get("init_lora_weights", True)
    if start is not None and start not in _PLAIN_STARTS:
        raise AdapterError(
            f"{where} has an adapter with init_lora_weights: {str(start)[:40]}, which changed the model's own weights "
            f"too: {TO_MERGE}"
        )


def _shape(tensor: Tensor) -> str:
    return "×".join(map(str, tensor.shape))
