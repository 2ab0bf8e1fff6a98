"""The training loop, shared by the command line, the training page, and runs on several processes.

Accelerate starts and connects the processes. The ``accumulation`` micro-batches of a step are distributed among them,
and the gradient is that of the mean loss per token over all of them, so the number of processes changes only the speed.
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
from typing import Any

import torch
from torch import nn
from torch.autograd.graph import increment_version

from model.checkpoints import Bundle, save
from model.checkpoints.native_format import load_weights
from model.files.atomic import write_atomically
from model.lazy import accelerate
from model.nn.dropout import Dropout
from model.nn.protocol import EncoderDecoder
from model.nn.transformer import Transformer
from model.optimisers import AdamW
from model.runs.folder import RunFolder
from model.text.pairs import Pair
from model.training.data import Batch, Batches, Example
from model.training.evaluation import evaluate, mean_loss
from model.training.events import Event, Finished, NotFiniteError, StepDone, Validated
from model.training.gradients import Gradients
from model.training.precision import take_device
from model.training.settings import Precision, Trainable, TrainingConfig, TrainingError, learning_rate

log = logging.getLogger(__name__)
SMOOTHED_STEPS = 20


@dataclass(frozen=True, slots=True)
class Store:
    """How a run's checkpoints are written and opened."""

    save: Callable[[Bundle, Path], object]
    load: Callable[[Path], Bundle]


OWN = Store(save, load_weights)
"""Stores a Transformer in the project's own format; for a snapshot, only the weights are loaded."""


class Trainer:
    """Trains a bundle's model on examples; ``run`` yields events.

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
                "max_length, or give shorter pairs"
            )
        self.config, self.folder, self.bundle, self.store = config, folder, bundle, store
        self.validation, self.validation_examples = validation, validation_examples
        self.accelerator = accelerate.Accelerator(cpu=take_device(config.device).type == "cpu")
        self.device = self.accelerator.device
        n = self.accelerator.num_processes
        self.micro_batches = math.ceil(config.accumulation / n) * n
        if self.micro_batches != config.accumulation:
            log.warning(
                "accumulation raised from %d to %d for %d processes", config.accumulation, self.micro_batches, n
            )
        self.model = trainable_copy(bundle.model, config).to(self.device)
        self.gradients = Gradients(self.model, config, self.accelerator)
        trained = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        self.optimiser = AdamW(
            trained, lr=config.learning_rate, betas=(0.9, 0.98), eps=1e-9, weight_decay=config.weight_decay, fused=True
        )
        self.batches = Batches(examples, self.model.config, config, bundle.source_tokenizer)
        self.step, self.seconds, self.best = 0, 0.0, -math.inf
        if self.is_main:
            folder.path.mkdir(parents=True, exist_ok=True)
        if folder.state.exists():
            self._resume()
        if self.is_main:
            write_atomically(folder.settings, config.to_json().encode())

    @property
    def is_main(self) -> bool:
        """Whether this process writes the files of the run."""
        return self.accelerator.is_main_process

    @property
    def precision(self) -> Precision:
        """The precision of the run; "auto" until its first batch has been measured."""
        return self.gradients.precision

    def run(self, *, should_stop: Callable[[], bool] = lambda: False) -> Iterator[Event]:
        """Train to ``config.steps``, or until ``should_stop`` returns True after a step; a stopped run can resume."""
        stream = self.batches.iterate(self.step * self.micro_batches)
        recent: list[tuple[float, int]] = []
        self._keep_for_curve()
        self.model.train()
        while self.step < self.config.steps:
            started = time.perf_counter()
            micro = [next(stream) for _ in range(self.micro_batches)]
            n_tokens = sum(batch.n_tokens for batch in micro)
            rate = learning_rate(self.step + 1, self.config, self.model.config.d_model)
            loss, norm = self._step(micro, n_tokens, rate)
            self.step += 1
            elapsed = time.perf_counter() - started
            self.seconds += elapsed
            recent = [*recent[-SMOOTHED_STEPS + 1 :], (elapsed, n_tokens)]
            speed = sum(tokens for _, tokens in recent) / sum(seconds for seconds, _ in recent)
            yield self._recorded(StepDone(self.step, loss, rate, norm, speed, self.seconds, self.gradients.n_halved))
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
        """Make one optimiser step; returns the loss per token and the gradient norm."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        loss = self.gradients.accumulate(micro, self.step, n_tokens)
        self._require_finite("loss", loss, rate)
        length = float(nn.utils.clip_grad_norm_(self.model.parameters(), self.config.max_gradient_norm))
        self._require_finite("gradient norm", length, rate)
        self.optimiser.step()
        # The fused kernel does not update the version counters by which decoding detects changed weights.
        increment_version([parameter for group in self.optimiser.param_groups for parameter in group["params"]])
        self.optimiser.zero_grad(set_to_none=True)
        return loss, length

    def _require_finite(self, name: str, value: float, rate: float) -> None:
        """Raise NotFiniteError before the optimiser step, so that the weights are still those of the last good step."""
        if not math.isfinite(value):
            self.optimiser.zero_grad(set_to_none=True)
            raise NotFiniteError(
                f"the {name} is {value} at step {self.step + 1}: lower the learning rate ({rate:.2g}) and resume "
                "from the last snapshot"
            )

    def _validate(self) -> Validated:
        if not self.is_main or not self.validation:
            return Validated(self.step, math.nan, math.nan, math.nan, False)
        loss, bleu, chrf = self._scores(self.model)
        quality = _quality(loss, bleu)[0]
        is_best = quality > self.best
        self.best = max(self.best, quality)
        return Validated(self.step, loss, bleu, chrf, is_best)

    def _scores(self, model: Transformer) -> tuple[float, float, float]:
        """Loss, BLEU and chrF; for a decoder-only model only the loss, and NaN."""
        loss = mean_loss(model, self.validation_examples, self.batches)
        if model.config.is_single_stack:
            return loss, math.nan, math.nan
        scores = evaluate(replace(self.bundle, model=model), self.validation)
        return loss, scores.bleu, scores.chrf

    def snapshot(self, *, is_best: bool = False) -> None:
        """Store the weights and the state for resuming; delete the oldest snapshots except the best."""
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
        snapshots = {path, self.folder.best_snapshot(), *self._last_snapshots()}
        for old in self.folder.snapshots():
            if old not in snapshots:
                shutil.rmtree(old)

    def _keep_for_curve(self) -> None:
        if self.is_main and self.step in self.config.curve_steps():
            path = self.folder.curve(self.step)
            self.store.save(replace(self.bundle, model=self.model, name=path.name), path)

    def _is_due(self, step: int) -> bool:
        """Whether a step ends with a validation and a snapshot."""
        return step % self.config.validate_every == 0 or step == self.config.steps

    def _last_snapshots(self) -> list[Path]:
        """The latest snapshots that count for the average, without one due to an interruption, so that interruptions do
        not change the result."""
        due = [path for path in self.folder.snapshots() if self._is_due(int(path.name))]
        return due[-self.config.keep_last :]

    def _resume(self) -> None:
        state = torch.load(self.folder.state, map_location=self.device, weights_only=True)
        if state["step"] > self.config.steps:
            raise TrainingError(
                f"steps ({self.config.steps}) must be at least {state['step']}, the steps that this run has already "
                "taken"
            )
        self.step, self.seconds, self.best = state["step"], state["seconds"], state["best"]
        self.gradients.precision = state["precision"]
        snapshot = self.store.load(self.folder.snapshot(self.step))
        self.model.load_state_dict(snapshot.model.state_dict())
        self.optimiser.load_state_dict(state["optimiser"])
        if self.is_main:
            self.folder.forget_after(self.step)
        log.info("going on from step %d", self.step)

    def _finish(self) -> Finished:
        """Write the better of the best snapshot and the average of the last snapshots."""
        best = self.folder.best_snapshot() or self.folder.snapshot(self.step)
        candidates = {"best": self.store.load(best).model, "average": average(self._last_snapshots(), self.store.load)}
        if not self.validation:
            candidates = {"last": self.model}
        scores = {name: self._scores(model.to(self.device)) if self.validation else (math.nan,) * 3
                  for name, model in candidates.items()}  # fmt: skip
        chosen = max(scores, key=lambda name: _quality(*scores[name][:2]))
        self.store.save(replace(self.bundle, model=candidates[chosen].cpu()), self.folder.result)
        return Finished(self.step, chosen, scores[chosen][1], scores[chosen][0])

    def _recorded(self, event: Event) -> Event:
        if self.is_main:
            self.folder.record({"kind": type(event).__name__, **asdict(event)})
        return event


def _quality(loss: float, bleu: float) -> tuple[float, float]:
    """Sort key of snapshots, larger is better: BLEU, then the loss; for a decoder-only model, the loss."""
    return (-loss if math.isnan(bleu) else bleu), -loss


def average(snapshots: Sequence[Any], open_snapshot: Callable[[Any], Bundle] = load_weights) -> Any:
    """The model whose weights are the mean of several snapshots' (Vaswani et al. 2017, section 6.1)."""
    models = [open_snapshot(path).model for path in snapshots]
    weights = [dict(model.named_parameters()) for model in models]
    with torch.no_grad():
        for name, parameter in weights[-1].items():
            parameter.copy_(torch.stack([named[name] for named in weights]).mean(0))
    return models[-1]


def trainable_copy(model: EncoderDecoder, config: TrainingConfig) -> Transformer:
    """A copy to train, with dropout set, in which only the parameters to be trained require gradients."""
    copied: Any = copy.deepcopy(model)
    for module in copied.modules():
        if isinstance(module, Dropout) and config.dropout is not None:
            module.p = config.dropout
    trained = trainable_names(copied, config.trains)
    for name, parameter in copied.named_parameters():
        parameter.requires_grad_(name in trained)
    return copied


def trainable_names(model: EncoderDecoder, trains: Trainable) -> set[str]:
    """Names of the parameters that ``trains`` selects."""
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
