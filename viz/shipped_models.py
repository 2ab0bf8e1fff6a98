"""Describes the shipped models from their configurations, without loading their weights."""

import json
from dataclasses import dataclass
from functools import lru_cache

from model.checkpoints.loading import PRETRAINED

_ORDER = ("en-fr", "en-de", "en-zh", "tiny-decoder", "reader")


@dataclass(frozen=True, slots=True)
class ShippedModel:
    """One model of ``pretrained/``."""

    name: str
    source_language: str | None
    target_language: str | None
    n_encoder_layers: int
    n_decoder_layers: int
    n_heads: int
    reads_pictures: bool

    @property
    def is_single_stack(self) -> bool:
        """Whether it has one stack."""
        return not (self.n_encoder_layers and self.n_decoder_layers)


@lru_cache(maxsize=1)
def shipped_models() -> dict[str, ShippedModel]:
    """All shipped models by name; the one that the application starts with comes first. The disk is read once."""
    paths = {path.parent.name: path for path in PRETRAINED.glob("*/config.json")}
    names = [name for name in dict.fromkeys((*_ORDER, *sorted(paths))) if name in paths]
    every = (_parse(name, paths[name].read_text("utf-8")) for name in names)
    return {each.name: each for each in every}


def shipped_for(language: str) -> str:
    """The name of the first shipped model that translates into a language; empty if none does."""
    return next((each.name for each in shipped_models().values() if each.target_language == language), "")


def _parse(name: str, text: str) -> ShippedModel:
    described = json.loads(text)
    languages, shape = described["languages"], described["transformer"]
    return ShippedModel(
        name, languages["source"], languages["target"],
        shape["n_encoder_layers"], shape["n_decoder_layers"], shape["n_decoder_heads"],
        shape.get("picture") is not None,
    )  # fmt: skip
