"""What toolkits store beside their tensors: settings, dictionaries, names of older versions; refused variants."""

import re
import sys
from argparse import Namespace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

import model
from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.formats.settings import plain_value
from model.checkpoints.vocabularies.piece_tokenizer import PieceTokenizer
from model.checkpoints.vocabularies.toolkits import _unquote, with_pieces
from model.text.word_tokenizer import WordTokenizer
from tests.checkpoints import golden
from tests.checkpoints.test_families import assert_equal_to_original


def write_fairseq(folder: Path, tensors: dict[str, torch.Tensor], settings: object) -> Path:
    path = folder / "checkpoint_last.pt"
    torch.save({"args": settings, "model": tensors}, path)
    return path


def test_fairseq_dictionaries_find_their_side_by_length_and_language(tmp_path: Path) -> None:
    reference = golden.read("fairseq-post")
    reference.write(tmp_path)
    for language, size in (("en", 13), ("xx", 11)):
        lines = [f"{language}{index} {90 - index}" for index in range(size - 4)]
        (tmp_path / f"dict.{language}.txt").write_text("\n".join(lines) + "\n")
    bundle: Any = model.load(tmp_path)
    assert bundle.source_tokenizer.encode("en0 en8").ids == (4, 12)
    assert bundle.target_tokenizer.describe([2, 4]).pieces == ("</s>", "xx0")
    assert bundle.config.bos_id == bundle.config.eos_id == 2
    assert bundle.report is not None and not bundle.report.questions


def test_fairseq_dictionaries_of_one_length_need_the_languages(tmp_path: Path) -> None:
    reference = golden.read("fairseq-learned")
    for language in ("fr", "en"):
        (tmp_path / f"dict.{language}.txt").write_text("\n".join(f"{language}{index} 1" for index in range(9)) + "\n")
    reference.write(tmp_path)
    bundle = model.load(tmp_path)
    assert bundle.source_language == "en" and bundle.source_tokenizer is not None
    assert bundle.source_tokenizer.encode("en1").ids == (5,)
    assert bundle.target_tokenizer is None


def test_names_of_older_fairseq_versions_are_read(tmp_path: Path) -> None:
    reference = golden.read("fairseq-post")
    old: dict[str, torch.Tensor] = {}
    for name, tensor in reference.tensors.items():
        if ".q_proj." in name:
            parts = [reference.tensors[name.replace("q_proj", f"{letter}_proj")] for letter in "qkv"]
            old[name.replace("q_proj.", "in_proj_")] = torch.cat(parts)
        elif ".k_proj." not in name and ".v_proj." not in name:
            norms = {"self_attn_layer_norm": "layer_norms.0", "encoder_attn_layer_norm": "layer_norms.1",
                     "final_layer_norm": f"layer_norms.{1 + name.startswith('decoder')}"}  # fmt: skip
            part = name.split(".")[3] if name.count(".") > 3 else ""
            old[name.replace(part, norms.get(part, part)) if part else name] = tensor
    old["decoder.embed_out"] = old.pop("decoder.output_projection.weight")
    old["encoder.embed_positions._float_tensor"] = torch.zeros(1)
    assert_equal_to_original(model.load(write_fairseq(tmp_path, old, Namespace(**reference.settings))), reference)


@pytest.mark.nightly
def test_a_fairseq_state_dict_alone_has_questions(tmp_path: Path) -> None:
    reference = golden.read("fairseq-post")
    torch.save(reference.tensors, tmp_path / "model.pt")
    report: Any = model.load(tmp_path / "model.pt").report
    assert {question.hint for question in report.questions} == {
        "n_heads", "norm_first", "activation", "embedding_scale"
    }  # fmt: skip
    assert_equal_to_original(model.load(tmp_path / "model.pt", n_encoder_heads=2, n_decoder_heads=4), reference)


def test_settings_that_contain_themselves_come_to_an_end() -> None:
    around: dict[str, object] = {}
    around["again"] = around
    assert "again" in plain_value(around)
    wide: list[object] = []
    wide += [wide] * 10
    with pytest.raises(CheckpointError, match="hold more than 200,000 values"):
        plain_value(wide)


def as_omegaconf(value: object, context: pytest.MonkeyPatch) -> object:
    """Objects with the same pickles as omegaconf 2.0's, without the library."""
    for name in ("omegaconf", "omegaconf.dictconfig", "omegaconf.nodes"):
        context.setitem(sys.modules, name, ModuleType(name))
    kinds = {}
    for module, name in (("omegaconf.dictconfig", "DictConfig"), ("omegaconf.nodes", "AnyNode")):
        kinds[name] = type(name, (), {"__module__": module})
        setattr(sys.modules[module], name, kinds[name])

    def wrap(inner: object, parent: object) -> object:
        made = kinds["DictConfig" if isinstance(inner, dict) else "AnyNode"]()
        made._parent = parent
        if isinstance(inner, dict):
            made._content = {key: wrap(item, made) for key, item in inner.items()}
        else:
            made._val = inner
        return made

    return wrap(value, None)


def test_fairseq_settings_in_omegaconf_containers_are_read_as_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = golden.read("fairseq-pre")
    with monkeypatch.context() as context:
        described = {"model": reference.settings, "task": {"source_lang": "en", "target_lang": "fr"}}
        settings = as_omegaconf(described, context)
        torch.save({"args": None, "cfg": settings, "model": reference.tensors}, tmp_path / "checkpoint_best.pt")
    bundle = model.load(tmp_path)
    assert (bundle.source_language, bundle.target_language) == ("en", "fr")
    assert_equal_to_original(bundle, reference)


def write_opennmt(folder: Path, stored: golden.Golden, **changes: object) -> Path:
    path = stored.write(folder)
    loaded = torch.load(path, weights_only=False)
    torch.save(loaded | changes, path)
    return path


def test_opennmt_brings_its_own_vocabularies(tmp_path: Path) -> None:
    bundle: Any = model.load(golden.read("opennmt-plain").write(tmp_path))
    assert bundle.source_tokenizer.encode("src0 src8").ids == (4, 12)
    assert bundle.target_tokenizer.describe([2, 4]).pieces == ("<s>", "tgt0")
    assert bundle.report is not None and not bundle.report.questions
    assert not bundle.config.source_has_eos


def test_opennmt_of_version_2_keeps_its_generator_and_vocabulary_otherwise(tmp_path: Path) -> None:
    reference = golden.read("opennmt-shared")
    generator = {f"0.{name}": reference.tensors[f"generator.{name}"] for name in ("weight", "bias")}
    tokens = ["<unk>", "<blank>", "<s>", "</s>", *"abcdefghi"]
    field = Namespace(name="src", fields=[("src", Namespace(vocab=Namespace(itos=tokens, freqs={"a": 3})))])
    path = write_opennmt(tmp_path, reference, generator=generator, vocab={"src": field, "tgt": field})
    bundle = model.load(path)
    assert bundle.source_tokenizer is not None and bundle.source_tokenizer.encode("a i").ids == (4, 12)
    assert_equal_to_original(bundle, reference)


SETTINGS: dict[str, list[tuple[dict[str, object], str]]] = {
    "fairseq-post": [
        ({"cross_self_attention": True}, "cross_self_attention, which is not supported"),
        ({"adaptive_softmax_cutoff": [1000, 5000]}, "adaptive_softmax_cutoff, which is not supported"),
        ({"decoder_attention_heads": 5}, r"attention_heads \(5\) in the settings must divide the width, 16"),
        ({"encoder_attention_heads": "2"}, "encoder_attention_heads in the settings is '2', not a whole number"),
        ({"encoder_normalize_before": 3}, "encoder_normalize_before in the settings is 3, not True or False"),
        ({"activation_fn": "tanh"}, "the activation 'tanh' .* must be one of relu"),
        ({"activation_fn": {"a": 1}}, r"the activation \{'a': 1\} .* must be one of relu"),
    ],
    "opennmt-plain": [
        ({"max_relative_positions": 20}, "max_relative_positions 20, but only 0 is supported"),
        ({"layer_norm": "rms"}, "layer_norm 'rms', but only 'standard' is supported"),
        ({"self_attn_type": "average"}, "self_attn_type 'average', but only 'scaled-dot'"),
        ({"heads": 3}, r"heads \(3\) in opt must divide the width, 16"),
        ({"multiquery": True}, "multiquery True, but only False is supported"),
        ({"pos_ffn_activation_fn": "gated-gelu"}, "the activation 'gated-gelu' .* bring its attention as a file"),
        ({"pos_ffn_activation_fn": [1]}, r"the activation \[1\] .* must be one of relu"),
        ({"norm_eps": 3.0}, r"norm_eps in opt is 3.0, but must be in \(0, 1\]"),
    ],
}


@pytest.mark.parametrize(
    ("name", "changes", "message"), [(name, *case) for name, cases in SETTINGS.items() for case in cases]
)
def test_a_variant_is_refused_by_its_setting(
    name: str, changes: dict[str, object], message: str, tmp_path: Path
) -> None:
    reference = golden.read(name)
    reference.settings.update(changes)
    with pytest.raises(CheckpointError, match=message):
        model.load(reference.write(tmp_path))


@pytest.mark.parametrize(
    ("name", "tensor", "shape", "message"),
    [
        ("opennmt-plain", "encoder.transformer.0.feed_forward.w_3.weight", (24, 16),
         r"gated feed-forward network .*w_3.* bring its attention as a file"),
        ("xtransformers-plain", "encoder.attn_layers.layers.1.1.ff.0.proj.weight", (4,), "gated feed-forward network"),
        ("xtransformers-plain", "encoder.attn_layers.rotary_pos_emb.inv_freq", (4,), "positions that are not learned"),
        ("xtransformers-plain", "encoder.attn_layers.layers.0.0.0.g", (4,), "RMSNorm"),
        ("xtransformers-plain", "encoder.attn_layers.layers.0.1.mem_k", (4,), "memory tokens"),
        ("marian-post", "encoder_l1_self_Wo_ln_scale_pre", (1, 24), "normalises before and after"),
        ("marian-post", "Wpos", (512, 24), r"learned positions \(Wpos\)"),
    ],
)  # fmt: skip
def test_a_variant_is_refused_by_its_tensor(
    name: str, tensor: str, shape: tuple[int, ...], message: str, tmp_path: Path
) -> None:
    reference = golden.read(name)
    reference.tensors[tensor] = torch.zeros(shape)
    with pytest.raises(CheckpointError, match=message):
        model.load(reference.write(tmp_path))


@pytest.mark.nightly
def test_an_xtransformer_has_questions_beyond_its_shapes(tmp_path: Path) -> None:
    report: Any = model.load(golden.read("xtransformers-plain").write(tmp_path)).report
    questions = {question.hint: question.value for question in report.questions}
    assert questions["n_heads"] == 2 and questions["norm_adds_one"] is True
    assert set(questions) == {"n_heads", "norm_adds_one", "activation", "source_has_bos", "source_has_eos",
                              "source_pad_id", "target_pad_id", "bos_id", "eos_id"}  # fmt: skip


def test_heads_of_an_xtransformer_are_of_one_width(tmp_path: Path) -> None:
    path = golden.read("xtransformers-post").write(tmp_path)
    config = model.load(path, n_heads=3).config
    assert (config.n_encoder_heads, config.n_decoder_heads, config.d_key, config.d_value) == (3, 2, 6, 5)
    with pytest.raises(CheckpointError, match=r"n_heads \(5\) must divide the projections' widths \(18 and 12\)"):
        model.load(path, n_heads=5)
    with pytest.raises(CheckpointError, match=r"n_decoder_heads \(4\) must be 2"):
        model.load(path, n_heads=3, n_decoder_heads=4)


def test_older_norms_of_xtransformers_keep_a_bias_and_their_own_weight(tmp_path: Path) -> None:
    reference = golden.read("xtransformers-post")
    for name in [name for name in reference.tensors if name.endswith(".gamma")]:
        reference.tensors[name.replace("gamma", "beta")] = torch.zeros_like(reference.tensors[name])
    bundle: Any = model.load(reference.write(tmp_path), **reference.hints)
    assert "norm_adds_one" not in {question.hint for question in bundle.report.questions}
    assert_equal_to_original(bundle, reference)


SHAPES = {
    "grouped keys": (r"layers\.0\.1\.to_k", 6, "keys and values that heads share \\(attn_kv_heads\\)"),
    "another cross-attention": (r"decoder\.net.*layers\.1\.1\.to_[qk]", 6, "attention of several widths"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_an_xtransformer_whose_projections_differ_in_width_is_refused_by_name(shape: str, tmp_path: Path) -> None:
    reference = golden.read("xtransformers-post")
    pattern, rows, message = SHAPES[shape]
    for name in [name for name in reference.tensors if re.search(pattern, name)]:
        reference.tensors[name] = reference.tensors[name][:rows]
    with pytest.raises(CheckpointError, match=message):
        model.load(reference.write(tmp_path), **reference.hints)


def test_an_xtransformer_with_norms_on_both_sides_is_refused_by_name(tmp_path: Path) -> None:
    reference = golden.read("xtransformers-post")
    by_name = {name.replace(".0.2.gamma", ".0.0.gamma"): tensor for name, tensor in reference.tensors.items()}
    reference.tensors.update(by_name)
    with pytest.raises(CheckpointError, match=r"before and after its sublayers \(pre_and_post_norm\)"):
        model.load(reference.write(tmp_path), **reference.hints)


WIDER = {
    "fairseq-post": "decoder.layers.{}.fc{}", "joeynmt-pre": "decoder.layers.{}.feed_forward.pwff_layer.{}",
    "xtransformers-plain": "decoder.net.attn_layers.layers.{}.1.ff.{}",
}  # fmt: skip
"""Where the two matrices of a decoder's feed-forward network stand."""


@pytest.mark.nightly(but=("post",))
@pytest.mark.parametrize("name", WIDER)
def test_a_decoder_may_be_wider_inside_than_its_encoder(name: str, tmp_path: Path) -> None:
    """Columns and rows of zeros: another width that computes the same."""
    reference = golden.read(name)
    pattern = re.escape(WIDER[name]).replace(r"\{\}", r"[\d.]+")
    n_widened = 0
    for key, tensor in reference.tensors.items():
        if not re.fullmatch(rf"{pattern}\.(weight|bias)", key):
            continue
        axis = 0 if tensor.shape[0] != 16 else 1
        if tensor.dim() == 1 and tensor.shape[0] == 16:
            continue
        padding = [3, 0] if axis or tensor.dim() == 1 else [0, 0, 3, 0]
        reference.tensors[key] = torch.nn.functional.pad(tensor, padding)
        n_widened += 1
    assert n_widened
    bundle = model.load(reference.write(tmp_path), **reference.hints)
    assert bundle.config.decoder_feed_forward == bundle.config.d_feed_forward + 3
    assert_equal_to_original(bundle, reference)
    again = model.load(model.save(bundle, tmp_path / "again"))
    assert again.config == bundle.config
    assert model.activation_names(bundle)["decoder.0.feed_forward.hidden"][-1] == "F"


def test_a_decoder_as_wide_as_its_encoder_is_written_as_it_always_was() -> None:
    from tests.tiny import tiny_model

    assert "d_decoder_feed_forward" not in tiny_model().config.to_json()


@pytest.mark.parametrize(("written", "token"), [
    ("'it''s'", "it's"), ('"a\\"b"', 'a"b'), ('"', '"'), ("'", "'"), ('"a', '"a'), ('a"', 'a"'), ("", ""), ("a", "a"),
])  # fmt: skip
def test_a_token_of_a_yaml_vocabulary_is_read_as_it_was_quoted(written: str, token: str) -> None:
    assert _unquote(written) == token


def test_a_vocabulary_with_marks_of_words_is_cut_by_the_one_model_beside_it(tmp_path: Path) -> None:
    result = Path("pretrained/tiny/tokenizer.model")
    marked, bare = ["▁a", "b"], ["a", "b"]
    one = {"x.model": result}
    cases = ((marked, one, PieceTokenizer), (bare, one, WordTokenizer), (marked, {}, WordTokenizer),
             (marked, one | {"y.model": result}, WordTokenizer))  # fmt: skip
    for tokens, files, kind in cases:
        assert type(with_pieces(tokens, files)) is kind
