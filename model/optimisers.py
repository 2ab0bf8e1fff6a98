"""Optimisers that do not import PyTorch's compiler.

``torch.optim`` imports ``torch._dynamo`` when an optimiser is created and again at each step, only to exclude code from
compilation. The import takes more than a second, as long as a short fine-tuning, and nothing here is compiled.
"""

from inspect import unwrap
from typing import Any

import torch
from torch.optim import Optimizer


class _Uncompiled(Optimizer):
    """PyTorch's methods without the wrappers for the compiler."""

    add_param_group = unwrap(Optimizer.add_param_group)
    load_state_dict = unwrap(Optimizer.load_state_dict)
    state_dict = unwrap(Optimizer.state_dict)
    zero_grad = unwrap(Optimizer.zero_grad)

    def step(self, closure: Any = None) -> Any:
        """One step on the gradients of the parameters."""
        with torch.no_grad():
            return unwrap(torch.optim.Adam.step)(self, closure)


class Adam(_Uncompiled, torch.optim.Adam):
    """``torch.optim.Adam``."""


class AdamW(_Uncompiled, torch.optim.AdamW):
    """``torch.optim.AdamW``."""
