"""Builds a Transformer from a configuration and named tensors, checking every name before anything is allocated."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from model.checkpoints.basis.errors import LimitError, TensorsError
from model.checkpoints.basis.identity import fingerprint
from model.checkpoints.basis.limits import check_count, limits
from model.checkpoints.basis.precision import AS_STORED, WeightDtypePolicy, in_one_dtype
from model.config import SINUSOIDAL, TransformerConfig
from model.nn.positional import computed_rows
from model.nn.protocol import EncoderDecoder
from model.nn.transformer import Transformer
from model.text.tokenizer import Tokenizer

TABLES = ("encoder.positions.computed", "decoder.positions.computed")
"""Names of the stored position tables of converted checkpoints."""


def check_size(config: TransformerConfig) -> None:
    """Raise LimitError if a configuration is larger than this installation allows."""
    bounds = limits()
    heads = max(config.n_encoder_heads, config.n_decoder_heads)
    for name, value, most in (
        ("n_encoder_layers", config.n_encoder_layers, bounds.max_layers),
        ("n_decoder_layers", config.n_decoder_layers, bounds.max_layers),
        ("heads", heads, bounds.max_heads),
        ("d_model", config.d_model, bounds.max_width),
        ("d_feed_forward", max(config.d_feed_forward, config.decoder_feed_forward), bounds.max_width),
        ("heads × d_key", heads * (config.d_key or 1), bounds.max_width),
        ("heads × d_value", heads * (config.d_value or 1), bounds.max_width),
        ("vocabulary", max(config.source_vocab_size, config.target_vocab_size), bounds.max_vocabulary),
        ("max_positions", config.max_positions + abs(config.position_offset), bounds.max_positions),
        ("max_positions × d_model", config.max_positions * config.d_model, bounds.max_table),
        ("rows of token types", config.token_types, bounds.max_positions),
        ("d_embedding", config.embedding_width, bounds.max_width),
        *(
            (name, value, bounds.max_width)
            for spec in config.layer_specs
            for part in (spec.attention, spec.cross or spec.attention)
            for name, value in (
                ("d_feed_forward", spec.d_feed_forward),
                ("heads × d_key", part.n_heads * part.d_key),
                ("heads × d_value", part.n_heads * part.d_value),
            )
        ),
    ):
        if value > most:
            raise LimitError(f"{name} ({value:,}) must be at most {most:,} on this installation")


_DRAWS = frozenset({Tensor.normal_, Tensor.uniform_, Tensor.zero_, Tensor.fill_, Tensor.erfinv_, Tensor.mul_})
"""Functions of weight initialisation, skipped for tensors without memory."""
_INITIALISERS = ("torch.nn.init", "transformers.initialization")
"""Modules with initialisation functions; the second replaces those of the first while a model is built."""


def skeleton(config: TransformerConfig) -> Transformer:
    """The Transformer of a configuration on the meta device: shapes without memory."""
    check_size(config)
    with torch.device("meta"), WithoutDraws():
        return Transformer(config)


@lru_cache(maxsize=8)
def expected_tensors(config: TransformerConfig) -> Mapping[str, Tensor]:
    """The tensors of a configuration by name, on the meta device."""
    return skeleton(config).state_dict()


class WithoutDraws(TorchFunctionMode):
    """Skips random initialisation, which takes most of the time of building modules.

    Args:
        empty: the device of uninitialised tensors, such as weights; "": unchanged.
    """

    def __init__(self, empty: str = "") -> None:
        super().__init__()
        self.empty = empty

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        options = kwargs or {}
        if getattr(func, "__module__", "") in _INITIALISERS:
            tensor = options.get("tensor", args[0] if args else None)
            if tensor is None or tensor.is_meta:
                return tensor
        if func in _DRAWS and args[0].is_meta:
            return args[0]
        if self.empty and func is torch.empty:
            options["device"] = self.empty
        return func(*args, **options)


def aliases(config: TransformerConfig) -> dict[str, str]:
    """Names of shared tensors: alias -> stored name."""
    shared = {}
    side = "decoder" if config.n_decoder_layers else "encoder"
    if config.tie_embeddings and not config.is_single_stack:
        shared["decoder.embedding.weight"] = "encoder.embedding.weight"
    if config.tie_output and config.predicts:
        shared["output.weight"] = shared.get(f"{side}.embedding.weight", f"{side}.embedding.weight")
    if config.shares_layers:
        n_layers = config.n_encoder_layers or config.n_decoder_layers
        first = f"{side}.layers.0."
        with torch.device("meta"), WithoutDraws():
            alone = Transformer(config).state_dict()
        names = [name.removeprefix(first) for name in alone if name.startswith(first)]
        shared |= {f"{side}.layers.{i}.{name}": f"{first}{name}" for i in range(1, n_layers) for name in names}
    return shared


def check_tensors(where: str, expected: Mapping[str, Tensor], shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Raise TensorsError if shapes differ from the expected ones."""
    missing = tuple(name for name in expected if name not in shapes)
    unexpected = tuple(name for name in shapes if name not in expected)
    misshapen = tuple(
        f"{name} is {'×'.join(map(str, shapes[name]))}, not {'×'.join(map(str, tensor.shape))}"
        for name, tensor in expected.items()
        if name in shapes and tuple(shapes[name]) != tuple(tensor.shape)
    )
    if missing or unexpected or misshapen:
        raise TensorsError(where, missing=missing, unexpected=unexpected, misshapen=misshapen)


def stored_names(model: EncoderDecoder) -> dict[str, Tensor]:
    """The tensors to store by name, without aliases."""
    shared = aliases(model.config)
    return {name: tensor for name, tensor in model.state_dict().items() if name not in shared}


def assemble(
    config: TransformerConfig,
    tensors: Mapping[str, Tensor],
    *,
    where: str,
    tables: tuple[Tensor | None, Tensor | None] = (None, None),
    dtype_policy: WeightDtypePolicy = AS_STORED,
) -> Transformer:
    """A Transformer in eval mode around these tensors; tensors of the target dtype are not copied.

    Args:
        tables: the position tables (P, D) of source and target, if they are not computed.
        dtype_policy: the dtype of the weights; by default the most frequent dtype of the tensors.

    Raises:
        TensorsError: when names or shapes do not fit.
        LimitError: when the configuration is beyond the limits.
    """
    model = skeleton(config)
    shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    check_tensors(where, stored_names(model), shapes)
    check_count(sum(tensor.numel() for tensor in tensors.values()), "parameters", where)
    state = in_one_dtype(tensors, dtype_policy)
    dtype = next(iter(state.values())).dtype
    for alias, name in aliases(config).items():
        state[alias] = state[name]
    model.load_state_dict(state, strict=True, assign=True)
    model.tie_output()
    if config.positions in SINUSOIDAL:
        for stack, table in zip((model.encoder, model.decoder), tables, strict=True):
            if stack.is_absent:
                continue
            chosen = computed_table(config) if table is None else _fitting(table, config, where)
            stack.positions.register_buffer("table", chosen, persistent=False)
    return model.to(dtype).eval()


def computed_table(config: TransformerConfig) -> Tensor:
    """The sinusoidal table of a configuration, (P, D)."""
    return computed_rows(config.positions, config.max_positions, config.embedding_width)


def _fitting(table: Tensor, config: TransformerConfig, where: str) -> Tensor:
    shape = tuple(table.shape)
    width = config.embedding_width
    if table.dim() < 2 or shape[-1] != width or table.numel() != max(shape[:-1]) * width:
        raise TensorsError(where, misshapen=(f"the position table is {'×'.join(map(str, shape))}",))
    return table.reshape(-1, width).to(torch.float32)  # (P, D)


def fingerprint_of(model: Transformer, *tokenizers: Tokenizer | None) -> str:
    """The fingerprint of a Transformer and its vocabularies, the same for every file format."""
    return fingerprint(
        stored_names(model) | stored_position_tables(model), model.config.to_json().encode(), *tokenizers
    )


def stored_position_tables(model: Transformer) -> dict[str, Tensor]:
    """Position tables that differ from ours, which happens in the last bit of converted checkpoints."""
    if model.config.positions not in SINUSOIDAL:
        return {}
    computed = computed_table(model.config)
    tables = {}
    for name, stack in zip(TABLES, (model.encoder, model.decoder), strict=True):
        table = getattr(stack.positions, "table", None)
        if table is not None and (table.shape != computed.shape or not torch.equal(table.cpu(), computed)):
            tables[name] = table.detach().cpu()
    return tables
