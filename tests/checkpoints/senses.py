"""Tiny seeded models of ``transformers`` that read pictures or sound, saved as the library saves them.

benchmarks.architectures prints how each opens; test_senses.py asserts it.
"""

import io
import json
import wave
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from numpy.typing import NDArray

import model
from model.interventions import AttentionKind
from tests.checkpoints.architectures import KINDS, tokenizer

_SIZE = 48
_IDS: dict[str, Any] = {"vocab_size": _SIZE, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
_VIT: dict[str, Any] = {
    "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24,
    "image_size": [24, 40], "patch_size": 8,
}  # fmt: skip
_SWIN: dict[str, Any] = {
    "image_size": [24, 40], "patch_size": 2, "embed_dim": 8, "depths": [2, 1], "num_heads": [2, 4], "window_size": 3,
}  # fmt: skip
_BART: dict[str, Any] = _IDS | {  # at least as many layers in the encoder, which the library's cache counts
    "d_model": 16, "encoder_layers": 3, "decoder_layers": 3, "encoder_attention_heads": 2, "decoder_attention_heads": 4,
    "encoder_ffn_dim": 24, "decoder_ffn_dim": 28, "max_position_embeddings": 64, "decoder_start_token_id": 2,
}  # fmt: skip
_TROCR: dict[str, Any] = _IDS | {
    "d_model": 24, "decoder_layers": 3, "decoder_attention_heads": 4, "decoder_ffn_dim": 28,
    "max_position_embeddings": 64,
}  # fmt: skip
_BERT: dict[str, Any] = _IDS | {
    "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24,
    "max_position_embeddings": 64,
}  # fmt: skip
_GPT2: dict[str, Any] = _IDS | {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 64}
_SPEECH: dict[str, Any] = _BART | {"max_target_positions": 40}
TARGET = torch.tensor([[2, 11, 12, 13, 4]])


@dataclass(frozen=True)
class Sense:
    """One model: its parts as class and fields, and its processor's file."""

    encoder: tuple[str, dict[str, Any]] | None
    decoder: tuple[str, dict[str, Any]]
    """Of sound, the whole model."""
    processor: dict[str, Any]
    kinds: tuple[AttentionKind, ...] = KINDS["both"]

    @property
    def reads(self) -> str:
        """What it reads."""
        return "sound" if self.encoder is None else "picture"


def _pictures(name: str, size: Any = None, **more: Any) -> dict[str, Any]:
    return {
        "do_normalize": True, "do_resize": True, "image_mean": [0.4, 0.5, 0.6], "image_std": [0.5, 0.4, 0.3],
        "image_processor_type": name, "resample": 2, "size": size or {"height": 24, "width": 40},
    } | more  # fmt: skip


_VIT_PROCESSOR = _pictures("ViTImageProcessor")
_DONUT = _pictures("DonutImageProcessor", [40, 24], do_thumbnail=True, do_pad=True, do_align_long_axis=False)
SENSES: dict[str, Sense] = {
    "trocr": Sense(("ViTConfig", _VIT | {"qkv_bias": False}),
                   ("TrOCRConfig", _TROCR | {"cross_attention_hidden_size": 16}), _VIT_PROCESSOR),
    "trocr, small": Sense(
        ("DeiTConfig", _VIT),
        ("TrOCRConfig", _TROCR | {"use_learned_position_embeddings": False, "scale_embedding": True,
                                  "cross_attention_hidden_size": 16}),
        _pictures("DeiTImageProcessor", do_center_crop=False)),
    "trocr, BEiT": Sense(("BeitConfig", _VIT | {"use_relative_position_bias": True, "image_size": 24}),
                         ("TrOCRConfig", _TROCR | {"cross_attention_hidden_size": 16}),
                         _pictures("BeitImageProcessor", {"height": 24, "width": 24}, do_center_crop=False)),
    "donut": Sense(("DonutSwinConfig", _SWIN), ("MBartConfig", _BART), _DONUT, ("decoder_self", "cross")),
    "swin to BERT": Sense(("SwinConfig", _SWIN), ("BertConfig", _BERT), _VIT_PROCESSOR, ("decoder_self", "cross")),
    "vit to GPT-2": Sense(("ViTConfig", _VIT), ("GPT2Config", _GPT2), _VIT_PROCESSOR),
    "vit to RoBERTa": Sense(("ViTConfig", _VIT), ("RobertaConfig", _BERT), _VIT_PROCESSOR),
    "whisper": Sense(
        None, ("WhisperConfig", _SPEECH | {"max_source_positions": 50, "num_mel_bins": 20}),
        {"feature_extractor_type": "WhisperFeatureExtractor", "feature_size": 20, "chunk_length": 1,
         "sampling_rate": 16000, "hop_length": 160, "n_fft": 400, "padding_value": 0.0}),
    "speech_to_text": Sense(
        None, ("Speech2TextConfig", _SPEECH | {"max_source_positions": 300, "input_feat_per_channel": 20,
                                               "conv_channels": 32, "conv_kernel_sizes": [5, 5]}),
        {"feature_extractor_type": "Speech2TextFeatureExtractor", "feature_size": 20, "num_mel_bins": 20,
         "sampling_rate": 16000, "padding_value": 0.0, "do_ceptral_normalize": True}),
}  # fmt: skip
"""Under the names of their rows in the table of architectures."""
_CLASSES = {"WhisperConfig": "WhisperForConditionalGeneration",
            "Speech2TextConfig": "Speech2TextForConditionalGeneration"}  # fmt: skip


def save(sense: Sense, folder: Path) -> Any:
    """A saved model whose every number is random, and the library's own reading of the folder."""
    torch.manual_seed(1)
    decoder = getattr(transformers, sense.decoder[0])(**sense.decoder[1])
    if sense.encoder is None:
        network_class = getattr(transformers, _CLASSES[sense.decoder[0]])
        config = decoder
    else:
        network_class = transformers.VisionEncoderDecoderModel
        encoder = getattr(transformers, sense.encoder[0])(**sense.encoder[1])
        config = transformers.VisionEncoderDecoderConfig.from_encoder_decoder_configs(encoder, decoder)
        config.decoder_start_token_id, config.pad_token_id, config.eos_token_id = 2, 1, 2
    network = network_class(config=config).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)
    network.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    (folder / "preprocessor_config.json").write_text(json.dumps(sense.processor))
    if not sense.decoder[1].get("use_learned_position_embeddings", True):
        network.set_attn_implementation("eager")
        return network  # transformers 5.23 leaves TrOCR's sinusoids without numbers when it reads a folder
    return network_class.from_pretrained(folder, attn_implementation="eager").eval()


def picture(seed: int = 0, size: tuple[int, int] = (50, 90)) -> NDArray[np.uint8]:
    """Colours (H, W, 3) that change slowly, and a few sharp lines."""
    rng = np.random.default_rng(seed)
    ys, xs = np.mgrid[: size[0], : size[1]]
    waves = [127 + 120 * np.sin(xs / rng.uniform(5, 30) + ys / rng.uniform(5, 30)) for _ in range(3)]
    made = np.stack(waves, -1).astype(np.uint8)
    made[rng.integers(0, size[0], 4)] = 255
    return made


def sound(seed: int = 0, seconds: float = 0.7) -> NDArray[np.int16]:
    """A tone that rises, with noise, at 16 kHz."""
    rng = np.random.default_rng(seed)
    time = np.arange(int(16_000 * seconds)) / 16_000
    tone = np.sin(2 * np.pi * (200 + 900 * time + 100 * seed) * time)
    return (9000 * tone + 800 * rng.standard_normal(len(time))).astype(np.int16)


def wav_file(samples: NDArray[np.int16], *, rate: int = 16_000, n_channels: int = 1) -> bytes:
    """A WAV that Python's own library writes."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(n_channels)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes(np.repeat(samples, n_channels).tobytes())
    return file.getvalue()


def raw_input(sense: Sense) -> NDArray[Any]:
    """What its tests show it or play to it."""
    return picture() if sense.reads == "picture" else sound()


def source(sense: Sense, seed: int = 0, seconds: float = 0.7) -> Any:
    """The same for ours, or another."""
    if sense.reads == "picture":
        return model.Picture.of(picture(seed))
    return model.Sound.of(wav_file(sound(seed, seconds)))


def made_by_the_library(folder: Path, sense: Sense, raw: NDArray[Any]) -> dict[str, torch.Tensor]:
    """The encoder's input from the library's own processor."""
    if sense.reads == "picture":
        processor: Any = transformers.AutoImageProcessor.from_pretrained(folder)
        return {"pixel_values": processor(images=raw, return_tensors="pt")["pixel_values"]}
    extractor: Any = transformers.AutoFeatureExtractor.from_pretrained(folder)
    made = extractor(raw.astype(np.float32) / 32768, sampling_rate=16_000, return_tensors="pt")
    return {"input_features": made["input_features"]}


def run_original(original: Any, sense: Sense, inputs: dict[str, torch.Tensor]) -> dict[str, NDArray[np.float32]]:
    """What the library returns: the attention (1, L, H, Q, S) of each kind that can be shown, and the logits."""
    with torch.inference_mode():
        network = original(**inputs, decoder_input_ids=TARGET, output_attentions=True, use_cache=False)
    parts = {"encoder_self": network.encoder_attentions, "decoder_self": network.decoder_attentions,
             "cross": network.cross_attentions}  # fmt: skip
    stacked = {kind: torch.stack(parts[kind], 1).numpy() for kind in sense.kinds}
    return stacked | {"logits": network.logits.numpy()}
