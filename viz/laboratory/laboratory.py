"""The laboratory: eight parts, each of which varies one component of a Transformer to show what it does."""

from viz.laboratory import bench, data, masks, metrics, optimisation, recurrent, scoring, toy
from viz.panels import changes, errors
from viz.panels.reading import current_reading
from viz.panels.widgets import question_picker

DRAW = {
    "scoring": scoring.draw, "kernel": scoring.draw_kernel, "masks": masks.draw, "recurrent": recurrent.draw,
    "optimisation": optimisation.draw, "metrics": metrics.draw, "data": data.draw, "toy": toy.draw,
}  # fmt: skip

reading = current_reading()
changes.chips(reading)
part = bench.choices().part
question_picker(bench.PAGE, bench.QUESTIONS, part)
with errors.explained():
    DRAW[part](reading)
