"""A server for a school: visitors stay with their replica, and continue on the other when it dies."""

import re
import shutil
import string
import subprocess
import time
import urllib.error
import urllib.request
from collections import Counter
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.actions import button_name, message_in
from tests.deploy.conftest import TEMPLATE, School
from tests.serving import ROOT
from viz.environment import VISITOR_COOKIE
from viz.rooms.redis_store import RedisStore
from viz.rooms.room import Room
from viz.server import rooms

pytestmark = pytest.mark.nightly
PATIENCE = 90_000


def answered_by(address: str, cookie: str = "") -> str:
    request = urllib.request.Request(address, headers={"Cookie": cookie} if cookie else {})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.headers["X-Regard-Replica"]


def test_new_visitors_are_shared_out_and_old_ones_come_back(school: School) -> None:
    assert {answered_by(school.address) for _ in range(40)} == {"one", "two"}
    for name in ("one", "two"):
        assert {answered_by(school.address, f"regard_replica={name}") for _ in range(5)} == {name}


@pytest.mark.by_day
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
    killed = replica_of(context)
    page.wait_for_function("() => new URLSearchParams(location.search).get('text') === 'The dog is sleeping.'")
    school.kill(killed)
    page.reload()
    expect(page.get_by_text("dort", exact=False).first).to_be_visible(timeout=PATIENCE)
    assert "kind=encoder_self" in page.url
    assert replica_of(context) == {"one": "two", "two": "one"}[killed]
    school.start(killed)
    page.reload()
    expect(page.get_by_text("dort", exact=False).first).to_be_visible(timeout=PATIENCE)
    assert replica_of(context) != killed, "a visitor who moved stays where the new session is"
    context.close()


def test_a_visitor_goes_through_a_scene_and_a_fine_tuning(school: School, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-US")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{school.address}/lesson?model=tiny")
    page.get_by_test_id("stRadioOption").filter(
        has_text=message_in("en", "lesson.box_options").partition("|")[0]
    ).click()
    page.get_by_role("button", name=button_name(message_in("en", "lesson.vote"))).click()
    page.get_by_role("button", name=message_in("en", "lesson.box_try")).click()
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
    for phone, count in zip(phones, ("1 of 2 has", "2 of 2 have"), strict=True):
        phone.locator(".answers button").first.click()
        expect(teacher.get_by_text(f"{count} answered")).to_be_visible(timeout=PATIENCE)
        if phone is phones[0]:
            school.kill("two")
    expect(teacher.get_by_text("2 of 2 have answered")).to_be_visible(timeout=PATIENCE)
    school.start("two")
    school.kill("one")
    teacher.reload()
    expect(teacher.get_by_text("2 of 2 have answered")).to_be_visible(timeout=PATIENCE)
    teacher.get_by_role("button", name=button_name(message_in("en", "room.close_vote"))).click()
    for phone in phones:
        expect(phone.locator(".answers b").first).to_have_text("100%", timeout=PATIENCE)
    school.start("one")
    for context in contexts.values():
        context.close()


@pytest.mark.by_day
def test_the_scheme_of_a_proxy_in_front_is_forwarded_and_a_forged_address_is_ignored(school: School) -> None:
    def cookie(scheme: str) -> str:
        request = urllib.request.Request(school.address, headers={"X-Forwarded-Proto": scheme})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return next(header for header in answer.headers.get_all("Set-Cookie") if header.startswith(VISITOR_COOKIE))

    assert "Secure" in cookie("https") and "Secure" not in cookie("gopher")
    room, _ = Room.open(RedisStore(school.redis), most_devices=500)
    answers = []
    for n in range(2 * rooms.JOINS + 20):
        headers = {"X-Forwarded-For": f"8.8.{n}.8", "Cookie": "regard_replica=one"}
        request = urllib.request.Request(f"{school.address}/class/{room.code}/join", data=b"{}", headers=headers)
        try:
            answers.append(urllib.request.urlopen(request, timeout=30).status)
        except urllib.error.HTTPError as error:
            answers.append(error.code)
    assert set(answers[: rooms.JOINS]) == {200} and answers[-1] == 429


@pytest.mark.by_day
def test_one_address_opens_sessions_no_faster_than_a_school_does(school: School) -> None:
    rate, burst = (
        int(number) for number in re.findall(r"zone=regard_sessions\S* (?:rate|burst)=(\d+)", TEMPLATE.read_text())
    )
    with ExitStack() as stack:
        visitors = [
            stack.enter_context(
                closing(HTTPConnection(school.address.removeprefix("http://"), timeout=PATIENCE / 1000))
            )
            for _ in range(2 * burst)
        ]
        start = time.monotonic()
        # All requests are sent before any is answered, so that the replicas' speed makes no difference.
        for visitor in visitors:
            visitor.request("GET", "/_stcore/stream")
        status = Counter(visitor.getresponse().status for visitor in visitors)
    let_in = status.total() - status[429]
    assert burst <= let_in <= burst + 2 + rate * (time.monotonic() - start)
    assert urllib.request.urlopen(f"{school.address}/_stcore/health", timeout=30).status == 200


def on_replica(browser: Browser, school: School, name: str) -> BrowserContext:
    context = browser.new_context(locale="en-US")
    context.set_default_timeout(PATIENCE)
    context.add_cookies([{"name": "regard_replica", "value": name, "url": school.address}])
    return context


def replica_of(context: BrowserContext) -> str:
    cookies = {cookie.get("name"): cookie.get("value") for cookie in context.cookies()}
    return cookies["regard_replica"] or ""


def test_the_container_files_name_existing_files() -> None:
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    assert set(compose["services"]) == {"one", "two", "redis", "nginx"}
    for name in ("one", "two"):
        service = compose["services"][name]
        assert service["environment"]["REGARD_REPLICA"] == name
        assert service["read_only"] and service["cap_drop"] == ["ALL"]
    # The image's entry point starts as root and switches to this user, which needs capabilities.
    assert compose["services"]["redis"]["user"] == "redis"
    copied = {
        name for line in (ROOT / "deploy" / "Dockerfile").read_text("utf-8").splitlines() if line.startswith("COPY ")
        for name in line.split()[1:-1] if not name.startswith("--")
    }  # fmt: skip
    assert {"app.py", ".streamlit", "model", "viz", "pretrained", "requirements.txt"} <= copied
    assert all((ROOT / name).exists() for name in copied)
    assert not copied & set((ROOT / ".dockerignore").read_text("utf-8").split()), "left out of what docker is sent"
    for service in compose["services"].values():
        assert service["mem_limit"] and service["cpus"] and service["pids_limit"]
        assert all("size=" in place for place in service.get("tmpfs", ()))
    assert (
        compose["services"]["redis"]["command"][3:5] == ["--appendonly", "yes"]
        and "noeviction" in compose["services"]["redis"]["command"]
    )
    images = [compose["services"][name]["image"] for name in ("redis", "nginx")]
    assert all(re.search(r":\d+\.\d+\.\d+-", image) for image in images), "exact versions"
    for volume in compose["services"]["nginx"]["volumes"]:
        assert (ROOT / "deploy" / volume.split(":")[0]).is_file()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = (ROOT / "deploy" / "systemd" / "regard@.service").read_text("utf-8")
    for limit in ("MemoryMax=", "CPUQuota=", "TasksMax=", "LimitNOFILE=", "size="):
        assert limit in unit
    # The program and its settings are installed later.
    unit = unit.replace("/opt/regard/.venv/bin/streamlit", "/bin/true").replace("EnvironmentFile=", "EnvironmentFile=-")
    (tmp_path / "regard@one.service").write_text(unit, "utf-8")
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / "regard@one.service")]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0 and "Unknown" not in result.stderr, result.stderr


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nginx_accepts_the_containers_configuration(tmp_path: Path) -> None:
    main = (ROOT / "deploy" / "nginx" / "nginx.conf").read_text("utf-8")
    settings = {"REGARD_ONE": "127.0.0.1:1", "REGARD_TWO": "127.0.0.1:2", "REGARD_LISTEN": "127.0.0.1:3",
                "REGARD_MAX_UPLOAD_MB": "64", "REGARD_OUTER_PROXY": "127.0.0.1"}  # fmt: skip
    template = string.Template((ROOT / "deploy" / "nginx" / "regard.conf.template").read_text("utf-8"))
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "conf.d" / "default.conf").write_text(template.safe_substitute(settings), "utf-8")
    for in_container, local in (
        ("/etc/nginx/conf.d", f"{tmp_path}/conf.d"), ("/var/log/nginx", str(tmp_path)), ("/var/run", str(tmp_path)),
        ("user nginx;", ""), ("include /etc/nginx/mime.types;", ""),
        ("http {", "http {" + "".join(f"{kind}_temp_path {tmp_path}/{kind};"
                                      for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))),
    ):  # fmt: skip
        assert in_container in main
        main = main.replace(in_container, local)
    (tmp_path / "nginx.conf").write_text(main, "utf-8")
    result = subprocess.run(["nginx", "-t", "-c", str(tmp_path / "nginx.conf"), "-e", str(tmp_path / "start.log")],
                           capture_output=True, text=True)  # fmt: skip
    assert result.returncode == 0, result.stderr
