"""CONTRIBUTING.md followed step by step: its page, its scene and its language open, and its files exist."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from viz.i18n import LANGUAGES

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
SCENE_WORDS = ("title", "question", "options", "look", "try", "done", "answer", "reply",
               "teacher", "sheet", "expect", "mistake")  # fmt: skip
TEACH = """
import re
from streamlit.testing.v1 import AppTest
from viz.i18n import LANGUAGES
from viz.lesson.scenes import SCENES

assert [scene.name for scene in SCENES[7:9]] == ["mask", "echo"]
for language in LANGUAGES:
    app = AppTest.from_file("viz/main.py", default_timeout=120)
    where = {"lesson.scene": "echo", "lesson.votes": "echo2"}
    app.query_params.update({"language": language, "model": "tiny", **where})
    app.switch_page("lesson/lesson.py").run()
    app.button(key="lesson.explain").click().run()
    assert not app.exception, app.exception
    print(*sorted({word for text in [*app.markdown, *app.header, *app.info, *app.success, *app.caption]
                   for word in re.findall("echo_[a-z]+", text.value)}))
"""
"""Opens the new scene, voted on, in each language, and says which of its words stand there."""
SPEAK = """
from streamlit.testing.v1 import AppTest
from viz.i18n import LANGUAGES, number, speaking, tr

assert list(LANGUAGES) == ["en", "zh", "fr", "de"]
for page in ("explore", "lesson", "room"):
    app = AppTest.from_file("viz/main.py", default_timeout=120)
    app.query_params.update({"language": "de", "text": "The cat is sleeping.", "model": "tiny"})
    if page != "explore":
        app.switch_page(f"{page}/{page}.py")
    app.run()
    assert not app.exception, app.exception
    assert app.session_state is not None
    texts = [text.value for text in [*app.markdown, *app.caption, *app.header, *app.info]]
    print(any("(de)" in text for text in [*texts, *(button.label for button in app.button)]))
with speaking("de"):
    print(number(1234.5, ",.1f"), tr("inside.said_without_scaling", factor=2, before=0.5, after=0.25))
"""
"""Opens pages in a fourth language whose texts are marked with it."""
OPEN = """
import sys
from streamlit.testing.v1 import AppTest

for language in sys.argv[1:]:
    app = AppTest.from_file("viz/main.py", default_timeout=120)
    app.query_params.update({"language": language, "text": "The cat is sleeping.", "model": "tiny"})
    app.switch_page("lengths/lengths.py").run()
    assert not app.exception, app.exception
    print(*(f"{metric.label}={metric.value}" for metric in app.metric), sep="|")
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the application that a test can change."""
    for name in ("viz", "model"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pretrained", ".streamlit"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def run_in(house: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python with these arguments there."""
    return subprocess.run([sys.executable, *arguments], cwd=house, capture_output=True, text=True, check=False)


def ran_in(house: Path, program: str, *arguments: str) -> list[str]:
    """The lines that a program prints there."""
    ran = run_in(house, "-c", program, *arguments)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_the_page_of_the_example_opens_in_every_language(house: Path) -> None:
    page, words = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    (title,) = re.findall(r'`("frame\.page_lengths": .*?,)`', TEXT)
    (house / "viz/lengths").mkdir()
    (house / "viz/lengths/lengths.py").write_text(page, "utf-8")
    (house / "viz/i18n/lengths.py").write_text(words, "utf-8")
    insert(house / "viz/main.py", '"lesson", "room",\n', '"lesson", "room", "lengths",\n')
    insert(house / "viz/i18n/frame.py", "STRINGS: dict[str, tuple[str, ...]] = {\n", f"    {title}\n", is_after=True)
    lines = ran_in(house, OPEN, *LANGUAGES)
    assert [line.partition("=")[0] for line in lines] == ["Source tokens", "源句词元数", "Tokens de la source"]


def test_a_scene_that_is_added_as_told_is_voted_on_and_explained_in_every_language(house: Path) -> None:
    lesson = house / "viz/lesson"
    insert(
        lesson / "questions.py", '    Question("mask", right=0),\n', '    Question("echo", right=1),\n', is_after=True
    )
    (mask,) = re.findall(
        r'^    Scene\(question_named\("mask"\).*\n', (lesson / "scenes.py").read_text("utf-8"), re.MULTILINE
    )
    insert(lesson / "scenes.py", mask, '    Scene(question_named("echo"), "explore", 1),\n', is_after=True)
    insert(lesson / "views.py", '"mask": _mask,', ' "echo": _focused,', is_after=True)
    texts = {word: tuple("|".join(f"echo_{word} {i}" for i in range(3)) for _ in LANGUAGES) for word in SCENE_WORDS}
    words = "".join(f'    "lesson.echo_{word}": {each!r},\n' for word, each in texts.items())
    insert(house / "viz/i18n/lesson.py", '    "lesson.mask_title": (', words, is_before=True)
    insert(
        house / "model/teaching/sentences/en-fr.json",
        '    "cross":',
        '    "echo": "The cat is sleeping.",\n',
        is_before=True,
    )
    insert(house / "model/teaching/measured/claims.py", '"mask": _mask,', ' "echo": _cross,', is_after=True)
    said = ran_in(house, TEACH)
    assert len(said) == len(LANGUAGES)
    for line in said:
        assert {"echo_question", "echo_answer", "echo_reply"} <= set(line.split())
    (house / "pairs.tsv").write_text("The cat is sleeping.\tLe chat dort.\n", "utf-8")
    chosen = run_in(house, "-m", "model", "choose-sentences", "pairs.tsv", "--checkpoint", "pretrained/tiny")
    printed, _ = json.JSONDecoder().raw_decode(chosen.stdout)
    assert "echo" in printed["scenes"], chosen.stderr


def test_a_fourth_language_speaks_once_its_texts_and_its_numbers_are_there(house: Path) -> None:
    insert(house / "viz/i18n/catalogue.py", '"fr": "Français"', ', "de": "Deutsch"', is_after=True)
    insert(house / "viz/i18n/numbers.py", "_MARKS = {", '"de": (",", "."), ', is_after=True)
    for path in (house / "viz/i18n").glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "STRINGS":
                assert isinstance(node.value, ast.Dict)
                for words in node.value.values:
                    assert isinstance(words, ast.Tuple) and isinstance(words.elts[0], ast.Constant)
                    words.elts.append(ast.Constant(f"{words.elts[0].value} (de)"))
                path.write_text(ast.unparse(tree), "utf-8")
    *pages, numbers = ran_in(house, SPEAK)
    assert pages == ["True"] * 3
    assert numbers.startswith("1.234,5 ") and "0,5" in numbers


def insert(path: Path, mark: str, text: str, *, is_after: bool = False, is_before: bool = False) -> None:
    """Replace a mark by a text, or insert the text after or before it."""
    found = path.read_text("utf-8")
    assert found.count(mark) == 1, mark
    path.write_text(found.replace(mark, mark + text if is_after else text + mark if is_before else text), "utf-8")


def test_every_file_that_is_named_is_there_and_has_the_names_that_go_with_it() -> None:
    for name in set(re.findall(r"`((?:viz|model|tests|docs)/[\w./-]+\.\w+)`", TEXT)) - {
        "viz/lengths/lengths.py",
        "viz/i18n/lengths.py",
    }:
        assert (ROOT / name).is_file(), name
    for name, path in (
        ("PAGES", "viz/main.py"), ("MENUS", "viz/main.py"), ("LANGUAGES", "viz/i18n/catalogue.py"),
        ("FAMILIES", "model/checkpoints/families/__init__.py"), ("TABLE", "model/checkpoints/families/d2l.py"),
        ("_MARKS", "viz/i18n/numbers.py"), ("_WITHOUT_TEXTS", "viz/lesson/lesson.py"),
        ("_PICTURES", "viz/lesson/pictures.py"), ("_CHECKS", "model/teaching/measured/claims.py"),
        ("def draw", "viz/lesson/views.py"), ('Question("mask", right=0)', "viz/lesson/questions.py"),
        ("def d2l", "tests/reference/make_checkpoints.py"),
    ):  # fmt: skip
        assert name.removeprefix("def ") in TEXT and name in (ROOT / path).read_text("utf-8"), name
