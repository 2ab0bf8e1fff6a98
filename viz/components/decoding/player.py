"""The player's Streamlit component: packs a play into bytes and receives the reader's actions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from model.decoding.beam_tree import NodeStatus
from model.decoding.sampling import Sampling
from model.inference.ranks import Ranks
from model.interpret.contrast import SourceContribution
from viz.components.decoding.plays import Play
from viz.components.packet import Arrays
from viz.components.source import Source
from viz.i18n import current_language
from viz.plain_text import marks
from viz.theme import in_both_modes

SOURCE = Source("decoding", "js/player.js", shared_sheets=("candidates.css",))
_render = SOURCE.mount()


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A play, and the state of its display."""

    play: Play
    key: str
    """Identifies the play: when the key changes, the player restarts."""
    step: int
    node: int
    """The selected node; -1 for the translation."""
    cross: tuple[int, int]
    """The selected cross-attention head (layer, head); (-1, -1) for the mean of all."""
    decoder_self: tuple[int, int]
    """The same for the decoder's self-attention."""
    speed: float
    """Steps per second."""
    contribution: SourceContribution | None
    sampling: Sampling | None
    """Temperature, top-k, top-p and min-p; None without sampling."""
    ranks: Ranks | None
    """The whole distribution of every row's next token, with sampling."""
    suppressed_id: int
    """The id that is never predicted, or -1."""
    n_fixed: int
    """Tokens of the forced prefix and of a prompt."""
    first_index: int
    words: dict[str, str]
    n_prompt: int = 0
    """Steps at the beginning that read a decoder-only model's prompt."""
    tree_note: str = ""
    """The options of the beam search, shown beside its title."""
    presenter: bool = False
    picture: str = ""
    """The text form of the picture whose strips are the source."""
    strip: int = 0
    """Width of a strip in pixels; 0 without a picture."""


def player(state: Player, *, key: str, on_act: Callable[[], None], on_at: Callable[[], None]) -> None:
    """Draw the player. The browser reports ``act`` (a change to make) and ``at`` (the reader's position)."""
    _render(data=pack(state), key=key, on_act_change=on_act, on_at_change=on_at)


def pack(state: Player) -> bytes:
    """Header, then uint16 weights (65535 is 1): each row's cross-attention (L, H, S), then each row's
    self-attention (L, H, prefix); then float32 log-probabilities of blocks of ranks, row by row.
    """
    play = state.play
    fates = get_args(NodeStatus)
    layers, heads = play.rows[0].cross.shape[:2]
    header: dict[str, Any] = {
        "source": play.source,
        "picture": state.picture,
        "strip": state.strip,
        "nodes": [
            (n.parent, n.depth, n.token_id, n.piece, round(n.log_prob, 5), round(n.score, 4), round(n.normalised, 4),
             fates.index(n.fate), n.search, int(n.is_best), row)
            for n, row in zip(play.nodes, play.fed_rows, strict=True)
        ],
        "candidates": [[(i, piece, round(value, 5)) for i, piece, value in row.candidates] for row in play.rows],
        "prefixes": [row.decoder_self.shape[-1] for row in play.rows],
        "layers": layers,
        "heads": heads,
        "path": play.path,
        "stage": play.stage,
        "isTree": play.is_tree,
        "isAveraged": play.is_averaged,
        "vocabulary": play.vocabulary_size,
        "source_share": _shares(state.contribution),
        "sampling": _sampling(state.sampling),
        "suppressed": state.suppressed_id,
        "fixed": state.n_fixed,
        "prompt": state.n_prompt,
        "step": state.step,
        "key": state.key,
        "node": state.node,
        "selections": {"cross": _selection(state.cross), "decoder_self": _selection(state.decoder_self)},
        "speed": state.speed,
        "first": state.first_index,
        "words": state.words | marks(),
        "language": current_language(),
        "treeNote": state.tree_note,
        "presenter": state.presenter,
        "colours": in_both_modes("warm", "panel", "good"),
    }  # fmt: skip
    parts = [row.cross.ravel() for row in play.rows] + [row.decoder_self.ravel() for row in play.rows]
    weights = np.rint(np.nan_to_num(np.concatenate(parts)).clip(0, 1) * 65535).astype("<u2")
    header["count"] = weights.size
    arrays = Arrays()
    arrays.add(weights)
    header["rankCounts"] = state.ranks.counts if state.ranks else ()
    header["ranksAt"] = arrays.add(state.ranks.log_probs.astype("<f4") if state.ranks else np.zeros(0, "<f4"))
    return arrays.join(header)


def _selection(head: tuple[int, int]) -> dict[str, int]:
    return {"layer": head[0], "head": head[1]}


def _sampling(sampling: Sampling | None) -> dict[str, float] | None:
    if sampling is None:
        return None
    return {name: getattr(sampling, name) for name in ("temperature", "top_k", "top_p", "min_p")}


def _shares(contribution: SourceContribution | None) -> list[tuple[float, float, float]] | None:
    if contribution is None:
        return None
    return [
        (round(float(share), 4), round(float(source), 4), round(float(prefix), 4))
        for share, source, prefix in zip(
            contribution.source_share, contribution.source, contribution.prefix, strict=True
        )
    ]
