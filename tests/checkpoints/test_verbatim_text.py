"""A text goes to another project's tokenizer as it was written: the ids are those of the library, whatever it holds."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import Any, cast

import pytest
import sentencepiece
import tokenizers
import transformers
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

import model
from model.checkpoints.vocabularies.library_tokenizer import LibraryTokenizer
from model.config import TransformerConfig
from model.text.tokens import TextError, begun_tokens, is_ids, prefix_ids, target_tokens
from tests.checkpoint import tiny_bundle
from tests.checkpoints.chat import CHATML, LLAMA_2, save_chat_model
from tests.nightly import examples

TEXTS = (
    "The cat is sleeping on the sofa.", "don’t  stop", "def f(x):\n    return x\n", "Où es-tu ?", "猫在睡觉。",
    "مرحبا بالعالم", "e\u0301te\u0301 🐈‍⬛", "a b c d e f g h i j k l m n o p q r s t u v w x y z",
)  # fmt: skip
SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")


def _train_tokenizer(
    kind: Any, pre: Any, decoder: Any, normalizer: Any, trainer: Callable[..., Any], **more: Any
) -> Any:
    built = tokenizers.Tokenizer(kind)
    built.pre_tokenizer, built.decoder = pre, decoder
    if normalizer is not None:
        built.normalizer = normalizer
    built.train_from_iterator(TEXTS * 20, trainer(special_tokens=list(SPECIAL), show_progress=False, **more))
    return built


def _byte_level() -> Any:
    return _train_tokenizer(
        models.BPE(), pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel(), None, trainers.BpeTrainer,
        vocab_size=500, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip


def _roberta() -> Any:
    built = _byte_level()
    ends = [("<s>", built.token_to_id("<s>")), ("</s>", built.token_to_id("</s>"))]
    built.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=ends)
    return built


def _llama() -> Any:
    """SentencePiece's way in a tokenizer.json: a mark before the text, spaces as marks, bytes for what is missing."""
    byte_names = [f"<0x{byte:02X}>" for byte in range(256)]
    vocabulary = {piece: index for index, piece in enumerate([*SPECIAL, *byte_names, *"▁abcdefghijklmnopqrstuvwxyz"])}
    built = tokenizers.Tokenizer(models.BPE(vocabulary, [], byte_fallback=True, unk_token="<unk>"))
    built.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    built.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    built.add_special_tokens(list(SPECIAL))
    built.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 2)])
    return built


def _unigram() -> Any:
    return _train_tokenizer(
        models.Unigram(), pre_tokenizers.Metaspace(), decoders.Metaspace(), normalizers.NFKC(),
        trainers.UnigramTrainer, vocab_size=150, unk_token="<unk>",
    )  # fmt: skip


def _word_piece() -> Any:
    return _train_tokenizer(
        models.WordPiece(unk_token="<unk>"), pre_tokenizers.BertPreTokenizer(), decoders.WordPiece(),
        normalizers.BertNormalizer(lowercase=True), trainers.WordPieceTrainer, vocab_size=200,
    )  # fmt: skip


def _qwen() -> Any:
    built = _byte_level()
    built.normalizer = normalizers.NFC()
    return built


def _words() -> Any:
    return _train_tokenizer(models.WordLevel(unk_token="<unk>"), pre_tokenizers.Whitespace(), decoders.Fuse(), None,
                    trainers.WordLevelTrainer)  # fmt: skip


def _sentence_piece() -> Any:
    """Marian's: two SentencePiece models and a vocabulary, read by the library's Python code."""
    folder = Path(mkdtemp())
    written = BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS * 30), model_writer=written, vocab_size=130, hard_vocab_limit=False,
        minloglevel=2,
    )  # fmt: skip
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(written.getvalue())
    processor = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    pieces = [processor.id_to_piece(index) for index in range(processor.get_piece_size())]
    names = dict.fromkeys(["</s>", "<unk>", *pieces, "<pad>"])
    import json

    (folder / "vocab.json").write_text(json.dumps({piece: index for index, piece in enumerate(names)}))
    return transformers.MarianTokenizer(
        str(folder / "source.spm"), str(folder / "target.spm"), str(folder / "vocab.json")
    )


KINDS: dict[str, Callable[[], Any]] = {
    "byte-level BPE": _byte_level, "byte-level BPE with ends": _roberta, "byte-level BPE of composed letters": _qwen,
    "SentencePiece's BPE with bytes": _llama, "unigram": _unigram, "WordPiece": _word_piece, "words": _words,
    "Marian's SentencePiece": _sentence_piece,
}  # fmt: skip


@cache
def _open(kind: str) -> tuple[Any, Any]:
    """The library's tokenizer, and a bundle of a decoder-only model that reads with it."""
    built = KINDS[kind]()
    library = built if isinstance(built, transformers.PreTrainedTokenizerBase) else _wrap(built)
    source = LibraryTokenizer(library, is_target=False, files={})
    target = LibraryTokenizer(library, is_target=True, files={})
    config = SimpleNamespace(
        source_vocab_size=len(library), target_vocab_size=len(library), bos_id=2, eos_id=3, source_pad_id=0,
        target_pad_id=0, target_prefix=(), end_ids=(), source_has_bos=False, source_has_eos=False, positions="none",
    )  # fmt: skip
    bundle = replace(
        tiny_bundle(), config=cast(TransformerConfig, config), source_tokenizer=source, target_tokenizer=target,
        normalisation=None,
    )  # fmt: skip
    return library, bundle


def _wrap(built: Any) -> Any:
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=built, pad_token="<pad>", unk_token="<unk>", bos_token="<s>", eos_token="</s>"
    )


LETTERS = st.sampled_from([*"aZ é’'\"“”«»\n\t\r \u00a0\u202f\u2009\u200b\u00ad\ufeff0.,?-_▁Ġ", "  ", "\n    ",
                           "e\u0301", "猫", "。", "ﬁ", "Ⅷ", "🐈", "👩‍🚀", "אב", "مر", "\u202e", "n\u0303"])  # fmt: skip
WRITTEN = st.lists(LETTERS | st.characters(exclude_categories=["Cs"]), max_size=12).map("".join)


@pytest.mark.parametrize("kind", KINDS)
@given(text=WRITTEN)
@example(text=" France")
@example(text="don’t  stop\n")
@example(text="def f(x):\n    return\u00a0x\n")
@settings(max_examples=examples(40), deadline=None)
def test_ids_are_those_of_the_library(kind: str, text: str) -> None:
    library, bundle = _open(kind)
    if is_ids(text):
        return
    expected = tuple(library(text)["input_ids"])
    assert begun_tokens(bundle, text).ids == expected
    plain = tuple(library(text_target=text, add_special_tokens=False)["input_ids"])
    assert target_tokens(bundle, text).ids == plain
    if library.unk_token_id not in plain:
        assert prefix_ids(bundle, text) == plain
    for start, stop in filter(None, begun_tokens(bundle, text).spans):
        assert 0 <= start <= stop <= len(text)


def test_our_own_models_read_plain_text_with_spans_of_the_input() -> None:
    bundle = tiny_bundle()
    assert bundle.normalisation == "plain"
    plain, written = model.translate(bundle, "the cat's"), model.translate(bundle, " the\u00a0cat’s\u200b")
    assert plain.source.ids == written.source.ids and plain.text == written.text
    assert written.source.spans[0] == (1, 4)


def test_a_saved_model_keeps_its_way_with_text(tmp_path: Path) -> None:
    verbatim = replace(tiny_bundle(), normalisation=None)
    model.save(verbatim, tmp_path / "verbatim")
    model.save(tiny_bundle(), tmp_path / "plain")
    assert model.load(tmp_path / "verbatim").normalisation is None
    assert model.load(tmp_path / "plain").normalisation == "plain"
    config = tmp_path / "plain/config.json"
    config.write_text(config.read_text().replace('"text_normalisation": "plain"', '"text_normalisation": "loud"'))
    with pytest.raises(model.CheckpointError, match='must be "plain" or null'):
        model.load(tmp_path / "plain")


@pytest.mark.nightly
def test_a_continuation_is_scored_as_it_is_written(tmp_path: Path) -> None:
    library = save_chat_model(tmp_path, CHATML)
    bundle = model.load(tmp_path)
    trace = model.score(bundle, "Paris is in", " France")
    assert (trace.prefix.ids[0], *trace.target.ids)[:-1] == tuple(library("Paris is in France")["input_ids"])
    begun = model.translate(bundle, "Paris is in", prefix=" F", max_length=4, stop_loops=False)
    assert begun.prefix.ids[: len("Paris is in F")] == tuple(library("Paris is in F")["input_ids"])
    code = "def f():\n    return “x”\n"
    assert model.read(bundle, code).prefix.ids == tuple(library(code)["input_ids"])


def test_a_continuation_has_no_begin_token_after_a_prompt() -> None:
    from model.text.tokens import continuation_ids

    library, bundle = _open("SentencePiece's BPE with bytes")
    together = library("paris is in france")["input_ids"]
    result = continuation_ids(bundle, "paris is in", " france")
    assert result is not None and [*library("paris is in")["input_ids"], *result] == together
    assert continuation_ids(bundle, "paris", "#5") is None and continuation_ids(tiny_bundle(), "a", " b") is None


@pytest.mark.parametrize("template", [CHATML, LLAMA_2], ids=["without BOS", "with BOS"])
def test_a_message_in_its_template_is_read_as_it_is(template: str, tmp_path: Path) -> None:
    library = save_chat_model(tmp_path, template)
    bundle = model.load(tmp_path)
    prompt = model.chat_prompt(bundle, "Where is the cat?")
    expected = tuple(
        library.apply_chat_template(
            [{"role": "user", "content": "Where is the cat?"}], add_generation_prompt=True)["input_ids"]
    )  # fmt: skip
    for beginning in (prompt, prompt.text):
        trace = model.translate(bundle, beginning, max_length=3, stop_loops=False)
        assert trace.prefix.ids[: len(expected)] == expected and trace.source_text == prompt.text
    scored = model.score(bundle, prompt, "Here.")
    assert (scored.prefix.ids[0], *scored.target.ids)[: len(expected)] == expected
    assert model.read(bundle, prompt).prefix.ids == expected
    several: Any = [prompt, prompt]
    assert len(model.translate(bundle, several, max_length=2)) == 2


def test_a_begin_token_in_the_template_is_not_added_again() -> None:
    _, bundle = _open("SentencePiece's BPE with bytes")
    assert begun_tokens(bundle, "<s>abc").ids == begun_tokens(bundle, "abc").ids[:1] + tuple(
        bundle.target_tokenizer.encode("<s>abc").ids[1:]
    )
    with pytest.raises(TextError):
        begun_tokens(bundle, cast(Any, 5))
