"""Word alignment against gold: which head aligns, in which row meaning, and each sentence with gold over its map."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from model import Bundle
from model.cli.align import report_values
from model.corpus.alignment.against_gold import alignment_table, pair_map
from model.corpus.alignment.aligners import ROW_MEANINGS, Part
from model.corpus.sql.query import Frame
from model.text.pairs import MAX_UPLOAD_MB, Pair, decode_lines, parse_gold
from viz import cache, processors
from viz.corpus import files, targets
from viz.corpus.choices import bind, read
from viz.figures.corpus import alignment_errors, gold_map
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.reading import current_bundle, is_alone
from viz.plain_text import escape_markdown
from viz.state import clicks, session

_MEMORY = "corpus.alignment"
MAX_PAIRS = 500
LONGEST_NAME = 60
GOLD_LANGUAGE = "fr"
"""Target language of the shipped gold alignments."""


def draw() -> None:
    """Errors of all heads on the left, one sentence on the right."""
    bundle = current_bundle()
    if is_alone(bundle):
        st.info(tr("corpus.no_cross"), icon=":material/info:")
        return
    current = _last_measurement(bundle)
    if not current["file"] and targets.writes_another(bundle, GOLD_LANGUAGE):
        st.info(tr("corpus.gold_other_language", model=escape_markdown(bundle.name)), icon=":material/info:")
        _upload(bundle, expanded=True)
        return
    gold, measured = current["gold"], current["measured"]
    left, right = st.columns([10, 11], gap="large")
    with left:
        if measured is None:
            st.caption(tr("corpus.align_not_measured"))
            if clicks.button(
                tr("corpus.align_measure"), key="corpus_align_measure", type="primary", about=bundle.fingerprint
            ):
                with errors.explained_here():
                    _measure(bundle, gold)
        else:
            _errors(measured)
        _upload(bundle)
    with right:
        _example(bundle, gold, measured)
        _draw_source(current)


def _last_measurement(bundle: Bundle) -> dict[str, Any]:
    """The last measurement with the model in use, or the shipped one: gold pairs ("gold"), results or None ("measured")
    and the name of a visitor's file ("file")."""
    latest = session.recall(_MEMORY, dict)
    if latest.get("fingerprint") == bundle.fingerprint:
        return latest
    return {"gold": cache.corpus_gold(), "measured": cache.shipped_alignment(bundle.fingerprint), "file": ""}


def _draw_source(current: dict[str, Any]) -> None:
    """Draw the source of the gold links; for a visitor's file, with a button back to the shipped ones."""
    if not current["file"]:
        st.caption(tr("corpus.gold_from"))
        return
    n, total = len(current["gold"]), current["lines"]
    words = "corpus.gold_first" if total > MAX_PAIRS else "corpus.gold_mine"
    st.caption(tr(words, file=escape_markdown(current["file"]), n=number(n), total=number(total)))
    st.button(
        tr("corpus.gold_back"), icon=":material/undo:", key="corpus_gold_back", type="tertiary",
        on_click=session.remember, args=(_MEMORY, {}),
    )  # fmt: skip


def _errors(measured: dict[str, Any]) -> None:
    first, best = session.read().first_index, measured["best"]
    extra = [tr("corpus.value_weighted")] if best["weights"] != "raw" else []
    read_as = tr("corpus.comma").join([tr(f"corpus.row_{best['row']}"), *extra])
    place = {"layer": best["layer"] + first, "head": best["head"] + first}
    st.markdown(tr("corpus.align_best", **place, row=read_as, aer=number(best["aer"], ".3f")))
    if measured["skipped"]:
        st.caption(tr("corpus.align_skipped", n=measured["skipped"]))
    frame: Frame = pd.DataFrame([row for row in measured["heads"] if row["weights"] == "raw"])
    numbered = frame.assign(layer=frame["layer"] + first, head=frame["head"] + first)
    names = {"fed": tr("corpus.row_fed"), "predicted": tr("corpus.row_predicted"), "layer": tr("corpus.layer"),
             "aer": tr("corpus.aer"), "head": tr("corpus.head")}  # fmt: skip
    chart = alignment_errors(numbered, mode=session.mode(), names=names)
    st.altair_chart(chart, theme=None, key="corpus_aer", width="stretch")
    st.caption(tr("corpus.aer_about", diagonal=number(measured["diagonal"]["aer"], ".3f")))
    files.save(pd.DataFrame(measured["heads"]), chart, name="alignment")
    better = [way for way in (*measured["variants"], *measured["sets"]) if way["aer"] < best["aer"]]
    if better:
        ways = sorted(better, key=lambda way: way["aer"])[:3]
        lines = [f"- {_way(way, first)}: **{number(way['aer'], '.3f')}**" for way in ways]
        st.markdown("\n".join([tr("corpus.align_ways"), "", *lines]))
        st.caption(tr("corpus.align_ways_about"))
    _to_copy(measured)
    st.caption(tr("corpus.align_lines"))


def _to_copy(measured: dict[str, Any]) -> None:
    """Draw the settings for toolkits. OpenNMT-py and CTranslate2's translation models take a layer and a number of
    first heads, and read the predicting row; pairs of layer and head are for Whisper."""
    first, best = measured["best_first_heads"], measured["best"]
    st.caption(tr("corpus.align_copy", aer=number(first["aer"], ".3f")))
    st.code(f"alignment_layer: {first['alignment_layer']}\nalignment_heads: {first['alignment_heads']}", "yaml")
    st.caption(tr("corpus.align_copy_pairs"))
    st.code(f'"alignment_heads": {best["alignment_heads"]}', "json")


def _way(way: dict[str, Any], first: int) -> str:
    heads = " + ".join(
        f"{part['layer'] + first}·{part['head'] + first} ({tr('corpus.row_' + part['row'])})" for part in way["heads"]
    )
    extras = [tr("corpus.value_weighted")] if way["weights"] != "raw" else []
    extras += [tr("corpus.both_ways")] if way["points"] == "mutual" else []
    extras += [tr("corpus.over", threshold=number(way["threshold"], "g"))] if way["threshold"] else []
    extras += [tr("corpus.with_end")] if way["end_token"] else []
    return tr("corpus.comma").join([heads, *extras])


def _upload(bundle: Bundle, *, expanded: bool = False) -> None:
    with st.expander(tr("corpus.gold_own"), expanded=expanded):
        st.caption(tr("corpus.gold_help"))
        file = st.file_uploader(
            tr("corpus.gold_file"), type=["tsv", "txt"], key="corpus_gold", max_upload_size=MAX_UPLOAD_MB
        )
        if file is not None and clicks.button(
            tr("corpus.align_measure"), key="corpus_gold_measure", about=(bundle.fingerprint, file.file_id)
        ):
            with errors.explained_here():
                lines = decode_lines(file.getvalue(), file.name, most=MAX_UPLOAD_MB << 20)
                gold = parse_gold(lines[:MAX_PAIRS], file.name)
                _measure(bundle, gold, file=file.name[:LONGEST_NAME], lines=len(lines))


def _measure(bundle: Bundle, gold: Sequence[Pair], *, file: str = "", lines: int = 0) -> None:
    """Measure and store the alignment errors. Any click, which reruns the page, cancels it."""
    bar = st.progress(0.0)
    with processors.all_processors():
        table = alignment_table(bundle, gold, on_progress=lambda done, total: bar.progress(min(1.0, done / total)))
    about = {"fingerprint": bundle.fingerprint, "file": file, "lines": lines}
    session.remember(_MEMORY, about | {"gold": gold, "measured": report_values(table)})
    st.rerun()


def _example(bundle: Bundle, gold: Sequence[Pair], measured: dict[str, Any] | None) -> None:
    chosen, first = read(), session.read().first_index
    extent = cache.extent(bundle)
    best = measured["best"] if measured else {"layer": 0, "head": 0, "row": "fed"}
    for field in ("layer", "head", "row"):  # another measurement opens at its best head
        session.seed_widget(f"corpus_gold_{field}", best[field], (bundle.fingerprint, len(gold), gold[0], best))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        place = min(chosen.pair, len(gold) - 1)
        st.number_input(tr("corpus.pair", n=len(gold) - 1), 0, len(gold) - 1, width=150, **bind("pair", value=place))
        layer = st.selectbox(tr("corpus.layer"), range(extent.layers["cross"]), key="corpus_gold_layer",
                             format_func=lambda i: str(i + first), width=90)  # fmt: skip
        head = st.selectbox(tr("corpus.head"), range(extent.heads["cross"]), key="corpus_gold_head",
                            format_func=lambda i: str(i + first), width=90)  # fmt: skip
        row = st.segmented_control(tr("corpus.rows"), ROW_MEANINGS, required=True, key="corpus_gold_row",
                                   format_func=lambda name: tr(f"corpus.row_{name}"))  # fmt: skip
    pair = gold[place]
    assert pair.links is not None and row is not None
    with errors.explained():
        weights = pair_map(bundle, pair, Part(row, layer, head))
    chart = gold_map(
        weights, rows=pair.target.split(" "), columns=pair.source.split(" "), sure=set(pair.links.sure),
        possible=set(pair.links.possible), mode=session.mode(),
    )  # fmt: skip
    st.altair_chart(chart, theme=None, key="corpus_gold_map", width="content")
    st.caption(tr("corpus.gold_read"))
