"""Files of students, courses and repositories, under names that no family has: each computes what its code does."""

import dataclasses
import random
import re
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import model
from model.checkpoints.answers.heads import CLEAR, layout_nats
from model.checkpoints.basis.conversion import Answers
from model.checkpoints.basis.errors import AnswerWarning, UnshownError
from model.checkpoints.basis.hints import Hints
from tests.strangers import courses
from tests.strangers.authors import Author, Written
from tests.strangers.plain import PLAINS, plain
from tests.strangers.repositories import REPOSITORIES
from tests.strangers.students import ENCODERS, GPTS, TRANSLATORS

SOURCE = torch.tensor([[5, 6, 7, 8, 2], [9, 10, 2, 0, 0]])
TARGET = torch.tensor([[1, 11, 12, 13], [1, 14, 15, 0]])
ALL = {f"{kind}: {name}": author
       for kind, authors in (("decoder", GPTS), ("encoder", ENCODERS), ("both", TRANSLATORS),
                             ("course's decoder", courses.GPTS), ("course's both", courses.TRANSLATORS),
                             ("repository", REPOSITORIES), ("plain", PLAINS))
       for name, author in authors.items()}  # fmt: skip


def open_file(author: Author, path: Path, **more: Any) -> model.Bundle:
    ids: dict[str, Any] = {"source_pad_id": 0, "target_pad_id": 0, "bos_id": 1, "eos_id": 2}
    if author.sides == ("gpt",):
        ids = {} if author.causal else {"source_pad_id": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return model.load(path, **(ids | author.hints() | more))


def worst(author: Author, written: Written, bundle: model.Bundle) -> float:
    """The largest difference of attention and logits."""
    is_single_stack = author.sides == ("gpt",)
    ids = TARGET if is_single_stack else SOURCE
    fed = TARGET if not is_single_stack or author.causal else TARGET[:, :0]
    logits, maps = written(ids, TARGET)
    attended: Any = model.attend(bundle, ids.numpy(), fed.numpy())
    differences = [np.abs(getattr(attended, kind) - expected.numpy()).max() for kind, expected in maps.items()]
    return float(np.max([*differences, np.abs(attended.logits - logits.numpy()).max()]))  # NaN where one is


@pytest.mark.parametrize("name", ALL)
def test_a_strangers_file_opens_and_equals_its_authors_code(name: str, tmp_path: Path) -> None:
    author = ALL[name]
    written = Written(author)
    torch.save(written.state(), tmp_path / "mine.pt")
    bundle = open_file(author, tmp_path / "mine.pt")
    named = "named_alone" if author.sides == ("gpt",) else "named"
    assert bundle.family == ("torch_alone" if name == "decoder: TransformerEncoder with a mask" else named)
    assert worst(author, written, bundle) < 1e-5


@pytest.mark.nightly(but=("decoder: lecture, ff", "encoder: heads as modules", "both: numbers without a dot"))
@pytest.mark.parametrize("name", list(ALL)[::3])
def test_a_tensor_more_in_a_layer_is_refused_by_its_name(name: str, tmp_path: Path) -> None:
    author = ALL[name]
    state = Written(author).state()
    draw = random.Random(name)
    numbered = [key for key in state if re.search(r"\d[._]", key)]
    for shape in ((32,), (7, 5), (32, 32), (1, 32)):
        place = draw.choice(numbered).rpartition(".")[0].rpartition(".")[0]
        more = f"{place}.more.{draw.choice(('weight', 'alpha', 'gate_bias'))}".lstrip(".")
        torch.save(state | {more: torch.randn(shape)}, tmp_path / "mine.pt")
        with pytest.raises(model.CheckpointError, match=re.escape(more.removeprefix("net."))):
            open_file(author, tmp_path / "mine.pt")


@pytest.mark.nightly(
    but=(
        "decoder: matrices by heads, as Einstein sums read them",
        "decoder: rotary positions",
        "decoder: one fused projection a head",
    )
)
@pytest.mark.parametrize("name", list(ALL)[1::5])
def test_biases_that_no_layer_has_are_zeros(name: str, tmp_path: Path) -> None:
    author = ALL[name]
    kinds = {role for _, role in author.lines if role.rpartition(".")[2] in ("q", "k", "v", "o", "fc1", "fc2", "out")
             and "+" not in role}  # fmt: skip
    for kind in sorted(kinds):
        role = kind.rpartition(".")[2]
        without = dataclasses.replace(author, without=f"{author.without} {role}")
        written = Written(without)
        torch.save(written.state(), tmp_path / "mine.pt")
        assert worst(without, written, open_file(without, tmp_path / "mine.pt")) < 1e-5, kind


def test_an_output_bias_needs_no_separate_matrix(tmp_path: Path) -> None:
    author = dataclasses.replace(GPTS["words of another language"], tied=True)
    written = Written(author)
    state = written.state()
    del state["sortie.weight"]
    torch.save(state | {"output_bias": state.pop("sortie.bias")}, tmp_path / "mine.pt")
    assert worst(author, written, open_file(author, tmp_path / "mine.pt")) < 1e-5


def test_norms_without_weights_are_not_taken_for_none(tmp_path: Path) -> None:
    state = {key: x for key, x in Written(GPTS["words of another language"]).state().items() if "norme" not in key}
    torch.save(state, tmp_path / "mine.pt")
    with pytest.raises(UnshownError, match=r"holds no norms\. Those without weights .* leave no trace"):
        model.load(tmp_path / "mine.pt", causal=True)


def test_the_order_of_fused_projections_is_a_question_beside_the_heads(tmp_path: Path) -> None:
    repository = REPOSITORIES["ajhalthor/Transformer-Neural-Network"]
    torch.save(Written(repository).state(), tmp_path / "mine.pt")
    with pytest.warns(AnswerWarning):
        report = model.load(tmp_path / "mine.pt").report
    assert report is not None and {"n_heads", "fused_by_head"} <= {question.hint for question in report.close}
    with pytest.warns(AnswerWarning, match="fused_by_head"):
        bundle = model.load(tmp_path / "mine.pt", n_heads=4)
    (requested,) = (question for question in bundle.report.questions if question.hint == "fused_by_head")  # type: ignore[union-attr]
    assert requested.value is True  # its authors call it qkv_layer
    thirds = model.load(tmp_path / "mine.pt", n_heads=4, fused_by_head=False)
    ids = np.array([[4, 5, 6]])
    first, second = (model.attend(item, ids, ids).encoder_self for item in (bundle, thirds))
    assert first is not None and second is not None and np.abs(first - second).max() > 0.01


@pytest.mark.nightly("fr", "True")
@pytest.mark.parametrize("by_head", [False, True])
@pytest.mark.parametrize("name", ["en-fr", "tiny"])
def test_the_rows_of_trained_fused_projections_tell_how_they_are_cut(name: str, by_head: bool) -> None:
    bundle = model.load(name)
    state, heads = bundle.model.state_dict(), bundle.config.n_encoder_heads
    cut = []
    for layer in range(bundle.config.n_encoder_layers):
        parts = [state[f"encoder.layers.{layer}.self_attention.{role}.weight"] for role in ("query", "key", "value")]
        rows = torch.stack(parts)  # (3, D, D)
        cut.append((rows.unflatten(1, (heads, -1)).transpose(0, 1).flatten(0, 2) if by_head else rows.flatten(0, 1), 3))
    nats = layout_nats(cut, heads)
    assert nats[by_head] == 0 and nats[not by_head] > CLEAR


def test_a_norm_that_its_layer_shares_serves_every_branch(tmp_path: Path) -> None:
    author = plain(norms=("norm", "norm2", "norm3")).with_one_norm()
    written = Written(author)
    torch.save(written.state(), tmp_path / "mine.pt")
    bundle = open_file(author, tmp_path / "mine.pt")
    assert bundle.report is not None and any(
        '"encoder.layers.{i}.*_norm.weight"' in line for line in bundle.report.lines
    )
    assert worst(author, written, bundle) < 1e-5


class Decoder(nn.Module):
    """A decoder of torch's decoder layers whose cross-attention nobody calls."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.embed, self.positions = nn.Embedding(29, 32), nn.Embedding(40, 32)
        self.layers = nn.ModuleList(nn.TransformerDecoderLayer(32, 4, 48, batch_first=True) for _ in range(2))
        self.head = nn.Linear(32, 29)

    def forward(self, ids: Tensor) -> tuple[Tensor, list[Tensor]]:
        x, maps = self.embed(ids) + self.positions.weight[: ids.shape[1]], []
        hidden = torch.ones(ids.shape[1], ids.shape[1]).triu(1).bool()
        for layer in self.layers:
            y, weights = layer.self_attn(x, x, x, attn_mask=hidden, average_attn_weights=False)  # type: ignore[operator]
            x = layer.norm1(x + y)  # type: ignore[operator]
            x = layer.norm3(x + layer.linear2(layer.linear1(x).relu()))  # type: ignore[operator]
            maps.append(weights)
        return self.head(x), maps


def test_torchs_decoder_layers_without_an_encoder_open_where_their_cross_attention_is_not_used(tmp_path: Path) -> None:
    network = Decoder().eval()
    torch.save(network.state_dict(), tmp_path / "mine.pt")
    hints = {"causal": True, "n_heads": 4, "norm_first": False, "embedding_scale": 1.0}
    with pytest.warns(AnswerWarning, match="cross_unused"):
        bundle = model.load(tmp_path / "mine.pt", **hints)
    with torch.inference_mode():
        logits, maps = network(TARGET)
    attended: Any = model.attend(bundle, TARGET.numpy(), TARGET.numpy())
    np.testing.assert_allclose(attended.decoder_self, torch.stack(maps, 1), rtol=0, atol=1e-5)
    np.testing.assert_allclose(attended.logits, logits, rtol=0, atol=1e-5)
    with pytest.raises(model.CheckpointError, match="whose cross-attention reads another network"):
        model.load(tmp_path / "mine.pt", **hints, cross_unused=False)


def test_a_module_named_encoder_that_predicts_tokens_may_be_causal(tmp_path: Path) -> None:
    author = courses.GPTS["labml's"]
    torch.save(Written(author).state(), tmp_path / "mine.pt")
    with pytest.warns(AnswerWarning, match="it does not say causal"):
        model.load(tmp_path / "mine.pt")


def test_a_lower_triangle_in_the_file_shows_that_a_stack_is_causal(tmp_path: Path) -> None:
    author = GPTS["qkv"]
    torch.save(Written(author).state(), tmp_path / "mine.pt")
    report = model.load(tmp_path / "mine.pt").report
    assert report is not None
    (requested,) = (question for question in report.questions if question.hint == "causal")
    assert (
        requested.value is True
        and not requested.is_close
        and requested.evidence[0].values == (("name", "blocks.0.attn.mask"),)
    )
    torch.save({name: x for name, x in Written(author).state().items() if "mask" not in name}, tmp_path / "mine.pt")
    report = model.load(tmp_path / "mine.pt").report
    assert report is not None and "causal" in {question.hint for question in report.close}


@pytest.mark.nightly(but=("{'norm_first': False}",))
@pytest.mark.parametrize("changed", [{"score": "model"}, {"norm_first": False}, {"activation": "gelu"}], ids=str)
def test_variants_of_the_lecture_under_equal_names_are_questions(changed: dict[str, Any], tmp_path: Path) -> None:
    """A course of freeCodeCamp has each norm after its branch."""
    table = GPTS["lecture, ff"].table.replace(".ff.", ".ffwd.")
    lecture = dataclasses.replace(GPTS["lecture, ff"], table=table, **changed)
    written = Written(lecture)
    torch.save(written.state(), tmp_path / "mine.pt")
    bundle = open_file(lecture, tmp_path / "mine.pt")
    assert bundle.family == "gpt" and worst(lecture, written, bundle) < 1e-5
    with pytest.warns(AnswerWarning, match="it does not say norm_first .*; activation .*; score_width"):
        model.load(tmp_path / "mine.pt")


def test_a_classifier_after_an_encoder_is_left_out_and_named(tmp_path: Path) -> None:
    author = dataclasses.replace(
        ENCODERS["qkv, pre-norm"], table=ENCODERS["qkv, pre-norm"].table.replace("mlm = out", "")
    )
    state = Written(author).state() | {"classifier.weight": torch.randn(2, 32), "classifier.bias": torch.randn(2)}
    torch.save(state, tmp_path / "mine.pt")
    report = open_file(author, tmp_path / "mine.pt").report
    assert report is not None and {"classifier.weight", "classifier.bias"} <= set(report.ignored)
    with pytest.raises(model.CheckpointError, match="a decoder that classifies is not read here"):
        open_file(author, tmp_path / "mine.pt", causal=True)


def _stacks() -> dict[str, Tensor]:
    return {f"transformer.{name}": x for name, x in nn.Transformer(16, 2, 2, 2, 32).state_dict().items()}


def _linear(name: str, rows: int, columns: int) -> dict[str, Tensor]:
    return {f"{name}.weight": torch.randn(rows, columns), f"{name}.bias": torch.randn(rows)}


_ENCODER = {name: x for name, x in _stacks().items() if ".encoder." in name}


@pytest.mark.parametrize("state", [
    _stacks() | _linear("output_layer", 16, 16),
    _stacks() | _linear("embedding", 16, 7) | _linear("output_layer", 1, 16),
    _ENCODER | _linear("input_proj", 16, 7) | _linear("fc", 1, 16),
    _ENCODER | _linear("fc", 16, 16),
])  # fmt: skip
def test_a_model_of_measurements_is_named_as_such(state: dict[str, Tensor], tmp_path: Path) -> None:
    torch.save(state, tmp_path / "series.pt")
    with pytest.raises(UnshownError, match=r"^series\.pt reads .*numbers.* and not tokens"):
        model.load(tmp_path / "series.pt")


def test_a_few_one_hot_tokens_are_read_only_with_a_hint(tmp_path: Path) -> None:
    few = dataclasses.replace(TRANSLATORS["one-hot"], sizes=(9, 11), answers={})
    written = Written(few)
    torch.save(written.state(), tmp_path / "mine.pt")
    with pytest.raises(UnshownError, match="open it with one_hot=True"):
        model.load(tmp_path / "mine.pt")
    assert model.load(tmp_path / "mine.pt", one_hot=True).config.source_vocab_size == 9


_LAYERS = range(3)
_EXPERTS = {f"blocks.{i}.moe.experts.{e}.net.{n}.weight": torch.ones(shape)
            for i in _LAYERS for e in range(4) for n, shape in ((0, (48, 32)), (2, (32, 48)))}  # fmt: skip


@pytest.mark.parametrize(("more", "gone", "what"), [
    *(({f"blocks.{i}.{name}": torch.full((32,), 0.1) for i in _LAYERS for name in names}, "-", "layer scale")
      for names in (("ls1.gamma", "ls2.gamma"), ("layer_scale_1", "layer_scale_2"), ("gamma_1", "gamma_2"))),
    ({f"blocks.{i}.resweight": torch.zeros(1) for i in _LAYERS}, "-", "layer scale"),
    (_EXPERTS | {f"blocks.{i}.moe.router.weight": torch.ones(4, 32) for i in _LAYERS}, ".ff.", "mixture of experts"),
    (_EXPERTS, ".ff.", "mixture of experts"),
])  # fmt: skip
def test_parts_that_our_layers_lack_are_named(more: dict[str, Tensor], gone: str, what: str, tmp_path: Path) -> None:
    state = {name: x for name, x in Written(GPTS["qkv"]).state().items() if gone not in name}
    torch.save(state | more, tmp_path / "mine.pt")
    with pytest.raises(UnshownError, match=rf"{what}.*blocks\.0\."):
        model.load(tmp_path / "mine.pt", causal=True)


def test_programs_and_modules_without_weights_are_named_as_such(tmp_path: Path) -> None:
    program = torch.jit.trace(nn.Linear(3, 3), torch.zeros(1, 3))
    torch.jit.save(program, tmp_path / "script.pt")
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.write(tmp_path / "script.pt", "script.pt")
    torch.save(nn.Identity(), tmp_path / "whole.pt")
    with zipfile.ZipFile(tmp_path / "program.pt2", "w") as archive:
        archive.writestr("program/archive_format", "pt2")
    with zipfile.ZipFile(tmp_path / "model.pt", "w", zipfile.ZIP_DEFLATED) as archive:  # LibTorch's, packed again
        for name in ("model/data.pkl", "model/constants.pkl", "model/data/0", "model/version"):
            archive.writestr(name, b"\x80\x02}." * 9)
    with zipfile.ZipFile(tmp_path / "network.keras", "w") as archive:
        archive.writestr("config.json", '{"module": "keras", "class_name": "Functional"}')
        archive.writestr("model.weights.h5", b"\x89HDF\r\n\x1a\n" + bytes(60))
    for name, message in (("script.pt", "is a TorchScript program"), ("packed.zip", "is a TorchScript program"),
                       ("model.pt", r"is a TorchScript program, as torch\.jit\.save and LibTorch"),
                       ("network.keras", "is an HDF5 file, as Keras writes it"),
                       ("whole.pt", "holds a whole module without any weights"),
                       ("program.pt2", "is an exported program of torch.export")):  # fmt: skip
        with pytest.raises(model.CheckpointError, match=message):
            model.load(tmp_path / name)


@pytest.mark.parametrize(("width", "likely"), [(6, 2), (32, 4), (96, 4), (128, 8), (100, 4), (7, 1), (1, 1)])
def test_heads_of_one_number_are_not_proposed(width: int, likely: int) -> None:
    answers = Answers(Hints())
    assert answers.heads(width) == (likely, likely)
    assert width == 1 or width not in answers.questions[0].choices
