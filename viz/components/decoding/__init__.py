"""The decoding player: every step of a translation, or of a beam's tree, played in the browser from data sent once."""

from viz.components.decoding.player import SOURCE, Player, player
from viz.components.decoding.plays import Play, play_of_trace, play_of_tree

__all__ = ["SOURCE", "Play", "Player", "play_of_trace", "play_of_tree", "player"]
