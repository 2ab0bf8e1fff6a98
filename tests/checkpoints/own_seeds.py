"""Valid files with names of their own, as strangers write them, for the fuzzer to damage."""

import io
import json
import pickle

import torch
from safetensors.torch import save

from tests.checkpoints.early_ctranslate2 import BASE, early
from tests.checkpoints.lies import packed
from tests.strangers.authors import Written
from tests.strangers.plain import FUSED, HEADS, LEARNED, PLAIN
from tests.strangers.repositories import REPOSITORIES
from tests.strangers.tutorials import FROM_SCRATCH, TUTORIAL_6, tutorial_6_of


def own_seeds() -> dict[str, bytes]:
    """Valid files for the readers of names of one's own, of tutorials, of pickles and of the first CTranslate2."""
    marks = ["<pad>", "<sos>", "<eos>", "<unk>"]
    sides = {side: {word: index for index, word in enumerate([*marks, *map(str, range(size - 4))])}
             for side, size in (("src_vocab", 23), ("tgt_vocab", 29))}  # fmt: skip
    config = {"num_heads": 4, "d_model": 32, "dropout": 0.2, "norm_first": False, "activation": "relu"}
    settings = {"config": config, "task": {"PAD": 0, "BOS": 1, "EOS": 2}}
    authors = {"own": PLAIN, "heads": HEADS, "fused": FUSED, "learned": LEARNED, "tutorial6": TUTORIAL_6,
               "tutorial6-2019": tutorial_6_of("2019-10"), "scratch": FROM_SCRATCH}  # fmt: skip
    authors |= {name.partition("/")[0]: author for name, author in REPOSITORIES.items()}
    states = {name: Written(author).state() for name, author in authors.items()}
    found = {f"{name}.pt": _pickled({"model": state, **settings, **sides}) for name, state in states.items()}
    found["own.safetensors"] = save({name: tensor.contiguous() for name, tensor in states["own"].items()})
    weights = {"mine.pt": _pickled(states["own"])}
    found["pickles.zip"] = packed(
        weights | {"vocab.pkl": pickle.dumps(sides), "config.json": json.dumps(config).encode()}
    )
    texts = {"src_vocab.txt": "\n".join(sides["src_vocab"]), "tgt_vocab.json": json.dumps(sides["tgt_vocab"])}
    found["texts.zip"] = packed(weights | {name: text.encode() for name, text in texts.items()})
    return found | {f"ctranslate2-{version}.zip": packed(early(version, Written(BASE))) for version in (1, 2, 3)}


def _pickled(held: object) -> bytes:
    stream = io.BytesIO()
    torch.save(held, stream)
    return stream.getvalue()
