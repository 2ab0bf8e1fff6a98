"""Questions to a translation: which heads matter, why this word and not that one, training against inference."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import streamlit as st

from model import AttentionMaps, Bundle, HeadOff, LongTextError, TextError, Trace
from model.analysis import head_scores, rank_agreement
from model.interpret.ablation import HeadEffects, head_effects_as_they_come
from model.interpret.attribution import gradient_attention, value_weighted
from model.interpret.contrast import Contrast, contrast
from model.interpret.corpus_ablation import CorpusEffects, corpus_effects_as_they_come
from model.interventions import KINDS, AttentionKind
from model.teaching.teacher_forcing import teacher_forcing
from model.text.tokens import describe_target
from model.trace import Floats
from model.training.rows import MAX_PASTED
from viz import cache, session
from viz.components.forcing import Forcing, forcing
from viz.components.matrix import Block, Matrix, matrix
from viz.figures.tokens import as_candidates
from viz.i18n import group, number, tr
from viz.panels import errors
from viz.panels.decode_changes import switch_off, switch_on
from viz.panels.decode_choices import AREA, Choices, choices
from viz.panels.reading import Reading
from viz.panels.sentence import chip_text
from viz.plain_text import as_written

DEFAULT_SET = (
    ("The cat is sleeping on the sofa.", "Le chat dort sur le canapé."),
    ("I'm home.", "Je suis chez moi."),
    ("She does not want to come with us.", "Elle ne veut pas venir avec nous."),
    ("Where is the train station?", "Où est la gare ?"),
    ("My brother has two black dogs.", "Mon frère a deux chiens noirs."),
    ("I would have told you the truth.", "Je t'aurais dit la vérité."),
    ("They were waiting for the bus.", "Ils attendaient le bus."),
    ("Close the door, please.", "Ferme la porte, s'il te plaît."),
)
"""Sentences written for this page, so that something is there to try."""


def questions(here: Reading) -> None:
    """The two questions, and the answer to the chosen one."""
    st.pills(
        tr("decode.ask"),
        ("heads", "why"),
        format_func={name: tr(f"decode.ask_{name}") for name in ("heads", "why")}.__getitem__,
        label_visibility="collapsed",
        **session.bind("question", Choices, AREA),
    )
    asked = choices().question
    if asked == "heads":
        which_heads(here)
    elif asked == "why":
        why_this(here)


def which_heads(here: Reading) -> None:
    """Every head off in turn, over this sentence or over a set."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            tr("decode.scope"),
            ("sentence", "set"),
            required=True,
            format_func={name: tr(f"decode.scope_{name}") for name in ("sentence", "set")}.__getitem__,
            **session.bind("scope", Choices, AREA),
        )
        st.segmented_control(
            tr("decode.off_how"),
            ("zero", "uniform"),
            required=True,
            format_func={name: tr(f"decode.off_{name}") for name in ("zero", "uniform")}.__getitem__,
            **session.bind("off_mode", Choices, AREA),
        )
    if choices().scope == "set":
        _over_a_set(here)
        return
    with errors.explained():
        found = _sentence_effects(here)
    if found is None:
        return
    st.markdown(tr("decode.heads_read", log_prob=number(found.log_prob, ".2f")))
    _heads_matrix(here, {kind: found.totals(kind) for kind in KINDS}, tr("decode.heads_cell"), digits=2)
    _agreement(here, found)


def _sentence_effects(here: Reading) -> HeadEffects | None:
    """The effects of all heads; a long sentence shows its progress, and any click ends it."""
    mode = choices().off_mode
    asked = (here.key, mode)
    known = session.recall("head_effects", dict)
    if known.get("asked") == asked:
        return known["found"]
    place = st.empty()
    found = None
    for found in head_effects_as_they_come(here.bundle, here.trace, mode=mode):  # pyright: ignore[reportArgumentType]
        place.progress(found.done / found.total, tr("decode.progress", done=found.done, total=found.total))
    place.empty()
    session.remember("head_effects", {"asked": asked, "found": found})
    return found


def _heads_matrix(here: Reading, totals: dict[AttentionKind, Floats], help_text: str, *, digits: int) -> None:
    first = here.selection.first_index
    kinds: tuple[AttentionKind, ...] = tuple(totals)
    off = here.selection.interventions.heads_off
    matrix(
        Matrix(
            blocks=tuple(
                Block(
                    title=tr(f"frame.kind_{kind}"),
                    kind=kind,
                    rows=tuple(str(n + first) for n in range(totals[kind].shape[0])),
                    columns=tuple(str(n + first) for n in range(totals[kind].shape[1])),
                    values=totals[kind],
                    off=tuple((item.layer, item.head) for item in off if item.kind == kind),
                    rows_name=tr("decode.layer"),
                    columns_name=tr("decode.head"),
                )
                for kind in kinds
            ),
            digits=digits,
            help=help_text,
            unknown=tr("decode.not_tried"),
            can_click=True,
        ),
        key="head_effects",
        on_cell=_take_head,
    )
    st.caption(tr("decode.heads_click"))


def _take_head() -> None:
    sent = session.sent("head_effects", "cell")
    if not isinstance(sent, list) or len(sent) != 3 or not all(isinstance(n, int) and n >= 0 for n in sent):
        return
    block, layer, head = sent
    if block >= len(KINDS):
        return
    kind = KINDS[block]
    is_off = any(
        (off.kind, off.layer, off.head) == (kind, layer, head) for off in session.read().interventions.heads_off
    )
    if is_off:
        switch_on((kind, layer, head))
    else:
        mode: Any = choices().off_mode
        switch_off((HeadOff(kind, layer, head, mode),))


def _agreement(here: Reading, found: HeadEffects) -> None:
    """Whether what the maps show ranks the heads as their effects do."""
    effects = np.concatenate([-found.totals(kind).ravel() for kind in KINDS])
    said = []
    for name, maps in _measures(here):
        scores = [head_scores(weights, name) for kind in KINDS if (weights := maps.of(kind)) is not None]
        agreement = rank_agreement(np.concatenate([score.ravel() for score in scores]), effects)
        shown = "–" if agreement.correlation is None else number(agreement.correlation, "+.2f")
        said.append((tr(f"decode.measure_{name}"), shown))
    with st.container(horizontal=True, gap="large"):
        for label, shown in said:
            st.metric(label, shown, help=tr("decode.agreement_help"), width="content")
    st.caption(tr("decode.agreement"))


def _measures(here: Reading):
    yield "raw", here.trace.attention
    try:
        yield (
            "value_weighted",
            cache.keep(("value_weighted", *here.key), lambda: value_weighted(here.bundle, here.trace)),
        )
        yield "gradient", cache.keep(("gradients", *here.key), lambda: _gradient_over_words(here.bundle, here.trace))
    except ValueError:
        return


def _gradient_over_words(bundle: Bundle, trace: Trace) -> AttentionMaps:
    """Gradient × attention of every word of the translation, added up."""
    steps = [gradient_attention(bundle, trace, step=step).maps for step in range(min(len(trace.target), 32))]
    totals: dict[str, Floats | None] = {}
    for kind in KINDS:
        found = [weights for maps in steps if (weights := maps.of(kind)) is not None]
        totals[kind] = np.sum(found, 0) if found else None
    return AttentionMaps(**totals)


def _over_a_set(here: Reading) -> None:
    default = "\n".join(f"{source}\t{target}" for source, target in DEFAULT_SET)
    text = st.text_area(
        tr("decode.set"), default, help=tr("decode.set_help"), height=180, key="ablation_set", max_chars=MAX_PASTED
    )
    pairs = [line.split("\t") for line in text[:MAX_PASTED].splitlines() if line.strip()]
    wrong = next(
        (number for number, parts in enumerate(pairs, 1) if len(parts) != 2 or not all(map(str.strip, parts))), 0
    )
    if wrong:
        st.error(tr("decode.set_wrong", line=wrong))
        return
    with st.container(horizontal=True):
        is_asked = st.button(tr("decode.set_start", n=len(pairs)), type="primary", disabled=not pairs, key="set_start")
        st.button(tr("decode.cancel"), key="set_cancel", help=tr("decode.cancel_help"))
    if is_asked:
        _run_set(here, pairs)
    known = session.recall("corpus_effects", dict)
    if known.get("fingerprint") != here.bundle.fingerprint:
        return
    if known["asked"] != _set_asked(here, pairs):
        st.warning(tr("decode.set_other"))
    found: CorpusEffects = known["found"]
    if found.done < found.total:
        st.info(tr("decode.set_cancelled", done=found.done, total=found.total))
    st.markdown(tr("decode.set_read", bleu=f"{found.bleu:.1f}", signature=found.signature))
    _heads_matrix(here, dict(found.changes), tr("decode.set_cell"), digits=1)


def _set_asked(here: Reading, pairs: list[list[str]]) -> tuple:
    """All that figures over a set depend on, beside the model."""
    return here.selection.interventions.for_any_sentence(), choices().off_mode, repr(pairs)


def _run_set(here: Reading, pairs: list[list[str]]) -> None:
    """Try every head; what is known so far is kept, so that a cancelled run still shows it."""
    place = st.empty()
    place.progress(0.0, tr("decode.progress_start"))
    mode: Any = choices().off_mode
    sources, references = ([parts[side] for parts in pairs] for side in (0, 1))
    asked = _set_asked(here, pairs)
    with errors.explained():
        coming = corpus_effects_as_they_come(here.bundle, sources, references, mode=mode, interventions=asked[0])
        for found in coming:
            known = {"fingerprint": here.bundle.fingerprint, "asked": asked, "found": found}
            session.remember("corpus_effects", known)
            place.progress(found.done / found.total, tr("decode.progress", done=found.done, total=found.total))
    place.empty()


def why_this(here: Reading) -> None:
    """A word and a rival, and which source tokens favour either."""
    trace, chosen = here.trace, choices()
    assert trace.candidates is not None
    n_steps, first = len(trace.target), here.selection.first_index
    step = min(chosen.why_step, n_steps - 1)
    left, right = st.columns(2, width=560)
    left.selectbox(
        tr("decode.word"),
        range(n_steps),
        format_func=lambda n: f"{n + first} · {chip_text(trace.target.pieces[n])}",
        **session.bind("why_step", Choices, AREA, shown=step),
    )
    word = trace.target.ids[step]
    rivals = {int(i): piece for i, piece in zip(trace.candidates.ids[step], trace.candidates.pieces[step], strict=True)}
    rivals.pop(word, None)
    if not rivals:
        st.caption(tr("decode.no_rival"))
        return
    if (
        chosen.why_rival >= 0
        and chosen.why_rival not in rivals
        and chosen.why_rival < here.bundle.config.target_vocab_size
    ):
        rivals[chosen.why_rival] = describe_target(here.bundle, [chosen.why_rival]).pieces[0]
    rival = chosen.why_rival if chosen.why_rival in rivals else next(iter(rivals))
    right.selectbox(
        tr("decode.rival"),
        list(rivals),
        format_func=dict(zip(rivals, as_candidates(list(rivals.values())), strict=True)).__getitem__,
        **session.bind("why_rival", Choices, AREA, shown=rival),
    )
    if rival == word:
        return
    with errors.explained():
        found: Contrast = cache.keep(
            ("contrast", *here.key, step, rival),
            lambda: contrast(here.bundle, trace, step=step, rival_id=rival),
        )
    names = {"word": as_written(chip_text(trace.target.pieces[step])), "rival": as_written(chip_text(rivals[rival]))}
    st.markdown(tr("decode.why_read", margin=number(found.margin, "+.2f"), **names))
    _contrast_matrix(here, found)
    st.caption(tr("decode.why_how"))


def _contrast_matrix(here: Reading, found: Contrast) -> None:
    first = here.selection.first_index
    layers, heads, n_source = found.by_head.shape
    flat = found.by_head.reshape(layers * heads, n_source)
    order = np.argsort(-np.abs(flat).max(1), kind="stable")[:12]
    pieces = tuple(chip_text(piece) for piece in here.trace.source.pieces)
    blocks = (
        Block(title=tr("decode.why_all"), kind="cross", rows=(tr("decode.why_every"),), columns=pieces,
              values=found.by_token[None]),
        Block(title=tr("decode.why_heads", n=len(order)), kind="cross",
              rows=tuple(f"{at // heads + first}·{at % heads + first}" for at in order), columns=pieces,
              values=flat[order], rows_name=tr("decode.why_rows"), columns_name=tr("decode.why_columns")),
    )  # fmt: skip
    matrix(
        Matrix(blocks=blocks, digits=2, help=tr("decode.why_cell"), unknown=tr("decode.not_tried"), is_stacked=True),
        key="why",
    )


def training_against_inference(here: Reading) -> None:
    """A reference, and both modes over it."""
    chosen = choices()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            tr("decode.reference_box"),
            placeholder=tr("decode.reference_example"),
            help=tr("decode.reference_help"),
            **session.bind("reference", Choices, AREA),
        )
    reference = chosen.reference.strip() or here.trace.text
    if not chosen.reference.strip():
        st.caption(tr("decode.reference_own"))
    edits = here.selection.interventions
    try:
        found = cache.compute(
            teacher_forcing, here.bundle, source=here.fitted.text, reference=reference, interventions=edits
        )
        masked = None
        if edits.lift_causal_mask:
            masked = cache.compute(
                teacher_forcing, here.bundle, source=here.fitted.text, reference=reference,
                interventions=dataclasses.replace(edits, lift_causal_mask=False),
            ).training  # fmt: skip
    except (TextError, LongTextError) as error:
        errors.show(tr("frame.error_text"), str(error))
        return
    if masked is not None:
        change = found.training.mean_loss - masked.mean_loss
        key = "decode.mask_better" if change < 0 else "decode.mask_worse"
        numbers = {"before": f"{masked.mean_loss:.2f}", "after": f"{found.training.mean_loss:.2f}"}
        st.info(tr(key, **numbers))
    forcing(Forcing(comparison=found, masked=masked, words=group("decode")), key="forcing")
    lifted = edits.lift_causal_mask
    st.button(
        tr("decode.mask_restore" if lifted else "decode.mask_lift"),
        help=tr("decode.mask_how"),
        on_click=session.intervene,
        args=(dataclasses.replace(edits, lift_causal_mask=not lifted),),
        key="forcing_mask",
    )
