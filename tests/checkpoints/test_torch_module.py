"""torch.nn.Transformer under any names, against its own arithmetic."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import model

PAD = 1


class Positions(nn.Module):
    """The tutorial's buffer of positions, with its name."""

    def __init__(self, width: int, name: str, *, batch_first: bool) -> None:
        super().__init__()
        place = torch.arange(50).unsqueeze(1) * torch.exp(-torch.arange(0, width, 2) * math.log(10000) / width)
        table = torch.zeros(50, width)
        table[:, 0::2], table[:, 1::2] = place.sin(), place.cos()
        self.register_buffer(name, table.unsqueeze(0 if batch_first else 1))


class Wrapper(nn.Module):
    """Embeddings, positions, a torch.nn.Transformer and a generator, with names that the test chooses."""

    def __init__(self, names: dict[str, str], *, tied: bool = False, activation: str = "relu", **options) -> None:
        super().__init__()
        self.names, self.tied = names, tied
        chosen: dict[str, Any] = {"batch_first": True, "dropout": 0.0, "activation": activation, **options}
        self.put("core", nn.Transformer(16, 2, 2, 3, 24, **chosen))
        self.put("source", nn.Embedding(12, 16))
        if not tied:
            self.put("target", nn.Embedding(11, 16))
            self.put("output", nn.Linear(16, 11))

    def put(self, role: str, module: nn.Module) -> None:
        *path, last = self.names[role].split(".")
        parent: nn.Module = self
        for name in path:
            if not hasattr(parent, name):
                parent.add_module(name, nn.Module())
            parent = getattr(parent, name)
        parent.add_module(last, module)

    def part(self, role: str) -> nn.Module:
        return self.get_submodule(self.names[role])

    def embed(self, role: str, ids: Tensor) -> Tensor:
        positions: Any = Positions(16, "x", batch_first=True).x
        return self.part("source" if self.tied else role)(ids) * 4 + positions[:, : ids.shape[1]]

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        core = self.part("core")
        mask = nn.Transformer.generate_square_subsequent_mask(target.shape[1]).isinf()
        hidden = core(
            self.embed("source", source), self.embed("target", target), tgt_mask=mask,
            src_key_padding_mask=source == PAD, tgt_key_padding_mask=target == PAD,
            memory_key_padding_mask=source == PAD,
        )  # fmt: skip
        return hidden @ self.part("source").weight.T if self.tied else self.part("output")(hidden)


@contextmanager
def record_attention(network: nn.Module) -> Iterator[dict[str, list[Tensor]]]:
    """What every nn.MultiheadAttention of a network attends to, head by head."""
    collected: dict[str, list[Tensor]] = {"encoder_self": [], "decoder_self": [], "cross": []}
    torch.backends.mha.set_fastpath_enabled(False)
    originals = {}
    for name, module in network.named_modules():
        if isinstance(module, nn.MultiheadAttention):
            kind = "cross" if "multihead" in name else "decoder_self" if "decoder" in name else "encoder_self"

            def forward(*arguments, original=module.forward, kind=kind, **options):
                options |= {"need_weights": True, "average_attn_weights": False, "is_causal": False}
                output, weights = original(*arguments, **options)
                assert weights is not None
                collected[kind].append(weights)
                return output, None

            originals[module], module.forward = module.forward, forward
    yield collected
    for module, original in originals.items():
        module.forward = original
    torch.backends.mha.set_fastpath_enabled(True)


TUTORIAL = {"core": "transformer", "source": "src_tok_emb.embedding", "target": "tgt_tok_emb.embedding",
            "output": "generator"}  # fmt: skip
NAMES = {
    "tutorial": TUTORIAL,
    "bare": {"core": "t", "source": "emb_in", "target": "emb_out", "output": "fc"},
    "nested": {"core": "net.body", "source": "net.encoder_embed.tok", "target": "net.decoder_embed.tok",
               "output": "head"},
}  # fmt: skip


def build(names: str | dict[str, str], **options) -> tuple[Wrapper, Tensor, Tensor]:
    torch.manual_seed(3)
    network = Wrapper(NAMES[names] if isinstance(names, str) else names, **options).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    source = torch.tensor([[4, 5, 6, 7, 8, 9], [9, 5, 8, PAD, PAD, PAD]])
    return network, source, torch.tensor([[5, 6, 7, 8], [10, 4, PAD, PAD]])


@pytest.mark.nightly(but=("{'tied': True}-True-nested", "{'activation': 'gelu'}-False-bare"))
@pytest.mark.parametrize("names", list(NAMES))
@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("options", [{}, {"activation": "gelu"}, {"bias": False}, {"tied": True}], ids=str)
@torch.inference_mode()
def test_attention_and_logits_equal_torch(names: str, norm_first: bool, options: dict, tmp_path: Path) -> None:
    network, source, target = build(names, norm_first=norm_first, **options)
    torch.save(network.state_dict(), tmp_path / "model.pth")
    with record_attention(network) as result:
        logits = network(source, target)
    hints = {"norm_first": norm_first, "activation": options.get("activation", "relu"), "embedding_scale": 4.0}
    bundle = model.load(tmp_path / "model.pth", n_heads=2, source_pad_id=PAD, target_pad_id=PAD, **hints)
    ours: Any = model.attend(bundle, source.numpy(), target.numpy())
    real = (target != PAD).numpy()
    np.testing.assert_allclose(ours.logits[real], logits.numpy()[real], rtol=0, atol=1e-5)
    for kind, layers in result.items():
        expected = torch.stack(layers, 1).numpy()
        np.testing.assert_allclose(getattr(ours, kind), expected, rtol=0, atol=1e-5, err_msg=kind)


@pytest.mark.parametrize("batch_first", [False, True])
def test_a_buffer_of_positions_is_recognised_by_its_values(batch_first: bool, tmp_path: Path) -> None:
    network, _, _ = build("tutorial")
    network.add_module("positional_encoding", Positions(16, "pos_embedding", batch_first=batch_first))
    torch.save(network.state_dict(), tmp_path / "model.pth")
    bundle: Any = model.load(tmp_path / "model.pth", n_heads=2)
    assert bundle.config.positions == "interleaved" and bundle.config.max_positions == 50
    assert bundle.report.ignored == ("positional_encoding.pos_embedding",)


def test_learned_positions_are_used(tmp_path: Path) -> None:
    network, _, _ = build("bare")
    network.add_module("src_pos", nn.Embedding(30, 16))
    network.add_module("tgt_pos", nn.Embedding(30, 16))
    torch.save(network.state_dict(), tmp_path / "model.pth")
    bundle = model.load(tmp_path / "model.pth", n_heads=2)
    assert bundle.config.positions == "learned"
    assert torch.equal(bundle.model.decoder.positions.table, network.state_dict()["tgt_pos.weight"])


@pytest.mark.nightly
def test_the_question_about_heads_has_the_divisors(tmp_path: Path) -> None:
    network, _, _ = build("tutorial")
    torch.save(network.state_dict(), tmp_path / "model.pth")
    report: Any = model.load(tmp_path / "model.pth").report
    requested = {question.hint: question for question in report.questions}
    assert requested["n_heads"].value == 4 and requested["n_heads"].choices == (1, 2, 4, 8)
    assert set(requested) >= {"norm_first", "activation"}
    assert "embedding_scale" not in requested
