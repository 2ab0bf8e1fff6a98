"""What every Plotly figure of the teaching pages ends with."""

import plotly.graph_objects as go

from viz.theme import Mode, plotly_template


def finished(figure: go.Figure, mode: Mode, height: int, *, top: int = 8) -> go.Figure:
    """The figure in the reader's colours, with room for the names on its axes."""
    figure.update_layout(template=plotly_template(mode), height=height, margin={"t": top})
    figure.update_xaxes(automargin=True)
    figure.update_yaxes(automargin=True)
    figure.update_annotations(font_size=13)
    return figure
