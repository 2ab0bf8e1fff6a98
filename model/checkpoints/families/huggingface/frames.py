"""Sounds in frames, as Whisper and Speech2Text read them: strips of a spectrogram."""

from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.families.huggingface.processors import FILE, sound_processor
from model.errors import TextError
from model.grid_source import Drawn
from model.picture import Picture
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
