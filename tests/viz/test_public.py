"""A public server: smaller and shorter runs, one at a time, and no downloads from the hub."""

import asyncio
import os

import pytest

from model.checkpoints import hub
from model.checkpoints.basis.limits import limits
from model.deployment import VARIABLE, is_public
from model.runs import limits as training
from model.runs.limits import RUNS_VARIABLE, Limits
from tests.loops import run_coroutine
from viz.server.garbage import tidy_now_and_then


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")


def test_a_server_is_private_by_default(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert not is_public()
    assert limits().max_upload_mb == 512
    assert Limits.from_environment() == Limits()


def test_uploads_models_and_memory_are_smaller(public):
    bounds = limits()
    assert (bounds.max_upload_mb, bounds.uploads_mb, bounds.session_memory_mb) == (64, 512, 512)
    assert bounds.max_parameters == 150_000_000


def test_each_visitor_has_a_place_for_one_run_which_is_short_and_kept_for_an_hour(public):
    runs = Limits.from_environment()
    assert (runs.max_alive, runs.max_alive_per_session, runs.max_steps, runs.max_seconds) == (12, 1, 500, 300)
    assert runs.keep_days * 24 == pytest.approx(1)


def test_explicit_settings_override_those_of_a_public_server(public, monkeypatch):
    monkeypatch.setenv("REGARD_MAX_UPLOAD_MB", "20")
    monkeypatch.setenv(training.VARIABLE, '{"max_alive": 3}')
    assert limits().max_upload_mb == 20
    assert Limits.from_environment().max_alive == 3
    assert Limits.from_environment().max_steps == 500


def test_nothing_comes_from_the_hub_even_when_it_was_allowed(public, monkeypatch):
    monkeypatch.setenv(hub.VARIABLE, "1")
    assert not hub.is_allowed()


def test_old_runs_go_while_nobody_trains(public, monkeypatch, tmp_path):
    monkeypatch.setenv(RUNS_VARIABLE, str(tmp_path))
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
        (folder / "job.json").write_text("{}")
    for path in (old / "job.json", old):
        os.utime(path, (1, 1))

    async def look() -> None:
        chore = asyncio.create_task(tidy_now_and_then(seconds=0.01))
        while old.exists():
            await asyncio.sleep(0.01)
        chore.cancel()

    run_coroutine(look())
    assert new.exists()
