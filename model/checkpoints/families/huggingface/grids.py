"""Sources that are no text: sounds in frames (Whisper, Speech2Text), pictures in patches (VisionEncoderDecoder)."""

from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.families.huggingface.processors import FILE, picture_processor, sound_processor
from model.config import GREY_LEVELS
from model.errors import TextError
from model.grid_source import Drawn
from model.picture import Picture, is_picture
from model.sound import Sound, is_sound
from model.trace import TokenSequence

_SILENCE = 1 << 15
"""The id of a sample of 0: ids count from 0."""
_WINDOW, _HOP = 400, 160
"""Samples of a window of Speech2Text, and from one to the next."""


class Frames:
    """A sound in frames of equal length.

    Raises:
        CheckpointError: when the processor makes spectrograms that the encoder does not read.
    """

    reads: Literal["picture", "sound"] = "sound"
    pad = 1 << 16

    def __init__(self, folder: Path, config: Any) -> None:
        """
        Args:
            folder: with the settings of the processor.
            config: of the model.
        """
        self._kind = config.model_type
        self._processor, self.settings, self.has_default_settings = sound_processor(folder, self._kind)
        self.rate = int(self._processor.sampling_rate)
        n_bands = config.num_mel_bins if self._kind == "whisper" else config.input_feat_per_channel
        n_values = self._processor.feature_size
        if n_values != n_bands:
            raise CheckpointError(f"{FILE} makes {n_values} bands of tone and the encoder reads {n_bands}: give the "
                                  "settings that were saved with these weights")  # fmt: skip
        if self._kind == "whisper":
            n_tokens = int(config.max_source_positions)
            self._fixed: int | None = n_tokens
            self._step = self._processor.n_samples // n_tokens
            self.n_values = self._step
            if 2 * n_tokens != self._processor.nb_max_frames or self._step * n_tokens != self._processor.n_samples:
                raise CheckpointError(
                    f"{FILE} makes {self._processor.nb_max_frames} strips and the encoder reads {2 * n_tokens}: "
                    "give the settings that were saved with these weights"
                )
            self._most = self._processor.n_samples
        else:
            self._fixed = None
            strips = 2**config.num_conv_layers
            self._step = _HOP * strips
            self.n_values = self._step + _WINDOW - _HOP
            self._most = self._step * config.max_source_positions
        """``_step``: samples from one token's first to the next one's, of which each has ``n_values``."""

    def tokens(self, source: Any) -> tuple[TokenSequence, str]:
        """See ``GridSource``."""
        sound = self._read(source)
        samples = sound.samples.astype(np.int64) + _SILENCE
        n = self._fixed or self._n_frames(len(samples))
        padded = np.full(self._step * (n - 1) + self.n_values, _SILENCE if self._fixed else self.pad, np.int64)
        padded[: len(samples)] = samples[: len(padded)]
        cut = np.lib.stride_tricks.sliding_window_view(padded, self.n_values)[:: self._step]
        seconds = tuple(f"{index * self._step / self.rate:.2f} s" for index in range(n))
        ids = cast("tuple[int, ...]", tuple(map(tuple, cut.tolist())))
        return TokenSequence(ids, seconds, tuple(range(n)), (None,) * n), sound.text

    def _n_frames(self, n_samples: int) -> int:
        """Tokens of Speech2Text: windows that lie within the sound, four to a token."""
        n_windows = 1 + (n_samples - _WINDOW) // _HOP
        return -(-n_windows // (self._step // _HOP))

    def _read(self, source: Any) -> Sound:
        if not isinstance(source, Sound):
            if not isinstance(source, str) or not is_sound(source):
                raise TextError("this model reads sound: give model.Sound.open(path), or drop a WAV")
            source = Sound.of_text(source)
        sound = source.at(self.rate)
        if len(sound.samples) > self._most:
            raise TextError(
                f"the sound lasts {sound.seconds:.1f} s and this model reads {self._most / self.rate:g} s: cut it"
            )
        if self._fixed is None:
            if len(sound.samples) < _WINDOW:
                raise TextError(f"the sound lasts {1000 * sound.seconds:.0f} ms: give one of at least 25 ms")
            if len(np.unique(sound.samples)) == 1:
                raise TextError("the sound is silent: record something, or give another file")
            n_windows = 1 + (len(sound.samples) - _WINDOW) // _HOP  # what no window reaches is left out
            sound = Sound(sound.samples[: _WINDOW + _HOP * (n_windows - 1)], self.rate)
        return sound

    def inputs(self, source_ids: Tensor) -> dict[str, Tensor]:
        """See ``GridSource``."""
        made = [self._features(row) for row in source_ids.cpu().numpy()]
        return {"input_features": torch.from_numpy(np.stack(made)).to(source_ids.device, torch.float32)}

    def _features(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """The spectrogram of S tokens (S, P) as the encoder takes it."""
        whole = np.concatenate((ids[:-1, : self._step].ravel(), ids[-1]))
        samples = (whole[whole != self.pad] - _SILENCE).astype(np.float32) / 32768
        made = self._processor(samples, sampling_rate=self.rate, return_tensors="np")["input_features"][0]
        return np.asarray(made, np.float32)

    def probe(self, device: Any) -> Tensor:
        """See ``GridSource``."""
        n = self._fixed or 7
        noise = np.random.default_rng(0).integers(-8000, 8000, self._step * (n - 1) + self.n_values).astype(np.int16)
        return torch.tensor([self.tokens(Sound(noise[: self._most], self.rate))[0].ids], device=device)

    def drawn(self, text: str) -> Drawn:
        """See ``GridSource``."""
        tokens, _ = self.tokens(text)
        made = self._features(np.array(tokens.ids))
        bands = made if self._kind == "whisper" else made.T  # (bands, time)
        low, high = np.quantile(bands, (0.02, 0.995))
        levels = np.clip(np.rint(255 * (bands[::-1] - low) / max(1e-6, high - low)), 0, 255).astype(np.uint8)
        return Drawn(Picture(255 - levels), 1, len(tokens))


_SPECIAL = {"vit": ("[CLS]",), "deit": ("[CLS]", "[DIST]"), "beit": ("[CLS]",)}
_STEPS = ("do_resize", "do_center_crop", "do_thumbnail", "do_align_long_axis", "do_pad")
MOST_TOKENS = 5000
"""Patches of a picture: Donut's largest has 4,800."""


class Patches:
    """Pictures of one size, cut into rows × columns of patches.

    Raises:
        CheckpointError: when the processor makes pictures that the encoder does not read.
    """

    reads: Literal["picture", "sound"] = "picture"
    pad = GREY_LEVELS

    def __init__(self, folder: Path, encoder: Any) -> None:
        """
        Args:
            folder: with the settings of the processor.
            encoder: the configuration of the encoder.
        """
        self._processor, self.settings, self.has_default_settings = picture_processor(folder, encoder.to_dict())
        self._as_they_are = {name: False for name in _STEPS if hasattr(self._processor, name)}
        self._before = _SPECIAL.get(encoder.model_type, ())
        probe = self._pixels(np.zeros((64, 48, 3), np.uint8))
        self.height, self.width = probe.shape[:2]
        is_fixed = bool(self._before)
        expected = encoder.image_size if isinstance(encoder.image_size, list | tuple) else (encoder.image_size,) * 2
        if is_fixed and tuple(expected) != (self.height, self.width):
            raise CheckpointError(
                f"{FILE} makes pictures of {self.height} × {self.width} pixels and the encoder reads "
                f"{expected[0]} × {expected[1]}: give the settings that were saved with these weights"
            )
        patch = encoder.patch_size if isinstance(encoder.patch_size, list | tuple) else (encoder.patch_size,) * 2
        merged = 2 ** (len(encoder.depths) - 1) if hasattr(encoder, "depths") else 1
        self._cell = (patch[0] * merged, patch[1] * merged)
        """Pixels of a patch as the encoder's last layer has it, down and across."""
        round_up = (lambda n, side: -(-n // side)) if merged > 1 else (lambda n, side: n // side)
        self.rows, self.columns = round_up(self.height, self._cell[0]), round_up(self.width, self._cell[1])
        if self.rows * self.columns > MOST_TOKENS:
            raise CheckpointError(
                f"pictures of {self.height} × {self.width} pixels have {self.rows * self.columns:,} patches: at most "
                f"{MOST_TOKENS:,} are shown"
            )
        self.n_values = 3 * self._cell[0] * self._cell[1]

    def tokens(self, source: Any) -> tuple[TokenSequence, str]:
        """See ``GridSource``."""
        picture = self._read(source)
        cells = np.zeros((self.rows * self._cell[0], self.columns * self._cell[1], 3), np.uint8)
        cells[: self.height, : self.width] = picture.coloured[: cells.shape[0], : cells.shape[1]]
        cut = cells.reshape(self.rows, self._cell[0], self.columns, self._cell[1], 3).swapaxes(1, 2)
        ids = tuple(map(tuple, cut.reshape(-1, self.n_values).tolist()))
        n_before, n = len(self._before), len(ids)
        nothing = ((0,) * self.n_values,) * n_before
        places = tuple(f"{row + 1}·{column + 1}" for row in range(self.rows) for column in range(self.columns))
        tokens = TokenSequence(
            cast("tuple[int, ...]", (*nothing, *ids)),
            (*self._before, *places), (-1,) * n_before + tuple(range(n)), (None,) * (n_before + n),
        )  # fmt: skip
        return tokens, picture.exact_text

    def _read(self, source: Any) -> Picture:
        if not isinstance(source, Picture):
            if not isinstance(source, str) or not is_picture(source):
                raise TextError("this model reads pictures: give model.Picture.open(path), or drop a PNG or a JPEG")
            source = Picture.of_text(source)
        if source.pixels.shape[:2] == (self.height, self.width):
            return source
        return Picture.of(self._pixels(source.coloured))

    def _pixels(self, coloured: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture after the processor's resizing and before its normalisation, uint8 (H, W, 3)."""
        made = self._processor(images=coloured, input_data_format="channels_last", do_rescale=False,
                               do_normalize=False, return_tensors="np")["pixel_values"][0]  # fmt: skip
        return np.clip(np.rint(made), 0, 255).astype(np.uint8).transpose(1, 2, 0)

    def inputs(self, source_ids: Tensor) -> dict[str, Tensor]:
        """See ``GridSource``."""
        patches = source_ids[:, len(self._before) :].cpu().numpy().astype(np.uint8)
        cut = patches.reshape(-1, self.rows, self.columns, *self._cell, 3).swapaxes(2, 3)
        whole = cut.reshape(len(patches), self.rows * self._cell[0], self.columns * self._cell[1], 3)
        pictures = np.zeros((len(patches), self.height, self.width, 3), np.uint8)
        pictures[:, : whole.shape[1], : whole.shape[2]] = whole[:, : self.height, : self.width]
        made = self._processor(images=list(pictures), input_data_format="channels_last", return_tensors="pt",
                               **self._as_they_are)["pixel_values"]  # fmt: skip
        return {"pixel_values": made.to(source_ids.device, torch.float32)}

    def probe(self, device: Any) -> Tensor:
        """See ``GridSource``."""
        noise = np.random.default_rng(0).integers(0, 256, (self.height, self.width, 3)).astype(np.uint8)
        return torch.tensor([self.tokens(Picture(noise))[0].ids], device=device)

    def drawn(self, text: str) -> Drawn:
        """See ``GridSource``."""
        return Drawn(Picture.of_text(text), self.rows, self.columns, len(self._before))
