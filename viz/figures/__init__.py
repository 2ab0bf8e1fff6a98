"""Figures for pages, papers and notebooks: arrays and tokens in, an Altair chart out."""

from viz.figures.attention_map import attention_map, difference_map
from viz.figures.curves import log_probability_curve, metric_by_layer, sweep_map
from viz.figures.head_grid import head_grid
from viz.figures.paper import Paper, render_for
from viz.figures.rendering import FigureFormat, render

__all__ = [
    "FigureFormat",
    "Paper",
    "attention_map",
    "difference_map",
    "head_grid",
    "log_probability_curve",
    "metric_by_layer",
    "render",
    "render_for",
    "sweep_map",
]
