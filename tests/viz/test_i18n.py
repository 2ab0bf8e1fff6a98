"""Every word in three languages, equal in what they say and name."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import viz.i18n
from viz.i18n import LANGUAGES, catalogue, group, matching_language, speaking, tr

ROOT = Path(viz.i18n.__file__).parents[2]
AREAS = [found.name for found in pkgutil.iter_modules(viz.i18n.__path__) if found.name != "catalogue"]
SOURCES = [ROOT / "app.py", *(ROOT / "viz").rglob("*.py")]


@pytest.mark.parametrize("area", AREAS)
def test_every_string_of_an_area_has_three_languages_with_the_same_fields(area):
    for key, words in importlib.import_module(f"viz.i18n.{area}").STRINGS.items():
        assert key.startswith(f"{area}."), key
        assert len(words) == len(LANGUAGES), key
        assert all(text.strip() for text in words), key
        fields = [sorted(set(re.findall(r"(?<!\{)\{(\w+)[^{}]*\}", text))) for text in words]
        assert fields[0] == fields[1] == fields[2], key


def test_the_catalogues_hold_the_same_keys():
    keys = [set(catalogue(code)) for code in LANGUAGES]
    assert keys[0] == keys[1] == keys[2]
    assert len(keys[0]) > 50


def test_every_key_that_the_code_names_exists():
    known = catalogue("en")
    missing = sorted(f"{path.relative_to(ROOT)}: {key}" for path in SOURCES for key in _keys(path) if key not in known)
    assert not missing


def _keys(path: Path) -> set[str]:
    calls = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
    return {
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "tr" and call.args
        and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("wished", "spoken"),
    [(["fr-CA"], "fr"), (["zh_TW"], "zh"), (["de", "fr"], "fr"), (["ja"], "en"), ([], "en"), (["FR"], "fr")],
)
def test_a_locale_finds_the_nearest_language(wished, spoken):
    assert matching_language(wished) == spoken


def test_speaking_holds_inside_its_block_alone():
    with speaking("fr"):
        assert tr("sentence.translate") == "Traduire"
        assert group("sentence")["translate"] == "Traduire"
    assert tr("sentence.translate") == "Translate"


def test_an_unknown_language_is_named():
    with pytest.raises(KeyError, match="choose one of en, zh, fr"):
        catalogue("de")
