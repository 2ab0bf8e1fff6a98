"""What is compared, and on what: each quantity with its definition and its bar, and tiny models of six families with
random weights, as their library builds them and as Regard opens them."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import transformers

import model
from model.checkpoints.families.huggingface.network import quiet

SOURCE, TARGET = (5, 6, 7, 8, 2), (11, 12, 13, 2)
"""What the encoder reads, and the translation; a decoder-only model is fed the beginning of the first, and predicts
it."""
OTHER = (9, 6, 7, 10, 2)
"""Another sentence of the same length, to take activations from."""
_BART: dict[str, Any] = {
    "vocab_size": 40, "d_model": 16, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 2,
    "decoder_attention_heads": 2, "encoder_ffn_dim": 24, "decoder_ffn_dim": 24, "max_position_embeddings": 64,
    "pad_token_id": 1, "eos_token_id": 2, "bos_token_id": 0, "decoder_start_token_id": 2, "forced_eos_token_id": None,
}  # fmt: skip
_WIDTHS: dict[str, Any] = {
    "vocab_size": 40, "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2,
    "max_position_embeddings": 64, "pad_token_id": 1, "eos_token_id": 2, "bos_token_id": 0,
}  # fmt: skip
CLASSES: dict[str, tuple[str, dict[str, Any]]] = {
    "Marian": ("MarianMTModel", _BART | {"decoder_vocab_size": 40, "scale_embedding": True}),
    "BART": ("BartForConditionalGeneration", _BART),
    "T5": ("T5ForConditionalGeneration", {
        "vocab_size": 40, "d_model": 16, "d_kv": 8, "d_ff": 24, "num_layers": 2, "num_decoder_layers": 2,
        "num_heads": 2, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}),
    "GPT-2": ("GPT2LMHeadModel", {
        "vocab_size": 40, "n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 64, "bos_token_id": 0,
        "eos_token_id": 2}),
    "Llama": ("LlamaForCausalLM", _WIDTHS | {"num_key_value_heads": 1}),
    "BERT": ("BertForMaskedLM", _WIDTHS),
}  # fmt: skip


class Quantity(NamedTuple):
    """One quantity of the library."""

    name: str
    definition: str
    source: str
    bar: float = 1e-5


QUANTITIES = {
    "attention": Quantity("`trace.attention`", "weights after the softmax, before dropout; rows sum to 1",
                          "Vaswani et al. 2017, eq. 1"),
    "log_probs": Quantity("`trace.log_probs`", "natural logarithm of each token's probability", "—"),
    "residual": Quantity("`record(…, names=\"*.residual.after\")`", "residual stream that leaves each layer",
                         "Elhage et al. 2021"),
    "head_off": Quantity("`head_effects(…)`", "change in each token's log-probability when a head writes zeros",
                         "Michel et al. 2019"),
    "patched": Quantity("`Patch(…, from_text=…)`",
                        "log-probabilities with one layer's residual stream from another sentence", "Vig et al. 2020"),
    "steered": Quantity("`Patch(…, add=…, strength=…)`",
                        "log-probabilities with a vector added to the residual stream", "Turner et al. 2023"),
    "gradient": Quantity("`record(…, gradients_of=…)`", "gradient of a token's log-probability by a residual stream",
                         "—", 1e-4),
    "lens": Quantity("`logit_lens(…)`",
                     "logits of each layer's residual stream through the last norm and the output matrix",
                     "nostalgebraist 2020"),
    "gradient_input": Quantity(
        '`attribute(…, method="gradient_input")`',
        "gradient by each token's embedding, before positions, times the embedding, summed over its numbers",
        "Simonyan et al. 2014; Shrikumar et al. 2017", 1e-4),
    "integrated_gradients": Quantity(
        '`attribute(…, method="integrated_gradients")`',
        "mean gradient on the straight path from zeros to the token's embedding, times it, at 300 points",
        "Sundararajan et al. 2017, eq. 1", 1e-4),
    "integrated_from_token": Quantity(
        '`attribute(…, method="integrated_gradients", baseline=…)`', "the same, from the embedding of a token",
        "Sundararajan et al. 2017, section 3", 1e-4),
}  # fmt: skip
"""By the key that comparisons give."""


@dataclass
class Twin:
    """One model twice: ``network`` is the library's, in eager attention, and ``bundle`` is Regard's."""

    family: str
    folder: Path

    @cached_property
    def network(self) -> Any:
        name, _ = CLASSES[self.family]
        with quiet():
            return getattr(transformers, name).from_pretrained(self.folder, attn_implementation="eager").eval()

    @cached_property
    def bundle(self) -> model.Bundle:
        return model.load(self.folder)

    @cached_property
    def trace(self) -> model.Trace:
        """A forced translation or continuation, or the sentence that an encoder-only model reads."""
        if self.has_two_stacks:
            return model.score(self.bundle, SOURCE, TARGET)
        if self.predicts:
            return model.score(self.bundle, SOURCE[:1], SOURCE[1:-1])
        return model.read(self.bundle, SOURCE)

    @property
    def has_two_stacks(self) -> bool:
        return self.family in ("Marian", "BART", "T5")

    @property
    def predicts(self) -> bool:
        """Whether it has a next token: all but an encoder-only model."""
        return self.family != "BERT"

    def read(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """The ids of a sentence that this model is fed."""
        return ids[:-1] if self.predicts and not self.has_two_stacks else ids

    def inputs(self, source: tuple[int, ...] = SOURCE) -> dict[str, torch.Tensor]:
        """The library's inputs for the same tokens, or for another sentence."""
        inputs = {"input_ids": torch.tensor([self.read(source)])}
        if self.has_two_stacks:
            inputs["decoder_input_ids"] = torch.tensor([self.trace.prefix.ids])
        return inputs

    def log_probs_of(self, logits: torch.Tensor) -> torch.Tensor:
        """Each token's log-probability from logits (1, T, V), (T,)."""
        return logits[0].float().log_softmax(-1)[range(len(self.trace.target)), self.trace.target.ids]

    def blocks(self, network: Any) -> dict[str, Any]:
        """Modules that return the residual stream after a layer, by Regard's name of it."""
        names = {"T5": {"encoder": "encoder.block", "decoder": "decoder.block"},
                 "GPT-2": {"decoder": "transformer.h"}, "Llama": {"decoder": "model.layers"},
                 "BERT": {"encoder": "bert.encoder.layer"}}.get(
                     self.family, {"encoder": "model.encoder.layers", "decoder": "model.decoder.layers"})  # fmt: skip
        return {
            f"{stack}.{index}.residual.after": attrgetter(name)(network)[index]
            for stack, name in names.items() for index in range(2)
        }  # fmt: skip


class Row(NamedTuple):
    """The largest difference of one quantity on one model; None where one of the two does not have it."""

    quantity: str
    family: str
    difference: float | None
    reason: str = ""


def compared(quantity: str, twin: Twin, regard: Callable[[], Any], peer: Callable[[], Any]) -> Row:
    """Compute both and compare them; where one refuses, the row has its reason."""
    try:
        values = regard()
    except model.RegardError as error:
        return Row(quantity, twin.family, None, f"Regard: {error}")
    try:
        expected = peer()
    except Exception as error:  # a peer may fail in its own way on a family that it does not know
        return Row(quantity, twin.family, None, f"{type(error).__name__}: {error}"[:200])
    return Row(quantity, twin.family, largest_difference(values, expected))


def largest_difference(left: Any, right: Any) -> float:
    """Over all arrays of two dictionaries, or of two arrays; infinite where their shapes or names differ."""
    if isinstance(left, dict):
        if left.keys() != right.keys():
            return float("inf")
        return max(largest_difference(left[key], right[key]) for key in left)
    left, right = (np.asarray(values, np.float64) for values in (left, right))
    return float(np.abs(left - right).max()) if left.shape == right.shape else float("inf")


def twins(folder: Path | None = None) -> dict[str, Twin]:
    """A saved model of every family whose every number is random."""
    folder = folder or Path(tempfile.mkdtemp(prefix="regard-peers-"))
    result = {}
    for family, (name, fields) in CLASSES.items():
        torch.manual_seed(0)
        network_class = getattr(transformers, name)
        network = network_class(network_class.config_class(**fields)).eval()
        with torch.no_grad():
            for parameter in network.parameters():
                parameter.add_(torch.randn_like(parameter) * 0.1)
        with quiet():
            network.save_pretrained(folder / family)
        result[family] = Twin(family, folder / family)
    return result


def words(*, has_end: bool = True) -> Any:
    """A tokenizer with a word for each id, for peers that read texts; the end of sentence may follow each."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    names = {"<s>": 0, "<pad>": 1, "</s>": 2, **{f"t{index}": index for index in range(3, 40)}}
    fast = Tokenizer(models.WordLevel(names, unk_token="<pad>"))
    fast.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if has_end:
        fast.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 2)])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=fast, bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<pad>"
    )
    folder = tempfile.mkdtemp(prefix="regard-words-")  # TransformerLens loads a tokenizer from its folder
    tokenizer.save_pretrained(folder)
    return PreTrainedTokenizerFast.from_pretrained(folder)
