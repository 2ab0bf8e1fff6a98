"""Pieces of byte-level vocabularies (GPT-2, BART, Llama 3) are shown as the text that they stand for."""

from pathlib import Path
from typing import Any

import tokenizers
import transformers
from tokenizers import decoders, models, pre_tokenizers, trainers

import model
from model.checkpoints.vocabularies.fast_tokenizer import FastTokenizer

TEXT = "The café is naïve\n你好"


def train_bpe(texts: list[str], size: int) -> tokenizers.Tokenizer:
    """A byte-level BPE vocabulary, as GPT-2's."""
    made = tokenizers.Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=["<s>", "</s>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    return made


def test_letters_are_letters_and_single_bytes_are_named() -> None:
    tokenizer = FastTokenizer(train_bpe([TEXT] * 9, 320))
    encoded = tokenizer.encode(TEXT)
    assert encoded.pieces[:3] == ("The", "Ġcafé", "Ġis")
    assert tokenizer.describe(encoded.ids).pieces == encoded.pieces
    assert tokenizer.decode(encoded.ids) == TEXT
    bare = FastTokenizer(train_bpe(["a"], 258)).encode("é 你\n\x17")
    assert bare.pieces == ("<0xC3>", "<0xA9>", "Ġ", "<0xE4>", "<0xBD>", "<0xA0>", "Ċ", "<0x17>")
    ends = FastTokenizer(train_bpe(["a"], 258)).encode("\x00\x1f Ā")  # the last letter ends with the byte 80
    assert ends.pieces == ("<0x00>", "<0x1F>", "Ġ", "<0xC4>", "<0x80>")
    made = train_bpe(["a"], 258)
    index = made.token_to_id("ÿ")  # the letter that stands for the byte FF
    assert index is not None and FastTokenizer(made).describe((index,)).pieces == ("<0xFF>",)


def test_a_text_is_read_whole_whatever_the_files_truncation_and_padding() -> None:
    made = train_bpe([TEXT] * 9, 320)
    made.enable_truncation(2)
    made.enable_padding(length=9)
    tokenizer = FastTokenizer(made)
    assert tokenizer.decode(tokenizer.encode(TEXT).ids) == TEXT


def test_a_line_end_is_no_part_of_a_word() -> None:
    tokens = FastTokenizer(train_bpe([TEXT] * 9, 320)).encode("user\nWhere are\n\nthey")
    words = [
        "".join(piece for piece, its in zip(tokens.pieces, tokens.words, strict=True) if its == word)
        for word in range(7)
    ]
    assert words == ["user", "Ċ", "Where", "Ġare", "Ċ", "Ċ", "they"]


def test_an_uploaded_gpt_2_shows_accents_and_signs(tmp_path: Path) -> None:
    vocabulary = train_bpe([TEXT] * 9, 320)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=vocabulary, bos_token="<s>", eos_token="</s>"
    ).save_pretrained(tmp_path)
    settings = transformers.GPT2Config(
        vocab_size=vocabulary.get_vocab_size(), n_embd=32, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=1
    )
    transformers.GPT2LMHeadModel(settings).save_pretrained(tmp_path)
    tokenizer: Any = model.load(tmp_path).target_tokenizer
    encoded = tokenizer.encode("The café")
    assert encoded.pieces[-1] == "Ġcafé" and tokenizer.describe(encoded.ids).pieces == encoded.pieces
