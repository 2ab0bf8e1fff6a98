"""What the model in use cannot show: pages that it cannot fill, and links to a model that is not open.

Such pages are not in the navigation. The menu of models says why, as does the page itself when a link leads to it. For
a link to a model that is not open another one is shown, and choices that name the missing model's tokens are kept until
it is opened.
"""

from urllib.parse import parse_qsl, urlencode

import streamlit as st

from model import Bundle
from model.inference.masked import mask_id
from viz import cache
from viz.i18n import sentences, tr
from viz.panels import errors
from viz.panels.reading import current_model_name, find_bundle, find_reading, use_model
from viz.plain_text import escape_markdown
from viz.shipped_models import shipped_models
from viz.state import session

_OF_WORDS = ("causal", "positions", "corpus", "lesson")
"""Pages that work on the words of a sentence."""
_OF_ANY_MODEL = ("corpus", "lesson")
"""Of these, the pages that also show what was measured with another model."""
_DECODE, _CAUSAL = ("decode.alone", "decode.alone_remedy"), ("causal.alone",)


def reasons_by_page(bundle: Bundle | None) -> dict[str, tuple[str, ...]]:
    """The names of such pages, each with the keys of its reason."""
    if bundle is not None and bundle.grid is not None:
        return dict.fromkeys(_OF_WORDS, ("grid.only_words",))
    if bundle is not None and bundle.picture is not None:
        return {page: ("pad.only_words",) for page in _OF_WORDS if page != "causal"}
    if bundle is None or cache.extent(bundle).kinds != ("encoder_self",):
        return {}
    return {"causal": _CAUSAL} if mask_id(bundle) is not None else {"decode": _DECODE, "causal": _CAUSAL}


def hidden_pages() -> frozenset[str]:
    """The names of such pages for the model in use."""
    return frozenset(reasons_by_page(find_bundle()))


def say_why(bundle: Bundle) -> None:
    """Name the pages that are not in the navigation, each with its reason."""
    for page, reason in reasons_by_page(bundle).items():
        st.caption(sentences(tr("frame.unfilled", page=tr(f"frame.page_{page}")), *map(tr, reason)))


def explain_instead(page: str) -> bool:
    """In place of a page that the model cannot fill, draw why and a button for another model; whether it was drawn."""
    reason = {} if page in _OF_ANY_MODEL else reasons_by_page(find_bundle())
    if page not in reason:
        return False
    errors.show(tr("frame.unfilled_here"), sentences(*map(tr, reason[page])))
    fitting = (name for name, each in shipped_models().items() if not each.is_single_stack and not each.reads_pictures)
    name = next((name for name in fitting if name in cache.model_names()), None)
    if name is not None:
        label = tr("frame.model_keep", used=escape_markdown(name))
        st.button(label, key="fitting_model", on_click=use_model, args=(name,))
    return True


def uses_sentence(page: str) -> bool:
    """Whether a page, by its name, shows anything of the sentence with the choices in force.

    The modules of a page are imported where it is open: others do not wait for them.
    """
    if page == "positions":
        from viz.positions.choices import is_of_sentence

        return (reading := find_reading()) is None or is_of_sentence(reading)
    if page == "laboratory":
        from viz.laboratory import bench

        return bench.is_of_sentence()
    if page == "corpus":
        from viz.corpus import choices

        return choices.is_of_sentence()
    if page == "lesson":
        from viz.lesson import moving

        return moving.open_scene().reads_sentence
    return page not in ("fine_tune", "checkpoints")


def warn_missing_model() -> None:
    """Say that the link's model is not open here, which one is shown instead, and what to do about it."""
    chosen, used = session.read(), current_model_name()
    wished = cache.current_model_name(chosen.model)
    if used is None:
        return
    if not wished or used == wished:
        if chosen.tokens_of:
            # The model has been opened: restore what its link named, and drop what names the other model's tokens.
            session.change_tokens(tokens_of="")
            session.merge_params(dict(parse_qsl(chosen.waiting)))
        return
    if chosen.tokens_of != used:
        _set_aside(used)
    with st.container(border=True, key="absent_model"):
        st.text(tr("frame.model_unknown", name=wished, used=used))
        if session.read().waiting:
            st.text(tr("frame.model_waits"))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(
                "checkpoints/checkpoints.py", label=tr("frame.page_checkpoints"), icon=":material/upload_file:"
            )
            st.button(
                tr("frame.model_keep", used=escape_markdown(used)), key="model_keep", on_click=use_model, args=(used,)
            )


def _set_aside(used: str) -> None:
    """Drop choices that name tokens or missing layers of the model shown. The link keeps them for its own model."""
    before, params = session.read(), session.params()
    session.change_tokens(tokens_of=used, waiting=before.waiting)
    shown = find_bundle()
    if shown is not None:
        session.clamp(cache.extent(shown))
    if not before.tokens_of:  # otherwise they name tokens of the model that replaced it
        now = session.params()
        session.change(waiting=urlencode({name: text for name, text in params.items() if now.get(name) != text}))
