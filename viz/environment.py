"""Names that the server and the pages share: environment variables and a cookie. This module imports
nothing of ours."""

import os

CHECKPOINT_VARIABLE = "REGARD_CHECKPOINT"
"""A checkpoint to open beside the shipped ones; ``--checkpoint`` sets it."""
COLLECT_VARIABLE = "REGARD_COLLECT_SECONDS"
"""Seconds between two collections of garbage."""
REPLICA_VARIABLE = "REGARD_REPLICA"
"""This server's name among several behind one proxy, which sends a visitor back to it."""
VISITOR_COOKIE = "regard_visitor"
"""A random name of a browser, so that it finds its training runs again after a reload. It holds nothing else."""
COMPUTATION_VARIABLE = "REGARD_COMPUTATION_MB"
"""Memory of one computation, MiB."""
COMPUTATION_MB = "1024"
"""The application's default, lower than the library's because its visitors share one process."""
NAMED_RUNS_VARIABLE = "REGARD_NAMED_RUNS"
"""1 lets every visitor open training runs by the names that were given to them in a terminal."""
METRICS_VARIABLE = "REGARD_METRICS"
"""1 serves Streamlit's metrics, which are not served by default."""
SURVEY_VARIABLE = "REGARD_SURVEY"
"""A folder with a survey for the Corpus page; the shipped one without it; ``--survey`` sets it."""
SITE_VARIABLE = "REGARD_SITE"
"""Address of the page without a server (``python -m viz site``); the settings then open there what is on screen."""
REDIS_VARIABLE = "REGARD_REDIS_URL"
"""The Redis that stores rooms, so that several servers share them; without it they are in the server's own process."""
ROOMS_VARIABLE = "REGARD_ROOMS"
"""How many rooms may be open at once."""
ROOMS_EACH_VARIABLE = "REGARD_ROOMS_EACH"
"""How many rooms one network address may have open at once."""
PROXIES_VARIABLE = "REGARD_PROXIES"
"""How many proxies are in front of the application; each adds the address of its client to X-Forwarded-For."""
ROOM_SIZE_VARIABLE = "REGARD_ROOM_SIZE"
"""The most phones that may join a room."""
DEFAULT_ROOM_SIZE = 500
JOINS_VARIABLE = "REGARD_JOINS"
"""How many phones of one network address may join a room at once, and again in each further minute."""


def positive_number(variable: str, default: int) -> int:
    """The number that an environment variable holds; ``default`` where it holds none above 0."""
    text = os.environ.get(variable, "")
    return int(text) if text.isdigit() and int(text) > 0 else default
