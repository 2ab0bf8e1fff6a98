"""Training as a film: a slider through the recorded steps, and at each the probe's translation and its heads."""

from viz.components.film.film import SOURCE, Seen, film
from viz.components.film.pack import pack

__all__ = ["SOURCE", "Seen", "film", "pack"]
