"""Tokenizers: ids and back, words, spans of the text that was read, and codes of languages."""

import base64
import json
from io import BytesIO
from pathlib import Path

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers.models.nllb.tokenization_nllb import FAIRSEQ_LANGUAGE_CODES

from model.checkpoints.loading import PRETRAINED
from model.checkpoints.vocabularies.piece_tokenizer import PieceTokenizer
from model.checkpoints.vocabularies.reading import read_tokenizer_file
from model.text import sentencepiece_proto
from model.text.language_codes import bcp47, bleu_tokenizer, main_language
from model.text.places import found_spans
from model.text.tokenizer import SentencePieceTokenizer, Tokenizer, TokenizerError
from model.text.word_tokenizer import WordTokenizer
from model.training.languages import looks_like
from tests.js import tie
from tests.nightly import examples

SENTENCES = (
    "The cat is sleeping on the sofa.", "He's calm.", "I'm home.", "Go!", "Where are you going, Zoë?",
    "Le chat dort sur le canapé.", "Il est calme.", "Je suis chez moi.", "Va !", "Où vas-tu, aujourd'hui ?",
    "Nobody knows; peut-être (not) 42 times.",
)  # fmt: skip
WORDS = ("<pad>", "<unk>", "<s>", "</s>", "the", "cat", "he's", ".", "well-known")


@pytest.fixture(scope="module")
def pieces() -> SentencePieceTokenizer:
    written = BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES * 30), model_writer=written, vocab_size=70, model_type="unigram",
        pad_id=0, unk_id=1, bos_id=2, eos_id=3, minloglevel=2,
    )  # fmt: skip
    return SentencePieceTokenizer(written.getvalue())


@pytest.fixture(scope="module")
def words() -> WordTokenizer:
    return WordTokenizer(WORDS)


def test_both_keep_the_protocol(pieces: SentencePieceTokenizer, words: WordTokenizer) -> None:
    assert isinstance(pieces, Tokenizer) and isinstance(words, Tokenizer)
    assert pieces.size == 70 and words.size == 9
    assert pieces.special_ids == {"pad": 0, "bos": 2, "eos": 3} and pieces.unknown_id == 1 == words.unknown_id


@pytest.mark.parametrize("text", SENTENCES)
def test_text_survives_pieces(pieces: SentencePieceTokenizer, text: str) -> None:
    tokens = pieces.encode(text)
    assert pieces.decode(tokens.ids) == text
    assert pieces.encode_ids([text]) == [list(tokens.ids)]
    assert pieces.decode([2, *tokens.ids, 3]) == text


@pytest.mark.parametrize("text", SENTENCES)
def test_spans_cover_the_text_and_pieces_of_a_word_are_adjacent(pieces: SentencePieceTokenizer, text: str) -> None:
    tokens = pieces.encode(text)
    spans = [span for span in tokens.spans if span is not None]
    assert "".join(text[start:stop] for start, stop in spans) == text.replace(" ", "")
    assert list(tokens.words) == sorted(tokens.words)
    assert set(tokens.words) == set(range(max(tokens.words) + 1))


def test_words_have_apostrophes_and_no_punctuation(pieces: SentencePieceTokenizer) -> None:
    tokens = pieces.encode("He's calm, aujourd'hui.")
    grouped: dict[int, str] = {}
    for word, span in zip(tokens.words, tokens.spans, strict=True):
        assert span is not None
        grouped[word] = grouped.get(word, "") + "He's calm, aujourd'hui."[slice(*span)]
    assert list(grouped.values()) == ["He's", "calm", ",", "aujourd'hui", "."]


@settings(max_examples=examples(200), deadline=None)
@given(text=st.text(max_size=40))
def test_any_text_gives_spans_inside_it_and_in_order(pieces: SentencePieceTokenizer, text: str) -> None:
    tokens = pieces.encode(text)
    last = 0
    for span in tokens.spans:
        assert span is not None
        start, stop = span
        assert 0 <= start <= stop <= len(text) and start >= last
        last = start


def test_described_ids_mark_special_tokens(pieces: SentencePieceTokenizer) -> None:
    ids = (2, *pieces.encode("Il est calme.").ids, 3)
    described = pieces.describe(ids)
    assert described.ids == ids and described.pieces[0] == "<s>" and described.pieces[-1] == "</s>"
    assert described.is_special == (True, *[False] * (len(ids) - 2), True)
    assert described.spans[0] is None and described.spans[-1] is None
    text = pieces.decode(ids)
    assert "".join(text[slice(*span)] for span in described.spans if span) == text.replace(" ", "")


def test_a_word_can_be_cut_in_several_ways_of_which_its_own_is_the_first(pieces: SentencePieceTokenizer) -> None:
    ways = pieces.ways_to_cut("sleeping", most=6)
    assert len({tuple(way) for way in ways}) == 6
    assert ways[0] == list(pieces.encode("sleeping").ids)
    assert {pieces.decode(way) for way in ways} == {"sleeping"}


def test_a_saved_tokenizer_is_the_same(pieces: SentencePieceTokenizer, words: WordTokenizer, tmp_path: Path) -> None:
    assert pieces.save(tmp_path, "tokenizer") == "tokenizer.model"
    again = SentencePieceTokenizer.load(tmp_path / "tokenizer.model")
    assert again.encode("Je suis chez moi.") == pieces.encode("Je suis chez moi.")
    assert words.save(tmp_path, "source") == "source.json"
    mixed = PieceTokenizer(["<pad>", "<unk>", "▁chez", "▁moi", "."], (tmp_path / "tokenizer.model").read_bytes())
    read = read_tokenizer_file(tmp_path / mixed.save(tmp_path, "target"))
    assert isinstance(read, PieceTokenizer)
    assert read.encode("Je suis chez moi.") == mixed.encode("Je suis chez moi.")


def test_words_are_looked_up_as_written_then_in_lower_case_then_unknown(words: WordTokenizer) -> None:
    tokens = words.encode("The cat, he's well-known.")
    assert tokens.pieces == ("the", "cat", "<unk>", "he's", "well-known", ".")
    assert tokens.spans == ((0, 3), (4, 7), (7, 8), (9, 13), (14, 24), (24, 25))
    assert tokens.words == (0, 1, 2, 3, 4, 5)
    assert words.decode((2, *tokens.ids, 3)) == "the cat <unk> he's well-known ."
    described = words.describe((2, 4, 5, 3, 99))
    assert described.pieces == ("<s>", "the", "cat", "</s>", "#99") and described.words == (-1, 0, 1, -1, 2)


@pytest.mark.parametrize("content", [b"", b"not a model", b"\x80\x04\x95pickle", b"\x00" * 100])
def test_other_files_than_sentencepiece_models_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.model"
    path.write_bytes(content)
    with pytest.raises(TokenizerError, match=r"this is not a SentencePiece model: give the .model or .spm file"):
        SentencePieceTokenizer.load(path)


def test_a_missing_tokenizer_is_named(tmp_path: Path) -> None:
    with pytest.raises(TokenizerError, match=r"cannot read the tokenizer .*none.model: No such file or directory"):
        SentencePieceTokenizer.load(tmp_path / "none.model")


def test_an_empty_vocabulary_and_a_word_without_an_unknown_token_are_refused() -> None:
    with pytest.raises(TokenizerError, match="the vocabulary is empty: give one token a line"):
        WordTokenizer([])
    with pytest.raises(TokenizerError, match=r"the vocabulary has neither “dog” nor an unknown token"):
        WordTokenizer(["cat"]).encode("cat dog")


def test_the_page_is_tested_with_sentencepieces_choice_between_equal_scores():
    stored = json.loads(tie.WHERE.read_text("utf-8"))
    file = base64.b64decode(stored["file"])
    assert file == tie.vocabulary()
    assert tie.segment(file) == stored["ids"]


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
def test_spans_are_the_pieces_places_in_the_text(text: str, pieces: list[str], cut: list[str]) -> None:
    spans = found_spans(text, pieces, [False] * len(pieces))
    assert [text[span[0] : span[1]] for span in spans if span is not None] == cut
    begins = [span[0] for span in spans if span is not None]
    assert begins == sorted(begins)


def test_a_special_token_has_no_span() -> None:
    assert found_spans("a b", [">>fr<<", "▁a", "▁b", "</s>"], [True, False, False, True]) == [
        None, (0, 1), (2, 3), None
    ]  # fmt: skip


@pytest.fixture(scope="module")
def processor() -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_file=str(PRETRAINED / "en-fr" / "tokenizer.model"))


@pytest.mark.parametrize("text", ["", "The cat is sleeping.", "  two  spaces ", "猫 😀 Łódź", "e\u0301té", "x" * 700])
def test_pieces_ids_and_places_are_those_that_protobuf_reads(processor, text):
    expected = processor.encode(text, return_type="proto")
    result, pieces = sentencepiece_proto.read(processor.encode(text, return_type="serialized_proto"))
    assert result == expected.text
    assert [(item.piece, item.id, item.begin, item.end) for item in pieces] == [
        (piece.piece, piece.id, piece.begin, piece.end) for piece in expected.pieces
    ]
    ids = [piece.id for piece in expected.pieces]
    back = processor.decode(ids, return_type="proto")
    result, pieces = sentencepiece_proto.read(processor.decode(ids, return_type="serialized_proto"))
    assert result == back.text
    assert [(item.begin, item.end) for item in pieces] == [(piece.begin, piece.end) for piece in back.pieces]


@pytest.mark.parametrize(
    ("code", "language", "tag"),
    [("fra_Latn", "fr", "fr-Latn"), ("fr_XX", "fr", "fr-XX"), ("fr", "fr", "fr"), ("zho_Hans", "zh", "zh-Hans"),
     ("zh-CN", "zh", "zh-CN"), ("EN", "en", "en"), ("epo_Latn", "epo", "epo-Latn"), ("", "", ""), (None, "", "")],
)  # fmt: skip
def test_a_language_is_derived_from_its_code(code: str | None, language: str, tag: str) -> None:
    assert (main_language(code), bcp47(code)) == (language, tag)


def test_languages_that_something_here_asks_for_are_known_by_their_nllb_codes() -> None:
    ours = {"ar", "de", "el", "en", "es", "fr", "he", "hi", "ja", "km", "ko", "lo", "my", "ru", "th", "uk", "zh"}
    assert ours <= {main_language(code) for code in FAIRSEQ_LANGUAGE_CODES}


def test_bleu_and_the_look_for_swapped_columns_understand_a_multilingual_models_codes() -> None:
    assert [bleu_tokenizer(code) for code in ("zho_Hans", "yue_Hant", "jpn_Jpan", "deu_Latn")] == [
        "zh", "zh", "char", "13a"]  # fmt: skip
    assert looks_like("Le chat est sur la table.", "fra_Latn", "eng_Latn")
    assert not looks_like("The cat is on the table.", "fra_Latn", "eng_Latn")
