"""JoeyNMT at the size of a given configuration, where it is installed: a peer that was also written for teaching.

JoeyNMT 2.3 pins an old protobuf that Streamlit does not support. To install it beside the application:

    pip install --no-deps joeynmt==2.3.0 'importlib_metadata<7' sacremoses tensorboard absl-py grpcio matplotlib \\
        seaborn contourpy cycler fonttools kiwisolver pyparsing
"""

from __future__ import annotations

import importlib.util
import logging
import types
from typing import Any

from torch import Tensor, nn

from model.config import TransformerConfig
from model.training.data import Batch

IS_INSTALLED = importlib.util.find_spec("joeynmt") is not None


class JoeyNMT(nn.Module):
    """JoeyNMT's Transformer and loss, with the same sizes, tied weights, pre-norm and dropout."""

    def __init__(self, config: TransformerConfig, *, smoothing: float) -> None:
        super().__init__()
        logging.disable(logging.INFO)
        from joeynmt.loss import XentLoss
        from joeynmt.model import build_model
        from joeynmt.vocabulary import Vocabulary

        logging.disable(logging.NOTSET)
        symbols = types.SimpleNamespace(
            unk_token="<unk>", pad_token="<pad>", bos_token="<s>", eos_token="</s>", sep_token=None, lang_tags=[],
            unk_id=0, pad_id=1, bos_id=2, eos_id=3,
        )  # fmt: skip
        words = Vocabulary([f"word{index}" for index in range(config.target_vocab_size - 4)], symbols)

        def stack(layers: int, heads: int) -> dict[str, Any]:
            return {
                "type": "transformer", "num_layers": layers, "num_heads": heads, "hidden_size": config.d_model,
                "ff_size": config.d_feed_forward, "dropout": config.dropout, "layer_norm": "pre",
                "embeddings": {"embedding_dim": config.d_model, "scale": True, "dropout": config.dropout},
            }  # fmt: skip

        described = {
            "tied_embeddings": True, "tied_softmax": True,
            "encoder": stack(config.n_encoder_layers, config.n_encoder_heads),
            "decoder": stack(config.n_decoder_layers, config.n_decoder_heads),
        }  # fmt: skip
        self.inner = build_model(described, words, words)
        self.inner._loss_function = XentLoss(pad_index=config.target_pad_id, smoothing=smoothing)
        self.pad_id = config.source_pad_id

    def forward(self, batch: Batch) -> Tensor:
        """The summed loss of a batch."""
        real = batch.source != self.pad_id
        loss, *_ = self.inner(
            return_type="loss", src=batch.source, src_length=real.sum(1), src_mask=real[:, None],
            trg_input=batch.prefix, trg=batch.target, trg_mask=batch.is_real[:, None],
        )  # fmt: skip
        return loss
