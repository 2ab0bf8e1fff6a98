"""A training run on screen: a bar with loss, rate, speed and time left in a terminal, plain lines in a log."""

from __future__ import annotations

import math

from model.cli.output import errors, progress
from model.training.events import Event, Finished, StepDone, Validated
from model.training.settings import TrainingConfig

LOG_EVERY = 50


class TrainingDisplay:
    """Shows a trainer's events while its ``with`` block lasts."""

    def __init__(self, config: TrainingConfig, *, is_shown: bool) -> None:
        self.config, self.is_shown = config, is_shown
        self.is_live = is_shown and errors().is_terminal
        self.bar = progress("numbers")
        self.task = self.bar.add_task("training", total=config.steps, numbers="")

    def __enter__(self) -> TrainingDisplay:
        if self.is_live:
            self.bar.start()
        return self

    def __exit__(self, *ended: object) -> None:
        if self.is_live:
            self.bar.stop()

    def show(self, event: Event) -> None:
        """Move the bar, or write a line."""
        if not self.is_shown:
            return
        if isinstance(event, StepDone):
            speed = f"{event.tokens_per_second:,.0f} tokens/s"
            numbers = f"loss {event.loss:.3f}  rate {event.learning_rate:.2e}  {speed}"
            if self.is_live:
                self.bar.update(self.task, completed=event.step, numbers=numbers)
            elif event.step == 1 or event.step % LOG_EVERY == 0:
                minutes = event.seconds / event.step * (self.config.steps - event.step) / 60
                left = f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.1f} h"
                self._say(f"step {event.step}/{self.config.steps}  {numbers}  {left} left")
        else:
            self._say(_sentence(event))

    def _say(self, line: str) -> None:
        console = self.bar.console if self.is_live else errors()
        console.print(line, markup=False, soft_wrap=True)


def _sentence(event: Validated | Finished) -> str:
    if isinstance(event, Finished):
        scored = "" if math.isnan(event.loss) else f": validation {_scores(event.loss, event.bleu)}"
        return f"finished after step {event.step}, the {event.chosen} weights chosen{scored}"
    if math.isnan(event.loss):
        return f"step {event.step}: saved; no pairs are held out for validation"
    best = "  (best so far)" if event.is_best else ""
    chrf = "" if math.isnan(event.chrf) else f", chrF {event.chrf:.1f}"
    return f"step {event.step}: validation {_scores(event.loss, event.bleu)}{chrf}{best}"


def _scores(loss: float, bleu: float) -> str:
    if math.isnan(bleu):
        return f"loss {loss:.3f}, perplexity {math.exp(loss):.1f}"
    return f"loss {loss:.3f}, BLEU {bleu:.1f}"
