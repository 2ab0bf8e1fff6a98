"""Models that write many languages are told which, by the codes of the tokenizers that the library builds."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import transformers

import model
from model.checkpoints.basis.errors import HintError
from model.checkpoints.sandbox.opening import examine_sandboxed
from model.checkpoints.vocabularies.target_language import target_languages, with_target_language
from tests.checkpoint import rewrite_json
from tests.checkpoints.library import SEQ2SEQ, make

TEXT = "The cat is sleeping."
MARKS = ("<s>", "<pad>", "</s>", "<unk>")
CODES = {"nllb": ("eng_Latn", "fra_Latn", "deu_Latn"), "mbart50": ("en_XX", "fr_XX", "de_DE"),
         "mbart": ("en_XX", "fr_XX", "de_DE"), "m2m_100": ("en", "fr", "de")}  # fmt: skip


def _tokenizer(kind: str, folder: Path) -> Any:
    """The family's tokenizer around a vocabulary of ours, with the library's own codes."""
    pieces = Path(model.__file__).parents[1] / "pretrained" / "tiny" / "tokenizer.model"
    rest = [(piece, score) for piece, score in model.SentencePieceTokenizer.load(pieces).pieces() if piece not in MARKS]
    if kind == "nllb":
        letters = ["▁", *sorted(set("Thecatissleeping.")), "▁T", "▁Th", "▁The"]
        vocabulary = {piece: index for index, piece in enumerate((*MARKS, *letters))}
        merges: Any = [("▁", "T"), ("▁T", "h"), ("▁Th", "e")]
        return transformers.NllbTokenizer(vocab=vocabulary, merges=merges)
    if kind == "m2m_100":
        names = [*MARKS, *(piece for piece, _ in rest)]
        (folder / "vocab.json").write_text(json.dumps({piece: index for index, piece in enumerate(names)}))
        (folder / "sentencepiece.bpe.model").write_bytes(pieces.read_bytes())
        return transformers.M2M100Tokenizer(str(folder / "vocab.json"), str(folder / "sentencepiece.bpe.model"))
    scored = [*((mark, 0.0) for mark in MARKS), *rest]
    return (transformers.MBartTokenizer if kind == "mbart" else transformers.MBart50Tokenizer)(vocab=scored)


def many_languages(kind: str, place: Path) -> tuple[Path, Any, Any]:
    """A saved model with its tokenizer; the library's model and tokenizer as well."""
    place.mkdir(parents=True)
    tokenizer = _tokenizer(kind, place)
    starts = {"decoder_start_token_id": tokenizer.convert_tokens_to_ids("en_XX")} if kind == "mbart" else {}
    family = {"nllb": "m2m_100", "mbart50": "mbart"}.get(kind, kind)
    network = make(family, place, vocab_size=3200, **starts)
    tokenizer.save_pretrained(place)
    return place, network, tokenizer


@pytest.mark.nightly
@pytest.mark.parametrize("kind", list(CODES))
def test_each_language_is_written_as_the_library_generates_it(kind: str, tmp_path: Path) -> None:
    folder, network, tokenizer = many_languages(kind, tmp_path / kind)
    source, *targets = CODES[kind]
    tokenizer.src_lang = source
    value = tokenizer(TEXT, return_tensors="pt")
    translations = {}
    for code in targets:
        bundle = model.load(folder, target_language=code)
        assert bundle.source_language == source, "the tokenizer's own"
        assert bundle.target_language == code and set(CODES[kind]) <= set(target_languages(bundle))
        trace = model.translate(bundle, TEXT, max_length=8, stop_loops=False)
        assert list(trace.source.ids) == value["input_ids"][0].tolist()
        index = target_languages(bundle)[code]
        first = {"decoder_start_token_id": index} if kind == "mbart" else {"forced_bos_token_id": index}
        expected = network.generate(**value, num_beams=1, do_sample=False, max_new_tokens=8, forced_eos_token_id=None,
                                  bad_words_ids=[[1]], **first)[0, 1:]  # fmt: skip
        assert list(trace.target.ids) == expected.tolist()
        assert code not in trace.text and "__" not in trace.text
        translations[code] = trace
        scored = model.score(bundle, TEXT, [5, 6, 7])
        assert (scored.prefix.ids[0] if kind == "mbart" else scored.target.ids[0]) == index
    first, second = translations.values()
    assert first.target.ids != second.target.ids or not np.allclose(first.log_probs, second.log_probs)


@pytest.mark.nightly(but=("m2m_100",))
@pytest.mark.parametrize("kind", list(CODES))
def test_beam_search_and_texts_without_attention_begin_with_the_code(kind: str, tmp_path: Path) -> None:
    folder, *_ = many_languages(kind, tmp_path / kind)
    bundle = model.load(folder, target_language=CODES[kind][1])
    trace = model.translate(bundle, TEXT, method="beam", beam_size=2, max_length=6)
    index = target_languages(bundle)[CODES[kind][1]]
    assert (trace.prefix.ids[0] if kind == "mbart" else trace.target.ids[0]) == index
    greedy = model.translate(bundle, TEXT)
    assert dict(model.translate_texts(bundle, [TEXT]))[0] == greedy.text
    forced = model.translate(bundle, TEXT, prefix=[7, 8], max_length=6)
    assert forced.target.ids[: 2 if kind == "mbart" else 3][-2:] == (7, 8)


@pytest.mark.nightly(but=("mbart",))
@pytest.mark.parametrize("kind", list(CODES))
def test_a_models_languages_are_saved_with_it(kind: str, tmp_path: Path) -> None:
    folder, *_ = many_languages(kind, tmp_path / kind)
    source, first, second = CODES[kind]
    bundle = model.load(folder, source_language=source, target_language=first)
    other = with_target_language(bundle, second)
    assert bundle.fingerprint != other.fingerprint and bundle.config != other.config
    assert model.load(folder, source_language=source, target_language=second).fingerprint == other.fingerprint
    again = model.load(model.save(other, tmp_path / "ours"))
    assert again.fingerprint == other.fingerprint and again.target_language == second
    assert model.translate(again, TEXT, max_length=6) == model.translate(other, TEXT, max_length=6)
    assert model.load(tmp_path / "ours", target_language=first).fingerprint == bundle.fingerprint


@pytest.mark.nightly(but=("mbart",))
@pytest.mark.parametrize("kind", list(CODES))
def test_an_unknown_code_is_refused_with_those_near_it(kind: str, tmp_path: Path) -> None:
    folder, *_ = many_languages(kind, tmp_path / kind)
    wrong = {"nllb": "fra_Latin"}.get(kind, "fr_X" if "mbart" in kind else "fra")
    with pytest.raises(HintError, match=rf"target_language \('{wrong}'\) is not one of the .*{CODES[kind][1]}"):
        model.load(folder, target_language=wrong)
    with pytest.raises(HintError, match=rf"source_language \('{wrong}'\) is not one of the .*{CODES[kind][1]}"):
        model.load(folder, source_language=wrong)


def test_a_marian_model_has_the_languages_that_its_tokenizer_names(tmp_path: Path) -> None:
    pieces = Path(model.__file__).parents[1] / "pretrained" / "tiny" / "tokenizer.model"
    names = [piece for piece, _ in model.SentencePieceTokenizer.load(pieces).pieces()]
    make("marian", tmp_path, vocab_size=len(names), decoder_vocab_size=len(names))
    (tmp_path / "vocab.json").write_text(json.dumps({piece: index for index, piece in enumerate(names)}))
    for name in ("source.spm", "target.spm"):
        (tmp_path / name).write_bytes(pieces.read_bytes())
    for named, expected in (("fr", "fr"), ("![x](y)", None), (3, None)):
        settings = {"tokenizer_class": "MarianTokenizer", "source_lang": "en", "target_lang": named}
        (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings))
        bundle = model.load(tmp_path)
        assert (bundle.source_language, bundle.target_language) == ("en", expected)
    assert model.load(tmp_path, target_language="de").target_language == "de"


def test_a_model_of_one_pair_takes_a_language_as_a_name(tmp_path: Path) -> None:
    make("marian", tmp_path)
    bundle = model.load(tmp_path, target_language="fr")
    assert bundle.target_language == "fr" and bundle.config.target_prefix == ()
    with pytest.raises(HintError, match="must be a code"):
        model.load(tmp_path, target_language=3)


@pytest.mark.nightly("m2m_100")
@pytest.mark.parametrize("kind", ["nllb", "m2m_100"])
def test_a_strangers_model_has_its_languages_and_is_saved_whole(kind: str, tmp_path: Path) -> None:
    folder, *_ = many_languages(kind, tmp_path / kind)
    here = model.load(folder)
    there = examine_sandboxed(folder).bundle
    assert target_languages(there) == target_languages(here) and there.fingerprint == here.fingerprint
    code = CODES[kind][1]
    translation = model.translate(with_target_language(there, code), TEXT, max_length=6)
    assert translation.target.ids == model.translate(with_target_language(here, code), TEXT, max_length=6).target.ids
    again = model.load(model.save(with_target_language(there, code), tmp_path / "ours"))
    assert again.fingerprint == with_target_language(here, code).fingerprint


def test_a_forced_first_token_of_the_file_is_obeyed(tmp_path: Path) -> None:
    """BART's summarisers are to begin with <s>; the library's generation obeys the same field."""
    network = make("bart", tmp_path)
    rewrite_json(tmp_path / "config.json", forced_bos_token_id=17)
    trace = model.translate(model.load(tmp_path), "5 6 7 8 2", max_length=6, stop_loops=False)
    assert trace.target.ids[0] == 17 and "bart" in SEQ2SEQ and network is not None
