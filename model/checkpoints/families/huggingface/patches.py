"""Pictures in patches, as the encoders of ``VisionEncoderDecoderModel`` read them."""

from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.families.huggingface.processors import FILE, picture_processor
from model.config import GREY_LEVELS
from model.errors import TextError
from model.grid_source import Drawn
from model.picture import Picture, is_picture
from model.trace import TokenSequence

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
        wanted = encoder.image_size if isinstance(encoder.image_size, list | tuple) else (encoder.image_size,) * 2
        if is_fixed and tuple(wanted) != (self.height, self.width):
            raise CheckpointError(
                f"{FILE} makes pictures of {self.height} × {self.width} pixels and the encoder reads "
                f"{wanted[0]} × {wanted[1]}: give the settings that were saved with these weights"
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
