"""The models opened in a session: names, memory, visibility and download."""

import gc
import io
import weakref
import zipfile
from pathlib import Path

import numpy as np
import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

import model
from model.checkpoints.basis.limits import limits
from tests.checkpoint import tiny_bundle
from tests.pages import PAGES, go_to, open_drawers
from tests.viz.page import drop, golden_upload, new_app, open_checkpoints_page, private_models
from viz import cache
from viz.panels import shelf
from viz.panels.shelf import zip_model
from viz.uploads import plain_name

page = pytest.fixture(name="page")(open_checkpoints_page)


@pytest.fixture(autouse=True)
def address(monkeypatch):
    """Replaces AppTest's address, which keeps everything of its run alive, by a string."""
    monkeypatch.setattr(ContextProxy, "ip_address", "192.0.2.1")


@pytest.mark.parametrize(
    "name", ["..", ".", "", "/etc/passwd", "a\0b.pt", "a\ud800.pt", f"{'é' * 300}.pt", "....", "a\nb.pt"]
)
def test_a_file_may_be_named_anything(name, tmp_path):
    """Browsers send only a path's last part, but other programs may send anything."""
    plain = plain_name(name, "file")
    (tmp_path / plain).write_bytes(b"x")
    assert [path.name for path in tmp_path.iterdir()] == [plain] and plain.isprintable()
    assert Path(plain).suffix == (".pt" if name.endswith(".pt") else "")


def test_models_are_renamed_and_removed(page, tmp_path):
    drop(page, golden_upload("jadore-projection", tmp_path))
    page.text_input(key="rename_jadore").set_value("my own").run()
    assert list(private_models(page)) == ["my own"]
    page.button(key="use_my own").click().run()
    assert page.session_state["regard.choices"].params["model"] == "my own"
    page.button(key="remove_my own").click().run()
    assert private_models(page) == {}


@pytest.mark.nightly(but=("True",))
@pytest.mark.parametrize("is_used", [False, True])
def test_the_weights_of_a_removed_model_are_released_at_once(page, tmp_path, is_used):
    """Streamlit keeps a replaced value of the session until the next run."""
    drop(page, golden_upload("jadore-projection", tmp_path))
    weights = weakref.ref(private_models(page)["jadore"].model)
    if is_used:
        page.button(key="use_jadore").click().run()
    assert weights() is not None
    page.button(key="remove_jadore").click().run()
    gc.collect()
    assert weights() is None


@pytest.mark.nightly(but=("explore",))
@pytest.mark.parametrize("name", PAGES)
def test_no_page_that_has_shown_a_model_holds_it_after_its_removal(monkeypatch, name):
    """Streamlit keeps every widget's callbacks and their arguments until the session ends."""
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, "tiny")
    page = new_app(model="own")
    page.session_state["regard.private_models"] = {"own": model.load("tiny")}
    open_drawers(page)
    go_to(page, name)
    weights = weakref.ref(private_models(page)["own"].model)
    assert page.radio(key="choice..model").value == "own"
    go_to(page, "checkpoints").button(key="remove_own").click().run()
    gc.collect()
    assert weights() is None


def test_the_file_of_a_removed_model_is_released_too(page, tmp_path, monkeypatch):
    """Streamlit would hold the bytes of a dropped file until the session ends."""
    drop(page, golden_upload("jadore-projection", tmp_path))
    (dropped,) = page.session_state["regard.memory"]["checkpoint_draft"].keys
    removed = []
    monkeypatch.setattr(MemoryUploadedFileManager, "remove_file", lambda self, session, file: removed.append(file))
    page.button(key="remove_jadore").click().run()
    assert removed == [dropped]


def test_an_opened_model_serves_the_other_pages(page, tmp_path):
    drop(page, golden_upload("jadore-projection", tmp_path))
    page.button(key="use_jadore").click().run()
    page.query_params["text"] = "5 6 7"
    page.switch_page("explore/explore.py").run()


def test_another_session_sees_nothing_of_it(page, tmp_path):
    drop(page, golden_upload("jadore-projection", tmp_path))
    other_session = new_app().run()
    assert not private_models(other_session)
    assert "jadore" not in other_session.radio(key="choice..model").options


def test_the_download_is_in_regards_format_and_opens_again(tmp_path):
    bundle = tiny_bundle()
    raw = zip_model(bundle)
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        assert {"config.json", "model.safetensors"} <= set(archive.namelist())
    (tmp_path / "again.zip").write_bytes(raw)
    reopened = model.load(tmp_path / "again.zip")
    ids = np.array([[4, 5, 6, 3]])
    np.testing.assert_array_equal(model.attend(reopened, ids, ids).logits, model.attend(bundle, ids, ids).logits)


def test_the_oldest_model_is_removed_when_memory_is_short(monkeypatch):
    monkeypatch.setenv("REGARD_SESSION_MEMORY_MB", "3")
    models: shelf.Models = {}
    removed: list[str] = []
    for seed in range(4):
        bundle = tiny_bundle("wide", seed=seed, d_model=128, d_feed_forward=256)
        models, _, let_go = shelf.place(models, bundle)
        removed += let_go
    assert shelf.used_mb(models) <= limits().session_memory_mb
    assert removed and list(models)[-1].startswith("wide")
    touched = shelf.touch(models, next(iter(models)))
    assert list(touched)[-1] == next(iter(models))


def test_two_models_never_share_a_name():
    models: shelf.Models = {}
    names = []
    for seed in range(3):
        models, name, _ = shelf.place(models, tiny_bundle("en-fr", seed=seed), ("en-fr",))
        names.append(name)
    assert names == ["en-fr 2", "en-fr 3", "en-fr 4"]
