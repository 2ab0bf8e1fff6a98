"""Figures for pages, papers and notebooks: arrays and tokens in, an Altair chart out."""

from viz.figures.attention_map import attention_map, difference_map
from viz.figures.curves import log_probability_curve, metric_by_layer, path_map, sweep_map
from viz.figures.head_grid import head_grid
from viz.figures.paper import Paper, render_for
from viz.figures.rendering import FigureFormat, render
from viz.figures.study import alignment_figure, moved_figure, pruning_figure, steering_figure

__all__ = [
    "FigureFormat",
    "Paper",
    "alignment_figure",
    "attention_map",
    "difference_map",
    "head_grid",
    "log_probability_curve",
    "metric_by_layer",
    "moved_figure",
    "path_map",
    "pruning_figure",
    "render",
    "render_for",
    "steering_figure",
    "sweep_map",
]
