"""A simulated second device: its tensors compute on the CPU but reject tensors that were not moved to the device.

Without a GPU, tests find with it what a GPU would reject: a tensor created on the CPU within a computation, or a
result read without being moved back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

FAR = torch.device("meta")
"""The name of the simulated device; tensors of ``meta`` have no memory that could be read by mistake."""
_MOVES = {torch.ops.aten._to_copy.default, torch.ops.aten.copy_.default}


class FarTensor(Tensor):
    """A tensor on the simulated device, with its values in ``near``."""

    near: Tensor

    @staticmethod
    def __new__(cls, near: Tensor) -> FarTensor:
        with torch.inference_mode(False):  # a view of a plain tensor is also plain, even in inference mode
            tensor = Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]
                cls, near.shape, strides=near.stride(), storage_offset=near.storage_offset(), dtype=near.dtype,
                device=FAR, requires_grad=near.requires_grad,
            )  # fmt: skip
        tensor.near = near
        return tensor

    def __repr__(self, **_: Any) -> str:
        return f"FarTensor({self.near!r})"

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:  # pyrefly: ignore[bad-override]
        return _compute(func, args, kwargs or {})


def _compute(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    arguments = tree_flatten((args, kwargs))[0]
    tensors = [item for item in arguments if isinstance(item, Tensor)]
    is_far = any(isinstance(item, FarTensor) for item in tensors)
    strays = [item for item in tensors if not isinstance(item, FarTensor) and item.dim() > 0]
    devices = [item for item in arguments if isinstance(item, torch.device)]
    if is_far and strays and func not in _MOVES:
        raise RuntimeError(f"{func} was given a tensor {tuple(strays[0].shape)} that is not on the model's device")
    if devices:
        is_far = devices[0] == FAR
    if func is torch.ops.aten.copy_.default:
        is_far = isinstance(args[0], FarTensor)
    result = func(*tree_map(_near, args), **tree_map(_near, kwargs))
    if not is_far:
        return result
    if args and isinstance(args[0], FarTensor) and result is args[0].near:
        return args[0]  # an operation in place returns what it changed
    return tree_map(_far, result)


def _near(item: Any) -> Any:
    if isinstance(item, torch.device):
        return torch.device("cpu")
    return item.near if isinstance(item, FarTensor) else item


def _far(item: Any) -> Any:
    return FarTensor(item) if isinstance(item, Tensor) and not isinstance(item, FarTensor) else item


class _Operations(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _compute(func, args, kwargs or {})


class _Factories(TorchFunctionMode):
    """``torch.tensor(…, device=…)`` and ``tolist``, which PyTorch handles before dispatching."""

    def __torch_function__(self, func: Callable, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func is Tensor.tolist and isinstance(args[0], FarTensor):
            return args[0].near.tolist()
        device = kwargs.get("device")
        if device is None or torch.device(device) != FAR or any(isinstance(item, Tensor) for item in args):
            return func(*args, **kwargs)
        return FarTensor(func(*args, **{**kwargs, "device": "cpu"}))


@contextmanager
def far_device(model: nn.Module) -> Iterator[None]:
    """Move a model's parameters and buffers to the simulated device, and check every computation."""
    for module in model.modules():
        for name, parameter in module._parameters.items():
            if parameter is not None:
                module._parameters[name] = nn.Parameter(FarTensor(parameter.detach()))
        for name, buffer in module._buffers.items():
            if buffer is not None:
                module._buffers[name] = FarTensor(buffer)
    with _Factories(), _Operations():
        yield
