"""Terminals act on control characters, so none from a file is printed."""

import dataclasses
import json
from pathlib import Path

import pytest

import model
from model.cli.output import errors, printable, results, say
from tests.checkpoint import WORDS, tiny_bundle
from tests.cli.conftest import Command, Result

ESCAPE, CSI, BELL = "\x1b]0;mine\x07", "\x9b2J", "\x07"
OBEYED = {chr(code) for code in (*range(32), *range(0x7F, 0xA0))} - set("\n\t")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint whose words, languages and name contain control characters and style markup."""
    words = model.WordTokenizer([word if index < 4 else f"{word}{ESCAPE}{CSI}" for index, word in enumerate(WORDS)])
    bundle = dataclasses.replace(
        tiny_bundle(f"[/red]{BELL}{CSI}"), source_tokenizer=words, target_tokenizer=words, source_language=f"en{CSI}"
    )
    return model.save(bundle, tmp_path_factory.mktemp("cli") / f"model{CSI}")


def is_plain(result: Result) -> bool:
    return not OBEYED & set(result.out + result.err)


@pytest.mark.parametrize(
    "arguments",
    [["inspect"], ["inspect", "--json"], ["inspect", "--tensors"], ["translate", "the cat"],
     ["translate", "the cat", "the dog"], ["translate", "--show", "cross", "the cat"]],
    ids=" ".join,
)  # fmt: skip
def test_no_command_prints_a_control_character_of_a_file(command: Command, hostile: Path, arguments: list[str]) -> None:
    result = command(*arguments, "--checkpoint", hostile)
    assert result.code == 0 and is_plain(result)
    assert "\\u009b" in result.out or "\\u001b" in result.out


def test_commands_over_pairs_print_none(command: Command, hostile: Path, tmp_path: Path) -> None:
    pairs = tmp_path / f"pairs{CSI}.tsv"
    pairs.write_text(f"the cat\tle chat\t0-0 1-1\nthe{ESCAPE} dog\tle chien\t0-0 1-1\n" * 3)
    for arguments in (["align", pairs], ["evaluate", pairs, "--split", "all"], ["survey", pairs, "--out", "s"]):
        value = [tmp_path / "s" if item == "s" else item for item in arguments]
        result = command(*value, "--checkpoint", hostile)
        assert result.code == 0 and is_plain(result), arguments


def test_messages_about_a_file_print_none(command: Command, tmp_path: Path) -> None:
    path = tmp_path / f"holiday{ESCAPE}{CSI}.pt"
    path.write_bytes(b"\xff\xd8 no model")
    result = command("inspect", "--checkpoint", path)
    assert result.code == 1 and is_plain(result) and "\\u001b" in result.err


def test_json_stays_json(command: Command, hostile: Path) -> None:
    result = command("inspect", "--json", "--checkpoint", hostile)
    assert json.loads(result.out)["name"].endswith(CSI)


def test_text_keeps_its_breaks_and_consoles_their_styles(capsys: pytest.CaptureFixture[str]) -> None:
    assert printable("a\tb\nç é 中 \x1b[31m") == "a\tb\nç é 中 \\u001b[31m"
    say("a\x9bb")
    results().print("\x1b[1mc", markup=False)
    errors().print("\rd", style="red")
    result = capsys.readouterr()
    assert result.out == "a\\u009bb\n\\u001b[1mc\n" and not OBEYED & set(result.err)
