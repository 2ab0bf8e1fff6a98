"""A server for a school: visitors keep their replica, and lose nothing but a moment when it dies."""

from __future__ import annotations

import urllib.error
import urllib.request

import pytest
import yaml
from playwright.sync_api import Browser, BrowserContext, expect

from benchmarks.serving import ROOT
from tests.deploy.conftest import School

PATIENCE = 90_000


def answered_by(address: str, cookie: str = "") -> str:
    request = urllib.request.Request(address, headers={"Cookie": cookie} if cookie else {})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.headers["X-Regard-Replica"]


def test_new_visitors_are_shared_out_and_old_ones_come_back(school: School) -> None:
    assert {answered_by(school.address) for _ in range(40)} == {"one", "two"}
    for name in ("one", "two"):
        assert {answered_by(school.address, f"regard_replica={name}") for _ in range(5)} == {name}


def test_an_upload_beyond_the_limit_ends_at_the_proxy(school: School) -> None:
    request = urllib.request.Request(f"{school.address}/_stcore/upload_file/x/y", data=b"0" * 1_100_000, method="PUT")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    assert refused.value.code == 413


def test_a_lost_replica_costs_its_visitors_no_choice(school: School, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-US")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{school.address}/?text=The+dog+is+sleeping.&kind=encoder_self")
    expect(page.get_by_text("dort", exact=False).first).to_be_visible(timeout=PATIENCE)
    lost = replica_of(context)
    page.wait_for_function("new URLSearchParams(location.search).get('text') === 'The dog is sleeping.'")
    school.kill(lost)
    page.reload()
    expect(page.get_by_text("dort", exact=False).first).to_be_visible(timeout=PATIENCE)
    assert "kind=encoder_self" in page.url
    assert replica_of(context) == {"one": "two", "two": "one"}[lost]
    school.start(lost)
    page.reload()
    expect(page.get_by_text("dort", exact=False).first).to_be_visible(timeout=PATIENCE)
    assert replica_of(context) != lost, "a visitor who moved stays where the new session is"
    context.close()


def replica_of(context: BrowserContext) -> str:
    cookies = {cookie.get("name"): cookie.get("value") for cookie in context.cookies()}
    return cookies["regard_replica"] or ""


def test_the_container_files_name_what_is_there() -> None:
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    assert set(compose["services"]) == {"one", "two", "redis", "nginx"}
    for name in ("one", "two"):
        service = compose["services"][name]
        assert service["environment"]["REGARD_REPLICA"] == name
        assert service["read_only"] and service["cap_drop"] == ["ALL"]
    copied = [
        line.split()[-2] for line in (ROOT / "deploy" / "Dockerfile").read_text("utf-8").splitlines()
        if line.startswith("COPY --chown=root:root") and line.count(" ") == 3
    ]  # fmt: skip
    assert {".streamlit", "model", "viz", "pretrained"} <= set(copied)
    assert all((ROOT / name).exists() for name in copied)
