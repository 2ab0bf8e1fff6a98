"""The layout shared by all Plotly figures of the teaching pages."""

import plotly.graph_objects as go

from viz.theme import Mode, plotly_template


def finished(figure: go.Figure, mode: Mode, height: int, *, top: int = 8) -> go.Figure:
    """The figure with the theme's colours, and margins for its axis labels."""
    figure.update_layout(template=plotly_template(mode), height=height, margin={"t": top})
    figure.update_xaxes(automargin=True)
    figure.update_yaxes(automargin=True)
    figure.update_annotations(font_size=13)
    return figure
