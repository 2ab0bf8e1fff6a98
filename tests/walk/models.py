"""The models that readers can choose, written to disk once: a tiny one for all, and private ones of every kind."""

import atexit
import dataclasses
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import torch
import transformers

import model
from tests.checkpoint import WORDS, tiny_bundle, zip_folder
from tests.model.test_pictures import tiny_reader
from viz.panels import shelf

KINDS = ("twin", "uneven", "encoder-only model", "decoder-only model", "t5", "reader of pictures")
"""The kinds of model that a reader may have opened."""


@cache
def folder() -> Path:
    """The folder with the models while the tests run."""
    place = mkdtemp(prefix="regard-walk-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return Path(place)


@cache
def shared_model() -> Path:
    """A tiny translator that everyone can choose."""
    return model.save(tiny_bundle(), folder() / "tiny")


@cache
def private(kind: str) -> model.Bundle:
    """A private model: equal weights with another vocabulary, uneven stacks, a single stack, or one run by
    transformers."""
    if kind == "twin":
        words = (*WORDS[:4], *reversed(WORDS[4:]))
        other_words = dataclasses.replace(
            tiny_bundle(), source_tokenizer=model.WordTokenizer(words), target_tokenizer=model.WordTokenizer(words)
        )
        return model.load(model.save(other_words, folder() / kind))
    if kind == "uneven":
        uneven = tiny_bundle(seed=7, n_encoder_layers=1, n_decoder_layers=3, n_encoder_heads=4, positions="learned")
        return model.load(model.save(uneven, folder() / kind))
    if kind == "reader of pictures":
        return model.load(model.save(tiny_reader(), folder() / "reader"))
    torch.manual_seed(0)
    place = folder() / kind.replace(" ", "-")
    _foreign(kind).save_pretrained(place)
    return model.load(place)


def _foreign(kind: str) -> transformers.PreTrainedModel:
    if kind == "encoder-only model":
        return transformers.BertModel(
            transformers.BertConfig(
                vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24
            )
        )
    if kind == "decoder-only model":
        return transformers.GPT2LMHeadModel(
            transformers.GPT2Config(vocab_size=40, n_embd=16, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0)
        )
    untied: dict[str, Any] = {"decoder_start_token_id": 0, "tie_word_embeddings": False}
    config = transformers.T5Config(
        vocab_size=40, d_model=16, d_kv=8, d_ff=24, num_layers=2, num_heads=2, feed_forward_proj="gated-gelu", **untied
    )
    return transformers.T5ForConditionalGeneration(config)


def shelf_of(owner: str) -> dict[str, model.Bundle]:
    """Every private model, under names that contain the owner's."""
    models: dict[str, model.Bundle] = {}
    for kind in KINDS:
        models, _, _ = shelf.place(models, dataclasses.replace(private(kind), name=f"{kind} of {owner}"))
    return models


@cache
def archive(seed: int) -> bytes:
    """A tiny checkpoint as a reader drops it."""
    return zip_folder(model.save(tiny_bundle(seed=seed), folder() / f"dropped-{seed}"))
