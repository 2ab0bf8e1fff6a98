"""Large and slow files, and the field of a page into which the hostile visitor drops each of them."""

import dataclasses
import io
import json
import os
import random
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import save

import model
from tests.checkpoint import tiny_bundle, zip_folder
from tests.checkpoints import crafts
from tests.session import Session
from tests.tiny import tiny_model

Files = dict[str, bytes]
_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Blow:
    """A file, and the hostile visitor's actions with it."""

    name: str
    make: Callable[[Path], Files]
    do: Callable[[Session, Files], object]


def drop(visitor: Session, files: Files) -> None:
    """Drop it on the Checkpoints page, and look at its attention if it opens."""
    visitor.open("checkpoints", {})
    visitor.upload("checkpoint_files", files)
    if "checkpoint_look" in visitor.widget_ids:
        visitor.press("checkpoint_look")


def give_tokens(visitor: Session, files: Files) -> None:
    """Drop a model without a vocabulary, then the file as its vocabulary."""
    visitor.open("checkpoints", {})
    visitor.upload("checkpoint_files", {"model.pt": without_tokens()})
    visitor.upload("tokens_source_1", files)


def open_attention(visitor: Session, files: Files) -> None:
    """Open it as a file of attention, and look at that."""
    visitor.open("", {})
    visitor.unfold("data")
    visitor.upload("attention_file", files)
    visitor.open("", {})


def fine_tune(visitor: Session, files: Files) -> None:
    """Upload it as pairs to learn from."""
    visitor.open("fine_tune", {"tune.data": "upload"})
    visitor.upload("tune_upload", files)


def paste(visitor: Session, files: Files) -> None:
    """Paste it as pairs to learn from, in full; a browser would cut it."""
    visitor.open("fine_tune", {"tune.data": "paste"})
    visitor.write("tune_paste", next(iter(files.values())).decode())


def survey(visitor: Session, files: Files) -> None:
    """Upload it as pairs of a survey, and start the survey."""
    visitor.open("corpus", {})
    visitor.upload("corpus_pairs", files)
    visitor.press("corpus_start")


def align(visitor: Session, files: Files) -> None:
    """Upload it as gold alignments, and measure."""
    visitor.open("corpus", {"corpus.view": "align"})
    visitor.upload("corpus_gold", files)
    visitor.press("corpus_gold_measure")


def measure(visitor: Session, files: Files) -> None:
    """Upload it as sentences to measure heads on."""
    visitor.open("", {})
    visitor.unfold("measure")
    visitor.upload("corpus_file", files)
    visitor.press("corpus_start")


def ablate(visitor: Session, files: Files) -> None:
    """Paste it as a set of sentences to switch heads off on."""
    visitor.open("decode", {"decode.question": "heads", "decode.scope": "set"})
    visitor.write("ablation_set.fr", next(iter(files.values())).decode())


def craft_files(craft: crafts.Craft, seed: int = 0) -> Callable[[Path], Files]:
    """Files of one of the attack's generators."""

    def make(folder: Path) -> Files:
        path = craft(random.Random(seed), folder)
        if path.is_dir():
            return {f"{path.name}.zip": zip_folder(path)}
        return {path.name: path.read_bytes()}

    return make


def text(content: str, name: str = "pairs.txt") -> Callable[[Path], Files]:
    """A text file."""
    return lambda folder: {name: content.encode()[: 5 * _MIB]}


def many_layers(folder: Path) -> Files:
    """As many layers and heads as fit into five megabytes of 16-bit numbers."""
    layers, width, heads = 100, 32, 32
    stacks = torch.nn.Transformer(width, heads, layers, layers, 32)
    state = {f"core.{name}": tensor.half() for name, tensor in stacks.state_dict().items()}
    state["embed.weight"] = torch.randn(40, width).half()
    return {"deep.safetensors": save(state), "tokenizer.json": _words(36)}


def many_names(folder: Path) -> Files:
    """Twenty thousand tensors with unknown names."""
    state = {f"block_{n}.part_{n % 7}.weight": torch.zeros(2, 2) for n in range(19_000)}
    return {"names.safetensors": save(state)}


def many_words(folder: Path) -> Files:
    """A vocabulary of four hundred thousand words beside embeddings of zeros, in a zip."""
    n = 400_000
    made = tiny_model(1, source_vocab_size=n, target_vocab_size=n, d_model=2, n_encoder_heads=1, n_decoder_heads=1)
    words = model.WordTokenizer([f"{index:x}" for index in range(n)])
    bundle = dataclasses.replace(
        tiny_bundle(), model=made, config=made.config, source_tokenizer=words, target_tokenizer=words
    )
    return {"words.zip": zip_folder(model.save(bundle, folder / "words"), zipfile.ZIP_DEFLATED)}


def many_zeros(folder: Path) -> Files:
    """Weights of zeros, which a zip compresses a hundred times."""
    made = tiny_model(1, d_model=1024, d_feed_forward=16_384, n_encoder_heads=4, n_decoder_heads=4)
    for parameter in made.parameters():
        parameter.data.zero_()
    bundle = dataclasses.replace(tiny_bundle(), model=made, config=made.config)
    place = model.save(bundle, folder / "zeros")
    raw = (place / "model.safetensors").read_bytes()
    noise = os.urandom(len(raw) // 110)
    (place / "model.safetensors").write_bytes(raw[: len(raw) - len(noise)] + noise)
    return {"zeros.zip": zip_folder(place, zipfile.ZIP_DEFLATED)}


def slow_expression(folder: Path) -> Files:
    """A tokenizer whose regular expression for words backtracks through every way to split a text."""
    described = {
        "version": "1.0", "added_tokens": [],
        "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a|a|aa)+$"}, "behavior": "Isolated", "invert": False},
        "model": {"type": "WordLevel", "vocab": {"<unk>": 0, "cat": 1}, "unk_token": "<unk>"},
    }  # fmt: skip
    return {"tokenizer.json": json.dumps(described).encode()}


def doubling(folder: Path) -> Files:
    """A tokenizer whose replacement rules double a letter forty times."""
    rules = [{"type": "Replace", "pattern": {"String": "T"}, "content": "TT"} for _ in range(40)]
    described = {
        "version": "1.0", "added_tokens": [], "normalizer": {"type": "Sequence", "normalizers": rules},
        "model": {"type": "WordLevel", "vocab": {"<unk>": 0, "cat": 1}, "unk_token": "<unk>"},
    }  # fmt: skip
    return {"tokenizer.json": json.dumps(described).encode()}


def _words(n: int) -> bytes:
    return json.dumps(["<pad>", "<unk>", "<s>", "</s>", *(f"w{index}" for index in range(n - 4))]).encode()


def without_tokens() -> bytes:
    """A model that brings no vocabulary."""
    stream = io.BytesIO()
    parts = torch.nn.ModuleDict({"t": torch.nn.Transformer(16, 2, 1, 1, 24), "e": torch.nn.Embedding(12, 16)})
    torch.save(parts.state_dict(), stream)
    return stream.getvalue()


_MANY = 5_000_000
_CORPUS = "the cat is sleeping on the sofa .\tle chat dort sur le canapé .\n" * 20_000
_GOLD = "\n".join(f"{'the cat ' * 60}\t{'le chat ' * 60}\t{'0-0 ' * 100}" for _ in range(500))
BLOWS: tuple[Blow, ...] = (
    *(Blow(craft.__name__, craft_files(craft, seed), drop) for craft, seed in (
        (crafts.deep_key, 1), (crafts.without_numbers, 0), (crafts.shared_storage, 0), (crafts.greedy_settings, 3),
        (crafts.growing_yaml, 0), (crafts.growing_yaml, 3), (crafts.running_pickle, 0), (crafts.overlapping, 0),
        (crafts.slow_tokenizer, 0), (crafts.slow_tokenizer, 1),
    )),
    Blow("many_layers", many_layers, drop), Blow("many_names", many_names, drop),
    Blow("many_words", many_words, drop), Blow("many_zeros", many_zeros, drop),
    Blow("slow_expression", slow_expression, give_tokens), Blow("doubling", doubling, give_tokens),
    *(Blow(f"lying_npz {seed}", craft_files(crafts.lying_npz, seed), open_attention) for seed in range(4)),
    *(Blow(f"lying_json {seed}", craft_files(crafts.lying_json, seed), open_attention) for seed in range(4)),
    *(Blow(f"{do.__name__}: {name}", text(content), do)
      for do in (paste, fine_tune, survey, align, measure, ablate)
      for name, content in {
          "spaces": f"a{' ' * _MANY}b", "spaces and a bar": f"a{' ' * (_MANY // 2)}|{' ' * (_MANY // 2)}b\tc",
          "one word": "a" * _MANY, "short words": "a\tb\n" * (_MANY // 4), "ligatures": f"{'ﷺ' * (_MANY // 4)}\tb",
          "marks": f"{'a' + chr(0x301) * (_MANY // 3)}\tb\t0-0", "links": f"a\tb\t{'0-0 ' * (_MANY // 4)}",
      }.items()),
    Blow("fine_tune: sentences", text(_CORPUS), fine_tune), Blow("survey: sentences", text(_CORPUS), survey),
    Blow("align: long pairs", text(_GOLD), align), Blow("ablate: sentences", text(_CORPUS), ablate),
)  # fmt: skip
