"""Explains, from names and shapes, a file that no family recognises: it is no Transformer of words, or its names
resemble those of a toolkit."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

Shape = tuple[int, ...]
_ATTENTION_FILE = "save its attention where it runs, and open that file (docs/attention-files.md)"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file, and what to do with it."""

    what: str
    """With its article: "a recurrent network (LSTM or GRU)"."""
    remedy: str


OF_THE_LIBRARY = Kind(
    "a model of the transformers library without its config.json",
    "put the config.json that was saved with it beside the weights: it says what no tensor does, such as the base of "
    "rotary positions",
)
_RECURRENT = re.compile(r"weight_[ih]h_l\d|(^|[._])(lstm|gru|rnn)(_cell)?[._\d]|rnn_?cell", re.IGNORECASE)
_CONVOLUTION = re.compile(
    r"(^|\.)(convs?\d?|downsample|bn\d?|layer[1-4]\.\d+\.conv\d)(\.|$)|running_(mean|var)", re.IGNORECASE
)
_PATCHES = re.compile(
    r"patch_?(embed|proj)|to_patch_embedding|^visual\.|cls_token|class_embedding|class_token|image_encoder",
    re.IGNORECASE,
)
_CROSS = re.compile(
    r"cross|enc(oder)?_?att|src_att|enc_dec|dec_enc|context|memory|multihead_att|inter_att", re.IGNORECASE
)
_OPTIMIZER = re.compile(r"exp_avg|momentum_buffer|max_exp_avg|^state\.\d+\.", re.IGNORECASE)
_EXPERTS = re.compile(r"expert|(^|[._])s?moe[._]", re.IGNORECASE)
_SCALES = re.compile(
    r"layer_?scale|(^|[._])ls_?\d?[._]|gamma_?\d\Z|res(idual)?_?(weight|scale|alpha)|re_?zero", re.IGNORECASE
)


def kind_of(shapes: Mapping[str, Shape]) -> Kind | None:
    """The kind of a file that is no Transformer of words; None if it may be one."""
    names = list(shapes)
    if names and sum(map(bool, map(_OPTIMIZER.search, names))) > len(names) / 2:
        return Kind("the state of an optimizer alone, without the model's weights",
                    "give the file of model.state_dict()")  # fmt: skip
    if any(map(_RECURRENT.search, names)):
        return Kind("a recurrent network (LSTM or GRU), not a Transformer",
                    "it has no attention between layers to show; " + _ATTENTION_FILE)  # fmt: skip
    if any(map(_PATCHES.search, names)) and not any(map(_CROSS.search, names)):
        return Kind("an image Transformer, which reads patches and not words", _ATTENTION_FILE)
    return None


def kind_of_rest(left: Iterable[str]) -> Kind | None:
    """The kind of file that unplaced tensors of layers indicate, if a table of names would not help either."""
    names = list(left)
    if any(map(_EXPERTS.search, names)):
        return Kind("a mixture of experts under names of its own",
                    "of mixtures, types of the transformers library are read; " + _ATTENTION_FILE)  # fmt: skip
    if names and all(map(_SCALES.search, names)):
        return Kind("a model whose layers multiply what they add by weights of their own (layer scale)",
                    "such factors are not read here; " + _ATTENTION_FILE)  # fmt: skip
    return None


def without_layers(shapes: Mapping[str, Shape]) -> Kind:
    """The kind of a file in which no layers with attention were found."""
    names = list(shapes)
    is_single = any("att" in name.lower() for name in names)
    what = "a network with one attention and no stack of layers" if is_single else "a file without attention layers"
    what = "a convolutional network" if any(map(_CONVOLUTION.search, names)) else what
    return Kind(what, "give the weights of a Transformer, or " + _ATTENTION_FILE)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A toolkit that a file may come from, and the key of the advice for its files."""

    toolkit: str
    advice: str
    """One of ``ADVICE``."""


ADVICE = ("add_config", "folder_or_attention", "gather", "one_stack", "recurrent", "map")
_SUSPECTS = (
    (r"\.EncDecAttention\.|\.SelfAttention\.q\.weight", "T5 (Hugging Face)", "add_config"),
    (r"final_logits_bias|^model\.encoder\.layers\.\d+\.self_attn\.k_proj", "Hugging Face", "add_config"),
    (r"\.attention\.self\.query\.weight", "BERT (Hugging Face)", "add_config"),
    (r"(^|\.)h\.\d+\.attn\.c_attn\.weight", "GPT-2, nanoGPT", "folder_or_attention"),
    (r"(^|\.)_?flat_param(_\d+)?$", "PyTorch FSDP", "gather"),
    (r"\.mlp\.gate_proj\.weight|\.attention\.query_key_value\.", "Llama, GPT-NeoX", "folder_or_attention"),
    (r"^visual\.|patch_embed", "ViT, CLIP", "one_stack"),
    (r"weight_ih_l\d|weight_hh_l\d", "LSTM, GRU", "recurrent"),
    (r"(body|model)/(en|de)coder/|/layer_\d+/\w*attention|\.ATTRIBUTES/", "tensor2tensor, TensorFlow", "map"),
    (r"[/.](kernel|embedding)$", "Flax, Trax, Keras", "map"),
    (r"encoder_decoder_attn\.q_proj|(en|de)coder_frontend\.", "fairseq2", "map"),
    (r"first_sub_layer\.query_net|second_sub_layer", "NeMo", "map"),
    (r"\bencoders\.\d+\.self_attn\.linear_q|\bdecoders\.\d+\.src_attn", "ESPnet", "map"),
    (r"pre_self_attention\.|\.ff_in\.weight|\.ff_out\.weight", "Sockeye", "map"),
    (r"\.to_qkv\.|\.to_q\.weight", "x-transformers", "map"),
)


def suspect(names: Collection[str]) -> Suspicion | None:
    """The first toolkit that one of the names resembles."""
    for pattern, toolkit, advice in _SUSPECTS:
        compiled = re.compile(pattern)
        if any(compiled.search(name) for name in names):
            return Suspicion(toolkit, advice)
    return None
