"""Checks on a few tokens that our Transformer computes what the library's model does, before a file is accepted."""

import copy
import logging
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn

from model.nn.transformer import Transformer

_N_TOKENS = 7
_MOST, _MOST_IN_LOW = 1e-4, 0.03
"""The largest difference of logits, against one more than the largest logit."""
_FEW = 64
"""Rows of the output and neurons of a feed-forward network that are compared in low precision."""
_Place: TypeAlias = tuple[int, torch.Size, tuple[int, ...]]
log = logging.getLogger(__name__)


def agrees(model: Transformer, network: Any) -> bool:
    """Whether both give the same logits for a few tokens: none opens with a wrong number.

    One processor computes them: of so few tokens the others would only wait for each other, in a busy loop.

    Weights of low precision round at every step, and are large where they are kept so. There a decoder, and each stack
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
