"""The scenes of the lesson in their order, each one value in a module of its own."""

from importlib import import_module

from viz.lesson.choices import NAMES
from viz.lesson.scene import Scene

SCENES: tuple[Scene, ...] = tuple(import_module(f"{__name__}.{name}").SCENE for name in NAMES)
