"""Where pieces stand in a text, found without the tokenizer's help."""

from __future__ import annotations

import pytest

from model.text.places import found_spans


@pytest.mark.parametrize(
    ("text", "pieces", "cut"),
    [
        ("the cat .", ["▁the", "▁c", "at", "▁", "."], ["the", "c", "at", "", "."]),
        ("the  cat.", ["▁the", "▁cat", "."], ["the", "cat", "."]),
        ("a 猫 cat", ["▁a", "<unk>", "▁cat"], ["a", "猫", "cat"]),
        ("a 猫 c", ["▁a", "▁", "<unk>", "<unk>", "▁c"], ["a", "", "猫", "猫", "c"]),
        ("cab 猫b b", ["▁c", "ab", "<unk>", "▁b"], ["c", "ab", "猫b", "b"]),
        ("2½ cups", ["▁2", "1⁄2", "▁cups"], ["2", "½", "cups"]),
        ("playing now", ["play", "##ing", "now"], ["play", "ing", "now"]),
        ("playing now", ["play@@", "ing", "now"], ["play", "ing", "now"]),
        ("a 猫", ["▁a", "<unk>"], ["a", "猫"]),
        ("", [], []),
    ],
)
def test_each_piece_stands_where_it_is_written(text: str, pieces: list[str], cut: list[str]) -> None:
    spans = found_spans(text, pieces, [False] * len(pieces))
    assert [text[span[0] : span[1]] for span in spans if span is not None] == cut
    begins = [span[0] for span in spans if span is not None]
    assert begins == sorted(begins)


def test_a_special_token_stands_nowhere() -> None:
    assert found_spans("a b", [">>fr<<", "▁a", "▁b", "</s>"], [True, False, False, True]) == [
        None, (0, 1), (2, 3), None
    ]  # fmt: skip
