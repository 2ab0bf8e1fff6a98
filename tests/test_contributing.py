"""CONTRIBUTING.md followed step by step: its page opens in every language, and the files that it names exist."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from viz.i18n import LANGUAGES

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
OPEN = """
import sys
from streamlit.testing.v1 import AppTest

for language in sys.argv[1:]:
    app = AppTest.from_file("viz/main.py", default_timeout=120)
    app.query_params.update({"language": language, "text": "The cat is sleeping.", "model": "tiny"})
    app.run()
    app.switch_page("pages/lengths.py").run()
    assert not app.exception, app.exception
    print(*(f"{metric.label}={metric.value}" for metric in app.metric), sep="|")
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the application that a test can change."""
    shutil.copytree(ROOT / "viz", tmp_path / "viz", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("model", "pretrained", ".streamlit"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def test_the_page_of_the_example_opens_in_every_language(house: Path) -> None:
    page, words = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    (title,) = re.findall(r'`("frame\.page_lengths": .*?,)`', TEXT)
    (house / "viz/pages/lengths.py").write_text(page, "utf-8")
    (house / "viz/i18n/lengths.py").write_text(words, "utf-8")
    insert(house / "viz/main.py", '"lesson", "room",\n', '"lesson", "room", "lengths",\n')
    insert(house / "viz/i18n/frame.py", "STRINGS: dict[str, tuple[str, ...]] = {\n", f"    {title}\n", is_after=True)
    ran = subprocess.run(
        [sys.executable, "-c", OPEN, *LANGUAGES], cwd=house, capture_output=True, text=True, check=False
    )
    lines = ran.stdout.splitlines()
    assert ran.returncode == 0, ran.stderr
    assert [line.partition("=")[0] for line in lines] == ["Source tokens", "源句词元数", "Tokens de la source"]


def insert(path: Path, mark: str, text: str, *, is_after: bool = False) -> None:
    """Replace a mark by a text, or insert the text after it."""
    before = path.read_text("utf-8")
    assert before.count(mark) == 1
    path.write_text(before.replace(mark, mark + text if is_after else text), "utf-8")


def test_every_file_that_is_named_is_there_and_has_the_names_that_go_with_it() -> None:
    for name in set(re.findall(r"`((?:viz|model|tests|docs)/[\w./-]+\.\w+)`", TEXT)) - {
        "viz/pages/lengths.py",
        "viz/i18n/lengths.py",
    }:
        assert (ROOT / name).is_file(), name
    for name, path in (
        ("PAGES", "viz/main.py"), ("MENUS", "viz/main.py"), ("LANGUAGES", "viz/i18n/catalogue.py"),
        ("FAMILIES", "model/checkpoints/families/__init__.py"), ("TABLE", "model/checkpoints/families/d2l.py"),
        ("def marks", "viz/i18n/numbers.py"), ("def written", "viz/i18n/numbers.py"),
        ("def draw", "viz/panels/lesson/views.py"), ('Question("mask", right=1)', "viz/panels/lesson/questions.py"),
        ("def d2l", "tests/reference/make_checkpoints.py"),
    ):  # fmt: skip
        assert name.removeprefix("def ") in TEXT and name in (ROOT / path).read_text("utf-8"), name
