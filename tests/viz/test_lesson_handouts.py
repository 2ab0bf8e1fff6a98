"""Slides and worksheets: their pictures, and their numbers compared with those on the page."""

import base64
import dataclasses
import io
import itertools
import json
import re
import zipfile
from collections.abc import Iterable
from html import unescape
from typing import Any

import numpy as np
import pytest
from pptx import Presentation
from pypdf import PdfReader
from streamlit.testing.v1 import AppTest

import model
from model.teaching.sentences import collection
from tests.viz.page import reading_of
from viz.__main__ import main
from viz.export.pages import Document, Flow, Picture, Words, as_pdf, as_pptx
from viz.figures import drawings
from viz.figures.tokens import ems, wrap
from viz.i18n import LANGUAGES, number, speaking, tr
from viz.lesson import deck, sheets, teacher
from viz.lesson.choices import NAMES
from viz.lesson.moving import scenes_of
from viz.lesson.quiz import quiz
from viz.lesson.scenes import SCENES, beam, box, explain, head, layer, loss
from viz.lesson.views import Pictures, read_with
from viz.rooms.questions import AFTER, BEFORE

SCENE_SENTENCES = collection().scenes


def texts_in(drawing: drawings.Drawing | None) -> list[str]:
    """The texts of a picture in drawing order."""
    assert drawing is not None
    return [unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", drawing.body)]


@pytest.mark.nightly
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_have_every_scene_with_its_pictures_and_its_words(shipped, language):
    reading = reading_of(shipped, SCENE_SENTENCES["box"])
    printed, every = sheets.Printed(reading.trace.source_text, reading.trace.text), range(len(SCENES))
    slides = teacher.file_of(deck.slides, "pptx", every, printed, reading, language)
    pages: list[Any] = list(Presentation(io.BytesIO(slides)).slides)
    texts = ["\n".join(s.text_frame.text for s in page.shapes if s.has_text_frame) for page in pages]
    n_pictures = [sum(s.shape_type == 13 for s in page.shapes) for page in pages]
    all_text = "".join(texts)
    with speaking(language):
        for scene in SCENES:
            titled = [n for n, text in enumerate(texts) if tr(f"lesson.{scene.name}_title") in text.partition("\n")[0]]
            assert sum(n_pictures[n] for n in titled) == 5, f"{scene.name}: question, options, before, after, answer"
            question = deck.plain(tr(f"lesson.{scene.name}_question"))
            assert deck.sentences_of(question)[-1] in all_text, "the teacher says what stands before it"
            assert all(option in all_text for option in sheets.options_of(scene))
        assert "{" not in all_text
        example = teacher.example(NAMES.index("positions"), printed, reading)
        pair = deck._pair(example.sentence, example.translation).body
        assert re.sub("<[^>]*>", "", pair).count(SCENE_SENTENCES["positions"]) == 1, "beside the question"
    document = PdfReader(io.BytesIO(teacher.file_of(deck.slides, "pdf", every, printed, reading, language)))
    assert len(document.pages) == len(texts)
    pdf_pages: list[Any] = list(document.pages)
    for page, text, n in zip(pdf_pages, texts, n_pictures, strict=True):
        page_text = without_spaces(page.extract_text())
        assert all(without_spaces(line) in page_text for line in text.split("\n"))
        assert ("/XObject" in page["/Resources"]) == bool(n)


@pytest.mark.nightly("fr", "zh")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_worksheets_have_a_picture_and_no_answer_on_every_page(shipped, language):
    reading = reading_of(shipped, SCENE_SENTENCES["box"])
    printed, short = sheets.Printed(reading.trace.source_text, reading.trace.text), scenes_of("short")
    for ending in ("pdf", "pptx"):
        content = teacher.file_of(deck.worksheet, ending, short, printed, reading, language)
        if ending == "pdf":
            pages = [without_spaces(page.extract_text()) for page in PdfReader(io.BytesIO(content)).pages]
        else:
            slides: list[Any] = list(Presentation(io.BytesIO(content)).slides)
            assert [sum(s.shape_type == 13 for s in page.shapes) for page in slides] == [1] * len(short)
            pages = [
                without_spaces("".join(s.text_frame.text for s in page.shapes if s.has_text_frame)) for page in slides
            ]
        assert len(pages) == len(short)
        with speaking(language):
            for number, page in zip(short, pages, strict=True):
                name = SCENES[number].name
                assert without_spaces(deck.plain(tr(f"lesson.{name}_question"))) in page
                assert without_spaces(tr(f"lesson.{name}_answer").partition("{")[0])[:60] not in page
                assert not any(without_spaces(reply)[:30] in page for reply in tr(f"lesson.{name}_reply").split("|"))


def without_spaces(text: str) -> str:
    """A text without white space, which a PDF does not preserve."""
    return re.sub(r"[\s\u200b]+", "", text.replace("ₖ", "k"))


@pytest.mark.nightly(but=("encoder",))
@pytest.mark.parametrize("name", ["box", "encoder", "mask", "cross"])
def test_a_picture_has_the_numbers_of_the_map_on_the_page(open_page, monkeypatch, shipped, name):
    monkeypatch.setattr("viz.cache.bundle", lambda _: shipped)
    votes = ".".join(f"{scene.name}1" for scene in SCENES)
    app = open_page("lesson", text=SCENE_SENTENCES[name], **{"lesson.scene": name, "lesson.votes": votes})
    spec = json.loads(app.get("plotly_chart")[0].proto.spec)
    (heat,) = [series for series in spec["data"] if series["type"] == "heatmap"]
    on_page = _decode(heat["z"])
    with speaking("en"):
        texts = texts_in(SCENES[NAMES.index(name)].pictures(reading_of(shipped, SCENE_SENTENCES[name])).before)
    rows = [unescape(text).removesuffix("…") for text in spec["layout"]["yaxis"]["ticktext"]]
    assert [text for text in texts if text in rows][: len(rows)] == rows
    if on_page.shape[1] <= drawings.MAX_NUMBERED:
        numbers = [float(text) for text in texts if re.fullmatch(r"\d\.\d\d", text)]
        assert np.allclose(np.array(numbers).reshape(on_page.shape), on_page, atol=0.0051)


def _decode(values: object) -> np.ndarray:
    """The numbers of a Plotly chart, which are stored as a list or as bytes."""
    if isinstance(values, dict):
        shape = [int(n) for n in str(values.get("shape", "-1")).split(",")]
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).reshape(shape)
    return np.array(values)


def test_the_sheet_on_a_layer_leaves_the_sums_to_the_class(shipped):
    pictures = layer.SCENE.pictures(reading_of(shipped, SCENE_SENTENCES["layer"]))
    slide_texts, sheet_texts = texts_in(pictures.before), texts_in(pictures.sheet)
    assert len(list(filter(None, slide_texts))) - len(list(filter(None, sheet_texts))) == 2 * 4
    assert all(text in slide_texts for text in sheet_texts if text)


def test_the_sheet_on_the_first_scene_has_the_words_of_both_sentences_and_no_weights(shipped):
    reading = reading_of(shipped, SCENE_SENTENCES["box"])
    words = f"{reading.trace.source_text} {reading.trace.text}".split()
    assert texts_in(box.SCENE.pictures(reading).sheet) == words


def count_words(text: str) -> int:
    """The number of words, without letters of options; two Chinese characters count as one word."""
    text = re.sub(r"\b[ABC]\. ", "", text)
    han = len(re.findall(r"[\u4e00-\u9fff]", text))
    return len(re.findall(r"[^\W\d_\u4e00-\u9fff]+", text)) + han // 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_slide_with_a_picture_has_few_words_and_its_number_is_its_place_on_the_route(language):
    numbers, picture = scenes_of("short"), drawings.table((), [("a", "b")])
    example = sheets.Example("A sentence.", "Une phrase.", pictures=Pictures(picture, picture))
    printed = sheets.Printed("Own.", "Propre.", route="short", examples=(example,) * len(SCENES))
    with speaking(language):
        pages = deck.slides(numbers, printed).pages[1:]
        for page in pages:
            texts = [item.text for item in page if isinstance(item, Words)]
            assert any(isinstance(item, Picture) for item in page), texts
            assert sum(map(count_words, texts)) <= 30, texts
        titles = [next(item.text for item in page if isinstance(item, Words)) for page in pages]
        assert list(dict.fromkeys(titles)) == [
            f"{place}. {tr(SCENES[number].title)}" for place, number in enumerate(numbers, 1)
        ]


@pytest.mark.parametrize("route", ["short", "full"])
def test_the_quiz_to_print_has_every_question_of_the_route_and_no_answer(route):
    with speaking("fr"):
        document = deck.quiz_sheets((), sheets.Printed("", "", route=route))
        for page, offer in zip(document.pages, (BEFORE, AFTER), strict=True):
            texts = [item.text for item in page if isinstance(item, Words)]
            text = "\n".join(texts)
            items = quiz(offer, route)
            assert len(items) == (10 if route == "full" else 9)
            assert all(item.words["fr"] in text and item.why["fr"] not in text for item in items)
            answers = [item for item in page if isinstance(item, Words) and item.text.startswith("A.")]
            assert not any(item.is_bold for item in answers)
            for item, answer in zip(items, answers, strict=True):
                offered = [f"{letter}. {option}" for letter, option in zip("ABCD", item.options["fr"], strict=True)]
                assert answer.text.replace("\u00a0", " ") == "    ".join(offered), "in whole options with room between"
                assert all(option.replace(" ", "\u00a0") in "\n".join(answer.lines) for option in offered)
            assert all(item.y + item.height <= document.height for item in page if isinstance(item, Words))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheet_on_a_head_has_two_products_to_calculate_whose_results_the_teacher_has(shipped, language):
    with speaking(language):
        cells = texts_in(head.SCENE.pictures(reading_of(shipped, SCENE_SENTENCES["head"])).sheet)
        expectation = tr("lesson.head_expect")
        query, *keys = (
            [int(cell.replace("−", "-")) for cell in cells[cells.index(name) + 1 :][:4]] for name in ("q", "k", "k'")
        )
        for key in keys:
            product = int(np.dot(query, key))
            assert f"= {product}" in expectation
            assert number(product / 2, ".1f").removesuffix(".0").removesuffix(",0") in expectation
        assert cells.count("q × k") == cells.count("q × k'") == 1


def test_the_sheet_on_the_loss_asks_for_the_mean_of_its_table(shipped):
    with speaking("en"):
        reading = reading_of(shipped, SCENE_SENTENCES["loss"])
        texts = texts_in(loss.SCENE.pictures(reading).sheet)
    numbers = [float(text) for text in texts if re.fullmatch(r"\d+\.\d\d", text)]
    surprises = numbers[1::2]
    assert len(numbers) == 2 * len(loss.step(reading).before)
    assert np.mean(surprises) == pytest.approx(loss.step(reading).losses[0], abs=0.01)


@pytest.mark.parametrize("language", ["en", "fr", "zh"])
def test_the_sheet_on_beam_search_asks_for_the_products_that_the_teacher_has(shipped, language):
    with speaking(language):
        texts = texts_in(beam.SCENE.pictures(reading_of(shipped, SCENE_SENTENCES["beam"])).sheet)
        expected = tr("lesson.beam_expect")
    values = [[float(number.replace(",", ".")) for number in re.findall(r"\b0[.,]\d\d\b", " ".join(part))]
              for part in (texts[: texts.index("B")], texts[texts.index("B") :])]  # fmt: skip
    products = [float(np.prod(number)) for number in values]
    stated = [float(number.replace(",", ".")) for number in re.findall(r"0[.,]\d\d", expected)]
    assert products == pytest.approx(stated, abs=0.006) and products[0] < products[1]
    assert values[0][0] > values[1][0], "greedy decoding takes the more probable first token"


def test_the_slide_of_the_last_vote_has_the_numbers_of_the_page(shipped):
    with speaking("en"):
        reading = reading_of(shipped, SCENE_SENTENCES["explain"])
        ablation = explain._off(*explain.sharpest_head(reading))
        compared = explain.SCENE.compared(reading, read_with(reading, ablation))
        assert compared is not None and explain.SCENE.outcome(reading) == compared[2]
        assert len(set(re.findall(r"[\d.]+%", compared[2]))) == 2


@pytest.mark.nightly
def test_a_command_writes_the_six_files(tmp_path, capsys):
    assert main(["handouts", "--out", str(tmp_path / "new"), "--language", "fr", "--route", "short"]) == 0
    paths = capsys.readouterr().out.split()
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(
        f"regard-{name}.{ending}" for name in ("slides", "worksheets", "quiz") for ending in ("pdf", "pptx")
    )
    assert len(paths) == 6
    title = PdfReader(tmp_path / "new" / "regard-slides.pdf").metadata
    with speaking("fr"):
        assert title is not None and title.title == tr("lesson.slides")
        assert len(PdfReader(tmp_path / "new" / "regard-worksheets.pdf").pages) == len(scenes_of("short"))


def test_sentences_of_a_class_are_text_in_both_files():
    hostile = "<script>alert(1)</script> & “x” ​"
    flow = Flow(10, 10, 400, 400)
    flow.words(hostile, 12)
    flow.picture(drawings.weight_map(np.ones((1, 1), np.float32), [hostile], ["</text>"], kind="cross", write=str))
    document = Document(hostile, "en", 500, 500, (tuple(flow.items),))
    assert "alert(1)" in PdfReader(io.BytesIO(as_pdf(document))).pages[0].extract_text()
    deck_ = as_pptx(document)
    assert zipfile.ZipFile(io.BytesIO(deck_)).testzip() is None
    slide: Any = Presentation(io.BytesIO(deck_)).slides[0]
    assert slide.shapes[0].text_frame.text.startswith("<script>")


@pytest.mark.nightly(but=("zh",))
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_on_a_page_lies_outside_it_or_under_something_else(shipped, language):
    reading = reading_of(shipped, SCENE_SENTENCES["box"])
    printed = sheets.Printed(reading.trace.source_text, reading.trace.text)
    with speaking(language):
        every = range(len(SCENES))
        full = teacher._with_examples(every, printed, reading, has_pictures=True)
        for document in (deck.slides(every, full), deck.worksheet(every, full)):
            for page in document.pages:
                if document.width > document.height and any(isinstance(item, Picture) for item in page):
                    assert sum(count_words(item.text) for item in page if isinstance(item, Words)) <= 30, page
                for item in page:
                    if isinstance(item, Words | Picture):
                        assert item.y + item.height <= document.height and item.x + item.width <= document.width
                    if isinstance(item, Picture):
                        assert min(item.width, item.height) >= 50
                boxes = [part for part in page if isinstance(part, Words | Picture)]
                for box, next_box in itertools.pairwise(boxes):
                    assert next_box.y >= box.y + box.height - 0.01 or next_box.x >= box.x + box.width


def test_lines_are_broken_before_they_are_too_wide_and_never_before_a_full_stop():
    for text in (
        "An encoder reads the whole sentence “at once”, and so on.",
        "编码器一次读完整个句子，“不”是从左到右读的。",
    ):
        lines = wrap(text, 12)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert all(ems(line.rstrip()) <= 13.1 for line in lines)
        assert not any(line[0] in "，。.,”" for line in lines) and not any(line.rstrip()[-1] in "“（" for line in lines)


def test_quotation_marks_beside_chinese_are_as_wide_as_a_character():
    assert ems("“狗”") == 3 * ems("狗") and ems("“dog”") < ems("dog") + 2


@pytest.mark.nightly
def test_the_chinese_model_has_pictures_for_all_scenes():
    bundle, sentences = model.load("en-zh"), collection("en-zh").scenes
    for scene in SCENES:
        pictures = scene.pictures(reading_of(bundle, sentences[scene.name]))
        assert pictures.before is not None and pictures.after is not None


def as_english(text: str, language: str) -> str:
    """A text with its numbers in English format; French has decimal commas, and spaces in thousands and percentages."""
    if language != "fr":
        return text
    text = re.sub(r"(?<=\d)[\u202f\u00a0](?=\d{3}\b)", ",", re.sub(r"(?<=\d),(?=\d)", ".", text))
    return re.sub(r"(?<=\d)[\u202f\u00a0 ]%", "%", text)


def numbers_in(texts: Iterable[str]) -> dict[str, float]:
    """The numbers of English texts that have decimals, are percentages or exceed 999, by their written form."""
    matches = [match for text in texts for match in re.findall(r"−?\d[\d,]*\.\d+%?|\d+%|\d{1,3}(?:,\d{3})+", text)]
    return {match: float(match.strip("%").replace(",", "").replace("−", "-")) for match in matches}


def numbers_on_page(app: AppTest, language: str) -> np.ndarray:
    """Every number in the texts, charts and components of a page."""
    texts, arrays = [], [np.zeros(0, np.float64)]
    for element in (element for element in app.main if hasattr(element, "proto")):
        if element.type == "plotly_chart":
            traces = json.loads(element.proto.spec)["data"]
            arrays += [_decode(trace[axis]).ravel() for trace in traces for axis in "xyz" if axis in trace]
        elif element.type == "bidi_component":
            packet = element.proto.bytes
            header = 4 + int.from_bytes(packet[:4], "little")
            texts += [element.proto.json, packet[4:header].decode()]
            arrays.append(np.frombuffer(packet[header:], np.float32).astype(np.float64))
        else:
            texts.append(str(getattr(element, "value", element.proto)))
    text = as_english(" ".join(texts), language).replace("−", "-")
    matches = [x.replace(",", "") for x in re.findall(r"-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?", text)]
    numbers = np.concatenate([array for array in arrays if array.dtype.kind in "fiu"])
    return np.append(numbers[np.isfinite(numbers)], np.array(matches, float))


def is_among(value: float, decimals: int, numbers: np.ndarray) -> bool:
    """Whether a rounded number agrees with one on a page that has at least as many decimals."""
    return bool((np.abs(numbers - value) <= 0.5 * 10**-decimals + 1e-9).any())


@pytest.mark.nightly(but=("box-en", "mask-en", "explain-fr", "since-en"))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_number_on_a_scenes_slides_is_on_its_screen(open_page, monkeypatch, shipped, name, language):
    monkeypatch.setattr("viz.cache.bundle", lambda _: shipped)
    number = NAMES.index(name)
    link = {
        "text": SCENE_SENTENCES[name],
        "language": language,
        "lesson.scene": name,
        "lesson.votes": f"{name}{SCENES[number].right + 1}",
        "lesson.explained": name,
    }
    app = open_page("lesson", **link)
    screens = [numbers_on_page(app, language)]
    if name == "train":
        app = open_page("lesson", **link, **{"lesson.changed": "1"})
    else:
        app.button(key="lesson.change").click().run()
    numbers = np.concatenate((*screens, numbers_on_page(app, language)))
    with speaking(language):
        reading = reading_of(shipped, SCENE_SENTENCES[name])
        printed = sheets.Printed(reading.trace.source_text, reading.trace.text)
        example = teacher.example(number, printed, reading, has_pictures=True)
        pages = deck.slides((number,), dataclasses.replace(printed, examples=(example,) * len(SCENES))).pages
    texts = [item.text for page in pages for item in page if isinstance(item, Words)]
    for drawing in (example.pictures.before, example.pictures.after):
        texts += texts_in(drawing)
    on_slides = numbers_in(as_english(text, language) for text in texts)
    for number_text, value in on_slides.items():
        decimals = len(number_text.strip("%").partition(".")[2])
        is_shown = is_among(value, decimals, numbers)
        assert is_shown or ("%" in number_text and is_among(value / 100, decimals + 2, numbers)), (number_text, numbers)
