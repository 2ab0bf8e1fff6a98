"""Each page in each language and theme, on each kind of model, opens: by day each pair of these, at night all."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests import visits
from tests.pages import PAGES, go_to
from tests.visits import KINDS, THEMES
from tests.walk import models
from viz import cache
from viz.i18n import LANGUAGES

MAIN = Path(__file__).parents[2] / "viz" / "main.py"
UPLOADED = {"uploaded": "twin", "encoder": "encoder-only model", "decoder": "decoder-only model"}
"""Kinds of model that a session opens, and what tests.walk.models calls them."""
VISITS = list(itertools.product(PAGES, LANGUAGES, KINDS, THEMES))


def _is_by_day(visit: visits.Visit) -> bool:
    """One visit for each pair of page and model, whose language and theme change with both."""
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
    app = AppTest.from_file(str(MAIN), default_timeout=120)
    app.context["theme"] = theme
    app.query_params["language"] = language
    if kind == "shipped":
        monkeypatch.delenv(cache.CHECKPOINT_VARIABLE, raising=False)
        app.query_params["model"] = "tiny"
    else:
        monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, "/nowhere" if kind == "none" else str(models.shared()))
    if kind in UPLOADED:
        app.session_state["regard.private_models"] = {kind: models.private(UPLOADED[kind])}
        app.query_params["model"] = kind
    before = visits.visited[page, language, kind, theme]
    go_to(app, page)
    assert not app.exception, [error.message for error in app.exception]
    assert visits.visited[page, language, kind, theme] == before + 1, "the page is another, or in another language"
