"""The message about characters missing from the vocabulary."""

from typing import Any

import pytest

import model
from model.trace import TokenSequence
from tests.checkpoint import tiny_bundle
from viz.panels.reading import fit


class _Pieces:
    """Joins an unknown letter with the previous letter, as SentencePiece does."""

    unknown_id = 1

    def encode(self, text: str) -> TokenSequence:
        place = text.find("ü")
        spans = [(0, len(text))] if place < 1 else [(0, place - 1), (place - 1, place + 1), (place + 1, len(text))]
        spans = [(a, b) for a, b in spans if a < b]
        ids = tuple(1 if "ü" in text[a:b] else 5 for a, b in spans)
        return TokenSequence(ids, tuple(text[a:b] for a, b in spans), tuple(range(len(spans))), tuple(spans))


def _bundle(tokenizer: Any) -> model.Bundle:
    bundle = tiny_bundle()
    return model.Bundle(
        name="other", model=bundle.model, config=bundle.config, source_tokenizer=tokenizer,
        target_tokenizer=bundle.target_tokenizer, fingerprint="other",
    )  # fmt: skip


def test_only_the_character_that_is_missing_is_named():
    assert fit(_bundle(_Pieces()), "Zürich").unknown == ("ü",)


@pytest.mark.parametrize(("text", "unknown"), [("the zebra zebra cat", ("zebra",)), ("the cat", ())])
def test_a_list_of_words_names_the_whole_word_once(text, unknown):
    assert fit(tiny_bundle(), text).unknown == unknown
