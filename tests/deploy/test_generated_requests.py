"""A small run of ``python -m tests.generated_requests``."""

import shutil
from collections.abc import Iterator

import pytest

from tests.generated_requests import ROUTES, Under, running, try_route


@pytest.fixture(scope="module")
def under(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Under]:
    """One server for all routes."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed: apt install redis-server")
    with running(str(tmp_path_factory.mktemp("requests"))) as found:
        yield found


@pytest.mark.nightly(but=("/class/{code}/join", "/class/{code}/sentence"))
@pytest.mark.parametrize("route", ROUTES)
def test_a_route_answers_whatever_is_sent_to_it(under: Under, route: str) -> None:
    try_route(under, route, 60)
    assert sum(under.answers[route].values()) >= 30
