"""Tiny chat models: a Llama with a byte-level tokenizer, special tokens and a chat template."""

from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from tests.checkpoint import rewrite_json

CHATML = """\
{%- if messages[0]['role'] != 'system' %}
    {{- '<|im_start|>system\\nYou are a helpful assistant.<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
"""
LLAMA_2 = """\
{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}{% set system = messages[0]['content'] %}
{% else %}{% set loop_messages = messages %}{% set system = false %}{% endif %}
{% for message in loop_messages %}
{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('Conversation roles must alternate user/assistant') }}
{% endif %}
{% if loop.index0 == 0 and system %}
{% set content = '<<SYS>>\\n' + system + '\\n<</SYS>>\\n\\n' + message['content'] %}
{% else %}{% set content = message['content'] %}{% endif %}
{% if message['role'] == 'user' %}{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}
{%- elif message['role'] == 'assistant' %}{{ ' ' + content.strip() + ' ' + eos_token }}{% endif %}
{% endfor %}
"""
SPECIAL = ("<s>", "</s>", "<|im_start|>", "<|im_end|>")


def save_chat_model(folder: Path, template: str | None, *, in_config: bool = False) -> Any:
    """Save a random Llama that reads bytes, and return the library's tokenizer of it.

    Args:
        in_config: write the template into tokenizer_config.json, as folders of earlier versions have it.
    """
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    built = Tokenizer(models.BPE({piece: index for index, piece in enumerate(alphabet)}, []))
    built.pre_tokenizer, built.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    built.add_special_tokens([AddedToken(token, normalized=False) for token in SPECIAL])
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=built, bos_token="<s>", eos_token="</s>")
    if template is not None and not in_config:
        tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    if template is not None and in_config:
        rewrite_json(folder / "tokenizer_config.json", chat_template=template)
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24,
        max_position_embeddings=256, bos_token_id=256, eos_token_id=257, pad_token_id=257,
    )  # fmt: skip
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    return transformers.AutoTokenizer.from_pretrained(folder)
