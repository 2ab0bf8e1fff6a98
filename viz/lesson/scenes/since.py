"""Changes since 2017: the shipped decoder-only model beside the one in use, and the work that its cache saves."""

import numpy as np
import streamlit as st

from model import Bundle
from model.layer_spec import LayerSpec
from model.teaching.measured.next_token import DECODER, Continuation, beginning, continuation, numbers_kept
from model.trace import Floats
from viz import cache
from viz.figures import drawings
from viz.figures import laboratory as figures
from viz.i18n import number, tr
from viz.lesson.choices import is_changed
from viz.lesson.scene import Scene, named_activations, translation
from viz.lesson.views import Act, Pictures, bars, show
from viz.panels.opening import PROMPTS
from viz.panels.reading import Reading, use_model
from viz.plain_text import chip_text, escape_markdown, markdown_table
from viz.shipped_models import shipped_models
from viz.state import clicks, session

_CACHE_ROW = "kept"
"""The row of the table that is left blank on paper."""


def decoder(bundle: Bundle) -> str:
    """The decoder-only model that ships with the program."""
    return "" if DECODER in shipped_models() else "lesson.need_decoder"


def continue_beginning(reading: Reading) -> Continuation:
    """The beginning of the class's sentence, where the decoder reads its language, and what it writes after it."""
    text = beginning(reading.bundle, reading.text)
    return cache.compute(continuation, cache.shipped_model(DECODER), text=text)


def measured_effect(reading: Reading) -> str:
    """The work with the cache and without it, and the text written."""
    result = continue_beginning(reading)
    texts = " / ".join(dict.fromkeys((result.text, result.text_without)))
    return tr("lesson.since_measured", cached=sum(result.cached), uncached=sum(result.uncached), text=texts)


def cache_size(bundle: Bundle) -> str:
    """The number of values in the key-value cache per token, written as a product."""
    layers, heads, width = numbers_kept(bundle)
    return f"{layers} × {heads} × {width} = {number(layers * heads * width)}"


def compared_with(bundle: Bundle) -> list[tuple[str, str, str]]:
    """A row for each part that differs: its name, the model in use and the decoder."""
    both = [_parts(model) for model in (bundle, cache.shipped_model(DECODER))]
    return [(tr(f"lesson.since_{name}"), both[0][name], both[1][name]) for name in both[0]]


class Since(Scene):
    """Both models beside each other, and the decoder's work for each token."""

    def named(self, reading: Reading) -> dict[str, object]:
        """The beginning that the decoder continues."""
        return {"begun": continue_beginning(reading).begun}

    def numbers(self, reading: Reading, n_tried: int | None = None) -> dict[str, object]:
        """Values per token in the decoder's key-value cache, and how many there would be without shared key heads."""
        layers, heads, width = numbers_kept(bundle := cache.shipped_model(DECODER))
        n_heads = bundle.config.n_decoder_heads
        return {"layers": layers, "keys": heads, "width": width, "kept": layers * heads * width, "heads": n_heads,
                "whole": layers * n_heads * width}  # fmt: skip

    def has_caption(self, reading: Reading) -> bool:
        """The caption stands at the table."""
        return False

    def draw(self, reading: Reading) -> None:
        """The table; after the change the work for each token above it."""
        if is_changed():
            result = continue_beginning(reading)
            show(figures.bars(_work(result), _pieces(result), axis_name=tr("lesson.since_axis"), mode=session.mode(),
                              height=220), "since")  # fmt: skip
        st.caption(tr("lesson.since_look"))
        head, *rows = ([*map(escape_markdown, line)] for line in (_head(reading), *compared_with(reading.bundle)))
        st.markdown(markdown_table(head, rows))

    def draw_below(self, reading: Reading) -> None:
        """Draw the end of the lesson: a sentence on each change, and a button that opens the decoder."""
        with st.container(border=True, key="lesson.without_encoder"):
            st.markdown(f"**{tr('lesson.decoder_title')}**")
            st.markdown(tr("lesson.decoder_about"))
            st.markdown("\n".join(f"- {line}" for line in tr("lesson.since_about").split("|")))
            if clicks.button(tr("lesson.decoder_open"), key="lesson.decoder_open", icon=":material/arrow_forward:"):
                use_model(DECODER)
                session.new_sentence(PROMPTS[0])
                st.switch_page("decode/decode.py")

    def finding(self, reading: Reading) -> str:
        """The products of the sheet."""
        both = [cache_size(model) for model in (reading.bundle, cache.shipped_model(DECODER))]
        return tr("lesson.since_found", own=both[0], decoder=both[1])

    def pictures(self, reading: Reading) -> Pictures:
        """The table and the work for each token; on the sheet the products are left to the class."""
        lines, result = compared_with(reading.bundle), continue_beginning(reading)
        blank_name = tr(f"lesson.since_{_CACHE_ROW}")
        blank = [(line[0], "", "") if line[0] == blank_name else line for line in lines]
        scale = max(result.uncached, default=1)
        work = [(name, values / np.float32(scale)) for name, values in _work(result)]
        return Pictures(
            drawings.table(_head(reading), lines, widest=420),
            drawings.bars(work, _pieces(result), write=lambda share: str(round(share * scale))),
            drawings.table(_head(reading), blank),
        )

    def act(self, before: Reading, reading: Reading) -> Act:
        """The work for each token."""
        result = continue_beginning(reading)
        (_, cached), (_, uncached) = _work(result)
        titles = ("laboratory.cache_with", "laboratory.cache_without")
        return bars(_pieces(result), cached, uncached, scale=max(result.uncached, default=1)) | {"titles": titles}


def _parts(bundle: Bundle) -> dict[str, str]:
    """A description of each part of a model."""
    config = bundle.config
    spec = config.layers(encoder=False)[0]
    attention, layers = spec.attention, {"encoder": config.n_encoder_layers, "decoder": config.n_decoder_layers}
    return {
        "layers": tr("lesson.since_layers_both" if config.n_encoder_layers else "lesson.since_layers_alone", **layers),
        "order": tr(f"lesson.since_order_{_order(bundle, spec)}"),
        "norm": tr("lesson.since_norm_size" if spec.norm_kind == "rms" else "lesson.since_norm_mean"),
        "fed": tr(f"lesson.since_fed_{'gated' if spec.gated_feed_forward else 'plain'}", n=spec.d_feed_forward),
        "keys": tr("lesson.since_keys_of", keys=attention.key_heads, heads=attention.n_heads),
        "width": f"{attention.d_key} + {attention.d_value}",
        _CACHE_ROW: cache_size(bundle),
    }


def _order(bundle: Bundle, spec: LayerSpec) -> str:
    """How positions enter the model."""
    if spec.attention.rotary is not None:
        return "turned"
    if spec.attention.relative or spec.attention.slopes:
        return "scores"
    return "none" if bundle.config.positions == "none" else "added"


def _head(reading: Reading) -> tuple[str, str, str]:
    return "", reading.bundle.name, DECODER


def _work(result: Continuation) -> tuple[tuple[str, Floats], tuple[str, Floats]]:
    """Token vectors that each layer computes per new token."""
    return (
        (tr("laboratory.cache_with"), np.array(result.cached, np.float32)),
        (tr("laboratory.cache_without"), np.array(result.uncached, np.float32)),
    )


def _pieces(result: Continuation) -> list[str]:
    return [chip_text(piece) for piece in result.pieces]


SCENE = Since(
    name="since", right=2, page="laboratory", minutes=5, needs=(translation, named_activations, decoder), compares="",
    is_of_the_view=True, measured=measured_effect, lines=3,
)  # fmt: skip
