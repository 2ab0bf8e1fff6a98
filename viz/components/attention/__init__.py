"""The attention explorer: head grid, map, lines and text of any attention, drawn in the browser."""

from viz.components.attention.assets import SOURCE, standalone
from viz.components.attention.axis import Axis, AxisError
from viz.components.attention.pack import pack
from viz.components.attention.view import AttentionView, ViewError
from viz.state.view_state import ViewState

__all__ = ["SOURCE", "AttentionView", "Axis", "AxisError", "ViewError", "ViewState", "pack", "standalone"]
