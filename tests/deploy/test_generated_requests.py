"""A small run of ``python -m tests.generated_requests``."""

import shutil
from collections.abc import Iterator

import pytest

from tests.generated_requests import ROUTES, ServerUnderTest, running, try_route


@pytest.fixture(scope="module")
def server_under_test(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerUnderTest]:
    """One server for all routes."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed: apt install redis-server")
    with running(str(tmp_path_factory.mktemp("requests"))) as running_server:
        yield running_server


@pytest.mark.nightly(but=("/class/{code}/join", "/class/{code}/sentence"))
@pytest.mark.parametrize("route", ROUTES)
def test_a_route_answers_every_generated_request(server_under_test: ServerUnderTest, route: str) -> None:
    try_route(server_under_test, route, 60)
    assert sum(server_under_test.answers[route].values()) >= 30
