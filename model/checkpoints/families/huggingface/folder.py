"""Folders of the ``transformers`` library: encoder-decoders, encoder-only models and decoder-only models (``kinds``
lists them).

We read the files, so that no pickle and no code of the folder runs, and compare the configuration's numbers with the
tensors before anything is allocated. Encoder-decoders become our Transformer (``parts``): at once where
the file's names are exactly the usual ones (``file_tensors``), otherwise from the model that the library builds.
The rest is run by the library. ``network`` chooses between these.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from model.bundle import Bundle
from model.checkpoints.basis.assembly import fingerprint_of
from model.checkpoints.basis.errors import AdapterError, LackingPartError, QuantisedError, UnrecognisedError
from model.checkpoints.basis.hints import Hints
from model.checkpoints.basis.identity import at_first_use, fingerprint, name_in
from model.checkpoints.basis.limits import limits
from model.checkpoints.basis.precision import WeightDtypePolicy, bytes_of
from model.checkpoints.basis.report import WITHOUT_TOKENS, Report
from model.checkpoints.families.huggingface.config import allowed_fields, check_token_ids
from model.checkpoints.families.huggingface.kinds import READS_NO_TEXT, attention_kinds, refuse_switches
from model.checkpoints.families.huggingface.network import as_the_library_names, network_of
from model.checkpoints.families.huggingface.processors import FILE, TOGETHER
from model.checkpoints.formats.lora import CONFIG as ADAPTER
from model.checkpoints.formats.lora import WEIGHTS as ADAPTER_WEIGHTS
from model.checkpoints.formats.lora import merge_adapter
from model.checkpoints.formats.refusals import TO_MERGE, TO_UNPACK, first_described, refuse_packed
from model.checkpoints.formats.safetensors_file import read_weights
from model.checkpoints.formats.source import list_files, looks_like_weights, parts_of, read_json
from model.checkpoints.formats.torch_file import read_torch
from model.checkpoints.vocabularies.reading import find_tokenizers
from model.checkpoints.vocabularies.target_language import spoken_language, with_target_language
from model.decoding.generation import Generation, generation_of
from model.interventions import AttentionKind
from model.nn.transformer import Transformer

GENERATION = "generation_config.json"
INDEXES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
WEIGHTS = ("model.safetensors", "pytorch_model.bin", *INDEXES)
"""Files that stand for the folder in which they are."""


def is_huggingface(folder: Path) -> bool:
    """Whether a folder's config.json has a ``model_type``, as the library writes it."""
    path = folder / "config.json"
    try:
        if path.stat().st_size > limits().max_json_bytes:
            return False
        config = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(config, dict) and isinstance(config.get("model_type"), str)


def refuse_adapter(folder: Path) -> None:
    """Raise AdapterError for a folder with a PEFT adapter but not the model itself."""
    path = folder / "adapter_config.json"
    if not path.is_file():
        return
    config = read_json(path)
    base = config.get("base_model_name_or_path") if isinstance(config, dict) else None
    name = f" to {base[:80]}" if isinstance(base, str) and base else ""
    raise AdapterError(
        f"{folder.name} holds only an adapter (LoRA): what it adds{name}, without that model's own weights: {TO_MERGE}"
    )


def _refuse_quantised(config: Any, where: str) -> None:
    described = config.get("quantization_config")
    if described is None:
        return
    method = described.get("quant_method") if isinstance(described, dict) else None
    name = f" ({method[:40]})" if isinstance(method, str) else ""
    raise QuantisedError(f"{where} is quantised{name}, so its numbers are rounded and packed: {TO_UNPACK}")


_TOKENS = ("eos_token_id", "decoder_start_token_id", "forced_bos_token_id", "bos_token_id")
"""What generation_config.json says in place of config.json."""


def _with_generation(folder: Path, config: Any) -> tuple[Any, Generation]:
    """The configuration with the tokens of generation_config.json, and that file's settings, as the library reads them:
    from that file where there is one, otherwise from config.json.

    Raises:
        GenerationError: when a value is of the wrong kind.
        CheckpointError: when the file is damaged.
    """
    path = folder / GENERATION
    if not isinstance(config, dict) or not path.is_file():
        return config, generation_of(config if isinstance(config, dict) else {})
    settings = read_json(path)
    if not isinstance(settings, dict):
        raise UnrecognisedError(
            f"{GENERATION} of {folder.name} must hold settings by name: leave it out, or correct it"
        )
    tokens = {name: settings[name] for name in _TOKENS if settings.get(name) is not None}
    check_token_ids(tokens, f"{GENERATION} of {folder.name}")
    if "decoder_start_token_id" not in tokens and "bos_token_id" in tokens and config.get("is_encoder_decoder"):
        tokens["decoder_start_token_id"] = tokens["bos_token_id"]
    unset = {"forced_bos_token_id": None} if "forced_bos_token_id" in settings else {}
    return config | unset | tokens, generation_of(settings)


def _further_layers(config: Any) -> range:
    """Indices of the layers after the last that predict further tokens (multi-token prediction of DeepSeek-V3)."""
    counts = [config.get(name) for name in ("num_hidden_layers", "num_nextn_predict_layers")]
    n_layers, n_further = (count if type(count) is int and 0 <= count <= limits().max_layers else 0 for count in counts)
    return range(n_layers, n_layers + n_further)


def load_huggingface(folder: Path, name: str, hints: Hints) -> Bundle:
    """Open a folder of the ``transformers`` library.

    Raises:
        CheckpointError: when it is of a kind that is not supported, or its files do not fit each other.
    """
    from model.checkpoints.vocabularies.library_tokenizer import read_tokenizers

    config = read_json(folder / "config.json")
    _refuse_quantised(config, folder.name)
    config, generation = _with_generation(folder, config)
    described = allowed_fields(config)
    kind = described["model_type"]
    attention_kinds(kind)
    refuse_switches(described, folder.name)
    tensors = _read_weights(folder, hints.dtype_policy)
    refuse_packed(tensors, folder.name)
    tensors = as_the_library_names(kind, described, tensors)
    tensors, n_changed = merge_adapter(folder, tensors, kind)
    kinds = attention_kinds(kind, tensors)
    if hints.source_tokens is not None or hints.target_tokens is not None:
        source, target = find_tokenizers({}, hints)
    else:
        source, target = read_tokenizers(folder, hints.source_language, has_decoder="decoder_self" in kinds)
    if kinds == ("encoder_self",):
        described["sep_token_id"] = None if hints.pairs is False else getattr(source, "separator_id", None)
    source_language, target_language = getattr(source, "pair", (None, None))
    network, usual, unused = network_of(
        kind, described, tensors, folder.name, hints.dtype_policy, further=_further_layers(config), folder=folder
    )
    is_ours = isinstance(network, Transformer)
    if kind in READS_NO_TEXT:
        source = None

    def mark() -> str:
        if is_ours:
            return fingerprint_of(network, source, target)
        return fingerprint(tensors, json.dumps(described, sort_keys=True).encode(), source, target)

    opened = Bundle(
        name=hints.name or name or name_in(config.get("_name_or_path")) or kind,
        model=network,
        config=usual,
        source_tokenizer=source,
        target_tokenizer=target,
        family=f"huggingface/{kind}",
        fingerprint=at_first_use(mark, bytes_of(tensors.values())),
        source_language=hints.source_language or source_language,
        generation=generation if "decoder_self" in kinds else None,
        report=Report(
            f"huggingface/{kind}",
            (f'config.json: "model_type": "{kind}"',),
            unused,
            stated=(f"LoRA: {n_changed} weights ({ADAPTER})",) if n_changed else (),
            not_followed=generation.not_followed,
            left_to_choose=generation.followed,
            assumed=_assumptions(network),
            limitations=(
                *(() if is_ours else _limitations(kinds)),
                *((WITHOUT_TOKENS,) if (source or target) is None else ()),
            ),
        ),
    )
    return with_target_language(opened, hints.target_language or spoken_language(opened) or target_language)


def roles(folder: Path, bundle: Bundle) -> dict[str, str]:
    """How each file of an opened folder was used: name -> a key of the report."""
    files = list_files(folder)
    weights = next((name for name in WEIGHTS if name in files), None)
    if weights is None:
        parts = [name for name in files if name.endswith((".safetensors", ".bin", ".index.json"))]
    else:
        parts = [weights]
    read = set(getattr(bundle.source_tokenizer, "files", {})) & set(files)
    read_settings = {"config.json", GENERATION, ADAPTER, FILE, TOGETHER} & set(files)
    parts += [name for name in ADAPTER_WEIGHTS if name in files and ADAPTER in files]
    return (
        dict.fromkeys(read, "tokens_both") | dict.fromkeys(read_settings, "settings") | dict.fromkeys(parts, "weights")
    )


def _limitations(kinds: tuple[AttentionKind, ...]) -> tuple[str, ...]:
    common = ("no_own_format", "no_position_edits", "no_patches", "no_fine_tuning")
    if kinds == ("decoder_self", "cross"):
        return (*common, "no_windows")
    return common if len(kinds) == 3 else (*common, "no_translation")


def _assumptions(network: Any) -> tuple[str, ...]:
    """That the processor of pictures or sounds is the usual one, because the folder has no settings for it."""
    grid = getattr(network, "grid", None)
    return (f"{FILE} = default",) if grid is not None and grid.has_default_settings else ()


def _read_weights(folder: Path, dtype_policy: WeightDtypePolicy) -> dict[str, Tensor]:
    files = {name: path for name, path in list_files(folder).items() if name not in ADAPTER_WEIGHTS}
    if "model.safetensors" in files:
        return read_weights([files["model.safetensors"]], dtype_policy)
    if "pytorch_model.bin" in files:
        return read_torch(files["pytorch_model.bin"]).tensors
    parts = _listed_parts(folder, files) or parts_of([name for name in files if looks_like_weights(files[name])],
                                                     folder.name)  # fmt: skip
    alone = [name for name in files if looks_like_weights(files[name])]
    if not parts and len(alone) == 1:  # a training loop's file beside the configuration
        return read_torch(files[alone[0]]).tensors
    if not parts:
        refuse_adapter(folder)
        other = first_described(files[name] for name in sorted(files))
        raise UnrecognisedError(
            other or f"{folder.name} holds neither model.safetensors nor pytorch_model.bin: add the weights"
        )
    tensors = read_weights([files[part] for part in parts if part.endswith(".safetensors")], dtype_policy)
    for part in parts:
        if not part.endswith(".safetensors"):
            tensors |= read_torch(files[part]).tensors
    return tensors


def is_only_weights(path: Path) -> bool:
    """Whether a file, whatever its name, is the only weights file beside a configuration of the library."""
    if not is_huggingface(path.parent) or not looks_like_weights(path):
        return False
    return [name for name, file in list_files(path.parent).items() if looks_like_weights(file)] == [path.name]


def _listed_parts(folder: Path, files: Mapping[str, Path]) -> list[str]:
    """The files that an index of the weights lists; none without one.

    Raises:
        UnrecognisedError: when it is no index.
        LackingPartError: when some of them are missing.
    """
    index = next((name for name in INDEXES if name in files), None)
    if index is None:
        return []
    index_file = read_json(files[index])
    listed = index_file.get("weight_map") if isinstance(index_file, dict) else None
    if not isinstance(listed, dict):
        raise UnrecognisedError(
            f"{index} has no table of names under “weight_map”: give the index that was saved with these weights"
        )
    parts = sorted({part for part in listed.values() if isinstance(part, str)})
    lacking = [part for part in parts if part not in files]
    if lacking:
        more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        raise LackingPartError(
            f"{folder.name} lacks {lacking[0][:80]}{more}, which its index lists: add that file"
            + (", and the others" if more else "")
        )
    return parts
