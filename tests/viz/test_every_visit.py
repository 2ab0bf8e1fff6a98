"""Each page opens in each language and theme with each kind of model: by day pairwise, at night all combinations."""

import itertools

import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoints.loading import PRETRAINED
from tests.pages import PAGES, go_to
from tests.viz.page import new_app
from tests.walk import models
from viz import cache
from viz.i18n import LANGUAGES

KINDS = ("shipped", "own", "uploaded", "encoder", "decoder", "none")
"""Shipped; named at the start; uploaded; encoder-only; decoder-only; no model."""
THEMES = ("light", "dark")
UPLOADED = {"uploaded": "twin", "encoder": "encoder-only model", "decoder": "decoder-only model"}
"""Kinds of models opened in the session, and their names in tests/walk/models.py."""
VISITS = list(itertools.product(PAGES, LANGUAGES, KINDS, THEMES))


def _is_by_day(visit: tuple[str, str, str, str]) -> bool:
    """Whether a visit is the one of its pair of page and model, whose language and theme vary with both."""
    page, kind = PAGES.index(visit[0]), KINDS.index(visit[2])
    return visit[1::2] == (tuple(LANGUAGES)[(page + kind) % len(LANGUAGES)], THEMES[(page + kind // 3) % len(THEMES)])


BY_DAY = [visit for visit in VISITS if _is_by_day(visit)]


def test_by_day_each_pair_is_visited() -> None:
    for first, second in itertools.combinations(range(4), 2):
        pairs = {(visit[first], visit[second]) for visit in VISITS}
        assert {(visit[first], visit[second]) for visit in BY_DAY} == pairs
    assert len(BY_DAY) == len(PAGES) * len(KINDS), "as few as visit each page with each kind of model"


@pytest.mark.nightly(but=["-".join(visit) for visit in BY_DAY])
@pytest.mark.parametrize(("page", "language", "kind", "theme"), VISITS, ids=map("-".join, VISITS))
def test_a_page_opens(monkeypatch: pytest.MonkeyPatch, page: str, language: str, kind: str, theme: str) -> None:
    app = new_app(language=language)
    app.context["theme"] = theme
    if kind == "shipped":
        monkeypatch.delenv(cache.CHECKPOINT_VARIABLE, raising=False)
        app.query_params["model"] = "tiny"
    else:
        monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, "/nowhere" if kind == "none" else str(models.shared_model()))
    if kind in UPLOADED:
        app.session_state["regard.private_models"] = {kind: models.private(UPLOADED[kind])}
        app.query_params["model"] = kind
    go_to(app, page)
    assert _last_run(app) == (page, language, kind, theme)


def _last_run(app: AppTest) -> tuple[str, str, str, str]:
    """Page, language, kind of model and theme of the last run."""
    info = app._registered_pages.get(app._finished_page_script_hash, {})
    page = str(info.get("script_path", "")).rpartition("/")[2].removesuffix(".py") or PAGES[0]
    return page, app.query_params.get("language") or "en", _kind(app), app.context.get("theme") or "light"


def _kind(app: AppTest) -> str:
    name, opened = str(app.query_params.get("model", "")), app.session_state.get("regard.private_models", {})
    names = cache.model_names()
    used = name if name in names or name in opened else names[0] if names else ""
    try:
        bundle = opened[used] if used in opened else cache.bundle(used)
    except Exception:  # without a model the server names a missing folder
        return "none"
    kinds = cache.extent(bundle).kinds
    if "cross" not in kinds:
        return "encoder" if "encoder_self" in kinds else "decoder"
    return "uploaded" if used in opened else "shipped" if (PRETRAINED / used).is_dir() else "own"
