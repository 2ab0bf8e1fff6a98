"""The command that writes the site, with any number of models to choose from."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import model
from tests.checkpoint import save_tiny, tiny_bundle
from tests.serving import ROOT
from viz.__main__ import main
from viz.export import site
from viz.export.gallery import Entry

TINY = ROOT / "pretrained" / "tiny"


def save_renamed(folder: Path, name: str) -> str:
    """Save the tiny model under another name."""
    shutil.copytree(TINY, folder)
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"name": name}), "utf-8")
    return str(folder)


def page_data(out: Path) -> dict[str, Any]:
    """The data embedded in the page."""
    text = (out / "index.html").read_text("utf-8")
    return json.loads(text.partition('id="written">')[2].partition("</script>")[0])


def test_each_model_is_on_the_page_under_a_unique_name_and_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viz.__main__.project_entries", lambda bundles: [Entry("idiom", "I am hungry.")])
    # Names in another script give an address no letters, and two of these names are equal.
    names = ("tiny", "模型甲", "模型乙", "tiny", "tiny 2")
    checkpoints = [save_renamed(tmp_path / str(place), name) for place, name in enumerate(names)]
    out = tmp_path / "site"
    assert main(["site", "--out", str(out), *(word for path in checkpoints for word in ("--model", path))]) == 0
    models = page_data(out)["models"]
    assert [entry["name"] for entry in models] == ["tiny", "模型甲", "模型乙", "tiny 2", "tiny 2 2"]
    assert len({entry["address"] for entry in models}) == len(names)
    for entry, name in zip(models, names, strict=True):
        header = json.loads((out / entry["address"] / "model.json").read_text("utf-8"))
        assert header["name"] == name
        assert (out / entry["address"] / header["weights"]["name"]).stat().st_size == header["weights"]["bytes"]


def test_a_model_that_no_page_can_run_is_named_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, out = save_tiny(tmp_path / "words"), tmp_path / "site"
    assert main(["site", "--out", str(out), "--model", str(TINY), "--model", str(words)]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ") and "cannot run in a page" in error and error.count("\n") == 1
    assert not out.exists()


@pytest.mark.nightly
def test_a_model_of_many_sets_brings_the_names_of_their_authors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viz.__main__.project_entries", lambda bundles: [])
    assert main(["site", "--out", str(tmp_path), "--model", "tiny", "--model", "en-de"]) == 0
    site = page_data(tmp_path)
    assert site["readmes"] == ["models/tiny/README.md", "models/en-de/README.md"]
    assert "African Storybook" in (tmp_path / "models" / "en-de" / "README.md").read_text("utf-8")


def test_shared_links_and_other_sites_find_absolute_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz.__main__.project_entries", lambda bundles: [Entry("idiom", "I am hungry.")])
    links = ("--source", "https://example.org/code", "--application", "https://example.org/app/")
    assert main(["site", "--out", str(tmp_path), "--model", "tiny", "--address", "https://example.org/a", *links]) == 0
    page = (tmp_path / "index.html").read_text("utf-8")
    assert 'property="og:image" content="https://example.org/a/social.png"' in page
    shared = next((tmp_path / "s").glob("*.html")).read_text("utf-8")
    assert 'content="https://example.org/a/s/00-i-am-hungry.png"' in shared
    assert "url=../?text=I+am+hungry." in shared
    assert page_data(tmp_path)["source"] == "https://example.org/code"


def test_embedded_data_cannot_end_the_pages_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "I </script><b>am</b> hungry."
    monkeypatch.setattr("viz.__main__.project_entries", lambda bundles: [Entry("head_matters", text)])
    assert main(["site", "--out", str(tmp_path), "--model", "tiny"]) == 0
    assert page_data(tmp_path)["openings"]["tiny"]["text"] == text


def test_the_picture_of_a_translation_leaves_out_the_ends_of_both_texts(monkeypatch) -> None:
    calls: list[Any] = []
    monkeypatch.setattr(
        site, "social_picture", lambda source, target, weights, kind: calls.append((source, target, weights)) or b""
    )
    trace = model.translate(tiny_bundle(), "the cat is on the sofa .")
    site.picture_of(tiny_bundle(), trace)
    [(source, target, weights)] = calls
    assert (source, target) == (trace.source.pieces[:-1], trace.target.pieces[:-1])
    assert weights.shape == (len(trace.target), len(source))
