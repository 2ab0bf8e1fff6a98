"""The gradient of a step: of the mean loss per token over all micro-batches, on any number of processes.

A batch that does not fit in the GPU's memory is repeated as two halves. That takes longer and gives the same gradient,
except for dropout, whose masks are redrawn for the halves.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from model.lazy import accelerate
from model.nn.transformer import Transformer
from model.training.data import Batch
from model.training.evaluation import batch_loss
from model.training.events import DeviceMemoryError
from model.training.precision import autocast, choose_precision
from model.training.settings import Precision, TrainingConfig

log = logging.getLogger(__name__)


class _Objective(nn.Module):
    """The summed loss of a micro-batch, as a module that Accelerate wraps."""

    def __init__(self, model: Transformer, smoothing: float) -> None:
        super().__init__()
        self.model, self.smoothing = model, smoothing

    def forward(self, batch: Batch) -> Tensor:
        return batch_loss(self.model, batch.source, batch.prefix, batch.target, batch.is_real, smoothing=self.smoothing)


class Gradients:
    """Accumulates the gradients of a step in a model's parameters."""

    def __init__(self, model: Transformer, config: TrainingConfig, accelerator: accelerate.Accelerator) -> None:
        self.model, self.config, self.accelerator = model, config, accelerator
        objective = _Objective(model, config.label_smoothing)
        # With one process, preparing it changes nothing, but imports PyTorch's distributed tensors, which takes 1 s.
        self.objective = accelerator.prepare(objective) if accelerator.num_processes > 1 else objective
        self.precision: Precision = config.precision
        """The arithmetic; "auto" until the first batch has been measured."""
        self.n_halved = 0
        """How often batches of the latest step were halved."""

    def accumulate(self, micro: Sequence[Batch], step: int, n_tokens: int) -> float:
        """Store the gradient of a step's micro-batches in the parameters, equal on every process.

        Returns:
            The loss per token.

        Raises:
            DeviceMemoryError: when a single sentence does not fit in memory.
        """
        n = self.accelerator.num_processes
        mine = [batch.to(self.accelerator.device) for batch in micro[self.accelerator.process_index :: n]]
        self.n_halved = 0
        total = self._gathered(mine, n / n_tokens, step)
        self._share()
        return float(self.accelerator.reduce(total, "sum")) / n_tokens  # type: ignore[arg-type]

    def _gathered(self, mine: list[Batch], scale: float, step: int) -> Tensor:
        """Accumulate the gradients of this process's batches; if memory runs out, start again with halved batches."""
        while True:
            try:
                return self._accumulated(mine, scale, step)
            except torch.cuda.OutOfMemoryError as error:
                if max(len(batch.source) for batch in mine) == 1:
                    raise DeviceMemoryError(
                        "one sentence alone does not fit in the GPU's memory: lower max_length"
                    ) from error
            log.warning("out of memory: the step is taken again with every batch in two halves")
            self.model.zero_grad(set_to_none=True)  # an interrupted backward pass leaves partial gradients
            self.n_halved += 1
            torch.cuda.empty_cache()
            mine = [part for batch in mine for part in (batch.halves() if len(batch.source) > 1 else (batch,))]

    def _accumulated(self, mine: Sequence[Batch], scale: float, step: int) -> Tensor:
        """The summed loss of some micro-batches, whose gradients are added to those of the parameters."""
        rank, n = self.accelerator.process_index, self.accelerator.num_processes
        total = torch.zeros((), device=self.accelerator.device)
        for index, batch in enumerate(mine):
            # Dropout is seeded by the micro-batch's index, so it does not depend on the process.
            seeds = (self.config.seed, step, index * n + rank)
            torch.manual_seed(int(np.random.SeedSequence(seeds).generate_state(1, np.uint64)[0]))
            if self.precision == "auto":
                self.precision = self._agreed_precision(batch)
                log.info("training in %s on %s", self.precision, self.accelerator.device)
            with self.accelerator.no_sync(self.objective):
                with autocast(self.accelerator.device, self.precision):
                    loss = self.objective(batch)
                self.accelerator.backward(loss * scale)
            total += loss.detach()
        return total

    def _agreed_precision(self, batch: Batch) -> Precision:
        """The precision measured by the main process, sent to all, since separate measurements could differ."""
        chosen: list[Precision] = [
            choose_precision(self.model, batch, "auto") if self.accelerator.is_main_process else "auto"
        ]
        accelerate.utils.broadcast_object_list(chosen)
        return chosen[0]

    def _share(self) -> None:
        """Average the gradients of all processes once per step, after all of its batches.

        Nothing is exchanged during a backward pass: a process that runs out of memory and repeats its batches would
        otherwise mix its second attempt with the first attempts of the others.
        """
        if self.accelerator.num_processes == 1:
            return
        gradients = [parameter.grad for parameter in self.model.parameters() if parameter.grad is not None]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        flat = cast(Tensor, self.accelerator.reduce(flat, "mean"))
        for gradient, shared in zip(gradients, flat.split([gradient.numel() for gradient in gradients]), strict=True):
            gradient.copy_(shared.view_as(gradient))
