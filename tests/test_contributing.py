"""CONTRIBUTING.md, followed step by step: its page, scene and language work, and the files it names exist."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from viz.i18n import LANGUAGES, catalogue

pytestmark = pytest.mark.nightly
ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
SCENE_WORDS = ("title", "question", "options", "look", "try", "done", "answer", "reply",
               "teacher", "sheet", "expect", "mistake")  # fmt: skip
ECHO = """
from viz.lesson.scene import Scene
from viz.lesson.views import draw_head, sharpest_head


class Echo(Scene):
    def draw(self, here):
        draw_head(here, *sharpest_head(here), "echo")


SCENE = Echo(name="echo", right=1, page="explore", minutes=1)
"""
"""A minimal scene."""
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
"""Opens the new scene after its vote in each language, and prints which of its texts are shown."""
SPEAK = """
import json
from streamlit.testing.v1 import AppTest
from viz.i18n import LANGUAGES, group, number, speaking, tr

texts = {}
for page in ("explore", "decode", "lesson", "room"):
    app = AppTest.from_file("viz/main.py", default_timeout=120)
    app.query_params.update({"language": "es", "text": "The cat is sleeping.", "model": "tiny"})
    if page != "explore":
        app.switch_page(f"{page}/{page}.py")
    app.run()
    assert not app.exception, app.exception
    texts[page] = [str(part.value) for part in [*app.markdown, *app.caption, *app.header, *app.info]]
    texts[page] += [part.label for part in [*app.button, *app.selectbox, *app.button_group, *app.text_input]]
with speaking("es"):
    texts["numbers"] = [number(1234567.5, ",.1f"), number(0.5, ".0%"),
                       tr("inside.said_without_scaling", factor=2, before=0.5, after=0.25)]
    texts["counted"] = [tr("frame.model_shape", encoder=6, decoder=6, heads=n) for n in (1, 8)]
    texts["scripts"] = group("decode")
print(json.dumps({"languages": dict(LANGUAGES), **texts}))
"""
"""Opens pages in a fourth language with only a few files."""
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
    """A copy of the application that tests may change."""
    for name in ("viz", "model"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pretrained", ".streamlit"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def run_in(house: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments in the copy."""
    return subprocess.run([sys.executable, *arguments], cwd=house, capture_output=True, text=True, check=False)


def lines_of(house: Path, program: str, *arguments: str) -> list[str]:
    """The output lines of a program in the copy."""
    process = run_in(house, "-c", program, *arguments)
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


def test_the_page_of_the_example_opens_in_every_language(house: Path) -> None:
    (page,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    (title,) = re.findall(r"`(page_lengths = \w+)`", TEXT)
    words = re.findall(r"```fluent\n(.*?)```", TEXT, re.DOTALL)
    (house / "viz/lengths").mkdir()
    (house / "viz/lengths/lengths.py").write_text(page, "utf-8")
    for language, text in zip(LANGUAGES, words, strict=True):
        (house / f"viz/i18n/{language}/pages/lengths.ftl").write_text(text, "utf-8")
        append(house / f"viz/i18n/{language}/shared/frame.ftl", f"{title}\n")
    lines = lines_of(house, OPEN, *LANGUAGES)
    assert [line.partition("=")[0] for line in lines] == ["Source tokens", "Tokens de la source", "源句词元数"]


def test_a_scene_added_as_described_is_voted_on_and_explained_in_every_language(house: Path) -> None:
    (house / "viz/lesson/scenes/echo.py").write_text(ECHO, "utf-8")
    insert(house / "viz/lesson/choices.py", '"mask", "loss",', '"mask", "echo", "loss",')
    texts = {word: "|".join(f"echo_{word} {i}" for i in range(3)) for word in SCENE_WORDS}
    for language in LANGUAGES:
        words = "".join(f"echo_{word} = {text}\n" for word, text in texts.items())
        append(house / f"viz/i18n/{language}/lesson/lesson.ftl", words)
    insert(
        house / "model/teaching/sentences/en-fr.json",
        '    "cross":',
        '    "echo": "The cat is sleeping.",\n',
        is_before=True,
    )
    insert(house / "model/teaching/measured/claims.py", '"mask": _mask,', ' "echo": _cross,', is_after=True)
    shown_texts = lines_of(house, TEACH)
    assert len(shown_texts) == len(LANGUAGES)
    for line in shown_texts:
        assert {"echo_question", "echo_answer", "echo_reply"} <= set(line.split())
    (house / "pairs.tsv").write_text("The cat is sleeping.\tLe chat dort.\n", "utf-8")
    chosen = run_in(house, "-m", "model", "choose-sentences", "pairs.tsv", "--checkpoint", "pretrained/tiny")
    printed, _ = json.JSONDecoder().raw_decode(chosen.stdout)
    assert "echo" in printed["scenes"], chosen.stderr


def test_a_fourth_language_speaks_by_a_few_files_and_lacks_nothing() -> None:
    environment = os.environ | {"REGARD_LANGUAGES": str(Path(__file__).parent / "languages")}
    process = subprocess.run(
        [sys.executable, "-c", SPEAK], cwd=ROOT, capture_output=True, text=True, check=False, env=environment
    )
    assert process.returncode == 0, process.stderr
    output = json.loads(process.stdout.splitlines()[-1])
    assert output["languages"] == {"en": "English", "es": "Español", "fr": "Français", "zh": "中文"}
    assert output["numbers"] == ["1.234.567,5", "50\u00a0%", (
        "Sin √d_k las puntuaciones son 2,0 veces mayores: el peso más grande de esta fila pasa de 0,50 a 0,25."
    )]  # fmt: skip
    assert output["counted"] == ["6+6 capas × 1 cabeza", "6+6 capas × 8 cabezas"]
    assert output["scripts"]["step_of"] == "Paso { $step } de { $count }"
    assert "Cómo decodificar" in output["decode"], "the page speaks Spanish"
    english = set(catalogue("en").values())
    for page in ("lesson", "room"):
        assert not english.isdisjoint(output[page]), "and English where it has no Spanish"


def append(path: Path, text: str) -> None:
    """Append a text to a file."""
    path.write_text(path.read_text("utf-8") + text, "utf-8")


def insert(path: Path, mark: str, text: str, *, is_after: bool = False, is_before: bool = False) -> None:
    """Replace a mark by a text, or insert the text after or before it."""
    content = path.read_text("utf-8")
    assert content.count(mark) == 1, mark
    path.write_text(content.replace(mark, mark + text if is_after else text + mark if is_before else text), "utf-8")


@pytest.mark.by_day
def test_every_file_that_is_named_is_there_and_has_the_names_that_go_with_it() -> None:
    for name in set(re.findall(r"`((?:viz|model|tests|docs)/[\w./-]+\.\w+)`", TEXT)) - {
        "viz/lengths/lengths.py",
        *(f"viz/i18n/{language}/pages/lengths.ftl" for language in LANGUAGES),
    }:
        assert (ROOT / name).is_file(), name
    for name, path in (
        ("MENUS", "viz/pages.py"), 
        ("FAMILIES", "model/checkpoints/families/__init__.py"),
        ("TUTORIALS", "model/checkpoints/families/tutorials.py"),
        ("REGARD_LANGUAGES", "viz/i18n/files.py"), ('compares=""', "viz/lesson/scenes/mask.py"),
        ("SCENE", "viz/lesson/scenes/mask.py"), ("NAMES", "viz/lesson/choices.py"),
        ("CLAIMS", "model/teaching/measured/claims.py"),
        ("TEXT_VIEW", "viz/components/attention/js/views/text.js"),
        ("HEAD_VIEWS", "viz/components/attention/js/views/views.js"),
        ("HeadViewName", "viz/state/view_state.py"), ("VIEWS_OF_LONG_TEXTS", "viz/state/view_state.py"),
        ("def d2l", "tests/reference/make_checkpoints.py"),
    ):  # fmt: skip
        assert name.removeprefix("def ") in TEXT and name in (ROOT / path).read_text("utf-8"), name
