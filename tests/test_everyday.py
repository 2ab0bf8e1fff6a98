"""The hundred everyday sentences, and the steps after training a model."""

import importlib.util
import re
import shutil
from pathlib import Path

import pytest

import model
from tests import after_training
from tests.everyday import LANGUAGES, lacking, missing, sentences

ROOT = Path(__file__).parents[1]
MODELS = [f"en-{language}" for language in LANGUAGES]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hundred_different_sentences_have_words_in_each_language(language: str) -> None:
    expected = sentences(language)
    assert len({text for text, _ in expected}) == len(expected) == 100
    assert all(all(alternative for alternative in word) for _, words in expected for word in words)
    assert all(words for _, words in expected)


def test_a_search_matches_whole_words_in_any_case_and_chinese_anywhere() -> None:
    assert missing("Le chat dort.", [["chat"], ["dort", "endormi"]], "fr") == []
    assert missing("Le chateau est à l'Hôpital.", [["chat"], ["hôpital"]], "fr") == ["chat"]
    assert missing("猫在睡觉。", [["猫"], ["睡"], ["沙发"]], "zh") == ["沙发"]


@pytest.mark.nightly(but=("en-fr",))
@pytest.mark.parametrize("name", MODELS)
def test_the_score_in_each_models_readme_equals_the_commands(name: str) -> None:
    right = 100 - len(lacking(model.load(name), name[3:]))
    match = re.search(r"Of a hundred everyday sentences (\d+) have all their content words",
                     (ROOT / "pretrained" / name / "README.md").read_text("utf-8"))  # fmt: skip
    assert match is not None and abs(int(match[1]) - right) <= 1  # rounding on another processor may change one token


@pytest.mark.parametrize("name", MODELS)
def test_every_step_after_a_training_is_a_command_that_exists(name: str) -> None:
    for step, command in after_training.steps(name, ROOT, []):
        if callable(command):
            continue
        is_found = importlib.util.find_spec(command[1]) if command[0] == "-m" else (ROOT / command[0]).exists()
        assert is_found, step


def test_the_hashes_of_a_readme_follow_the_files(tmp_path: Path) -> None:
    folder = shutil.copytree(ROOT / "pretrained/en-zh", tmp_path / "en-zh")
    assert after_training.write_hashes(folder) == ""
    (folder / "confidence.json").write_text("{}")
    changed = after_training.write_hashes(folder)
    assert changed.endswith("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a  confidence.json")


@pytest.mark.nightly
def test_a_failing_step_ends_the_run_and_names_the_command_that_continues(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(after_training, "OUTPUT", tmp_path)
    monkeypatch.setattr("sys.argv", ["after_training", "en-zh", "--data", str(tmp_path), "--from", "scores"])
    with pytest.raises(SystemExit, match="--from scores"):
        after_training.main()
    assert (tmp_path / "en-zh/scores.txt").read_text()
