"""A model of ``transformers`` as our Transformer, from layers described as values.

On a few tokens its logits are compared with the library's before it opens.
"""

import copy
import dataclasses
import logging
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn

from model.checkpoints.basis.assembly import assemble
from model.checkpoints.basis.errors import TensorsError
from model.checkpoints.families.huggingface import decoders, encoders
from model.checkpoints.families.huggingface import stack_tables as tables
from model.checkpoints.families.huggingface.config import contradictions_explained
from model.checkpoints.families.huggingface.stack_description import Described, NotOursError
from model.checkpoints.families.renaming import Table, rename
from model.config import TransformerConfig
from model.interventions import KINDS, AttentionKind
from model.layer_spec import fields_of_layers
from model.nn.transformer import Transformer

_FAMILIES: Mapping[tuple[AttentionKind, ...], Mapping[str, Callable[[Any, Any], Described]]] = {
    ("encoder_self",): encoders.ENCODERS, ("decoder_self",): decoders.DECODERS, KINDS: decoders.ENCODER_DECODERS
}  # fmt: skip
_OF_THE_LIBRARY = (
    tables.LLAMA, tables.GEMMA2, tables.OLMO2, tables.COHERE, tables.PHI3, tables.PHI, tables.STARCODER2,
    tables.PERSIMMON, tables.GPT_NEOX, tables.BLOOM, tables.FALCON, tables.FALCON_NEW, tables.GPT_NEO, tables.GPTJ,
    tables.CODEGEN, tables.MPT, tables.OPT, encoders.BERT, encoders.DISTILBERT, encoders.MPNET,
    encoders.MODERNBERT,
)  # fmt: skip
"""Tables whose names nobody else's code has; those of GPT-2 are nanoGPT's too."""
_IN_LAYER = re.compile(r"(?:^|\.)\d+\.(.+)")
log = logging.getLogger(__name__)


def stack_as_transformer(
    kind: str, kinds: tuple[AttentionKind, ...], network: Any, usual: TransformerConfig, where: str
) -> Transformer | None:
    """The same model as our Transformer; None where it has something that ours lacks.

    Args:
        kinds: of attention that it has.
        network: the library's, around the file's tensors.
        usual: the fields that all kinds have in common.

    Raises:
        CheckpointError: when the configuration contradicts itself.
    """
    describe = _FAMILIES[kinds].get(kind)
    if describe is None:
        return None
    try:
        with contradictions_explained():
            stack = describe(network.config, network)
            stack = encoders.with_head(stack, kind, network) if kinds == ("encoder_self",) else stack
            config = _configuration_of(stack, usual, network, is_decoder=kinds == ("decoder_self",))
        tensors = stack.prepared(dict(network.eval().state_dict()))
        renamed = rename(stack.table, tensors, config, where=where, ignored=stack.ignored, fill=True)
    except NotOursError as error:
        log.info("%a is left to the library, because of %s", where, error)
        return None
    except TensorsError as error:
        log.warning("%a is left to the library: %s", where, error)
        return None
    model = assemble(config, renamed.tensors, where=where)
    return model if agrees(model, network) else None


def _configuration_of(
    stack: Described, usual: TransformerConfig, network: Any, *, is_decoder: bool
) -> TransformerConfig:
    embedding, output = network.get_input_embeddings().weight, network.get_output_embeddings()
    fields: dict[str, Any] = {
        "positions": "none", "max_positions": 512, "encoder_final_norm": is_decoder, "decoder_final_norm": True,
        "output_bias": getattr(output, "bias", None) is not None,
        "tie_output": output is not None and output.weight.data_ptr() == embedding.data_ptr(),
        "target_vocab_size": len(embedding), "source_vocab_size": len(embedding), "dropout": 0.0,
    }  # fmt: skip
    return dataclasses.replace(usual, **fields | fields_of_layers(stack.layers, is_decoder=is_decoder) | stack.fields)


def has_the_librarys_names(names: Iterable[str], *, is_single_stack: bool) -> bool:
    """Whether layers have every name that those of a model of the library have.

    Such a file without its configuration would open as another model: the library's rotary bases, first rows of
    positions, windows, parallel branches and scales leave no trace in a file.
    """
    inside = {match[1] for name in names if (match := _IN_LAYER.search(name))}
    return any(
        _required_names(table) <= inside for table in (_OF_THE_LIBRARY if is_single_stack else (tables.T5GEMMA,))
    )


def _required_names(table: Table) -> set[str]:
    """The matrices and norms of a layer, under the library's names."""
    return {stored.partition("{}.")[2].partition("[")[0].replace("*", "weight") for ours, stored in table.items()
            if "{}." in stored and not re.search(r"fused\.", stored) and not re.search(r"(query|key)_norm", ours)
            and not ours.endswith("bias")}  # fmt: skip


_N_TOKENS = 7
_MOST, _MOST_IN_LOW = 1e-4, 0.03
"""The largest difference of logits, against one more than the largest logit."""
_FEW = 64
"""Rows of the output and neurons of a feed-forward network that are compared in low precision."""
_Place: TypeAlias = tuple[int, torch.Size, tuple[int, ...]]


def agrees(model: Transformer, network: Any) -> bool:
    """Whether both give the same logits for a few tokens: none opens with a wrong number.

    One processor computes them: of so few tokens the others would only wait for each other, in a busy loop.

    Weights of low precision round at every step, and models that keep them are large. There a decoder, and each stack
    of an encoder-decoder, is compared up to the last kind of layer that is new, with a few neurons and a few rows of
    the output; an encoder-only model is compared whole.

    Args:
        network: the library's, around the same tensors.
    """
    n_threads = torch.get_num_threads()
    with ThreadPoolExecutor(1, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        is_same = pool.submit(_agrees, model, network).result()
    torch.set_num_threads(n_threads)  # new threads start with the process's number
    return is_same


@torch.no_grad()
def _agrees(model: Transformer, network: Any) -> bool:
    size, unfit = model.config.target_vocab_size, (model.config.source_pad_id, model.config.separator_id)
    is_low = next(model.parameters()).dtype != torch.float32
    most = _MOST_IN_LOW if is_low else _MOST
    usable = (index % size for index in range(3, 5 + _N_TOKENS) if index % size not in unfit)
    ids = torch.tensor([list(usable)[:_N_TOKENS]])
    if model.config.n_decoder_layers:
        model, network = _small(model, network) if is_low else (model, network)
        source = ids if model.config.n_encoder_layers else ids[:, :0]
        extra = {"decoder_input_ids": ids} if len(source[0]) else {}
        expected = network(input_ids=ids, use_cache=False, **extra).logits
        hidden = model.decode(ids, model.encode(source)).hidden
    else:
        outputs = network(input_ids=ids, attention_mask=torch.ones_like(ids))
        expected = outputs.logits if model.config.masked_head else outputs.last_hidden_state
        hidden = model.encode(ids).memory
    ours = model.project(hidden)
    apart = float((ours - expected).abs().max())
    is_same = apart <= most * (1 + float(expected.abs().max()))
    if not is_same:
        log.warning("our Transformer differs from the library's %s by %.1e", network.config.model_type, apart)
    return is_same


def _small(model: Transformer, network: Any) -> tuple[Transformer, Any]:
    """Both models cut to the first layers of every kind, and to the same few rows of large matrices.

    A matrix is known in both by its place in memory. Those that one of them keeps in another form stay whole.
    """
    stacks = [layers for encoder in (True, False) if (layers := model.config.layers(encoder=encoder))]
    n_layers = max(1 + max(map(layers.index, layers)) for layers in stacks)
    places = {_place(held) for held in network.parameters()}
    few = {}
    for group in _rows(model, n_layers):
        if all(_place(whole) in places for whole, _ in group):
            few |= {_place(whole): nn.Parameter(part, requires_grad=False) for whole, part in group}
    depths = {len(layers) for layers in stacks}
    return _beginning(model, n_layers, depths, few), _beginning(network, n_layers, depths, few)


def _rows(model: Transformer, n_layers: int) -> Iterator[list[tuple[Tensor, Tensor]]]:
    """Matrices and biases that can be truncated together without changing the rest, and their first rows."""
    yield [(whole, whole[:_FEW]) for whole in model.output.parameters()]
    for layer in (*list(model.encoder.layers)[:n_layers], *list(model.decoder.layers)[:n_layers]):
        network: Any = layer.feed_forward
        wide = (network.fc1,) if network.gate is None else (network.fc1, network.gate)
        into = [(whole, whole[:_FEW]) for linear in wide for whole in linear.parameters()]
        yield [*into, (network.fc2.weight, network.fc2.weight[:, :_FEW])]


def _place(tensor: Tensor) -> _Place:
    return tensor.data_ptr(), tensor.shape, tensor.stride()


def _beginning(network: Any, n_layers: int, depths: Collection[int], few: Mapping[_Place, nn.Parameter]) -> Any:
    """A network of the same modules with the first layers alone of lists as long as its stacks are deep, and these
    parameters in the place of others."""

    def twin(module: Any) -> Any:
        if module is None or isinstance(module, nn.Embedding):
            return module
        if isinstance(module, nn.ModuleList) and len(module) in depths:
            return nn.ModuleList(map(twin, list(module)[:n_layers]))
        other = copy.copy(module)
        other._modules = {name: twin(part) for name, part in module._modules.items()}
        other._parameters = {
            name: held if held is None else few.get(_place(held), held) for name, held in module._parameters.items()
        }
        return other

    return twin(network)
