"""Explore: every head of the chosen kind at a glance, one of them large, and how to read it."""

from __future__ import annotations

from viz.panels import changes
from viz.panels.explorer import explorer, view_of
from viz.panels.reading import reading

here = reading()
changes.chips(here)
explorer(view_of(here), (here.key, here.selection.weighting, here.selection.pins))
