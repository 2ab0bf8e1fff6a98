"""The configuration reports what is wrong with it, and a round trip through JSON changes nothing."""

import dataclasses
import json
from typing import Any

import pytest

from model.config import ConfigError, TransformerConfig
from model.layer_spec import AttentionSpec, LayerSpec, Rotary, fields_of_layers
from tests.tiny import heterogeneous_stacks, tiny_config


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"d_model": 510, "n_encoder_heads": 8, "n_decoder_heads": 8},
         "d_model (510) must be divisible by n_encoder_heads (8): try d_model 512, or give d_key"),
        ({"n_decoder_heads": 3}, "d_model (16) must be divisible by n_decoder_heads (3): try d_model 15"),
        ({"d_key": 0}, "d_key (0) must be at least 1"),
        ({"n_encoder_layers": 0, "n_decoder_layers": 0}, "n_encoder_layers (0) must be at least 1"),
        ({"dropout": 1.0}, "dropout (1.0) must lie in [0, 1)"),
        ({"attention_dropout": -0.1}, "attention_dropout (-0.1) must lie in [0, 1)"),
        ({"positions": "rotary"}, "positions (rotary) must be one of interleaved, halves, tensor2tensor,"),
        ({"norm_kind": "batch"}, "norm_kind (batch) must be one of layer, annotated, population, rms"),
        ({"activation": "tanh"}, "activation (tanh) must be one of relu, gelu"),
        ({"norm_epsilon": 0.0}, "norm_epsilon (0.0) must lie in (0, 1]: 1e-5 is usual"),
        ({"d_model": 15, "d_key": 4, "d_value": 4}, "d_model (15) must be even for sinusoidal positions"),
        ({"target_vocab_size": 30}, "tie_embeddings needs one vocabulary, but the source has 20 entries "
         "and the target 30: set tie_embeddings to false"),
        ({"eos_id": 20}, "eos_id (20) must lie in [0, 20), the vocabulary"),
        ({"source_pad_id": -1}, "source_pad_id (-1) must lie in [0, 20), the vocabulary"),
        ({"position_offset": -1}, "position_offset (-1) must not be negative"),
        ({"source_position_order": (1, 64)},
         "source_position_order ((1, 64)) must name rows in [0, 64), max_positions"),
    ],
)  # fmt: skip
def test_wrong_fields_are_refused_with_value_rule_and_remedy(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        tiny_config(**changes)
    assert message in str(caught.value)


def test_json_gives_the_same_configuration_back() -> None:
    config = tiny_config(d_key=5, d_value=7, source_position_order=(1, 2, 0), embedding_scale=1.0)
    assert TransformerConfig.from_mapping(json.loads(config.to_json())) == config


SIZES = {"source_vocab_size": 20, "target_vocab_size": 20}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"source_vocab_size": 20}, "the configuration lacks target_vocab_size"),
        (SIZES | {"d_modell": 16}, "unknown configuration field d_modell: choose from activation, "),
        (SIZES | {"d_model": "16"}, "d_model ('16') has the wrong type: give a whole number"),
        (SIZES | {"d_model": 16.0}, "d_model (16.0) has the wrong type: give a whole number"),
        (SIZES | {"d_model": True}, "d_model (True) has the wrong type: give a whole number"),
        (SIZES | {"d_model": None}, "d_model (None) has the wrong type: give a whole number"),
        (SIZES | {"d_key": [4]}, "d_key ([4]) has the wrong type: give a whole number or null"),
        (SIZES | {"tie_output": 1}, "tie_output (1) has the wrong type: give true or false"),
        (SIZES | {"dropout": "0.1"}, "dropout ('0.1') has the wrong type: give a finite number"),
        (SIZES | {"embedding_scale": float("nan")}, "embedding_scale (nan) has the wrong type"),
        (SIZES | {"output_scale": False}, "output_scale (False) has the wrong type: give a finite number"),
        (SIZES | {"positions": 3}, "positions (3) has the wrong type: give a string"),
        (SIZES | {"target_position_order": "12"}, "give a list of whole numbers or null"),
        (SIZES | {"target_position_order": [1, 2.5]}, "give a list of whole numbers or null"),
    ],
)
def test_a_field_of_the_wrong_json_type_is_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        TransformerConfig.from_mapping(fields)
    assert message in str(caught.value)


def test_every_field_has_a_json_type() -> None:
    default = tiny_config()
    for field in dataclasses.fields(TransformerConfig):
        with pytest.raises(ConfigError, match=field.name):
            TransformerConfig.from_mapping(SIZES | {field.name: {"not": "a value"}})
    assert TransformerConfig.from_mapping(dataclasses.asdict(default)) == default


def test_embeddings_are_scaled_by_the_root_of_the_width_by_default() -> None:
    assert tiny_config().embedding_factor == 4.0
    assert tiny_config(embedding_scale=2.5).embedding_factor == 2.5


@pytest.mark.parametrize("value", [10**400, float("inf"), float("nan"), -1e7])
def test_a_scale_beyond_arithmetic_is_refused(value: float) -> None:
    with pytest.raises(ConfigError, match="must lie within"):
        tiny_config(output_scale=value)


def test_further_end_tokens_are_stored_and_checked():
    config = TransformerConfig(source_vocab_size=9, target_vocab_size=9, more_eos_ids=(5, 7))
    assert config.end_ids == (3, 5, 7)
    assert TransformerConfig.from_mapping(json.loads(config.to_json())) == config
    assert "more_eos_ids" not in dataclasses.replace(config, more_eos_ids=()).to_json()
    with pytest.raises(ConfigError, match="more_eos_ids"):
        dataclasses.replace(config, more_eos_ids=(9,))


def test_kinds_of_layers_are_named_by_their_numbers_from_0() -> None:
    first = LayerSpec(attention=AttentionSpec(n_heads=2, d_key=4, d_value=4), activation="relu", d_feed_forward=16)
    kinds = (first, dataclasses.replace(first, activation="gelu"))
    sizes: dict[str, Any] = SIZES | {
        "d_model": 8, "n_encoder_layers": 3, "n_decoder_layers": 0, "n_encoder_heads": 2, "n_decoder_heads": 2,
        "layer_specs": kinds,
    }  # fmt: skip
    config = TransformerConfig(**sizes, layer_pattern=(0, 1, 0))
    assert [spec.activation for spec in config.layers(encoder=True)] == ["relu", "gelu", "relu"]
    for pattern in ((0, 1, 2), (-1, 0, 1)):
        with pytest.raises(ConfigError, match="from 0 to 1"):
            TransformerConfig(**sizes, layer_pattern=pattern)


def test_layers_of_both_stacks_are_listed_the_encoders_first() -> None:
    config = tiny_config(**heterogeneous_stacks())
    encoder, decoder = (config.layers(encoder=side) for side in (True, False))
    assert [spec.activation for spec in (*encoder, *decoder)] == ["silu", "gelu", "silu", "gelu"]
    assert all(spec.cross is None for spec in encoder) and all(spec.cross is not None for spec in decoder)
    assert TransformerConfig.from_mapping(json.loads(config.to_json())) == config
    for pattern, message in (
        ((0, 1, 3), "give one for each of 4"), ((2, 1, 3, 3), "a layer of the encoder must not have cross-attention"),
        ((0, 1, 3, 1), "a layer of the decoder must have cross-attention"), ((), "of the decoder must have cross"),
    ):  # fmt: skip
        with pytest.raises(ConfigError, match=message):
            dataclasses.replace(config, layer_pattern=pattern)
    with pytest.raises(ConfigError, match="every layer of the decoder must have 4 heads"):
        dataclasses.replace(config, n_decoder_heads=4)


def test_layers_listed_from_the_fields_are_the_same_configuration() -> None:
    plain = tiny_config(encoder_norm_first=False, activation="gelu", d_decoder_feed_forward=24)
    layers = (*plain.layers(encoder=True), *plain.layers(encoder=False))
    listed = dataclasses.replace(plain, **fields_of_layers(layers, is_decoder=False))
    assert listed.layer_pattern == (0, 0, 1, 1)
    assert [listed.layers(encoder=side) for side in (True, False)] == [plain.layers(encoder=s) for s in (True, False)]
    reported = dataclasses.replace(listed, layer_specs=(), layer_pattern=(), d_key=None, d_value=None)
    assert reported == plain, "and the fields say what the layers say"


@pytest.mark.parametrize("changes", [{"rotary": Rotary(width=4)}, {"window": 2}, {"slopes": (0.1, 0.2)},
                                     {"relative": True}])  # fmt: skip
def test_cross_attention_knows_no_positions(changes: dict[str, Any]) -> None:
    attention = AttentionSpec(n_heads=2, d_key=4, d_value=4)
    with pytest.raises(ConfigError, match="must not depend on positions"):
        LayerSpec(attention=attention, cross=dataclasses.replace(attention, **changes), d_feed_forward=8)
    with pytest.raises(ConfigError, match="layers without cross-attention"):
        LayerSpec(attention=attention, cross=attention, d_feed_forward=8, parallel=True)


def test_tables_of_layers_are_as_wide_as_those_of_a_stack() -> None:
    fields = heterogeneous_stacks()
    first, *others = fields["layer_specs"]
    attention = dataclasses.replace(first.attention, relative=True)
    fields["layer_specs"] = (dataclasses.replace(first, attention=attention), *others)
    assert tiny_config(**fields).relative_buckets == 32
    with pytest.raises(ConfigError, match=r"relative_buckets .* must be at least 4"):
        tiny_config(**fields, relative_buckets=2)


def test_a_model_knows_whether_its_attention_sees_distances() -> None:
    assert not tiny_config().sees_distances and not tiny_config(positions="none").sees_distances
    assert tiny_config(positions="relative").sees_distances and tiny_config(**heterogeneous_stacks()).sees_distances


def test_keys_shared_by_heads_divide_them() -> None:
    assert AttentionSpec(n_heads=6, n_key_heads=3, d_key=4, d_value=4).key_heads == 3
    with pytest.raises(ConfigError, match="must divide 6 heads"):
        AttentionSpec(n_heads=6, n_key_heads=4, d_key=4, d_value=4)
