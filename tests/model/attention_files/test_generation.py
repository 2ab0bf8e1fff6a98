"""Outputs of ``generate`` with beam search or batches: the rows of the chosen sequence, or an error that asks which."""

from typing import Any

import numpy as np
import pytest
import torch
import transformers

from model.attention_files import RecordError
from model.attention_files.outputs import from_outputs

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
    found = generate(network, num_beams=3, num_return_sequences=n_returned, output_scores=True)
    chosen = batch * n_returned + n_returned - 1
    tokens = [str(i) for i in found.sequences[chosen].tolist()]
    source = [str(i) for i in SOURCE[batch].tolist()]
    record = from_outputs(found, source_tokens=source, target_tokens=tokens, batch=chosen)
    length = int((found.beam_indices[chosen] >= 0).sum())
    with torch.no_grad():
        whole = network(
            input_ids=SOURCE[batch : batch + 1], decoder_input_ids=found.sequences[chosen : chosen + 1, :length],
            output_attentions=True,
        )  # fmt: skip
    for name, kind in (("encoder", "encoder_self"), ("decoder", "decoder_self"), ("cross", "cross")):
        expected = torch.stack(getattr(whole, f"{name}_attentions"), 1)[0]
        ours = record.maps.of(kind)  # type: ignore[arg-type]
        assert ours is not None
        np.testing.assert_allclose(ours, expected, atol=1e-5, err_msg=kind)
    assert record.prefix_tokens == tuple(tokens[:length])


def test_which_sentence_is_asked_for_where_there_are_several(network: Any) -> None:
    with pytest.raises(RecordError, match="2 sequences were generated: choose one, batch=0 to batch=1"):
        from_outputs(generate(network, num_beams=2, output_scores=True))
    with pytest.raises(RecordError, match="holds 2 sentences: choose one, batch=0 to batch=1"):
        from_outputs(generate(network, num_beams=1))
    with pytest.raises(RecordError, match="there is no sequence 5: 2 were generated"):
        from_outputs(generate(network, num_beams=2, output_scores=True), batch=5)


def test_a_beam_search_that_does_not_say_its_rows_is_refused(network: Any) -> None:
    found = dict(generate(network, num_beams=2, output_scores=True))
    del found["beam_indices"]
    with pytest.raises(RecordError, match="output_scores=True"):
        from_outputs(found, batch=0)
