"""BLEU step by step (Papineni et al. 2002)."""

import streamlit as st

from model.teaching.bleu import MAX_ORDER, Bleu, bleu
from viz.i18n import number, tr
from viz.laboratory import bench
from viz.panels.formula import in_latex
from viz.panels.reading import Reading
from viz.plain_text import escape_markdown, markdown_table


def draw(reading: Reading) -> None:
    """Draw the part."""
    bench.heading("metrics")
    chosen = bench.choices()
    candidate = chosen.candidate or reading.trace.text
    left, right = st.columns(2)
    left.text_input(tr("laboratory.candidate"), **bench.bind("candidate", value=candidate))
    right.text_area(
        tr("laboratory.reference"), placeholder=tr("laboratory.reference_hint"), height=80, **bench.bind("reference")
    )
    references = [line for line in chosen.reference.splitlines() if line.strip()]
    if not references:
        st.caption(tr("laboratory.bleu_itself"))
    st.segmented_control(tr("laboratory.max_order"), range(1, MAX_ORDER + 1), required=True, **bench.bind("max_order"))
    language = reading.bundle.target_language
    breakdown = bleu(candidate, references or candidate, max_order=chosen.max_order, language=language)
    titles = [tr(f"laboratory.bleu_{name}") for name in ("marked", "matches", "precision")]
    rows = [(str(order.order), _mark_matches(breakdown, place), f"{order.matches} / {order.total}",
             f"{number(order.precision, '.3f')}{' *' if order.is_smoothed else ''}")
            for place, order in enumerate(breakdown.orders)]  # fmt: skip
    st.markdown(markdown_table(("n", *titles), rows))
    st.latex(_formula(breakdown))
    if any(order.is_smoothed for order in breakdown.orders):
        st.caption(tr("laboratory.bleu_smoothed"))
    if len(references) > 1:
        st.caption(
            tr("laboratory.bleu_nearest", n=len(references), text=escape_markdown(" ".join(breakdown.reference)))
        )


def _mark_matches(breakdown: Bleu, place: int) -> str:
    """The candidate's tokens, those in a match bold."""
    marks = zip(map(escape_markdown, breakdown.tokens), breakdown.marks[place], strict=True)
    return " ".join(f"**{token}**" if is_matched else token for token, is_matched in marks) or "–"


def _formula(breakdown: Bleu) -> str:
    used = [order for order in breakdown.orders if order.total]
    factors = r"\cdot ".join(in_latex(order.precision) for order in used) or "0"
    n, r, c = len(used) or 1, len(breakdown.reference), len(breakdown.tokens)
    ratio = rf"e^{{1-{r}/{c}}}" if 0 < c < r else "1"
    return (
        rf"\text{{BLEU}} = 100\cdot \underbrace{{{ratio}}}_{{{in_latex(breakdown.brevity_penalty)}}}\cdot"
        rf"\left({factors}\right)^{{1/{n}}} = {in_latex(breakdown.score, '.2f')}"
    )
