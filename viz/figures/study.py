"""The figures of a study, for papers: a pruning curve, alignment errors, steering, two models compared, and a sweep.

Each takes what a command prints with ``--json``, or what the library's function returns, and shows every number with
its 95 % interval. ``python -m viz figure`` draws them from a shell.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

import numpy as np

from model.corpus.alignment.against_gold import AlignmentTable, report_values
from model.corpus.model_difference import ModelDifference
from model.interpret.editing.formality import Formality
from model.interpret.sweeping import Sweep
from model.interventions import KINDS
from viz.figures.curves import sweep_map
from viz.figures.paper import Paper, chart_theme, fit_width
from viz.figures.rendering import Figure, alt, pd, tooltips, with_theme
from viz.theme import Mode, palette

PruningMeasure = Literal["log_probs", "bleu", "chrf"]
_WIDTH, _HEIGHT = 380.0, 220.0
_RANDOM, _IMPORTANCE = "random orders", "least important first"
_UNITS = {"log_probs": "log-probability of a token (nats)", "bleu": "BLEU", "chrf": "chrF"}
_WEIGHTS = {"raw": "weights", "value_weighted": "norms of weighted values"}


def pruning_figure(
    table: Mapping[str, Any], *, measure: PruningMeasure = "log_probs", paper: Paper | None = None, mode: Mode = "light"
) -> Figure:
    """The score on a corpus as heads are removed, least important first, beside random orders.

    The band of the first is the 95 % interval over the sentences; that of the random orders reaches from the worst to
    the best of the seeds, around their mean.

    Args:
        table: as ``pruning_table`` returns it.
        measure: "bleu" and "chrf" only where the table has translations.

    Raises:
        ValueError: for a measure that the table does not have.
    """
    curves = table["curves"]
    if measure not in _UNITS or (measure != "log_probs" and "quality" not in curves["importance"]):
        raise ValueError(f"the table has no {measure!r:.40}: choose log_probs, or measure with translations")
    removed, values, bounds = _curve(curves["importance"], measure)
    rows = [
        {"order": _IMPORTANCE, "removed": n, "value": value, "low": low, "high": high}
        for n, value, (low, high) in zip(removed, values, bounds, strict=True)
    ]
    chance = [_curve(curve, measure) for name, curve in curves.items() if name.startswith("random_")]
    for place, n in enumerate(removed):
        at = [values[place] for _, values, _ in chance]
        if at:
            rows.append({"order": _RANDOM, "removed": n, "value": sum(at) / len(at), "low": min(at), "high": max(at)})
    return _lines(pd.DataFrame(rows), x="removed", x_title="heads removed", y_title=_UNITS[measure], line="order",
                  paper=paper, mode=mode)  # fmt: skip


def steering_figure(
    result: Formality | Mapping[str, Any], *, paper: Paper | None = None, mode: Mode = "light"
) -> Figure:
    """Against the direction's strength: the shares of sentences with "vous", and with every other word unchanged."""
    if isinstance(result, Formality):
        shares = result.shares()
        rows = [
            (strength, {name: asdict(of_name[place]) for name, of_name in shares.items()})
            for place, strength in enumerate(result.strengths)
        ]
    else:
        rows = [(row["strength"], row) for row in result["strengths"]]
    words = {"formal": "say vous", "keeps": "keep every other word"}
    frame = pd.DataFrame(
        [
            {"line": words[name], "strength": strength, "value": row[name]["mean"], "low": row[name]["low"],
             "high": row[name]["high"]}
            for strength, row in rows
            for name in words
        ]
    )  # fmt: skip
    return _lines(frame, x="strength", x_title="strength of the direction", y_title="share of the sentences",
                  line="line", paper=paper, mode=mode)  # fmt: skip


def alignment_figure(
    table: AlignmentTable | Mapping[str, Any], *, n_heads: int = 8, paper: Paper | None = None, mode: Mode = "light"
) -> Figure:
    """The heads with the lowest alignment error rates, by weighting, and the diagonal as a baseline without attention.

    Args:
        table: as ``alignment_table`` returns it, or ``align --json`` prints it.
        n_heads: of each weighting.
    """
    report = report_values(table) if isinstance(table, AlignmentTable) else table
    rows: list[dict[str, Any]] = []
    for weights, words in _WEIGHTS.items():
        heads = sorted((head for head in report["heads"] if head["weights"] == weights), key=lambda head: head["aer"])
        rows += [
            {"name": f"{head['layer']}·{head['head']}, read as {head['row']}", "group": words, "value": head["aer"],
             "low": head["aer_low"], "high": head["aer_high"]}
            for head in heads[:n_heads]
        ]  # fmt: skip
    diagonal = report["diagonal"]["aer"]
    return _points(pd.DataFrame(rows), title="alignment error rate", at=diagonal, paper=paper, mode=mode)


def moved_figure(
    difference: ModelDifference | Mapping[str, Any],
    *,
    n_heads: int = 12,
    paper: Paper | None = None,
    mode: Mode = "light",
) -> Figure:
    """The heads whose attention differs most between two models, by the mean total variation distance of their rows."""
    heads = (
        difference.heads_frame().to_dict("records") if isinstance(difference, ModelDifference) else difference["heads"]
    )
    rows = [
        {"name": f"{head['kind']} {head['layer']}·{head['head']}", "group": head["kind"], "value": head["moved"],
         "low": head["low"], "high": head["high"]}
        for head in sorted(heads, key=lambda head: -head["moved"])[:n_heads]
    ]  # fmt: skip
    return _points(pd.DataFrame(rows), title="attention moved", at=None, paper=paper, mode=mode)


def figure_of(report: Mapping[str, Any], *, paper: Paper | None = None, mode: Mode = "light") -> Figure:
    """The figure of a command's report.

    Raises:
        ValueError: for a report that has none.
    """
    if "curves" in report:
        return pruning_figure(report, paper=paper, mode=mode)
    if "strengths" in report:
        return steering_figure(report, paper=paper, mode=mode)
    if "diagonal" in report:
        return alignment_figure(report, paper=paper, mode=mode)
    if "after" in report and "heads" in report:
        return moved_figure(report, paper=paper, mode=mode)
    if "sites" in report:
        return sweep_map(_swept(report), paper=paper, mode=mode)
    raise ValueError("this report has no figure: give one of prune, align, steer, compare or sweep")


def _swept(report: Mapping[str, Any]) -> Sweep:
    """The sweep that a report describes."""
    effects, base, distance = (np.array(report[name], np.float32) for name in ("effects", "base", "distance"))
    sites, positions, texts = (tuple(report[name]) for name in ("sites", "positions", "texts"))
    return Sweep(
        sites=sites, positions=positions, effects=effects, base=base, distance=distance, texts=texts,
        metric=report["metric"],
    )  # fmt: skip


def _curve(
    curve: Mapping[str, Any], measure: PruningMeasure
) -> tuple[Sequence[int], list[float], list[tuple[float, float]]]:
    """Heads removed, values and bounds of each point; the value itself where a table has no bounds."""
    if measure == "log_probs":
        values = list(curve["log_probs"])
        bounds = [(low, high) for low, high in curve.get("bounds", [])] or [(value, value) for value in values]
    else:
        values = [point[measure] for point in curve["quality"]]
        bounds = [tuple(point.get(f"{measure}_bounds", (point[measure],) * 2)) for point in curve["quality"]]
    return curve["removed"], values, bounds


def _lines(
    frame: Any, *, x: str, x_title: str, y_title: str, line: str, paper: Paper | None, mode: Mode
) -> Figure:  # fmt: skip
    """Lines with bands: x, value, low, high, by line."""
    colours, names = palette(mode), list(dict.fromkeys(frame[line]))
    hues = alt.Scale(domain=names, range=[colours.accent, colours.ink_soft])
    legend = alt.Legend(title=None, orient="bottom", columns=1, labelLimit=400, symbolType="stroke", symbolOpacity=1,
                        symbolStrokeWidth=2, symbolSize=300)  # fmt: skip
    base = alt.Chart(frame).encode(
        x=alt.X(f"{x}:Q", title=x_title, axis=alt.Axis(grid=False)),
        color=alt.Color(f"{line}:N", scale=hues, legend=legend),
    )
    band = base.mark_area(opacity=0.2).encode(
        y=alt.Y("low:Q", title=y_title, scale=alt.Scale(zero=False)), y2=alt.Y2("high:Q")
    )
    tips = [f"{line}:N", f"{x}:Q", *tooltips("value", "low", "high")]
    middle = base.encode(y=alt.Y("value:Q", title=y_title), tooltip=tips)
    lines = middle.mark_line(strokeWidth=1.5).encode(
        strokeDash=alt.StrokeDash(f"{line}:N", legend=legend, scale=alt.Scale(domain=names))
    )
    chart = alt.layer(band, lines, middle.mark_circle(size=22, opacity=1))
    return _size_chart(chart, _HEIGHT, paper, mode)


def _points(frame: Any, *, title: str, at: float | None, paper: Paper | None, mode: Mode) -> Figure:
    """Values with intervals, one row each: name, group, value, low, high; a dashed line ``at`` one value."""
    colours, groups = palette(mode), list(dict.fromkeys(frame["group"]))
    ink = [colours.kinds[name] for name in groups] if set(groups) <= set(KINDS) else [colours.accent, colours.ink_soft]
    labels = alt.Axis(labelLimit=400, ticks=False, domain=False)
    legend = None if set(groups) <= set(KINDS) else alt.Legend(title=None, orient="bottom", columns=1, labelLimit=400)
    base = alt.Chart(frame).encode(
        y=alt.Y("name:N", sort=list(dict.fromkeys(frame["name"])), title=None, axis=labels),
        color=alt.Color("group:N", scale=alt.Scale(domain=groups, range=ink), legend=legend),
    )
    if legend:
        base = base.encode(yOffset=alt.YOffset("group:N"))
    scale = alt.Scale(zero=False, nice=True)
    tips = ["name:N", "group:N", *tooltips("value", "low", "high")]
    layers = [
        base.mark_rule(strokeWidth=1.5).encode(x=alt.X("low:Q", title=title, scale=scale), x2=alt.X2("high:Q")),
        base.mark_circle(size=34, opacity=1).encode(x=alt.X("value:Q", title=title), tooltip=tips),
    ]
    if at is not None:
        base = alt.Chart(pd.DataFrame({"at": [at], "name": ["diagonal"]})).encode(x=alt.X("at:Q", title=title))
        size = 11 if paper is None else 0.9 * paper.font_points
        named = base.mark_text(align="right", dx=-4, color=colours.ink_soft, fontSize=size).encode(
            text="name:N", y=alt.value(8)
        )
        layers += [base.mark_rule(color=colours.ink_soft, strokeDash=[4, 3]), named]
    return _size_chart(alt.layer(*layers), 17.0 * frame["name"].nunique(), paper, mode)


def _size_chart(chart: Any, height: float, paper: Paper | None, mode: Mode) -> Figure:
    """The chart at the paper's width with its font sizes, or at the default size."""
    if paper is None:
        return with_theme(chart, mode, width=_WIDTH, height=height)
    theme = chart_theme(paper, mode)
    return fit_width(lambda width: chart.properties(width=width, height=height).configure(**theme), paper, 1,
                  first=0.6 * paper.width_points)  # fmt: skip
