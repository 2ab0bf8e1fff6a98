"""The architectures of ``transformers`` that people train and download, each as a tiny seeded model.

``python -m benchmarks.architectures`` prints how each opens; test_architectures.py asserts it.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers

from model.interventions import AttentionKind

Shape = Literal["both", "encoder", "decoder", "refused"]

_SIZE = 48
_IDS: dict[str, Any] = {"vocab_size": _SIZE, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
_BART: dict[str, Any] = _IDS | {
    "d_model": 16, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 2,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 24, "decoder_ffn_dim": 28, "max_position_embeddings": 64,
    "decoder_start_token_id": 2,
}  # fmt: skip
_T5: dict[str, Any] = {
    "vocab_size": _SIZE, "d_model": 16, "d_kv": 6, "d_ff": 24, "num_layers": 2, "num_decoder_layers": 3,
    "num_heads": 2, "pad_token_id": 1, "decoder_start_token_id": 2, "eos_token_id": 2,
}  # fmt: skip
_BERT: dict[str, Any] = _IDS | {
    "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24,
    "max_position_embeddings": 64,
}  # fmt: skip
_LLAMA: dict[str, Any] = _BERT | {"num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 3}
_WINDOWS: dict[str, Any] = {
    "sliding_window": 3, "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
}  # fmt: skip
_GEMMA: dict[str, Any] = _LLAMA | {"head_dim": 8}
_GPT2: dict[str, Any] = _IDS | {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 64}


@dataclass(frozen=True)
class Architecture:
    """One architecture: the class that saves it, its configuration, and what is compared."""

    class_name: str
    shape: Shape
    fields: dict[str, Any] = field(default_factory=dict)
    kind: str = ""
    """Of the configuration, where the class does not tell."""


def _without(fields: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key != name}


def _both(name: str, fields: dict[str, Any], **more: Any) -> Architecture:
    return Architecture(name, "both", fields | more)


def _encoder(name: str, fields: dict[str, Any] = _BERT, **more: Any) -> Architecture:
    return Architecture(name, "encoder", fields | more)


def _decoder(name: str, fields: dict[str, Any] = _LLAMA, **more: Any) -> Architecture:
    return Architecture(name, "decoder", fields | more)


def _refused_architecture(name: str, fields: dict[str, Any], **more: Any) -> Architecture:
    return Architecture(name, "refused", fields | more)


def _pair(encoder: str, decoder: str, encoder_fields: dict[str, Any], decoder_fields: dict[str, Any]) -> Architecture:
    parts = {"encoder": (encoder, encoder_fields), "decoder": (decoder, decoder_fields)}
    return Architecture("EncoderDecoderModel", "both", parts)


_MOE = {"num_local_experts": 4, "num_experts_per_tok": 2}
ARCHITECTURES: dict[str, Architecture] = {
    "marian": _both("MarianMTModel", _BART, decoder_vocab_size=_SIZE, scale_embedding=True),
    "bart": _both("BartForConditionalGeneration", _BART),
    "mbart": _both("MBartForConditionalGeneration", _BART, scale_embedding=True),
    "m2m_100, nllb": _both("M2M100ForConditionalGeneration", _BART),
    "t5": _both("T5ForConditionalGeneration", _T5),
    "t5 v1.1": _both("T5ForConditionalGeneration", _T5, feed_forward_proj="gated-gelu", tie_word_embeddings=False),
    "mt5": _both("MT5ForConditionalGeneration", _T5, feed_forward_proj="gated-gelu"),
    "umt5": _both("UMT5ForConditionalGeneration", _T5, feed_forward_proj="gated-gelu"),
    "pegasus": _both("PegasusForConditionalGeneration", _BART, scale_embedding=True),
    "blenderbot": _both("BlenderbotForConditionalGeneration", _BART),
    "blenderbot-small": _both("BlenderbotSmallForConditionalGeneration", _BART),
    "plbart": _both("PLBartForConditionalGeneration", _BART, scale_embedding=True),
    "mvp": _both("MvpForConditionalGeneration", _BART),
    "fsmt": _both("FSMTForConditionalGeneration", _without(_BART, "vocab_size"), src_vocab_size=_SIZE,
                  tgt_vocab_size=_SIZE, langs=["en", "de"]),
    "nllb-moe": _both("NllbMoeForConditionalGeneration", _BART, num_experts=4, encoder_sparse_step=2,
                      decoder_sparse_step=2, encoder_layerdrop=0.0, decoder_layerdrop=0.0),
    "switch_transformers": _both("SwitchTransformersForConditionalGeneration", _T5, num_experts=4,
                                 num_sparse_encoder_layers=1, num_sparse_decoder_layers=1),
    "t5gemma": _both("T5GemmaForConditionalGeneration",
                     {"encoder": _GEMMA | _WINDOWS, "decoder": _GEMMA | _WINDOWS, "vocab_size": _SIZE}),
    "encoder-decoder, BERT to BERT": _pair("BertConfig", "BertConfig", _BERT, _BERT),
    "encoder-decoder, BERT to GPT-2": _pair("BertConfig", "GPT2Config", _BERT, _GPT2),
    "encoder-decoder, RoBERTa to GPT-2": _pair("RobertaConfig", "GPT2Config", _BERT, _GPT2),
    "gpt2": _decoder("GPT2LMHeadModel", _GPT2),
    "gpt_neo": _decoder("GPTNeoForCausalLM", _IDS, hidden_size=16, num_layers=2, num_heads=2, window_size=3,
                        attention_types=[[["global", "local"], 1]], max_position_embeddings=64),
    "gpt_neox": _decoder("GPTNeoXForCausalLM", _BERT),
    "gptj": _decoder("GPTJForCausalLM", _GPT2, rotary_dim=4),
    "gpt_bigcode": _decoder("GPTBigCodeForCausalLM", _GPT2),
    "codegen": _decoder("CodeGenForCausalLM", _GPT2, n_head=4, rotary_dim=4),
    "opt": _decoder("OPTForCausalLM", _BERT, ffn_dim=24, word_embed_proj_dim=16),
    "opt, projected": _decoder("OPTForCausalLM", _BERT, ffn_dim=24, word_embed_proj_dim=8, do_layer_norm_before=False),
    "bloom": _decoder("BloomForCausalLM", _IDS, hidden_size=16, n_layer=2, n_head=2),
    "falcon": _decoder("FalconForCausalLM", _IDS, hidden_size=16, num_hidden_layers=2, num_attention_heads=2),
    "mpt": _decoder("MptForCausalLM", _IDS, d_model=16, n_heads=2, n_layers=2, max_seq_len=64),
    "biogpt": _decoder("BioGptForCausalLM", _BERT),
    "xglm": _decoder("XGLMForCausalLM", _IDS, d_model=16, ffn_dim=24, num_layers=2, attention_heads=2,
                     max_position_embeddings=64),
    "llama": _decoder("LlamaForCausalLM"),
    "llama 3": _decoder("LlamaForCausalLM", rope_parameters={
        "rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 32}, tie_word_embeddings=True),
    "mistral": _decoder("MistralForCausalLM", sliding_window=3, max_position_embeddings=1_048_576),
    "mixtral": _decoder("MixtralForCausalLM", _LLAMA | _MOE),
    "qwen2": _decoder("Qwen2ForCausalLM"),
    "qwen3": _decoder("Qwen3ForCausalLM", head_dim=6),
    "qwen2_moe": _decoder("Qwen2MoeForCausalLM", _LLAMA, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=12,
                          shared_expert_intermediate_size=20, mlp_only_layers=[1]),
    "qwen3_moe": _decoder("Qwen3MoeForCausalLM", _LLAMA, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=12,
                          head_dim=6, norm_topk_prob=True),
    "gemma": _decoder("GemmaForCausalLM", _GEMMA),
    "gemma2": _decoder("Gemma2ForCausalLM", _GEMMA | _WINDOWS, query_pre_attn_scalar=8),
    "gemma3_text": _decoder("Gemma3ForCausalLM", _GEMMA | _WINDOWS, query_pre_attn_scalar=8),
    "phi": _decoder("PhiForCausalLM", qk_layernorm=True),
    "phi3": _decoder("Phi3ForCausalLM"),
    "olmo": _decoder("OlmoForCausalLM"),
    "olmo2": _decoder("Olmo2ForCausalLM"),
    "olmoe": _decoder("OlmoeForCausalLM", _LLAMA, num_experts=4, num_experts_per_tok=2),
    "smollm3": _decoder("SmolLM3ForCausalLM", no_rope_layers=[1, 0, 1]),
    "deepseek_v3": _decoder(
        "DeepseekV3ForCausalLM", _LLAMA, num_key_value_heads=4, moe_intermediate_size=12, n_routed_experts=4,
        n_group=2, topk_group=1, num_experts_per_tok=2, kv_lora_rank=8, q_lora_rank=12, qk_rope_head_dim=4,
        qk_nope_head_dim=6, v_head_dim=5, first_k_dense_replace=1),
    "cohere": _decoder("CohereForCausalLM"),
    "granite": _decoder("GraniteForCausalLM", logits_scaling=3.0, attention_multiplier=0.2, residual_multiplier=0.5),
    "stablelm": _decoder("StableLmForCausalLM"),
    "starcoder2": _decoder("Starcoder2ForCausalLM"),
    "persimmon": _decoder("PersimmonForCausalLM"),
    "bert": _encoder("BertModel"),
    "bert, masked": _encoder("BertForMaskedLM"),
    "roberta": _encoder("RobertaForMaskedLM"),
    "xlm-roberta": _encoder("XLMRobertaForTokenClassification"),
    "camembert": _encoder("CamembertForMaskedLM"),
    "distilbert": _encoder("DistilBertForMaskedLM", _IDS, dim=16, n_layers=2, n_heads=2, hidden_dim=24,
                           max_position_embeddings=64),
    "electra": _encoder("ElectraForMaskedLM", embedding_size=12),
    "albert": _encoder("AlbertForMaskedLM", embedding_size=12, num_hidden_groups=1),
    "mpnet": _encoder("MPNetForMaskedLM"),
    "ernie": _encoder("ErnieForMaskedLM"),
    "roformer": _encoder("RoFormerForMaskedLM", embedding_size=16),
    "deberta": _encoder("DebertaForMaskedLM", relative_attention=True, max_relative_positions=16,
                        pos_att_type=["c2p", "p2c"], position_biased_input=False),
    "deberta-v2": _encoder("DebertaV2ForMaskedLM", relative_attention=True, position_buckets=8,
                           pos_att_type=["p2c", "c2p"], position_biased_input=False, share_att_key=True,
                           norm_rel_ebd="layer_norm", max_relative_positions=16),
    "xlm": _encoder("XLMWithLMHeadModel", _IDS, emb_dim=16, n_layers=2, n_heads=2, max_position_embeddings=64),
    "flaubert": _encoder("FlaubertWithLMHeadModel", _IDS, emb_dim=16, n_layers=2, n_heads=2,
                         max_position_embeddings=64),
    "modernbert": _encoder("ModernBertForMaskedLM", _BERT, num_hidden_layers=4, local_attention=4,
                           cls_token_id=0, sep_token_id=2),
    "t5, encoder alone": _encoder("T5EncoderModel", _T5),
    "longt5": _both("LongT5ForConditionalGeneration", _T5, local_radius=2, feed_forward_proj="gated-gelu"),
    "led": _both("LEDForConditionalGeneration", _without(_BART, "max_position_embeddings"), attention_window=4,
                 max_encoder_position_embeddings=64, max_decoder_position_embeddings=32),
    "bigbird_pegasus": _both("BigBirdPegasusForConditionalGeneration", _BART),
    "longt5, transient-global": _refused_architecture("LongT5ForConditionalGeneration", _T5,
                                         encoder_attention_type="transient-global"),
    "pegasus_x": _refused_architecture("PegasusXForConditionalGeneration", _BART),
    "prophetnet": _refused_architecture("ProphetNetForConditionalGeneration", _IDS, hidden_size=16, encoder_ffn_dim=24,
                           num_encoder_layers=1, num_encoder_attention_heads=2, decoder_ffn_dim=24,
                           num_decoder_layers=1, num_decoder_attention_heads=2, max_position_embeddings=64),
    "mamba": _refused_architecture("MambaForCausalLM", _IDS, hidden_size=16, num_hidden_layers=1),
}  # fmt: skip
SHOWN = tuple(name for name, architecture in ARCHITECTURES.items() if architecture.shape != "refused")

SOURCE = torch.tensor([[5, 6, 7, 8, 9, 3, 2], [9, 10, 4, 2, 1, 1, 1]])
"""Padded with 1."""
IS_REAL = (SOURCE != 1).numpy()
KINDS: dict[str, tuple[AttentionKind, ...]] = {
    "both": ("encoder_self", "decoder_self", "cross"), "encoder": ("encoder_self",), "decoder": ("decoder_self",)
}  # fmt: skip
TARGET = torch.tensor([[2, 11, 12, 13, 4], [2, 14, 15, 16, 6]])


def save(architecture: Architecture, folder: Path, *, tied: bool | None = None) -> Any:
    """A saved model whose every number is random, and the library's own reading of the folder."""
    torch.manual_seed(0)
    network_class = getattr(transformers, architecture.class_name)
    fields = architecture.fields | ({} if tied is None else {"tie_word_embeddings": tied})
    network = network_class(_configuration(network_class, fields)).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)
    network.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return network_class.from_pretrained(folder, attn_implementation="eager").eval()


def run_original(original: Any, architecture: Architecture) -> dict[str, np.ndarray]:
    """What the library returns for the padded batch: the attention (B, L, H, Q, S) of each kind, and the logits."""
    mask = (SOURCE != 1).long()
    with torch.inference_mode():
        if architecture.shape == "encoder":
            network = original(SOURCE, attention_mask=mask, output_attentions=True)
            return {"encoder_self": torch.stack(network.attentions, 1).numpy()}
        if architecture.shape == "decoder":
            network = original(TARGET, output_attentions=True)
            return {"decoder_self": torch.stack(network.attentions, 1).numpy(), "logits": network.logits.numpy()}
        network = original(
            input_ids=SOURCE, attention_mask=mask, decoder_input_ids=TARGET, output_attentions=True,
            use_cache=False,  # FSMT lifts its causal mask with it
        )  # fmt: skip
    parts = (network.encoder_attentions, network.decoder_attentions, network.cross_attentions)
    if original.config.model_type in ("led", "longt5"):
        parts = (tuple(_every_pair(encoder_attention) for encoder_attention in network.encoder_attentions), *parts[1:])
    stacked = {kind: torch.stack(part, 1).numpy() for kind, part in zip(KINDS["both"], parts, strict=True)}
    return stacked | {"logits": network.logits.numpy()}


def _every_pair(blocks: torch.Tensor) -> torch.Tensor:
    """Attention as LED and LongT5 return it, in blocks, as (B, H, S, S); pairs that they never compute are 0."""
    n = SOURCE.shape[1]
    whole = torch.zeros(len(SOURCE), blocks.shape[-3] if blocks.dim() == 5 else blocks.shape[1], n, n)
    half = blocks.shape[-1] // 2  # LED: (B, H, S, w + 1), a window around each query
    for query in range(n):
        for key in range(n):
            if blocks.dim() == 4 and abs(key - query) <= half:
                whole[:, :, query, key] = blocks[:, :, query, key - query + half]
            elif blocks.dim() == 5:  # LongT5: (B, blocks, H, L, 3 L), each block with the two beside it
                length = blocks.shape[-2]
                block, place = divmod(query, length)
                beside = key - (block - 1) * length
                if 0 <= beside < 3 * length:
                    whole[:, :, query, key] = blocks[:, block, :, place, beside]
    return whole


def differences(result: Any, expected: dict[str, np.ndarray]) -> dict[str, float]:
    """The largest difference of each kind; what a padded source position attends to does not count."""
    apart = {}
    for kind, reference in expected.items():
        difference = np.abs(getattr(result, kind) - reference)
        if kind == "encoder_self":
            difference = difference.swapaxes(1, 3)[IS_REAL]
        apart[kind] = float(difference.max())
    return apart


def assert_equal(result: Any, expected: dict[str, np.ndarray]) -> None:
    """Fail where attention or logits are not those of the library, to 1e-5."""
    apart = differences(result, expected)
    assert max(apart.values()) <= 1e-5, apart


def _configuration(network_class: Any, fields: dict[str, Any]) -> Any:
    if network_class.__name__ != "EncoderDecoderModel":
        return network_class.config_class(**fields)
    (encoder, encoder_fields), (decoder, decoder_fields) = fields["encoder"], fields["decoder"]
    result = transformers.EncoderDecoderConfig.from_encoder_decoder_configs(
        getattr(transformers, encoder)(**encoder_fields), getattr(transformers, decoder)(**decoder_fields)
    )
    result.decoder_start_token_id, result.pad_token_id = 2, 1
    return result


def tokenizer() -> Any:
    """Words by number, with the special tokens of these models."""
    words = ["<s>", "<pad>", "</s>", "<unk>", *(f"word{index}" for index in range(4, _SIZE))]
    built = Tokenizer(models.WordLevel({word: index for index, word in enumerate(words)}, unk_token="<unk>"))
    built.pre_tokenizer = pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=built, bos_token="<s>", pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
