"""Every architecture of the list opens with the library's own numbers, or is refused by its name and reason."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

import model
from model.checkpoints.basis.errors import CheckpointError, UnrecognisedError
from model.checkpoints.sandbox.results import open_model, write_result
from model.checkpoints.vocabularies.library_tokenizer import read_tokenizers
from model.inference.reading import kinds_of
from tests.checkpoints.architectures import (
    ARCHITECTURES,
    KINDS,
    SHOWN,
    SOURCE,
    TARGET,
    Architecture,
    assert_equal,
    run_original,
    save,
)
from tests.checkpoints.switches import largest_difference, vary

DECODERS = [name for name, architecture in ARCHITECTURES.items() if architecture.shape == "decoder"]


def attend(bundle: model.Bundle, **options: Any) -> Any:
    return model.attend(bundle, SOURCE.numpy(), TARGET.numpy(), **options)


@pytest.mark.nightly("encoder", "mt5", "qwen2", "smollm3", "llama 3", "qwen3_moe", "camembert", "bert, masked")
@pytest.mark.parametrize("name", SHOWN)
def test_attention_and_logits_equal_the_librarys(name: str, tmp_path: Path) -> None:
    architecture = ARCHITECTURES[name]
    expected = run_original(save(architecture, tmp_path / "given"), architecture)
    bundle = model.load(tmp_path / "given")
    assert bundle.source_tokenizer is not None
    plain = attend(bundle)
    assert_equal(plain, expected)
    if architecture.shape != "encoder":
        assert_equal(attend(bundle, cached=True), expected)
    kinds = KINDS[architecture.shape]
    assert [kind for kind in KINDS["both"] if getattr(plain, kind) is not None] == list(kinds)
    for kind in kinds:  # a head that is off keeps its map, and what follows changes
        off = attend(bundle, interventions=model.Interventions(heads_off=(model.HeadOff(kind, 0, 1),)))
        np.testing.assert_array_equal(getattr(off, kind)[:, 0], getattr(plain, kind)[:, 0])
        after = getattr(off, kinds[-1])[:, 1:], getattr(plain, kinds[-1])[:, 1:]
        assert np.abs(after[0] - after[1]).max() > 1e-5
        forced = model.ForcedRow(kind, 0, 1, 2, (0.25, 0.75))
        row = getattr(attend(bundle, interventions=model.Interventions(forced_rows=(forced,))), kind)[0, 0, 1, 2]
        np.testing.assert_allclose(row[:2], (0.25, 0.75), atol=1e-6)
    write_result(bundle, tmp_path / "given", tmp_path / "result")
    assert_equal(attend(open_model(tmp_path / "result", name)), expected)


@pytest.mark.nightly(but=("False-t5gemma", "True-llama"))
@pytest.mark.parametrize("name", ["llama", "gpt2", "gemma2", "opt", "pegasus", "t5gemma", "bloom", "blenderbot-small"])
@pytest.mark.parametrize("tied", [True, False])
def test_a_tied_and_an_untied_output_matrix_are_read_as_the_library_reads_them(
    name: str, tied: bool, tmp_path: Path
) -> None:
    architecture = ARCHITECTURES[name]
    expected = run_original(save(architecture, tmp_path, tied=tied), architecture)
    assert_equal(attend(model.load(tmp_path)), expected)


@pytest.mark.nightly(but=("bloom",))
@pytest.mark.parametrize("name", DECODERS)
def test_a_decoder_continues_a_prompt_as_the_library_does(name: str, tmp_path: Path) -> None:
    original = save(ARCHITECTURES[name], tmp_path)
    ids = [5, 6, 7, 8]
    expected = original.generate(
        torch.tensor([ids]), attention_mask=torch.ones(1, 4, dtype=torch.long), do_sample=False, max_new_tokens=6,
        num_beams=1, pad_token_id=1,
    )[0].tolist()  # fmt: skip
    trace = model.translate(model.load(tmp_path), ids, max_length=6, stop_loops=False)
    assert [*trace.prefix.ids, trace.target.ids[-1]] == expected


def test_a_prompt_begins_as_the_tokenizer_begins_every_text(tmp_path: Path) -> None:
    """Llama's begins with <s>; without it the model would read another text than the one it was trained on."""
    save(ARCHITECTURES["llama"], tmp_path)
    path = tmp_path / "tokenizer.json"
    described = json.loads(path.read_text())
    described["post_processor"] = {
        "type": "TemplateProcessing", "pair": [],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}},
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    }  # fmt: skip
    path.write_text(json.dumps(described))
    bundle = model.load(tmp_path)
    trace = model.translate(bundle, "word5 word6", max_length=3, stop_loops=False)
    assert trace.prefix.ids[:3] == (0, 5, 6) and trace.prefix_tokens[:3] == ("<s>", "word5", "word6")
    scored = model.score(bundle, "word5 word6", "word7")
    assert scored.prefix.ids == (0, 5, 6, 7)


@pytest.mark.nightly(but=("gptj",))
@pytest.mark.parametrize(("name", "matrix"), [
    ("llama", "model.layers.1.self_attn.o_proj"), ("bert", "encoder.layer.1.attention.output.dense"),
    ("gptj", "transformer.h.1.attn.out_proj"), ("deberta", "deberta.encoder.layer.1.attention.output.dense"),
])  # fmt: skip
def test_a_head_that_is_off_writes_nothing(name: str, matrix: str, tmp_path: Path) -> None:
    """The same as the model whose output matrix does not read that head."""
    architecture = ARCHITECTURES[name]
    original = save(architecture, tmp_path / "whole")
    kind = KINDS[architecture.shape][0]
    off = model.Interventions(heads_off=(model.HeadOff(kind, 1, 1),))  # type: ignore[arg-type]
    bundle = model.load(tmp_path / "whole")
    ours: Any = bundle.model
    encoded = ours.encode(SOURCE[:1], capture=True, interventions=off)
    is_encoder = kind == "encoder_self"
    result = encoded.memory.detach() if is_encoder else attend(bundle, interventions=off).logits
    weight = original.get_submodule(matrix).weight
    n_heads = getattr(original.config, "num_attention_heads", None) or original.config.n_head
    width = weight.shape[1] // n_heads
    with torch.no_grad():
        weight[:, width : 2 * width] = 0
        if is_encoder:
            expected = original.base_model(SOURCE[:1], attention_mask=torch.ones(1, 7)).last_hidden_state
        else:
            expected = original(TARGET).logits
    np.testing.assert_allclose(np.asarray(result), expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", [name for name, result in ARCHITECTURES.items() if result.shape == "refused"])
def test_unsupported_features_are_refused_by_name_and_reason(name: str, tmp_path: Path) -> None:
    save(ARCHITECTURES[name], tmp_path)
    kind = name.partition(",")[0]
    with pytest.raises(
        UnrecognisedError,
        match=f"a {kind} model cannot be shown, because it .*(attention as a file|Choose a Transformer)",
    ):
        model.load(tmp_path)


def test_the_error_of_a_decoder_without_output_matrix_has_a_remedy(tmp_path: Path) -> None:
    original = save(ARCHITECTURES["llama"], tmp_path / "whole")
    original.base_model.save_pretrained(tmp_path / "body")
    with pytest.raises(CheckpointError, match=r"lacks lm_head.weight.*LlamaForCausalLM.save_pretrained"):
        model.load(tmp_path / "body")


def test_a_model_without_a_tokenizer_opens_with_ids_for_words(tmp_path: Path) -> None:
    save(ARCHITECTURES["qwen3"], tmp_path)
    for path in tmp_path.glob("*token*"):
        path.unlink()
    bundle = model.load(tmp_path)
    assert bundle.source_tokenizer is None
    assert model.translate(bundle, "#5 #6", max_length=2).prefix_tokens[:2] == ("#5", "#6")
    with pytest.raises(model.TextError, match="has no tokens, and “hello” is not an id"):
        model.translate(bundle, "hello there")


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("hubert", "reads sound"), ("pix2struct", "reads pictures"), ("wavlm", "reads sound"),
     ("dinov2", "reads pictures"),
     ("qwen2_vl", "reads pictures as well as text"), ("qwen2_audio", "reads sound as well as text"),
     ("bark", "writes sound"), ("timesfm", "reads series of numbers")],
)  # fmt: skip
def test_models_of_sound_and_pictures_are_refused_with_the_reason(kind: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(f'{{"model_type": "{kind}"}}')
    with pytest.raises(UnrecognisedError, match=f"a {kind} model cannot be shown, because it {reason}"):
        model.load(tmp_path)


def test_a_t5_with_a_classifier_is_no_encoder_alone(tmp_path: Path) -> None:
    architecture = Architecture("T5ForSequenceClassification", "both", ARCHITECTURES["t5"].fields)
    save(architecture, tmp_path)
    bundle = model.load(tmp_path)
    assert kinds_of(bundle) == KINDS["both"]
    assert bundle.report is not None and "classification_head.dense.weight" in bundle.report.ignored


@pytest.mark.parametrize("stacks", [("decoder",), ("encoder", "decoder")])
def test_a_t5_whose_file_has_no_shared_embedding_is_the_librarys(stacks: tuple[str, ...], tmp_path: Path) -> None:
    """As MADLAD-400 is published."""
    save(ARCHITECTURES["t5 v1.1"], tmp_path)
    whole = attend(model.load(tmp_path))
    path = tmp_path / "model.safetensors"
    tensors = load_file(path)
    embedding = tensors.pop("shared.weight")
    named = {f"{stack}.embed_tokens.weight": embedding.clone() for stack in stacks}
    save_file(tensors | named, path, metadata={"format": "pt"})
    maps = attend(model.load(tmp_path))
    for kind in KINDS["both"]:
        np.testing.assert_array_equal(getattr(maps, kind), getattr(whole, kind))


@pytest.mark.nightly(but=("llama",))
@pytest.mark.parametrize("name", ["llama", "bert", "bart", "t5gemma"])
def test_threads_that_share_a_model_never_meet(name: str, tmp_path: Path) -> None:
    save(ARCHITECTURES[name], tmp_path)
    bundle = model.load(tmp_path)
    kind = KINDS[ARCHITECTURES[name].shape][0]
    sets = (model.NONE, model.Interventions(heads_off=(model.HeadOff(kind, 0, 1),)))  # type: ignore[arg-type]
    alone = [getattr(attend(bundle, interventions=item), kind) for item in sets]
    assert np.abs(alone[0] - alone[1]).max() > 1e-5
    with ThreadPoolExecutor(4) as pool:
        result = list(pool.map(lambda n: getattr(attend(bundle, interventions=sets[n % 2]), kind), range(40)))
    for number, weights in enumerate(result):
        np.testing.assert_array_equal(weights, alone[number % 2])


PIECES = ("<unk>", "<s>", "</s>", "<pad>", "▁the", "▁cat", "t", "h", "e", "▁", "c", "a", "the", "Ġ", "[CLS]", "[SEP]",
          "[UNK]", "[PAD]", "[MASK]")  # fmt: skip


@pytest.mark.parametrize(
    ("name", "kind"),
    [("LlamaTokenizer", "llama"), ("GemmaTokenizer", "gemma"), ("Qwen2Tokenizer", "qwen2"),
     ("GPTNeoXTokenizer", "gpt_neox"), ("CohereTokenizer", "cohere"), ("CodeGenTokenizer", "codegen"),
     ("DebertaTokenizer", "deberta"), ("MPNetTokenizer", "mpnet"), ("MvpTokenizer", "mvp"),
     ("AlbertTokenizer", "albert"), ("DebertaV2Tokenizer", "deberta-v2"), ("XGLMTokenizer", "xglm")],
)  # fmt: skip
def test_the_tokenizers_of_these_types_read_a_text_as_the_library_does(name: str, kind: str, tmp_path: Path) -> None:
    is_unigram = kind in ("albert", "deberta-v2", "xglm")
    vocabulary: Any = [(piece, 0.0) for piece in PIECES] if is_unigram else {piece: n for n, piece in enumerate(PIECES)}
    loaded = getattr(transformers, name)(vocab=vocabulary, **({} if is_unigram else {"merges": []}))
    loaded.save_pretrained(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": kind}))
    source, _ = read_tokenizers(tmp_path, None, has_decoder=True)
    assert source is not None
    assert list(source.encode("the cat").ids) == loaded("the cat")["input_ids"]


SAMPLE = ("llama", "gemma2", "bloom", "t5 v1.1", "bart", "mixtral")


@pytest.mark.nightly(but=("bart", "llama", "bloom"))
@pytest.mark.parametrize("name", SAMPLE)
def test_switches_drawn_at_random_give_the_librarys_numbers(name: str, tmp_path: Path) -> None:
    results = [largest_difference(name, seed, tmp_path / str(seed)) for seed in range(2)]
    known = [apart for apart in results if apart is not None]
    assert known and max(known) <= 1e-5, results


def test_a_seed_draws_the_same_configuration_again_and_another_one_another() -> None:
    assert vary("llama", 1) == vary("llama", 1) != vary("llama", 2)
