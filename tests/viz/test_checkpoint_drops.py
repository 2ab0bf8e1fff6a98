"""Several drops on the Checkpoints page: files of one checkpoint, and a checkpoint that replaces another."""

from pathlib import Path

import pytest

from tests.checkpoints import golden
from tests.viz.page import answer_first_question, open_checkpoints_page, private_models
from viz.checkpoints.draft import Draft

WORDS = "\n".join(["<pad>", "<bos>", "<eos>", *(f"w{i}" for i in range(10))]).encode()
File = tuple[str, bytes]


page = pytest.fixture(name="page")(open_checkpoints_page)


def set_files(page, *files: File):
    """Set the files of the field; files of earlier drops keep their ids, as in a browser."""
    field = page.file_uploader(key="checkpoint_files")
    field._files = [(f"id of {name}", name, raw, "application/octet-stream") for name, raw in files]
    page.run()


def golden_file(name: str, folder: Path, file_name: str) -> File:
    folder.mkdir()
    return file_name, golden.read(name).write(folder).read_bytes()


def draft(page) -> Draft:
    return page.session_state["regard.memory"]["checkpoint_draft"]


def messages(page) -> str:
    return "\n".join(line.value for line in page.markdown)


@pytest.fixture
def first(tmp_path) -> File:
    return golden_file("d2l-plain", tmp_path / "first", "first.params")


@pytest.fixture
def second(tmp_path) -> File:
    return golden_file("annotated-plain", tmp_path / "second", "second.pt")


def test_a_vocabulary_dropped_after_the_weights_joins_them_and_answers_stay(page, first):
    set_files(page, first)
    answer_first_question(page, 2)
    set_files(page, first, ("mine.lst", WORDS))
    assert list(private_models(page)) == ["first"] and draft(page).aside is None
    bundle = private_models(page)["first"]
    assert bundle.source_tokenizer is not None and bundle.source_tokenizer.encode("w2").ids == (5,)
    assert bundle.config.n_encoder_heads == 2 and bundle.report is not None
    assert "n_heads" not in bundle.report.guesses
    assert "set aside" not in messages(page)


def test_weights_dropped_after_their_vocabulary_join_it(page, first):
    set_files(page, ("mine.lst", WORDS))
    set_files(page, ("mine.lst", WORDS), first)
    assert draft(page).diagnosis is not None and draft(page).aside is None
    assert private_models(page)["mine"].source_tokenizer is not None


def test_a_second_file_of_weights_replaces_the_first_with_a_notice(page, first, second):
    set_files(page, first, ("mine.lst", WORDS))
    set_files(page, first, ("mine.lst", WORDS), second)
    assert any("Annotated Transformer" in line.value for line in page.subheader)
    assert "first\\.params, mine\\.lst is set aside for second\\.pt" in messages(page)
    assert list(private_models(page)) == ["first", "second"]
    assert private_models(page)["second"].source_tokenizer is None


def test_a_visitor_switches_between_the_checkpoint_and_the_one_set_aside(page, first, second):
    set_files(page, first)
    set_files(page, first, second)
    page.button(key="checkpoint_back").click().run()
    assert any("Dive into Deep Learning" in line.value for line in page.subheader)
    assert "second\\.pt is set aside for first\\.params" in messages(page)
    page.button(key="checkpoint_back").click().run()
    assert any("Annotated Transformer" in line.value for line in page.subheader)
    assert list(private_models(page)) == ["first", "second"]


def test_the_other_files_can_be_taken_over(page, first, second):
    set_files(page, first, ("mine.lst", WORDS))
    set_files(page, first, ("mine.lst", WORDS), second)
    page.button(key="checkpoint_with").click().run()
    tokenizer = private_models(page)["second"].source_tokenizer
    assert tokenizer is not None and tokenizer.encode("w2").ids == (5,)


def test_taking_the_second_out_of_the_list_goes_back_to_the_first(page, first, second):
    set_files(page, first)
    set_files(page, first, second)
    set_files(page, first)
    assert any("Dive into Deep Learning" in line.value for line in page.subheader)
    assert draft(page).aside is None


def test_taking_the_first_out_of_the_list_leaves_the_second_alone(page, first, second):
    set_files(page, first)
    set_files(page, first, second)
    set_files(page, second)
    assert any("Annotated Transformer" in line.value for line in page.subheader)
    assert "set aside" not in messages(page) and draft(page).aside is None


def test_a_vocabulary_taken_out_again_serves_no_longer(page, first):
    set_files(page, first, ("mine.lst", WORDS))
    assert private_models(page)["first"].source_tokenizer is not None
    set_files(page, first)
    assert private_models(page)["first"].source_tokenizer is None


@pytest.mark.nightly
def test_answers_for_the_first_checkpoint_are_not_shown_for_the_second(page, first, second):
    set_files(page, first)
    answer_first_question(page, 2)
    set_files(page, first, second)
    config = private_models(page)["second"].config
    assert page.radio(key="first_n_heads").value is None and config.n_encoder_heads == 4
    page.button(key="checkpoint_answer").click().run()
    assert private_models(page)["second"].config.n_encoder_heads == 4


@pytest.mark.nightly
def test_tokens_dropped_for_the_first_model_are_not_used_for_the_second(page, first, second):
    set_files(page, first)
    page.file_uploader(key="tokens_source_1").set_value(("source.txt", WORDS, "text/plain")).run()
    assert private_models(page)["first"].source_tokenizer is not None
    set_files(page, first, second)
    assert private_models(page)["second"].source_tokenizer is None


def test_files_set_aside_hold_no_reference_to_a_removed_model(page, first, second):
    set_files(page, first)
    set_files(page, first, second)
    page.button(key="remove_first").click().run()
    assert draft(page).aside is None


@pytest.mark.nightly
def test_a_visit_to_another_page_keeps_the_files_that_wait_for_their_vocabulary(page, first):
    set_files(page, first)
    page.switch_page("positions/positions.py").run()
    page.switch_page("checkpoints/checkpoints.py").run()
    set_files(page, ("mine.lst", WORDS))
    assert private_models(page)["first"].source_tokenizer is not None


def test_a_checkpoint_is_called_as_its_weights_and_not_as_a_larger_vocabulary(page):
    set_files(page, ("mine.safetensors", b"\x08\0\0\0\0\0\0\0{}      "), ("sentencepiece.bpe.model", b"x" * 99))
    path = draft(page).path
    assert path is not None and path.name == "mine"


def test_parts_of_one_checkpoint_belong_together(page):
    set_files(page, ("model-00001-of-00002.safetensors", b"\x08\0\0\0\0\0\0\0{}      "))
    names = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")
    set_files(page, *((name, b"\x08\0\0\0\0\0\0\0{}      ") for name in names))
    assert draft(page).aside is None and [file.name for file in draft(page).files] == list(names)
