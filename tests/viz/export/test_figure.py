"""Figures of a record: their content and their fallbacks."""

import io
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from model.attention_files import AttentionRecord
from model.trace import AttentionMaps
from tests.programs import require_programs
from tests.tiny import random_rows as rows
from viz.export import head_caption, head_figure, latex
from viz.export.tikz import tikz
from viz.figures import Paper
from viz.i18n import speaking

RECORD = AttentionRecord(
    maps=AttentionMaps(None, None, rows(2, 2, 2, 3)), source_tokens=("The", "cat", "</s>"),
    target_tokens=("Chat", "</s>"), source_text="The cat", text="Chat", model="tiny",
)  # fmt: skip


@pytest.mark.nightly(but=("zh",))
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "cross-attention · layer 2, head 1"), ("fr", "couche 2, tête 1"), ("zh", "第 2 层，第 1 头")],
)
def test_the_caption_names_sentence_model_kind_layer_and_head(language: str, words: str) -> None:
    with speaking(language):
        svg = head_figure(RECORD, kind="cross", layer=1, head=0, first_index=1, file_format="svg").decode()
    assert "The cat → Chat · tiny · " in svg
    assert words in svg
    assert RECORD.maps.cross is not None
    largest = f"{RECORD.maps.cross[1, 0, 0, 0]:.2f}"
    assert (largest.replace(".", ",") if language == "fr" else largest) in svg


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [("m2m_100", "fra_Latn", "m2m_100 → fra_Latn"), ("en-fr", "fr", "Chat · en-fr"), ("", "fr", "Chat · fr")],
)
def test_a_caption_names_the_language_that_a_models_name_does_not(name: str, code: str, words: str) -> None:
    assert words in head_caption(replace(RECORD, model=name, target_language=code), kind="cross", layer=0, head=0)


def test_a_missing_head_is_replaced_by_the_nearest() -> None:
    svg = head_figure(RECORD, kind="encoder_self", layer=9, head=9, file_format="svg").decode()
    assert "cross-attention · layer 1, head 1" in svg


def test_gradients_keep_their_sign() -> None:
    signed = AttentionRecord(
        maps=AttentionMaps(None, None, rows(1, 1, 2, 3) - 0.5), source_tokens=RECORD.source_tokens,
        target_tokens=RECORD.target_tokens, weighting="gradient",
    )  # fmt: skip
    svg = head_figure(signed, kind="cross", layer=0, head=0, file_format="svg").decode()
    assert "−0." in svg and "+0." in svg
    assert "gradient × attention" in svg


def test_a_figure_is_a_pdf_by_default() -> None:
    assert head_figure(RECORD, kind="cross", layer=0, head=0).startswith(b"%PDF")


LONG = AttentionRecord(
    maps=AttentionMaps(None, None, rows(1, 1, 9, 12)), source_tokens=tuple("abcdefghijkl"),
    target_tokens=tuple("mnopqrstu"),
)  # fmt: skip


@pytest.mark.nightly
@pytest.mark.parametrize("width", [84.0, 174.0])
@pytest.mark.parametrize("font", [6.0, 10.0])
def test_a_figure_for_print_is_as_wide_as_it_was_ordered(width: float, font: float) -> None:
    paper = Paper(width, font)
    pdf = head_figure(LONG, kind="cross", layer=0, head=0, paper=paper)
    box = re.search(rb"MediaBox\s*\[0 0 ([\d.]+)", pdf)
    assert box and float(box[1]) / 72 * 25.4 == pytest.approx(width, abs=0.1)
    image = Image.open(io.BytesIO(head_figure(LONG, kind="cross", layer=0, head=0, paper=paper, file_format="png")))
    assert image.width / image.info["dpi"][0] * 25.4 == pytest.approx(width, abs=0.2)
    svg = head_figure(LONG, kind="cross", layer=0, head=0, paper=paper, file_format="svg").decode()
    assert f'width="{width:g}mm"' in svg.split(">", 1)[0]


@pytest.mark.nightly
def test_a_figure_for_print_has_values_where_they_fit_and_were_asked_for() -> None:
    def values(paper: Paper) -> int:
        svg = head_figure(RECORD, kind="cross", layer=0, head=0, paper=paper, file_format="svg").decode()
        return len(re.findall(r">0\.\d\d<", svg))

    assert values(Paper(84)) == 6
    assert values(Paper(84, has_values=False)) == 0
    assert values(Paper(30, 12)) == 0


def test_labels_wider_than_the_paper_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"12 columns do not fit into 30 mm .* choose a wider figure"):
        head_figure(LONG, kind="cross", layer=0, head=0, paper=Paper(30, 24))


@pytest.mark.parametrize(("width", "font", "words"), [(10, 8, "30 to 400 mm"), (84, 2, "4 to 24 points")])
def test_a_paper_of_impossible_size_is_refused(width: float, font: float, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Paper(width, font)


def test_nothing_in_a_caption_is_a_command_to_latex() -> None:
    assert latex(r"50% of_the \cat{} & #1 ~ ^ $x$") == (
        r"50\% of\_the \textbackslash{}cat\{\} \& \#1 \textasciitilde{} \textasciicircum{} \$x\$"
    )
    assert latex("⁇ 50\u202f%\u00a0\n\n·") == r"?? 50\,\%~  $\cdot$"
    with speaking("en"):
        assert "layer 2, head 1" in head_caption(RECORD, kind="cross", layer=1, head=0, first_index=1)


def test_tikz_has_a_cell_for_each_weight_and_none_after_the_diagonal() -> None:
    weights = rows(1, 1, 3, 3)[0, 0]
    figure = tikz(weights, queries="abc", keys="a&c", paper=Paper(), hue="#7c3aed", is_causal=True, caption="50%")
    assert figure.count(r"\filldraw") == 6
    assert r"\strut a\&" not in figure and r"\strut \&" in figure
    assert r"\definecolor{regardmore}{HTML}{7C3AED}" in figure
    assert r"\caption{50\%}" in figure
    assert f"{weights[2, 1]:.2f}" in figure
    assert figure.count("{") == figure.count("}")


@pytest.mark.parametrize(
    ("tokens", "font"), [("abc", ""), ("été", ""), ("我喜。", "SC"), ("ねこが", "JP"), ("고양이", "KR")]
)
def test_tikz_names_a_font_for_tokens_that_latin_fonts_lack(tokens: str, font: str) -> None:
    figure = tikz(rows(1, 1, 3, 3)[0, 0], queries=tokens, keys="abc", paper=Paper(), hue="#7c3aed", caption=tokens)
    assert re.findall(r"Noto Serif CJK (\w+)", figure) == ([font] if font else [])
    assert (r"\caption[" in figure) == bool(font)
    assert figure.index(r"\providecommand\regardscript{}") < figure.index(r"\regardfont")


def test_tikz_keeps_the_sign_of_gradients() -> None:
    figure = tikz(np.array([[0.5, -0.25]]), queries="a", keys="bc", paper=Paper(), hue="#111111", less_hue="#222222")
    assert "regardmore!100" in figure and "regardless!50" in figure
    assert "$+$0.50" in figure and "$-$0.25" in figure


def test_tikz_for_the_width_of_two_columns_spans_them_and_one_that_does_not_fit_is_refused() -> None:
    def draw(paper: Paper) -> str:
        return head_figure(LONG, kind="cross", layer=0, head=0, file_format="tikz", paper=paper).decode()

    assert r"\begin{figure}[tb]" in draw(Paper(84)) and r"\end{figure}" in draw(Paper(84))
    assert r"\begin{figure*}[tb]" in draw(Paper(174)) and r"\end{figure*}" in draw(Paper(174))
    wide = replace(LONG, target_tokens=("incomprehensibilities", *LONG.target_tokens[1:]))
    with pytest.raises(ValueError, match=r"12 columns do not fit into 30 mm"):
        head_figure(wide, kind="cross", layer=0, head=0, file_format="tikz", paper=Paper(30, 12))


@pytest.mark.parametrize("width", [84.0, 174.0])
@pytest.mark.parametrize("font", [6.0, 10.0])
@pytest.mark.parametrize("last", ["l", "incomprehensibilities"])
def test_latex_sets_a_figure_as_wide_as_it_was_ordered(tmp_path: Path, width: float, font: float, last: str) -> None:
    record = replace(
        LONG, source_tokens=(*LONG.source_tokens[:-1], last), target_tokens=("50%", *LONG.target_tokens[1:])
    )
    figure = head_figure(record, kind="cross", layer=0, head=0, file_format="tikz", paper=Paper(width, font)).decode()
    before, _, rest = figure.partition(r"\begin{tikzpicture}")
    before, picture = before.partition(r"\centering")[2], rest.partition(r"\end{tikzpicture}")[0]
    document = (
        r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{tikz}\begin{document}" + before
        + r"\setbox9=\hbox{\begin{tikzpicture}" + picture + r"\end{tikzpicture}}\typeout{WIDTH \the\wd9}\end{document}"
    )  # fmt: skip
    log = latex_log(document, tmp_path)
    (points,) = re.findall(r"WIDTH ([\d.]+)pt", log)
    assert float(points) / 72.27 * 25.4 == pytest.approx(width, abs=0.2)


def latex_log(document: str, folder: Path) -> str:
    """LaTeX's output for a document."""
    require_programs("pdflatex")
    (folder / "figure.tex").write_text(document, "utf-8")
    process = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "figure.tex"], cwd=folder, capture_output=True, check=False
    )
    log = process.stdout.decode("utf-8", "replace")
    if "tikz.sty' not found" in log:
        pytest.skip("TikZ is not installed (Debian: apt install texlive-pictures)")
    return log
