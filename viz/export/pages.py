"""Pages of text and pictures as PDF and as PowerPoint, laid out once for both.

A page of the PDF is drawn as SVG, so its text can be searched and its pictures stay sharp at any size. In the
PowerPoint file the text stands in text boxes and can be edited; the pictures are PNG.
"""

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass

import vl_convert
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_CONNECTOR
from pptx.enum.text import MSO_ANCHOR
from pptx.oxml.ns import qn
from pptx.slide import Slide
from pptx.util import Pt
from pypdf import PdfReader, PdfWriter

from viz.figures.drawings import FONT, Drawing
from viz.figures.tokens import family, svg_text, wrap

LEADING = 1.36
"""Line height, as a multiple of the type size."""
_INK = "#171720"
_PIXELS = 3.0
"""Resolution of a picture in a PowerPoint file, pixels per point."""
_EAST_ASIAN, _LATIN = "Microsoft YaHei", "Arial"


@dataclass(frozen=True, slots=True)
class Words:
    """One paragraph."""

    text: str
    x: float
    y: float
    width: float
    size: float
    is_bold: bool = False
    colour: str = _INK

    @property
    def lines(self) -> list[str]:
        """The text after line breaking."""
        return wrap(self.text, self.width / self.size)

    @property
    def height(self) -> float:
        """Height in points."""
        return len(self.lines) * self.size * LEADING


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing at its place."""

    drawing: Drawing
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Rule:
    """A line to write on."""

    x: float
    y: float
    width: float


Item = Words | Picture | Rule


@dataclass(frozen=True, slots=True)
class Document:
    """Pages of one size in points; every item is placed from the upper left corner."""

    title: str
    language: str
    width: float
    height: float
    pages: tuple[tuple[Item, ...], ...]


class Flow:
    """Places items below each other on one page.

    Args:
        right: where a line of text ends, points from the left edge.
    """

    def __init__(self, x: float, y: float, right: float, bottom: float) -> None:
        self.x, self.y, self.right, self.bottom = x, y, right, bottom
        self.items: list[Item] = []

    @property
    def room(self) -> float:
        """Remaining height, in points."""
        return self.bottom - self.y

    def words(
        self,
        text: str,
        size: float,
        *,
        is_bold: bool = False,
        colour: str = _INK,
        indent: float = 0,
        after: float = 0.4,
    ) -> None:
        """Add a paragraph; ``after`` is the space below it, as a multiple of the type size."""
        item = Words(text, self.x + indent, self.y, self.right - self.x - indent, size, is_bold, colour)
        self.items.append(item)
        self.y += item.height + after * size

    def picture(self, drawing: Drawing, *, tallest: float | None = None, largest: float = 1.6) -> None:
        """Add a drawing as large as the room allows, at most ``tallest`` points tall and ``largest`` times its size."""
        room = min(self.room, tallest) if tallest is not None else self.room
        scale = min((self.right - self.x) / drawing.width, room / drawing.height, largest)
        width, height = drawing.width * scale, drawing.height * scale
        self.items.append(Picture(drawing, self.x, self.y, width, height))
        self.y += height + 8

    def rules(self, n: int) -> None:
        """Add lines to write on."""
        for _ in range(n):
            self.y += 25
            self.items.append(Rule(self.x, self.y, self.right - self.x))
        self.y += 8


def fitting_size(texts: Sequence[str], width: float, height: float, sizes: Sequence[float]) -> float:
    """The first of the type sizes at which the paragraphs fit into a box; the last one where none does."""

    def needed(size: float) -> float:
        return sum((len(wrap(text, width / size)) * LEADING + 0.4) * size for text in texts)

    return next((size for size in sizes if needed(size) <= height), sizes[-1])


def as_pdf(document: Document) -> bytes:
    """A PDF with the document's pages."""
    writer = PdfWriter()
    for page in document.pages:
        writer.add_page(PdfReader(io.BytesIO(vl_convert.svg_to_pdf(_svg(document, page)))).pages[0])
    writer.add_metadata({"/Title": document.title})
    writer.compress_identical_objects()
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def as_pptx(document: Document) -> bytes:
    """A PowerPoint file with one slide for each page."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = Pt(document.width), Pt(document.height)
    deck.core_properties.title = document.title
    deck.core_properties.language = document.language
    empty = deck.slide_layouts[6]
    for page in document.pages:
        slide = deck.slides.add_slide(empty)
        for item in page:
            _add_shape(slide, item, document.language)
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


def _svg(document: Document, page: Sequence[Item]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{document.width:g}" height="{document.height:g}" '
        f'viewBox="0 0 {document.width:g} {document.height:g}" font-family="{FONT}" lang="{document.language}">'
        f"{''.join(map(_svg_of, page))}</svg>"
    )


def _svg_of(item: Item) -> str:
    if isinstance(item, Words):
        weight = 600 if item.is_bold else 400
        lines = "".join(
            f'<tspan x="{item.x:.1f}" y="{item.y + ((n + 1) * LEADING - 0.36) * item.size:.1f}">'
            f"{svg_text(line, item.size)}</tspan>"
            for n, line in enumerate(item.lines)
        )
        family_of = family(item.text)
        return f'<text font-size="{item.size:g}" font-weight="{weight}" fill="{item.colour}"{family_of}>{lines}</text>'
    if isinstance(item, Rule):
        x, y = item.x, item.y
        return (
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x + item.width:.1f}" y2="{y:.1f}" stroke="#999" stroke-width="1"/>'
        )
    data = base64.b64encode(item.drawing.svg().encode("utf-8")).decode("ascii")
    return (
        f'<image x="{item.x:.1f}" y="{item.y:.1f}" width="{item.width:.1f}" height="{item.height:.1f}" '
        f'href="data:image/svg+xml;base64,{data}"/>'
    )


def _add_shape(slide: Slide, item: Item, language: str) -> None:
    if isinstance(item, Rule):
        line = slide.shapes.add_connector(
            MSO_CONNECTOR.STRAIGHT, Pt(item.x), Pt(item.y), Pt(item.x + item.width), Pt(item.y)
        )
        line.line.color.rgb, line.line.width = RGBColor(0x99, 0x99, 0x99), Pt(1)
        return
    if isinstance(item, Picture):
        png = vl_convert.svg_to_png(item.drawing.svg(), scale=_PIXELS * item.width / item.drawing.width)
        shape = slide.shapes.add_picture(io.BytesIO(png), Pt(item.x), Pt(item.y), Pt(item.width), Pt(item.height))
        shape._element.xpath("./p:nvPicPr/p:cNvPr")[0].set("descr", item.drawing.title)
        return
    frame = slide.shapes.add_textbox(Pt(item.x), Pt(item.y), Pt(item.width), Pt(item.height)).text_frame
    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.TOP
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = Pt(0)
    run = frame.paragraphs[0].add_run()
    run.text = item.text
    run.font.size, run.font.bold, run.font.name = Pt(item.size), item.is_bold, _LATIN
    run.font.color.rgb = RGBColor.from_string(item.colour.removeprefix("#"))
    properties = run._r.get_or_add_rPr()
    properties.set("lang", {"zh": "zh-CN", "fr": "fr-FR"}.get(language, "en-US"))
    properties.append(properties.makeelement(qn("a:ea"), {"typeface": _EAST_ASIAN}))
