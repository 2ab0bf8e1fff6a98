"""``draw``, and a reader trained on what it drew."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import model
from model.cli.main import main
from model.picture_source import PictureSource
from model.training.evaluation import edits
from model.training.handwriting import fingers, hands, pictures
from model.training.handwriting.hands import Letter

EXAMPLES = Path(__file__).parents[2] / "pretrained/reader/examples.tsv"


@pytest.fixture
def plain_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters in single strokes without the package that has them: a stick and a bow."""
    stick = (((0.0, -12.0), (0.0, 9.0)),)
    letters = {c: Letter((*stick, ((0.0, -5.0), (8.0, 0.0), (0.0, 9.0))), 0.0, 8.0) for c in "abcdefghijklmnop"}
    fonts = {name: letters | {"l": Letter(stick, 0.0, 1.0)} for name in hands.STROKE_FONTS}
    for module in (hands, fingers):
        monkeypatch.setattr(module, "stroke_letters", lambda: fonts)
    monkeypatch.setattr("model.cli.draw.stroke_letters", lambda: fonts)


def test_fingers_differ_and_the_same_seed_draws_the_same(plain_letters: None):
    first, again, other = (
        pictures.by_finger("abl", np.random.default_rng(seed), PictureSource()) for seed in (1, 1, 2)
    )
    assert first is not None and other is not None
    np.testing.assert_array_equal(first, again)
    assert (first != other).any() and first.shape == (32, 384) and (first % 17 == 0).all()


def test_letters_of_a_word_are_drawn_from_left_to_right(plain_letters: None):
    lines = fingers.write_strokes(
        "lll", np.random.default_rng(0), fingers.Writer.drawn(np.random.default_rng(0), hard=0.0)
    )
    middles = [line[:, 0].mean() for line in lines]
    assert len(lines) == 3 and middles == sorted(middles)


@pytest.mark.parametrize(("text", "can"), [("abl", True), ("é", True), ("ü", False), ("ab cd", True), ("z", False)])
def test_a_text_is_writable_if_all_its_letters_are(text: str, can: bool, plain_letters: None):
    assert fingers.writable(text) is can


def test_an_accent_is_above_its_letter_and_replaces_a_dot():
    dotted = Letter((((4.0, -13.0), (5.0, -12.0)), ((4.0, -5.0), (4.0, 9.0))), 4.0, 1.0)
    made = hands.accented_letter({"i": dotted}, "ï")
    assert made is not None and len(made.strokes) == 3
    assert max(y for stroke in made.strokes[1:] for _, y in stroke) < -5
    assert hands.accented_letter({"i": dotted}, "é") is None


@pytest.mark.parametrize(
    ("text", "written", "n"), [("", "abc", 3), ("abc", "abc", 0), ("bc", "abc", 1), ("axcd", "abc", 2)]
)
def test_edits(text: str, written: str, n: int):
    assert edits(text, written) == n == edits(written, text)


def test_pictures_are_drawn_and_a_reader_is_trained_on_them(
    tmp_path: Path, plain_letters: None, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "words.txt").write_text("\n".join("abcdefghil"), "utf-8")
    drawn, run = tmp_path / "drawn.tsv", tmp_path / "run"
    assert (
        main(["draw", str(tmp_path / "words.txt"), "--out", str(drawn), "--hands", "fingers", "--pictures", "60"]) == 0
    )
    lines = drawn.read_text("utf-8").splitlines()
    assert len(lines) == 60 and {line.split("\t")[1] for line in lines} == set("abcdefghil")
    sizes = "--d-model 32 --d-feed-forward 64 --heads 2 --encoder-layers 1 --decoder-layers 1 --batch-tokens 200"
    steps = "--steps 4 --warmup-steps 2 --validate-every 4 --device cpu --precision float32"
    assert main(["train", str(drawn), "--run", str(run), "--kind", "reader", *sizes.split(), *steps.split()]) == 0
    trained = model.load(run / "result")
    assert trained.picture == PictureSource(strip=4, right=8)
    picture, _ = lines[0].split("\t")
    assert len(model.translate(trained, picture).source) < 64
    losses = [json.loads(line)["loss"] for line in (run / "metrics.jsonl").read_text("utf-8").splitlines()
              if '"StepDone"' in line]  # fmt: skip
    assert len(losses) == 4 and all(np.isfinite(losses))
    capsys.readouterr()


def test_evaluate_reports_the_share_that_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    rows = [line.split("\t") for line in EXAMPLES.read_text("utf-8").splitlines()[:4]]
    pairs = [f"{picture}\t{text}" for text, _, picture in rows[:3]] + [f"{rows[3][2]}\tX{rows[3][0]}"]
    (tmp_path / "drawn.tsv").write_text("\n".join(pairs), "utf-8")
    assert main(["evaluate", str(tmp_path / "drawn.tsv"), "--checkpoint", "reader", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    letters = sum(len(text) for text, *_ in rows) + 1
    assert (report["n_pictures"], report["exact"]) == (4, 0.75)
    assert report["characters_wrong"] == pytest.approx(1 / letters)


def test_without_fonts_the_message_names_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "words.txt").write_text("a\n", "utf-8")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    hands.installed_fonts.cache_clear()
    assert main(["draw", str(tmp_path / "words.txt"), "--out", str(tmp_path / "out.tsv"), "--hands", "new"]) == 1
    hands.installed_fonts.cache_clear()
    assert "install fontconfig" in capsys.readouterr().err


def test_fonts_of_fontsource_are_found_by_their_packages_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = "/home/ada/.local/share/fonts/node_modules/@fontsource"
    listed = [
        ("Breip Medium", "/usr/share/fonts/truetype/breip/Breip.ttf"),
        ("Breip", "/usr/share/fonts/truetype/breip/Breip.ttf"),
        ("Caveat", f"{folder}/caveat/files/caveat-latin-400-normal.woff2"),
        ("Caveat", f"{folder}/caveat/files/caveat-latin-400-normal.woff"),
        ("Caveat", f"{folder}/caveat/files/caveat-latin-700-normal.woff2"),
        ("Caveat", f"{folder}/caveat/files/caveat-cyrillic-400-normal.woff2"),
        ("Patrick Hand", f"{folder}/patrick-hand/files/patrick-hand-latin-400-normal.woff2"),
        ("Inter", f"{folder}/inter/files/inter-latin-400-normal.woff2"),
    ]
    (tmp_path / "fc-list").write_text(
        "#!/bin/sh\ncat <<'END'\n" + "".join(f"{f}\t{p}\t\n" for f, p in listed) + "END\n"
    )
    (tmp_path / "fc-list").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    hands.installed_fonts.cache_clear()
    try:
        assert [font.family for font in hands.installed_fonts()] == ["caveat", "patrick-hand", "Breip"]
        debian, npm = hands.missing_packages()
        written, printed = pictures.known_fonts()
    finally:
        hands.installed_fonts.cache_clear()
    assert "fonts-breip" not in debian and "fonts-klee" in debian
    assert "@fontsource/kalam" in npm and "@fontsource/caveat" not in npm
    assert [font.family for font in written] == ["caveat", "Breip"] and not printed  # Patrick Hand is kept apart


def test_fonts_draw_what_they_have(tmp_path: Path):
    path = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
    if not path.exists():
        pytest.skip("DejaVu is not installed")
    font, rng = hands.Font("DejaVu Sans", str(path)), np.random.default_rng(0)
    assert not pictures.only_capitals(font) and {"a", "Z", "é"} <= pictures.characters(font)
    grey = pictures.by_font("Hello", rng, PictureSource(), font, bent=False)
    assert grey is not None and model.translate(model.load("reader"), model.Picture(grey)).text == "Hello"
    drawn = (pictures.by_font("Hello", rng, PictureSource(), font) for _ in range(20))
    bent = [picture for picture in drawn if picture is not None]
    assert len({picture.tobytes() for picture in bent}) == 20, "no two are alike"
    texts = [model.translate(model.load("reader"), model.Picture(picture)).text for picture in bent]
    assert texts.count("Hello") >= 14, f"what is bent can still be read: {texts}"
    assert pictures.by_font("漢", rng, PictureSource(), font) is None
