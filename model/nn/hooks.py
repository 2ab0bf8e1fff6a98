"""Whether a module has hooks or a replaced ``forward``; the fast paths are not used then."""

from torch import nn
from torch.nn.modules import module as torch_module

_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
_GLOBAL_HOOKS = tuple(f"_global{name}" for name in _HOOKS)


def has_hooks(module: nn.Module) -> bool:
    """Whether a module has hooks, or a ``forward`` that is not the one of its class."""
    return "forward" in vars(module) or any(getattr(module, name, None) for name in _HOOKS)


def has_global_hooks() -> bool:
    """Whether every module of the process has hooks."""
    return any(getattr(torch_module, name, None) for name in _GLOBAL_HOOKS)
