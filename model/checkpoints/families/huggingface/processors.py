"""The processors of the ``transformers`` library, from the settings in a folder: pictures to pixels of the size that a
model reads, sounds to spectrograms. Only the fields listed here reach the library."""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from model.checkpoints.basis.errors import CheckpointError, LimitError, UnshownError
from model.checkpoints.formats.source import read_json

FILE, TOGETHER = "preprocessor_config.json", "processor_config.json"
_PICTURES = {
    "ViTImageProcessor": "vit", "DeiTImageProcessor": "deit", "BeitImageProcessor": "beit",
    "DonutImageProcessor": "donut",
}  # fmt: skip
_OF_ENCODER = {
    "vit": "ViTImageProcessor", "deit": "DeiTImageProcessor", "beit": "BeitImageProcessor",
    "swin": "ViTImageProcessor", "donut-swin": "DonutImageProcessor",
}  # fmt: skip
_SOUNDS = {"whisper": "WhisperFeatureExtractor", "speech_to_text": "Speech2TextFeatureExtractor"}
_FLAGS = ("do_resize", "do_center_crop", "do_rescale", "do_normalize", "do_pad", "do_thumbnail", "do_align_long_axis",
          "do_convert_rgb", "do_ceptral_normalize", "normalize_means", "normalize_vars")  # fmt: skip
_NUMBERS = {"rescale_factor": 1000.0, "padding_value": 1e6}
_COUNTS = {"resample": 5, "sampling_rate": 48_000, "hop_length": 4096, "chunk_length": 30, "n_fft": 4096,
           "feature_size": 512, "num_mel_bins": 512}  # fmt: skip
_MOST_SIDE, _MOST_PIXELS = 4096, 8 << 20


def picture_processor(folder: Path, encoder: Mapping[str, Any]) -> tuple[Any, dict[str, Any], bool]:
    """The library's image processor, its settings, and whether these are defaults because the folder has no file.

    Args:
        encoder: the configuration of the encoder.

    Raises:
        CheckpointError: when the settings are of a kind that is not supported, or contradict the model's.
    """
    settings = _settings(folder, "image_processor")
    kind = str(encoder.get("model_type"))
    size = _pair(encoder.get("image_size", 224))
    usual = {"size": {"height": size[0], "width": size[1]}} if settings is None else {}
    name = _name(settings or {}, "image_processor_type", _OF_ENCODER.get(kind, ""))
    if name not in _PICTURES:
        raise UnshownError(f"{FILE} names {name[:60]!r}: supported are {', '.join(_PICTURES)}")
    described = _check_settings(settings or {}) | usual
    module = importlib.import_module(f"transformers.models.{_PICTURES[name]}.image_processing_pil_{_PICTURES[name]}")
    built = _build_processor(getattr(module, f"{name}Pil"), described, folder)
    return built, described | {"image_processor_type": name}, settings is None


def sound_processor(folder: Path, kind: str) -> tuple[Any, dict[str, Any], bool]:
    """The same for sounds.

    Raises:
        CheckpointError: as ``picture_processor``.
    """
    settings = _settings(folder, "feature_extractor")
    name = _name(settings or {}, "feature_extractor_type", _SOUNDS[kind])
    if name != _SOUNDS[kind]:
        raise UnshownError(f"{FILE} names {name[:60]!r}: a {kind} model reads with {_SOUNDS[kind]}")
    described = _check_settings(settings or {})
    import transformers

    built = _build_processor(getattr(transformers, name), described, folder)
    return built, described | {"feature_extractor_type": name}, settings is None


def _settings(folder: Path, part: str) -> dict[str, Any] | None:
    """The settings in the folder: a separate file, or a part of the processor's file."""
    for name in (TOGETHER, FILE):
        if (folder / name).is_file():
            settings = read_json(folder / name)
            found = settings.get(part, settings if name == FILE else None) if isinstance(settings, dict) else None
            if isinstance(found, dict):
                return found
    return None


def _name(settings: Mapping[str, Any], field: str, usual: str) -> str:
    """The class that the settings name; files of older versions name it under another field, or not at all."""
    named = (
        settings.get(field) or settings.get("feature_extractor_type") or settings.get("image_processor_type") or usual
    )
    name = str(named).removesuffix("Fast")
    return name.replace("FeatureExtractor", "ImageProcessor") if field == "image_processor_type" else name


def _check_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that change the computation, each checked against its limits; noise (``dither``) is never added."""
    checked: dict[str, Any] = {name: settings[name] for name in _FLAGS if isinstance(settings.get(name), bool)}
    for name, most in _NUMBERS.items():
        if isinstance(value := settings.get(name), int | float) and abs(value) <= most:
            checked[name] = value
    for name, most in _COUNTS.items():
        value = settings.get(name)
        if value is not None and (type(value) is not int or not 0 <= value <= most):
            raise LimitError(f"{name} ({value!r:.40}) in {FILE} must be a whole number, at most {most:,}")
        if value is not None:
            checked[name] = value
    for name in ("image_mean", "image_std"):
        value = settings.get(name)
        if isinstance(value, list) and 1 <= len(value) <= 3 and all(isinstance(each, int | float) for each in value):
            if name == "image_std" and not all(value):
                raise CheckpointError(f"image_std in {FILE} must not be 0")
            checked[name] = value
    for name in ("size", "crop_size"):
        if (value := settings.get(name)) is not None:
            checked[name] = _size(name, value)
    return checked


def _size(name: str, value: Any) -> dict[str, int]:
    if isinstance(value, int):
        value = {"height": value, "width": value}
    if isinstance(value, list | tuple) and len(value) == 2:  # width and height, as Donut's first files have them
        value = {"height": value[1], "width": value[0]}
    is_sound = isinstance(value, dict) and all(
        key in ("height", "width", "shortest_edge", "longest_edge") and type(side) is int and 1 <= side <= _MOST_SIDE
        for key, side in cast("dict[str, Any]", value).items() if side is not None
    )  # fmt: skip
    if not is_sound:
        raise LimitError(f"{name} ({value!r:.60}) in {FILE} must have a height and a width of at most {_MOST_SIDE}")
    sides = {key: side for key, side in cast("dict[str, Any]", value).items() if side is not None}
    if sides.get("height", 1) * sides.get("width", 1) > _MOST_PIXELS:
        raise LimitError(f"{name} ({value!r:.60}) in {FILE} has more than {_MOST_PIXELS:,} pixels")
    return sides


def _pair(value: Any) -> tuple[int, int]:
    first, second = value if isinstance(value, list | tuple) else (value, value)
    return int(first), int(second)


def _build_processor(processor: Any, described: dict[str, Any], folder: Path) -> Any:
    try:
        return processor(**described)
    except Exception as error:  # the library may raise anything for settings of wrong numbers
        raise CheckpointError(
            f"transformers cannot build the processor of {folder.name} ({str(error)[:160]}): check its {FILE}"
        ) from error
