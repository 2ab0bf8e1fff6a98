"""The training loop, shared by the command line, the browser's panel, and runs on several processes.

Accelerate starts and connects the processes. A step is ``accumulation`` micro-batches shared out among them, and its
gradient is that of the mean loss per token over all of them, so the number of processes changes the speed and not the
result.
"""

from __future__ import annotations

import copy
import logging
import math
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import broadcast_object_list
from torch import Tensor, nn
from torch.autograd.graph import increment_version

from model.checkpoints import Bundle, save
from model.checkpoints.own import load_weights
from model.files.atomic import write_atomically
from model.nn.dropout import Dropout
from model.nn.transformer import Transformer
from model.training.data import Batch, Batches, Example, Pair
from model.training.evaluation import batch_loss, evaluate, mean_loss
from model.training.events import DeviceMemoryError, Event, Finished, NotFiniteError, StepDone, Validated
from model.training.folder import RunFolder
from model.training.precision import autocast, choose_precision, take_device
from model.training.schedule import learning_rate
from model.training.settings import Precision, Trainable, TrainingConfig, TrainingError

log = logging.getLogger(__name__)
SMOOTHED_STEPS = 20


@dataclass(frozen=True, slots=True)
class Store:
    """How a run's checkpoints are written and opened."""

    save: Callable[[Bundle, Path], object]
    load: Callable[[Path], Bundle]


OWN = Store(save, load_weights)
"""A Transformer, in the project's own format; of a snapshot the weights alone are asked for."""


class _Objective(nn.Module):
    """The summed loss of a micro-batch: what Accelerate wraps, so that gradients meet across processes."""

    def __init__(self, model: Transformer, smoothing: float) -> None:
        super().__init__()
        self.model, self.smoothing = model, smoothing

    def forward(self, batch: Batch) -> Tensor:
        return batch_loss(self.model, batch.source, batch.prefix, batch.target, batch.is_real, smoothing=self.smoothing)


class Trainer:
    """Trains a bundle's model on examples and reports as it goes; ``run`` is a generator of events.

    Raises:
        TrainingError: when the settings, the device or the data do not allow the run.
    """

    def __init__(
        self,
        bundle: Bundle,
        examples: Sequence[Example],
        validation: Sequence[Pair],
        validation_examples: Sequence[Example],
        config: TrainingConfig,
        folder: RunFolder,
        store: Store = OWN,
    ) -> None:
        if validation and not validation_examples:
            raise TrainingError(
                f"all {len(validation)} validation pairs have more than max_length ({config.max_length}) pieces: raise "
                "it, or give shorter pairs"
            )
        self.config, self.folder, self.bundle, self.store = config, folder, bundle, store
        self.validation, self.validation_examples = validation, validation_examples
        self.accelerator = Accelerator(cpu=take_device(config.device).type == "cpu")
        self.device = self.accelerator.device
        n = self.accelerator.num_processes
        self.micro_batches = math.ceil(config.accumulation / n) * n
        if self.micro_batches != config.accumulation:
            log.warning(
                "accumulation raised from %d to %d for %d processes", config.accumulation, self.micro_batches, n
            )
        self.model = _prepared(bundle.model, config).to(self.device)
        self.objective = self.accelerator.prepare(_Objective(self.model, config.label_smoothing))
        trained = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        self.optimiser = torch.optim.AdamW(
            trained, lr=config.learning_rate, betas=(0.9, 0.98), eps=1e-9, weight_decay=config.weight_decay, fused=True
        )
        self.batches = Batches(examples, self.model.config, config)
        self.precision: Precision = config.precision
        self.step, self.seconds, self.best = 0, 0.0, -math.inf
        self.n_halved = 0
        if self.is_main:
            folder.path.mkdir(parents=True, exist_ok=True)
        if folder.state.exists():
            self._resume()
        if self.is_main:
            write_atomically(folder.settings, config.to_json().encode())

    @property
    def is_main(self) -> bool:
        """Whether this process writes."""
        return self.accelerator.is_main_process

    def run(self, *, should_stop: Callable[[], bool] = lambda: False) -> Iterator[Event]:
        """Train to ``config.steps``, or until ``should_stop`` returns True after a step; a stopped run can be
        resumed."""
        stream = self.batches.iterate(self.step * self.micro_batches)
        recent: list[tuple[float, int]] = []
        self._keep_for_curve()
        self.model.train()
        while self.step < self.config.steps:
            started = time.perf_counter()
            micro = [next(stream) for _ in range(self.micro_batches)]
            n_tokens = sum(batch.n_tokens for batch in micro)
            rate = learning_rate(self.step + 1, self.config, self.model.config.d_model)
            self.n_halved = 0
            loss, norm = self._step(micro, n_tokens, rate)
            self.step += 1
            elapsed = time.perf_counter() - started
            self.seconds += elapsed
            recent = [*recent[-SMOOTHED_STEPS + 1 :], (elapsed, n_tokens)]
            speed = sum(tokens for _, tokens in recent) / sum(seconds for seconds, _ in recent)
            yield self._recorded(StepDone(self.step, loss, rate, norm, speed, self.seconds, self.n_halved))
            self._keep_for_curve()
            is_due = self._is_due(self.step)
            stopping = should_stop()
            if is_due:
                validated = self._validate()
                self.snapshot(is_best=validated.is_best)
                yield self._recorded(validated)
            elif stopping:
                self.snapshot(is_best=False)
            if stopping:
                return
        if self.is_main:
            yield self._recorded(self._finish())
        self.accelerator.wait_for_everyone()

    def _step(self, micro: Sequence[Batch], n_tokens: int, rate: float) -> tuple[float, float]:
        """One optimiser step on this process's share of the micro-batches; loss per token, and gradient norm."""
        n = self.accelerator.num_processes
        mine = micro[self.accelerator.process_index :: n]
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        total = self._gradients([batch.to(self.device) for batch in mine], n / n_tokens)
        self._share_gradients()
        loss = float(self.accelerator.reduce(total, "sum")) / n_tokens  # type: ignore[arg-type]
        self._require_finite("loss", loss, rate)
        norm = self.accelerator.clip_grad_norm_(self.model.parameters(), self.config.max_gradient_norm)
        length = float(norm) if norm is not None else 0.0
        self._require_finite("gradient norm", length, rate)
        self.optimiser.step()
        # The fused kernel leaves the version counters as they were, by which decoding knows that weights have changed.
        increment_version([parameter for group in self.optimiser.param_groups for parameter in group["params"]])
        self.optimiser.zero_grad(set_to_none=True)
        return loss, length

    def _require_finite(self, name: str, value: float, rate: float) -> None:
        """Stop before the optimiser sees a NaN, so that the weights are still those of the last good step."""
        if not math.isfinite(value):
            self.optimiser.zero_grad(set_to_none=True)
            raise NotFiniteError(
                f"the {name} is {value} at step {self.step + 1}: lower the learning rate ({rate:.2g}) and go on from "
                "the last snapshot"
            )

    def _gradients(self, mine: list[Batch], scale: float) -> Tensor:
        """Add up the gradients of this process's share; where memory is too small, begin again with batches halved."""
        while True:
            try:
                return self._accumulated(mine, scale)
            except torch.cuda.OutOfMemoryError as error:
                if max(len(batch.source) for batch in mine) == 1:
                    raise DeviceMemoryError(
                        "one sentence alone does not fit in the GPU's memory: lower max_length"
                    ) from error
            log.warning("out of memory: the step is taken again with every batch in two halves")
            self.optimiser.zero_grad(set_to_none=True)  # a backward pass that broke off leaves parts of gradients
            self.n_halved += 1
            torch.cuda.empty_cache()
            mine = [part for batch in mine for part in (batch.halves() if len(batch.source) > 1 else (batch,))]

    def _accumulated(self, mine: Sequence[Batch], scale: float) -> Tensor:
        """Summed loss of some micro-batches, their gradients added to the parameters'."""
        rank, n = self.accelerator.process_index, self.accelerator.num_processes
        total = torch.zeros((), device=self.device)
        for index, batch in enumerate(mine):
            # Dropout by the micro-batch's own number, whichever process takes it.
            seeds = (self.config.seed, self.step, index * n + rank)
            torch.manual_seed(int(np.random.SeedSequence(seeds).generate_state(1, np.uint64)[0]))
            if self.precision == "auto":
                self.precision = self._agreed_precision(batch)
                log.info("training in %s on %s", self.precision, self.device)
            with self.accelerator.no_sync(self.objective):
                with autocast(self.device, self.precision):
                    loss = self.objective(batch)
                self.accelerator.backward(loss * scale)
            total += loss.detach()
        return total

    def _agreed_precision(self, batch: Batch) -> Precision:
        """The main process's measurement, sent to all: measured separately, processes could choose differently."""
        chosen: list[Precision] = [choose_precision(self.model, batch, "auto") if self.is_main else "auto"]
        broadcast_object_list(chosen)
        return chosen[0]

    def _share_gradients(self) -> None:
        """Average the gradients of all processes, once a step and after all of its batches.

        During a backward pass nothing is exchanged: a process that runs out of memory and takes its batches again
        would otherwise send its second try to where the others wait for the first.
        """
        if self.accelerator.num_processes == 1:
            return
        gradients = [parameter.grad for parameter in self.model.parameters() if parameter.grad is not None]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        flat = cast(Tensor, self.accelerator.reduce(flat, "mean"))
        for gradient, shared in zip(gradients, flat.split([gradient.numel() for gradient in gradients]), strict=True):
            gradient.copy_(shared.view_as(gradient))

    def _validate(self) -> Validated:
        if not self.is_main or not self.validation:
            return Validated(self.step, math.nan, math.nan, math.nan, False)
        loss, bleu, chrf = self._scores(self.model)
        is_best = bleu > self.best
        self.best = max(self.best, bleu)
        return Validated(self.step, loss, bleu, chrf, is_best)

    def _scores(self, model: Transformer) -> tuple[float, float, float]:
        scores = evaluate(replace(self.bundle, model=model), self.validation)
        return mean_loss(model, self.validation_examples, self.batches), scores.bleu, scores.chrf

    def snapshot(self, *, is_best: bool = False) -> None:
        """Keep the weights and all that a resumed run needs; forget the oldest snapshots, but not the best."""
        if not self.is_main:
            return
        path = self.folder.snapshot(self.step)
        self.store.save(replace(self.bundle, model=self.model, name=path.name), path)
        if is_best:
            write_atomically(self.folder.best, path.name.encode())
        state = BytesIO()
        torch.save(
            {"step": self.step, "seconds": self.seconds, "best": self.best, "precision": self.precision,
             "optimiser": self.optimiser.state_dict()},
            state,
        )  # fmt: skip
        write_atomically(self.folder.state, state.getvalue())
        kept = {path, self.folder.best_snapshot(), *self._last_snapshots()}
        for old in self.folder.snapshots():
            if old not in kept:
                shutil.rmtree(old)

    def _keep_for_curve(self) -> None:
        if self.is_main and self.step in self.config.curve_steps():
            path = self.folder.curve(self.step)
            self.store.save(replace(self.bundle, model=self.model, name=path.name), path)

    def _is_due(self, step: int) -> bool:
        """Whether a step ends with a validation and a snapshot."""
        return step % self.config.validate_every == 0 or step == self.config.steps

    def _last_snapshots(self) -> list[Path]:
        """The newest few; one left by an interruption is not among them, so that it changes nothing in the result."""
        due = [path for path in self.folder.snapshots() if self._is_due(int(path.name))]
        return due[-self.config.keep_last :]

    def _resume(self) -> None:
        state = torch.load(self.folder.state, map_location=self.device, weights_only=True)
        if state["step"] > self.config.steps:
            raise TrainingError(
                f"steps ({self.config.steps}) must be at least the {state['step']} that this run has taken already"
            )
        self.step, self.seconds, self.best = state["step"], state["seconds"], state["best"]
        self.precision = state["precision"]
        snapshot = self.store.load(self.folder.snapshot(self.step))
        self.model.load_state_dict(snapshot.model.state_dict())
        self.optimiser.load_state_dict(state["optimiser"])
        if self.is_main:
            self.folder.forget_after(self.step)
        log.info("going on from step %d", self.step)

    def _finish(self) -> Finished:
        """Write the better of the best snapshot and the average of the last ones."""
        best = self.folder.best_snapshot() or self.folder.snapshot(self.step)
        candidates = {
            "best": self.store.load(best).model,
            "average": average(self._last_snapshots(), self.store.load),
        }
        if not self.validation:
            candidates = {"last": self.model}
        scores = {name: self._scores(model.to(self.device)) if self.validation else (math.nan,) * 3
                  for name, model in candidates.items()}  # fmt: skip
        chosen = max(scores, key=lambda name: (scores[name][1], -scores[name][0]))
        self.store.save(replace(self.bundle, model=candidates[chosen].cpu()), self.folder.result)
        return Finished(self.step, chosen, scores[chosen][1], scores[chosen][0])

    def _recorded(self, event: Event) -> Event:
        if self.is_main:
            self.folder.record({"kind": type(event).__name__, **asdict(event)})
        return event


def average(snapshots: Sequence[Path], open_snapshot: Callable[[Path], Bundle] = load_weights) -> Any:
    """The model whose weights are the mean of several snapshots' (Vaswani et al. 2017, section 6.1)."""
    models = [open_snapshot(path).model for path in snapshots]
    mean = models[-1]
    with torch.no_grad():
        for name, parameter in mean.named_parameters():
            parameter.copy_(torch.stack([dict(model.named_parameters())[name] for model in models]).mean(0))
    return mean


def _prepared(model: Transformer, config: TrainingConfig) -> Transformer:
    """A copy to train, so that the original stays as it is: dropout set, and only what is to be trained trainable."""
    model = copy.deepcopy(model)
    for module in model.modules():
        if isinstance(module, Dropout) and config.dropout is not None:
            module.p = config.dropout
    trained = trainable_names(model, config.trains)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(name in trained)
    return model


def trainable_names(model: Transformer, trains: Trainable) -> set[str]:
    """Names of the parameters that a choice of what trains means."""
    last = (
        f"encoder.layers.{model.config.n_encoder_layers - 1}.",
        f"decoder.layers.{model.config.n_decoder_layers - 1}.",
    )
    return {
        name
        for name, _ in model.named_parameters()
        if trains == "everything"
        or (trains == "cross-attention" and "cross_attention" in name)
        or (trains == "last-layers" and name.startswith(last))
    }
