"""Decoders and encoders of people's own code open as files and equal their originals, to 1e-5."""

import json
import pickle
import struct
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml
from torch import Tensor, nn

import model
from model.checkpoints.basis.errors import AnswerWarning, CheckpointError
from model.checkpoints.families.single_stack.common import settings_of
from model.checkpoints.formats.source import Source
from tests.checkpoints.library import randomize
from tests.strangers.authors import Author, Written, frequencies
from tests.strangers.plain import ANNOTATED, BOOK, FIRST_MINGPT, LECTURE, LLAMA, MINGPT, NANO

IDS = torch.tensor([[5, 6, 7, 8, 9, 3, 2], [9, 10, 4, 2, 3, 1, 1]])
PADDED = torch.tensor([[5, 6, 7, 8, 9, 3, 2], [9, 10, 4, 2, 0, 0, 0]])
GOLDEN = sorted((Path(__file__).parents[1] / "reference" / "single_stack").glob("*.npz"))


@pytest.fixture(autouse=True)
def _the_same_weights_in_every_run():
    torch.manual_seed(0)


def apart(bundle: Any, ids: Tensor, attention: Any, output: Any, *, real: Any = None) -> float:
    """The largest difference of attention and output, where rows are real.

    Logits in the tens, as tied weights give them, are compared by their size: float32 rounds by that.
    """
    is_decoder = bool(bundle.config.n_decoder_layers)
    fed = ids.numpy() if is_decoder else np.zeros((len(ids), 0), np.int64)
    attended = model.attend(bundle, ids.numpy(), fed)
    ours = attended.decoder_self if is_decoder else attended.encoder_self
    real = np.ones(ids.shape, bool) if real is None else real
    assert ours is not None
    worst = float(np.abs(ours - np.asarray(attention)).swapaxes(1, 3)[real].max())
    if output is None:
        return worst
    assert attended.logits is not None
    largest = max(1.0, float(np.abs(np.asarray(output))[real].max()))
    return float(
        np.max([worst, np.abs(attended.logits - np.asarray(output))[real].max() / largest])
    )  # NaN where one is


def assert_same(bundle: Any, author: Author) -> None:
    logits, maps = Written(author)(IDS, IDS)
    assert apart(bundle, IDS, maps["decoder_self"], logits) <= 1e-5


def open_and_compare(author: Author, saved: Any, path: Path, **hints: Any) -> Any:
    """The bundle of a file whose attention and logits are the author's."""
    torch.save(saved, path)
    bundle = model.load(path, **hints)
    assert_same(bundle, author)
    again = model.load(model.save(bundle, path.with_suffix("")))
    assert again.fingerprint == bundle.fingerprint
    return bundle


def nano(tmp_path: Path, **fields: Any) -> Any:
    """A nanoGPT checkpoint as train.py writes it."""
    author = replace(NANO, **fields)
    args = {"n_layer": 3, "n_head": 4, "n_embd": 32, "block_size": 40, "bias": False, "vocab_size": 40, "dropout": 0.1}
    names = {f"_orig_mod.{name}": tensor for name, tensor in Written(author).state().items()}
    saved = {"model": names, "optimizer": {"state": {}}, "model_args": args, "iter_num": 9, "best_val_loss": 1.0,
             "config": {"dataset": "shakespeare_char", "n_head": 4, "compile": True}}  # fmt: skip
    return open_and_compare(author, saved, tmp_path / "ckpt.pt")


@pytest.mark.parametrize("without", [NANO.without, "out"], ids=["no bias", "biases"])
def test_nanogpt_needs_no_answer_but_its_vocabulary(tmp_path: Path, without: str) -> None:
    bundle = nano(tmp_path, without=without)
    assert bundle.config.n_decoder_heads == 4
    assert bundle.config.tie_output and bundle.report.limitations == ("ids_only",)
    assert not bundle.report.close


def test_nanogpts_weights_alone_do_not_tell_which_approximation_of_gelu_they_had(tmp_path: Path) -> None:
    author = replace(NANO, activation="gelu_tanh")
    bundle = open_and_compare(author, Written(author).state(), tmp_path / "model.pt", n_heads=4)
    requested = next(question for question in bundle.report.questions if question.hint == "activation")
    assert (requested.value, requested.choices) == ("gelu_tanh", ("gelu_tanh", "gelu"))
    assert model.load(tmp_path / "model.pt", n_heads=4, activation="gelu").config.activation == "gelu"


def test_a_nanogpt_with_gpt_2s_vocabulary_ends_with_its_last_token(tmp_path: Path) -> None:
    assert nano(tmp_path, sizes=(50_257, 50_257)).config.eos_id == 50_256


def test_nanogpts_characters_come_from_its_meta_pkl_without_running_it(tmp_path: Path) -> None:
    characters = sorted("\n !,.abcdefghijklmnopqrstuvwxyzESPABCDTHI"[:40])
    nano(tmp_path)
    folder = tmp_path / "run"
    folder.mkdir()
    (tmp_path / "ckpt.pt").rename(folder / "ckpt.pt")
    itos = dict(enumerate(characters))
    (folder / "meta.pkl").write_bytes(
        pickle.dumps({"vocab_size": 40, "itos": itos, "stoi": {c: i for i, c in itos.items()}})
    )
    bundle = model.load(folder)
    assert bundle.report is not None and bundle.report.limitations == ()
    trace = model.translate(bundle, "hide the ", max_length=12)
    assert trace.prefix.pieces[0] == "h"
    assert len(trace.text) == 1 + len(trace.target) >= 12  # no letter is an end or padding, and none is left out


def test_a_harmful_meta_pkl_runs_nothing(tmp_path: Path) -> None:
    class Harm:
        def __reduce__(self) -> Any:
            return (Path.touch, (tmp_path / "harmed",))

    nano(tmp_path)
    (tmp_path / "run").mkdir()
    (tmp_path / "ckpt.pt").rename(tmp_path / "run" / "ckpt.pt")
    (tmp_path / "run" / "meta.pkl").write_bytes(pickle.dumps({"itos": Harm()}))
    model.load(tmp_path / "run")
    assert not (tmp_path / "harmed").exists()


def test_mingpt_of_both_ages(tmp_path: Path) -> None:
    bundle = open_and_compare(MINGPT, Written(MINGPT).state(), tmp_path / "model.pt", n_heads=4)
    assert bundle.config.activation == "gelu_tanh"
    open_and_compare(FIRST_MINGPT, Written(FIRST_MINGPT).state(), tmp_path / "first.pt", n_heads=4)


def test_the_heads_of_the_lectures_gpt_are_counted_by_modules(tmp_path: Path) -> None:
    bundle = open_and_compare(LECTURE, Written(LECTURE).state(), tmp_path / "gpt.pth")
    assert bundle.config.n_decoder_heads == 8
    assert [question.hint for question in bundle.report.questions] == ["norm_first", "activation", "score_width"]


@pytest.mark.parametrize("without", [BOOK.without, "out"])
def test_the_books_gpt(tmp_path: Path, without: str) -> None:
    author = replace(BOOK, without=without)
    saved = {"model_state_dict": Written(author).state(), "optimizer_state_dict": {}}
    open_and_compare(author, saved, tmp_path / "model_and_optimizer.pth", n_heads=4)


def test_gpt2_of_the_library_without_its_configuration(tmp_path: Path) -> None:
    import transformers

    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=40, n_embd=24, n_layer=2, n_head=4, n_positions=32)
    network = randomize(transformers.GPT2LMHeadModel(config))
    network.set_attn_implementation("eager")
    torch.save(network.state_dict(), tmp_path / "gpt2.bin")
    with torch.inference_mode():
        result = network(IDS, output_attentions=True)
    bundle = model.load(tmp_path / "gpt2.bin", n_heads=4)
    assert apart(bundle, IDS, torch.stack(result.attentions, 1), result.logits) <= 1e-5


@pytest.mark.parametrize(
    "fields", [{}, {"tied": False, "key_heads": 4}, {"tied": False, "base": 500000.0, "stretched": True}]
)
def test_llama_by_its_authors_names(tmp_path: Path, fields: dict[str, Any]) -> None:
    author = replace(LLAMA, **fields)
    state = Written(author).state()
    settings = {"dim": 32, "n_layers": 2, "n_heads": 4, "n_kv_heads": author.key_heads, "vocab_size": 40,
                "multiple_of": 4, "max_seq_len": 64, "dropout": 0.0}  # fmt: skip
    if not author.stretched:
        bundle = open_and_compare(author, {"model": state, "model_args": settings}, tmp_path / "stories.pt")
        assert bundle.config.max_positions == 64 and bundle.config.source_has_bos
        n_stored = sum(x.numel() for name, x in state.items() if not author.tied or name != "output.weight")
        n_ours = sum(parameter.numel() for parameter in bundle.model.parameters())
        assert n_ours == n_stored  # no bias that the file does not have
        return
    (tmp_path / "params.json").write_text(json.dumps(settings | {"rope_theta": 500000.0, "use_scaled_rope": True}))
    open_and_compare(author, state, tmp_path / "consolidated.00.pth")


def export(author: Author, path: Path, *, version: int) -> Path:
    """llama2.c's export.py."""
    value, tied = Written(author).state(), author.tied
    head = struct.pack("7i", 32, 44, 2, 4, 2, 40 if tied or version else -40, 64)
    if version:
        head = (struct.pack("<Ii", 0x616B3432, version) + head + struct.pack("B", tied)).ljust(256, b"\0")
    norms, network_names = ("attention_norm", "ffn_norm"), ("feed_forward.w1", "feed_forward.w2", "feed_forward.w3")
    attention = ("attention.wq", "attention.wk", "attention.wv", "attention.wo")
    angles = torch.arange(64)[:, None] * frequencies(author, 8)
    each = {n: [value[f"layers.{i}.{n}.weight"] for i in range(2)] for n in (*norms, *attention, *network_names)}
    if version:
        parts = [*each["attention_norm"], *each["ffn_norm"], value["norm.weight"], value["tok_embeddings.weight"]]
        parts += [tensor for name in (*attention, *network_names) for tensor in each[name]]
    else:
        order = ("attention_norm", *attention, "ffn_norm", *network_names)
        parts = [value["tok_embeddings.weight"], *(tensor for name in order for tensor in each[name])]
        parts += [value["norm.weight"], angles.cos(), angles.sin()]
    parts += [] if tied else [value["output.weight"]]
    path.write_bytes(head + b"".join(part.contiguous().numpy().tobytes() for part in parts))
    return path


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("version", [0, 1])
def test_llama2c_bin(tmp_path: Path, version: int, tied: bool) -> None:
    author = replace(LLAMA, tied=tied)
    path = export(author, tmp_path / "stories.bin", version=version)
    assert_same(model.load(path), author)
    whole = path.read_bytes()
    path.write_bytes(whole[:-8])
    with pytest.raises(CheckpointError):
        model.load(path)
    path.write_bytes(struct.pack("<Ii", 0x616B3432, 2) + whole[8:])
    with pytest.raises(CheckpointError, match="quantised"):
        model.load(path)


@pytest.mark.parametrize("generator", [False, True])
def test_the_annotated_encoder_alone(tmp_path: Path, generator: bool) -> None:
    written = Written(replace(ANNOTATED, table=ANNOTATED.table + "generator.proj = out") if generator else ANNOTATED)
    torch.save(written.state(), tmp_path / "model.pt")
    bundle = model.load(tmp_path / "model.pt", n_heads=4, source_pad_id=0)
    logits, maps = written(PADDED, PADDED)
    output, real = logits if generator else None, (PADDED != 0).numpy()
    assert apart(bundle, PADDED, maps["encoder_self"], output, real=real) <= 1e-5
    assert bundle.report is not None
    assert [question.hint for question in bundle.report.close] == (["causal"] if generator else [])


class Wrapped(nn.Module):
    """``nn.TransformerEncoder`` with what people put around it."""

    def __init__(self, rows: int, *, first: bool, act: str, learned: bool, norm: bool) -> None:
        super().__init__()
        self.tok = nn.Embedding(40, 24)
        self.pos = nn.Parameter(torch.randn(1, 32, 24)) if learned else None
        self.emb_norm = nn.LayerNorm(24) if norm else None
        layer = nn.TransformerEncoderLayer(24, 4, 36, 0.0, activation=act, batch_first=True, norm_first=first)
        final = nn.LayerNorm(24) if first else None
        self.blocks = nn.TransformerEncoder(layer, 2, norm=final, enable_nested_tensor=False)
        self.fc = nn.Linear(24, rows) if rows else None
        if not learned:
            turn = torch.arange(64)[:, None] / 10000 ** (torch.arange(0, 24, 2) / 24)
            self.register_buffer("pe", torch.stack((turn.sin(), turn.cos()), -1).flatten(1)[None])

    def forward(self, ids: Tensor, real: Tensor, *, causal: bool) -> tuple[Tensor, list[Tensor]]:
        """(B, T) -> output and attention, by the layers' own modules."""
        table: Any = self.pe if self.pos is None else self.pos
        x = self.tok(ids) * (24**0.5 if self.pos is None else 1.0) + table[:, : ids.shape[1]]
        x = x if self.emb_norm is None else self.emb_norm(x)
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).triu(1) if causal else None
        collected = []
        layers: Any = self.blocks.layers
        for layer in layers:
            y = layer.norm1(x) if layer.norm_first else x
            hidden = None if causal else ~real
            collected.append(layer.self_attn(y, y, y, attn_mask=mask, key_padding_mask=hidden,
                                         average_attn_weights=False)[1])  # fmt: skip
            x = layer(x, src_mask=mask, src_key_padding_mask=hidden)
        x = x if self.blocks.norm is None else self.blocks.norm(x)
        return (x if self.fc is None else self.fc(x)), collected


@pytest.mark.parametrize(
    ("rows", "fields", "causal"),
    [
        (0, {"first": False, "act": "relu", "learned": False, "norm": False}, False),
        (40, {"first": True, "act": "gelu", "learned": True, "norm": False}, False),
        (40, {"first": True, "act": "gelu", "learned": True, "norm": False}, True),
        (3, {"first": False, "act": "gelu", "learned": True, "norm": True}, False),
    ],
)
def test_torchs_encoder_in_a_wrapper(tmp_path: Path, rows: int, fields: dict[str, Any], causal: bool) -> None:
    torch.manual_seed(0)
    network = randomize(Wrapped(rows, **fields)).train()  # without dropout; in eval mode its fast path empties padding
    torch.save(network.state_dict(), tmp_path / "weights.pth")
    ids, real = (IDS, torch.ones_like(IDS, dtype=torch.bool)) if causal else (PADDED, PADDED != 0)
    with torch.no_grad():
        output, attention = network(ids, real, causal=causal)
    pad: dict[str, Any] = {} if causal else {"source_pad_id": 0}
    bundle: Any = model.load(
        tmp_path / "weights.pth", n_heads=4, norm_first=fields["first"], activation=fields["act"], causal=causal, **pad
    )
    result = apart(bundle, ids, torch.stack(attention, 1), output if rows == 40 else None, real=real.numpy())
    assert result <= 1e-5
    dropped = {name for name in bundle.report.ignored if name.startswith("fc")}
    assert dropped == ({"fc.weight", "fc.bias"} if rows == 3 else set())


def test_the_language_model_of_pytorchs_tutorial_is_a_decoder_without_a_question(tmp_path: Path) -> None:
    layer = nn.TransformerEncoderLayer(24, 4, 36, 0.0)
    turn = torch.arange(64)[:, None] / 10000 ** (torch.arange(0, 24, 2) / 24)
    network = nn.ModuleDict({"transformer_encoder": nn.TransformerEncoder(layer, 2, enable_nested_tensor=False),
                             "embedding": nn.Embedding(40, 24), "linear": nn.Linear(24, 40)})  # fmt: skip
    table = torch.stack((turn.sin(), turn.cos()), -1).flatten(1)[:, None]
    torch.save(network.state_dict() | {"pos_encoder.pe": table}, tmp_path / "best_model_params.pt")
    bundle: Any = model.load(tmp_path / "best_model_params.pt", n_heads=4)
    assert bundle.config.n_decoder_layers == 2
    assert "causal" not in {question.hint for question in bundle.report.close}
    assert "embedding_scale" not in bundle.report.guesses


def test_an_unknown_tensor_between_embedding_and_layers_is_refused(tmp_path: Path) -> None:
    network = Wrapped(3, first=False, act="relu", learned=True, norm=False)
    fields = network.state_dict() | {"mixer.alpha": torch.ones(24)}
    torch.save(fields, tmp_path / "weights.pth")
    with pytest.raises(CheckpointError, match=r"mixer\.alpha"):
        model.load(tmp_path / "weights.pth", n_heads=4)


def read_golden(stem: str) -> tuple[Any, dict[str, Any], dict[str, Tensor]]:
    """A golden file's arrays, settings and tensors."""
    retained = np.load(GOLDEN[0].with_name(f"{stem}.npz"))
    tensors = {name.removeprefix("tensor/"): torch.from_numpy(retained[name]) for name in retained if "/" in name}
    return retained, json.loads(str(retained["said"])), tensors


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_files_of_xtransformers_and_litgpt(path: Path, tmp_path: Path) -> None:
    retained, settings, tensors = read_golden(path.stem)
    hints: dict[str, Any] = {}
    if path.stem.startswith("litgpt"):
        (tmp_path / "model_config.yaml").write_text(yaml.safe_dump(settings))
        saved = tmp_path / "lit_model.pth"
    else:
        hints, saved = settings, tmp_path / "model.pt"
    torch.save(tensors, saved)
    with warnings.catch_warnings(record=True) as reported:
        bundle = model.load(saved, **hints)
    assert any("alibi" in str(item.message) for item in reported) == ("alibi" in path.stem)
    ids = torch.from_numpy(retained["ids"])
    real = retained["ids"] != hints.get("source_pad_id", -1)
    assert apart(bundle, ids, retained["attention"], retained["logits"], real=real) <= 1e-5


def test_a_stack_of_unknown_direction_has_a_question(tmp_path: Path) -> None:
    _, _, tensors = read_golden("xtransformers-encoder")
    torch.save(tensors, tmp_path / "weights.pt")
    with pytest.warns(AnswerWarning, match="causal"):
        model.load(tmp_path / "weights.pt")
    torch.save(tensors, tmp_path / "mlm_encoder.pt")
    with warnings.catch_warnings():
        warnings.simplefilter("error", AnswerWarning)
        answers = {"n_heads": 2, "activation": "gelu", "norm_adds_one": False}
        assert model.load(tmp_path / "mlm_encoder.pt", **answers).config.n_encoder_layers == 2


def test_older_litgpt_groups_its_queries(tmp_path: Path) -> None:
    retained, settings, tensors = read_golden("litgpt-llama")
    groups, width = settings["n_query_groups"], settings["head_size"]

    def grouped(rows: Tensor) -> Tensor:
        sizes = (settings["n_head"] * width, groups * width, groups * width)
        parts = [part.unflatten(0, (groups, -1, width)) for part in rows.split(sizes)]
        return torch.cat(parts, 1).flatten(0, 2)

    older = {
        name.replace("attn.qkv", "attn.attn"): grouped(x) if "attn.qkv" in name else x for name, x in tensors.items()
    }
    torch.save(older, tmp_path / "lit_model.pth")
    (tmp_path / "lit_config.json").write_text(json.dumps(settings))
    bundle = model.load(tmp_path)
    assert apart(bundle, torch.from_numpy(retained["ids"]), retained["attention"], retained["logits"]) <= 1e-5


def test_litgpt_without_its_configuration_asks_for_it(tmp_path: Path) -> None:
    torch.save(read_golden("litgpt-llama")[2], tmp_path / "lit_model.pth")
    with pytest.raises(CheckpointError, match=r"model_config\.yaml"):
        model.load(tmp_path / "lit_model.pth")


def test_settings_are_those_of_the_file_or_else_of_a_json_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"heads": 4}', "utf-8")
    files = {"config.json": tmp_path / "config.json"}
    assert settings_of(Source(tmp_path, {}, files=files), "config", "config.json") == {"heads": 4}
    assert settings_of(Source(tmp_path, {}, {"config": {"heads": 2}}, files), "config", "config.json") == {"heads": 2}
    assert settings_of(Source(tmp_path, {}, {"config": "none"}), "config", "config.json") == {}
