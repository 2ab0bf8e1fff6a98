"""``viz.show`` accepts outputs of ``transformers`` models, here with random weights."""

from typing import Any

import pytest
import torch

from model.attention_files import AttentionRecord, RecordError
from viz.export import record_of

transformers = pytest.importorskip("transformers", reason="Hugging Face models are an optional extra")
SMALL = {"attn_implementation": "eager"}


def rows_sum_to_one(record: AttentionRecord) -> bool:
    weights = [record.maps.of(kind) for kind in record.maps.kinds]
    return all(bool((abs(w.sum(-1) - 1) < 1e-4).all()) for w in weights if w is not None)


@pytest.fixture(scope="module")
def marian() -> Any:
    torch.manual_seed(0)
    config = transformers.MarianConfig(
        vocab_size=30, d_model=16, encoder_layers=2, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=4, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=32,
        pad_token_id=29, eos_token_id=28, decoder_start_token_id=29, forced_eos_token_id=None, **SMALL,
    )  # fmt: skip
    return transformers.MarianMTModel(config).eval()


def test_a_reader_gives_encoder_attention() -> None:
    config = transformers.BertConfig(
        vocab_size=30, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=16, **SMALL
    )
    outputs = transformers.BertModel(config).eval()(torch.tensor([[1, 2, 3]]), output_attentions=True)
    record = record_of(outputs, source_tokens=["[CLS]", "a", "[SEP]"])
    assert record.maps.kinds == ("encoder_self",)
    assert record.maps.encoder_self is not None and record.maps.encoder_self.shape == (2, 2, 3, 3)
    assert rows_sum_to_one(record)
    assert record_of(outputs.attentions, source_tokens="abc").maps.kinds == ("encoder_self",)


def test_a_language_model_gives_causal_attention() -> None:
    config = transformers.GPT2Config(vocab_size=30, n_embd=16, n_layer=2, n_head=2, n_positions=16, **SMALL)
    outputs = transformers.GPT2LMHeadModel(config).eval()(torch.tensor([[1, 2, 3]]), output_attentions=True)
    record = record_of(outputs, source_tokens="abc")
    assert (record.maps.kinds, record.is_causal, record.target_tokens) == (("decoder_self",), True, ("a", "b", "c"))
    assert rows_sum_to_one(record)


def test_a_translation_model_gives_all_three(marian: Any) -> None:
    fed = torch.tensor([[29, 5]])
    outputs = marian(torch.tensor([[1, 2, 3]]), decoder_input_ids=fed, output_attentions=True)
    record = record_of(outputs, source_tokens="abc", target_tokens=("<s>", "x"))
    shapes = [weights.shape for weights in map(record.maps.of, record.maps.kinds) if weights is not None]
    assert shapes == [(2, 2, 3, 3), (1, 4, 2, 2), (1, 4, 2, 3)]
    assert rows_sum_to_one(record) and record.is_causal


def test_generation_gives_the_same_weights_as_reading_its_result_again(marian: Any) -> None:
    source = torch.tensor([[1, 2, 3]])
    outputs = marian.generate(
        source, output_attentions=True, return_dict_in_generate=True, num_beams=1, max_new_tokens=4, do_sample=False
    )
    tokens = [f"#{token}" for token in outputs.sequences[0].tolist()]
    record = record_of(outputs, source_tokens="abc", target_tokens=tokens)
    assert record.prefix_tokens == tuple(tokens[:-1]) and record.target_tokens == tuple(tokens[1:])
    forced_outputs = marian(source, decoder_input_ids=outputs.sequences[:, :-1], output_attentions=True)
    forced_record = record_of(forced_outputs, source_tokens="abc", target_tokens=tokens[:-1])
    assert record.maps.cross == pytest.approx(forced_record.maps.cross, abs=1e-5)
    assert record.maps.decoder_self == pytest.approx(forced_record.maps.decoder_self, abs=1e-5)
    assert rows_sum_to_one(record)


def test_an_output_without_attention_says_how_to_get_it() -> None:
    config = transformers.BertConfig(
        vocab_size=30, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    outputs = transformers.BertModel(config).eval()(torch.tensor([[1, 2]]))
    with pytest.raises(RecordError, match="output_attentions=True"):
        record_of(outputs, source_tokens="ab")
