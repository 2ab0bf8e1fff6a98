"""Direct logit attribution: each decoder part's contribution to a predicted token's logit, or to a logit difference."""

import streamlit as st

from model.interpret.direct import DirectContributions, direct_contributions
from viz import cache
from viz.causal.choices import bind, choices
from viz.figures.contributions import Bar, contribution_bars
from viz.figures.tokens import as_candidates
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.reading import Reading
from viz.plain_text import chip_text, escape_markdown
from viz.state import session

MAX_BARS = 24
"""Maximum number of bars; the smallest contributions share one."""


def draw(reading: Reading) -> None:
    """Draw the choice of a token and a rival, and the signed bars."""
    trace, chosen = reading.trace, choices()
    step, offset = min(chosen.step, len(trace.target) - 1), reading.selection.first_index
    left, right = st.columns(2, width=560)
    left.selectbox(
        tr("decode.word"), range(len(trace.target)),
        format_func=lambda n: f"{n + offset} · {chip_text(trace.target.pieces[n])}", **bind("step", value=step),
    )  # fmt: skip
    rivals = _rivals(reading, step)
    rival = chosen.rival if chosen.rival in rivals else -1
    right.selectbox(tr("causal.rival"), list(rivals), format_func=rivals.__getitem__, **bind("rival", value=rival))
    with errors.explained():
        contributions = cache.get_or_compute(
            ("direct", *reading.key, step, rival),
            lambda: direct_contributions(reading.bundle, trace, step=step, rival_id=None if rival < 0 else rival),
        )
    names = {"word": escape_markdown(chip_text(trace.target.pieces[step])), "rival": escape_markdown(rivals[rival])}
    total = number(contributions.logit, "+.2f")
    st.markdown(tr("causal.direct_read" if rival < 0 else "causal.direct_contrast", total=total, **names))
    bars = _bars(contributions, offset)
    st.altair_chart(contribution_bars(bars, mode=session.mode(), value_name=tr("causal.direct_axis")), theme=None)
    st.caption(tr("causal.direct_how"))


def _rivals(reading: Reading, step: int) -> dict[int, str]:
    """The other candidates by id, after "none"."""
    rivals = {-1: tr("causal.no_rival")}
    candidates = reading.trace.candidates
    if candidates is not None:
        pieces = as_candidates(list(candidates.pieces[step]))
        rivals |= {int(i): piece for i, piece in zip(candidates.ids[step], pieces, strict=True)}
        rivals.pop(reading.trace.target.ids[step], None)
    return rivals


def _bars(contributions: DirectContributions, offset: int) -> list[Bar]:
    """The largest contributions in the order of computation, the others as one bar."""
    order = sorted(range(len(contributions.values)), key=lambda at: -abs(float(contributions.values[at])))
    large = sorted(order[:MAX_BARS])
    bars = [Bar(_name(contributions.writers[at], offset), float(contributions.values[at])) for at in large]
    others = [float(contributions.values[at]) for at in order[MAX_BARS:]]
    return [*bars, Bar(tr("causal.direct_rest", n=len(others)), sum(others))] if others else bars


def _name(writer, offset: int) -> str:
    if writer.layer is None:
        return tr(f"causal.writer_{writer.kind}")
    if writer.head is None:
        return tr("causal.writer_feed_forward", layer=writer.layer + offset)
    kind = tr("frame.kind_cross" if writer.kind == "cross" else "frame.kind_decoder_self")
    return f"{kind} {writer.layer + offset}·{writer.head + offset}"
