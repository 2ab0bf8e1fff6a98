"""Records: fields that must fit together, and conversion of other libraries' outputs."""

from typing import Any

import numpy as np
import pytest
import torch
import transformers

from model import intervention_text
from model.attention_files import AttentionRecord, RecordError, from_generation, from_tensors
from model.attention_files.outputs import from_outputs
from model.inference.translation import translate
from model.intervention_text import read_changes
from model.interventions import BlockedKey, HeadOff, Interventions
from model.patch import Patch
from model.trace import AttentionMaps
from tests.checkpoint import tiny_bundle
from tests.tiny import random_rows
from viz.notebook import record_of


def test_tokens_of_each_kind_are_those_of_its_axes() -> None:
    record = AttentionRecord(
        maps=AttentionMaps(None, random_rows(1, 1, 2, 2), random_rows(1, 1, 2, 3)),
        source_tokens=("a", "b", "c"), target_tokens=("x", "y"), prefix_tokens=("<s>", "x"),
    )  # fmt: skip
    assert record.tokens("decoder_self") == (("x", "y"), ("<s>", "x"))
    assert record.tokens("cross") == (("x", "y"), ("a", "b", "c"))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"maps": AttentionMaps(None, None, None)}, "no attention"),
        ({"maps": AttentionMaps(random_rows(1, 1, 2, 2), None, None)}, "2 × 2 for 3 query and 3 key"),
        ({"maps": AttentionMaps(np.full((1, 1, 3, 3), np.nan, np.float32), None, None)}, "layer 0, head 0"),
        ({"maps": AttentionMaps(np.full((1, 1, 3, 3), 0.5, np.float32), None, None)}, "sums to 1.5"),
        ({"maps": AttentionMaps(np.full((1, 1, 3, 3), -0.1, np.float32), None, None)}, "after softmax"),
        ({"maps": AttentionMaps(random_rows(1, 0, 3, 3), None, None)}, "is empty"),
        ({"prefix_tokens": ("<s>",)}, "1 prefix_tokens for 0"),
        ({"log_probs": np.zeros(2, np.float32)}, "for 0 target_tokens"),
        ({"source_tokens": ("a", "b", 3)}, "is int"),
        ({"source_tokens": ("a", "b", "c" * 100_001)}, "100,001 characters"),
        ({"source_tokens": ("a",) * 4097}, "4,097 source_tokens"),
    ],
)
def test_incompatible_fields_are_refused(fields: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {
        "maps": AttentionMaps(random_rows(1, 1, 3, 3), None, None),
        "source_tokens": ("a", "b", "c"),
    }
    AttentionRecord(**good)
    with pytest.raises(RecordError, match=message):
        AttentionRecord(**good | fields)


def test_a_gradient_may_be_negative_and_a_norm_may_be_large() -> None:
    tokens = ("a", "b")
    signed = AttentionMaps(np.full((1, 1, 2, 2), -3, np.float32), None, None)
    large = AttentionMaps(np.full((1, 1, 2, 2), 3, np.float32), None, None)
    assert AttentionRecord(maps=signed, source_tokens=tokens, weighting="gradient").maps is signed
    assert AttentionRecord(maps=large, source_tokens=tokens, weighting="value_weighted").maps is large
    with pytest.raises(RecordError, match="cannot be negative"):
        AttentionRecord(maps=signed, source_tokens=tokens, weighting="value_weighted")


def test_layers_of_a_batch_become_one_sentence() -> None:
    whole = random_rows(3, 2, 2, 4, 4)  # (L, B, H, Q, K)
    layers = tuple(torch.tensor(layer).half().requires_grad_() for layer in whole)
    assert from_tensors(layers, batch=1) == pytest.approx(whole[:, 1], abs=1e-3)
    assert from_tensors([layer[0] for layer in whole]) == pytest.approx(whole[:, 0])
    assert from_tensors(torch.tensor(whole[:, 0])) == pytest.approx(whole[:, 0])


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ([None, None], 'attn_implementation="eager"'),
        ([], "output_attentions"),
        ([random_rows(2, 3, 3), random_rows(2, 4, 4)], "differ in shape"),
        ([random_rows(3, 3)], "head, query, key"),
        (random_rows(2, 3, 3), "layer, head, query, key"),
        ([random_rows(1, 2, 3, 3)] * 2, "no sentence 1"),
        (["abc"], "not an array of numbers"),
    ],
)
def test_tensors_of_another_shape_are_refused(layers: Any, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        from_tensors(layers, batch=1)


def test_steps_of_generation_become_one_causal_map() -> None:
    steps = tuple(tuple(random_rows(1, 2, 1, n, seed=10 * n + layer) for layer in range(3)) for n in (1, 2, 3))
    whole = from_generation(steps)
    assert whole.shape == (3, 2, 3, 3)
    assert not np.triu(whole[0, 0], 1).any()
    assert whole[2, 1, 1, :2] == pytest.approx(steps[1][2][0, 1, 0])
    assert whole.sum(-1) == pytest.approx(1)


def test_a_first_step_that_reads_a_prompt_keeps_its_rows() -> None:
    steps = ((random_rows(1, 2, 3, 3),), (random_rows(1, 2, 1, 4),))
    assert from_generation(steps).shape == (1, 2, 4, 4)
    with pytest.raises(RecordError, match="no step"):
        from_generation(())
    with pytest.raises(RecordError, match="layers or heads"):
        from_generation(((random_rows(1, 2, 1, 1),), (random_rows(1, 3, 1, 2),)))


def test_a_record_names_the_interventions() -> None:
    bundle, text = tiny_bundle(), "the cat is sleeping"
    off = Interventions(HeadOff("cross", 1, 0), blocked_keys=BlockedKey("encoder_self", 2))
    trace = translate(bundle, text, interventions=off, prefix=translate(bundle, text).target.ids[:2])
    record = AttentionRecord.of(trace, bundle=bundle, n_forced=2)
    assert record.changes == "off:x.1.0 block:e.2... begin:2"
    with pytest.warns(DeprecationWarning, match="n_forced"):
        assert AttentionRecord.of(trace, bundle=bundle, n_given=2).changes == record.changes
    assert read_changes(record.changes) == (off, 2)
    assert AttentionRecord.of(translate(bundle, text)).changes == ""


def test_a_patch_of_too_many_numbers_is_named_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intervention_text, "_MOST_NUMBERS", 40)
    bundle, text = tiny_bundle(), "the cat is sleeping"
    width = bundle.config.d_model
    wide = Patch("encoder.embedding", value=np.ones((3, width), np.float32), positions=(0, 1, 2))
    record = AttentionRecord.of(translate(bundle, text, interventions=Interventions(patches=wide)))
    assert record.changes == "patch:encoder.embedding@0,1,2=numbers"
    assert read_changes(record.changes) == (Interventions(), 0), "what cannot be read back is left out"


def test_the_padding_of_one_sentence_of_a_batch_is_left_out() -> None:
    weights = torch.zeros(2, 1, 4, 4)
    weights[1, :, :, :2] = 0.5
    tokens = ["a", "b", "<pad>", "<pad>"]
    record = record_of({"attentions": (weights,)}, source_tokens=tokens, batch=1, padding="<pad>")
    assert (record.source_tokens or record.target_tokens) == ("a", "b")
    (kind,) = record.maps.kinds
    np.testing.assert_array_equal(record.maps.of(kind), np.full((1, 1, 2, 2), 0.5, np.float32))
    with pytest.raises(RecordError, match="every token is"):
        record_of({"attentions": (weights,)}, source_tokens=["x"] * 4, batch=1, padding="x")


SOURCE = torch.tensor([[5, 6, 7, 8, 2], [9, 10, 11, 12, 2]])


@pytest.fixture(scope="module")
def network() -> Any:
    torch.manual_seed(3)
    config = transformers.MarianConfig(
        vocab_size=40, d_model=16, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=32, pad_token_id=1,
        eos_token_id=2, decoder_start_token_id=1, forced_eos_token_id=None,
    )  # fmt: skip
    made = transformers.MarianMTModel(config).eval()
    made.set_attn_implementation("eager")
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.4)
    return made


def generate(network: Any, **options: Any) -> Any:
    return network.generate(
        SOURCE, max_new_tokens=7, output_attentions=True, return_dict_in_generate=True, do_sample=False, **options
    )


@pytest.mark.parametrize("n_returned", [1, 2])
@pytest.mark.parametrize("batch", [0, 1])
def test_a_sequence_of_a_beam_search_shows_its_own_rows(network: Any, n_returned: int, batch: int) -> None:
    generated = generate(network, num_beams=3, num_return_sequences=n_returned, output_scores=True)
    chosen = batch * n_returned + n_returned - 1
    tokens = [str(i) for i in generated.sequences[chosen].tolist()]
    source = [str(i) for i in SOURCE[batch].tolist()]
    record = from_outputs(generated, source_tokens=source, target_tokens=tokens, batch=chosen)
    length = int((generated.beam_indices[chosen] >= 0).sum())
    with torch.no_grad():
        whole = network(
            input_ids=SOURCE[batch : batch + 1], decoder_input_ids=generated.sequences[chosen : chosen + 1, :length],
            output_attentions=True,
        )  # fmt: skip
    for name, kind in (("encoder", "encoder_self"), ("decoder", "decoder_self"), ("cross", "cross")):
        expected = torch.stack(getattr(whole, f"{name}_attentions"), 1)[0]
        ours = record.maps.of(kind)  # type: ignore[arg-type]
        assert ours is not None
        np.testing.assert_allclose(ours, expected, atol=1e-5, err_msg=kind)
    assert record.prefix_tokens == tuple(tokens[:length])


def test_several_sentences_need_a_choice(network: Any) -> None:
    with pytest.raises(RecordError, match="2 sequences were generated: choose one, batch=0 to batch=1"):
        from_outputs(generate(network, num_beams=2, output_scores=True))
    with pytest.raises(RecordError, match="holds 2 sentences: choose one, batch=0 to batch=1"):
        from_outputs(generate(network, num_beams=1))
    with pytest.raises(RecordError, match="there is no sequence 5: 2 were generated"):
        from_outputs(generate(network, num_beams=2, output_scores=True), batch=5)


def test_a_beam_search_without_its_rows_is_refused(network: Any) -> None:
    result = dict(generate(network, num_beams=2, output_scores=True))
    del result["beam_indices"]
    with pytest.raises(RecordError, match="output_scores=True"):
        from_outputs(result, batch=0)
