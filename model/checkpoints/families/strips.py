"""``torch.nn.Transformer`` behind a linear layer over the strips of a picture, with settings in a JSON file beside it.

The settings say how wide a strip is (``strip``) and how high and wide a picture is, and may say heads, alphabet, ids,
activation and place of the norms.
"""

import re
from collections.abc import Mapping
from typing import Any

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.families import torch_module
from model.checkpoints.families.tables import from_table, infer_config_from_shapes
from model.checkpoints.families.torch_module import find_stacks
from model.checkpoints.formats.settings import number_of
from model.checkpoints.formats.source import Source, read_json
from model.config import EPSILON, GREY_LEVELS, TransformerConfig
from model.picture_source import PictureSource
from model.text.word_tokenizer import WordTokenizer

NAME = "strips"
_PROJECTION = re.compile(r"src|source|patch|strip|pixel|input", re.IGNORECASE)
_SPECIAL = (("pad", "<pad>"), ("bos", "<s>"), ("eos", "</s>"))


def recognise(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The linear layer over strips and the decoder's embedding, where there are these two alone."""
    stacks = find_stacks(tensors)
    if stacks is None:
        return ()
    outside = {name: tensor for name, tensor in tensors.items() if not any(stack.holds(name) for stack in stacks)}
    matrices = {name: tensor for name, tensor in outside.items() if tensor.dim() == 2 and name.endswith("weight")}
    linear = [name for name in matrices if name.removesuffix("weight") + "bias" in outside and _PROJECTION.search(name)]
    tables = [name for name in matrices if name not in linear]
    if len(linear) != 1 or len(tables) != 1 or matrices[linear[0]].shape[0] != matrices[tables[0]].shape[1]:
        return ()
    return linear[0], tables[0]


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    name, settings = _settings(source)
    if not name:  # the names alone may be a model's of measurements
        return torch_module.convert(source, answers, tokenizers)
    tensors, where = source.tensors, source.where
    linear, table = recognise(tensors)
    stacks = find_stacks(tensors)
    assert stacks is not None
    picture = PictureSource(height=settings["height"], width=settings["width"], strip=settings["strip"])
    if tensors[linear].shape[1] != picture.n_pixels:
        raise CheckpointError(
            f"the strips in the settings of {where} have {picture.n_pixels} pixels and {linear} reads "
            f"{tensors[linear].shape[1]}: give the settings that were saved with these weights"
        )
    names = torch_module.table_of(stacks) | {
        "encoder.embedding.weight": linear, "encoder.embedding.bias": linear.removesuffix("weight") + "bias",
        "decoder.embedding.weight": table, "output.weight": table,
    }  # fmt: skip
    d_model = tensors[table].shape[1]
    shapes = infer_config_from_shapes(names, tensors, where=where) | {
        "source_vocab_size": GREY_LEVELS + 1, "d_model": d_model, "tie_embeddings": False, "tie_output": True,
        "output_bias": False,
    }  # fmt: skip
    n_heads = number_of(settings, "heads", number_of(settings, "n_heads", 0))
    heads = (n_heads, n_heads) if n_heads and d_model % n_heads == 0 else answers.heads(d_model)
    tokenizers = Tokenizers(None, tokenizers.target or _alphabet(settings, shapes["target_vocab_size"]))
    norm_first = _setting(settings, "norm_first", (False, True), answers)
    pad, bos, eos = (number_of(settings, name, usual) for usual, (name, _) in enumerate(_SPECIAL))
    config = TransformerConfig(
        **shapes, picture=picture, n_encoder_heads=heads[0], n_decoder_heads=heads[1],
        encoder_norm_first=norm_first, decoder_norm_first=norm_first,
        encoder_final_norm=f"{stacks[0].norm}.weight" in tensors,
        decoder_final_norm=f"{stacks[1].norm}.weight" in tensors,
        activation=_setting(settings, "activation", ("relu", "gelu"), answers),
        embedding_scale=float(_setting(settings, "embedding_scale", (1.0, d_model**0.5), answers)),
        positions="interleaved", max_positions=512, source_has_bos=False, source_has_eos=False,
        source_pad_id=GREY_LEVELS, target_pad_id=pad, bos_id=bos, eos_id=eos,
    )  # fmt: skip
    return from_table(tensors, names, config, answers, tokenizers, where=where, fill=True, settings=name,
                     assumed=(f"layer_norm_eps={EPSILON:g}", "positions=interleaved"))  # fmt: skip


def _settings(source: Source) -> tuple[str, dict[str, Any]]:
    """The JSON beside the weights that says how a picture is cut, after its name; nothing where there is none."""
    beside = source.path.with_suffix(".json")
    files = source.files | ({beside.name: beside} if source.path.is_file() and beside.is_file() else {})
    for name in sorted(files):
        found = read_json(files[name]) if name.endswith(".json") else None
        if isinstance(found, dict) and all(type(found.get(field)) is int for field in ("strip", "height", "width")):
            return name, found
    return "", {}


def _setting(settings: Mapping[str, Any], name: str, choices: tuple[Any, ...], answers: Answers) -> Any:
    value = settings.get(name)
    return value if value in choices else answers.ask(name, choices[-1], choices=choices)


def _alphabet(settings: Mapping[str, Any], size: int) -> WordTokenizer | None:
    """The characters that it writes, after the special tokens; None where the settings have others."""
    alphabet = settings.get("alphabet")
    if not isinstance(alphabet, str | list) or len(alphabet) + len(_SPECIAL) != size:
        return None
    if any(settings.get(name) != index for index, (name, _) in enumerate(_SPECIAL)):
        return None
    return WordTokenizer([*(piece for _, piece in _SPECIAL), *map(str, alphabet)])
