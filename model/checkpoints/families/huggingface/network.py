"""The network of a folder of the ``transformers`` library: our Transformer where it can be that, otherwise the
library's around the same tensors."""

import dataclasses
import inspect
import itertools
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model.checkpoints.basis.assembly import WithoutDraws
from model.checkpoints.basis.errors import CheckpointError, TensorsError
from model.checkpoints.basis.limits import check_count, limits
from model.checkpoints.basis.precision import WeightDtypePolicy, in_one_dtype, weight_dtype
from model.checkpoints.families.huggingface.config import MORE_ENDS, contradictions_explained
from model.checkpoints.families.huggingface.encoders import MASKED, has_masked_head
from model.checkpoints.families.huggingface.file_tensors import SPARE, account_for_unread, complete, configuration
from model.checkpoints.families.huggingface.kinds import READS_NO_TEXT, VISION, attention_kinds, class_name
from model.checkpoints.families.huggingface.parts import OURS, as_transformer
from model.checkpoints.families.huggingface.stacks import stack_as_transformer
from model.checkpoints.formats.wrapping import best_named, unwrappings
from model.config import TransformerConfig
from model.grid_source import GridSource
from model.interventions import KINDS, AttentionKind
from model.nn.transformer import Transformer

_OVERFLOWING = ("t5", "mt5", "umt5", "longt5", "switch_transformers")
"""Types whose feed-forward networks overflow float16, where the library keeps the last matrix in float32 and clamps: a
file of float16 is computed in float32, which needs neither."""
_OUTPUTS = ("lm_head.weight", "lm_head.bias", "embed_out.weight", "output_projection.weight")
_WINDOW_TABLE = "relative_position_index"
"""Places within Swin's windows, which the library computes and some of its versions store."""
log = logging.getLogger(__name__)


def network_of(
    kind: str,
    described: dict[str, Any],
    tensors: dict[str, Tensor],
    where: str,
    dtype_policy: WeightDtypePolicy,
    *,
    further: range,
    folder: Path,
) -> tuple[Any, Any, tuple[str, ...]]:
    """The model, its configuration under our names, and the unused tensors of the file.

    The model is ours where ours can be it, or the library's in an adapter.

    Args:
        further: see ``account_for_unread``.
        folder: with the settings of a processor, for a model of pictures or of sound.

    Raises:
        CheckpointError: when the files do not fit each other, or hold tensors that the model would not use.
    """
    if kind in _OVERFLOWING and dtype_policy.dtype is None and weight_dtype(tensors, dtype_policy) == torch.float16:
        dtype_policy = WeightDtypePolicy(torch.float32)
    tables = tuple(name for name in tensors if name.endswith(_WINDOW_TABLE)) if kind == VISION else ()
    tensors = {name: tensor for name, tensor in tensors.items() if name not in tables}
    tensors = in_one_dtype(tensors, dtype_policy) | _marian_positions(kind, described, tensors)
    kinds = attention_kinds(kind, tensors)
    reads_text = kind not in READS_NO_TEXT
    ours = _without_modules(kind, described, tensors, where) if kinds == KINDS and reads_text else None
    if ours is not None:
        return ours, ours.config, tuple(name for name in tensors if name == SPARE)
    is_masked = kinds == ("encoder_self",) and has_masked_head(kind, tensors)
    network, unread = _build(MASKED[kind] if is_masked else class_name(kind, kinds), described, tensors, where)
    unused = account_for_unread(unread, tensors, where, is_encoder=kinds == ("encoder_self",), further=further)
    first_token = described.get("forced_bos_token_id")
    if not reads_text:
        _compute_sinusoids(network)
        return *_of_a_grid(kind, kinds, network, first_token, folder), (*unused, *tables)
    usual = _configuration(network.config, first_token)
    if kinds == ("decoder_self",):  # such a model knows no padding, and may write every token
        usual = dataclasses.replace(usual, target_pad_id=usual.eos_id, target_prefix=())
    if kinds == KINDS and kind in OURS:
        ours = as_transformer(kind, network.config, network.state_dict(), usual, where)
    else:
        ours = stack_as_transformer(kind, kinds, network, usual, where)
    if ours is not None:
        return ours, ours.config, unused
    from model.checkpoints.families.huggingface.adapter import HuggingFaceModel

    adapted = HuggingFaceModel(network.base_model if is_masked else network, usual, kinds)
    return adapted, adapted.config, unused


def _compute_sinusoids(network: Any) -> None:
    """Fill TrOCR's position tables, which the library does not register as buffers and leaves uninitialised."""
    for module in network.modules():
        table = getattr(module, "weights", None)
        if isinstance(table, Tensor) and table.is_meta:
            module.weights = module.get_embedding(len(table), module.embedding_dim, module.padding_idx)


def _of_a_grid(
    kind: str, kinds: tuple[AttentionKind, ...], network: Any, first_token: int | None, folder: Path
) -> tuple[Any, TransformerConfig]:
    """A model of pictures or sounds in an adapter, with the preprocessing of its source."""
    from model.checkpoints.families.huggingface.adapter import HuggingFaceModel

    grid: GridSource
    if kind == VISION:
        from model.checkpoints.families.huggingface.grids import Patches

        grid = Patches(folder, network.config.encoder)
    else:
        from model.checkpoints.families.huggingface.grids import Frames

        grid = Frames(folder, network.config)
    adapted = HuggingFaceModel(network, _configuration(network.config, first_token, grid.pad), kinds, grid)
    return adapted, adapted.config


def as_the_library_names(kind: str, described: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors under the library's names, without prefixes of wrappers and training loops."""
    if len(list(itertools.islice(unwrappings(tensors), 2))) == 1:
        return next(unwrappings(tensors))
    import transformers

    network_class = getattr(transformers, class_name(kind, attention_kinds(kind)))
    try:
        config = network_class.config_class.from_dict(dict(described))
        with torch.device("meta"), WithoutDraws():
            expected = network_class(config).state_dict()
    except Exception:  # the library raises whatever a configuration of wrong numbers leads to, and does so again
        return dict(tensors)
    return best_named(tensors, expected, network_class.base_model_prefix)


def _marian_positions(kind: str, described: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Marian's sinusoidal tables, which the library leaves out of the file and computes entry by entry.

    That takes the library most of the time of opening a model; computing whole columns takes almost none.
    """
    length, width = described.get("max_position_embeddings", 1024), described.get("d_model", 1024)
    names = [f"model.{side}.embed_positions.weight" for side in ("encoder", "decoder")]
    if kind != "marian" or set(names) & set(tensors) or not all(type(n) is int and n > 0 for n in (length, width)):
        return {}
    if width % 2 or length * width > limits().max_table:
        return {}
    position = np.arange(length)[:, None] / np.power(10000, 2 * (np.arange(0, width, 2) // 2) / width)  # (P, D/2)
    table = torch.from_numpy(np.concatenate((np.sin(position), np.cos(position)), 1).astype(np.float32))
    return dict.fromkeys(names, table)


def _without_modules(
    kind: str, described: dict[str, Any], tensors: dict[str, Tensor], where: str
) -> Transformer | None:
    """Our Transformer, if every name and shape is as expected; anything else is left to the library's errors."""
    try:
        config = configuration(kind, described)
        named = complete(kind, config, tensors)
        if named is None:
            return None
        return as_transformer(kind, config, named, _configuration(config, described.get("forced_bos_token_id")), where)
    except Exception as error:  # the library raises whatever a configuration of wrong numbers leads to
        log.info("%a is left to the library: %a", where, str(error)[:200])
        return None


def _build(name: str, described: dict[str, Any], tensors: dict[str, Tensor], where: str) -> tuple[Any, tuple[str, ...]]:
    """The library's model with these tensors, and the names of the unused ones.

    Raises:
        TensorsError: naming every missing, unexpected or misshapen tensor.
        CheckpointError: when the library cannot build this configuration.
    """
    import transformers

    network_class = getattr(transformers, name)
    has_pooler = "add_pooling_layer" in inspect.signature(network_class).parameters
    options = {"add_pooling_layer": False} if has_pooler else {}
    try:
        config = network_class.config_class.from_dict(described)
        config._attn_implementation = "eager"
        with torch.device("meta"), WithoutDraws():
            skeleton = network_class(config, **options)
        tensors = tensors | _unused_poolers(skeleton, tensors)
        _check_total(skeleton, sum(tensor.numel() for tensor in tensors.values()), where)
        if _fill(skeleton, tensors):
            return skeleton, ()
        with WithoutDraws(empty="meta"):  # computes its tables, such as rotary frequencies, and allocates no weights
            skeleton = network_class(config, **options)
        if _fill(skeleton, tensors):
            return skeleton, ()
        with quiet():
            network, loading = _counting(network_class).from_pretrained(
                None, config=config, state_dict=dict(tensors), dtype=_type(tensors), output_loading_info=True,
                ignore_mismatched_sizes=True, attn_implementation="eager", **options,
            )  # fmt: skip
    except CheckpointError:
        raise
    except Exception as error:  # the library may raise anything for a configuration of wrong numbers
        raise CheckpointError(
            f"transformers cannot build {where} ({' '.join(str(error).split())[:200]}): check its config.json"
        ) from error
    _check_found(loading, where, network_class.__name__)
    return network, tuple(sorted(loading["unexpected_keys"]))


def _unused_poolers(skeleton: Any, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Zeros for the pooler of an image encoder, which is unused and missing in many files."""
    return {
        name: torch.zeros(held.shape, dtype=_type(tensors))
        for name, held in skeleton.state_dict().items() if name.startswith("encoder.pooler.") and name not in tensors
    }  # fmt: skip


def _counting(network_class: Any) -> Any:
    """The class, whose loader tells every name that it did not read: its own patterns hide names that only contain
    those of a buffer, such as ``attn.bias_of_mine`` beside GPT-2's ``attn.bias``."""

    def adjust(self: Any, loading: Any) -> None:
        unread = set(loading.unexpected_keys)
        network_class._adjust_missing_and_unexpected_keys(self, loading)
        loading.unexpected_keys = unread

    same = {"__module__": network_class.__module__, "__qualname__": network_class.__qualname__}
    return type(network_class.__name__, (network_class,), same | {"_adjust_missing_and_unexpected_keys": adjust})


@contextmanager
def quiet() -> Iterator[None]:
    """Without the library's progress bar and its report of the names, which is ours to give."""
    from transformers.utils import logging as spoken

    verbosity, has_bars = spoken.get_verbosity(), spoken.is_progress_bar_enabled()
    spoken.set_verbosity_error()
    spoken.disable_progress_bar()
    try:
        yield
    finally:
        spoken.set_verbosity(verbosity)
        if has_bars:
            spoken.enable_progress_bar()


def _type(tensors: Mapping[str, Tensor]) -> torch.dtype:
    return next((tensor.dtype for tensor in tensors.values()), torch.float32)


def _fill(skeleton: Any, tensors: Mapping[str, Tensor]) -> bool:
    """Assign the tensors directly if every name and shape is exactly the library's; False if not.

    The library initialises what it is about to overwrite, entry by entry for Marian's positions, which takes it
    most of the time of opening a model.
    """
    expected = skeleton.state_dict()
    if any(name not in expected or expected[name].shape != tensor.shape for name, tensor in tensors.items()):
        return False
    if any(held.is_meta and name not in tensors for name, held in skeleton.named_buffers()):
        return False  # tables that are computed
    skeleton.load_state_dict(tensors, strict=False, assign=True)
    # With the missing keys passed, the library ties weights as it does when loading: an output matrix that the file
    # holds beside the embedding stays separate (T5 v1.1, Flan-T5, mT5), whatever the configuration says.
    skeleton.tie_weights(missing_keys=set(expected) - set(tensors), recompute_mapping=False)
    held = (*skeleton.named_parameters(remove_duplicate=False), *skeleton.named_buffers(remove_duplicate=False))
    return not any(tensor.is_meta for _, tensor in held)


def _check_total(skeleton: Any, n_numbers: int, where: str) -> None:
    """Compare what the library would allocate with the limits and with the size of the file."""
    total = sum(parameter.numel() for parameter in (*skeleton.parameters(), *skeleton.buffers()))
    check_count(total, "parameters", where)
    if total > 2 * n_numbers + 2 * limits().max_table:
        raise CheckpointError(
            f"the config.json of {where} asks for {total:,} numbers, and the weights hold {n_numbers:,}: give the "
            "configuration that was saved with these weights"
        )


def _check_found(loading: Mapping[str, Any], where: str, head: str) -> None:
    misshapen = tuple(
        f"{name} is {'×'.join(map(str, actual))}, not {'×'.join(map(str, expected))}"
        for name, actual, expected in sorted(loading["mismatched_keys"])
    )
    missing = tuple(sorted(loading["missing_keys"]))
    if missing and not misshapen and all(name.endswith(_OUTPUTS) for name in missing):
        raise CheckpointError(
            f"{where} lacks {missing[0]}, the matrix that turns states into tokens, so nothing can be predicted: save "
            f"the model with its language-model head ({head}.save_pretrained)"
        )
    if missing or misshapen:
        raise TensorsError(
            where, missing=missing, unexpected=tuple(sorted(loading["unexpected_keys"])), misshapen=misshapen
        )


def _configuration(config: Any, first_token: int | None, source_pad: int | None = None) -> TransformerConfig:
    """The library's configuration values under our names.

    Args:
        config: the library's.
        first_token: the token with which every translation begins, if the file names one.
        source_pad: the value of padding, one past a source's largest, where that is a picture or a sound.

    Raises:
        CheckpointError: when they contradict each other.
    """

    sides = [part for name in ("encoder", "decoder") if (part := getattr(config, name, None)) is not None]

    def first(*names: str, default: int, of: Sequence[Any] = (config, *sides)) -> int:
        fields = (getattr(part, name, None) for part in of for name in names)
        return next((value for value in fields if isinstance(value, int)), default)

    n_layers = first("encoder_layers", "num_layers", "num_hidden_layers", default=1)
    n_heads = first("encoder_attention_heads", "num_heads", "num_attention_heads", default=1)
    size = first("src_vocab_size", "vocab_size", default=1, of=(*sides[:1], config))
    target_size = first("tgt_vocab_size", "decoder_vocab_size", "vocab_size", default=1, of=(*sides[1:], config))
    pad = first("pad_token_id", default=0)
    size = size if source_pad is None else source_pad + 1
    d_model = first("d_model", "hidden_size", default=1)
    inside = first("encoder_ffn_dim", "d_ff", "intermediate_size", "n_inner", default=4 * d_model)
    head_width = max(1, d_model // max(1, n_heads))
    with contradictions_explained():
        return TransformerConfig(
            source_vocab_size=size, target_vocab_size=target_size, d_model=d_model,
            d_feed_forward=inside,
            d_decoder_feed_forward=None if inside == (other := first("decoder_ffn_dim", default=inside)) else other,
            n_encoder_layers=n_layers, n_decoder_layers=first("decoder_layers", "num_decoder_layers", default=n_layers),
            n_encoder_heads=n_heads, n_decoder_heads=first("decoder_attention_heads", default=n_heads),
            d_key=first("d_kv", default=head_width), d_value=first("d_kv", default=head_width),
            positions="none", max_positions=max(
                1, first("max_target_positions", "max_position_embeddings", "n_positions", default=512)
            ),
            tie_embeddings=False, tie_output=False, mask_target_padding=False,
            target_prefix=() if first_token is None else (first_token,),
            source_pad_id=pad if source_pad is None else source_pad, target_pad_id=pad,
            source_has_bos=False, source_has_eos=False,
            bos_id=first("decoder_start_token_id", "bos_token_id", default=0), eos_id=first("eos_token_id", default=0),
            more_eos_ids=tuple(index for index in getattr(config, MORE_ENDS, ()) if 0 <= index < target_size),
        )  # fmt: skip
