"""A sentence and its translation show which answer to an open question is right."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import model
from model.bundle import Bundle
from model.checkpoints.answers.answer_losses import KEY, can_weigh, loss, weigh
from model.checkpoints.answers.endings import settle_ends
from model.checkpoints.answers.evidence import _losses, with_losses
from model.checkpoints.answers.kinds import kind_of
from model.checkpoints.answers.variants import _heads, with_answer
from model.checkpoints.basis.report import Evidence, Question
from model.checkpoints.doctor import diagnose
from model.nn.transformer import Transformer
from model.text.tokens import TextError
from tests.checkpoint import tiny_bundle
from tests.checkpoints.foreign import save_foreign
from tests.tiny import tiny_config, tiny_model
from viz.checkpoints import questions

PAIR = ("I lost.", "J'ai perdu.")


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_foreign(tmp_path_factory.mktemp("foreign"))


def losses(question: Question, key: str = KEY) -> dict[object, float]:
    results = [dict(reason.values) for reason in question.evidence if reason.key == key]
    return {values["answer"]: values["loss"] for values in results}


def test_the_right_answer_has_the_smallest_loss(foreign: Path) -> None:
    bundle, original = model.load(foreign), model.load("tiny")
    assert bundle.report is not None
    weighed = {question.hint: losses(question) for question in weigh(bundle, bundle.report.questions, *PAIR)}
    for hint, right in (("norm_first", True), ("n_heads", 4), ("embedding_scale", original.config.embedding_factor)):
        result = weighed[hint]
        assert min(result, key=result.__getitem__) == right, (hint, result)
    assert weighed["n_heads"][4] == pytest.approx(loss(original, *PAIR), abs=2e-3)


@pytest.mark.nightly
def test_comparing_again_replaces_the_earlier_losses(foreign: Path) -> None:
    bundle: Any = model.load(foreign)
    once = weigh(bundle, bundle.report.questions, *PAIR)
    again = weigh(bundle, once, "The cat is sleeping.", "Le chat dort.")
    assert [len(question.evidence) for question in once] == [len(question.evidence) for question in again]
    assert once != again


@pytest.mark.nightly
def test_the_doctor_reports_the_loss_of_the_models_translations(foreign: Path) -> None:
    questions = {question.hint: question for question in diagnose(model.load(foreign)).questions}
    by_name = {hint: losses(question, "own_loss") for hint, question in questions.items()}
    assert set(by_name["norm_first"]) == {False, True} and by_name["norm_first"][True] < by_name["norm_first"][False]
    assert questions["n_heads"].value == 4 and not questions["n_heads"].is_close
    answered = diagnose(model.load(foreign, norm_first=True, n_heads=4)).questions
    assert not any(losses(question, "own_loss") for question in answered if question.is_answered)


def test_a_decoder_alone_is_tried_on_plain_sentences() -> None:
    bundle: Any = model.load("tiny-decoder")
    for hint, right, others in (("n_heads", 8, (2, 4, 16)), ("activation", "silu", ("relu",)),
                                ("norm_first", True, (False,)), ("embedding_scale", 1.0, (16.0,)),
                                ("parallel", False, (True,)), ("gate_last", False, (True,))):  # fmt: skip
        answered = _losses(bundle.model, hint, (right, *others), bundle.source_tokenizer, now=right)
        assert answered is not None and answered[0] == "text_loss"
        assert min(answered[1], key=answered[1].__getitem__) == right, answered
    question = with_losses(bundle.model, Question("parallel", True, (True, False)), bundle.source_tokenizer)
    assert list(losses(question, "text_loss")) == [False, True]
    close = Question("norm_kind", "rms", ("rms", "layer", "annotated", "population"))  # a shift is zeros, then
    assert with_losses(bundle.model, close, bundle.source_tokenizer) == close


def test_questions_with_many_answers_are_not_compared() -> None:
    assert not can_weigh(Question("bos_id", 2))
    assert not can_weigh(Question("norm_adds_one", True, (True, False)))
    assert can_weigh(Question("source_has_eos", False))


def test_a_pair_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(TextError):
        weigh(tiny_bundle(), [Question("norm_first", False, (False, True))], "#900000", "#1")


def test_the_decoders_heads_follow_the_encoders_for_heads_of_another_width() -> None:
    wide = tiny_config(n_encoder_heads=4, n_decoder_heads=2, d_key=8, d_value=4)
    assert _heads(wide, 8) == {"n_encoder_heads": 8, "n_decoder_heads": 4, "d_key": 4, "d_value": 2}
    assert _heads(tiny_config(), 2) == {"n_encoder_heads": 2, "n_decoder_heads": 2, "d_key": None, "d_value": None}


@pytest.mark.parametrize(("names", "is_optimizer"), [
    (("0.exp_avg", "0.exp_avg_sq", "weight"), True), (("0.exp_avg", "weight"), False), (("weight",), False),
])  # fmt: skip
def test_a_file_is_an_optimizers_state_where_most_of_its_tensors_are(
    names: tuple[str, ...], is_optimizer: bool
) -> None:
    result = kind_of(dict.fromkeys(names, (2, 2)))
    assert (result is not None and "optimizer" in result.what) is is_optimizer


def test_the_table_of_reasons_has_a_column_for_each_measure_and_a_row_for_each_answer(monkeypatch) -> None:
    reasons = [
        Evidence(key, (("answer", n), (name, float(n))))
        for n in (2, 4)
        for key, name in (("head_rows", "nats"), ("own_loss", "loss"))
    ]
    written: list[str] = []
    monkeypatch.setattr(questions.st, "caption", written.append)
    questions._reasons(Question("n_heads", 4, (2, 4), tuple(reasons)))
    rows = [row.count("|") - 1 for row in written[0].splitlines()]
    assert rows == [3] * 4


@pytest.mark.nightly(but=("empty under those assumed and well under these",))
@pytest.mark.parametrize(
    ("seed", "taken"),
    [
        pytest.param(7, (0, 1), id="empty under those assumed and well under these"),
        pytest.param(12, (0, 1), id="endless under those assumed and well under these"),
        pytest.param(27, (2, 3), id="endless under those assumed and under no others well enough"),
        pytest.param(23, (2, 3), id="better under others and not failing under those assumed"),
    ],
)
def test_other_ends_are_taken_only_where_those_assumed_fail_and_others_do_well(
    seed: int, taken: tuple[int, int]
) -> None:
    network = tiny_model(seed, tie_output=False, tie_embeddings=False, embedding_scale=8.0)
    assumed = {"bos_id": Question("bos_id", 2), "eos_id": Question("eos_id", 3)}
    read, questions_now = settle_ends(network, assumed, None)
    assert tuple(question.value for question in questions_now) == taken == (read.config.bos_id, read.config.eos_id)


@pytest.mark.nightly(but=("2",))
@pytest.mark.parametrize("factor", [2, 0.5])
def test_grouped_heads_keep_their_widths_and_still_compute(factor: float) -> None:
    bundle: Bundle = model.load("tiny-decoder")
    assert isinstance(bundle.model, Transformer)
    before = [spec.attention for spec in bundle.model.config.layer_specs]
    assert all(spec.key_heads < spec.n_heads for spec in before), "the shipped decoder shares keys among heads"
    other = with_answer(bundle.model, "n_heads", int(before[0].n_heads * factor))
    after = [spec.attention for spec in other.config.layer_specs]
    for spec, read in zip(before, after, strict=True):
        assert read.n_heads == spec.n_heads * factor
        assert read.n_heads * read.d_key == spec.n_heads * spec.d_key
        assert read.n_heads * read.d_value == spec.n_heads * spec.d_value
        assert read.key_heads * read.d_key == spec.key_heads * spec.d_key
    trace: Any = model.translate(dataclasses.replace(bundle, model=other), "The cat", max_length=4)
    assert trace.attention.decoder_self.shape[1] == after[0].n_heads
