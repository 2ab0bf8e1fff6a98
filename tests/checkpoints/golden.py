"""Writes the golden files of ``tests/reference/checkpoints`` in each family's own layout."""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from numpy.typing import NDArray

FOLDER = Path(__file__).resolve().parents[1] / "reference" / "checkpoints"


@dataclass(frozen=True, slots=True)
class Golden:
    """Small weights, and what the original implementation computed from them."""

    name: str
    tensors: dict[str, torch.Tensor]
    settings: dict[str, Any]
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    encoder_self: NDArray[np.float32]
    decoder_self: NDArray[np.float32]
    cross: NDArray[np.float32]
    logits: NDArray[np.float32]

    @property
    def family(self) -> str:
        """The family's name."""
        return self.name.partition("-")[0]

    @property
    def hints(self) -> dict[str, Any]:
        """The answers to what the file itself does not state."""
        return {name: self.settings[name] for name in ("n_heads", "activation", "original_positions")
                if name in self.settings}  # fmt: skip

    def write(self, folder: Path) -> Path:
        """Write the checkpoint as its original system would, and return the path to open."""
        if self.family == "joeynmt":
            saved = {"model_state": self.tensors, "optimizer_state": {}, "stats_state": {"steps": 9}}
            torch.save(saved, folder / "best.ckpt")
            (folder / "config.yaml").write_text(yaml.safe_dump(self.settings))
            for side, embedding in (("src", "src_embed"), ("trg", "trg_embed")):
                n_words = len(self.tensors[f"{embedding}.lut.weight"]) - 4
                words = ["<unk>", "<pad>", "<s>", "</s>", *(f"{side}{i}" for i in range(n_words))]
                (folder / f"{side}_vocab.txt").write_text("\n".join(words) + "\n")
            return folder
        if self.family == "marian":
            arrays: dict[str, Any] = {name: tensor.numpy() for name, tensor in self.tensors.items()}
            np.savez(folder / "opus.npz", **arrays)
            return folder / "opus.npz"
        name, content = self._saved()
        torch.save(content, folder / name)
        return folder / name

    def _saved(self) -> tuple[str, dict[str, Any]]:
        """The name and the content of the file that ``torch.save`` writes."""
        settings = argparse.Namespace(**self.settings)
        if self.family == "jadore":
            return "model.chkpt", {"epoch": 3, "settings": settings, "model": self.tensors}
        if self.family == "hkproj":
            state = {"epoch": 7, "model_state_dict": self.tensors, "optimizer_state_dict": {}, "global_step": 9}
            return "tmodel_07.pt", state
        if self.family == "fairseq":
            old = {"args": settings, "model": self.tensors, "extra_state": {"epoch": 3}}
            new = {"args": None, "cfg": {"_name": None, "model": settings, "task": {"source_lang": "en"}}}
            return "checkpoint_best.pt", old if self.name.endswith("post") else old | new
        if self.family == "opennmt":
            parts: dict[str, dict[str, torch.Tensor]] = {"model": {}, "generator": {}}
            for name, tensor in self.tensors.items():
                part = "generator" if name.startswith("generator.") else "model"
                parts[part][name.removeprefix("generator.")] = tensor
            vocabulary = {side: ["<unk>", "<blank>", "<s>", "</s>", *(f"{side}{i}" for i in range(len(self.tensors[
                f"{stack}.embeddings.make_embedding.emb_luts.0.weight"]) - 4))] for side, stack in (
                ("src", "encoder"), ("tgt", "decoder"))}  # fmt: skip
            return "model_step_900.pt", {**parts, "vocab": vocabulary, "opt": settings, "optim": {}}
        return "translation.params" if self.family == "d2l" else "weights.pt", self.tensors


def names() -> list[str]:
    """Every golden file."""
    return sorted(path.stem for path in FOLDER.glob("*.npz"))


def read(name: str) -> Golden:
    """One golden file."""
    with np.load(FOLDER / f"{name}.npz", allow_pickle=False) as stored:
        tensors = {
            key.removeprefix("tensor/"): torch.from_numpy(stored[key].copy()) for key in stored.files if "/" in key
        }
        kinds = {kind: stored[kind] for kind in ("encoder_self", "decoder_self", "cross", "logits", "source", "target")}
        return Golden(name=name, tensors=tensors, settings=json.loads(str(stored["settings"])), **kinds)
