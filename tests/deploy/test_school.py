"""A server for a school: visitors stay with their replica, and lose only a moment when it dies."""

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


def test_a_visitor_goes_through_a_scene_and_a_fine_tuning(school: School, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-US")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{school.address}/lesson?model=tiny")
    page.get_by_text("Only the third word").click()
    page.get_by_role("button", name="Vote").click()
    page.get_by_role("button", name="Remove the final punctuation").click()
    page.get_by_role("button", name="Explain").click()
    expect(page.get_by_test_id("stAlert").first).to_be_visible(timeout=PATIENCE)
    page.goto(f"{school.address}/fine_tune?model=tiny&tune.steps=16&tune.learning_rate=0.002")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_role("slider", name="Step of the training")).to_be_visible(timeout=5 * PATIENCE)
    context.close()


def test_a_class_on_both_replicas_loses_no_vote_when_one_dies(school: School, browser: Browser) -> None:
    contexts = {name: on_replica(browser, school, name) for name in ("one", "two")}
    teacher = contexts["one"].new_page()
    teacher.goto(f"{school.address}/room?text=The+dog+is+sleeping.")
    teacher.get_by_role("button", name="Open a room").click()
    code = teacher.locator(".st-key-room_code h1").inner_text().replace(" ", "")
    phones = [contexts[name].new_page() for name in ("one", "two")]
    for phone in phones:
        phone.goto(f"{school.address}/class/{code}")
        expect(phone.locator(".picture canvas").first).to_be_visible(timeout=PATIENCE)
    teacher.goto(teacher.url.replace("/room?", "/lesson?"))
    for phone, counted in zip(phones, ("1 of 2 has", "2 of 2 have"), strict=True):
        phone.locator(".answers button").first.click()
        expect(teacher.get_by_text(f"{counted} answered")).to_be_visible(timeout=PATIENCE)
        if phone is phones[0]:
            school.kill("two")
    expect(teacher.get_by_text("2 of 2 have answered")).to_be_visible(timeout=PATIENCE)
    school.start("two")
    school.kill("one")
    teacher.reload()
    expect(teacher.get_by_text("2 of 2 have answered")).to_be_visible(timeout=PATIENCE)
    teacher.get_by_role("button", name="Reveal", exact=True).click()
    for phone in phones:
        expect(phone.locator(".answers b").first).to_have_text("100%", timeout=PATIENCE)
    school.start("one")
    for context in contexts.values():
        context.close()


def on_replica(browser: Browser, school: School, name: str) -> BrowserContext:
    context = browser.new_context(locale="en-US")
    context.set_default_timeout(PATIENCE)
    context.add_cookies([{"name": "regard_replica", "value": name, "url": school.address}])
    return context


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
    # The image's entry point starts as root and switches to this user, which is impossible without capabilities.
    assert compose["services"]["redis"]["user"] == "redis"
    copied = {
        name for line in (ROOT / "deploy" / "Dockerfile").read_text("utf-8").splitlines() if line.startswith("COPY ")
        for name in line.split()[1:-1] if not name.startswith("--")
    }  # fmt: skip
    assert {"app.py", ".streamlit", "model", "viz", "pretrained", "requirements.txt"} <= copied
    assert all((ROOT / name).exists() for name in copied)
    assert not copied & set((ROOT / ".dockerignore").read_text("utf-8").split()), "left out of what docker is sent"
    for volume in compose["services"]["nginx"]["volumes"]:
        assert (ROOT / "deploy" / volume.split(":")[0]).is_file()
