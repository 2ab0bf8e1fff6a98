"""Dropped files are stored in the session under a short name."""

import pytest

import model
from tests.checkpoints import senses
from viz.panels import dropped
from viz.state import session


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    stored: dict[str, object] = {}
    monkeypatch.setattr(session, "recall", lambda name, make: stored.setdefault(name, make()))
    monkeypatch.setattr(session, "remember", stored.__setitem__)
    return stored


def test_files_are_cached_by_content_and_the_oldest_is_evicted_first() -> None:
    sounds = [model.Sound.of(senses.sound(seed)).text for seed in range(4)]
    names = [dropped.keep(text) for text in sounds]
    assert [dropped.kind_of(name) for name in names] == ["sound"] * 4 and len(set(names)) == 4
    assert [dropped.text_of(name) for name in names[1:]] == sounds[1:]
    with pytest.raises(model.TextError, match="drop it here again"):
        dropped.text_of(names[0])
    picture = model.Picture.of(senses.picture()).exact_text
    assert dropped.text_of(dropped.keep(picture)) == picture
    assert dropped.keep(picture).startswith("picture.")


@pytest.mark.parametrize("text", ["hello", "data:text/plain;base64,AA==", "data:image/png;base64," + "A" * (35 << 20)])
def test_files_of_unknown_kinds_are_refused(text: str) -> None:
    with pytest.raises(model.TextError, match="neither a picture nor a sound"):
        dropped.keep(text)


def test_dropped_names_are_distinguished_from_texts() -> None:
    kinds = [dropped.kind_of(text) for text in ("a sentence", "ink.AA", "picture.0a", "sound.0a")]
    assert kinds == ["words", "ink", "picture", "sound"]
