"""Decoder-only and encoder-only models that people write and train themselves: each form in a file of its own."""

from model.checkpoints.families.single_stack import (
    annotated_alone,
    gpt,
    litgpt,
    llama,
    torch_alone,
    xtransformers_alone,
)

MODULES = (gpt, llama, litgpt, xtransformers_alone, annotated_alone, torch_alone)
